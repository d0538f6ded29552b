//! What cannot work, said at a key.

use crate::codes::{self, Code};
use crate::problem::Problem;
use crate::reader::Reader;
use std::ops::Range;

/// A part of scenarios, and how one is refused.
pub(super) struct Part {
    pub(super) code: &'static Code,
    pub(super) label: &'static str,
    /// What to do where an error of the library does not say it.
    pub(super) usual_help: &'static str,
}

/// Where controllers are to lead the arm.
pub(super) const PLAN: Part =
    Part { code: &codes::PLAN, label: "cannot be followed", usual_help: "change the plan" };

/// What drives motors.
pub(super) const CONTROLLER: Part = Part {
    code: &codes::CONTROLLER,
    label: "cannot work like this",
    usual_help: "change the controller",
};

impl Part {
    /// Refuses what stands here, and says what to do.
    pub(super) fn refuse(
        &self,
        reader: &mut Reader,
        span: Range<usize>,
        message: impl Into<String>,
        help: impl Into<String>,
    ) {
        reader.push(Problem::error(self.code, message).at(span).label(self.label).help(help));
    }
}
