//! Controllers: from measurements to motor forces.

use super::estimator::{Estimator, EstimatorContext};
use super::law::{ControlContext, ControlError, ControlLaw};
use super::model::Model;
use super::state_estimator::StateEstimator;
use crate::Help;
use crate::compile::CompileError;
use crate::integrate::{StateVisitor, Stateful};
use crate::scalar::Jet;
use crate::simulate::{Block, BlockError, BlockOutput, ChannelRole, ForceInput, Signal, Tick};

/// The source of a controller's state: encoders, an estimator, or the full state.
#[derive(Clone, Debug)]
pub enum StateSource {
    /// One sensor for each joint: its encoder, or what else the law leads to the reference. Rates
    /// are the change since the last tick; at the first they are those of the trajectory. Flexible
    /// coordinates are taken to be at rest, King (4-11).
    Sensors,
    /// The full state of the plant, whose coordinates and velocities (first) are these of the model
    /// (second), by index; without a model the second is the number of the joint. What the plant
    /// does not have is taken to be at rest, King (4-11).
    FullState {
        /// Coordinates of plant and model.
        coordinates: Vec<(usize, usize)>,
        /// Velocities of plant and model.
        velocities: Vec<(usize, usize)>,
    },
    /// A state estimator: one encoder for each joint, then gauges, and the forces that were
    /// commanded.
    Estimator(Box<StateEstimator>),
    /// A state estimator of one's own.
    Own {
        /// The estimator.
        estimator: Box<dyn Estimator>,
        /// How many numbers its sensors show together.
        width: usize,
    },
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

/// A control law with its state source, its trajectory and, if it needs one, its model: a [`Block`]
/// at ticks, or with the full state a [`Continuous`] force at every instant.
#[derive(Clone, Debug)]
pub struct Controller {
    law: Box<dyn ControlLaw>,
    model: Option<Model>,
    trajectory: Vec<Signal>,
    source: StateSource,
    /// The largest force of each joint, either way (N m, N).
    limits: Vec<f64>,
    last: Option<f64>,
    q: Vec<f64>,
    u: Vec<f64>,
    reference: Vec<Jet>,
    forces: Vec<f64>,
    /// The velocity coordinates of the bending that is estimated, and their coordinates.
    estimated: Vec<(usize, usize)>,
    /// How many numbers of telemetry there are.
    telemetry_count: usize,
}

impl Controller {
    /// The trajectory has one function of time for each joint (rad, m), those of the model if there
    /// is one.
    pub fn new(
        law: impl Into<Box<dyn ControlLaw>>,
        model: impl Into<Option<Model>>,
        trajectory: Vec<Signal>,
        source: StateSource,
    ) -> Result<Self, ControlError> {
        let (mut law, mut model) = (law.into(), model.into());
        let count = trajectory.len();
        if let Some(needed) = model.as_ref().map(|model| model.joints().len())
            && count != needed
        {
            return Err(ControlError::Unfit { inputs: count, outputs: needed, needed });
        }
        if let Some(needed) = law.joints().filter(|&joints| joints != count) {
            return Err(ControlError::Unfit { inputs: count, outputs: count, needed });
        }
        match (&source, &mut model) {
            (StateSource::FullState { velocities, .. }, Some(model)) => {
                let measured: Vec<usize> =
                    velocities.iter().map(|&(_, measured)| measured).collect();
                model.set_measured(&measured);
            }
            (StateSource::Estimator(estimator), Some(model)) => {
                model.set_measured(estimator.measured());
            }
            (StateSource::Own { .. }, Some(model)) => {
                let all: Vec<usize> = (0..model.arm().nv()).collect();
                model.set_measured(&all);
            }
            (StateSource::Estimator(_) | StateSource::Own { .. }, None) => {
                return Err(ControlError::NoModel);
            }
            _ => {}
        }
        let estimated = match (&source, &model) {
            (StateSource::Estimator(_) | StateSource::Own { .. }, Some(model)) => {
                let pair = |&v: &usize| Some((v, model.arm().coordinate_of(v)?));
                model.flexible().iter().filter_map(pair).collect()
            }
            _ => Vec::new(),
        };
        law.prepare(model.as_ref());
        let mut controller = Self {
            law,
            estimated,
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

    /// Its telemetry, recorded beside the forces: that of its law, then the modal coordinates of
    /// its estimator. Outputs may include it or not. Coordinates are those of the model.
    pub fn telemetry(&self) -> Vec<BlockOutput> {
        let of_law = self.law.telemetry(self.model.as_ref());
        let coordinates = self.model.as_ref().map(|model| model.arm().velocity_coordinates());
        let estimates = self.estimated.iter().filter_map(|&(v, _)| {
            let own = &coordinates.as_ref()?[v];
            let name = format!("estimate.{}", own.name);
            let output = BlockOutput::new(name, own.dimension.units()[0]);
            let coordinate = Some((own.index, own.role));
            Some(BlockOutput { role: ChannelRole::Estimate, coordinate, ..output })
        });
        of_law.into_iter().chain(estimates).collect()
    }

    /// Its law, its model, where it has the state from, and its trajectory.
    pub(crate) fn parts(&self) -> (&dyn ControlLaw, Option<&Model>, &StateSource, &[Signal]) {
        (&*self.law, self.model.as_ref(), &self.source, &self.trajectory)
    }

    /// The largest force of each joint, either way (N m, N).
    pub(crate) fn limits(&self) -> &[f64] {
        &self.limits
    }

    /// Takes in what sensors show.
    fn read_sensors(&mut self, since: Option<f64>, inputs: &[f64]) {
        for k in 0..self.q.len() {
            self.u[k] =
                since.map_or(self.reference[k].rate, |since| (inputs[k] - self.q[k]) / since);
            self.q[k] = inputs[k];
        }
        if let Some(model) = &mut self.model {
            model.set_joints(&self.q, &self.u);
        }
    }

    /// Takes in the true state.
    fn read_state(&mut self, q: &[f64], u: &[f64]) -> Result<(), ControlError> {
        let StateSource::FullState { coordinates, velocities } = &self.source else {
            return Err(ControlError::NoState);
        };
        let (to_q, to_u) = match &mut self.model {
            Some(model) => (&mut model.q, &mut model.u),
            None => (&mut self.q, &mut self.u),
        };
        for (pairs, from, to) in [(coordinates, q, to_q), (velocities, u, to_u)] {
            for &(plant, own) in pairs {
                let value = from.get(plant).ok_or(ControlError::NoState)?;
                *to.get_mut(own).ok_or(ControlError::NoState)? = *value;
            }
        }
        self.take_joints()
    }

    /// Lets the estimator take in what sensors show.
    fn observe(
        &mut self,
        time: f64,
        since: Option<f64>,
        inputs: &[f64],
    ) -> Result<(), ControlError> {
        let Self { source, model, u, reference, forces, .. } = self;
        let (estimator, model) = match (source, model) {
            (StateSource::Estimator(estimator), Some(model)) => (estimator, model),
            (StateSource::Own { estimator, .. }, Some(model)) => {
                let (t, measured) = (time, inputs);
                model.set_time(t);
                let now = EstimatorContext { t, since, measured, forces, reference };
                estimator.observe(&now, model)?;
                return self.take_joints();
            }
            _ => return Err(ControlError::NoState),
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

    /// The joints of the estimated state, where a model has it.
    fn take_joints(&mut self) -> Result<(), ControlError> {
        let Some(model) = &self.model else { return Ok(()) };
        for (k, &v) in model.joints().iter().enumerate() {
            let coordinate = model.arm().coordinate_of(v).ok_or(ControlError::NoState)?;
            (self.q[k], self.u[k]) = (model.q[coordinate], model.u[v]);
        }
        Ok(())
    }

    /// The forces for what is known now.
    fn act(&mut self, t: f64, since: Option<f64>) -> Result<(), ControlError> {
        if let Some(model) = &mut self.model {
            model.set_time(t);
            model.settle();
        }
        let Self { law, model, trajectory, q, u, reference, forces, limits, .. } = self;
        let now = ControlContext { t, since, q, u, reference, trajectory, limits };
        law.forces(&now, model.as_mut(), forces)?;
        for (force, limit) in forces.iter_mut().zip(&*limits) {
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

impl Controller {
    /// Holds the references, and the loads that the model knows, as they are at a time (s), lifts the
    /// limits, and gives an estimator the gain of the steady state there.
    fn hold_references(&mut self, t: f64) {
        for signal in &mut self.trajectory {
            *signal = Signal::Constant(signal.value(t));
        }
        self.limits.fill(f64::INFINITY);
        let Some(model) = &mut self.model else { return };
        model.hold_loads(t);
        if let StateSource::Estimator(estimator) = &mut self.source {
            let rest = vec![0.0; self.trajectory.len()];
            let joints: Vec<f64> = self.trajectory.iter().map(|signal| signal.value(t)).collect();
            model.set_joints(&joints, &rest);
            model.rest();
            estimator.hold(model);
        }
    }

    fn shift_reference(&mut self, reference: usize, by: f64) {
        if let Some(signal) = self.trajectory.get_mut(reference) {
            *signal = Signal::Constant(signal.value(0.0) + by);
        }
    }
}

impl Block for Controller {
    fn references(&self) -> usize {
        self.trajectory.len()
    }

    fn hold(&mut self, t: f64) {
        self.hold_references(t);
    }

    fn shift(&mut self, reference: usize, by: f64) {
        self.shift_reference(reference, by);
    }

    fn cycle(&self, period: f64) -> u64 {
        self.law.cycle(period)
    }

    fn start(&mut self) {
        self.last = None;
        self.law.start();
        self.forces.fill(0.0);
        match &mut self.source {
            StateSource::Estimator(estimator) => estimator.start(),
            StateSource::Own { estimator, .. } => estimator.start(),
            StateSource::Sensors | StateSource::FullState { .. } => {}
        }
    }

    fn compile(&mut self, evaluations: f64) -> Result<(), CompileError> {
        self.model.as_mut().map_or(Ok(()), |model| model.compile(evaluations))
    }

    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        state.option(&mut self.last, || 0.0, StateVisitor::number);
        state.numbers(&mut self.q);
        state.numbers(&mut self.u);
        state.numbers(&mut self.forces);
        if let Some(model) = &mut self.model {
            model.visit_state(state);
        }
        self.law.visit_state(state);
        match &mut self.source {
            StateSource::Estimator(estimator) => estimator.visit_state(state),
            StateSource::Own { estimator, .. } => estimator.visit_state(state),
            StateSource::Sensors | StateSource::FullState { .. } => {}
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
            StateSource::Own { width, .. } => *width,
        };
        let (given, wired) = (tick.inputs.len(), outputs.len());
        if given != needed_inputs || (wired != needed && wired != needed + self.telemetry_count) {
            return Err(ControlError::Unfit { inputs: given, outputs: wired, needed }.into());
        }
        self.aim(tick.t);
        let since = self.last.replace(tick.t).map(|last| tick.t - last);
        match (&self.source, tick.state) {
            (StateSource::Sensors, _) => self.read_sensors(since, tick.inputs),
            (StateSource::Estimator(_) | StateSource::Own { .. }, _) => {
                self.observe(tick.t, since, tick.inputs)?;
            }
            (_, Some(state)) => self.read_state(state.q, state.u)?,
            (_, None) => return Err(ControlError::NoState.into()),
        }
        self.act(tick.t, since)?;
        let (forces, telemetry) = outputs.split_at_mut(needed);
        forces.copy_from_slice(&self.forces);
        if !telemetry.is_empty() {
            let (law, estimates) =
                telemetry.split_at_mut(self.telemetry_count - self.estimated.len());
            self.law.write_telemetry(law);
            if let Some(model) = &self.model {
                for (telemetry, &(_, coordinate)) in estimates.iter_mut().zip(&self.estimated) {
                    *telemetry = model.q[coordinate];
                }
            }
        }
        Ok(())
    }
}

/// A continuous-time law, as the [`feedback`](crate::simulate::Diagram::feedback) of a scenario.
/// It must be stateless and use the full state.
#[derive(Clone)]
pub struct Continuous {
    name: String,
    controller: Controller,
    /// The motors of the plant, as velocity coordinates, one for each joint.
    motors: Vec<usize>,
}

impl Continuous {
    /// With a name, for motors of the plant, as velocity coordinates, one for each joint.
    pub fn new(name: impl Into<String>, controller: Controller, motors: Vec<usize>) -> Self {
        Self { name: name.into(), controller, motors }
    }
}

impl ForceInput for Continuous {
    fn act(
        &mut self,
        t: f64,
        q: &[f64],
        u: &[f64],
        tau: &mut [f64],
        _: &mut [f64],
    ) -> Result<(), BlockError> {
        self.controller.aim(t);
        let done = self.controller.read_state(q, u).and_then(|()| self.controller.act(t, None));
        done.map_err(|reason| BlockError { block: self.name.clone(), reason: reason.into() })?;
        for (&motor, force) in self.motors.iter().zip(&self.controller.forces) {
            tau[motor] += force;
        }
        Ok(())
    }

    fn compile(&mut self, evaluations: f64) -> Result<(), CompileError> {
        Block::compile(&mut self.controller, evaluations)
    }

    fn references(&self) -> usize {
        self.controller.trajectory.len()
    }

    fn hold(&mut self, t: f64) {
        self.controller.hold_references(t);
    }

    fn shift(&mut self, reference: usize, by: f64) {
        self.controller.shift_reference(reference, by);
    }
}
