//! One object.

use super::findings::Findings;
use super::stress::LinkStress;
use crate::figures::pretty;
use crate::output::Failure;
use pliant::analyse::{Deflection, FREQUENCY_RATIO, JointCondition, SizingCriterion};
use serde_json::{Map, Value, json};

pub(super) fn write(found: &Findings<'_>, count: usize) -> Result<String, Failure> {
    let arm = found.arm;
    let names = arm.velocity_names();
    let modes = found.modes.modes.iter().take(count).enumerate().map(|(k, mode)| {
        let moves: Vec<Value> = arm
            .participation(mode)
            .into_iter()
            .map(|(part, share)| json!({ "part": part.to_string(), "share": share }))
            .collect();
        let error = found.errors.as_ref().and_then(|errors| errors.as_ref().ok()?.get(k));
        let by_name = |values: &[f64]| -> Map<String, Value> {
            names.iter().cloned().zip(values.iter().map(|&x| x.into())).collect()
        };
        json!({
            "frequency_hz": mode.hertz(),
            "frequency": mode.frequency(),
            "omega_squared": mode.squared,
            "unstable": mode.is_unstable(),
            "damping_ratio": mode.damping_ratio,
            "frequency_error": error,
            "moves": moves,
            "kinetic_energy": by_name(mode.shares.as_slice()),
            "shape": by_name(mode.shape.as_slice()),
        })
    });
    let deflection = |(link, Deflection { world, own }): &(&str, Deflection)| json!({ "link": link, "world": world.to_array(), "own": own.to_array() });
    let why = found.errors.as_ref().and_then(|errors| errors.as_ref().err());
    let value = json!({
        "name": arm.name(),
        "gravity": arm.gravity().to_array(),
        "locked": found.held(JointCondition::Locked),
        "free": found.held(JointCondition::Free),
        "on_spring": found.held(JointCondition::OnSpring),
        "configuration": arm.configuration_names(),
        "q": found.modes.q,
        "asymmetry": found.modes.asymmetry,
        "modes_in_all": found.modes.modes.len(),
        "modes": modes.collect::<Vec<_>>(),
        "no_convergence_because": why,
        "deflection": found.deflections.iter().map(deflection).collect::<Vec<_>>(),
        "bandwidth": found.bandwidth,
        "stress": found.stress.as_ref().map(|links| links.iter().map(stress).collect::<Vec<_>>()),
    });
    pretty(&value)
}

fn stress(link: &LinkStress) -> Value {
    let place = |(size, place): (f64, f64)| json!({ "value": size, "at": place });
    let sizing = link.sizing.as_ref().map(|sizing| {
        json!({
            "bending_moment": sizing.moment,
            "stress": sizing.stress,
            "margin_of_strength": sizing.margin_of_strength,
            "margin_of_stiffness": sizing.margin_of_stiffness,
            "decides": match sizing.decides {
                SizingCriterion::Strength => "strength",
                SizingCriterion::Stiffness => "stiffness",
            },
            "scale_for_strength": sizing.scale_for_strength,
            "scale_for_stiffness": sizing.scale_for_stiffness,
            "radius": sizing.radius,
            "radius_for_strength": sizing.radius_for_strength(),
            "radius_for_stiffness": sizing.radius_for_stiffness(),
        })
    });
    json!({
        "link": link.link,
        "bending_moment": place(link.moment),
        "torque": place(link.torque),
        "stress": link.stress.map(place),
        "margin": link.margin,
        "clamped_frequency": link.clamped,
        "bandwidth_allowed": link.allowed(),
        "frequency_ratio": FREQUENCY_RATIO,
        "sizing": sizing,
    })
}
