//! How a scenario is integrated.

use super::shapes::Lasting;
use crate::codes;
use crate::problem::Problem;
use crate::reader::Reader;
use crate::results::Metadata;
use crate::shapes::{Number, Plain, Word, Words as _, words};
use crate::table::{Field, table};
use pliant::simulate::IntegrationMethod;

/// What is taken where nothing is given.
pub(super) const TOLERANCE: f64 = IntegrationMethod::TOLERANCE;
pub(super) const SPECTRAL_RADIUS: f64 = IntegrationMethod::SPECTRAL_RADIUS;

/// The step (s) where none is given, which has been told.
const USUAL_STEP: f64 = 1e-3;

/// The methods by name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Name {
    Auto,
    Dop853,
    Dopri5,
    Adams,
    Radau5,
    Rk4,
    GeneralisedAlpha,
}

words! {
    Name:
    "auto" => Name::Auto,
    "dop853" => Name::Dop853,
    "dopri5" => Name::Dopri5,
    "adams" => Name::Adams,
    "radau5" => Name::Radau5,
    "rk4" => Name::Rk4,
    "generalised-alpha" => Name::GeneralisedAlpha,
}

table! {
    /// How a scenario is integrated.
    pub(crate) struct MethodKeys = "a method", "write method = \"dop853\" and tolerance = 1e-9";
    also { "integrator" => "method", "dt" => "step", "rho" => "spectral_radius", "rho_inf" => "spectral_radius" }
    keys {
        /// The integrator: dop853 (order 8) and dopri5 (order 5) with adaptive steps; adams, of
        /// the orders 1 to 12 with adaptive steps, for smooth motions without ticks; radau5,
        /// implicit with adaptive steps, for stiff arms; rk4, of order 4 with a fixed step;
        /// generalised-alpha, implicit, of order 2 with a fixed step, which damps vibrations too
        /// fast for it; auto changes between dop853 and radau5 during the run by the operations
        /// that they need, which are counted, and reports what it foresaw.
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

/// Says in the metadata what a method was told.
pub(super) fn tell(method: IntegrationMethod, metadata: &mut Metadata) {
    match method {
        IntegrationMethod::Rk4 { step } => metadata.step = Some(step),
        IntegrationMethod::GeneralisedAlpha { step, spectral_radius } => {
            metadata.step = Some(step);
            metadata.spectral_radius = Some(spectral_radius);
        }
        IntegrationMethod::Auto { tolerance }
        | IntegrationMethod::Dop853 { tolerance }
        | IntegrationMethod::Dopri5 { tolerance }
        | IntegrationMethod::Adams { tolerance }
        | IntegrationMethod::Radau5 { tolerance } => {
            metadata.relative_tolerance = Some(tolerance);
            metadata.absolute_tolerance = Some(tolerance);
        }
        _ => {}
    }
}

/// The method that is asked for.
pub(super) fn method(reader: &mut Reader, keys: &MethodKeys) -> Option<IntegrationMethod> {
    let name = keys.method.value?;
    let with_tolerance = |reader: &mut Reader| {
        let has = "a tolerance, from which its steps follow";
        let help = "give tolerance = 1e-9, or method = \"rk4\" or \"generalised-alpha\"";
        refuse_foreign(reader, name, &keys.step, has, help)?;
        refuse_radius(reader, name, keys)?;
        keys.tolerance.value
    };
    let with_step = |reader: &mut Reader| {
        let has = "steps of one length and no tolerance";
        let help = "give step = \"1 ms\", or leave out the method";
        refuse_foreign(reader, name, &keys.tolerance, has, help)?;
        step(reader, name, keys)
    };
    Some(match name {
        Name::Auto => IntegrationMethod::Auto { tolerance: with_tolerance(reader)? },
        Name::Dop853 => IntegrationMethod::Dop853 { tolerance: with_tolerance(reader)? },
        Name::Dopri5 => IntegrationMethod::Dopri5 { tolerance: with_tolerance(reader)? },
        Name::Adams => IntegrationMethod::Adams { tolerance: with_tolerance(reader)? },
        Name::Radau5 => IntegrationMethod::Radau5 { tolerance: with_tolerance(reader)? },
        Name::Rk4 => {
            let step = with_step(reader);
            refuse_radius(reader, name, keys)?;
            IntegrationMethod::Rk4 { step: step? }
        }
        Name::GeneralisedAlpha => {
            // the radius is looked at although there is no step
            let step = with_step(reader).unwrap_or(USUAL_STEP);
            let spectral_radius = keys.spectral_radius.value?;
            IntegrationMethod::GeneralisedAlpha { step, spectral_radius }
        }
    })
}

impl MethodKeys {
    /// What a file says about a method.
    pub(super) fn of(method: IntegrationMethod) -> Self {
        let name = |name: Name| Self { method: name.into(), ..Self::default() };
        let adaptive =
            |own: Name, tolerance: f64| Self { tolerance: tolerance.into(), ..name(own) };
        match method {
            IntegrationMethod::Dop853 { tolerance } => adaptive(Name::Dop853, tolerance),
            IntegrationMethod::Dopri5 { tolerance } => adaptive(Name::Dopri5, tolerance),
            IntegrationMethod::Adams { tolerance } => adaptive(Name::Adams, tolerance),
            IntegrationMethod::Radau5 { tolerance } => adaptive(Name::Radau5, tolerance),
            IntegrationMethod::Rk4 { step } => Self { step: step.into(), ..name(Name::Rk4) },
            IntegrationMethod::GeneralisedAlpha { step, spectral_radius } => Self {
                step: step.into(),
                spectral_radius: spectral_radius.into(),
                ..name(Name::GeneralisedAlpha)
            },
            IntegrationMethod::Auto { tolerance } => adaptive(Name::Auto, tolerance),
            // methods of later versions of the core
            _ => Self::default(),
        }
    }
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
        Name::Auto => "the automatic method",
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

fn step(reader: &mut Reader, name: Name, keys: &MethodKeys) -> Option<f64> {
    if !keys.step.is_given() {
        let name = name.in_a_word();
        reader.push(
            Problem::error(&codes::MISSING_KEY, format!("{name} needs a step"))
                .at(keys.method.span_or(&keys.span))
                .label("of which length?")
                .help("add step = \"1 ms\""),
        );
    }
    keys.step.value
}
