//! Shapers of plans: commands that leave no vibration behind.

use super::Setup;
use super::gains::gains;
use super::plan::Plan;
use super::plan_keys::{SHAPER, SHAPERS};
use super::refusal::PLAN;
use super::times::positive_time;
use crate::coordinates::{DAMPING, SPRING};
use crate::node::Node;
use crate::reader::Reader;
use crate::units;
use pliant::plan::{Path, Servo, Shaper, ShaperError, ShaperKind, vibrations};
use pliant::simulate::Signal;
use std::sync::Arc;

/// Convolves the joints of a plan with the shaper that a table describes.
pub(super) fn shape(
    reader: &mut Reader,
    node: &Node,
    setup: &Setup,
    plan: &mut Plan,
    path: &Path,
) -> Option<()> {
    let fields = reader.fields("the shaper", node, &SHAPER)?;
    let kind = match reader.word("kind", fields.get("kind")?, SHAPERS.iter().copied())? {
        "zv" => ShaperKind::Zv,
        "zvd" => ShaperKind::Zvd,
        _ => ShaperKind::Ei {
            left: match fields.get("left") {
                Some(node) => reader.number("left", node, &units::NUMBER)?,
                None => 0.05,
            },
        },
    };
    let count = match fields.get("modes") {
        Some(node) => reader.count("modes", node, (1, 20))?,
        None => 1,
    };
    let sampling = match fields.get("period") {
        Some(node) => Some(positive_time(reader, "period", node)?.recip()),
        None => None,
    };
    let stiffness = gains(reader, &fields, "stiffness", SPRING, setup, plan)?;
    let damping = gains(reader, &fields, "damping", DAMPING, setup, plan)?;
    let (start, end) = (path.at(path.start()), path.at(path.end()));
    let mut q = setup.q.clone();
    let mut servos = Vec::new();
    for (k, &velocity) in plan.velocities.iter().enumerate() {
        q[setup.arm.coordinate_of(velocity)?] = end[k].value;
        let reach = end[k].value - start[k].value;
        let (stiffness, damping) = (stiffness[k], damping[k]);
        servos.push(Servo { velocity, stiffness, damping, reach });
    }
    let shaper = setup
        .tip()
        .map_or_else(|| Ok(Vec::new()), |frame| vibrations(&setup.arm, &q, &servos, frame))
        .map_err(ShaperError::from)
        .and_then(|modes| match modes.get(..count) {
            Some(modes) => Shaper::new(kind, modes, sampling),
            None => Err(ShaperError::TooFew { found: modes.len(), asked: count }),
        });
    let shaper = match shaper {
        Ok(shaper) => shaper,
        Err(error) => {
            let key = match error {
                ShaperError::TooFast { .. } => "period",
                ShaperError::Left { .. } => "left",
                _ => "modes",
            };
            PLAN.refuse(reader, &fields, key, &error.to_string());
            return None;
        }
    };
    let shaped = Arc::new(path.shaped(&shaper));
    plan.end = shaped.end();
    for (component, signal) in plan.signals.iter_mut().enumerate() {
        *signal = Signal::Planned { path: Arc::clone(&shaped), component };
    }
    Some(())
}
