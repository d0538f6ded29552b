//! The textbook cantilever with the user's own links.

use super::super::info::beams::{family, ways};
use crate::figures::{figure, table};
use pliant::Help;
use pliant::analyse::{
    CantileverCheck, CantileverComparison, CantileverQuantity, LoadedBeam, REFINEMENTS,
};
use pliant::arm::{Arm, Builder};
use pliant::beam::{Basis, Beam, ShapeLoad, TipLoad};
use serde_json::{Value, json};
use std::f64::consts::TAU;
use std::fmt::Write as _;
use std::path::Path;

/// A difference that is small enough.
const GOOD: f64 = 0.005;

/// A bending link, compared with the textbook.
pub(super) struct Tried {
    link: String,
    loaded: LoadedBeam,
    trials: Option<Vec<Trial>>,
    verdict: String,
}

/// A comparison in the units in which it is shown.
struct Trial {
    name: String,
    unit: &'static str,
    textbook: f64,
    computed: Option<f64>,
    judged: bool,
}

impl Trial {
    fn new(own: &CantileverComparison) -> Self {
        let (name, unit, scale) = words(own.quantity);
        Self {
            name,
            unit,
            textbook: scale * own.textbook,
            computed: own.computed.map(|x| scale * x),
            judged: own.judged,
        }
    }

    /// How far the computed number is off, relative.
    fn difference(&self) -> Option<f64> {
        Some(self.computed? / self.textbook - 1.0)
    }
}

/// The name of a quantity, the unit in which it is shown, and how many of these an SI unit has.
fn words(quantity: CantileverQuantity) -> (String, &'static str, f64) {
    use CantileverQuantity as Q;
    let axis = |plane: usize| if plane == 0 { "y" } else { "z" };
    match quantity {
        Q::TipFlexibility { plane } => (format!("tip along {} under 1 N", axis(plane)), "mm", 1e3),
        Q::Sag { plane } => (format!("tip along {} under the weight", axis(plane)), "mm", 1e3),
        Q::RootMoment { plane } => {
            (format!("root moment of the weight along {}", axis(plane)), "N m", 1.0)
        }
        Q::Twist => ("twist under 1 N m".to_owned(), "deg", 1.0_f64.to_degrees()),
        Q::Stretch => ("stretch under 1 N".to_owned(), "mm", 1e3),
        Q::BendingFrequency { plane, number } => {
            (format!("bending along {}, frequency {number}", axis(plane)), "Hz", 1.0 / TAU)
        }
        Q::TwistFrequency => ("twist, frequency 1".to_owned(), "Hz", 1.0 / TAU),
        Q::BucklingLoad { plane } => (format!("buckling along {}", axis(plane)), "N", 1.0),
    }
}

/// Tries all links that bend; `begin` is told which one is next.
pub(super) fn try_all(arm: &Arm, description: &Builder, begin: impl Fn(&str)) -> Vec<Tried> {
    let compare = |(name, described): (&str, &Beam)| {
        begin(name);
        let loaded = arm.as_cantilever(name, described);
        let (trials, verdict) = match CantileverCheck::new(loaded.clone()) {
            Ok(check) => {
                (Some(check.comparisons.iter().map(Trial::new).collect()), verdict(&check))
            }
            Err(why) => (None, format!("it cannot be compared: {}", why.with_help())),
        };
        Tried { link: name.to_owned(), loaded, trials, verdict }
    };
    description.beams().map(compare).collect()
}

/// The load that formed the shapes, if there is one.
fn formed_by(basis: &Basis) -> String {
    match basis {
        Basis::ClampedMass { load: ShapeLoad::Given(load), .. }
        | Basis::Eigenmodes { load: ShapeLoad::Given(load), .. }
            if load.mass > 0.0 =>
        {
            format!(", for {} kg at the tip", figure(load.mass, 0.0))
        }
        _ => String::new(),
    }
}

/// What hangs on the tip.
fn carries(load: &TipLoad) -> String {
    if load.mass <= 0.0 {
        return "free tip".to_owned();
    }
    let (mass, offset) = (figure(load.mass, 0.0), figure(load.offset.abs(), load.mass));
    match load.offset {
        0.0 => format!("{mass} kg on its tip"),
        ahead if ahead > 0.0 => format!("{mass} kg centred {offset} m beyond its tip"),
        _ => format!("{mass} kg centred {offset} m before its tip"),
    }
}

fn percent(part: f64) -> String {
    format!("{:.2} %", 100.0 * part)
}

/// Whether the shapes are enough, and which would be.
fn verdict(check: &CantileverCheck) -> String {
    let Some((worst, off)) = check.worst() else { return "nothing to judge".to_owned() };
    let (beam, name) = (&check.loaded.beam, words(worst.quantity).0);
    let goal = format!("{} %", figure(100.0 * GOOD, 0.0));
    let own = format!("{} ({})", ways(beam), family(&beam.basis));
    if off <= GOOD {
        return format!(
            "{own} is sufficient: deflections and first frequencies are within {goal}; the largest error is {name}, {}",
            percent(off)
        );
    }
    let was_elements = matches!(beam.basis, Basis::Hermite { .. });
    let remedy = match check.sufficient_basis(GOOD) {
        None => format!("{REFINEMENTS} more do not bring it below {goal}"),
        Some(Basis::Hermite { elements, .. }) if !was_elements => {
            let enough = match elements {
                1 => "one element does".to_owned(),
                n => format!("{n} elements do"),
            };
            format!(
                "{REFINEMENTS} more shapes per direction do not bring it below {goal}, {enough} (shapes = \"elements\", elements = {elements})"
            )
        }
        Some(Basis::ClampedMass { .. }) if matches!(beam.basis, Basis::ClampedFree(_)) => format!(
            "as many shapes for its load bring all errors below {goal} (shapes = \"clamped-mass\")"
        ),
        Some(basis) => {
            let elements = match basis {
                Basis::Hermite { elements, .. } | Basis::Eigenmodes { elements, .. } => {
                    format!(" (elements = {elements})")
                }
                _ => String::new(),
            };
            let more = ways(&Beam { basis, ..beam.clone() });
            format!("{more}{elements} brings all errors below {goal}")
        }
    };
    let left = if off.is_finite() {
        format!("an error of {} in", percent(off))
    } else {
        "no result for".to_owned()
    };
    format!("{own} gives {left} {name}; {remedy}")
}

pub(super) fn as_text(links: &[Tried]) -> String {
    if links.is_empty() {
        return "  no flexible links; nothing to compare with the textbook\n".to_owned();
    }
    let mut text = String::new();
    for Tried { link, loaded, trials, verdict } in links {
        let beam = &loaded.beam;
        let length = figure(beam.length, 0.0);
        let _ = writeln!(
            text,
            "\n{link}: cantilever of {length} m, clamped at the root, {}; {}, {}{}",
            carries(&loaded.load),
            ways(beam),
            family(&beam.basis),
            formed_by(&beam.basis)
        );
        if let Some(trials) = trials {
            let titles = ["test", "unit", "textbook", "computed", "difference"];
            let mut lines = vec![titles.map(str::to_owned).to_vec()];
            for trial in trials {
                let computed =
                    trial.computed.map_or("too few shapes".to_owned(), |x| figure(x, 0.0));
                let difference = match trial.difference() {
                    Some(part) if part.abs() < 5e-8 => "0 %".to_owned(),
                    Some(part) => format!("{:+.4} %", 100.0 * part),
                    None => String::new(),
                };
                let textbook = figure(trial.textbook, 0.0);
                lines.push(vec![
                    trial.name.clone(),
                    trial.unit.to_owned(),
                    textbook,
                    computed,
                    difference,
                ]);
            }
            text += &table(&lines, 2);
        }
        let _ = writeln!(text, "  {verdict}");
    }
    text
}

pub(super) fn as_json(path: &Path, links: &[Tried]) -> Value {
    let trial = |trial: &Trial| {
        json!({
            "trial": trial.name,
            "unit": trial.unit,
            "textbook": trial.textbook,
            "computed": trial.computed,
            "difference": trial.difference(),
            "judged": trial.judged,
        })
    };
    let links = links.iter().map(|tried| {
        let trials =
            tried.trials.as_ref().map(|trials| trials.iter().map(trial).collect::<Vec<_>>());
        json!({
            "link": tried.link,
            "length": tried.loaded.beam.length,
            "tip_mass": tried.loaded.load.mass,
            "tip_offset": tried.loaded.load.offset,
            "tip_inertia": tried.loaded.load.inertia,
            "gravity": tried.loaded.gravity.to_array(),
            "shapes": ways(&tried.loaded.beam),
            "family": family(&tried.loaded.beam.basis),
            "trials": trials.unwrap_or_default(),
            "verdict": tried.verdict,
        })
    });
    json!({ "file": path.to_string_lossy(), "links": links.collect::<Vec<_>>() })
}
