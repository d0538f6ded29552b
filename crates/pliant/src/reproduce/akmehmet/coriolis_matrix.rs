//! Akmehmet's matrix `C` with `C(q, u) u = coriolis`, (2.68) to (2.86), corrected.
//!
//! Column by column, from unit velocities `w` of the coordinates: `ξ` their angular velocity, `κ` and
//! `δ` the parts of accelerations that are bilinear in `w` and the actual velocity. The unit velocity
//! stands in the first factor of each cross product, also of `ω×ω_J`, and forces are those of mass
//! centres. `Ṁ − 2C` is not skew. For arms that do not bend.

use crate::arm::Arm;
use crate::dynamics::coriolis;
use crate::reproduce::AlgorithmError;
use crate::spatial::{Force, Motion, Pose, Vec3};
use nalgebra::DMatrix;

/// Buffers of [`coriolis_matrix_into`], sized once from an arm. Index 0 of the frames is the ground.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// Body frame in the one it hangs on.
    poses: Vec<Pose<f64>>,
    /// The joints' columns, body frame, and their rates.
    columns: Vec<Motion<f64>>,
    column_rates: Vec<Motion<f64>>,
    /// `S u` of each joint, body frame.
    joint_twists: Vec<Motion<f64>>,
    /// Angular velocity of each frame, own axes.
    omegas: Vec<Vec3<f64>>,
    units: Vec<Unit>,
    /// Force on each frame with everything it carries, own frame.
    forces: Vec<Force<f64>>,
}

/// What a unit velocity gives a frame, own axes.
#[derive(Clone, Copy, Debug)]
struct Unit {
    xi: Vec3<f64>,
    kappa: Vec3<f64>,
    delta: Vec3<f64>,
}

impl Unit {
    const NOTHING: Self = Self { xi: Vec3::ZERO, kappa: Vec3::ZERO, delta: Vec3::ZERO };
}

impl Workspace {
    /// Room for one evaluation.
    pub fn new(arm: &Arm) -> Self {
        let (n, nv) = (arm.body_count(), arm.nv());
        Self {
            poses: vec![Pose::IDENTITY; n],
            columns: vec![Motion::ZERO; nv],
            column_rates: vec![Motion::ZERO; nv],
            joint_twists: vec![Motion::ZERO; n],
            omegas: vec![Vec3::ZERO; n + 1],
            units: vec![Unit::NOTHING; n + 1],
            forces: vec![Force::ZERO; n + 1],
        }
    }

    /// Joints and actual angular velocities.
    fn move_with(&mut self, arm: &Arm, q: &[f64], u: &[f64]) {
        for (i, body) in arm.bodies.iter().enumerate() {
            let range = body.v_range();
            let (own_u, columns) = (&u[range.clone()], &mut self.columns[range.clone()]);
            let hop = body.kind.cross(&body.placement, &q[body.q_range()], own_u, columns);
            body.kind.column_rates(own_u, columns, &mut self.column_rates[range]);
            let mut twist = Motion::ZERO;
            for (column, &u) in columns.iter().zip(own_u) {
                twist.linear = column.linear.mul_add(u, twist.linear);
                twist.angular = column.angular.mul_add(u, twist.angular);
            }
            let carried = hop.pose.rotation.transpose_mul(self.omegas[body.parent]);
            self.omegas[i + 1] = carried + twist.angular;
            (self.poses[i], self.joint_twists[i]) = (hop.pose, twist);
        }
    }

    /// The column of the unit velocity of coordinate `v`.
    fn column(&mut self, arm: &Arm, v: usize, matrix: &mut [f64]) {
        for (i, body) in arm.bodies.iter().enumerate() {
            let (pose, twist) = (&self.poses[i], &self.joint_twists[i]);
            let (parent, parent_omega) = (self.units[body.parent], self.omegas[body.parent]);
            let is_own = body.v_range().contains(&v);
            let own = if is_own { self.columns[v] } else { Motion::ZERO };
            let own_rate = if is_own { self.column_rates[v] } else { Motion::ZERO };
            let (r, p) = (&pose.rotation, pose.position);
            let xi = r.transpose_mul(parent.xi);
            let around = parent.xi.cross(parent_omega.cross(p));
            let carried = r.transpose_mul(parent.delta + parent.kappa.cross(p) + around);
            // (2.73): κ ; (2.75), (2.76): δ
            let unit = Unit {
                xi: xi + own.angular,
                kappa: r.transpose_mul(parent.kappa) + xi.cross(twist.angular) + own_rate.angular,
                delta: carried
                    + xi.cross(twist.linear) * 2.0
                    + own.angular.cross(twist.linear)
                    + own_rate.linear,
            };
            // (2.78), (2.79): φ' ; (2.81): μ ; moment about the origin as in (2.85)
            let (inertia, omega) = (&body.inertia, self.omegas[i + 1]);
            let (s, tensor) = (inertia.centre(), inertia.tensor_about_centre());
            let around = unit.xi.cross(omega.cross(s));
            let force = (unit.delta + unit.kappa.cross(s) + around) * inertia.mass;
            let moment = tensor * unit.kappa + unit.xi.cross(tensor * omega) + s.cross(force);
            self.units[i + 1] = unit;
            self.forces[i + 1] = Force { force, moment };
        }
        for (i, body) in arm.bodies.iter().enumerate().rev() {
            let force = self.forces[i + 1];
            for row in body.v_range() {
                matrix[row * arm.nv() + v] = self.columns[row].dot(&force);
            }
            if body.parent > 0 {
                self.forces[body.parent] += self.poses[i].force_to_outer(&force);
            }
        }
    }
}

/// His `C(q, u)` of (2.86), corrected, into the row-major `matrix` of `nv × nv` entries. He defines it
/// for revolute and prismatic joints; for the others it is one that fits. It depends on where the
/// frames of the links sit: his are those of [`Link::dh`](crate::arm::Link::dh) with standard rows.
///
/// # Panics
/// When a slice does not have the length that `arm` asks for, or when the arm bends.
pub fn coriolis_matrix_into(
    arm: &Arm,
    work: &mut Workspace,
    q: &[f64],
    u: &[f64],
    matrix: &mut [f64],
) {
    let n = arm.nv();
    arm.check_lengths(q, [u]);
    assert_eq!(matrix.len(), n * n, "the matrix has nv × nv = {n} × {n} entries");
    assert!(arm.flexible_bodies.is_empty(), "Akmehmet's matrix is for arms that do not bend");
    work.move_with(arm, q, u);
    for v in 0..n {
        work.column(arm, v, matrix);
    }
}

/// The same, checked and with room of its own.
pub fn coriolis_matrix(arm: &Arm, q: &[f64], u: &[f64]) -> Result<DMatrix<f64>, AlgorithmError> {
    if let Some(link) = arm.bodies.iter().position(|body| body.bend.is_some()) {
        return Err(AlgorithmError::Bends {
            what: "Akmehmet's matrix",
            link: arm.link_names()[link].clone(),
        });
    }
    arm.check_configuration(q)?;
    arm.check_velocities("u", u)?;
    let n = arm.nv();
    let mut matrix = vec![0.0; n * n];
    coriolis_matrix_into(arm, &mut Workspace::new(arm), q, u, &mut matrix);
    Ok(DMatrix::from_row_slice(n, n, &matrix))
}

/// The matrix of his laws: his own, and for arms that bend `Σ Jᵀ J̇ dm`, which gives the same forces.
#[derive(Clone, Debug)]
pub(super) enum LawMatrix {
    /// His own.
    Rigid(Workspace),
    /// `Σ Jᵀ J̇ dm`.
    Flexible(Box<coriolis::Workspace>),
}

impl LawMatrix {
    /// Room for an arm.
    pub(super) fn new(arm: &Arm) -> Self {
        if (0..arm.body_count()).any(|link| !arm.deforming_of(link).is_empty()) {
            Self::Flexible(Box::new(coriolis::Workspace::new(arm)))
        } else {
            Self::Rigid(Workspace::new(arm))
        }
    }

    /// Writes it, row-major `nv × nv`.
    pub(super) fn evaluate(&mut self, arm: &Arm, q: &[f64], u: &[f64], matrix: &mut [f64]) {
        match self {
            Self::Rigid(work) => coriolis_matrix_into(arm, work, q, u, matrix),
            Self::Flexible(work) => coriolis::coriolis_matrix_into(arm, work, q, u, matrix),
        }
    }
}
