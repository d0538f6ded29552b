//! `pliant convert`: a URDF becomes an arm file, and its links flexible.

mod bend;

use super::options::{Force, Set};
use crate::output::{Failure, Output};
use clap::Args;
use pliant_io::escape::{Shown as _, shell};
use pliant_io::scenario;
use pliant_io::urdf::{self, Base, FixedJoints, Options};
use std::path::{Path, PathBuf};

/// Convert a URDF to an arm file
///
/// Visuals, meshes and transmissions are ignored. Suspicious data of the robot give warnings.
///
/// With --bend a link becomes flexible: a beam from its joint to the joint it carries, through its
/// centre of mass. Frames, masses and moments of inertia of the undeformed robot stay as they are:
/// what the beam does not weigh stays as two rigid bodies, near its root and its tip.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    pliant convert panda.urdf                     writes panda.toml\n  \
    pliant convert panda.urdf --merge-fixed -o arm.toml\n  \
    pliant convert hand.urdf --floating -o -      prints it\n  \
    pliant convert swing.toml                     the arm of a scenario, as swing-arm.toml\n  \
    pliant convert arm.toml --set link.fore.length=1.4 -o longer.toml\n  \
    pliant convert ur5.urdf --bend forearm_link --section \"tube 90x2 mm\" --material aluminium\n  \
    pliant convert ur5.urdf --bend upper_arm_link --section \"tube 100x3 mm\" \\\n      \
      --bend forearm_link --section \"tube 90x2 mm\" --material cfrp-tube\n\n\
    Sections: \"round 20 mm\" (diameter), \"tube 90x2 mm\" (diameter, wall), \"rectangle 40x20 mm\"\n\
    (height along y, width along z), \"box 80x60x3 mm\" (and wall), \"i 80x60x4x5 mm\" (and web,\n\
    flange), or as in arm files, \"{ kind = 'given', EIy = 900, EIz = 900, GJ = 700, rhoA = 2 }\".\n\
    Materials: a name, or as in arm files, \"{ name = 'aluminium', young = '72 GPa' }\".\n\n\
    All other commands read a URDF too: pliant info panda.urdf.")]
pub(crate) struct Convert {
    /// The URDF file, "-" for stdin; or a scenario, whose arm is written
    robot: PathBuf,

    #[command(flatten)]
    set: Set,

    /// File to write, "-" for stdout; default: the name of the URDF file with .toml, of an arm or
    /// scenario file with -arm.toml
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Merge links on fixed joints into their parents; their frames stay
    #[arg(long)]
    merge_fixed: bool,

    /// The root link floats instead of being fixed to the ground
    #[arg(long)]
    floating: bool,

    #[command(flatten)]
    beams: bend::BeamOptions,

    #[command(flatten)]
    force: Force,
}

impl Convert {
    pub(crate) fn run(&self, output: &Output) -> Result<(), Failure> {
        let options = Options {
            fixed: if self.merge_fixed { FixedJoints::Merge } else { FixedJoints::Keep },
            base: if self.floating { Base::Floating } else { Base::Fixed },
        };
        let is_scenario = scenario::is_scenario(&self.robot);
        let is_toml =
            self.robot.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml"));
        let changes = is_scenario || !self.set.is_empty();
        if is_toml && !changes {
            return Err(Failure::input(
                format!("{} already is an arm file", self.robot.shown()),
                "convert turns a URDF into one; all commands read arm files as they are",
            ));
        }
        let settings = self.set.settings()?;
        let loaded = if is_toml {
            pliant_io::load_with(&self.robot, &settings)?
        } else {
            urdf::load_with(&self.robot, &options, &settings)?
        };
        output.warn(&loaded.warnings);
        if let Some(name) = pliant_io::name_of_ground_link(&loaded.description) {
            output.note(&format!(
                "the link \"ground\" is renamed \"{name}\" in the arm file, where \"ground\" is the fixed base"
            ));
        }
        let text = self.beams.text(&self.robot, loaded, output)?;
        let path = match &self.output {
            Some(path) if path == Path::new("-") => return output.data(&text),
            Some(path) => path.clone(),
            None if self.robot == Path::new("-") => return output.data(&text),
            None => match self.robot.file_stem() {
                Some(stem) if is_toml => {
                    PathBuf::from(format!("{}-arm.toml", stem.to_string_lossy()))
                }
                Some(stem) => Path::new(stem).with_extension("toml"),
                None => PathBuf::from("arm.toml"),
            },
        };
        self.force.write(&path, text.as_bytes())?;
        let word = shell(&path.to_string_lossy());
        output.note(&format!(
            "wrote {}\nnext: pliant check {word}, then pliant info {word}",
            path.shown()
        ));
        Ok(())
    }
}
