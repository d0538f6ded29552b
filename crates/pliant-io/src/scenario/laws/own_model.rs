//! The model of the arm that a law has.

use crate::codes;
use crate::node::Node;
use crate::problem::Problem;
use crate::reader::Reader;
use crate::scenario::arm::{self, NoArm};
use crate::scenario::text::Surroundings;
use crate::shapes::entries;
use crate::write::arm_entries;
use pliant::arm::Builder;

/// Another arm; its file is put into the text that is run.
pub(super) fn model(
    reader: &mut Reader,
    around: &mut Surroundings<'_>,
    node: &Node,
) -> Option<Builder> {
    let whose = reader.whose.clone();
    let given = arm::arm(reader, node, around.folder, &[]);
    reader.whose = whose;
    let given = match given {
        Ok(given) => given,
        Err(NoArm::Told) => return None,
        Err(NoArm::File(report)) => {
            let first = report.problems().next().map(|problem| problem.message.clone());
            reader.push(
                Problem::error(
                    &codes::CONTROLLER,
                    format!("its model cannot be read: {}", first.unwrap_or_default()),
                )
                .at(node.span.clone())
                .help("run `pliant check` on that file"),
            );
            return None;
        }
    };
    if !given.variants.is_empty() {
        reader.push(
            Problem::error(
                &codes::CONTROLLER,
                "its model asks for equations of a document, which laws do not know",
            )
            .at(node.span.clone())
            .label("with a rotation or velocity that is not the exact one")
            .help("remove them from the file of the model"),
        );
        return None;
    }
    if given.is_elsewhere {
        let model = entries(arm_entries(&given.description, &given.variants));
        around.replace(node.span.clone(), model);
    }
    Some(given.description)
}
