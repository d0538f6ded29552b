//! Which channels are drawn.

use super::recorded::Recorded;
use crate::output::{Failure, Output};
use pliant::simulate::{Channel, ChannelGroup, ChannelRole, fits};
use pliant_io::scenario::renamed_channel;

/// Kinds of channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Joints,
    Bending,
    Tip,
    Forces,
    Energies,
    Sensors,
    Commands,
    Telemetry,
    Estimates,
    References,
    Errors,
    Deflections,
    InternalForces,
    Gains,
    MassMatrix,
    WaveNumbers,
}

impl Kind {
    /// What a channel is, if it is of a kind.
    pub(super) fn of(channel: &Channel) -> Option<Self> {
        Some(match channel.role {
            ChannelRole::Position | ChannelRole::Velocity | ChannelRole::Acceleration => {
                if channel.deforms() { Self::Bending } else { Self::Joints }
            }
            ChannelRole::Force => Self::Forces,
            ChannelRole::FramePosition
            | ChannelRole::FrameOrientation
            | ChannelRole::FrameVelocity
            | ChannelRole::FrameAngularVelocity => Self::Tip,
            ChannelRole::KineticEnergy
            | ChannelRole::PotentialEnergy
            | ChannelRole::ElasticEnergy
            | ChannelRole::TotalEnergy
            | ChannelRole::Work
            | ChannelRole::EnergyDrift
            | ChannelRole::Momentum
            | ChannelRole::AngularMomentum => Self::Energies,
            ChannelRole::Sensor => Self::Sensors,
            ChannelRole::Command => Self::Commands,
            ChannelRole::Telemetry => Self::Telemetry,
            ChannelRole::Estimate => Self::Estimates,
            ChannelRole::Reference => Self::References,
            ChannelRole::Error => Self::Errors,
            ChannelRole::Deflection | ChannelRole::Slope => Self::Deflections,
            ChannelRole::BendingMoment
            | ChannelRole::ShearForce
            | ChannelRole::Torsion
            | ChannelRole::Stress
            | ChannelRole::Margin => Self::InternalForces,
            ChannelRole::Gain => Self::Gains,
            ChannelRole::MassMatrix => Self::MassMatrix,
            ChannelRole::WaveNumber | ChannelRole::GroupVelocity => Self::WaveNumbers,
            _ => return None,
        })
    }
}

/// Kinds of channels by the words that choose them.
const KINDS: &[(&str, Kind)] = &[
    ("joints", Kind::Joints),
    ("bending", Kind::Bending),
    ("tip", Kind::Tip),
    ("forces", Kind::Forces),
    ("energies", Kind::Energies),
    ("sensors", Kind::Sensors),
    ("commands", Kind::Commands),
    ("telemetry", Kind::Telemetry),
    ("estimates", Kind::Estimates),
    ("references", Kind::References),
    ("errors", Kind::Errors),
    ("deflections", Kind::Deflections),
    ("internal-forces", Kind::InternalForces),
    ("mass-matrix", Kind::MassMatrix),
    ("wave-numbers", Kind::WaveNumbers),
];

/// The words that choose channels: kinds, and the groups by which a scenario records.
fn words() -> impl Iterator<Item = &'static str> {
    let kinds = KINDS.iter().map(|(word, _)| *word);
    let is_new = |word: &&str| KINDS.iter().all(|(kind, _)| kind != word);
    kinds.chain(ChannelGroup::ALL.map(ChannelGroup::word).into_iter().filter(is_new))
}

/// The channels that fit one of the patterns, in their order and each once; without patterns, those
/// that say most.
pub(super) fn chosen(
    output: &Output,
    runs: &[Recorded],
    patterns: &[String],
) -> Result<Vec<Channel>, Failure> {
    let mut all: Vec<&Channel> = Vec::new();
    for channel in runs.iter().flat_map(|run| run.reader.channels()) {
        if channel.role != ChannelRole::Time && !all.iter().any(|one| is_same(one, channel)) {
            all.push(channel);
        }
    }
    if patterns.is_empty() {
        return usual(&all);
    }
    let mut chosen: Vec<Channel> = Vec::new();
    for pattern in patterns.iter().map(|pattern| pattern.trim()).filter(|one| !one.is_empty()) {
        let mut found = fitting(&all, pattern);
        // results of earlier versions have their names
        if let Some(now) = renamed_channel(pattern).filter(|_| found.is_empty()) {
            found = fitting(&all, &now);
            if found.is_empty() {
                return Err(unknown(&all, &now));
            }
            output.note(&format!("\"{pattern}\" is now called \"{now}\""));
        }
        if found.is_empty() {
            return Err(unknown(&all, pattern));
        }
        for channel in found {
            if !chosen.iter().any(|one| is_same(one, channel)) {
                chosen.push(channel.clone());
            }
        }
    }
    if chosen.is_empty() {
        return Err(Failure::input("--channels names nothing", "leave it out, or name channels"));
    }
    Ok(chosen)
}

/// Whether channels of two runs are drawn as one: their arms may be others.
fn is_same(a: &Channel, b: &Channel) -> bool {
    a.column() == b.column()
}

/// By name; else by kind or group; else by the end of the name.
fn fitting<'a>(all: &[&'a Channel], pattern: &str) -> Vec<&'a Channel> {
    let by = |wanted: &dyn Fn(&Channel) -> bool| -> Vec<&'a Channel> {
        all.iter().copied().filter(|channel| wanted(channel)).collect()
    };
    let named = by(&|channel| fits(pattern, &channel.name) || channel.column() == pattern);
    if !named.is_empty() {
        return named;
    }
    if let Some((_, kind)) = KINDS.iter().find(|(word, _)| *word == pattern) {
        return by(&|channel| Kind::of(channel) == Some(*kind));
    }
    if let Some(group) = ChannelGroup::ALL.into_iter().find(|group| group.word() == pattern) {
        return by(&|channel| group.has(channel));
    }
    by(&|channel| fits(&format!("*.{pattern}"), &channel.name))
}

fn unknown(all: &[&Channel], pattern: &str) -> Failure {
    let message = format!("no channel is called \"{pattern}\"");
    if all.is_empty() {
        return Failure::input(message, "the run has recorded nothing but the time");
    }
    if words().any(|word| word == pattern) {
        let message = format!("the run has recorded no {pattern}");
        return Failure::input(message, "add them to the channels of record in its scenario");
    }
    let known: Vec<&str> = words().collect();
    let mut left: Vec<&str> = all.iter().map(|one| one.name.as_str()).collect();
    left.extend_from_slice(&known);
    let mut near = Vec::new();
    while let Some(next) =
        pliant_io::nearest(pattern, left.iter().copied()).filter(|_| near.len() < 4)
    {
        left.retain(|name| *name != next);
        near.push(next);
    }
    if near.is_empty() {
        let names: Vec<&str> = left.iter().copied().take(12).collect();
        let more = left.len() - names.len();
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        return Failure::input(message, format!("there are {}{more}", names.join(", ")));
    }
    Failure::input(message, format!("did you mean {}?", near.join(", ")))
}

/// Joints, bending, where the tip is, energies; or simply everything.
fn usual(all: &[&Channel]) -> Result<Vec<Channel>, Failure> {
    let says_much = |channel: &&Channel| {
        matches!(
            channel.role,
            ChannelRole::Position
                | ChannelRole::FramePosition
                | ChannelRole::KineticEnergy
                | ChannelRole::PotentialEnergy
                | ChannelRole::ElasticEnergy
                | ChannelRole::TotalEnergy
        )
    };
    let mut chosen: Vec<Channel> = all.iter().copied().filter(says_much).cloned().collect();
    // of several frames, only the last: the end of the arm
    let of_frame = |channel: &Channel| channel.role == ChannelRole::FramePosition;
    if let Some(last) = chosen.iter().rfind(|one| of_frame(one)).map(|one| one.subject.clone()) {
        chosen.retain(|channel| !of_frame(channel) || channel.subject == last);
    }
    chosen
        .sort_by_key(|channel| KINDS.iter().position(|(_, kind)| Kind::of(channel) == Some(*kind)));
    if chosen.is_empty() {
        chosen = all.iter().copied().cloned().collect();
    }
    if chosen.is_empty() {
        let help = "add channels to record in its scenario";
        return Err(Failure::input("the run has recorded nothing but the time", help));
    }
    Ok(chosen)
}
