//! Steps 2 to 6: the right-hand side.

use super::Workspace;
use crate::scalar::Scalar;
use crate::spatial::Vec3;

impl<S: Scalar> Workspace<S> {
    /// Step 2, with the start values that its text lost: the ground accelerates by `base`.
    pub(super) fn move_outward(&mut self, u: &[S], base: Vec3<S>) {
        for i in 0..self.links.len() {
            let hop = &self.hops[i];
            let rate = self.joints[i].map(|v| u[v]);
            let Some(before) = i.checked_sub(1) else {
                self.omega[0] = rate.map_or(Vec3::ZERO, |rate| Vec3::new(S::ZERO, S::ZERO, rate));
                self.alpha[0] = Vec3::ZERO;
                self.accel[0] = hop.transpose_mul(base);
                continue;
            };
            let link = &self.links[before];
            let [w, alpha, accel] = [self.omega[before], self.alpha[before], self.accel[before]];
            // Korayem (63)
            let inboard = w + link.spin;
            let mut omega = hop.transpose_mul(inboard);
            // Korayem (70), corrected: with ω × θ̇, and J̇ θ̇ of the exact rotation
            let mut turning = w.cross(link.spin) + link.spin_bias + alpha;
            if let Some(rate) = rate {
                omega.z += rate;
                turning += inboard.cross(hop.columns[2] * rate);
            }
            // Korayem (69), corrected: with ω̇_v × r
            let moving = w.cross(link.reach_rate)
                + alpha.cross(link.reach)
                + w.cross(w.cross(link.reach))
                + link.reach_bias
                + accel;
            self.omega[i] = omega;
            self.alpha[i] = hop.transpose_mul(turning);
            self.accel[i] = hop.transpose_mul(moving);
        }
    }

    /// Step 3: Korayem (96) and (97).
    pub(super) fn link_forces(&mut self) {
        for (i, link) in self.links.iter().enumerate() {
            let [w, alpha, accel] = [self.omega[i], self.alpha[i], self.accel[i]];
            if i > 0 {
                self.own_force[i] = accel * link.matter.mass
                    - link.first_rate.cross(w)
                    - link.matter.first.cross(alpha)
                    - w.cross(link.matter.first.cross(w));
            }
            self.own_moment[i] = link.matter.first.cross(accel)
                + link.inertia_rate * w
                + link.inertia * alpha
                + w.cross(link.inertia * w);
        }
    }

    /// Step 4: Korayem (99) and (100).
    pub(super) fn accumulate_inward(&mut self) {
        let last = self.links.len() - 1;
        self.force[last] = Vec3::ZERO;
        self.moment[last] = self.own_moment[last];
        for j in (0..last).rev() {
            let hop = &self.hops[j + 1];
            self.force[j] = *hop * (self.own_force[j + 1] + self.force[j + 1]);
            self.moment[j] = self.own_moment[j]
                + self.links[j].reach.cross(self.force[j])
                + *hop * self.moment[j + 1];
        }
    }

    /// Step 5: Korayem (102), with ε instead of the second c.
    pub(super) fn bend(&mut self) {
        for (j, link) in self.links.iter().enumerate() {
            let w = self.omega[j];
            for (modal, mode) in self.modal[self.modal_at[j]..].iter_mut().zip(&link.modes) {
                *modal = w.dot(mode.across) + w.dot(mode.beta * w)
                    - self.accel[j].dot(mode.first)
                    - self.alpha[j].dot(mode.arm);
            }
        }
    }

    /// Step 6: Korayem (98) and (103).
    pub(super) fn assemble_right_side(&self, right: &mut [S]) {
        let last = self.links.len() - 1;
        for (j, link) in self.links.iter().enumerate() {
            if let Some(v) = self.joints[j] {
                right[v] = self.net[v] - self.moment[j].z;
            }
            for (f, mode) in link.modes.iter().enumerate() {
                let v = self.modal_at[j] + f;
                right[v] = self.net[v] + self.modal[v];
                if j < last {
                    let carried = self.hops[j + 1] * self.moment[j + 1];
                    right[v] = right[v] - mode.shift.dot(self.force[j]) - mode.turn.dot(carried);
                }
            }
        }
    }
}
