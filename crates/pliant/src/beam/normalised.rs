//! Shapes of a beam that slides, over the normalised coordinate `η = s/l`.

use super::basis::{Basis, Ways};
use super::bending_mode::BendingMode;
use super::description::Beam;
use super::element::hermite;
use super::loaded_mode::LoadedMode;
use super::slide::Scale;
use crate::spatial::Vec3;
use std::f64::consts::PI;

/// A function `f(η; l)` at one place: row `i` holds `lⁱ ∂ⁱf/∂lⁱ`, column `j` its `j`-th derivative
/// by `η`.
pub(crate) type Table = [[f64; 4]; 3];

/// In which way a shape deforms the beam.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// Deflection along y.
    AlongY,
    /// Deflection along z.
    AlongZ,
    /// Twist about x.
    AboutX,
}

/// One shape at one place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wave {
    pub(super) way: Way,
    /// The deflection, or the twist.
    pub(super) table: Table,
}

impl Wave {
    /// Displacements by a unit of deflection.
    pub(super) fn displaced(&self, deflection: f64) -> Vec3<f64> {
        let [_, y, z] = Vec3::AXES;
        match self.way {
            Way::AlongY => y * deflection,
            Way::AlongZ => z * deflection,
            Way::AboutX => Vec3::ZERO,
        }
    }

    /// The rotation by a unit of slope or of twist: `θ = (θ_x, −w', v')`.
    pub(super) fn turned(&self, by: f64) -> Vec3<f64> {
        let [x, y, z] = Vec3::AXES;
        match self.way {
            Way::AlongY => z * by,
            Way::AlongZ => y * -by,
            Way::AboutX => x * by,
        }
    }

    /// Where the derivatives of the rotation begin in the table, and the power of the length that
    /// it goes with: the slope is `∂_η φ / l`.
    pub(super) fn rotation(&self) -> (usize, i32) {
        if self.way == Way::AboutX { (0, 0) } else { (1, -1) }
    }
}

/// `[q, Dq, D²q]` without their powers `p`, `p − 1`, `p − 2` of the length, for `q = l^p f(η; l)`
/// with the derivatives of `f` from column `shift` of the table. `inward` is `1 − η` for a
/// material point, and 0 where `η` is held.
pub(super) fn material(table: &Table, shift: usize, p: i32, inward: f64) -> [f64; 3] {
    let f = |i: usize, j: usize| table[i][j + shift];
    let p = f64::from(p);
    let along = |power: f64| inward * (power * f(0, 1) + f(1, 1));
    [
        f(0, 0),
        p * f(0, 0) + f(1, 0) + inward * f(0, 1),
        p * (p - 1.0) * f(0, 0)
            + 2.0 * p * f(1, 0)
            + f(2, 0)
            + 2.0 * along(p - 1.0)
            + inward * inward * f(0, 2),
    ]
}

/// The shapes of a beam at one of its lengths.
pub(super) struct Waves {
    family: Family,
    ways: Ways<usize>,
}

enum Family {
    /// The same at every length.
    Modes {
        bending: [Vec<BendingMode>; 2],
    },
    /// Those of one length.
    Loaded {
        bending: [Vec<LoadedMode>; 2],
    },
    Elements {
        count: usize,
        on: [bool; 3],
    },
}

impl Waves {
    /// The shapes that a beam has at a length outside.
    pub(super) fn new(beam: &Beam, length: f64) -> Self {
        let ways = beam.basis.ways();
        let family = match beam.basis {
            Basis::Hermite { elements, ways } => {
                let [y, z, x, _] = ways.to_array();
                Family::Elements { count: elements, on: [y, z, x] }
            }
            Basis::ClampedMass { .. } => {
                let (load, rho_a) = (beam.basis.given_load(), beam.profile.section_at(0.0).rho_a);
                let scale = beam.slide.map_or(Scale::One, |slide| slide.scale);
                let modes = |count: usize, inertia: f64| {
                    let load = [load.mass, inertia];
                    let mode = |k| LoadedMode::new(k, length, rho_a, load, scale);
                    (1..=count).map(mode).collect::<Vec<_>>()
                };
                let [_, about_y, about_z] = load.inertia;
                let along_y = modes(ways.bend_y, about_z);
                let is_alike = (ways.bend_z, about_y) == (ways.bend_y, about_z);
                let along_z = if is_alike { along_y.clone() } else { modes(ways.bend_z, about_y) };
                Family::Loaded { bending: [along_y, along_z] }
            }
            _ => {
                let modes =
                    |count: usize| (1..=count).map(|k| BendingMode::clamped_free(k, 1.0)).collect();
                Family::Modes { bending: [modes(ways.bend_y), modes(ways.bend_z)] }
            }
        };
        Self { family, ways }
    }

    /// Into how many pieces of equal length the beam is cut for integration.
    pub(super) fn pieces(&self) -> usize {
        match &self.family {
            Family::Elements { count, .. } => *count,
            Family::Modes { .. } | Family::Loaded { .. } => {
                4 + 2 * self.ways.to_array().into_iter().max().unwrap_or(0)
            }
        }
    }

    /// At the beginning of how many pieces the strains jump, the mouth among them.
    pub(super) fn borders(&self) -> usize {
        match &self.family {
            Family::Elements { count, .. } => *count,
            Family::Modes { .. } | Family::Loaded { .. } => 1,
        }
    }

    /// All shapes at a place of a piece.
    pub(super) fn at(&self, eta: f64, piece: usize) -> Vec<Wave> {
        match &self.family {
            Family::Elements { count, on } => elements(*count, *on, eta, piece),
            Family::Modes { bending } => {
                self.modes(bending, eta, |mode| constant(mode.derivatives(eta)))
            }
            Family::Loaded { bending } => self.modes(bending, eta, |mode| mode.table(eta)),
        }
    }
}

impl Waves {
    /// Modes of bending along y, along z, and of twist.
    fn modes<M>(&self, [y, z]: &[Vec<M>; 2], eta: f64, table: impl Fn(&M) -> Table) -> Vec<Wave> {
        let along_y = y.iter().map(|mode| Wave { way: Way::AlongY, table: table(mode) });
        let along_z = z.iter().map(|mode| Wave { way: Way::AlongZ, table: table(mode) });
        let twist = (1..=self.ways.torsion).map(|k| {
            let rate = (k as f64 - 0.5) * PI;
            let (sin, cos) = (rate * eta).sin_cos();
            let values = [sin, rate * cos, -rate * rate * sin, -rate.powi(3) * cos];
            Wave { way: Way::AboutX, table: constant(values) }
        });
        along_y.chain(along_z).chain(twist).collect()
    }
}

/// A function that does not change with the length.
fn constant(values: [f64; 4]) -> Table {
    [values, [0.0; 4], [0.0; 4]]
}

/// The nodal shapes of equal elements: deflection and its derivative by `η` along y, the same along
/// z, twist, node by node.
fn elements(count: usize, [y, z, x]: [bool; 3], eta: f64, element: usize) -> Vec<Wave> {
    let h = 1.0 / count as f64;
    let xi = eta / h - element as f64;
    let cubics = hermite(xi, h);
    let hats = [[1.0 - xi, -1.0 / h, 0.0, 0.0], [xi, 1.0 / h, 0.0, 0.0]];
    let mut waves = Vec::new();
    for node in 1..=count {
        let side = node.checked_sub(element).filter(|side| *side < 2);
        let mut push = |way, values: Option<[f64; 4]>| {
            waves.push(Wave { way, table: constant(values.unwrap_or_default()) });
        };
        for (way, on) in [(Way::AlongY, y), (Way::AlongZ, z)] {
            for k in (0..2).filter(|_| on) {
                push(way, side.map(|side| cubics[2 * side + k]));
            }
        }
        if x {
            push(Way::AboutX, side.map(|side| hats[side]));
        }
    }
    waves
}
