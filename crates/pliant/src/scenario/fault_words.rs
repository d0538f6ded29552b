//! Parts of the messages of scenarios.

use crate::scalar::short;

/// A number outside its limits; angles in degrees too.
pub(super) fn outside(value: f64, lower: f64, upper: f64, unit: &str) -> String {
    let all = [value, lower, upper];
    let [is, least, most] = all.map(short);
    if unit != "rad" {
        return format!("{is} {unit}, outside its limits {least} to {most} {unit}");
    }
    let [is_deg, least_deg, most_deg] = all.map(|x| short(x.to_degrees()));
    format!(
        "{is} rad ({is_deg} deg), outside its limits {least} to {most} rad ({least_deg} to {most_deg} deg)"
    )
}

/// What has things of a kind.
pub(super) fn whose(what: &str) -> &'static str {
    if what == "sensor" { "scenario" } else { "arm" }
}

/// Sensors and that they measure, for a sentence.
pub(super) fn measured(sensors: &[String]) -> String {
    match sensors {
        [one] => format!("sensor \"{one}\" is measured"),
        more => format!("sensors \"{}\" are measured", more.join("\", \"")),
    }
}

/// Angles for people.
pub(super) fn degrees(angles: &[f64; 3]) -> String {
    // rounding is no angle
    let degrees = angles.map(|angle| if angle.abs() < 1e-12 { 0.0 } else { angle.to_degrees() });
    let [roll, pitch, yaw] = degrees.map(short);
    format!("{roll}, {pitch}, {yaw}")
}
