//! A beam's shapes, evaluated along it.

use super::basis::{Basis, TipLoad, Ways};
use super::bending_mode::BendingMode;
use super::clamped_mass;
use super::description::Beam;
use super::eigenmodes;
use super::element::Elements;
use super::section::Section;
use crate::spatial::Vec3;
use nalgebra::DMatrix;

/// One shape at one place, beam frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Shape {
    /// Displacement of the centreline `(u_x, v, w)`.
    pub(crate) displacement: [f64; 3],
    /// Rotation of the section `(θ_x, θ_y, θ_z)` (1/m where the coordinate is a length).
    pub(crate) rotation: [f64; 3],
    /// Slopes of the centreline `v'`, `w'`.
    pub(crate) slope: [f64; 2],
    /// Strains `u_x'`, `θ_x'`, `θ_y'`, `θ_z'`, `v' − θ_z`, `w' + θ_y`.
    pub(crate) strain: [f64; 6],
}

impl Shape {
    /// Bending along y, from `[v, v', θ, θ']`, `θ = θ_z`.
    pub(super) fn along_y([v, slope, theta, curvature]: [f64; 4]) -> Self {
        Self {
            displacement: [0.0, v, 0.0],
            rotation: [0.0, 0.0, theta],
            slope: [slope, 0.0],
            strain: [0.0, 0.0, 0.0, curvature, slope - theta, 0.0],
        }
    }

    /// Bending along z, from `[w, w', θ, θ']`, `θ = −θ_y`.
    pub(super) fn along_z([w, slope, theta, curvature]: [f64; 4]) -> Self {
        Self {
            displacement: [0.0, 0.0, w],
            rotation: [0.0, -theta, 0.0],
            slope: [0.0, slope],
            strain: [0.0, 0.0, -curvature, 0.0, 0.0, slope - theta],
        }
    }

    /// Twist, from `θ_x` and its slope.
    pub(super) fn about_x(value: f64, rate: f64) -> Self {
        Self {
            rotation: [value, 0.0, 0.0],
            strain: [0.0, rate, 0.0, 0.0, 0.0, 0.0],
            ..Self::default()
        }
    }

    /// Stretch, from `u_x` and its slope.
    pub(super) fn along_x(value: f64, rate: f64) -> Self {
        Self {
            displacement: [value, 0.0, 0.0],
            strain: [rate, 0.0, 0.0, 0.0, 0.0, 0.0],
            ..Self::default()
        }
    }

    fn add(&mut self, other: &Self, factor: f64) {
        let into = |to: &mut [f64], from: &[f64]| {
            for (to, from) in to.iter_mut().zip(from) {
                *to += factor * from;
            }
        };
        into(&mut self.displacement, &other.displacement);
        into(&mut self.rotation, &other.rotation);
        into(&mut self.slope, &other.slope);
        into(&mut self.strain, &other.strain);
    }

    pub(crate) fn displacement_vector(&self) -> Vec3<f64> {
        self.displacement.into()
    }

    pub(crate) fn rotation_vector(&self) -> Vec3<f64> {
        self.rotation.into()
    }
}

/// A stretch of beam on which shapes and section are smooth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Piece {
    pub(crate) from: f64,
    pub(crate) to: f64,
    /// The element it lies on.
    pub(crate) element: usize,
}

#[derive(Clone, Debug)]
enum Family {
    /// Bending modes for both planes, and the wave numbers of twist and stretch (1/m).
    Modes {
        ways: Ways<usize>,
        bending: [Vec<BendingMode>; 2],
        waves: [Vec<f64>; 2],
    },
    Elements(Elements),
}

/// A beam's shapes, ready to be evaluated.
#[derive(Clone, Debug)]
pub(crate) struct Shapes {
    family: Family,
    reduction: Option<DMatrix<f64>>,
    pieces: Vec<Piece>,
}

impl Shapes {
    pub(crate) fn new(beam: &Beam) -> Self {
        let length = beam.length;
        let load = beam.basis.given_load();
        let loads = || beam.basis.forming_loads(length).unwrap_or_default();
        let (family, own) = match &beam.basis {
            Basis::Hermite { elements, ways } => {
                (Family::Elements(Elements::of(beam, *elements, *ways)), None)
            }
            Basis::Eigenmodes { elements, ways, hinge_y, hinge_z, .. } => {
                modes_of_elements(beam, *elements, *ways, &loads(), [*hinge_y, *hinge_z])
            }
            Basis::Loaded { ways, .. } => {
                let elements = beam.basis.elements().unwrap_or(1);
                modes_of_elements(beam, elements, *ways, &loads(), [None; 2])
            }
            modal => {
                let ways = modal.ways();
                let uniform = beam.profile.section_at(0.0);
                let mode = |k: usize, plane: usize| match modal {
                    Basis::RootPinned(_) => BendingMode::pinned_free(k, length),
                    Basis::ClampedMass { .. } => {
                        BendingMode::clamped_mass(k, length, uniform.rho_a, &load, plane)
                    }
                    _ => BendingMode::clamped_free(k, length),
                };
                let bending = [
                    (1..=ways.bend_y).map(|k| mode(k, 0)).collect(),
                    (1..=ways.bend_z).map(|k| mode(k, 1)).collect(),
                ];
                let Section { rho_a, rho_i_y, rho_i_z, .. } = uniform;
                let heavy = matches!(modal, Basis::ClampedMass { .. });
                let wave = |k: usize, carried: f64, own: f64| {
                    let loaded = heavy && carried > 0.0 && own > 0.0;
                    let ratio = if loaded { carried / (own * length) } else { 0.0 };
                    clamped_mass::wave_root(k, ratio) / length
                };
                let waves = [
                    (1..=ways.torsion)
                        .map(|k| wave(k, load.inertia[0], rho_i_y + rho_i_z))
                        .collect(),
                    (1..=ways.axial).map(|k| wave(k, load.mass, rho_a)).collect(),
                ];
                (Family::Modes { ways, bending, waves }, None)
            }
        };
        let reduction = match (own, &beam.reduction) {
            (Some(own), Some(further)) => Some(own * further),
            (own, further) => own.or_else(|| further.clone()),
        };
        let pieces = match &family {
            Family::Elements(elements) => pieces(beam, elements.phi.len(), true),
            Family::Modes { ways, .. } => {
                pieces(beam, 4 + 2 * ways.to_array().into_iter().max().unwrap_or(0), false)
            }
        };
        Self { family, reduction, pieces }
    }

    /// How many coordinates.
    pub(crate) fn count(&self) -> usize {
        match (&self.reduction, &self.family) {
            (Some(reduction), _) => reduction.ncols(),
            (None, Family::Modes { ways, .. }) => ways.to_array().iter().sum(),
            (None, Family::Elements(elements)) => elements.count(),
        }
    }

    /// Where shapes and section are smooth, short enough to integrate the products of shapes.
    pub(crate) fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// The piece that a place lies on, the outer one at a border.
    pub(crate) fn piece_at(&self, s: f64) -> usize {
        self.pieces[1..].iter().take_while(|piece| piece.from <= s).count()
    }

    /// All shapes at a place of a piece.
    pub(crate) fn at(&self, s: f64, element: usize) -> Vec<Shape> {
        let full = match &self.family {
            Family::Elements(elements) => {
                return match &self.reduction {
                    None => elements.at(s, element),
                    Some(reduction) => combined(&elements.near(s, element), reduction),
                };
            }
            Family::Modes { bending: [y, z], waves: [twist, stretch], .. } => {
                let bent = |mode: &BendingMode| {
                    let [v, slope, curvature] = mode.at(s);
                    [v, slope, slope, curvature]
                };
                let wave = |rate: &f64| ((rate * s).sin(), rate * (rate * s).cos());
                let about_x = |rate| {
                    let (value, slope) = wave(rate);
                    Shape::about_x(value, slope)
                };
                let along_x = |rate| {
                    let (value, slope) = wave(rate);
                    Shape::along_x(value, slope)
                };
                let along_y = y.iter().map(|mode| Shape::along_y(bent(mode)));
                let along_z = z.iter().map(|mode| Shape::along_z(bent(mode)));
                let rest = twist.iter().map(about_x).chain(stretch.iter().map(along_x));
                along_y.chain(along_z).chain(rest).collect()
            }
        };
        match &self.reduction {
            None => full,
            Some(reduction) => {
                let full: Vec<(usize, Shape)> = full.into_iter().enumerate().collect();
                combined(&full, reduction)
            }
        }
    }
}

/// Combinations of shapes, which come with their rows.
fn combined(shapes: &[(usize, Shape)], reduction: &DMatrix<f64>) -> Vec<Shape> {
    let column = |k: usize| {
        let mut sum = Shape::default();
        for (row, shape) in shapes {
            sum.add(shape, reduction[(*row, k)]);
        }
        sum
    };
    (0..reduction.ncols()).map(column).collect()
}

/// The lowest modes of so many elements under loads, as combinations of their nodal shapes.
fn modes_of_elements(
    beam: &Beam,
    elements: usize,
    ways: Ways<usize>,
    loads: &[(f64, TipLoad)],
    hinges: [Option<f64>; 2],
) -> (Family, Option<DMatrix<f64>>) {
    let on = ways.to_array().map(|n| n > 0);
    let family = Elements::of(beam, elements, Ways::new(on[0], on[1], on[2], on[3]));
    let own = eigenmodes::reduction(beam, &family, ways, loads, hinges);
    (Family::Elements(family), Some(own))
}

/// Cuts a beam where its shapes or its section are not smooth, into `count` parts and more.
pub(super) fn pieces(beam: &Beam, count: usize, by_element: bool) -> Vec<Piece> {
    let length = beam.length;
    let mut borders: Vec<(f64, usize)> =
        (0..count).map(|k| (length * k as f64 / count as f64, k)).collect();
    for s in beam.profile.breaks(length) {
        let at = borders.iter().rposition(|(border, _)| *border <= s).unwrap_or(0);
        if borders[at].0 < s {
            borders.insert(at + 1, (s, borders[at].1));
        }
    }
    let ends = borders[1..].iter().map(|b| b.0).chain([length]);
    let piece = |(&(from, k), to)| Piece { from, to, element: if by_element { k } else { 0 } };
    borders.iter().zip(ends).map(piece).collect()
}
