//! Internal forces and stresses of links.
//!
//! Forces follow from the strains of a link's shapes: `M = EI κ`, `T = GJ θ'`, `N = EA u'`, with the
//! section at that place. They are as good as the shapes: with finite elements the bending moment of
//! a uniform load is off by `q h²/12`, and a way in which the link has no coordinate carries
//! nothing.

use super::error::AnalysisError;
use crate::arm::Arm;
use crate::beam::{Beam, Matter, SectionForce, Strains};

/// How far inside its piece a border is looked at, as part of the piece.
const INSIDE: f64 = 1e-9;
/// Over which part of a piece the moment's slope is taken.
const SLOPE: f64 = 0.02;

/// The internal forces along the beam of a link.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkForces {
    /// The link, by index.
    pub link: usize,
    /// From the root outward: both ends and the middle of every stretch on which shapes and section
    /// are smooth, so that borders come twice, seen from either side.
    pub cuts: Vec<SectionLoads>,
}

/// The internal forces of a cross-section: those of the outboard part on the inboard one, in the
/// axes of the section.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SectionLoads {
    /// Where, from the root of the part that bends (m).
    pub place: f64,
    /// Normal force, torque and bending moments.
    pub force: SectionForce,
    /// Shear forces along y and z (N): from the shear strain where the link shears, else the slope
    /// of the bending moments.
    pub shear: [f64; 2],
    /// The largest equivalent stress (Pa), for sections that have an outline.
    pub stress: Option<f64>,
    /// The material's strength over the stress; the link fails where it is below 1. Infinite
    /// where there is no stress.
    pub margin: Option<f64>,
}

impl SectionLoads {
    /// The resultant bending moment (N m).
    pub fn moment(&self) -> f64 {
        self.force.moment_y.hypot(self.force.moment_z)
    }
}

impl LinkForces {
    /// The section with the largest bending moment.
    pub fn worst_moment(&self) -> Option<&SectionLoads> {
        self.cuts.iter().max_by(|a, b| a.moment().total_cmp(&b.moment()))
    }

    /// The section with the largest stress.
    pub fn worst_stress(&self) -> Option<&SectionLoads> {
        let stress = |cut: &SectionLoads| cut.stress.unwrap_or(0.0);
        self.cuts.iter().max_by(|a, b| stress(a).total_cmp(&stress(b)))
    }
}

/// A largest value along a link.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Peak {
    /// The value.
    pub value: f64,
    /// Where, from the root of the part that bends (m).
    pub place: f64,
}

/// The largest internal forces of a flexible link, over all segments that it is divided into.
#[derive(Clone, Debug, PartialEq)]
pub struct PeakLoads {
    /// The link, by index of its first body.
    pub link: usize,
    /// The resultant bending moment (N m).
    pub moment: Peak,
    /// The torque (N m), without its sign.
    pub torque: Peak,
    /// The equivalent stress (Pa), for sections that have an outline.
    pub stress: Option<Peak>,
    /// The smallest margin, strength over stress, where the strength is known.
    pub margin: Option<f64>,
}

impl Arm<f64> {
    /// The largest internal forces and stresses of every flexible link, and their places: of
    /// [`Arm::internal_forces`]. Links of rigid pieces have none.
    pub fn peak_loads(&self, q: &[f64]) -> Result<Vec<PeakLoads>, AnalysisError> {
        let forces = self.internal_forces(q)?;
        let peaks = |link: usize| {
            let mut cuts: Vec<(f64, &SectionLoads)> = Vec::new();
            for (k, body) in self.segments(link).into_iter().enumerate() {
                let Some(own) = forces.iter().find(|forces| forces.link == body) else { continue };
                let from = self.beam_of(link).map_or(0.0, |beam| k as f64 * beam.length);
                cuts.extend(own.cuts.iter().map(|cut| (from + cut.place, cut)));
            }
            let largest = |size: &dyn Fn(&SectionLoads) -> f64| {
                cuts.iter().fold(Peak::default(), |largest, (place, cut)| {
                    let (value, place) = (size(cut), *place);
                    if value > largest.value { Peak { value, place } } else { largest }
                })
            };
            let outlined = cuts.iter().any(|(_, cut)| cut.stress.is_some());
            (!cuts.is_empty()).then(|| PeakLoads {
                link,
                moment: largest(&SectionLoads::moment),
                torque: largest(&|cut| cut.force.torque.abs()),
                stress: outlined.then(|| largest(&|cut| cut.stress.unwrap_or(0.0))),
                margin: cuts.iter().filter_map(|(_, cut)| cut.margin).reduce(f64::min),
            })
        };
        Ok(self.flexible_links().into_iter().filter_map(peaks).collect())
    }

    /// Bending moments, torque, normal and shear forces and peak stress along every flexible link;
    /// for a sliding link, along the part outside the hub. Take the configuration from
    /// [`Arm::static_equilibrium`] or from a simulation.
    pub fn internal_forces(&self, q: &[f64]) -> Result<Vec<LinkForces>, AnalysisError> {
        self.check_configuration(q)?;
        let bent = (0..self.body_count()).filter_map(|link| Some((link, self.beam_at(link, q)?)));
        let forces = |(link, beam): (usize, Beam)| {
            let bending = &q[self.bending_of(link).0];
            LinkForces { link, cuts: cuts(&beam, bending) }
        };
        Ok(bent.map(forces).collect())
    }
}

fn cuts(beam: &Beam, bending: &[f64]) -> Vec<SectionLoads> {
    let strains = Strains::new(beam);
    let mut cuts = Vec::new();
    for piece in strains.pieces() {
        let length = piece.to - piece.from;
        let inside = |s: f64| s.clamp(piece.from + INSIDE * length, piece.to - INSIDE * length);
        for place in [piece.from, 0.5 * (piece.from + piece.to), piece.to] {
            let at = |s: f64| strains.forces(piece, inside(s), bending);
            let [axial, torque, moment_y, moment_z, shear_y, shear_z] = at(place);
            let force = SectionForce { axial, torque, moment_y, moment_z };
            let shear = if beam.shear {
                [shear_y, shear_z]
            } else {
                let (a, b) = (inside(place - SLOPE * length), inside(place + SLOPE * length));
                let (inner, outer) = (at(a), at(b));
                let slope = |k: usize| (outer[k] - inner[k]) / (b - a);
                [-slope(3), slope(2)]
            };
            let (stress, margin) = match beam.profile.at(inside(place)) {
                Matter::Given(_) => (None, None),
                Matter::Made { outline, material } => {
                    let stress = outline.peak_stress(&force);
                    (Some(stress), material.strength.map(|strength| strength / stress))
                }
            };
            cuts.push(SectionLoads { place, force, shear, stress, margin });
        }
    }
    cuts
}
