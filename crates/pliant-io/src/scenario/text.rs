//! The text of a scenario as it is run.

use super::arm::{Given, USUAL_NAME};
use super::place::ListedTables;
use super::{Overrides, ScenarioTable};
use crate::node::{Node, Value, quoted};
use crate::problem::Report;
use crate::reader::Reader;
use crate::source::Source;
use crate::table::{Field, Table as _};
use crate::write::write_arm_with;
use pliant::arm::Arm;
use std::ops::Range;
use std::path::Path;

/// A scenario with what the command line says instead.
pub(super) fn overridden(source: &Source, overrides: &Overrides) -> Result<Source, Report> {
    let pairs = [("duration", &overrides.duration), ("tolerance", &overrides.tolerance)];
    let mut source = source.clone();
    for (key, value) in pairs.into_iter().filter_map(|(key, value)| Some((key, value.as_ref()?))) {
        let root = crate::toml_text::read(&source);
        let root = root.map_err(|problems| Report::new(source.clone(), problems))?;
        let value = written(value);
        let mut text = source.text().to_owned();
        if let Some(entry) = root.entry(key) {
            text.replace_range(entry.node.span.clone(), &value);
        } else {
            text.insert_str(0, &format!("{key} = {value}\n"));
        }
        source = Source::new(source.name(), text);
    }
    Ok(source)
}

/// A value of the command line as it stands in a file.
fn written(value: &str) -> String {
    let value = value.trim();
    let plain = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
    if value.parse::<f64>().is_ok() && value.chars().all(plain) {
        // TOML wants digits on both sides of a point
        return value.parse::<f64>().map_or_else(|_| value.to_owned(), |x| format!("{x:?}"));
    }
    toml::Value::String(value.to_owned()).to_string()
}

/// The text of a scenario, what is beside it and what other files put into it, and its arm.
pub(super) struct Surroundings<'a> {
    pub(super) source: &'a Source,
    /// From where paths are.
    pub(super) folder: &'a Path,
    /// The arm, by which numbers have their units.
    pub(super) arm: &'a Arm,
    /// The joints of the plan, or else those with a motor, as velocity coordinates: those that one
    /// number without names is for.
    pub(super) joints: Vec<usize>,
    /// Where the entries of the scenario's lists stand.
    pub(super) listed: ListedTables,
    replaced: Vec<(Range<usize>, String)>,
}

impl<'a> Surroundings<'a> {
    pub(super) fn new(source: &'a Source, folder: &'a Path, arm: &'a Arm) -> Self {
        let (joints, listed) = (arm.driven_joints(), ListedTables::default());
        Self { source, folder, arm, joints, listed, replaced: Vec::new() }
    }

    /// Something else stands here when it is run.
    pub(super) fn replace(&mut self, range: Range<usize>, text: String) {
        self.replaced.push((range, text));
    }

    /// The velocity coordinate of a name.
    pub(super) fn velocity(&self, name: &str) -> Option<usize> {
        self.arm.velocity_names().iter().position(|known| known == name)
    }

    /// The coordinate of a name.
    pub(super) fn coordinate(&self, name: &str) -> Option<usize> {
        self.arm.configuration_names().iter().position(|known| known == name)
    }
}

/// The scenario with its tables and its arm inside.
pub(super) fn as_run(around: &Surroundings<'_>, arm: &Field<Node>, given: &Given) -> String {
    let (source, mut replaced) = (around.source, around.replaced.clone());
    let place = arm.given().filter(|_| given.is_elsewhere);
    if let Some(place) = place {
        let at = source.boundary(place.key.start);
        replaced.push((at..at, "# ".to_owned()));
    }
    // from the back, so that places stay where they are
    replaced.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    let mut text = source.text().to_owned();
    for (range, new) in replaced {
        text.replace_range(range, &new);
    }
    if place.is_none() {
        return text;
    }
    let path = match arm.get().map(|node| &node.value) {
        Some(Value::Text(path)) => quoted(path),
        _ => String::new(),
    };
    let compose = |arm: &str| {
        let gap = if text.ends_with('\n') { "" } else { "\n" };
        let arm = inside(arm);
        format!("{text}{gap}\n# The arm, as it was in {path}.\n[arm]\n{arm}")
    };
    let name = given.description.parts().name;
    let own = given.text.as_ref().map(|own| {
        match crate::toml_text::read(&Source::new("", own.as_str())) {
            Ok(arm) if arm.entry("name").is_none() => {
                let name = toml::Value::String(name.to_owned());
                format!("name = {name}\n{own}")
            }
            _ => own.clone(),
        }
    });
    let canonical = write_arm_with(&given.description, &given.variants);
    // the arm's own text keeps its comments
    own.map(|own| compose(&own))
        .filter(|text| holds(text, &canonical))
        .unwrap_or_else(|| compose(&canonical))
}

/// The text of an arm as part of a scenario.
fn inside(arm: &str) -> String {
    let mut text = String::new();
    for line in arm.lines() {
        let brackets = line.len() - line.trim_start_matches([' ', '\t', '[']).len();
        let (open, name) = line.split_at(brackets);
        let is_header = open.contains('[') && name.starts_with("link");
        text.push_str(open);
        text.push_str(if is_header { "arm." } else { "" });
        text.push_str(name);
        text.push('\n');
    }
    text
}

/// Whether a scenario holds an arm.
fn holds(text: &str, canonical: &str) -> bool {
    let source = Source::new("scenario.toml", text);
    let Ok(root) = crate::toml_text::read(&source) else {
        return false;
    };
    let arm = ScenarioTable::read(&mut Reader::default(), "the scenario", &root)
        .and_then(|table| table.arm.value);
    let built =
        arm.and_then(|node| crate::arm_file::read_node(&mut Reader::default(), USUAL_NAME, &node));
    built.is_some_and(|(_, description, variants)| {
        write_arm_with(&description, &variants) == canonical
    })
}
