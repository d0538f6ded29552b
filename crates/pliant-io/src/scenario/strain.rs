//! Controllers against the strains of links.

use super::Setup;
use super::controller::{Controller, Law, Timing, slower};
use super::controller_keys::STRAIN_JOINT;
use super::sensor::{clock, named};
use super::signal::motor;
use crate::arm_file::one_or_many;
use crate::codes;
use crate::coordinates::{FORCE, STRAIN_DAMPING};
use crate::node::quoted;
use crate::problem::Problem;
use crate::reader::{Fields, Reader};
use crate::state::Side;
use pliant::control::{JointPd, PdJoint};
use pliant::simulate::{Output, Quantity, Reference, Signal, Source};

/// Reads a controller that pulls strains to zero: a spring and a damper whose coordinate is a
/// strain.
pub(super) fn controller(
    reader: &mut Reader,
    fields: &Fields<'_>,
    name: &str,
    setup: &mut Setup,
) -> Option<Controller> {
    let (clock, delay) = clock(reader, fields)?;
    let (mut joints, mut inputs, mut outputs) = (Vec::new(), Vec::new(), Vec::new());
    for node in one_or_many(fields.get("joint")?) {
        let fields = reader.fields("the motor of a controller", node, &STRAIN_JOINT)?;
        let velocity = motor(reader, fields.get("motor")?, &setup.arm)?;
        let names: Vec<String> = setup.sensors.iter().map(|sensor| sensor.name.clone()).collect();
        let sensor_node = fields.get("sensor")?;
        let sensor = named(reader, "sensor", sensor_node, &names)?;
        if !matches!(setup.sensors[sensor].quantity, Quantity::Strain { .. }) {
            let message = format!("sensor {} measures no strain", quoted(&names[sensor]));
            reader.push(
                Problem::error(&codes::CONTROLLER, message)
                    .at(sensor_node.span.clone())
                    .label("measures something else")
                    .help("name a sensor with kind = \"strain\""),
            );
            return None;
        }
        slower(reader, sensor_node, &setup.sensors[sensor], &clock);
        let force = Side::Velocity(FORCE).quantity(&setup.arm, velocity);
        let stiffness = reader.number("stiffness", fields.get("stiffness")?, force)?;
        let braking = Side::Velocity(STRAIN_DAMPING).quantity(&setup.arm, velocity);
        let damping = reader.number("damping", fields.get("damping")?, braking)?;
        let limit = match fields.get("limit") {
            Some(node) => reader.number("limit", node, force)?.abs(),
            None => f64::INFINITY,
        };
        let limit = limit.min(setup.arm.force_limits()[velocity]);
        joints.push(PdJoint { stiffness, damping, limit, looks_at: None });
        let motor_name = &setup.arm.velocity_names()[velocity];
        let output = Output::motor(format!("{motor_name}.force"), velocity);
        outputs.push(Output { unit: force.si.into(), ..output });
        // its target is no strain
        let target = setup.references.len();
        inputs.push(Source::Sensor(sensor));
        inputs.extend([Source::Reference(target), Source::ReferenceRate(target)]);
        let name = format!("{name}.{}.target", names[sensor]);
        setup.references.push(Reference { name, unit: "1".into(), signal: Signal::Constant(0.0) });
    }
    Some(Controller {
        name: name.to_owned(),
        limits: joints.iter().map(|joint| joint.limit).collect(),
        law: Law::Pd(JointPd::new(joints)),
        timing: Timing::Ticks { clock, delay },
        oracle: false,
        inputs,
        outputs,
        saturation: super::tracking::SATURATION,
    })
}
