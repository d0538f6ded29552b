//! Functions of time: for motors, loads and prescribed joints.

use super::expressions;
use super::signal_keys::{INPUTS, PRESCRIBED};
use super::table::table;
use super::text::Surroundings;
use super::times::{positive_time, time};
use crate::codes;
use crate::coordinates::{ACCELERATION, FORCE, VELOCITY};
use crate::node::Node;
use crate::problem::Problem;
use crate::reader::{Fields, Reader};
use crate::state::{Side, unknown};
use crate::units::{self, Quantity};
use pliant::arm::{Arm, Frame, NoMotor};
use pliant::dynamics::kinematics::Axes;
use pliant::simulate::{Expression, Given, Interpolation, Motor, Prescribed, Push, Signal};
use pliant::spatial::Force;
use std::ops::Range;

/// An input: the force of a motor, or a load.
pub(super) enum Input {
    Motor(Motor),
    Load(Push),
}

/// Reads an input, and says where its subject stands.
pub(super) fn input(
    reader: &mut Reader,
    around: &mut Surroundings<'_>,
    node: &Node,
    arm: &Arm,
) -> Option<(Input, Range<usize>)> {
    let (kind, fields) = reader.fields_of_kind("an input", node, INPUTS)?;
    let way = reader.at_most_one(
        &fields,
        &["motor", "frame"],
        "an input drives a motor or loads a frame",
    );
    let Some((way, subject)) = way.and_then(|way| Some((way, fields.get(way)?))) else {
        reader.push(
            Problem::error(&codes::MISSING_KEY, "the input has neither motor nor frame")
                .at(node.span.clone())
                .label("motor or frame is missing")
                .help("add motor = \"…\" with the name of a coordinate, or frame = \"…\" with force or moment"),
        );
        return None;
    };
    if way == "motor" {
        for key in ["force", "moment", "axes"] {
            if let Some(entry) = fields.entry(key) {
                reader.push(
                    Problem::error(&codes::CONFLICT, format!("both motor and {key} are given"))
                        .at(entry.key_span.clone())
                        .label("belongs to a load on a frame")
                        .help(format!("remove {key}, or write frame instead of motor")),
                );
            }
        }
        let velocity = motor(reader, subject, arm)?;
        let quantity = Side::Velocity(FORCE).quantity(arm, velocity);
        let signal = signal(reader, around, &fields, kind, quantity, Interpolation::Linear)?;
        return Some((Input::Motor(Motor { velocity, signal }), subject.span.clone()));
    }
    let frame = frame(reader, subject, arm);
    let mut three = |key: &str, quantity| match fields.get(key) {
        Some(node) => reader.numbers(key, node, quantity),
        None => Some([0.0; 3]),
    };
    let (force, moment) = (three("force", &units::FORCE), three("moment", &units::MOMENT));
    if fields.get("force").is_none() && fields.get("moment").is_none() {
        reader.push(
            Problem::error(&codes::MISSING_KEY, "the load has neither force nor moment")
                .at(node.span.clone())
                .label("force or moment is missing")
                .help("add force = [0, \"10 N\", 0]; the function of time multiplies it"),
        );
    }
    let axes = match reader.choice(&fields, "axes")? {
        "own" => Axes::Own,
        _ => Axes::World,
    };
    let signal = signal(reader, around, &fields, kind, &units::NUMBER, Interpolation::Linear);
    let wrench = Force::new(force?.into(), moment?.into());
    let push = Push { frame: frame?, wrench, axes, signal: signal? };
    Some((Input::Load(push), subject.span.clone()))
}

/// Reads a prescribed motion, and says where its subject stands.
pub(super) fn prescribed(
    reader: &mut Reader,
    around: &mut Surroundings<'_>,
    node: &Node,
    arm: &Arm,
) -> Option<(Prescribed, Range<usize>)> {
    let (kind, fields) = reader.fields_of_kind("a prescribed motion", node, PRESCRIBED)?;
    let subject = fields.get("coordinate")?;
    let velocity = velocity(reader, "coordinate", subject, arm)?;
    let name = &arm.velocity_names()[velocity];
    if arm.free_velocities().contains(&velocity) {
        reader.push(
            Problem::error(&codes::MOTION, format!("{name} is not prescribed in the arm's file"))
                .at(subject.span.clone())
                .label("moves freely")
                .help("write joint = { …, prescribed = true } in the arm's file, or drive it by [[input]]"),
        );
        return None;
    }
    let (given, quantity) = match reader.choice(&fields, "gives")? {
        "rate" => (Given::Rate, Side::Velocity(VELOCITY).quantity(arm, velocity)),
        "acceleration" => {
            (Given::Acceleration, Side::Velocity(ACCELERATION).quantity(arm, velocity))
        }
        _ => {
            let position = arm.configuration_names().iter().position(|known| known == name);
            let quantity = position.map(|i| Side::Configuration.quantity(arm, i));
            (Given::Position, quantity.unwrap_or(&units::NUMBER))
        }
    };
    let signal = signal(reader, around, &fields, kind, quantity, Interpolation::Cubic)?;
    Some((Prescribed { velocity, given, signal }, subject.span.clone()))
}

/// The index of a coordinate with a motor by name.
pub(super) fn motor(reader: &mut Reader, node: &Node, arm: &Arm) -> Option<usize> {
    // of an elastic joint the motor's side
    let velocity = arm.motor_of(velocity(reader, "motor", node, arm)?);
    let name = &arm.velocity_names()[velocity];
    if let Some(why) = arm.no_motor_on(velocity) {
        reader.push(no_motor(name, why, node.span.clone()));
        return None;
    }
    if arm.free_velocities().contains(&velocity) {
        return Some(velocity);
    }
    reader.push(
        Problem::error(
            &codes::MOTION,
            format!("{name} is prescribed, so that the force of its motor follows"),
        )
        .at(node.span.clone())
        .label("prescribed in the arm's file")
        .help("give its motion by [[prescribed]] instead"),
    );
    None
}

/// A coordinate that no motor can drive.
fn no_motor(name: &str, why: NoMotor, span: Range<usize>) -> Problem {
    let why = why.to_string();
    let (why, remedy) = why.split_once("; ").unwrap_or((&why, "drive a joint"));
    Problem::error(&codes::MOTION, format!("{name} {why}"))
        .at(span)
        .label("no motor here")
        .help(remedy.to_owned())
}

/// The index of a velocity coordinate by name.
fn velocity(reader: &mut Reader, what: &str, node: &Node, arm: &Arm) -> Option<usize> {
    let name = reader.text(what, node)?;
    let found = arm.velocity_names().iter().position(|known| known == name);
    if found.is_none() {
        let names = || arm.velocity_names().iter().map(String::as_str);
        unknown(reader, "coordinate", name, &node.span, names);
    }
    found
}

/// The index of a frame by name.
pub(super) fn frame(reader: &mut Reader, node: &Node, arm: &Arm) -> Option<usize> {
    let name = reader.text("frame", node)?;
    let found = arm.frame(name).ok();
    if found.is_none() {
        unknown(reader, "frame", name, &node.span, || arm.frames().iter().map(Frame::name));
    }
    found
}

/// A function of time whose values are of some kind.
pub(super) fn signal(
    reader: &mut Reader,
    around: &mut Surroundings<'_>,
    fields: &Fields<'_>,
    kind: &str,
    quantity: &Quantity,
    usual: Interpolation,
) -> Option<Signal> {
    if kind == "table" {
        return table(reader, around, fields, quantity, usual).map(Signal::Table);
    }
    if kind == "expression" {
        let node = fields.get("expression")?;
        let text = reader.text("expression", node)?;
        return match Expression::of_time(text) {
            Ok(expression) => Some(Signal::Expression(expression)),
            Err(error) => {
                expressions::refuse(reader, around.source, node, &error, &["t"]);
                None
            }
        };
    }
    let mut number = |key: &str, quantity| match fields.get(key) {
        Some(node) => reader.number(key, node, quantity),
        None => Some(0.0),
    };
    Some(match kind {
        "constant" => Signal::Constant(number("value", quantity)?),
        "step" => {
            let (before, after) = (number("before", quantity), number("after", quantity));
            Signal::Step { at: time(reader, "at", fields)?, before: before?, after: after? }
        }
        "ramp" => {
            let (from, to) = (number("from", quantity), number("to", quantity));
            let start = time(reader, "start", fields);
            let duration = positive_time(reader, "duration", fields.get("duration")?);
            Signal::Ramp { start: start?, duration: duration?, from: from?, to: to? }
        }
        _ => {
            let (amplitude, offset) = (number("amplitude", quantity), number("offset", quantity));
            let phase = number("phase", &units::ANGLE);
            if kind == "sine" {
                let frequency = number("frequency", &units::FREQUENCY);
                Signal::Sine {
                    amplitude: amplitude?,
                    frequency_hz: frequency?,
                    phase: phase?,
                    offset: offset?,
                    start: time(reader, "start", fields)?,
                }
            } else {
                let (from, to) =
                    (number("from", &units::FREQUENCY), number("to", &units::FREQUENCY));
                let start = time(reader, "start", fields);
                let duration = positive_time(reader, "duration", fields.get("duration")?);
                Signal::Chirp {
                    amplitude: amplitude?,
                    from_hz: from?,
                    to_hz: to?,
                    duration: duration?,
                    phase: phase?,
                    offset: offset?,
                    start: start?,
                }
            }
        }
    })
}
