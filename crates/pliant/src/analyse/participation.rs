//! Which parts of an arm move in a mode.

use super::modes::Mode;
use crate::arm::{Arm, CoordinateRole};
use crate::beam::Deformation;
use std::fmt;

/// A part of an arm that has coordinates of its own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MovingPart {
    /// A joint, by name.
    Joint(String),
    /// The hinges between the rigid pieces of a link.
    Hinges(String),
    /// One kind of deformation of a link.
    Deformation {
        /// The link.
        link: String,
        /// How it deforms.
        deformation: Deformation,
    },
}

/// `joint fore`, `fore hinges`, `fore y`, `fore twist`.
impl fmt::Display for MovingPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Joint(name) => write!(f, "joint {name}"),
            Self::Hinges(link) => write!(f, "{link} hinges"),
            Self::Deformation { link, deformation } => {
                let word = match *deformation {
                    Deformation::BendingY => "y",
                    Deformation::BendingZ => "z",
                    other => CoordinateRole::Deformation(other).word(),
                };
                write!(f, "{link} {word}")
            }
        }
    }
}

impl Arm<f64> {
    /// The distribution of the kinetic energy of a mode over the parts of the arm, the largest share
    /// first. The shares `Σ x_i (M x)_i` add up to 1; where parts move against each other they may
    /// exceed 1 or be negative. Parts without a share are left out, and so are the lengths of sliding
    /// links.
    pub fn participation(&self, mode: &Mode) -> Vec<(MovingPart, f64)> {
        let mut parts: Vec<(MovingPart, f64)> = Vec::new();
        let mut add =
            |part: MovingPart, share: f64| match parts.iter_mut().find(|(known, _)| *known == part)
            {
                Some((_, sum)) => *sum += share,
                None => parts.push((part, share)),
            };
        for body in 0..self.body_count() {
            let link = self.described_link(body).to_owned();
            let share: f64 = self.velocities_of(body).map(|v| mode.shares[v]).sum();
            add(
                if self.is_hinge(body) {
                    MovingPart::Hinges(link.clone())
                } else {
                    MovingPart::Joint(self.joint_names()[body].clone())
                },
                share,
            );
            for own in &self.velocity_coordinates()[self.bending_of(body).1] {
                if let CoordinateRole::Deformation(deformation) = own.role {
                    let link = link.clone();
                    add(MovingPart::Deformation { link, deformation }, mode.shares[own.index]);
                }
            }
        }
        parts.retain(|(_, share)| share.abs() > 0.0);
        parts.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
        parts
    }
}
