//! Functions of time: for motors, loads and prescribed joints.

use super::expressions;
use super::shapes::{KindAt, Lasting, Listed, OfSubject, zero};
use super::table::{Rows, table};
use super::text::Surroundings;
use crate::codes;
use crate::coordinates::{ACCELERATION, FORCE, VELOCITY};
use crate::problem::Problem;
use crate::reader::Reader;
use crate::shapes::{
    self, Angle, AsWritten, Flat, Frequency, Number, Text, Time, Vector, Word, words,
};
use crate::shared::{Shared, kinds_sharing};
use crate::state::{Side, unknown};
use crate::table::{Field, Kinds as _, table};
use crate::units::{self, Quantity};
use pliant::Help;
use pliant::arm::{Arm, Frame, NoMotor};
use pliant::dynamics::kinematics::Axes;
use pliant::simulate::{
    Expression, ExternalLoad, Interpolation, Motor, PrescribedMotion, PrescribedQuantity, Signal,
};
use pliant::spatial::Force;
use std::ops::Range;

words! {
    PrescribedQuantity:
    "position" => PrescribedQuantity::Position,
    "rate" => PrescribedQuantity::Rate,
    "acceleration" => PrescribedQuantity::Acceleration,
}

table! {
    /// Keys of every input.
    pub(crate) struct InputKeys = "an input", "write { motor = \"upper\", kind = \"constant\", value = 2 }";
    keys {
        /// The kind of function.
        kind: KindAt [required],
        /// The coordinate of the motor; the values are forces [N m, N].
        motor: Text [or "it loads a frame"],
        /// Or the loaded frame; the values then multiply force and moment.
        frame: Text [or "it drives a motor"],
        /// The force on the frame.
        force: Vector<shapes::Force> [= [0.0; 3]],
        /// The moment about the frame's origin.
        moment: Vector<shapes::Moment> [= [0.0; 3]],
        /// The axes of both: the world's, or the frame's own.
        axes: Word<Axes> [= Axes::World],
    }
}

table! {
    /// Keys of every prescribed motion.
    pub(crate) struct MotionKeys = "a prescribed motion", "write { coordinate = \"base\", kind = \"constant\", value = 2 }";
    keys {
        /// The kind of function.
        kind: KindAt [required],
        /// The prescribed coordinate.
        coordinate: Text [required],
        /// The meaning of the values: the position, its rate or its acceleration.
        gives: Word<PrescribedQuantity> [= PrescribedQuantity::Position],
    }
}

table! {
    /// Keys of every target.
    pub(crate) struct TargetKeys = "a target", "write target = { kind = \"constant\", value = 2 }";
    keys {
        /// The kind of function.
        kind: KindAt [required],
    }
}

table! {
    /// A constant value.
    pub(crate) struct Constant = "constant", "write kind = \"constant\" and value = 2";
    keys {
        /// The value.
        value: AsWritten<OfSubject> [required],
    }
}

table! {
    /// One value before a time, another from it on.
    pub(crate) struct Step = "step", "write kind = \"step\", at = \"1 s\" and after = 5";
    keys {
        /// The time of the step.
        at: Number<Time> [required],
        /// The value before.
        before: AsWritten<OfSubject> [= zero()],
        /// The value from then on.
        after: AsWritten<OfSubject> [required],
    }
}

table! {
    /// A linear change from one value to another.
    pub(crate) struct Ramp = "ramp", "write kind = \"ramp\", duration = \"1 s\" and to = 5";
    keys {
        /// The start time.
        start: Number<Time> [= 0.0],
        /// The duration of the ramp.
        duration: Lasting [required],
        /// The value until it starts.
        from: AsWritten<OfSubject> [= zero()],
        /// The value once it has ended.
        to: AsWritten<OfSubject> [required],
    }
}

table! {
    /// What sines and chirps have.
    pub(crate) struct Wave = "a wave", "write amplitude = 5";
    keys {
        /// The amplitude.
        amplitude: AsWritten<OfSubject> [required],
        /// The phase at the start.
        phase: Number<Angle> [= 0.0],
        /// The mean.
        offset: AsWritten<OfSubject> [= zero()],
        /// The start time.
        start: Number<Time> [= 0.0],
    }
}

table! {
    /// A sine; constant before its start.
    pub(crate) struct Sine = "sine", "write kind = \"sine\", amplitude = 5 and frequency = \"2 Hz\"";
    keys {
        /// What sines and chirps have.
        wave: Flat<Wave> [flat],
        /// The frequency.
        frequency: Number<Frequency> [required],
    }
}

table! {
    /// A sine whose frequency changes from one value to another and stays there.
    pub(crate) struct Chirp = "chirp",
        "write kind = \"chirp\", amplitude = 5, from = \"1 Hz\", to = \"20 Hz\" and duration = \"10 s\"";
    keys {
        /// What sines and chirps have.
        wave: Flat<Wave> [flat],
        /// The frequency at the start.
        from: Number<Frequency> [required],
        /// The frequency at the end.
        to: Number<Frequency> [required],
        /// The duration of the sweep.
        duration: Lasting [required],
    }
}

table! {
    /// An expression of the time.
    pub(crate) struct Formula = "expression",
        "write kind = \"expression\" and expression = \"10 * sin(2 * pi * t)\"";
    keys {
        /// An expression of the time t, in SI units, such as "10 * sin(2 * pi * t)".
        expression: Text [required],
    }
}

kinds_sharing! {
    /// The functions of time.
    pub(crate) enum Function = "function" {
        Constant(Constant),
        Step(Step),
        Ramp(Ramp),
        Sine(Sine),
        Chirp(Chirp),
        Rows(Rows),
        Formula(Formula),
    }
}

/// A force of a motor, or a load on a frame, as a function of time.
pub(crate) type InputTable = Shared<InputKeys, Function>;

/// The motion of a prescribed joint as a function of time.
pub(crate) type MotionTable = Shared<MotionKeys, Function>;

/// Where a coordinate should be, as a function of time.
pub(crate) type TargetTable = Shared<TargetKeys, Function>;

/// An input: the force of a motor, or a load.
pub(super) enum Input {
    Motor(Motor),
    Load(ExternalLoad),
}

/// What an input says, and where its subject stands.
pub(super) fn input(
    reader: &mut Reader,
    around: &mut Surroundings<'_>,
    table: &InputTable,
    arm: &Arm,
) -> Option<(Input, Range<usize>)> {
    let (keys, span) = (&table.all, table.span());
    let subjects = [keys.motor.given(), keys.frame.given()];
    reader.exclude(&subjects, "an input drives a motor or loads a frame");
    if let Some(subject) = keys.motor.span() {
        let of_loads = [keys.force.given(), keys.moment.given(), keys.axes.given()];
        for place in of_loads.into_iter().flatten() {
            let key = place.name;
            reader.push(
                Problem::error(&codes::CONFLICT, format!("both motor and {key} are given"))
                    .at(place.key.clone())
                    .label("belongs to a load on a frame")
                    .help(format!("remove {key}, or write frame instead of motor")),
            );
        }
        let velocity = motor(reader, &keys.motor, arm)?;
        let quantity = Side::Velocity(FORCE).quantity(arm, velocity);
        let signal = signal(reader, around, &table.own, quantity, Interpolation::Linear)?;
        return Some((Input::Motor(Motor { velocity, signal }), subject));
    }
    let Some(subject) = keys.frame.span() else {
        reader.push(
            Problem::error(&codes::MISSING_KEY, "the input has neither motor nor frame")
                .at(span.clone())
                .label("motor or frame is missing")
                .help("add motor = \"…\" with the name of a coordinate, or frame = \"…\" with force or moment"),
        );
        return None;
    };
    let frame = frame(reader, &keys.frame, arm);
    if !keys.force.is_given() && !keys.moment.is_given() {
        reader.push(
            Problem::error(&codes::MISSING_KEY, "the load has neither force nor moment")
                .at(span.clone())
                .label("force or moment is missing")
                .help("add force = [0, \"10 N\", 0]; the function of time multiplies it"),
        );
    }
    let signal = signal(reader, around, &table.own, &units::NUMBER, Interpolation::Linear);
    let wrench = Force::new(keys.force.value?.into(), keys.moment.value?.into());
    let push = ExternalLoad { frame: frame?, wrench, axes: keys.axes.value?, signal: signal? };
    Some((Input::Load(push), subject))
}

/// A prescribed motion, and where its subject stands.
pub(super) fn prescribed(
    reader: &mut Reader,
    around: &mut Surroundings<'_>,
    table: &MotionTable,
    arm: &Arm,
) -> Option<(PrescribedMotion, Range<usize>)> {
    let subject = table.all.coordinate.span()?;
    let velocity = velocity(reader, &table.all.coordinate, arm)?;
    let name = &arm.velocity_names()[velocity];
    if arm.free_velocities().contains(&velocity) {
        reader.push(
            Problem::error(&codes::MOTION, format!("{name} is not prescribed in the arm's file"))
                .at(subject)
                .label("moves freely")
                .help("write joint = { …, prescribed = true } in the arm's file, or drive it by [[input]]"),
        );
        return None;
    }
    let given = table.all.gives.value?;
    let quantity = match given {
        PrescribedQuantity::Position => {
            let position = arm.coordinate_of(velocity);
            position.map_or(&units::NUMBER, |i| Side::Configuration.quantity(arm, i))
        }
        PrescribedQuantity::Rate => Side::Velocity(VELOCITY).quantity(arm, velocity),
        PrescribedQuantity::Acceleration => Side::Velocity(ACCELERATION).quantity(arm, velocity),
    };
    let signal = signal(reader, around, &table.own, quantity, Interpolation::Cubic)?;
    Some((PrescribedMotion { velocity, given, signal }, subject))
}

/// The index of a coordinate with a motor by name.
pub(super) fn motor(reader: &mut Reader, field: &Field<String>, arm: &Arm) -> Option<usize> {
    // of an elastic joint the motor's side
    let velocity = arm.motor_of(velocity(reader, field, arm)?);
    let name = &arm.velocity_names()[velocity];
    let span = field.span()?;
    if let Some(why) = arm.no_motor_on(velocity) {
        reader.push(no_motor(name, why, span));
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
        .at(span)
        .label("prescribed in the arm's file")
        .help("give its motion by [[prescribed]] instead"),
    );
    None
}

/// A coordinate that no motor can drive.
fn no_motor(name: &str, why: NoMotor, span: Range<usize>) -> Problem {
    Problem::error(&codes::MOTION, format!("{name} {why}"))
        .at(span)
        .label("no motor here")
        .help(why.help().unwrap_or_else(|| "drive a joint".to_owned()))
}

/// The index of a velocity coordinate by name.
fn velocity(reader: &mut Reader, field: &Field<String>, arm: &Arm) -> Option<usize> {
    named(reader, "coordinate", field, arm.velocity_names())
}

/// The index of a frame by name.
pub(super) fn frame(reader: &mut Reader, field: &Field<String>, arm: &Arm) -> Option<usize> {
    let name = field.get()?;
    let found = arm.frame(name).ok();
    if found.is_none() {
        unknown(reader, "frame", name, &field.span()?, || arm.frames().iter().map(Frame::name));
    }
    found
}

/// The index of a name.
pub(super) fn named(
    reader: &mut Reader,
    what: &str,
    field: &Field<String>,
    names: &[String],
) -> Option<usize> {
    let name = Listed { name: field.get()?.clone(), span: field.span()? };
    listed(reader, what, &name, names)
}

/// The index of a name of a list.
pub(super) fn listed(
    reader: &mut Reader,
    what: &str,
    name: &Listed,
    names: &[String],
) -> Option<usize> {
    let found = names.iter().position(|known| *known == name.name);
    if found.is_none() {
        unknown(reader, what, &name.name, &name.span, || names.iter().map(String::as_str));
    }
    found
}

/// A function of time whose values are of some kind.
pub(super) fn signal(
    reader: &mut Reader,
    around: &mut Surroundings<'_>,
    function: &Function,
    quantity: &Quantity,
    usual: Interpolation,
) -> Option<Signal> {
    Some(match function {
        Function::Constant(keys) => Signal::Constant(keys.value.number(reader, quantity)?),
        Function::Step(keys) => {
            let before = keys.before.number(reader, quantity);
            let after = keys.after.number(reader, quantity);
            Signal::Step { at: keys.at.value?, before: before?, after: after? }
        }
        Function::Ramp(keys) => {
            let from = keys.from.number(reader, quantity);
            let to = keys.to.number(reader, quantity);
            let (start, duration) = (keys.start.value?, keys.duration.value?);
            Signal::Ramp { start, duration, from: from?, to: to? }
        }
        Function::Sine(Sine { wave, frequency, .. }) => {
            let (amplitude, offset) = wave.sizes(reader, quantity)?;
            Signal::Sine {
                amplitude,
                frequency_hz: frequency.value?,
                phase: wave.phase.value?,
                offset,
                start: wave.start.value?,
            }
        }
        Function::Chirp(Chirp { wave, from, to, duration, .. }) => {
            let (amplitude, offset) = wave.sizes(reader, quantity)?;
            Signal::Chirp {
                amplitude,
                from_hz: from.value?,
                to_hz: to.value?,
                duration: duration.value?,
                phase: wave.phase.value?,
                offset,
                start: wave.start.value?,
            }
        }
        Function::Rows(rows) => Signal::Table(table(reader, around, rows, quantity, usual)?),
        Function::Formula(keys) => {
            let text = keys.expression.get()?;
            match Expression::of_time(text) {
                Ok(expression) => Signal::Expression(expression),
                Err(error) => {
                    let place = (text.as_str(), keys.expression.span()?);
                    expressions::refuse(reader, around.source, place, &error, &["t"]);
                    return None;
                }
            }
        }
    })
}

impl Wave {
    /// Amplitude and mean.
    fn sizes(&self, reader: &mut Reader, quantity: &Quantity) -> Option<(f64, f64)> {
        let amplitude = self.amplitude.number(reader, quantity);
        let offset = self.offset.number(reader, quantity);
        Some((amplitude?, offset?))
    }
}
