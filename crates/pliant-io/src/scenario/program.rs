//! Scenarios of programs, of which a file can say a part only.

use super::controller::ControllerTable;
use super::plan::PlanTable;
use super::signal::{InputTable, MotionTable};
use super::write::WriteError;
use pliant::scenario::{ControllerKind, Scenario};

/// A scenario without what files cannot say, and what that is, in words.
pub(super) fn as_far_as_it_goes(scenario: &Scenario) -> (Scenario, Vec<String>) {
    let (mut scenario, mut left_out) = (scenario.clone(), Vec::new());
    let mut goes = |refusal: Result<(), WriteError>| match refusal {
        // what a load without a force or an element of the arm is, somebody else says
        Ok(()) | Err(WriteError::NoLoad { .. } | WriteError::Element { .. }) => true,
        Err(error) => {
            left_out.push(error.to_string());
            false
        }
    };
    scenario.inputs.retain(|input| goes(InputTable::of(input).map(drop)));
    scenario.prescribed.retain(|motion| goes(MotionTable::of(motion).map(drop)));
    scenario.events.retain(|event| match event.quantity.expression() {
        Some(_) => true,
        None => goes(Err(WriteError::Event { name: event.name.clone() })),
    });
    scenario.controllers.retain(|one| goes(ControllerTable::of(one).map(drop)));
    if let Some(plan) = &scenario.plan
        && !goes(PlanTable::of(plan).map(drop))
    {
        scenario.plan = None;
    }
    let follows = |kind: &ControllerKind| matches!(kind, ControllerKind::Follow(_));
    if scenario.plan.is_none() {
        scenario.controllers.retain(|one| {
            let name = &one.name;
            let is_lost = follows(&one.kind);
            if is_lost {
                left_out.push(format!("controller {name:?} follows it"));
            }
            !is_lost
        });
    }
    if let Some(plan) = &mut scenario.plan
        && !scenario.controllers.iter().any(|one| follows(&one.kind))
        && plan.shaper.take().is_some()
    {
        left_out.push("the plan has a shaper for them".to_owned());
    }
    (scenario, left_out)
}
