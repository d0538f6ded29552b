//! What a picture shows: shapes in space.

use crate::palette::Style;
use pliant::spatial::Vec3;

/// Shapes that belong together, such as an arm at an instant.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// The shapes (m).
    pub shapes: Vec<Shape>,
    /// The colour of what bends.
    pub style: Style,
    /// How much it fades into the paper, from 0 to 1.
    pub fade: f64,
}

/// A shape in space (m).
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A bar along a curve, with its cross-section at every point.
    Bar {
        /// The middle line.
        points: Vec<Vec3<f64>>,
        /// The section at each of them.
        cross: Vec<Cross>,
        /// Whether it is what bends.
        bends: bool,
    },
    /// A short cylinder: a joint or the base.
    Drum {
        /// Its middle.
        centre: Vec3<f64>,
        /// Its axis, of length 1.
        axis: Vec3<f64>,
        /// Its radius.
        radius: f64,
        /// Half its length.
        half: f64,
    },
    /// A ball: a payload or a body.
    Ball {
        /// Its middle.
        centre: Vec3<f64>,
        /// Its radius.
        radius: f64,
    },
    /// How a bar would lie that does not bend.
    Rest([Vec3<f64>; 2]),
    /// The way of a point.
    Trace(Vec<Vec3<f64>>),
    /// The tip.
    Tip(Vec3<f64>),
}

/// The outline of a cross-section, by two half axes across the bar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cross {
    /// One half axis.
    pub a: Vec3<f64>,
    /// The other, at right angles.
    pub b: Vec3<f64>,
    /// Whether it is round, or else a rectangle.
    pub round: bool,
}

impl Cross {
    /// How far it reaches in a direction (m).
    pub(crate) fn reach(&self, direction: Vec3<f64>) -> f64 {
        let (a, b) = (self.a.dot(direction).abs(), self.b.dot(direction).abs());
        if self.round { a.hypot(b) } else { a + b }
    }
}

impl Shape {
    /// The points that a picture must have room for.
    pub(crate) fn points(&self) -> &[Vec3<f64>] {
        match self {
            Self::Bar { points, .. } | Self::Trace(points) => points,
            Self::Drum { centre, .. } | Self::Ball { centre, .. } | Self::Tip(centre) => {
                std::slice::from_ref(centre)
            }
            Self::Rest(points) => points,
        }
    }

    /// How far it stands out around its points in a direction of length 1 (m).
    pub(crate) fn reach(&self, direction: Vec3<f64>) -> f64 {
        match self {
            Self::Drum { axis, radius, half, .. } => {
                let along = axis.dot(direction).abs().min(1.0);
                half * along + radius * (1.0 - along * along).sqrt()
            }
            Self::Ball { radius, .. } => *radius,
            Self::Bar { cross, .. } => {
                cross.iter().map(|cross| cross.reach(direction)).fold(0.0, f64::max)
            }
            _ => 0.0,
        }
    }
}
