//! Proportional-integral-derivative control along the plan.

use super::{LawKeys, MayTick, WithModel, shared_keys};
use crate::reader::Reader;
use crate::scenario::controller::{JointTable, Ticks};
use crate::scenario::gains::{of_joints, per_joint};
use crate::scenario::refusal::CONTROLLER;
use crate::scenario::shapes::Each;
use crate::scenario::text::Surroundings;
use crate::shapes::{
    Flag, Flat, JointDamping, JointIntegral, JointStiffness, OfCoordinates, Unread,
};
use crate::table::{Field, Place, table};
use pliant::control::{PerJoint, PidDescription};

table! {
    /// Proportional-derivative control: of the joints of the plan to the plan, or of each joint below
    /// a line [[controller.joint]] to its own target. The rate of a joint is the difference quotient
    /// of its encoder.
    pub(crate) struct PdKeys = "pd",
        "write stiffness = { upper = 100 } and damping = { upper = 10 }";
    elsewhere {
        "integral" => "a law with an integral is kind = \"pid\"",
        "motor" => "it belongs to a joint: put it below a line [[controller.joint]]",
        "sensor" => "it belongs to a joint: put it below a line [[controller.joint]]",
        "target" => "it belongs to a joint: put it below a line [[controller.joint]]",
    }
    also { "kp" => "stiffness", "kd" => "damping" }
    keys {
        /// When it acts.
        ticks: Flat<MayTick> [flat],
        /// Its measurements and its model.
        model: Flat<WithModel> [flat],
        /// Proportional gain of each joint of the plan by name.
        stiffness: OfCoordinates<JointStiffness> [or "required, unless joints are listed"],
        /// Derivative gain of each joint of the plan by name.
        damping: OfCoordinates<JointDamping> [or "required, unless joints are listed"],
        /// Whether it adds the forces that the plan needs by its model.
        feedforward: Flag [= true],
        /// The driven joints with targets of their own.
        joint: Each<JointTable> [or "the joints follow the plan"],
    }
}

table! {
    /// Proportional-integral-derivative control of the joints to the plan. The integral stops while a
    /// motor is at its limit, unless it would come back from it.
    pub(crate) struct PidKeys = "pid",
        "write stiffness = { upper = 100 }, damping = { upper = 10 } and integral = { upper = 50 }";
    also { "kp" => "stiffness", "kd" => "damping", "ki" => "integral" }
    keys {
        /// When it acts.
        ticks: Flat<Ticks> [flat],
        /// Its measurements and its model.
        model: Flat<WithModel> [flat],
        /// Proportional gain of each joint by name.
        stiffness: OfCoordinates<JointStiffness> [required],
        /// Derivative gain of each joint by name.
        damping: OfCoordinates<JointDamping> [required],
        /// Integral gain of each joint by name.
        integral: OfCoordinates<JointIntegral> [required],
        /// Whether it adds the forces that the plan needs by its model.
        feedforward: Flag [= true],
    }
}

/// Gains of the joints of the plan; what cannot be read has been told.
fn gains(reader: &mut Reader, around: &Surroundings<'_>, field: &Field<Unread>) -> PerJoint {
    per_joint(reader, around, field).unwrap_or(PerJoint::All(0.0))
}

impl LawKeys for PidKeys {
    type Law = PidDescription;
    shared_keys!();

    fn law(&self, reader: &mut Reader, around: &Surroundings<'_>) -> PidDescription {
        PidDescription {
            stiffness: gains(reader, around, &self.stiffness),
            damping: gains(reader, around, &self.damping),
            integral: gains(reader, around, &self.integral),
            feedforward: self.feedforward.value.unwrap_or(true),
        }
    }

    fn of(law: &PidDescription, period: Option<f64>, model: WithModel) -> Option<Self> {
        (!law.is_pd()).then(|| Self {
            ticks: Ticks::of(period),
            model,
            stiffness: of_joints::<JointStiffness>(&law.stiffness),
            damping: of_joints::<JointDamping>(&law.damping),
            integral: of_joints::<JointIntegral>(&law.integral),
            feedforward: law.feedforward.into(),
            ..Self::default()
        })
    }
}

impl LawKeys for PdKeys {
    type Law = PidDescription;
    shared_keys!();

    fn law(&self, reader: &mut Reader, around: &Surroundings<'_>) -> PidDescription {
        for (key, field) in [("stiffness", &self.stiffness), ("damping", &self.damping)] {
            if !field.is_given() {
                let message = format!("it has no {key}");
                let help = "give one to each joint of the plan by name, or list joints with targets of their own, each below a line [[controller.joint]]";
                CONTROLLER.refuse(reader, self.span.clone(), message, help);
            }
        }
        PidDescription {
            stiffness: gains(reader, around, &self.stiffness),
            damping: gains(reader, around, &self.damping),
            integral: PerJoint::All(0.0),
            feedforward: self.feedforward.value.unwrap_or(true),
        }
    }

    fn of(law: &PidDescription, period: Option<f64>, model: WithModel) -> Option<Self> {
        law.is_pd().then(|| Self {
            ticks: MayTick::of(period),
            model,
            stiffness: of_joints::<JointStiffness>(&law.stiffness),
            damping: of_joints::<JointDamping>(&law.damping),
            feedforward: law.feedforward.into(),
            ..Self::default()
        })
    }
}

impl PdKeys {
    /// Refuses what joints with targets of their own do not have.
    pub(in crate::scenario) fn refuse_plan_keys(&self, reader: &mut Reader) {
        let own = &self.model;
        let given: [(&str, Option<&Place>); 9] = [
            ("stiffness", self.stiffness.given()),
            ("damping", self.damping.given()),
            ("feedforward", self.feedforward.given()),
            ("sensors", own.sensors.given()),
            ("estimator", own.estimator.given()),
            ("model", own.model.given()),
            ("knows_loads", own.knows_loads.given()),
            ("limits", own.limits.given()),
            ("saturation", own.saturation.given()),
        ];
        for (key, place) in given {
            if let Some(place) = place {
                let message = format!("both joints of its own and {key} are given");
                let help = "each joint below a line [[controller.joint]] has its gains, sensor and limit there; without such lines the joints follow the plan";
                CONTROLLER.refuse(reader, place.value.clone(), message, help);
            }
        }
    }
}
