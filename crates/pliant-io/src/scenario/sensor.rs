//! Sensors of scenarios.

use super::shapes::{Called, FromNow, KindAt, Lasting, Name, OfSubject, Whole, zero};
use super::signal::{frame, named};
use crate::codes;
use crate::node::{Node, quoted};
use crate::problem::Problem;
use crate::reader::Reader;
use crate::shapes::{AsWritten, Flat, Length, Number, Text};
use crate::shared::{Shared, kinds_sharing};
use crate::state::Side;
use crate::table::{Field, table};
use crate::units::{self, Quantity, short};
use pliant::arm::Arm;
use pliant::simulate::{Clock, ClockError, Delay, Sensor, SensorQuantity as Measured};
use std::f64::consts::TAU;
use std::ops::Range;

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

/// A sensor, and where its name stands.
pub(super) fn sensor(
    reader: &mut Reader,
    table: &SensorTable,
    arm: &Arm,
) -> Option<(Sensor, Range<usize>)> {
    let keys = &table.all;
    let name = keys.name.get()?.clone();
    reader.whose = OfSensor::whose(&name);
    let measured = measured(reader, &table.own, arm);
    let clock = clock(reader, &keys.period, &keys.delay);
    let (quantity, unit) = measured?;
    let noise = not_negative(reader, &keys.noise, unit);
    let mut resolution = not_negative(reader, &keys.resolution, unit);
    if let SensorKind::Encoder(Encoder { counts, .. }) = &table.own
        && let Some(place) = counts.given()
    {
        reader.exclude(&[keys.resolution.given(), Some(place)], "one follows from the other");
        if unit != &units::ANGLE {
            reader.push(
                Problem::error(&codes::SENSOR, "counts in a turn are for coordinates that turn")
                    .at(place.key.clone())
                    .help("give a resolution, such as resolution = \"0.1 mm\""),
            );
        }
        resolution = Some(TAU / counts.value?);
    }
    let (clock, delay) = clock?;
    let (noise, resolution) = (noise?, resolution?);
    Some((Sensor { name, quantity, clock, resolution, noise, delay }, keys.name.span()?))
}

/// What it measures, and in which unit.
fn measured(
    reader: &mut Reader,
    kind: &SensorKind,
    arm: &Arm,
) -> Option<(Measured, &'static Quantity)> {
    Some(match kind {
        SensorKind::Encoder(keys) => {
            let names = arm.configuration_names();
            let index = named(reader, "coordinate", &keys.coordinate, names)?;
            (Measured::Coordinate(index), Side::Configuration.quantity(arm, index))
        }
        SensorKind::Strain(keys) => {
            let link = named(reader, "link", &keys.link, arm.link_names())?;
            let distance = keys.at.value?;
            on_beam(reader, keys, arm, link, distance)?;
            let place = [keys.y.value?, keys.z.value?];
            (Measured::Strain { link, distance, place }, &units::NUMBER)
        }
        SensorKind::Accelerometer(keys) => {
            let frame = frame(reader, &keys.on.frame, arm)?;
            (Measured::SpecificForce { frame }, &units::ACCELERATION)
        }
        SensorKind::Position(keys) => {
            let frame = frame(reader, &keys.on.frame, arm)?;
            (Measured::Position { frame }, &units::LENGTH)
        }
    })
}

/// Refuses a place that is not on a beam.
fn on_beam(
    reader: &mut Reader,
    keys: &Strain,
    arm: &Arm,
    link: usize,
    distance: f64,
) -> Option<()> {
    let name = &arm.link_names()[link];
    if arm.sliding_of(link).is_some() {
        reader.push(
            Problem::error(
                &codes::SENSOR,
                format!("link {} slides through its joint", quoted(name)),
            )
            .at(keys.link.span_or(&keys.span))
            .label("a gauge on it would pass into the hub")
            .help("measure a link that does not slide, or the tip of this one"),
        );
        return None;
    }
    let Some(beam) = arm.beam_of(link) else {
        reader.push(
            Problem::error(&codes::SENSOR, format!("link {} does not bend", quoted(name)))
                .at(keys.link.span_or(&keys.span))
                .label("rigid, so that it has no strain")
                .help("measure a link with bends, or let this one bend"),
        );
        return None;
    };
    if !(0.0..=beam.length).contains(&distance) {
        let [at, length] = [distance, beam.length].map(short);
        reader.push(
            Problem::error(
                &codes::SENSOR,
                format!("{at} m is not on the bending part of link {}", quoted(name)),
            )
            .at(keys.at.span_or(&keys.span))
            .label(format!("that part is {length} m long"))
            .help(format!("give a place from 0 to {length} m")),
        );
        return None;
    }
    Some(())
}

fn not_negative(reader: &mut Reader, field: &Field<Node>, unit: &Quantity) -> Option<f64> {
    let number = field.number(reader, unit)?;
    if number < 0.0 {
        let (key, is) = (field.name(), short(number));
        reader.push(
            Problem::error(&codes::SENSOR, format!("{key} is {is} {}, below zero", unit.si))
                .at(field.span()?)
                .label("below zero")
                .help("give zero or more"),
        );
        return None;
    }
    Some(number)
}

/// The clock of a sensor or controller, and how late it is.
pub(super) fn clock(
    reader: &mut Reader,
    period: &Field<f64>,
    delay: &Field<f64>,
) -> Option<(Clock, Delay)> {
    let late = match delay.value? {
        0.0 => Delay::None,
        seconds => Delay::Seconds(seconds),
    };
    let clock = Clock::every(period.value?);
    let delayed = clock.and_then(|clock| clock.delayed(late));
    match (clock, delayed) {
        (Ok(clock), Ok(_)) => Some((clock, late)),
        (Err(error), _) => cannot_tick(reader, period, error),
        (_, Err(error)) => cannot_tick(reader, delay, error),
    }
}

fn cannot_tick<T>(reader: &mut Reader, field: &Field<f64>, error: ClockError) -> Option<T> {
    reader.push(
        Problem::error(&codes::NO_TIME, error.to_string())
            .at(field.span()?)
            .help("give a time from 1 ns to 1e9 s, with few digits"),
    );
    None
}
