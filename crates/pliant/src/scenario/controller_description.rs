//! Controllers as plain data.

use super::tracking::SATURATION;
use crate::arm::Builder;
use crate::control::{Estimator, EstimatorKind, LawDescription, PerJoint};
use crate::simulate::Signal;

/// What drives motors by measurements.
#[derive(Clone, Debug)]
pub struct ControllerDescription {
    /// Its name, the prefix of its channels.
    pub name: String,
    /// The sampling period (s); none to act at every instant, on the full state only.
    pub period: Option<f64>,
    /// The delay of its forces (s), which are zero until the first one acts.
    pub delay: f64,
    /// What it does.
    pub kind: ControllerKind,
}

/// What a controller does.
#[derive(Clone, Debug)]
pub enum ControllerKind {
    /// Proportional-derivative control of joints, each to a target of its own.
    Pd {
        /// Whether it uses the full state instead of encoders.
        full_state: bool,
        /// The joints.
        joints: Vec<PdJoint>,
    },
    /// Proportional-derivative feedback of strains, added to the forces of other controllers: the
    /// fast part of King's multirate scheme, 4.9.
    StrainPd {
        /// The motors.
        joints: Vec<StrainJoint>,
    },
    /// A law with a model that follows the plan.
    Follow(PlanFollower),
}

/// A joint on a spring and a damper to its target.
#[derive(Clone, Debug, PartialEq)]
pub struct PdJoint {
    /// The coordinate of the motor, by name.
    pub motor: String,
    /// Its encoder, by name; none with the full state.
    pub sensor: Option<String>,
    /// Proportional gain (N m/rad, N/m).
    pub stiffness: f64,
    /// Derivative gain (N m s/rad, N s/m).
    pub damping: f64,
    /// The largest force, either way (N m, N); none without limit.
    pub limit: Option<f64>,
    /// Where the coordinate should be (rad, m).
    pub target: Signal,
}

/// A motor that feeds back a strain.
#[derive(Clone, Debug, PartialEq)]
pub struct StrainJoint {
    /// The coordinate of the motor, by name.
    pub motor: String,
    /// The strain sensor, by name.
    pub sensor: String,
    /// Proportional gain: force per strain, opposing it (N m, N).
    pub stiffness: f64,
    /// Derivative gain: force per strain rate (N m s, N s).
    pub damping: f64,
    /// The largest force, either way (N m, N); none without limit.
    pub limit: Option<f64>,
}

/// A control law with a model, which follows the plan.
#[derive(Clone, Debug)]
pub struct PlanFollower {
    /// The law.
    pub law: Box<dyn LawDescription>,
    /// What it knows of the arm's state.
    pub measures: Measurements,
    /// Its model of the arm; none for that of the scenario. Joints are matched by name.
    pub model: Option<Box<Builder>>,
    /// Whether its model includes the loads of the scenario.
    pub knows_loads: bool,
    /// The largest force of each motor, either way (N m, N); joints left out have no limit.
    pub limits: PerJoint,
    /// The fraction of the run for which a motor may saturate without a warning.
    pub saturation: f64,
}

/// What a controller knows of the arm's state.
#[derive(Clone, Debug)]
pub enum Measurements {
    /// The full state.
    FullState,
    /// Encoders of the joints of the plan, by name, in any order; everything else is taken at rest.
    Sensors(Vec<String>),
    /// Encoders and strain gauges, and an estimate of the rest from them.
    Estimator(Vec<String>, EstimatorDescription),
    /// Any sensors, by name, and an estimator of one's own, which has what they show in this order.
    Own(Vec<String>, Box<dyn Estimator>),
}

/// A state estimator.
#[derive(Clone, Debug, PartialEq)]
pub struct EstimatorDescription {
    /// The kind.
    pub kind: EstimatorKind,
    /// The standard deviation of unmodelled forces on each joint (N m, N), independent at every
    /// sample; none for the force that accelerates the joint by 1 rad/s² or m/s².
    pub force_noise: Option<PerJoint>,
    /// The same for modal coordinates, as the acceleration of each (m/s², rad/s²).
    pub bending_noise: f64,
}

impl EstimatorDescription {
    /// The usual unmodelled acceleration of modal coordinates (m/s², rad/s²).
    pub const BENDING_NOISE: f64 = 0.1;

    /// With the usual noises.
    pub fn new(kind: EstimatorKind) -> Self {
        Self { kind, force_noise: None, bending_noise: Self::BENDING_NOISE }
    }
}

impl PlanFollower {
    /// A law with the arm of the scenario as its model. What it knows of the state must be added:
    /// [`sensors`](Self::sensors), an [estimator](Self::estimating), or the
    /// [full state](Self::full_state).
    pub fn new(law: impl Into<Box<dyn LawDescription>>) -> Self {
        Self {
            law: law.into(),
            measures: Measurements::Sensors(Vec::new()),
            model: None,
            knows_loads: false,
            limits: PerJoint::All(f64::INFINITY),
            saturation: SATURATION,
        }
    }

    /// On the full state, which no sensor measures.
    #[must_use]
    pub fn full_state(self) -> Self {
        Self { measures: Measurements::FullState, ..self }
    }

    /// With the encoders of the joints of the plan, by name, in any order.
    #[must_use]
    pub fn sensors<N: Into<String>>(self, names: impl IntoIterator<Item = N>) -> Self {
        let names = names.into_iter().map(Into::into).collect();
        Self { measures: Measurements::Sensors(names), ..self }
    }

    /// With encoders and strain gauges, by name, and an estimator.
    #[must_use]
    pub fn estimating<N: Into<String>>(
        self,
        names: impl IntoIterator<Item = N>,
        estimator: EstimatorDescription,
    ) -> Self {
        let names = names.into_iter().map(Into::into).collect();
        Self { measures: Measurements::Estimator(names, estimator), ..self }
    }

    /// With any sensors, by name, and an estimator of one's own.
    #[must_use]
    pub fn estimating_by<N: Into<String>>(
        self,
        names: impl IntoIterator<Item = N>,
        estimator: impl Into<Box<dyn Estimator>>,
    ) -> Self {
        let names = names.into_iter().map(Into::into).collect();
        Self { measures: Measurements::Own(names, estimator.into()), ..self }
    }

    /// With a model of the arm of its own.
    #[must_use]
    pub fn model(self, model: Builder) -> Self {
        Self { model: Some(Box::new(model)), ..self }
    }

    /// With a model that includes the loads of the scenario.
    #[must_use]
    pub fn knowing_loads(self) -> Self {
        Self { knows_loads: true, ..self }
    }

    /// With largest forces of the motors (N m, N), by joint.
    #[must_use]
    pub fn limited(self, limits: impl Into<PerJoint>) -> Self {
        Self { limits: limits.into(), ..self }
    }
}

impl ControllerDescription {
    /// What acts at every instant without delay until told otherwise.
    pub fn new(name: impl Into<String>, kind: ControllerKind) -> Self {
        Self { name: name.into(), period: None, delay: 0.0, kind }
    }

    /// A law that follows the plan, at every instant until told otherwise.
    pub fn follow(name: impl Into<String>, follower: PlanFollower) -> Self {
        Self::new(name, ControllerKind::Follow(follower))
    }

    /// Springs and dampers from joints to targets of their own, each period (s).
    pub fn pd(name: impl Into<String>, period: f64, joints: impl Into<Vec<PdJoint>>) -> Self {
        let joints = joints.into();
        Self::new(name, ControllerKind::Pd { full_state: false, joints }).every(period)
    }

    /// Feedback of strains, each period (s).
    pub fn strain_pd(
        name: impl Into<String>,
        period: f64,
        joints: impl Into<Vec<StrainJoint>>,
    ) -> Self {
        Self::new(name, ControllerKind::StrainPd { joints: joints.into() }).every(period)
    }

    /// At ticks of a period (s).
    #[must_use]
    pub fn every(self, period: f64) -> Self {
        Self { period: Some(period), ..self }
    }

    /// With forces that act late (s).
    #[must_use]
    pub fn delayed(self, delay: f64) -> Self {
        Self { delay, ..self }
    }
}
