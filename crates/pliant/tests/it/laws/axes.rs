//! An axis is a direction, whatever its length and whatever frame it is given in.

use super::{same_motion, unmoved};
use crate::models::{Model, models, prescribed};
use crate::random::Random;
use pliant::arm::Joint;
use pliant::spatial::{Pose, Quaternion, Vec3};

/// The same kind of joint with each axis changed.
fn with_axes(joint: Joint, change: impl Fn([f64; 3]) -> [f64; 3]) -> Joint {
    match joint {
        Joint::Revolute { axis } => Joint::Revolute { axis: change(axis) },
        Joint::Prismatic { axis } => Joint::Prismatic { axis: change(axis) },
        Joint::Cylindrical { axis } => Joint::Cylindrical { axis: change(axis) },
        Joint::Universal { first, second } => {
            Joint::Universal { first: change(first), second: change(second) }
        }
        Joint::Fixed | Joint::Planar | Joint::Spherical | Joint::Free => joint,
    }
}

#[test]
fn the_length_of_an_axis_does_not_matter() {
    for model in models().into_iter().chain(prescribed()) {
        let mut description = model.description.clone();
        for (i, link) in description.links.iter_mut().enumerate() {
            let factor = [1e-3, 0.4, 7.0, 1e4][i % 4];
            link.joint = with_axes(link.joint, |axis| axis.map(|c| c * factor));
        }
        let arm = &model.arm;
        same_motion(&model, &description.arm(), &model.q, &unmoved(arm), "length of axes");
    }
}

/// The joint's frames turned by Q, the axes by Qᵀ.
#[test]
fn an_axis_given_in_a_turned_frame() {
    for (seed, model) in (1..).zip(models().into_iter().chain(prescribed())) {
        let mut random = Random::new(seed);
        let mut description = model.description.clone();
        for link in &mut description.links {
            let rotation = Quaternion::from_slice(&random.quaternion()).to_matrix();
            let turned = Pose::new(rotation, Vec3::ZERO);
            let joint =
                with_axes(link.joint, |axis| rotation.transpose_mul(axis.into()).to_array());
            let has_axes = joint != link.joint || link.joint == Joint::Fixed;
            if has_axes {
                link.joint = joint;
                link.placement = link.placement.then(&turned);
                link.outboard = turned.inverse().then(&link.outboard);
            }
        }
        let arm = &model.arm;
        same_motion(&model, &description.arm(), &model.q, &unmoved(arm), "turned joint frames");
    }
}

/// Turned round, an axis counts the other way.
#[test]
fn a_reversed_axis_reverses_its_coordinates() {
    // the motors of elastic joints have no axes of their own to reverse
    let all = models().into_iter().filter(|model| !model.is_driven());
    for model in all.chain(prescribed()) {
        let Model { arm, q, .. } = &model;
        let mut description = model.description.clone();
        let (mut q, mut map) = (q.clone(), unmoved(arm));
        for link in &mut description.links {
            // a link may be several bodies
            let body = arm.link_names().iter().position(|name| *name == link.name);
            let i = body.expect("every link has a body");
            let joint = with_axes(link.joint, |axis| axis.map(|c| -c));
            if joint != link.joint {
                link.joint = joint;
                for rest in &mut link.rest {
                    *rest = -*rest;
                }
                for at in arm.configuration_of(i) {
                    q[at] = -q[at];
                }
                for v in arm.velocities_of(i) {
                    map[v].1 = -1.0;
                }
            }
        }
        same_motion(&model, &description.arm(), &q, &map, "reversed axes");
    }
}
