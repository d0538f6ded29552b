//! The text of a scenario as it is run.

use super::ScenarioTable;
use super::arm::{Given, USUAL_NAME};
use super::place::ListedTables;
use crate::node::{Node, Value, quoted};
use crate::reader::Reader;
use crate::setting::Setting;
use crate::source::Source;
use crate::table::{Field, Place, Table as _};
use crate::toml_out;
use crate::write::write_arm_with;
use pliant::arm::Arm;
use std::ops::Range;
use std::path::Path;

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
    replaced: Vec<Replaced>,
}

/// Something else that stands at a value when a scenario is run, perhaps under another key.
struct Replaced {
    at: Range<usize>,
    value: Value,
    key: Option<(Range<usize>, &'static str)>,
}

impl<'a> Surroundings<'a> {
    pub(super) fn new(source: &'a Source, folder: &'a Path, arm: &'a Arm) -> Self {
        let (joints, listed) = (arm.driven_joints(), ListedTables::default());
        Self { source, folder, arm, joints, listed, replaced: Vec::new() }
    }

    /// Something else stands here when it is run.
    pub(super) fn replace(&mut self, at: Range<usize>, value: Value) {
        self.replaced.push(Replaced { at, value, key: None });
    }

    /// Another key with a text stands here when it is run.
    pub(super) fn replace_key(&mut self, place: &Place, key: &'static str, text: String) {
        let (at, key) = (place.value.clone(), Some((place.key.clone(), key)));
        self.replaced.push(Replaced { at, value: Value::Text(text), key });
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

/// The scenario with its settings, its tables and its arm inside.
pub(super) fn as_run(
    around: &Surroundings<'_>,
    root: &Node,
    settings: &[Setting],
    (arm, given): (&Field<Node>, &Given),
) -> String {
    let place = arm.given().filter(|_| given.is_elsewhere);
    let mut text = if around.source.has_settings() {
        rewritten(around, root.clone(), place.is_some())
    } else {
        edited(around, place)
    };
    if let [_, ..] = settings {
        let names: Vec<String> =
            settings.iter().map(|one| one.name().escape_debug().to_string()).collect();
        text.insert_str(0, &format!("# With {}.\n", names.join(", ")));
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

/// The file's own text with what stands elsewhere, without the path of the arm.
fn edited(around: &Surroundings<'_>, arm: Option<&Place>) -> String {
    let source = around.source;
    let mut replaced: Vec<(Range<usize>, String)> = Vec::new();
    for Replaced { at, value, key } in &around.replaced {
        replaced.extend(key.as_ref().map(|(at, key)| (at.clone(), (*key).to_owned())));
        let text = match value {
            Value::Text(text) => several_lines(text),
            other => toml_out::inline(other),
        };
        replaced.push((at.clone(), text));
    }
    if let Some(place) = arm {
        let at = source.boundary(place.key.start);
        replaced.push((at..at, "# ".to_owned()));
    }
    // from the back, so that places stay where they are
    replaced.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    let mut text = source.text().to_owned();
    for (range, new) in replaced {
        text.replace_range(range, &new);
    }
    text
}

/// The same of a tree that settings have changed.
fn rewritten(around: &Surroundings<'_>, mut root: Node, is_elsewhere: bool) -> String {
    if let Value::Table(entries) = &mut root.value {
        entries.retain(|entry| !(is_elsewhere && entry.key == "arm"));
    }
    for replaced in &around.replaced {
        put(&mut root, replaced);
    }
    toml_out::tree(&root)
}

fn put(node: &mut Node, replaced: &Replaced) {
    match &mut node.value {
        Value::List(list) => list.iter_mut().for_each(|node| put(node, replaced)),
        Value::Table(entries) => {
            for entry in entries {
                if entry.node.span == replaced.at {
                    entry.node.value = replaced.value.clone();
                    if let Some((_, key)) = replaced.key {
                        key.clone_into(&mut entry.key);
                    }
                } else {
                    put(&mut entry.node, replaced);
                }
            }
        }
        _ => {}
    }
}

/// A text of several lines as a value of TOML.
fn several_lines(text: &str) -> String {
    let plain = |c: char| c == '\n' || c == '\t' || !c.is_control();
    if text.contains("'''") || text.ends_with('\'') || !text.chars().all(plain) {
        return toml::Value::String(text.to_owned()).to_string();
    }
    format!("'''\n{text}'''")
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
    let built = arm.and_then(|node| {
        crate::arm_file::read_node(&mut Reader::default(), USUAL_NAME, &node, None)
    });
    built.is_some_and(|(_, description, variants)| {
        write_arm_with(&description, &variants) == canonical
    })
}
