//! Springs, dampers and rotors in the joints of an arm.

use crate::figures::{figure, table};
use pliant::arm::{Arm, Builder, LinkParts};

/// How a link was described.
pub(super) fn parts<'a>(arm: &Arm, description: &'a Builder, link: usize) -> Option<LinkParts<'a>> {
    let name = &arm.link_names()[link];
    let mut links = description.parts().links.iter().map(pliant::arm::Link::parts);
    links.find(|parts| parts.name == name)
}

/// A table with a line for each coordinate that has any of them; nothing if none has.
pub(super) fn as_text(arm: &Arm, description: &Builder) -> String {
    let head = ["coordinate", "spring", "rest position", "damping", "armature"];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    for (link, joint) in arm.joints().iter().enumerate() {
        let Some(parts) = parts(arm, description, link) else {
            continue;
        };
        for ((k, name), &turns) in
            arm.velocity_names()[arm.velocities_of(link)].iter().enumerate().zip(joint.turns())
        {
            let with_unit = |numbers: &[f64], turning: &str, sliding: &str| {
                let number = numbers.get(k).filter(|number| **number != 0.0);
                let unit = if turns { turning } else { sliding };
                number.map_or_else(String::new, |x| format!("{} {unit}", figure(*x, 0.0)))
            };
            let spring = with_unit(parts.stiffness, "N m/rad", "N/m");
            // a rest position of several turns is a quaternion, which is not told here
            let rest = match parts.rest.get(k) {
                Some(rest) if !spring.is_empty() && joint.nq() == joint.nv() => {
                    let (rest, unit) =
                        if turns { (rest.to_degrees(), "deg") } else { (*rest, "m") };
                    format!("{} {unit}", figure(rest, 0.0))
                }
                _ => String::new(),
            };
            let damping = with_unit(parts.damping, "N m s/rad", "N s/m");
            let armature = with_unit(parts.armature, "kg m^2", "kg");
            if [&spring, &damping, &armature].iter().any(|cell| !cell.is_empty()) {
                lines.push(vec![name.clone(), spring, rest, damping, armature]);
            }
        }
    }
    if lines.len() == 1 { String::new() } else { format!("\n{}", table(&lines, 1)) }
}
