//! Trajectories as plain data.

use crate::control::PerJoint;
use crate::plan::{ShaperKind, TimeScaling};
use crate::simulate::Signal;
use crate::spatial::Mat3;

/// A trajectory through points.
#[derive(Clone, Debug, PartialEq)]
pub struct PlanDescription {
    /// What moves through the points.
    pub kind: PlanKind,
    /// The points: positions of a frame in the world (m), or of the joints (rad, m).
    pub points: Vec<Vec<f64>>,
    /// The duration of each segment between two points (s).
    pub durations: Vec<f64>,
    /// The start time (s).
    pub start: f64,
    /// How it goes from point to point.
    pub passing: Passing,
    /// A shaper of the command, where joints move.
    pub shaper: Option<ShaperDescription>,
}

/// How a trajectory goes from point to point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Passing {
    /// It stops at each.
    Stop(TimeScaling),
    /// It passes the intermediate ones in parabolic blends of a duration (s).
    Blend(f64),
    /// It passes through the intermediate ones with minimum jerk.
    Through,
}

/// What moves through the points of a plan.
#[derive(Clone, Debug, PartialEq)]
pub enum PlanKind {
    /// A frame, on straight lines if it stops at each point. The joints follow by inverse
    /// kinematics; a redundant arm moves with the smallest joint velocities.
    Line {
        /// The frame, by name; none for the tip of the arm.
        frame: Option<String>,
        /// How it is turned.
        attitude: PlanAttitude,
        /// Joints that do not move, by name.
        hold: Vec<String>,
        /// Coordinates on the desired branch, by name (rad, m); those left out are initial.
        near: Vec<(String, f64)>,
        /// Whether the points are those of the arm with its static deflection.
        sag: bool,
    },
    /// The joints.
    Joints {
        /// Which, in the order of the numbers, by name; none for all with a motor.
        joints: Option<Vec<String>>,
    },
    /// The joints along functions of time, without points, durations and a start of the plan.
    Signals {
        /// Which, in the order of the functions, by name; none for all with a motor.
        joints: Option<Vec<String>>,
        /// Where each should be (rad, m).
        signals: Vec<Signal>,
        /// When they have arrived (s); none for the end of the scenario.
        end: Option<f64>,
    },
}

/// How a frame is turned on its way.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum PlanAttitude {
    /// In any way.
    #[default]
    Any,
    /// As in the initial configuration; where none is given, as in the configuration on the desired
    /// branch.
    Initial,
    /// In the world: one for all points; or one for each, between which it turns about a fixed axis,
    /// with a stop at each.
    Given(Vec<Mat3<f64>>),
}

/// A shaper of a command: it is made for the frequencies and damping of the arm at the end of the
/// plan, with its joints on the servos of the controller that follows it.
#[derive(Clone, Debug, PartialEq)]
pub struct ShaperDescription {
    /// The kind of shaper.
    pub kind: ShaperKind,
    /// Number of modes, from the lowest frequency that the command excites.
    pub modes: usize,
    /// Stiffness and damping of the servos (N m/rad, N/m; N m s/rad, N s/m); none for those of the
    /// controller that follows the plan.
    pub servos: Option<[PerJoint; 2]>,
    /// The sampling period of the command (s); none for that of the slowest controller that follows
    /// the plan.
    pub period: Option<f64>,
}

impl PlanDescription {
    /// The joints with a motor move through configurations (rad, m) in times (s), from rest to rest
    /// with minimum jerk.
    pub fn joints<P: Into<Vec<f64>>>(
        points: impl IntoIterator<Item = P>,
        durations: impl Into<Vec<f64>>,
    ) -> Self {
        Self::new(PlanKind::Joints { joints: None }, points, durations)
    }

    /// The tip of the arm moves through points (m) in times (s), on straight lines, from rest to
    /// rest with minimum jerk.
    pub fn line(
        points: impl IntoIterator<Item = [f64; 3]>,
        durations: impl Into<Vec<f64>>,
    ) -> Self {
        let (attitude, hold, near) = (PlanAttitude::Any, Vec::new(), Vec::new());
        let kind = PlanKind::Line { frame: None, attitude, hold, near, sag: false };
        Self::new(kind, points, durations)
    }

    /// The joints with a motor move along functions of time (rad, m), one for each.
    pub fn signals(signals: impl Into<Vec<Signal>>) -> Self {
        let kind = PlanKind::Signals { joints: None, signals: signals.into(), end: None };
        Self::new(kind, [[]; 0], [])
    }

    /// Through points in times (s), from rest to rest with minimum jerk.
    pub fn new<P: Into<Vec<f64>>>(
        kind: PlanKind,
        points: impl IntoIterator<Item = P>,
        durations: impl Into<Vec<f64>>,
    ) -> Self {
        Self {
            kind,
            points: points.into_iter().map(Into::into).collect(),
            durations: durations.into(),
            start: 0.0,
            passing: Passing::Stop(TimeScaling::MinimumJerk),
            shaper: None,
        }
    }

    /// Starting at a time (s).
    #[must_use]
    pub fn starting(self, start: f64) -> Self {
        Self { start, ..self }
    }

    /// Going from point to point in another way.
    #[must_use]
    pub fn passing(self, passing: Passing) -> Self {
        Self { passing, ..self }
    }

    /// With a shaper, where joints move.
    #[must_use]
    pub fn shaped(self, shaper: ShaperDescription) -> Self {
        Self { shaper: Some(shaper), ..self }
    }
}

impl ShaperDescription {
    /// For the servos of the controller that follows the plan.
    pub fn new(kind: ShaperKind, modes: usize) -> Self {
        Self { kind, modes, servos: None, period: None }
    }
}
