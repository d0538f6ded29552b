//! Whose shapes a beam has.

use super::basis::{Basis, TipLoad};
use super::description::Beam;
use super::flexible::Flexible;
use crate::spatial::{Pose, RigidInertia};
use nalgebra::DMatrix;

/// The beam whose shapes another one of the same geometry has; usually it is that beam itself.
pub(crate) struct Shaper<'a> {
    pub(crate) beam: &'a Beam,
    /// What its modes, of which damping ratios are given, carry, each with its place on the part
    /// that bends (m).
    pub(crate) loads: Vec<(f64, TipLoad)>,
}

impl Shaper<'_> {
    /// Mass and stiffness of the modes that damping ratios are of: the beam's own, unless it has the
    /// shapes of another one.
    pub(super) fn matrices(&self, beam: &Beam, own: [DMatrix<f64>; 2]) -> [DMatrix<f64>; 2] {
        if std::ptr::eq(self.beam, beam) {
            return own;
        }
        let itself = Shaper { beam: self.beam, loads: self.loads.clone() };
        Flexible::new(self.beam, &Pose::IDENTITY, &RigidInertia::ZERO, &itself).matrices()
    }
}

impl Beam {
    /// Whether it could have the shapes of another beam: it bends along the same line, in the same
    /// ways. What it is made of, and what it carries, may differ.
    pub(crate) fn bends_like(&self, other: &Self) -> bool {
        let geometry = |beam: &Self| {
            let Self { length, segments, rigid_root, rigid_tip, .. } = *beam;
            let slide = beam.slide.map(|slide| (slide.stroke, slide.scale));
            let flags = [beam.foreshortening, beam.shear];
            ([length, rigid_root, rigid_tip], segments, flags, slide)
        };
        let kind = |basis: &Basis| {
            let mut kind = basis.clone();
            match &mut kind {
                Basis::Loaded { ways, .. } => kind = Basis::loaded(*ways),
                Basis::ClampedMass { .. } | Basis::Eigenmodes { .. } => {
                    kind = kind.with_load(TipLoad::default());
                }
                _ => {}
            }
            kind
        };
        let places = |beam: &Self| beam.profile.breaks(beam.length).collect::<Vec<_>>();
        geometry(self) == geometry(other)
            && kind(&self.basis) == kind(&other.basis)
            && self.reduction == other.reduction
            && places(self) == places(other)
    }
}
