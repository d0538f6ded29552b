//! The recursions over the tree of bodies, one algorithm per file.
//!
//! The equation of motion is `M(q) u̇ + bias = τ`, with
//! `bias = coriolis + gravity + elastic + damping − external`.
//! Every algorithm has a workspace of its own, sized once from an arm, and an `_into` call that
//! allocates nothing; slices of the wrong length, or a workspace made for another arm, are its only
//! panics. The methods of
//! [`Arm`](crate::arm::Arm) wrap these calls: they allocate, check, and return `Result`.
//!
//! The recursions carry the *classical* acceleration of each frame's origin, `a = v̇ + ω×v`. It
//! obeys the same recursion as `v̇`, and the velocity `v` of the origin then appears nowhere.

pub(crate) mod bending;
mod current_length;
pub(crate) mod hop;

pub mod aba;
mod centreline;
pub mod composite;
mod condition;
pub mod coriolis;
pub mod crba;
pub mod derivatives;
pub mod energy;
pub mod kinematics;
pub mod loads;
mod one_line;
pub mod passive;
pub mod rnea;
pub(crate) mod section_wrenches;
pub mod terms;

pub use centreline::{Centreline, CentrelineStation, Centrelines};
pub use condition::IllConditioned;
pub use one_line::{EvaluationError, ForwardDerivatives, InverseDerivatives};
