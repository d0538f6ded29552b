//! Collects what is wrong or doubtful while a file is read.

use super::codes;
use super::elements::shortened;
use crate::{Code, Problem, Severity};
use std::ops::Range;

/// How many errors, and how many warnings, are kept; the rest is counted.
const KEPT: usize = 40;

/// How many names a message lists, and how many elements and attributes that are not used.
const LISTED: usize = 6;
const LISTED_ASIDE: usize = 20;

/// The problems found so far.
#[derive(Default)]
pub(super) struct Findings {
    problems: Vec<Problem>,
    errors: usize,
    warnings: usize,
    groups: Vec<Group>,
}

/// What happens to many joints or links of a file and is said once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Common {
    /// Joints that follow others.
    Mimic,
    /// Joints with Coulomb friction.
    Friction,
    /// Joints without a range.
    NoRange,
    /// Joints with the range from zero to zero.
    EmptyRange,
    /// Continuous joints with a range.
    EndlessRange,
    /// Links with mass and without a tensor.
    PointMass,
    /// Damping of joints with several freedoms.
    Damping,
    /// Elements and attributes that are known and not used; the names are theirs.
    Aside,
}

struct Group {
    what: Common,
    span: Range<usize>,
    /// The first names, and how often each was met.
    names: Vec<(String, usize)>,
    /// How many others were met.
    more: usize,
}

impl Findings {
    /// Adds a problem.
    pub(super) fn push(&mut self, problem: Problem) {
        let count = match problem.severity {
            Severity::Error => &mut self.errors,
            Severity::Warning => &mut self.warnings,
        };
        *count += 1;
        if *count <= KEPT {
            self.problems.push(problem);
        }
    }

    /// Adds an error whose words take effort to find; they are sought only while errors are kept.
    pub(super) fn push_error(&mut self, error: impl FnOnce() -> Problem) {
        if self.errors < KEPT {
            self.push(error());
        } else {
            self.errors += 1;
        }
    }

    /// Adds a name to what is said once for all.
    pub(super) fn common(&mut self, what: Common, name: &str, span: Range<usize>) {
        let known = self.groups.iter().position(|group| group.what == what);
        let at = known.unwrap_or_else(|| {
            self.groups.push(Group { what, span, names: Vec::new(), more: 0 });
            self.groups.len() - 1
        });
        let group = &mut self.groups[at];
        match group.names.iter().position(|(known, _)| known == name) {
            Some(at) => group.names[at].1 += 1,
            None if group.names.len() < group.listed() => group.names.push((shortened(name), 1)),
            None => group.more += 1,
        }
    }

    /// Whether something must be mended.
    pub(super) fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// Everything, with the groups put into words, unless errors are more urgent.
    pub(super) fn into_problems(mut self) -> Vec<Problem> {
        for group in std::mem::take(&mut self.groups) {
            if !self.has_errors() {
                self.push(group.into_problem());
            }
        }
        for (count, more) in [
            (self.errors, Problem::error(&crate::codes::REFUSED, "")),
            (self.warnings, Problem::warning(&crate::codes::DOUBTFUL, "")),
        ] {
            if count > KEPT {
                let message = format!("{} more are not shown", count - KEPT);
                self.problems.push(Problem { message, ..more });
            }
        }
        self.problems
    }
}

impl Group {
    fn into_problem(self) -> Problem {
        let (code, fact, help): (&'static Code, &str, &str) = match self.what {
            Common::Mimic => (
                &codes::MIMIC,
                "<mimic> is not followed; imported as independent: joint",
                "move it together with the joint it follows, or make it fixed",
            ),
            Common::Friction => (
                &codes::FRICTION,
                "dry friction turns round over 0.01 rad/s or m/s, since a URDF gives no speed: joint",
                "convert it to an arm file and set coulomb_speed of its actuator",
            ),
            Common::NoRange => (
                &codes::RANGE,
                "no range is given: joint",
                "add `lower` and `upper` to its <limit>, or use the type `continuous`",
            ),
            Common::EmptyRange => (
                &codes::RANGE,
                "a range from 0 to 0 is taken as none: joint",
                "set `lower` and `upper` of its <limit>, or use the type `continuous`",
            ),
            Common::EndlessRange => (
                &codes::RANGE,
                "a continuous joint has no range, the one given is not used: joint",
                "use the type `revolute` if the range is meant",
            ),
            Common::PointMass => (
                &codes::POINT_MASS,
                "mass without an inertia tensor, taken as a point: link",
                "add `<inertia ixx=\"...\" iyy=\"...\" izz=\"...\"/>` to its <inertial>",
            ),
            Common::Damping => (
                &codes::LEFT_ASIDE,
                "one damping or friction for several freedoms is not used: joint",
                "convert the file, and give one number per freedom in the arm file",
            ),
            Common::Aside => (
                &codes::LEFT_ASIDE,
                "not used:",
                "nothing to mend, unless it was expected to matter",
            ),
        };
        let plural = if fact.ends_with(':') || self.names.len() == 1 { "" } else { "s" };
        let message = format!("{fact}{plural} {}", self.list());
        let problem = Problem::warning(code, message).help(help);
        match self.what {
            // all over the file
            Common::Aside => problem,
            _ => problem.at(self.span),
        }
    }

    fn listed(&self) -> usize {
        match self.what {
            Common::Aside => LISTED_ASIDE,
            _ => LISTED,
        }
    }

    /// `"a", "b" and 3 more`, or `2 gazebo, 1 transmission`.
    fn list(&self) -> String {
        let shown = self.names.iter().map(|(name, count)| match self.what {
            Common::Aside => format!("{count} {name}"),
            _ => format!("\"{name}\""),
        });
        let shown = shown.collect::<Vec<_>>().join(", ");
        match self.more {
            0 => shown,
            more => format!("{shown} and {more} more"),
        }
    }
}
