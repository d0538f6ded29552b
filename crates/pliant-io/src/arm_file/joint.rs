//! The joint of a link.

use super::actuator::ActuatorTable;
use crate::codes;
use crate::coordinates;
use crate::node::{Node, Value};
use crate::problem::Problem;
use crate::reader::Reader;
use crate::shapes::{
    AsWritten, Axes, Axis, Either, Flag, InJoint, JointDamping, JointInertia, JointPosition,
    JointStiffness, LimitsOfJoint, OfCoordinates, One, Text, Unread, Word, entries, numbers,
    unplaced, words,
};
use crate::spec::Form;
use crate::table::{Field, Shape, table};
use pliant::arm::{Joint, Limits, Link, LinkParts};
use std::ops::Range;

/// The axis of a joint that says nothing of it.
const Z: [f64; 3] = [0.0, 0.0, 1.0];

words! { Joint:
    "fixed" => Joint::Fixed,
    "revolute" => Joint::Revolute { axis: Z },
    "prismatic" => Joint::Prismatic { axis: Z },
    "cylindrical" => Joint::Cylindrical { axis: Z },
    "universal" => Joint::Universal { first: [1.0, 0.0, 0.0], second: [0.0, 1.0, 0.0] },
    "planar" => Joint::Planar,
    "spherical" => Joint::Spherical,
    "free" => Joint::Free,
}

/// The kind of a joint: a joint along the usual axes.
pub(crate) struct JointKind;

impl Shape for JointKind {
    type Value = Joint;
    const FORM: Form = <Word<Joint> as Shape>::FORM;
    fn read(reader: &mut Reader, _: &str, node: &Node) -> Option<Joint> {
        Word::read(reader, "the kind of joint", node)
    }
    fn write(value: &Joint) -> Value {
        Value::Text(value.word().to_owned())
    }
}

table! {
    /// A joint of 0 to 6 degrees of freedom.
    pub(crate) struct JointTable = "a joint", "write { kind = \"revolute\", axis = \"z\" }";
    elsewhere {
        "friction" => "it belongs to the actuator: coulomb and coulomb_speed",
        "gear" => "it belongs to the actuator: actuator = { gear = 100 }",
        "torque" => "it belongs to the actuator: actuator = { torque = \"50 N m\" }",
        "slides" => "it belongs to the bending of the link: bends = { y = 2, slides = { from = \"0.3 m\", to = \"1 m\" } }",
    }
    keys {
        /// The kind of joint.
        kind: JointKind [required],
        /// The axis of a revolute, prismatic or cylindrical joint: "x", "-y" or [1, 1, 0].
        axis: Axis [or "\"z\""],
        /// The two axes of a universal joint: the first stays with the parent, the second with the
        /// link.
        axes: Axes [or "[\"x\", \"y\"]"],
        /// The name of the joint's coordinates.
        name: Text [or "the link's name"],
        /// The range: ["-170 deg", "170 deg"]; by coordinate if there are several.
        limits: AsWritten<LimitsOfJoint> [or "no limits"],
        /// Stiffness of a spring in the joint.
        spring: OfCoordinates<JointStiffness> [or "no spring"],
        /// Position at which the spring is relaxed.
        rest: OfCoordinates<JointPosition> [or "the neutral configuration"],
        /// Viscous damping.
        damping: OfCoordinates<JointDamping> [or "none"],
        /// Reflected inertia of the motor: rotor inertia times gear ratio squared.
        armature: OfCoordinates<JointInertia> [or "none"],
        /// The actuator of a joint of one coordinate: limits, rotor and gear, friction, and the
        /// spring of an elastic joint.
        actuator: One<ActuatorTable> [or "a motor without limits"],
        /// True if the motion is given and the force is computed. In an elastic joint it is the
        /// motion of the motor.
        prescribed: Flag [= false],
    }
}

/// Adds the joint that a file describes to a link. `by_row`: a Denavit-Hartenberg row says where it
/// is, and so its axis is z.
pub(super) fn joint(
    reader: &mut Reader,
    joint: &Either<Joint, JointTable>,
    link: Link,
    by_row: bool,
) -> Link {
    match joint {
        Either::Short(joint) => link.joint(*joint),
        Either::Table(table) => match table.kind.value {
            Some(usual) => {
                let joint = table.joint(reader, usual, by_row).unwrap_or(usual);
                table.complete(reader, link.joint(joint), &joint)
            }
            None => link,
        },
    }
}

impl JointTable {
    /// The joint along its axes, `usual` along the usual ones; `None` where they are wrong.
    fn joint(&self, reader: &mut Reader, usual: Joint, by_row: bool) -> Option<Joint> {
        let word = usual.word();
        let axis = self.axis.or(Z)?;
        let (joint, has_axis, has_axes) = match usual {
            Joint::Revolute { .. } => (Joint::Revolute { axis }, true, false),
            Joint::Prismatic { .. } => (Joint::Prismatic { axis }, true, false),
            Joint::Cylindrical { .. } => (Joint::Cylindrical { axis }, true, false),
            Joint::Universal { first, second } => {
                let [first, second] = self.axes.or([first, second])?;
                (Joint::Universal { first, second }, false, true)
            }
            other => (other, false, false),
        };
        for (may, place, help) in [
            (has_axis, self.axis.given(), "a universal joint has two: axes = [\"x\", \"y\"]"),
            (has_axes, self.axes.given(), "it has one: axis = \"z\""),
        ] {
            let Some(place) = place.filter(|_| !may) else { continue };
            let key = place.name;
            let help = if has_axis || has_axes { help.into() } else { format!("remove {key}") };
            reader.push(
                Problem::error(&codes::CONFLICT, format!("a {word} joint has no {key}"))
                    .at(place.key.clone())
                    .label("not for this kind of joint")
                    .help(help),
            );
        }
        if let (true, [x, y, _], Some(place)) = (by_row, axis, self.axis.given())
            && (x, y) != (0.0, 0.0)
        {
            let message =
                "both dh and axis are given; a Denavit-Hartenberg row puts the axis along z";
            reader.push(
                Problem::error(&codes::CONFLICT, message)
                    .at(place.key.clone())
                    .help("remove axis; another direction comes from alpha in the row before"),
            );
        }
        Some(joint)
    }

    /// Adds name, limits, springs, dampers, armature and the actuator.
    fn complete(&self, reader: &mut Reader, mut link: Link, joint: &Joint) -> Link {
        if let Some(name) = self.name.get() {
            link = link.joint_name(name);
        }
        if let Some(node) = self.limits.get()
            && let Some(limits) = coordinates::limits(reader, node, joint)
        {
            link = link.limits(&limits);
        }
        let mut coefficients = |field: &Field<Unread>| {
            let (place, unread) = field.given().zip(field.get())?;
            let Unread { node, measure } = unread;
            coordinates::coefficients(reader, place.name, node, joint, *measure)
        };
        let spring = coefficients(&self.spring);
        if let Some(damping) = coefficients(&self.damping) {
            link = link.damping(&damping);
        }
        if let Some(armature) = coefficients(&self.armature) {
            link = link.armature(&armature);
        }
        let rest = self.rest.given().zip(self.rest.get()).map(|(place, rest)| {
            if !self.spring.is_given() {
                reader.push(
                    Problem::error(&codes::MISSING_KEY, "there is a rest position but no spring")
                        .at(place.key.clone())
                        .help("add spring = \"50 N m/rad\", or remove rest"),
                );
            }
            coordinates::configuration(reader, place.name, &rest.node, joint)
        });
        if let Some(spring) = spring {
            let rest = rest.flatten().unwrap_or_default();
            link = link.spring(&spring, &rest);
        }
        if self.prescribed.value == Some(true) {
            link = link.prescribed();
        }
        let actuator = self.actuator.get().and_then(|table| table.actuator(reader, joint));
        actuator.into_iter().fold(link, Link::actuator)
    }

    /// What describes the joint of a link.
    pub(super) fn of(link: &LinkParts<'_>) -> Self {
        let (axis, axes) = match link.joint.axes()[..] {
            [axis] => (Some(axis), None),
            [first, second] => (None, Some([first, second])),
            _ => (None, None),
        };
        let turns = link.joint.turns() == [true];
        Self {
            kind: link.joint.into(),
            axis: axis.into(),
            axes: axes.into(),
            name: link.joint_name.filter(|name| *name != link.name).map(str::to_owned).into(),
            limits: limits(link).into(),
            spring: per_coordinate::<JointStiffness>(link.stiffness),
            rest: per_coordinate::<JointPosition>(link.rest),
            damping: per_coordinate::<JointDamping>(link.damping),
            armature: per_coordinate::<JointInertia>(link.armature),
            actuator: link.actuator.map(|actuator| ActuatorTable::of(actuator, turns)).into(),
            prescribed: link.prescribed.into(),
            ..Self::default()
        }
    }

    /// Where its axes stand, or else the whole.
    pub(super) fn axis_span(&self) -> Range<usize> {
        self.axis.span_or(&self.axes.span_or(&self.span))
    }
}

/// A pair where there is one coordinate, or pairs by coordinate.
fn limits(link: &LinkParts<'_>) -> Option<Node> {
    let pair = |limits: &Limits| numbers(&[limits.lower, limits.upper]);
    if let [only] = link.limits {
        return only.as_ref().map(|only| unplaced(pair(only)));
    }
    let given = link.joint.configuration_suffixes().iter().zip(link.limits);
    let given: Vec<(String, Value)> = given
        .filter_map(|(suffix, limits)| Some(((*suffix).to_owned(), pair(limits.as_ref()?))))
        .collect();
    (!given.is_empty()).then(|| unplaced(entries(given)))
}

/// A number where there is one coordinate, or a list; nothing where nothing is said.
fn per_coordinate<M: InJoint>(values: &[f64]) -> Field<Unread> {
    let value = match values {
        [] => None,
        [one] => Some(Value::Number(*one)),
        several => Some(numbers(several)),
    };
    value.map(Unread::new::<M>).into()
}
