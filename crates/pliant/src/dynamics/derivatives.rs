//! Derivatives of inverse and forward dynamics, exact, by dual numbers.
//!
//! The recursion of [`rnea`] runs on [`Dual`] numbers that carry [`DIRECTIONS`] slopes at once.
//! Directions of the configuration are those of the velocities: column `v` is the change along
//! `q ⊞ ε e_v`, so that spherical and free joints have three and six columns like any others.
//!
//! Forward dynamics follow from `∂u̇/∂x = −M⁻¹ ∂τ/∂x`, taken at the acceleration reached.

use super::{aba, crba, rnea};
use crate::arm::Arm;
use crate::linear::ldl;
use crate::scalar::{Dual, Scalar};

/// How many slopes travel together.
pub const DIRECTIONS: usize = 8;

type D<S> = Dual<S, DIRECTIONS>;

/// An arm, its copy in dual numbers, and the buffers of both derivatives.
#[derive(Clone, Debug)]
pub struct Workspace<S: Scalar = f64> {
    arm: Arm<S>,
    dual: Arm<D<S>>,
    rnea: rnea::Workspace<D<S>>,
    q: Vec<D<S>>,
    u: Vec<D<S>>,
    ud: Vec<D<S>>,
    tau: Vec<D<S>>,
    /// One unit velocity and the rate of the configuration it causes.
    unit: Vec<S>,
    rate: Vec<S>,
    aba: aba::Workspace<S>,
    crba: crba::Workspace<S>,
    mass: Vec<S>,
    acceleration: Vec<S>,
    force: Vec<S>,
    right: Vec<S>,
    free: Vec<usize>,
}

impl<S: Scalar> Workspace<S> {
    /// Takes copies of an arm and makes room for one evaluation.
    pub fn new(arm: &Arm<S>) -> Self {
        let (nq, nv) = (arm.nq(), arm.nv());
        let dual = arm.cast_with(Dual::constant);
        Self {
            rnea: rnea::Workspace::new(&dual),
            arm: arm.clone(),
            dual,
            q: vec![Dual::ZERO; nq],
            u: vec![Dual::ZERO; nv],
            ud: vec![Dual::ZERO; nv],
            tau: vec![Dual::ZERO; nv],
            unit: vec![S::ZERO; nv],
            rate: vec![S::ZERO; nq],
            aba: aba::Workspace::new(arm),
            crba: crba::Workspace::new(arm),
            mass: vec![S::ZERO; nv * nv],
            acceleration: vec![S::ZERO; nv],
            force: vec![S::ZERO; nv],
            right: vec![S::ZERO; nv],
            free: arm.free_velocities(),
        }
    }
}

/// `∂τ/∂q` and `∂τ/∂u` of inverse dynamics, row-major `nv × nv` each. (`∂τ/∂u̇` is the mass
/// matrix.)
///
/// # Panics
/// When a slice does not have the length that the arm asks for.
pub fn inverse_derivatives_into<S: Scalar>(
    work: &mut Workspace<S>,
    q: &[S],
    u: &[S],
    ud: &[S],
    by_q: &mut [S],
    by_u: &mut [S],
) {
    let n = work.arm.nv();
    work.arm.check_lengths(q, [u, ud]);
    assert_eq!((by_q.len(), by_u.len()), (n * n, n * n), "each matrix has nv × nv entries");
    let constant = |to: &mut [D<S>], from: &[S]| {
        for (to, from) in to.iter_mut().zip(from) {
            *to = Dual::constant(*from);
        }
    };
    constant(&mut work.u, u);
    constant(&mut work.ud, ud);
    for first in (0..n).step_by(DIRECTIONS) {
        let directions = first..n.min(first + DIRECTIONS);
        constant(&mut work.q, q);
        for (lane, v) in directions.clone().enumerate() {
            work.unit[v] = S::ONE;
            work.arm.rate_into(q, &work.unit, &mut work.rate);
            work.unit[v] = S::ZERO;
            for (q, rate) in work.q.iter_mut().zip(&work.rate) {
                q.du[lane] = *rate;
            }
        }
        work.slopes(directions.clone(), by_q);
        constant(&mut work.q, q);
        for (lane, v) in directions.clone().enumerate() {
            work.u[v].du[lane] = S::ONE;
        }
        work.slopes(directions.clone(), by_u);
        for v in directions {
            work.u[v] = Dual::constant(u[v]);
        }
    }
}

/// `∂u̇/∂q`, `∂u̇/∂u` and `∂u̇/∂τ` of forward dynamics, row-major `nv × nv` each, the motors'
/// forces `tau` held. Rows of prescribed coordinates are zero.
///
/// # Panics
/// When a slice does not have the length that the arm asks for.
pub fn forward_derivatives_into<S: Scalar>(
    work: &mut Workspace<S>,
    q: &[S],
    u: &[S],
    tau: &[S],
    ud: &[S],
    [by_q, by_u, by_tau]: [&mut [S]; 3],
) {
    let n = work.arm.nv();
    work.arm.check_lengths(q, [u, tau, ud]);
    assert_eq!(by_tau.len(), n * n, "each matrix has nv × nv entries");
    // the acceleration reached; prescribed entries come from `ud`
    let (mut acceleration, mut force) =
        (std::mem::take(&mut work.acceleration), std::mem::take(&mut work.force));
    acceleration.copy_from_slice(ud);
    force.copy_from_slice(tau);
    aba::aba_into(&work.arm, &mut work.aba, q, u, &mut force, &mut acceleration);
    inverse_derivatives_into(work, q, u, &acceleration, by_q, by_u);
    (work.acceleration, work.force) = (acceleration, force);

    // factor M of the free coordinates
    let free = work.free.len();
    crba::crba_into(&work.arm, &mut work.crba, q, &mut work.mass);
    ldl::gather(&mut work.mass, n, &work.free);
    ldl::factor(&mut work.mass[..free * free], free);
    by_tau.fill(S::ZERO);
    for (i, &v) in work.free.iter().enumerate() {
        // a unit force, then the two slopes of inverse dynamics with their sign turned
        let right = &mut work.right[..free];
        right.fill(S::ZERO);
        right[i] = S::ONE;
        ldl::solve(&work.mass[..free * free], free, right);
        for (&row, &value) in work.free.iter().zip(right.iter()) {
            by_tau[row * n + v] = value;
        }
    }
    for matrix in [by_q, by_u] {
        for column in 0..n {
            let right = &mut work.right[..free];
            for (right, &row) in right.iter_mut().zip(&work.free) {
                *right = -matrix[row * n + column];
            }
            ldl::solve(&work.mass[..free * free], free, right);
            for row in 0..n {
                matrix[row * n + column] = S::ZERO;
            }
            for (&row, &value) in work.free.iter().zip(right.iter()) {
                matrix[row * n + column] = value;
            }
        }
    }
}

impl<S: Scalar> Workspace<S> {
    /// Runs the recursion and stores the slopes as columns.
    fn slopes(&mut self, directions: std::ops::Range<usize>, matrix: &mut [S]) {
        let n = self.tau.len();
        rnea::rnea_into(&self.dual, &mut self.rnea, &self.q, &self.u, &self.ud, &mut self.tau);
        for (row, tau) in self.tau.iter().enumerate() {
            for (lane, column) in directions.clone().enumerate() {
                matrix[row * n + column] = tau.du[lane];
            }
        }
    }
}
