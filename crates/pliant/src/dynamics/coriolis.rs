//! Matrices `C` with `C(q, u) u = coriolis`, column by column, O(nv · N).
//!
//! The forces of velocity are bilinear; a matrix `C` fixes one of the two factors to the actual
//! velocity `u` and takes unit velocities `w` for the other. There are many such matrices. The one
//! here is `Σ Jᵀ J̇ dm` over the points of the arm, for which `Ṁ − 2C` is skew-symmetric, as passivity
//! arguments need (compare Echeandia, section IV). A point's velocity per `w`, differentiated along
//! `u`, is `a(w) + α(w)×r + ω_w×(ω_u×r + ṙ_u) + ω_u×ṙ_w + r̈(u, w)`, with
//! `α(w) = Rᵀα_p(w) + ω_u×ω_J(w) + Ṡ w` and
//! `a(w) = Rᵀ(a_p + α_p×p + ω_w×(ω_u×p)) + ω_w'×v_J(u) + ω_u×v_J(w) + Ṡ w`.

use super::bending::weighted_sum;
use super::hop::{Bending, Hops, Matter, Rates, combine};
use crate::arm::{Arm, Over};
use crate::scalar::Scalar;
use crate::spatial::{Force, Mat3, Motion, Pose, Vec3};

/// Buffers of the matrix, sized once from an arm. Index 0 of the stations is the ground.
#[derive(Clone, Debug)]
pub struct Workspace<S = f64> {
    hops: Hops<S>,
    /// `Ṡ` of the joints column by column.
    column_rates: Vec<Motion<S>>,
    /// `S u` of each joint.
    joint_twists: Vec<Motion<S>>,
    /// Actual angular velocity of each station, own axes.
    omegas: Vec<Vec3<S>>,
    /// Angular velocity and accelerations of each station for the unit velocity, own axes.
    units: Vec<Rates<S>>,
    forces: Vec<Force<S>>,
    /// The unit velocity.
    unit: Vec<S>,
    /// The rate of a beam's extended coordinates for it.
    unit_rate: Vec<S>,
    /// The column of the matrix for it.
    column: Vec<S>,
    /// One number per extended coordinate of a beam.
    scratch: Vec<S>,
    /// Accelerations of zero.
    rest: Vec<S>,
}

impl<S: Scalar> Workspace<S> {
    /// Room for one evaluation.
    pub fn new(arm: &Arm<S>) -> Self {
        let (n, nv) = (arm.body_count(), arm.nv());
        let stations = arm.topology.station_bodies.len();
        let extended = arm.flexible_bodies.iter().map(|bend| bend.flexible.nz()).max().unwrap_or(0);
        Self {
            hops: Hops::new(arm),
            column_rates: vec![Motion::ZERO; nv],
            joint_twists: vec![Motion::ZERO; n],
            omegas: vec![Vec3::ZERO; stations],
            units: vec![Rates::ZERO; stations],
            forces: vec![Force::ZERO; stations],
            unit: vec![S::ZERO; nv],
            unit_rate: vec![S::ZERO; extended],
            column: vec![S::ZERO; nv],
            scratch: vec![S::ZERO; extended],
            rest: vec![S::ZERO; nv],
        }
    }

    /// Hops and actual angular velocities.
    fn move_with(&mut self, arm: &Arm<S>, q: &[S], u: &[S]) {
        let Self { hops, column_rates, joint_twists, omegas, rest, .. } = self;
        hops.set(arm, q, u, rest);
        for edge in hops.edges(arm) {
            let hop = hops.over(arm, edge, q);
            let there = Rates { omega: omegas[edge.inner], ..Rates::ZERO };
            omegas[edge.outer] = hop.advance(&there, u, rest).omega;
            if !matches!(edge.over, Over::Bending { .. }) {
                let own = edge.velocities.clone();
                let (columns, u) = (&hops.columns[own.clone()], &u[own.clone()]);
                joint_twists[edge.body] = combine(columns, u);
                arm.bodies[edge.body].kind.column_rates(u, columns, &mut column_rates[own]);
            }
        }
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
        let Self { hops, omegas, units, forces, unit, unit_rate, column, .. } = self;
        unit[v] = S::ONE;
        for edge in hops.edges(arm) {
            let hop = hops.over(arm, edge, q);
            let (inner, omega) = (units[edge.inner], omegas[edge.outer]);
            let rates = if let Over::Bending { bend, section } = edge.over {
                let Bending { section, bent, deformation, .. } = hop.bending(bend, section);
                let (shapes, inner_omega) = (&section.shapes.displacement, omegas[edge.inner]);
                let r = &hop.pose.rotation;
                let accel = inner.accel
                    + tensor(&inner, inner_omega) * hop.pose.position
                    + inner.omega.cross(weighted_sum(shapes, &deformation.rate))
                    + inner_omega.cross(weighted_sum(shapes, unit_rate))
                    + weighted_sum(shapes, &deformation.acceleration);
                let spin = bent.spin(section, unit_rate);
                let both = [&deformation.rate[..], &unit_rate[..]];
                let spin_rate = bent.spin_rate(section, both, &deformation.acceleration);
                Rates {
                    omega: r.transpose_mul(inner.omega) + spin,
                    alpha: r.transpose_mul(inner.alpha) + omega.cross(spin) + spin_rate,
                    accel: r.transpose_mul(accel),
                }
            } else {
                let is_own = edge.velocities.contains(&v);
                advance(&Joint {
                    pose: *hop.pose,
                    parent_omega: omegas[edge.inner],
                    parent: inner,
                    omega,
                    twist: self.joint_twists[edge.body],
                    own: if is_own { hops.columns[v] } else { Motion::ZERO },
                    own_rate: if is_own { self.column_rates[v] } else { Motion::ZERO },
                })
            };
            units[edge.outer] = rates;
            forces[edge.outer] = match hops.matter(arm, edge, q) {
                Matter::Rigid(_) => force(edge.body, &rates, omega),
                Matter::Bending { bend, d, v: own, deformation } => {
                    let (nz, unit) = (bend.flexible.nz(), &unit[own.clone()]);
                    bend.flexible.extend_rates(d, unit, &mut unit_rate[..nz]);
                    let products = &mut deformation.acceleration[..nz];
                    products.fill(S::ZERO);
                    bend.flexible.add_rates(d, &u[own.clone()], unit, products);
                    let actual = std::mem::take(&mut deformation.rate);
                    let crossings = [(rates.omega, &actual[..nz]), (omega, &unit_rate[..nz])];
                    let modal = &mut column[own];
                    let tensor = tensor(&rates, omega);
                    let force = deformation.force(bend, d, rates.accel, &tensor, &crossings, modal);
                    deformation.rate = actual;
                    force
                }
                Matter::Nothing => Force::ZERO,
            };
        }
        unit[v] = S::ZERO;
        for edge in hops.edges(arm).iter().rev() {
            let hop = hops.over(arm, edge, q);
            let force = forces[edge.outer];
            hop.project(&force, &mut self.scratch, column);
            if edge.inner > 0 {
                forces[edge.inner] += hop.pose.force_to_outer(&force);
            }
        }
        for (row, &entry) in column.iter().enumerate() {
            matrix[row * arm.nv() + v] = entry;
        }
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
