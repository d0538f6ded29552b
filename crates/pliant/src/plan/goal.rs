//! Goals of inverse kinematics, and residuals.

use crate::spatial::{Mat3, Pose, Vec3, rotation_vector};

/// The goal of a frame, in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum IkGoal {
    /// A place (m), in any attitude.
    Place(Vec3<f64>),
    /// A place and an attitude.
    Pose(Pose<f64>),
}

/// The distance of a frame from its goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IkResidual {
    /// The distance (m).
    pub position: f64,
    /// The angle (rad); 0 where no attitude is asked for.
    pub angle: f64,
}

impl IkResidual {
    /// At the goal.
    pub(super) const NONE: Self = Self { position: 0.0, angle: 0.0 };

    /// The larger of both numbers.
    pub fn largest(&self) -> f64 {
        self.position.max(self.angle)
    }
}

impl IkGoal {
    /// The number of its constraints.
    pub fn rows(&self) -> usize {
        match self {
            Self::Place(_) => 3,
            Self::Pose(_) => 6,
        }
    }

    /// The desired position of the frame's origin (m).
    pub fn position(&self) -> Vec3<f64> {
        match self {
            Self::Place(place) => *place,
            Self::Pose(pose) => pose.position,
        }
    }

    /// The way (m) and the turn (rad) to the goal, world axes.
    pub(super) fn error(&self, pose: &Pose<f64>) -> [f64; 6] {
        let way = (self.position() - pose.position).to_array();
        let turn = match self {
            Self::Place(_) => [0.0; 3],
            Self::Pose(goal) => turn_between(&pose.rotation, &goal.rotation).to_array(),
        };
        [way[0], way[1], way[2], turn[0], turn[1], turn[2]]
    }

    /// The distance of a pose from it.
    pub fn left(&self, pose: &Pose<f64>) -> IkResidual {
        let error = self.error(pose);
        let size = |part: &[f64]| part.iter().map(|x| x * x).sum::<f64>().sqrt();
        IkResidual { position: size(&error[..3]), angle: size(&error[3..]) }
    }
}

/// The rotation vector, in the axes of both, that turns one attitude into another (rad).
pub(super) fn turn_between(from: &Mat3<f64>, to: &Mat3<f64>) -> Vec3<f64> {
    rotation_vector(&to.matmul(&from.transpose()))
}
