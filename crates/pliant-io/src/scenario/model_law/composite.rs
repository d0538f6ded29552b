//! King's composite controllers in scenarios.

use crate::codes;
use crate::node::{Value, quoted};
use crate::problem::Problem;
use crate::reader::{Fields, Reader};
use crate::scenario;
use crate::scenario::gains::positive;
use crate::scenario::refusal::CONTROLLER;
use crate::scenario::sensor::named;
use crate::scenario::times::positive_time;
use crate::units::short;
use pliant::arm::Arm;
use pliant::control::{Composite, CompositeWeights, GUARD, Model, Pseudolinks};

/// King's composite controllers; those of pseudolinks lead the joints of `rows`.
pub(super) fn composite(
    reader: &mut Reader,
    fields: &Fields<'_>,
    model: &Model,
    (stiffness, damping): (Vec<f64>, Vec<f64>),
    leads_pseudolinks: bool,
) -> Option<Composite> {
    let count = model.joints().len();
    let oracle = fields.get("oracle").map(|node| &node.value);
    let sees_all = matches!(oracle, Some(Value::Flag(true)));
    let arm = model.arm();
    let drives = (0..arm.body_count()).flat_map(|link| arm.drives_of(link));
    if let Some(v) = drives.into_iter().find(|v| !model.joints().contains(v)) {
        let message = format!(
            "the joint {} is not in the plan, so that it takes it for something that bends; plan it too, or let it follow a prescribed motion",
            quoted(&arm.velocity_names()[v])
        );
        CONTROLLER.refuse(reader, fields, "kind", &message);
        return None;
    }
    if (0..arm.body_count()).all(|link| arm.deforming_of(link).is_empty()) {
        let message = "nothing of its model bends, so that there are no vibrations to take out: it is computed torque";
        reader.push(
            Problem::warning(&codes::CONTROLLER, message)
                .at(fields.span_of("kind"))
                .label("has nothing to do besides")
                .help("take kind = \"computed-torque\"; elastic joints are rigid to laws with a model"),
        );
    } else if !sees_all && fields.get("observer").is_none() {
        let message = "it does not see what bends, and believes it at rest: there is nothing for its regulator to do";
        reader.push(
            Problem::warning(&codes::CONTROLLER, message)
                .at(fields.span_of("kind"))
                .label("takes no vibrations out")
                .help("add observer = { kind = \"extended\" } and strain gauges, or oracle = true"),
        );
    }
    let mut weight = |key: &str, usual: f64| match fields.get(key) {
        Some(_) => positive(reader, fields, key),
        None => Some(usual),
    };
    let weights = CompositeWeights {
        bending: weight("bending_weight", 1e4)?,
        rate: weight("rate_weight", 0.0)?,
        input: weight("input_weight", 1.0)?,
    };
    let guard = weight("guard", GUARD)?;
    let refused = if weights.input == 0.0 {
        Some(("input_weight", "accelerations cost nothing with it; give more than zero"))
    } else if weights.bending == 0.0 && weights.rate == 0.0 {
        Some((
            "bending_weight",
            "vibrations cost nothing, with no rate_weight either; give more than zero",
        ))
    } else if guard >= 1.0 {
        Some((
            "guard",
            "it is the part of what the determinant is in other postures; give less than 1, 0.01 is usual",
        ))
    } else {
        None
    };
    if let Some((key, why)) = refused {
        let value = if key == "guard" { guard } else { 0.0 };
        CONTROLLER.refuse(reader, fields, key, &format!("{key} is {}: {why}", short(value)));
        return None;
    }
    let period = match fields.get("gains_period") {
        Some(node) => positive_time(reader, "gains_period", node)?,
        None => 0.05,
    };
    let mut links = Pseudolinks::none(count);
    if leads_pseudolinks {
        let names: Vec<String> =
            model.joints().iter().map(|&v| arm.velocity_names()[v].clone()).collect();
        let led = match fields.get("rows") {
            None => (0..count).collect(),
            Some(node) => {
                let Value::List(list) = &node.value else {
                    reader.wrong_type("rows", node, "a list of joints", "write rows = [\"upper\"]");
                    return None;
                };
                if list.is_empty() {
                    let message =
                        "no pseudolink is led; name joints in rows, or take kind = \"composite\"";
                    CONTROLLER.refuse(reader, fields, "rows", message);
                    return None;
                }
                let found = list.iter().map(|node| named(reader, "joint", node, &names));
                found.collect::<Option<Vec<usize>>>()?
            }
        };
        for k in led {
            links.frames[k] = point_of(arm, model.joints()[k]);
        }
    }
    Some(Composite::new(stiffness, damping, links, weights, period).guarded(guard))
}

/// The tip of the link of a joint, or that of the arm where the link has none.
fn point_of(arm: &Arm, velocity: usize) -> Option<usize> {
    let link = (0..arm.body_count()).find(|&link| arm.velocities_of(link).contains(&velocity))?;
    let tip = arm.frame(&format!("{}.tip", arm.link_names()[link])).ok();
    tip.or_else(|| scenario::tip(arm))
}
