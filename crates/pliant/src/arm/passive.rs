//! Springs that a joint carries.

use super::joint::JointKind;
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
