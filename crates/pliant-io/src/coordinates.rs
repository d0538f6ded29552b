//! Numbers that belong to the coordinates of a joint: springs, limits, states.

use crate::arm_file::placement::{self, Placement, Turn};
use crate::codes;
use crate::nearest::nearest;
use crate::node::{Entry, Node, Value, quoted};
use crate::problem::Problem;
use crate::reader::Reader;
use crate::table::Table as _;
use crate::units::{self, Quantity};
use pliant::arm::{Joint, Limits};
use pliant::beam::Dimension;
use pliant::spatial::Quaternion;
use std::ops::Range;

/// What a sliding and what a turning coordinate is measured in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Measure {
    pub(crate) slide: &'static Quantity,
    pub(crate) turn: &'static Quantity,
}

pub(crate) const POSITION: Measure = Measure { slide: &units::LENGTH, turn: &units::ANGLE };
pub(crate) const VELOCITY: Measure = Measure { slide: &units::SPEED, turn: &units::TURN_SPEED };
pub(crate) const ACCELERATION: Measure =
    Measure { slide: &units::ACCELERATION, turn: &units::TURN_ACCELERATION };
pub(crate) const FORCE: Measure = Measure { slide: &units::FORCE, turn: &units::MOMENT };
pub(crate) const SPRING: Measure =
    Measure { slide: &units::STIFFNESS, turn: &units::TURN_STIFFNESS };
pub(crate) const DAMPING: Measure = Measure { slide: &units::DAMPING, turn: &units::TURN_DAMPING };
/// Accelerations per distance, and per speed.
pub(crate) const PULL: Measure =
    Measure { slide: &units::RATE_SQUARED, turn: &units::RATE_SQUARED };
pub(crate) const INTEGRAL: Measure =
    Measure { slide: &units::STIFFNESS_RATE, turn: &units::TURN_STIFFNESS_RATE };
pub(crate) const BRAKE: Measure = Measure { slide: &units::RATE, turn: &units::RATE };
/// Forces per rate of strain.
pub(crate) const STRAIN_DAMPING: Measure =
    Measure { slide: &units::FORCE_TIME, turn: &units::MOMENT_TIME };
/// Numbers without a unit that files could give.
pub(crate) const PLAIN: Measure = Measure { slide: &units::NUMBER, turn: &units::NUMBER };
pub(crate) const ARMATURE: Measure = Measure { slide: &units::MASS, turn: &units::INERTIA };

impl Measure {
    pub(crate) fn of(self, turns: bool) -> &'static Quantity {
        if turns { self.turn } else { self.slide }
    }

    /// The quantity of a coordinate.
    pub(crate) fn along(self, dimension: Dimension) -> &'static Quantity {
        match dimension {
            Dimension::Length => self.slide,
            Dimension::Angle => self.turn,
            Dimension::Number => &units::NUMBER,
        }
    }

    /// The quantity of each number of a configuration; those of quaternions are plain.
    pub(crate) fn configuration(self, joint: &Joint) -> Vec<&'static Quantity> {
        joint.configuration_dimensions().into_iter().map(|own| self.along(own)).collect()
    }

    /// The quantity of each degree of freedom.
    pub(crate) fn velocities(self, joint: &Joint) -> Vec<&'static Quantity> {
        joint.velocity_dimensions().into_iter().map(|own| self.along(own)).collect()
    }
}

/// One number per degree of freedom: a number where there is one, a list, or a table by
/// coordinate in which those left out are zero.
pub(crate) fn per_velocity(
    reader: &mut Reader,
    what: &str,
    node: &Node,
    joint: &Joint,
    measure: Measure,
) -> Option<Vec<f64>> {
    let quantities = measure.velocities(joint);
    let suffixes = joint.velocity_suffixes();
    if let Value::Table(entries) = &node.value
        && quantities.len() > 1
    {
        let mut values = vec![Some(0.0); quantities.len()];
        for entry in entries {
            if let Some(k) = coordinate(reader, entry, suffixes, joint) {
                values[k] =
                    reader.number(&format!("{what} {}", entry.key), &entry.node, quantities[k]);
            }
        }
        return values.into_iter().collect();
    }
    list(reader, what, node, &quantities, joint)
}

/// A configuration: like [`per_velocity`] with `nq` numbers; attitudes can also be given in every
/// way in which a placement can.
pub(crate) fn configuration(
    reader: &mut Reader,
    what: &str,
    node: &Node,
    joint: &Joint,
) -> Option<Vec<f64>> {
    if let Value::Table(_) = node.value {
        let attitude = |rotation| Quaternion::from_matrix(&rotation).to_array();
        return match joint {
            Joint::Spherical => {
                let turn = Turn::read(reader, what, node)?;
                Some(attitude(turn.rotation(reader)?).to_vec())
            }
            Joint::Free => {
                let pose = Placement::read(reader, what, node)?.pose(reader)?;
                Some([&pose.position.to_array()[..], &attitude(pose.rotation)].concat())
            }
            _ => per_velocity(reader, what, node, joint, POSITION),
        };
    }
    let numbers = list(reader, what, node, &POSITION.configuration(joint), joint)?;
    if let (Joint::Spherical | Joint::Free, Some(quaternion)) = (joint, numbers.last_chunk()) {
        placement::attitude(reader, &node.span, quaternion)?;
    }
    Some(numbers)
}

/// A number where one is wanted, or a list.
fn list(
    reader: &mut Reader,
    what: &str,
    node: &Node,
    quantities: &[&'static Quantity],
    joint: &Joint,
) -> Option<Vec<f64>> {
    let given = match (&node.value, quantities) {
        (Value::List(list), _) => list.as_slice(),
        (_, []) => &[],
        (_, [_]) | (Value::Number(_) | Value::Text(_), _) => std::slice::from_ref(node),
        (_, several) => {
            reader.number(what, node, several[0]);
            return None;
        }
    };
    if given.len() != quantities.len() || quantities.is_empty() {
        wrong_count(reader, what, &node.span, given.len(), quantities.len(), joint);
        return None;
    }
    let read =
        given.iter().zip(quantities).map(|(node, quantity)| reader.number(what, node, quantity));
    // all of them are read, so that all faults are found
    read.collect::<Vec<_>>().into_iter().collect()
}

fn wrong_count(
    reader: &mut Reader,
    what: &str,
    span: &Range<usize>,
    given: usize,
    needed: usize,
    joint: &Joint,
) {
    let word = joint.word();
    let suffixes = joint.velocity_suffixes();
    let help = match needed {
        0 => {
            format!("a {word} joint does not move; remove {what}, or choose another kind of joint")
        }
        1 => format!("write {what} = 1 or {what} = [1]"),
        _ if needed != suffixes.len() => format!(
            "give a list of {needed}, in this order: {}",
            joint.configuration_suffixes().join(", ")
        ),
        _ => format!("give a list of {needed}, or a table with the keys {}", suffixes.join(", ")),
    };
    let s = if given == 1 { "" } else { "s" };
    let (message, label) = if needed == 0 {
        (format!("a {word} joint has no {what}"), "does not move".to_owned())
    } else {
        (
            format!("{what} has {given} number{s}, the {word} joint needs {needed}"),
            format!("{given} instead of {needed}"),
        )
    };
    let problem = Problem::error(&codes::WRONG_COUNT, message);
    reader.push(problem.at(span.clone()).label(label).help(help));
}

/// The position of a coordinate's suffix.
fn coordinate(
    reader: &mut Reader,
    entry: &Entry,
    suffixes: &[&'static str],
    joint: &Joint,
) -> Option<usize> {
    let found = suffixes.iter().position(|suffix| *suffix == entry.key);
    if found.is_none() {
        let all = suffixes.join(", ");
        let help = match nearest(&entry.key, suffixes.iter().copied()) {
            Some(near) => format!("did you mean {near}? its coordinates are: {all}"),
            None => format!("its coordinates are: {all}"),
        };
        reader.push(
            Problem::error(
                &codes::UNKNOWN_COORDINATE,
                format!("the {} joint has no coordinate {}", joint.word(), quoted(&entry.key)),
            )
            .at(entry.key_span.clone())
            .label("no such coordinate")
            .help(help),
        );
    }
    found
}

/// The range of each configuration coordinate: a pair where there is one, a list of pairs, or a
/// table of pairs by coordinate.
pub(crate) fn limits(
    reader: &mut Reader,
    node: &Node,
    joint: &Joint,
) -> Option<Vec<Option<Limits>>> {
    // quaternions have no limits, and they come last
    let quantities: Vec<&'static Quantity> = match joint {
        Joint::Spherical => Vec::new(),
        Joint::Free => vec![POSITION.slide; 3],
        _ => POSITION.velocities(joint),
    };
    let suffixes = &joint.configuration_suffixes()[..quantities.len()];
    let mut limits = vec![None; joint.nq()];
    match &node.value {
        _ if quantities.is_empty() => {
            let word = joint.word();
            reader.push(
                Problem::error(&codes::CONFLICT, format!("a {word} joint has no limits"))
                    .at(node.span.clone())
                    .help("remove limits, or choose another kind of joint"),
            );
            return None;
        }
        Value::Table(entries) if quantities.len() > 1 => {
            for entry in entries {
                if let Some(k) = coordinate(reader, entry, suffixes, joint) {
                    let what = format!("limits {}", entry.key);
                    limits[k] = pair(reader, &what, &entry.node, quantities[k]);
                }
            }
        }
        Value::List(list) if quantities.len() > 1 => {
            let is_pair = |node: &Node| matches!(node.value, Value::List(_));
            if list.len() != quantities.len() || !list.iter().any(is_pair) {
                wrong_pairs(reader, node, suffixes, &quantities, joint);
                return None;
            }
            for (k, node) in list.iter().enumerate() {
                limits[k] = match &node.value {
                    Value::Text(none) if none == "none" => None,
                    _ => pair(reader, &format!("limits {}", suffixes[k]), node, quantities[k]),
                };
            }
        }
        _ => limits[0] = pair(reader, "limits", node, quantities[0]),
    }
    Some(limits)
}

/// Limits that are no list of one pair per coordinate.
fn wrong_pairs(
    reader: &mut Reader,
    node: &Node,
    suffixes: &[&'static str],
    quantities: &[&'static Quantity],
    joint: &Joint,
) {
    let needed = suffixes.len();
    let pairs = suffixes.iter().zip(quantities);
    let pairs = pairs.map(|(suffix, quantity)| format!("{suffix} = {}", example_pair(quantity)));
    reader.push(
        Problem::error(
            &codes::WRONG_COUNT,
            format!(
                "limits is {node}, the {} joint needs a pair for each of {needed} coordinates",
                joint.word()
            ),
        )
        .at(node.span.clone())
        .label(format!("not {needed} pairs"))
        .help(format!("write {{ {} }}", pairs.collect::<Vec<_>>().join(", "))),
    );
}

/// How limits could look.
fn example_pair(quantity: &Quantity) -> &'static str {
    if quantity == &units::ANGLE { "[\"-170 deg\", \"170 deg\"]" } else { "[0, \"0.5 m\"]" }
}

/// Lower and upper limit.
fn pair(
    reader: &mut Reader,
    what: &str,
    node: &Node,
    quantity: &'static Quantity,
) -> Option<Limits> {
    let nodes: &[Node; 2] = reader.list(what, node, example_pair(quantity))?;
    let mut bound = |node: &Node| {
        let number = reader.number_or_infinite(what, node, quantity)?;
        if number.is_nan() {
            return reader.number(what, node, quantity);
        }
        Some(number)
    };
    let [lower, upper] = nodes.each_ref().map(&mut bound);
    let (lower, upper) = (lower?, upper?);
    if lower > upper {
        let [first, second] = nodes.each_ref().map(as_written);
        reader.push(
            Problem::error(
                &codes::LIMITS_CROSSED,
                format!("the lower limit {first} is above the upper limit {second}"),
            )
            .at(node.span.clone())
            .label("lower above upper")
            .help(format!("write the smaller one first: [{second}, {first}]")),
        );
        return None;
    }
    Some(Limits { lower, upper })
}

/// A value as it stands in the file.
fn as_written(node: &Node) -> String {
    match &node.value {
        Value::Text(text) => quoted(text),
        Value::Number(number) => number.to_string(),
        _ => node.to_string(),
    }
}

/// Like [`per_velocity`], but below zero nothing is accepted.
pub(crate) fn coefficients(
    reader: &mut Reader,
    what: &str,
    node: &Node,
    joint: &Joint,
    measure: Measure,
) -> Option<Vec<f64>> {
    let values = per_velocity(reader, what, node, joint, measure)?;
    let units = measure.velocities(joint);
    let negative = values.iter().zip(units).find(|(value, _)| **value < 0.0);
    if let Some((value, quantity)) = negative {
        reader.push(
            Problem::error(
                &codes::NEGATIVE_COEFFICIENT,
                format!("{what} is negative: {} {}", units::short(*value), quantity.si),
            )
            .at(node.span.clone())
            .label("below zero")
            .help(format!("give zero or more, such as \"{}\"", quantity.example)),
        );
        return None;
    }
    Some(values)
}
