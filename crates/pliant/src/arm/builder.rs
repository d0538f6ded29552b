//! From a description to a checked arm.

use super::actuator::{Actuator, Coupling, Friction};
use super::beam_checks::check_inertia;
use super::bend::Bend;
use super::checks::{self, BuildError, Fault, FaultKind, Warning};
use super::doubts::{free_tip, idle_warnings};
use super::joint::{Joint, JointKind};
use super::link::{Limits, Link, Parent};
use super::passive::Spring;
use super::pieces::{Carried, Piece, divide, look_up_loads, outboard};
use super::stations::{Stations, lay_out_columns, supports};
use super::tree::{Arm, Body, Frame, Words};
use crate::beam::{Beam, Flexible, Matter, Section, SectionRotation, Slide, Sliding, Velocity};
use crate::spatial::{Mat3, Pose, RigidInertia, Vec3, turn_taking_z_to};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Collects links and builds an [`Arm`] from them.
///
/// ```
/// use pliant::arm::{Builder, Joint, Link};
/// use pliant::spatial::Pose;
///
/// let rod = [[0.0, 0.0, 0.0], [0.0, 0.02, 0.0], [0.0, 0.0, 0.02]];
/// let arm = Builder::new("double pendulum")
///     .gravity([0.0, -9.81, 0.0])
///     .link(Link::new("upper").joint(Joint::revolute([0.0, 0.0, 1.0])).body(1.0, [0.25, 0.0, 0.0], rod))
///     .link(
///         Link::new("fore")
///             .joint(Joint::revolute([0.0, 0.0, 1.0]))
///             .placed(Pose::at(0.5, 0.0, 0.0))
///             .body(1.0, [0.25, 0.0, 0.0], rod),
///     )
///     .build()?;
/// assert_eq!(arm.velocity_names(), ["upper", "fore"]);
/// # Ok::<(), pliant::arm::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Builder {
    name: String,
    gravity: [f64; 3],
    links: Vec<Link>,
    lenient: bool,
}

/// What a [`Builder`] has collected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BuilderParts<'a> {
    /// The arm's name.
    pub name: &'a str,
    /// The gravity acceleration (m/s²), world.
    pub gravity: [f64; 3],
    /// The links as they were added.
    pub links: &'a [Link],
    /// Whether [`Builder::lenient`] was asked for.
    pub lenient: bool,
}

/// Gravity where a description says nothing (m/s²).
const STANDARD_GRAVITY: [f64; 3] = [0.0, 0.0, -9.81];

impl Builder {
    /// An arm without links, with gravity 9.81 m/s² along −z.
    pub fn new(name: impl Into<String>) -> Self {
        Self { name: name.into(), gravity: STANDARD_GRAVITY, links: Vec::new(), lenient: false }
    }

    /// The gravity acceleration (m/s²), world.
    #[must_use]
    pub fn gravity(mut self, gravity: [f64; 3]) -> Self {
        self.gravity = gravity;
        self
    }

    /// Adds a link.
    #[must_use]
    pub fn link(mut self, link: Link) -> Self {
        self.links.push(link);
        self
    }

    /// Keeps inertia tensors that no matter has as they are given, with a
    /// [`Warning::NegativeInertia`] instead of a fault: published robots have them, and the motion
    /// may well be fine, because other masses move along.
    #[must_use]
    pub fn lenient(mut self) -> Self {
        self.lenient = true;
        self
    }

    /// Changes every beam, for instance to one with more shapes.
    #[must_use]
    pub fn map_beams(mut self, mut change: impl FnMut(Beam) -> Beam) -> Self {
        for link in &mut self.links {
            link.beam = link.beam.take().map(&mut change);
        }
        self
    }

    /// Takes the springs between motors and links away: the joints are rigid, and the inertia of the
    /// rotors stays.
    #[must_use]
    pub fn rigid_joints(mut self) -> Self {
        for actuator in self.links.iter_mut().filter_map(|link| link.actuator.as_mut()) {
            (actuator.stiffness, actuator.damping) = (None, 0.0);
        }
        self
    }

    /// What has been collected so far.
    pub fn parts(&self) -> BuilderParts<'_> {
        BuilderParts {
            name: &self.name,
            gravity: self.gravity,
            links: &self.links,
            lenient: self.lenient,
        }
    }

    /// Checks everything and builds the arm; all faults are reported together.
    pub fn build(self) -> Result<Arm, BuildError> {
        let mut faults = Vec::new();
        let mut fault = |link: usize, kind| {
            let name = self.links.get(link).map_or_else(String::new, |l| l.name.clone());
            faults.push(Fault { link, name, kind });
        };
        if let Some(value) = checks::first_bad(&self.gravity) {
            fault(0, FaultKind::NotFinite { quantity: "gravity", value });
        }
        check_names(&self.links.iter().collect::<Vec<_>>(), &mut fault);
        for (i, link) in self.links.iter().enumerate() {
            checks::check_link(link, |kind| match kind {
                FaultKind::NegativeInertia { .. } if self.lenient => {}
                kind => fault(i, kind),
            });
        }
        let order = order_parents_first(&self.links, &mut fault);
        for &(i, parent) in &order {
            checks::check_sections(&self.links[i], parent.map(|p| &self.links[p]), |kind| {
                fault(i, kind);
            });
        }
        for (i, link) in self.links.iter().enumerate() {
            canonical_joint(&link.joint, |kind| fault(i, kind));
        }
        if !faults.is_empty() {
            faults.sort_by_key(|f| f.link);
            return Err(BuildError { faults });
        }
        let mut exact = self;
        exact.links.iter_mut().for_each(Link::straighten);
        let mut pieces = divide(&exact.links, &order);
        let carried = outboard(&pieces);
        look_up_loads(&mut pieces, &carried);
        let fault_of = |piece: &Piece, kind| {
            let name = exact.links[piece.owner].name.clone();
            Fault { link: piece.owner, name, kind }
        };
        if pieces.len() > exact.links.len() {
            let links: Vec<&Link> = pieces.iter().map(|piece| &piece.link).collect();
            check_names(&links, &mut |i, kind| faults.push(fault_of(&pieces[i], kind)));
        }
        if !faults.is_empty() {
            return Err(BuildError { faults });
        }
        // of whole links: a segment is not slender, the link may be
        let doubts = |link: &Link| match &link.beam {
            Some(beam) => beam_warnings(&link.name, beam),
            None => Vec::new(),
        };
        let mut doubts: Vec<Warning> = exact.links.iter().flat_map(doubts).collect();
        doubts.extend(pieces.iter().zip(&carried).filter_map(|(p, own)| free_tip(&p.link, own)));
        let arm = assemble(&exact.name, exact.gravity, &pieces, &carried, doubts);
        for (piece, carried) in pieces.iter().zip(&carried) {
            let at = arm.words.links.iter().position(|name| *name == piece.link.name);
            let bend = at.and_then(|at| arm.bodies[at].bend);
            if let (Some(beam), Some(bend)) = (&piece.link.beam, bend) {
                let names: Vec<String> = piece.link.bending_names().collect();
                let kind = check_inertia(beam, &arm.bends[bend], carried, &names);
                faults.extend(kind.map(|kind| fault_of(piece, kind)));
            }
        }
        if faults.is_empty() { Ok(arm) } else { Err(BuildError { faults }) }
    }
}

/// Names must be there and differ; coordinates and frames have names made of those of links.
fn check_names(links: &[&Link], fault: &mut impl FnMut(usize, FaultKind)) {
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
        let joint = link.joint_name.clone().unwrap_or_else(|| link.name.clone());
        if link.joint.nv() == 0 || is_new(i, "joint", joint) {
            for name in link.configuration_names().chain(link.bending_names()) {
                is_new(i, "coordinate", name);
            }
        }
        // every link has a frame of its own name
        is_new(i, "frame", link.name.clone());
    }
    for (i, link) in sound {
        let own = link.frames.iter().map(|(name, _)| name);
        for name in own.chain(link.section_frames.iter().map(|(name, _, _)| name)) {
            is_new(i, "frame", name.clone());
        }
    }
}

/// The order in which bodies are numbered, with the position of each parent in the description:
/// as described, but a link waits for its parent.
fn order_parents_first(
    links: &[Link],
    fault: &mut impl FnMut(usize, FaultKind),
) -> Vec<(usize, Option<usize>)> {
    let by_name: HashMap<&str, usize> =
        links.iter().enumerate().rev().map(|(i, l)| (l.name.as_str(), i)).collect();
    let parents: Vec<Option<usize>> = links
        .iter()
        .enumerate()
        .map(|(i, link)| match &link.parent {
            Parent::Previous => i.checked_sub(1),
            Parent::Ground => None,
            Parent::Link(name) => {
                let parent = by_name.get(name.as_str()).copied();
                if parent.is_none() {
                    fault(i, FaultKind::UnknownParent { parent: name.clone() });
                }
                parent
            }
        })
        .collect();
    let mut order = Vec::with_capacity(links.len());
    let mut placed = vec![false; links.len()];
    for start in 0..links.len() {
        // climb to the first placed ancestor, then come back down
        let mut path = Vec::new();
        let mut at = Some(start);
        while let Some(i) = at.filter(|&i| !placed[i]) {
            if let Some(first) = path.iter().position(|&j| j == i) {
                let names: Vec<&str> =
                    path[first..].iter().chain([&i]).map(|&j| links[j].name.as_str()).collect();
                fault(i, FaultKind::Cycle { path: names.join(" on ") });
                break;
            }
            path.push(i);
            at = parents[i];
        }
        for &i in path.iter().rev() {
            placed[i] = true;
            order.push((i, parents[i]));
        }
    }
    order
}

/// The joint in a frame where its axis is z, and the turn to that frame: `Q z = e`.
fn canonical_joint(joint: &Joint, mut fault: impl FnMut(FaultKind)) -> (JointKind<f64>, Mat3<f64>) {
    let mut unit = |axis: [f64; 3]| {
        let largest = axis.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
        if let Some(value) = checks::first_bad(&axis) {
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

/// Whether a link slides with the velocity of Theodore (24).
fn is_paper(link: &Link) -> bool {
    let slide = link.beam.as_ref().and_then(|beam| beam.slide);
    slide.is_some_and(|slide| slide.velocity == Velocity::Paper)
}

/// Puts a faultless description together.
fn assemble(
    name: &str,
    gravity: [f64; 3],
    pieces: &[Piece],
    carried: &[Carried],
    warnings: Vec<Warning>,
) -> Arm {
    let mut bodies: Vec<Body<f64>> = Vec::with_capacity(pieces.len());
    let mut frames = Vec::new();
    let mut springs = Vec::new();
    let mut dampers = Vec::new();
    let mut frictions = Vec::new();
    let mut couplings = Vec::new();
    let mut armature = Vec::new();
    let mut words = Words {
        name: name.to_owned(),
        links: Vec::new(),
        joints: Vec::new(),
        configuration_names: Vec::new(),
        velocity_names: Vec::new(),
        limits: Vec::new(),
        warnings,
        supports: Vec::new(),
        station_bodies: Vec::new(),
        beams: Vec::new(),
        section_columns: Vec::new(),
        column_count: 0,
        turns: Vec::new(),
        prescribed: Vec::new(),
        hinges: Vec::new(),
        force_limits: Vec::new(),
        speed_limits: Vec::new(),
    };
    let mut bends: Vec<Bend<f64>> = Vec::new();
    let mut stations = Stations { bodies: (0..=pieces.len()).collect(), places: Vec::new() };
    for (&Piece { ref link, parent, turns, .. }, carried) in pieces.iter().zip(carried) {
        let (kind, turn) = canonical_joint(&link.joint, |_| {});
        let index = bodies.len();
        let turned = Pose::new(turn, Vec3::ZERO);
        // the station it hangs on, and the frame there that its placement is given in
        let (station, on_parent) = match (parent, link.section) {
            (None, _) => (0, Pose::IDENTITY),
            (Some(p), None) => (p + 1, bodies[p].link),
            (Some(p), Some(s)) => {
                (stations.at(&mut bends, &bodies, &words.beams, p, s), Pose::IDENTITY)
            }
        };
        let link_in_body = turned.inverse().then(&link.outboard);
        let (q, v) = (words.configuration_names.len(), armature.len());
        let (nq, nv) = (link.joint.nq(), link.joint.nv());

        words.configuration_names.extend(link.configuration_names().chain(link.bending_names()));
        words.velocity_names.extend(link.velocity_names().chain(link.bending_names()));
        words.links.push(link.name.clone());
        words.joints.push(link.joint);
        let nb = link.beam.as_ref().map_or(0, Beam::freedoms);
        words.limits.extend((0..nq + nb).map(|k| link.limits.get(k).copied().flatten()));
        let slide = link.beam.as_ref().and_then(|beam| beam.slide);
        if let Some(Slide { stroke: [lower, upper], .. }) = slide {
            words.limits[q + nq] = Some(Limits { lower, upper });
        }
        words.warnings.extend(tensor_warning(link));
        if link.hinge {
            words.hinges.push(index);
        }
        if link.prescribed {
            words.prescribed.extend(v..v + nv);
        }
        if slide.is_some_and(|slide| slide.prescribed) {
            words.prescribed.push(v + nv);
        }

        armature.extend((0..nv + nb).map(|k| link.armature.get(k).copied().unwrap_or(0.0)));
        words.force_limits.resize(v + nv + nb, f64::INFINITY);
        words.speed_limits.resize(v + nv + nb, f64::INFINITY);
        if let Some(actuator) = &link.actuator {
            armature[v] += actuator.armature();
            (words.force_limits[v], words.speed_limits[v]) = (actuator.force, actuator.speed);
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
        let mut inertia = match parent {
            // part of the beam already
            Some(p) if link.section.is_some() && is_paper(&pieces[p].link) => RigidInertia::ZERO,
            _ => link.inertia.seen_from(&link_in_body),
        };
        let bend = link.beam.as_ref().map(|beam| {
            let root = link_in_body.then(&beam.root);
            let load = match beam.basis.load() {
                Some(_) => beam.basis.given_load(),
                None => carried.load(beam),
            };
            let (sliding, flexible) = match beam.slide {
                None => (None, Flexible::new(beam, &root, &inertia, &load)),
                Some(slide) => {
                    let payload = if is_paper(link) { carried.load(beam).mass } else { 0.0 };
                    let (sliding, flexible) =
                        Sliding::new(beam, slide.neutral(), &root, &inertia, payload);
                    (Some(Arc::new(sliding)), flexible)
                }
            };
            inertia = flexible.undeformed();
            bends.push(Bend { flexible, sections: Vec::new(), sliding });
            words.beams.push((beam.clone(), root));
            bends.len() - 1
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
            frames.push(Frame { name: link.name.clone(), station: index + 1, pose: link_in_body });
        }
        frames.extend(link.frames.iter().map(|(name, pose)| Frame {
            name: name.clone(),
            station: index + 1,
            pose: link_in_body.then(pose),
        }));
        let turn = words.turns.len();
        if kind == JointKind::Revolute {
            words.turns.push(q);
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
            held: slide.is_some_and(|slide| slide.prescribed),
            inertia,
            link: link_in_body,
            nb,
            bend,
        });
        for (name, s, pose) in &link.section_frames {
            let station = stations.at(&mut bends, &bodies, &words.beams, index, *s);
            frames.push(Frame { name: name.clone(), station, pose: *pose });
        }
    }
    words.station_bodies = stations.bodies;
    (words.section_columns, words.column_count) =
        lay_out_columns(&bodies, &words.station_bodies, armature.len());
    words.supports = supports(&bodies, &words.station_bodies, &words.section_columns);
    words.warnings.extend(idle_warnings(&bodies, &words.station_bodies, &armature, &words.links));
    let gravity = gravity.into();
    let has_armature = armature.iter().any(|a| *a != 0.0);
    let words = Arc::new(words);
    Arm {
        gravity,
        bodies,
        bends,
        frames,
        springs,
        dampers,
        frictions,
        couplings,
        armature,
        has_armature,
        words,
    }
}

/// The first of the link's tensors that no matter has. A negative moment gets here only when the
/// builder is lenient.
fn tensor_warning(link: &Link) -> Option<Warning> {
    link.masses.iter().find_map(|mass| {
        let [smallest, middle, largest] = checks::principal_moments(&mass.tensor);
        let link = &link.name;
        if checks::is_negative(smallest, largest) {
            Some(Warning::NegativeInertia { link: link.clone(), moment: smallest })
        } else if smallest + middle < largest * (1.0 - 1e-6) {
            Some(Warning::TriangleInequality { link: link.clone(), smallest, middle, largest })
        } else {
            None
        }
    })
}

/// Where the options chosen for a beam are not right for it.
fn beam_warnings(link: &str, beam: &Beam) -> Vec<Warning> {
    let link = link.to_owned();
    let mut warnings = Vec::new();
    if beam.rotation == SectionRotation::FirstOrder {
        warnings.push(Warning::FirstOrderRotation { link: link.clone() });
    }
    if beam.slide.is_some_and(|slide| slide.velocity == Velocity::Paper) {
        warnings.push(Warning::PaperVelocity { link: link.clone() });
    }
    let bends = beam.basis.ways();
    let thickness = |matter: &Matter| {
        let Section { ei_z, ei_y, kga_y, kga_z, rho_a, rho_i_z, rho_i_y, .. } = matter.section();
        [(bends.bend_y, ei_z, kga_y, rho_i_z), (bends.bend_z, ei_y, kga_z, rho_i_y)]
            .into_iter()
            .filter(|(count, ..)| *count > 0)
            .map(|(_, ei, kga, rho_i)| kga.map_or(0.0, |kga| ei / kga).max(rho_i / rho_a))
            .fold(0.0, f64::max)
    };
    let stations = beam.profile.stations().iter();
    let thickness = stations.map(|(_, matter)| thickness(matter)).fold(0.0, f64::max);
    let ratio = thickness.sqrt() / beam.length;
    if !beam.shear && ratio > SLENDER {
        warnings.push(Warning::NotSlender { link, ratio });
    }
    warnings
}

/// The largest `√(EI/κGA)/L` and `√(I/A)/L` of a beam that may be computed without shear: a third
/// frequency three per cent too high.
const SLENDER: f64 = 0.02;
