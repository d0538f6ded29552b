//! Functions of time: for motors, loads and prescribed joints.

use super::expressions;
use super::shapes::{KindAt, Lasting, OfSubject, zero};
use super::table::{Rows, table};
use super::text::Surroundings;
use super::write::WriteError;
use crate::codes;
use crate::coordinates::{ACCELERATION, FORCE, VELOCITY};
use crate::node::Value;
use crate::problem::Problem;
use crate::reader::Reader;
use crate::shapes::{
    self, Angle, AsWritten, Flat, Frequency, Number, Text, Time, Vector, Word, unplaced, words,
};
use crate::shared::{Shared, kinds_sharing};
use crate::state::Side;
use crate::table::{Field, Kinds as _, table};
use crate::units::{self, Quantity};
use pliant::dynamics::kinematics::Axes;
use pliant::scenario::{InputDescription, InputTarget, PrescribedDescription};
use pliant::simulate::{Expression, Interpolation, PrescribedQuantity, Signal};

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

/// What an input says.
pub(super) fn input(
    reader: &mut Reader,
    around: &mut Surroundings<'_>,
    table: &InputTable,
) -> Option<InputDescription> {
    let (keys, span) = (&table.all, table.span());
    let subjects = [keys.motor.given(), keys.frame.given()];
    reader.exclude(&subjects, "an input drives a motor or loads a frame");
    if keys.motor.is_given() {
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
        let motor = keys.motor.get()?.clone();
        let force = around.velocity(&motor).map(|v| Side::Velocity(FORCE).quantity(around.arm, v));
        let signal = signal(reader, around, &table.own, force, Interpolation::Linear);
        return Some(InputDescription { target: InputTarget::Motor(motor), signal });
    }
    if !keys.frame.is_given() {
        reader.push(
            Problem::error(&codes::MISSING_KEY, "the input has neither motor nor frame")
                .at(span.clone())
                .label("motor or frame is missing")
                .help("add motor = \"…\" with the name of a coordinate, or frame = \"…\" with force or moment"),
        );
        return None;
    }
    if !keys.force.is_given() && !keys.moment.is_given() {
        reader.push(
            Problem::error(&codes::MISSING_KEY, "the load has neither force nor moment")
                .at(span.clone())
                .label("force or moment is missing")
                .help("add force = [0, \"10 N\", 0]; the function of time multiplies it"),
        );
    }
    let factor = Some(&units::NUMBER);
    let signal = signal(reader, around, &table.own, factor, Interpolation::Linear);
    let target = InputTarget::Load {
        frame: keys.frame.get()?.clone(),
        force: keys.force.value.unwrap_or_default(),
        moment: keys.moment.value.unwrap_or_default(),
        axes: keys.axes.value.unwrap_or(Axes::World),
    };
    Some(InputDescription { target, signal })
}

impl InputTable {
    /// What a file says about an input.
    pub(super) fn of(input: &InputDescription) -> Result<Self, WriteError> {
        let keys = InputKeys::default();
        let (all, of) = match &input.target {
            InputTarget::Motor(motor) => {
                (InputKeys { motor: motor.clone().into(), ..keys }, format!("the motor of {motor}"))
            }
            InputTarget::Load {
                frame, force: [0.0, 0.0, 0.0], moment: [0.0, 0.0, 0.0], ..
            } => {
                return Err(WriteError::NoLoad { frame: frame.clone() });
            }
            InputTarget::Load { frame, force, moment, axes } => {
                let all = InputKeys {
                    frame: frame.clone().into(),
                    force: (*force).into(),
                    moment: (*moment).into(),
                    axes: (*axes).into(),
                    ..keys
                };
                (all, format!("the load on {frame}"))
            }
        };
        let own = Function::of(&input.signal, Interpolation::Linear, &of)?;
        Ok(Self { all, own })
    }
}

/// What a prescribed motion says.
pub(super) fn prescribed(
    reader: &mut Reader,
    around: &mut Surroundings<'_>,
    table: &MotionTable,
) -> Option<PrescribedDescription> {
    let coordinate = table.all.coordinate.get()?.clone();
    let gives = table.all.gives.value.unwrap_or(PrescribedQuantity::Position);
    let arm = around.arm;
    let quantity = around.velocity(&coordinate).map(|v| match gives {
        PrescribedQuantity::Position => {
            let position = arm.coordinate_of(v);
            position.map_or(&units::NUMBER, |i| Side::Configuration.quantity(arm, i))
        }
        PrescribedQuantity::Rate => Side::Velocity(VELOCITY).quantity(arm, v),
        PrescribedQuantity::Acceleration => Side::Velocity(ACCELERATION).quantity(arm, v),
    });
    let signal = signal(reader, around, &table.own, quantity, Interpolation::Cubic);
    Some(PrescribedDescription { coordinate, gives, signal })
}

impl MotionTable {
    /// What a file says about a prescribed motion.
    pub(super) fn of(motion: &PrescribedDescription) -> Result<Self, WriteError> {
        let PrescribedDescription { coordinate, gives, signal } = motion;
        let all = MotionKeys {
            coordinate: coordinate.clone().into(),
            gives: (*gives).into(),
            ..MotionKeys::default()
        };
        let of = format!("the motion of {coordinate}");
        Ok(Self { all, own: Function::of(signal, Interpolation::Cubic, &of)? })
    }
}

impl TargetTable {
    /// What a file says about the target of a joint.
    pub(super) fn of(signal: &Signal, joint: &str) -> Result<Self, WriteError> {
        let of = format!("the target of {joint}");
        let own = Function::of(signal, Interpolation::Cubic, &of)?;
        Ok(Self { all: TargetKeys::default(), own })
    }
}

/// A function of time whose values are of some kind; where that is not known, or where it cannot be
/// read, it is zero.
pub(super) fn signal(
    reader: &mut Reader,
    around: &mut Surroundings<'_>,
    function: &Function,
    quantity: Option<&Quantity>,
    usual: Interpolation,
) -> Signal {
    let read = quantity.and_then(|quantity| function.signal(reader, around, quantity, usual));
    read.unwrap_or(Signal::Constant(0.0))
}

impl Function {
    fn signal(
        &self,
        reader: &mut Reader,
        around: &mut Surroundings<'_>,
        quantity: &Quantity,
        usual: Interpolation,
    ) -> Option<Signal> {
        Some(match self {
            Self::Constant(keys) => Signal::Constant(keys.value.number(reader, quantity)?),
            Self::Step(keys) => {
                let before = keys.before.number(reader, quantity);
                let after = keys.after.number(reader, quantity);
                Signal::Step { at: keys.at.value?, before: before?, after: after? }
            }
            Self::Ramp(keys) => {
                let from = keys.from.number(reader, quantity);
                let to = keys.to.number(reader, quantity);
                let (start, duration) = (keys.start.value?, keys.duration.value?);
                Signal::Ramp { start, duration, from: from?, to: to? }
            }
            Self::Sine(Sine { wave, frequency, .. }) => {
                let (amplitude, offset) = wave.sizes(reader, quantity)?;
                Signal::Sine {
                    amplitude,
                    frequency_hz: frequency.value?,
                    phase: wave.phase.value?,
                    offset,
                    start: wave.start.value?,
                }
            }
            Self::Chirp(Chirp { wave, from, to, duration, .. }) => {
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
            Self::Rows(rows) => Signal::Table(table(reader, around, rows, quantity, usual)?),
            Self::Formula(keys) => {
                let text = keys.expression.get()?;
                match Expression::of_time(text) {
                    Ok(expression) => Signal::Expression(expression),
                    Err(error) => {
                        let place = (text.as_str(), keys.expression.span()?);
                        reader.push(expressions::problem(around.source, place, &error, &["t"]));
                        return None;
                    }
                }
            }
        })
    }

    /// What a file says about a function of time, which is called `of` where no file can say it.
    fn of(signal: &Signal, usual: Interpolation, of: &str) -> Result<Self, WriteError> {
        let number = |x: f64| Field::from(unplaced(Value::Number(x)));
        let wave = |amplitude, phase: f64, offset, start: f64| Wave {
            amplitude: number(amplitude),
            phase: phase.into(),
            offset: number(offset),
            start: start.into(),
            ..Wave::default()
        };
        Ok(match signal {
            &Signal::Constant(value) => {
                Self::Constant(Constant { value: number(value), ..Constant::default() })
            }
            &Signal::Step { at, before, after } => Self::Step(Step {
                at: at.into(),
                before: number(before),
                after: number(after),
                ..Step::default()
            }),
            &Signal::Ramp { start, duration, from, to } => Self::Ramp(Ramp {
                start: start.into(),
                duration: duration.into(),
                from: number(from),
                to: number(to),
                ..Ramp::default()
            }),
            &Signal::Sine { amplitude, frequency_hz, phase, offset, start } => Self::Sine(Sine {
                wave: wave(amplitude, phase, offset, start),
                frequency: frequency_hz.into(),
                ..Sine::default()
            }),
            &Signal::Chirp { amplitude, from_hz, to_hz, duration, phase, offset, start } => {
                Self::Chirp(Chirp {
                    wave: wave(amplitude, phase, offset, start),
                    from: from_hz.into(),
                    to: to_hz.into(),
                    duration: duration.into(),
                    ..Chirp::default()
                })
            }
            Signal::Table(table) => Self::Rows(Rows::of(table, usual)),
            Signal::Expression(expression) => Self::Formula(Formula {
                expression: expression.text().to_owned().into(),
                ..Formula::default()
            }),
            Signal::Function(_) => return Err(WriteError::Function { of: of.to_owned() }),
            Signal::Planned { .. } | Signal::Sum(_) => {
                return Err(WriteError::Signal { of: of.to_owned() });
            }
        })
    }
}

impl Wave {
    /// Amplitude and mean.
    fn sizes(&self, reader: &mut Reader, quantity: &Quantity) -> Option<(f64, f64)> {
        let amplitude = self.amplitude.number(reader, quantity);
        let offset = self.offset.number(reader, quantity);
        Some((amplitude?, offset?))
    }
}
