//! What the coordinates of a beam are.

use serde::{Deserialize, Serialize};

/// A way in which a beam deforms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Deformation {
    /// Bends in the x-y plane: a deflection along y, or a turn about z at a node.
    BendingY,
    /// Bends in the x-z plane: a deflection along z, or a turn about y at a node.
    BendingZ,
    /// Twists about x.
    Twist,
    /// Stretches along x.
    Stretch,
    /// Does several of these at once: a combination of shapes.
    Modal,
}

/// What a coordinate is measured in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dimension {
    /// Metres.
    Length,
    /// Radians.
    Angle,
    /// A number without a unit.
    Number,
}

impl Dimension {
    /// The units of the coordinate, of its rate and of its acceleration, and of the force that
    /// works along it.
    pub const fn units(self) -> [&'static str; 4] {
        match self {
            Self::Length => ["m", "m/s", "m/s^2", "N"],
            Self::Angle => ["rad", "rad/s", "rad/s^2", "N m"],
            Self::Number => ["1", "1/s", "1/s^2", "J"],
        }
    }
}

/// A coordinate of a beam.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BeamCoordinate {
    /// What is added to the name of the link: `y1`.
    pub(crate) suffix: String,
    pub(crate) deformation: Deformation,
    pub(crate) dimension: Dimension,
}

impl BeamCoordinate {
    /// The coordinate of a shape or node, counted from 1.
    pub(super) fn new(
        letters: &str,
        number: usize,
        deformation: Deformation,
        dimension: Dimension,
    ) -> Self {
        Self { suffix: format!("{letters}{number}"), deformation, dimension }
    }
}
