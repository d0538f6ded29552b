//! Shapers of plans: commands that leave no vibration behind.

use super::Setup;
use super::controller::{Controller, Law, Timing};
use super::gains::gains;
use super::plan_keys::{SHAPER, SHAPERS};
use super::times::positive_time;
use crate::codes;
use crate::coordinates::{DAMPING, SPRING};
use crate::node::Node;
use crate::problem::Problem;
use crate::reader::{Fields, Reader};
use crate::units::{self, short};
use pliant::plan::{Path, Servo, Shaper, ShaperError, ShaperKind, Vibration, vibrations};
use pliant::simulate::{Quantity, Signal, Source};
use std::ops::Range;
use std::sync::Arc;

/// Convolves the joints of the plan with the shaper that a table describes. The controllers that
/// follow the plan are there; their names stand in these places.
pub(super) fn shape(
    reader: &mut Reader,
    node: &Node,
    setup: &mut Setup,
    places: &[(String, Range<usize>)],
) -> Option<()> {
    let plan = setup.plan.clone()?;
    let Some(Signal::Planned { path, .. }) = plan.signals.first() else { return None };
    let fields = reader.fields("the shaper", node, &SHAPER)?;
    let kind = match reader.word("kind", fields.get("kind")?, SHAPERS.iter().copied())? {
        "zv" => ShaperKind::Zv,
        "zvd" => ShaperKind::Zvd,
        _ => ShaperKind::Ei {
            left: match fields.get("left") {
                Some(node) => reader.number("left", node, &units::NUMBER)?,
                None => 0.05,
            },
        },
    };
    let count = match fields.get("modes") {
        Some(node) => reader.count("modes", node, (1, 20))?,
        None => 1,
    };
    let slowest = slowest(setup);
    let period = match fields.get("period") {
        Some(node) => Some(positive_time(reader, "period", node)?),
        None => slowest.map(|(_, period)| period),
    };
    let stiffness = gains(reader, &fields, "stiffness", SPRING, setup, &plan)?;
    let damping = gains(reader, &fields, "damping", DAMPING, setup, &plan)?;
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
            let problem = refused(&fields, &error, named, places);
            reader.push(problem);
        }
    }
    Some(())
}

/// What a shaper is made for.
fn words(kind: ShaperKind, modes: &[Vibration], shaper: &Shaper) -> String {
    let kind = match kind {
        ShaperKind::Zv => "ZV",
        ShaperKind::Zvd => "ZVD",
        ShaperKind::Ei { .. } => "EI",
    };
    let rounded = |x: f64| short((1e4 * x).round() / 1e4);
    let mode = |one: &Vibration| {
        format!("{} Hz (damping ratio {})", rounded(one.hertz()), rounded(one.ratio))
    };
    let modes: Vec<String> = modes.iter().map(mode).collect();
    let longer = rounded(shaper.duration());
    format!("{kind} for {}; the command is longer by {longer} s", modes.join(" and "))
}

/// The controller with the longest time between two ticks (s) of those that follow the plan.
fn slowest(setup: &Setup) -> Option<(&Controller, f64)> {
    let followers = setup.controllers.iter().filter(|one| one.follows_plan());
    let periods = followers.filter_map(|one| match one.timing {
        Timing::Ticks { clock, .. } => Some((one, clock.period())),
        Timing::Always => None,
    });
    periods.max_by(|a, b| a.1.total_cmp(&b.1))
}

/// The side of a joint of the plan that the first controller which follows it measures, as velocity
/// coordinate; those that look at the true state see the link.
fn measured(setup: &Setup, joint: usize, velocity: usize) -> usize {
    let motor = setup.arm.motor_of(velocity);
    let Some(follower) = setup.controllers.iter().find(|one| one.follows_plan()) else {
        return motor;
    };
    match follower.inputs.get(joint) {
        Some(Source::Sensor(sensor)) => match setup.sensors[*sensor].quantity {
            Quantity::Coordinate(seen) if setup.arm.coordinate_of(motor) == Some(seen) => motor,
            _ => velocity,
        },
        _ => velocity,
    }
}

/// Puts another path where the old one is followed.
fn follow(setup: &mut Setup, old: &Arc<Path>, new: &Arc<Path>) {
    let references = setup.references.iter_mut().map(|reference| &mut reference.signal);
    let planned = setup.plan.iter_mut().flat_map(|plan| {
        plan.end = new.end();
        plan.signals.iter_mut()
    });
    let tasks = setup.controllers.iter_mut().flat_map(|one| match &mut one.law {
        Law::Model(pilot) => pilot.task_mut(),
        Law::Pd(_) => &mut [],
    });
    for signal in references.chain(planned).chain(tasks) {
        if let Signal::Planned { path, .. } = signal
            && Arc::ptr_eq(path, old)
        {
            *path = Arc::clone(new);
        }
    }
}

/// What the core says; what to do follows the last semicolon.
fn refused(
    fields: &Fields<'_>,
    error: &ShaperError,
    slowest: Option<(&str, f64)>,
    places: &[(String, Range<usize>)],
) -> Problem {
    let key = match error {
        ShaperError::TooFast { .. } => "period",
        ShaperError::Left { .. } | ShaperError::Damped { .. } => "left",
        _ => "modes",
    };
    let message = error.to_string();
    let (message, help) = message.rsplit_once("; ").unwrap_or((&message, "change the shaper"));
    let problem = Problem::error(&codes::PLAN, message)
        .at(fields.span_of(key))
        .label("cannot be shaped like this")
        .help(help);
    match (error, fields.get("period"), slowest) {
        (ShaperError::TooFast { .. }, None, Some((name, period))) => {
            let place = places.iter().rfind(|(known, _)| known == name);
            place.into_iter().fold(problem, |problem, (_, span)| {
                problem.and_at(span.clone(), format!("looks every {} s", short(period)))
            })
        }
        _ => problem,
    }
}
