//! How well controllers followed their plan, in a few lines.

use crate::figures::{figure, table};
use pliant::scenario::Tracking;
use std::fmt::Write as _;

/// Errors of joints and tip, and what the motors gave.
pub(super) fn describe(tracking: &Tracking) -> String {
    let mut text = String::new();
    let number = |value: f64| figure(value, 0.0);
    if !tracking.joints.is_empty() {
        let head = ["error", "largest", "rms", "last", "", "rate", "afterwards"];
        let mut lines = vec![head.map(str::to_owned).to_vec()];
        lines.extend(tracking.joints.iter().map(|joint| {
            let settled = joint.settled_after;
            let settled =
                settled.map_or("not settled".into(), |t| format!("settled after {} s", number(t)));
            let errors = [joint.most, joint.rms, joint.last].map(number);
            let [most, rms, last] = errors;
            let rate = format!("{} {}/s", number(joint.most_rate), joint.unit);
            vec![joint.name.clone(), most, rms, last, joint.unit.clone(), rate, settled]
        }));
        lines.extend(tracking.tip.iter().map(|tip| {
            let [most, rms, last] = [tip.most, tip.rms, tip.last].map(number);
            let shakes = tip.residual_vibration;
            let shakes =
                shakes.map_or_else(String::new, |x| format!("vibrates by {} m", number(x)));
            let frame = format!("tip {}", tip.frame);
            vec![frame, most, rms, last, "m".to_owned(), String::new(), shakes]
        }));
        let every = number(tracking.interval);
        let _ = write!(text, "\ntracking, from rows every {every} s:\n{}", table(&lines, 1));
        text.push_str("  settled: within 2 % of its travel until the run ends; the time counts from the end of the plan or, for a joint with its own target, from the start\n");
        if tracking.tip.as_ref().is_some_and(|tip| tip.residual_vibration.is_some()) {
            text.push_str("  vibrates: residual vibration, peak to peak, in the 2 s after the end of the plan\n");
        }
    }
    let error_unit = common(tracking.joints.iter().map(|joint| joint.unit.as_str()));
    let error_unit = error_unit.map_or_else(String::new, |unit| format!(" {unit}^2/s"));
    let unit = common(tracking.motors.iter().map(|motor| motor.unit.as_str()));
    let unit = unit.map_or_else(String::new, |unit| format!(" ({unit})^2 s"));
    let integrals = [
        (
            "100 e^2/s^2 + (de/dt)^2, with the joint errors e",
            tracking.error_integral,
            tracking.half_error_integral,
            &error_unit,
        ),
        (
            "squared forces",
            Some(tracking.effort_integral),
            Some(tracking.half_effort_integral),
            &unit,
        ),
        (
            "squared forces in excess of those the arm needs",
            Some(tracking.ideal_effort_integral),
            Some(tracking.half_ideal_effort_integral),
            &unit,
        ),
    ];
    for (what, whole, half, unit) in integrals {
        if let (Some(whole), Some(half)) = (whole, half) {
            let (whole, half) = (number(whole), number(half));
            let _ = writeln!(
                text,
                "  integral of {what}: {whole}{unit}, with the factor 1/2 {half}{unit}"
            );
        }
    }
    if !tracking.motors.is_empty() {
        let head = ["motor", "peak", "rms", "", "work", "work, absolute", "at its limit"];
        let mut lines = vec![head.map(str::to_owned).to_vec()];
        lines.extend(tracking.motors.iter().map(|motor| {
            let [peak, rms] = [motor.peak, motor.rms].map(number);
            let [work, absolute] =
                [motor.work, motor.absolute_work].map(|x| format!("{} J", number(x)));
            let limit = format!("{} %", number(100.0 * motor.saturated));
            vec![motor.name.clone(), peak, rms, motor.unit.clone(), work, absolute, limit]
        }));
        let _ = write!(text, "\nmotors:\n{}", table(&lines, 1));
    }
    text
}

/// The unit that all have, if there is one.
fn common<'a>(mut units: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let first = units.next()?;
    units.all(|unit| unit == first).then_some(first)
}
