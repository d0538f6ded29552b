//! Proportional-derivative control with gravity compensation.

use super::{LawKeys, MayTick, WithModel, shared_keys};
use crate::reader::Reader;
use crate::scenario::gains::{of_joints, per_joint};
use crate::scenario::text::Surroundings;
use crate::shapes::{Flat, JointDamping, JointStiffness, OfCoordinates};
use crate::table::table;
use pliant::control::{GravityPdDescription, PerJoint};

table! {
    /// Proportional-derivative control of each joint to the plan, plus gravity compensation by the
    /// model.
    pub(crate) struct GravityPdKeys = "gravity-pd",
        "write stiffness = { upper = 100 } and damping = { upper = 10 }";
    also { "kp" => "stiffness", "kd" => "damping" }
    keys {
        /// When it acts.
        ticks: Flat<MayTick> [flat],
        /// Its measurements and its model.
        model: Flat<WithModel> [flat],
        /// Proportional gain of each joint by name.
        stiffness: OfCoordinates<JointStiffness> [required],
        /// Derivative gain of each joint by name.
        damping: OfCoordinates<JointDamping> [required],
    }
}

impl LawKeys for GravityPdKeys {
    type Law = GravityPdDescription;
    shared_keys!();

    fn law(&self, reader: &mut Reader, around: &Surroundings<'_>) -> GravityPdDescription {
        let stiffness = per_joint(reader, around, &self.stiffness);
        let damping = per_joint(reader, around, &self.damping);
        let [stiffness, damping] =
            [stiffness, damping].map(|gain| gain.unwrap_or(PerJoint::All(0.0)));
        GravityPdDescription { stiffness, damping }
    }

    fn of(law: &GravityPdDescription, period: Option<f64>, model: WithModel) -> Option<Self> {
        Some(Self {
            ticks: MayTick::of(period),
            model,
            stiffness: of_joints::<JointStiffness>(&law.stiffness),
            damping: of_joints::<JointDamping>(&law.damping),
            ..Self::default()
        })
    }
}
