//! Controllers with a model of the arm: one file for each law, in which its keys, how they are read
//! into the library's description and how they are written stand together.

mod composite;
mod computed_torque;
mod decoupling;
mod energy_feedback;
mod energy_torque;
mod estimator;
mod gravity_pd;
mod horizon;
mod own_model;
mod pid;
mod updates;

use super::gains::{of_joints, per_joint};
use super::refusal::CONTROLLER;
use super::sensor::USUAL_PERIOD;
use super::shapes::{ArmOrPath, Lasting, Listed, Names, Sensors, Share};
use super::strain::StrainPd;
use super::text::Surroundings;
use super::write::{WriteError, arm};
use crate::reader::Reader;
use crate::shapes::{AsWritten, Flag, JointBrake, JointForce, JointPull, OfCoordinates, One};
use crate::shared::kinds_sharing;
use crate::spec::Key;
use crate::table::{Kinds as _, Table, table};
use composite::{CompositeKeys, PseudolinkKeys};
use computed_torque::ComputedTorqueKeys;
use decoupling::DecouplingKeys;
use energy_feedback::EnergyFeedbackKeys;
use energy_torque::EnergyTorqueKeys;
use estimator::EstimatorTable;
use gravity_pd::GravityPdKeys;
pub(super) use pid::PdKeys;
use pid::PidKeys;
use pliant::control::{LawDescription, PerJoint};
use pliant::reproduce::Variants;
use pliant::scenario::{Measurements, PlanFollower, SATURATION};
use std::any::Any;

table! {
    /// When laws act that may do without a clock.
    pub(crate) struct MayTick = "ticks that may be left out", "write period = \"1 ms\"";
    keys {
        /// The sampling period.
        period: Lasting [or "continuous, with full_state = true"],
    }
}

table! {
    /// What every controller with a model has. Its targets are those of the plan.
    pub(crate) struct WithModel = "a controller with a model", "write full_state = true";
    formerly { "oracle" => "full_state", "observer" => "estimator" }
    keys {
        /// Whether it uses the full state instead of sensors.
        full_state: Flag [= false],
        /// The encoders of the joints of the plan, by name, in any order, and strain gauges for an
        /// estimator; not with full_state = true.
        sensors: Names<Sensors> [or "required, unless full_state = true"],
        /// Estimates unmeasured states, above all modal coordinates, from its sensors and its
        /// model.
        estimator: One<EstimatorTable> [or "unmeasured states are taken at rest"],
        /// Its model of the arm: the path of a file, relative to the folder of the scenario, or the
        /// arm itself. Joints are matched by name.
        model: AsWritten<ArmOrPath> [or "that of the scenario"],
        /// Whether its model includes the loads of the scenario.
        knows_loads: Flag [= false],
        /// The largest force of each motor by name, in both directions.
        limits: OfCoordinates<JointForce> [or "none"],
        /// The fraction of the run for which a motor may saturate without a warning.
        saturation: Share [= SATURATION],
    }
}

table! {
    /// A spring and a damper as accelerations.
    pub(crate) struct Gains = "gains", "write stiffness = 100 and damping = 20";
    also { "kp" => "stiffness", "kd" => "damping" }
    keys {
        /// Proportional gain, acceleration per error: one number, or one for each joint by name.
        stiffness: OfCoordinates<JointPull> [required],
        /// Derivative gain, acceleration per error rate: one number, or one for each joint by name.
        damping: OfCoordinates<JointBrake> [required],
    }
}

/// The keys of a law with a model, and the law that they say.
pub(super) trait LawKeys: Table {
    /// The law.
    type Law: LawDescription;

    /// The sampling period (s), if it has one.
    fn period(&self) -> Option<f64>;

    /// Its measurements and its model.
    fn model(&self) -> &WithModel;

    /// The law, with its numbers. What cannot be read has been told, and is taken as usual.
    fn law(&self, reader: &mut Reader, around: &Surroundings<'_>) -> Self::Law;

    /// What a file says about a law; none where another kind says it.
    fn of(law: &Self::Law, period: Option<f64>, model: WithModel) -> Option<Self>;
}

/// The keys of a law say what every law with a model says by these.
macro_rules! shared_keys {
    () => {
        fn period(&self) -> Option<f64> {
            self.ticks.seconds().into()
        }
        fn model(&self) -> &$crate::scenario::laws::WithModel {
            &self.model
        }
    };
}
use shared_keys;

/// Defines the kinds of controllers: that without a plan, and the laws of these keys.
macro_rules! laws {
    ($($Kind:ident($Keys:ty),)*) => {
        kinds_sharing! {
            /// The laws of controllers.
            pub(crate) enum LawKind = "controller" {
                StrainPd(StrainPd),
                $($Kind($Keys),)*
            }
        }

        impl LawKind {
            /// The sampling period (s) and the law of those with a model.
            pub(super) fn follower(
                &self,
                reader: &mut Reader,
                around: &mut Surroundings<'_>,
            ) -> Option<(Option<f64>, PlanFollower)> {
                match self {
                    Self::StrainPd(_) => None,
                    $(Self::$Kind(keys) => {
                        Some((keys.period(), follower(reader, around, keys)))
                    })*
                }
            }

            /// The kind that says a law, if one does.
            fn of_law(
                law: &dyn LawDescription,
                period: Option<f64>,
                model: &WithModel,
            ) -> Option<Self> {
                let law: &dyn Any = law;
                $(if let Some(law) = law.downcast_ref::<<$Keys as LawKeys>::Law>()
                    && let Some(keys) = <$Keys>::of(law, period, model.clone())
                {
                    return Some(Self::$Kind(keys));
                })*
                None
            }
        }
    };
}

laws! {
    Pd(PdKeys),
    Pid(PidKeys),
    GravityPd(GravityPdKeys),
    ComputedTorque(ComputedTorqueKeys),
    Decoupling(DecouplingKeys),
    Composite(CompositeKeys),
    Pseudolink(PseudolinkKeys),
    EnergyTorque(EnergyTorqueKeys),
    EnergyFeedback(EnergyFeedbackKeys),
}

impl LawKind {
    /// What a file says about a law with a model.
    pub(super) fn of_follower(
        follower: &PlanFollower,
        period: Option<f64>,
        controller: &str,
    ) -> Result<Self, WriteError> {
        let kind = Self::of_law(&*follower.law, period, &WithModel::of(follower, controller)?)
            .ok_or_else(|| WriteError::Law { controller: controller.to_owned() })?;
        let spec = Self::SPECS.iter().find(|spec| spec.name == kind.word());
        let ticks = spec.and_then(|spec| spec.key("period"));
        if period.is_none() && ticks.is_some_and(Key::is_required) {
            return Err(WriteError::NoPeriod { controller: controller.to_owned() });
        }
        Ok(kind)
    }
}

/// A law with its measurements and its model.
fn follower<K: LawKeys>(
    reader: &mut Reader,
    around: &mut Surroundings<'_>,
    keys: &K,
) -> PlanFollower {
    let law = keys.law(reader, around);
    let own = keys.model();
    let model = own.model.get().and_then(|node| own_model::model(reader, around, node));
    let limits = per_joint(reader, around, &own.limits);
    PlanFollower {
        law: Box::new(law),
        measures: own.measures(reader, around),
        model: model.map(Box::new),
        knows_loads: own.knows_loads.value.unwrap_or(false),
        limits: limits.unwrap_or(PerJoint::All(f64::INFINITY)),
        saturation: own.saturation.value.unwrap_or(SATURATION),
    }
}

impl WithModel {
    /// What it knows of the arm's state.
    fn measures(&self, reader: &mut Reader, around: &Surroundings<'_>) -> Measurements {
        let Self { full_state, sensors, estimator, .. } = self;
        if full_state.value == Some(true) {
            let mut refuse = |place: &crate::table::Place, key: &str| {
                let message = format!("both full_state and {key} are given");
                let help = format!("remove {key}, or full_state = true");
                CONTROLLER.refuse(reader, place.value.clone(), message, help);
            };
            if let Some(place) = sensors.given() {
                refuse(place, "sensors");
            }
            if let Some(place) = estimator.given() {
                refuse(place, "estimator");
            }
        }
        let estimator = estimator.get().and_then(|table| table.estimator(reader, around));
        let is_unknown = full_state.is_wrong()
            || sensors.is_wrong()
            || self.estimator.is_given() && estimator.is_none();
        if is_unknown || full_state.value == Some(true) {
            return Measurements::FullState;
        }
        let sensors = sensors.get().into_iter().flatten();
        let sensors = sensors.map(|listed| listed.name.clone()).collect();
        match estimator {
            Some(estimator) => Measurements::Estimator(sensors, estimator),
            None => Measurements::Sensors(sensors),
        }
    }

    /// What a file says about the measurements and the model of a law.
    fn of(follower: &PlanFollower, name: &str) -> Result<Self, WriteError> {
        let listed = |name: &String| Listed { name: name.clone(), span: 0..0 };
        let listed = |names: &[String]| Some(names.iter().map(listed).collect::<Vec<_>>());
        let (sensors, estimator) = match &follower.measures {
            Measurements::FullState => (None, None),
            Measurements::Sensors(names) => (listed(names), None),
            Measurements::Estimator(names, estimator) => {
                (listed(names), Some(EstimatorTable::of(estimator)))
            }
            Measurements::Own(..) => {
                return Err(WriteError::Estimator { controller: name.to_owned() });
            }
        };
        let model = follower.model.as_ref();
        let model = model.map(|own| arm(own, &Variants::default())).transpose()?;
        Ok(Self {
            full_state: matches!(follower.measures, Measurements::FullState).into(),
            sensors: sensors.into(),
            estimator: estimator.into(),
            model: model.into(),
            knows_loads: follower.knows_loads.into(),
            limits: of_joints::<JointForce>(&follower.limits),
            saturation: follower.saturation.into(),
            ..Self::default()
        })
    }
}

impl MayTick {
    /// The sampling period (s), if it has one.
    fn seconds(&self) -> Option<f64> {
        self.period.is_given().then(|| self.period.value.unwrap_or(USUAL_PERIOD))
    }

    pub(super) fn of(period: Option<f64>) -> Self {
        Self { period: period.into(), ..Self::default() }
    }
}

impl Gains {
    /// Stiffness and damping of the joints of the plan.
    fn read(&self, reader: &mut Reader, around: &Surroundings<'_>) -> (PerJoint, PerJoint) {
        let stiffness = per_joint(reader, around, &self.stiffness);
        let damping = per_joint(reader, around, &self.damping);
        (stiffness.unwrap_or(PerJoint::All(0.0)), damping.unwrap_or(PerJoint::All(0.0)))
    }

    fn of(stiffness: &PerJoint, damping: &PerJoint) -> Self {
        Self {
            stiffness: of_joints::<JointPull>(stiffness),
            damping: of_joints::<JointBrake>(damping),
            ..Self::default()
        }
    }
}
