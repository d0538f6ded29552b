//! Trajectories: paths through points, inverse kinematics, reach, input shaping.
//!
//! A [`Path`] is a function of time with velocities and accelerations, in joint or in tip space. The
//! [`IkSolver`] finds joint positions for a position or pose of a frame of any chain on a fixed base,
//! rigid or with its static deflection. [`follow`](follow()) converts a tip path to a joint path, and
//! a [`Shaper`] shapes a path so that it leaves no residual vibration.

mod closed_form;
mod error;
mod follow;
mod goal;
mod path;
mod posture;
mod profile;
mod quintic;
mod reach;
mod shaping;
mod solutions;
mod solver;
mod subproblem;
mod tip;

pub use error::{IkError, PathError, PlanError};
pub use follow::{PathFollower, follow};
pub use goal::{IkGoal, IkResidual};
pub use path::Path;
pub use profile::TimeScaling;
pub use shaping::{Servo, ShapedMode, Shaper, ShaperError, ShaperKind, vibrations};
pub use solutions::{IkMethod, IkSolutions};
pub use solver::{IkSolution, IkSolver};
pub use tip::{Tip, TipPath};
