//! The textbook cantilever with the user's own links.

mod trial;

use super::super::info::beams::{family, ways};
use super::super::modes::findings::finer;
use crate::figures::{figure, table};
use pliant::arm::{Arm, Builder, Link};
use pliant::beam::{Basis, Beam, ShapeLoad, Ways};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::Path;
use trial::Trial;

/// A difference that is small enough.
const GOOD: f64 = 0.005;
/// How many shapes more are tried, and how many elements.
const MORE: usize = 6;
const ELEMENTS: [usize; 9] = [1, 2, 3, 4, 5, 6, 8, 12, 16];

/// A bending link, tried.
pub(super) struct Tried {
    link: String,
    beam: Beam,
    outcome: Result<Vec<Trial>, String>,
    verdict: String,
}

/// Tries all links that bend; `begin` is told which one is next.
pub(super) fn try_all(arm: &Arm, description: &Builder, begin: impl Fn(&str)) -> Vec<Tried> {
    let links = description.parts().links.iter().map(Link::parts);
    let bending = links.filter_map(|link| Some((link.name, link.beam?)));
    bending
        .map(|(name, beam)| {
            begin(name);
            let mut beam = beam.clone();
            // the shapes as they are used, formed by what hangs at the tip
            let body = arm.link_names().iter().position(|link| link == name);
            if let (1, Some(built)) = (beam.segments, body.and_then(|body| arm.beam_of(body))) {
                beam.basis = built.basis.clone();
            }
            // one that slides at its largest length
            let slides = body.and_then(|body| arm.sliding_of(body));
            if let Some((built, slide)) = slides.and_then(|built| Some((built, built.slide?))) {
                beam = Beam { reduction: None, ..built.at_length(slide.stroke[1]) };
            }
            let outcome = trial::all(&beam);
            let verdict = match &outcome {
                Ok(trials) => verdict(&beam, trials),
                Err(why) => format!("it cannot be compared: {why}"),
            };
            Tried { link: name.to_owned(), beam, outcome, verdict }
        })
        .collect()
}

/// The trial that is worst among those that matter for the verdict.
fn worst(trials: &[Trial]) -> Option<(&Trial, f64)> {
    let judged = trials.iter().filter(|trial| trial.judged);
    let off = judged.map(|trial| (trial, trial.difference().map_or(f64::INFINITY, f64::abs)));
    off.max_by(|a, b| a.1.total_cmp(&b.1))
}

fn is_good(beam: &Beam) -> bool {
    trial::all(beam).is_ok_and(|trials| worst(&trials).is_none_or(|(_, off)| off <= GOOD))
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

fn percent(part: f64) -> String {
    format!("{:.2} %", 100.0 * part)
}

/// Whether the shapes are enough, and which would be.
fn verdict(beam: &Beam, trials: &[Trial]) -> String {
    let Some((trial, off)) = worst(trials) else { return "nothing to judge".to_owned() };
    let goal = format!("{} %", figure(100.0 * GOOD, 0.0));
    let own = format!("{} ({})", ways(beam), family(&beam.basis));
    if off <= GOOD {
        return format!(
            "{own} is sufficient: deflections and first frequencies are within {goal}; the largest error is {}, {}",
            trial.name,
            percent(off)
        );
    }
    let mut more = beam.clone();
    let mut remedy = None;
    for _ in 0..MORE {
        more.basis = finer(&more.basis);
        if is_good(&more) {
            let elements = match more.basis {
                Basis::Hermite { elements, .. } | Basis::Eigenmodes { elements, .. } => {
                    format!(" (elements = {elements})")
                }
                _ => String::new(),
            };
            remedy = Some(format!("{}{elements} brings all errors below {goal}", ways(&more)));
            break;
        }
    }
    if remedy.is_none() && !matches!(beam.basis, Basis::Hermite { .. }) {
        let on = beam.basis.ways().to_array().map(|n| n > 0);
        let on = Ways::new(on[0], on[1], on[2], on[3]);
        // foreshortening costs much and changes nothing but the buckling load
        let made_of = |elements| Beam {
            basis: Basis::Hermite { elements, ways: on },
            foreshortening: false,
            ..beam.clone()
        };
        let enough = ELEMENTS.into_iter().find(|&elements| is_good(&made_of(elements)));
        remedy = enough.map(|elements| {
            format!(
                "{MORE} more shapes per direction do not bring it below {goal}, {elements} elements do (shapes = \"elements\", elements = {elements})"
            )
        });
    }
    let remedy = remedy.unwrap_or_else(|| format!("{MORE} more do not bring it below {goal}"));
    let left = if off.is_finite() {
        format!("an error of {} in", percent(off))
    } else {
        "no result for".to_owned()
    };
    format!("{own} gives {left} {}; {remedy}", trial.name)
}

pub(super) fn as_text(links: &[Tried]) -> String {
    if links.is_empty() {
        return "  no flexible links; nothing to compare with the textbook\n".to_owned();
    }
    let mut text = String::new();
    for Tried { link, beam, outcome, verdict } in links {
        let length = figure(beam.length, 0.0);
        let _ = writeln!(
            text,
            "\n{link}: cantilever of {length} m, clamped at the root, free tip; {}, {}{}",
            ways(beam),
            family(&beam.basis),
            formed_by(&beam.basis)
        );
        if let Ok(trials) = outcome {
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
            tried.outcome.as_ref().map(|trials| trials.iter().map(trial).collect::<Vec<_>>());
        json!({
            "link": tried.link,
            "length": tried.beam.length,
            "shapes": ways(&tried.beam),
            "family": family(&tried.beam.basis),
            "trials": trials.unwrap_or_default(),
            "verdict": tried.verdict,
        })
    });
    json!({ "file": path.display().to_string(), "links": links.collect::<Vec<_>>() })
}
