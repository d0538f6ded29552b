//! Laws that drive the motors of an arm from what is measured, one per file.
//!
//! Each is a [`Controller`](crate::simulate::Controller), to be put on a clock as a
//! [`Sampled`](crate::simulate::Sampled) part.

mod pd;

pub use pd::{JointPd, PdJoint};
