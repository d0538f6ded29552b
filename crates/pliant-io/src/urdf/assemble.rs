//! From the tree of a URDF to the description of an arm.

use super::robot::{Link as UrdfLink, Robot};
use super::tree::Tree;
use super::{Base, FixedJoints, Options};
use pliant::arm::{Actuator, Builder, Joint, Link, Mass};
use pliant::spatial::{Mat3, Pose, Sym3};

/// The speed over which dry friction turns round (rad/s, m/s); URDF gives none.
const FRICTION_SPEED: f64 = 0.01;

/// Where a link of the file ended up.
struct Carried {
    /// Index of the link of the file that carries it; its own if its joint moves.
    by: usize,
    /// Its frame in the frame of the carrier.
    pose: Pose<f64>,
}

/// The description, and for each link in it the index of the link of the file.
pub(super) fn describe(
    robot: &Robot,
    tree: &Tree,
    name: &str,
    options: Options,
) -> (Builder, Vec<usize>) {
    let mut carried: Vec<Option<Carried>> = robot.links.iter().map(|_| None).collect();
    let mut links: Vec<Option<Link>> = vec![None; robot.links.len()];
    for &index in &tree.order {
        let link = &robot.links[index];
        let (place, parent) = match tree.hangs[index] {
            None => (None, None),
            Some(hang) => (carried[hang.parent].as_ref(), Some(hang)),
        };
        let Some((place, hang)) = place.zip(parent) else {
            // the root
            links[index] = Some(with_mass(root(robot, link, options.base), link, None));
            carried[index] = Some(Carried { by: index, pose: Pose::IDENTITY });
            continue;
        };
        let joint = &robot.joints[hang.joint];
        let pose = place.pose.then(&joint.origin);
        let by = place.by;
        if joint.freedom == Joint::Fixed && options.fixed == FixedJoints::Merge {
            links[by] = links[by].take().map(|carrier| {
                let name = link.name.text.as_str();
                with_mass(carrier.root_frame(name, pose), link, Some(&pose))
            });
            carried[index] = Some(Carried { by, pose });
            continue;
        }
        let mut described = Link::new(link.name.text.as_str())
            .on(robot.links[by].name.text.as_str())
            .joint(joint.freedom)
            .joint_name(joint.name.text.as_str())
            .placed(pose.then(&joint.plane))
            .outboard(joint.plane.inverse());
        if joint.limits.is_some() {
            described = described.limits(&[joint.limits]);
        }
        if let Some(damping) = joint.damping {
            described = described.damping(&[damping]);
        }
        let ([force, speed], friction) = (joint.most, joint.friction);
        if force.or(speed).or(friction).is_some() {
            let unsaid = Actuator::default();
            described = described.actuator(Actuator {
                force: force.unwrap_or(unsaid.force),
                speed: speed.unwrap_or(unsaid.speed),
                coulomb: friction.unwrap_or(unsaid.coulomb),
                coulomb_speed: friction.map_or(unsaid.coulomb_speed, |_| FRICTION_SPEED),
                ..unsaid
            });
        }
        links[index] = Some(with_mass(described, link, None));
        carried[index] = Some(Carried { by: index, pose: Pose::IDENTITY });
    }
    let mut from = Vec::new();
    let mut builder = Builder::new(name);
    for (index, link) in links.into_iter().enumerate() {
        if let Some(link) = link {
            builder = builder.link(link);
            from.push(index);
        }
    }
    (builder, from)
}

/// The root hangs on the ground, fixed or freely moving.
fn root(robot: &Robot, link: &UrdfLink, base: Base) -> Link {
    let name = link.name.text.as_str();
    let described = Link::new(name).on_ground();
    if base == Base::Fixed {
        return described;
    }
    // its coordinates are called after the link, unless a joint has that name
    let mut joint_name = name.to_owned();
    while robot.joints.iter().any(|joint| joint.name.text == joint_name) {
        joint_name.push_str("_base");
    }
    described.joint(Joint::Free).joint_name(joint_name)
}

/// `R I Rᵀ`; without a turn the digits stay as they are.
pub(super) fn turned(tensor: Sym3<f64>, rotation: &Mat3<f64>) -> Sym3<f64> {
    if *rotation == Mat3::IDENTITY { tensor } else { tensor.rotated(rotation) }
}

/// Adds the matter of a link of the file, seen from its carrier.
fn with_mass(described: Link, link: &UrdfLink, pose: Option<&Pose<f64>>) -> Link {
    let Some(mut mass) = link.mass else {
        return described;
    };
    if let Some(pose) = pose {
        mass = Mass {
            kilograms: mass.kilograms,
            centre: pose.point(mass.centre),
            tensor: turned(mass.tensor, &pose.rotation),
        };
    }
    if mass.kilograms == 0.0 && mass.tensor == Sym3::ZERO {
        return described;
    }
    let Sym3 { xx, yy, zz, xy, xz, yz } = mass.tensor;
    let rows = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
    described.body(mass.kilograms, mass.centre.to_array(), rows)
}
