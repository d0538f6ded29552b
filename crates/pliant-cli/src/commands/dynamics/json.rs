//! One object; each key begins a line, and so does each row of the matrix and each frame.

use super::{Answer, Quantity};
use crate::output::Failure;
use pliant::arm::Arm;
use pliant_io::escape;
use serde_json::{Value, json};

pub(super) fn write(arm: &Arm, answers: &[(Quantity, Answer)]) -> Result<String, Failure> {
    let names = line(&json!(arm.velocity_names()))?;
    let mut entries = vec![format!("  \"coordinates\": {names}")];
    for (quantity, answer) in answers {
        entries.push(format!("  \"{}\": {}", quantity.name(), value(answer)?));
    }
    Ok(format!("{{\n{}\n}}\n", entries.join(",\n")))
}

fn value(answer: &Answer) -> Result<String, Failure> {
    match answer {
        Answer::Matrix(rows) => {
            let rows = rows.iter().map(|row| line(&json!(row)));
            Ok(lines('[', &rows.collect::<Result<Vec<_>, _>>()?, ']'))
        }
        Answer::Vector(numbers) => line(&json!(numbers)),
        Answer::Space(v) => line(&json!(v.to_array())),
        Answer::Number(number) => line(&json!(number)),
        Answer::Poses(poses) => {
            let frames = poses.iter().map(|(name, pose)| {
                let (position, rotation) = (pose.position.to_array(), pose.rotation.to_rows());
                let frame = json!({ "position": position, "rotation": rotation });
                Ok(format!("{}: {}", line(&json!(name))?, line(&frame)?))
            });
            Ok(lines('{', &frames.collect::<Result<Vec<_>, Failure>>()?, '}'))
        }
    }
}

fn line(value: &Value) -> Result<String, Failure> {
    let text = serde_json::to_string(value);
    text.map(|text| escape::json(&text)).map_err(|error| Failure::internal(error.to_string()))
}

fn lines(open: char, parts: &[String], close: char) -> String {
    if parts.is_empty() {
        return format!("{open}{close}");
    }
    format!("{open}\n    {}\n  {close}", parts.join(",\n    "))
}
