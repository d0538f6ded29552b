//! How well controllers followed their plan, in a few lines.

use crate::figures::{figure, table};
use pliant_io::results::Tracking;
use std::fmt::Write as _;

/// Errors of joints and tip, and what the motors gave.
pub(super) fn describe(tracking: &Tracking) -> String {
    let mut text = String::new();
    let number = |value: f64| figure(value, 0.0);
    if !tracking.joints.is_empty() {
        let head = ["error", "largest", "rms", "last", "", "rate", "settled after"];
        let mut lines = vec![head.map(str::to_owned).to_vec()];
        lines.extend(tracking.joints.iter().map(|joint| {
            let settled = joint.settled_after;
            let settled = settled.map_or("not settled".into(), |t| format!("{} s", number(t)));
            let errors = [joint.most, joint.rms, joint.last].map(number);
            let [most, rms, last] = errors;
            let rate = format!("{} {}/s", number(joint.most_rate), joint.unit);
            vec![joint.name.clone(), most, rms, last, joint.unit.clone(), rate, settled]
        }));
        lines.extend(tracking.tip.iter().map(|tip| {
            let [most, rms, last] = [tip.most, tip.rms, tip.last].map(number);
            let shakes = tip.residual_vibration;
            let shakes =
                shakes.map_or_else(String::new, |x| format!("then shakes by {} m", number(x)));
            let frame = format!("tip {}", tip.frame);
            vec![frame, most, rms, last, "m".to_owned(), String::new(), shakes]
        }));
        let every = number(tracking.interval);
        let _ = write!(text, "\ntracking, from rows every {every} s:\n{}", table(&lines, 1));
    }
    let integrals = [
        ("squared errors", tracking.error_integral, tracking.half_error_integral),
        ("squared forces", Some(tracking.effort_integral), Some(tracking.half_effort_integral)),
        (
            "those beyond what the arm needs",
            Some(tracking.ideal_effort_integral),
            Some(tracking.half_ideal_effort_integral),
        ),
    ];
    let unit = tracking.motors.first().map(|motor| motor.unit.as_str());
    let unit = unit.filter(|unit| tracking.motors.iter().all(|motor| motor.unit == *unit));
    for (what, whole, half) in integrals {
        if let (Some(whole), Some(half)) = (whole, half) {
            let (whole, half) = (number(whole), number(half));
            // errors of places and rates are weighted into one number
            let unit = unit.filter(|_| what != "squared errors");
            let unit = unit.map_or_else(String::new, |unit| format!(" ({unit})^2 s"));
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
