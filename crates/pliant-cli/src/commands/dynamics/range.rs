//! What a posture gives to a table over several.

use super::{Answer, Quantity, mass_unit, turning};
use crate::commands::sweep::Number;
use pliant::arm::Arm;

/// What is computed where nothing is said.
pub(super) const USUAL: &[Quantity] = &[Quantity::MassMatrix, Quantity::Gravity];

/// All entries, or those of the joints alone; of the symmetric mass matrix the lower half.
pub(super) fn numbers(
    arm: &Arm,
    answers: &[(Quantity, Answer)],
    joints_alone: bool,
) -> Vec<Number> {
    let (names, turns) = (arm.velocity_names(), turning(arm));
    let coordinates = arm.velocity_coordinates();
    let shown: Vec<usize> =
        (0..arm.nv()).filter(|&v| !(joints_alone && coordinates[v].role.deforms())).collect();
    let mut all = Vec::new();
    for (quantity, answer) in answers {
        let group = quantity.group();
        let mut add = |entry: &str, unit: &'static str, value: f64| {
            all.push(Number::new(group, format!("{group} {entry}").trim().to_owned(), unit, value));
        };
        match answer {
            Answer::Matrix(rows) => {
                for &i in &shown {
                    for &j in shown.iter().filter(|&&j| j <= i) {
                        let name = format!("{} {}", names[i], names[j]);
                        add(&name, mass_unit(turns[i], turns[j]), rows[i][j]);
                    }
                }
            }
            Answer::Vector(numbers) => {
                for &v in &shown {
                    add(&names[v], quantity.unit(turns[v]), numbers[v]);
                }
            }
            Answer::Space(v) => {
                for (axis, value) in ["x", "y", "z"].into_iter().zip(v.to_array()) {
                    add(axis, quantity.unit(false), value);
                }
            }
            Answer::Number(value) => add("", quantity.unit(false), *value),
            Answer::Poses(poses) => {
                for (frame, pose) in poses {
                    for (axis, value) in ["x", "y", "z"].into_iter().zip(pose.position.to_array()) {
                        add(&format!("{frame} {axis}"), "m", value);
                    }
                }
            }
        }
    }
    all
}
