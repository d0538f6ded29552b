//! From links as described to bodies: segments of beams, and what their tips carry.

use super::actuator;
use super::frame::tip_name;
use super::hinges;
use super::link::{Link, Mark, MarkPlace};
use crate::beam::{Basis, Beam, ShapeLoad, TipLoad};
use crate::spatial::{Pose, RigidInertia};

/// A body in the making. Its beam has one segment and no rigid parts, and its section and section
/// frames count along the part that bends.
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

/// A place along a link: the piece, the distance on the part of it that bends, and what is left.
type Place = (usize, Option<f64>, Pose<f64>);

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
            if let (Some(distance), Some(beam)) = (link.section, &described.beam) {
                let (piece, section, rest) = own.place(beam, distance);
                on = Some(piece);
                link.section = section;
                link.placement = rest.then(&link.placement);
            }
        }
        let rotor = actuator::rotor(&mut link);
        let section_frames = std::mem::take(&mut link.section_frames);
        let tip_frame = link.tip_frame.clone();
        let is_on_section = |mark: &mut Mark| matches!(mark.place, MarkPlace::OnSection(..));
        let section_marks: Vec<Mark> = link.marks.extract_if(.., is_on_section).collect();
        let own = push(&mut pieces, link, on, owner);
        if let Some(beam) = &links[owner].beam {
            for (name, distance, pose) in section_frames {
                let (piece, section, rest) = own.place(beam, distance);
                let (link, pose) = (&mut pieces[piece].link, rest.then(&pose));
                if tip_frame.as_ref() == Some(&name) {
                    link.tip_frame.clone_from(&tip_frame);
                }
                match section {
                    Some(s) => link.section_frames.push((name, s, pose)),
                    None => link.frames.push((name, pose)),
                }
            }
            for Mark { number, place } in section_marks {
                let MarkPlace::OnSection(distance, pose) = place else { continue };
                let (piece, section, rest) = own.place(beam, distance);
                let pose = rest.then(&pose);
                let on_section = |s| MarkPlace::OnSection(s, pose);
                let place = section.map_or(MarkPlace::OnLink(pose), on_section);
                pieces[piece].link.marks.push(Mark { number, place });
            }
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
    let masses = std::mem::take(&mut link.tip_masses);
    pieces.push(Piece { link, parent, owner, turns: None });
    for k in 1..segments {
        let link = Link {
            beam: Some(Beam { root: Pose::IDENTITY, ..part(k) }),
            section: Some(step),
            ..Link::new(format!("{name}.{}", k + 1))
        };
        pieces.push(Piece { link, parent: Some(pieces.len() - 1), owner, turns: None });
    }
    let tip = (beam.rigid_tip > 0.0 || !masses.is_empty()).then(|| {
        let bar = beam.bar(beam.length, -beam.rigid_tip, 0.0);
        let inertia = masses.iter().fold(bar, |sum, mass| sum.plus(&mass.inertia()));
        let placement = Pose::at(beam.rigid_tip, 0.0, 0.0);
        let name = tip_name(&name);
        let (section, tip_frame) = (Some(step), Some(name.clone()));
        let link = Link { placement, inertia, masses, section, tip_frame, ..Link::new(name) };
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
            return (self.first + piece, None, along);
        }
        let step = beam.length / self.segments as f64;
        let bending = distance - beam.rigid_root;
        match self.tip {
            _ if bending < 0.0 => (self.first, None, beam.root.then(&Pose::at(distance, 0.0, 0.0))),
            Some(tip) if bending > beam.length => {
                (tip, None, Pose::at(distance - beam.whole_length(), 0.0, 0.0))
            }
            _ => {
                // the tip of the inner segment at a border
                let beyond = |k: &usize| bending > (*k + 1) as f64 * step;
                let segment = (0..self.segments - 1).take_while(beyond).count();
                let along = (bending - segment as f64 * step).clamp(0.0, step);
                (self.first + segment, Some(along), Pose::IDENTITY)
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
}

impl Carried {
    /// What hangs on the tip of a beam, as its shapes see it.
    pub(super) fn load(&self, beam: &Beam) -> TipLoad {
        let on_tip = |(s, _): &&(f64, RigidInertia<f64>)| *s > beam.length * (1.0 - 1e-9);
        let tip = self.hung.iter().filter(on_tip);
        let tip = tip.fold(RigidInertia::ZERO, |sum, (_, inertia)| sum.plus(inertia));
        let RigidInertia { mass, first, second: w } = tip;
        let offset = if mass > 0.0 { first.x / mass } else { 0.0 };
        TipLoad { mass, offset, inertia: [w.yy + w.zz, w.zz + w.xx, w.xx + w.yy] }
    }
}

/// What the beams carry, piece by piece.
pub(super) fn outboard(pieces: &[Piece]) -> Vec<Carried> {
    let mut carried = vec![Carried::default(); pieces.len()];
    // everything from here outward, in the frame of the link
    let mut whole: Vec<RigidInertia<f64>> = pieces.iter().map(|piece| piece.link.inertia).collect();
    for (i, Piece { link, parent, .. }) in pieces.iter().enumerate().rev() {
        if let Some(beam) = &link.beam {
            let inner_end = beam.root.then(&Pose::at(beam.inner_end(), 0.0, 0.0));
            whole[i] = whole[i].plus(&beam.at_rest().seen_from(&inner_end));
        }
        let Some(parent) = *parent else { continue };
        carried[parent].moves |= carried[i].moves || link.joint.nv() > 0;
        let there = whole[i].seen_from(&link.placement.then(&link.outboard));
        let on_link = match (&pieces[parent].link.beam, link.section) {
            (Some(beam), Some(s)) => {
                carried[parent].hung.push((s, there));
                there.seen_from(&beam.root.then(&Pose::at(s + beam.inner_end(), 0.0, 0.0)))
            }
            _ => there,
        };
        whole[parent] = whole[parent].plus(&on_link);
    }
    carried
}

/// Tells the shapes that ask for it what their beams carry.
pub(super) fn look_up_loads(pieces: &mut [Piece], carried: &[Carried]) {
    for (piece, carried) in pieces.iter_mut().zip(carried) {
        let Some(beam) = piece.link.beam.as_mut() else { continue };
        if beam.basis.load() == Some(ShapeLoad::Outboard) {
            beam.basis = beam.basis.clone().with_load(carried.load(beam));
        }
    }
}
