//! Looks for what is wrong with a description of an arm.

use super::beam_checks::check_beam;
use super::faults::FaultKind;
use super::link::{Attachment, Link, Mass};
use crate::beam::{Basis, Beam};
use crate::name::{NameError, check_name};
use crate::spatial::{ROTATION_TOLERANCE, RigidInertia, Sym3, Vec3, rotation_error};
use std::collections::HashSet;

/// Names must keep the rule for names. A frame that is named after its link may have a longer one.
pub(crate) fn check_rule(link: &Link, mut fault: impl FnMut(FaultKind)) {
    let own = [("link", link.name.as_str())].into_iter();
    let joint = link.joint_name.as_deref().map(|name| ("joint", name));
    let frames = link.frames.iter().map(|(name, ..)| ("frame", name.as_str()));
    // that names are there is looked at with their differences
    for (what, name) in own.chain(joint).chain(frames).filter(|(_, name)| !name.is_empty()) {
        let rest = name.strip_prefix(link.name.as_str()).filter(|_| what == "frame");
        let rest = rest.and_then(|rest| rest.strip_prefix(['.', '@']));
        let rest = rest.filter(|rest| !rest.is_empty()).unwrap_or(name);
        if let Err(error) = check_name(rest) {
            let start = &name[..name.len() - rest.len()];
            let nearest = format!("{start}{}", error.nearest);
            let error = NameError { name: name.to_owned(), nearest, ..error };
            fault(FaultKind::BadName { what, error });
        }
    }
}

/// Names must be there and differ; coordinates and frames have names made of those of links.
pub(crate) fn check_names(links: &[&Link], fault: &mut impl FnMut(usize, FaultKind)) {
    let mut taken: HashSet<(&str, String)> = HashSet::new();
    let mut is_new = |i: usize, what: &'static str, name: String| {
        if name.is_empty() {
            fault(i, FaultKind::EmptyName { what });
        } else if !taken.insert((what, name.clone())) {
            fault(i, FaultKind::DuplicateName { what, name });
        } else {
            return true;
        }
        false
    };
    // what is made of a name that is wrong already is not looked at
    let mut sound = Vec::new();
    for (i, link) in links.iter().enumerate() {
        if is_new(i, "link", link.name.clone()) {
            sound.push((i, *link));
        }
    }
    for &(i, link) in &sound {
        let joint = link.own_joint_name().to_owned();
        if link.joint.nv() == 0 || is_new(i, "joint", joint) {
            for name in link.configuration_names().chain(link.bending_names()) {
                is_new(i, "coordinate", name);
            }
        }
        // every link has a frame of its own name
        is_new(i, "frame", link.name.clone());
    }
    for (i, link) in sound {
        for (name, ..) in &link.frames {
            is_new(i, "frame", name.clone());
        }
    }
}

/// Checks the numbers of one link on its own.
pub(crate) fn check_link(link: &Link, mut fault: impl FnMut(FaultKind)) {
    let own = [("the placement", &link.placement), ("the outboard frame", &link.outboard)];
    let root = link.beam.iter().map(|beam| ("the beam's root", &beam.root));
    let own = own.into_iter().chain(root).map(|(what, pose)| (what, what.to_owned(), pose));
    let frames = link.frames.iter();
    let frames = frames.map(|(name, _, pose)| ("a frame", format!("frame \"{name}\""), pose));
    for (quantity, what, pose) in own.chain(frames) {
        let [x, y, z] = pose.rotation.columns;
        let numbers = [x, y, z, pose.position].map(crate::spatial::Vec3::to_array);
        if let Some(value) = first_bad(numbers.as_flattened()) {
            fault(FaultKind::NotFinite { quantity, value });
            continue;
        }
        let error = rotation_error(&pose.rotation);
        if error > ROTATION_TOLERANCE {
            fault(FaultKind::NotARotation { what, error });
        }
    }
    for ((_, mass), &skew) in link.masses.iter().zip(&link.skews) {
        let Sym3 { xx, yy, zz, xy, xz, yz } = mass.tensor;
        let centre = mass.centre.to_array();
        if !mass.kilograms.is_finite() {
            fault(FaultKind::NotFinite { quantity: "the mass", value: mass.kilograms });
        } else if let Some(value) = first_bad(&centre) {
            fault(FaultKind::NotFinite { quantity: "the centre of mass", value });
        } else if let Some(value) = first_bad(&[xx, yy, zz, xy, xz, yz]) {
            fault(FaultKind::NotFinite { quantity: "the inertia tensor", value });
        } else {
            if mass.kilograms < 0.0 {
                fault(FaultKind::NegativeMass { mass: mass.kilograms });
            }
            let [smallest, _, largest] = mass.tensor.eigenvalues();
            if is_negative(smallest, largest) {
                fault(FaultKind::NegativeInertia { moment: smallest });
            }
            if skew > 1e-6 * largest.abs() {
                fault(FaultKind::AsymmetricInertia { difference: skew });
            }
        }
    }
    let RigidInertia { mass, first, second } = link.root_inertia();
    let Sym3 { xx, yy, zz, xy, xz, yz } = second;
    let moments = [mass, first.x, first.y, first.z, xx, yy, zz, xy, xz, yz];
    let given = |m: &Mass| {
        let Sym3 { xx, yy, zz, xy, xz, yz } = m.tensor;
        let Vec3 { x, y, z } = m.centre;
        first_bad(&[m.kilograms, x, y, z, xx, yy, zz, xy, xz, yz]).is_none()
    };
    if first_bad(&moments).is_some() && link.parts().root_masses().all(given) {
        fault(FaultKind::InertiaOverflow);
    }
    match &link.beam {
        Some(beam) => {
            check_beam(beam, &mut fault);
            let pinned = matches!(beam.basis, Basis::Pieces { pinned: true, .. });
            if pinned && (link.joint.nv() == 0 || link.prescribed) {
                fault(FaultKind::NotForPieces {
                    what: "have a pinned root where the joint holds it",
                });
            }
        }
        None if link.masses.iter().any(|(at, _)| *at == Attachment::Tip) => {
            fault(FaultKind::NoBeam { link: link.name.clone() });
        }
        None => {}
    }
    let (nq, nv, joint) = (link.joint.nq(), link.joint.nv(), link.joint.word());
    for (quantity, list, needed) in [
        ("stiffness", &link.stiffness, nv),
        ("rest position", &link.rest, nq),
        ("damping", &link.damping, nv),
        ("armature", &link.armature, nv),
    ] {
        if !list.is_empty() && list.len() != needed {
            fault(FaultKind::WrongCount { quantity, given: list.len(), needed, joint });
        }
        if let Some(value) = first_bad(list) {
            fault(FaultKind::NotFinite { quantity, value });
        } else if quantity != "rest position" {
            for &value in list.iter().filter(|v| **v < 0.0) {
                fault(FaultKind::Negative { quantity, value });
            }
        }
    }
    if let Some(actuator) = &link.actuator {
        actuator.check(link, |kind| fault(kind.into()));
    }
    let attitude = match link.joint {
        super::Joint::Spherical => link.rest.get(..4),
        super::Joint::Free => link.rest.get(3..7),
        _ => None,
    };
    if let Some(attitude) = attitude {
        let length = attitude.iter().map(|c| c * c).sum::<f64>().sqrt();
        if (length - 1.0).abs() > ROTATION_TOLERANCE {
            fault(FaultKind::NotAQuaternion { length });
        }
    }
    if !link.limits.is_empty() && link.limits.len() != nq {
        fault(FaultKind::WrongCount {
            quantity: "limits",
            given: link.limits.len(),
            needed: nq,
            joint,
        });
    }
    for limits in link.limits.iter().flatten() {
        let (lower, upper) = (limits.lower, limits.upper);
        if lower.is_nan() || upper.is_nan() {
            fault(FaultKind::NotFinite { quantity: "a limit", value: f64::NAN });
        } else if lower > upper {
            fault(FaultKind::LimitsCrossed { lower, upper });
        }
    }
}

/// Checks the sections that a link uses, of its parent's beam and of its own.
pub(crate) fn check_sections(link: &Link, parent: Option<&Link>, mut fault: impl FnMut(FaultKind)) {
    let check = |carrier: Option<&Link>, distance: f64, fault: &mut dyn FnMut(FaultKind)| {
        if let Some(length) = carrier.and_then(|c| c.beam.as_ref()).map(Beam::whole_length) {
            if !(0.0..=length * (1.0 + 1e-12)).contains(&distance) {
                fault(FaultKind::SectionOutside { distance, length });
            }
        } else {
            let link = carrier.map_or_else(|| "the ground".to_owned(), |link| link.name.clone());
            fault(FaultKind::NoBeam { link });
        }
    };
    if let Attachment::Section(distance) = link.attachment {
        check(parent, distance, &mut fault);
        let beam = parent.and_then(|parent| parent.beam.as_ref());
        if let Some(length) = beam.filter(|beam| beam.slide.is_some()).map(|beam| beam.length)
            && (distance - length).abs() > 1e-9 * length
        {
            fault(FaultKind::NotAtTip { distance, length });
        }
    }
    for (_, at, _) in &link.frames {
        if let Attachment::Section(distance) = at {
            check(Some(link), *distance, &mut fault);
        }
    }
}

/// The first number that is not finite.
pub(crate) fn first_bad(numbers: &[f64]) -> Option<f64> {
    numbers.iter().copied().find(|x| !x.is_finite())
}

/// Whether the smallest principal moment is below zero by more than rounding.
pub(crate) fn is_negative(smallest: f64, largest: f64) -> bool {
    smallest < -1e-9 * largest.abs()
}
