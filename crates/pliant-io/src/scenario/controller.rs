//! Controllers of scenarios.

use super::laws::{LawKeys as _, LawKind, MayTick, PdKeys, WithModel};
use super::sensor::USUAL_PERIOD;
use super::shapes::{Called, FromNow, KindAt, Lasting, Name};
use super::signal::{TargetTable, signal};
use super::strain::StrainPd;
use super::text::Surroundings;
use super::write::WriteError;
use crate::node::Value;
use crate::reader::Reader;
use crate::shapes::{JointDamping, JointForce, JointStiffness, OfJoint, OneOfKinds, Text, Unread};
use crate::shared::Shared;
use crate::state::Side;
use crate::table::{Field, table};
use pliant::scenario::{ControllerDescription, ControllerKind, FaultPlace, PdJoint};
use pliant::simulate::{Interpolation, Signal};

/// What controllers are called.
pub(crate) enum OfController {}

impl Called for OfController {
    const WORD: &'static str = "controller";
}

table! {
    /// Keys of every controller.
    pub(crate) struct ControllerKeys = "a controller",
        "write kind = \"computed-torque\" and name = \"follow\" below a line [[controller]]";
    keys {
        /// The control law.
        kind: KindAt [required],
        /// Its name, the prefix of its channels.
        name: Name<OfController> [required],
        /// The delay of its forces, which are zero until the first one acts.
        delay: FromNow [= 0.0],
    }
}

table! {
    /// When laws act that need a clock.
    pub(crate) struct Ticks = "ticks", "write period = \"1 ms\"";
    keys {
        /// The sampling period.
        period: Lasting [required],
    }
}

table! {
    /// A joint, its gains and its target.
    pub(crate) struct JointTable = "a joint of a controller",
        "write motor, sensor, stiffness, damping and target below a line [[controller.joint]]";
    elsewhere {
        "coordinate" => "it is called motor",
    }
    also { "kp" => "stiffness", "kd" => "damping" }
    keys {
        /// The coordinate of the motor.
        motor: Text [required],
        /// The name of the encoder of that coordinate; not with full_state = true.
        sensor: Text [or "required, unless full_state = true"],
        /// Proportional gain, force per error.
        stiffness: OfJoint<JointStiffness> [required],
        /// Derivative gain, force per error rate.
        damping: OfJoint<JointDamping> [required],
        /// The largest force of the motor, in both directions.
        limit: OfJoint<JointForce> [or "none"],
        /// The reference of the coordinate, as a function of time [rad, m].
        target: OneOfKinds<TargetTable> [required],
    }
}

/// What drives motors by what is measured.
pub(crate) type ControllerTable = Shared<ControllerKeys, LawKind>;

/// What a file says about a controller, which is at this place of the scenario. What cannot be read
/// is taken as usual.
pub(super) fn controller(
    reader: &mut Reader,
    around: &mut Surroundings<'_>,
    table: &ControllerTable,
    place: &FaultPlace,
) -> Option<ControllerDescription> {
    let keys = &table.all;
    let name = keys.name.get()?.clone();
    reader.whose = OfController::whose(&name);
    let (period, kind) = match &table.own {
        LawKind::Pd(own) if own.joint.is_given() => {
            own.refuse_plan_keys(reader);
            (own.period(), own.kind(reader, around, place))
        }
        LawKind::StrainPd(own) => (Some(own.ticks.seconds()), own.kind(reader, around, place)),
        law => {
            let (period, follower) = law.follower(reader, around)?;
            (period, ControllerKind::Follow(follower))
        }
    };
    let delay = keys.delay.value.unwrap_or(0.0);
    Some(ControllerDescription { name, period, delay, kind })
}

impl ControllerTable {
    /// What a file says about a controller.
    pub(super) fn of(controller: &ControllerDescription) -> Result<Self, WriteError> {
        let ControllerDescription { name, period, delay, kind } = controller;
        let needed = || period.ok_or_else(|| WriteError::NoPeriod { controller: name.clone() });
        let own = match kind {
            ControllerKind::Pd { full_state, joints } => LawKind::Pd(PdKeys {
                ticks: MayTick::of(Some(needed()?)),
                model: WithModel { full_state: (*full_state).into(), ..WithModel::default() },
                joint: joints.iter().map(JointTable::of).collect::<Result<Vec<_>, _>>()?.into(),
                ..PdKeys::default()
            }),
            ControllerKind::StrainPd { joints } => {
                LawKind::StrainPd(StrainPd::of(needed()?, joints))
            }
            ControllerKind::Follow(follower) => LawKind::of_follower(follower, *period, name)?,
        };
        let all = ControllerKeys {
            name: name.clone().into(),
            delay: (*delay).into(),
            ..ControllerKeys::default()
        };
        Ok(Self { all, own })
    }
}

impl Ticks {
    /// The sampling period (s).
    pub(super) fn seconds(&self) -> f64 {
        self.period.value.unwrap_or(USUAL_PERIOD)
    }

    pub(super) fn of(period: Option<f64>) -> Self {
        Self { period: period.into(), ..Self::default() }
    }
}

impl PdKeys {
    fn kind(
        &self,
        reader: &mut Reader,
        around: &mut Surroundings<'_>,
        place: &FaultPlace,
    ) -> ControllerKind {
        let mut joints = Vec::new();
        for table in self.joint.get().into_iter().flatten() {
            if let Some(joint) = table.joint(reader, around) {
                around.listed.add(&place.key("joint"), &table.span);
                joints.push(joint);
            }
        }
        ControllerKind::Pd { full_state: self.model.full_state.value.unwrap_or(false), joints }
    }
}

impl JointTable {
    fn joint(&self, reader: &mut Reader, around: &mut Surroundings<'_>) -> Option<PdJoint> {
        let motor = self.motor.get()?.clone();
        let arm = around.arm;
        let velocity = around.velocity(&motor);
        let mut number =
            |field: &Field<Unread>| velocity.and_then(|v| field.of_motor(reader, arm, v));
        let (stiffness, damping) = (number(&self.stiffness), number(&self.damping));
        let limit = number(&self.limit);
        let coordinate = velocity.and_then(|v| arm.coordinate_of(v));
        let quantity = coordinate.map(|i| Side::Configuration.quantity(arm, i));
        let target = match self.target.get() {
            Some(TargetTable { own, .. }) => {
                signal(reader, around, own, quantity, Interpolation::Cubic)
            }
            None => Signal::Constant(0.0),
        };
        Some(PdJoint {
            motor,
            sensor: self.sensor.get().cloned(),
            stiffness: stiffness.unwrap_or(0.0),
            damping: damping.unwrap_or(0.0),
            limit,
            target,
        })
    }

    fn of(joint: &PdJoint) -> Result<Self, WriteError> {
        let limit = joint.limit.filter(|limit| limit.is_finite());
        Ok(Self {
            motor: joint.motor.clone().into(),
            sensor: joint.sensor.clone().into(),
            stiffness: Unread::new::<JointStiffness>(Value::Number(joint.stiffness)).into(),
            damping: Unread::new::<JointDamping>(Value::Number(joint.damping)).into(),
            limit: limit.map(|limit| Unread::new::<JointForce>(Value::Number(limit))).into(),
            target: TargetTable::of(&joint.target, &joint.motor)?.into(),
            ..Self::default()
        })
    }
}
