//! How a run ends.

use super::block::BlockError;
use super::bounds::Excess;
use super::function::{FunctionError, Noted};
use super::plant::Plant;
use super::run::Course;
use super::summary::{Breakdown, Ending, Reason, Status, Summary};
use crate::Help;
use crate::dynamics::EvaluationError;
use crate::integrate::{Failure, Method};

/// Steps of more than this part of a radian follow a vibration.
const FOLLOWED: f64 = 0.01;

/// An energy of up to so many times that at the start has not grown by itself.
const GROWN: f64 = 1.1;

impl<'s, M: Method<Plant<'s>>> Course<'s, M> {
    /// Here, with nothing more to say.
    pub(super) fn completed(&self) -> Ending {
        Ending::new(Status::Completed, self.time)
    }

    /// The progress monitor stops it.
    pub(super) fn interrupted(&self) -> Ending {
        let why = Some("it was interrupted".to_owned());
        Ending { why, ..Ending::new(Status::Interrupted, self.time) }
    }

    /// The last of the events stops it.
    pub(super) fn stopped(&self) -> Ending {
        let why = self.happened.last().map(|event| self.crossings.record(event).what);
        Ending { why, ..Ending::new(Status::Stopped, self.time) }
    }

    /// A sampled block gave up.
    pub(super) fn given_up(&self, BlockError { block, reason }: BlockError) -> Ending {
        if let Some(error) = Noted::take() {
            // what it gave up for
            return self.function_gave_up(&error);
        }
        let why = Some(format!("the controller \"{block}\" gave up: {}", reason.with_help()));
        Ending { why, block: Some(block), ..Ending::new(Status::Failed, self.time) }
    }

    /// A function of one's own gave up.
    pub(super) fn function_gave_up(&self, error: &FunctionError) -> Ending {
        Ending { why: Some(error.with_help()), ..Ending::new(Status::Failed, self.time) }
    }

    /// The method gave up; the stepper stands at its last accepted step.
    pub(super) fn failed(&mut self, failure: Failure<BlockError>) -> Ending {
        if let Some(error) = Noted::take() {
            self.stand_at_last_step();
            return self.function_gave_up(&error);
        }
        let (reason, step, component) = Reason::of(&failure);
        let length = step.unwrap_or(0.0);
        if let Failure::System { source, .. } = failure {
            self.stand_at_last_step();
            return self.given_up(source);
        }
        if let Some(left) = step.and_then(|step| self.leaves_stroke(step)) {
            return self.broken(Reason::OutOfStroke, length, Some(left));
        }
        if let Some(coordinate) = self.without_inertia().filter(|_| reason == Reason::NotFinite) {
            return self.broken(Reason::NoInertia, length, Some(coordinate));
        }
        if let Some(excess) = self.balance.strayed.suspect(self.arm) {
            return self.diverged(length, excess);
        }
        let coordinate = component.map(|component| self.channel_of(component));
        self.stuck(reason, length, coordinate)
    }

    /// It does not get on, perhaps because of something stiff.
    pub(super) fn stuck(
        &mut self,
        reason: Reason,
        step: f64,
        coordinate: Option<String>,
    ) -> Ending {
        match self.stiff(reason, step) {
            Some(excess) => self.exceeded(Reason::Stiff, step, coordinate, excess),
            None => self.broken(reason, step, coordinate),
        }
    }

    /// The coordinate that can accelerate without force.
    fn without_inertia(&self) -> Option<String> {
        let q = &self.stepper.state()[..self.arm.nq()];
        let mass = self.arm.mass_matrix(q).ok()?;
        match self.arm.check_inertia(&mass, |pivot| pivot) {
            Err(EvaluationError::SingularMassMatrix { coordinate }) => Some(coordinate),
            _ => None,
        }
    }

    /// The fastest vibration, if steps of this length are too long for it, or if they are as short as
    /// they are because of it.
    fn stiff(&self, reason: Reason, step: f64) -> Option<Excess> {
        let free = self.arm.free_velocities();
        let (spectrum, _) = self.arm.elastic_spectrum(&self.arm.neutral(), &free).ok()?;
        let fastest = free.len().checked_sub(1)?;
        let (frequency, shape) = (spectrum.frequency(fastest), spectrum.vectors.column(fastest));
        let radians = step * frequency;
        let is_stiff = match (self.stepper.method().longest_stable_step(), reason) {
            (Some(longest), _) => radians > longest,
            (None, Reason::StepTooSmall | Reason::TooManySteps) => radians > FOLLOWED,
            (None, _) => false,
        };
        let coordinate = self.arm.velocity_names()[free[shape.icamax()]].clone();
        is_stiff.then_some(Excess::Vibrates { coordinate, frequency })
    }

    /// The length outside that a step from here takes out of its stroke, where there are no
    /// equations.
    fn leaves_stroke(&self, step: f64) -> Option<String> {
        let (q, rest) = self.stepper.state().split_at(self.arm.nq());
        let mut ahead = q.to_vec();
        for (at, v) in (0..self.arm.body_count()).filter_map(|link| self.arm.length_of(link)) {
            ahead[at] += step * rest[v];
        }
        match self.arm.out_of_stroke(&ahead)? {
            EvaluationError::OutOfStroke { coordinate, .. } => Some(coordinate),
            _ => None,
        }
    }

    /// The energy is no number any more.
    pub(super) fn left_numbers(&mut self, step: f64) -> Ending {
        let fastest = self.fastest();
        self.stuck(Reason::NotFinite, step, Some(fastest))
    }

    /// The motion has left all sense.
    pub(super) fn diverged(&mut self, step: f64, excess: Excess) -> Ending {
        let fastest = Some(self.fastest());
        let balance = &self.balance;
        let given = GROWN * balance.start_energy();
        if balance.has_energies && balance.total <= given && balance.drift.abs() <= given {
            return self.exceeded(Reason::StoredEnergy, step, fastest, excess);
        }
        match self.stiff(Reason::Diverges, step) {
            Some(excess) => self.exceeded(Reason::Stiff, step, fastest, excess),
            None => self.exceeded(Reason::Diverges, step, fastest, excess),
        }
    }

    fn exceeded(
        &mut self,
        reason: Reason,
        step: f64,
        coordinate: Option<String>,
        excess: Excess,
    ) -> Ending {
        let excess = Some(excess);
        Self::broke_down(Breakdown { excess, ..self.breakdown(reason, step, coordinate) })
    }

    /// A prescribed motion jumped.
    pub(super) fn jumped(&mut self, coordinate: String, step: f64, jump: Excess) -> Ending {
        let mut breakdown = self.breakdown(Reason::Jumps, step, Some(coordinate));
        breakdown.excess = Some(jump);
        Self::broke_down(breakdown)
    }

    pub(super) fn broken(
        &mut self,
        reason: Reason,
        step: f64,
        coordinate: Option<String>,
    ) -> Ending {
        Self::broke_down(self.breakdown(reason, step, coordinate))
    }

    fn broke_down(breakdown: Breakdown) -> Ending {
        let why = Some(breakdown.with_help());
        let failed = Ending::new(Status::Failed, breakdown.time);
        Ending { why, breakdown: Some(breakdown), ..failed }
    }

    fn breakdown(&mut self, reason: Reason, step: f64, coordinate: Option<String>) -> Breakdown {
        self.stand_at_last_step();
        let (time, energy) = (self.time, self.balance.total);
        let is_controlled = self.is_controlled;
        Breakdown { time, coordinate, energy, step, reason, excess: None, is_controlled }
    }

    /// The run ends where the stepper stands.
    pub(super) fn stand_at_last_step(&mut self) {
        self.time = self.stepper.time();
        self.sample.copy_from_slice(self.stepper.state());
    }

    /// The run ends within a step, of which all events were found.
    pub(super) fn forget_later_events(&mut self) {
        let end = self.time;
        self.happened.retain(|event| event.time <= end);
    }

    /// The channel of a component of the state; for works that of the fastest coordinate.
    fn channel_of(&self, component: usize) -> String {
        let (q, u) = (self.arm.configuration_names(), self.arm.velocity_names());
        match (q.get(component), component.checked_sub(q.len()).and_then(|v| u.get(v))) {
            (Some(name), _) => name.clone(),
            (None, Some(name)) => format!("{name}.rate"),
            (None, None) => self.fastest(),
        }
    }

    /// The channel of the largest velocity.
    fn fastest(&self) -> String {
        let speeds = self.stepper.state()[self.arm.nq()..].iter().map(|u| u.abs());
        let named = self.arm.velocity_names().iter().zip(speeds);
        let fastest = named.max_by(|(_, a), (_, b)| a.total_cmp(b));
        fastest.map_or_else(String::new, |(name, _)| format!("{name}.rate"))
    }

    pub(super) fn sum_up(self, ending: Ending, state: Vec<f64>) -> Summary {
        let (q, rest) = self.sample.split_at(self.arm.nq());
        let balance = &self.balance;
        Summary {
            ending,
            statistics: self.stepper.statistics(),
            energy_drift: balance.energy_drift(),
            momentum_drift: balance.momentum_drift(),
            energy_rounding: balance.rounding(),
            is_compiled: self.plant.is_compiled(),
            events: self.happened.iter().map(|event| self.crossings.record(event)).collect(),
            rows: self.recording.rows,
            extremes: self.recording.extremes,
            q: q.to_vec(),
            u: rest[..self.arm.nv()].to_vec(),
            state,
        }
    }
}
