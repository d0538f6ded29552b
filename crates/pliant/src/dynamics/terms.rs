//! The equation of motion, term by term.
//!
//! Akmehmet's three forms are made of these: SYST1 `τ = J q̈ + V q̇ + f + g + h` (4.1), SYST2
//! `τ = J q̈ + k` (4.2), SYST3 `τ = J q̈ + (C + V) q̇ + g + h` (4.3). `J` is the
//! [mass matrix](super::crba), `V` the diagonal of the dampers, `C` a
//! [Coriolis matrix](super::coriolis), `f`, `g` and `k` are here, and `h = Jᵀ F` for a wrench
//! `F` that the hand exerts on the world is the negative of that [load](super::loads). The sign of
//! `g` is that of `∂U/∂q`: in Akmehmet (2.66), sign corrected.

use super::passive;
use super::rnea::{self, Workspace};
use crate::arm::Arm;
use crate::scalar::Scalar;
use crate::spatial::Vec3;

/// `f(q, u)`: the forces of Coriolis and of the centrifuge, into `force` (N m, N).
///
/// # Panics
/// When a slice does not have the length that `arm` asks for.
pub fn coriolis_into<S: Scalar>(
    arm: &Arm<S>,
    work: &mut Workspace<S>,
    q: &[S],
    u: &[S],
    force: &mut [S],
) {
    work.at_rest(|work, rest| rnea::newton_euler(arm, work, q, u, rest, Vec3::ZERO, force));
}

/// `g(q)`: what holds the arm against gravity, into `force` (N m, N).
///
/// # Panics
/// When a slice does not have the length that `arm` asks for.
pub fn gravity_into<S: Scalar>(arm: &Arm<S>, work: &mut Workspace<S>, q: &[S], force: &mut [S]) {
    work.at_rest(|work, rest| rnea::newton_euler(arm, work, q, rest, rest, -arm.gravity, force));
}

/// What holds springs, beams and the stored energies of force elements, into `force` (N m, N).
///
/// # Panics
/// When a slice does not have the length that `arm` asks for.
pub fn elastic_into<S: Scalar>(
    arm: &Arm<S>,
    work: &mut passive::Workspace<S>,
    q: &[S],
    force: &mut [S],
) {
    arm.check_lengths(q, [force]);
    force.fill(S::ZERO);
    work.add_elastic(arm, q, force);
}

/// `V u`: what drives dampers and dry friction, and withstands the forces of elements that have no
/// energy, into `force` (N m, N). Of the configuration only the lengths of beams that slide and the
/// places of such elements matter.
///
/// # Panics
/// When a slice does not have the length that `arm` asks for.
pub fn damping_into<S: Scalar>(
    arm: &Arm<S>,
    work: &mut passive::Workspace<S>,
    q: &[S],
    u: &[S],
    force: &mut [S],
) {
    arm.check_lengths(q, [u, force]);
    force.fill(S::ZERO);
    work.add_damping(arm, q, u, force);
}

/// `k = coriolis + gravity + elastic + damping` of (4.2), into `force` (N m, N).
///
/// # Panics
/// When a slice does not have the length that `arm` asks for.
pub fn bias_into<S: Scalar>(
    arm: &Arm<S>,
    work: &mut Workspace<S>,
    q: &[S],
    u: &[S],
    force: &mut [S],
) {
    work.at_rest(|work, rest| rnea::rnea_into(arm, work, q, u, rest, force));
}
