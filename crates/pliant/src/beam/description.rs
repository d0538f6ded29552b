//! A beam as a person describes it.

use super::basis::Basis;
use super::coordinate::{BeamCoordinate, Deformation, Dimension};
use super::profile::{Matter, Profile};
use super::quadrature::Gauss;
use super::section::Section;
use super::shapes::{Shape, Shapes};
use super::slide::Slide;
use crate::spatial::{Pose, RigidInertia};
use nalgebra::DMatrix;

/// The largest `√(EI/κGA)/L` and `√(I/A)/L` of a beam that may be computed without shear.
pub(crate) const SLENDER: f64 = 0.02;

/// What damps a beam's own coordinates.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Damping {
    /// In proportion to the modal mass (1/s).
    pub mass: f64,
    /// In proportion to the stiffness (s).
    pub stiffness: f64,
    /// Ratios to critical damping of the modes that the beam has by itself, clamped, with what hangs
    /// on its tip: one for all modes, or one for each from the lowest. Not for beams in segments.
    pub ratios: Vec<f64>,
}

/// A beam as a person describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Beam {
    /// Where it begins: its root frame in the link frame, x along the beam.
    pub root: Pose<f64>,
    /// The length that bends (m).
    pub length: f64,
    /// Its cross-section.
    pub profile: Profile,
    /// The shapes in which it may deform.
    pub basis: Basis,
    /// Combinations of these shapes to use instead, one per column.
    pub reduction: Option<DMatrix<f64>>,
    /// Into how many beams, one fixed to the tip of the other, it is divided, each with the whole
    /// basis: for large deflections. Only finite elements can be divided, since the modes of a beam
    /// whose tip is free pass no moment on.
    pub segments: usize,
    /// The length of a rigid part before the part that bends (m), of the section at its root.
    pub rigid_root: f64,
    /// The length of a rigid part beyond the part that bends (m), of the section at its tip.
    pub rigid_tip: f64,
    /// Whether bending shortens it.
    pub foreshortening: bool,
    /// Whether its sections shear (Timoshenko); for finite elements, their modes, and modes of the
    /// loaded beam.
    pub shear: bool,
    /// What damps it.
    pub damping: Damping,
    /// Whether it slides through its joint; its length is then the whole length, and its shapes
    /// are those of the part outside.
    pub slide: Option<Slide>,
}

impl Beam {
    /// A beam of this length (m) along the x axis of its link: one segment without rigid parts
    /// and without damping, which shortens when it bends. It shears where its shapes are
    /// [`Basis::Loaded`] and [`Beam::is_thick`].
    pub fn new(length: f64, profile: impl Into<Profile>, basis: Basis) -> Self {
        let mut beam = Self {
            root: Pose::IDENTITY,
            length,
            profile: profile.into(),
            basis,
            reduction: None,
            segments: 1,
            rigid_root: 0.0,
            rigid_tip: 0.0,
            foreshortening: true,
            shear: false,
            damping: Damping::default(),
            slide: None,
        };
        beam.shear = matches!(beam.basis, Basis::Loaded { .. }) && beam.is_thick();
        beam
    }

    /// Whether shear matters: `√(EI/κGA)/L` exceeds 0.02 at one of its sections, in a plane in which
    /// it bends. Without shear the first two frequencies of a clamped uniform beam of that ratio
    /// come out 0.1 and 0.5 % too high. Never where `κGA` is not known.
    pub fn is_thick(&self) -> bool {
        let [y, z, ..] = self.basis.ways().to_array().map(|count| count > 0);
        let planes = |matter: &Matter| {
            let Section { ei_z, ei_y, kga_y, kga_z, .. } = matter.section();
            [(y, ei_z, kga_y), (z, ei_y, kga_z)]
        };
        let stations = self.profile.stations().iter();
        let mut bent = stations.flat_map(|(_, matter)| planes(matter)).filter(|(bends, ..)| *bends);
        let largest = bent.try_fold(0.0_f64, |largest, (_, ei, kga)| Some(largest.max(ei / kga?)));
        largest.is_some_and(|largest| largest.sqrt() > SLENDER * self.length)
    }

    /// The same beam of another density, as a part of its own; its stiffness stays.
    #[must_use]
    pub fn with_density_scaled(mut self, part: f64) -> Self {
        self.profile = self.profile.with_density_scaled(part);
        self
    }

    /// How many coordinates a segment has.
    pub fn count(&self) -> usize {
        self.reduction.as_ref().map_or_else(|| self.basis.count(), DMatrix::ncols)
    }

    /// Where its inner end is from its root (m): behind the mouth, where it slides and has its
    /// neutral length outside.
    pub(crate) fn inner_end(&self) -> f64 {
        self.slide.map_or(0.0, |slide| slide.neutral() - self.length)
    }

    /// The length with its rigid parts (m).
    pub fn whole_length(&self) -> f64 {
        self.rigid_root + self.length + self.rigid_tip
    }

    /// The distances from its root that divide its whole length into equal parts, both ends among
    /// them (m).
    pub fn divided(&self, parts: usize) -> impl Iterator<Item = f64> + use<> {
        let length = self.whole_length();
        (0..=parts).map(move |k| length * k as f64 / parts as f64)
    }

    /// What it is made of at a distance from its root (m), rigid parts counted: these are of the
    /// sections beside them.
    pub fn matter_at(&self, distance: f64) -> Matter {
        self.profile.at((distance - self.rigid_root).min(self.length).max(0.0))
    }

    /// How many coordinates a body with this beam has besides those of its joint: those of a
    /// segment, and the length outside where it slides.
    pub(crate) fn freedoms(&self) -> usize {
        self.count() + usize::from(self.slide.is_some())
    }

    /// The coordinates of a segment's deformation.
    pub(crate) fn coordinates(&self) -> Vec<BeamCoordinate> {
        match &self.reduction {
            Some(reduction) => {
                let modal = |k| BeamCoordinate::new("b", k, Deformation::Modal, Dimension::Number);
                (1..=reduction.ncols()).map(modal).collect()
            }
            None => self.basis.coordinates(self.slide.is_some()),
        }
    }

    /// The mass of the part that bends (kg).
    pub fn mass(&self) -> f64 {
        self.at_rest().mass
    }

    /// `∫ ρ I_p ds` (kg m²), its inertia against twisting as a whole.
    pub(crate) fn polar_inertia(&self) -> f64 {
        let second = self.at_rest().second;
        second.yy + second.zz
    }

    /// The stiffnesses against the strains of a shape, in their order.
    pub(crate) fn resistance(&self, section: &Section) -> [f64; 6] {
        let Section { ea, ei_z, ei_y, gj, kga_y, kga_z, .. } = *section;
        let shear = |kga: Option<f64>| kga.filter(|_| self.shear).unwrap_or(0.0);
        [ea, gj, ei_y, ei_z, shear(kga_y), shear(kga_z)]
    }

    /// The part that bends, undeformed, beam frame.
    pub fn at_rest(&self) -> RigidInertia<f64> {
        let mut whole = RigidInertia::ZERO;
        self.each_section(|s, weight, &Section { rho_a, rho_i_y, rho_i_z, .. }| {
            whole.mass += weight * rho_a;
            whole.first.x += weight * rho_a * s;
            whole.second.xx += weight * rho_a * s * s;
            whole.second.yy += weight * rho_i_z;
            whole.second.zz += weight * rho_i_y;
        });
        whole
    }

    /// Visits the quadrature points of the part that bends: place, weight, section.
    pub(crate) fn each_section(&self, mut visit: impl FnMut(f64, f64, &Section)) {
        let rule = Gauss::usual();
        for piece in super::shapes::pieces(self, 1, false) {
            for (s, weight) in rule.on(piece.from, piece.to) {
                visit(s, weight, &self.profile.section_at(s));
            }
        }
    }

    /// A rigid bar along x from one place to another (m) with the section of a place of the part
    /// that bends, beam frame.
    pub(crate) fn bar(&self, place: f64, from: f64, to: f64) -> RigidInertia<f64> {
        let bar = Self::new(to - from, self.profile.at(place), self.basis.clone());
        bar.at_rest().seen_from(&Pose::at(from, 0.0, 0.0))
    }

    /// Visits the quadrature points: place, weight, shapes, and `G_ab = ∫₀ˢ (v_a'v_b' + w_a'w_b')`
    /// of each pair.
    pub(crate) fn integrate(
        shapes: &Shapes,
        pairs: &[(usize, usize)],
        mut visit: impl FnMut(f64, f64, &[Shape], &[f64]),
    ) {
        let rule = Gauss::usual();
        let mut before = vec![0.0; pairs.len()];
        for piece in shapes.pieces() {
            for (s, weight) in rule.on(piece.from, piece.to) {
                let mut shortening = before.clone();
                add_shortening(shapes, pairs, piece.element, (piece.from, s), &mut shortening);
                visit(s, weight, &shapes.at(s, piece.element), &shortening);
            }
            add_shortening(shapes, pairs, piece.element, (piece.from, piece.to), &mut before);
        }
    }

    /// The pairs of shapes whose slopes overlap somewhere.
    pub(crate) fn pairs(&self, shapes: &Shapes) -> Vec<(usize, usize)> {
        if !self.foreshortening {
            return Vec::new();
        }
        let n = shapes.count();
        let mut overlap = vec![false; n * n];
        Self::integrate(shapes, &[], |_, _, shape, _| {
            for a in 0..n {
                for b in a..n {
                    overlap[a * n + b] |= slopes(&shape[a], &shape[b]) != 0.0;
                }
            }
        });
        (0..n)
            .flat_map(|a| (a..n).map(move |b| (a, b)))
            .filter(|(a, b)| overlap[a * n + b])
            .collect()
    }
}

/// Adds `∫ (v_a'v_b' + w_a'w_b') ds` over a stretch of one piece to the sum of each pair.
pub(crate) fn add_shortening(
    shapes: &Shapes,
    pairs: &[(usize, usize)],
    element: usize,
    (from, to): (f64, f64),
    sum: &mut [f64],
) {
    if pairs.is_empty() {
        return;
    }
    let rule = Gauss::usual();
    for (s, weight) in rule.on(from, to) {
        let shape = shapes.at(s, element);
        for (sum, &(a, b)) in sum.iter_mut().zip(pairs) {
            *sum += weight * slopes(&shape[a], &shape[b]);
        }
    }
}

/// `v_a'v_b' + w_a'w_b'`.
fn slopes(a: &Shape, b: &Shape) -> f64 {
    a.slope[0] * b.slope[0] + a.slope[1] * b.slope[1]
}
