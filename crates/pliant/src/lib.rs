//! Robot arms whose links bend: the mathematics of pliant.
//!
//! An arm is a tree of bodies on joints of zero to six degrees of freedom. Describe it with a
//! [`Builder`](arm::Builder), then ask it:
//!
//! ```
//! use pliant::arm::{Builder, Joint, Link};
//!
//! let arm = Builder::new("pendulum")
//!     .gravity([0.0, -9.81, 0.0])
//!     .link(Link::new("bob").joint(Joint::revolute([0.0, 0.0, 1.0])).payload(2.0, [0.5, 0.0, 0.0]))
//!     .build()?;
//! let mass = arm.mass_matrix(&[0.0])?;
//! let falling = arm.forward_dynamics(&[0.0], &[0.0], &[0.0])?;
//! assert!((mass[(0, 0)] - 0.5).abs() < 1e-15);
//! assert!((falling[0] + 9.81 / 0.5).abs() < 1e-12);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The modules stand in the order in which they may use one another: a module uses only those
//! above it.
//!
//! | module | what |
//! |---|---|
//! | [`scalar`] | the arithmetic: plain numbers, lanes, dual numbers, an operation counter |
//! | [`linear`] | linear algebra of small dense matrices |
//! | [`spatial`] | vectors, rotations, poses, motions, forces, inertias |
//! | [`beam`] | how a link bends: sections, shapes, shape integrals |
//! | [`arm`] | what an arm is: links, joints, springs, frames, checks |
//! | [`dynamics`] | the recursions, one algorithm per file, and one-line calls on an arm |
//! | [`analyse`] | equilibria, natural frequencies, stresses, sizing, linear systems |
//! | [`plan`] | paths through points, and the joints that put a frame there |
//! | [`integrate`] | motion through time: differential equations, whatever they describe |
//! | [`simulate`] | an arm and what drives it: signals, sensors, controllers, events, runs |
//! | [`control`] | laws for the motors: one per file |
//! | [`reproduce`] | what the documents compute, as they compute it; no other module uses it |
//!
//! Every error has its [`Help`]: what would be right.
//!
//! SI units and radians throughout. Spatial vectors have the linear part first. Quaternions are
//! `(w, x, y, z)`. Contact, closed kinematic loops, plates and solids are not part of pliant.

mod help;

pub mod scalar;
pub mod linear;
pub mod spatial;
pub mod beam;
pub mod arm;
pub mod dynamics;
pub mod analyse;
pub mod plan;
pub mod integrate;
pub mod simulate;
pub mod control;
pub mod reproduce;

pub use help::Help;
pub use nalgebra;
