//! Robot arms with flexible links: the mathematics of pliant.
//!
//! An arm is a tree of bodies connected by joints of zero to six degrees of freedom. Describe it
//! with a [`Builder`](arm::Builder), then call its methods:
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
//! The modules are listed in the order of their dependencies: a module uses only those above it.
//!
//! | module | contents |
//! |---|---|
//! | [`scalar`] | the scalar types: plain numbers, lanes, dual numbers, an operation counter |
//! | [`linear`] | linear algebra of small dense matrices |
//! | [`spatial`] | vectors, rotations, poses, motions, forces, inertias |
//! | [`beam`] | flexible links: sections, shapes, shape integrals |
//! | [`arm`] | the model: links, joints, springs, frames, checks |
//! | [`dynamics`] | the recursions, one algorithm per file, and methods of an arm that call them |
//! | [`analyse`] | equilibria, natural frequencies, stresses, sizing, linear systems |
//! | [`plan`] | paths through points, inverse kinematics, input shapers |
//! | [`integrate`] | integrators for ordinary differential equations; independent of robots |
//! | [`simulate`] | simulation: signals, sensors, controllers, events, recorded runs |
//! | [`control`] | control laws, one per file, and state estimators |
//! | [`reproduce`] | the published algorithms as published; only `scenario` uses it |
//! | [`scenario`] | scenarios that are ready to run, and the figures of their runs |
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
pub mod scenario;

pub use help::Help;
pub use nalgebra;
