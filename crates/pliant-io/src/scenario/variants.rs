//! Scenarios whose arm asks for equations of a document.

use super::{ScenarioTable, Simulation};
use crate::codes;
use crate::node::Node;
use crate::problem::Problem;
use crate::reader::Reader;
use pliant::reproduce::Variants;
use pliant::simulate::IntegrationMethod;

/// Says what of a scenario does not know the equations that its arm asks for; `node` is the
/// scenario's `arm`.
pub(super) fn warn(reader: &mut Reader, node: &Node, variants: &Variants) {
    let (others, parts) = match (variants.first_order.as_slice(), variants.is_empty()) {
        (_, true) => return,
        ([], _) => ("velocity = \"material\"", "plans, equilibria and the models of controllers"),
        _ => {
            let parts = "plans, equilibria, the models of controllers, frames and energies";
            ("rotation = \"exact\", and energies have no balance", parts)
        }
    };
    reader.push(
        Problem::warning(
            &codes::OTHER_EQUATIONS,
            format!("the arm moves by equations of a document; {parts} are those of {others}"),
        )
        .at(node.span.clone())
        .help("for comparison only"),
    );
}

/// Refuses a method that knows the engine's equations alone.
pub(super) fn check_method(reader: &mut Reader, table: &ScenarioTable, setup: &Simulation) {
    if setup.variant.is_none()
        || !matches!(setup.method, IntegrationMethod::GeneralisedAlpha { .. })
    {
        return;
    }
    reader.push(
        Problem::error(
            &codes::METHOD,
            "generalised-alpha does not know the equations that the arm asks for",
        )
        .at(table.method.method.span_or(&table.span))
        .label("not for equations of a document")
        .help("write method = \"radau5\", or leave out the method"),
    );
}
