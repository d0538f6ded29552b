//! The order in which links are described only orders the coordinates.

use super::same_motion;
use crate::description::Description;
use crate::models::{Model, models, prescribed};
use crate::random::Random;

/// The same links, described in another order: `order[new] = old`.
fn rearranged(description: &Description, order: &[usize]) -> Description {
    let new_of = |old: usize| order.iter().position(|&o| o == old);
    let links = order.iter().map(|&old| {
        let mut link = description.links[old].clone();
        link.parent = link.parent.and_then(new_of);
        link
    });
    Description { links: links.collect(), ..*description }
}

fn check(model: &Model, order: &[usize], law: &str) {
    let arm = &model.arm;
    let other = rearranged(&model.description, order).arm();
    let (mut q, mut map) = (vec![0.0; arm.nq()], vec![(0, 1.0); arm.nv()]);
    for (link, name) in arm.link_names().iter().enumerate() {
        let there = other.link_names().iter().position(|n| n == name);
        let there = there.expect("no link is lost");
        q[other.configuration_of(there)].copy_from_slice(&model.q[arm.configuration_of(link)]);
        let ((bent, moving), (bent_there, moving_there)) =
            (arm.bending_of(link), other.bending_of(there));
        q[bent_there].copy_from_slice(&model.q[bent]);
        let mut joint: Vec<_> = arm.velocities_of(link).zip(other.velocities_of(there)).collect();
        if let (Some((at, v)), Some((at_there, w))) = (arm.length_of(link), other.length_of(there))
        {
            q[at_there] = model.q[at];
            joint.push((v, w));
        }
        for (v, w) in joint.into_iter().chain(moving.zip(moving_there)) {
            map[v] = (w, 1.0);
            assert_eq!(arm.velocity_names()[v], other.velocity_names()[w], "{model}: {law}");
        }
        let parent =
            |arm: &pliant::arm::Arm, i| arm.parent_of(i).map(|p| arm.link_names()[p].clone());
        assert_eq!(parent(arm, link), parent(&other, there), "{model}: {law}: {name}");
    }
    same_motion(model, &other, &q, &map, law);
}

#[test]
fn branches_in_another_order() {
    for (seed, model) in (1..).zip(models().into_iter().chain(prescribed())) {
        let mut random = Random::new(seed);
        // any link whose parent has come already
        let links = &model.description.links;
        let mut order: Vec<usize> = Vec::new();
        while order.len() < links.len() {
            let ready: Vec<usize> = (0..links.len())
                .filter(|i| !order.contains(i))
                .filter(|&i| links[i].parent.is_none_or(|p| order.contains(&p)))
                .collect();
            order.push(ready[random.below(ready.len())]);
        }
        check(&model, &order, "another order of branches");
    }
}

#[test]
fn children_described_before_parents() {
    for model in models().into_iter().chain(prescribed()) {
        let order: Vec<usize> = (0..model.description.links.len()).rev().collect();
        check(&model, &order, "children first");
    }
}
