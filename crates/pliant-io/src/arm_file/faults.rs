//! What the builder refuses or doubts, pointed at in the text.

use super::bends::BendsSpans;
use super::joint::JointSpans;
use super::matter::Matter;
use super::{GROUND, beam_faults};
use crate::codes;
use crate::nearest::nearest;
use crate::node::quoted;
use crate::problem::Problem;
use pliant::arm::{Fault, FaultKind, Warning};
use std::ops::Range;

/// Where the parts of a link stand in the text.
#[derive(Clone, Debug, Default)]
pub(super) struct Spans {
    pub(super) link_name: String,
    pub(super) name: Range<usize>,
    pub(super) parent: Option<Range<usize>>,
    pub(super) placement: Option<Range<usize>>,
    pub(super) joint: JointSpans,
    pub(super) matter: Vec<Matter>,
    pub(super) frames: Vec<(String, Range<usize>)>,
    /// The section, or the stations.
    pub(super) section: Option<Range<usize>>,
    pub(super) bends: Option<BendsSpans>,
}

impl Spans {
    fn joint_span(&self) -> Range<usize> {
        if self.joint.whole.is_empty() { self.name.clone() } else { self.joint.whole.clone() }
    }

    /// Where the link, its joint or a frame on it gets a name.
    fn place_of_name(&self, what: &str, name: &str) -> Range<usize> {
        let of_frame = self.frames.iter().rfind(|(frame, _)| frame == name);
        match (what, of_frame, &self.joint.name) {
            ("frame", Some((_, span)), _) | ("joint" | "coordinate", _, Some((_, span))) => {
                span.clone()
            }
            _ => self.name.clone(),
        }
    }
}

/// The faults of the builder as problems of the file.
pub(super) fn problems(faults: &[Fault], links: &[Spans]) -> Vec<Problem> {
    let by_link = |fault: &&Fault| !follows_from_link_name(fault, faults);
    let faults = faults.iter().filter(by_link);
    faults.map(|fault| problem(fault, links)).collect()
}

/// A link whose name is taken has a joint and a frame of that name; saying it once is enough.
fn follows_from_link_name(fault: &Fault, faults: &[Fault]) -> bool {
    let FaultKind::DuplicateName { what, name } = &fault.kind else {
        return false;
    };
    *what != "link"
        && faults.iter().any(|other| {
            let of_link = FaultKind::DuplicateName { what: "link", name: name.clone() };
            other.link == fault.link && other.kind == of_link
        })
}

fn problem(fault: &Fault, links: &[Spans]) -> Problem {
    let spans = links.get(fault.link).cloned().unwrap_or_default();
    if let Some(problem) = beam_faults::problem(fault, &spans) {
        return problem;
    }
    let joint = spans.joint_span();
    let or_joint = |span: &Option<Range<usize>>| span.clone().unwrap_or_else(|| joint.clone());
    let (code, span, label, help) = match &fault.kind {
        FaultKind::DuplicateName { what, name } => (
            &codes::DUPLICATE_NAME,
            spans.place_of_name(what, name),
            "used again",
            match *what {
                "frame" => "give it another name; every link is also a frame of its own name, and its tip one of the name NAME.tip where it has a length".to_owned(),
                _ => "give it another name".to_owned(),
            },
        ),
        FaultKind::EmptyName { .. } => (
            &codes::EMPTY_NAME,
            spans.name.clone(),
            "empty",
            "give it a few letters".to_owned(),
        ),
        FaultKind::UnknownParent { parent } => (
            &codes::UNKNOWN_PARENT,
            spans.parent.clone().unwrap_or(spans.name.clone()),
            "no such link",
            known_parents(parent, &fault.name, links),
        ),
        FaultKind::Cycle { .. } => (
            &codes::CYCLE,
            spans.parent.clone().unwrap_or(spans.name.clone()),
            "comes back to this link",
            format!("let one of them hang on another link, or on parent = \"{GROUND}\""),
        ),
        FaultKind::ZeroAxis { .. } => (
            &codes::ZERO_AXIS,
            or_joint(&spans.joint.axis),
            "no direction",
            "give the direction of the axis, such as \"z\" or [0, 0, 1]".to_owned(),
        ),
        FaultKind::ParallelAxes => (
            &codes::PARALLEL_AXES,
            or_joint(&spans.joint.axis),
            "parallel",
            "give two different directions, such as axes = [\"x\", \"y\"]".to_owned(),
        ),
        FaultKind::NotFinite { .. } => (
            &codes::NOT_FINITE,
            spans.name.clone(),
            "of this link",
            "give finite numbers".to_owned(),
        ),
        FaultKind::NotARotation { error, .. } => (
            &codes::NOT_A_ROTATION,
            spans.placement.clone().unwrap_or(spans.name.clone()),
            "not a rotation",
            if *error == 2.0 {
                "the axes are left-handed: the third is the first times the second, x × y = z".to_owned()
            } else {
                "its rows must have length 1 and stand at right angles; or give rpy = [roll, pitch, yaw]".to_owned()
            },
        ),
        FaultKind::NegativeMass { mass } => (
            &codes::NEGATIVE_MASS,
            spans.matter_span(|m| m.mass == *mass, |m| &m.mass_span),
            "below zero",
            "give a mass of zero or more".to_owned(),
        ),
        FaultKind::NegativeInertia { .. } => (
            &codes::NEGATIVE_INERTIA,
            spans.matter_span(Matter::is_impossible, |m| &m.inertia_span),
            "no body has this inertia",
            "moments are positive, and products of inertia are small beside them; or describe a shape and let pliant compute it".to_owned(),
        ),
        FaultKind::Negative { quantity, .. } => (
            &codes::NEGATIVE_COEFFICIENT,
            or_joint(match *quantity {
                "stiffness" => &spans.joint.spring,
                "damping" => &spans.joint.damping,
                _ => &spans.joint.armature,
            }),
            "below zero",
            "give zero or more".to_owned(),
        ),
        FaultKind::WrongCount { quantity, .. } => (
            &codes::WRONG_COUNT,
            or_joint(match *quantity {
                "stiffness" => &spans.joint.spring,
                "rest position" => &spans.joint.rest,
                "damping" => &spans.joint.damping,
                "limits" => &spans.joint.limits,
                _ => &spans.joint.armature,
            }),
            "wrong number of entries",
            "give one per coordinate of the joint".to_owned(),
        ),
        FaultKind::Actuator(fault) => {
            let (span, label, help) = spans.joint.actuator.place(fault);
            (&codes::ACTUATOR, span, label, help.to_owned())
        }
        FaultKind::LimitsCrossed { lower, upper } => (
            &codes::LIMITS_CROSSED,
            or_joint(&spans.joint.limits),
            "lower above upper",
            format!("write the smaller one first: [{upper}, {lower}]"),
        ),
        FaultKind::NotAQuaternion { .. } => (
            &codes::NOT_A_QUATERNION,
            or_joint(&spans.joint.rest),
            "not of length 1",
            "the order is [w, x, y, z]; no turn is [1, 0, 0, 0]".to_owned(),
        ),
        // kinds of later versions of the builder
        _ => (
            &codes::REFUSED,
            spans.name.clone(),
            "this link",
            "see the message".to_owned(),
        ),
    };
    let message = fault.to_string();
    let message = if code == &codes::REFUSED { message } else { without_remedy(message) };
    let problem = Problem::error(code, message).at(span.clone()).label(label).help(help);
    match &fault.kind {
        FaultKind::DuplicateName { what, name } => {
            let earlier = first_use(what, name, links).filter(|first| *first != span);
            earlier.into_iter().fold(problem, |problem, first| problem.and_at(first, "used first"))
        }
        _ => problem,
    }
}

/// Where a name stands for the first time.
fn first_use(what: &str, name: &str, links: &[Spans]) -> Option<Range<usize>> {
    let bears = |link: &&Spans| match what {
        "link" => link.link_name == name,
        "frame" => link.link_name == name || link.frames.iter().any(|(frame, _)| frame == name),
        _ => link.joint.name.as_ref().map_or(&link.link_name, |(joint, _)| joint) == name,
    };
    let first = links.iter().find(bears)?;
    match what {
        "frame" if first.link_name == name => Some(first.name.clone()),
        "frame" => {
            let frame = first.frames.iter().find(|(frame, _)| frame == name);
            frame.map(|(_, span)| span.clone())
        }
        _ => Some(first.place_of_name(what, name)),
    }
}

impl Spans {
    /// The place of the first body that is at fault.
    fn matter_span(
        &self,
        at_fault: impl Fn(&Matter) -> bool,
        span: impl Fn(&Matter) -> &Range<usize>,
    ) -> Range<usize> {
        let body = self.matter.iter().find(|matter| at_fault(matter));
        body.map_or_else(|| self.name.clone(), |matter| span(matter).clone())
    }
}

/// A message without its last clause: the help says it better, since it knows the file.
fn without_remedy(message: String) -> String {
    match message.rsplit_once("; ") {
        Some((fault, remedy)) if !remedy.contains('"') => fault.to_owned(),
        _ => message,
    }
}

/// The name that was meant, or the names there are.
fn known_parents(parent: &str, own: &str, links: &[Spans]) -> String {
    let names = || links.iter().map(|link| link.link_name.as_str()).filter(|name| *name != own);
    if ["world", "base", "root"].contains(&parent) {
        return format!("what the arm stands on is called \"{GROUND}\"");
    }
    if let Some(near) = nearest(parent, names().chain([GROUND])) {
        format!("did you mean \"{near}\"?")
    } else {
        const SHOWN: usize = 8;
        let mut known: Vec<String> = names().take(SHOWN).map(quoted).collect();
        if names().count() > SHOWN {
            known.push("…".to_owned());
        }
        known.push(format!("\"{GROUND}\""));
        format!("it can hang on: {}", known.join(", "))
    }
}

/// What the builder doubts.
pub(super) fn warnings(warnings: &[Warning], links: &[Spans]) -> Vec<Problem> {
    let of = |name: &str| links.iter().find(|link| link.link_name == name);
    let problem = |warning: &Warning| match warning {
        Warning::TriangleInequality { link, .. } => {
            let span =
                of(link).map(|l| l.matter_span(Matter::violates_triangle, |m| &m.inertia_span));
            (
                &codes::TRIANGLE_INEQUALITY,
                span,
                "no body has these moments",
                "swap axes that were mixed up, or describe a shape and let pliant compute it",
            )
        }
        Warning::NegativeInertia { link, .. } => (
            &codes::NEGATIVE_INERTIA,
            of(link).map(|l| l.matter_span(Matter::is_impossible, |m| &m.inertia_span)),
            "no body has this inertia",
            "check signs and products of inertia; the numbers are used as they are",
        ),
        Warning::MovesNothing { link } => (
            &codes::MOVES_NOTHING,
            of(link).map(|link| link.name.clone()),
            "moves no mass",
            "give this link, or one that it carries, mass or inertia; or give the joint armature",
        ),
        _ => (&codes::DOUBTFUL, None, "", "see the message"),
    };
    warnings
        .iter()
        .map(|warning| {
            if let Some(problem) = beam_faults::warning(warning, links) {
                return problem;
            }
            let (code, span, label, help) = problem(warning);
            let problem = Problem::warning(code, warning.to_string()).label(label).help(help);
            match span {
                Some(span) => problem.at(span),
                None => problem,
            }
        })
        .collect()
}
