//! Selection of channels.

use super::catalogue::Catalogue;
use super::channels::ChannelGroup;
use crate::Help;

/// Channels selected by group (`coordinates`), by name (`tip.position.x`) or by a pattern in which
/// `*` matches anything (`tip.*`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection {
    patterns: Vec<String>,
}

/// Nothing is called that.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no channel or group of channels is called \"{pattern}\"")]
pub struct UnknownChannel {
    /// As asked for.
    pub pattern: String,
}

impl Help for UnknownChannel {
    fn help(&self) -> Option<String> {
        Some("give a group, a name, or a name in which * stands for anything".into())
    }
}

impl Default for Selection {
    /// Coordinates, velocities, forces, energies, sensors, outputs, references and errors.
    fn default() -> Self {
        let groups = [
            ChannelGroup::Coordinates,
            ChannelGroup::Velocities,
            ChannelGroup::Forces,
            ChannelGroup::Energies,
            ChannelGroup::Sensors,
            ChannelGroup::Outputs,
            ChannelGroup::References,
            ChannelGroup::Errors,
        ];
        Self::new(groups.map(ChannelGroup::word))
    }
}

impl Selection {
    /// From groups, names and patterns.
    pub fn new<T: Into<String>>(patterns: impl IntoIterator<Item = T>) -> Self {
        Self { patterns: patterns.into_iter().map(Into::into).collect() }
    }

    /// These, followed by others.
    #[must_use]
    pub fn and<T: Into<String>>(mut self, patterns: impl IntoIterator<Item = T>) -> Self {
        self.patterns.extend(patterns.into_iter().map(Into::into));
        self
    }

    /// Whether a group, name or pattern begins like this.
    pub(super) fn begins_with(&self, word: &str) -> bool {
        self.patterns.iter().any(|pattern| pattern.starts_with(word))
    }

    /// The chosen channels by index, each once, in the order of the patterns.
    pub fn resolve(&self, catalogue: &Catalogue) -> Result<Vec<usize>, UnknownChannel> {
        let channels = catalogue.channels();
        let mut chosen = Vec::new();
        let mut taken = vec![false; channels.len()];
        for pattern in &self.patterns {
            // a group may be empty
            let group = ChannelGroup::ALL.into_iter().find(|group| group.word() == pattern);
            let mut found = group.is_some();
            for (i, channel) in channels.iter().enumerate() {
                let of_group = group.is_some_and(|group| group.has(channel));
                if of_group || fits(pattern, &channel.name) {
                    found = true;
                    if !taken[i] {
                        chosen.push(i);
                        taken[i] = true;
                    }
                }
            }
            if !found {
                return Err(UnknownChannel { pattern: pattern.clone() });
            }
        }
        Ok(chosen)
    }
}

/// Whether a name matches a pattern in which `*` matches anything.
pub fn fits(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else {
        return false;
    };
    let Some(last) = parts.next_back() else {
        return rest.is_empty();
    };
    for part in parts {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}
