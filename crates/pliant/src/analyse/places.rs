//! Positions along a beam where its sections are evaluated.

use crate::beam::{Beam, Piece, Shape, Shapes};

/// Where in a stretch of beam.
const PLACES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// The shapes of a beam at each place.
#[derive(Clone, Debug)]
pub(crate) struct Places(Vec<Vec<Shape>>);

impl Places {
    pub(crate) fn new(beam: &Beam) -> Self {
        let shapes = Shapes::new(beam);
        let on = |piece: &Piece| {
            PLACES.map(|x| shapes.at(piece.from + x * (piece.to - piece.from), piece.element))
        };
        Self(shapes.pieces().iter().flat_map(on).collect())
    }

    /// The largest size among the places, of what shapes have a `part` in and the coordinates `d`
    /// add up.
    pub(crate) fn largest<const N: usize>(
        &self,
        d: &[f64],
        part: impl Fn(&Shape) -> [f64; N],
        size: impl Fn([f64; N]) -> f64,
    ) -> f64 {
        let at = |shapes: &Vec<Shape>| {
            let mut sum = [0.0; N];
            for (shape, d) in shapes.iter().zip(d) {
                sum.iter_mut().zip(part(shape)).for_each(|(sum, part)| *sum += part * d);
            }
            size(sum)
        };
        self.0.iter().map(at).fold(0.0, f64::max)
    }
}
