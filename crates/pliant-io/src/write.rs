//! Arm files out.

mod beam;

use crate::arm_file::GROUND;
use pliant::arm::{Actuator, Builder, Joint, Limits, LinkParts, Mass, Parent};
use pliant::beam::Beam;
use pliant::reproduce::Variants;
use pliant::spatial::{Mat3, Pose, Sym3, Vec3, euler_xyz};
use std::borrow::Cow;
use std::fmt::Write as _;

/// The text of an arm file that describes the same arm, every number to the last digit.
///
/// An arm file calls what the arm stands on `ground`, so a link of that name is called
/// `ground_link`. What is read from it has a further frame `NAME.tip` for each link that bends.
///
/// ```
/// use pliant::arm::{Builder, Joint, Link};
///
/// let bob = Link::new("bob").joint(Joint::revolute([0.0, 1.0, 0.0])).payload(2.0, [0.5, 0.0, 0.0]);
/// let text = pliant_io::write_arm(&Builder::new("pendulum").link(bob));
/// assert!(text.contains("joint = { kind = \"revolute\", axis = \"y\" }"));
/// ```
pub fn write_arm(description: &Builder) -> String {
    write_arm_with(description, &Variants::default())
}

/// [`write_arm`] with the equations of documents that links ask for.
pub fn write_arm_with(description: &Builder, variants: &Variants) -> String {
    let arm = description.parts();
    let mut text = String::from(
        "# SI units and radians; a number with another unit stands in quotes, such as \"90 deg\".\n",
    );
    line(&mut text, "name", &quoted(arm.name));
    line(&mut text, "gravity", &vector(arm.gravity));
    if arm.lenient {
        text.push_str("# accept inertias that no body has, with a warning\n");
        line(&mut text, "lenient", "true");
    }
    let links: Vec<LinkParts<'_>> = arm.links.iter().map(pliant::arm::Link::parts).collect();
    let renamed = new_name_of_ground(&links);
    let name_of =
        |name: &str| quoted(renamed.as_deref().filter(|_| name == GROUND).unwrap_or(name));
    for (index, link) in links.iter().enumerate() {
        let before = index.checked_sub(1).map(|i| links[i].name);
        text.push_str("\n[[link]]\n");
        line(&mut text, "name", &name_of(link.name));
        match link.parent {
            Parent::Ground if before.is_some() => line(&mut text, "parent", &quoted(GROUND)),
            Parent::Link(parent) if before != Some(parent) => {
                line(&mut text, "parent", &name_of(parent));
            }
            _ => {}
        }
        let parent = match link.parent {
            Parent::Previous => index.checked_sub(1).map(|i| &links[i]),
            Parent::Ground => None,
            Parent::Link(parent) => links.iter().find(|link| link.name == parent),
        };
        write_link(&mut text, link, parent.and_then(|parent| parent.beam), variants);
    }
    text
}

/// What [`write_arm`] calls a link of the name `ground`, if there is one.
pub fn name_of_ground_link(description: &Builder) -> Option<String> {
    let parts = description.parts();
    let links: Vec<LinkParts<'_>> = parts.links.iter().map(pliant::arm::Link::parts).collect();
    new_name_of_ground(&links)
}

/// What a link called like the ground is called instead.
fn new_name_of_ground(links: &[LinkParts<'_>]) -> Option<String> {
    links.iter().find(|link| link.name == GROUND)?;
    let mut name = format!("{GROUND}_link");
    let taken = |name: &str| {
        let frames = |link: &LinkParts<'_>| {
            let along = link.section_frames.iter().map(|(frame, ..)| frame);
            link.frames.iter().map(|(frame, _)| frame).chain(along).any(|frame| frame == name)
        };
        links.iter().any(|link| link.name == name || frames(link))
    };
    while taken(&name) {
        name.push('_');
    }
    Some(name)
}

/// All but its name and its parent, whose beam may carry it.
fn write_link(text: &mut String, link: &LinkParts<'_>, parent: Option<&Beam>, variants: &Variants) {
    let mut placement = link.placement;
    if let Some(beam) = parent {
        let (at, there) = beam::place(beam, link.section, &placement);
        if let Some(at) = at {
            line(text, "at", &number(at));
        }
        placement = there;
    }
    if link.joint != Joint::Fixed {
        line(text, "joint", &joint(link));
    }
    for (key, pose) in [("placement", placement), ("outboard", link.outboard)] {
        let keys = pose_keys(&pose);
        match keys.as_slice() {
            [] => {}
            [("position", position)] => line(text, key, position),
            _ => line(text, key, &table(&keys)),
        }
    }
    match link.masses {
        [] => {}
        [mass] if link.beam.is_none() => {
            for (key, value) in mass_keys(mass) {
                line(text, key, &value);
            }
        }
        several => {
            let bodies = several.iter().map(|mass| table(&mass_keys(mass)));
            line(text, "body", &lines(bodies));
        }
    }
    if let Some(beam) = link.beam {
        let asks = |names: &[String]| names.iter().any(|name| name == link.name);
        let asked = [&variants.first_order, &variants.theodore24].map(|names| asks(names));
        for (key, value) in beam::keys(beam, link.tip_masses, asked) {
            line(text, key, &value);
        }
    }
    let frames = beam::frames(link);
    if !frames.is_empty() {
        line(text, "frames", &lines(frames.iter().map(|keys| table(keys))));
    }
}

fn joint(link: &LinkParts<'_>) -> String {
    let mut keys = vec![("kind", quoted(link.joint.word()))];
    match link.joint {
        Joint::Revolute { axis: e }
        | Joint::Prismatic { axis: e }
        | Joint::Cylindrical { axis: e } => {
            keys.push(("axis", axis(e)));
        }
        Joint::Universal { first, second } => {
            keys.push(("axes", format!("[{}, {}]", axis(first), axis(second))));
        }
        _ => {}
    }
    if let Some(name) = link.joint_name.filter(|name| *name != link.name) {
        keys.push(("name", quoted(name)));
    }
    if link.limits.iter().any(Option::is_some) {
        keys.push(("limits", limits(link)));
    }
    for (key, numbers) in [
        ("spring", link.stiffness),
        ("rest", link.rest),
        ("damping", link.damping),
        ("armature", link.armature),
    ] {
        match numbers {
            [] => {}
            [one] => keys.push((key, number(*one))),
            several => keys.push((key, list(several.iter().map(|x| number(*x))))),
        }
    }
    if let Some(actuator) = link.actuator {
        keys.push(("actuator", table(&actuator_keys(actuator, link.joint.turns() == [true]))));
    }
    if link.prescribed {
        keys.push(("prescribed", "true".to_owned()));
    }
    table(&keys)
}

/// What differs from an actuator of which nothing is said.
fn actuator_keys(actuator: &Actuator, turns: bool) -> Vec<(&'static str, String)> {
    let said = |actuator: &Actuator| {
        [
            (if turns { "torque" } else { "force" }, Some(actuator.force)),
            ("speed", Some(actuator.speed)),
            ("rotor_inertia", Some(actuator.rotor_inertia)),
            ("gear", Some(actuator.gear)),
            ("stiffness", actuator.stiffness),
            ("damping", Some(actuator.damping)),
            ("viscous", Some(actuator.viscous)),
            ("coulomb", Some(actuator.coulomb)),
            ("coulomb_speed", Some(actuator.coulomb_speed)),
        ]
    };
    let both = said(actuator).into_iter().zip(said(&Actuator::default()));
    both.filter(|(own, unsaid)| own != unsaid)
        .filter_map(|((key, value), _)| Some((key, number(value?))))
        .collect()
}

fn limits(link: &LinkParts<'_>) -> String {
    let pair = |limits: &Limits| list([number(limits.lower), number(limits.upper)].into_iter());
    if let [Some(only)] = link.limits {
        return pair(only);
    }
    let suffixes = link.joint.configuration_suffixes();
    let given = suffixes.iter().zip(link.limits);
    let given: Vec<(&str, String)> =
        given.filter_map(|(suffix, limits)| Some((*suffix, pair(limits.as_ref()?)))).collect();
    table(&given)
}

fn mass_keys(mass: &Mass) -> Vec<(&'static str, String)> {
    let mut keys = vec![("mass", number(mass.kilograms))];
    if mass.centre != Vec3::ZERO {
        keys.push(("com", vector(mass.centre.to_array())));
    }
    let Sym3 { xx, yy, zz, xy, xz, yz } = mass.tensor;
    if [xy, xz, yz] != [0.0; 3] {
        let entries = [("xx", xx), ("yy", yy), ("zz", zz), ("xy", xy), ("xz", xz), ("yz", yz)];
        keys.push(("inertia", table(&entries.map(|(key, value)| (key, number(value))))));
    } else if [xx, yy, zz] != [0.0; 3] {
        keys.push(("inertia", vector([xx, yy, zz])));
    }
    keys
}

/// `position` and `rpy`, as far as they are not zero.
fn pose_keys(pose: &Pose<f64>) -> Vec<(&'static str, String)> {
    let mut keys = Vec::new();
    if pose.position != Vec3::ZERO {
        keys.push(("position", vector(pose.position.to_array())));
    }
    if pose.rotation != Mat3::IDENTITY {
        keys.push(match roll_pitch_yaw(&pose.rotation) {
            Some(angles) => ("rpy", vector(angles)),
            None => ("rotation", list(pose.rotation.to_rows().into_iter().map(vector))),
        });
    }
    keys
}

/// The angles of a rotation, with the fewest digits that give it back; `None` where angles lose
/// digits, near a pitch of 90 degrees.
fn roll_pitch_yaw(rotation: &Mat3<f64>) -> Option<[f64; 3]> {
    let [[xx, xy, _], [yx, yy, _], [zx, zy, zz]] = rotation.to_rows();
    let pitch = (-zx).atan2(xx.hypot(yx));
    // where the pitch is a right angle, roll and yaw turn about the same axis
    let [roll, yaw] =
        if xx.hypot(yx) > 1e-9 { [zy.atan2(zz), yx.atan2(xx)] } else { [0.0, (-xy).atan2(yy)] };
    let error = |[roll, pitch, yaw]: [f64; 3]| {
        let again: Mat3<f64> = euler_xyz(roll, pitch, yaw);
        let both = again.columns.iter().zip(&rotation.columns);
        both.fold(0.0, |most, (a, b)| f64::max(most, (*a - *b).norm()))
    };
    let angles = [roll, pitch, yaw];
    let exact = error(angles);
    if exact > 1e-15 {
        return None;
    }
    let shorter = [4, 6, 9, 12, 15].map(|digits| angles.map(|angle| rounded(angle, digits)));
    let good = |angles: &[f64; 3]| error(*angles) <= exact.max(2e-16);
    Some(shorter.into_iter().find(good).unwrap_or(angles))
}

fn rounded(x: f64, digits: usize) -> f64 {
    let short = format!("{x:.digits$}").parse().unwrap_or(x);
    // no negative zero
    short + 0.0
}

fn axis(e: [f64; 3]) -> String {
    let named = [("x", [1.0, 0.0, 0.0]), ("y", [0.0, 1.0, 0.0]), ("z", [0.0, 0.0, 1.0])];
    for (word, axis) in named {
        if e == axis {
            return quoted(word);
        }
        if e == axis.map(|c| -c) {
            return quoted(&format!("-{word}"));
        }
    }
    vector(e)
}

fn line(text: &mut String, key: &str, value: &str) {
    let _ = writeln!(text, "{key} = {value}");
}

fn table(keys: &[(&str, String)]) -> String {
    let entries: Vec<String> = keys.iter().map(|(key, value)| format!("{key} = {value}")).collect();
    format!("{{ {} }}", entries.join(", "))
}

fn list(values: impl Iterator<Item = String>) -> String {
    format!("[{}]", values.collect::<Vec<_>>().join(", "))
}

/// A list with one entry per line.
fn lines(values: impl Iterator<Item = String>) -> String {
    let values: Vec<String> = values.collect();
    format!("[\n  {},\n]", values.join(",\n  "))
}

fn vector(values: [f64; 3]) -> String {
    list(values.into_iter().map(number))
}

/// The shortest text that gives the number back.
fn number(x: f64) -> String {
    let size = x.abs();
    if x == 0.0 {
        "0".to_owned()
    } else if x.is_nan() {
        "nan".to_owned()
    } else if x.is_infinite() || (1e-4..1e15).contains(&size) {
        format!("{x}")
    } else {
        format!("{x:e}")
    }
}

/// Text in quotes, as TOML wants it.
fn quoted(text: &str) -> String {
    let escaped: Cow<'_, str> = if text.contains(|c: char| c.is_control() || c == '"' || c == '\\')
    {
        let escape = |c: char| match c {
            '"' => "\\\"".to_owned(),
            '\\' => "\\\\".to_owned(),
            c if c.is_control() => format!("\\u{:04X}", u32::from(c)),
            c => c.to_string(),
        };
        text.chars().map(escape).collect::<String>().into()
    } else {
        text.into()
    };
    format!("\"{escaped}\"")
}
