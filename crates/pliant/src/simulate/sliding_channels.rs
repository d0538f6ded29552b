//! What links that slide tell of their vibration: wave numbers and group velocities.

use crate::arm::Arm;
use crate::beam::{Basis, Beam, LoadedMode, Scale, group_velocity};

/// The vibration of a link that slides, in one plane.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlidingWave {
    /// The link, by index.
    pub(super) link: usize,
    /// Its plane.
    pub(super) letter: char,
    /// How many shapes are modes of a beam with a load at its tip, or with none.
    pub(super) modes: usize,
    /// The configuration coordinate that is the length outside.
    length: usize,
    /// Mass per length (kg/m).
    rho_a: f64,
    /// The load of the shapes: mass (kg) and moment of inertia (kg m²).
    load: [f64; 2],
    /// The stiffness against deflection in the plane (N m²).
    ei: f64,
}

/// A number of a vibration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WaveQuantity {
    /// The wave number of a mode, from 1, differentiated so often by the length.
    WaveNumber(usize, usize),
    /// The group velocity.
    GroupVelocity,
}

impl SlidingWave {
    /// Those of an arm, link by link.
    pub(super) fn of(arm: &Arm) -> Vec<Self> {
        let of_link = |link: usize| {
            let (length, _) = arm.length_of(link)?;
            Some(Self::planes(link, length, arm.sliding_of(link)?))
        };
        (0..arm.body_count()).filter_map(of_link).flatten().flatten().collect()
    }

    /// In the planes in which it bends.
    fn planes(link: usize, length: usize, beam: &Beam) -> [Option<Self>; 2] {
        let (section, load) = (beam.profile.section_at(0.0), beam.basis.given_load());
        let ways = beam.basis.ways();
        let is_modal = matches!(beam.basis, Basis::ClampedFree(_) | Basis::ClampedMass { .. });
        let plane = |letter, shapes, ei, inertia| {
            let modes = if is_modal { shapes } else { 0 };
            let (rho_a, load) = (section.rho_a, [load.mass, inertia]);
            (shapes > 0).then_some(Self { link, letter, modes, length, rho_a, load, ei })
        };
        [
            plane('y', ways.bend_y, section.ei_z, load.inertia[2]),
            plane('z', ways.bend_z, section.ei_y, load.inertia[1]),
        ]
    }

    /// A number of it in a configuration (1, 1/m, 1/m² or m/s).
    pub(super) fn number(&self, quantity: WaveQuantity, q: &[f64]) -> f64 {
        let length = q[self.length];
        match quantity {
            WaveQuantity::GroupVelocity => group_velocity(self.ei, self.rho_a, length),
            WaveQuantity::WaveNumber(mode, times) => {
                let beta = LoadedMode::new(mode, length, self.rho_a, self.load, Scale::One).beta();
                [beta.value, beta.rate, beta.acceleration][times]
            }
        }
    }
}
