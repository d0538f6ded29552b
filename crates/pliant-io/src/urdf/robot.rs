//! The links and joints of a URDF, as they are written.

use super::assemble::turned;
use super::codes;
use super::document::{tag, unexpanded};
use super::elements::{Elements, Expected, Value, shortened};
use super::findings::Common;
use crate::Problem;
use crate::nearest::nearest;
use pliant::arm::{Limits, Mass};
use pliant::spatial::{Pose, Sym3, Vec3, turn_taking_z_to};
use roxmltree::{Document, Node};
use std::ops::Range;

/// How many links a robot may have, as in an arm file: the memory of an arm can grow with their
/// square.
const MOST_LINKS: usize = 2_000;

/// A URDF.
pub(super) struct Robot {
    /// `name` of `<robot>`, if there is one.
    pub(super) name: Option<Name>,
    pub(super) links: Vec<Link>,
    pub(super) joints: Vec<Joint>,
    /// Whether every link and joint of the file could be read.
    pub(super) complete: bool,
}

/// A name and where it stands.
#[derive(Clone)]
pub(super) struct Name {
    pub(super) text: String,
    pub(super) span: Range<usize>,
}

impl From<Value<'_>> for Name {
    fn from(value: Value<'_>) -> Self {
        Self { text: value.text.to_owned(), span: value.span() }
    }
}

/// A `<link>`.
pub(super) struct Link {
    pub(super) name: Name,
    /// Its matter, link frame.
    pub(super) mass: Option<Mass>,
    /// Where its inertia stands, or else its name.
    pub(super) inertial: Range<usize>,
}

/// A `<joint>`.
pub(super) struct Joint {
    pub(super) name: Name,
    pub(super) parent: Name,
    pub(super) child: Name,
    /// The joint frame in the parent link's frame.
    pub(super) origin: Pose<f64>,
    pub(super) freedom: pliant::arm::Joint,
    /// The frame in which a planar joint has z as its normal, in the joint frame.
    pub(super) plane: Pose<f64>,
    pub(super) limits: Option<Limits>,
    pub(super) damping: Option<f64>,
    /// The largest force and speed.
    pub(super) most: [Option<f64>; 2],
    pub(super) friction: Option<f64>,
}

const ROBOT: Expected = Expected {
    read: &["link", "joint"],
    pictures: &["material"],
    aside: &["transmission", "gazebo", "sensor", "ros2_control"],
    attributes: &["name", "version"],
    attributes_aside: &[],
};

const LINK: Expected = Expected {
    read: &["inertial"],
    pictures: &["visual", "collision", "material"],
    aside: &["contact", "self_collision_checking", "kinematic", "gravity"],
    attributes: &["name"],
    attributes_aside: &["type"],
};

const JOINT: Expected = Expected {
    read: &["origin", "parent", "child", "axis", "limit", "dynamics", "mimic"],
    pictures: &[],
    aside: &["safety_controller", "calibration"],
    attributes: &["name", "type"],
    attributes_aside: &["dont_collapse"],
};

const LIMIT: Expected = Expected::only(&["lower", "upper", "effort", "velocity"]);

const INERTIAL: Expected = Expected { read: &["origin", "mass", "inertia"], ..Expected::only(&[]) };

/// Reads everything that can be read; what cannot is in the findings.
pub(super) fn read(document: &Document<'_>, elements: &mut Elements) -> Option<Robot> {
    let root = document.root_element();
    if root.tag_name().name() != "robot" {
        let name = root.tag_name().name();
        elements.findings.push(
            Problem::error(
                &codes::NOT_A_ROBOT,
                format!("the outermost element is <{}>, not <robot>", shortened(name)),
            )
            .help("load a URDF; other formats must be exported to it"),
        );
        return None;
    }
    let is_xacro = |node: &Node<'_, '_>| {
        let space = node.tag_name().namespace();
        space.is_some_and(|uri| uri.ends_with("xacro"))
    };
    if let Some(first) = root.descendants().find(is_xacro) {
        elements.findings.push(unexpanded(tag(first)));
        return None;
    }
    elements.look(root, &ROBOT);
    let of = |name: &'static str| root.children().filter(move |node| node.has_tag_name(name));
    for what in ["link", "joint"] {
        let count = of(what).count();
        if count > MOST_LINKS {
            elements.findings.push(
                Problem::error(
                    &codes::TOO_COMPLEX,
                    format!("the robot has {count} {what}s, more than {MOST_LINKS}"),
                )
                .at(tag(root))
                .help("is it a robot? the largest published ones have some hundred links"),
            );
            return None;
        }
    }
    if of("link").next().is_none() {
        elements.findings.push(
            Problem::error(&codes::NO_LINKS, "the robot has no links")
                .at(tag(root))
                .help("add <link name=\"...\"> elements inside <robot>"),
        );
        return None;
    }
    let name = Elements::attribute(root, "name").filter(|name| !name.text.trim().is_empty());
    let links: Vec<Link> = of("link").filter_map(|node| link(node, elements)).collect();
    let joints: Vec<Joint> = of("joint").filter_map(|node| joint(node, elements)).collect();
    Some(Robot {
        name: name.map(Name::from),
        complete: links.len() == of("link").count() && joints.len() == of("joint").count(),
        links,
        joints,
    })
}

fn link(node: Node<'_, '_>, elements: &mut Elements) -> Option<Link> {
    elements.look(node, &LINK);
    let name: Name = elements.name(node, "name")?.into();
    let inertial = elements.child(node, "inertial");
    let owner = format!("link \"{}\"", shortened(&name.text));
    let mass = inertial.and_then(|inertial| mass(inertial, &owner, elements));
    let tensor = inertial.and_then(|node| node.children().find(|n| n.has_tag_name("inertia")));
    let inertial = tensor.map_or_else(|| name.span.clone(), tag);
    Some(Link { name, mass, inertial })
}

/// The matter of `<inertial>`: its origin is the centre of mass, with axes in which the tensor
/// stands.
fn mass(node: Node<'_, '_>, owner: &str, elements: &mut Elements) -> Option<Mass> {
    elements.look(node, &INERTIAL);
    let pose = elements.origin(node, owner);
    let mass = elements.required_child(node, "mass", owner, "<mass value=\"...\"/>");
    let kilograms = mass.and_then(|mass| {
        elements.look(mass, &Expected::only(&["value"]));
        let value = elements.required_number(mass, "value", &format!("the mass of {owner}"))?;
        if value < 0.0 {
            let span = Elements::attribute(mass, "value").map_or(tag(mass), |v| v.span());
            elements.findings.push(
                Problem::error(
                    &crate::codes::NEGATIVE_MASS,
                    format!("{owner}: the mass is negative: {value} kg"),
                )
                .at(span)
                .help("give zero or a positive mass"),
            );
        }
        Some(value)
    });
    let tensor = if let Some(inertia) = elements.child(node, "inertia") {
        tensor(inertia, owner, elements)
    } else {
        if kilograms.is_some_and(|mass| mass > 0.0) {
            let name = owner.trim_start_matches("link \"").trim_end_matches('"');
            elements.findings.common(Common::PointMass, name, tag(node));
        }
        Some(Sym3::ZERO)
    };
    Some(Mass {
        kilograms: kilograms?,
        centre: pose.position,
        tensor: turned(tensor?, &pose.rotation),
    })
}

fn tensor(node: Node<'_, '_>, owner: &str, elements: &mut Elements) -> Option<Sym3<f64>> {
    const NAMES: [&str; 6] = ["ixx", "iyy", "izz", "ixy", "ixz", "iyz"];
    elements.look(node, &Expected::only(&NAMES));
    let owner = format!("the inertia of {owner}");
    let [xx, yy, zz] =
        ["ixx", "iyy", "izz"].map(|name| elements.required_number(node, name, &owner));
    // products of inertia may be left out
    let [xy, xz, yz] = ["ixy", "ixz", "iyz"].map(|name| match Elements::attribute(node, name) {
        Some(_) => elements.number(node, name, &owner),
        None => Some(0.0),
    });
    Some(Sym3 { xx: xx?, yy: yy?, zz: zz?, xy: xy?, xz: xz?, yz: yz? })
}

fn joint(node: Node<'_, '_>, elements: &mut Elements) -> Option<Joint> {
    elements.look(node, &JOINT);
    let name: Option<Name> = elements.name(node, "name").map(Name::from);
    let owner = match &name {
        Some(name) => format!("joint \"{}\"", shortened(&name.text)),
        None => "a joint".to_owned(),
    };
    let mut end = |which: &'static str| -> Option<Name> {
        let example = format!("<{which} link=\"...\"/>");
        let element = elements.required_child(node, which, &owner, &example)?;
        elements.look(element, &Expected::only(&["link"]));
        elements.name(element, "link").map(Name::from)
    };
    let parent = end("parent");
    let child = end("child");
    let origin = elements.origin(node, &owner);
    let freedom = freedom(node, &owner, elements);
    let (freedom, plane) = freedom.unwrap_or((pliant::arm::Joint::Fixed, Pose::IDENTITY));
    let name = name?;
    let limits = limits(node, &name, freedom, elements);
    let most = most(node, &name, freedom, elements);
    let (damping, friction) = losses(node, &name, freedom, elements);
    if let Some(mimic) = elements.child(node, "mimic").filter(|_| freedom.nv() > 0) {
        elements.findings.common(Common::Mimic, &name.text, tag(mimic));
    }
    Some(Joint {
        name,
        parent: parent?,
        child: child?,
        origin,
        freedom,
        plane,
        limits,
        damping,
        most,
        friction,
    })
}

/// The kind of joint, and for a planar one the frame of its plane.
fn freedom(
    node: Node<'_, '_>,
    owner: &str,
    elements: &mut Elements,
) -> Option<(pliant::arm::Joint, Pose<f64>)> {
    const TYPES: [&str; 8] =
        ["revolute", "continuous", "prismatic", "fixed", "planar", "floating", "spherical", "ball"];
    use pliant::arm::Joint;
    let kind = elements.required(node, "type", owner)?;
    let plain = |joint| Some((joint, Pose::IDENTITY));
    match kind.text {
        "fixed" => plain(Joint::Fixed),
        "floating" => plain(Joint::Free),
        "spherical" | "ball" => plain(Joint::Spherical),
        "revolute" | "continuous" => plain(Joint::revolute(axis(node, owner, elements))),
        "prismatic" => plain(Joint::prismatic(axis(node, owner, elements))),
        "planar" => {
            let normal = Vec3::from(axis(node, owner, elements));
            let turn = turn_taking_z_to(normal * (1.0 / normal.norm()));
            Some((Joint::Planar, Pose::new(turn, Vec3::ZERO)))
        }
        other => {
            let message = format!("{owner}: the type \"{}\" is unknown", shortened(other));
            let meant = nearest(other, TYPES.into_iter());
            let help = match meant {
                Some(meant) => format!("did you mean \"{meant}\"?"),
                None => format!("the types are {}", TYPES.join(", ")),
            };
            elements
                .findings
                .push(Problem::error(&codes::JOINT_TYPE, message).at(kind.span()).help(help));
            None
        }
    }
}

/// The axis in the joint frame; x where nothing is said, or nothing of use.
fn axis(node: Node<'_, '_>, owner: &str, elements: &mut Elements) -> [f64; 3] {
    let unsaid = [1.0, 0.0, 0.0];
    let Some(element) = elements.child(node, "axis") else {
        return unsaid;
    };
    elements.look(element, &Expected::only(&["xyz"]));
    let owner = format!("the axis of {owner}");
    let value = elements.required(element, "xyz", &owner);
    let axis = elements.numbers::<3>(element, "xyz", &owner);
    let (Some(value), Some(axis)) = (value, axis) else {
        return unsaid;
    };
    let length = Vec3::from(axis).norm();
    if !(1e-12..=1e12).contains(&length) {
        elements.findings.push(
            Problem::error(
                &crate::codes::ZERO_AXIS,
                format!("{owner} has no direction: \"{}\"", shortened(value.text)),
            )
            .at(value.span())
            .help("give a direction such as \"0 0 1\""),
        );
        return unsaid;
    }
    axis
}

/// The range of a sliding or turning joint.
fn limits(
    node: Node<'_, '_>,
    name: &Name,
    freedom: pliant::arm::Joint,
    elements: &mut Elements,
) -> Option<Limits> {
    let element = elements.child(node, "limit");
    if let Some(element) = element {
        elements.look(element, &LIMIT);
    }
    if freedom.nv() != 1 {
        return None;
    }
    let owner = format!("the limit of joint \"{}\"", shortened(&name.text));
    let mut end = |which: &'static str| {
        let element = element?;
        let value = Elements::attribute(element, which)?;
        Some((elements.number(element, which, &owner), value.span()))
    };
    let ends = [end("lower"), end("upper")];
    if node.attribute("type") == Some("continuous") {
        let given = |end: &Option<(Option<f64>, Range<usize>)>| matches!(end, Some((Some(value), _)) if *value != 0.0);
        if let (true, Some(element)) = (ends.iter().any(given), element) {
            elements.findings.common(Common::EndlessRange, &name.text, tag(element));
        }
        return None;
    }
    let [lower, upper] = match ends {
        [None, None] => {
            let span = element.map_or_else(|| name.span.clone(), tag);
            elements.findings.common(Common::NoRange, &name.text, span);
            return None;
        }
        // what is not given is zero
        ends => ends.map(|end| end.map_or(Some((0.0, 0..0)), |(value, span)| Some((value?, span)))),
    };
    let ((lower, lower_span), (upper, upper_span)) = (lower?, upper?);
    if lower == 0.0 && upper == 0.0 {
        let span = element.map_or_else(|| name.span.clone(), tag);
        elements.findings.common(Common::EmptyRange, &name.text, span);
        return None;
    }
    if lower > upper {
        let span = if upper_span.is_empty() { lower_span } else { upper_span };
        elements.findings.push(
            Problem::error(
                &crate::codes::LIMITS_CROSSED,
                format!("{owner} is crossed: lower {lower} is above upper {upper}"),
            )
            .at(span)
            .help("exchange the two, or mend the sign; what is not given counts as 0"),
        );
        return None;
    }
    Some(Limits { lower, upper })
}

/// A number where one is given, and where it stands; a negative one is told.
fn not_negative(
    element: Node<'_, '_>,
    which: &'static str,
    owner: &str,
    help: &str,
    elements: &mut Elements,
) -> Option<(f64, Range<usize>)> {
    let span = Elements::attribute(element, which)?.span();
    let number = elements.number(element, which, owner)?;
    if number < 0.0 {
        elements.findings.push(
            Problem::error(
                &crate::codes::NEGATIVE_COEFFICIENT,
                format!("{owner}: the {which} is negative: {number}"),
            )
            .at(span.clone())
            .help(help),
        );
    }
    Some((number, span))
}

/// The largest force and speed of a sliding or turning joint; by the standard zero where they are
/// not known, which is no limit.
fn most(
    node: Node<'_, '_>,
    name: &Name,
    freedom: pliant::arm::Joint,
    elements: &mut Elements,
) -> [Option<f64>; 2] {
    let owner = format!("the limit of joint \"{}\"", shortened(&name.text));
    let Some(element) = elements.child(node, "limit").filter(|_| freedom.nv() == 1) else {
        return [None; 2];
    };
    ["effort", "velocity"].map(|which| {
        let help = "give a positive number, or 0 if there is no limit";
        let (number, _) = not_negative(element, which, &owner, help, elements)?;
        Some(number).filter(|number| *number > 0.0)
    })
}

/// The viscous coefficient and the dry friction of a sliding or turning joint.
fn losses(
    node: Node<'_, '_>,
    name: &Name,
    freedom: pliant::arm::Joint,
    elements: &mut Elements,
) -> (Option<f64>, Option<f64>) {
    let Some(element) = elements.child(node, "dynamics") else {
        return (None, None);
    };
    elements.look(element, &Expected::only(&["damping", "friction"]));
    let owner = format!("joint \"{}\"", shortened(&name.text));
    let mut read = |which: &'static str| {
        let help = "give zero or a positive number";
        not_negative(element, which, &owner, help, elements).filter(|(number, _)| *number != 0.0)
    };
    let (damping, friction) = (read("damping"), read("friction"));
    if let (Some((_, span)), 1) = (&friction, freedom.nv()) {
        elements.findings.common(Common::Friction, &name.text, span.clone());
    }
    let mut of_one = |given: Option<(f64, Range<usize>)>| {
        let (number, span) = given?;
        if freedom.nv() > 1 {
            elements.findings.common(Common::Damping, &name.text, span);
        }
        Some(number).filter(|_| freedom.nv() == 1)
    };
    (of_one(damping), of_one(friction))
}
