//! The places where bodies hang: the ground, body frames, sections of beams.

use super::flexible_body::{FlexibleBody, Section};
use super::joint::JointKind;
use super::tree::{Body, Run};
use crate::beam::{Beam, SlidingStation};
use crate::spatial::Pose;
use std::ops::Range;
use std::sync::Arc;

/// Numbers the places where bodies hang.
pub(super) struct Stations {
    /// For each station that of its body's frame.
    pub(super) bodies: Vec<usize>,
    /// Body, distance and station of each section.
    pub(super) places: Vec<(usize, f64, usize)>,
}

impl Stations {
    /// The station of a section of a body's beam, new or known.
    pub(super) fn at(
        &mut self,
        flexible_bodies: &mut [FlexibleBody<f64>],
        bodies: &[Body<f64>],
        roots: &[(Beam, Pose<f64>)],
        body: usize,
        distance: f64,
    ) -> usize {
        if let Some(known) = self.places.iter().find(|p| p.0 == body && p.1 == distance) {
            return known.2;
        }
        let Some(bend) = bodies[body].bend else {
            return body + 1;
        };
        let station = self.bodies.len();
        self.bodies.push(body + 1);
        self.places.push((body, distance, station));
        let (beam, root) = &roots[bend];
        let section = match &flexible_bodies[bend].sliding {
            None => {
                let shapes = beam.station(distance, root);
                Section { station, carries: false, shapes, sliding: None }
            }
            Some(sliding) => {
                let place = distance / beam.length;
                let (law, shapes) = SlidingStation::new(beam, sliding, place, root);
                Section { station, carries: false, shapes, sliding: Some(Arc::new(law)) }
            }
        };
        flexible_bodies[bend].sections.push(section);
        station
    }
}

/// One step outward from station to station, which a hop crosses: over the joint of a body, or from
/// the frame of a body that bends to a section of its beam.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    /// The station it starts from.
    pub(crate) inner: usize,
    /// The station it leads to.
    pub(crate) outer: usize,
    /// The body whose joint or bending it is.
    pub(crate) body: usize,
    /// What it crosses.
    pub(crate) over: Over,
    /// The velocity coordinates of the joint or of the bending.
    pub(crate) velocities: Range<usize>,
    /// Where its motion columns stand.
    pub(crate) columns: Range<usize>,
}

/// What lies between two stations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Over {
    /// A joint without freedom.
    Fixed,
    /// A joint about z.
    RevoluteZ,
    /// A joint along z.
    PrismaticZ,
    /// Any other joint.
    Joint,
    /// The bending of a beam up to a section.
    Bending {
        /// Which of the arm's.
        bend: usize,
        /// Which of its sections.
        section: usize,
    },
}

/// All steps from the ground outward, body by body: its joint, then the sections of its beam, the
/// last first, so that sums on the way inward begin with the first.
pub(super) fn edges(
    bodies: &[Body<f64>],
    flexible_bodies: &[FlexibleBody<f64>],
    section_columns: &[usize],
) -> Vec<Edge> {
    let mut all = Vec::new();
    for (i, body) in bodies.iter().enumerate() {
        all.push(Edge {
            inner: body.parent,
            outer: i + 1,
            body: i,
            over: match body.kind {
                JointKind::Fixed => Over::Fixed,
                JointKind::Revolute => Over::RevoluteZ,
                JointKind::Prismatic => Over::PrismaticZ,
                _ => Over::Joint,
            },
            velocities: body.v_range(),
            columns: body.v_range(),
        });
        let Some(bend) = body.bend else { continue };
        all.extend(flexible_bodies[bend].sections.iter().enumerate().rev().map(|(section, at)| {
            let column = section_columns[at.station - bodies.len() - 1];
            Edge {
                inner: i + 1,
                outer: at.station,
                body: i,
                over: Over::Bending { bend, section },
                velocities: body.bend_v(),
                columns: column..column + body.modal_count,
            }
        }));
    }
    all
}

/// Of these steps the ones that lead to something that moves with forces: sections where there are
/// frames alone are left out.
pub(super) fn carrying(all: &[Edge], flexible_bodies: &[FlexibleBody<f64>]) -> Vec<Edge> {
    let carries = |edge: &&Edge| match edge.over {
        Over::Bending { bend, section } => flexible_bodies[bend].sections[section].carries,
        _ => true,
    };
    all.iter().filter(carries).cloned().collect()
}

/// Where the columns of the sections stand, and how many columns there are.
pub(super) fn lay_out_columns(
    bodies: &[Body<f64>],
    stations: &[usize],
    nv: usize,
) -> (Vec<usize>, usize) {
    let mut taken = vec![false; bodies.len()];
    let mut count = nv;
    let at = stations[bodies.len() + 1..]
        .iter()
        .map(|&body| {
            let body_index = body - 1;
            let body = &bodies[body_index];
            if taken[body_index] {
                count += body.modal_count;
                count - body.modal_count
            } else {
                taken[body_index] = true;
                body.v + body.nv
            }
        })
        .collect();
    (at, count)
}

/// The runs of velocities from the ground up to each body's joint.
pub(super) fn supports(
    bodies: &[Body<f64>],
    stations: &[usize],
    section_columns: &[usize],
) -> Vec<Vec<Run>> {
    let mut all: Vec<Vec<Run>> = Vec::with_capacity(bodies.len());
    for body in bodies {
        let mut runs = match stations[body.parent].checked_sub(1) {
            Some(parent) => all[parent].clone(),
            None => Vec::new(),
        };
        let mut push = |velocities: Range<usize>, at: usize| match runs.last_mut() {
            _ if velocities.is_empty() => {}
            Some(last)
                if last.velocities.end == velocities.start
                    && at == last.at + (velocities.start - last.velocities.start) =>
            {
                last.velocities.end = velocities.end;
            }
            _ => runs.push(Run { velocities, at }),
        };
        if let Some(section) = body.parent.checked_sub(bodies.len() + 1) {
            let parent = &bodies[stations[body.parent] - 1];
            push(parent.bend_v(), section_columns[section]);
        }
        push(body.v_range(), body.v);
        all.push(runs);
    }
    all
}
