//! How far an arm can reach.

use pliant::arm::{Arm, Joint};
use pliant::dynamics::kinematics::Workspace;
use pliant::spatial::Vec3;

/// How far the farthest frame can be from the origin of the ground, or from the free body it
/// hangs on, in m: the distances between frames, added up. `None` where a slide has no limits.
pub(super) fn reach(arm: &Arm) -> Option<f64> {
    let own_frames = own_frames(arm);
    let mut work = Workspace::new(arm);
    let mut farthest = vec![0.0_f64; arm.body_count()];
    for link in (0..arm.body_count()).filter(|&link| !arm.is_rotor(link)) {
        let parent = arm.parent_of(link);
        if let Joint::Free = arm.joints()[link] {
            continue;
        }
        let mut length = 0.0_f64;
        for q in ends(arm, link)? {
            let placed = work.place(arm, &q);
            let at = |link: usize| placed.pose(own_frames[link]).position;
            length = length.max((at(link) - parent.map_or(Vec3::ZERO, at)).norm());
        }
        farthest[link] = length + parent.map_or(0.0, |parent| farthest[parent]);
    }
    let placed = work.place(arm, &arm.neutral());
    let mut most = 0.0_f64;
    for frame in 0..arm.frames().len() {
        let link = own_frames.partition_point(|own| *own <= frame) - 1;
        let from = placed.pose(own_frames[link]).position;
        most = most.max(farthest[link] + (placed.pose(frame).position - from).norm());
    }
    Some(most)
}

/// The frame of each link's own name. Frames stand link by link, the own one first.
fn own_frames(arm: &Arm) -> Vec<usize> {
    let mut frames = arm.frames().iter().enumerate();
    arm.link_names()
        .iter()
        .filter_map(|link| frames.find(|(_, frame)| frame.name() == link).map(|(i, _)| i))
        .collect()
}

/// The configurations at the ends of a link's slides, where it is farthest from its parent.
fn ends(arm: &Arm, link: usize) -> Option<Vec<Vec<f64>>> {
    let mut ends = vec![arm.neutral()];
    let joint = arm.joints()[link].turns().iter().zip(arm.configuration_of(link));
    let slides = joint.filter(|(turns, _)| !**turns).map(|(_, q)| q);
    for q in slides.chain(arm.length_of(link).map(|(q, _)| q)) {
        let limits = arm.limits()[q].filter(|l| l.lower.is_finite() && l.upper.is_finite())?;
        let at = |value: f64| {
            ends.iter().map(move |end| {
                let mut end = end.clone();
                end[q] = value;
                end
            })
        };
        ends = at(limits.lower).chain(at(limits.upper)).collect();
    }
    Some(ends)
}
