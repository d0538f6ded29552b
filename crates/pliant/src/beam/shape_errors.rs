//! What few shapes make of what their beam carries.

use super::basis::{Basis, TipLoad, Ways};
use super::description::Beam;
use super::eigenmodes::{Spectrum, density, load_mass};
use super::shapes::Shapes;
use nalgebra::{DMatrix, DVector};

/// How far a clamped beam with its loads, in its own shapes, is from many finite elements: relative
/// errors.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ShapeErrors {
    /// Of its lowest frequency.
    pub(crate) frequency: f64,
    /// Of its deflection at the tip under its own weight and that of its loads, across it.
    pub(crate) sag: f64,
}

/// Elements that make lowest frequencies and deflections exact to five digits.
const MANY: usize = 8;

impl Beam {
    /// The errors of modes of a free tip in the plane where they are larger.
    pub(crate) fn free_tip_errors(&self, loads: &[(f64, TipLoad)]) -> Option<ShapeErrors> {
        let Basis::ClampedFree(Ways { bend_y, bend_z, .. }) = self.basis else { return None };
        let errors = |plane: usize, count: usize| {
            let on = |which: usize| which == plane;
            let counts = [0, 1].map(|which| if on(which) { count } else { 0 });
            let few = Basis::ClampedFree(Ways::new(counts[0], counts[1], 0, 0));
            let many =
                Basis::Hermite { elements: MANY, ways: Ways::new(on(0), on(1), false, false) };
            let [own, exact] = [few, many].map(|basis| {
                let beam = Self { basis, reduction: None, ..self.clone() };
                lowest_frequency_and_sag(&beam, loads, plane)
            });
            let ([own_frequency, own_sag], [frequency, sag]) = (own?, exact?);
            Some(ShapeErrors {
                frequency: own_frequency / frequency - 1.0,
                sag: if sag == 0.0 { 0.0 } else { own_sag / sag - 1.0 },
            })
        };
        let size = |errors: &ShapeErrors| errors.frequency.abs().max(errors.sag.abs());
        let planes = [(0, bend_y), (1, bend_z)].into_iter().filter(|(_, count)| *count > 0);
        planes
            .filter_map(|(plane, count)| errors(plane, count))
            .max_by(|a, b| size(a).total_cmp(&size(b)))
    }
}

/// The lowest frequency (rad/s) of `K x = ω² M x`, and the deflection at the tip of `K x = f` for a
/// gravity acceleration of 1 m/s² across the beam (m), of a beam that bends in one plane.
fn lowest_frequency_and_sag(
    beam: &Beam,
    loads: &[(f64, TipLoad)],
    plane: usize,
) -> Option<[f64; 2]> {
    let shapes = Shapes::new(beam);
    let at = |s: f64| shapes.at(s, shapes.pieces()[shapes.piece_at(s)].element);
    let n = shapes.count();
    let (mut mass, mut stiffness) = (DMatrix::zeros(n, n), DMatrix::zeros(n, n));
    let mut weight = DVector::zeros(n);
    Beam::integrate(&shapes, &[], |s, length, shape, _| {
        let section = beam.profile.section_at(s);
        let resistance = beam.resistance(&section);
        for a in 0..n {
            weight[a] += length * section.rho_a * shape[a].displacement[1 + plane];
            for b in 0..n {
                let [moved, strained] = density(&shape[a], &shape[b], &section, &resistance);
                mass[(a, b)] += length * moved;
                stiffness[(a, b)] += length * strained;
            }
        }
    });
    for (s, load) in loads {
        let there = at(*s);
        for (sum, shape) in weight.iter_mut().zip(&there) {
            // the centre moves by θ × offset e_x more than the section
            let [_, ty, tz] = shape.rotation;
            let turn = if plane == 0 { tz } else { -ty };
            *sum += load.mass * (shape.displacement[1 + plane] + load.offset * turn);
        }
        mass += load_mass(&there, load);
    }
    let bent = stiffness.clone().cholesky()?.solve(&weight);
    let tip = at(beam.length);
    let sag = tip.iter().zip(&bent).map(|(shape, x)| shape.displacement[1 + plane] * x).sum();
    Some([Spectrum::new(&mass, stiffness)?.lowest()?, sag])
}
