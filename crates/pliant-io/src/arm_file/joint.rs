//! The joint of a link.

use super::actuator::{self, ActuatorSpans};
use super::keys::{self, JOINT_KINDS};
use crate::codes;
use crate::coordinates::{self, ARMATURE, DAMPING, SPRING};
use crate::node::{Node, Value};
use crate::problem::Problem;
use crate::reader::{Fields, Reader};
use pliant::arm::{Joint, Link};
use std::ops::Range;

/// Where the parts of a joint stand in the text.
#[derive(Clone, Debug, Default)]
pub(super) struct JointSpans {
    pub(super) whole: Range<usize>,
    /// The name and its place.
    pub(super) name: Option<(String, Range<usize>)>,
    pub(super) axis: Option<Range<usize>>,
    pub(super) limits: Option<Range<usize>>,
    pub(super) spring: Option<Range<usize>>,
    pub(super) rest: Option<Range<usize>>,
    pub(super) damping: Option<Range<usize>>,
    pub(super) armature: Option<Range<usize>>,
    pub(super) actuator: ActuatorSpans,
}

/// Adds the joint that `node` describes to a link. `by_row`: a Denavit-Hartenberg row says where
/// it is, and so its axis is z.
pub(super) fn joint(
    reader: &mut Reader,
    node: &Node,
    link: Link,
    by_row: bool,
) -> (Link, JointSpans) {
    let mut spans = JointSpans { whole: node.span.clone(), ..JointSpans::default() };
    if let Value::Text(_) = node.value {
        let kind = reader.word("joint", node, JOINT_KINDS.iter().copied());
        let link = match kind.and_then(|kind| plain(kind, [0.0, 0.0, 1.0])) {
            Some(joint) => link.joint(joint),
            None => link,
        };
        return (link, spans);
    }
    let Some(fields) = reader.fields("joint", node, &keys::JOINT) else {
        return (link, spans);
    };
    let span = |key: &str| fields.get(key).map(|node| node.span.clone());
    spans.name = match fields.get("name") {
        Some(Node { span, value: Value::Text(name) }) => Some((name.clone(), span.clone())),
        _ => None,
    };
    spans.axis = span("axis").or_else(|| span("axes"));
    spans.limits = span("limits");
    spans.spring = span("spring");
    spans.rest = span("rest");
    spans.damping = span("damping");
    spans.armature = span("armature");
    let Some(joint) = kind(reader, &fields, by_row) else {
        return (link, spans);
    };
    let mut link = complete(reader, &fields, link.joint(joint), &joint);
    if let Some(node) = fields.get("actuator") {
        let (actuator, places) = actuator::actuator(reader, node, &joint);
        spans.actuator = places;
        link = actuator.into_iter().fold(link, Link::actuator);
    }
    (link, spans)
}

/// A joint by its word, along an axis where it has one.
fn plain(kind: &str, axis: [f64; 3]) -> Option<Joint> {
    Some(match kind {
        "fixed" => Joint::Fixed,
        "revolute" => Joint::Revolute { axis },
        "prismatic" => Joint::Prismatic { axis },
        "cylindrical" => Joint::Cylindrical { axis },
        "universal" => Joint::Universal { first: [1.0, 0.0, 0.0], second: [0.0, 1.0, 0.0] },
        "planar" => Joint::Planar,
        "spherical" => Joint::Spherical,
        "free" => Joint::Free,
        _ => return None,
    })
}

fn kind(reader: &mut Reader, fields: &Fields<'_>, by_row: bool) -> Option<Joint> {
    let word =
        reader.word("the kind of joint", fields.get("kind")?, JOINT_KINDS.iter().copied())?;
    let axis = fields.get("axis").map(|node| reader.axis("axis", node));
    let joint = plain(word, axis.unwrap_or(Some([0.0, 0.0, 1.0]))?)?;
    let (has_axis, has_axes) = match joint {
        Joint::Revolute { .. } | Joint::Prismatic { .. } | Joint::Cylindrical { .. } => {
            (true, false)
        }
        Joint::Universal { .. } => (false, true),
        _ => (false, false),
    };
    for (key, may) in [("axis", has_axis), ("axes", has_axes)] {
        if let (false, Some(entry)) = (may, fields.entry(key)) {
            let help = match (key, &joint) {
                ("axis", Joint::Universal { .. }) => {
                    "a universal joint has two: axes = [\"x\", \"y\"]".to_owned()
                }
                ("axes", _) if has_axis => "it has one: axis = \"z\"".to_owned(),
                _ => format!("remove {key}"),
            };
            reader.push(
                Problem::error(&codes::CONFLICT, format!("a {word} joint has no {key}"))
                    .at(entry.key_span.clone())
                    .label("not for this kind of joint")
                    .help(help),
            );
        }
    }
    if let (true, Some(Some([x, y, _])), Some(entry)) = (by_row, axis, fields.entry("axis"))
        && (x, y) != (0.0, 0.0)
    {
        let message = "both dh and axis are given; a Denavit-Hartenberg row puts the axis along z";
        reader.push(
            Problem::error(&codes::CONFLICT, message)
                .at(entry.key_span.clone())
                .help("remove axis; another direction comes from alpha in the row before"),
        );
    }
    match (joint, fields.get("axes")) {
        (Joint::Universal { .. }, Some(node)) => {
            let [first, second]: &[Node; 2] = reader.list("axes", node, "[\"x\", \"y\"]")?;
            let (first, second) = (reader.axis("axes", first), reader.axis("axes", second));
            Some(Joint::Universal { first: first?, second: second? })
        }
        _ => Some(joint),
    }
}

/// Name, limits, springs, dampers, armature.
fn complete(reader: &mut Reader, fields: &Fields<'_>, mut link: Link, joint: &Joint) -> Link {
    if let Some(name) = fields.get("name").and_then(|node| reader.text("name", node)) {
        link = link.joint_name(name);
    }
    if let Some(node) = fields.get("limits")
        && let Some(limits) = coordinates::limits(reader, node, joint)
    {
        link = link.limits(&limits);
    }
    let mut coefficients = |key: &str, measure| {
        let node = fields.get(key)?;
        coordinates::coefficients(reader, key, node, joint, measure)
    };
    let spring = coefficients("spring", SPRING);
    if let Some(damping) = coefficients("damping", DAMPING) {
        link = link.damping(&damping);
    }
    if let Some(armature) = coefficients("armature", ARMATURE) {
        link = link.armature(&armature);
    }
    let rest = fields.entry("rest").map(|entry| {
        if fields.get("spring").is_none() {
            reader.push(
                Problem::error(&codes::MISSING_KEY, "there is a rest position but no spring")
                    .at(entry.key_span.clone())
                    .help("add spring = \"50 N m/rad\", or remove rest"),
            );
        }
        coordinates::configuration(reader, "rest", &entry.node, joint)
    });
    if let Some(spring) = spring {
        let rest = rest.flatten().unwrap_or_default();
        link = link.spring(&spring, &rest);
    }
    match reader.is_set(fields, "prescribed") {
        Some(true) => link.prescribed(),
        _ => link,
    }
}
