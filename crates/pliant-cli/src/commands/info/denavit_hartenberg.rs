//! The Denavit-Hartenberg table of an arm.

use crate::figures::{figure, table};
use crate::output::Failure;
use pliant::Help;
use pliant::arm::{Arm, DhConvention, DhError, DhTable, DhVariable};
use pliant::spatial::Pose;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// The table to a frame, or to the last one.
pub(super) fn of(
    arm: &Arm,
    frame: Option<&str>,
    convention: DhConvention,
) -> Result<DhTable, Failure> {
    let last = || arm.frames().last().map_or("", |frame| frame.name());
    let frame = frame.unwrap_or_else(last);
    arm.denavit_hartenberg(frame, convention).map_err(|error| {
        let names = || arm.frames().iter().map(pliant::arm::Frame::name);
        let help = match (&error, pliant_io::nearest(frame, names())) {
            (DhError::UnknownFrame(_), Some(near)) => format!("did you mean {near}?"),
            (DhError::UnknownFrame(_), None) => {
                format!("its frames are: {}", names().collect::<Vec<_>>().join(", "))
            }
            _ => {
                let leads = |name: &&str| {
                    let table = arm.denavit_hartenberg(name, convention);
                    table.is_ok_and(|table| !table.rows.is_empty())
                };
                match names().filter(leads).collect::<Vec<_>>().as_slice() {
                    [] => "no frame of this arm is reached by revolute and prismatic joints alone, so there is no such table".to_owned(),
                    some => {
                        let why = error.help().map_or_else(String::new, |help| help + "; ");
                        format!("{why}choose a frame with --frame: {}", some.join(", "))
                    }
                }
            }
        };
        Failure::input(error.to_string(), help)
    })
}

/// Nothing, where rounding left next to nothing.
fn clean(x: f64) -> f64 {
    if x.abs() < 1e-14 { 0.0 } else { x }
}

pub(super) fn as_text(dh: &DhTable) -> String {
    let (order, head) = match dh.convention {
        DhConvention::Standard => (
            "standard rows: Rz(theta) Tz(d) Tx(a) Rx(alpha)",
            ["joint", "theta [deg]", "d [m]", "a [m]", "alpha [deg]"],
        ),
        DhConvention::Modified => (
            "modified rows: Rx(alpha) Tx(a) Rz(theta) Tz(d)",
            ["joint", "alpha [deg]", "a [m]", "theta [deg]", "d [m]"],
        ),
    };
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    for joint in &dh.rows {
        let row = joint.row;
        let moves = |variable, number: String| match (joint.variable == variable, number.as_str()) {
            (false, _) => number,
            (true, "0") => "q".to_owned(),
            (true, _) => format!("{number} + q"),
        };
        let length = |x: f64| figure(x, 1.0);
        let angle = |x: f64| figure(x.to_degrees(), 180.0);
        let theta = moves(DhVariable::Theta, angle(row.theta));
        let d = moves(DhVariable::D, length(row.d));
        let (a, alpha) = (length(row.a), angle(row.alpha));
        let name = joint.coordinate.clone();
        lines.push(match dh.convention {
            DhConvention::Standard => vec![name, theta, d, a, alpha],
            DhConvention::Modified => vec![name, alpha, a, theta, d],
        });
    }
    let mut text = format!("{order}\n{}", table(&lines, 1));
    for (what, pose) in [("base: frame 0 in the world", &dh.base), ("tool: in frame n", &dh.tool)] {
        let _ = write!(text, "\n{what}\n{}", pose_text(pose));
    }
    text
}

fn pose_text(pose: &Pose<f64>) -> String {
    let (rotation, position) = (pose.rotation.to_rows(), pose.position.to_array());
    let lines: Vec<Vec<String>> = rotation
        .iter()
        .zip(position)
        .map(|(row, place)| {
            let mut line: Vec<String> = row.iter().map(|&x| figure(x, 1.0)).collect();
            line.push(figure(place, 1.0) + " m");
            line
        })
        .collect();
    table(&lines, 0)
}

pub(super) fn as_json(dh: &DhTable) -> Value {
    let pose = |pose: &Pose<f64>| {
        let rows = pose.rotation.to_rows().map(|row| row.map(clean));
        json!({ "position": pose.position.to_array().map(clean), "rotation": rows })
    };
    let rows = dh.rows.iter().map(|joint| {
        json!({
            "coordinate": joint.coordinate,
            "variable": match joint.variable {
                DhVariable::Theta => "theta",
                DhVariable::D => "d",
            },
            "theta": clean(joint.row.theta),
            "d": clean(joint.row.d),
            "a": clean(joint.row.a),
            "alpha": clean(joint.row.alpha),
        })
    });
    json!({
        "convention": match dh.convention {
            DhConvention::Standard => "standard",
            DhConvention::Modified => "modified",
        },
        "base": pose(&dh.base),
        "rows": rows.collect::<Vec<_>>(),
        "tool": pose(&dh.tool),
    })
}
