//! The model of the arm that a law has.

use super::WithModel;
use crate::codes;
use crate::node::{Node, quoted};
use crate::problem::Problem;
use crate::reader::Reader;
use crate::scenario::arm::{self, NoArm};
use crate::scenario::refusal::CONTROLLER;
use crate::scenario::text::Surroundings;
use crate::write::write_arm;
use pliant::arm::{Arm, Builder};
use pliant::control::{Model, StateSource};
use pliant::dynamics::loads::Load;
use pliant::scenario::Plan;
use pliant::scenario::Simulation;
use std::ops::Range;

/// The model with the joints of the plan.
pub(super) fn model(
    reader: &mut Reader,
    around: &mut Surroundings<'_>,
    (keys, kind): (&WithModel, &Range<usize>),
    setup: &Simulation,
    plan: &Plan,
) -> Option<Model> {
    let own = match keys.model.get() {
        Some(node) => other_arm(reader, around, node, setup)?,
        None => rigid(Arm::clone(&setup.arm), &setup.description)?,
    };
    let mut joints = Vec::new();
    for &v in &plan.velocities {
        let name = &setup.arm.velocity_names()[v];
        let Some(joint) = own.velocity_names().iter().position(|known| known == name) else {
            let message = format!("its model has no joint {}", quoted(name));
            let span = keys.model.span_or(kind);
            CONTROLLER.refuse(reader, span, message, "name the joints alike");
            return None;
        };
        joints.push(joint);
    }
    let mut loads = Vec::new();
    if keys.knows_loads.value? {
        for push in &setup.loads {
            let name = setup.arm.frames()[push.frame].name();
            let Ok(frame) = own.frame(name) else {
                let message = format!("a load acts on {}, which its model has not", quoted(name));
                let span = keys.knows_loads.span_or(kind);
                CONTROLLER.refuse(reader, span, message, "give the model such a frame");
                return None;
            };
            let load = Load { frame, wrench: push.wrench, axes: push.axes };
            loads.push((load, push.signal.clone()));
        }
    }
    match Model::new(own.clone(), &joints) {
        Ok(model) => Some(model.knowing(loads)),
        Err(error) => {
            CONTROLLER.refuse_error(reader, kind.clone(), &error);
            None
        }
    }
}

/// Puts the joints that nothing measures where they start, and says which of them will move on.
pub(super) fn begin(
    reader: &mut Reader,
    kind: &Range<usize>,
    setup: &Simulation,
    model: &mut Model,
    full_state: bool,
) {
    let arm = model.arm();
    let free = arm.free_velocities();
    let prescribed = (0..arm.nv()).find(|v| !free.contains(v)).filter(|_| !full_state);
    if let Some(v) = prescribed {
        let name = quoted(&arm.velocity_names()[v]);
        let message = format!(
            "{name} follows a prescribed motion, which it does not know: to it the joint stays where it starts"
        );
        reader.push(
            Problem::warning(&codes::CONTROLLER, message)
                .at(kind.clone())
                .label("takes it to be at rest")
                .help("let a motor drive the joint, or take full_state = true"),
        );
    }
    let mut q = arm.neutral();
    if let StateSource::FullState { coordinates, .. } = StateSource::full_state(&setup.arm, arm) {
        for (plant, own) in coordinates {
            q[own] = setup.q[plant];
        }
    }
    let rest = vec![0.0; arm.nv()];
    model.set_estimate(&q, &rest);
}

/// Another arm, under the gravity of the scenario; its file is put into the text that is run.
fn other_arm(
    reader: &mut Reader,
    around: &mut Surroundings<'_>,
    node: &Node,
    setup: &Simulation,
) -> Option<Arm> {
    let whose = reader.whose.clone();
    let given = arm::arm(reader, node, around.folder);
    reader.whose = whose;
    let given = match given {
        Ok(given) => given,
        Err(NoArm::Told) => return None,
        Err(NoArm::File(report)) => {
            let first = report.problems().next().map(|problem| problem.message.clone());
            reader.push(
                Problem::error(
                    &codes::CONTROLLER,
                    format!("its model cannot be read: {}", first.unwrap_or_default()),
                )
                .at(node.span.clone())
                .help("run `pliant check` on that file"),
            );
            return None;
        }
    };
    if !given.variants.is_empty() {
        reader.push(
            Problem::error(
                &codes::CONTROLLER,
                "its model asks for equations of a document, which laws do not know",
            )
            .at(node.span.clone())
            .label("with rotation = \"first-order\" or velocity = \"theodore-24\"")
            .help("remove them from the file of the model"),
        );
        return None;
    }
    if given.is_elsewhere {
        let text = write_arm(&given.description);
        if let Ok(table) = text.parse::<toml::Table>() {
            around.replace(node.span.clone(), toml::Value::Table(table).to_string());
        }
    }
    Some(rigid(given.arm, &given.description)?.with_gravity(setup.arm.gravity()))
}

/// An arm as laws with a model see it: elastic joints are rigid to them.
fn rigid(arm: Arm, description: &Builder) -> Option<Arm> {
    if !(0..arm.body_count()).any(|body| arm.is_rotor(body)) {
        return Some(arm);
    }
    description.clone().rigid_joints().build().ok()
}
