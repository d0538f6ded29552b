//! What a beam that slides through its joint needs beyond one that is clamped.

use super::basis::TipLoad;
use super::description::Beam;
use super::loaded_mode::LoadedMode;
use super::section::Section;

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
    /// With which velocity of its points its kinetic energy is made.
    pub velocity: Velocity,
}

/// The velocity of the points of a beam that slides, from which its kinetic energy is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Velocity {
    /// That of matter: `ψ ξ̇ + (1−η) ψ' ξ l̇/l + ∂_lψ ξ l̇` across the beam.
    #[default]
    Material,
    /// Theodore (24) as it is printed, for comparison only: `ψ ξ̇ − η ψ' ξ l̇/l` across the beam, at
    /// a fixed place beside a payload with `ψ ξ̇`, together with `l̇` along it, of matter. Lagrange's
    /// equations of this energy hold a Coriolis force that is wrong by its own size wherever the
    /// hub turns.
    Paper,
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
            velocity: Velocity::Material,
        }
    }

    /// The length outside where nothing else is said (m): the middle of the stroke.
    pub fn neutral(&self) -> f64 {
        0.5 * (self.stroke[0] + self.stroke[1])
    }
}

impl Beam {
    /// The group velocity (m/s) `U_g = √(EI/ρA) / l` of a part outside of this length (m), in the
    /// softer of the planes it bends in: Theodore's measure of how fast a link slides.
    pub fn group_velocity(&self, outside: f64) -> f64 {
        let Section { ei_z, ei_y, rho_a, .. } = self.profile.section_at(0.0);
        let ways = self.basis.ways();
        let planes = [(ways.bend_y, ei_z), (ways.bend_z, ei_y)];
        let softest = planes.into_iter().filter(|(count, _)| *count > 0).map(|(_, ei)| ei);
        (softest.fold(f64::INFINITY, f64::min) / rho_a).sqrt() / outside
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
