//! Arms described by calls: `Joint`, `Material`, `Section`, `Beam`, `Actuator`, `Link`, `Builder`.

mod beam;
mod builder;
mod link;

use crate::error::{Kind, raise};
use pliant::spatial::{Mat3, Pose, Vec3};
use pliant_io::nearest;
use pyo3::prelude::*;

/// A pose from its position, or from a homogeneous matrix of three or four rows.
#[derive(Clone, Copy, Debug)]
struct PoseArgument(Pose<f64>);

impl<'py> FromPyObject<'_, 'py> for PoseArgument {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        if let Ok([x, y, z]) = value.extract::<[f64; 3]>() {
            return Ok(Self(Pose::at(x, y, z)));
        }
        let rows: Vec<[f64; 4]> = value.extract().unwrap_or_default();
        match rows.as_slice() {
            [a, b, c] | [a, b, c, [0.0, 0.0, 0.0, 1.0]] => {
                let rotation = [a, b, c].map(|row| [row[0], row[1], row[2]]);
                let position = Vec3::new(a[3], b[3], c[3]);
                Ok(Self(Pose::new(Mat3::from_rows(rotation), position)))
            }
            _ => {
                let message = format!("{} is no pose", value.repr()?);
                let help = "give a position of shape (3,), or a homogeneous matrix of shape (4, 4)";
                Err(raise(value.py(), Kind::Shape, &message, Some(help)))
            }
        }
    }
}

/// That a word is none of those known.
fn unknown_word(py: Python<'_>, what: &str, word: &str, known: &[&str]) -> PyErr {
    let all = known.join(", ");
    let help = match nearest(word, known.iter().copied()) {
        Some(near) => format!("did you mean \"{near}\"? known are {all}"),
        None => format!("known are {all}"),
    };
    raise(py, Kind::Argument, &format!("{what} is \"{word}\", which is not known"), Some(&help))
}

/// What an argument must be: its name, its value, whether it is so, and the words for it.
type Need = (&'static str, f64, bool, &'static str);

/// Refuses the first argument that is not finite or not what it must be, by its name.
fn need(py: Python<'_>, needs: &[Need]) -> PyResult<()> {
    match needs.iter().find(|(_, value, holds, _)| !(value.is_finite() && *holds)) {
        None => Ok(()),
        Some((name, value, _, needed)) => {
            let help = format!("it must be {needed}");
            Err(raise(py, Kind::Argument, &format!("{name} is {value}"), Some(&help)))
        }
    }
}

/// Of an argument that must be positive.
fn positive(name: &'static str, value: f64) -> Need {
    (name, value, value > 0.0, "positive")
}

/// Of an argument that must not be negative.
fn not_negative(name: &'static str, value: f64) -> Need {
    (name, value, value >= 0.0, "zero or more")
}

/// Adds what is here to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    beam::register(module)?;
    link::register(module)?;
    builder::register(module)
}
