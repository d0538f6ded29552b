//! Modes of the finite-element beam, with its load and the way it is held.

use super::basis::{TipLoad, Ways};
use super::description::Beam;
use super::element::Elements;
use super::quadrature::Gauss;
use super::section::Section;
use super::shapes::{Shape, pieces};
use crate::linear::{symmetric, symmetric_eigen};
use nalgebra::{Cholesky, DMatrix, DVector, DVectorView};

/// One mode per column in terms of the nodal coordinates: the lowest of each way. King 3.10.
///
/// A root that turns freely adds the rigid rotation to the shapes. Vibration does not take part
/// in it, which leaves the clamped shapes with the mass `M − c cᵀ / (hub + m)`, where `c` couples
/// them with the rotation and `m` is the rotation's own inertia.
pub(super) fn reduction(
    beam: &Beam,
    elements: &Elements,
    ways: Ways<usize>,
    loads: &[(f64, TipLoad)],
    hinges: [Option<f64>; 2],
) -> DMatrix<f64> {
    let nodal = elements.count();
    let [beam_mass, stiffness] = matrices(beam, elements);
    let mut loaded = beam_mass.clone();
    for (s, load) in loads {
        let mut there = elements.at(*s, elements.around(*s));
        there.extend(rigid_rotations(*s));
        loaded += load_mass(&there, load);
    }
    let layout = elements.layout();
    let mut columns = Vec::new();
    for (way, count) in ways.to_array().into_iter().enumerate().filter(|(_, count)| *count > 0) {
        let own: Vec<usize> = (0..nodal).filter(|&k| layout[k] == way).collect();
        let pick =
            |m: &DMatrix<f64>| DMatrix::from_fn(own.len(), own.len(), |i, j| m[(own[i], own[j])]);
        let mut mass = pick(&loaded);
        if let Some(hub) = hinges.get(way).copied().flatten() {
            let rigid = nodal + way;
            let whole = hub + loaded[(rigid, rigid)];
            for (i, &a) in own.iter().enumerate() {
                for (j, &b) in own.iter().enumerate() {
                    mass[(i, j)] -= loaded[(a, rigid)] * loaded[(b, rigid)] / whole;
                }
            }
        }
        let scale = pick(&beam_mass);
        let size = match way {
            0 | 1 => beam.mass(),
            2 => 0.5 * beam.polar_inertia(),
            _ => 0.5 * beam.mass(),
        };
        let modes: Vec<DVector<f64>> = match Spectrum::new(&mass, pick(&stiffness)) {
            Some(spectrum) => spectrum.shapes().take(count).collect(),
            // numbers out of range, which the builder refuses afterwards
            None => (0..count)
                .map(|k| DVector::from_fn(own.len(), |i, _| f64::from(u8::from(i == k))))
                .collect(),
        };
        for mode in modes {
            let norm = mode.dot(&(&scale * &mode));
            let factor = if norm > 0.0 { (size / norm).sqrt() } else { 1.0 };
            // the tip moves towards the positive side; its coordinate follows the last node
            let tip = own.len() - if way < 2 { 2 } else { 1 };
            let factor = if mode[tip] < 0.0 { -factor } else { factor };
            let mut column = DVector::zeros(nodal);
            for (i, &a) in own.iter().enumerate() {
                column[a] = mode[i] * factor;
            }
            columns.push(column);
        }
    }
    DMatrix::from_columns(&columns)
}

/// The modes of `K x = ω² M x`, lowest first, through the factor `K = L Lᵀ`, which keeps the digits
/// of the low ones.
pub(super) struct Spectrum {
    lower: DMatrix<f64>,
    /// `1/ω²` and the unit vector `Lᵀ x` of each.
    modes: Vec<(f64, DVector<f64>)>,
}

impl Spectrum {
    /// `None` where the stiffness is not positive.
    pub(super) fn new(mass: &DMatrix<f64>, stiffness: DMatrix<f64>) -> Option<Self> {
        let lower = Cholesky::new(stiffness)?.l();
        let half = lower.solve_lower_triangular(mass)?;
        let flexibility = lower.solve_lower_triangular(&half.transpose())?;
        let eigen = symmetric_eigen(&symmetric(&flexibility));
        let vectors = eigen.eigenvectors.column_iter().map(DVectorView::into_owned);
        let mut modes: Vec<_> = eigen.eigenvalues.iter().copied().zip(vectors).collect();
        modes.sort_by(|a, b| b.0.total_cmp(&a.0));
        Some(Self { lower, modes })
    }

    /// The lowest frequency (rad/s).
    pub(super) fn lowest(&self) -> Option<f64> {
        self.modes.first().map(|(square, _)| square.recip().sqrt())
    }

    /// The modes as they move.
    fn shapes(&self) -> impl Iterator<Item = DVector<f64>> + '_ {
        let upper = self.lower.transpose();
        self.modes.iter().filter_map(move |(_, y)| upper.solve_upper_triangular(y))
    }

    /// `M V diag(2ζω) Vᵀ M`, `V` scaled to unit mass: damping by ratios, the last one for all modes
    /// beyond.
    pub(super) fn damping(&self, ratios: &[f64]) -> DMatrix<f64> {
        let n = self.lower.nrows();
        let mut sum = DMatrix::zeros(n, n);
        for (k, (square, y)) in self.modes.iter().enumerate() {
            let Some(ratio) = ratios.get(k).or(ratios.last()) else { continue };
            // M v = L y / ω
            let force = &self.lower * y;
            sum += &force * force.transpose() * (2.0 * ratio * square.max(0.0).sqrt());
        }
        sum
    }
}

/// Mass and stiffness of the nodal coordinates; the mass also of the two rigid rotations, behind
/// them.
fn matrices(beam: &Beam, elements: &Elements) -> [DMatrix<f64>; 2] {
    let n = elements.count();
    let mut mass = DMatrix::zeros(n + 2, n + 2);
    let mut stiffness = DMatrix::zeros(n, n);
    let rule = Gauss::usual();
    for piece in pieces(beam, elements.phi.len(), true) {
        for (s, weight) in rule.on(piece.from, piece.to) {
            let section = beam.profile.section_at(s);
            let resist = beam.resistance(&section);
            let mut shapes = elements.at(s, piece.element);
            shapes.extend(rigid_rotations(s));
            let near: Vec<usize> = (0..n + 2).filter(|&k| shapes[k] != Shape::default()).collect();
            for &a in &near {
                for &b in &near {
                    let [moved, strained] = density(&shapes[a], &shapes[b], &section, &resist);
                    mass[(a, b)] += weight * moved;
                    if a < n && b < n {
                        stiffness[(a, b)] += weight * strained;
                    }
                }
            }
        }
    }
    [mass, stiffness]
}

/// Mass and stiffness per length of two shapes at a section.
pub(super) fn density(p: &Shape, q: &Shape, section: &Section, resistance: &[f64; 6]) -> [f64; 2] {
    let ([px, py, pz], [qx, qy, qz]) = (p.rotation, q.rotation);
    let shift: f64 = p.displacement.iter().zip(q.displacement).map(|(a, b)| a * b).sum();
    let moved = section.rho_a * shift
        + section.rho_i_z * (px * qx + pz * qz)
        + section.rho_i_y * (px * qx + py * qy);
    let work = p.strain.iter().zip(q.strain).zip(resistance);
    [moved, work.map(|((a, b), k)| a * b * k).sum::<f64>()]
}

/// The mass that a load adds to shapes with these values at the tip.
pub(super) fn load_mass(shapes: &[Shape], load: &TipLoad) -> DMatrix<f64> {
    let TipLoad { mass, offset, inertia } = *load;
    DMatrix::from_fn(shapes.len(), shapes.len(), |a, b| {
        let (p, q) = (&shapes[a], &shapes[b]);
        let ([ux, v, w], [tx, ty, tz]) = (p.displacement, p.rotation);
        let ([vx, y, z], [rx, ry, rz]) = (q.displacement, q.rotation);
        // the centre moves by θ × offset e_x more than the tip
        let shift = ux * vx + v * y + w * z;
        let lever = v * rz + tz * y - w * ry - ty * z;
        mass * (shift + offset * lever)
            + inertia[0] * tx * rx
            + inertia[1] * ty * ry
            + inertia[2] * tz * rz
    })
}

/// Turning about z and about −y: the deflection grows along y and along z.
fn rigid_rotations(s: f64) -> [Shape; 2] {
    [Shape::along_y([s, 1.0, 1.0, 0.0]), Shape::along_z([s, 1.0, 1.0, 0.0])]
}
