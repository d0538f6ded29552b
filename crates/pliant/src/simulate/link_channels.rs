//! What links that bend tell: deflections of their frames, and their largest internal forces.

use crate::analyse::PeakLoads;
use crate::arm::{Arm, Frame, FrameRole};
use crate::beam::Matter;
use crate::dynamics::kinematics::Placed;

/// A frame that the deformation of its own link moves.
#[derive(Clone, Copy, Debug)]
pub(super) struct DeflectedFrame {
    /// It, by index.
    pub(super) frame: usize,
    /// The frame of its link, by index.
    root: usize,
}

impl DeflectedFrame {
    /// Those of an arm.
    pub(super) fn of(arm: &Arm) -> Vec<Self> {
        let links = arm.flexible_links();
        let bends = |link: &str| links.iter().any(|&own| arm.link_names()[own] == link);
        let moved = |(frame, own): (usize, &Frame<f64>)| {
            let root = arm.frame(own.link()).ok()?;
            let is_root =
                own.role() == FrameRole::Link || own.station == arm.frames()[root].station;
            (bends(own.link()) && !is_root).then_some(Self { frame, root })
        };
        arm.frames().iter().enumerate().filter_map(moved).collect()
    }

    /// How deformation moves it, from where it is and where it is while nothing bends, in the axes
    /// that it has then: the displacement (m), the slopes of its x axis in the planes x-y and x-z, and
    /// its twist about x (rad).
    pub(super) fn deflection(&self, bent: &Placed<'_, f64>, unbent: &Placed<'_, f64>) -> [f64; 6] {
        let own = |placed: &Placed<'_, f64>| {
            placed.pose(self.root).inverse().then(&placed.pose(self.frame))
        };
        let moved = own(unbent).inverse().then(&own(bent));
        let [x, y, z] = moved.position.to_array();
        let [[xx, _, _], [yx, yy, _], [zx, zy, _]] = moved.rotation.to_rows();
        [x, y, z, yx.atan2(xx), zx.atan2(xx), zy.atan2(yy)]
    }
}

/// Sets the coordinates that deform links to those of links that are not deformed.
pub(crate) fn unbend(arm: &Arm, neutral: &[f64], q: &mut [f64]) {
    for link in 0..arm.body_count() {
        let deforming = arm.deforming_of(link);
        q[deforming.clone()].copy_from_slice(&neutral[deforming]);
    }
}

/// The links whose internal forces are known, by index, and how many of the [largest](peaks): the
/// stress only where sections have an outline, the margin where the strength is known.
pub(super) fn loaded_links(arm: &Arm) -> Vec<(usize, usize)> {
    let told = |link: usize| {
        let is_own = |&body: &usize| arm.described_link(body) == arm.described_link(link);
        let neutral = arm.neutral();
        let beam =
            (link..arm.body_count()).filter(is_own).find_map(|body| arm.beam_at(body, &neutral))?;
        let matters = || beam.profile.stations().iter().map(|(_, matter)| matter);
        let strong = |matter: &Matter| match matter {
            Matter::Made { material, .. } => material.strength.is_some(),
            Matter::Given(_) => false,
        };
        let is_made = |matter: &Matter| matches!(matter, Matter::Made { .. });
        Some((link, 3 + usize::from(matters().any(is_made)) + usize::from(matters().any(strong))))
    };
    arm.flexible_links().into_iter().filter_map(told).collect()
}

/// The largest internal forces of a link in the order of its channels; NaN where there is none.
pub(super) fn peaks(all: &[PeakLoads], link: usize) -> [f64; 5] {
    let Some(own) = all.iter().find(|own| own.link == link) else { return [f64::NAN; 5] };
    let stress = own.stress.map_or(f64::NAN, |peak| peak.value);
    let margin = own.margin.unwrap_or(f64::NAN);
    [own.moment.value, own.shear.value, own.torque.value, stress, margin]
}
