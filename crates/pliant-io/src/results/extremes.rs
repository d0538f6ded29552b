//! The least and the greatest value of every channel, with their instants.

use pliant::simulate::Channel;
use serde::{Deserialize, Serialize};

/// The range of one channel. Values that are not numbers do not count.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ChannelRange {
    /// The name of its column.
    pub channel: String,
    /// The least value, if there is any.
    pub min: Option<Peak>,
    /// The greatest value, if there is any.
    pub max: Option<Peak>,
}

/// A value and the first instant it was recorded at.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Peak {
    /// The value, in the unit of its channel.
    #[serde(with = "pliant::simulate::number")]
    pub value: f64,
    /// The instant (s).
    #[serde(with = "pliant::simulate::number")]
    pub at: f64,
}

/// No extremes yet, for every channel.
pub(super) fn none(channels: &[Channel]) -> Vec<ChannelRange> {
    channels
        .iter()
        .map(|one| ChannelRange { channel: one.column(), min: None, max: None })
        .collect()
}

/// Takes a row into account.
pub(super) fn include(extremes: &mut [ChannelRange], at: f64, values: &[f64]) {
    for (extreme, &value) in extremes.iter_mut().zip(values) {
        if value.is_nan() {
            continue;
        }
        if extreme.min.is_none_or(|min| value < min.value) {
            extreme.min = Some(Peak { value, at });
        }
        if extreme.max.is_none_or(|max| value > max.value) {
            extreme.max = Some(Peak { value, at });
        }
    }
}
