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

impl Arm<f64> {
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
