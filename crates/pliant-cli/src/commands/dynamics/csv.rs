//! One number per line.

use super::{Answer, Quantity, mass_unit, turning};
use pliant::arm::Arm;
use pliant_io::escape::csv_field;
use std::fmt::Write as _;

pub(super) fn write(arm: &Arm, answers: &[(Quantity, Answer)]) -> String {
    let (names, turns) = (arm.velocity_names(), turning(arm));
    let mut text = String::from("quantity,row,column,value,unit\n");
    let mut line = |quantity: &str, row: &str, column: &str, value: f64, unit: &str| {
        let (row, column) = (csv_field(row), csv_field(column));
        let _ = writeln!(text, "{quantity},{row},{column},{value:?},{unit}");
    };
    for (quantity, answer) in answers {
        let name = quantity.name();
        match answer {
            Answer::Matrix(rows) => {
                for (i, row) in rows.iter().enumerate() {
                    for (j, &value) in row.iter().enumerate() {
                        line(&name, &names[i], &names[j], value, mass_unit(turns[i], turns[j]));
                    }
                }
            }
            Answer::Vector(numbers) => {
                for ((row, &value), &turns) in names.iter().zip(numbers).zip(&turns) {
                    line(&name, row, "", value, quantity.unit(turns));
                }
            }
            Answer::Space(v) => {
                for (axis, value) in ["x", "y", "z"].into_iter().zip(v.to_array()) {
                    line(&name, axis, "", value, quantity.unit(false));
                }
            }
            Answer::Number(value) => line(&name, "", "", *value, quantity.unit(false)),
            Answer::Poses(poses) => {
                for (frame, pose) in poses {
                    for (axis, value) in ["x", "y", "z"].into_iter().zip(pose.position.to_array()) {
                        line("position", frame, axis, value, "m");
                    }
                    let entries = ["xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"];
                    for (entry, &value) in
                        entries.into_iter().zip(pose.rotation.to_rows().as_flattened())
                    {
                        line("rotation", frame, entry, value, "");
                    }
                }
            }
        }
    }
    text
}
