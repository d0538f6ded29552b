//! What random arms are made of: joints, masses, beams, drives.

use crate::description::{LinkData, Mass};
use crate::random::Random;
use pliant::arm::{Actuator, Joint};
use pliant::beam::{Basis, Beam, Damping, Matter, Profile, Scale, Section, ShapeLoad, Slide, Ways};
use pliant::spatial::{Quaternion, Vec3};
use std::f64::consts::PI;

/// A drive, with a spring behind it or not.
pub(super) fn actuator(elastic: bool, random: &mut Random) -> Actuator {
    let mut some = |most: f64| random.between(0.1, 1.0) * most;
    Actuator {
        rotor_inertia: some(1e-4),
        gear: some(100.0),
        stiffness: elastic.then(|| some(50.0)),
        damping: if elastic { some(2.0) } else { 0.0 },
        viscous: some(0.5),
        coulomb: some(3.0),
        coulomb_speed: some(1.0),
        ..Actuator::default()
    }
}

/// Springs, dampers, armature, an outboard frame, a second mass.
pub(super) fn furnish(link: &mut LinkData, random: &mut Random) {
    let nv = link.joint.nv();
    link.outboard = random.pose(0.3);
    link.stiffness = random.positive(nv, 20.0);
    link.damping = random.positive(nv, 2.0);
    link.armature = random.positive(nv, 0.3);
    link.rest = configuration(&link.joint, random);
    if random.once_in(2) {
        link.masses.push(Mass { tensor: [[0.0; 3]; 3], ..mass(random) });
    }
}

/// A beam that slides, of any basis.
pub(super) fn slider(prescribed: bool, random: &mut Random) -> Beam {
    let section = Section {
        ea: 0.0,
        ei_z: random.between(20.0, 100.0),
        ei_y: random.between(20.0, 100.0),
        gj: random.between(20.0, 100.0),
        kga_y: None,
        kga_z: None,
        rho_a: random.between(0.5, 2.0),
        rho_i_z: random.between(1e-3, 5e-3),
        rho_i_y: random.between(1e-3, 5e-3),
    };
    let length = random.between(0.8, 1.5);
    let ways = Ways::new(1 + random.below(2), random.below(3), random.below(2), 0);
    let mut slide = Slide {
        prescribed: prescribed && random.once_in(2),
        damping: random.between(0.0, 2.0),
        armature: random.between(0.0, 0.3),
        ..Slide::between(0.6 * length, 0.9 * length)
    };
    let basis = match random.below(3) {
        0 => Basis::ClampedFree(ways),
        1 => {
            // higher shapes need not move the tip at every length
            slide.scale = if ways.bend_y.max(ways.bend_z) < 2 { Scale::Tip } else { Scale::One };
            Basis::ClampedMass { ways, load: ShapeLoad::Outboard }
        }
        _ => Basis::Hermite {
            elements: 1 + random.below(2),
            ways: Ways::new(true, random.once_in(2), random.once_in(2), false),
        },
    };
    Beam {
        root: random.pose(0.2),
        foreshortening: !random.once_in(3),
        damping: Damping {
            mass: random.between(0.0, 0.5),
            stiffness: random.between(0.0, 1e-3),
            ratios: Vec::new(),
        },
        slide: Some(slide),
        ..Beam::new(length, section, basis)
    }
}

/// A beam of any basis.
pub(super) fn beam(random: &mut Random) -> Beam {
    let matter = |random: &mut Random| {
        Matter::from(Section {
            ea: random.between(1e3, 1e4),
            ei_z: random.between(20.0, 100.0),
            ei_y: random.between(20.0, 100.0),
            gj: random.between(20.0, 100.0),
            kga_y: Some(random.between(500.0, 5000.0)),
            kga_z: Some(random.between(500.0, 5000.0)),
            rho_a: random.between(0.5, 2.0),
            rho_i_z: random.between(1e-3, 5e-3),
            rho_i_y: random.between(1e-3, 5e-3),
        })
    };
    let length = random.between(0.5, 1.2);
    let profile = if random.once_in(3) {
        let middle = length * random.between(0.3, 0.7);
        Profile::along([0.0, middle, middle, length].map(|s| (s, matter(random))).to_vec())
    } else {
        matter(random).into()
    };
    let ways = Ways::new(1 + random.below(2), random.below(3), random.below(2), random.below(2));
    let basis = match random.below(6) {
        0 => Basis::ClampedFree(ways),
        1 => Basis::RootPinned(ways),
        2 => Basis::ClampedMass { ways, load: ShapeLoad::Outboard },
        3 => Basis::Eigenmodes {
            elements: 3,
            ways,
            load: ShapeLoad::Outboard,
            hinge_y: random.once_in(2).then(|| random.between(0.0, 0.1)),
            hinge_z: random.once_in(2).then(|| random.between(0.0, 0.1)),
        },
        _ => Basis::Hermite {
            elements: 1 + random.below(2),
            ways: Ways::new(true, random.once_in(2), random.once_in(2), random.once_in(2)),
        },
    };
    let elements = matches!(basis, Basis::Hermite { .. } | Basis::Eigenmodes { .. });
    let mut beam = Beam {
        root: random.pose(0.2),
        foreshortening: !random.once_in(3),
        shear: elements && random.once_in(2),
        damping: Damping {
            mass: random.between(0.0, 0.5),
            stiffness: random.between(0.0, 1e-3),
            ratios: if random.once_in(3) { vec![random.between(0.0, 0.1)] } else { Vec::new() },
        },
        ..Beam::new(length, profile, basis)
    };
    if random.once_in(3) {
        beam.rigid_root = random.between(0.0, 0.2);
        beam.rigid_tip = random.between(0.0, 0.2);
    }
    if matches!(beam.basis, Basis::Hermite { .. }) && random.once_in(2) {
        beam.segments = 2;
        beam.damping.ratios.clear();
    }
    beam
}

/// A joint of a kind with random axes.
pub(super) fn joint(kind: &str, random: &mut Random) -> Joint {
    let axis = random.axis();
    match kind {
        "fixed" => Joint::Fixed,
        "revolute" => Joint::Revolute { axis },
        "prismatic" => Joint::Prismatic { axis },
        "cylindrical" => Joint::Cylindrical { axis },
        "universal" => loop {
            let second = random.axis();
            let [a, b] = [axis, second].map(Vec3::from);
            if a.cross(b).norm() > 0.3 * a.norm() * b.norm() {
                let first = axis;
                break Joint::Universal { first, second };
            }
        },
        "planar" => Joint::Planar,
        "spherical" => Joint::Spherical,
        "free" => Joint::Free,
        other => unreachable!("no joint kind {other}"),
    }
}

/// A compact body off the frame's origin: `I = tr(W) 1 − W` of a random `W`.
pub(crate) fn mass(random: &mut Random) -> Mass {
    let r = Quaternion::from_slice(&random.quaternion()).to_matrix().to_rows();
    let w = [(); 3].map(|()| random.between(0.005, 0.05));
    let trace: f64 = w.iter().sum();
    let mut tensor = [[0.0; 3]; 3];
    for i in 0..3 {
        for j in 0..=i {
            let moment: f64 = (0..3).map(|k| r[i][k] * (trace - w[k]) * r[j][k]).sum();
            (tensor[i][j], tensor[j][i]) = (moment, moment);
        }
    }
    Mass { kilograms: random.between(0.5, 3.0), centre: random.vector(0.3), tensor }
}

/// A configuration of one joint.
pub(super) fn configuration(joint: &Joint, random: &mut Random) -> Vec<f64> {
    let turn = |turns: bool| if turns { PI } else { 0.5 };
    match joint {
        Joint::Spherical => random.quaternion().to_vec(),
        Joint::Free => [&random.vector(0.5)[..], &random.quaternion()].concat(),
        _ => joint.turns().iter().map(|&turns| random.between(-turn(turns), turn(turns))).collect(),
    }
}
