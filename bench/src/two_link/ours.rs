//! The arm as pliant knows it.

use super::{Case, DURATION, Path, Run, SAMPLES};
use crate::engine::Error;
use cpu_time::ThreadTime;
use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::beam::{Basis, Beam, Section, Ways};
use pliant::integrate::{Dop853, Method, Rk4, solve};
use pliant::simulate::{ArmSystem, Unforced};
use pliant::spatial::Pose;

/// How the motion is integrated.
#[derive(Clone, Copy)]
pub(super) enum Stepping {
    /// So many steps of the fourth order.
    Rk4(usize),
    /// The pair of order eight at this relative tolerance.
    Dop853(f64),
}

/// A choice of shapes and how it is stepped.
#[derive(Clone)]
pub(super) struct Model {
    /// What stands in the arm file.
    pub(super) words: String,
    pub(super) basis: Basis,
    pub(super) segments: usize,
    pub(super) stepping: Stepping,
}

const IN_PLANE: Ways<bool> = Ways { bend_y: true, bend_z: false, torsion: false, axial: false };

/// Rigid pieces, as many per link as are said.
pub(super) fn pieces(pieces: usize, pinned: bool, stepping: Stepping) -> Model {
    let root = if pinned { ", root = \"pinned\"" } else { "" };
    Model {
        words: format!("y = true, shapes = \"rigid-pieces\", pieces = {pieces}{root}"),
        basis: Basis::Pieces { pieces, ways: IN_PLANE, pinned },
        segments: 1,
        stepping,
    }
}

/// Finite elements in segments, each of one element.
pub(super) fn segments(segments: usize, stepping: Stepping) -> Model {
    Model {
        words: format!("y = true, shapes = \"elements\", elements = 1, segments = {segments}"),
        basis: Basis::Hermite { elements: 1, ways: IN_PLANE },
        segments,
        stepping,
    }
}

/// The models that race. Steps that are too long diverge and drop out.
pub(super) fn models() -> Vec<Model> {
    let sweeps: [(usize, bool, &[usize]); 13] = [
        (2, true, &[300, 600]),
        (3, true, &[600, 900, 1200]),
        (4, true, &[1200, 1500, 1800]),
        (5, true, &[2100, 2400, 3000]),
        (6, true, &[3000, 3600, 4500]),
        (7, true, &[4500, 5400]),
        (8, true, &[6000, 6600, 7200]),
        (2, false, &[300, 600]),
        (3, false, &[600, 900, 1200]),
        (4, false, &[1500, 1800, 2400]),
        (5, false, &[2400, 3000]),
        (6, false, &[3600, 4500]),
        (8, false, &[6000, 6600, 7200]),
    ];
    let rigid = sweeps.into_iter().flat_map(|(count, pinned, steps)| {
        steps.iter().map(move |&steps| pieces(count, pinned, Stepping::Rk4(steps)))
    });
    let modes = (1..=3).flat_map(|count| {
        [1e-3, 1e-4].map(|tolerance| Model {
            words: format!("y = {count}, shapes = \"root-pinned\""),
            basis: Basis::RootPinned(Ways::new(count, 0, 0, 0)),
            segments: 1,
            stepping: Stepping::Dop853(tolerance),
        })
    });
    rigid.chain(modes).collect()
}

impl Model {
    /// Two bars on free pins.
    fn arm(&self) -> Result<Arm, Error> {
        let section = Section {
            ea: 0.0,
            ei_y: 0.0,
            ei_z: super::BENDING_STIFFNESS,
            gj: 0.0,
            kga_y: None,
            kga_z: None,
            rho_a: super::MASS_PER_LENGTH,
            rho_i_y: 0.0,
            rho_i_z: 0.0,
        };
        let beam = Beam { segments: self.segments, ..Beam::new(1.0, section, self.basis.clone()) };
        let link =
            |name: &str| Link::new(name).joint(Joint::revolute([0.0, 0.0, 1.0])).beam(beam.clone());
        let outer = link("outer").at_section(1.0).section_frame("tip", 1.0, Pose::IDENTITY);
        let arm = Builder::new("two links").gravity([0.0, -super::GRAVITY, 0.0]);
        Ok(arm.link(link("inner")).link(outer).build()?)
    }

    /// One run; a path of no numbers where it diverged.
    pub(super) fn run(&self, case: &Case) -> Result<Run, Error> {
        let arm = self.arm()?;
        match self.stepping {
            Stepping::Rk4(steps) => go(&arm, case, Rk4::new(DURATION / steps as f64)),
            Stepping::Dop853(tolerance) => go(&arm, case, Dop853::new(tolerance)),
        }
    }
}

fn go<'a>(
    arm: &'a Arm,
    case: &Case,
    method: impl Method<ArmSystem<'a, Unforced>>,
) -> Result<Run, Error> {
    let mut state = vec![0.0; arm.nq() + arm.nv()];
    for (name, angle) in [("inner", case.theta1), ("outer", case.theta2)] {
        if let Some(at) = arm.configuration_names().iter().position(|known| known == name) {
            state[at] = angle.to_radians();
        }
    }
    let times: Vec<f64> = (0..=SAMPLES).map(|k| DURATION * k as f64 / SAMPLES as f64).collect();
    let start = ThreadTime::now();
    let mut motion = ArmSystem::new(arm, Unforced);
    motion.compile(true)?;
    let solution = solve(motion, method, &state, &times);
    let seconds = start.elapsed().as_secs_f64();
    let place = |state: &Vec<f64>| match arm.pose(&state[..arm.nq()], "tip") {
        Ok(pose) => [pose.position.x, pose.position.y],
        Err(_) => [f64::NAN; 2],
    };
    let mut tip: Path = solution.states.iter().skip(1).map(place).collect();
    tip.resize(SAMPLES, [f64::NAN; 2]);
    Ok(Run { seconds, tip })
}
