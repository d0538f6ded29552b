//! Pseudolinks: the straight lines from joint to joint of a flexible arm.

use super::model::Model;
use crate::linear::{Pivoted, reshape};
use nalgebra::DMatrix;

/// Angles `γ = q + F δ` of the pseudolinks, King (4-23): the joint angles of a rigid arm with the
/// same joint positions as the deformed arm, to first order in the deformation.
///
/// Each joint has a point. `F` follows from the kinematics for any chain: along the direction in which
/// joint `i` moves its point, a change of the angles must move it as bending does. For King's arm
/// these are (4-19) and (4-20), and (4-22) with its signs and its `P` corrected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pseudolinks {
    /// The point of each joint, as a frame of the model: the end of its link, or the tip of the arm
    /// where its own link has no length. Joints without one stay on their angles, `γ = q`.
    pub frames: Vec<Option<usize>>,
}

impl Pseudolinks {
    /// No pseudolinks: every joint is controlled by its angle.
    pub fn none(joints: usize) -> Self {
        Self { frames: vec![None; joints] }
    }

    /// `F` for the present joint positions and straight links; a row for each joint of the model, a
    /// column for each of its other velocities. `None` where a joint does not move its point.
    pub fn map(&self, model: &mut Model) -> Option<DMatrix<f64>> {
        let mut map = DMatrix::default();
        self.map_into(model, &mut Workspace::default(), &mut map).then_some(map)
    }

    /// The same into a matrix; whether every joint moves its point.
    pub(super) fn map_into(
        &self,
        model: &mut Model,
        work: &mut Workspace,
        map: &mut DMatrix<f64>,
    ) -> bool {
        let (n, others) = (model.arm().nv(), model.flexible().len());
        reshape(map, model.joints().len(), others);
        map.fill(0.0);
        let led = || self.frames.iter().enumerate().filter_map(|(k, frame)| Some((k, (*frame)?)));
        let count = led().count();
        if count == 0 {
            return true;
        }
        let Workspace { jacobian, turned, bent, factored } = work;
        reshape(turned, count, count);
        reshape(bent, count, others);
        for (row, (k, frame)) in led().enumerate() {
            model.straight_jacobian(frame, jacobian);
            let column = |v: usize| [jacobian[v], jacobian[n + v], jacobian[2 * n + v]];
            let dot = |[x, y, z]: [f64; 3], v: usize| {
                let [to_x, to_y, to_z] = column(v);
                x * to_x + y * to_y + z * to_z
            };
            let joints = model.joints();
            let direction = column(joints[k]);
            let size = dot(direction, joints[k]).sqrt();
            if size.is_nan() || size <= f64::MIN_POSITIVE {
                return false;
            }
            let direction = direction.map(|part| part / size);
            for (column, (other, _)) in led().enumerate() {
                turned[(row, column)] = dot(direction, joints[other]);
            }
            for (column, &v) in model.flexible().iter().enumerate() {
                bent[(row, column)] = dot(direction, v);
            }
        }
        factored.factor(turned);
        if !factored.solve(bent) {
            return false;
        }
        for (row, (k, _)) in led().enumerate() {
            map.set_row(k, &bent.row(row));
        }
        map.iter().all(|entry| entry.is_finite())
    }
}

/// Buffers of a map.
#[derive(Clone, Debug, Default)]
pub(super) struct Workspace {
    /// Of a frame, `6 × nv` by rows.
    jacobian: Vec<f64>,
    /// How the joints and the bending move the points, each along its direction.
    turned: DMatrix<f64>,
    bent: DMatrix<f64>,
    factored: Pivoted,
}
