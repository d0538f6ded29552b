//! `pliant new`: a file to begin with.

use crate::output::{Failure, Output};
use clap::{Args, ValueEnum};
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Write a template of an arm or scenario file; its comments explain every key
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    pliant new                          writes two-link.toml\n  \
    pliant new flexible                 writes flexible.toml: links that bend\n  \
    pliant new swing                    writes swing.toml: a scenario for flexible.toml\n  \
    pliant new track                    writes track.toml: a plan and a controller\n  \
    pliant new scara -o my-arm.toml\n  \
    pliant new satellite -o -           prints it")]
pub(crate) struct New {
    /// The template
    #[arg(value_enum, default_value_t = Template::TwoLink)]
    template: Template,

    /// File to write, "-" for stdout; default: the template's name
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Replace the file if it exists
    #[arg(long)]
    force: bool,
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
}

impl Template {
    fn text(self) -> &'static str {
        match self {
            Self::TwoLink => include_str!("../../templates/two-link.toml"),
            Self::SixAxis => include_str!("../../templates/six-axis.toml"),
            Self::Scara => include_str!("../../templates/scara.toml"),
            Self::Satellite => include_str!("../../templates/satellite.toml"),
            Self::Flexible => include_str!("../../templates/flexible.toml"),
            Self::Boom => include_str!("../../templates/boom.toml"),
            Self::Swing => include_str!("../../templates/scenarios/swing.toml"),
            Self::Track => include_str!("../../templates/scenarios/track.toml"),
        }
    }

    fn name(self) -> String {
        let value = self.to_possible_value();
        value.map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

impl New {
    pub(crate) fn run(&self, output: &Output) -> Result<(), Failure> {
        let name = self.template.name();
        let path = match &self.output {
            Some(path) if path == Path::new("-") => return output.data(self.template.text()),
            Some(path) => path.clone(),
            None => PathBuf::from(format!("{name}.toml")),
        };
        // the arm and the commands in the comments get the name of the file
        let plain = |stem: &&str| stem.chars().all(|c| c.is_alphanumeric() || "-_. ".contains(c));
        let stem = path.file_stem().and_then(|stem| stem.to_str()).filter(plain);
        let stem = stem.unwrap_or(&name);
        let text = self.template.text();
        let text = text.replace(&format!("name = \"{name}\""), &format!("name = \"{stem}\""));
        let text = text.replace(&format!("{name}.toml"), &path.display().to_string());
        write_file(&path, &text, self.force)?;
        let path = path.display();
        output.note(&match self.template {
            Template::Swing => {
                format!("wrote {path}\nnext: pliant new flexible, then pliant run {path}")
            }
            Template::Track => format!("wrote {path}\nnext: pliant run {path}"),
            _ => format!("wrote {path}\nnext: pliant check {path}, then pliant info {path}"),
        });
        Ok(())
    }
}

/// Writes a text file, and replaces one only by `force`.
pub(super) fn write_file(path: &Path, text: &str, force: bool) -> Result<(), Failure> {
    write_bytes(path, text.as_bytes(), force)
}

/// Writes a file, and replaces one only by `force`.
pub(super) fn write_bytes(path: &Path, bytes: &[u8], force: bool) -> Result<(), Failure> {
    let mut options = OpenOptions::new();
    options.write(true);
    if force {
        options.create(true).truncate(true);
    } else {
        options.create_new(true);
    }
    let written = options.open(path).and_then(|mut file| file.write_all(bytes));
    written.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => exists(path),
        _ => Failure::input(
            format!("{} cannot be written: {error}", path.display()),
            "choose another place for it",
        ),
    })
}

/// A file that is not replaced.
pub(super) fn exists(path: &Path) -> Failure {
    Failure::input(
        format!("{} exists already", path.display()),
        "choose another name, or replace it with --force",
    )
}
