//! The arm of a scenario: from its own file, or inside.

use crate::codes;
use crate::load::{self, Loaded};
use crate::node::{Node, Value};
use crate::problem::{Problem, Report, Severity};
use crate::reader::Reader;
use crate::setting::Setting;
use pliant::arm::{Arm, Builder};
use pliant::reproduce::Variants;
use std::path::Path;
use std::sync::Arc;

/// An arm, what it was built from, and its own file where it has one.
pub(super) struct Given {
    pub(super) arm: Arm,
    pub(super) description: Builder,
    pub(super) variants: Variants,
    /// Its text, where that is in another file and in TOML.
    pub(super) text: Option<String>,
    /// Whether it came from another file.
    pub(super) is_elsewhere: bool,
    pub(super) warnings: Option<Report>,
}

/// What an arm inside a scenario is called where it has no name.
pub(super) const USUAL_NAME: &str = "arm";

/// Why there is no arm.
pub(super) enum NoArm {
    /// The reader has been told.
    Told,
    /// Its own file is at fault.
    File(Report),
}

/// Reads the arm; the settings are for its own file.
pub(super) fn arm(
    reader: &mut Reader,
    node: &Node,
    folder: &Path,
    settings: &[Setting],
) -> Result<Given, NoArm> {
    if let Value::Table(_) = node.value {
        return inside(reader, node, None).ok_or(NoArm::Told);
    }
    let path = reader.text("arm", node).ok_or(NoArm::Told)?;
    let path = folder.join(path);
    let read = load::load_with_text(&path, settings);
    match read {
        Ok((Loaded { arm, description, variants, warnings }, text)) => {
            let warnings = (!warnings.is_empty()).then_some(warnings);
            Ok(Given { arm, description, variants, text, is_elsewhere: true, warnings })
        }
        Err(report) => {
            let unreadable = |problem: &&Problem| {
                [&codes::UNREADABLE, &codes::NOT_TEXT, &codes::TOO_LARGE, &codes::FOREIGN]
                    .contains(&problem.code)
                    && problem.severity == Severity::Error
                    && problem.span.is_none()
            };
            let Some(problem) = report.problems().find(unreadable) else {
                return Err(NoArm::File(report));
            };
            let message = format!("the arm cannot be read: {}", problem.message);
            let help = problem.help.clone();
            let help = help.unwrap_or_else(|| "check the path".to_owned());
            reader.push(
                Problem::error(&codes::ARM_IN_SCENARIO, message)
                    .at(node.span.clone())
                    .label("from the folder of the scenario")
                    .help(help),
            );
            Err(NoArm::Told)
        }
    }
}

/// Reads an arm inside a scenario; in the shapes of another one where it is given.
pub(super) fn inside(reader: &mut Reader, node: &Node, shaped: Option<&Arc<Arm>>) -> Option<Given> {
    // what is wrong elsewhere is no fault of the arm
    let mut own = Reader { whose: reader.whose.clone(), ..Reader::default() };
    let built = crate::arm_file::read_node(&mut own, USUAL_NAME, node, shaped);
    reader.problems.append(&mut own.problems);
    let (arm, description, variants) = built?;
    let (text, warnings) = (None, None);
    Some(Given { arm, description, variants, text, is_elsewhere: false, warnings })
}
