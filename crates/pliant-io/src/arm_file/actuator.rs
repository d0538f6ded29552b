//! What drives a joint.

use super::keys;
use crate::codes;
use crate::coordinates::{DAMPING, FORCE, Measure, SPRING, VELOCITY};
use crate::node::Node;
use crate::problem::Problem;
use crate::reader::Reader;
use crate::units;
use pliant::arm::{Actuator, ActuatorFault, Joint};
use std::ops::Range;

/// Where an actuator and its keys stand.
#[derive(Clone, Debug, Default)]
pub(super) struct ActuatorSpans {
    whole: Range<usize>,
    keys: Vec<(String, Range<usize>)>,
}

/// Reads the actuator of a joint.
pub(super) fn actuator(
    reader: &mut Reader,
    node: &Node,
    joint: &Joint,
) -> (Option<Actuator>, ActuatorSpans) {
    let mut spans = ActuatorSpans { whole: node.span.clone(), keys: Vec::new() };
    let Some(fields) = reader.fields("actuator", node, &keys::ACTUATOR) else {
        return (None, spans);
    };
    let turns = match joint.turns() {
        [turns] => *turns,
        // the builder refuses it
        _ => true,
    };
    let limit = if turns { ("torque", "force") } else { ("force", "torque") };
    if let Some(entry) = fields.entry(limit.1) {
        let word = joint.word();
        reader.push(
            Problem::error(&codes::CONFLICT, format!("a {word} joint has no {}", limit.1))
                .at(entry.key_span.clone())
                .label("not for this kind of joint")
                .help(format!("write {}", limit.0)),
        );
    }
    let given = Actuator::default();
    let mut number = |key: &str, measure: Measure, unsaid: f64| {
        let Some(node) = fields.get(key) else { return Some(unsaid) };
        spans.keys.push((key.to_owned(), node.span.clone()));
        reader.number(key, node, measure.of(turns))
    };
    let plain = |quantity| Measure { slide: quantity, turn: quantity };
    let force = number(limit.0, FORCE, given.force);
    let speed = number("speed", VELOCITY, given.speed);
    let rotor = number("rotor_inertia", plain(&units::INERTIA), given.rotor_inertia);
    let gear = number("gear", plain(&units::NUMBER), given.gear);
    let stiffness = number("stiffness", SPRING, 0.0);
    let damping = number("damping", DAMPING, given.damping);
    let viscous = number("viscous", DAMPING, given.viscous);
    let coulomb = number("coulomb", FORCE, given.coulomb);
    let coulomb_speed = number("coulomb_speed", VELOCITY, given.coulomb_speed);
    let is_elastic = fields.get("stiffness").is_some();
    let whole = || {
        Some(Actuator {
            force: force?,
            speed: speed?,
            rotor_inertia: rotor?,
            gear: gear?,
            stiffness: stiffness.map(|stiffness| is_elastic.then_some(stiffness))?,
            damping: damping?,
            viscous: viscous?,
            coulomb: coulomb?,
            coulomb_speed: coulomb_speed?,
        })
    };
    (whole(), spans)
}

impl ActuatorSpans {
    /// Where the fault of an actuator lies, a word for it, and how to mend it.
    pub(super) fn place(
        &self,
        fault: &ActuatorFault,
    ) -> (Range<usize>, &'static str, &'static str) {
        let of = |keys: &[&str]| {
            let found = self.keys.iter().find(|(key, _)| keys.contains(&key.as_str()));
            found.map_or_else(|| self.whole.clone(), |(_, span)| span.clone())
        };
        match fault {
            ActuatorFault::Joint { .. } => (
                self.whole.clone(),
                "for joints with one coordinate",
                "remove it, or describe the joint by revolute and prismatic ones in a row",
            ),
            ActuatorFault::NotPositive { quantity: "force", .. } => {
                (of(&["force", "torque"]), "not above zero", "leave it out if there is no limit")
            }
            ActuatorFault::NotPositive { quantity: "coulomb_speed", .. } => (
                of(&["coulomb_speed", "coulomb"]),
                "over which speed?",
                "add coulomb_speed, a small part of the usual speed, such as coulomb_speed = 0.01",
            ),
            ActuatorFault::NotPositive { quantity, .. } => {
                (of(&[quantity]), "not above zero", "give more than zero, or leave it out")
            }
            ActuatorFault::Negative { quantity, .. } => {
                (of(&[quantity]), "below zero", "give zero or more")
            }
            ActuatorFault::NoRotor => (
                of(&["stiffness"]),
                "ends at a motor without inertia",
                "add rotor_inertia = \"1e-4 kg m^2\"; or give the joint a spring instead",
            ),
            ActuatorFault::NoSpring => (
                of(&["damping"]),
                "beside no spring",
                "add stiffness; or friction of motor and gear is viscous, and that of the joint its own damping",
            ),
        }
    }
}
