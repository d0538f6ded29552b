//! Sensors of scenarios.

use super::shapes::{Called, FromNow, KindAt, Lasting, Name, OfSubject, Whole, zero};
use super::text::Surroundings;
use crate::codes;
use crate::node::{Node, Value};
use crate::problem::Problem;
use crate::reader::Reader;
use crate::shapes::{AsWritten, Flat, Length, Number, Text, unplaced};
use crate::shared::{Shared, kinds_sharing};
use crate::state::Side;
use crate::table::{Field, table};
use crate::units::{self, Quantity};
use pliant::scenario::{MeasuredQuantity, SensorDescription};
use std::f64::consts::TAU;

/// The period (s) of what is looked at although its own cannot be read, which has been told.
pub(super) const USUAL_PERIOD: f64 = 1e-3;

/// What sensors are called.
pub(crate) enum OfSensor {}

impl Called for OfSensor {
    const WORD: &'static str = "sensor";
}

table! {
    /// Keys of every sensor.
    pub(crate) struct SensorKeys = "a sensor",
        "write { kind = \"encoder\", name = \"shaft\", coordinate = \"upper\", period = \"1 ms\" }";
    also { "quantisation" => "resolution", "quantization" => "resolution" }
    keys {
        /// The kind of sensor.
        kind: KindAt [required],
        /// Its name, also that of its channel.
        name: Name<OfSensor> [required],
        /// The sampling period.
        period: Lasting [required],
        /// The delay of the measurements.
        delay: FromNow [= 0.0],
        /// The standard deviation of its noise, in the unit of the measured quantity.
        noise: AsWritten<OfSubject> [= zero()],
        /// The quantisation step, in the unit of the measured quantity.
        resolution: AsWritten<OfSubject> [= zero()],
    }
}

table! {
    /// Measures a coordinate.
    pub(crate) struct Encoder = "encoder",
        "write { kind = \"encoder\", name = \"shaft\", coordinate = \"upper\", period = \"1 ms\" }";
    keys {
        /// The measured coordinate.
        coordinate: Text [required],
        /// Counts per revolution, instead of a resolution.
        counts: Whole<1> [or "given by resolution"],
    }
}

table! {
    /// Measures the strain along a link on its surface; tension is positive.
    pub(crate) struct Strain = "strain",
        "write { kind = \"strain\", name = \"gauge\", link = \"upper\", at = \"50 mm\", y = \"5 mm\", period = \"1 ms\" }";
    keys {
        /// The link.
        link: Text [required],
        /// Distance from the root of the flexible part.
        at: Number<Length> [required],
        /// Distance from the axis along y.
        y: Number<Length> [= 0.0],
        /// Distance from the axis along z.
        z: Number<Length> [= 0.0],
    }
}

table! {
    /// What sensors on frames have.
    pub(crate) struct OnFrame = "a sensor on a frame", "write frame = \"fore.tip\"";
    keys {
        /// The frame it is mounted on.
        frame: Text [required],
    }
}

table! {
    /// Measures the acceleration of a frame minus gravity, in the axes of the frame.
    pub(crate) struct Accelerometer = "accelerometer",
        "write { kind = \"accelerometer\", name = \"imu\", frame = \"fore.tip\", period = \"1 ms\" }";
    keys {
        /// Where it sits.
        on: Flat<OnFrame> [flat],
    }
}

table! {
    /// Measures the position of a frame in the world.
    pub(crate) struct Position = "position",
        "write { kind = \"position\", name = \"camera\", frame = \"fore.tip\", period = \"20 ms\" }";
    keys {
        /// Where it sits.
        on: Flat<OnFrame> [flat],
    }
}

kinds_sharing! {
    /// What can be measured.
    pub(crate) enum SensorKind = "sensor" {
        Encoder(Encoder),
        Strain(Strain),
        Accelerometer(Accelerometer),
        Position(Position),
    }
}

/// The sensors.
pub(crate) type SensorTable = Shared<SensorKeys, SensorKind>;

/// What a file says about a sensor. What cannot be read is taken as usual.
pub(super) fn sensor(
    reader: &mut Reader,
    around: &Surroundings<'_>,
    table: &SensorTable,
) -> Option<SensorDescription> {
    let keys = &table.all;
    let name = keys.name.get()?.clone();
    reader.whose = OfSensor::whose(&name);
    let (measures, unit) = measured(&table.own, around)?;
    let mut number = |field: &Field<Node>| unit.and_then(|unit| field.number(reader, unit));
    let noise = number(&keys.noise).unwrap_or(0.0);
    let mut resolution = number(&keys.resolution).unwrap_or(0.0);
    if let SensorKind::Encoder(Encoder { counts, .. }) = &table.own
        && let Some(place) = counts.given()
    {
        reader.exclude(&[keys.resolution.given(), Some(place)], "one follows from the other");
        if unit.is_some_and(|unit| unit != &units::ANGLE) {
            reader.push(
                Problem::error(&codes::SENSOR, "counts in a turn are for coordinates that turn")
                    .at(place.key.clone())
                    .help("give a resolution, such as resolution = \"0.1 mm\""),
            );
        }
        resolution = counts.value.map_or(0.0, |counts| TAU / counts);
    }
    let period = keys.period.value.unwrap_or(USUAL_PERIOD);
    let delay = keys.delay.value.unwrap_or(0.0);
    Some(SensorDescription { name, measures, period, delay, noise, resolution })
}

/// What it measures, and in which unit, where that is known.
fn measured(
    kind: &SensorKind,
    around: &Surroundings<'_>,
) -> Option<(MeasuredQuantity, Option<&'static Quantity>)> {
    Some(match kind {
        SensorKind::Encoder(keys) => {
            let name = keys.coordinate.get()?.clone();
            let index = around.coordinate(&name);
            let unit = index.map(|index| Side::Configuration.quantity(around.arm, index));
            (MeasuredQuantity::Coordinate(name), unit)
        }
        SensorKind::Strain(keys) => {
            let (link, at) = (keys.link.get()?.clone(), keys.at.value.unwrap_or(0.0));
            let place = [keys.y.value.unwrap_or(0.0), keys.z.value.unwrap_or(0.0)];
            (MeasuredQuantity::Strain { link, at, place }, Some(&units::NUMBER))
        }
        SensorKind::Accelerometer(keys) => {
            let frame = keys.on.frame.get()?.clone();
            (MeasuredQuantity::Acceleration { frame }, Some(&units::ACCELERATION))
        }
        SensorKind::Position(keys) => {
            let frame = keys.on.frame.get()?.clone();
            (MeasuredQuantity::Position { frame }, Some(&units::LENGTH))
        }
    })
}

impl SensorTable {
    /// What a file says about a sensor.
    pub(super) fn of(sensor: &SensorDescription) -> Self {
        let SensorDescription { name, measures, period, delay, noise, resolution } = sensor;
        let number = |x: &f64| Field::from(unplaced(Value::Number(*x)));
        let all = SensorKeys {
            name: name.clone().into(),
            period: (*period).into(),
            delay: (*delay).into(),
            noise: number(noise),
            resolution: number(resolution),
            ..SensorKeys::default()
        };
        let on = |frame: &String| OnFrame { frame: frame.clone().into(), ..OnFrame::default() };
        let own = match measures {
            MeasuredQuantity::Coordinate(name) => SensorKind::Encoder(Encoder {
                coordinate: name.clone().into(),
                ..Encoder::default()
            }),
            MeasuredQuantity::Strain { link, at, place: [y, z] } => SensorKind::Strain(Strain {
                link: link.clone().into(),
                at: (*at).into(),
                y: (*y).into(),
                z: (*z).into(),
                ..Strain::default()
            }),
            MeasuredQuantity::Acceleration { frame } => SensorKind::Accelerometer(Accelerometer {
                on: on(frame),
                ..Accelerometer::default()
            }),
            MeasuredQuantity::Position { frame } => {
                SensorKind::Position(Position { on: on(frame), ..Position::default() })
            }
        };
        Self { all, own }
    }
}
