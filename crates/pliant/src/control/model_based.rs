//! Model-based controllers: from measurements to motor forces.

use super::model::Model;
use super::state_estimator::StateEstimator;
use crate::Help;
use crate::analyse::AnalysisError;
use crate::analyse::riccati::RiccatiError;
use crate::scalar::Jet;
use crate::simulate::{BlockOutput, ChannelRole, Controller, ForceInput, Signal, Tick};

/// A control law: computes forces for the joints of a model.
pub trait ControlLaw {
    /// A run begins: what is remembered of another one is forgotten.
    fn start(&mut self) {}

    /// Writes the forces of the joints (N m, N). The model is in the estimated state.
    fn forces(
        &mut self,
        now: &ControlContext<'_>,
        model: &mut Model,
        forces: &mut [f64],
    ) -> Result<(), ControlError>;

    /// The names and units of its telemetry: what is recorded beside the forces.
    fn telemetry(&self, _model: &Model) -> Vec<(String, &'static str)> {
        Vec::new()
    }

    /// Writes the values of its telemetry.
    fn write_telemetry(&self, _values: &mut [f64]) {}
}

/// The inputs of a control law at an instant.
#[derive(Clone, Copy, Debug)]
pub struct ControlContext<'a> {
    /// The time (s).
    pub t: f64,
    /// The estimated positions of the joints (rad, m).
    pub q: &'a [f64],
    /// Their estimated velocities (rad/s, m/s).
    pub u: &'a [f64],
    /// Their reference now, with its rate and acceleration.
    pub reference: &'a [Jet],
    /// Their reference over time.
    pub trajectory: &'a [Signal],
}

/// Why a law cannot go on.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ControlError {
    /// The mass matrix of what bends is singular.
    #[error("what bends has no inertia in its model at t = {time} s")]
    NoInertia {
        /// When (s).
        time: f64,
    },
    /// No gains.
    #[error("at t = {time} s {source}")]
    NoGains {
        /// When (s).
        time: f64,
        /// Why.
        source: super::MinimumEnergyError,
    },
    /// No gains for the vibrations.
    #[error("at t = {time} s there is no regulator of the vibrations: {source}")]
    NoRegulator {
        /// When (s).
        time: f64,
        /// Why.
        source: RiccatiError,
    },
    /// The motors lose what they must move.
    #[error(
        "at t = {time} s det(H22 - H21 F) is {determinant:.4} of what it is in other postures, below the guard of {guard}: the pseudolinks are nearly singular here"
    )]
    NearSingular {
        /// When (s).
        time: f64,
        /// `det(H₂₂ − H₂₁F)/det H₂₂`, in parts of what is large for it.
        determinant: f64,
        /// What it must be at least.
        guard: f64,
    },
    /// A joint turns about its own point.
    #[error("at t = {time} s a joint does not move the point of its pseudolink")]
    Unmoved {
        /// When (s).
        time: f64,
    },
    /// The estimate cannot be moved on.
    #[error("at t = {time} s its estimator cannot follow: {source}")]
    NoEstimate {
        /// When (s).
        time: f64,
        /// Why.
        source: AnalysisError,
    },
    /// It is telemetry something else than it was made for.
    #[error("it has {inputs} inputs and {outputs} outputs, but was made for {needed} joints")]
    Unfit {
        /// How many inputs it has.
        inputs: usize,
        /// How many it gives.
        outputs: usize,
        /// How many joints it has.
        needed: usize,
    },
    /// It may not see the true state.
    #[error("it may not look at the true state, or that has other coordinates than were said")]
    NoState,
}

impl Help for ControlError {
    fn help(&self) -> Option<String> {
        let help = match self {
            Self::NoInertia { .. } => "give the links mass",
            Self::NoGains { source, .. } => return source.help(),
            Self::NoRegulator { source, .. } => return source.help(),
            Self::NearSingular { .. } => "lead fewer of them, or leave this posture out",
            Self::Unmoved { .. } => "give it another point, or lead its angle",
            Self::NoEstimate { source, .. } => return source.help(),
            Self::Unfit { .. } => {
                "give it one output for each joint, and the inputs of its state source"
            }
            Self::NoState => {
                "let it see the full state of an arm with the coordinates of its source"
            }
        };
        Some(help.into())
    }
}

/// The source of a controller's state: encoders, an estimator, or the full state.
#[derive(Clone, Debug, PartialEq)]
pub enum StateSource {
    /// One encoder for each joint. Rates are the change since the last tick; at the first they are
    /// those of the trajectory. Flexible coordinates are taken to be at rest, King (4-11).
    Sensors,
    /// The full state of the plant, whose coordinates and velocities (first) are these of the model
    /// (second), by index. What the plant does not have is taken to be at rest, King (4-11).
    FullState {
        /// Coordinates of plant and model.
        coordinates: Vec<(usize, usize)>,
        /// Velocities of plant and model.
        velocities: Vec<(usize, usize)>,
    },
    /// A state estimator: one encoder for each joint, then gauges, and the forces that were
    /// commanded.
    Estimator(Box<StateEstimator>),
}

impl StateSource {
    /// The full state of a plant, restricted to the coordinates of the model, matched by name.
    pub fn full_state(plant: &crate::arm::Arm, model: &crate::arm::Arm) -> Self {
        let pairs = |plant: &[String], model: &[String]| {
            let of = |(i, name): (usize, &String)| {
                Some((plant.iter().position(|known| known == name)?, i))
            };
            model.iter().enumerate().filter_map(of).collect()
        };
        Self::FullState {
            coordinates: pairs(plant.configuration_names(), model.configuration_names()),
            velocities: pairs(plant.velocity_names(), model.velocity_names()),
        }
    }
}

/// A control law with its model, its trajectory and its state source: a [`Controller`] at ticks, or
/// with the full state a [`ForceInput`] at every instant.
#[derive(Clone, Debug)]
pub struct ModelBasedController<L> {
    law: L,
    model: Model,
    trajectory: Vec<Signal>,
    source: StateSource,
    /// The largest force of each joint, either way (N m, N).
    limits: Vec<f64>,
    last: Option<f64>,
    q: Vec<f64>,
    u: Vec<f64>,
    reference: Vec<Jet>,
    forces: Vec<f64>,
    /// How many numbers of telemetry there are.
    telemetry_count: usize,
}

impl<L: ControlLaw> ModelBasedController<L> {
    /// The trajectory has one function of time for each joint of the model (rad, m).
    pub fn new(
        law: L,
        model: Model,
        trajectory: Vec<Signal>,
        source: StateSource,
    ) -> Result<Self, ControlError> {
        let count = model.joints().len();
        if trajectory.len() != count {
            let (inputs, outputs) = (trajectory.len(), count);
            return Err(ControlError::Unfit { inputs, outputs, needed: count });
        }
        let mut model = model;
        match &source {
            StateSource::Sensors => {}
            StateSource::FullState { velocities, .. } => {
                let measured: Vec<usize> =
                    velocities.iter().map(|&(_, measured)| measured).collect();
                model.set_measured(&measured);
            }
            StateSource::Estimator(estimator) => model.set_measured(estimator.measured()),
        }
        let mut controller = Self {
            law,
            limits: vec![f64::INFINITY; count],
            last: None,
            q: vec![0.0; count],
            u: vec![0.0; count],
            reference: vec![Jet::default(); count],
            forces: vec![0.0; count],
            telemetry_count: 0,
            model,
            trajectory,
            source,
        };
        controller.telemetry_count = controller.telemetry().len();
        Ok(controller)
    }

    /// Saturates the forces at limits (N m, N), one for each joint.
    #[must_use]
    pub fn limited(mut self, limits: &[f64]) -> Self {
        for (limit, given) in self.limits.iter_mut().zip(limits) {
            *limit = given.abs();
        }
        self
    }

    /// The reference trajectory of the joints (rad, m), one function of time for each.
    pub fn trajectory_mut(&mut self) -> &mut [Signal] {
        &mut self.trajectory
    }

    /// Its telemetry, recorded beside the forces: that of its law, then the modal coordinates of
    /// its estimator. Outputs may include it or not.
    pub fn telemetry(&self) -> Vec<BlockOutput> {
        let of_law = self.law.telemetry(&self.model);
        let of_law = of_law.into_iter().map(|(name, unit)| BlockOutput::new(name, unit));
        let coordinates = self.model.arm().velocity_coordinates();
        let estimates = self.estimated().map(|(v, _)| {
            let own = &coordinates[v];
            let name = format!("estimate.{}", own.name);
            let output = BlockOutput::new(name, own.dimension.units()[0]);
            let coordinate = Some((own.index, own.role));
            BlockOutput { role: ChannelRole::Estimate, coordinate, ..output }
        });
        of_law.chain(estimates).collect()
    }

    /// The velocity coordinates of the bending that is estimated, and their coordinates.
    fn estimated(&self) -> impl Iterator<Item = (usize, usize)> {
        let flexible = match &self.source {
            StateSource::Estimator(_) => self.model.flexible(),
            _ => &[],
        };
        flexible.iter().filter_map(|&v| Some((v, self.model.arm().coordinate_of(v)?)))
    }

    /// Takes in what sensors show.
    fn read_sensors(&mut self, t: f64, inputs: &[f64]) {
        let since = self.last.map(|last| t - last);
        for k in 0..self.q.len() {
            self.u[k] =
                since.map_or(self.reference[k].rate, |since| (inputs[k] - self.q[k]) / since);
            self.q[k] = inputs[k];
        }
        self.last = Some(t);
        self.model.set_joints(&self.q, &self.u);
    }

    /// Takes in the true state.
    fn read_state(&mut self, q: &[f64], u: &[f64]) -> Result<(), ControlError> {
        let StateSource::FullState { coordinates, velocities } = &self.source else {
            return Err(ControlError::NoState);
        };
        for &(plant, model) in coordinates {
            self.model.q[model] = *q.get(plant).ok_or(ControlError::NoState)?;
        }
        for &(plant, model) in velocities {
            self.model.u[model] = *u.get(plant).ok_or(ControlError::NoState)?;
        }
        self.take_joints()
    }

    /// Lets the estimator take in what sensors show.
    fn observe(&mut self, time: f64, inputs: &[f64]) -> Result<(), ControlError> {
        let Self { source: StateSource::Estimator(estimator), model, u, reference, forces, .. } =
            self
        else {
            return Err(ControlError::NoState);
        };
        if !estimator.has_begun() {
            model.set_time(time);
        }
        // counts at the first tick only
        for (rate, reference) in u.iter_mut().zip(reference) {
            *rate = reference.rate;
        }
        let done = estimator.observe(model, forces, inputs, u);
        done.map_err(|source| ControlError::NoEstimate { time, source })?;
        self.take_joints()
    }

    /// The joints of the estimated state.
    fn take_joints(&mut self) -> Result<(), ControlError> {
        for (k, &v) in self.model.joints().iter().enumerate() {
            let coordinate = self.model.arm().coordinate_of(v).ok_or(ControlError::NoState)?;
            (self.q[k], self.u[k]) = (self.model.q[coordinate], self.model.u[v]);
        }
        Ok(())
    }

    /// The forces for what is known now.
    fn act(&mut self, t: f64) -> Result<(), ControlError> {
        self.model.set_time(t);
        self.model.settle();
        let Self { law, model, trajectory, q, u, reference, forces, limits, .. } = self;
        law.forces(&ControlContext { t, q, u, reference, trajectory }, model, forces)?;
        for (force, limit) in forces.iter_mut().zip(limits) {
            *force = force.clamp(-*limit, *limit);
        }
        Ok(())
    }

    fn aim(&mut self, t: f64) {
        for (reference, signal) in self.reference.iter_mut().zip(&self.trajectory) {
            *reference = signal.jet(t);
        }
    }
}

impl<L: ControlLaw> Controller for ModelBasedController<L> {
    fn start(&mut self) {
        self.last = None;
        self.law.start();
        if let StateSource::Estimator(estimator) = &mut self.source {
            estimator.start();
        }
    }

    fn update(
        &mut self,
        tick: &Tick<'_>,
        outputs: &mut [f64],
    ) -> Result<(), Box<dyn Help + Send + Sync>> {
        let needed = self.q.len();
        let needed_inputs = match &self.source {
            StateSource::Sensors => needed,
            StateSource::FullState { .. } => 0,
            StateSource::Estimator(estimator) => estimator.width(),
        };
        let (given, wired) = (tick.inputs.len(), outputs.len());
        if given != needed_inputs || (wired != needed && wired != needed + self.telemetry_count) {
            return Err(ControlError::Unfit { inputs: given, outputs: wired, needed }.into());
        }
        self.aim(tick.t);
        match (&self.source, tick.state) {
            (StateSource::Sensors, _) => self.read_sensors(tick.t, tick.inputs),
            (StateSource::Estimator(_), _) => self.observe(tick.t, tick.inputs)?,
            (_, Some(state)) => self.read_state(state.q, state.u)?,
            (_, None) => return Err(ControlError::NoState.into()),
        }
        self.act(tick.t)?;
        let (forces, telemetry) = outputs.split_at_mut(needed);
        forces.copy_from_slice(&self.forces);
        if !telemetry.is_empty() {
            let (law, estimates) =
                telemetry.split_at_mut(self.telemetry_count - self.estimated().count());
            self.law.write_telemetry(law);
            for (telemetry, (_, coordinate)) in estimates.iter_mut().zip(self.estimated()) {
                *telemetry = self.model.q[coordinate];
            }
        }
        Ok(())
    }
}

/// A continuous-time law, as the [`feedback`](crate::simulate::Scenario::feedback) of a scenario.
/// It must be stateless and use the full state. Where the law fails it gives NaN, which ends the
/// run.
pub struct Continuous<L> {
    controller: ModelBasedController<L>,
    /// The motors of the plant, as velocity coordinates, one for each joint of the model.
    motors: Vec<usize>,
}

impl<L: ControlLaw> Continuous<L> {
    /// For motors of the plant, as velocity coordinates, one for each joint of the model.
    pub fn new(controller: ModelBasedController<L>, motors: Vec<usize>) -> Self {
        Self { controller, motors }
    }
}

impl<L: ControlLaw> ForceInput for Continuous<L> {
    fn act(&mut self, t: f64, q: &[f64], u: &[f64], tau: &mut [f64], _: &mut [f64]) {
        self.controller.aim(t);
        let done = self.controller.read_state(q, u).and_then(|()| self.controller.act(t));
        for (&motor, force) in self.motors.iter().zip(&self.controller.forces) {
            tau[motor] += if done.is_ok() { *force } else { f64::NAN };
        }
    }
}
