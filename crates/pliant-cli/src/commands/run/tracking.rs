//! How well controllers followed their plan, in a few lines.

use crate::figures::{figure, table};
use pliant_io::results::Tracking;
use std::fmt::Write as _;

/// Errors of joints and tip, and what the motors gave.
pub(super) fn describe(tracking: &Tracking) -> String {
    let mut text = String::new();
    let number = |value: f64| figure(value, 0.0);
    if !tracking.joints.is_empty() {
        let head = ["error", "largest", "rms", "last", "", "settled after"];
        let mut lines = vec![head.map(str::to_owned).to_vec()];
        lines.extend(tracking.joints.iter().map(|joint| {
            let settled = joint.settled_after;
            let settled = settled.map_or("not settled".into(), |t| format!("{} s", number(t)));
            let errors = [joint.most, joint.rms, joint.last].map(number);
            let [most, rms, last] = errors;
            vec![joint.name.clone(), most, rms, last, joint.unit.clone(), settled]
        }));
        lines.extend(tracking.tip.iter().map(|tip| {
            let [most, rms, last] = [tip.most, tip.rms, tip.last].map(number);
            let shakes = tip.residual_vibration;
            let shakes =
                shakes.map_or_else(String::new, |x| format!("then shakes by {} m", number(x)));
            vec![tip.frame.clone(), most, rms, last, "m".to_owned(), shakes]
        }));
        let _ = write!(text, "\ntracking:\n{}", table(&lines, 1));
        let _ = writeln!(
            text,
            "  integral of squared errors {}, with the factor 1/2 {}",
            number(tracking.error_integral),
            number(tracking.half_error_integral)
        );
    }
    if !tracking.motors.is_empty() {
        let head = ["motor", "peak", "rms", "", "work", "at its limit"];
        let mut lines = vec![head.map(str::to_owned).to_vec()];
        lines.extend(tracking.motors.iter().map(|motor| {
            let [peak, rms] = [motor.peak, motor.rms].map(number);
            let work = format!("{} J", number(motor.work));
            let limit = format!("{} %", number(100.0 * motor.saturated));
            vec![motor.name.clone(), peak, rms, motor.unit.clone(), work, limit]
        }));
        let _ = write!(text, "\nmotors:\n{}", table(&lines, 1));
    }
    text
}
