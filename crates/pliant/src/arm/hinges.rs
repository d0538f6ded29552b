//! A beam as rigid pieces with springs between them.
//!
//! A hinge stands for the bending of a length `w` of the beam: its stiffness is `1 / ∫ ds/EI` over
//! that length. The moment at a hinge is that of everything beyond it, exactly; the curvature is
//! summed by the midpoint rule. Where the root carries no moment the sum may begin with half a
//! length left out, which is the trapezoidal rule with a zero at its end. In either rule the bow
//! of a length between two hinges cancels the leading error of the displacements, so that
//! frequencies converge faster than the rule does.

use super::frame::tip_name;
use super::joint::Joint;
use super::link::{Attachment, Link};
use crate::beam::{Basis, Beam, Section, Ways};
use crate::spatial::{Pose, RigidInertia, Vec3};

/// The links that a link with such a beam becomes, the first of them the link itself, and where
/// each begins (m) from the root of the whole beam.
pub(super) fn rigid_pieces(mut link: Link, beam: &Beam) -> (Vec<f64>, Vec<Link>) {
    let Basis::Pieces { pieces, ways, pinned } = beam.basis else {
        return (Vec::new(), vec![link]);
    };
    let hinges = pieces - 1;
    // the lengths that hinges stand for
    let count = if pinned { pieces } else { hinges };
    let width = beam.length / count as f64;
    let middle = |k: usize| width * (k as f64 + if pinned { 1.0 } else { 0.5 });
    let mut cuts = vec![0.0];
    cuts.extend((0..hinges).map(|k| beam.rigid_root + middle(k)));
    let name = link.name.clone();
    let masses = link.take_tip_masses(beam);
    let has_tip = beam.rigid_tip > 0.0 || !masses.is_empty();
    link.inertia = link.inertia.plus(&between(beam, 0.0, cuts[1]).seen_from(&beam.root));
    let mut links = vec![link];
    for k in 0..hinges {
        let end = cuts.get(k + 2).copied().unwrap_or(beam.whole_length());
        let mut inertia = between(beam, cuts[k + 1], end);
        let (mut frames, mut tip_frame) = (Vec::new(), None);
        if k + 1 == hinges {
            let tip = Pose::at(end - cuts[k + 1], 0.0, 0.0);
            for mass in &masses {
                inertia = inertia.plus(&mass.inertia().seen_from(&tip));
            }
            // as the body has that is there on a beam that bends
            tip_frame = has_tip.then(|| tip_name(&name));
            frames.extend(tip_frame.clone().map(|name| (name, Attachment::Root, tip)));
        }
        let stiffness = stiffness(beam, middle(k) - 0.5 * width, middle(k) + 0.5 * width);
        let (joint, stiffness) = hinge(ways, stiffness);
        let step = Pose::at(cuts[k + 1] - cuts[k], 0.0, 0.0);
        let damping = stiffness.iter().map(|k| beam.damping.stiffness * k).collect();
        links.push(Link {
            placement: if k == 0 { beam.root.then(&step) } else { step },
            joint,
            inertia,
            stiffness,
            damping,
            frames,
            tip_frame,
            hinge: true,
            ..Link::new(format!("{name}.h{}", k + 1))
        });
    }
    (cuts, links)
}

/// The matter from one distance to another (m), counted from the root of the whole beam, in the
/// frame at the first of them.
fn between(beam: &Beam, from: f64, to: f64) -> RigidInertia<f64> {
    let (root, tip) = (beam.rigid_root, beam.rigid_root + beam.length);
    let overlap = |a: f64, b: f64| Some((from.max(a), to.min(b))).filter(|(a, b)| b > a);
    let mut whole = RigidInertia::ZERO;
    if let Some((a, b)) = overlap(0.0, root) {
        whole = whole.plus(&beam.bar(0.0, a - from, b - from));
    }
    if let Some((a, b)) = overlap(root, tip) {
        let part = Beam::new(b - a, beam.profile.cut(a - root, b - root), beam.basis.clone());
        whole = whole.plus(&part.at_rest().seen_from(&Pose::at(a - from, 0.0, 0.0)));
    }
    if let Some((a, b)) = overlap(tip, beam.whole_length()) {
        whole = whole.plus(&beam.bar(beam.length, a - from, b - from));
    }
    whole
}

/// What a length of the part that bends resists to its ends turning about x, y and z (N m/rad).
fn stiffness(beam: &Beam, from: f64, to: f64) -> [f64; 3] {
    let part = Beam::new(to - from, beam.profile.cut(from, to), beam.basis.clone());
    let mut give = [0.0; 3];
    part.each_section(|_, weight, &Section { gj, ei_y, ei_z, .. }| {
        for (give, stiffness) in give.iter_mut().zip([gj, ei_y, ei_z]) {
            *give += weight / stiffness;
        }
    });
    give.map(f64::recip)
}

/// The joint that turns these ways, deflecting outward along +y and +z, and its springs.
fn hinge(ways: Ways<bool>, [about_x, about_y, about_z]: [f64; 3]) -> (Joint, Vec<f64>) {
    let [x, y, z] = Vec3::AXES.map(Vec3::to_array);
    let y = y.map(|component: f64| -component);
    let on = [(ways.torsion, x, about_x), (ways.bend_z, y, about_y), (ways.bend_y, z, about_z)];
    let on: Vec<_> = on.into_iter().filter(|(on, ..)| *on).collect();
    let joint = match on[..] {
        [(_, axis, _)] => Joint::Revolute { axis },
        [(_, first, _), (_, second, _)] => Joint::Universal { first, second },
        _ => Joint::Spherical,
    };
    (joint, on.iter().map(|(_, _, stiffness)| *stiffness).collect())
}
