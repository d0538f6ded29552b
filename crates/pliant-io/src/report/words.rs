//! A run in words.

use crate::results::Reader;
use crate::scenario::Setup;
use crate::units::short;
use pliant::arm::Arm;
use pliant::arm::{Builder, LinkParts};
use pliant::beam::{CrossSection, Matter};
use pliant::integrate::Statistics;
use pliant::simulate::{Extremes, Status};
use serde_json::{Value, json};
use std::path::Path;

/// All words about a run.
pub(super) fn tell(folder: &Path, reader: &Reader, setup: Option<&Setup>, times: &[f64]) -> Value {
    let summary = reader.summary();
    let mut warnings: Vec<String> = reader.warnings().to_vec();
    warnings.extend(summary.into_iter().flat_map(|summary| summary.outcome.warnings.clone()));
    let events = summary.map_or(&[][..], |summary| &summary.outcome.run.events);
    let extremes = summary.map_or(&[][..], |summary| &summary.outcome.run.extremes);
    json!({
        "ending": ending(reader, times),
        "arm": setup.map(|setup| arm(&setup.simulation.arm, &setup.simulation.description)),
        "facts": facts(reader, setup, times),
        "extremes": extremes.iter().filter_map(extreme).collect::<Vec<_>>(),
        "events": events.iter().map(|event| json!({ "time": event.time, "what": event.what })).collect::<Vec<_>>(),
        "tracking": summary.and_then(|summary| summary.outcome.tracking.as_ref()),
        "links": summary.map_or(&[][..], |summary| &summary.outcome.links),
        "warnings": warnings,
        "command": command(folder),
    })
}

/// How it ended: a word, whether all is well, and a sentence where there is more to say.
fn ending(reader: &Reader, times: &[f64]) -> Value {
    let until = times.last().map_or_else(|| "nothing".to_owned(), |t| format!("{} s", short(*t)));
    let Some(summary) = reader.summary() else {
        let why = "The run is still going, or was killed before it could finish its results";
        let text = format!("{why}. The page shows the saved rows, up to {until}.");
        return json!({ "word": "not finished", "good": false, "text": text });
    };
    let ended = &summary.outcome.run.ending;
    let (word, good) = match ended.status {
        Status::Completed => ("completed", true),
        Status::Stopped => ("stopped", true),
        Status::Interrupted => ("interrupted", false),
        Status::Failed => ("failed", false),
    };
    let why = ended.why.as_ref().map(|why| format!("At t = {} s: {why}.", short(ended.time)));
    json!({ "word": word, "good": good, "text": why })
}

/// Labels and what they say.
fn facts(reader: &Reader, setup: Option<&Setup>, times: &[f64]) -> Vec<(&'static str, String)> {
    let about = reader.metadata();
    let mut facts = Vec::new();
    let span = times.first().zip(times.last()).map(|(first, last)| last - first);
    let asked = setup.map(|setup| format!(" of {} s", short(setup.simulation.diagram.duration)));
    facts.push((
        "Duration",
        format!("{} s{}", short(span.unwrap_or(0.0)), asked.unwrap_or_default()),
    ));
    let method = match (about.relative_tolerance, about.step) {
        (Some(tolerance), _) => format!("{}, tolerance {tolerance:e}", about.method),
        (None, Some(step)) => format!("{}, step {} s", about.method, short(step)),
        _ => about.method.clone(),
    };
    facts.push(("Method", method));
    if let Some(summary) = reader.summary() {
        let run = &summary.outcome.run;
        let Statistics { rejected, evaluations, .. } = run.statistics;
        let steps = run.statistics.describe_steps();
        facts.push(("Steps", format!("{steps}, {rejected} rejected, {evaluations} evaluations")));
        if let Some(drift) = run.energy_drift {
            let (joules, part) = (drift.absolute, drift.part());
            facts.push((
                "Energy drift",
                format!("{joules:.1e} J, {part} of the largest kinetic energy"),
            ));
        }
        if let Some(drift) = run.momentum_drift {
            let (linear, angular) = (drift.linear.absolute, drift.angular.absolute);
            facts.push(("Momentum drift", format!("{linear:.1e} N s and {angular:.1e} N m s")));
        }
    }
    let every =
        setup.map(|setup| format!(", one every {} s", short(setup.simulation.diagram.interval)));
    facts.push((
        "Recorded",
        format!(
            "{} rows of {} channels{}",
            times.len(),
            reader.channels().len().saturating_sub(1),
            every.unwrap_or_default()
        ),
    ));
    if let Some(seed) = about.seed {
        facts.push(("Seed", seed.to_string()));
    }
    facts.push(("Version", format!("pliant {}", about.version)));
    facts.push(("Hash of the arm", about.arm_hash.chars().take(16).collect()));
    facts
}

fn extreme(one: &Extremes) -> Option<Value> {
    let (least, most) = (one.least?, one.most?);
    Some(json!({
        "channel": one.channel.column(),
        "least": [least.value, least.time],
        "most": [most.value, most.time],
    }))
}

/// The command that repeats a run, for a shell.
fn command(folder: &Path) -> String {
    let scenario = folder.join("scenario.toml").to_string_lossy().into_owned();
    format!("pliant run {} -o again", quoted(&scenario))
}

/// A word of a shell's command line.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "/._-+:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) && !word.starts_with('-') {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// The arm's table.
pub(super) fn arm(arm: &Arm, description: &Builder) -> Value {
    let parts = description.parts();
    let owner = |body: usize| arm.described_link(body);
    let links: Vec<Value> = parts
        .links
        .iter()
        .map(|link| {
            let link = link.parts();
            let bodies: Vec<usize> =
                (0..arm.body_count()).filter(|&body| owner(body) == link.name).collect();
            let mass: f64 = bodies.iter().map(|&body| arm.inertia_of(body).mass).sum();
            let names = |ranges: &dyn Fn(usize) -> std::ops::Range<usize>| -> Vec<&String> {
                bodies.iter().flat_map(|&body| &arm.configuration_names()[ranges(body)]).collect()
            };
            let parent = bodies.first().and_then(|&body| arm.parent_of(body)).map(owner);
            json!({
                "name": link.name,
                "parent": parent.unwrap_or("ground"),
                "joint": link.joint.word(),
                "prescribed": link.prescribed,
                "length": length(&link),
                "mass": mass,
                "section": link.beam.and_then(|beam| match beam.profile.at(0.0) {
                    Matter::Made { outline, .. } => Some(outlined(&outline, beam.profile.is_uniform())),
                    Matter::Given(_) => None,
                }),
                "joints": names(&|body| match arm.configuration_of(body) {
                    hinge if arm.is_hinge(body) => hinge.start..hinge.start,
                    joint => joint,
                }),
                "bending": names(&|body| arm.deforming_of(body)),
            })
        })
        .collect();
    let mass: f64 = (0..arm.body_count()).map(|body| arm.inertia_of(body).mass).sum();
    json!({ "name": arm.name(), "links": links, "mass": mass, "freedoms": arm.nv() })
}

/// How long a link is: its beam, or to the frame of its tip.
fn length(link: &LinkParts<'_>) -> Option<f64> {
    let frame = link.frames.iter().find(|(name, ..)| link.tip_frame == Some(name));
    let beam = link.beam.map(pliant::beam::Beam::whole_length);
    beam.or_else(|| frame.map(|(_, _, pose)| pose.position.norm()))
}

/// A cross-section in a few words.
fn outlined(outline: &CrossSection, uniform: bool) -> String {
    let word = match outline {
        CrossSection::Round { .. } => "round",
        CrossSection::Tube { .. } => "tube",
        CrossSection::Rectangle { .. } => "rectangle",
        CrossSection::Box { .. } => "box",
        CrossSection::I { .. } => "I",
    };
    let sizes = outline.dimensions().iter().map(|(_, size)| short(1e3 * size)).collect::<Vec<_>>();
    let tapers = if uniform { "" } else { " at the root" };
    format!("{word} {} mm{tapers}", sizes.join(" × "))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn paths_are_quoted_for_shells() {
        assert_eq!(quoted("a/b-run/scenario.toml"), "a/b-run/scenario.toml");
        assert_eq!(quoted("my run/$x"), "'my run/$x'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted("-o"), "'-o'");
    }
}
