//! King's composite controllers in scenarios.

use crate::node::Value;
use crate::reader::{Fields, Reader};
use crate::scenario;
use crate::scenario::gains::positive;
use crate::scenario::refusal::CONTROLLER;
use crate::scenario::sensor::named;
use crate::scenario::times::positive_time;
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
    if weights.input == 0.0 {
        let message =
            "input_weight is zero, so that accelerations cost nothing; give more than zero";
        CONTROLLER.refuse(reader, fields, "input_weight", message);
        return None;
    }
    let period = match fields.get("gains_period") {
        Some(node) => positive_time(reader, "gains_period", node)?,
        None => 0.05,
    };
    let mut links = Pseudolinks::none(count);
    if leads_pseudolinks {
        let arm = model.arm();
        let names: Vec<String> =
            model.joints().iter().map(|&v| arm.velocity_names()[v].clone()).collect();
        let led = match fields.get("rows") {
            None => (0..count).collect(),
            Some(node) => {
                let Value::List(list) = &node.value else {
                    reader.wrong_type("rows", node, "a list of joints", "write rows = [\"upper\"]");
                    return None;
                };
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
