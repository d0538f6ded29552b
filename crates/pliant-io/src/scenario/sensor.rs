//! Sensors of scenarios.

use super::keys::SENSORS;
use super::signal::frame;
use super::times::{later_time, positive_time, whole};
use crate::codes;
use crate::node::{Node, quoted};
use crate::problem::Problem;
use crate::reader::{Fields, Reader};
use crate::state::{Side, unknown};
use crate::units::{self, Quantity, short};
use pliant::arm::Arm;
use pliant::simulate::{Clock, ClockError, Delay, Quantity as Measured, Sensor};
use std::f64::consts::TAU;
use std::ops::Range;

/// Reads a sensor, and says where its name stands.
pub(super) fn sensor(
    reader: &mut Reader,
    node: &Node,
    arm: &Arm,
) -> Option<(Sensor, Range<usize>)> {
    let (kind, fields) = reader.fields_of_kind("a sensor", node, SENSORS)?;
    let name_node = fields.get("name")?;
    let name = reader.text("name", name_node)?;
    reader.whose = format!("sensor {}", quoted(name));
    let measured = measured(reader, &fields, kind, arm);
    let clock = clock(reader, &fields);
    let (quantity, unit) = measured?;
    let mut size = |key: &str| match fields.get(key) {
        Some(node) => not_negative(reader, key, node, unit),
        None => Some(0.0),
    };
    let (noise, mut resolution) = (size("noise"), size("resolution"));
    if kind == "encoder"
        && let Some(entry) = fields.entry("counts")
    {
        reader.at_most_one(&fields, &["resolution", "counts"], "one follows from the other");
        let counts = whole(reader, "counts", &entry.node, 1)?;
        if unit != &units::ANGLE {
            reader.push(
                Problem::error(&codes::SENSOR, "counts in a turn are for coordinates that turn")
                    .at(entry.key_span.clone())
                    .help("give a resolution, such as resolution = \"0.1 mm\""),
            );
        }
        resolution = Some(TAU / counts);
    }
    let (clock, delay) = clock?;
    let (noise, resolution) = (noise?, resolution?);
    let name = name.to_owned();
    let sensor = Sensor { name, quantity, clock, resolution, noise, delay };
    Some((sensor, name_node.span.clone()))
}

/// What it measures, and in which unit.
fn measured(
    reader: &mut Reader,
    fields: &Fields<'_>,
    kind: &str,
    arm: &Arm,
) -> Option<(Measured, &'static Quantity)> {
    match kind {
        "encoder" => {
            let node = fields.get("coordinate")?;
            let index = named(reader, "coordinate", node, arm.configuration_names())?;
            Some((Measured::Coordinate(index), Side::Configuration.quantity(arm, index)))
        }
        "strain" => {
            let node = fields.get("link")?;
            let link = named(reader, "link", node, arm.link_names());
            let mut number = |key: &str| match fields.get(key) {
                Some(node) => reader.number(key, node, &units::LENGTH),
                None => Some(0.0),
            };
            let (distance, y, z) = (number("at"), number("y"), number("z"));
            let (link, distance) = (link?, distance?);
            on_beam(reader, fields, arm, link, distance)?;
            Some((Measured::Strain { link, distance, place: [y?, z?] }, &units::NUMBER))
        }
        _ => {
            let frame = frame(reader, fields.get("frame")?, arm)?;
            Some(if kind == "position" {
                (Measured::Position { frame }, &units::LENGTH)
            } else {
                (Measured::SpecificForce { frame }, &units::ACCELERATION)
            })
        }
    }
}

/// Refuses a place that is not on a beam.
fn on_beam(
    reader: &mut Reader,
    fields: &Fields<'_>,
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
            .at(fields.span_of("link"))
            .label("a gauge on it would pass into the hub")
            .help("measure a link that does not slide, or the tip of this one"),
        );
        return None;
    }
    let Some(beam) = arm.beam_of(link) else {
        reader.push(
            Problem::error(&codes::SENSOR, format!("link {} does not bend", quoted(name)))
                .at(fields.span_of("link"))
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
            .at(fields.span_of("at"))
            .label(format!("that part is {length} m long"))
            .help(format!("give a place from 0 to {length} m")),
        );
        return None;
    }
    Some(())
}

/// The index of a name.
pub(super) fn named(
    reader: &mut Reader,
    what: &str,
    node: &Node,
    names: &[String],
) -> Option<usize> {
    let name = reader.text(what, node)?;
    let found = names.iter().position(|known| known == name);
    if found.is_none() {
        unknown(reader, what, name, &node.span, || names.iter().map(String::as_str));
    }
    found
}

fn not_negative(reader: &mut Reader, key: &str, node: &Node, unit: &Quantity) -> Option<f64> {
    let number = reader.number(key, node, unit)?;
    if number < 0.0 {
        let is = short(number);
        reader.push(
            Problem::error(&codes::SENSOR, format!("{key} is {is} {}, below zero", unit.si))
                .at(node.span.clone())
                .label("below zero")
                .help("give zero or more"),
        );
        return None;
    }
    Some(number)
}

/// The clock of a sensor or controller, and how late it is.
pub(super) fn clock(reader: &mut Reader, fields: &Fields<'_>) -> Option<(Clock, Delay)> {
    let period = positive_time(reader, "period", fields.get("period")?);
    let delay = later_time(reader, "delay", fields);
    let delay = match delay? {
        0.0 => Delay::None,
        seconds => Delay::Seconds(seconds),
    };
    let clock = Clock::every(period?);
    let delayed = clock.and_then(|clock| clock.delayed(delay));
    match (clock, delayed) {
        (Ok(clock), Ok(_)) => Some((clock, delay)),
        (Err(error), _) => cannot_tick(reader, "period", fields, error),
        (_, Err(error)) => cannot_tick(reader, "delay", fields, error),
    }
}

fn cannot_tick<T>(
    reader: &mut Reader,
    key: &str,
    fields: &Fields<'_>,
    error: ClockError,
) -> Option<T> {
    reader.push(
        Problem::error(&codes::NO_TIME, error.to_string())
            .at(fields.span_of(key))
            .help("give a time from 1 ns to 1e9 s, with few digits"),
    );
    None
}
