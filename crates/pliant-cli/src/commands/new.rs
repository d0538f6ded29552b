//! `pliant new`: a file to begin with.

mod motion;

use super::options::Force;
use crate::output::{Failure, Output};
use clap::{Args, ValueEnum};
use pliant::name::nearest_title;
use pliant_io::escape::Shown as _;
use pliant_io::{escape, quoted};
use std::path::{Path, PathBuf};

/// Write a template of an arm, scenario or study file; its comments explain every key
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    pliant new                          writes two-link.toml\n  \
    pliant new flexible                 writes flexible.toml: links that bend\n  \
    pliant new swing                    writes swing.toml: a scenario for flexible.toml\n  \
    pliant new track                    writes track.toml: a plan and a controller\n  \
    pliant new motion --arm my-arm.toml writes motion.toml: a controlled motion of that arm\n  \
    pliant new study                    writes study.toml: track.toml with other damping\n  \
    pliant new optimisation             writes optimisation.toml: the lightest tube for track.toml\n  \
    pliant new scara -o my-arm.toml\n  \
    pliant new satellite -o -           prints it")]
pub(crate) struct New {
    /// The template
    #[arg(value_enum, default_value_t = Template::TwoLink)]
    template: Template,

    /// With motion: the arm file that it moves
    #[arg(long, value_name = "FILE", required_if_eq("template", "motion"))]
    arm: Option<PathBuf>,

    /// File to write, "-" for stdout; default: the template's name
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    #[command(flatten)]
    force: Force,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Template {
    /// A planar arm of two links: start here
    TwoLink,
    /// An industrial arm by Denavit-Hartenberg parameters
    SixAxis,
    /// Two revolute joints and a prismatic spindle
    Scara,
    /// A free-floating body with an arm
    Satellite,
    /// Two flexible links
    Flexible,
    /// A tapered boom on a column
    Boom,
    /// A scenario: the flexible arm swings freely
    #[value(alias = "scenario")]
    Swing,
    /// A scenario: a controller makes a flexible bar track a trajectory
    #[value(alias = "control")]
    Track,
    /// A scenario: a controller moves the arm of --arm
    Motion,
    /// A study: the scenario of track, run with other damping and shapers
    Study,
    /// A study that optimises: the lightest tube for the scenario of track
    #[value(alias = "optimise")]
    Optimisation,
}

impl Template {
    /// The text; none where it depends on an arm.
    fn text(self) -> Option<&'static str> {
        Some(match self {
            Self::TwoLink => include_str!("../../templates/two-link.toml"),
            Self::SixAxis => include_str!("../../templates/six-axis.toml"),
            Self::Scara => include_str!("../../templates/scara.toml"),
            Self::Satellite => include_str!("../../templates/satellite.toml"),
            Self::Flexible => include_str!("../../templates/flexible.toml"),
            Self::Boom => include_str!("../../templates/boom.toml"),
            Self::Swing => include_str!("../../templates/scenarios/swing.toml"),
            Self::Track => include_str!("../../templates/scenarios/track.toml"),
            Self::Study => include_str!("../../templates/studies/study.toml"),
            Self::Optimisation => include_str!("../../templates/studies/optimisation.toml"),
            Self::Motion => return None,
        })
    }

    fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

impl New {
    pub(crate) fn run(&self, output: &Output) -> Result<(), Failure> {
        let name = self.template.name();
        let path = self.output.clone().unwrap_or_else(|| PathBuf::from(format!("{name}.toml")));
        let text = self.text(&name, &path, output)?;
        if path == Path::new("-") {
            return output.data(&text);
        }
        self.force.write(&path, text.as_bytes())?;
        let word = escape::shell(&path.to_string_lossy());
        let next = match self.template {
            Template::Swing => format!("pliant new flexible, then pliant run {word}"),
            Template::Study => format!("pliant new track, then pliant sweep {word}"),
            Template::Optimisation => format!("pliant new track, then pliant optimise {word}"),
            Template::Track | Template::Motion => format!("pliant run {word}"),
            _ => format!("pliant check {word}, then pliant info {word}"),
        };
        output.note(&format!("wrote {}\nnext: {next}", path.shown()));
        Ok(())
    }

    /// What the file is to say.
    fn text(&self, name: &str, path: &Path, output: &Output) -> Result<String, Failure> {
        if let (Some(_), true) = (&self.arm, self.template != Template::Motion) {
            return Err(Failure::input(
                format!("the template {name} has an arm of its own"),
                "leave --arm out, or write a motion of that arm: pliant new motion --arm FILE",
            ));
        }
        let text = match (self.template.text(), &self.arm) {
            (Some(text), _) => text,
            (None, Some(arm)) => return motion::text(arm, path, output),
            (None, None) => {
                return Err(Failure::input("--arm is missing", "name the arm that is to move"));
            }
        };
        if path == Path::new("-") {
            return Ok(text.to_owned());
        }
        // the arm and the commands in the comments get the name of the file
        let plain = |stem: &&str| stem.chars().all(|c| c.is_alphanumeric() || "-_. ".contains(c));
        let stem = path.file_stem().and_then(|stem| stem.to_str()).filter(plain).unwrap_or(name);
        let own = format!("name = {}", quoted(&nearest_title(stem)));
        let text = text.replace(&format!("name = \"{name}\""), &own);
        Ok(text.replace(&format!("{name}.toml"), &path.shown()))
    }
}
