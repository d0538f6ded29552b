//! Inputs and outputs of linear systems by name.

use crate::nearest::nearest;
use crate::units::metres;
use pliant::Help;
use pliant::analyse::{Conditions, Input, JointCondition, Output, StateSpace};
use pliant::arm::Arm;
use pliant::dynamics::kinematics::Axes;
use pliant::simulate::Sensor;

/// A name of an input or an output that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct LinearNameError {
    message: String,
    help: String,
}

impl LinearNameError {
    fn new(message: String, help: impl Into<String>) -> Self {
        Self { message, help: help.into() }
    }
}

impl Help for LinearNameError {
    fn help(&self) -> Option<String> {
        Some(self.help.clone())
    }
}

const AXES: [&str; 3] = ["x", "y", "z"];

/// The inputs that are asked for; all motors of joints that move if none is.
pub fn linear_inputs(
    arm: &Arm,
    conditions: &Conditions,
    asked: &[String],
) -> Result<Vec<Input>, LinearNameError> {
    if asked.is_empty() {
        let motors = (0..arm.body_count()).flat_map(|link| arm.drives_of(link));
        let motors = motors.map(|v| arm.motor_of(v));
        let body = |v: usize| arm.velocity_coordinates()[v].body;
        let held = |body: usize| conditions.joints.get(body).copied().unwrap_or_default();
        let moves = |v: &usize| held(body(*v)) != JointCondition::Locked;
        return Ok(motors.filter(moves).map(Input::Motor).collect());
    }
    once(asked)?;
    asked.iter().map(|name| input(arm, name.trim())).collect()
}

/// Refuses names that are there twice.
fn once(asked: &[String]) -> Result<(), LinearNameError> {
    let twice = |(k, name): &(usize, &String)| asked[..*k].iter().any(|n| n.trim() == name.trim());
    match asked.iter().enumerate().find(twice) {
        Some((_, name)) => Err(LinearNameError::new(
            format!("\"{}\" is there twice", name.trim()),
            "give each name once",
        )),
        None => Ok(()),
    }
}

fn input(arm: &Arm, name: &str) -> Result<Input, LinearNameError> {
    let joint = velocity(arm, name).or_else(|| velocity(arm, name.strip_suffix(".force")?));
    if let Some(v) = joint.map(|v| arm.motor_of(v)) {
        return match arm.no_motor_on(v) {
            None => Ok(Input::Motor(v)),
            Some(why) => {
                let help = why.help().unwrap_or_else(|| "drive a joint".to_owned());
                Err(LinearNameError::new(format!("\"{name}\" {why}"), help))
            }
        };
    }
    if let Some((rest, axis)) = with_axis(name) {
        for (word, first) in [(".force", 0), (".moment", 3)] {
            let Some(frame) = rest.strip_suffix(word) else { continue };
            let (frame, axes) = match frame.strip_suffix(".own") {
                Some(frame) => (frame, Axes::Own),
                None => (frame, Axes::World),
            };
            if let Ok(frame) = arm.frame(frame) {
                return Ok(Input::Wrench { frame, component: first + axis, axes });
            }
        }
    }
    let frames = arm.frames().iter().map(|frame| format!("{}.force.x", frame.name()));
    let known: Vec<String> = arm.velocity_names().iter().cloned().chain(frames).collect();
    Err(unknown(name, &known))
}

/// The outputs that are asked for, those of sensors with their names; the joints and the tip if none
/// is asked for.
pub fn linear_outputs(
    arm: &Arm,
    sensors: &[Sensor],
    asked: &[String],
) -> Result<Vec<(Output, Option<String>)>, LinearNameError> {
    if !asked.is_empty() {
        once(asked)?;
        let found = asked.iter().map(|name| {
            let name = name.trim();
            let found = output(arm, sensors, name)?;
            let is_sensor = sensors.iter().any(|sensor| sensor.name == name);
            let one = found.len() == 1;
            let called = |(output, axis): (Output, &str)| {
                let whole = if one { name.to_owned() } else { format!("{name}.{axis}") };
                (output, is_sensor.then_some(whole))
            };
            Ok(found.into_iter().zip(AXES).map(called).collect::<Vec<_>>())
        });
        return Ok(found.collect::<Result<Vec<_>, LinearNameError>>()?.concat());
    }
    let joints = (0..arm.body_count()).filter(|&link| !arm.is_prescribed(link));
    let joints = joints.filter(|&link| !arm.is_hinge(link));
    let lengths = |link: usize| arm.length_of(link).map(|(_, v)| v);
    let joints = joints.flat_map(|link| arm.velocities_of(link).chain(lengths(link)));
    let mut outputs: Vec<Output> = joints.map(Output::Coordinate).collect();
    if let Some(frame) = arm.tip() {
        outputs.extend((0..3).map(|axis| Output::Position { frame, axis }));
    }
    Ok(outputs.into_iter().map(|output| (output, None)).collect())
}

/// Gives the outputs of a system the names that they were asked for by.
pub fn rename_outputs(system: &mut StateSpace, names: Vec<Option<String>>) {
    for (output, name) in system.outputs.iter_mut().zip(names) {
        output.name = name.unwrap_or_else(|| output.name.clone());
    }
}

fn output(arm: &Arm, sensors: &[Sensor], name: &str) -> Result<Vec<Output>, LinearNameError> {
    if let Some(sensor) = sensors.iter().find(|sensor| sensor.name == name) {
        return sensor.quantity.outputs(arm).ok_or_else(|| {
            let message = format!("the sensor \"{name}\" measures part of an attitude");
            LinearNameError::new(message, "measure the velocities of that joint instead")
        });
    }
    if let Some(v) = velocity(arm, name) {
        return Ok(vec![Output::Coordinate(v)]);
    }
    if let Some(v) = name.strip_suffix(".rate").and_then(|name| velocity(arm, name)) {
        return Ok(vec![Output::Rate(v)]);
    }
    if let Some((link, place)) = name.split_once(".strain@") {
        return gauge(arm, name, link, place).map(|gauge| vec![gauge]);
    }
    if let Some((rest, axis)) = with_axis(name) {
        let of = |word: &str| rest.strip_suffix(word).and_then(|frame| arm.frame(frame).ok());
        if let Some(frame) = of(".position") {
            return Ok(vec![Output::Position { frame, axis }]);
        }
        if let Some(frame) = of(".velocity") {
            return Ok(vec![Output::Velocity { frame, axis }]);
        }
        if let Some(frame) = of(".specific-force") {
            return Ok(vec![Output::SpecificForce { frame, axis }]);
        }
    }
    let frames = arm.frames().iter().map(|frame| format!("{}.position.x", frame.name()));
    let sensors = sensors.iter().map(|sensor| sensor.name.clone());
    let known: Vec<String> =
        arm.velocity_names().iter().cloned().chain(frames).chain(sensors).collect();
    Err(unknown(name, &known))
}

fn gauge(arm: &Arm, name: &str, link: &str, place: &str) -> Result<Output, LinearNameError> {
    let Some(link) = arm.link_names().iter().position(|known| known == link) else {
        return Err(unknown(link, arm.link_names()));
    };
    let numbers: Option<Vec<f64>> = place.split(':').map(metres).collect();
    match numbers.as_deref() {
        Some(&[distance, y, z]) => Ok(Output::Strain { link, distance, place: [y, z] }),
        _ => Err(LinearNameError::new(
            format!("\"{name}\" does not say where the gauge sits"),
            "write upper.strain@0.05:0.005:0 for 50 mm along the link, at y = 5 mm and z = 0",
        )),
    }
}

fn velocity(arm: &Arm, name: &str) -> Option<usize> {
    arm.velocity_names().iter().position(|known| known == name)
}

/// A name without its last part, if that is an axis.
fn with_axis(name: &str) -> Option<(&str, usize)> {
    let (rest, axis) = name.rsplit_once('.')?;
    Some((rest, AXES.iter().position(|known| *known == axis)?))
}

fn unknown(name: &str, known: &[String]) -> LinearNameError {
    let help = match nearest(name, known.iter().map(String::as_str)) {
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!("there are: {}", known.join(", ")),
    };
    LinearNameError::new(format!("there is no \"{name}\""), help)
}
