//! Controllers against the strains of links.

use super::controller::Ticks;
use super::shapes::Each;
use super::text::Surroundings;
use crate::node::Value;
use crate::reader::Reader;
use crate::shapes::{Flat, JointForce, JointStrainDamping, OfJoint, Text, Unread};
use crate::table::{Field, table};
use pliant::scenario::{ControllerKind, FaultPlace, StrainJoint};

table! {
    /// Proportional-derivative feedback of link strains, added to the forces of other controllers:
    /// the fast part of King's multirate scheme, 4.9.
    pub(crate) struct StrainPd = "strain-pd",
        "add its motors, each below a line [[controller.joint]] with motor, sensor, stiffness and damping";
    keys {
        /// When it acts.
        ticks: Flat<Ticks> [flat],
        /// The driven motors.
        joint: Each<StrainJointTable> [required],
    }
}

table! {
    /// A motor, the strain that it feeds back, and its gains.
    pub(crate) struct StrainJointTable = "a motor of strain-pd",
        "write motor, sensor, stiffness and damping below a line [[controller.joint]]";
    also { "kp" => "stiffness", "kd" => "damping" }
    keys {
        /// The coordinate of the motor.
        motor: Text [required],
        /// The name of the strain sensor.
        sensor: Text [required],
        /// Proportional gain, force per strain, opposing it.
        stiffness: OfJoint<JointForce> [required],
        /// Derivative gain, force per strain rate.
        damping: OfJoint<JointStrainDamping> [required],
        /// The largest force of the motor, in both directions.
        limit: OfJoint<JointForce> [or "none"],
    }
}

impl StrainPd {
    /// What it says, at this place of the scenario.
    pub(super) fn kind(
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
        ControllerKind::StrainPd { joints }
    }

    pub(super) fn of(period: f64, joints: &[StrainJoint]) -> Self {
        Self {
            ticks: Ticks::of(Some(period)),
            joint: joints.iter().map(StrainJointTable::of).collect::<Vec<_>>().into(),
            ..Self::default()
        }
    }
}

impl StrainJointTable {
    fn joint(&self, reader: &mut Reader, around: &Surroundings<'_>) -> Option<StrainJoint> {
        let (motor, sensor) = (self.motor.get()?.clone(), self.sensor.get()?.clone());
        let velocity = around.velocity(&motor);
        let mut number =
            |field: &Field<Unread>| velocity.and_then(|v| field.of_motor(reader, around.arm, v));
        let (stiffness, damping) = (number(&self.stiffness), number(&self.damping));
        Some(StrainJoint {
            motor,
            sensor,
            stiffness: stiffness.unwrap_or(0.0),
            damping: damping.unwrap_or(0.0),
            limit: number(&self.limit),
        })
    }

    fn of(joint: &StrainJoint) -> Self {
        let limit = joint.limit.filter(|limit| limit.is_finite());
        Self {
            motor: joint.motor.clone().into(),
            sensor: joint.sensor.clone().into(),
            stiffness: Unread::new::<JointForce>(Value::Number(joint.stiffness)).into(),
            damping: Unread::new::<JointStrainDamping>(Value::Number(joint.damping)).into(),
            limit: limit.map(|limit| Unread::new::<JointForce>(Value::Number(limit))).into(),
            ..Self::default()
        }
    }
}
