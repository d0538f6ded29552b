//! From what is measured to forces of motors: what all laws with a model have in common.

use super::model::Model;
use super::observer::Observer;
use crate::analyse::AnalysisError;
use crate::analyse::riccati::RiccatiError;
use crate::scalar::Jet;
use crate::simulate::{Controller, Drive, Signal, Tick};
use std::error::Error;

/// A law: forces for the joints of a model.
pub trait Law {
    /// A run begins: what is remembered of another one is forgotten.
    fn start(&mut self) {}

    /// Writes the forces of the joints (N m, N). The model is in the state that is believed.
    fn forces(
        &mut self,
        now: &Situation<'_>,
        model: &mut Model,
        forces: &mut [f64],
    ) -> Result<(), LawError>;

    /// What it tells beside the forces, for the record: names and units.
    fn tells(&self, _model: &Model) -> Vec<(String, &'static str)> {
        Vec::new()
    }

    /// Writes what it tells.
    fn tell(&self, _told: &mut [f64]) {}
}

/// What a law knows at an instant.
#[derive(Clone, Copy, Debug)]
pub struct Situation<'a> {
    /// The time (s).
    pub t: f64,
    /// Where the joints are believed to be (rad, m).
    pub q: &'a [f64],
    /// How fast they are believed to move (rad/s, m/s).
    pub u: &'a [f64],
    /// Where they should be now.
    pub wanted: &'a [Jet],
    /// Where they should be, over time.
    pub task: &'a [Signal],
}

/// Why a law cannot go on.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LawError {
    /// The mass matrix of what bends is singular.
    #[error("what bends has no inertia in its model at t = {time} s; give the links mass")]
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
        "at t = {time} s det(H22 - H21 F) is {determinant:.4} of what it is in other postures, below the guard of {guard}: the pseudolinks are nearly singular here; lead fewer of them, or leave this posture out"
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
    #[error(
        "at t = {time} s a joint does not move the point of its pseudolink; give it another point, or lead its angle"
    )]
    Unmoved {
        /// When (s).
        time: f64,
    },
    /// What is believed cannot be moved on.
    #[error("at t = {time} s its observer cannot follow: {source}")]
    NoEstimate {
        /// When (s).
        time: f64,
        /// Why.
        source: AnalysisError,
    },
    /// It is told something else than it was made for.
    #[error("it hears {inputs} numbers and gives {outputs}, but was made for {needed} joints")]
    Unfit {
        /// How many numbers it hears.
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

/// How a controller knows the state.
#[derive(Clone, Debug, PartialEq)]
pub enum Eyes {
    /// It hears one encoder for each joint. Rates are the change since the last tick; at the first
    /// they are those of the task. What bends is believed at rest, King (4-11).
    Sensors,
    /// It looks at the true state, whose coordinates and velocities (first) are these of the model
    /// (second), by index. What of the model is not there is believed at rest, King (4-11).
    Oracle {
        /// Coordinates of plant and model.
        coordinates: Vec<(usize, usize)>,
        /// Velocities of plant and model.
        velocities: Vec<(usize, usize)>,
    },
    /// It hears one encoder for each joint, then gauges, and believes what an observer makes of them
    /// and of the forces it gave.
    Observer(Box<Observer>),
}

impl Eyes {
    /// An oracle that knows everything of a plant that the model has, by names.
    pub fn oracle(plant: &crate::arm::Arm, model: &crate::arm::Arm) -> Self {
        let pairs = |plant: &[String], model: &[String]| {
            let of = |(i, name): (usize, &String)| {
                Some((plant.iter().position(|known| known == name)?, i))
            };
            model.iter().enumerate().filter_map(of).collect()
        };
        Self::Oracle {
            coordinates: pairs(plant.configuration_names(), model.configuration_names()),
            velocities: pairs(plant.velocity_names(), model.velocity_names()),
        }
    }
}

/// A law with its model, its task and its eyes: a [`Controller`] at ticks, or with an oracle a
/// [`Drive`] at every instant.
#[derive(Clone, Debug)]
pub struct Pilot<L> {
    law: L,
    model: Model,
    task: Vec<Signal>,
    eyes: Eyes,
    /// The largest force of each joint, either way (N m, N).
    limits: Vec<f64>,
    last: Option<f64>,
    q: Vec<f64>,
    u: Vec<f64>,
    wanted: Vec<Jet>,
    forces: Vec<f64>,
    /// How many numbers it tells beside the forces.
    told: usize,
}

impl<L: Law> Pilot<L> {
    /// The task has one function of time for each joint of the model (rad, m).
    pub fn new(law: L, model: Model, task: Vec<Signal>, eyes: Eyes) -> Result<Self, LawError> {
        let count = model.joints().len();
        if task.len() != count {
            let (inputs, outputs) = (task.len(), count);
            return Err(LawError::Unfit { inputs, outputs, needed: count });
        }
        let mut model = model;
        match &eyes {
            Eyes::Sensors => {}
            Eyes::Oracle { velocities, .. } => {
                let seen: Vec<usize> = velocities.iter().map(|&(_, seen)| seen).collect();
                model.see(&seen);
            }
            Eyes::Observer(observer) => model.see(observer.seen()),
        }
        let mut pilot = Self {
            law,
            limits: vec![f64::INFINITY; count],
            last: None,
            q: vec![0.0; count],
            u: vec![0.0; count],
            wanted: vec![Jet::default(); count],
            forces: vec![0.0; count],
            told: 0,
            model,
            task,
            eyes,
        };
        pilot.told = pilot.tells().len();
        Ok(pilot)
    }

    /// Forces do not go beyond limits (N m, N), one for each joint.
    #[must_use]
    pub fn limited(mut self, limits: &[f64]) -> Self {
        for (limit, given) in self.limits.iter_mut().zip(limits) {
            *limit = given.abs();
        }
        self
    }

    /// Where the joints should be, over time (rad, m), one function for each.
    pub fn task_mut(&mut self) -> &mut [Signal] {
        &mut self.task
    }

    /// What it tells beside the forces, for the record, as names and units: what its law tells, then
    /// the bending that its observer believes in. Outputs may have room for them or not.
    pub fn tells(&self) -> Vec<(String, &'static str)> {
        let mut all = self.law.tells(&self.model);
        let arm = self.model.arm();
        let (names, units) = (arm.velocity_names(), arm.velocity_units());
        let believed =
            self.believed().map(|(v, _)| (format!("believed.{}", names[v]), units[v][0]));
        all.extend(believed);
        all
    }

    /// The velocity coordinates of the bending that the observer believes in, and their coordinates.
    fn believed(&self) -> impl Iterator<Item = (usize, usize)> {
        let others = match &self.eyes {
            Eyes::Observer(_) => self.model.others(),
            _ => &[],
        };
        others.iter().filter_map(|&v| Some((v, self.model.arm().coordinate_of(v)?)))
    }

    /// Takes in what sensors show.
    fn hear(&mut self, t: f64, inputs: &[f64]) {
        let since = self.last.map(|last| t - last);
        for k in 0..self.q.len() {
            self.u[k] = since.map_or(self.wanted[k].rate, |since| (inputs[k] - self.q[k]) / since);
            self.q[k] = inputs[k];
        }
        self.last = Some(t);
        self.model.set_joints(&self.q, &self.u);
    }

    /// Takes in the true state.
    fn look(&mut self, q: &[f64], u: &[f64]) -> Result<(), LawError> {
        let Eyes::Oracle { coordinates, velocities } = &self.eyes else {
            return Err(LawError::NoState);
        };
        for &(plant, model) in coordinates {
            self.model.q[model] = *q.get(plant).ok_or(LawError::NoState)?;
        }
        for &(plant, model) in velocities {
            self.model.u[model] = *u.get(plant).ok_or(LawError::NoState)?;
        }
        self.take_joints()
    }

    /// Lets the observer take in what sensors show.
    fn observe(&mut self, time: f64, inputs: &[f64]) -> Result<(), LawError> {
        let Self { eyes: Eyes::Observer(observer), model, u, wanted, forces, .. } = self else {
            return Err(LawError::NoState);
        };
        if !observer.has_begun() {
            model.set_time(time);
        }
        // counts at the first tick only
        for (rate, wanted) in u.iter_mut().zip(wanted) {
            *rate = wanted.rate;
        }
        let done = observer.observe(model, forces, inputs, u);
        done.map_err(|source| LawError::NoEstimate { time, source })?;
        self.take_joints()
    }

    /// The joints as the model believes them.
    fn take_joints(&mut self) -> Result<(), LawError> {
        for (k, &v) in self.model.joints().iter().enumerate() {
            let coordinate = self.model.arm().coordinate_of(v).ok_or(LawError::NoState)?;
            (self.q[k], self.u[k]) = (self.model.q[coordinate], self.model.u[v]);
        }
        Ok(())
    }

    /// The forces for what is known now.
    fn act(&mut self, t: f64) -> Result<(), LawError> {
        self.model.set_time(t);
        self.model.settle();
        let Self { law, model, task, q, u, wanted, forces, limits, .. } = self;
        law.forces(&Situation { t, q, u, wanted, task }, model, forces)?;
        for (force, limit) in forces.iter_mut().zip(limits) {
            *force = force.clamp(-*limit, *limit);
        }
        Ok(())
    }

    fn aim(&mut self, t: f64) {
        for (wanted, signal) in self.wanted.iter_mut().zip(&self.task) {
            *wanted = signal.jet(t);
        }
    }
}

impl<L: Law> Controller for Pilot<L> {
    fn start(&mut self) {
        self.last = None;
        self.law.start();
        if let Eyes::Observer(observer) = &mut self.eyes {
            observer.start();
        }
    }

    fn update(
        &mut self,
        tick: &Tick<'_>,
        outputs: &mut [f64],
    ) -> Result<(), Box<dyn Error + Send + Sync>> {
        let needed = self.q.len();
        let hears = match &self.eyes {
            Eyes::Sensors => needed,
            Eyes::Oracle { .. } => 0,
            Eyes::Observer(observer) => observer.width(),
        };
        let (given, wired) = (tick.inputs.len(), outputs.len());
        if given != hears || (wired != needed && wired != needed + self.told) {
            return Err(LawError::Unfit { inputs: given, outputs: wired, needed }.into());
        }
        self.aim(tick.t);
        match (&self.eyes, tick.state) {
            (Eyes::Sensors, _) => self.hear(tick.t, tick.inputs),
            (Eyes::Observer(_), _) => self.observe(tick.t, tick.inputs)?,
            (_, Some(state)) => self.look(state.q, state.u)?,
            (_, None) => return Err(LawError::NoState.into()),
        }
        self.act(tick.t)?;
        let (forces, told) = outputs.split_at_mut(needed);
        forces.copy_from_slice(&self.forces);
        if !told.is_empty() {
            let (law, believed) = told.split_at_mut(self.told - self.believed().count());
            self.law.tell(law);
            for (told, (_, coordinate)) in believed.iter_mut().zip(self.believed()) {
                *told = self.model.q[coordinate];
            }
        }
        Ok(())
    }
}

/// A law at every instant, for scenarios whose [`feedback`](crate::simulate::Scenario::feedback) it
/// is. It must not remember anything, and look at the true state. Where the law fails it gives NaN,
/// which ends the run.
pub struct Continuous<L> {
    pilot: Pilot<L>,
    /// The motors of the plant, as velocity coordinates, one for each joint of the model.
    motors: Vec<usize>,
}

impl<L: Law> Continuous<L> {
    /// For motors of the plant, as velocity coordinates, one for each joint of the model.
    pub fn new(pilot: Pilot<L>, motors: Vec<usize>) -> Self {
        Self { pilot, motors }
    }
}

impl<L: Law> Drive for Continuous<L> {
    fn act(&mut self, t: f64, q: &[f64], u: &[f64], tau: &mut [f64], _: &mut [f64]) {
        self.pilot.aim(t);
        let done = self.pilot.look(q, u).and_then(|()| self.pilot.act(t));
        for (&motor, force) in self.motors.iter().zip(&self.pilot.forces) {
            tau[motor] += if done.is_ok() { *force } else { f64::NAN };
        }
    }
}
