//! From links as described to bodies: segments of beams, and what their tips carry.

use super::actuator;
use super::frame::tip_name;
use super::hinges;
use super::link::{Attachment, Link};
use super::tree::Arm;
use crate::beam::{Basis, Beam, TipLoad};
use crate::spatial::{Pose, RigidInertia, Vec3};

/// A body in the making. Its beam has one segment and no rigid parts, and the sections that it and its
/// frames are attached to count along the part that bends; whatever else is attached is in the link
/// frame.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) link: Link,
    /// The piece it hangs on.
    pub(super) parent: Option<usize>,
    /// The link of the description it belongs to.
    pub(super) owner: usize,
    /// The piece whose elastic joint this is the motor's side of.
    pub(super) turns: Option<usize>,
}

/// The pieces of one link.
struct Parts {
    /// The first, which the joint moves.
    first: usize,
    segments: usize,
    tip: Option<usize>,
    /// Where rigid pieces begin (m), from the root of the whole beam; none for one that bends.
    cuts: Vec<f64>,
}

/// A place along a link: the piece, where on it, and what is left.
type Place = (usize, Attachment, Pose<f64>);

/// Divides links, parents first, each with the position of its parent.
pub(super) fn divide(links: &[Link], order: &[(usize, Option<usize>)]) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::with_capacity(links.len());
    let mut parts: Vec<Option<Parts>> = links.iter().map(|_| None).collect();
    let mut rotors = Vec::new();
    for &(owner, parent) in order {
        let mut link = links[owner].clone();
        let mut on = None;
        if let Some((described, own)) = parent.and_then(|p| Some((&links[p], parts[p].as_ref()?))) {
            on = Some(own.first);
            let beam = described.beam.as_ref();
            if let Some((distance, beam)) = link.attachment.distance(beam).zip(beam) {
                let (piece, attachment, rest) = own.place(beam, distance);
                on = Some(piece);
                link.attachment = attachment;
                link.placement = rest.then(&link.placement);
            }
        }
        let rotor = actuator::rotor(&mut link);
        link.inertia = link.root_inertia();
        let beam = links[owner].beam.as_ref();
        let is_root = |(_, at, _): &(_, Attachment, _)| at.distance(beam).is_none();
        let (root, along) = std::mem::take(&mut link.frames).into_iter().partition(is_root);
        link.frames = root;
        let along: Vec<(String, Attachment, Pose<f64>)> = along;
        let tip_frame = link.tip_frame.clone();
        let own = push(&mut pieces, link, on, owner);
        for (name, at, pose) in along {
            let Some((distance, beam)) = at.distance(beam).zip(beam) else { continue };
            let (piece, at, rest) = own.place(beam, distance);
            let link = &mut pieces[piece].link;
            if tip_frame.as_ref() == Some(&name) {
                link.tip_frame.clone_from(&tip_frame);
            }
            link.frames.push((name, at, rest.then(&pose)));
        }
        let turns = Some(own.first);
        rotors.extend(rotor.map(|link| Piece { link, parent: None, owner, turns }));
        parts[owner] = Some(own);
    }
    pieces.append(&mut rotors);
    pieces
}

/// Adds the pieces of one link.
fn push(pieces: &mut Vec<Piece>, mut link: Link, parent: Option<usize>, owner: usize) -> Parts {
    let first = pieces.len();
    let Some(beam) = link.beam.take() else {
        pieces.push(Piece { link, parent, owner, turns: None });
        return Parts { first, segments: 0, tip: None, cuts: Vec::new() };
    };
    if let Basis::Pieces { .. } = beam.basis {
        let (cuts, links) = hinges::rigid_pieces(link, &beam);
        for link in links {
            let inner = (pieces.len() > first).then(|| pieces.len() - 1);
            pieces.push(Piece { link, parent: inner.or(parent), owner, turns: None });
        }
        return Parts { first, segments: 0, tip: None, cuts };
    }
    let name = link.name.clone();
    let segments = beam.segments;
    let step = beam.length / segments as f64;
    let part = |k: usize| {
        let (from, to) = (k as f64 * step, (k + 1) as f64 * step);
        let profile = beam.profile.cut(from, to);
        Beam { length: step, profile, segments: 1, rigid_root: 0.0, rigid_tip: 0.0, ..beam.clone() }
    };
    let bar = beam.bar(0.0, 0.0, beam.rigid_root).seen_from(&beam.root);
    link.inertia = link.inertia.plus(&bar);
    let root = beam.root.then(&Pose::at(beam.rigid_root, 0.0, 0.0));
    link.beam = Some(Beam { root, ..part(0) });
    if segments > 1 {
        link.bending_name = Some(format!("{name}.1"));
    }
    let masses = link.take_tip_masses(&beam);
    pieces.push(Piece { link, parent, owner, turns: None });
    for k in 1..segments {
        let link = Link {
            beam: Some(Beam { root: Pose::IDENTITY, ..part(k) }),
            attachment: Attachment::Section(step),
            ..Link::new(format!("{name}.{}", k + 1))
        };
        pieces.push(Piece { link, parent: Some(pieces.len() - 1), owner, turns: None });
    }
    let tip = (beam.rigid_tip > 0.0 || !masses.is_empty()).then(|| {
        let bar = beam.bar(beam.length, -beam.rigid_tip, 0.0);
        let inertia = masses.iter().fold(bar, |sum, mass| sum.plus(&mass.inertia()));
        let placement = Pose::at(beam.rigid_tip, 0.0, 0.0);
        let name = tip_name(&name);
        let link = Link {
            attachment: Attachment::Section(step),
            placement,
            inertia,
            masses: masses.into_iter().map(|mass| (Attachment::Root, mass)).collect(),
            tip_frame: Some(name.clone()),
            ..Link::new(name)
        };
        pieces.push(Piece { link, parent: Some(pieces.len() - 1), owner, turns: None });
        pieces.len() - 1
    });
    Parts { first, segments, tip, cuts: Vec::new() }
}

impl Parts {
    /// Where a distance from the root of the whole beam lies.
    fn place(&self, beam: &Beam, distance: f64) -> Place {
        if !self.cuts.is_empty() {
            let piece = self.cuts.iter().skip(1).take_while(|cut| **cut < distance).count();
            let along = Pose::at(distance - self.cuts[piece], 0.0, 0.0);
            let along = if piece == 0 { beam.root.then(&along) } else { along };
            return (self.first + piece, Attachment::Root, along);
        }
        let step = beam.length / self.segments as f64;
        let bending = distance - beam.rigid_root;
        match self.tip {
            _ if bending < 0.0 => {
                let along = Pose::at(distance, 0.0, 0.0);
                (self.first, Attachment::Root, beam.root.then(&along))
            }
            Some(tip) if bending > beam.length => {
                (tip, Attachment::Root, Pose::at(distance - beam.whole_length(), 0.0, 0.0))
            }
            _ => {
                // the tip of the inner segment at a border
                let beyond = |k: &usize| bending > (*k + 1) as f64 * step;
                let segment = (0..self.segments - 1).take_while(beyond).count();
                let along = (bending - segment as f64 * step).clamp(0.0, step);
                (self.first + segment, Attachment::Section(along), Pose::IDENTITY)
            }
        }
    }
}

/// What hangs on a piece's beam when all joints are neutral.
#[derive(Clone, Debug, Default)]
pub(super) struct Carried {
    /// Where (m), and what hangs there, in the frame of that section.
    pub(super) hung: Vec<(f64, RigidInertia<f64>)>,
    /// Whether joints further out can bring it elsewhere.
    pub(super) moves: bool,
    /// Which of the moments of the piece with all that hangs on it leaves the range of numbers.
    pub(super) overflows: Option<&'static str>,
}

impl Carried {
    /// What hangs on the tip of a beam, as its shapes see it.
    pub(super) fn load(&self, beam: &Beam) -> TipLoad {
        let on_tip = |(s, _): &&(f64, RigidInertia<f64>)| *s > beam.length * (1.0 - 1e-9);
        let tip = self.hung.iter().filter(on_tip);
        tip_load(&tip.fold(RigidInertia::ZERO, |sum, (_, inertia)| sum.plus(inertia)))
    }

    /// Everything that hangs on it and where, as the shapes of its beam see it.
    pub(super) fn loads(&self) -> Vec<(f64, TipLoad)> {
        self.hung.iter().map(|(s, inertia)| (*s, tip_load(inertia))).collect()
    }
}

/// A body in the frame of the section that it hangs on, as shapes see it.
fn tip_load(&RigidInertia { mass, first, second: w }: &RigidInertia<f64>) -> TipLoad {
    let offset = if mass > 0.0 { first.x / mass } else { 0.0 };
    TipLoad { mass, offset, inertia: [w.yy + w.zz, w.zz + w.xx, w.xx + w.yy] }
}

/// What the beams carry, piece by piece.
pub(super) fn outboard(pieces: &[Piece]) -> Vec<Carried> {
    let mut carried = vec![Carried::default(); pieces.len()];
    // everything from here outward, in the frame of the link
    let mut whole: Vec<RigidInertia<f64>> = pieces.iter().map(|piece| piece.link.inertia).collect();
    for (i, Piece { link, parent, .. }) in pieces.iter().enumerate().rev() {
        carried[i].overflows = overflowing(&whole[i]);
        if let Some(beam) = &link.beam {
            let inner_end = beam.root.then(&Pose::at(beam.inner_end(), 0.0, 0.0));
            let with_beam = whole[i].plus(&beam.at_rest().seen_from(&inner_end));
            // a beam that is out of range by itself is told when it is integrated
            if overflowing(&with_beam).is_none() {
                whole[i] = with_beam;
            }
        }
        let Some(parent) = *parent else { continue };
        carried[parent].moves |= carried[i].moves || link.joint.nv() > 0;
        let there = whole[i].seen_from(&link.placement.then(&link.outboard));
        let on_link = match (&pieces[parent].link.beam, link.attachment) {
            (Some(beam), Attachment::Section(s)) => {
                carried[parent].hung.push((s, there));
                there.seen_from(&beam.root.then(&Pose::at(s + beam.inner_end(), 0.0, 0.0)))
            }
            _ => there,
        };
        whole[parent] = whole[parent].plus(&on_link);
    }
    carried
}

/// Larger moments leave no room to compute with (SI units): turning an arm would overflow.
const LARGEST_MOMENT: f64 = 1e300;

/// The first of its moments that is too large.
fn overflowing(RigidInertia { mass, first, second }: &RigidInertia<f64>) -> Option<&'static str> {
    let [x, y, z] = second.to_mat3().columns.map(Vec3::to_array);
    let all = [
        ("mass", vec![*mass]),
        ("mass times distance", first.to_array().to_vec()),
        ("moment of inertia", [x, y, z].concat()),
    ];
    let fits = |number: &f64| number.abs() <= LARGEST_MOMENT;
    all.into_iter().find_map(|(what, numbers)| (!numbers.iter().all(fits)).then_some(what))
}

/// Tells the shapes that ask for it what their beams carry.
pub(super) fn look_up_loads(pieces: &mut [Piece], carried: &[Carried]) {
    for (piece, carried) in pieces.iter_mut().zip(carried) {
        let Some(beam) = piece.link.beam.as_mut() else { continue };
        let mut basis = beam.basis.clone();
        basis.look_up(|| carried.load(beam), || carried.loads());
        beam.basis = basis;
    }
}

/// Lets beams shear where those of another arm do, which a rule for thick beams may have decided.
pub(super) fn shear_like(pieces: &mut [Piece], other: &Arm) {
    let beams = pieces.iter_mut().filter_map(|piece| piece.link.beam.as_mut());
    for (beam, (other, _)) in beams.zip(&other.topology.beams) {
        beam.shear = other.shear;
    }
}
