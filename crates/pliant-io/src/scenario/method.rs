//! How a scenario is integrated.

use super::shapes::Lasting;
use crate::codes;
use crate::problem::Problem;
use crate::reader::Reader;
use crate::results::Metadata;
use crate::shapes::{Number, Plain, Word, Words as _, words};
use crate::table::{Field, table};
use crate::units::short;
use pliant::Help;
use pliant::integrate::{Control, Dop853, Dopri5, GeneralisedAlpha, Radau5, Rk4};
use pliant::simulate::{
    ChosenMethod, MethodDemand, ProgressMonitor, Recorder, RunError, Scenario, Summary,
};

/// The tolerance where none is given.
const TOLERANCE: f64 = 1e-9;

/// The spectral radius where none is given.
const SPECTRAL_RADIUS: f64 = 0.8;

/// Attempts from one landing to the next. A run that needs more would last for days.
const MOST_ATTEMPTS: usize = 100_000_000;

/// More steps of one length than this are refused.
const MOST_STEPS: f64 = 1e10;

/// The methods by name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Name {
    Auto,
    Dop853,
    Dopri5,
    Radau5,
    Rk4,
    GeneralisedAlpha,
}

words! {
    Name:
    "auto" => Name::Auto,
    "dop853" => Name::Dop853,
    "dopri5" => Name::Dopri5,
    "radau5" => Name::Radau5,
    "rk4" => Name::Rk4,
    "generalised-alpha" => Name::GeneralisedAlpha,
}

table! {
    /// How a scenario is integrated.
    pub(crate) struct MethodKeys = "a method", "write method = \"dop853\" and tolerance = 1e-9";
    also { "integrator" => "method", "dt" => "step", "rho" => "spectral_radius", "rho_inf" => "spectral_radius" }
    keys {
        /// The integrator: dop853 (order 8) and dopri5 (order 5) with adaptive steps; radau5,
        /// implicit with adaptive steps, for stiff arms; rk4, of order 4 with a fixed step;
        /// generalised-alpha, implicit, of order 2 with a fixed step, which damps vibrations too
        /// fast for it; auto chooses by the highest frequency and reports why.
        method: Word<Name> [= Name::Auto],
        /// The relative and absolute error allowed in each step; not for methods with a fixed step.
        tolerance: Number<Plain> [= TOLERANCE],
        /// The step size, for rk4 and generalised-alpha.
        step: Lasting [or "not needed by methods with a tolerance"],
        /// For generalised-alpha: the spectral radius at infinite frequency, from 0 to 1, the
        /// factor by which each step damps vibrations much faster than the step.
        spectral_radius: Number<Plain> [= SPECTRAL_RADIUS],
    }
}

/// A method of integration and what it needs.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum IntegrationMethod {
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
    For(IntegrationMethod),
    /// The one that suits.
    Auto {
        /// Relative and absolute.
        tolerance: f64,
    },
}

impl IntegrationMethod {
    /// Its name in files.
    pub fn name(self) -> &'static str {
        let name = match self {
            Self::Dop853 { .. } => Name::Dop853,
            Self::Dopri5 { .. } => Name::Dopri5,
            Self::Radau5 { .. } => Name::Radau5,
            Self::Rk4 { .. } => Name::Rk4,
            Self::GeneralisedAlpha { .. } => Name::GeneralisedAlpha,
        };
        name.in_a_word()
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
    pub fn run<R: Recorder, W: ProgressMonitor>(
        self,
        scenario: &mut Scenario,
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
    pub(super) fn settle(self, scenario: &Scenario) -> (IntegrationMethod, Option<String>) {
        let tolerance = match self {
            Self::For(method) => return (method, None),
            Self::Auto { tolerance } => tolerance,
        };
        let sensors = scenario.sensors.iter().map(|sensor| sensor.clock);
        let clocks = sensors.chain(scenario.blocks.iter().map(|block| block.clock));
        let landing = clocks.map(|clock| clock.period()).fold(f64::INFINITY, f64::min);
        let demand = MethodDemand::of(&scenario.arm, &scenario.q, scenario.duration, tolerance);
        match demand {
            Ok(demand) => {
                let choice = MethodDemand { landing, ..demand }.choose();
                let method = match choice.method {
                    ChosenMethod::GeneralisedAlpha { .. } if scenario.dynamics.is_some() => {
                        let reason = "the arm is stiff, and generalised-alpha does not know the equations that it asks for";
                        return (IntegrationMethod::Radau5 { tolerance }, Some(reason.to_owned()));
                    }
                    ChosenMethod::Dop853 { tolerance } => IntegrationMethod::Dop853 { tolerance },
                    ChosenMethod::Radau5 { tolerance } => IntegrationMethod::Radau5 { tolerance },
                    ChosenMethod::GeneralisedAlpha { step } => {
                        IntegrationMethod::GeneralisedAlpha {
                            step,
                            spectral_radius: SPECTRAL_RADIUS,
                        }
                    }
                };
                (method, Some(choice.reason))
            }
            Err(error) => {
                let reason = format!("the frequencies are not known: {}", error.with_help());
                (IntegrationMethod::Dop853 { tolerance }, Some(reason))
            }
        }
    }
}

/// The method that is asked for, in a run of some duration (s).
pub(super) fn method(
    reader: &mut Reader,
    keys: &MethodKeys,
    duration: Option<f64>,
) -> Option<Asked> {
    let name = keys.method.value?;
    let with_tolerance = |reader: &mut Reader| {
        let has = "a tolerance, from which its steps follow";
        let help = "give tolerance = 1e-9, or method = \"rk4\" or \"generalised-alpha\"";
        refuse_foreign(reader, name, &keys.step, has, help)?;
        refuse_radius(reader, name, keys)?;
        within(reader, &keys.tolerance, (1e-15, 0.1), TOLERANCE, "cannot be kept")
    };
    let with_step = |reader: &mut Reader| {
        let has = "steps of one length and no tolerance";
        let help = "give step = \"1 ms\", or leave out the method";
        refuse_foreign(reader, name, &keys.tolerance, has, help)?;
        step(reader, name, keys, duration)
    };
    Some(match name {
        Name::Auto => Asked::Auto { tolerance: with_tolerance(reader)? },
        Name::Dop853 => {
            Asked::For(IntegrationMethod::Dop853 { tolerance: with_tolerance(reader)? })
        }
        Name::Dopri5 => {
            Asked::For(IntegrationMethod::Dopri5 { tolerance: with_tolerance(reader)? })
        }
        Name::Radau5 => {
            Asked::For(IntegrationMethod::Radau5 { tolerance: with_tolerance(reader)? })
        }
        Name::Rk4 => {
            let step = with_step(reader);
            refuse_radius(reader, name, keys)?;
            Asked::For(IntegrationMethod::Rk4 { step: step? })
        }
        Name::GeneralisedAlpha => {
            let (step, radius) = (with_step(reader), &keys.spectral_radius);
            let radius = within(reader, radius, (0.0, 1.0), SPECTRAL_RADIUS, "no such factor");
            Asked::For(IntegrationMethod::GeneralisedAlpha {
                step: step?,
                spectral_radius: radius?,
            })
        }
    })
}

fn refuse_radius(reader: &mut Reader, name: Name, keys: &MethodKeys) -> Option<()> {
    let help = "remove it, or give method = \"generalised-alpha\" and a step";
    refuse_foreign(reader, name, &keys.spectral_radius, "no spectral radius", help)
}

/// Refuses a key that belongs to another method.
fn refuse_foreign(
    reader: &mut Reader,
    name: Name,
    field: &Field<f64>,
    has: &str,
    help: &str,
) -> Option<()> {
    let Some(place) = field.given() else {
        return Some(());
    };
    let who = match name {
        Name::Auto => "a method chosen by itself",
        name => name.in_a_word(),
    };
    reader.push(
        Problem::error(&codes::CONFLICT, format!("{who} has {has}"))
            .at(place.key.clone())
            .label(format!("not for {who}"))
            .help(help),
    );
    None
}

fn step(reader: &mut Reader, name: Name, keys: &MethodKeys, duration: Option<f64>) -> Option<f64> {
    let Some(place) = keys.step.given() else {
        let name = name.in_a_word();
        reader.push(
            Problem::error(&codes::MISSING_KEY, format!("{name} needs a step"))
                .at(keys.method.span_or(&keys.span))
                .label("of which length?")
                .help("add step = \"1 ms\""),
        );
        return None;
    };
    let step = keys.step.value?;
    // a bad duration is told elsewhere
    let count = duration.unwrap_or(step) / step;
    if count > MOST_STEPS {
        reader.push(
            Problem::error(
                &codes::METHOD,
                format!("the run would take {count:.0e} steps of {} s", short(step)),
            )
            .at(place.value.clone())
            .label("too short")
            .help("give step = \"1 ms\", or a method with a tolerance"),
        );
        return None;
    }
    Some(step)
}

/// A plain number from one to another.
fn within(
    reader: &mut Reader,
    field: &Field<f64>,
    (least, most): (f64, f64),
    usual: f64,
    label: &str,
) -> Option<f64> {
    let number = field.value?;
    if (least..=most).contains(&number) {
        return Some(number);
    }
    let key = field.name();
    reader.push(
        Problem::error(
            &codes::METHOD,
            format!("{key} is {number:?}, wanted is a number from {least:?} to {most:?}"),
        )
        .at(field.span()?)
        .label(label)
        .help(format!("write {key} = {usual:?}")),
    );
    None
}
