//! The measurements of a law with a model: the encoders of its joints.

use super::WithModel;
use crate::node::quoted;
use crate::reader::Reader;
use crate::scenario::controller::slower;
use crate::scenario::refusal::CONTROLLER;
use crate::scenario::signal::listed;
use pliant::scenario::Simulation;
use pliant::scenario::{Plan, Timing};
use pliant::simulate::{BlockInput, SensorQuantity};
use std::ops::Range;

/// The encoders of the joints, in their order.
pub(super) fn encoders(
    reader: &mut Reader,
    (keys, kind): (&WithModel, &Range<usize>),
    (setup, plan): (&Simulation, &Plan),
    timing: &Timing,
) -> Option<Vec<BlockInput>> {
    let span = match (keys.sensors.span(), keys.full_state.value?) {
        (None, true) => return Some(Vec::new()),
        (Some(span), false) => span,
        (Some(span), true) => {
            let message = "both full_state and sensors are given";
            CONTROLLER.refuse(reader, span, message, "remove sensors, or full_state = true");
            return None;
        }
        (None, false) => {
            let help = "add sensors = [\"…\"] with the names of encoders, or full_state = true";
            CONTROLLER.refuse(reader, kind.clone(), "nothing measures the joints for it", help);
            return None;
        }
    };
    let names: Vec<String> = setup.sensors.iter().map(|sensor| sensor.name.clone()).collect();
    let found = keys.sensors.get()?.iter().map(|name| listed(reader, "sensor", name, &names));
    let found = found.collect::<Option<Vec<_>>>()?;
    let mut inputs = Vec::new();
    for &v in &plan.velocities {
        // of an elastic joint an encoder on either side will do
        let sides = [v, setup.arm.motor_of(v)].map(|v| setup.arm.coordinate_of(v));
        let measures = |&&i: &&usize| match setup.sensors[i].quantity {
            SensorQuantity::Coordinate(measured) => sides.contains(&Some(measured)),
            _ => false,
        };
        let Some(&sensor) = found.iter().find(measures) else {
            let name = quoted(&setup.arm.velocity_names()[v]);
            let message = format!("no sensor measures {name} for it");
            CONTROLLER.refuse(reader, span, message, "name its encoder too");
            return None;
        };
        if let Timing::Ticks { clock, .. } = timing {
            slower(reader, span.clone(), &setup.sensors[sensor], clock);
        }
        inputs.push(BlockInput::Sensor(sensor));
    }
    let twice = |(k, sensor): &(usize, &usize)| found[..*k].contains(sensor);
    let unused = |(_, sensor): &(usize, &usize)| {
        !keys.estimator.is_given() && !inputs.contains(&BlockInput::Sensor(**sensor))
    };
    let (message, help) = if let Some((_, &sensor)) = found.iter().enumerate().find(twice) {
        (format!("sensor {} is there twice", quoted(&names[sensor])), "name it once")
    } else if let Some((_, &sensor)) = found.iter().enumerate().find(unused) {
        let name = quoted(&names[sensor]);
        (
            format!(
                "sensor {name} is of no use to it: it measures no joint of the plan, or one that another does"
            ),
            "leave it out, or add an estimator for strain gauges",
        )
    } else {
        return Some(inputs);
    };
    CONTROLLER.refuse(reader, span, message, help);
    None
}
