//! How a scenario is integrated.

use super::times::positive_time;
use crate::codes;
use crate::problem::Problem;
use crate::reader::{Fields, Reader};
use crate::results::Metadata;
use crate::units::{self, short};
use pliant::integrate::{Control, Dop853, Dopri5, GeneralisedAlpha, Radau5, Rk4};
use pliant::simulate::{Chosen, Demand, Recorder, RunError, Scenario, Summary, Watch};

/// The tolerance where none is given.
const TOLERANCE: f64 = 1e-9;

/// The spectral radius where none is given.
const SPECTRAL_RADIUS: f64 = 0.8;

/// Attempts from one landing to the next. A run that needs more would last for days.
const MOST_ATTEMPTS: usize = 100_000_000;

/// More steps of one length than this are refused.
const MOST_STEPS: f64 = 1e10;

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
    /// Generalised-alpha of order 2, implicit: for stiff structures whose fastest vibrations are of
    /// no interest.
    GeneralisedAlpha {
        /// The length of a step (s).
        step: f64,
        /// The factor by which each step shrinks what is far too fast for it.
        spectral_radius: f64,
    },
}

/// What a file asks for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Asked {
    /// This one.
    For(Method),
    /// The one that suits.
    Auto {
        /// Relative and absolute.
        tolerance: f64,
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
            Self::GeneralisedAlpha { .. } => "generalised-alpha",
        }
    }

    /// Its name and what it was told, for people.
    pub fn describe(self) -> String {
        let name = self.name();
        match self {
            Self::Dop853 { tolerance }
            | Self::Dopri5 { tolerance }
            | Self::Radau5 { tolerance } => format!("{name}, tolerance {tolerance:e}"),
            Self::Rk4 { step } => format!("{name}, step {} s", short(step)),
            Self::GeneralisedAlpha { step, spectral_radius } => {
                let radius = short(spectral_radius);
                format!("{name}, step {} s, spectral radius {radius}", short(step))
            }
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
            Self::GeneralisedAlpha { step, spectral_radius } => {
                metadata.step = Some(step);
                metadata.spectral_radius = Some(spectral_radius);
            }
        }
    }

    /// Runs a scenario into any recorder. A new method gets its line here.
    pub fn run<R: Recorder, W: Watch>(
        self,
        scenario: &mut Scenario<'_>,
        recorder: &mut R,
        watch: &mut W,
    ) -> Result<Summary, RunError<R::Error>> {
        use pliant::simulate::run;
        let control = |tolerance| Control::new(tolerance).max_steps(MOST_ATTEMPTS);
        match self {
            Self::Dop853 { tolerance } => {
                run(scenario, Dop853::new(control(tolerance)), recorder, watch)
            }
            Self::Dopri5 { tolerance } => {
                run(scenario, Dopri5::new(control(tolerance)), recorder, watch)
            }
            Self::Radau5 { tolerance } => {
                run(scenario, Radau5::new(control(tolerance)), recorder, watch)
            }
            Self::Rk4 { step } => run(scenario, Rk4::new(step), recorder, watch),
            Self::GeneralisedAlpha { step, spectral_radius } => {
                let method = GeneralisedAlpha::new(step).spectral_radius(spectral_radius);
                run(scenario, method, recorder, watch)
            }
        }
    }
}

impl Asked {
    /// The method for a scenario, and why, where it was not asked for.
    pub(super) fn settle(self, scenario: &Scenario<'_>) -> (Method, Option<String>) {
        let tolerance = match self {
            Self::For(method) => return (method, None),
            Self::Auto { tolerance } => tolerance,
        };
        let sensors = scenario.sensors.iter().map(|sensor| sensor.clock);
        let clocks = sensors.chain(scenario.parts.iter().map(|part| part.clock));
        let landing = clocks.map(|clock| clock.period()).fold(f64::INFINITY, f64::min);
        let demand = Demand::of(scenario.arm, &scenario.q, scenario.duration, tolerance);
        match demand {
            Ok(demand) => {
                let choice = Demand { landing, ..demand }.choose();
                let method = match choice.method {
                    Chosen::GeneralisedAlpha { .. } if scenario.dynamics.is_some() => {
                        let reason = "the arm is stiff, and generalised-alpha does not know the equations that it asks for";
                        return (Method::Radau5 { tolerance }, Some(reason.to_owned()));
                    }
                    Chosen::Dop853 { tolerance } => Method::Dop853 { tolerance },
                    Chosen::Radau5 { tolerance } => Method::Radau5 { tolerance },
                    Chosen::GeneralisedAlpha { step } => {
                        Method::GeneralisedAlpha { step, spectral_radius: SPECTRAL_RADIUS }
                    }
                };
                (method, Some(choice.reason))
            }
            Err(error) => {
                let reason = format!("the frequencies are not known: {error}");
                (Method::Dop853 { tolerance }, Some(reason))
            }
        }
    }
}

/// Reads `method`, `tolerance`, `step` and `spectral_radius`.
pub(super) fn method(reader: &mut Reader, fields: &Fields<'_>) -> Option<Asked> {
    let name = reader.choice(fields, "method")?;
    if ["rk4", "generalised-alpha"].contains(&name) {
        refuse_foreign(
            reader,
            fields,
            (name, "tolerance"),
            "steps of one length and no tolerance",
            "give step = \"1 ms\", or leave out the method",
        )?;
        let step = step(reader, fields, name);
        if name == "rk4" {
            refuse_radius(reader, fields, name)?;
            return Some(Asked::For(Method::Rk4 { step: step? }));
        }
        let spectral_radius = spectral_radius(reader, fields);
        let method = Method::GeneralisedAlpha { step: step?, spectral_radius: spectral_radius? };
        return Some(Asked::For(method));
    }
    refuse_foreign(
        reader,
        fields,
        (name, "step"),
        "a tolerance, from which its steps follow",
        "give tolerance = 1e-9, or method = \"rk4\" or \"generalised-alpha\"",
    )?;
    refuse_radius(reader, fields, name)?;
    let tolerance = tolerance(reader, fields)?;
    Some(match name {
        "dop853" => Asked::For(Method::Dop853 { tolerance }),
        "dopri5" => Asked::For(Method::Dopri5 { tolerance }),
        "radau5" => Asked::For(Method::Radau5 { tolerance }),
        _ => Asked::Auto { tolerance },
    })
}

fn refuse_radius(reader: &mut Reader, fields: &Fields<'_>, name: &str) -> Option<()> {
    refuse_foreign(
        reader,
        fields,
        (name, "spectral_radius"),
        "no spectral radius",
        "remove it, or give method = \"generalised-alpha\" and a step",
    )
}

/// Refuses a key that belongs to another method.
fn refuse_foreign(
    reader: &mut Reader,
    fields: &Fields<'_>,
    (name, key): (&str, &str),
    has: &str,
    help: &str,
) -> Option<()> {
    let Some(entry) = fields.entry(key) else {
        return Some(());
    };
    let who = if name == "auto" { "a method chosen by itself" } else { name };
    reader.push(
        Problem::error(&codes::CONFLICT, format!("{who} has {has}"))
            .at(entry.key_span.clone())
            .label(format!("not for {who}"))
            .help(help),
    );
    None
}

fn step(reader: &mut Reader, fields: &Fields<'_>, name: &str) -> Option<f64> {
    let Some(node) = fields.get("step") else {
        reader.push(
            Problem::error(&codes::MISSING_KEY, format!("{name} needs a step"))
                .at(fields.span_of("method"))
                .label("of which length?")
                .help("add step = \"1 ms\""),
        );
        return None;
    };
    let step = positive_time(reader, "step", node)?;
    // a bad duration is told elsewhere
    let duration = fields
        .get("duration")
        .and_then(|node| Reader::default().number("duration", node, &units::TIME));
    let count = duration.unwrap_or(step) / step;
    if count > MOST_STEPS {
        reader.push(
            Problem::error(
                &codes::METHOD,
                format!("the run would take {count:.0e} steps of {} s", short(step)),
            )
            .at(node.span.clone())
            .label("too short")
            .help("give step = \"1 ms\", or a method with a tolerance"),
        );
        return None;
    }
    Some(step)
}

fn spectral_radius(reader: &mut Reader, fields: &Fields<'_>) -> Option<f64> {
    let range = 0.0..=1.0;
    within(reader, fields, ("spectral_radius", SPECTRAL_RADIUS), range, "no such factor")
}

fn tolerance(reader: &mut Reader, fields: &Fields<'_>) -> Option<f64> {
    within(reader, fields, ("tolerance", TOLERANCE), 1e-15..=0.1, "cannot be kept")
}

/// A plain number within a range, or the usual one.
fn within(
    reader: &mut Reader,
    fields: &Fields<'_>,
    (key, usual): (&str, f64),
    range: std::ops::RangeInclusive<f64>,
    label: &str,
) -> Option<f64> {
    let Some(node) = fields.get(key) else {
        return Some(usual);
    };
    let number = reader.number(key, node, &units::NUMBER)?;
    if range.contains(&number) {
        return Some(number);
    }
    let (least, most) = (range.start(), range.end());
    reader.push(
        Problem::error(
            &codes::METHOD,
            format!("{key} is {number:?}, wanted is a number from {least:?} to {most:?}"),
        )
        .at(node.span.clone())
        .label(label)
        .help(format!("write {key} = {usual:?}")),
    );
    None
}
