//! What the sections of beams carry, in motion and at rest.
//!
//! A section carries everything outboard of it, the rest of its beam and all that hangs on that:
//!
//! 1. `F = Σ F_ext − ∫ (a − g) dm`, moments about the section's centre
//! 2. `a = a_0 + Γ r + 2 ω×ṙ + r̈` at each point of the beam
//!
//! The bodies outboard enter with the forces that the [recursion](super::rnea) brings inward. What
//! acts between a link and its parent (motors, springs, friction, armature) is in none of them:
//! with the motion given, the force through a joint is known. Neither are generalised forces on the
//! coordinates of a beam, its damping among them: they have no wrench.

use super::bending::polynomial;
use super::kinematics::{self, Axes};
use super::loads::Load;
use super::{passive, rnea};
use crate::arm::Arm;
use crate::beam::{Gauss, Slice, Slices};
use crate::scalar::Scalar;
use crate::spatial::{Force, Mat3, Vec3};

/// Into about how many parts a beam is divided, and each stretch of it at least and at most.
const PARTS: usize = 32;
const PARTS_OF_STRETCH: [usize; 2] = [2, 8];
/// How many points integrate over each of them.
const POINTS: usize = 4;
/// Places this close, as part of the length, are one.
const CLOSE: f64 = 1e-9;

/// An arm in motion, and the forces that its sections carry.
pub(crate) struct SectionWrenches<'a> {
    arm: &'a Arm,
    q: &'a [f64],
    work: rnea::Workspace,
}

/// What a section carries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SectionWrench {
    /// Where, from the root of the part that bends (m).
    pub(crate) place: f64,
    /// What the outboard part exerts on the inboard one about the section's centre, section axes.
    pub(crate) wrench: Force<f64>,
}

impl<'a> SectionWrenches<'a> {
    /// Takes a motion and the loads on the arm; those of force elements are added.
    ///
    /// # Panics
    /// When a slice does not have the length that `arm` asks for, or a load no frame.
    pub(crate) fn new(arm: &'a Arm, q: &'a [f64], [u, ud]: [&[f64]; 2], loads: &[Load]) -> Self {
        let mut work = rnea::Workspace::new(arm).everywhere(arm);
        let mut tau = vec![0.0; arm.nv()];
        rnea::newton_euler(arm, &mut work, q, u, ud, -arm.gravity, &mut tau);
        let mut kinematics = kinematics::Workspace::new(arm);
        let moving = kinematics.move_with(arm, q, u, ud);
        let elements = passive::Workspace::new(arm).wrenches(arm, &moving, [q, u]);
        for load in loads.iter().chain(&elements) {
            let frame = &arm.frames[load.frame];
            let mut wrench = load.wrench;
            if load.axes == Axes::World {
                let turn = moving.placed().pose(load.frame).rotation;
                let [force, moment] = [wrench.force, wrench.moment].map(|v| turn.transpose_mul(v));
                wrench = Force::new(force, moment);
            }
            wrench = frame.pose.force_to_outer(&wrench);
            let mut at = frame.station;
            while at > 0 {
                work.stations[at].force -= wrench;
                wrench = work.hops.poses[at].force_to_outer(&wrench);
                let body = arm.topology.station_bodies[at];
                at = if at == body { arm.bodies[body - 1].parent } else { body };
            }
        }
        Self { arm, q, work }
    }

    /// Where the beam of a body is cut, if it has one: at both ends of every stretch on which shapes
    /// and section are smooth and nothing is attached, and in between.
    pub(crate) fn cuts(&self, body: usize) -> Option<BeamCuts> {
        let Self { arm, q, work } = self;
        let bend = arm.bodies[body].bend?;
        let (beam, root) = &arm.topology.beams[bend];
        let slices = Slices::new(beam, root, arm.length_of(body).map(|(at, _)| q[at]));
        let inverse = root.inverse();
        let sections = &work.hops.lengths.bend(arm, bend).sections;
        let attached: Vec<f64> = (sections.iter())
            .map(|section| inverse.point(section.shapes.rest.position).x)
            .collect();
        let rule = Gauss::new(POINTS);
        let mut beyond = f64::INFINITY;
        let mut all: Vec<Stretch> = Vec::new();
        let stretches = stretches(&slices.pieces(), &attached);
        let [least, most] = PARTS_OF_STRETCH;
        let parts = (PARTS / stretches.len().max(1)).clamp(least, most);
        for (piece, [from, to]) in stretches.into_iter().rev() {
            // what hangs at the end of the stretch, or close to it
            let middle = 0.5 * (from + to);
            let is_close = |&k: &usize| (middle..beyond).contains(&attached[k]);
            let hanging = (0..attached.len()).filter(is_close).collect();
            beyond = middle;
            let part = |k: usize| from + (to - from) * k as f64 / parts as f64;
            let border = |k: usize| if k == parts { to } else { part(k) };
            let cut = |k: usize| {
                let place = border(k);
                let points =
                    if k < parts { rule.on(place, border(k + 1)).collect() } else { Vec::new() };
                let beyond = points.into_iter().map(|(s, weight)| (slices.at(piece, s), weight));
                Cut { place, slice: slices.at(piece, place), beyond: beyond.collect() }
            };
            let cuts = (0..=parts).map(cut).collect();
            all.push(Stretch { ends: [from, to], hanging, cuts });
        }
        all.reverse();
        Some(BeamCuts { body, bend, stretches: all })
    }

    /// What the sections along a beam carry, from the root outward.
    pub(crate) fn along(&self, cuts: &BeamCuts) -> Vec<SectionWrench> {
        let Self { arm, work, .. } = self;
        let &BeamCuts { body, bend, ref stretches } = cuts;
        let root = &arm.topology.beams[bend].1;
        let motion = Motion::new(work, body, bend, &root.rotation);
        // what hangs on the beam, beam axes about the origin of the body
        let attached: Vec<Force<f64>> = (work.hops.lengths.bend(arm, bend).sections.iter())
            .map(|section| {
                let force = work.stations[section.station].force;
                let there = work.hops.poses[section.station].force_to_outer(&force);
                let [force, moment] =
                    [there.force, there.moment].map(|v| root.rotation.transpose_mul(v));
                Force::new(force, moment)
            })
            .collect();
        let mut along = Vec::new();
        let mut needed = Force::ZERO;
        for Stretch { hanging, cuts, .. } in stretches.iter().rev() {
            for &k in hanging {
                needed += attached[k];
            }
            for Cut { place, slice, beyond } in cuts.iter().rev() {
                for (slice, weight) in beyond {
                    needed += motion.needed(slice) * *weight;
                }
                let wrench = motion.carried(slice, &needed);
                along.push(SectionWrench { place: *place, wrench });
            }
        }
        along.reverse();
        along
    }
}

/// Where a beam is cut, and its matter between the cuts; the same in every motion, unless it slides.
pub(crate) struct BeamCuts {
    body: usize,
    bend: usize,
    /// From the root outward.
    stretches: Vec<Stretch>,
}

impl BeamCuts {
    /// Where the cuts are, from the root of the part that bends (m), and the ends of the stretch that
    /// each is an end of or lies on: the section is seen from there.
    pub(crate) fn places(&self) -> impl Iterator<Item = [f64; 3]> {
        self.stretches.iter().flat_map(|Stretch { ends: [from, to], cuts, .. }| {
            cuts.iter().map(|cut| [cut.place, *from, *to])
        })
    }
}

struct Stretch {
    ends: [f64; 2],
    /// Of all that is attached to the beam, what hangs at the outer end.
    hanging: Vec<usize>,
    cuts: Vec<Cut>,
}

struct Cut {
    place: f64,
    slice: Slice,
    /// The matter up to the next cut, with the weights of the integral.
    beyond: Vec<(Slice, f64)>,
}

/// Cuts pieces where something is attached; the number of its piece goes with each part.
fn stretches(pieces: &[[f64; 2]], attached: &[f64]) -> Vec<(usize, [f64; 2])> {
    let length = pieces.last().map_or(0.0, |piece| piece[1]);
    let mut stretches = Vec::new();
    for (number, &[mut from, to]) in pieces.iter().enumerate() {
        let mut cuts = attached.to_vec();
        cuts.sort_by(f64::total_cmp);
        for cut in cuts {
            if cut - from > CLOSE * length && to - cut > CLOSE * length {
                stretches.push((number, [from, cut]));
                from = cut;
            }
        }
        stretches.push((number, [from, to]));
    }
    stretches
}

/// How the body of a beam moves, beam axes.
struct Motion<'a> {
    accel: Vec3<f64>,
    omega: Vec3<f64>,
    tensor: Mat3<f64>,
    /// Extended coordinates, their rates and accelerations.
    z: [&'a [f64]; 3],
}

impl<'a> Motion<'a> {
    fn new(work: &'a rnea::Workspace, body: usize, bend: usize, axes: &Mat3<f64>) -> Self {
        let rnea::Station { rates, tensor, .. } = &work.stations[body + 1];
        let deformation = &work.hops.deformations[bend];
        Self {
            accel: axes.transpose_mul(rates.accel),
            omega: axes.transpose_mul(rates.omega),
            tensor: axes.transpose_matmul(&tensor.matmul(axes)),
            z: [&deformation.z, &deformation.rate, &deformation.acceleration],
        }
    }

    /// What a slice needs to move as it does, per length, about the origin of the body.
    fn needed(&self, slice: &Slice) -> Force<f64> {
        let [z, rate, acceleration] = slice.of(self.z);
        let rest = slice.undeformed();
        // (2), and the same for the arms
        let moved = |r: Vec3<f64>, rate: Vec3<f64>, acceleration: Vec3<f64>| {
            self.tensor * r + self.omega.cross(rate) * 2.0 + acceleration
        };
        let centre = rest.centre + z.centre;
        let force =
            (self.accel + moved(centre, rate.centre, acceleration.centre)) * slice.section.rho_a;
        let mut moment = centre.cross(force);
        for (k, inertia) in [slice.section.rho_i_z, slice.section.rho_i_y].into_iter().enumerate() {
            let arm = rest.arms[k] + z.arms[k];
            moment += arm.cross(moved(arm, rate.arms[k], acceleration.arms[k])) * inertia;
        }
        Force::new(force, moment)
    }

    /// (1), from what everything outboard needs about the origin of the body.
    fn carried(&self, slice: &Slice, needed: &Force<f64>) -> Force<f64> {
        let [z] = slice.of([self.z[0]]);
        let centre = slice.undeformed().centre + z.centre;
        let theta = z.rotation();
        let mut c = [0.0; 3];
        theta.dot(theta).stumpff(&mut c);
        let turn = polynomial(theta, c[1], c[2]);
        let moment = needed.moment - centre.cross(needed.force);
        Force::new(-turn.transpose_mul(needed.force), -turn.transpose_mul(moment))
    }
}
