//! Numbers of the joints of a plan.

use super::refusal::CONTROLLER;
use super::text::Surroundings;
use crate::node::Value;
use crate::reader::Reader;
use crate::shapes::{InJoint, Unread, entries};
use crate::state::{Side, vector};
use crate::table::Field;
use pliant::control::PerJoint;

/// Numbers of the joints: by name, or one for all where they have one unit.
pub(super) fn per_joint(
    reader: &mut Reader,
    around: &Surroundings<'_>,
    field: &Field<Unread>,
) -> Option<PerJoint> {
    let (key, Unread { node, measure }) = (field.name(), field.get()?);
    let arm = around.arm;
    if matches!(node.value, Value::Number(_) | Value::Text(_)) {
        let quantities = || around.joints.iter().map(|&v| measure.of(arm.turns(v)));
        let first = quantities().next().unwrap_or(measure.turn);
        if !quantities().all(|quantity| std::ptr::eq(quantity, first)) {
            let message =
                format!("{key} is one number, but some joints of the plan turn and others slide");
            CONTROLLER.refuse(reader, node.span.clone(), message, "give one for each by name");
            return None;
        }
        return reader.number(key, node, first).map(PerJoint::All);
    }
    let mut all = vec![f64::NAN; arm.nv()];
    let count = reader.problems.len();
    vector(reader, key, node, arm, Side::Velocity(*measure), &mut all);
    if reader.problems.len() > count {
        return None;
    }
    // the motor of an elastic joint is meant by the name of the joint
    let is_meant = |name: &str, v: usize| {
        let motor = (0..arm.body_count()).filter(|&body| arm.is_rotor(body));
        let is_motor = motor.into_iter().any(|body| arm.velocities_of(body).contains(&v));
        !is_motor || node.entry(name).is_some() || matches!(node.value, Value::List(_))
    };
    let names = arm.velocity_names().iter().zip(all).enumerate();
    let given = names.filter(|(v, (name, x))| !x.is_nan() && is_meant(name, *v));
    Some(PerJoint::ByName(given.map(|(_, (name, x))| (name.clone(), x)).collect()))
}

/// What a file says about numbers of the joints; those without a limit are left out.
pub(super) fn of_joints<M: InJoint>(numbers: &PerJoint) -> Field<Unread> {
    let value = match numbers {
        PerJoint::All(number) => number.is_finite().then_some(Value::Number(*number)),
        PerJoint::ByName(numbers) => {
            let finite = numbers.iter().filter(|(_, number)| number.is_finite());
            Some(entries(finite.map(|(name, x)| (name.clone(), Value::Number(*x))).collect()))
        }
    };
    value.map(Unread::new::<M>).into()
}
