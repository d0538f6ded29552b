//! From a description without faults to the arm.

use super::actuator::{Actuator, Coupling, Friction};
use super::builder::Builder;
use super::checks::first_bad;
use super::coordinate::{self, Coordinate};
use super::diagnostics::{Warning, idle_warnings, tensor_warning};
use super::faults::FaultKind;
use super::flexible_body::FlexibleBody;
use super::frame::Frame;
use super::joint::{Joint, JointKind};
use super::link::{Attachment, Limits};
use super::passive::Spring;
use super::pieces::{Carried, Piece};
use super::stations::{Stations, carrying, edges, lay_out_columns, supports};
use super::tree::{Arm, Body, Topology};
use crate::beam::{Beam, Flexible, Shaper, Slide, Sliding};
use crate::spatial::{Mat3, Pose, Vec3, turn_taking_z_to};
use std::sync::Arc;

/// The joint in a frame where its axis is z, and the turn to that frame: `Q z = e`.
pub(super) fn canonical_joint(
    joint: &Joint,
    mut fault: impl FnMut(FaultKind),
) -> (JointKind<f64>, Mat3<f64>) {
    let mut unit = |axis: [f64; 3]| {
        let largest = axis.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
        if let Some(value) = first_bad(&axis) {
            fault(FaultKind::NotFinite { quantity: "the joint axis", value });
        } else if largest == 0.0 {
            fault(FaultKind::ZeroAxis { axis });
        } else {
            // by the largest component first: the square of a huge or tiny one is out of range
            let e = Vec3::from(axis.map(|component| component / largest));
            return e * (1.0 / e.norm());
        }
        Vec3::AXES[2]
    };
    match *joint {
        Joint::Fixed => (JointKind::Fixed, Mat3::IDENTITY),
        Joint::Revolute { axis } => (JointKind::Revolute, turn_taking_z_to(unit(axis))),
        Joint::Prismatic { axis } => (JointKind::Prismatic, turn_taking_z_to(unit(axis))),
        Joint::Cylindrical { axis } => (JointKind::Cylindrical, turn_taking_z_to(unit(axis))),
        Joint::Universal { first, second } => {
            let (first, second) = (unit(first), unit(second));
            if first.cross(second).norm() < 1e-6 {
                fault(FaultKind::ParallelAxes);
            }
            let turn = turn_taking_z_to(second);
            (JointKind::Universal { first: turn.transpose_mul(first) }, turn)
        }
        Joint::Planar => (JointKind::Planar, Mat3::IDENTITY),
        Joint::Spherical => (JointKind::Spherical, Mat3::IDENTITY),
        Joint::Free => (JointKind::Free, Mat3::IDENTITY),
    }
}

/// Puts a faultless description together. Beams that bend like those of another arm have their
/// shapes.
pub(super) fn assemble(
    description: &Builder,
    pieces: &[Piece],
    carried: &[Carried],
    warnings: Vec<Warning>,
    shaped: Option<&Arm>,
) -> Arm {
    let mut bodies: Vec<Body<f64>> = Vec::with_capacity(pieces.len());
    let mut frames = Vec::new();
    let mut springs = Vec::new();
    let mut dampers = Vec::new();
    let mut frictions = Vec::new();
    let mut couplings = Vec::new();
    let mut armature = Vec::new();
    let mut topology = Topology {
        name: description.name.clone(),
        links: Vec::new(),
        joints: Vec::new(),
        joint_names: Vec::new(),
        owners: Vec::new(),
        configuration: Vec::new(),
        velocities: Vec::new(),
        configuration_names: Vec::new(),
        velocity_names: Vec::new(),
        limits: Vec::new(),
        warnings,
        supports: Vec::new(),
        edges: Vec::new(),
        carrying: Vec::new(),
        station_bodies: Vec::new(),
        beams: Vec::new(),
        tip_loads: Vec::new(),
        section_columns: Vec::new(),
        column_count: 0,
        turns: Vec::new(),
        prescribed: Vec::new(),
        hinges: Vec::new(),
        force_limits: Vec::new(),
        speed_limits: Vec::new(),
    };
    let mut flexible_bodies: Vec<FlexibleBody<f64>> = Vec::new();
    let mut shapers: Vec<(Beam, Pose<f64>)> = Vec::new();
    let mut stations = Stations { bodies: (0..=pieces.len()).collect(), places: Vec::new() };
    for (&Piece { ref link, parent, owner, turns }, carried) in pieces.iter().zip(carried) {
        let (kind, turn) = canonical_joint(&link.joint, |_| {});
        let index = bodies.len();
        let turned = Pose::new(turn, Vec3::ZERO);
        // the station it hangs on, and the frame there that its placement is given in
        let (station, on_parent) = match (parent, link.attachment) {
            (None, _) => (0, Pose::IDENTITY),
            (Some(p), Attachment::Section(s)) => {
                (stations.at(&mut flexible_bodies, &bodies, &shapers, p, s), Pose::IDENTITY)
            }
            (Some(p), _) => (p + 1, bodies[p].link),
        };
        let link_in_body = turned.inverse().then(&link.outboard);
        let (q, v) = (topology.configuration.len(), armature.len());
        let (nq, nv) = (link.joint.nq(), link.joint.nv());

        let described = &description.links[owner].name;
        let both = [&mut topology.configuration, &mut topology.velocities];
        coordinate::add(both, link, (index, described, turns.is_some()));
        topology.owners.push(described.clone());
        topology.links.push(link.name.clone());
        topology.joints.push(link.joint);
        topology.joint_names.push(link.own_joint_name().to_owned());
        let modal_count = link.beam.as_ref().map_or(0, Beam::freedoms);
        topology
            .limits
            .extend((0..nq + modal_count).map(|k| link.limits.get(k).copied().flatten()));
        let slide = link.beam.as_ref().and_then(|beam| beam.slide);
        if let Some(Slide { stroke: [lower, upper], .. }) = slide {
            topology.limits[q + nq] = Some(Limits { lower, upper });
        }
        topology.warnings.extend(tensor_warning(link));
        if link.hinge {
            topology.hinges.push(index);
        }
        if link.prescribed {
            topology.prescribed.extend(v..v + nv);
        }
        if slide.is_some_and(|slide| slide.prescribed) {
            topology.prescribed.push(v + nv);
        }

        armature
            .extend((0..nv + modal_count).map(|k| link.armature.get(k).copied().unwrap_or(0.0)));
        topology.force_limits.resize(v + nv + modal_count, f64::INFINITY);
        topology.speed_limits.resize(v + nv + modal_count, f64::INFINITY);
        if let Some(actuator) = &link.actuator {
            armature[v] += actuator.armature();
            (topology.force_limits[v], topology.speed_limits[v]) = (actuator.force, actuator.speed);
            let Actuator { coulomb, coulomb_speed: speed, viscous, .. } = *actuator;
            dampers.extend((viscous != 0.0).then_some((v, viscous)));
            let friction = Friction { v, coulomb, square: speed * speed };
            frictions.extend((coulomb != 0.0).then_some(friction));
            if let (Some(stiffness), Some(turned)) = (actuator.stiffness, turns) {
                let turned_body: &Body<f64> = &bodies[turned];
                couplings.push(Coupling {
                    bodies: [turned, index],
                    q: [turned_body.q, q],
                    v: [turned_body.v, v],
                    stiffness,
                    damping: actuator.damping,
                });
            }
        }
        if let Some(Slide { damping, armature: own, .. }) = slide {
            armature[v + nv] = own;
            dampers.extend((damping != 0.0).then_some((v + nv, damping)));
        }
        let mut inertia = link.inertia.seen_from(&link_in_body);
        let bend = link.beam.as_ref().map(|beam| {
            let root = link_in_body.then(&beam.root);
            let like = shaped.and_then(|arm| arm.shaping(flexible_bodies.len(), beam));
            let (shaping, load) =
                like.map_or((beam, carried.load(beam)), |(beam, load, _)| (beam, load));
            let (sliding, flexible) = if beam.slide.is_none() {
                let forming = shaping.basis.forming_loads(shaping.length);
                let loads = forming.unwrap_or_else(|| vec![(shaping.length, load)]);
                let shaper = Shaper { beam: shaping, loads };
                (None, Flexible::new(beam, &root, &inertia, &shaper))
            } else {
                let like = like.and_then(|(beam, _, sliding)| Some((beam, sliding?)));
                let (sliding, flexible) = Sliding::new(beam, like, &root, &inertia);
                (Some(Arc::new(sliding)), flexible)
            };
            shapers.push((shaping.clone(), root));
            inertia = flexible.undeformed();
            flexible_bodies.push(FlexibleBody { flexible, sections: Vec::new(), sliding });
            topology.beams.push((beam.clone(), root));
            topology.tip_loads.push(carried.load(beam));
            flexible_bodies.len() - 1
        });
        dampers.extend(
            link.damping.iter().enumerate().filter(|(_, d)| **d != 0.0).map(|(k, d)| (v + k, *d)),
        );
        if link.stiffness.iter().any(|k| *k != 0.0) {
            let (mut stiffness, mut rest) = ([0.0; 6], [0.0; 7]);
            stiffness[..nv].copy_from_slice(&link.stiffness);
            kind.neutral(&mut rest[..nq]);
            if !link.rest.is_empty() {
                rest[..nq].copy_from_slice(&link.rest);
            }
            springs.push(Spring { body: index, stiffness, rest });
        }
        if turns.is_none() {
            frames.push(Frame::new(&link.name, link, described, index + 1, link_in_body));
        }
        for (name, at, pose) in &link.frames {
            if !matches!(at, Attachment::Section(_)) {
                frames.push(Frame::new(name, link, described, index + 1, link_in_body.then(pose)));
            }
        }
        let turn = topology.turns.len();
        if kind == JointKind::Revolute {
            topology.turns.push(q);
        }
        bodies.push(Body {
            parent: station,
            placement: on_parent.then(&link.placement).then(&turned),
            kind,
            q,
            v,
            turn,
            nq,
            nv,
            prescribed: link.prescribed,
            prescribed_length: slide.is_some_and(|slide| slide.prescribed),
            inertia,
            link: link_in_body,
            modal_count,
            bend,
        });
        for (name, at, pose) in &link.frames {
            let Attachment::Section(s) = *at else { continue };
            let station = stations.at(&mut flexible_bodies, &bodies, &shapers, index, s);
            frames.push(Frame::new(name, link, described, station, *pose));
        }
    }
    for section in flexible_bodies.iter_mut().flat_map(|bend| &mut bend.sections) {
        section.carries = bodies.iter().any(|body| body.parent == section.station);
    }
    let names = |all: &[Coordinate]| all.iter().map(|own| own.name.clone()).collect();
    topology.configuration_names = names(&topology.configuration);
    topology.velocity_names = names(&topology.velocities);
    topology.station_bodies = stations.bodies;
    (topology.section_columns, topology.column_count) =
        lay_out_columns(&bodies, &topology.station_bodies, armature.len());
    topology.edges = edges(&bodies, &flexible_bodies, &topology.section_columns);
    topology.carrying = carrying(&topology.edges, &flexible_bodies);
    topology.supports = supports(&bodies, &topology.station_bodies, &topology.section_columns);
    topology.warnings.extend(idle_warnings(
        &bodies,
        &topology.station_bodies,
        &armature,
        &topology.links,
    ));
    let gravity = description.gravity.into();
    let has_armature = armature.iter().any(|a| *a != 0.0);
    let topology = Arc::new(topology);
    Arm {
        gravity,
        bodies,
        flexible_bodies,
        frames,
        springs,
        dampers,
        frictions,
        couplings,
        elements: Arc::new([]),
        armature,
        has_armature,
        topology,
    }
}
