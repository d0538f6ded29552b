//! Where the motion should be; the errors are channels.

use super::signal::Signal;
use crate::arm::Arm;
use crate::dynamics::kinematics::Workspace;
use crate::plan::Path;
use crate::spatial::Vec3;
use std::sync::Arc;

/// Where a coordinate or a frame should be. Its error, the target less the place, is a channel.
#[derive(Clone, Debug)]
pub enum TrackingTarget {
    /// A configuration coordinate.
    Coordinate {
        /// It, by index.
        coordinate: usize,
        /// Where it should be (rad, m).
        signal: Signal,
    },
    /// A frame that should be on a path.
    Path {
        /// It, by index.
        frame: usize,
        /// Where it should be, world (m).
        path: Arc<Path>,
    },
    /// A frame that should be where the joints have it while nothing bends.
    Unbent {
        /// It, by index.
        frame: usize,
        /// Configuration coordinates, by index, and where they should be (rad, m).
        joints: Vec<(usize, Signal)>,
        /// All coordinates (rad, m); those of the joints do not matter.
        q: Vec<f64>,
    },
}

impl TrackingTarget {
    /// The frame, by index, if it is one's.
    pub fn frame(&self) -> Option<usize> {
        match self {
            Self::Coordinate { .. } => None,
            Self::Path { frame, .. } | Self::Unbent { frame, .. } => Some(*frame),
        }
    }

    /// Where a frame should be at a time (s), world (m); nothing of a coordinate. `unbent` holds the
    /// coordinates while nothing bends.
    pub(crate) fn place(
        &self,
        arm: &Arm,
        t: f64,
        work: &mut Workspace,
        unbent: &mut Vec<f64>,
    ) -> Option<Vec3<f64>> {
        match self {
            Self::Coordinate { .. } => None,
            Self::Path { path, .. } => {
                let [x, y, z] = [0, 1, 2].map(|k| path.component(k, t, false).value);
                Some(Vec3::new(x, y, z))
            }
            Self::Unbent { frame, joints, q } => {
                unbent.clone_from(q);
                for (coordinate, signal) in joints {
                    unbent[*coordinate] = signal.value(t);
                }
                Some(work.place(arm, unbent).pose(*frame).position)
            }
        }
    }
}
