//! Where an arm is linearised.

use super::Linearise;
use crate::commands::modes::findings::refused;
use crate::commands::modes::posture;
use crate::commands::{state, warn_of_variants};
use crate::output::{Failure, Output};
use pliant::Help;
use pliant::analyse::{Conditions, JointCondition, OperatingPoint};
use pliant::arm::Arm;
use pliant::reproduce::Variants;
use pliant::scenario::{PointError, Simulation};
use pliant::simulate::Sensor;
use pliant_io::Loaded;
use pliant_io::scenario::{self, Setup};
use std::sync::Arc;

/// A point of a motion, and what is held there.
pub(super) struct Place {
    pub(super) point: OperatingPoint,
    pub(super) conditions: Conditions,
    /// In words.
    pub(super) words: String,
}

/// The arm, its place, and the sensors of its scenario.
pub(super) struct Arrived {
    pub(super) arm: Arc<Arm>,
    pub(super) place: Place,
    pub(super) sensors: Vec<Sensor>,
}

pub(super) fn find(asked: &Linearise, output: &Output) -> Result<Arrived, Failure> {
    if scenario::is_scenario(&asked.file) {
        if asked.state.is_some() {
            let help = "a scenario has its own; give --at a time";
            return Err(Failure::input("--state is for arms, this is a scenario", help));
        }
        if asked.as_given {
            let help = "leave it out; a scenario says itself how it starts";
            return Err(Failure::input("--as-given is for arms, this is a scenario", help));
        }
        let setup = asked.set.load_scenario(&asked.file, output)?;
        warn_of_variants("the matrices are those", &setup.simulation.scenario.variants, output);
        return on_the_way(asked, setup);
    }
    let Loaded { arm, variants, .. } = asked.set.load(&asked.file, output)?;
    warn_of_variants("the matrices are those", &variants, output);
    let state = match &asked.at {
        Some(at) => posture::read(at, &arm, output)?,
        None => state::read(asked.state.as_deref(), &arm, output)?,
    };
    let conditions = Conditions { loads: state.external.clone(), ..held(&arm, &asked.lock)? };
    let moves = state.u.iter().chain(&state.ud).any(|rate| *rate != 0.0);
    let (point, words) = if asked.as_given || moves {
        let point = OperatingPoint { ud: state.ud.clone(), u: state.u.clone(), q: state.q.clone() };
        (point, "as given".to_owned())
    } else {
        let rest = Conditions { joints: Vec::new(), ..conditions.clone() };
        let found =
            arm.static_equilibrium_under(&state.q, &rest).map_err(|error| refused(&error))?;
        (OperatingPoint::rest(&arm, &found.q), "at rest".to_owned())
    };
    let bent = (&arm, &Variants::default());
    state::warn_of_range(&asked.file, bent, &point.q, &point.u, &conditions.loads, output);
    let place = Place { point, conditions, words };
    Ok(Arrived { arm: Arc::new(arm), place, sensors: Vec::new() })
}

/// All joints free but those that are locked; with a spring, on it.
fn held(arm: &Arm, locked: &[String]) -> Result<Conditions, Failure> {
    let mut conditions = Conditions::unlocked(arm);
    let joints = &mut conditions.joints;
    for name in locked.iter().map(|name| name.trim()) {
        if name == "all" {
            joints.fill(JointCondition::Locked);
        } else if let Some(link) = sliding(arm, name) {
            joints[link] = JointCondition::Locked;
        } else {
            for link in posture::joints(arm, name, JointCondition::Free, "--lock")? {
                joints[link] = JointCondition::Locked;
            }
        }
    }
    Ok(conditions)
}

/// The link that slides with a name, or whose length has it.
fn sliding(arm: &Arm, name: &str) -> Option<usize> {
    let called = |&link: &usize| {
        let length = arm.length_of(link).map(|(_, v)| &arm.velocity_names()[v]);
        length.is_some_and(|length| length == name || arm.link_names()[link] == name)
    };
    (0..arm.body_count()).find(called)
}

/// The time that is asked for, within a scenario.
pub(super) fn within(asked: &Linearise, simulation: &Simulation) -> Result<f64, Failure> {
    let time = match asked.at.as_deref() {
        None => 0.0,
        Some(text) => pliant_io::seconds(text).ok_or_else(|| {
            let message = format!("--at: \"{text}\" is not a time of this scenario");
            Failure::input(message, "write --at 0.5 for seconds, or a unit with it: \"500 ms\"")
        })?,
    };
    let duration = simulation.diagram.duration;
    if !(0.0..=duration).contains(&time) {
        let message = format!("--at {time} s is not within the scenario, which lasts {duration} s");
        return Err(Failure::input(message, "give a time within, or change its duration"));
    }
    Ok(time)
}

/// Runs a scenario up to a time.
fn on_the_way(asked: &Linearise, setup: Setup) -> Result<Arrived, Failure> {
    let simulation = setup.simulation;
    let time = within(asked, &simulation)?;
    let joints = held(&simulation.arm, &asked.lock)?.joints;
    let conditions = Conditions { joints, ..simulation.conditions_at(time) };
    let point = simulation.operating_point(time).map_err(|error| {
        let help = match &error {
            PointError::Ended { .. } => None,
            other => other.help(),
        };
        let help =
            help.unwrap_or_else(|| "`pliant run` tells more; give an earlier time".to_owned());
        Failure::input(error.to_string(), help)
    })?;
    let words = format!("at {time} s of the motion");
    let Simulation { arm, diagram, .. } = simulation;
    Ok(Arrived { arm, place: Place { point, conditions, words }, sensors: diagram.sensors })
}
