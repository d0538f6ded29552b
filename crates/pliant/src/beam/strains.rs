//! What a bent beam feels inside.

use super::description::Beam;
use super::shapes::{Piece, Shapes};

/// A beam whose internal forces can be asked for, at many places.
pub(crate) struct Strains<'a> {
    beam: &'a Beam,
    shapes: Shapes,
}

impl<'a> Strains<'a> {
    pub(crate) fn new(beam: &'a Beam) -> Self {
        Self { beam, shapes: Shapes::new(beam) }
    }

    /// Where shapes and section are smooth.
    pub(crate) fn pieces(&self) -> &[Piece] {
        self.shapes.pieces()
    }

    /// Stiffness times strain at a place of a piece: `N`, `T`, `M_y`, `M_z`, `V_y`, `V_z` (N, N m),
    /// the shear forces zero where the sections do not shear.
    pub(crate) fn forces(&self, piece: &Piece, s: f64, d: &[f64]) -> [f64; 6] {
        let mut forces = [0.0; 6];
        for (shape, d) in self.shapes.at(s, piece.element).iter().zip(d) {
            for (force, strain) in forces.iter_mut().zip(shape.strain) {
                *force += strain * d;
            }
        }
        let resistance = self.beam.resistance(&self.beam.profile.section_at(s));
        std::array::from_fn(|k| forces[k] * resistance[k])
    }
}
