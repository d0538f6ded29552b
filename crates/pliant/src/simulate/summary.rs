//! The outcome of a run.

use super::block::BlockError;
use super::bounds::Excess;
use super::channels::Channel;
use super::diagram_error::DiagramError;
use super::events::EventRecord;
use crate::Help;
use crate::integrate::{Failure, SetupError, StateError, StateVisitor, Stateful, Statistics};
use crate::scalar::short;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::error::Error;

/// The outcome of a run. It serialises as in the files of results, without the last state.
///
/// Where it was interrupted or failed within a step, the ending, the rows, the events and the
/// coordinates are of that time, but the balances of energy and momenta and what the run has cost of the
/// end of the step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[must_use]
pub struct Summary {
    /// How and when it ended.
    #[serde(rename = "ended")]
    pub ending: Ending,
    /// What it has cost.
    #[serde(flatten)]
    pub statistics: Statistics,
    /// What the balance of energy has lost or won (J), relative to the largest kinetic energy; none
    /// where the energies are not those of the equations of motion.
    pub energy_drift: Option<Drift>,
    /// The same of the momenta, relative to the largest, where nothing touches the arm.
    pub momentum_drift: Option<MomentumDrift>,
    /// Up to which size a drift of energy may be a rounding error of the energies involved (J); zero
    /// where it was read from a file.
    #[serde(skip)]
    pub energy_rounding: f64,
    /// Whether machine code computed what the integrator asked for; not known where it was read from a
    /// file.
    #[serde(skip)]
    pub is_compiled: bool,
    /// What has happened.
    pub events: Vec<EventRecord>,
    /// How many rows were recorded.
    pub rows: u64,
    /// The least and the most of each recorded channel.
    pub extremes: Vec<Extremes>,
    /// The coordinates at the end (rad, m); empty where it was read from a file.
    #[serde(skip)]
    pub q: Vec<f64>,
    /// The velocities at the end (rad/s, m/s); empty where it was read from a file.
    #[serde(skip)]
    pub u: Vec<f64>,
    /// All that the run remembered at its end, as numbers: [`resume`](super::resume()) continues from
    /// there. Empty where it was read from a file, and where it was interrupted among the rows of one
    /// step, of which nothing remembers the rest.
    #[serde(skip)]
    pub state: Vec<f64>,
}

impl Summary {
    /// Of a run that ended like this at this time (s), with everything else zero or empty.
    pub fn new(status: Status, time: f64) -> Self {
        Self {
            ending: Ending::new(status, time),
            statistics: Statistics::default(),
            energy_drift: None,
            momentum_drift: None,
            energy_rounding: 0.0,
            is_compiled: false,
            events: Vec::new(),
            rows: 0,
            extremes: Vec::new(),
            q: Vec::new(),
            u: Vec::new(),
            state: Vec::new(),
        }
    }
}

/// How and when a run ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ending {
    /// How.
    #[serde(rename = "how")]
    pub status: Status,
    /// When (s).
    #[serde(rename = "at", with = "super::number")]
    pub time: f64,
    /// Why, where there is more to say.
    pub why: Option<String>,
    /// The sampled block that gave up, if one did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub block: Option<String>,
    /// How the motion broke down, if it did; none in results of earlier versions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub breakdown: Option<Breakdown>,
}

impl Ending {
    /// Like this at this time (s), with nothing more to say.
    pub fn new(status: Status, time: f64) -> Self {
        Self { status, time, why: None, block: None, breakdown: None }
    }
}

/// The ways a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Status {
    /// It reached its end.
    Completed,
    /// An event stopped it.
    Stopped,
    /// The progress monitor stopped it.
    Interrupted,
    /// A controller gave up, or the motion could not be carried on.
    Failed,
}

/// The largest violation of a balance, at the ends of steps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drift {
    /// In its unit.
    #[serde(with = "super::number")]
    pub absolute: f64,
    /// As part of what it is compared with; none where that counts as zero: a kinetic energy within
    /// the rounding errors of the energies involved, a momentum below a millionth of what the masses
    /// could have with their kinetic energy.
    #[serde(with = "super::number::optional")]
    pub relative: Option<f64>,
}

impl Drift {
    pub(super) fn new(absolute: f64, reference: Option<f64>) -> Self {
        Self { absolute, relative: reference.map(|reference| absolute / reference) }
    }

    /// As part of what it is compared with, for people: a dash where that counts as zero.
    pub fn part(&self) -> String {
        self.relative.map_or_else(|| "-".to_owned(), |part| format!("{part:.1e}"))
    }
}

/// The largest departures of the momenta from their balance.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct MomentumDrift {
    /// Of the linear momentum (kg m/s).
    pub linear: Drift,
    /// Of the angular momentum (kg m²/s).
    pub angular: Drift,
}

/// The minimum and the maximum of a channel over the rows. NaN is left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Extremes {
    /// The channel; files tell the heading of its column, from which alone its role does not follow.
    #[serde(serialize_with = "write_column", deserialize_with = "read_column")]
    pub channel: Channel,
    /// The least, if there is any.
    #[serde(rename = "min")]
    pub least: Option<Extreme>,
    /// The most, if there is any.
    #[serde(rename = "max")]
    pub most: Option<Extreme>,
}

/// A value and the first time it occurs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Extreme {
    /// The value, in the unit of its channel.
    #[serde(with = "super::number")]
    pub value: f64,
    /// When (s).
    #[serde(rename = "at", with = "super::number")]
    pub time: f64,
}

impl Extremes {
    /// Before the first row.
    pub fn new(channel: Channel) -> Self {
        Self { channel, least: None, most: None }
    }

    /// Takes a value at a time (s) into account.
    pub fn include(&mut self, time: f64, value: f64) {
        if value.is_nan() {
            return;
        }
        if self.least.is_none_or(|least| value < least.value) {
            self.least = Some(Extreme { value, time });
        }
        if self.most.is_none_or(|most| value > most.value) {
            self.most = Some(Extreme { value, time });
        }
    }
}

impl Stateful for Extremes {
    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        for end in [&mut self.least, &mut self.most] {
            let fresh = || Extreme { value: 0.0, time: 0.0 };
            state.option(end, fresh, |state, Extreme { value, time }| {
                state.number(value);
                state.number(time);
            });
        }
    }
}

fn write_column<S: Serializer>(channel: &Channel, out: S) -> Result<S::Ok, S::Error> {
    out.serialize_str(&channel.column())
}

fn read_column<'de, D: Deserializer<'de>>(from: D) -> Result<Channel, D::Error> {
    Ok(Channel::from_column(&String::deserialize(from)?))
}

/// Why the integration could not continue.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[error("{reason} at t = {} s{}{} (step {} s, energy {} J)", short(*time), self.where_(), self.how_far(), short(*step), short(*energy))]
pub struct Breakdown {
    /// The last instant that was reached (s).
    #[serde(with = "super::number")]
    pub time: f64,
    /// Where it shows first or most, as a channel.
    pub coordinate: Option<String>,
    /// The total energy at that instant (J).
    #[serde(with = "super::number")]
    pub energy: f64,
    /// The last length of a step (s).
    #[serde(with = "super::number")]
    pub step: f64,
    /// What happened.
    pub reason: Reason,
    /// How far it went, where that tells something.
    pub excess: Option<Excess>,
    /// Whether controllers drive the arm.
    #[serde(default)]
    pub is_controlled: bool,
}

impl Help for Breakdown {
    fn help(&self) -> Option<String> {
        match self.reason.help_with_controller() {
            Some(help) if self.is_controlled => Some(help.to_owned()),
            _ => self.reason.help(),
        }
    }
}

impl Breakdown {
    fn where_(&self) -> String {
        self.coordinate.as_ref().map_or_else(String::new, |name| format!(" in \"{name}\""))
    }

    fn how_far(&self) -> String {
        self.excess.as_ref().map_or_else(String::new, |excess| format!(": {excess}"))
    }
}

/// The reason why an integration stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Reason {
    /// Links bend or move beyond all sense, as [`Excess`] says.
    #[error("the motion diverges")]
    Diverges,
    /// Links move beyond all sense by the energy that they start with.
    #[error("the energy at the start drives the arm beyond all sense")]
    StoredEnergy,
    /// Steps cannot follow a stiff spring or link, as [`Excess`] says.
    #[error("a stiff spring or link vibrates too fast for the steps")]
    Stiff,
    /// A coordinate has no inertia, so that accelerations do not exist.
    #[error("the mass matrix is singular, so that accelerations do not exist")]
    NoInertia,
    /// NaN or infinite.
    #[error("the motion leaves the finite numbers")]
    NotFinite,
    /// No step is short enough.
    #[error("no step is short enough for the tolerance")]
    StepTooSmall,
    /// An implicit method could not solve its equations.
    #[error("the equations of a step were not solved")]
    NotConverged,
    /// Too many steps.
    #[error("the motion takes too many steps")]
    TooManySteps,
    /// A link that slides left its stroke.
    #[error("a link that slides leaves its stroke")]
    OutOfStroke,
    /// A prescribed motion jumps, as [`Excess`] says.
    #[error("a prescribed motion jumps")]
    Jumps,
}

impl Help for Reason {
    fn help(&self) -> Option<String> {
        let help = match self {
            Self::Diverges => {
                "look for forces without bound, and for motions faster than the arm stands; or take a shorter step"
            }
            Self::StoredEnergy => {
                "start nearer to the rest of springs and links, or slower; or soften the spring, and check the units of its stiffness"
            }
            Self::Stiff => {
                "take an implicit method, such as Radau's or generalised-alpha, or a shorter step; or a softer spring or link, or a rigid one"
            }
            Self::NoInertia => {
                "give the links that it moves a mass off its axis or an inertia about it, or its joint armature; or prescribe its motion; masses that differ by more than 1e13 leave no digit of the smaller one"
            }
            Self::NotFinite => "look for forces without bound, or take a smaller step or tolerance",
            Self::StepTooSmall => {
                "look for something that jumps with the state or inside an expression, or loosen the tolerance"
            }
            Self::NotConverged => {
                "take a shorter step, or look for a force that jumps or grows steeply with the state"
            }
            Self::OutOfStroke => {
                "hold it by a motor or a prescribed motion, or let the run stop at the limits of joints"
            }
            Self::Jumps => {
                "take a motion whose position and rate do not jump: a cubic table over the whole run, a sine or chirp from the start on, or a smooth expression such as 3 s^2 - 2 s^3 of s = min(max(t - 1, 0), 1)"
            }
            Self::TooManySteps => {
                "take a method for stiff problems, loosen the tolerance, or allow more steps"
            }
        };
        Some(help.into())
    }
}

impl Reason {
    /// What to do where a controller may be the cause.
    fn help_with_controller(self) -> Option<&'static str> {
        match self {
            Self::Diverges => Some(
                "lower the gains of its controllers or shorten their periods, or give them an estimator: one that sees only joints may feed the bending; or look for forces without bound, or take a shorter step",
            ),
            Self::NotFinite => Some(
                "look for an unstable controller or too long a sampling period, for forces without bound, or take a smaller step or tolerance",
            ),
            Self::TooManySteps => Some(
                "take a method for stiff problems, loosen the tolerance, allow more steps, or look for an unstable controller",
            ),
            _ => None,
        }
    }
}

impl Reason {
    /// The reason behind a failure, with the length of the step and the component, if it names them.
    pub(super) fn of(failure: &Failure<BlockError>) -> (Self, Option<f64>, Option<usize>) {
        match *failure {
            Failure::NotFinite { step, component, .. } => {
                (Self::NotFinite, Some(step), Some(component))
            }
            Failure::RateNotFinite { component, .. } => (Self::NotFinite, None, Some(component)),
            Failure::StepTooSmall { step, component, .. } => {
                (Self::StepTooSmall, Some(step), Some(component))
            }
            Failure::NotConverged { step, component, .. } => {
                (Self::NotConverged, Some(step), Some(component))
            }
            Failure::NoProgress { step, .. } => (Self::StepTooSmall, Some(step), None),
            Failure::TooManySteps { step, .. } => (Self::TooManySteps, Some(step), None),
            _ => (Self::NotFinite, None, None),
        }
    }
}

/// Why there is no summary.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RunError<E: Error + 'static> {
    /// The scenario cannot be run.
    #[error(transparent)]
    Diagram(#[from] DiagramError),
    /// The method cannot be started.
    #[error(transparent)]
    Method(#[from] SetupError),
    /// The state to resume from is none of this scenario and method.
    #[error("the run cannot be resumed: {0}")]
    State(#[from] StateError),
    /// The recorder refused. What it has taken before stays with it.
    #[error("the row at t = {time} s could not be recorded")]
    Recorder {
        /// When (s).
        time: f64,
        /// What it said.
        source: E,
    },
}

impl<E: Help + 'static> Help for RunError<E> {
    fn help(&self) -> Option<String> {
        match self {
            Self::Diagram(error) => error.help(),
            Self::Method(error) => error.help(),
            Self::State(error) => error.help(),
            Self::Recorder { source, .. } => source.help(),
        }
    }
}
