//! The published algorithms as published, for comparison; no other module uses them.
//!
//! - [`gibbs_appell`] and [`recurrence`] are Korayem and Shafei's and King's algorithms for serial
//!   chains; [`Algorithm`] selects one of them or of the engine's own, and [`effort`] counts the
//!   operations of all of them for comparison with the published counts.
//! - [`akmehmet`] has his matrix of velocities, his feedback in the form SYST3, and the closed-form
//!   inverse kinematics of his arms.
//! - [`Variant`] replaces the engine's equations of a link by King's rotation of first order, by
//!   Korayem's small angles or by the velocity of Theodore (24). It is a [`ForwardDynamics`](crate::simulate::ForwardDynamics),
//!   so simulations can use it.
//! - [`with_linear_inertia`] leaves out the terms of second order of each link's own bending,
//!   [`without_section_spin`] what the spin of sections has to do with their twist.

pub mod akmehmet;
pub mod algorithm;
mod chain;
pub mod effort;
pub mod gibbs_appell;
mod linear_inertia;
pub mod recurrence;
mod theodore24;
mod unsupported;
mod variant;

pub use algorithm::{Algorithm, AlgorithmError};
pub use chain::Rotation;
pub use linear_inertia::{with_linear_inertia, without_section_spin};
pub use unsupported::Unsupported;
pub use variant::{LARGEST_TURN, LargeTurn, TurnCheck, Variant, Variants};
