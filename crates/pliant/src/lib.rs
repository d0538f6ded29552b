//! Robot arms with flexible links: the mathematics of pliant.
//!
//! An arm is a tree of bodies connected by joints of zero to six degrees of freedom; its links may
//! bend, twist and stretch. Describe it with a [`Builder`](arm::Builder), ask the
//! [`Arm`](arm::Arm), let a [`Scenario`](scenario::Scenario) move it. A boom of aluminium tube that
//! carries a payload on its tip, its first frequency, and a second of its motion after it is let go:
//!
//! ```
//! use pliant::arm::{Builder, Joint, Link};
//! use pliant::beam::{Basis, Beam, CrossSection, Material, Matter, Ways};
//! use pliant::scenario::Scenario;
//! use pliant::simulate::Rows;
//! use pliant::spatial::Pose;
//!
//! let material = Material::named("aluminium").ok_or("no such material")?;
//! let tube = Matter::Made { outline: CrossSection::Tube { diameter: 0.03, wall: 0.002 }, material };
//! // 2 m long, with the first two modes along y of the loaded tube
//! let beam = Beam::new(2.0, tube, Basis::loaded(Ways::new(2, 0, 0, 0)));
//! let boom = Link::new("boom").joint(Joint::revolute([0.0, 0.0, 1.0])).beam(beam);
//! // what hangs on a link that bends hangs on its tip
//! let boom = boom.payload(3.0, [0.0; 3]).frame("hand", Pose::IDENTITY);
//! let crane = Builder::new("crane").gravity([0.0, -9.81, 0.0]).link(boom);
//! let arm = crane.clone().build()?;
//!
//! let level = arm.neutral();
//! // m l² + ρA l³/3
//! assert!((arm.mass_matrix(&level)?[(0, 0)] - 13.27).abs() < 0.01);
//! let frequency = arm.modes(&level)?.modes[0].hertz();
//! assert!((frequency - 1.87).abs() < 0.01);
//!
//! let fall = Scenario::new(crane, 1.0).build()?;
//! let summary = fall.run(&mut Rows::new(), &mut ())?.summary;
//! let hand = arm.pose(&summary.q, "hand")?.position;
//! // past its lowest point
//! assert!(hand.x < -1.0 && hand.y < -1.6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The folder `examples` has a short program for each of: a first arm, a free swing, tracking with
//! encoders, composite control, a sliding boom, a control law and a force element of one's own, a
//! linear model, inverse kinematics. `cargo run --release -p pliant --example first_arm` runs the first.
//!
//! The modules are listed in the order of their dependencies: a module uses only those above it.
//!
//! | module | contents |
//! |---|---|
//! | [`name`] | the rule for names |
//! | [`scalar`] | the scalar types: plain numbers, lanes, dual numbers, an operation counter |
//! | [`linear`] | linear algebra of small dense matrices |
//! | [`spatial`] | vectors, rotations, poses, motions, forces, inertias |
//! | [`beam`] | flexible links: sections, shapes, shape integrals |
//! | [`arm`] | the model: links, joints, springs, force elements, frames, checks |
//! | [`dynamics`] | the recursions, one algorithm per file, and methods of an arm that call them |
//! | [`compile`] | recursions as straight-line programs, machine code of them |
//! | [`analyse`] | equilibria, natural frequencies, stresses, sizing, linear systems |
//! | [`plan`] | paths through points, inverse kinematics, input shapers |
//! | [`integrate`] | integrators for ordinary differential equations; independent of robots |
//! | [`simulate`] | the engine of runs: signals, sensors, blocks, events, records |
//! | [`control`] | control laws, one per file, and state estimators |
//! | [`codegen`] | sources of an arm in C, Rust and CUDA |
//! | [`reproduce`] | the published algorithms as published; only `scenario` uses it |
//! | [`scenario`] | scenarios as plain data, ready to run, and the figures of their runs |
//! | [`study`] | designs of many runs, sensitivities, Pareto fronts, optimisation; independent of robots |
//!
//! Every error has its [`Help`]: what would be right.
//!
//! SI units and radians throughout. Spatial vectors have the linear part first. Quaternions are
//! `(w, x, y, z)`. Contact, closed kinematic loops, plates and solids are not part of pliant.

mod boxed;
mod help;

pub mod name;
pub mod scalar;
pub mod linear;
pub mod spatial;
pub mod beam;
pub mod arm;
pub mod dynamics;
pub mod compile;
pub mod analyse;
pub mod plan;
pub mod integrate;
pub mod simulate;
pub mod control;
pub mod codegen;
pub mod reproduce;
pub mod scenario;
pub mod study;

pub use help::Help;
pub use nalgebra;
pub use pliant_jit;
