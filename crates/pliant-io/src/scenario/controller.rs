//! Controllers of scenarios.

use super::Setup;
use super::controller_keys::{CONTROLLERS, PD_JOINT};
use super::model_law::{self, ModelLaw};
use super::sensor::{clock, named};
use super::signal::{motor, signal};
use super::signal_keys::TARGETS;
use super::strain;
use super::text::Surroundings;
use crate::arm_file::one_or_many;
use crate::codes;
use crate::coordinates::{DAMPING, FORCE, SPRING};
use crate::node::{Node, Value, quoted};
use crate::problem::Problem;
use crate::reader::{Fields, Reader};
use crate::state::Side;
use crate::units::short;
use pliant::control::{Continuous, JointPd, PdJoint, Pilot};
use pliant::simulate::{
    Clock, Delay, Drive, Interpolation, Output, Quantity, Reference, Sampled, Sensor, Source,
};
use std::ops::Range;

/// A controller of a scenario: a law on a clock, with its wires.
#[derive(Clone, Debug)]
pub struct Controller {
    /// Its name.
    pub name: String,
    /// What it does.
    pub law: Law,
    /// When it does.
    pub timing: Timing,
    /// Whether it looks at the true state instead of sensors.
    pub oracle: bool,
    /// What it listens to.
    pub inputs: Vec<Source>,
    /// What it drives.
    pub outputs: Vec<Output>,
    /// The largest force of each output, either way (N m, N).
    pub limits: Vec<f64>,
    /// The share of the run for which a motor may be at its limit without a warning.
    pub saturation: f64,
}

/// When a controller acts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Timing {
    /// At the ticks of a clock.
    Ticks {
        /// The clock.
        clock: Clock,
        /// How late its forces act.
        delay: Delay,
    },
    /// At every instant.
    Always,
}

/// What controllers can do.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Law {
    /// A spring and a damper from each joint to its target.
    Pd(JointPd),
    /// A law with a model of the arm, which follows the plan.
    Model(Box<Pilot<ModelLaw>>),
}

impl Controller {
    /// Whether it leads the arm along the plan.
    pub(super) fn follows_plan(&self) -> bool {
        matches!(self.law, Law::Model(_))
    }

    /// As a part of a run, if it has a clock.
    pub(super) fn part(&self) -> Option<Sampled<'static>> {
        let Timing::Ticks { clock, delay } = self.timing else {
            return None;
        };
        let (name, inputs) = (self.name.as_str(), self.inputs.clone());
        let outputs = self.outputs.clone();
        let part = match &self.law {
            Law::Pd(law) => Sampled::new(name, clock, inputs, outputs, law.clone()),
            Law::Model(pilot) => Sampled::new(name, clock, inputs, outputs, pilot.as_ref().clone()),
        };
        Some(Sampled { delay, sees_state: self.oracle, ..part })
    }

    /// As what acts at every instant, if it has no clock.
    fn continuous(&self) -> Option<Continuous<ModelLaw>> {
        match (&self.law, self.timing) {
            (Law::Model(pilot), Timing::Always) => {
                let motors = self.outputs.iter().filter_map(|output| output.motor).collect();
                Some(Continuous::new(pilot.as_ref().clone(), motors))
            }
            _ => None,
        }
    }
}

/// What acts at every instant, all together.
struct Together(Vec<Continuous<ModelLaw>>);

impl Drive for Together {
    fn act(&mut self, t: f64, q: &[f64], u: &[f64], tau: &mut [f64], ud: &mut [f64]) {
        for one in &mut self.0 {
            one.act(t, q, u, tau, ud);
        }
    }
}

/// The controllers without a clock.
pub(super) fn feedback(controllers: &[Controller]) -> Option<Box<dyn Drive>> {
    let all: Vec<_> = controllers.iter().filter_map(Controller::continuous).collect();
    (!all.is_empty()).then(|| Box::new(Together(all)) as Box<dyn Drive>)
}

/// Reads a controller into a setup, whose sensors are there, and says where its name stands.
pub(super) fn controller(
    reader: &mut Reader,
    around: &mut Surroundings<'_>,
    node: &Node,
    setup: &mut Setup,
) -> Option<Range<usize>> {
    let (kind, fields) = reader.fields_of_kind("a controller", node, CONTROLLERS)?;
    let name_node = fields.get("name")?;
    let name = reader.text("name", name_node)?;
    reader.whose = format!("controller {}", quoted(name));
    if kind != "pd" {
        let controller = if kind == "strain-pd" {
            strain::controller(reader, &fields, name, setup)?
        } else {
            model_law::controller(reader, around, kind, &fields, name, setup)?
        };
        setup.controllers.push(controller);
        return Some(name_node.span.clone());
    }
    let when = clock(reader, &fields);
    let oracle = reader.is_set(&fields, "oracle")?;
    let mut wires = Wires { controller: name, oracle, clock: when?.0, motors: Vec::new() };
    let (mut joints, mut inputs, mut outputs) = (Vec::new(), Vec::new(), Vec::new());
    let nodes = one_or_many(fields.get("joint")?);
    for node in nodes {
        let Some(fields) = reader.fields("the joint of a controller", node, &PD_JOINT) else {
            continue;
        };
        if let Some(joint) = wires.joint(reader, around, &fields, setup) {
            joints.push(joint.gains);
            inputs.extend(joint.inputs);
            outputs.push(joint.output);
        }
    }
    if nodes.is_empty() {
        reader.push(
            Problem::error(&codes::CONTROLLER, "it has no joints")
                .at(fields.span_of("joint"))
                .help("give it one below a line [[controller.joint]]"),
        );
    }
    let (clock, delay) = when?;
    setup.controllers.push(Controller {
        name: name.to_owned(),
        limits: joints.iter().map(|joint: &PdJoint| joint.limit).collect(),
        law: Law::Pd(JointPd::new(joints)),
        timing: Timing::Ticks { clock, delay },
        oracle,
        inputs,
        outputs,
        saturation: super::tracking::SATURATION,
    });
    Some(name_node.span.clone())
}

/// Warns of a sensor that measures more seldom than it is read.
pub(super) fn slower(reader: &mut Reader, node: &Node, sensor: &Sensor, clock: &Clock) {
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
            .at(node.span.clone())
            .label("slower than the controller")
            .help("the damping then acts in jerks: give both the same period"),
        );
    }
}

/// What the joints of a controller have in common.
struct Wires<'a> {
    controller: &'a str,
    oracle: bool,
    clock: Clock,
    /// The motors that are taken.
    motors: Vec<usize>,
}

/// A joint of a controller.
struct Joint {
    gains: PdJoint,
    inputs: Vec<Source>,
    output: Output,
}

impl Wires<'_> {
    fn joint(
        &mut self,
        reader: &mut Reader,
        around: &mut Surroundings<'_>,
        fields: &Fields<'_>,
        setup: &mut Setup,
    ) -> Option<Joint> {
        let arm = &setup.arm;
        let subject = fields.get("motor")?;
        let velocity = motor(reader, subject, arm)?;
        let name = &arm.velocity_names()[velocity];
        if self.motors.contains(&velocity) {
            reader.push(
                Problem::error(&codes::CONTROLLER, format!("it drives {name} twice"))
                    .at(subject.span.clone())
                    .label("given before")
                    .help("remove one of the two joints"),
            );
            return None;
        }
        self.motors.push(velocity);
        let Some(coordinate) = controlled(fields, setup, velocity) else {
            reader.push(
                Problem::error(&codes::CONTROLLER, format!("{name} has no position to control"))
                    .at(subject.span.clone())
                    .label("turns freely")
                    .help("control joints that turn or slide about one axis"),
            );
            return None;
        };
        let mut gain = |key: &str, measure| {
            let quantity = Side::Velocity(measure).quantity(arm, velocity);
            let node = fields.get(key)?;
            let number = reader.number(key, node, quantity)?;
            if number >= 0.0 {
                return Some(number);
            }
            let message = format!("{key} is {} {}, below zero", short(number), quantity.si);
            reader.push(
                Problem::error(&codes::CONTROLLER, message)
                    .at(node.span.clone())
                    .label("below zero")
                    .help("give zero or more"),
            );
            None
        };
        let (stiffness, damping) = (gain("stiffness", SPRING), gain("damping", DAMPING));
        let limit = match fields.get("limit") {
            Some(_) => gain("limit", FORCE),
            None => Some(f64::INFINITY),
        };
        // what the actuator cannot give, the law does not ask for
        let limit = limit.map(|limit| limit.min(arm.force_limits()[velocity]));
        let sensor = self.sensor(reader, fields, setup, coordinate);
        let target = self.target(reader, around, fields, setup, coordinate);
        let (sensor, reference) = (sensor?, target?);
        let looks_at = self.oracle.then_some((coordinate, velocity));
        let (stiffness, damping, limit) = (stiffness?, damping?, limit?);
        let unit = Side::Velocity(FORCE).quantity(&setup.arm, velocity).si;
        let name = &setup.arm.velocity_names()[velocity];
        let output =
            Output { unit: unit.into(), ..Output::motor(format!("{name}.force"), velocity) };
        let inputs = [Source::Reference(reference), Source::ReferenceRate(reference)];
        let inputs = sensor.into_iter().chain(inputs).collect();
        Some(Joint { gains: PdJoint { stiffness, damping, limit, looks_at }, inputs, output })
    }

    /// What shows a coordinate: its sensor, or nothing for those that look at the true state.
    fn sensor(
        &self,
        reader: &mut Reader,
        fields: &Fields<'_>,
        setup: &Setup,
        coordinate: usize,
    ) -> Option<Vec<Source>> {
        let name = &setup.arm.configuration_names()[coordinate];
        let node = match (fields.get("sensor"), self.oracle) {
            (None, true) => return Some(Vec::new()),
            (Some(node), false) => node,
            (Some(node), true) => {
                reader.push(
                    Problem::error(&codes::CONFLICT, "both oracle and sensor are given")
                        .at(node.span.clone())
                        .label("the true state needs no sensor")
                        .help("remove sensor, or oracle = true"),
                );
                return None;
            }
            (None, false) => {
                reader.push(
                    Problem::error(&codes::CONTROLLER, format!("nothing measures {name} for it"))
                        .at(fields.span().clone())
                        .label("sensor is missing")
                        .help("add sensor = \"…\" with the name of an encoder, or oracle = true to the controller"),
                );
                return None;
            }
        };
        let names: Vec<String> = setup.sensors.iter().map(|sensor| sensor.name.clone()).collect();
        let index = named(reader, "sensor", node, &names)?;
        let sensor = &setup.sensors[index];
        if sensor.quantity != Quantity::Coordinate(coordinate) {
            reader.push(
                Problem::error(
                    &codes::CONTROLLER,
                    format!("sensor {} does not measure {name}", quoted(&sensor.name)),
                )
                .at(node.span.clone())
                .label("measures something else")
                .help(format!("name an encoder with coordinate = {}", quoted(name))),
            );
            return None;
        }
        slower(reader, node, sensor, &self.clock);
        Some(vec![Source::Sensor(index)])
    }

    /// The target of a coordinate as a reference, by its index.
    fn target(
        &self,
        reader: &mut Reader,
        around: &mut Surroundings<'_>,
        fields: &Fields<'_>,
        setup: &mut Setup,
        coordinate: usize,
    ) -> Option<usize> {
        let node = fields.get("target")?;
        let quantity = Side::Configuration.quantity(&setup.arm, coordinate);
        let (kind, fields) = reader.fields_of_kind("a target", node, TARGETS)?;
        let signal = signal(reader, around, &fields, kind, quantity, Interpolation::Cubic)?;
        let joint = &setup.arm.configuration_names()[coordinate];
        let name = format!("{}.{joint}.target", self.controller);
        setup.references.push(Reference { name, unit: quantity.si.to_owned(), signal });
        Some(setup.references.len() - 1)
    }
}

/// The coordinate to control. Of an elastic joint that is the motor's side, or the link's where
/// the sensor measures that.
fn controlled(fields: &Fields<'_>, setup: &Setup, velocity: usize) -> Option<usize> {
    let arm = &setup.arm;
    let own = arm.coordinate_of(velocity);
    let link = (0..arm.body_count())
        .find(|&body| arm.velocities_of(body).contains(&velocity))
        .and_then(|body| arm.link_of_rotor(body))
        .map(|link| arm.configuration_of(link).start);
    let measured = fields.get("sensor").and_then(|node| match &node.value {
        Value::Text(name) => setup.sensors.iter().find(|sensor| sensor.name == *name),
        _ => None,
    });
    match (link, measured.map(|sensor| &sensor.quantity)) {
        (Some(link), Some(Quantity::Coordinate(seen))) if *seen == link => Some(link),
        _ => own,
    }
}
