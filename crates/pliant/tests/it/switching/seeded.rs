//! Motions of random arms, from fixed seeds: rigid and flexible, damped and not, stiff and not, with
//! and without sampled control.

use crate::random::Random;
use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::beam::{Basis, Beam, Damping, Section, Ways};
use pliant::simulate::{
    BlockInput, BlockOutput, Clock, Diagram, SampledBlock, Selection, Sensor, SensorQuantity, Tick,
};
use pliant::spatial::{Pose, Vec3, axis_rotation};
use std::f64::consts::PI;

/// How many there are.
pub(crate) const COUNT: u64 = 20;

/// A motion, and what is in it.
pub(crate) struct Seeded {
    pub(crate) name: String,
    pub(crate) diagram: Diagram,
}

/// What the links of an arm are.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Links {
    Rigid,
    Modes,
    Mixed,
    Elements,
}

/// The motion of a seed below [`COUNT`].
pub(crate) fn seeded(seed: u64) -> Seeded {
    let mut random = Random::new(seed + 1);
    let count = 1 + (seed % 6) as usize;
    let links = [Links::Rigid, Links::Modes, Links::Elements, Links::Mixed][(seed % 4) as usize];
    let is_damped = seed % 8 >= 4;
    let tick = [None, None, Some(1e-3), None, Some(5e-3)][(seed % 5) as usize];
    let spring = (seed % 7 == 3).then_some(1e6);
    let arm = arm(&mut random, count, links, is_damped, tick.is_some(), spring);
    let mut diagram = Diagram::new(arm.clone(), 1.0, 0.05);
    diagram.selection = Selection::new(["tip.position.*"]);
    let joints: Vec<usize> = joints(&arm);
    for &joint in &joints {
        // springs are stiff: they start near their rest
        let far = if spring.is_some() { 0.01 } else { 0.8 };
        diagram.q[joint] = random.between(-far, far);
        diagram.u[joint] = random.between(-0.5, 0.5);
    }
    if let Some(period) = tick {
        hold(&mut diagram, &joints, period);
    }
    let words = [
        format!("{count} {links:?}").to_lowercase(),
        if is_damped { "damped".into() } else { String::new() },
        spring.map_or(String::new(), |_| "stiff springs".into()),
        tick.map_or(String::new(), |period| format!("ticks of {} ms", 1e3 * period)),
    ];
    let words: Vec<String> = words.into_iter().filter(|word| !word.is_empty()).collect();
    Seeded { name: format!("{seed}: {}", words.join(", ")), diagram }
}

/// King's arm of section 2.7 in four finite elements for each bar, released from -80 and 10 degrees:
/// its fastest vibrations are never at rest, so that implicit steps cannot be long.
pub(crate) fn king_elements() -> Seeded {
    let bar = |radius: f64| {
        let area = PI * radius * radius;
        let second = 0.25 * area * radius * radius;
        let section = Section {
            ea: 69e9 * area,
            ei_z: 69e9 * second,
            ei_y: 69e9 * second,
            gj: 8.9e9 * 2.0 * second,
            kga_y: None,
            kga_z: None,
            rho_a: 2780.0 * area,
            rho_i_z: 2780.0 * second,
            rho_i_y: 2780.0 * second,
        };
        let ways = Ways::new(true, true, false, false);
        Beam::new(1.22, section, Basis::Hermite { elements: 4, ways })
    };
    let turn = axis_rotation(Vec3::new(1.0, 0.0, 0.0), 0.0, 1.0);
    let joint = || Joint::revolute([0.0, 0.0, 1.0]);
    let upper = Link::new("upper").joint(joint()).beam(bar(5e-3));
    let fore = Link::new("fore").placed(Pose::new(turn, Vec3::ZERO)).joint(joint());
    let fore = fore.at_section(1.22).beam(bar(4e-3)).section_frame("tip", 1.22, Pose::IDENTITY);
    let arm = Builder::new("king").gravity([0.0, -9.81, 0.0]).link(upper).link(fore);
    let arm = arm.build().expect("a good arm");
    let joints = joints(&arm);
    let mut diagram = Diagram::new(arm, 1.0, 0.05);
    diagram.selection = Selection::new(["tip.position.*"]);
    (diagram.q[joints[0]], diagram.q[joints[1]]) = (-80f64.to_radians(), 10f64.to_radians());
    Seeded { name: "king, 4 elements".into(), diagram }
}

/// The joints, which have one coordinate each.
fn joints(arm: &Arm) -> Vec<usize> {
    let names = arm.configuration_names().iter().enumerate();
    names.filter(|(_, name)| !name.contains('.')).map(|(i, _)| i).collect()
}

fn arm(
    random: &mut Random,
    count: usize,
    links: Links,
    is_damped: bool,
    is_held: bool,
    spring: Option<f64>,
) -> Arm {
    let mut builder = Builder::new("seeded").gravity([0.0, -9.81, 0.0]);
    let mut is_beam = false;
    for i in 0..count {
        let axis = [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0]][usize::from(random.once_in(3))];
        let mut link = Link::new(format!("link{i}")).joint(Joint::revolute(axis));
        if i > 0 {
            let reach = if is_beam { 0.0 } else { 0.5 };
            link = link.placed(Pose::at(reach, 0.0, 0.0));
        }
        if is_beam {
            link = link.at_section(0.5);
        }
        let small = random.between(0.002, 0.02);
        let tensor = [[small, 0.0, 0.0], [0.0, 1.2 * small, 0.0], [0.0, 0.0, 1.5 * small]];
        is_beam = match links {
            Links::Rigid => false,
            Links::Modes => true,
            Links::Mixed => i % 2 == 1 || count == 1,
            Links::Elements => i + 1 == count,
        };
        link = if is_beam {
            link.body(0.3, [0.0; 3], tensor).beam(beam(random, links, is_damped))
        } else {
            link.body(random.between(0.5, 2.0), [0.25, 0.0, 0.0], tensor)
        };
        if is_damped || is_held {
            link = link.damping(&[if is_held { 4.0 } else { 0.1 }]);
        }
        if is_held {
            link = link.armature(&[0.1]);
        }
        if let Some(stiffness) = spring {
            link = link.spring(&[stiffness], &[0.0]).damping(&[20.0]);
        }
        if i + 1 == count {
            link = if is_beam {
                link.section_frame("tip", 0.5, Pose::IDENTITY)
            } else {
                link.frame("tip", Pose::at(0.5, 0.0, 0.0))
            };
        }
        builder = builder.link(link);
    }
    builder.build().expect("a good arm")
}

fn beam(random: &mut Random, links: Links, is_damped: bool) -> Beam {
    let stiffness = random.between(20.0, 400.0);
    let section = Section {
        ea: 1e4 * stiffness,
        ei_z: stiffness,
        ei_y: 1.5 * stiffness,
        gj: stiffness,
        kga_y: None,
        kga_z: None,
        rho_a: 1.0,
        rho_i_z: 1e-4,
        rho_i_y: 1e-4,
    };
    let basis = if links == Links::Elements {
        let elements = 2 + random.below(5);
        Basis::Hermite { elements, ways: Ways::new(true, false, false, false) }
    } else {
        Basis::ClampedFree(Ways::new(1 + random.below(2), 1, 0, 0))
    };
    let ratios = if is_damped { vec![0.03] } else { Vec::new() };
    let damping = Damping { ratios, ..Damping::default() };
    Beam { damping, ..Beam::new(0.5, section, basis) }
}

/// Holds the joints where they start, by sampled springs.
fn hold(diagram: &mut Diagram, joints: &[usize], period: f64) {
    let clock = Clock::every(period).expect("a clock");
    let mut inputs = Vec::new();
    for (k, &joint) in joints.iter().enumerate() {
        let quantity = SensorQuantity::Coordinate(joint);
        diagram.sensors.push(Sensor::new(format!("angle {k}"), quantity, clock));
        inputs.push(BlockInput::Sensor(k));
    }
    let outputs = joints.iter().map(|&v| BlockOutput::motor(format!("torque {v}"), v)).collect();
    let start: Vec<f64> = joints.iter().map(|&joint| diagram.q[joint]).collect();
    let law = move |tick: &Tick<'_>, torques: &mut [f64]| {
        for (k, torque) in torques.iter_mut().enumerate() {
            *torque = 100.0 * (start[k] - tick.inputs[k]);
        }
    };
    diagram.blocks.push(SampledBlock::new("hold", clock, inputs, outputs, law));
}
