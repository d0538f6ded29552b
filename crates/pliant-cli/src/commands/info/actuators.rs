//! What drives the joints of an arm.

use super::drives::parts;
use crate::figures::{figure, table};
use pliant::arm::{Actuator, Arm, Builder};
use serde_json::{Value, json};

/// A table with a line for each joint that has one; nothing if none has.
pub(super) fn as_text(arm: &Arm, description: &Builder) -> String {
    let head = [
        "actuator",
        "max force",
        "max speed",
        "rotor",
        "gear",
        "reflected",
        "spring",
        "damper",
        "viscous",
        "dry friction",
    ];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    for (link, joint) in super::links(arm) {
        let Some(actuator) = parts(arm, description, link).and_then(|parts| parts.actuator) else {
            continue;
        };
        let turns = joint.turns() == [true];
        // zero and no limit are not told
        let told = |x: f64, turning: &str, sliding: &str| {
            let unit = if turns { turning } else { sliding };
            let is_said = x != 0.0 && x.is_finite();
            if is_said { format!("{} {unit}", figure(x, 0.0)) } else { String::new() }
        };
        let gear = if actuator.gear == 1.0 { 0.0 } else { actuator.gear };
        let friction =
            [told(actuator.coulomb, "N m", "N"), told(actuator.coulomb_speed, "rad/s", "m/s")];
        lines.push(vec![
            arm.velocity_names()[arm.velocities_of(link).start].clone(),
            told(actuator.force, "N m", "N"),
            told(actuator.speed, "rad/s", "m/s"),
            told(actuator.rotor_inertia, "kg m^2", "kg m^2"),
            told(gear, "", "rad/m").trim_end().to_owned(),
            told(actuator.armature(), "kg m^2", "kg"),
            told(actuator.stiffness.unwrap_or(0.0), "N m/rad", "N/m"),
            told(actuator.damping, "N m s/rad", "N s/m"),
            told(actuator.viscous, "N m s/rad", "N s/m"),
            friction.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" over "),
        ]);
    }
    // columns in which nothing is said are left out
    let width = lines[0].len();
    let kept: Vec<usize> = (0..width)
        .filter(|&column| lines.iter().skip(1).any(|line| !line[column].is_empty()))
        .collect();
    let pick = |line: &Vec<String>| kept.iter().map(|&column| line[column].clone()).collect();
    let lines: Vec<Vec<String>> = lines.iter().map(pick).collect();
    if lines.len() == 1 { String::new() } else { format!("\n{}", table(&lines, 1)) }
}

/// SI units; what has no limit is null.
pub(super) fn as_json(actuator: &Actuator) -> Value {
    let limit = |x: f64| x.is_finite().then_some(x);
    json!({
        "force": limit(actuator.force),
        "speed": limit(actuator.speed),
        "rotor_inertia": actuator.rotor_inertia,
        "gear": actuator.gear,
        "stiffness": actuator.stiffness,
        "damping": actuator.damping,
        "viscous": actuator.viscous,
        "coulomb": actuator.coulomb,
        "coulomb_speed": actuator.coulomb_speed,
    })
}
