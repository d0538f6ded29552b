//! State estimators with the gain of the steady state: `control::StateEstimator`.

use super::algorithm::{Algorithm, Line, call, copy};
use super::formula::{Arrays, array, constants, difference, product, routine, sum};
use super::routine::{Body, Direction, Routine};
use super::{CodeError, about};
use crate::arm::Arm;
use crate::compile::Folded;
use crate::control::{Model, StateSource, SteadyFilter};
use std::collections::BTreeMap;

/// The filter of a controller, as formulas.
struct Filter<'a> {
    arm: Arm<Folded>,
    joints: &'a [usize],
    numbers: SteadyFilter<'a>,
}

/// The functions of an estimator: its start, and a tick with what that calls.
pub(super) fn routines(
    model: &Model,
    numbers: SteadyFilter<'_>,
    sensors: &[String],
) -> Vec<Routine> {
    let arm = model.arm();
    let filter = Filter { arm: arm.cast(), joints: model.joints(), numbers };
    let (nq, nv) = (arm.nq(), arm.nv());
    let (states, heard, count) =
        (2 * numbers.moving.len(), numbers.looks.len(), model.joints().len());
    let known = [("q", nq), ("u", nv), ("innovation", heard)];
    let mut start = routine(
        "estimator_start",
        &[("q_start", nq), ("u_start", nv), ("measured", heard)],
        &[&[("state", states)], &known[..]].concat(),
        |given| filter.start(given),
    );
    (start.is_public, start.about) = (true, about::estimator_start());
    let step = routine(
        "estimator_step",
        &[("tau", count), ("measured", heard), ("state", states)],
        &[&[("state_next", states)], &known[..]].concat(),
        |given| filter.step(given),
    );
    let mut lines = vec![Line::Array("state_next".to_owned(), states)];
    lines.push(call(&step, |name, _| name.to_owned()));
    copy("state", "state_next", states, &mut lines);
    let read = [("tau", count), ("measured", heard)].map(|own| (own, Direction::In));
    let changed = (("state", states), Direction::InOut);
    let written = known.map(|own| (own, Direction::Out));
    let parameters = read.into_iter().chain([changed]).chain(written);
    let tick = Routine {
        name: "estimator".to_owned(),
        about: about::estimator(model, &numbers, sensors),
        parameters: parameters
            .map(|((name, length), direction)| array(name, length, direction))
            .collect(),
        body: Body::Algorithm(Algorithm {
            lines,
            solves: Vec::new(),
            determinant: None,
            guard: None,
        }),
        is_public: true,
    };
    vec![start, step, tick]
}

/// The filter of a controller.
pub(super) fn filter(source: &StateSource) -> Result<SteadyFilter<'_>, CodeError> {
    let own = match source {
        StateSource::Estimator(own) => own,
        StateSource::Own { .. } => return Err(CodeError::OwnEstimator),
        StateSource::Sensors | StateSource::FullState { .. } => {
            return Err(CodeError::NoEstimator);
        }
    };
    own.steady_filter().ok_or(CodeError::Extended)
}

/// What rests at the posture: the configuration, what the sensors show there, and the forces of the
/// joints that hold it.
pub(super) fn rest(model: &Model, numbers: &SteadyFilter<'_>) -> BTreeMap<&'static str, Vec<f64>> {
    let shown = |look: &Vec<(usize, f64)>| {
        look.iter().map(|(coordinate, by)| numbers.posture[*coordinate] * by).sum::<f64>()
    };
    let held = |joint: &usize| {
        let place = numbers.moving.iter().position(|v| v == joint);
        place.map_or(0.0, |k| numbers.holding[k])
    };
    BTreeMap::from([
        ("q_start", numbers.posture.to_vec()),
        ("measured", numbers.looks.iter().map(shown).collect()),
        ("tau", model.joints().iter().map(held).collect()),
    ])
}

impl Filter<'_> {
    /// The difference of a configuration from the posture, then the velocities; and these after a
    /// first measurement.
    fn start(&self, given: &Arrays<'_, Folded>) -> Vec<Folded> {
        let Self { arm, numbers, .. } = self;
        let (q, u) = (given.get("q_start"), given.get("u_start"));
        let away = |v: &usize| {
            let coordinate = arm.coordinate_of(*v);
            coordinate
                .map_or(Folded::Constant(0.0), |c| q[c] - Folded::Constant(numbers.posture[c]))
        };
        let rates = numbers.moving.iter().map(|v| u[*v]);
        let state: Vec<Folded> = numbers.moving.iter().map(away).chain(rates).collect();
        self.corrected(&state, q, given.get("measured"))
    }

    /// `x⁻ = Φ x + Γ (τ − τ₀)`, and this after a measurement.
    fn step(&self, given: &Arrays<'_, Folded>) -> Vec<Folded> {
        let Self { numbers, joints, .. } = self;
        let (tau, state) = (given.get("tau"), given.get("state"));
        let pushed: Vec<Folded> = numbers
            .moving
            .iter()
            .zip(numbers.holding.iter())
            .map(|(v, holding)| {
                let joint = joints.iter().position(|joint| joint == v);
                let force = joint.map_or(Folded::Constant(0.0), |k| tau[k]);
                force - Folded::Constant(*holding)
            })
            .collect();
        let rows = state.len();
        let moved = product(rows, |i, j| Folded::Constant(numbers.slopes.a[(i, j)]), state);
        let change = product(rows, |i, j| Folded::Constant(numbers.slopes.b[(i, j)]), &pushed);
        let state = sum(&moved, &change);
        let (q, _) = self.place(&state);
        self.corrected(&state, &q, given.get("measured"))
    }

    /// `x⁻ + K (y − h(x⁻))`: the state, the configuration, the velocities, and the innovation.
    fn corrected(&self, state: &[Folded], q: &[Folded], measured: &[Folded]) -> Vec<Folded> {
        let numbers = &self.numbers;
        let expected: Vec<Folded> = numbers
            .looks
            .iter()
            .map(|look| {
                let (places, parts): (Vec<Folded>, Vec<f64>) =
                    look.iter().map(|(coordinate, by)| (q[*coordinate], *by)).unzip();
                product(1, |_, j| Folded::Constant(parts[j]), &places)[0]
            })
            .collect();
        let innovation = difference(measured, &expected);
        let correction =
            product(state.len(), |i, j| Folded::Constant(numbers.correction[(i, j)]), &innovation);
        let state = sum(state, &correction);
        let (q, u) = self.place(&state);
        [state, q, u, innovation].concat()
    }

    /// The configuration and the velocities of a difference to the posture.
    fn place(&self, state: &[Folded]) -> (Vec<Folded>, Vec<Folded>) {
        let Self { arm, numbers, .. } = self;
        let n = numbers.moving.len();
        let mut q = constants(numbers.posture);
        let mut along = constants(&vec![0.0; arm.nv()]);
        let mut u = along.clone();
        for (k, &v) in numbers.moving.iter().enumerate() {
            (along[v], u[v]) = (state[k], state[n + k]);
        }
        arm.displace(&mut q, &along);
        (q, u)
    }
}
