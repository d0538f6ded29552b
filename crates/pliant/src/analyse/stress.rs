//! Internal forces and stresses of links.
//!
//! A section carries everything outboard of it
//! ([`dynamics/section_wrenches.rs`](crate::dynamics)): its forces are those of equilibrium, in
//! motion with the forces of inertia. They do not depend on how well the shapes of a link follow its
//! curvature, and sections carry forces in ways in which the link has no coordinate too.

use super::conditions::Conditions;
use super::error::AnalysisError;
use crate::arm::Arm;
use crate::beam::{CrossSection, Matter, SectionForce};
use crate::dynamics::loads::Load;
use crate::dynamics::section_wrenches::{BeamCuts, SectionWrench, SectionWrenches};

/// How far inside its stretch a border is looked at, as part of the stretch.
const INSIDE: f64 = 1e-9;

/// The internal forces along the beam of a link.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkForces {
    /// The link, by index.
    pub link: usize,
    /// From the root of the part that bends outward: nine places of every stretch on which shapes and
    /// section are smooth and to which nothing is attached, both ends among them, so that borders
    /// come twice, seen from either side.
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
    /// Shear forces along y and z (N).
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

    /// The resultant shear force (N).
    pub fn shear_force(&self) -> f64 {
        self.shear[0].hypot(self.shear[1])
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
    /// The resultant shear force (N).
    pub shear: Peak,
    /// The torque (N m), without its sign.
    pub torque: Peak,
    /// The equivalent stress (Pa), for sections that have an outline.
    pub stress: Option<Peak>,
    /// The smallest margin, strength over stress, where the strength is known.
    pub margin: Option<f64>,
}

impl Arm<f64> {
    /// Bending moments, torque, normal and shear forces and peak stress along every flexible link
    /// under the arm's own weight, at rest; for a sliding link, along the part outside the hub. Links
    /// of rigid pieces have none. Take the configuration from [`Arm::static_equilibrium`].
    ///
    /// ```
    /// use pliant::arm::{Builder, Link};
    /// use pliant::beam::{Basis, Beam, CrossSection, Material, Matter, Ways};
    /// let material = Material::named("steel").expect("known");
    /// let outline = CrossSection::Round { diameter: 0.02 };
    /// let basis = Basis::ClampedFree(Ways::new(1, 1, 0, 0));
    /// let rod = Beam::new(1.0, Matter::Made { outline, material }, basis);
    /// let weight = 9.81 * rod.mass();
    /// let arm = Builder::new("rod").link(Link::new("rod").beam(rod)).build()?;
    /// let rest = arm.static_equilibrium(&arm.neutral())?;
    /// let root = arm.internal_forces(&rest.q)?[0].cuts[0];
    /// assert!((root.moment() / (0.5 * weight) - 1.0).abs() < 1e-4); // with one shape too
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn internal_forces(&self, q: &[f64]) -> Result<Vec<LinkForces>, AnalysisError> {
        self.internal_forces_under(q, &Conditions::default())
    }

    /// The same under external loads and with the centrifugal forces of steady velocities. Take the
    /// configuration from [`Arm::static_equilibrium_under`].
    pub fn internal_forces_under(
        &self,
        q: &[f64],
        conditions: &Conditions,
    ) -> Result<Vec<LinkForces>, AnalysisError> {
        conditions.check(self, q)?;
        let still = vec![0.0; self.nv()];
        Ok(self.carried(q, [&conditions.velocities(self), &still], &conditions.loads))
    }

    /// The same in motion, with the forces of inertia of the accelerations `ud`: take them from
    /// [`Arm::forward_dynamics`] or from a simulation.
    pub fn internal_forces_in_motion(
        &self,
        q: &[f64],
        u: &[f64],
        ud: &[f64],
        loads: &[Load],
    ) -> Result<Vec<LinkForces>, AnalysisError> {
        self.check_motion(q, [u, ud], loads)?;
        Ok(self.carried(q, [u, ud], loads))
    }

    fn check_motion(
        &self,
        q: &[f64],
        [u, ud]: [&[f64]; 2],
        loads: &[Load],
    ) -> Result<(), AnalysisError> {
        self.check_loads(q, loads)?;
        self.check_velocities("u", u)?;
        Ok(self.check_velocities("ud", ud)?)
    }

    fn carried(&self, q: &[f64], motion: [&[f64]; 2], loads: &[Load]) -> Vec<LinkForces> {
        CutLinks::default().carried(self, q, motion, loads)
    }

    /// The largest internal forces and stresses of every flexible link, and their places, from the
    /// internal forces of its segments.
    pub fn peak_loads(&self, forces: &[LinkForces]) -> Vec<PeakLoads> {
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
                shear: largest(&SectionLoads::shear_force),
                torque: largest(&|cut| cut.force.torque.abs()),
                stress: outlined.then(|| largest(&|cut| cut.stress.unwrap_or(0.0))),
                margin: cuts.iter().filter_map(|(_, cut)| cut.margin).reduce(f64::min),
            })
        };
        self.flexible_links().into_iter().filter_map(peaks).collect()
    }
}

/// The links of an arm with their cuts, which are made once for many motions.
#[derive(Default)]
pub(crate) struct CutLinks {
    links: Vec<CutLink>,
}

struct CutLink {
    link: usize,
    cuts: BeamCuts,
    /// The outline of each cut and the strength of its material (Pa), as far as they are known.
    sections: Vec<(Option<CrossSection>, Option<f64>)>,
}

impl CutLinks {
    /// The internal forces of all links in a motion, by the velocities and their rates; none where
    /// the motion or the loads are none of the arm's.
    pub(crate) fn in_motion(
        &mut self,
        arm: &Arm,
        [q, u, ud]: [&[f64]; 3],
        loads: &[Load],
    ) -> Vec<LinkForces> {
        match arm.check_motion(q, [u, ud], loads) {
            Ok(()) => self.carried(arm, q, [u, ud], loads),
            Err(_) => Vec::new(),
        }
    }

    fn carried(
        &mut self,
        arm: &Arm,
        q: &[f64],
        motion: [&[f64]; 2],
        loads: &[Load],
    ) -> Vec<LinkForces> {
        let wrenches = SectionWrenches::new(arm, q, motion, loads);
        self.links.retain(|own| arm.sliding_of(own.link).is_none());
        for link in 0..arm.body_count() {
            if self.links.iter().all(|own| own.link != link)
                && let (Some(cuts), Some(beam)) = (wrenches.cuts(link), arm.beam_at(link, q))
            {
                let section = |[place, from, to]: [f64; 3]| {
                    let inside = INSIDE * (to - from);
                    match beam.profile.at(place.clamp(from + inside, to - inside)) {
                        Matter::Given(_) => (None, None),
                        Matter::Made { outline, material } => (Some(outline), material.strength),
                    }
                };
                let sections = cuts.places().map(section).collect();
                self.links.push(CutLink { link, cuts, sections });
            }
        }
        self.links.sort_by_key(|own| own.link);
        let forces = |own: &CutLink| {
            let along = wrenches.along(&own.cuts);
            let cuts = along.iter().zip(&own.sections).map(section_loads);
            LinkForces { link: own.link, cuts: cuts.collect() }
        };
        self.links.iter().map(forces).collect()
    }
}

fn section_loads(
    (carried, (outline, strength)): (&SectionWrench, &(Option<CrossSection>, Option<f64>)),
) -> SectionLoads {
    let SectionWrench { place, wrench } = *carried;
    let [axial, shear_y, shear_z] = wrench.force.to_array();
    let [torque, moment_y, moment_z] = wrench.moment.to_array();
    let force = SectionForce { axial, torque, moment_y, moment_z };
    let stress = outline.as_ref().map(|outline| outline.peak_stress(&force));
    let margin = stress.zip(*strength).map(|(stress, strength)| strength / stress);
    SectionLoads { place, force, shear: [shear_y, shear_z], stress, margin }
}
