//! Arms and postures for inverse kinematics.

use pliant::arm::{Arm, Joint};
use std::f64::consts::PI;

/// Rigid, on a fixed base, one chain, up to seven joints.
pub(crate) fn is_chain(arm: &Arm) -> bool {
    let rigid = |link| arm.deforming_of(link).is_empty() && arm.joints()[link] != Joint::Free;
    (0..arm.body_count()).all(rigid)
        && (1..arm.body_count()).all(|link| arm.parent_of(link) == Some(link - 1))
        && arm.nv() <= 7
}

/// Postures from a fixed seed.
pub(crate) struct Postures(pub(crate) u64);

impl Postures {
    /// A number from 0 to 1.
    fn part(&mut self) -> f64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// The next: within limits, or within a turn and a metre.
    pub(crate) fn next(&mut self, arm: &Arm) -> Vec<f64> {
        let limits = arm.limits().iter();
        limits
            .map(|limits| {
                let [lower, upper] =
                    limits.map_or([-PI, PI], |limits| [limits.lower, limits.upper]);
                lower + (upper - lower) * self.part()
            })
            .collect()
    }
}
