//! What was run: written into every Parquet file and into the summary.

use super::checksum::hexadecimal;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;

/// What the keys of our own entries begin with.
const OWN: &str = "pliant.";

/// What the keys of further entries begin with.
const MORE: &str = "pliant.more.";

/// What a result came from. It says nothing that differs between two runs of the same scenario.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Metadata {
    /// The version of pliant.
    pub version: String,
    /// The [`hash`] of the arm's text.
    pub arm_hash: String,
    /// The method of integration.
    pub method: String,
    /// Why it was chosen, where nobody asked for it.
    pub method_reason: Option<String>,
    /// Its relative tolerance, where it has one.
    pub relative_tolerance: Option<f64>,
    /// Its absolute tolerance, where it has one.
    pub absolute_tolerance: Option<f64>,
    /// Its step (s), where that is fixed.
    pub step: Option<f64>,
    /// Its spectral radius, where it has one.
    pub spectral_radius: Option<f64>,
    /// What random numbers started from, where there are any.
    pub seed: Option<u64>,
    /// The text of the scenario, which the summary leaves to `scenario.toml`; empty in results of
    /// earlier versions.
    #[serde(skip)]
    pub scenario: String,
    /// What was doubtful before the run, in the words of its warnings, which a run that goes on has
    /// again; only parts hold it.
    #[serde(skip)]
    pub doubts: Vec<String>,
    /// Further entries, sorted by their keys.
    #[serde(default)]
    pub more: BTreeMap<String, String>,
}

impl Metadata {
    /// Metadata of this version of pliant, with the hash of the canonical text of the arm.
    pub fn new(arm_text: &str, method: impl Into<String>) -> Self {
        Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            arm_hash: hash(arm_text),
            method: method.into(),
            method_reason: None,
            relative_tolerance: None,
            absolute_tolerance: None,
            step: None,
            spectral_radius: None,
            seed: None,
            scenario: String::new(),
            doubts: Vec::new(),
            more: BTreeMap::new(),
        }
    }

    /// The entries of a Parquet file, in a fixed order.
    pub(super) fn entries(&self) -> Vec<(String, String)> {
        let number = |value: f64| format!("{value:e}");
        let own = [
            ("version", Some(self.version.clone())),
            ("arm_hash", Some(self.arm_hash.clone())),
            ("method", Some(self.method.clone())),
            ("method_reason", self.method_reason.clone()),
            ("relative_tolerance", self.relative_tolerance.map(number)),
            ("absolute_tolerance", self.absolute_tolerance.map(number)),
            ("step", self.step.map(number)),
            ("spectral_radius", self.spectral_radius.map(number)),
            ("seed", self.seed.map(|seed| seed.to_string())),
            ("scenario", Some(self.scenario.clone())),
        ];
        let own = own.into_iter().filter_map(|(key, value)| Some((format!("{OWN}{key}"), value?)));
        let more = self.more.iter().map(|(key, value)| (format!("{MORE}{key}"), value.clone()));
        own.chain(more).collect()
    }

    /// The metadata of these entries, or what is wrong with them.
    pub(super) fn from_entries(entries: &BTreeMap<String, String>) -> Result<Self, String> {
        let find = |key: &str| entries.get(&format!("{OWN}{key}"));
        let text = |key| find(key).cloned().ok_or_else(|| format!("it has no entry `{OWN}{key}`"));
        let number = |key| find(key).map(|value| parsed(key, value)).transpose();
        let more = entries.iter().filter_map(|(key, value)| {
            key.strip_prefix(MORE).map(|key| (key.to_owned(), value.clone()))
        });
        Ok(Self {
            version: text("version")?,
            arm_hash: text("arm_hash")?,
            method: text("method")?,
            method_reason: find("method_reason").cloned(),
            relative_tolerance: number("relative_tolerance")?,
            absolute_tolerance: number("absolute_tolerance")?,
            step: number("step")?,
            spectral_radius: number("spectral_radius")?,
            seed: find("seed").map(|value| parsed("seed", value)).transpose()?,
            scenario: find("scenario").cloned().unwrap_or_default(),
            doubts: Vec::new(),
            more: more.collect(),
        })
    }
}

fn parsed<T: std::str::FromStr>(key: &str, value: &str) -> Result<T, String> {
    value.parse().map_err(|_| format!("its entry `{OWN}{key}` is `{value}`, not a number"))
}

/// The SHA-256 of a text as hexadecimal digits, the same as `sha256sum` prints.
pub fn hash(text: &str) -> String {
    hexadecimal(&Sha256::digest(text.as_bytes()))
}
