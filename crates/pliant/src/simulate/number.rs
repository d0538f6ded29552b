//! Numbers in JSON, which knows no infinities and no NaN: these are written as words. For serde, `with`.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum Written {
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

/// Reads a number; nothing is what earlier versions wrote where it is not finite.
pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    match Option::<Written>::deserialize(from)? {
        Some(Written::Finite(value)) => Ok(value),
        Some(Written::Word(word)) => word.parse().map_err(serde::de::Error::custom),
        None => Ok(f64::NAN),
    }
}

/// The same of numbers that there may not be, which are `null`.
pub mod optional {
    use super::{Deserialize, Deserializer, Serializer, Written};

    #[allow(clippy::ref_option, reason = "serde passes references")]
    /// Writes a number or `null`.
    pub fn serialize<S: Serializer>(value: &Option<f64>, out: S) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => super::serialize(value, out),
            None => out.serialize_none(),
        }
    }

    /// Reads a number or `null`.
    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<f64>, D::Error> {
        match Option::<Written>::deserialize(from)? {
            None => Ok(None),
            Some(Written::Finite(value)) => Ok(Some(value)),
            Some(Written::Word(word)) => word.parse().map(Some).map_err(serde::de::Error::custom),
        }
    }
}
