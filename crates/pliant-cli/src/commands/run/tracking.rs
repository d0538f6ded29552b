//! How well controllers followed their plan, and what links bore, in a few lines.

use crate::figures::{figure, table};
use pliant::scenario::{LinkPeaks, RunPeak, Tracking};
use std::fmt::Write as _;

/// Errors of joints and tip, and what the motors gave.
pub(super) fn describe(tracking: &Tracking) -> String {
    let mut text = String::new();
    let number = |value: f64| figure(value, 0.0);
    let seconds = |time: Option<f64>| time.map_or("-".to_owned(), |t| format!("{} s", number(t)));
    if !tracking.joints.is_empty() {
        let head = ["error", "largest", "rms", "last", "", "rate", "overshoot", "settled after"];
        let mut lines = vec![head.map(str::to_owned).to_vec()];
        lines.extend(tracking.joints.iter().map(|joint| {
            let [most, rms, last] = [joint.most, joint.rms, joint.last].map(number);
            let rate = format!("{} {}/s", number(joint.most_rate), joint.unit);
            let overshoot = or_dash(joint.overshoot, &joint.unit);
            let settled = joint.settled_after.map_or("not settled".into(), |t| seconds(Some(t)));
            vec![joint.name.clone(), most, rms, last, joint.unit.clone(), rate, overshoot, settled]
        }));
        lines.extend(tracking.tip.iter().map(|tip| {
            let [most, rms, last] = [tip.most, tip.rms, tip.last].map(number);
            let frame = format!("tip {}", tip.frame);
            let overshoot = or_dash(tip.overshoot, "m");
            // without a rest it cannot be known
            let settled = match (tip.settling_time, tip.residual_amplitude) {
                (None, Some(_)) => "not settled".to_owned(),
                (time, _) => seconds(time),
            };
            vec![frame, most, rms, last, "m".to_owned(), "-".to_owned(), overshoot, settled]
        }));
        let every = number(tracking.interval);
        let _ = write!(text, "\ntracking, from rows every {every} s:\n{}", table(&lines, 1));
        text.push_str("  settled: a joint within 2 % of its travel until the run ends, the tip as said below; the time counts from the end of the plan or, for a joint with its own target, from the start\n");
    }
    if let (Some(tip), Some(end)) = (&tracking.tip, tracking.plan_end) {
        let band = number(tip.band);
        let still = match (tip.still_from, tip.residual_amplitude) {
            (Some(t), _) => format!(
                "still from t = {} s, within {band} m of its final value until the run ends",
                number(t)
            ),
            (None, Some(_)) => {
                format!("not still within the run, to {band} m about its final value")
            }
            (None, None) => "still from -: no rest after the plan".to_owned(),
        };
        let residual = or_dash(tip.residual_amplitude, "m");
        let (frame, end) = (&tip.frame, number(end));
        let _ = writeln!(
            text,
            "  tip {frame}: {still}; residual amplitude {residual}; the plan ends at {end} s"
        );
        if tip.includes_sag {
            text.push_str("  errors of the tip contain the sag: they are from where the planned joints have it while nothing bends\n");
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
        let head = [
            "motor",
            "peak",
            "rms",
            "",
            "peak power",
            "energy used",
            "work",
            "work, absolute",
            "at its limit",
        ];
        let mut lines = vec![head.map(str::to_owned).to_vec()];
        lines.extend(tracking.motors.iter().map(|motor| {
            let [peak, rms] = [motor.peak, motor.rms].map(number);
            let power = format!("{} W", number(motor.peak_power));
            let works = [motor.energy, motor.work, motor.absolute_work];
            let [energy, work, absolute] = works.map(|x| format!("{} J", number(x)));
            let share = |_| format!("{} %", number(100.0 * motor.saturated));
            let limit = motor.limit.map_or("-".to_owned(), share);
            let (name, unit) = (motor.name.clone(), motor.unit.clone());
            vec![name, peak, rms, unit, power, energy, work, absolute, limit]
        }));
        let _ = write!(text, "\nmotors:\n{}", table(&lines, 1));
    }
    text
}

/// A number with its unit; a dash where it cannot be known.
fn or_dash(value: Option<f64>, unit: &str) -> String {
    value.filter(|x| x.is_finite()).map_or("-".to_owned(), |x| format!("{} {unit}", figure(x, 0.0)))
}

/// The largest deflections, internal forces and stresses of links: the values, and when they were.
pub(super) fn describe_links(links: &[LinkPeaks]) -> String {
    if links.is_empty() {
        return String::new();
    }
    let head = [
        "link",
        "deflection [m]",
        "slope [rad]",
        "moment [N m]",
        "shear [N]",
        "torsion [N m]",
        "stress [Pa]",
        "margin",
    ];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    for own in links {
        let LinkPeaks { link, deflection, slope, moment, shear, torsion, stress, margin } = own;
        let peaks = [deflection, slope, moment, shear, torsion, stress, margin];
        let cell = |peak: &Option<RunPeak>, tell: &dyn Fn(RunPeak) -> String| {
            peak.filter(|peak| peak.value.is_finite()).map_or("-".to_owned(), tell)
        };
        let values = peaks.map(|peak| cell(peak, &|peak| figure(peak.value, 0.0)));
        let times = peaks.map(|peak| cell(peak, &|peak| format!("{} s", figure(peak.time, 0.0))));
        lines.push(std::iter::once(link.clone()).chain(values).collect());
        lines.push(std::iter::once("  at".to_owned()).chain(times).collect());
    }
    format!("\nlargest along each link, and when:\n{}", table(&lines, 1))
}

/// The unit that all have, if there is one.
fn common<'a>(mut units: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let first = units.next()?;
    units.all(|unit| unit == first).then_some(first)
}
