//! Controllers against the strains of links.

use super::controller::{ControllerKeys, PdJoint, Ticks, servo, slower};
use super::sensor::clock;
use super::shapes::Each;
use super::signal::{motor, named};
use crate::codes;
use crate::coordinates::FORCE;
use crate::node::quoted;
use crate::problem::Problem;
use crate::reader::Reader;
use crate::shapes::{Flat, JointForce, JointStrainDamping, OfJoint, Text};
use crate::state::Side;
use crate::table::table;
use pliant::control::StateSource;
use pliant::scenario::{ControllerBlock, SATURATION, Simulation, Timing};
use pliant::simulate::{BlockInput, BlockOutput, Reference, SensorQuantity, Signal};

table! {
    /// Proportional-derivative feedback of link strains, added to the forces of other controllers:
    /// the fast part of King's multirate scheme, 4.9.
    pub(crate) struct StrainPd = "strain-pd",
        "add its motors, each below a line [[controller.joint]] with motor, sensor, stiffness and damping";
    keys {
        /// When it acts.
        ticks: Flat<Ticks> [flat],
        /// The driven motors.
        joint: Each<StrainJoint> [required],
    }
}

table! {
    /// A motor, the strain that it feeds back, and its gains.
    pub(crate) struct StrainJoint = "a motor of strain-pd",
        "write motor, sensor, stiffness and damping below a line [[controller.joint]]";
    also { "kp" => "stiffness", "kd" => "damping" }
    keys {
        /// The coordinate of the motor.
        motor: Text [required],
        /// The name of the strain sensor.
        sensor: Text [required],
        /// Proportional gain, force per strain, opposing it.
        stiffness: OfJoint<JointForce> [required],
        /// Derivative gain, force per strain rate.
        damping: OfJoint<JointStrainDamping> [required],
        /// The largest force of the motor, in both directions.
        limit: OfJoint<JointForce> [or "none"],
    }
}

/// A controller that pulls strains to zero: a spring and a damper whose coordinate is a strain.
pub(super) fn controller(
    reader: &mut Reader,
    keys: &ControllerKeys,
    own: &StrainPd,
    setup: &mut Simulation,
) -> Option<ControllerBlock> {
    let name = keys.name.get()?;
    let (clock, delay) = clock(reader, &own.ticks.period, &keys.delay)?;
    let (mut joints, mut inputs, mut outputs) = (Vec::new(), Vec::new(), Vec::new());
    for joint in own.joint.get()? {
        let velocity = motor(reader, &joint.motor, &setup.arm)?;
        let names: Vec<String> = setup.sensors.iter().map(|sensor| sensor.name.clone()).collect();
        let sensor = named(reader, "sensor", &joint.sensor, &names)?;
        if !matches!(setup.sensors[sensor].quantity, SensorQuantity::Strain { .. }) {
            let message = format!("sensor {} measures no strain", quoted(&names[sensor]));
            reader.push(
                Problem::error(&codes::CONTROLLER, message)
                    .at(joint.sensor.span()?)
                    .label("measures something else")
                    .help("name a sensor with kind = \"strain\""),
            );
            return None;
        }
        slower(reader, joint.sensor.span()?, &setup.sensors[sensor], &clock);
        let force = Side::Velocity(FORCE).quantity(&setup.arm, velocity);
        let stiffness = joint.stiffness.of_motor(reader, &setup.arm, velocity)?;
        let damping = joint.damping.of_motor(reader, &setup.arm, velocity)?;
        let limit = if joint.limit.is_given() {
            joint.limit.of_motor(reader, &setup.arm, velocity)?.abs()
        } else {
            f64::INFINITY
        };
        let limit = limit.min(setup.arm.force_limits()[velocity]);
        let motor_name = &setup.arm.velocity_names()[velocity];
        let output = BlockOutput::motor(format!("{motor_name}.force"), velocity);
        outputs.push(BlockOutput { unit: force.si.into(), ..output });
        inputs.push(BlockInput::Sensor(sensor));
        // its target is no strain
        let signal = Signal::Constant(0.0);
        let name = format!("{name}.{}.target", names[sensor]);
        setup.references.push(Reference { name, unit: "1".into(), signal: signal.clone() });
        joints.push(PdJoint { velocity, stiffness, damping, limit, signal });
    }
    let controller = servo(reader, keys, StateSource::Sensors, &joints)?;
    Some(ControllerBlock {
        name: name.clone(),
        limits: joints.iter().map(|joint| joint.limit).collect(),
        controller,
        follows_plan: false,
        targets: Vec::new(),
        timing: Timing::Ticks { clock, delay },
        full_state: false,
        inputs,
        outputs,
        saturation: SATURATION,
    })
}
