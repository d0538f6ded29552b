//! Pseudolinks: the straight lines from joint to joint of a flexible arm.

use super::model::Model;
use nalgebra::{DMatrix, DVector};

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
        let (joints, flexible) = (model.joints().to_vec(), model.flexible().to_vec());
        let mut map = DMatrix::zeros(joints.len(), flexible.len());
        let rows: Vec<(usize, usize)> =
            self.frames.iter().enumerate().filter_map(|(k, frame)| Some((k, (*frame)?))).collect();
        if rows.is_empty() {
            return Some(map);
        }
        let mut turned = DMatrix::zeros(rows.len(), rows.len());
        let mut bent = DMatrix::zeros(rows.len(), flexible.len());
        for (row, &(k, frame)) in rows.iter().enumerate() {
            let jacobian = model.straight_jacobian(frame);
            let direction: DVector<f64> = jacobian.column(joints[k]).rows(0, 3).into_owned();
            let direction = direction.try_normalize(f64::MIN_POSITIVE)?;
            let along = |v: usize| direction.dot(&jacobian.column(v).rows(0, 3));
            for (column, &(other, _)) in rows.iter().enumerate() {
                turned[(row, column)] = along(joints[other]);
            }
            for (column, &v) in flexible.iter().enumerate() {
                bent[(row, column)] = along(v);
            }
        }
        let solved = turned.lu().solve(&bent)?;
        for (row, &(k, _)) in rows.iter().enumerate() {
            map.set_row(k, &solved.row(row));
        }
        map.iter().all(|entry| entry.is_finite()).then_some(map)
    }
}
