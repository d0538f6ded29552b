//! What the documents' algorithms and variants cannot express.

use crate::Help;

/// What keeps an arm from an algorithm or from a variant of the equations.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unsupported {
    /// A link that does not hang on the one before it.
    #[error("it has no branches, and \"{link}\" does not hang on \"{before}\"")]
    Branch {
        /// The link.
        link: String,
        /// The link or ground it would have to hang on.
        before: String,
    },
    /// A joint of another kind.
    #[error("its joints are revolute or fixed, and that of \"{link}\" is {kind}")]
    Joint {
        /// The link.
        link: String,
        /// The kind of its joint.
        kind: &'static str,
    },
    /// A beam that shortens as it bends.
    #[error("its beams do not shorten as they bend, and that of \"{link}\" has foreshortening")]
    Foreshortening {
        /// The link.
        link: String,
    },
    /// A beam that slides.
    #[error("its beams do not slide, and that of \"{link}\" does")]
    Slides {
        /// The link.
        link: String,
    },
    /// King's first order or Korayem's small angles of a link that is made of rigid pieces.
    #[error("rigid pieces turn exactly, and \"{link}\" is made of them")]
    Pieces {
        /// The link.
        link: String,
    },
    /// Something that Theodore (24) does not know.
    #[error("Theodore's velocity (24) does not know {what}, and \"{link}\" has it")]
    Theodore24 {
        /// The link.
        link: String,
        /// What it does not know.
        what: &'static str,
    },
    /// Links of several variants in one arm.
    #[error(
        "King's first order, Korayem's small angles and Theodore's velocity (24) are not for one arm"
    )]
    Both,
    /// A motor behind a spring.
    #[error("its joints are rigid, and that of \"{link}\" has a spring between motor and link")]
    ElasticJoint {
        /// The link.
        link: String,
    },
    /// Nothing of mass at the outer end.
    #[error(
        "it divides by the mass that each link carries, and from \"{link}\" outward there is none"
    )]
    NoMass {
        /// The first link of the massless end.
        link: String,
    },
}

impl Help for Unsupported {
    fn help(&self) -> Option<String> {
        let help = match self {
            Self::Foreshortening { .. } => "switch off the foreshortening of that beam",
            Self::Both => "choose one of them",
            Self::ElasticJoint { .. } => "take the spring out of its actuator",
            Self::NoMass { .. } => "give that link mass",
            Self::Branch { .. }
            | Self::Joint { .. }
            | Self::Slides { .. }
            | Self::Pieces { .. }
            | Self::Theodore24 { .. } => return None,
        };
        Some(help.into())
    }
}
