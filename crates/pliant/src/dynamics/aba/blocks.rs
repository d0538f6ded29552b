//! The sweeps for bodies with any number of degrees of freedom, of joint and bending together.

use super::{Station, Workspace};
use crate::arm::{Arm, Bend, Body};
use crate::dynamics::bending::{Bent, Deformation};
use crate::dynamics::hop::{Rates, combine};
use crate::linear::ldl;
use crate::scalar::Scalar;
use crate::spatial::{ArticulatedInertia, Force, Motion};

impl<S: Scalar> Workspace<S> {
    /// (1) for a body that bends, and for its sections.
    #[inline(never)]
    pub(super) fn bend_outward(
        &mut self,
        arm: &Arm<S>,
        i: usize,
        bend: &Bend<S>,
        [d, rate, acceleration]: [&[S]; 3],
    ) {
        let body = &arm.bodies[i];
        let range = body.bend_v();
        let mut still = std::mem::take(&mut self.deformation.still);
        if body.held {
            // the known acceleration of the length belongs to all biases
            still[0] = acceleration[0];
            self.known[range.start] = acceleration[0];
        }
        let rest = &still[..body.nb];
        let omega = self.stations[i + 1].omega;
        let rates = Rates { omega, ..Rates::ZERO };
        let tensor = rates.tensor();
        let modal_bias = &mut self.rests[range.clone()];
        modal_bias.fill(S::ZERO);
        let bias =
            self.deformation.force_of_motion(bend, &rates, &tensor, [d, rate, rest], modal_bias);
        self.stations[i + 1].bias = bias;
        for section in &bend.sections {
            let bent = Bent::new(section, &self.deformation.z);
            let moved = self.deformation.section_rates(section, &bent, &rates, &tensor);
            self.stations[section.station] = Station {
                pose: bent.pose,
                omega: moved.omega,
                zeta: Motion::new(moved.accel, moved.alpha),
                ..Station::ZERO
            };
            let at = arm.words.section_columns[section.station - arm.body_count() - 1];
            let columns = &mut self.columns[at..at + body.nb];
            bent.columns(bend, section, d, &mut self.deformation.vectors[..body.nb], columns);
        }
        if body.held {
            still[0] = S::ZERO;
        }
        self.deformation.still = still;
        self.stations[i + 1].inertia = ArticulatedInertia::rigid(&self.deformation.inertia);
        self.deformation.modal_forces(bend, d, &mut self.modal[range.clone()]);
        // own block of D
        let (n, at) = (body.nv + body.nb, self.factor_at[i]);
        let factor = &mut self.factors[at..at + n * n];
        let Deformation { h, acceleration, .. } = &mut self.deformation;
        for l in 0..body.nb {
            let (h, column) = (&mut h[..bend.flexible.nz()], &mut acceleration[..body.nb]);
            bend.flexible.modal_mass_column(d, l, h, column);
            for k in l..body.nb {
                factor[(body.nv + k) * n + body.nv + l] = column[k];
            }
        }
        if bend.sliding.is_some() {
            factor[body.nv * n + body.nv] += arm.armature[range.start];
        }
    }

    /// (2) for a body of any kind.
    #[inline(never)]
    pub(super) fn inward(&mut self, arm: &Arm<S>, i: usize) {
        let body = &arm.bodies[i];
        let (inertia, bias) = if body.bend.is_some() {
            self.eliminate_bending(arm, i)
        } else if body.prescribed {
            self.stations[i + 1].with_known_motion()
        } else {
            self.eliminate_block(arm, i, 0)
        };
        if body.parent > 0 {
            let pose = self.stations[i + 1].pose;
            self.stations[body.parent].carry(&pose, &inertia, &bias);
        }
    }

    /// (3) for a body of any kind, from the acceleration `a` that it has at `u̇ = 0`.
    #[inline(never)]
    pub(super) fn forward(
        &mut self,
        arm: &Arm<S>,
        i: usize,
        a: Motion<S>,
        tau: &mut [S],
        ud: &mut [S],
    ) {
        let body = &arm.bodies[i];
        let a = self.solve_block(body, i, a, ud);
        self.stations[i + 1].acceleration = a;
        if let Some(bend) = body.bend {
            self.bend_forward(arm, i, &arm.bends[bend], &ud[body.bend_v()]);
        }
        // the biases know prescribed lengths already
        let open = body.bend_v().skip(usize::from(body.held));
        if body.held {
            let l = body.v + body.nv;
            let mut needed = a.dot(&self.modal[l]) + arm.armature[l] * ud[l] - self.known[l];
            for v in open.clone() {
                needed += self.known[v] * ud[v];
            }
            tau[l] = needed;
        }
        if body.prescribed {
            let state = &self.stations[i + 1];
            let mut force = state.inertia.times(&a) + state.bias;
            for v in open {
                force += self.modal[v] * ud[v];
            }
            for v in body.v_range() {
                // the motor's share: all but what springs and dampers give already
                let needed = self.columns[v].dot(&force) + arm.armature[v] * ud[v];
                tau[v] = needed - self.net[v];
            }
        }
    }

    /// (2) for a body that bends: first what its sections carry, then all coordinates together.
    fn eliminate_bending(&mut self, arm: &Arm<S>, i: usize) -> (ArticulatedInertia<S>, Force<S>) {
        let body = &arm.bodies[i];
        let (n, at) = (body.nv + body.nb, self.factor_at[i]);
        let factor = &mut self.factors[at..at + n * n];
        let first = body.v + body.nv;
        for section in body.bend.iter().flat_map(|&bend| &arm.bends[bend].sections) {
            let state = self.stations[section.station];
            let (inertia, bias) = state.with_known_motion();
            self.stations[i + 1].carry(&state.pose, &inertia, &bias);
            let start = arm.words.section_columns[section.station - arm.body_count() - 1];
            let columns = &self.columns[start..start + body.nb];
            for k in 0..body.nb {
                let force = inertia.times(&columns[k]);
                self.modal[first + k] += state.pose.force_to_outer(&force);
                self.rests[first + k] += columns[k].dot(&bias);
                for l in 0..=k {
                    factor[(body.nv + k) * n + body.nv + l] += columns[l].dot(&force);
                }
            }
        }
        let skip = if body.prescribed { body.nv } else { 0 };
        self.eliminate_block(arm, i, skip)
    }

    /// (2) for any number of degrees of freedom of a body, joint and bending; the first `skip` are
    /// prescribed.
    fn eliminate_block(
        &mut self,
        arm: &Arm<S>,
        i: usize,
        skip: usize,
    ) -> (ArticulatedInertia<S>, Force<S>) {
        let body = &arm.bodies[i];
        let n = body.nv + body.nb;
        let state = &self.stations[i + 1];
        let at = self.factor_at[i];
        let factor = &mut self.factors[at..at + n * n];
        let range = body.v..body.v + n;
        let forces = &mut self.forces[range.clone()];
        let columns = &self.columns[body.v_range()];
        let rests = &mut self.rests[range.clone()];
        let net = &self.net[range];
        for k in 0..n {
            forces[k] =
                if k < body.nv { state.inertia.times(&columns[k]) } else { self.modal[body.v + k] };
            for j in 0..body.nv.min(k + 1) {
                factor[k * n + j] = columns[j].dot(&forces[k]);
            }
            if k < body.nv {
                factor[k * n + k] += arm.armature[body.v + k];
                rests[k] = columns[k].dot(&state.bias);
            }
            rests[k] = net[k] - rests[k];
        }
        if body.held {
            let l = body.nv;
            for k in l + 1..n {
                self.known[body.v + k] = factor[k * n + l];
                factor[k * n + l] = S::ZERO;
            }
            factor[l * n..l * n + l].fill(S::ZERO);
            factor[l * n + l] = S::ONE;
            forces[l] = Force::ZERO;
            std::mem::swap(&mut rests[l], &mut self.known[body.v + l]);
        }
        ldl::skip_rows(factor, n, skip);
        ldl::factor(factor, n);
        let mut inertia = state.inertia;
        let mut push = Force::ZERO;
        for k in skip..n {
            for j in skip..k {
                let l = factor[k * n + j];
                let (eliminated, before) = (forces[j] * l, rests[j]);
                forces[k] -= eliminated;
                rests[k] -= l * before;
            }
            let inverse = factor[k * n + k];
            inertia = inertia.minus_dyad(&forces[k], inverse);
            push += forces[k] * (rests[k] * inverse);
        }
        for k in skip..n {
            rests[k] = rests[k] * factor[k * n + k];
        }
        (inertia, state.bias + inertia.times(&state.zeta) + push)
    }

    /// (3) for any number of degrees of freedom of a body; returns its acceleration.
    fn solve_block(&self, body: &Body<S>, i: usize, mut a: Motion<S>, ud: &mut [S]) -> Motion<S> {
        let n = body.nv + body.nb;
        let skip = if body.prescribed { body.nv } else { 0 };
        let at = self.factor_at[i];
        let factor = &self.factors[at..at + n * n];
        let own = &mut ud[body.v..body.v + n];
        for k in skip..n {
            let v = body.v + k;
            own[k] = self.rests[v] - factor[k * n + k] * a.dot(&self.forces[v]);
        }
        ldl::solve_transposed_from(factor, n, skip, own);
        if !body.prescribed {
            a += combine(&self.columns[body.v_range()], &own[..body.nv]);
        }
        a
    }

    /// (3) for the sections of a body.
    fn bend_forward(&mut self, arm: &Arm<S>, i: usize, bend: &Bend<S>, acceleration: &[S]) {
        let body = self.stations[i + 1].acceleration;
        let known = usize::from(arm.bodies[i].held);
        for section in &bend.sections {
            let at = arm.words.section_columns[section.station - arm.body_count() - 1];
            let columns = &self.columns[at + known..at + acceleration.len()];
            let state = &mut self.stations[section.station];
            state.acceleration = state.pose.motion_to_inner(&body)
                + combine(columns, &acceleration[known..])
                + state.zeta;
        }
    }
}
