//! Recursions as straight-line programs.
//!
//! The recursions compare nothing, so that for one arm each of them is always the same sequence of
//! operations. A [`Trace`] is this sequence, shortened without changing a number: what is done with
//! zeros, ones and constants of the arm is done once, what is done twice is done once, and what
//! nothing needs is not done. [`Parameters`] are numbers of the arm that stay inputs.

mod error;
mod evaluator;
mod folded;
mod model;
mod parameter_error;
mod parameters;
mod quantity;
mod rows;
mod trace;

pub use error::CompileError;
#[cfg(test)]
pub(crate) use evaluator::COMPILED;
pub use evaluator::Evaluator;
pub(crate) use folded::Folded;
pub use folded::Functions;
pub use parameter_error::ParameterError;
pub use parameters::{Parameter, Parameters};
pub use quantity::{Port, Quantity};
pub use rows::{RowBlock, RowEvaluator};
pub(crate) use trace::traced;
pub use trace::{Trace, sine_tape, stumpff_tape};
