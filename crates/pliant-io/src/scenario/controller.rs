//! Controllers of scenarios.

use super::model_law::{
    self, CompositeKeys, ComputedTorqueKeys, DecouplingKeys, EnergyFeedbackKeys, EnergyTorqueKeys,
    GravityPdKeys, ModelLawKeys, PseudolinkKeys,
};
use super::refusal::CONTROLLER;
use super::sensor::clock;
use super::shapes::{Called, Each, FromNow, KindAt, Lasting, Name};
use super::signal::{TargetTable, motor, named, signal};
use super::strain::{self, StrainPd};
use super::text::Surroundings;
use crate::codes;
use crate::coordinates::FORCE;
use crate::node::quoted;
use crate::problem::Problem;
use crate::reader::Reader;
use crate::shapes::{
    Flag, Flat, JointDamping, JointForce, JointStiffness, OfJoint, OneOfKinds, Text, Unread,
};
use crate::shared::{Shared, kinds_sharing};
use crate::state::Side;
use crate::table::{Field, table};
use crate::units::short;
use pliant::control::{Controller, Pd, StateSource};
use pliant::scenario::{ControllerBlock, SATURATION, Simulation, Target, Timing};
use pliant::simulate::{
    BlockInput, BlockOutput, Clock, Interpolation, Reference, Sensor, SensorQuantity, Signal,
};
use std::ops::Range;

/// What controllers are called.
pub(crate) enum OfController {}

impl Called for OfController {
    const WORD: &'static str = "controller";
}

table! {
    /// Keys of every controller.
    pub(crate) struct ControllerKeys = "a controller",
        "write kind = \"computed-torque\" and name = \"follow\" below a line [[controller]]";
    keys {
        /// The control law.
        kind: KindAt [required],
        /// Its name, the prefix of its channels.
        name: Name<OfController> [required],
        /// The delay of its forces, which are zero until the first one acts.
        delay: FromNow [= 0.0],
    }
}

table! {
    /// When laws act that need a clock.
    pub(crate) struct Ticks = "ticks", "write period = \"1 ms\"";
    keys {
        /// The sampling period.
        period: Lasting [required],
    }
}

table! {
    /// Proportional-derivative control of each joint to its target. The rate of a joint is the
    /// difference quotient of its encoder.
    pub(crate) struct PdKeys = "pd",
        "add its joints, each below a line [[controller.joint]] with motor, sensor, stiffness, damping and target";
    elsewhere {
        "model" => "a law with a model is another kind, such as kind = \"gravity-pd\"",
        "kp" => "gains belong to the joints: stiffness below a line [[controller.joint]]",
        "kd" => "gains belong to the joints: damping below a line [[controller.joint]]",
        "stiffness" => "gains belong to the joints: put it below a line [[controller.joint]]",
        "damping" => "gains belong to the joints: put it below a line [[controller.joint]]",
        "motor" => "it belongs to a joint: put it below a line [[controller.joint]]",
        "sensor" => "it belongs to a joint: put it below a line [[controller.joint]]",
        "target" => "it belongs to a joint: put it below a line [[controller.joint]]",
    }
    formerly { "oracle" => "full_state" }
    keys {
        /// When it acts.
        ticks: Flat<Ticks> [flat],
        /// Whether it uses the full state instead of sensors.
        full_state: Flag [= false],
        /// The driven joints.
        joint: Each<JointTable> [required],
    }
}

table! {
    /// A joint, its gains and its target.
    pub(crate) struct JointTable = "a joint of a controller",
        "write motor, sensor, stiffness, damping and target below a line [[controller.joint]]";
    elsewhere {
        "coordinate" => "it is called motor",
    }
    also { "kp" => "stiffness", "kd" => "damping" }
    keys {
        /// The coordinate of the motor.
        motor: Text [required],
        /// The name of the encoder of that coordinate; not with full_state = true.
        sensor: Text [or "required, unless full_state = true"],
        /// Proportional gain, force per error.
        stiffness: OfJoint<JointStiffness> [required],
        /// Derivative gain, force per error rate.
        damping: OfJoint<JointDamping> [required],
        /// The largest force of the motor, in both directions.
        limit: OfJoint<JointForce> [or "none"],
        /// The reference of the coordinate, as a function of time [rad, m].
        target: OneOfKinds<TargetTable> [required],
    }
}

kinds_sharing! {
    /// The laws of controllers.
    pub(crate) enum LawKind = "controller" {
        Pd(PdKeys),
        StrainPd(StrainPd),
        GravityPd(GravityPdKeys),
        ComputedTorque(ComputedTorqueKeys),
        Decoupling(DecouplingKeys),
        Composite(CompositeKeys),
        Pseudolink(PseudolinkKeys),
        EnergyTorque(EnergyTorqueKeys),
        EnergyFeedback(EnergyFeedbackKeys),
    }
}

/// What drives motors by what is measured.
pub(crate) type ControllerTable = Shared<ControllerKeys, LawKind>;

/// The controller that a table describes, for a setup whose sensors are there.
pub(super) fn controller(
    reader: &mut Reader,
    around: &mut Surroundings<'_>,
    table: &ControllerTable,
    setup: &mut Simulation,
) -> Option<ControllerBlock> {
    let keys = &table.all;
    reader.whose = OfController::whose(keys.name.get()?);
    let law: &dyn ModelLawKeys = match &table.own {
        LawKind::Pd(own) => return pd(reader, around, (keys, own), setup),
        LawKind::StrainPd(own) => return strain::controller(reader, keys, own, setup),
        LawKind::GravityPd(law) => law,
        LawKind::ComputedTorque(law) => law,
        LawKind::Decoupling(law) => law,
        LawKind::Composite(law) => law,
        LawKind::Pseudolink(law) => law,
        LawKind::EnergyTorque(law) => law,
        LawKind::EnergyFeedback(law) => law,
    };
    model_law::controller(reader, around, (keys, law), setup)
}

/// A spring and a damper from each joint to its target.
fn pd(
    reader: &mut Reader,
    around: &mut Surroundings<'_>,
    (keys, own): (&ControllerKeys, &PdKeys),
    setup: &mut Simulation,
) -> Option<ControllerBlock> {
    let name = keys.name.get()?;
    let (clock, delay) = clock(reader, &own.ticks.period, &keys.delay)?;
    let full_state = own.full_state.value?;
    let mut wires = Wires { controller: name, full_state, clock, motors: Vec::new() };
    let (mut joints, mut inputs, mut outputs) = (Vec::new(), Vec::new(), Vec::new());
    let mut targets = Vec::new();
    for joint in own.joint.get()? {
        if let Some((joint, target, sensor, output)) = wires.joint(reader, around, joint, setup) {
            joints.push(joint);
            targets.push(target);
            inputs.extend(sensor);
            outputs.push(output);
        }
    }
    if joints.is_empty() && !reader.has_errors() {
        reader.push(
            Problem::error(&codes::CONTROLLER, "it has no joints")
                .at(own.joint.span_or(&own.span))
                .help("give it one below a line [[controller.joint]]"),
        );
    }
    let source = if full_state {
        let coordinates = targets.iter().map(|target| target.coordinate).zip(0..).collect();
        let velocities = joints.iter().map(|joint| joint.velocity).zip(0..).collect();
        StateSource::FullState { coordinates, velocities }
    } else {
        StateSource::Sensors
    };
    let controller = servo(reader, keys, source, &joints)?;
    Some(ControllerBlock {
        name: name.clone(),
        limits: joints.iter().map(|joint| joint.limit).collect(),
        controller,
        follows_plan: false,
        targets,
        timing: Timing::Ticks { clock, delay },
        full_state,
        inputs,
        outputs,
        saturation: SATURATION,
    })
}

/// A spring and a damper for each of some joints.
pub(super) fn servo(
    reader: &mut Reader,
    keys: &ControllerKeys,
    source: StateSource,
    joints: &[PdJoint],
) -> Option<Controller> {
    let of = |number: fn(&PdJoint) -> f64| joints.iter().map(number).collect::<Vec<f64>>();
    let law = Pd { stiffness: of(|joint| joint.stiffness), damping: of(|joint| joint.damping) };
    let trajectory = joints.iter().map(|joint| joint.signal.clone()).collect();
    match Controller::new(law, None, trajectory, source) {
        Ok(controller) => Some(controller.limited(&of(|joint| joint.limit))),
        Err(error) => {
            CONTROLLER.refuse_error(reader, keys.kind.clone(), &error);
            None
        }
    }
}

/// Warns of a sensor that measures more seldom than it is read.
pub(super) fn slower(reader: &mut Reader, span: Range<usize>, sensor: &Sensor, clock: &Clock) {
    if sensor.clock.period() > clock.period() {
        let [slow, fast] = [sensor.clock.period(), clock.period()].map(short);
        reader.push(
            Problem::warning(
                &codes::CONTROLLER,
                format!(
                    "sensor {} measures every {slow} s, but is read every {fast} s",
                    quoted(&sensor.name)
                ),
            )
            .at(span)
            .label("slower than the controller")
            .help("the damping then acts in jerks: give both the same period"),
        );
    }
}

/// What the joints of a controller have in common.
struct Wires<'a> {
    controller: &'a str,
    full_state: bool,
    clock: Clock,
    /// The motors that are taken.
    motors: Vec<usize>,
}

/// A joint on a spring and a damper.
pub(super) struct PdJoint {
    /// As velocity coordinate.
    pub(super) velocity: usize,
    pub(super) stiffness: f64,
    pub(super) damping: f64,
    /// The largest force, either way (N m, N).
    pub(super) limit: f64,
    /// What the measured quantity is led to.
    pub(super) signal: Signal,
}

impl Wires<'_> {
    fn joint(
        &mut self,
        reader: &mut Reader,
        around: &mut Surroundings<'_>,
        table: &JointTable,
        setup: &mut Simulation,
    ) -> Option<(PdJoint, Target, Vec<BlockInput>, BlockOutput)> {
        let arm = &setup.arm;
        let velocity = motor(reader, &table.motor, arm)?;
        let subject = table.motor.span()?;
        let name = &arm.velocity_names()[velocity];
        if self.motors.contains(&velocity) {
            reader.push(
                Problem::error(&codes::CONTROLLER, format!("it drives {name} twice"))
                    .at(subject)
                    .label("given before")
                    .help("remove one of the two joints"),
            );
            return None;
        }
        self.motors.push(velocity);
        let Some(coordinate) = controlled(table, setup, velocity) else {
            reader.push(
                Problem::error(&codes::CONTROLLER, format!("{name} has no position to control"))
                    .at(subject)
                    .label("turns freely")
                    .help("control joints that turn or slide about one axis"),
            );
            return None;
        };
        let mut gain = |field: &Field<Unread>| {
            let number = field.of_motor(reader, arm, velocity)?;
            if number >= 0.0 {
                return Some(number);
            }
            let unit = Side::Velocity(field.get()?.measure).quantity(arm, velocity).si;
            let (key, is) = (field.name(), short(number));
            reader.push(
                Problem::error(&codes::CONTROLLER, format!("{key} is {is} {unit}, below zero"))
                    .at(field.span()?)
                    .label("below zero")
                    .help("give zero or more"),
            );
            None
        };
        let (stiffness, damping) = (gain(&table.stiffness), gain(&table.damping));
        let limit = if table.limit.is_given() { gain(&table.limit) } else { Some(f64::INFINITY) };
        // what the actuator cannot give, the law does not ask for
        let limit = limit.map(|limit| limit.min(arm.force_limits()[velocity]));
        let sensor = self.sensor(reader, table, setup, coordinate);
        let target = self.target(reader, around, table, setup, coordinate);
        let (sensor, signal) = (sensor?, target?);
        let (stiffness, damping, limit) = (stiffness?, damping?, limit?);
        let unit = Side::Velocity(FORCE).quantity(&setup.arm, velocity).si;
        let name = &setup.arm.velocity_names()[velocity];
        let output = BlockOutput {
            unit: unit.into(),
            ..BlockOutput::motor(format!("{name}.force"), velocity)
        };
        let target = Target { coordinate, signal: signal.clone() };
        let joint = PdJoint { velocity, stiffness, damping, limit, signal };
        Some((joint, target, sensor, output))
    }

    /// What shows a coordinate: its sensor, or nothing for those that look at the true state.
    fn sensor(
        &self,
        reader: &mut Reader,
        table: &JointTable,
        setup: &Simulation,
        coordinate: usize,
    ) -> Option<Vec<BlockInput>> {
        let name = &setup.arm.configuration_names()[coordinate];
        let span = match (table.sensor.span(), self.full_state) {
            (None, true) => return Some(Vec::new()),
            (Some(span), false) => span,
            (Some(span), true) => {
                reader.push(
                    Problem::error(&codes::CONFLICT, "both full_state and sensor are given")
                        .at(span)
                        .label("the true state needs no sensor")
                        .help("remove sensor, or full_state = true"),
                );
                return None;
            }
            (None, false) => {
                reader.push(
                    Problem::error(&codes::CONTROLLER, format!("nothing measures {name} for it"))
                        .at(table.span.clone())
                        .label("sensor is missing")
                        .help("add sensor = \"…\" with the name of an encoder, or full_state = true to the controller"),
                );
                return None;
            }
        };
        let names: Vec<String> = setup.sensors.iter().map(|sensor| sensor.name.clone()).collect();
        let index = named(reader, "sensor", &table.sensor, &names)?;
        let sensor = &setup.sensors[index];
        if sensor.quantity != SensorQuantity::Coordinate(coordinate) {
            reader.push(
                Problem::error(
                    &codes::CONTROLLER,
                    format!("sensor {} does not measure {name}", quoted(&sensor.name)),
                )
                .at(span)
                .label("measures something else")
                .help(format!("name an encoder with coordinate = {}", quoted(name))),
            );
            return None;
        }
        slower(reader, span, sensor, &self.clock);
        Some(vec![BlockInput::Sensor(index)])
    }

    /// The target of a coordinate, which is a reference too.
    fn target(
        &self,
        reader: &mut Reader,
        around: &mut Surroundings<'_>,
        table: &JointTable,
        setup: &mut Simulation,
        coordinate: usize,
    ) -> Option<Signal> {
        let quantity = Side::Configuration.quantity(&setup.arm, coordinate);
        let function = &table.target.get()?.own;
        let signal = signal(reader, around, function, quantity, Interpolation::Cubic)?;
        let joint = &setup.arm.configuration_names()[coordinate];
        let name = format!("{}.{joint}.target", self.controller);
        let unit = quantity.si.to_owned();
        setup.references.push(Reference { name, unit, signal: signal.clone() });
        Some(signal)
    }
}

/// The coordinate to control. Of an elastic joint that is the motor's side, or the link's where
/// the sensor measures that.
fn controlled(table: &JointTable, setup: &Simulation, velocity: usize) -> Option<usize> {
    let arm = &setup.arm;
    let own = arm.coordinate_of(velocity);
    let link = (0..arm.body_count())
        .find(|&body| arm.velocities_of(body).contains(&velocity))
        .and_then(|body| arm.link_of_rotor(body))
        .map(|link| arm.configuration_of(link).start);
    let named = table.sensor.get();
    let measured = named.and_then(|name| setup.sensors.iter().find(|one| one.name == *name));
    match (link, measured.map(|sensor| &sensor.quantity)) {
        (Some(link), Some(SensorQuantity::Coordinate(seen))) if *seen == link => Some(link),
        _ => own,
    }
}
