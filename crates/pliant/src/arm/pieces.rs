//! From links as described to bodies: segments of beams, and what their tips carry.

use super::link::Link;
use crate::beam::{Beam, Load, TipLoad};
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
}

/// The pieces of one link.
struct Parts {
    /// The first, which the joint moves.
    first: usize,
    segments: usize,
    tip: Option<usize>,
}

/// A place along a link: the piece, the distance on the part of it that bends, and what is left.
type Place = (usize, Option<f64>, Pose<f64>);

/// Divides links, parents first, each with the position of its parent.
pub(super) fn divide(links: &[Link], order: &[(usize, Option<usize>)]) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::with_capacity(links.len());
    let mut parts: Vec<Option<Parts>> = links.iter().map(|_| None).collect();
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
        let section_frames = std::mem::take(&mut link.section_frames);
        let own = push(&mut pieces, link, on, owner);
        if let Some(beam) = &links[owner].beam {
            for (name, distance, pose) in section_frames {
                let (piece, section, rest) = own.place(beam, distance);
                let (link, pose) = (&mut pieces[piece].link, rest.then(&pose));
                match section {
                    Some(s) => link.section_frames.push((name, s, pose)),
                    None => link.frames.push((name, pose)),
                }
            }
        }
        parts[owner] = Some(own);
    }
    pieces
}

/// Adds the pieces of one link.
fn push(pieces: &mut Vec<Piece>, mut link: Link, parent: Option<usize>, owner: usize) -> Parts {
    let first = pieces.len();
    let Some(beam) = link.beam.take() else {
        pieces.push(Piece { link, parent, owner });
        return Parts { first, segments: 0, tip: None };
    };
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
    pieces.push(Piece { link, parent, owner });
    for k in 1..segments {
        let link = Link {
            beam: Some(Beam { root: Pose::IDENTITY, ..part(k) }),
            section: Some(step),
            ..Link::new(format!("{name}.{}", k + 1))
        };
        pieces.push(Piece { link, parent: Some(pieces.len() - 1), owner });
    }
    let tip = (beam.rigid_tip > 0.0 || !masses.is_empty()).then(|| {
        let bar = beam.bar(beam.length, -beam.rigid_tip, 0.0);
        let inertia = masses.iter().fold(bar, |sum, mass| sum.plus(&mass.inertia()));
        let placement = Pose::at(beam.rigid_tip, 0.0, 0.0);
        let link = Link {
            section: Some(step),
            placement,
            inertia,
            masses,
            ..Link::new(format!("{name}.tip"))
        };
        pieces.push(Piece { link, parent: Some(pieces.len() - 1), owner });
        pieces.len() - 1
    });
    Parts { first, segments, tip }
}

impl Parts {
    /// Where a distance from the root of the whole beam lies.
    fn place(&self, beam: &Beam, distance: f64) -> Place {
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

/// What hangs at the tip of each piece's beam when all joints are neutral, in the frame of the tip.
pub(super) fn outboard(pieces: &[Piece]) -> Vec<RigidInertia<f64>> {
    let mut frames: Vec<Pose<f64>> = Vec::with_capacity(pieces.len());
    for Piece { link, parent, .. } in pieces {
        let mut on = parent.map_or(Pose::IDENTITY, |p| frames[p]);
        let carrier = parent.and_then(|p| pieces[p].link.beam.as_ref());
        if let (Some(beam), Some(s)) = (carrier, link.section) {
            on = on.then(&beam.root).then(&Pose::at(s, 0.0, 0.0));
        }
        frames.push(on.then(&link.placement).then(&link.outboard));
    }
    // of everything from here outward, world
    let mut carried = vec![RigidInertia::ZERO; pieces.len()];
    let mut loads = vec![RigidInertia::ZERO; pieces.len()];
    for (i, Piece { link, parent, .. }) in pieces.iter().enumerate().rev() {
        let mut own = link.inertia.seen_from(&frames[i]);
        if let Some(beam) = &link.beam {
            let root = frames[i].then(&beam.root);
            let tip = root.then(&Pose::at(beam.length, 0.0, 0.0));
            loads[i] = carried[i].seen_from(&tip.inverse());
            own = own.plus(&beam.at_rest().seen_from(&root));
        }
        carried[i] = carried[i].plus(&own);
        if let Some(parent) = parent {
            carried[*parent] = carried[*parent].plus(&carried[i]);
        }
    }
    loads
}

/// Tells the shapes that ask for it what their beams carry.
pub(super) fn look_up_loads(pieces: &mut [Piece], outboard: &[RigidInertia<f64>]) {
    for (piece, carried) in pieces.iter_mut().zip(outboard) {
        let Some(beam) = piece.link.beam.as_mut() else { continue };
        if beam.basis.load() == Some(Load::Outboard) {
            let w = &carried.second;
            let offset = if carried.mass > 0.0 { carried.first.x / carried.mass } else { 0.0 };
            let inertia = [w.yy + w.zz, w.zz + w.xx, w.xx + w.yy];
            let load = TipLoad { mass: carried.mass, offset, inertia };
            beam.basis = beam.basis.clone().with_load(load);
        }
    }
}
