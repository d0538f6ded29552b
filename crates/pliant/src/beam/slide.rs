//! What a beam that slides through its joint needs beyond one that is clamped.

use super::basis::TipLoad;
use super::description::Beam;
use super::loaded_mode::LoadedMode;
use super::normalised::{Waves, Way};
use super::section::Section;
use super::shapes::Shapes;

/// A beam of which only a part is outside its hub: the part inside stays straight and rigid, the
/// part outside bends, and its length is a coordinate.
///
/// The beam's root is the mouth of the hub, x pointing out, and its length is the whole length, of
/// the part inside and the part outside together. Sliding does not move the link frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Slide {
    /// The smallest and the largest length outside (m), `0 < smallest < largest ≤ length`.
    pub stroke: [f64; 2],
    /// Whether the length outside is given from outside the model; the drive's force is then an
    /// answer.
    pub prescribed: bool,
    /// Viscous damping of the drive (N s/m).
    pub damping: f64,
    /// Inertia that the drive adds (kg).
    pub armature: f64,
    /// The scale of clamped-mass shapes.
    pub scale: Scale,
}

/// The scale of clamped-mass shapes. Motions do not depend on it, coordinates do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// `C = 1` in `C [cos − cosh + ν (sin − sinh)]`: Theodore (6).
    #[default]
    One,
    /// The deflection of the tip is 1 at every length. Where a shape does not move the tip, it has
    /// no such scale.
    Tip,
}

impl Slide {
    /// A beam driven by a force, without damping or armature, between two lengths outside (m).
    pub fn between(smallest: f64, largest: f64) -> Self {
        Self {
            stroke: [smallest, largest],
            prescribed: false,
            damping: 0.0,
            armature: 0.0,
            scale: Scale::One,
        }
    }

    /// The length outside where nothing else is said (m): the middle of the stroke.
    pub fn neutral(&self) -> f64 {
        0.5 * (self.stroke[0] + self.stroke[1])
    }
}

/// Where the shapes of a beam that slides are compared with those of one that is clamped.
const PLACES: [f64; 4] = [0.2, 0.45, 0.7, 1.0];

impl Beam {
    /// The part outside of a beam that slides, at a length (m), as a beam that is clamped at the
    /// mouth: its coordinates are those of bending. A beam that does not slide is returned as it is.
    #[must_use]
    pub fn at_length(&self, outside: f64) -> Self {
        if self.slide.is_none() {
            return self.clone();
        }
        let mut load = self.basis.given_load();
        // these shapes twist as with a free tip
        load.inertia[0] = 0.0;
        let basis = self.basis.clone().with_load(load);
        let mut clamped = Self { length: outside, slide: None, basis, ..self.clone() };
        let shapes = Shapes::new(&clamped);
        let waves = Waves::new(self, outside);
        let mut products = vec![[0.0; 2]; self.count()];
        for piece in 0..waves.pieces() {
            let width = 1.0 / waves.pieces() as f64;
            for place in PLACES {
                let eta = (piece as f64 + place) * width;
                let s = (eta * outside).min(outside);
                let there = shapes.at(s, shapes.pieces()[shapes.piece_at(s)].element);
                for ((own, there), sum) in waves.at(eta, piece).iter().zip(there).zip(&mut products)
                {
                    let clamped = match own.way {
                        Way::AlongY => there.displacement[1],
                        Way::AlongZ => there.displacement[2],
                        Way::AboutX => there.rotation[0],
                    };
                    sum[0] += own.table[0][0] * clamped;
                    sum[1] += clamped * clamped;
                }
            }
        }
        let scales = products.into_iter().map(|[both, own]| both / own);
        let scales = nalgebra::DVector::from_iterator(self.count(), scales);
        clamped.reduction = Some(nalgebra::DMatrix::from_diagonal(&scales));
        clamped
    }

    /// The group velocity (m/s) `U_g = √(EI/ρA) / l` of a part outside of this length (m), in the
    /// softer of the planes it bends in: Theodore's measure of how fast a link slides.
    pub fn group_velocity(&self, outside: f64) -> f64 {
        let Section { ei_z, ei_y, rho_a, .. } = self.profile.section_at(0.0);
        let ways = self.basis.ways();
        let planes = [(ways.bend_y, ei_z), (ways.bend_z, ei_y)];
        let softest = planes.into_iter().filter(|(count, _)| *count > 0).map(|(_, ei)| ei);
        group_velocity(softest.fold(f64::INFINITY, f64::min), rho_a, outside)
    }

    /// The ratios `M_L/(ρA l)` and `J_L/(ρA l³)` of a load to the part outside of this length (m),
    /// and the first bending frequency with it over that without: Theodore's remark 5. Where the
    /// frequency hardly changes, shapes with a free tip will do.
    pub fn load_ratios(&self, load: &TipLoad, outside: f64) -> [f64; 3] {
        let rho_a = self.profile.section_at(0.0).rho_a;
        let inertia = load.inertia[1].max(load.inertia[2]);
        let root = |load| LoadedMode::new(1, outside, rho_a, load, Scale::One).beta().value;
        let slower = (root([load.mass, inertia]) / root([0.0, 0.0])).powi(2);
        [load.mass / (rho_a * outside), inertia / (rho_a * outside.powi(3)), slower]
    }
}

/// `U_g = √(EI/ρA) / l` (m/s) with the length at present, by which the dispersion relation below
/// Theodore (5) is right: `ω = β² U_g / l`.
pub(crate) fn group_velocity(ei: f64, rho_a: f64, length: f64) -> f64 {
    (ei / rho_a).sqrt() / length
}
