//! Tables for people.

use super::Found;
use crate::figures::{figure, table};
use pliant::analyse::continuous_pole;
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
    text += &places(found);
    let lowest = found.response.first().map_or(0.0, |(hertz, _)| *hertz);
    let _ = writeln!(
        text,
        "\nchannels, from input to output: the gain at {} Hz, and the zeros",
        figure(lowest, 0.0)
    );
    let mut lines =
        vec![["from", "to", "gain", "unit", zeros_of(found)].map(str::to_owned).to_vec()];
    for (column, input) in system.inputs.iter().enumerate() {
        for (row, output) in system.outputs.iter().enumerate() {
            let gain = found.response.first().map_or(0.0, |(_, g)| g[(row, column)].norm());
            let zeros = found.zeros[row][column].as_deref();
            let is_sampled = found.period.is_some();
            lines.push(vec![
                input.name.clone(),
                output.name.clone(),
                figure(gain, 0.0),
                format!("({})/({})", output.unit, input.unit),
                zeros.map_or_else(|| "no response".to_owned(), |zeros| short(zeros, is_sampled)),
            ]);
        }
    }
    let hidden = lines.len().saturating_sub(MOST + 1);
    lines.truncate(MOST + 1);
    text += &table(&lines, 2);
    if hidden > 0 {
        let _ = writeln!(text, "  and {hidden} more; choose with --input and --output");
    }
    if found.has_several() {
        let zeros = found.zeros_together.as_deref();
        let _ = writeln!(text, "\nall inputs to all outputs together: {}", zeros_of(found));
        text += &zeros.map_or_else(|| "  no response\n".to_owned(), together);
    }
    text
}

/// The zeros of a system, in their unit.
fn zeros_of(found: &Found) -> &'static str {
    if found.period.is_some() { "zeros [z]" } else { "zeros [rad/s]" }
}

/// A line for each zero or pair of zeros.
fn together(zeros: &[Complex<f64>]) -> String {
    let largest = zeros.iter().map(|zero| zero.norm()).fold(0.0, f64::max);
    let upper: Vec<&Complex<f64>> = zeros.iter().filter(|zero| zero.im >= 0.0).collect();
    if upper.is_empty() {
        return "  none\n".to_owned();
    }
    let mut lines = vec![["real", "imaginary"].map(str::to_owned).to_vec()];
    for zero in upper.iter().take(MOST) {
        let pair = if zero.im > 0.0 { "±" } else { "" };
        let imaginary = format!("{pair}{}", figure(zero.im, largest));
        lines.push(vec![figure(zero.re, 1e4 * largest), imaginary]);
    }
    let mut text = table(&lines, 0);
    if upper.len() > MOST {
        let _ = writeln!(text, "  and {} more; --format json has all", upper.len() - MOST);
    }
    text
}

/// A line for each pole or pair of poles.
fn places(found: &Found) -> String {
    let Found { poles, period, .. } = found;
    let head: &[&str] = match period {
        None => &["real [1/s]", "imaginary [rad/s]", "frequency [Hz]", "damping ratio"],
        Some(_) => &[
            "z real",
            "imaginary",
            "|z|",
            "ln(z)/dt real [1/s]",
            "imaginary [rad/s]",
            "frequency [Hz]",
            "damping ratio",
        ],
    };
    let mut lines = vec![head.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>()];
    let upper: Vec<&Complex<f64>> = poles.iter().filter(|pole| pole.im >= 0.0).collect();
    // of steps those that decay slowest come first
    let ordered: Vec<&Complex<f64>> =
        if period.is_some() { upper.into_iter().rev().collect() } else { upper };
    let rates: Vec<Complex<f64>> =
        ordered.iter().map(|pole| continuous_pole(**pole, *period)).collect();
    let sizes = rates.iter().map(|rate| rate.norm()).filter(|size| size.is_finite());
    let largest = sizes.fold(0.0, f64::max);
    for (pole, rate) in ordered.iter().zip(&rates).take(MOST) {
        // two poles at zero are apart by the square root of rounding
        let is_zero = rate.norm() <= 2e-8 * largest;
        let rate = if is_zero { Complex::new(0.0, 0.0) } else { *rate };
        let size = rate.norm();
        let [frequency, ratio] = match (size.is_finite(), is_zero) {
            (false, _) => ["-".to_owned(), "-".to_owned()],
            (_, true) => [figure(0.0, largest), "-".to_owned()],
            _ => [figure(size / TAU, largest), figure(-rate.re / size, 1e2)],
        };
        let both = |place: Complex<f64>, scale: f64| {
            let pair = if place.im > 0.0 { "±" } else { "" };
            [figure(place.re, scale), format!("{pair}{}", figure(place.im, scale))]
        };
        let mut line = Vec::new();
        if period.is_some() {
            line.extend(both(**pole, 1.0));
            line.push(format!("{:.6}", pole.norm()));
        }
        line.extend(both(rate, largest));
        line.extend([frequency, ratio]);
        lines.push(line);
    }
    let mut text = table(&lines, 0);
    if ordered.len() > MOST {
        let _ = writeln!(text, "  and {} more; --format json has all", ordered.len() - MOST);
    }
    text
}

/// The slowest zeros in one cell.
fn short(zeros: &[Complex<f64>], is_sampled: bool) -> String {
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
    let is_slow = |zero: &&&Complex<f64>| {
        if is_sampled { zero.norm() > 1.0 + 1e-9 } else { zero.re > 1e-9 * largest }
    };
    let right = hidden.iter().filter(is_slow).count();
    let place = if is_sampled { "outside the unit circle" } else { "in the right half-plane" };
    let text = shown.iter().map(|zero| one(zero)).collect::<Vec<_>>().join(", ");
    match (upper.len(), right) {
        (0, _) => "none".to_owned(),
        (_, 0) if hidden.is_empty() => text,
        (_, 0) => format!("{text}, and {} more", hidden.len()),
        _ => format!("{text}, and {} more, {right} {place}", hidden.len()),
    }
}
