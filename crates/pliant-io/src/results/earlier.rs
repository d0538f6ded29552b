//! Channels of results of earlier versions, which had a group where they have a role now.

use pliant::arm::CoordinateRole;
use pliant::beam::Deformation;
use pliant::simulate::{Channel, ChannelRole};
use serde::Deserialize;

/// What earlier versions wrote of a channel.
#[derive(Deserialize)]
struct Grouped {
    #[serde(default)]
    group: Option<String>,
}

/// Channels as they were written, the groups of earlier ones made roles as far as these follow from
/// the units.
pub(super) fn channels(described: &str) -> Result<Vec<Channel>, serde_json::Error> {
    let mut channels: Vec<Channel> = serde_json::from_str(described)?;
    let groups: Vec<Grouped> = serde_json::from_str(described)?;
    for (channel, grouped) in channels.iter_mut().zip(groups) {
        let Some(group) = grouped.group.filter(|_| channel.role == ChannelRole::Other) else {
            continue;
        };
        let order = if channel.unit.ends_with("/s^2") {
            ChannelRole::Acceleration
        } else if channel.unit.ends_with("/s") {
            ChannelRole::Velocity
        } else {
            ChannelRole::Position
        };
        channel.role = match (group.as_str(), channel.unit.as_str()) {
            ("time", _) => ChannelRole::Time,
            ("joint" | "bending", _) => order,
            ("force", _) => ChannelRole::Force,
            ("tip", "m") => ChannelRole::FramePosition,
            ("tip", "m/s") => ChannelRole::FrameVelocity,
            ("tip", "rad/s") => ChannelRole::FrameAngularVelocity,
            ("tip", _) => ChannelRole::FrameOrientation,
            ("energy", "kg m/s") => ChannelRole::Momentum,
            ("energy", "kg m^2/s") => ChannelRole::AngularMomentum,
            ("energy", _) => ChannelRole::TotalEnergy,
            ("sensor", _) => ChannelRole::Sensor,
            _ => ChannelRole::Other,
        };
        channel.coordinate = match group.as_str() {
            "joint" => Some(CoordinateRole::Joint),
            "bending" => Some(CoordinateRole::Deformation(Deformation::Modal)),
            _ => None,
        };
    }
    Ok(channels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_earlier_versions_are_roles() {
        let text = r#"[{"name":"t","unit":"s","group":"time"},
            {"name":"upper.rate","unit":"rad/s","group":"joint"},
            {"name":"upper.y1","unit":"m","group":"bending"},
            {"name":"tip.position.x","unit":"m","group":"tip"},
            {"name":"a","unit":"N m","role":"command","index":3},
            {"name":"b","unit":"1","role":"telemetry","telemetry":"of a later version"}]"#;
        let channels = channels(text).expect("channels");
        let roles: Vec<ChannelRole> = channels.iter().map(|channel| channel.role).collect();
        let expected = [
            ChannelRole::Time,
            ChannelRole::Velocity,
            ChannelRole::Position,
            ChannelRole::FramePosition,
            ChannelRole::Command,
            ChannelRole::Telemetry,
        ];
        assert_eq!(roles, expected);
        let deforms: Vec<bool> = channels.iter().map(Channel::deforms).collect();
        assert_eq!(deforms, [false, false, true, false, false, false]);
        assert_eq!(channels[4].index, 3);
        assert_eq!(channels[5].telemetry, pliant::simulate::Telemetry::Other);
    }
}
