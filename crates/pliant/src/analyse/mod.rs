//! Analysis near a configuration: equilibria, deflections, natural frequencies, mode shapes and their
//! convergence, internal forces, sizing, comparison with the textbook's cantilever, linear systems,
//! and the valid range of a link's options.
//!
//! Everything here is linear algebra around the [`dynamics`](crate::dynamics): the balance of
//! forces at rest, `gravity + elastic − external = 0`, its exact derivative, and the mass matrix.
//! [`Conditions`] say whether each joint is locked, free or on its spring, and which loads act. The
//! methods [`Arm::static_equilibrium`](crate::arm::Arm::static_equilibrium) and
//! [`Arm::modes`](crate::arm::Arm::modes) lock the joints and load the arm by its weight alone.

mod balance;
mod cantilever;
mod cantilever_check;
mod clamped_beam;
mod conditions;
mod convergence;
mod deflection;
mod eigenvalues;
mod error;
mod linearise;
mod masses;
mod modes;
mod participation;
mod places;
mod rebuild;
pub mod riccati;
mod sizing;
mod state_space;
pub(crate) mod statics;
mod stress;
mod tracking;
mod validity;
mod zeros;

pub use cantilever::Cantilever;
pub use cantilever_check::{
    CantileverCheck, CantileverComparison, CantileverQuantity, LoadedBeam, REFINEMENTS,
};
pub use clamped_beam::ClampedBeam;
pub use conditions::{Conditions, JointCondition};
pub use deflection::Deflection;
pub use eigenvalues::{Joints, Vibration};
pub use error::AnalysisError;
pub use linearise::{Input, OperatingPoint, Output};
pub use modes::{Mode, Modes};
pub use participation::MovingPart;
pub(crate) use places::Places;
pub use rebuild::RebuildError;
pub use sizing::{Demand, FREQUENCY_RATIO, Sizing, SizingCriterion};
pub use state_space::{Label, StateSpace, continuous_pole};
pub use statics::Equilibrium;
pub(crate) use stress::CutLinks;
pub use stress::{LinkForces, Peak, PeakLoads, SectionLoads};
pub use tracking::{VibrationInstant, VibrationRatios};
pub use validity::{OutOfRange, RANGE, RangeCheck, ValidRange};
