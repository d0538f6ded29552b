//! Links of a robot that become flexible, in the words of a command line.

use super::beam_text::BeamText;
use crate::nearest::nearest;
use crate::problem::Report;
use pliant::Help;
use pliant::arm::{BeamAxis, BendError, Builder};
use pliant::beam::{Beam, Material};

/// A rigid link that becomes flexible: its beam, where that runs, and whether its density is lowered
/// until it fits.
#[derive(Clone, Debug, PartialEq)]
pub struct BendText<'a> {
    /// The link.
    pub link: &'a str,
    /// Its beam.
    pub beam: BeamText<'a>,
    /// Where the beam runs.
    pub axis: BeamAxis,
    /// Whether the density of a beam that is too heavy is lowered until it fits.
    pub fit_density: bool,
}

/// A robot of which one link more is flexible.
#[derive(Clone, Debug)]
pub struct BentLink {
    /// The robot.
    pub description: Builder,
    /// The beam of the link.
    pub beam: Beam,
    /// The part of its density that the beam has, where that was lowered.
    pub density: Option<f64>,
}

/// Why a link does not become flexible.
#[derive(Clone, Debug, thiserror::Error)]
pub enum BendTextError {
    /// A section of which no material is known.
    #[error("the section {section}: of which material?")]
    NoMaterial {
        /// The section.
        section: String,
    },
    /// A section, material or shapes that cannot be read.
    #[error(transparent)]
    Beam(#[from] Report),
    /// What the library refuses.
    #[error("{error}")]
    Refused {
        /// What it says.
        error: BendError,
        /// The nearest link, or all of them, where there is none of that name.
        help: Option<String>,
    },
}

impl Help for BendTextError {
    fn help(&self) -> Option<String> {
        match self {
            Self::NoMaterial { .. } => {
                Some(format!("give a material; known are {}", Material::NAMES.join(", ")))
            }
            Self::Beam(_) => None,
            Self::Refused { error, help } => help.clone().or_else(|| error.help()),
        }
    }
}

impl BendText<'_> {
    /// The shapes of a beam where nothing is said.
    pub const USUAL_SHAPES: &'static str = "y = 2, z = 2, twist = 1, damping = 0.01";

    /// Makes the link of a description flexible.
    pub fn bend(&self, description: &Builder) -> Result<BentLink, BendTextError> {
        let Self { link, ref axis, fit_density, .. } = *self;
        let refused = |error: BendError| {
            let help = match &error {
                BendError::UnknownLink(unknown) => Some(known(&unknown.name, description)),
                _ => None,
            };
            BendTextError::Refused { error, help }
        };
        let (root, length) = description.beam_along(link, axis).map_err(refused)?;
        let section = self.beam.section;
        if self.beam.material.is_none() && !section.contains("given") {
            return Err(BendTextError::NoMaterial { section: section.to_owned() });
        }
        let mut beam = Beam { root, ..self.beam.beam(link, length)? };
        let mut density = None;
        if fit_density {
            let fits = description.density_that_fits(link, &beam).map_err(refused)?;
            // four digits, so that a file stays readable
            let part = if fits < 1.0 { (1e4 * fits).floor() / 1e4 } else { 1.0 };
            if part > 0.0 && part < 1.0 {
                beam = beam.with_density_scaled(part);
                density = Some(part);
            }
        }
        let description = description.clone().bend(link, beam.clone()).map_err(refused)?;
        Ok(BentLink { description, beam, density })
    }
}

fn known(name: &str, description: &Builder) -> String {
    let links = description.parts().links;
    let names = || links.iter().map(|link| link.parts().name);
    match nearest(name, names()) {
        Some(name) => format!("did you mean \"{name}\"?"),
        None => format!("the robot has {}", names().collect::<Vec<_>>().join(", ")),
    }
}
