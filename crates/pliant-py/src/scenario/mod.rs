//! Scenarios: from their Python descriptions to the library's, and back.

mod attributes;
mod controllers;
mod plans;
mod signals;
mod words;
mod write;

pub(crate) use attributes::shown;
pub(crate) use write::python_scenario;

use crate::arm::Arm;
use crate::callables::Raised;
use crate::error::{Kind, raise};
use attributes::{by_name, get, items, number, optional, refuse, text, vector, word};
use pliant::scenario::Scenario;
use pliant::simulate::IntegrationMethod;
use pyo3::prelude::*;
use words::{LIMITS, START};

/// The scenario that a `pliant.Scenario` describes.
pub(crate) fn described(value: &Bound<'_, PyAny>, raised: &Raised) -> PyResult<Scenario> {
    let arm = value.getattr("arm")?;
    let own = arm.cast::<Arm>().map_err(|_| refuse(value, "arm", &arm, "a pliant.Arm"))?;
    let loaded = &own.get().loaded;
    let mut scenario = Scenario::new(loaded.description.clone(), number(value, "duration")?);
    scenario.variants = loaded.variants.clone();
    if !value.getattr("gravity")?.is_none() {
        scenario.gravity = Some(vector(value, "gravity")?);
    }
    scenario.start = word(value, "start", &START)?;
    scenario.initial = by_name(value, "initial")?;
    scenario.rates = by_name(value, "rates")?;
    scenario.tip = get(value, "tip", "a name or None")?;
    scenario.settling_band = number(value, "settling_band")?;
    scenario.method = method(value)?;
    scenario.record = signals::record(&value.getattr("record")?)?;
    scenario.limits = word(value, "limits", &LIMITS)?;
    scenario.seed = get(value, "seed", "a whole number from 0 on")?;
    scenario.fuse = get(value, "fuse", "True or False")?;
    for input in items(value, "inputs")? {
        of_class(value, "inputs", &input, "Input")?;
        scenario.inputs.push(signals::input(&input, raised)?);
    }
    for motion in items(value, "prescribed")? {
        of_class(value, "prescribed", &motion, "Prescribed")?;
        scenario.prescribed.push(signals::prescribed(&motion, raised)?);
    }
    for sensor in items(value, "sensors")? {
        let needed = || refuse(value, "sensors", &sensor, "sensors, such as pliant.Encoder");
        scenario.sensors.push(plans::sensor(&sensor)?.ok_or_else(needed)?);
    }
    let plan = value.getattr("plan")?;
    if !plan.is_none() {
        let needed = || refuse(value, "plan", &plan, "a plan, such as pliant.JointsPlan");
        scenario.plan = Some(plans::plan(&plan, raised)?.ok_or_else(needed)?);
    }
    for controller in items(value, "controllers")? {
        let needed =
            || refuse(value, "controllers", &controller, "controllers, such as pliant.Controller");
        let found = controllers::controller(&controller, raised)?;
        scenario.controllers.push(found.ok_or_else(needed)?);
    }
    for event in items(value, "events")? {
        of_class(value, "events", &event, "Event")?;
        scenario.events.push(signals::event(&event, raised)?);
    }
    Ok(scenario)
}

fn of_class(
    value: &Bound<'_, PyAny>,
    name: &str,
    item: &Bound<'_, PyAny>,
    class: &str,
) -> PyResult<()> {
    if attributes::class_of(item)? == class {
        return Ok(());
    }
    Err(refuse(value, name, item, &format!("a list of pliant.{class}")))
}

fn method(value: &Bound<'_, PyAny>) -> PyResult<IntegrationMethod> {
    let (tolerance, step) = (optional(value, "tolerance")?, optional(value, "step")?);
    let radius = optional(value, "spectral_radius")?;
    let name = text(value, "method")?;
    let refused =
        |message: String, help: &str| Err(raise(value.py(), Kind::Argument, &message, Some(help)));
    let has_step = matches!(name.as_str(), "rk4" | "generalised-alpha");
    if has_step && tolerance.is_some() {
        return refused(
            format!("the method \"{name}\" has a step and no tolerance"),
            "leave tolerance out",
        );
    }
    if !has_step && step.is_some() {
        return refused(
            format!("the method \"{name}\" has a tolerance, from which its steps follow"),
            "leave step out, or give method=\"rk4\" or \"generalised-alpha\"",
        );
    }
    if name != "generalised-alpha" && radius.is_some() {
        return refused(
            format!("the method \"{name}\" has no spectral_radius"),
            "leave it out, or give method=\"generalised-alpha\"",
        );
    }
    let tolerance = tolerance.unwrap_or(IntegrationMethod::TOLERANCE);
    let spectral_radius = radius.unwrap_or(IntegrationMethod::SPECTRAL_RADIUS);
    Ok(match (name.as_str(), step) {
        ("auto", _) => IntegrationMethod::Auto { tolerance },
        ("dop853", _) => IntegrationMethod::Dop853 { tolerance },
        ("dopri5", _) => IntegrationMethod::Dopri5 { tolerance },
        ("adams", _) => IntegrationMethod::Adams { tolerance },
        ("radau5", _) => IntegrationMethod::Radau5 { tolerance },
        ("rk4", Some(step)) => IntegrationMethod::Rk4 { step },
        ("generalised-alpha", Some(step)) => {
            IntegrationMethod::GeneralisedAlpha { step, spectral_radius }
        }
        ("rk4" | "generalised-alpha", None) => {
            return refused(format!("the method \"{name}\" needs a step"), "give step=1e-3");
        }
        _ => {
            return refused(
                format!("there is no method \"{name}\""),
                "give one of auto, dop853, dopri5, adams, radau5, rk4, generalised-alpha",
            );
        }
    })
}
