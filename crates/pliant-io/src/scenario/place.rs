//! Where the places of a scenario stand in its file.

use super::ScenarioTable;
use crate::node::{Node, Value, one_or_many};
use crate::spec::{Form, TableSpec};
use crate::state::place_in;
use crate::table::Table as _;
use pliant::arm::Arm;
use pliant::scenario::{FaultPlace, PlaceStep};
use std::collections::BTreeMap;
use std::ops::Range;

/// Which tables of a file the entries of a scenario's lists are: where these stand, by the place of
/// the list. Tables that cannot be read are in no scenario.
#[derive(Debug, Default)]
pub(super) struct ListedTables(BTreeMap<String, Vec<Range<usize>>>);

impl ListedTables {
    /// The next entry of a list is the table that stands here.
    pub(super) fn add(&mut self, list: &FaultPlace, span: &Range<usize>) {
        self.0.entry(list.to_string()).or_default().push(span.clone());
    }
}

/// A place of a scenario in its file.
#[derive(Debug, Default)]
pub(super) struct Located {
    /// Where its value stands, or else that in which it should be.
    pub(super) span: Option<Range<usize>>,
    /// The key as it is written there.
    pub(super) word: Option<&'static str>,
    /// Whether the file has just this place.
    pub(super) is_given: bool,
}

/// What the keys of a table are.
#[derive(Clone, Copy)]
enum Keys {
    Unknown,
    Of(&'static TableSpec),
    ByKind(&'static str, &'static [&'static TableSpec]),
}

impl Keys {
    fn of(form: &Form) -> Self {
        match *form {
            Form::Table(spec) | Form::Tables(spec) | Form::OrTable(_, spec) => Self::Of(spec),
            Form::ByKind(name, specs) | Form::OneByKind(name, specs) => Self::ByKind(name, specs),
            _ => Self::Unknown,
        }
    }

    fn spec(self, node: &Node) -> Option<&'static TableSpec> {
        match self {
            Self::Unknown => None,
            Self::Of(spec) => Some(spec),
            Self::ByKind(_, specs) => {
                let kind = &node.entry("kind")?.node.value;
                let is =
                    |spec: &&&TableSpec| matches!(kind, Value::Text(word) if word == spec.name);
                specs.iter().find(is).copied()
            }
        }
    }

    /// Where a table stands: a controller by its kind, others by their header.
    fn span(self, node: &Node) -> Range<usize> {
        let kind = match self {
            Self::ByKind("controller", _) => node.entry("kind"),
            _ => None,
        };
        kind.map_or(&node.span, |kind| &kind.node.span).clone()
    }
}

/// The place of a scenario in the tree of its file.
pub(super) fn locate(root: &Node, listed: &ListedTables, arm: &Arm, place: &FaultPlace) -> Located {
    if let [PlaceStep::Key(key), PlaceStep::Key(name)] = place.steps.as_slice()
        && key == "initial"
    {
        return in_state(root, arm, name);
    }
    let (mut node, mut keys) = (root, Keys::Of(ScenarioTable::SPEC));
    let mut found = Located::default();
    let mut list = FaultPlace::default();
    for step in &place.steps {
        match step {
            PlaceStep::Key(key) => {
                let Value::Table(entries) = &node.value else { return found };
                let Some(spec) = keys.spec(node) else { return found };
                let meant = entries.iter().find_map(|entry| {
                    let (own, alias) = spec.meant(&entry.key)?;
                    let word = alias.map_or(own.name, |alias| alias.word);
                    (own.name == key).then_some((entry, own, word))
                });
                let Some((entry, own, word)) = meant else {
                    found.word = None;
                    return found;
                };
                (node, keys) = (&entry.node, Keys::of(&own.form));
                found.word = Some(word);
                list = list.key(key);
            }
            PlaceStep::Item(item) => {
                let tables = one_or_many(node);
                let is_meant = |one: &&Node| match listed.0.get(&list.to_string()) {
                    Some(spans) => spans.get(*item) == Some(&one.span),
                    None => tables.get(*item).is_some_and(|meant| meant.span == one.span),
                };
                let Some(entry) = tables.iter().find(is_meant) else { return found };
                node = entry;
                list = list.item(*item);
            }
        }
        found.span = Some(keys.span(node));
    }
    found.is_given = true;
    found
}

/// What the file says about an initial coordinate, if it does.
fn in_state(root: &Node, arm: &Arm, name: &str) -> Located {
    let index = arm.configuration_names().iter().position(|known| known == name);
    let initial = root.entry("initial").map(|entry| &entry.node);
    let node = initial.zip(index).and_then(|(node, index)| place_in(node, arm, index));
    let span = node.map(|node| node.span.clone());
    Located { is_given: span.is_some(), span, word: None }
}
