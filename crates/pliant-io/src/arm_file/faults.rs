//! What the builder refuses or doubts, pointed at in the text.

use super::bends::Bends;
use super::joint::JointTable;
use super::link::LinkTable;
use super::matter::Matter;
use super::{GROUND, beam_faults};
use crate::codes;
use crate::nearest::nearest;
use crate::node::quoted;
use crate::problem::Problem;
use crate::shapes::Either;
use crate::table::Field;
use crate::toml_out;
use pliant::Help;
use pliant::arm::{Arm, Fault, FaultKind, Warning};
use std::ops::Range;

/// A link as the file describes it, and the matter that it has by that.
#[derive(Clone, Debug, Default)]
pub(super) struct FileLink {
    pub(super) table: LinkTable,
    pub(super) matter: Vec<Matter>,
}

impl FileLink {
    /// Its name.
    pub(super) fn name(&self) -> &str {
        self.table.name.get().map_or("", String::as_str)
    }

    /// Where its name stands.
    pub(super) fn name_span(&self) -> Range<usize> {
        self.table.name.span_or(&self.table.span)
    }

    /// Where the value of a key stands, or else its name.
    pub(super) fn span_of<T>(&self, field: &Field<T>) -> Range<usize> {
        field.span().unwrap_or_else(|| self.name_span())
    }

    /// How it bends.
    pub(super) fn bends(&self) -> Option<&Bends> {
        self.table.along.bends.get()
    }

    /// Its joint, where it is described by a table.
    fn joint(&self) -> Option<&JointTable> {
        self.table.joint.get().and_then(Either::table)
    }

    /// Where a key of the joint stands, or else the joint.
    fn span_in_joint<T>(&self, key: impl Fn(&JointTable) -> &Field<T>) -> Range<usize> {
        let of_key = self.joint().and_then(|joint| key(joint).span());
        of_key.unwrap_or_else(|| self.span_of(&self.table.joint))
    }

    /// The name of the joint, where it has its own.
    fn joint_name(&self) -> Option<&Field<String>> {
        self.joint().map(|joint| &joint.name).filter(|name| name.get().is_some())
    }

    /// Where the link, its joint or a frame on it gets a name.
    fn place_of_name(&self, what: &str, name: &str) -> Range<usize> {
        let of = |frame: &&super::link::FrameTable| frame.name.get().is_some_and(|own| own == name);
        let field = match what {
            "frame" => self.table.frames().filter(of).last().map(|frame| &frame.name),
            "joint" | "coordinate" => self.joint_name(),
            _ => None,
        };
        field.map_or_else(|| self.name_span(), |field| self.span_of(field))
    }
}

/// The faults of the builder as problems of the file.
pub(super) fn problems(
    faults: &[Fault],
    links: &[FileLink],
    arm_name: &Range<usize>,
) -> Vec<Problem> {
    let by_link = |fault: &&Fault| !follows_from_link_name(fault, faults);
    let faults = faults.iter().filter(by_link);
    faults.map(|fault| problem(fault, links, arm_name.clone())).collect()
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

fn problem(fault: &Fault, links: &[FileLink], arm_name: Range<usize>) -> Problem {
    let link = links.get(fault.link).cloned().unwrap_or_default();
    if let Some(problem) = beam_faults::problem(fault, &link) {
        return problem;
    }
    let joint = link.span_of(&link.table.joint);
    let (code, span, label, help) = match &fault.kind {
        FaultKind::DuplicateName { what, name } => (
            &codes::DUPLICATE_NAME,
            link.place_of_name(what, name),
            "used again",
            match *what {
                "frame" => "give it another name; every link is also a frame of its own name, and its tip one of the name NAME.tip where it has a length".to_owned(),
                _ => "give it another name".to_owned(),
            },
        ),
        FaultKind::EmptyName { .. } => (
            &codes::EMPTY_NAME,
            link.name_span(),
            "empty",
            "give it a few letters".to_owned(),
        ),
        FaultKind::BadName { what, error } => (
            &codes::BAD_NAME,
            if *what == "arm" { arm_name } else { link.place_of_name(what, &error.name) },
            "not a name",
            format!("call it {}", toml_out::quoted(&error.nearest)),
        ),
        FaultKind::UnknownParent { parent } => (
            &codes::UNKNOWN_PARENT,
            link.span_of(&link.table.parent),
            "no such link",
            known_parents(parent, &fault.name, links),
        ),
        FaultKind::Cycle { .. } => (
            &codes::CYCLE,
            link.span_of(&link.table.parent),
            "comes back to this link",
            format!("let one of them hang on another link, or on parent = \"{GROUND}\""),
        ),
        FaultKind::ZeroAxis { .. } => (
            &codes::ZERO_AXIS,
            link.joint().map_or(joint, JointTable::axis_span),
            "no direction",
            "give the direction of the axis, such as \"z\" or [0, 0, 1]".to_owned(),
        ),
        FaultKind::ParallelAxes => (
            &codes::PARALLEL_AXES,
            link.joint().map_or(joint, JointTable::axis_span),
            "parallel",
            "give two different directions, such as axes = [\"x\", \"y\"]".to_owned(),
        ),
        FaultKind::NotFinite { .. } => (
            &codes::NOT_FINITE,
            link.name_span(),
            "of this link",
            "give finite numbers".to_owned(),
        ),
        FaultKind::NotARotation { error, .. } => (
            &codes::NOT_A_ROTATION,
            link.place_span(),
            "not a rotation",
            if *error == 2.0 {
                "the axes are left-handed: the third is the first times the second, x × y = z".to_owned()
            } else {
                "its rows must have length 1 and stand at right angles; or give rpy = [roll, pitch, yaw]".to_owned()
            },
        ),
        FaultKind::NegativeMass { mass } => (
            &codes::NEGATIVE_MASS,
            link.matter_span(|m| m.mass == *mass, |m| &m.mass_span),
            "below zero",
            "give a mass of zero or more".to_owned(),
        ),
        FaultKind::NegativeInertia { .. } => (
            &codes::NEGATIVE_INERTIA,
            link.matter_span(Matter::is_impossible, |m| &m.inertia_span),
            "no body has this inertia",
            "moments are positive, and products of inertia are small beside them; or describe a shape and let pliant compute it".to_owned(),
        ),
        FaultKind::Negative { quantity, .. } => (
            &codes::NEGATIVE_COEFFICIENT,
            match *quantity {
                "stiffness" => link.span_in_joint(|joint| &joint.spring),
                "damping" => link.span_in_joint(|joint| &joint.damping),
                _ => link.span_in_joint(|joint| &joint.armature),
            },
            "below zero",
            "give zero or more".to_owned(),
        ),
        FaultKind::WrongCount { quantity, .. } => (
            &codes::WRONG_COUNT,
            match *quantity {
                "stiffness" => link.span_in_joint(|joint| &joint.spring),
                "rest position" => link.span_in_joint(|joint| &joint.rest),
                "damping" => link.span_in_joint(|joint| &joint.damping),
                "limits" => link.span_in_joint(|joint| &joint.limits),
                _ => link.span_in_joint(|joint| &joint.armature),
            },
            "wrong number of entries",
            "give one per coordinate of the joint".to_owned(),
        ),
        FaultKind::Actuator(fault) => {
            let actuator = link.joint().and_then(|joint| joint.actuator.get());
            let (span, label, help) = actuator.cloned().unwrap_or_default().place(fault);
            (&codes::ACTUATOR, span, label, help.to_owned())
        }
        FaultKind::LimitsCrossed { lower, upper } => (
            &codes::LIMITS_CROSSED,
            link.span_in_joint(|joint| &joint.limits),
            "lower above upper",
            format!("write the smaller one first: [{upper}, {lower}]"),
        ),
        FaultKind::NotAQuaternion { .. } => (
            &codes::NOT_A_QUATERNION,
            link.span_in_joint(|joint| &joint.rest),
            "not of length 1",
            "the order is [w, x, y, z]; no turn is [1, 0, 0, 0]".to_owned(),
        ),
        // kinds of later versions of the builder
        _ => (
            &codes::REFUSED,
            link.name_span(),
            "this link",
            fault.help().unwrap_or_else(|| "change this link".to_owned()),
        ),
    };
    let problem = Problem::error(code, fault.to_string()).at(span.clone()).label(label).help(help);
    match &fault.kind {
        FaultKind::DuplicateName { what, name } => {
            let earlier = first_use(what, name, links).filter(|first| *first != span);
            earlier.into_iter().fold(problem, |problem, first| problem.and_at(first, "used first"))
        }
        _ => problem,
    }
}

/// Where a name stands for the first time.
fn first_use(what: &str, name: &str, links: &[FileLink]) -> Option<Range<usize>> {
    let has_frame = |link: &FileLink| {
        link.table.frames().any(|frame| frame.name.get().is_some_and(|own| own == name))
    };
    let bears = |link: &&FileLink| match what {
        "link" => link.name() == name,
        "frame" => link.name() == name || has_frame(link),
        _ => link.joint_name().and_then(Field::get).map_or(link.name(), String::as_str) == name,
    };
    let first = links.iter().find(bears)?;
    Some(if what == "frame" && first.name() == name {
        first.name_span()
    } else {
        first.place_of_name(what, name)
    })
}

impl FileLink {
    /// Where it is placed on its parent, or else its name.
    pub(super) fn place_span(&self) -> Range<usize> {
        let placed = self.table.placement.span().or_else(|| self.table.dh.span());
        placed.unwrap_or_else(|| self.name_span())
    }

    /// The place of the first body that is at fault.
    fn matter_span(
        &self,
        at_fault: impl Fn(&Matter) -> bool,
        span: impl Fn(&Matter) -> &Range<usize>,
    ) -> Range<usize> {
        let body = self.matter.iter().find(|matter| at_fault(matter));
        body.map_or_else(|| self.name_span(), |matter| span(matter).clone())
    }
}

/// The name that was meant, or the names there are.
fn known_parents(parent: &str, own: &str, links: &[FileLink]) -> String {
    let names = || links.iter().map(FileLink::name).filter(|name| *name != own);
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

/// Doubts about the mass matrix at the neutral configuration.
pub(crate) fn ill_conditioned(arm: &Arm) -> Option<Problem> {
    let found = arm.ill_conditioned(&arm.neutral()).ok().flatten()?;
    let mut problem = Problem::warning(&codes::ILL_CONDITIONED, found.to_string());
    problem.help = found.help();
    Some(problem)
}

/// What the builder doubts.
pub(super) fn warnings(
    warnings: &[Warning],
    links: &[FileLink],
    total_mass: Option<&Range<usize>>,
) -> Vec<Problem> {
    let of = |name: &str| links.iter().find(|link| link.name() == name);
    let problem = |warning: &Warning| match warning {
        Warning::TriangleInequality { link, .. } => {
            let span =
                of(link).map(|l| l.matter_span(Matter::violates_triangle, |m| &m.inertia_span));
            (
                &codes::TRIANGLE_INEQUALITY,
                span,
                "no body has these moments",
                Some("swap axes that were mixed up, or describe a shape and let pliant compute it"),
            )
        }
        Warning::NegativeInertia { link, .. } => (
            &codes::NEGATIVE_INERTIA,
            of(link).map(|l| l.matter_span(Matter::is_impossible, |m| &m.inertia_span)),
            "no body has this inertia",
            Some("check signs and products of inertia; the numbers are used as they are"),
        ),
        Warning::MovesNothing { link } => {
            (&codes::MOVES_NOTHING, of(link).map(FileLink::name_span), "moves no mass", None)
        }
        Warning::TotalMass { .. } => (
            &codes::TOTAL_MASS,
            total_mass.cloned(),
            "not what the links weigh",
            Some(
                "bring back what is missing, such as the rest of a link that got a section; or write the new mass",
            ),
        ),
        _ => (&codes::DOUBTFUL, None, "", None),
    };
    warnings
        .iter()
        .map(|warning| {
            if let Some(problem) = beam_faults::warning(warning, links) {
                return problem;
            }
            let (code, span, label, help) = problem(warning);
            let mut problem = Problem::warning(code, warning.to_string()).label(label);
            problem.help = help.map(str::to_owned).or_else(|| warning.help());
            match span {
                Some(span) => problem.at(span),
                None => problem,
            }
        })
        .collect()
}
