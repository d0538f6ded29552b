//! Tables for people.

use super::{Answer, Quantity, turning};
use crate::commands::check::degrees_of_freedom;
use crate::figures::{figure, figures, table};
use pliant::arm::Arm;
use pliant::spatial::{Pose, roll_pitch_yaw};

/// Wider matrices are broken into blocks of this many columns.
const BLOCK: usize = 8;

pub(super) fn write(arm: &Arm, answers: &[(Quantity, Answer)]) -> String {
    let mut parts = vec![format!("{}: {}\n", arm.name(), degrees_of_freedom(arm))];
    let (names, turns) = (arm.velocity_names(), turning(arm));
    let mut vectors: Vec<(Quantity, &[f64])> = Vec::new();
    let mut numbers: Vec<Vec<String>> = Vec::new();
    let mut frames = None;
    for (quantity, answer) in answers {
        match answer {
            Answer::Matrix(rows) => parts.push(matrix_text(names, &turns, rows)),
            Answer::Vector(values) => vectors.push((*quantity, values)),
            Answer::Number(value) => {
                let words = quantity.name().replace('_', " ");
                numbers.push(vec![words, figure(*value, 0.0), quantity.unit(false).into()]);
            }
            Answer::Space(v) => {
                let words = quantity.name().replace('_', " ");
                let value = format!("[{}]", figures(&v.to_array()).join(", "));
                numbers.push(vec![words, value, quantity.unit(false).into()]);
            }
            Answer::Poses(poses) => frames = Some(frames_text(poses)),
        }
    }
    if !vectors.is_empty() {
        parts.push(vectors_text(names, &turns, &vectors));
    }
    if !numbers.is_empty() {
        parts.push(table(&numbers, 3));
    }
    parts.extend(frames);
    parts.join("\n")
}

fn matrix_text(names: &[String], turns: &[bool], rows: &[Vec<f64>]) -> String {
    let unit = match (turns.contains(&true), turns.contains(&false)) {
        (true, true) => "angles kg m^2, lengths kg, mixed kg m",
        (false, true) => "kg",
        _ => "kg m^2",
    };
    let mut text = format!("mass matrix [{unit}]\n");
    let largest = rows.iter().flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
    for start in (0..names.len()).step_by(BLOCK) {
        let columns = start..names.len().min(start + BLOCK);
        let mut lines = vec![[&[String::new()], &names[columns.clone()]].concat()];
        for (name, row) in names.iter().zip(rows) {
            let cells = row[columns.clone()].iter().map(|&x| figure(x, largest));
            lines.push(std::iter::once(name.clone()).chain(cells).collect());
        }
        text.push_str(&table(&lines, 1));
    }
    text
}

fn vectors_text(names: &[String], turns: &[bool], vectors: &[(Quantity, &[f64])]) -> String {
    let head = ["coordinate".to_owned(), "force unit".to_owned()];
    let mut lines = vec![head.to_vec()];
    let columns: Vec<Vec<String>> = vectors.iter().map(|(_, values)| figures(values)).collect();
    lines[0].extend(vectors.iter().map(|(quantity, _)| quantity.name()));
    for (row, (name, &turns)) in names.iter().zip(turns).enumerate() {
        let unit = Quantity::Bias.unit(turns).to_owned();
        let mut line = vec![name.clone(), unit];
        line.extend(columns.iter().map(|column| column[row].clone()));
        lines.push(line);
    }
    let accelerates = |(quantity, _): &(Quantity, _)| *quantity == Quantity::Acceleration;
    let title = match (vectors.iter().any(accelerates), turns.contains(&false)) {
        (true, true) => "forces, and acceleration [angles rad/s^2, lengths m/s^2]",
        (true, false) => "forces, and acceleration [rad/s^2]",
        (false, _) => "forces",
    };
    format!("{title}\n{}", table(&lines, 2))
}

fn frames_text(poses: &[(String, Pose<f64>)]) -> String {
    let head = ["frame", "x", "y", "z", "roll", "pitch", "yaw"];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    for (name, pose) in poses {
        let position = figures(&pose.position.to_array());
        let angles = roll_pitch_yaw(&pose.rotation).map(|angle| figure(angle.to_degrees(), 180.0));
        lines.push([vec![name.clone()], position, angles.to_vec()].concat());
    }
    format!(
        "frames: position [m], roll, pitch, yaw about the world's x, then y, then z [deg]\n{}",
        table(&lines, 1)
    )
}
