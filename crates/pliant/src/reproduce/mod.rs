//! What the documents compute, as they compute it: for comparison, and on no other module's way.
//!
//! - [`gibbs_appell`] and [`recurrence`] are Korayem and Shafei's and King's algorithms for serial
//!   chains; [`Algorithm`] puts them beside the engine's own, and [`effort`] counts the operations of
//!   all of them beside those that are printed.
//! - [`akmehmet`] has his matrix of velocities, his feedback in the form SYST3, and the closed inverse
//!   kinematics of his arms.
//! - [`Variant`] has an arm's links move by equations that differ from the engine's: King's rotation
//!   of first order, and the velocity of Theodore (24). It is a
//!   [`ForwardDynamics`](crate::simulate::ForwardDynamics), so that runs can be made with it.

pub mod akmehmet;
pub mod algorithm;
mod chain;
pub mod effort;
pub mod gibbs_appell;
pub mod recurrence;
mod theodore24;
mod unsupported;
mod variant;

pub use algorithm::{Algorithm, AlgorithmError};
pub use chain::Rotation;
pub use unsupported::Unsupported;
pub use variant::{LARGEST_TURN, LargeTurn, TurnCheck, Variant, Variants};
