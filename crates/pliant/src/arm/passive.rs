//! What gives way in joints and beams: springs, dampers, friction.

use super::actuator::Friction;
use super::joint::JointKind;
use super::tree::Arm;
use crate::scalar::Scalar;
use crate::spatial::{Quaternion, Vec3};

/// The springs of one joint, one per degree of freedom.
///
/// Sliding and turning coordinates have the energy `½ k (q − rest)²`. The three turning directions
/// of a spherical or free joint have `½ k (2 x)²`, where `x` is their component of the unit
/// quaternion from the rest attitude: `k` per radian near rest, and smooth through every turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spring<S> {
    /// Which body's joint.
    pub(crate) body: usize,
    /// Stiffness (N/m, N m/rad).
    pub(crate) stiffness: [S; 6],
    /// The configuration of rest, `nq` entries.
    pub(crate) rest: [S; 7],
}

impl<S: Scalar> Spring<S> {
    /// The generalised force `∂V/∂q` that holds the springs (N, N m), into the first `nv` entries
    /// of the result, and the stored energy (J).
    pub(crate) fn pull(&self, kind: &JointKind<S>, q: &[S]) -> ([S; 6], S) {
        let k = &self.stiffness;
        let mut force = [S::ZERO; 6];
        let energy = match kind {
            JointKind::Spherical => {
                let (moment, energy) = attitude([k[0], k[1], k[2]], &self.rest[..4], q);
                force[..3].copy_from_slice(&moment.to_array());
                energy
            }
            JointKind::Free => {
                let (moment, mut energy) = attitude([k[3], k[4], k[5]], &self.rest[3..], &q[3..]);
                let half = S::from_f64(0.5);
                let mut pull = [S::ZERO; 3];
                for i in 0..3 {
                    let stretch = q[i] - self.rest[i];
                    pull[i] = k[i] * stretch;
                    energy += half * pull[i] * stretch;
                }
                let r = Quaternion::from_slice(&q[3..]).to_matrix();
                force[..3].copy_from_slice(&r.transpose_mul(Vec3::from(pull)).to_array());
                force[3..].copy_from_slice(&moment.to_array());
                energy
            }
            _ => {
                let half = S::from_f64(0.5);
                let mut energy = S::ZERO;
                for i in 0..q.len() {
                    let stretch = q[i] - self.rest[i];
                    force[i] = k[i] * stretch;
                    energy += half * force[i] * stretch;
                }
                energy
            }
        };
        (force, energy)
    }

    pub(crate) fn cast<T: Scalar>(self, convert: impl Fn(S) -> T + Copy) -> Spring<T> {
        Spring {
            body: self.body,
            stiffness: self.stiffness.map(convert),
            rest: self.rest.map(convert),
        }
    }
}

/// Moment (outboard frame) and energy of the turning springs: with the quaternion `(w, x)` from
/// rest, `V = 2 x·Kx / |q|²` and, by `ẋ = ½(wω + x×ω)`, `n = 2 (w Kx + Kx × x) / |q|²`.
fn attitude<S: Scalar>(k: [S; 3], rest: &[S], q: &[S]) -> (Vec3<S>, S) {
    let q = Quaternion::from_slice(q);
    let turn = Quaternion::from_slice(rest).conjugate().times(q);
    let (w, x) = (turn.w, turn.v);
    let scale = (w * w + x.dot(x)).recip() * S::from_f64(2.0);
    let kx = Vec3::new(k[0] * x.x, k[1] * x.y, k[2] * x.z);
    ((kx * w + kx.cross(x)) * scale, kx.dot(x) * scale)
}

impl<S: Scalar> Arm<S> {
    /// Hands out the generalised forces (N m, N) that hold the springs of joints, by velocity.
    fn each_joint_spring(&self, q: &[S], mut take: impl FnMut(usize, S)) {
        for spring in &self.springs {
            let body = &self.bodies[spring.body];
            let (pull, _) = spring.pull(&body.kind, &q[body.q_range()]);
            for (v, pull) in body.v_range().zip(pull) {
                take(v, pull);
            }
        }
        for coupling in &self.couplings {
            let pull = coupling.spring(q);
            take(coupling.v[0], pull);
            take(coupling.v[1], -pull);
        }
    }

    /// Hands out the generalised forces (N m, N) that drive the dampers and the friction of joints,
    /// by velocity.
    fn each_joint_damper(&self, u: &[S], mut take: impl FnMut(usize, S)) {
        for &(v, d) in &self.dampers {
            take(v, d * u[v]);
        }
        for friction in &self.frictions {
            take(friction.v, friction.force(u));
        }
        for coupling in &self.couplings {
            let drag = coupling.damper(u);
            take(coupling.v[0], drag);
            take(coupling.v[1], -drag);
        }
    }

    /// What the springs of joints store (J).
    pub(crate) fn joint_elastic_energy(&self, q: &[S]) -> S {
        let mut energy = S::ZERO;
        for spring in &self.springs {
            let body = &self.bodies[spring.body];
            energy += spring.pull(&body.kind, &q[body.q_range()]).1;
        }
        self.couplings.iter().fold(energy, |sum, coupling| sum + coupling.energy(q))
    }

    /// What the dampers and the friction of joints take (W).
    pub(crate) fn joint_dissipation(&self, u: &[S]) -> S {
        let dampers = self.dampers.iter().fold(S::ZERO, |sum, &(v, d)| sum + d * u[v] * u[v]);
        let dry = |sum, friction: &Friction<S>| sum + friction.force(u) * u[friction.v];
        let frictions = self.frictions.iter().fold(dampers, dry);
        self.couplings.iter().fold(frictions, |sum, coupling| sum + coupling.dissipation(u))
    }

    /// Adds the generalised forces that hold the springs of joints and the beams (N m, N).
    pub(crate) fn add_spring_forces(&self, q: &[S], force: &mut [S]) {
        self.each_joint_spring(q, |v, pull| force[v] += pull);
        for body in &self.bodies {
            if let Some(bend) = body.bend {
                let force = &mut force[body.bend_v()];
                self.flexible_bodies[bend].add_elastic(&q[body.bend_q()], force);
            }
        }
    }

    /// Adds the generalised forces that drive dampers, friction and the damping of beams (N m, N).
    pub(crate) fn add_damping_forces(&self, q: &[S], u: &[S], force: &mut [S]) {
        self.each_joint_damper(u, |v, drag| force[v] += drag);
        for body in &self.bodies {
            if let Some(bend) = body.bend {
                let (d, range) = (&q[body.bend_q()], body.bend_v());
                self.flexible_bodies[bend].add_damping(d, &u[range.clone()], &mut force[range]);
            }
        }
    }

    /// Takes the forces of springs, dampers and friction from the motors' (N m, N).
    pub(crate) fn subtract_passive_forces(&self, q: &[S], u: &[S], force: &mut [S]) {
        self.each_joint_spring(q, |v, pull| force[v] -= pull);
        self.each_joint_damper(u, |v, drag| force[v] -= drag);
        for body in &self.bodies {
            if let Some(bend) = body.bend {
                let range = body.bend_v();
                let force = &mut force[range.clone()];
                self.flexible_bodies[bend].subtract_passive(&q[body.bend_q()], &u[range], force);
            }
        }
    }
}
