//! Shapers of plans: commands that leave no vibration behind.

use super::gains::gains;
use super::shapes::Lasting;
use crate::codes;
use crate::problem::Problem;
use crate::reader::Reader;
use crate::shapes::{
    Count, JointDamping, JointStiffness, Number, OfCoordinates, Plain, Word, words,
};
use crate::table::table;
use crate::units::short;
use pliant::Help;
use pliant::plan::{Path, Servo, ShapedMode, Shaper, ShaperError, ShaperKind, vibrations};
use pliant::scenario::Simulation;
use pliant::scenario::{ControllerBlock, Timing};
use pliant::simulate::{BlockInput, SensorQuantity, Signal};
use std::ops::Range;
use std::sync::Arc;

/// Kinds of shapers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Impulses {
    Zv,
    Zvd,
    Ei,
}

words! { Impulses: "zv" => Impulses::Zv, "zvd" => Impulses::Zvd, "ei" => Impulses::Ei }

table! {
    /// An input shaper: splits the command into impulses whose vibrations cancel, for the
    /// frequencies and damping of the arm at the end of the plan with its joints on their servos.
    /// The servo of an elastic joint drives its motor and measures the same side as the controller
    /// that tracks the plan: the side of its encoder, or the link with full_state = true.
    pub(crate) struct ShaperTable = "a shaper",
        "write shaper = { kind = \"zvd\", modes = 2, stiffness = { upper = 400 }, damping = { upper = 8 } }";
    also { "kp" => "stiffness", "kd" => "damping" }
    keys {
        /// Zero vibration (zv), zero vibration and derivative (zvd), or extra-insensitive (ei).
        kind: Word<Impulses> [required],
        /// Number of modes, from the lowest frequency that the command excites.
        modes: Count<1, 20> [= 1],
        /// Proportional gain of the servo of each joint by name.
        stiffness: OfCoordinates<JointStiffness> [required],
        /// Derivative gain of the servo of each joint by name.
        damping: OfCoordinates<JointDamping> [required],
        /// For ei: the residual vibration allowed at the mode's own frequency. Modes that decay
        /// this far within one period are rejected.
        left: Number<Plain> [= 0.05],
        /// The sampling period of the controller that tracks the plan; modes too fast for it are
        /// rejected.
        period: Lasting
            [or "that of the slowest controller that tracks it, or none if all are continuous"],
    }
}

/// Convolves the joints of the plan with the shaper that a table describes. The controllers that
/// follow the plan are there; their names stand in these places.
pub(super) fn shape(
    reader: &mut Reader,
    table: &ShaperTable,
    setup: &mut Simulation,
    places: &[(String, Range<usize>)],
) -> Option<()> {
    let plan = setup.plan.clone()?;
    let Some(Signal::Planned { path, .. }) = plan.signals.first() else { return None };
    let left = table.left.value?;
    let kind = match table.kind.value? {
        Impulses::Zv => ShaperKind::Zv,
        Impulses::Zvd => ShaperKind::Zvd,
        Impulses::Ei => ShaperKind::Ei { left },
    };
    let count = table.modes.value?;
    let slowest = slowest(setup);
    let period = table.period.if_given()?.or(slowest.map(|(_, period)| period));
    let stiffness = gains(reader, &table.stiffness, None, (setup, &plan))?;
    let damping = gains(reader, &table.damping, None, (setup, &plan))?;
    if reader.has_errors() {
        // who follows the plan, and how, may not be known
        return None;
    }
    let (start, end) = (path.at(path.start()), path.at(path.end()));
    let mut q = setup.q.clone();
    let mut servos = Vec::new();
    for (k, &v) in plan.velocities.iter().enumerate() {
        for side in [v, setup.arm.motor_of(v)] {
            q[setup.arm.coordinate_of(side)?] = end[k].value;
        }
        let reach = end[k].value - start[k].value;
        let (stiffness, damping) = (stiffness[k], damping[k]);
        servos.push(Servo { velocity: measured(setup, k, v), stiffness, damping, reach });
    }
    let shaper = setup
        .tip()
        .map_or_else(|| Ok(Vec::new()), |frame| vibrations(&setup.arm, &q, &servos, frame))
        .map_err(ShaperError::from)
        .and_then(|modes| match modes.get(..count) {
            Some(modes) => {
                let shaper = Shaper::new(kind, modes, period.map(f64::recip))?;
                Ok((words(kind, modes, &shaper), shaper))
            }
            None => Err(ShaperError::TooFew { found: modes.len(), asked: count }),
        });
    match shaper {
        Ok((words, shaper)) => {
            follow(setup, path, &Arc::new(path.shaped(&shaper)));
            if let Some(plan) = &mut setup.plan {
                plan.shaper = Some(words);
            }
        }
        Err(error) => {
            let named = slowest.map(|(one, period)| (one.name.as_str(), period));
            let problem = refused(table, &error, named, places);
            reader.push(problem);
        }
    }
    Some(())
}

/// What a shaper is made for.
fn words(kind: ShaperKind, modes: &[ShapedMode], shaper: &Shaper) -> String {
    let kind = match kind {
        ShaperKind::Zv => "ZV",
        ShaperKind::Zvd => "ZVD",
        ShaperKind::Ei { .. } => "EI",
    };
    let rounded = |x: f64| short((1e4 * x).round() / 1e4);
    let mode = |one: &ShapedMode| {
        format!("{} Hz (damping ratio {})", rounded(one.hertz()), rounded(one.ratio))
    };
    let modes: Vec<String> = modes.iter().map(mode).collect();
    let longer = rounded(shaper.duration());
    format!("{kind} for {}; the command is longer by {longer} s", modes.join(" and "))
}

/// The controller with the longest time between two ticks (s) of those that follow the plan.
fn slowest(setup: &Simulation) -> Option<(&ControllerBlock, f64)> {
    let followers = setup.controllers.iter().filter(|one| one.follows_plan);
    let periods = followers.filter_map(|one| match one.timing {
        Timing::Ticks { clock, .. } => Some((one, clock.period())),
        Timing::Always => None,
    });
    periods.max_by(|a, b| a.1.total_cmp(&b.1))
}

/// The side of a joint of the plan that the first controller which follows it measures, as velocity
/// coordinate; those that look at the true state see the link.
fn measured(setup: &Simulation, joint: usize, velocity: usize) -> usize {
    let motor = setup.arm.motor_of(velocity);
    let Some(follower) = setup.controllers.iter().find(|one| one.follows_plan) else {
        return motor;
    };
    match follower.inputs.get(joint) {
        Some(BlockInput::Sensor(sensor)) => match setup.sensors[*sensor].quantity {
            SensorQuantity::Coordinate(seen) if setup.arm.coordinate_of(motor) == Some(seen) => {
                motor
            }
            _ => velocity,
        },
        _ => velocity,
    }
}

/// Puts another path where the old one is followed.
fn follow(setup: &mut Simulation, old: &Arc<Path>, new: &Arc<Path>) {
    let references = setup.references.iter_mut().map(|reference| &mut reference.signal);
    let planned = setup.plan.iter_mut().flat_map(|plan| {
        plan.end = new.end();
        plan.signals.iter_mut()
    });
    let followers = setup.controllers.iter_mut().filter(|one| one.follows_plan);
    let tasks = followers.flat_map(|one| one.controller.trajectory_mut());
    for signal in references.chain(planned).chain(tasks) {
        if let Signal::Planned { path, .. } = signal
            && Arc::ptr_eq(path, old)
        {
            *path = Arc::clone(new);
        }
    }
}

/// What the library says, where it stands.
fn refused(
    table: &ShaperTable,
    error: &ShaperError,
    slowest: Option<(&str, f64)>,
    places: &[(String, Range<usize>)],
) -> Problem {
    let span = match error {
        ShaperError::TooFast { .. } => table.period.span(),
        ShaperError::Left { .. } | ShaperError::Damped { .. } => table.left.span(),
        _ => table.modes.span(),
    };
    let help = error.help().unwrap_or_else(|| "change the shaper".to_owned());
    let problem = Problem::error(&codes::PLAN, error.to_string())
        .at(span.unwrap_or_else(|| table.span.clone()))
        .label("cannot be shaped like this")
        .help(help);
    match (error, table.period.given(), slowest) {
        (ShaperError::TooFast { .. }, None, Some((name, period))) => {
            let place = places.iter().rfind(|(known, _)| known == name);
            place.into_iter().fold(problem, |problem, (_, span)| {
                problem.and_at(span.clone(), format!("looks every {} s", short(period)))
            })
        }
        _ => problem,
    }
}
