//! Paths of a frame in space.

use super::error::PathError;
use super::goal::{IkGoal, turn_between};
use super::path::Path;
use super::profile::TimeScaling;
use crate::scalar::Jet;
use crate::spatial::{Mat3, Pose, Quaternion, Vec3};

/// The desired pose of a frame over time.
#[derive(Clone, Debug, PartialEq)]
pub struct TipPath {
    place: Path,
    attitude: Attitude,
}

#[derive(Clone, Debug, PartialEq)]
enum Attitude {
    /// Any.
    Free,
    /// One.
    Kept(Mat3<f64>),
    /// From corner to corner about one axis each; the way counts corners.
    Turning { corners: Vec<Mat3<f64>>, turns: Vec<Vec3<f64>>, way: Path },
}

/// The desired pose, velocity and acceleration of a frame at an instant, in world axes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tip {
    /// Where it should be.
    pub goal: IkGoal,
    /// The velocity of its origin and of the frame (m/s, rad/s); no turning where any attitude is
    /// right.
    pub twist: [f64; 6],
    /// The rates of these (m/s², rad/s²).
    pub acceleration: [f64; 6],
}

impl TipPath {
    /// A position over time, with free orientation.
    ///
    /// # Panics
    /// When the path does not have three components.
    pub fn new(place: Path) -> Self {
        assert_eq!(place.width(), 3, "a place has three components");
        Self { place, attitude: Attitude::Free }
    }

    /// The same with a constant orientation.
    #[must_use]
    pub fn keeping(self, attitude: Mat3<f64>) -> Self {
        Self { attitude: Attitude::Kept(attitude), ..self }
    }

    /// Through poses (position in m, orientation), at rest at each; between them it rotates about a
    /// fixed axis.
    pub fn through(
        corners: &[Pose<f64>],
        durations: &[f64],
        profile: TimeScaling,
        start: f64,
    ) -> Result<Self, PathError> {
        let points: Vec<Vec<f64>> =
            corners.iter().map(|corner| corner.position.to_array().to_vec()).collect();
        let place = Path::corners(&points, durations, profile, start)?;
        let counts: Vec<Vec<f64>> = (0..corners.len()).map(|i| vec![i as f64]).collect();
        let way = Path::corners(&counts, durations, profile, start)?;
        let corners: Vec<Mat3<f64>> = corners.iter().map(|corner| corner.rotation).collect();
        let turns = corners.windows(2).map(|pair| turn_between(&pair[0], &pair[1])).collect();
        Ok(Self { place, attitude: Attitude::Turning { corners, turns, way } })
    }

    /// The path of its origin.
    pub fn place(&self) -> &Path {
        &self.place
    }

    /// The number of its constraints at each instant.
    pub fn rows(&self) -> usize {
        if self.attitude == Attitude::Free { 3 } else { 6 }
    }

    /// The desired motion of the frame at a time (s), or just before it.
    pub fn at(&self, t: f64, is_before: bool) -> Tip {
        let place = [0, 1, 2].map(|k| self.place.component(k, t, is_before));
        let position = Vec3::from(place.map(|jet| jet.value));
        let (mut twist, mut acceleration) = ([0.0; 6], [0.0; 6]);
        for k in 0..3 {
            (twist[k], acceleration[k]) = (place[k].rate, place[k].acceleration);
        }
        let goal = match &self.attitude {
            Attitude::Free => IkGoal::Place(position),
            Attitude::Kept(rotation) => IkGoal::Pose(Pose::new(*rotation, position)),
            Attitude::Turning { corners, turns, way } => {
                let Jet { value, rate, acceleration: second } = way.component(0, t, is_before);
                #[allow(clippy::cast_sign_loss, reason = "it counts corners from 0")]
                let corner = (value.max(0.0) as usize).min(turns.len() - 1);
                let turn = turns[corner];
                let part = Quaternion::from_rotation_vector(turn * (value - corner as f64));
                for k in 0..3 {
                    twist[3 + k] = turn.to_array()[k] * rate;
                    acceleration[3 + k] = turn.to_array()[k] * second;
                }
                IkGoal::Pose(Pose::new(part.to_matrix().matmul(&corners[corner]), position))
            }
        };
        Tip { goal, twist, acceleration }
    }
}
