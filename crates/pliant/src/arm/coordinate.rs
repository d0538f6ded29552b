//! What each coordinate of an arm is.

use super::joint::Joint;
use super::link::Link;
use super::tree::Arm;
use crate::beam::{Deformation, Dimension};
use crate::scalar::Scalar;
use serde::{Deserialize, Serialize};

/// A coordinate of the configuration, or of the velocity, of an arm.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Coordinate {
    /// Its name: `upper`, `upper.y1`.
    pub name: String,
    /// Its place in `q` or `u`.
    pub index: usize,
    /// The body it moves.
    pub body: usize,
    /// The link of the description that this body belongs to; one that was divided has several.
    pub link: String,
    /// What it is for.
    pub role: CoordinateRole,
    /// What it is measured in.
    pub dimension: Dimension,
}

/// What a coordinate is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum CoordinateRole {
    /// Moves along or about an axis of a joint, or is a component of its quaternion.
    Joint,
    /// Turns the motor's side of an elastic joint.
    Motor,
    /// Turns the hinge between two rigid pieces of a beam.
    Hinge,
    /// The length outside of a beam that slides.
    Length,
    /// Deforms a beam.
    #[serde(untagged)]
    Deformation(Deformation),
}

impl CoordinateRole {
    /// The words used for it in tables; results have them with hyphens.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Joint => "joint",
            Self::Motor => "motor",
            Self::Hinge => "hinge",
            Self::Length => "length",
            Self::Deformation(Deformation::BendingY) => "bending y",
            Self::Deformation(Deformation::BendingZ) => "bending z",
            Self::Deformation(Deformation::Twist) => "twist",
            Self::Deformation(Deformation::Stretch) => "stretch",
            Self::Deformation(Deformation::Modal) => "modal",
        }
    }

    /// Whether it deforms a link.
    pub const fn deforms(self) -> bool {
        matches!(self, Self::Hinge | Self::Deformation(_))
    }
}

impl Joint {
    /// What each number of a configuration is measured in.
    pub fn configuration_dimensions(&self) -> Vec<Dimension> {
        match self {
            Self::Spherical => vec![Dimension::Number; 4],
            Self::Free => [[Dimension::Length; 3].as_slice(), &[Dimension::Number; 4]].concat(),
            _ => self.velocity_dimensions(),
        }
    }

    /// What each degree of freedom is measured in.
    pub fn velocity_dimensions(&self) -> Vec<Dimension> {
        let of = |turns: &bool| if *turns { Dimension::Angle } else { Dimension::Length };
        self.turns().iter().map(of).collect()
    }
}

/// Adds the coordinates of a body to those of configurations and of velocities.
pub(super) fn add(
    [configuration, velocities]: [&mut Vec<Coordinate>; 2],
    link: &Link,
    (body, owner, is_motor): (usize, &str, bool),
) {
    let role = match (is_motor, link.hinge) {
        (true, _) => CoordinateRole::Motor,
        (false, true) => CoordinateRole::Hinge,
        (false, false) => CoordinateRole::Joint,
    };
    let of_joint = |(name, dimension)| (name, role, dimension);
    let joint = &link.joint;
    let places = link.configuration_names().zip(joint.configuration_dimensions());
    let rates = link.velocity_names().zip(joint.velocity_dimensions());
    let bending = link.bending_coordinates();
    let places = places.map(of_joint).chain(bending.iter().cloned());
    let rates = rates.map(of_joint).chain(bending.iter().cloned());
    let push = |all: &mut Vec<Coordinate>, (name, role, dimension)| {
        let (index, link) = (all.len(), owner.to_owned());
        all.push(Coordinate { name, index, body, link, role, dimension });
    };
    places.for_each(|own| push(configuration, own));
    rates.for_each(|own| push(velocities, own));
}

impl<S: Scalar> Arm<S> {
    /// The coordinates of a configuration `q`, in order.
    pub fn configuration_coordinates(&self) -> &[Coordinate] {
        &self.topology.configuration
    }

    /// The coordinates of a velocity `u`, in order. They differ from
    /// [`Arm::configuration_coordinates`] only at spherical and free joints.
    pub fn velocity_coordinates(&self) -> &[Coordinate] {
        &self.topology.velocities
    }

    /// The units of each velocity coordinate's place, rate, acceleration and force.
    pub fn velocity_units(&self) -> Vec<[&'static str; 4]> {
        self.topology.velocities.iter().map(|own| own.dimension.units()).collect()
    }

    /// The units of each configuration coordinate, its rate, acceleration and force.
    pub fn configuration_units(&self) -> Vec<[&'static str; 4]> {
        self.topology.configuration.iter().map(|own| own.dimension.units()).collect()
    }

    /// The link of the description that a body belongs to.
    pub fn described_link(&self, body: usize) -> &str {
        &self.topology.owners[body]
    }
}
