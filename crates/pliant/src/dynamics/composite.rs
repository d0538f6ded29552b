//! Forward dynamics through the global mass matrix, O(N³): the second algorithm beside [`aba`](super::aba).
//!
//! `M_ff u̇_f = τ_f − (M_fp u̇_p + bias_f)`, where `p` are the prescribed coordinates and `f` the
//! others. Flexible, section 3.5.4 (composite inertia).

use super::{crba, rnea};
use crate::arm::Arm;
use crate::linear::ldl;
use crate::scalar::Scalar;

/// Buffers of [`composite_into`], sized once from an arm.
#[derive(Clone, Debug)]
pub struct Workspace<S = f64> {
    pub(crate) rnea: rnea::Workspace<S>,
    pub(crate) crba: crba::Workspace<S>,
    mass: Vec<S>,
    /// Inverse dynamics with the free accelerations at zero, then with all known.
    force: Vec<S>,
    right: Vec<S>,
    /// Velocity indices that are not prescribed.
    free: Vec<usize>,
}

impl<S: Scalar> Workspace<S> {
    /// Room for one evaluation.
    pub fn new(arm: &Arm<S>) -> Self {
        let n = arm.nv();
        Self {
            rnea: rnea::Workspace::new(arm),
            crba: crba::Workspace::new(arm),
            mass: vec![S::ZERO; n * n],
            force: vec![S::ZERO; n],
            right: vec![S::ZERO; n],
            free: arm.free_velocities(),
        }
    }
}

/// As [`aba_into`](super::aba::aba_into), by the other algorithm.
///
/// # Panics
/// When a slice does not have the length that `arm` asks for.
pub fn composite_into<S: Scalar>(
    arm: &Arm<S>,
    work: &mut Workspace<S>,
    q: &[S],
    u: &[S],
    tau: &mut [S],
    ud: &mut [S],
) {
    let n = arm.nv();
    arm.check_lengths(q, [u, tau, ud]);
    crba::crba_into(arm, &mut work.crba, q, &mut work.mass);
    for &f in &work.free {
        ud[f] = S::ZERO;
    }
    rnea::rnea_into(arm, &mut work.rnea, q, u, ud, &mut work.force);

    // gather the free rows and columns at the front
    let free = work.free.len();
    let right = &mut work.right[..free];
    for (right, &row) in right.iter_mut().zip(&work.free) {
        *right = tau[row] - work.force[row];
    }
    ldl::gather(&mut work.mass, n, &work.free);
    ldl::factor(&mut work.mass[..free * free], free);
    ldl::solve(&work.mass[..free * free], free, right);
    for (&f, &acceleration) in work.free.iter().zip(right.iter()) {
        ud[f] = acceleration;
    }
    if free < n {
        rnea::rnea_into(arm, &mut work.rnea, q, u, ud, &mut work.force);
        for &v in &arm.topology.prescribed {
            tau[v] = work.force[v];
        }
    }
}
