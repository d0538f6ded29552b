//! Tables for people.

use super::Found;
use crate::figures::{figure, table};
use pliant::nalgebra::Complex;
use std::f64::consts::TAU;
use std::fmt::Write as _;

/// More poles, zeros and channels than this are told by number.
const MOST: usize = 24;

pub(super) fn write(found: &Found) -> String {
    let system = &found.system;
    let count = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    let mut text = format!(
        "{}, {}: {}, {}, {}\n",
        found.name,
        found.place.words,
        count(system.states.len(), "state"),
        count(system.inputs.len(), "input"),
        count(system.outputs.len(), "output"),
    );
    for (word, all) in
        [("states", &system.states), ("inputs", &system.inputs), ("outputs", &system.outputs)]
    {
        let named: Vec<String> =
            all.iter().map(|one| format!("{} [{}]", one.name, one.unit)).collect();
        let _ = writeln!(
            text,
            "{word}: {}",
            if named.is_empty() { "none".into() } else { named.join(", ") }
        );
    }
    text += "\npoles\n";
    text += &places(&found.poles);
    let lowest = found.response.first().map_or(0.0, |(hertz, _)| *hertz);
    let _ = writeln!(
        text,
        "\nchannels, from input to output: the gain at {} Hz, and the zeros",
        figure(lowest, 0.0)
    );
    let mut lines =
        vec![["from", "to", "gain", "unit", "zeros [rad/s]"].map(str::to_owned).to_vec()];
    for (column, input) in system.inputs.iter().enumerate() {
        for (row, output) in system.outputs.iter().enumerate() {
            let gain = found.response.first().map_or(0.0, |(_, g)| g[(row, column)].norm());
            let zeros = found.zeros[row][column].as_deref();
            lines.push(vec![
                input.name.clone(),
                output.name.clone(),
                figure(gain, 0.0),
                format!("({})/({})", output.unit, input.unit),
                zeros.map_or_else(|| "no response".to_owned(), short),
            ]);
        }
    }
    let hidden = lines.len().saturating_sub(MOST + 1);
    lines.truncate(MOST + 1);
    text += &table(&lines, 2);
    if hidden > 0 {
        let _ = writeln!(text, "  and {hidden} more; choose with --input and --output");
    }
    text
}

/// A line for each pole or pair of poles.
fn places(poles: &[Complex<f64>]) -> String {
    let largest = poles.iter().map(|pole| pole.norm()).fold(0.0, f64::max);
    let head = ["real [1/s]", "imaginary [rad/s]", "frequency [Hz]", "damping ratio"];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    let upper: Vec<&Complex<f64>> = poles.iter().filter(|pole| pole.im >= 0.0).collect();
    for pole in upper.iter().take(MOST) {
        // two poles at zero are apart by the square root of rounding
        let is_zero = pole.norm() <= 2e-8 * largest;
        let pole = if is_zero { Complex::new(0.0, 0.0) } else { **pole };
        let size = pole.norm();
        let ratio = if is_zero { "-".to_owned() } else { figure(-pole.re / size, 1e2) };
        let pair = if pole.im > 0.0 { "±" } else { "" };
        lines.push(vec![
            figure(pole.re, largest),
            format!("{pair}{}", figure(pole.im, largest)),
            figure(size / TAU, largest),
            ratio,
        ]);
    }
    let mut text = table(&lines, 0);
    if upper.len() > MOST {
        let _ = writeln!(text, "  and {} more; --format json has all", upper.len() - MOST);
    }
    text
}

/// The slowest zeros in one cell.
fn short(zeros: &[Complex<f64>]) -> String {
    let largest = zeros.iter().map(|zero| zero.norm()).fold(0.0, f64::max);
    let one = |zero: &Complex<f64>| {
        let re = figure(zero.re, 1e4 * largest);
        match (re.as_str(), zero.im > 0.0) {
            ("0", true) => format!("±{}i", figure(zero.im, largest)),
            (_, true) => format!("{re}±{}i", figure(zero.im, largest)),
            _ => re,
        }
    };
    let upper: Vec<&Complex<f64>> = zeros.iter().filter(|zero| zero.im >= 0.0).collect();
    let (shown, hidden) = upper.split_at(upper.len().min(3));
    let right = hidden.iter().filter(|zero| zero.re > 1e-9 * largest).count();
    let text = shown.iter().map(|zero| one(zero)).collect::<Vec<_>>().join(", ");
    match (upper.len(), right) {
        (0, _) => "none".to_owned(),
        (_, 0) if hidden.is_empty() => text,
        (_, 0) => format!("{text}, and {} more", hidden.len()),
        _ => format!("{text}, and {} more, {right} in the right half-plane", hidden.len()),
    }
}
