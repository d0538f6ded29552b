//! How a scenario is integrated.

use super::keys::METHODS;
use super::times::positive_time;
use crate::codes;
use crate::problem::Problem;
use crate::reader::{Fields, Reader};
use crate::results::Metadata;
use crate::units::{self, short};
use pliant::integrate::{Control, Dop853, Dopri5, Radau5, Rk4};
use pliant::simulate::{Recorder, RunError, Scenario, Summary, Watch};

/// The tolerance where none is given.
const TOLERANCE: f64 = 1e-9;

/// Attempts from one landing to the next. A run that needs more would last for days.
const MOST_ATTEMPTS: usize = 100_000_000;

/// A method of integration and what it needs.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Method {
    /// Dormand and Prince's pair of order 8.
    Dop853 {
        /// Relative and absolute.
        tolerance: f64,
    },
    /// Dormand and Prince's pair of order 5.
    Dopri5 {
        /// Relative and absolute.
        tolerance: f64,
    },
    /// Radau IIA of order 5, implicit: for stiff arms.
    Radau5 {
        /// Relative and absolute.
        tolerance: f64,
    },
    /// The classical method of order 4.
    Rk4 {
        /// The length of a step (s).
        step: f64,
    },
}

impl Method {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Dop853 { .. } => "dop853",
            Self::Dopri5 { .. } => "dopri5",
            Self::Radau5 { .. } => "radau5",
            Self::Rk4 { .. } => "rk4",
        }
    }

    /// Its name and what it was told, for people.
    pub fn describe(self) -> String {
        match self {
            Self::Dop853 { tolerance }
            | Self::Dopri5 { tolerance }
            | Self::Radau5 { tolerance } => {
                format!("{}, tolerance {tolerance:e}", self.name())
            }
            Self::Rk4 { step } => format!("rk4, step {step} s"),
        }
    }

    /// Says in the metadata what it was told.
    pub(super) fn tell(self, metadata: &mut Metadata) {
        match self {
            Self::Dop853 { tolerance }
            | Self::Dopri5 { tolerance }
            | Self::Radau5 { tolerance } => {
                metadata.relative_tolerance = Some(tolerance);
                metadata.absolute_tolerance = Some(tolerance);
            }
            Self::Rk4 { step } => metadata.step = Some(step),
        }
    }

    /// Runs a scenario. A new method gets its line here.
    pub(super) fn run<R: Recorder, W: Watch>(
        self,
        scenario: &mut Scenario<'_>,
        recorder: &mut R,
        watch: &mut W,
    ) -> Result<Summary, RunError<R::Error>> {
        let control = |tolerance| Control::new(tolerance).max_steps(MOST_ATTEMPTS);
        match self {
            Self::Dop853 { tolerance } => {
                pliant::simulate::run(scenario, Dop853::new(control(tolerance)), recorder, watch)
            }
            Self::Dopri5 { tolerance } => {
                pliant::simulate::run(scenario, Dopri5::new(control(tolerance)), recorder, watch)
            }
            Self::Radau5 { tolerance } => {
                pliant::simulate::run(scenario, Radau5::new(control(tolerance)), recorder, watch)
            }
            Self::Rk4 { step } => pliant::simulate::run(scenario, Rk4::new(step), recorder, watch),
        }
    }
}

/// Reads `method`, `tolerance` and `step`.
pub(super) fn method(reader: &mut Reader, fields: &Fields<'_>) -> Option<Method> {
    let name = match fields.get("method") {
        Some(node) => reader.word("method", node, METHODS.iter().copied())?,
        None => "dop853",
    };
    let foreign = if name == "rk4" { "tolerance" } else { "step" };
    if let Some(entry) = fields.entry(foreign) {
        let (has, help) = if name == "rk4" {
            ("steps of one length and no tolerance", "give step = \"1 ms\", or method = \"dop853\"")
        } else {
            (
                "a tolerance, from which its steps follow",
                "give tolerance = 1e-9, or method = \"rk4\"",
            )
        };
        reader.push(
            Problem::error(&codes::CONFLICT, format!("{name} has {has}"))
                .at(entry.key_span.clone())
                .label(format!("not for {name}"))
                .help(help),
        );
        return None;
    }
    if name == "rk4" {
        let Some(node) = fields.get("step") else {
            reader.push(
                Problem::error(&codes::MISSING_KEY, "rk4 needs a step")
                    .at(fields.span_of("method"))
                    .label("of which length?")
                    .help("add step = \"1 ms\""),
            );
            return None;
        };
        return Some(Method::Rk4 { step: positive_time(reader, "step", node)? });
    }
    let tolerance = match fields.get("tolerance") {
        Some(node) => {
            let tolerance = reader.number("tolerance", node, &units::NUMBER)?;
            if !(1e-15..=0.1).contains(&tolerance) {
                let is = short(tolerance);
                reader.push(
                    Problem::error(
                        &codes::NOT_POSITIVE,
                        format!("tolerance is {is}, wanted is a number from 1e-15 to 0.1"),
                    )
                    .at(node.span.clone())
                    .label("cannot be kept")
                    .help("write tolerance = 1e-9"),
                );
                return None;
            }
            tolerance
        }
        None => TOLERANCE,
    };
    Some(match name {
        "dopri5" => Method::Dopri5 { tolerance },
        "radau5" => Method::Radau5 { tolerance },
        _ => Method::Dop853 { tolerance },
    })
}
