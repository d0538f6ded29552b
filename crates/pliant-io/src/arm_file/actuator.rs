//! What drives a joint.

use crate::codes;
use crate::node::Value;
use crate::problem::Problem;
use crate::reader::Reader;
use crate::shapes::{
    Force, InJoint, Inertia, JointDamping, JointForce, JointSpeed, JointStiffness, Moment, Number,
    OfJoint, Plain, Unread,
};
use crate::table::{Field, table};
use pliant::arm::{Actuator, ActuatorFault, Joint};
use std::ops::Range;

table! {
    /// The actuator of a revolute or prismatic joint. All values are on the joint side of the gear,
    /// except the rotor inertia.
    pub(crate) struct ActuatorTable = "an actuator",
        "write { torque = \"50 N m\", speed = \"3 rad/s\", rotor_inertia = \"1e-4 kg m^2\", gear = 100 }";
    elsewhere {
        "armature" => "it belongs to the joint; or give rotor_inertia and gear",
        "friction" => "it is called coulomb, with coulomb_speed",
        "velocity" => "it is called speed",
        "effort" => "it is called torque, or force where the joint slides",
    }
    keys {
        /// The largest torque of a revolute joint's motor, in both directions.
        torque: Number<Moment> [or "no limit"],
        /// The largest force of a prismatic joint's motor, in both directions.
        force: Number<Force> [or "no limit"],
        /// The speed limit of the motor: its driving force falls to zero between this speed and 10
        /// % above it. Braking is not limited.
        speed: OfJoint<JointSpeed> [or "no limit"],
        /// The inertia of the rotor about its own axis. Multiplied by gear squared, it is added to
        /// armature.
        rotor_inertia: Number<Inertia> [= 0.0],
        /// The gear ratio: revolutions of the rotor per revolution of the joint, 100 for a gear of
        /// 100:1; for a prismatic joint, radians of the rotor per metre.
        gear: Number<Plain> [= 1.0],
        /// Stiffness of a spring between motor and link, which makes the joint elastic: the motor
        /// gets its own coordinate, NAME.motor.
        stiffness: OfJoint<JointStiffness> [or "a rigid joint"],
        /// Damping parallel to that spring.
        damping: OfJoint<JointDamping> [or "none"],
        /// Viscous friction of motor and gear.
        viscous: OfJoint<JointDamping> [or "none"],
        /// Dry friction of motor and gear; it needs coulomb_speed.
        coulomb: OfJoint<JointForce> [or "none"],
        /// The speed over which dry friction changes sign: it is coulomb u / sqrt(u^2 +
        /// coulomb_speed^2).
        coulomb_speed: OfJoint<JointSpeed> [or "required with coulomb"],
    }
}

impl ActuatorTable {
    /// The actuator of a joint that it describes.
    pub(super) fn actuator(&self, reader: &mut Reader, joint: &Joint) -> Option<Actuator> {
        let turns = match joint.turns() {
            [turns] => *turns,
            // the builder refuses it
            _ => true,
        };
        let (limit, wrong, right) = if turns {
            (&self.torque, self.force.given(), "torque")
        } else {
            (&self.force, self.torque.given(), "force")
        };
        if let Some(wrong) = wrong {
            let word = joint.word();
            reader.push(
                Problem::error(&codes::CONFLICT, format!("a {word} joint has no {}", wrong.name))
                    .at(wrong.key.clone())
                    .label("not for this kind of joint")
                    .help(format!("write {right}")),
            );
        }
        let given = Actuator::default();
        let mut number = |field: &Field<Unread>, unsaid: f64| {
            let Some((place, unread)) = field.given().zip(field.get()) else { return Some(unsaid) };
            reader.number(place.name, &unread.node, unread.measure.of(turns))
        };
        let speed = number(&self.speed, given.speed);
        let stiffness = number(&self.stiffness, 0.0);
        let damping = number(&self.damping, given.damping);
        let viscous = number(&self.viscous, given.viscous);
        let coulomb = number(&self.coulomb, given.coulomb);
        let coulomb_speed = number(&self.coulomb_speed, given.coulomb_speed);
        Some(Actuator {
            force: limit.or(given.force)?,
            speed: speed?,
            rotor_inertia: self.rotor_inertia.value?,
            gear: self.gear.value?,
            stiffness: stiffness.map(|stiffness| self.stiffness.is_given().then_some(stiffness))?,
            damping: damping?,
            viscous: viscous?,
            coulomb: coulomb?,
            coulomb_speed: coulomb_speed?,
        })
    }

    /// What describes an actuator of a joint that turns, or slides.
    pub(super) fn of(actuator: &Actuator, turns: bool) -> Self {
        let unsaid = Actuator::default();
        let limit = Some(actuator.force).filter(|force| *force != unsaid.force);
        Self {
            torque: limit.filter(|_| turns).into(),
            force: limit.filter(|_| !turns).into(),
            speed: said::<JointSpeed>(actuator.speed, unsaid.speed),
            rotor_inertia: actuator.rotor_inertia.into(),
            gear: actuator.gear.into(),
            stiffness: actuator
                .stiffness
                .map(Value::Number)
                .map(Unread::new::<JointStiffness>)
                .into(),
            damping: said::<JointDamping>(actuator.damping, unsaid.damping),
            viscous: said::<JointDamping>(actuator.viscous, unsaid.viscous),
            coulomb: said::<JointForce>(actuator.coulomb, unsaid.coulomb),
            coulomb_speed: said::<JointSpeed>(actuator.coulomb_speed, unsaid.coulomb_speed),
            ..Self::default()
        }
    }

    /// Where the fault of an actuator lies, a word for it, and how to mend it.
    pub(super) fn place(
        &self,
        fault: &ActuatorFault,
    ) -> (Range<usize>, &'static str, &'static str) {
        let of = |key: &str| {
            let keys = [
                self.speed.given(),
                self.rotor_inertia.given(),
                self.gear.given(),
                self.stiffness.given(),
                self.damping.given(),
                self.viscous.given(),
                self.coulomb.given(),
            ];
            let found = keys.into_iter().flatten().find(|place| place.name == key);
            found.map_or(&self.span, |place| &place.value).clone()
        };
        match fault {
            ActuatorFault::Joint { .. } => (
                self.span.clone(),
                "for joints with one coordinate",
                "remove it, or describe the joint by revolute and prismatic ones in a row",
            ),
            ActuatorFault::NotPositive { quantity: "force", .. } => {
                let limit = self.force.span().unwrap_or_else(|| self.torque.span_or(&self.span));
                (limit, "not above zero", "leave it out if there is no limit")
            }
            ActuatorFault::NotPositive { quantity: "coulomb_speed", .. } => (
                self.coulomb_speed.span_or(&self.coulomb.span_or(&self.span)),
                "over which speed?",
                "add coulomb_speed, a small part of the usual speed, such as coulomb_speed = 0.01",
            ),
            ActuatorFault::NotPositive { quantity, .. } => {
                (of(quantity), "not above zero", "give more than zero, or leave it out")
            }
            ActuatorFault::Negative { quantity, .. } => {
                (of(quantity), "below zero", "give zero or more")
            }
            ActuatorFault::NoRotor => (
                self.stiffness.span_or(&self.span),
                "ends at a motor without inertia",
                "add rotor_inertia = \"1e-4 kg m^2\"; or give the joint a spring instead",
            ),
            ActuatorFault::NoSpring => (
                self.damping.span_or(&self.span),
                "beside no spring",
                "add stiffness; or friction of motor and gear is viscous, and that of the joint its own damping",
            ),
        }
    }
}

/// A number where it is not the usual one.
fn said<M: InJoint>(own: f64, unsaid: f64) -> Field<Unread> {
    (own != unsaid).then(|| Unread::new::<M>(Value::Number(own))).into()
}
