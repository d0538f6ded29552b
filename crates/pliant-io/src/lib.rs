//! Files in and out: arm files, with errors that point at the line and say how to mend it.
//!
//! What is wrong with a file is a [`Report`] of [`Problem`]s, each with a [`Code`] that has a page
//! of its own. Everything wrong is reported at once; what is merely doubtful is a warning.

#[macro_use]
pub mod codes;
mod problem;
mod source;

pub use codes::Code;
pub use problem::{Problem, Report, Severity};
pub use source::Source;
