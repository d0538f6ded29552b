//! What is physically doubtful about an arm but allowed.

use super::checks::Warning;
use super::link::Link;
use super::pieces::Carried;
use super::tree::Body;
use crate::beam::{Basis, Ways};
use crate::spatial::RigidInertia;

/// A beam that slides and has few shapes with a free tip, though its tip is loaded: Theodore's
/// remark 5, at the largest length. What hangs on further joints has no shapes of its own.
pub(super) fn free_tip(link: &Link, carried: &Carried) -> Option<Warning> {
    let beam = link.beam.as_ref()?;
    let [_, largest] = beam.slide?.stroke;
    let Basis::ClampedFree(Ways { bend_y, bend_z, .. }) = beam.basis else { return None };
    let few = |count: usize| (1..ENOUGH_SHAPES).contains(&count);
    if carried.moves || !(few(bend_y) || few(bend_z)) {
        return None;
    }
    let [mass, inertia, frequency] = beam.load_ratios(&carried.load(beam), largest);
    let link = link.name.clone();
    (mass > LIGHT || inertia > LIGHT).then_some(Warning::FreeTip {
        link,
        mass,
        inertia,
        slower: 1.0 - frequency,
    })
}

/// With so many shapes the condition at the tip hardly matters.
const ENOUGH_SHAPES: usize = 4;

/// What is small beside 1 in Theodore's remark 5.
const LIGHT: f64 = 0.1;

/// Joints that move no mass, their own or further out.
pub(super) fn idle_warnings(
    bodies: &[Body<f64>],
    stations: &[usize],
    armature: &[f64],
    names: &[String],
) -> Vec<Warning> {
    let mut carried: Vec<RigidInertia<f64>> = bodies.iter().map(|b| b.inertia).collect();
    for i in (0..bodies.len()).rev() {
        if let Some(parent) = stations[bodies[i].parent].checked_sub(1) {
            carried[parent] = carried[parent].plus(&carried[i]);
        }
    }
    bodies
        .iter()
        .enumerate()
        .filter(|(i, body)| {
            let matter = &carried[*i];
            body.nv > 0
                && body.bend.is_none()
                && !body.prescribed
                && matter.mass == 0.0
                && matter.second.trace() == 0.0
                && armature[body.v_range()].contains(&0.0)
        })
        .map(|(i, _)| Warning::MovesNothing { link: names[i].clone() })
        .collect()
}
