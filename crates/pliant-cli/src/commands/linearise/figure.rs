//! Poles, zeros and frequency responses, drawn.

use super::Found;
use crate::commands::options::Force;
use crate::commands::plot;
use crate::output::{Failure, Output};
use pliant_draw::{Axis, AxisScale, Curve, Figure, Panel, Size};
use std::path::Path;

/// More channels than this make a plot that nobody can read.
const MOST: usize = 12;

pub(super) fn write(
    found: &Found,
    path: &Path,
    force: Force,
    output: &Output,
) -> Result<(), Failure> {
    let system = &found.system;
    let mut channels: Vec<(usize, usize)> = (0..system.inputs.len())
        .flat_map(|column| (0..system.outputs.len()).map(move |row| (row, column)))
        .collect();
    let all = channels.len();
    if all > MOST {
        // each input to the output of the same place in the lists: a motor to its joint
        channels.retain(|(row, column)| row == column);
        channels.truncate(MOST);
        output.note(&format!(
            "note: the plot has {} of {all} channels, the k-th input to the k-th output; choose others with --input and --output",
            channels.len()
        ));
    }
    let hertz = || Axis::new("frequency", "Hz").scaled(AxisScale::Log);
    let units: Vec<String> = channels
        .iter()
        .map(|&(row, column)| {
            format!("({})/({})", system.outputs[row].unit, system.inputs[column].unit)
        })
        .collect();
    let same = units.iter().all(|unit| unit == &units[0]);
    let unit = if same { units.first().cloned().unwrap_or_default() } else { "SI".to_owned() };
    let mut size = Panel::new(hertz(), Axis::new("gain", unit).scaled(AxisScale::Log));
    let mut phase = Panel::new(hertz(), Axis::new("phase", "deg"));
    let x: Vec<f64> = found.response.iter().map(|(hertz, _)| *hertz).collect();
    for &(row, column) in &channels {
        let name = format!("{} / {}", system.outputs[row].name, system.inputs[column].name);
        let gains = found.response.iter().map(|(_, g)| g[(row, column)].norm());
        let phases = found.response.iter().map(|(_, g)| g[(row, column)].arg().to_degrees());
        size = size.with(Curve::new(name, x.clone(), gains.collect()));
        phase = phase.with(Curve::new("", x.clone(), phases.collect()));
    }
    let mut panels = if channels.is_empty() { Vec::new() } else { vec![size, phase] };
    let units = if found.period.is_some() { ["z", "z"] } else { ["1/s", "rad/s"] };
    let mut plane =
        Panel::new(Axis::new("real part", units[0]), Axis::new("imaginary part", units[1]));
    // a cross for each pole, its arms a hundredth of the picture
    let reach = |part: fn(&pliant::nalgebra::Complex<f64>) -> f64| {
        found.poles.iter().map(part).map(f64::abs).fold(0.0, f64::max).max(1e-9) * 0.01
    };
    let (wide, high) = (reach(|pole| pole.re), reach(|pole| pole.im));
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for pole in &found.poles {
        x.extend([
            pole.re - wide,
            pole.re + wide,
            f64::NAN,
            pole.re - wide,
            pole.re + wide,
            f64::NAN,
        ]);
        y.extend([
            pole.im - high,
            pole.im + high,
            f64::NAN,
            pole.im + high,
            pole.im - high,
            f64::NAN,
        ]);
    }
    plane = plane.with(Curve::new("poles", x, y));
    panels.push(plane);
    let figure = Figure::new(Size::stacked(panels.len()), panels);
    plot::write_drawing(path, plot::form(path)?, figure.svg(), 300.0, force)
}
