//! Where an arm should go: paths through points, and the joints that put the tip there.
//!
//! A [`Path`] is a function of time with rates and accelerations, in joint or in tip space. The
//! [`IkSolver`] finds joints for a place or pose of a frame of any chain on a fixed base, rigid or
//! sagging under its weight. [`follow`](follow()) turns the path of a tip into one of joints, and a
//! [`Shaper`] makes a path that leaves no vibration behind.

mod error;
mod follow;
mod goal;
mod path;
mod posture;
mod profile;
mod quintic;
mod shaping;
mod solver;
mod tip;

pub use error::{IkError, PathError, PlanError};
pub use follow::{PathFollower, follow};
pub use goal::{IkGoal, IkResidual};
pub use path::Path;
pub use profile::TimeScaling;
pub use shaping::{Servo, ShapedMode, Shaper, ShaperError, ShaperKind, vibrations};
pub use solver::{IkSolution, IkSolver};
pub use tip::{Tip, TipPath};
