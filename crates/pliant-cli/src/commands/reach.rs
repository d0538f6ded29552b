//! `pliant reach`: where a frame is, and which joints put it somewhere.

mod forward;
mod inverse;

use super::modes::posture;
use super::options::Set;
use super::state;
use crate::output::{Failure, Output};
use clap::{Args, ValueEnum};
use pliant::analyse::Conditions;
use pliant::arm::Arm;
use pliant::plan::{IkGoal, IkSolver};
use pliant_io::{Loaded, PoseText, nearest};
use std::path::PathBuf;

/// No goal is farther away (m).
const FARTHEST: f64 = 1e9;

/// Forward and inverse kinematics of a frame of an arm
///
/// Without --to: position and attitude of the frame in a posture. With --to: all joint positions that
/// put the frame there, in closed form where there is one.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    pliant reach robots/ur5.toml --at elbow=90deg                  where the tip is\n  \
    pliant reach robots/king-two-link.toml --at fore=45deg --sag    with its static deflection\n  \
    pliant reach robots/akmehmet-3.toml --to 0.6,0.3,0.4            which joints put it there\n  \
    pliant reach robots/ur5.toml --to 0.4,0.2,0.3 --attitude rpy=180deg,0,0\n  \
    pliant reach arm.toml --to \"900 mm, 0, 0.2\" --sag --starts 200 --format json\n\n\
    Attitudes: rpy=0,90deg,0 (about the world's x, then y, then z); quaternion=w,x,y,z;\n\
    \"axis=0,0,1 angle=90deg\"; rotation= and nine numbers, row by row.\n\n\
    A closed form gives all solutions. It is known for revolute joints: two with parallel axes; three,\n\
    of which the second and third are parallel; and for an attitude six, whose second and third are\n\
    parallel and whose last three meet in one point (PUMA), or whose second to fourth are parallel and\n\
    whose last two meet (UR5). For all other arms, and with --sag, searches begin in the posture --at\n\
    and at --starts places that follow from --seed, and what they find is all that is known. The\n\
    answer says which it is. Solutions are within the limits of the joints, the nearest to --at first.\n\n\
    JSON and CSV are in SI units and radians.\n\
    Exit code: 0 success, 1 error in the input or out of reach, 2 internal error.")]
pub(crate) struct Reach {
    /// The arm file, or a scenario with an arm
    arm: PathBuf,

    #[command(flatten)]
    set: Set,

    /// The frame; default: the tip of the arm
    #[arg(long, value_name = "NAME")]
    frame: Option<String>,

    /// Positions of joints, or where the search begins; the others are neutral
    #[arg(long, value_name = "JOINT=VALUE,..")]
    at: Option<String>,

    /// The position that the frame should have, in the world
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true)]
    to: Option<String>,

    /// The attitude that it should have; default: any
    #[arg(long, value_name = "WAY=NUMBERS", requires = "to")]
    attitude: Option<String>,

    /// With the static deflection of the links under gravity
    #[arg(long)]
    sag: bool,

    /// Joints that keep their position of --at
    #[arg(long, value_name = "JOINT,..", value_delimiter = ',', requires = "to")]
    hold: Vec<String>,

    /// Number of searches where there is no closed form
    #[arg(long, value_name = "N", default_value_t = 60,
          value_parser = clap::value_parser!(u32).range(1..=100_000))]
    starts: u32,

    /// Other places for the searches to begin
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,

    /// Output format
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// Tables
    Text,
    /// One object
    Json,
    /// One posture or solution per line
    Csv,
}

impl Reach {
    pub(crate) fn run(&self, output: &Output) -> Result<(), Failure> {
        let loaded = self.set.load(&self.arm, output)?;
        let arm = &loaded.arm;
        let frame = self.frame(arm)?;
        let near = match &self.at {
            Some(at) => posture::read(at, arm, output)?.q,
            None => arm.neutral(),
        };
        let Some(position) = &self.to else {
            let found = forward::find(arm, frame, &near, self.sag)?;
            self.warn_of_sag(&loaded, found.posture(), output);
            return output.data(&match self.format {
                Format::Text => found.text(),
                Format::Json => found.json()?,
                Format::Csv => found.csv(),
            });
        };
        let pose = PoseText { position, attitude: self.attitude.as_deref() }.pose()?;
        let far = pose.position.norm();
        if far.is_nan() || far > FARTHEST {
            let message = format!("--to {position} is farther away than any arm reaches");
            return Err(Failure::input(message, format!("stay within {FARTHEST:.0e} m")));
        }
        let goal = match self.attitude {
            Some(_) => IkGoal::Pose(pose),
            None => IkGoal::Place(pose.position),
        };
        let solver = if self.sag {
            IkSolver::sagging(arm, frame, Conditions::default())
        } else {
            IkSolver::new(arm, frame)
        };
        let held = self.held(arm)?;
        let mut solver = solver.map_err(|error| inverse::refused(&error, arm))?.hold(&held);
        let starts = usize::try_from(self.starts).unwrap_or(usize::MAX);
        let found = solver.solutions(&goal, &near, starts, self.seed);
        let found = found.map_err(|error| inverse::refused(&error, arm))?;
        if let Some(nearest) = found.solutions.first() {
            self.warn_of_sag(&loaded, &nearest.q, output);
        }
        let answer = inverse::Answer {
            arm,
            frame,
            goal,
            sags: self.sag,
            seed: self.seed,
            moving: solver.moving(),
            found,
        };
        output.data(&match self.format {
            Format::Text => answer.text(),
            Format::Json => answer.json()?,
            Format::Csv => answer.csv(),
        })
    }

    /// Says where links sag more than their options are right for.
    fn warn_of_sag(&self, loaded: &Loaded, q: &[f64], output: &Output) {
        if self.sag {
            let (bent, rest) = ((&loaded.arm, &loaded.variants), vec![0.0; loaded.arm.nv()]);
            state::warn_of_range(&self.arm, bent, q, &rest, &[], output);
        }
    }

    /// The frame that is asked for, by index.
    fn frame(&self, arm: &Arm) -> Result<usize, Failure> {
        let all = || arm.frames().iter().map(pliant::arm::Frame::name);
        let names = || format!("the frames are: {}", all().collect::<Vec<_>>().join(", "));
        match &self.frame {
            None => {
                arm.tip().ok_or_else(|| Failure::input("the arm has no tip", "choose a --frame"))
            }
            Some(name) => arm.frame(name).map_err(|_| {
                let help = match nearest(name, all()) {
                    Some(near) => format!("did you mean {near}? {}", names()),
                    None => names(),
                };
                Failure::input(format!("--frame: there is no frame \"{name}\""), help)
            }),
        }
    }

    /// The joints that keep their position, as velocity coordinates.
    fn held(&self, arm: &Arm) -> Result<Vec<usize>, Failure> {
        let names = arm.velocity_names();
        let find = |name: &String| {
            names.iter().position(|own| own == name.trim()).ok_or_else(|| {
                let driven = arm.driven_joints();
                let known: Vec<&str> = driven.iter().map(|&v| names[v].as_str()).collect();
                let message = format!("--hold: there is no joint \"{}\"", name.trim());
                Failure::input(message, format!("the joints are: {}", known.join(", ")))
            })
        };
        self.hold.iter().map(find).collect()
    }
}
