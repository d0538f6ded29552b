//! A scenario with all that it needs inside, of which some values change from run to run.

use super::arm::{self, Given};
use super::file::ScenarioTable;
use super::method::method;
use super::read::{build, scenario, under_gravity};
use super::text::Surroundings;
use crate::arm_file;
use crate::codes;
use crate::node::{Node, Value, quoted};
use crate::problem::{Problem, Report, Severity};
use crate::reader::Reader;
use crate::source::Source;
use crate::table::Table as _;
use pliant::arm::Arm;
use pliant::scenario::{Scenario, Simulation};
use std::path::Path;
use std::sync::Arc;

/// The text of a scenario as it is run, read once.
pub(crate) struct Template {
    /// Its text.
    pub(crate) source: Source,
    /// What it says.
    pub(crate) root: Node,
    /// Its arm, for values that are none of the arm's.
    given: Given,
    /// The same arm, where others keep its shapes.
    shaped: Option<Arc<Arm>>,
}

impl Template {
    /// From the text of a [`Setup`](super::Setup).
    pub(crate) fn new(source: Source) -> Result<Self, Report> {
        let root = crate::load::tree(&source)?;
        let mut reader = Reader::default();
        let table = ScenarioTable::read(&mut reader, "the scenario", &root);
        let given = table.and_then(|table| read_arm(&mut reader, &table, None));
        match given {
            Some(given) => Ok(Self { source, root, given, shaped: None }),
            None => Err(Report::new(source, reader.problems)),
        }
    }

    /// The same, whose beams keep the shapes of its arm, whatever that is changed into.
    pub(crate) fn in_its_shapes(self) -> Self {
        Self { shaped: Some(Arc::new(self.given.arm.clone())), ..self }
    }

    /// Whether others keep the shapes of its arm.
    pub(crate) fn keeps_shapes(&self) -> bool {
        self.shaped.is_some()
    }

    /// The scenario of a tree like this one's, built as every scenario of a file is.
    pub(crate) fn simulation(&self, root: &Node) -> Result<Simulation, Report> {
        let mut reader = Reader::default();
        let built = self.with(&mut reader, root, |reader, (around, scenario), (arm, given)| {
            build(reader, (&self.source, root), around, scenario, (arm, given, false))
        });
        let report = Report::new(self.source.clone(), reader.problems);
        match built.flatten() {
            Some(simulation) if report.count(Severity::Error) == 0 => Ok(simulation),
            _ => Err(report),
        }
    }

    /// Whether every value of a tree like this one's can be read; what they mean together is not
    /// looked at.
    pub(crate) fn reads(&self, root: &Node) -> bool {
        if self.changes_arm(root) {
            let arm = root.entry("arm").map(|entry| &entry.node);
            return arm.is_some_and(|arm| arm_file::description(&self.source, arm).is_ok());
        }
        let mut reader = Reader::default();
        let all = self.with(&mut reader, root, |_, _, _| ());
        all.is_some() && !reader.has_errors()
    }

    /// Reads a tree, for what is done with it.
    fn with<T>(
        &self,
        reader: &mut Reader,
        root: &Node,
        done: impl FnOnce(&mut Reader, (&Surroundings<'_>, &Scenario), (&Arc<Arm>, &Given)) -> T,
    ) -> Option<T> {
        let table = ScenarioTable::read(reader, "the scenario", root)?;
        let method = method(reader, &table.method);
        let own;
        let given = if self.changes_arm(root) {
            own = read_arm(reader, &table, self.shaped.as_ref())?;
            &own
        } else {
            &self.given
        };
        let arm = under_gravity(&table, given)?;
        let mut around = Surroundings::new(&self.source, Path::new(""), &arm);
        let mut scenario = scenario(reader, &mut around, &table, given);
        scenario.method = method.unwrap_or_default();
        Some(done(reader, (&around, &scenario), (&arm, given)))
    }

    /// Whether the arm of a tree like this one's moves otherwise in the shapes of this one's than in
    /// its own.
    pub(crate) fn reshapes(&self, root: &Node) -> bool {
        let Some(shaped) = self.shaped.as_ref().filter(|_| self.changes_arm(root)) else {
            return false;
        };
        let read = |shaped: Option<&Arc<Arm>>| {
            let mut reader = Reader::default();
            let table = ScenarioTable::read(&mut reader, "the scenario", root)?;
            Some(read_arm(&mut reader, &table, shaped)?.arm)
        };
        match (read(Some(shaped)), read(None)) {
            (Some(held), Some(own)) => !held.has_numbers_of(&own),
            (None, Some(_)) => true,
            // there is no such arm at all
            (_, None) => false,
        }
    }

    fn changes_arm(&self, root: &Node) -> bool {
        fn arm(root: &Node) -> Option<&Node> {
            root.entry("arm").map(|entry| &entry.node)
        }
        arm(root) != arm(&self.root)
    }
}

/// The arm of a scenario that has it inside; none where it is in another file, or cannot have the
/// shapes of the arm that it is to have.
fn read_arm(
    reader: &mut Reader,
    table: &ScenarioTable,
    shaped: Option<&Arc<Arm>>,
) -> Option<Given> {
    let node = table.arm.get().filter(|node| matches!(node.value, Value::Table(_)))?;
    let given = arm::inside(reader, node, shaped)?;
    let Some(link) = shaped.and_then(|shaped| given.arm.reshaped_link(shaped)) else {
        return Some(given);
    };
    let message = format!(
        "link {} cannot keep its shapes, which are of another length or of another kind",
        quoted(link)
    );
    let help = "write shapes = \"rebuilt\", or leave lengths and numbers of shapes as they are";
    reader.push(Problem::error(&codes::VALUES, message).at(node.span.clone()).help(help));
    None
}
