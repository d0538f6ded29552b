//! What an arm does without moving far: equilibria, natural frequencies and shapes, what its links
//! feel inside, whether they are thick enough, and whether their options are right for a state.
//!
//! Everything here is linear algebra around the [`dynamics`](crate::dynamics): the balance of
//! forces at rest, `gravity + elastic − external = 0`, its exact slope, and the mass matrix.
//! [`Conditions`] say how each joint is held and what loads the arm; the methods
//! [`Arm::static_equilibrium`](crate::arm::Arm::static_equilibrium) and
//! [`Arm::modes`](crate::arm::Arm::modes) take the joints as locked and the arm as loaded by its
//! weight alone.

mod balance;
mod cantilever;
mod conditions;
mod eigenvalues;
mod error;
mod linearise;
mod masses;
mod modes;
mod places;
pub mod riccati;
mod sizing;
mod state_space;
mod statics;
mod stress;
mod validity;
mod zeros;

pub use cantilever::Cantilever;
pub use conditions::{Conditions, JointCondition};
pub use eigenvalues::{Joints, Vibration};
pub use error::AnalysisError;

pub use linearise::{Input, OperatingPoint, Output};
pub use modes::{Mode, Modes};
pub(crate) use places::Places;
pub use sizing::{Demand, FREQUENCY_RATIO, Sizing, SizingCriterion};
pub use state_space::{Label, StateSpace};
pub use statics::Equilibrium;
pub use stress::{LinkForces, SectionLoads};
pub use validity::{OutOfRange, RANGE, RangeCheck, ValidRange};
