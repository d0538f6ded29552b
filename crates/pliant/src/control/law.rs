//! What a control law is.

use super::model::Model;
use crate::Help;
use crate::analyse::AnalysisError;
use crate::analyse::riccati::RiccatiError;
use crate::boxed::cloneable;
use crate::integrate::StateVisitor;
use crate::scalar::Jet;
use crate::simulate::{BlockOutput, Signal};
use std::any::Any;
use std::fmt::Debug;

/// A control law: forces for joints, from where they are and where they should be.
///
/// It is data that can be cloned, and acts at ticks or at every instant, as its
/// [`Controller`](super::Controller) says. A law of one's own is one file: this trait, and what it
/// remembers in [`visit_state`](Self::visit_state).
///
/// Once the first ticks have made room, a tick of the laws of this crate allocates nothing. Exceptions
/// are ticks at which new gains are computed ([`Composite`](super::Composite) after each of its
/// periods, the third form of
/// [`EnergyFeedback`](crate::reproduce::akmehmet::EnergyFeedback) after each time between gains), and at
/// which [a table](super::MatrixUpdate::OverWorkspace) gets a new entry.
pub trait ControlLaw: CloneLaw + Debug + Send + Sync + Any {
    /// Makes room for what it computes and remembers with the model of its controller, so that ticks
    /// allocate nothing and a state of another shape is refused. A controller calls it once, when it
    /// is made.
    fn prepare(&mut self, _model: Option<&Model>) {}

    /// For how many joints it has numbers; none where it works for any.
    fn joints(&self) -> Option<usize> {
        None
    }

    /// Whether it may act at every instant: its forces follow from the present alone. By default so
    /// are those of a law that remembers nothing.
    fn acts_continuously(&self) -> bool {
        let mut remembered = Vec::new();
        self.boxed().visit_state(&mut StateVisitor::giving(&mut remembered));
        remembered.is_empty()
    }

    /// A run begins: what is remembered of another one is forgotten.
    fn start(&mut self) {}

    /// After how many ticks of a period (s) it does the same again where nothing changes: how long it
    /// keeps what it computes, or the windows of a horizon.
    fn cycle(&self, _period: f64) -> u64 {
        1
    }

    /// Visits what it remembers from one instant to the next, so that a run can be resumed.
    fn visit_state(&mut self, state: &mut StateVisitor<'_>);

    /// Writes the forces of the joints (N m, N). The model, if the controller has one, is in the
    /// estimated state. An error ends the run with its words.
    fn forces(
        &mut self,
        now: &ControlContext<'_>,
        model: Option<&mut Model>,
        forces: &mut [f64],
    ) -> Result<(), ControlError>;

    /// Its telemetry: what is recorded beside the forces, each with what it is, and with the
    /// coordinate of the model's joint that it is about.
    fn telemetry(&self, _model: Option<&Model>) -> Vec<BlockOutput> {
        Vec::new()
    }

    /// Writes the values of its telemetry.
    fn write_telemetry(&self, _values: &mut [f64]) {}
}

cloneable! {
    /// Copies laws behind a `Box`; every law that is `Clone` has it.
    CloneLaw, ControlLaw
}

impl<L: ControlLaw + 'static> From<L> for Box<dyn ControlLaw> {
    fn from(law: L) -> Self {
        Box::new(law)
    }
}

/// The inputs of a control law at an instant.
#[derive(Clone, Copy, Debug)]
pub struct ControlContext<'a> {
    /// The time (s).
    pub t: f64,
    /// The time since the tick before (s); none at the first one, and where a law acts at every
    /// instant.
    pub since: Option<f64>,
    /// The estimated positions of the joints (rad, m).
    pub q: &'a [f64],
    /// Their estimated velocities (rad/s, m/s).
    pub u: &'a [f64],
    /// Their reference now, with its rate and acceleration.
    pub reference: &'a [Jet],
    /// Their reference over time.
    pub trajectory: &'a [Signal],
    /// The largest force of each joint, either way (N m, N); infinite without a limit. What exceeds
    /// it is cut off.
    pub limits: &'a [f64],
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
    /// The motors lose control of the flexible coordinates.
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
    /// The point of a pseudolink is on the joint's own axis.
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
    /// It is wired otherwise than it was made for.
    #[error("it has {inputs} inputs and {outputs} outputs, but was made for {needed} joints")]
    Unfit {
        /// How many inputs it has.
        inputs: usize,
        /// How many it gives.
        outputs: usize,
        /// How many joints it has.
        needed: usize,
    },
    /// The law computes with a model of the arm, and its controller has none.
    #[error("it needs a model of the arm")]
    NoModel,
    /// What a law or an estimator of one's own says.
    #[error("{message}")]
    Own {
        /// What is wrong.
        message: String,
        /// What would be right, if more can be said.
        help: Option<String>,
    },
    /// It may not see the true state.
    #[error(
        "it has no access to the full state, or the state has other coordinates than its source"
    )]
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
            Self::Own { help, .. } => return help.clone(),
            Self::NoModel => "give its controller one",
            Self::NoState => {
                "let it see the full state of an arm with the coordinates of its source"
            }
        };
        Some(help.into())
    }
}
