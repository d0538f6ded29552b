//! Estimation of unmeasured states from encoders, strain gauges and a model.

use super::estimator_error::EstimatorError;
use super::model::Model;
use crate::analyse::riccati::{TimeDomain, kalman};
use crate::analyse::{AnalysisError, Conditions, Input, OperatingPoint, Output, StateSpace};
use crate::arm::Arm;
use crate::integrate::{StateVisitor, Stateful};
use crate::linear::symmetric;
use nalgebra::{DMatrix, DVector};

/// A strain gauge on a beam of the model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Gauge {
    /// The link, by index.
    pub link: usize,
    /// The distance from the root of the part that bends (m).
    pub distance: f64,
    /// The place in the section, from the axis (m).
    pub place: [f64; 2],
    /// The standard deviation of its noise.
    pub noise: f64,
}

/// The sensors of an estimator, and the process noise. All noise is given as a standard deviation
/// and is independent at every tick.
#[derive(Clone, Debug, PartialEq)]
pub struct EstimatorSensors {
    /// The noise of the encoder of each joint of the model (rad, m).
    pub encoders: Vec<f64>,
    /// The gauges.
    pub gauges: Vec<Gauge>,
    /// Forces at each joint that the model does not know, held from tick to tick (N m, N).
    pub forces: Vec<f64>,
    /// Accelerations of everything else, above all of bending, that forces on each coordinate
    /// alone would give it, held from tick to tick (m/s², rad/s²).
    pub bending: f64,
    /// The time between ticks (s).
    pub period: f64,
}

/// The linearisation of an estimator's model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EstimatorKind {
    /// As it is near a posture at rest, with the gain of the steady state: for motions near that
    /// posture, and none in which the direction of gravity on the links changes. Its ticks allocate
    /// nothing.
    Kalman,
    /// At the estimated state, linearised anew at every tick: the extended filter. Its ticks
    /// allocate, for a linear model and its exponential.
    Extended,
}

/// A discrete-time Kalman filter for the state of a [`Model`], from its encoders and strain gauges.
///
/// Between ticks the model moves on under the forces that are known, `x⁻ = x + ∫ e^{As} ds f(x)`,
/// with `f` the rates of the model and `A` their slopes there, and its covariance to
/// `P⁻ = Φ P Φᵀ + Γ S Γᵀ` with `Φ = e^{Ah}` and what held forces move, `Γ`. A measurement `y` takes it to
/// `x⁻ + K (y − h(x⁻))`, `K = P⁻Cᵀ (C P⁻ Cᵀ + V)⁻¹`, and the covariance to
/// `(1 − KC) P⁻ (1 − KC)ᵀ + K V Kᵀ`. [`EstimatorKind::Kalman`] has `A`, `f` and so `P⁻` of one posture, for
/// which `P⁻` is the solution of the discrete Riccati equation; [`EstimatorKind::Extended`] begins with it.
#[derive(Clone, Debug, PartialEq)]
pub struct StateEstimator {
    filter: EstimatorKind,
    period: f64,
    /// The velocity coordinates that move, and how they are held.
    moving: Vec<usize>,
    conditions: Conditions,
    /// Where the model is linear, what holds it there, and the slopes from tick to tick.
    posture: Vec<f64>,
    holding: DVector<f64>,
    slopes: StateSpace,
    /// The steady `K` and `P⁻`.
    correction: DMatrix<f64>,
    steady: DMatrix<f64>,
    /// `S` of the forces that are not known (as a diagonal), and `V`.
    stirred: DVector<f64>,
    noise: DMatrix<f64>,
    /// The coordinates that each measurement adds up, and by what.
    looks: Vec<Vec<(usize, f64)>>,
    /// The estimated state: whole, and as the difference from the posture.
    q: Vec<f64>,
    u: Vec<f64>,
    difference: DVector<f64>,
    covariance: DMatrix<f64>,
    has_begun: bool,
    innovation: DVector<f64>,
    innovation_covariance: DMatrix<f64>,
    /// Room for forces on what moves, for changes of the state, and for all velocities.
    pushed: DVector<f64>,
    change: DVector<f64>,
    moved: DVector<f64>,
    along: Vec<f64>,
}

/// The numbers of an [`EstimatorKind::Kalman`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct SteadyFilter<'a> {
    /// The time between ticks (s).
    pub(crate) period: f64,
    /// The velocity coordinates that move.
    pub(crate) moving: &'a [usize],
    /// The configuration near which it is linear, and the forces that hold what moves there.
    pub(crate) posture: &'a [f64],
    pub(crate) holding: &'a DVector<f64>,
    /// `Φ` and `Γ`.
    pub(crate) slopes: &'a StateSpace,
    /// `K`.
    pub(crate) correction: &'a DMatrix<f64>,
    /// The coordinates that each measurement adds up, and by what.
    pub(crate) looks: &'a [Vec<(usize, f64)>],
}

impl Stateful for StateEstimator {
    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        state.flag(&mut self.has_begun);
        state.numbers(&mut self.q);
        state.numbers(&mut self.u);
        for vector in [&mut self.difference, &mut self.innovation] {
            state.numbers(vector.as_mut_slice());
        }
        for matrix in [&mut self.covariance, &mut self.innovation_covariance] {
            state.numbers(matrix.as_mut_slice());
        }
    }
}

impl StateEstimator {
    /// For a model near a configuration (nq numbers). The links start in their static deflection
    /// there, about which [`EstimatorKind::Kalman`] is linearised.
    pub fn new(
        model: &Model,
        filter: EstimatorKind,
        posture: &[f64],
        senses: &EstimatorSensors,
    ) -> Result<Self, EstimatorError> {
        let (arm, joints) = (model.arm(), model.joints());
        for (what, given) in [("encoders", &senses.encoders), ("forces", &senses.forces)] {
            if given.len() != joints.len() {
                let (given, needed) = (given.len(), joints.len());
                return Err(EstimatorError::Count { what, given, needed });
            }
        }
        let free = arm.free_velocities();
        if let Some(v) = (0..arm.nv()).find(|v| !free.contains(v)) {
            return Err(EstimatorError::Prescribed { coordinate: arm.velocity_names()[v].clone() });
        }
        let conditions = Conditions::unlocked(arm);
        let moving = conditions.moving(arm);
        let outputs = outputs(joints, &senses.gauges);
        let rest = arm.static_equilibrium(posture)?;
        let point = OperatingPoint::rest(arm, &rest.q);
        let inputs: Vec<Input> = moving.iter().copied().map(Input::Motor).collect();
        let slow = arm.linearise(&point, &conditions, &inputs, &outputs)?;
        let slopes = slow.discretised(senses.period);
        let holding = arm.inverse_dynamics(&point.q, &point.u, &point.ud)?;
        let mass = arm.mass_matrix(&point.q)?;
        let stirred = DVector::from_iterator(
            moving.len(),
            moving.iter().map(|&v| {
                let joint = joints.iter().position(|&joint| joint == v);
                let force = joint.map_or(senses.bending * mass[(v, v)], |k| senses.forces[k]);
                force * force
            }),
        );
        let heard = senses.encoders.iter().copied().chain(senses.gauges.iter().map(|g| g.noise));
        let heard: Vec<f64> = heard.map(|deviation| deviation * deviation).collect();
        let noise = DMatrix::from_diagonal(&DVector::from_vec(heard));
        let unknown = stir(&slopes.b, &stirred);
        let steady = kalman(TimeDomain::Discrete, &slopes.a, &slopes.c, &unknown, &noise)
            .map_err(|error| EstimatorError::of(error, &slow, &mass, &moving, senses.period))?;
        let count = outputs.len();
        Ok(Self {
            filter,
            period: senses.period,
            holding: holding.select_rows(&moving),
            looks: looks(model, &senses.gauges),
            innovation_covariance: &slopes.c * &steady.riccati.x * slopes.c.transpose() + &noise,
            correction: steady.correction,
            covariance: steady.riccati.x.clone(),
            steady: steady.riccati.x,
            q: point.q.clone(),
            u: point.u,
            posture: point.q,
            pushed: DVector::zeros(moving.len()),
            change: DVector::zeros(2 * moving.len()),
            moved: DVector::zeros(2 * moving.len()),
            along: vec![0.0; arm.nv()],
            difference: DVector::zeros(2 * moving.len()),
            innovation: DVector::zeros(count),
            has_begun: false,
            conditions,
            moving,
            slopes,
            stirred,
            noise,
        })
    }

    /// The number of its inputs: the encoders of the joints, then the gauges.
    pub fn width(&self) -> usize {
        self.looks.len()
    }

    /// Its numbers, if it has the gain of the steady state.
    pub(crate) fn steady_filter(&self) -> Option<SteadyFilter<'_>> {
        let Self { period, moving, posture, holding, slopes, correction, looks, .. } = self;
        let filter =
            SteadyFilter { period: *period, moving, posture, holding, slopes, correction, looks };
        (self.filter == EstimatorKind::Kalman).then_some(filter)
    }

    /// The velocity coordinates that it knows of.
    pub(super) fn measured(&self) -> &[usize] {
        &self.moving
    }

    /// Whether it has heard something.
    pub(super) fn has_begun(&self) -> bool {
        self.has_begun
    }

    /// The innovation: the last measurement minus its prediction (rad, m, 1).
    pub fn innovation(&self) -> &DVector<f64> {
        &self.innovation
    }

    /// The covariance `C P⁻ Cᵀ + V` of the innovation.
    pub fn innovation_covariance(&self) -> &DMatrix<f64> {
        &self.innovation_covariance
    }

    /// The steady-state a priori covariance `P⁻`, of displacements and then of velocities.
    pub fn steady(&self) -> &DMatrix<f64> {
        &self.steady
    }

    /// Resets it.
    pub fn start(&mut self) {
        self.has_begun = false;
        self.covariance.copy_from(&self.steady);
    }

    /// Makes an extended filter the one with the gain of the steady state where the model is, which is
    /// what it is to first order near there; where there is none it stays as it is.
    pub(super) fn hold(&mut self, model: &Model) {
        if self.filter == EstimatorKind::Extended {
            self.linearise_at(model);
        }
    }

    fn linearise_at(&mut self, model: &Model) -> Option<()> {
        let arm = model.arm();
        let point = OperatingPoint::rest(arm, &model.q);
        self.conditions.loads = model.loads().to_vec();
        let inputs: Vec<Input> = self.moving.iter().copied().map(Input::Motor).collect();
        let slow = arm.linearise(&point, &self.conditions, &inputs, &[]).ok()?;
        let slopes = StateSpace { c: self.slopes.c.clone(), ..slow.discretised(self.period) };
        let holding = arm.inverse_dynamics(&point.q, &point.u, &point.ud).ok()?;
        let unknown = stir(&slopes.b, &self.stirred);
        let steady = kalman(TimeDomain::Discrete, &slopes.a, &slopes.c, &unknown, &self.noise);
        self.correction = steady.ok()?.correction;
        self.holding = holding.select_rows(&self.moving);
        (self.slopes, self.posture, self.filter) = (slopes, point.q, EstimatorKind::Kalman);
        Some(())
    }

    /// Updates the estimate with a measurement, after the forces of the joints (N m, N) have acted
    /// for a period, and sets the model to it. At the first one, the joints are at their measured
    /// positions, with rates as given, and the modal coordinates are at rest.
    ///
    /// # Panics
    /// When a slice does not have the length of the joints, or of [`StateEstimator::width`].
    pub fn observe(
        &mut self,
        model: &mut Model,
        forces: &[f64],
        measured: &[f64],
        rates: &[f64],
    ) -> Result<(), AnalysisError> {
        if self.has_begun {
            self.move_on(model, forces)?;
        } else {
            self.begin(model, measured, rates);
        }
        for ((left, look), measured) in self.innovation.iter_mut().zip(&self.looks).zip(measured) {
            let expected = look.iter().map(|&(coordinate, by)| by * self.q[coordinate]);
            *left = measured - expected.sum::<f64>();
        }
        match self.filter {
            EstimatorKind::Kalman => {
                self.change.gemv(1.0, &self.correction, &self.innovation, 0.0);
                self.difference += &self.change;
                self.place(model.arm());
            }
            EstimatorKind::Extended => self.correct(model.arm()),
        }
        model.set_estimate(&self.q, &self.u);
        Ok(())
    }

    fn begin(&mut self, model: &mut Model, measured: &[f64], rates: &[f64]) {
        self.has_begun = true;
        model.set_estimate(&self.posture, &vec![0.0; self.u.len()]);
        model.set_joints(&measured[..rates.len()], rates);
        model.rest();
        (self.q, self.u) = model.state();
        let n = self.moving.len();
        for (k, &v) in self.moving.iter().enumerate() {
            let coordinate = model.arm().coordinate_of(v);
            self.difference[k] = coordinate.map_or(0.0, |c| self.q[c] - self.posture[c]);
            self.difference[n + k] = self.u[v];
        }
    }

    /// The state after another period.
    fn move_on(&mut self, model: &mut Model, forces: &[f64]) -> Result<(), AnalysisError> {
        let place = if self.filter == EstimatorKind::Kalman { &self.posture } else { &self.q };
        let applied = model.applied_forces(place, forces)?;
        match self.filter {
            EstimatorKind::Kalman => {
                for (k, &v) in self.moving.iter().enumerate() {
                    self.pushed[k] = applied[v] - self.holding[k];
                }
                self.moved.gemv(1.0, &self.slopes.a, &self.difference, 0.0);
                self.change.gemv(1.0, &self.slopes.b, &self.pushed, 0.0);
                self.difference.copy_from(&self.moved);
                self.difference += &self.change;
                self.place(model.arm());
            }
            EstimatorKind::Extended => {
                let pushed = applied.to_vec();
                let arm = model.arm();
                let ud = arm.forward_dynamics(&self.q, &self.u, &pushed)?;
                let ud = ud.as_slice().to_vec();
                let point = OperatingPoint { q: self.q.clone(), u: self.u.clone(), ud };
                self.conditions.loads = model.loads().to_vec();
                let inputs: Vec<Input> = self.moving.iter().copied().map(Input::Motor).collect();
                let mut near = arm.linearise(&point, &self.conditions, &inputs, &[])?;
                // a last input that moves the state as it moves by itself
                let n = self.moving.len();
                let rates = self.moving.iter().map(|&v| point.u[v]);
                let rates = rates.chain(self.moving.iter().map(|&v| point.ud[v]));
                near.b = near.b.insert_column(n, 0.0);
                near.b.set_column(n, &DVector::from_iterator(2 * n, rates));
                let near = near.discretised(self.period);
                self.displace(arm, &near.b.column(n).into_owned());
                let unknown = stir(&near.b.columns(0, n).into_owned(), &self.stirred);
                let moved = &near.a * &self.covariance * near.a.transpose();
                self.covariance = symmetric(&(moved + unknown));
            }
        }
        Ok(())
    }

    /// Takes the innovation into the state of the extended filter.
    fn correct(&mut self, arm: &Arm) {
        let c = &self.slopes.c;
        let measured = c * &self.covariance;
        self.innovation_covariance = symmetric(&(&measured * c.transpose() + &self.noise));
        // positive, as the noise is
        let Some(spread) = self.innovation_covariance.clone().cholesky() else { return };
        let gain = spread.solve(&measured).transpose();
        let n = self.covariance.nrows();
        let kept = DMatrix::identity(n, n) - &gain * c;
        let joseph =
            &kept * &self.covariance * kept.transpose() + &gain * &self.noise * gain.transpose();
        self.covariance = symmetric(&joseph);
        let step = gain * &self.innovation;
        self.displace(arm, &step);
    }

    /// Moves the estimated state by small displacements and changes of velocities.
    fn displace(&mut self, arm: &Arm, step: &DVector<f64>) {
        let n = self.moving.len();
        for (k, &v) in self.moving.iter().enumerate() {
            self.along[v] = step[k];
            self.u[v] += step[n + k];
        }
        arm.displace(&mut self.q, &self.along);
    }

    /// The state from its difference to the posture.
    fn place(&mut self, arm: &Arm) {
        self.q.copy_from_slice(&self.posture);
        self.u.fill(0.0);
        let difference = std::mem::take(&mut self.difference);
        self.displace(arm, &difference);
        self.difference = difference;
    }
}

/// `Γ S Γᵀ`.
fn stir(moved: &DMatrix<f64>, stirred: &DVector<f64>) -> DMatrix<f64> {
    symmetric(&(moved * DMatrix::from_diagonal(stirred) * moved.transpose()))
}

fn outputs(joints: &[usize], gauges: &[Gauge]) -> Vec<Output> {
    let strain = |gauge: &Gauge| Output::Strain {
        link: gauge.link,
        distance: gauge.distance,
        place: gauge.place,
    };
    let encoders = joints.iter().copied().map(Output::Coordinate);
    encoders.chain(gauges.iter().map(strain)).collect()
}

/// The coordinates that each measurement adds up, and by what.
fn looks(model: &Model, gauges: &[Gauge]) -> Vec<Vec<(usize, f64)>> {
    let arm = model.arm();
    let encoder = |&v: &usize| arm.coordinate_of(v).map(|coordinate| (coordinate, 1.0));
    let gauge = |gauge: &Gauge| {
        let strains = arm.beam_of(gauge.link);
        let strains = strains.map(|beam| beam.axial_strains(gauge.distance, gauge.place));
        arm.bending_of(gauge.link).0.zip(strains.unwrap_or_default()).collect()
    };
    let encoders = model.joints().iter().map(|v| encoder(v).into_iter().collect());
    encoders.chain(gauges.iter().map(gauge)).collect()
}
