//! Strains where a gauge sits.

use super::description::Beam;
use super::shapes::Shapes;

impl Beam {
    /// The axial strain of the point `(y, z)` of a section per unit of each coordinate,
    /// `ε = u' + z θ_y' − y θ_z'`, at a distance from the root of the part that bends (m).
    pub fn axial_strains(&self, distance: f64, [y, z]: [f64; 2]) -> Vec<f64> {
        let shapes = Shapes::new(self);
        let piece = shapes.pieces()[shapes.piece_at(distance)];
        let strain =
            |[axial, _, about_y, about_z, _, _]: [f64; 6]| axial + z * about_y - y * about_z;
        shapes.at(distance, piece.element).iter().map(|shape| strain(shape.strain)).collect()
    }
}
