//! Why a rigid link cannot become a flexible one.

use super::tree::UnknownName;
use crate::Help;
use crate::scalar::short;

/// Why a rigid link cannot become a flexible one.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BendError {
    /// There is no such link.
    #[error(transparent)]
    UnknownLink(#[from] UnknownName),
    /// It bends already.
    #[error("link \"{link}\" has a beam already")]
    HasBeam {
        /// The link.
        link: String,
    },
    /// It carries nothing of this name.
    #[error("link \"{link}\" carries no link and no frame \"{end}\"")]
    UnknownEnd {
        /// The link.
        link: String,
        /// The name given.
        end: String,
        /// What it carries.
        carried: Vec<String>,
    },
    /// It carries nothing, or only at its joint.
    #[error(
        "where the beam of link \"{link}\" ends is not known, because it carries nothing away from its joint"
    )]
    NoEnd {
        /// The link.
        link: String,
    },
    /// A length that no beam has.
    #[error("the beam of link \"{link}\" would be {} m long", short(*.length))]
    NoLength {
        /// The link.
        link: String,
        /// The length (m).
        length: f64,
    },
    /// The length of a sliding beam changes, and with it what it leaves of the link.
    #[error("a beam that slides cannot take the place of a rigid link")]
    Slides,
    /// The beam has more mass than the link.
    #[error(
        "the beam of link \"{link}\" weighs {} kg, and the link only {} kg", short(*.beam), short(*.mass)
    )]
    TooHeavy {
        /// The link.
        link: String,
        /// The mass of the link (kg).
        mass: f64,
        /// The mass of the beam (kg).
        beam: f64,
        /// The part of the beam's density with which it fits.
        fits: f64,
    },
    /// Without the beam the link has moments of inertia that no body has.
    #[error(
        "without the {} kg of its beam, link \"{link}\" would keep {} kg with the principal moments {}, {} and {} kg m², which no body has",
        short(*.beam), short(*.mass), short(.moments[0]), short(.moments[1]), short(.moments[2])
    )]
    Impossible {
        /// The link.
        link: String,
        /// The mass that is left (kg).
        mass: f64,
        /// The mass of the beam (kg).
        beam: f64,
        /// The principal moments of inertia of what is left (kg m²).
        moments: [f64; 3],
        /// The part of the beam's density with which it fits.
        fits: f64,
    },
}

impl Help for BendError {
    fn help(&self) -> Option<String> {
        Some(match self {
            Self::UnknownLink(error) => return error.help(),
            Self::HasBeam { .. } => "change its beam instead".into(),
            Self::UnknownEnd { carried, .. } if carried.is_empty() => {
                "it carries nothing; give the length of the beam".into()
            }
            Self::UnknownEnd { carried, .. } => format!("it carries {}", carried.join(", ")),
            Self::NoEnd { .. } => "give the length of the beam, and its direction".into(),
            Self::NoLength { .. } => "give another end, direction or length".into(),
            Self::Slides => "describe it as a link of its own".into(),
            Self::TooHeavy { mass, .. } if *mass <= 0.0 => {
                "give the link the mass that it has with its beam".into()
            }
            Self::TooHeavy { fits, .. } | Self::Impossible { fits, .. } if *fits <= 0.0 => {
                "the link itself has moments of inertia that no body has; mend them first".into()
            }
            Self::TooHeavy { fits, .. } | Self::Impossible { fits, .. } => format!(
                "take a thinner or lighter section, or another direction; this beam fits with {} % of its density",
                short((1000.0 * fits).floor() / 10.0)
            ),
        })
    }
}
