//! Numbers in JSON, which knows no infinities and no NaN: these are written as words. For serde, `with`.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Written {
    Finite(f64),
    Word(String),
}

/// A number that nobody has written.
pub(super) fn unknown() -> f64 {
    f64::NAN
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
/// Writes a number.
pub fn serialize<S: Serializer>(value: &f64, out: S) -> Result<S::Ok, S::Error> {
    let written =
        if value.is_finite() { Written::Finite(*value) } else { Written::Word(value.to_string()) };
    written.serialize(out)
}

/// Reads a number.
pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    match Written::deserialize(from)? {
        Written::Finite(value) => Ok(value),
        Written::Word(word) => word.parse().map_err(serde::de::Error::custom),
    }
}
