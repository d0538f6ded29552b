//! Tables, objects and lines.

use super::Findings;
use crate::figures::{figure, pretty, table};
use crate::output::Failure;
use pliant::analyse::{Joints, Vibration, VibrationRatios};
use pliant_io::escape::csv_quoted;
use serde_json::{Value, json};
use std::f64::consts::TAU;
use std::fmt::Write as _;

/// Both, if they are real.
fn real_parts(vibration: &Vibration) -> String {
    let [first, second] = vibration.eigenvalues;
    let size = first.norm().max(second.norm());
    let one = figure(first.re, size);
    if first.im == 0.0 { format!("{one}, {}", figure(second.re, size)) } else { one }
}

fn joints(found: &Findings<'_>) -> &'static str {
    match found.joints {
        Joints::Prescribed => "prescribed",
        Joints::Free => "free",
    }
}

pub(super) fn text(found: &Findings<'_>) -> String {
    let name = found.setup.simulation.arm.name();
    let mut text =
        format!("{name}: eigenvalues frozen at instants of a motion, joints {}\n\n", joints(found));
    let head = ["t [s]", "mode", "moves", "real [1/s]", "[Hz]", "E [J]", "E/omega [J s]"];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    for instant in &found.instants {
        let actions = instant.vibrations.iter().filter_map(|vibration| vibration.action);
        let largest = actions.fold(0.0, f64::max);
        for (k, vibration) in instant.vibrations.iter().enumerate() {
            let time = if k == 0 { figure(instant.time, 0.0) } else { String::new() };
            let [first, _] = vibration.eigenvalues;
            lines.push(vec![
                time,
                (k + 1).to_string(),
                found.moves(vibration).to_owned(),
                real_parts(vibration),
                figure(first.im / TAU, 0.0),
                figure(vibration.energy, instant.energy),
                vibration.action.map_or_else(String::new, |action| figure(action, largest)),
            ]);
        }
    }
    text.push_str(&table(&lines, 3));
    text.push_str(&change(found));
    text.push_str(
        "\n  The real parts do not show whether a vibration grows; the action E/omega does.\n",
    );
    text
}

/// From the first to the last instant.
fn change(found: &Findings<'_>) -> String {
    let (Some(first), Some(last)) = (found.instants.first(), found.instants.last()) else {
        return String::new();
    };
    if found.instants.len() < 2 {
        return String::new();
    }
    let mut text = String::new();
    for (k, (mode, ratios)) in first.vibrations.iter().zip(first.ratios_to(last)).enumerate() {
        let Some(VibrationRatios { frequency, energy, action }) = ratios else { continue };
        let _ = writeln!(
            text,
            "  mode {} from first to last instant: omega times {frequency:.4}, energy times {energy:.4}, action times {action:.4}; {}",
            k + 1,
            found.moves(mode)
        );
    }
    if text.is_empty() { text } else { format!("\n{text}") }
}

pub(super) fn json(found: &Findings<'_>) -> Result<String, Failure> {
    let mode = |vibration: &Vibration| {
        json!({
            "eigenvalues": vibration.eigenvalues.map(|value| json!({ "re": value.re, "im": value.im })),
            "frequency": vibration.frequency,
            "energy": vibration.energy,
            "action": vibration.action,
            "moves": found.moves(vibration),
        })
    };
    let instants = found.instants.iter().map(|instant| {
        json!({
            "t": instant.time,
            "energy": instant.energy,
            "modes": instant.vibrations.iter().map(mode).collect::<Vec<Value>>(),
        })
    });
    let value = json!({
        "name": found.setup.simulation.arm.name(),
        "joints": joints(found),
        "units": {
            "t": "s", "eigenvalues": "1/s", "frequency": "rad/s", "energy": "J", "action": "J s"
        },
        "instants": instants.collect::<Vec<_>>(),
    });
    pretty(&value)
}

pub(super) fn csv(found: &Findings<'_>) -> String {
    let mut text = String::from(
        "t_s,mode,moves,real_1_s,imaginary_1_s,other_real_1_s,other_imaginary_1_s,frequency_rad_s,energy_J,action_J_s\n",
    );
    for instant in &found.instants {
        for (k, vibration) in instant.vibrations.iter().enumerate() {
            let [first, second] = vibration.eigenvalues;
            let action = vibration.action.map_or_else(String::new, |action| format!("{action:?}"));
            let moves = csv_quoted(found.moves(vibration));
            let _ = writeln!(
                text,
                "{:?},{},{moves},{:?},{:?},{:?},{:?},{:?},{:?},{action}",
                instant.time,
                k + 1,
                first.re,
                first.im,
                second.re,
                second.im,
                vibration.frequency,
                vibration.energy
            );
        }
    }
    text
}
