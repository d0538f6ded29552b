//! What the library says about a scenario, pointed at in its file.

use super::expressions;
use super::fault_words::{Words, told};
use super::place::{ListedTables, Located, locate};
use super::text::Surroundings;
use crate::node::{Node, Value, one_or_many};
use crate::problem::{Problem, Severity};
use crate::reader::Reader;
use crate::source::Source;
use crate::units::short;
use pliant::Help;
use pliant::arm::Arm;
use pliant::control::LawError;
use pliant::scenario::{FaultPlace, ScenarioFault, ScenarioFaultKind as Kind};
use pliant::simulate::ExpressionFault;
use std::ops::Range;

/// The file of a scenario, and what its reader has told.
pub(super) struct File<'a> {
    source: &'a Source,
    root: &'a Node,
    listed: &'a ListedTables,
    arm: &'a Arm,
    /// Where the reader has found errors.
    told: Vec<Range<usize>>,
    has_errors: bool,
}

impl<'a> File<'a> {
    pub(super) fn new(
        source: &'a Source,
        root: &'a Node,
        around: &'a Surroundings<'_>,
        reader: &Reader,
    ) -> Self {
        let errors = reader.problems.iter().filter(|problem| problem.severity == Severity::Error);
        let told = errors.filter_map(|problem| problem.span.clone()).collect();
        let (listed, arm, has_errors) = (&around.listed, around.arm, reader.has_errors());
        Self { source, root, listed, arm, told, has_errors }
    }

    /// A fault as a problem of the file; none where it only follows from what the reader has told.
    pub(super) fn problem(&self, fault: &ScenarioFault) -> Option<Problem> {
        let place = self.locate(&fault.place);
        if self.has_errors && (self.follows(&fault.kind) || self.has_told(&place)) {
            return None;
        }
        let kind = as_written(&fault.kind, place.word);
        let problem = self.words(&kind, fault, &place);
        Some(match &fault.place.owner {
            Some(owner) => Problem { message: format!("{owner}: {}", problem.message), ..problem },
            None => problem,
        })
    }

    fn locate(&self, place: &FaultPlace) -> Located {
        locate(self.root, self.listed, self.arm, place)
    }

    /// Whether the reader has found an error in a value.
    fn has_told(&self, place: &Located) -> bool {
        let inside = |of: &Range<usize>| {
            self.told.iter().any(|told| of.start <= told.start && told.end <= of.end)
        };
        place.is_given && place.span.as_ref().is_some_and(inside)
    }

    /// Whether something may only follow from what the reader has left out.
    fn follows(&self, kind: &Kind) -> bool {
        match kind {
            Kind::State(_)
            | Kind::NobodyFollows
            | Kind::EndsBeforePlan { .. }
            | Kind::TwoFollow { .. }
            | Kind::NothingToFollow
            | Kind::NoJoints
            | Kind::NoEquilibrium(_)
            | Kind::UnstableEquilibrium
            | Kind::MethodOfEngine
            | Kind::NoServos { .. }
            | Kind::Shaper { .. }
            | Kind::Diagram(_) => true,
            Kind::Unknown { what: "sensor", name, .. } | Kind::UnknownChannel { name, .. } => {
                self.is_left_out(name)
            }
            Kind::Expression { error, .. } => match &error.fault {
                ExpressionFault::UnknownVariable { name } => self.is_left_out(name),
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether a name is that of a sensor or controller of the file, or of one of its channels.
    fn is_left_out(&self, name: &str) -> bool {
        let lists = ["sensor", "controller"].into_iter().filter_map(|key| self.root.entry(key));
        let mut tables = lists.flat_map(|entry| one_or_many(&entry.node));
        tables.any(|table| match table.entry("name").map(|entry| &entry.node.value) {
            Some(Value::Text(own)) => {
                let rest = name.strip_prefix(own.as_str());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            }
            _ => false,
        })
    }

    fn words(&self, kind: &Kind, fault: &ScenarioFault, place: &Located) -> Problem {
        if let (Kind::Expression { error, known }, Some(span)) = (kind, &place.span)
            && let Some(text) = self.text_at(&fault.place)
        {
            let known: Vec<&str> = known.iter().map(String::as_str).collect();
            return expressions::problem(self.source, (text, span.clone()), error, &known);
        }
        let Words { code, label, help } = told(kind, fault, place);
        let new = if fault.is_warning { Problem::warning } else { Problem::error };
        let mut problem = new(code, kind.to_string());
        problem.help = help.or_else(|| kind.help());
        if let Some(span) = &place.span {
            problem.label = label;
            problem = problem.at(span.clone());
        }
        let second = fault.related.as_ref().and_then(|place| self.locate(place).span);
        match (kind, second) {
            (Kind::MotionTwice { .. }, Some(span)) => problem.and_at(span, "given first"),
            (Kind::Shaper { period: Some(period), .. }, Some(span)) => {
                problem.and_at(span, format!("looks every {} s", short(*period)))
            }
            _ => problem,
        }
    }

    /// The text that stands at a place of events.
    fn text_at(&self, place: &FaultPlace) -> Option<&str> {
        let span =
            self.locate(&FaultPlace { steps: place.steps[..2].to_vec(), owner: None }).span?;
        let tables = one_or_many(&self.root.entry("event")?.node);
        let event = tables.iter().find(|table| table.span == span)?;
        match &event.entry("expression")?.node.value {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }
}

/// A fault with the key as the file has it.
fn as_written(kind: &Kind, word: Option<&'static str>) -> Kind {
    let mut kind = kind.clone();
    let Some(word) = word else { return kind };
    match &mut kind {
        Kind::NotFinite { key, .. }
        | Kind::Negative { key, .. }
        | Kind::OutOfRange { key, .. }
        | Kind::NoTime { key, .. } => word.clone_into(key),
        Kind::Law(
            LawError::LeftOut { key, .. }
            | LawError::Negative { key }
            | LawError::NoSense { key, .. },
        ) => *key = word,
        _ => {}
    }
    kind
}
