//! What cannot work, said at a key.

use crate::codes::{self, Code};
use crate::problem::Problem;
use crate::reader::Reader;
use pliant::Help;
use std::ops::Range;

/// A part of scenarios, and how one is refused.
pub(super) struct Part {
    code: &'static Code,
    label: &'static str,
    /// What to do where an error of the library does not say it.
    usual_help: &'static str,
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

    /// Refuses what the library refuses.
    pub(super) fn refuse_error(&self, reader: &mut Reader, span: Range<usize>, error: &dyn Help) {
        let help = error.help().unwrap_or_else(|| self.usual_help.to_owned());
        self.refuse(reader, span, error.to_string(), help);
    }
}
