//! King's composite controllers: one part leads the joints or the pseudolinks, another takes the
//! vibrations out.

use super::law::{ControlContext, ControlError, ControlLaw};
use super::matrix_update::has_passed;
use super::model::{Model, Parts};
use super::pseudolink::Pseudolinks;
use crate::analyse::riccati::{TimeDomain, lqr};
use crate::integrate::StateVisitor;
use crate::simulate::{BlockOutput, Telemetry};
use nalgebra::{DMatrix, DVector};

/// The default guard of the determinant.
pub const GUARD: f64 = 0.01;

/// How many postures the determinant is looked at in.
const POSTURES: usize = 64;

/// Composite control of joint angles, King (4-14) to (4-18), or of pseudolink angles, (4-19) to
/// (4-32); the former is the latter with `F = 0`.
///
/// With `γ = q + Fδ` and `γ̈ = ν` the motors give `τ = H₁₁ ν + (H₁₂ − H₁₁F) δ̈ + h₁`, (4-25), where
/// `(H₂₂ − H₂₁F) δ̈ = −(H₂₁ ν + h₂ + Kδ)`. The slow part of `ν` is (4-26). The fast part is a linear
/// quadratic regulator that leads `δ` to the quasi-steady `δ̄ = −K⁻¹ (H₂₁ ν_r + h₂)`, (4-29b)
/// corrected, with gains that are computed anew on a clock.
#[derive(Clone, Debug)]
pub struct Composite {
    /// `K_p` of each joint (1/s²).
    pub stiffness: Vec<f64>,
    /// `K_v` of each joint (1/s).
    pub damping: Vec<f64>,
    /// What is led.
    pub pseudolinks: Pseudolinks,
    /// What vibrations and accelerations cost.
    pub weights: CompositeWeights,
    /// The time between two sets of gains (s).
    pub period: f64,
    /// `det(H₂₂ − H₂₁F)/det H₂₂`, in parts of what nine in ten other postures do not exceed, below
    /// which it goes no further: near zero no motor moves what it must.
    pub guard: f64,
    /// What that is.
    large: Option<f64>,
    gains: Option<(f64, DMatrix<f64>)>,
    /// The determinant now, and how far the pseudolinks are from the plan, and how fast.
    telemetry: Vec<f64>,
}

/// The weights of the vibration regulator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CompositeWeights {
    /// Of the squares of bending (1/m², 1/rad²).
    pub bending: f64,
    /// Of the squares of its rates (s²/m², s²/rad²).
    pub rate: f64,
    /// Of the squares of accelerations (s⁴/rad², s⁴/m²).
    pub input: f64,
}

impl Composite {
    /// With gains for each joint (1/s², 1/s), and a period (s) after which the regulator's gains
    /// are updated.
    pub fn new(
        stiffness: Vec<f64>,
        damping: Vec<f64>,
        pseudolinks: Pseudolinks,
        weights: CompositeWeights,
        period: f64,
    ) -> Self {
        let (gains, large, telemetry) = (None, None, Vec::new());
        let guard = GUARD;
        Self { stiffness, damping, pseudolinks, weights, period, guard, large, gains, telemetry }
    }

    /// With another guard of the determinant.
    #[must_use]
    pub fn guarded(self, guard: f64) -> Self {
        Self { guard, ..self }
    }

    /// The `|det(H₂₂ − H₂₁F)|/det H₂₂` of straight links that nine in ten postures all over the
    /// workspace do not exceed: where a joint hardly moves its point it has no bound.
    fn large_elsewhere(&self, model: &mut Model) -> f64 {
        let (q, u) = model.state();
        let mut sizes = Vec::with_capacity(POSTURES);
        for posture in 0..POSTURES {
            model.take_posture(posture);
            let Some(map) = self.pseudolinks.map(model) else { continue };
            let parts = model.parts();
            let effective = &parts.h22 - parts.h12.transpose() * map;
            sizes.push((effective.determinant() / parts.h22.determinant()).abs());
        }
        model.set_estimate(&q, &u);
        sizes.retain(|size| size.is_finite() && *size > 0.0);
        sizes.sort_by(f64::total_cmp);
        sizes.get(9 * sizes.len() / 10).copied().unwrap_or(1.0)
    }

    /// `G` of `ν_f = −G (δ − δ̄, δ̇)`.
    fn regulator(
        &self,
        time: f64,
        parts: &Parts,
        effective: &DMatrix<f64>,
        [stiffness, damping]: &[DMatrix<f64>; 2],
    ) -> Result<DMatrix<f64>, ControlError> {
        let (m, n) = parts.h12.shape();
        let factors = effective.clone().lu();
        let solve =
            |right: &DMatrix<f64>| factors.solve(right).ok_or(ControlError::NoInertia { time });
        let mut a = DMatrix::zeros(2 * n, 2 * n);
        a.view_mut((0, n), (n, n)).fill_with_identity();
        a.view_mut((n, 0), (n, n)).copy_from(&-solve(stiffness)?);
        a.view_mut((n, n), (n, n)).copy_from(&-solve(damping)?);
        let mut b = DMatrix::zeros(2 * n, m);
        b.rows_mut(n, n).copy_from(&-solve(&parts.h12.transpose())?);
        let CompositeWeights { bending, rate, input } = self.weights;
        let q = DMatrix::from_fn(2 * n, 2 * n, |i, j| match i == j {
            true if i < n => bending,
            true => rate,
            false => 0.0,
        });
        let r = DMatrix::identity(m, m) * input;
        let found = lqr(TimeDomain::Continuous, &a, &b, &q, &r);
        found.map(|found| found.gain).map_err(|source| ControlError::NoRegulator { time, source })
    }
}

impl ControlLaw for Composite {
    fn start(&mut self) {
        (self.gains, self.large) = (None, None);
    }

    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        state.option(&mut self.large, || 0.0, StateVisitor::number);
        state.option(
            &mut self.gains,
            || (0.0, DMatrix::zeros(0, 0)),
            |state, (since, gain)| {
                state.number(since);
                state.matrix(gain);
            },
        );
    }

    /// `det(H₂₂ − H₂₁F)/det H₂₂` in parts of what is large for it, and for each pseudolink how far the plan is
    /// ahead of it, and how fast.
    fn telemetry(&self, model: Option<&Model>) -> Vec<BlockOutput> {
        let Some(model) = model else { return Vec::new() };
        let telemetry = Telemetry::Determinant;
        let mut all = vec![BlockOutput { telemetry, ..BlockOutput::new("determinant", "1") }];
        for (k, &v) in model.joints().iter().enumerate() {
            if self.pseudolinks.frames[k].is_some() {
                let joint = &model.arm().velocity_coordinates()[v];
                let [unit, rate_unit, ..] = joint.dimension.units();
                let tell = |telemetry, word: &str, unit: &str| {
                    let output =
                        BlockOutput::new(format!("{}.pseudolink.{word}", joint.name), unit);
                    let coordinate = Some((joint.index, joint.role));
                    BlockOutput { telemetry, coordinate, ..output }
                };
                all.push(tell(Telemetry::PseudolinkError, "error", unit));
                all.push(tell(Telemetry::PseudolinkErrorRate, "error_rate", rate_unit));
            }
        }
        all
    }

    fn write_telemetry(&self, told: &mut [f64]) {
        for (told, now) in told.iter_mut().zip(&self.telemetry) {
            *told = *now;
        }
    }

    fn forces(
        &mut self,
        now: &ControlContext<'_>,
        model: Option<&mut Model>,
        forces: &mut [f64],
    ) -> Result<(), ControlError> {
        let model = model.ok_or(ControlError::NoModel)?;
        let time = now.t;
        let map = self.pseudolinks.map(model).ok_or(ControlError::Unmoved { time })?;
        let (bending, rates) = model.bending();
        let (offset, offset_rate) = (&map * &bending, &map * &rates);
        let error = |k: usize| {
            let reference = now.reference[k];
            [reference.value - now.q[k] - offset[k], reference.rate - now.u[k] - offset_rate[k]]
        };
        let slow = DVector::from_fn(now.q.len(), |k, _| {
            let [off, rate] = error(k);
            now.reference[k].acceleration + self.stiffness[k] * off + self.damping[k] * rate
        });
        let parts = model.parts();
        let passive = model.passive();
        let [stiffness, damping] = &passive;
        let h21 = parts.h12.transpose();
        let effective = &parts.h22 - &h21 * &map;
        let determinant = effective.determinant() / parts.h22.determinant();
        let large = self.large.unwrap_or_else(|| self.large_elsewhere(model));
        self.large = Some(large);
        let determinant = determinant / large;
        self.telemetry.clear();
        self.telemetry.push(determinant);
        let led = self.pseudolinks.frames.iter().enumerate().filter(|(_, frame)| frame.is_some());
        self.telemetry.extend(led.flat_map(|(k, _)| error(k)));
        if !bending.is_empty() && (determinant.is_nan() || determinant < self.guard) {
            return Err(ControlError::NearSingular { time, determinant, guard: self.guard });
        }
        let due = self.gains.as_ref().is_none_or(|(at, _)| has_passed(self.period, *at, time));
        if due && !bending.is_empty() {
            self.gains = Some((time, self.regulator(time, &parts, &effective, &passive)?));
        }
        let mut pushed = slow.clone();
        if let Some((_, gain)) = &self.gains {
            let rest = &parts.bias2 - stiffness * &bending - damping * &rates;
            let quasi = stiffness.clone().lu().solve(&-(&h21 * &slow + rest));
            let quasi = quasi.ok_or(ControlError::NoInertia { time })?;
            let n = bending.len();
            let off = &bending - quasi;
            pushed -= gain.columns(0, n) * off + gain.columns(n, n) * &rates;
        }
        let pull = -(h21 * &pushed + &parts.bias2);
        // nothing to solve where nothing bends
        let bent = if pull.is_empty() { Some(pull) } else { effective.lu().solve(&pull) };
        let bent = bent.ok_or(ControlError::NoInertia { time })?;
        let turned = pushed - map * &bent;
        let all = parts.h11 * turned + parts.h12 * bent + parts.bias1;
        forces.copy_from_slice(all.as_slice());
        Ok(())
    }
}
