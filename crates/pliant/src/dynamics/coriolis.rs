//! Matrices `C` with `C(q, u) u = coriolis`, column by column, O(nv · N).
//!
//! The forces of velocity are bilinear; a matrix `C` fixes one of the two factors to the actual
//! velocity `u` and takes unit velocities `w` for the other. There are many such matrices. The one
//! here is `Σ Jᵀ J̇ dm` over the points of the arm, for which `Ṁ − 2C` is skew-symmetric, as passivity
//! arguments need (compare Echeandia, section IV). A point's velocity per `w`, differentiated along
//! `u`, is `a(w) + α(w)×r + ω_w×(ω_u×r + ṙ_u) + ω_u×ṙ_w + r̈(u, w)`, with
//! `α(w) = Rᵀα_p(w) + ω_u×ω_J(w) + Ṡ w` and
//! `a(w) = Rᵀ(a_p + α_p×p + ω_w×(ω_u×p)) + ω_w'×v_J(u) + ω_u×v_J(w) + Ṡ w`.

use super::bending::{Bent, Deformation, weigh};
use super::hop::{Rates, combine};
use super::present::Present;
use crate::arm::{Arm, Bend};
use crate::scalar::Scalar;
use crate::spatial::{Force, Mat3, Motion, Pose, Vec3};

/// Buffers of the matrix, sized once from an arm. Index 0 of the stations is the ground.
#[derive(Clone, Debug)]
pub struct Workspace<S = f64> {
    /// Body frame in the station it hangs on.
    poses: Vec<Pose<S>>,
    columns: Vec<Motion<S>>,
    /// `Ṡ` column by column.
    column_rates: Vec<Motion<S>>,
    /// `S u` of each joint.
    joint_twists: Vec<Motion<S>>,
    /// Actual angular velocity of each station, own axes.
    omegas: Vec<Vec3<S>>,
    /// Angular velocity and accelerations of each station for the unit velocity, own axes.
    units: Vec<Rates<S>>,
    forces: Vec<Force<S>>,
    sections: Vec<Bent<S>>,
    deformation: Deformation<S>,
    /// Beams that slide.
    present: Present<S>,
    /// Unit velocities of bending, and extended rates for them.
    unit: Vec<S>,
    unit_rate: Vec<S>,
    rate: Vec<S>,
}

impl<S: Scalar> Workspace<S> {
    /// Room for one evaluation.
    pub fn new(arm: &Arm<S>) -> Self {
        let n = arm.body_count();
        let stations = arm.words.station_bodies.len();
        let deformation = Deformation::new(&arm.bends);
        Self {
            poses: vec![Pose::IDENTITY; n],
            columns: vec![Motion::ZERO; arm.nv()],
            column_rates: vec![Motion::ZERO; arm.nv()],
            joint_twists: vec![Motion::ZERO; n],
            omegas: vec![Vec3::ZERO; stations],
            units: vec![Rates::ZERO; stations],
            forces: vec![Force::ZERO; stations],
            sections: vec![Bent::REST; stations - n - 1],
            unit: vec![S::ZERO; arm.nv()],
            unit_rate: deformation.z.clone(),
            rate: deformation.z.clone(),
            deformation,
            present: Present::new(arm),
        }
    }

    /// Hops and actual angular velocities.
    fn move_with(&mut self, arm: &Arm<S>, q: &[S], u: &[S]) {
        let mut present = std::mem::take(&mut self.present);
        present.set(arm, q);
        for (i, body) in arm.bodies.iter().enumerate() {
            let range = body.v_range();
            let joint_u = &u[range.clone()];
            let columns = &mut self.columns[range.clone()];
            let hop = body.kind.cross(&body.placement, &q[body.q_range()], joint_u, columns);
            self.poses[i] = hop.pose;
            body.kind.column_rates(joint_u, columns, &mut self.column_rates[range]);
            self.joint_twists[i] = combine(columns, joint_u);
            let carried = hop.pose.rotation.transpose_mul(self.omegas[body.parent]);
            let omega = carried + self.joint_twists[i].angular;
            self.omegas[i + 1] = omega;
            let Some(bend) = body.bend.map(|bend| present.bend(arm, bend)) else {
                continue;
            };
            let (d, rate) = (&q[body.bend_q()], &u[body.bend_v()]);
            let nz = bend.flexible.nz();
            bend.flexible.extend(d, &mut self.deformation.z[..nz]);
            bend.flexible.spread(d, rate, &mut self.rate[..nz]);
            for section in &bend.sections {
                let bent = Bent::new(section, &self.deformation.z);
                let spin = bent.spin(section, &self.rate);
                self.omegas[section.station] = bent.pose.rotation.transpose_mul(omega) + spin;
                self.sections[section.station - arm.body_count() - 1] = bent;
            }
        }
        self.present = present;
    }

    /// One column of `C` for the unit velocity of coordinate `v`; `force` says what a rigid body
    /// needs, `advance` how the unit rates go over a joint.
    fn column(
        &mut self,
        arm: &Arm<S>,
        (q, u): (&[S], &[S]),
        v: usize,
        matrix: &mut [S],
        advance: impl Fn(&Joint<S>) -> Rates<S>,
        force: impl Fn(usize, &Rates<S>, Vec3<S>) -> Force<S>,
    ) {
        let n = arm.nv();
        let present = std::mem::take(&mut self.present);
        self.unit[v] = S::ONE;
        for (i, body) in arm.bodies.iter().enumerate() {
            let (mut own, mut own_rate) = (Motion::ZERO, Motion::ZERO);
            if body.v_range().contains(&v) {
                (own, own_rate) = (self.columns[v], self.column_rates[v]);
            }
            let unit = advance(&Joint {
                pose: self.poses[i],
                parent_omega: self.omegas[body.parent],
                parent: self.units[body.parent],
                omega: self.omegas[i + 1],
                twist: self.joint_twists[i],
                own,
                own_rate,
            });
            self.units[i + 1] = unit;
            if let Some(bend) = body.bend.map(|bend| present.bend(arm, bend)) {
                let (d, range) = (&q[body.bend_q()], body.bend_v());
                let modal = self.bend_outward(arm, i, bend, d, &u[range.clone()]);
                for (row, modal) in range.zip(modal) {
                    matrix[row * n + v] = *modal;
                }
            } else {
                self.forces[i + 1] = force(i, &unit, self.omegas[i + 1]);
            }
        }
        self.unit[v] = S::ZERO;
        for (i, body) in arm.bodies.iter().enumerate().rev() {
            if let Some(bend) = body.bend.map(|bend| present.bend(arm, bend)) {
                let d = &q[body.bend_q()];
                let modal = &mut self.rate[..d.len()];
                modal.fill(S::ZERO);
                for section in &bend.sections {
                    let bent = &self.sections[section.station - arm.body_count() - 1];
                    let carried = self.forces[section.station];
                    let scratch = &mut self.deformation.h[..bend.flexible.nz()];
                    bent.project(bend, section, d, &carried, scratch, modal);
                    self.forces[i + 1] += bent.pose.force_to_outer(&carried);
                }
                for (row, modal) in body.bend_v().zip(modal) {
                    matrix[row * n + v] += *modal;
                }
            }
            let force = self.forces[i + 1];
            for row in body.v_range() {
                matrix[row * n + v] = self.columns[row].dot(&force);
            }
            if body.parent > 0 {
                self.forces[body.parent] += self.poses[i].force_to_outer(&force);
            }
        }
        self.present = present;
    }

    /// The force of a body that bends, its modal forces (returned), and its sections' unit rates.
    fn bend_outward(
        &mut self,
        arm: &Arm<S>,
        i: usize,
        bend: &Bend<S>,
        d: &[S],
        rate: &[S],
    ) -> &[S] {
        let body = &arm.bodies[i];
        let flexible = &bend.flexible;
        let (nz, n) = (flexible.nz(), d.len());
        let unit = &self.unit[body.bend_v()];
        let (omega, rates) = (self.omegas[i + 1], self.units[i + 1]);
        flexible.extend(d, &mut self.deformation.z[..nz]);
        flexible.spread(d, rate, &mut self.rate[..nz]);
        flexible.spread(d, unit, &mut self.unit_rate[..nz]);
        let products = &mut self.deformation.acceleration[..nz];
        products.fill(S::ZERO);
        flexible.add_rates(d, rate, unit, products);
        let tensor = tensor(&rates, omega);
        let crossings = [(rates.omega, &self.rate[..nz]), (omega, &self.unit_rate[..nz])];
        let modal = &mut self.deformation.rate[..n];
        modal.fill(S::ZERO);
        let mut modal = std::mem::take(&mut self.deformation.rate);
        self.forces[i + 1] =
            self.deformation.force(bend, d, rates.accel, &tensor, &crossings, &mut modal[..n]);
        self.deformation.rate = modal;
        for section in &bend.sections {
            let bent = &self.sections[section.station - arm.body_count() - 1];
            let shapes = &section.shapes.displacement;
            let r = &bent.pose.rotation;
            let accel = rates.accel
                + tensor * bent.pose.position
                + rates.omega.cross(weigh(shapes, &self.rate))
                + omega.cross(weigh(shapes, &self.unit_rate))
                + weigh(shapes, &self.deformation.acceleration);
            let spin = bent.spin(section, &self.unit_rate);
            self.units[section.station] = Rates {
                omega: r.transpose_mul(rates.omega) + spin,
                alpha: r.transpose_mul(rates.alpha)
                    + self.omegas[section.station].cross(spin)
                    + bent.spin_rate(
                        section,
                        [&self.rate, &self.unit_rate],
                        &self.deformation.acceleration,
                    ),
                accel: r.transpose_mul(accel),
            };
            self.forces[section.station] = Force::ZERO;
        }
        &self.deformation.rate[..n]
    }
}

/// Everything at a joint that the unit rates depend on.
struct Joint<S> {
    /// Body frame in the station it hangs on.
    pose: Pose<S>,
    /// Actual angular velocity and unit rates there.
    parent_omega: Vec3<S>,
    parent: Rates<S>,
    /// Actual angular velocity of the body.
    omega: Vec3<S>,
    /// `S u`.
    twist: Motion<S>,
    /// The joint's own column and its rate, or nothing.
    own: Motion<S>,
    own_rate: Motion<S>,
}

impl<S: Scalar> Joint<S> {
    /// `Rᵀ(a_p + α_p×p + ω_w×(ω_u×p))`.
    fn carried(&self) -> Vec3<S> {
        let p = self.pose.position;
        let around = self.parent.omega.cross(self.parent_omega.cross(p));
        self.pose.rotation.transpose_mul(self.parent.accel + self.parent.alpha.cross(p) + around)
    }

    /// `Rᵀ ω_w` and `Rᵀ α_p`.
    fn turned(&self) -> (Vec3<S>, Vec3<S>) {
        let r = &self.pose.rotation;
        (r.transpose_mul(self.parent.omega), r.transpose_mul(self.parent.alpha))
    }
}

/// `Γ(w) = α^ + ω̂_w ω̂_u`.
fn tensor<S: Scalar>(unit: &Rates<S>, omega: Vec3<S>) -> Mat3<S> {
    Mat3::cross(unit.alpha) + Mat3::cross(unit.omega).matmul(&Mat3::cross(omega))
}

/// `C(q, u)` with `Ṁ − 2C` skew-symmetric, into the row-major `matrix` of `nv × nv` entries.
///
/// # Panics
/// When a slice does not have the length that `arm` asks for.
pub fn coriolis_matrix_into<S: Scalar>(
    arm: &Arm<S>,
    work: &mut Workspace<S>,
    q: &[S],
    u: &[S],
    matrix: &mut [S],
) {
    check(arm, q, u, matrix);
    work.move_with(arm, q, u);
    let advance = |joint: &Joint<S>| {
        let (omega, alpha) = joint.turned();
        let Joint { own, own_rate, twist, omega: actual, .. } = joint;
        Rates {
            omega: omega + own.angular,
            alpha: alpha + actual.cross(own.angular) + own_rate.angular,
            accel: joint.carried()
                + omega.cross(twist.linear)
                + actual.cross(own.linear)
                + own_rate.linear,
        }
    };
    for v in 0..arm.nv() {
        work.column(arm, (q, u), v, matrix, advance, |i, unit, omega| {
            super::rnea::force_of(&arm.bodies[i].inertia, unit.accel, &tensor(unit, omega))
        });
    }
}

fn check<S: Scalar>(arm: &Arm<S>, q: &[S], u: &[S], matrix: &[S]) {
    let n = arm.nv();
    arm.check_lengths(q, [u]);
    assert_eq!(matrix.len(), n * n, "the matrix has nv × nv = {n} × {n} entries");
}
