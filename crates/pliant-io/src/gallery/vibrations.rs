//! Vibrations that are followed along a run, as courses: their eigenvalues, energies and actions.

use super::measure::Lack;
use crate::scenario::Setup;
use pliant::Help as _;
use pliant::analyse::{Joints, OperatingPoint, Vibration, VibrationInstant};
use pliant::arm::Arm;
use pliant::simulate::{Channel, ChannelRole, Rows};

/// How their names begin: `vibration.boom.y1.real`.
pub(super) const PREFIX: &str = "vibration.";

/// What is told of a vibration.
type Part = fn(&Vibration) -> f64;

const PARTS: [(&str, Part); 5] = [
    ("real", |vibration| vibration.eigenvalues[0].re),
    ("imaginary", |vibration| vibration.eigenvalues[0].im),
    ("frequency", |vibration| vibration.frequency),
    ("energy", |vibration| vibration.energy),
    // one without a frequency has none
    ("action", |vibration| vibration.action.unwrap_or(f64::NAN)),
];

/// Courses by name, each with a value for every row.
#[derive(Default)]
pub(super) struct VibrationCourses {
    pub(super) names: Vec<String>,
    pub(super) values: Vec<Vec<f64>>,
}

impl VibrationCourses {
    /// Those along the rows of a run, joints as under a law that decouples them.
    pub(super) fn along(setup: &Setup, rows: &Rows) -> Result<Self, Lack> {
        let arm = &setup.simulation.arm;
        let columns = columns(arm, &rows.channels)?;
        let point = |(row, time): (usize, &f64)| {
            let values = rows.row_at(row);
            let [q, u, ud] =
                columns.each_ref().map(|columns| columns.iter().map(|&at| values[at]).collect());
            (*time, OperatingPoint { q, u, ud })
        };
        let motion: Vec<_> = rows.times.iter().enumerate().map(point).collect();
        Self::of(arm, &motion)
    }

    /// The names that a run with some channels will have.
    pub(super) fn names(setup: &Setup, channels: &[Channel]) -> Result<Vec<String>, Lack> {
        let arm = &setup.simulation.arm;
        columns(arm, channels)?;
        let rest = OperatingPoint::rest(arm, &setup.simulation.diagram.q);
        Ok(Self::of(arm, &[(0.0, rest)])?.names)
    }

    /// Along a motion, each vibration by a coordinate of which it has most at the start.
    fn of(arm: &Arm, motion: &[(f64, OperatingPoint)]) -> Result<Self, Lack> {
        let instants = arm.vibrations_along(motion, Joints::Prescribed);
        let instants = instants.map_err(|error| Lack::Told(error.with_help()))?;
        let mut found = Self::default();
        let Some(first) = instants.first() else { return Ok(found) };
        for (coordinate, subject) in arm.velocity_names().iter().enumerate() {
            let share = |one: &Vibration| one.shape[0][coordinate] * one.shape[1][coordinate];
            let shares = first.vibrations.iter().map(share).enumerate();
            let most = shares.filter(|(_, share)| *share != 0.0).max_by(|a, b| a.1.total_cmp(&b.1));
            let Some((mode, _)) = most else { continue };
            for (part, of) in PARTS {
                let at = |one: &VibrationInstant| one.vibrations.get(mode).map_or(f64::NAN, of);
                found.names.push(format!("{PREFIX}{subject}.{part}"));
                found.values.push(instants.iter().map(at).collect());
            }
        }
        Ok(found)
    }
}

/// Where coordinates, velocities and accelerations stand in a row.
fn columns(arm: &Arm, channels: &[Channel]) -> Result<[Vec<usize>; 3], Lack> {
    let all = [
        (ChannelRole::Position, arm.nq()),
        (ChannelRole::Velocity, arm.nv()),
        (ChannelRole::Acceleration, arm.nv()),
    ];
    let found = all.map(|(role, count)| {
        let at = |index| {
            channels.iter().position(|channel| channel.role == role && channel.index == index)
        };
        (0..count).map(at).collect::<Option<Vec<_>>>()
    });
    let [Some(q), Some(u), Some(ud)] = found else {
        let message = "vibrations follow from channels that the run does not record".to_owned();
        let help = "add \"coordinates\", \"velocities\" and \"accelerations\" to its channels";
        return Err(Lack::Fault(message, help.to_owned()));
    };
    Ok([q, u, ud])
}
