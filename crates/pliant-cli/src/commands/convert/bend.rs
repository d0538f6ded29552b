//! Links of a robot that become flexible.

use crate::figures::figure;
use crate::output::{Failure, Output};
use clap::Args;
use pliant::Help;
use pliant::arm::{BeamAxis, BendError, Builder, Mass};
use pliant::beam::Material;
use pliant_io::{BeamText, BendText, BendTextError, BentLink, Loaded, Source, metres};
use std::fmt::Write as _;
use std::path::Path;

/// Which links bend, and how. Options of one link repeat in the order of the links.
#[derive(Args, Debug)]
pub(super) struct BeamOptions {
    /// Make this link flexible; several links: repeat it
    #[arg(long = "bend", value_name = "LINK", requires = "section")]
    links: Vec<String>,

    /// Cross-section of the beam, once for all links or once per link
    #[arg(long, value_name = "SECTION", requires = "links")]
    section: Vec<String>,

    /// Material of the beam, once for all links or once per link; not with a given section
    #[arg(long, value_name = "MATERIAL", requires = "links")]
    material: Vec<String>,

    /// Shapes of the beam as in the key bends, once or once per link
    #[arg(long, requires = "links", default_value = BendText::USUAL_SHAPES)]
    shapes: Vec<String>,

    /// Where the beam ends: a link or frame that a flexible link carries; default: the outermost link
    #[arg(long, value_name = "CHILD", requires = "links")]
    to: Vec<String>,

    /// Direction of the beam in the link frame, x, y, z or "0,0.2,1", once or once per link; default:
    /// from the joint of the link to its end
    #[arg(long, value_name = "AXIS", requires = "links", value_parser = axis, allow_hyphen_values = true)]
    along: Vec<[f64; 3]>,

    /// Length of the beam, such as "0.3 m", once or once per link; default: as far as its end
    #[arg(long, requires = "links", value_parser = length)]
    length: Vec<f64>,

    /// Lower the density of a beam that is too heavy for its link until it fits
    #[arg(long, requires = "links")]
    fit_density: bool,
}

impl BeamOptions {
    /// The arm file, with the links that bend.
    pub(super) fn text(
        &self,
        robot: &Path,
        Loaded { description, variants, .. }: Loaded,
        output: &Output,
    ) -> Result<String, Failure> {
        if self.links.is_empty() {
            return Ok(pliant_io::write_arm_with(&description, &variants));
        }
        self.check_counts()?;
        self.check_ends(&description)?;
        let robot = robot.file_name().unwrap_or_default().to_string_lossy();
        let mut comment = format!(
            "# From {}. What the beams do not weigh is in body, at their roots, and in payload, at\n\
             # their tips:\n",
            robot.escape_debug()
        );
        let mut bent = description;
        for number in 0..self.links.len() {
            let (description, told) = self.one(number, &bent)?;
            output.note(&told);
            let _ = writeln!(comment, "#   {}", told.replace("; ", ";\n#     "));
            bent = description;
        }
        let text = comment + &pliant_io::write_arm_with(&bent, &variants);
        let loaded = pliant_io::parse_arm(&Source::new("the arm file", text.as_str()))?;
        output.warn(&loaded.warnings);
        Ok(text)
    }

    /// Makes one link flexible, and says what came of it.
    fn one(&self, number: usize, description: &Builder) -> Result<(Builder, String), Failure> {
        let link = self.links[number].as_str();
        let text = BendText {
            link,
            beam: BeamText {
                section: chosen(&self.section, number).map_or("", String::as_str),
                material: chosen(&self.material, number).map(String::as_str),
                shapes: chosen(&self.shapes, number).map_or("", String::as_str),
            },
            axis: BeamAxis {
                to: self.to.iter().find(|to| carries(description, link, to)).cloned(),
                along: chosen(&self.along, number).copied(),
                length: chosen(&self.length, number).copied(),
            },
            fit_density: self.fit_density,
        };
        let BentLink { description: bent, beam, density } =
            text.bend(description).map_err(|error| refused(&error))?;
        let scaled = density.map_or_else(String::new, |part| {
            format!(", with {} % of its density", figure(100.0 * part, 0.0))
        });
        let mass = (beam.mass(), beam.whole_length());
        let parts = bent.parts();
        let Some(own) =
            parts.links.iter().map(pliant::arm::Link::parts).find(|own| own.name == link)
        else {
            return Err(Failure::internal(format!("the link {link} is gone")));
        };
        let sum = |masses: &mut dyn Iterator<Item = &Mass>| {
            masses.map(|mass| mass.kilograms).sum::<f64>()
        };
        let (at_root, at_tip) = (sum(&mut own.root_masses()), sum(&mut own.tip_masses()));
        let told = format!(
            "{} bends over {} m: {} kg of {} kg{scaled}; {} kg stay at its root, {} kg at its tip",
            link.escape_debug(),
            figure(mass.1, 0.0),
            figure(mass.0, 0.0),
            figure(mass.0 + at_root + at_tip, 0.0),
            figure(at_root, 0.0),
            figure(at_tip, 0.0)
        );
        Ok((bent, told))
    }

    /// Each option stands once, or once per link.
    fn check_counts(&self) -> Result<(), Failure> {
        let links = self.links.len();
        let counts = [
            ("section", self.section.len()),
            ("material", self.material.len()),
            ("shapes", self.shapes.len()),
            ("along", self.along.len()),
            ("length", self.length.len()),
        ];
        match counts.into_iter().find(|(_, count)| *count > 1 && *count != links) {
            Some((option, count)) => Err(Failure::input(
                format!("--{option} is given {count} times for {links} links"),
                format!(
                    "give --{option} once for all links, or once for each, in the order of --bend"
                ),
            )),
            None => Ok(()),
        }
    }

    /// Every end is carried by a link that bends.
    fn check_ends(&self, description: &Builder) -> Result<(), Failure> {
        let is_carried =
            |to: &&String| self.links.iter().any(|link| carries(description, link, to));
        match self.to.iter().find(|to| !is_carried(to)) {
            Some(to) => Err(Failure::input(
                format!("--to {to}: no link of --bend carries a link or frame of this name"),
                "name a child of a link that bends",
            )),
            None => Ok(()),
        }
    }
}

/// What is refused, with the options that help.
fn refused(error: &BendTextError) -> Failure {
    let help = match error {
        BendTextError::NoMaterial { section } => {
            return Failure::input(
                format!("--section {section}: of which material?"),
                format!(
                    "add --material aluminium, for instance; known are {}",
                    Material::NAMES.join(", ")
                ),
            );
        }
        BendTextError::Beam(report) => return report.clone().into(),
        BendTextError::Refused { error, .. } => match error {
            BendError::HasBeam { .. } => "give it to --bend once".to_owned(),
            BendError::NoEnd { .. } => "give --length, and --along x, y or z".to_owned(),
            BendError::NoLength { .. } => {
                "choose its end with --to, its direction with --along, or its length with --length"
                    .to_owned()
            }
            BendError::TooHeavy { fits, .. } | BendError::Impossible { fits, .. }
                if *fits > 0.0 =>
            {
                format!(
                    "take a thinner or lighter section, another direction with --along, or with --fit-density {} % of its density, with which it fits",
                    figure((1000.0 * fits).floor() / 10.0, 0.0)
                )
            }
            _ => String::new(),
        },
    };
    let help = if help.is_empty() { error.help().unwrap_or_default() } else { help };
    Failure::input(error.to_string(), help)
}

/// What is given once for all, or for each.
fn chosen<T>(given: &[T], number: usize) -> Option<&T> {
    if let [one] = given { Some(one) } else { given.get(number) }
}

/// Whether a link carries a link or a frame of a name.
fn carries(description: &Builder, link: &str, name: &str) -> bool {
    let parts = description.parts();
    let Some(at) = parts.links.iter().position(|one| one.parts().name == link) else {
        return false;
    };
    let is_child = |(k, one): (usize, &pliant::arm::Link)| {
        one.parts().name == name && parts.parent_of(k) == Some(at)
    };
    let frames = parts.links[at].parts().frames;
    parts.links.iter().enumerate().any(is_child) || frames.iter().any(|(frame, ..)| frame == name)
}

fn axis(text: &str) -> Result<[f64; 3], String> {
    let named = match text.strip_prefix('-').unwrap_or(text) {
        "x" => Some([1.0, 0.0, 0.0]),
        "y" => Some([0.0, 1.0, 0.0]),
        "z" => Some([0.0, 0.0, 1.0]),
        _ => None,
    };
    let numbers = || {
        let parsed: Result<Vec<f64>, _> = text.split(',').map(|part| part.trim().parse()).collect();
        let direction: [f64; 3] = parsed.ok()?.try_into().ok()?;
        let finite = direction.iter().all(|number| number.is_finite());
        (finite && direction != [0.0; 3]).then_some(direction)
    };
    named
        .or_else(numbers)
        .ok_or_else(|| "expected x, y, z, or three numbers such as 0,0.2,1".into())
}

fn length(text: &str) -> Result<f64, String> {
    metres(text).ok_or_else(|| "expected a length such as \"0.3 m\"".into())
}
