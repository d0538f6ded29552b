//! From where a scene is seen.

use crate::scene::{Scene, Shape};
use pliant::spatial::Vec3;

/// The sides from which one looks. Upwards is against gravity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// With the first horizontal axis to the right.
    Front,
    /// From the right of the front.
    Side,
    /// From above, with the first horizontal axis to the right.
    Top,
    /// From above, between front and side.
    Oblique,
}

/// A parallel projection: lengths across the view keep their scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// To the right.
    pub(crate) right: Vec3<f64>,
    /// Upwards in the picture.
    pub(crate) up: Vec3<f64>,
    /// Towards whoever looks.
    pub(crate) toward: Vec3<f64>,
    /// Upwards in the world.
    pub(crate) zenith: Vec3<f64>,
    /// Two horizontal axes.
    pub(crate) level: [Vec3<f64>; 2],
}

impl View {
    /// Seen from a side. The first horizontal axis is x, or y where x is upright.
    pub fn new(side: Side, upwards: Vec3<f64>) -> Self {
        let size = upwards.norm();
        let zenith =
            if size > 0.0 && size.is_finite() { upwards * (1.0 / size) } else { Vec3::AXES[2] };
        let axis = Vec3::AXES[usize::from(zenith.x.abs() > 0.9)];
        let across = axis + zenith * -axis.dot(zenith);
        let first = across * (1.0 / across.norm());
        let second = zenith.cross(first);
        let (up, toward) = match side {
            Side::Front => (zenith, -second),
            Side::Side => (zenith, first),
            Side::Top => (second, zenith),
            Side::Oblique => {
                let (turn, rise) = (TURN.sin_cos(), RISE.sin_cos());
                let level = first * turn.0 + second * -turn.1;
                (zenith * rise.1 + level * -rise.0, level * rise.1 + zenith * rise.0)
            }
        };
        Self { right: up.cross(toward), up, toward, zenith, level: [first, second] }
    }

    /// From the side that shows scenes in which all lies in one plane; else obliquely.
    pub fn showing<'a>(scenes: impl Iterator<Item = &'a Scene>, upwards: Vec3<f64>) -> Self {
        let oblique = Self::new(Side::Oblique, upwards);
        let lines = scenes
            .flat_map(|scene| &scene.shapes)
            .filter(|shape| matches!(shape, Shape::Bar { .. } | Shape::Trace(_)));
        let places: Vec<Vec3<f64>> = lines.flat_map(Shape::points).copied().collect();
        let span = |axis: Vec3<f64>| {
            let along = places.iter().map(|place| place.dot(axis));
            along.clone().fold(f64::NEG_INFINITY, f64::max) - along.fold(f64::INFINITY, f64::min)
        };
        let largest = Vec3::AXES.map(span).into_iter().fold(0.0, f64::max);
        let sides = [Side::Front, Side::Side, Side::Top].map(|side| Self::new(side, upwards));
        let flat = sides.into_iter().find(|view| span(view.toward) <= FLAT * largest);
        flat.unwrap_or(oblique)
    }

    /// Across the picture: to the right and upwards (m).
    pub(crate) fn across(&self, point: Vec3<f64>) -> [f64; 2] {
        [point.dot(self.right), point.dot(self.up)]
    }

    /// Whether horizontal planes are seen from above and at an angle.
    pub(crate) fn shows_floor(&self) -> bool {
        (0.1..0.99).contains(&self.toward.dot(self.zenith))
    }
}

/// What is not deeper than this, beside its size, lies in a plane.
const FLAT: f64 = 0.02;

/// How far from the front to the side, and how far above (rad).
const TURN: f64 = 0.6;
const RISE: f64 = 0.38;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_are_right_handed() {
        let ups = [[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.3, -2.0, 0.5], [0.0; 3]];
        for up in ups {
            for side in [Side::Front, Side::Side, Side::Top, Side::Oblique] {
                let view = View::new(side, up.into());
                let volume = view.right.cross(view.up).dot(view.toward);
                assert!((volume - 1.0).abs() < 1e-12, "{side:?} {up:?}");
            }
        }
    }

    #[test]
    fn the_front_of_usual_axes() {
        let at =
            |side, up: [f64; 3], point: [f64; 3]| View::new(side, up.into()).across(point.into());
        let (z, y) = ([0.0, 0.0, 1.0], [0.0, 1.0, 0.0]);
        assert_eq!(at(Side::Front, z, [1.0, 2.0, 3.0]), [1.0, 3.0]);
        assert_eq!(at(Side::Side, z, [1.0, 2.0, 3.0]), [2.0, 3.0]);
        assert_eq!(at(Side::Top, z, [1.0, 2.0, 3.0]), [1.0, 2.0]);
        assert_eq!(at(Side::Front, y, [1.0, 2.0, 3.0]), [1.0, 2.0]);
        assert_eq!(at(Side::Top, y, [1.0, 2.0, 3.0]), [1.0, -3.0]);
    }
}
