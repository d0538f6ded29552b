//! Numbers of the joints of a plan.

use super::refusal::CONTROLLER;
use crate::node::{Value, quoted};
use crate::reader::Reader;
use crate::shapes::Unread;
use crate::state::{Side, vector};
use crate::table::Field;
use pliant::scenario::Plan;
use pliant::scenario::Simulation;

/// Numbers of the joints, not negative: by name, or one for all where they have one unit. Joints
/// that are left out have the `usual` one, or are asked for.
pub(super) fn gains(
    reader: &mut Reader,
    field: &Field<Unread>,
    usual: Option<f64>,
    (setup, plan): (&Simulation, &Plan),
) -> Option<Vec<f64>> {
    let (key, Unread { node, measure }) = (field.name(), field.get()?);
    let refuse = |reader: &mut Reader, message: String, help: &str| {
        CONTROLLER.refuse(reader, node.span.clone(), message, help);
    };
    let mut all = vec![usual.unwrap_or(f64::NAN); setup.arm.nv()];
    if matches!(node.value, Value::Number(_) | Value::Text(_)) {
        let quantities = || plan.velocities.iter().map(|&v| measure.of(setup.arm.turns(v)));
        let first = quantities().next().unwrap_or(measure.turn);
        if !quantities().all(|quantity| std::ptr::eq(quantity, first)) {
            let message =
                format!("{key} is one number, but some joints of the plan turn and others slide");
            refuse(reader, message, "give one for each by name");
            return None;
        }
        all.fill(reader.number(key, node, first)?);
    } else {
        let count = reader.problems.len();
        vector(reader, key, node, &setup.arm, Side::Velocity(*measure), &mut all);
        if reader.problems.len() > count {
            return None;
        }
    }
    if let Some(&v) = plan.velocities.iter().find(|&&v| all[v].is_nan()) {
        let name = quoted(&setup.arm.velocity_names()[v]);
        let message = format!("{key} leaves out the joint {name} of the plan");
        refuse(reader, message, "give one for each");
        return None;
    }
    let chosen: Vec<f64> = plan.velocities.iter().map(|&v| all[v]).collect();
    if chosen.iter().any(|number| *number < 0.0) {
        refuse(reader, format!("a number of {key} is below zero"), "give zero or more");
        return None;
    }
    Some(chosen)
}
