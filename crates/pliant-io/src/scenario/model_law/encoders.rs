//! What a law with a model hears: the encoders of its joints.

use crate::node::{Value, quoted};
use crate::reader::{Fields, Reader};
use crate::scenario::Setup;
use crate::scenario::controller::{Timing, slower};
use crate::scenario::plan::Plan;
use crate::scenario::refusal::CONTROLLER;
use crate::scenario::sensor::named;
use pliant::simulate::{Quantity, Source};

/// The encoders of the joints, in their order.
pub(super) fn encoders(
    reader: &mut Reader,
    fields: &Fields<'_>,
    setup: &Setup,
    plan: &Plan,
    (oracle, timing): (bool, &Timing),
) -> Option<Vec<Source>> {
    let node = match (fields.get("sensors"), oracle) {
        (None, true) => return Some(Vec::new()),
        (Some(node), false) => node,
        (Some(_), true) => {
            CONTROLLER.refuse(
                reader,
                fields,
                "sensors",
                "both oracle and sensors are given; remove sensors, or oracle = true",
            );
            return None;
        }
        (None, false) => {
            CONTROLLER.refuse(
                reader,
                fields,
                "kind",
                "nothing measures the joints for it; add sensors = [\"…\"] with the names of encoders, or oracle = true",
            );
            return None;
        }
    };
    let Value::List(list) = &node.value else {
        reader.wrong_type("sensors", node, "a list of names", "write sensors = [\"shaft\"]");
        return None;
    };
    let names: Vec<String> = setup.sensors.iter().map(|sensor| sensor.name.clone()).collect();
    let found = list.iter().map(|node| named(reader, "sensor", node, &names));
    let found = found.collect::<Option<Vec<_>>>()?;
    let mut inputs = Vec::new();
    for &v in &plan.velocities {
        // of an elastic joint an encoder on either side will do
        let sides = [v, setup.arm.motor_of(v)].map(|v| setup.arm.coordinate_of(v));
        let measures = |&&i: &&usize| match setup.sensors[i].quantity {
            Quantity::Coordinate(seen) => sides.contains(&Some(seen)),
            _ => false,
        };
        let Some(&sensor) = found.iter().find(measures) else {
            let name = quoted(&setup.arm.velocity_names()[v]);
            let message = format!("no sensor measures {name} for it; name its encoder too");
            CONTROLLER.refuse(reader, fields, "sensors", &message);
            return None;
        };
        if let Timing::Ticks { clock, .. } = timing {
            slower(reader, node, &setup.sensors[sensor], clock);
        }
        inputs.push(Source::Sensor(sensor));
    }
    let twice = |(k, sensor): &(usize, &usize)| found[..*k].contains(sensor);
    let unused = |(_, sensor): &(usize, &usize)| {
        fields.get("observer").is_none() && !inputs.contains(&Source::Sensor(**sensor))
    };
    let message = if let Some((_, &sensor)) = found.iter().enumerate().find(twice) {
        format!("sensor {} is there twice; name it once", quoted(&names[sensor]))
    } else if let Some((_, &sensor)) = found.iter().enumerate().find(unused) {
        let name = quoted(&names[sensor]);
        format!(
            "sensor {name} is of no use to it: it measures no joint of the plan, or one that another does; leave it out, or add an observer for strain gauges"
        )
    } else {
        return Some(inputs);
    };
    CONTROLLER.refuse(reader, fields, "sensors", &message);
    None
}
