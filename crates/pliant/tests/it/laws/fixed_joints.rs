//! A joint without freedom is no joint: a link cut in two by one is the same link.

use super::{same_motion, unmoved};
use crate::description::{Description, LinkData, Mass};
use crate::models::{Model, prescribed, rigid};
use crate::random::Random;
use pliant::arm::Joint;
use pliant::spatial::{Mat3, Pose};

/// Cuts link `at` in two. The outer part hangs on the inner by a fixed joint at `cut`, and takes
/// the last mass and everything that hangs on the link.
fn split(description: &Description, at: usize, cut: &Pose<f64>) -> Description {
    let outward = cut.inverse();
    let mut links: Vec<LinkData> = Vec::new();
    for (i, link) in description.links.iter().enumerate() {
        let mut link = link.clone();
        if link.parent == Some(at) {
            link.placement = outward.then(&link.placement);
        }
        link.parent = link.parent.map(|p| if p >= at { p + 1 } else { p });
        if i != at {
            links.push(link);
            continue;
        }
        let mut outer = LinkData::new(format!("outer {}", link.name), Some(at), Joint::Fixed);
        // the cut is where the fixed joint's outboard frame ends up
        outer.outboard = Pose::at(0.1, 0.2, -0.3);
        outer.placement = cut.then(&outer.outboard.inverse());
        outer.masses.extend(link.masses.pop().map(|mass| seen_from(mass, &outward)));
        links.extend([link, outer]);
    }
    Description { links, ..*description }
}

/// A mass given in a frame, in another where that frame has this pose.
fn seen_from(mass: Mass, pose: &Pose<f64>) -> Mass {
    let (r, tensor) = (pose.rotation, Mat3::from_rows(mass.tensor));
    Mass {
        centre: pose.point(mass.centre.into()).to_array(),
        tensor: r.matmul(&tensor).matmul(&r.transpose()).to_rows(),
        ..mass
    }
}

#[test]
fn a_link_split_by_a_fixed_joint_is_the_same_link() {
    for (seed, model) in
        (1..).zip(rigid().into_iter().chain(prescribed().into_iter().filter(|m| !m.bends())))
    {
        let mut random = Random::new(seed);
        let mut description = model.description.clone();
        for at in (0..description.links.len()).rev() {
            description = split(&description, at, &random.pose(0.5));
        }
        let other = description.arm();
        let Model { arm, q, u, .. } = &model;
        assert_eq!(other.body_count(), 2 * arm.body_count());
        same_motion(&model, &other, q, &unmoved(arm), "split links");
        let (here, there) = (arm.energies(q, u), other.energies(q, u));
        let (here, there) = (here.expect("a good state"), there.expect("a good state"));
        assert_close!(
            model,
            [there.kinetic, there.potential, there.elastic],
            [here.kinetic, here.potential, here.elastic],
            rel = 1e-12,
            "energies of split links"
        );
    }
}

/// Two bodies on one link are one body: the sum of masses, first and second moments.
#[test]
fn masses_of_one_link_merge() {
    for model in rigid() {
        let mut description = model.description.clone();
        for (i, link) in description.links.iter_mut().enumerate() {
            let merged = model.arm.inertia_of(i);
            if link.masses.len() < 2 {
                continue;
            }
            link.masses = vec![Mass {
                kilograms: merged.mass,
                centre: merged.centre().to_array(),
                tensor: merged.tensor_about_centre().to_mat3().to_rows(),
            }];
        }
        same_motion(&model, &description.arm(), &model.q, &unmoved(&model.arm), "merged masses");
    }
}
