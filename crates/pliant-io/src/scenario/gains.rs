//! Numbers of laws: gains of the joints, weights and shares.

use super::Setup;
use super::plan::Plan;
use super::refusal::CONTROLLER;
use crate::coordinates::Measure;
use crate::node::{Value, quoted};
use crate::reader::{Fields, Reader};
use crate::state::{Side, vector};
use crate::units;

/// Numbers of the joints, not negative: by name, or one for all where they have one unit.
pub(super) fn gains(
    reader: &mut Reader,
    fields: &Fields<'_>,
    key: &str,
    measure: Measure,
    setup: &Setup,
    plan: &Plan,
) -> Option<Vec<f64>> {
    let node = fields.get(key)?;
    let mut all = vec![if key == "limits" { f64::INFINITY } else { f64::NAN }; setup.arm.nv()];
    if matches!(node.value, Value::Number(_) | Value::Text(_)) {
        let quantities = || plan.velocities.iter().map(|&v| measure.of(setup.arm.turns(v)));
        let first = quantities().next().unwrap_or(measure.turn);
        if !quantities().all(|quantity| std::ptr::eq(quantity, first)) {
            let message = format!(
                "{key} is one number, but some joints of the plan turn and others slide; give one for each by name"
            );
            CONTROLLER.refuse(reader, fields, key, &message);
            return None;
        }
        all.fill(reader.number(key, node, first)?);
    } else {
        let count = reader.problems.len();
        vector(reader, key, node, &setup.arm, Side::Velocity(measure), &mut all);
        if reader.problems.len() > count {
            return None;
        }
    }
    if let Some(&v) = plan.velocities.iter().find(|&&v| all[v].is_nan()) {
        let name = quoted(&setup.arm.velocity_names()[v]);
        let message = format!("{key} leaves out the joint {name} of the plan; give one for each");
        CONTROLLER.refuse(reader, fields, key, &message);
        return None;
    }
    let chosen: Vec<f64> = plan.velocities.iter().map(|&v| all[v]).collect();
    if chosen.iter().any(|number| *number < 0.0) {
        CONTROLLER.refuse(
            reader,
            fields,
            key,
            &format!("a number of {key} is below zero; give zero or more"),
        );
        return None;
    }
    Some(chosen)
}

/// A plain number that is not negative.
pub(super) fn positive(reader: &mut Reader, fields: &Fields<'_>, key: &str) -> Option<f64> {
    let number = reader.number(key, fields.get(key)?, &units::NUMBER)?;
    if number >= 0.0 {
        return Some(number);
    }
    CONTROLLER.refuse(
        reader,
        fields,
        key,
        &format!("{key} is {number}, below zero; give zero or more"),
    );
    None
}

/// A share of a whole.
pub(super) fn share(reader: &mut Reader, fields: &Fields<'_>, key: &str) -> Option<f64> {
    let number = positive(reader, fields, key)?;
    if number <= 1.0 {
        return Some(number);
    }
    CONTROLLER.refuse(
        reader,
        fields,
        key,
        &format!("{key} is {number}; give a share of the run, 0 to 1"),
    );
    None
}
