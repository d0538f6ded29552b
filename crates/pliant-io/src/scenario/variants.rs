//! Scenarios whose arm asks for equations of a document.

use super::method::Method;
use super::{ScenarioTable, Setup};
use crate::codes;
use crate::node::Node;
use crate::problem::Problem;
use crate::reader::Reader;
use pliant::arm::Arm;
use pliant::reproduce::{Variant, Variants};

/// The reader has been told.
pub(super) struct Told;

/// The arm with these equations, if it asks for any; `node` is the scenario's `arm`.
pub(super) fn of_scenario(
    reader: &mut Reader,
    node: &Node,
    variants: &Variants,
    arm: &Arm,
) -> Result<Option<Variant>, Told> {
    let variant = variants.of(arm).map_err(|lack| {
        let message = format!("the arm cannot move with sections that turn to first order: {lack}");
        reader.push(
            Problem::error(&codes::OTHER_EQUATIONS, message)
                .at(node.span.clone())
                .label("asks for rotation = \"first-order\"")
                .help(lack.option()),
        );
        Told
    })?;
    if variant.is_some() {
        let (others, parts) = if variants.first_order.is_empty() {
            ("velocity = \"material\"", "plans, equilibria and the models of controllers")
        } else {
            let parts = "plans, equilibria, the models of controllers, frames and energies";
            ("rotation = \"exact\"", parts)
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
    Ok(variant)
}

/// Refuses a method that knows the engine's equations alone.
pub(super) fn check_method(reader: &mut Reader, table: &ScenarioTable, setup: &Setup) {
    if setup.variant.is_none() || !matches!(setup.method, Method::GeneralisedAlpha { .. }) {
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
