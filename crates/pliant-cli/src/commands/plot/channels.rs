//! Which channels are drawn.

use super::recorded::Recorded;
use crate::output::Failure;
use pliant::simulate::fits;
use pliant_io::results::{Channel, Group};

/// Kinds of channels by the words that choose them.
const KINDS: &[(&str, Group)] = &[
    ("joints", Group::Joint),
    ("bending", Group::Bending),
    ("tip", Group::Tip),
    ("forces", Group::Force),
    ("energies", Group::Energy),
    ("sensors", Group::Sensor),
];

/// The channels that fit one of the patterns, in their order and each once; without patterns, those
/// that say most.
pub(super) fn chosen(runs: &[Recorded], patterns: &[String]) -> Result<Vec<Channel>, Failure> {
    let mut all: Vec<&Channel> = Vec::new();
    for channel in runs.iter().flat_map(|run| run.reader.channels()) {
        if channel.group != Group::Time && !all.contains(&channel) {
            all.push(channel);
        }
    }
    if patterns.is_empty() {
        return usual(&all);
    }
    let mut chosen: Vec<Channel> = Vec::new();
    for pattern in patterns.iter().map(|pattern| pattern.trim()).filter(|one| !one.is_empty()) {
        let found = fitting(&all, pattern);
        if found.is_empty() {
            return Err(unknown(&all, pattern));
        }
        for channel in found {
            if !chosen.contains(channel) {
                chosen.push(channel.clone());
            }
        }
    }
    if chosen.is_empty() {
        return Err(Failure::input("--channels names nothing", "leave it out, or name channels"));
    }
    Ok(chosen)
}

/// By name; else by kind; else by the end of the name.
fn fitting<'a>(all: &[&'a Channel], pattern: &str) -> Vec<&'a Channel> {
    let by = |wanted: &dyn Fn(&Channel) -> bool| -> Vec<&'a Channel> {
        all.iter().copied().filter(|channel| wanted(channel)).collect()
    };
    let named = by(&|channel| fits(pattern, &channel.name) || channel.column() == pattern);
    if !named.is_empty() {
        return named;
    }
    if let Some((_, kind)) = KINDS.iter().find(|(word, _)| *word == pattern) {
        return by(&|channel| channel.group == *kind);
    }
    by(&|channel| fits(&format!("*.{pattern}"), &channel.name))
}

fn unknown(all: &[&Channel], pattern: &str) -> Failure {
    let message = format!("no channel is called \"{pattern}\"");
    if all.is_empty() {
        return Failure::input(message, "the run has recorded nothing but the time");
    }
    if KINDS.iter().any(|(word, _)| *word == pattern) {
        let message = format!("the run has recorded no {pattern}");
        return Failure::input(message, "add them to the channels of record in its scenario");
    }
    let words = KINDS.iter().map(|(word, _)| *word);
    let mut left: Vec<&str> = all.iter().map(|one| one.name.as_str()).chain(words).collect();
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
    let is_rate = |name: &str| [".rate", ".acceleration"].iter().any(|end| name.ends_with(end));
    let says_much = |channel: &&Channel| {
        let name = channel.name.as_str();
        match channel.group {
            Group::Joint | Group::Bending => !is_rate(name),
            Group::Tip => name.contains(".position."),
            Group::Energy => name.starts_with("energy.") && name != "energy.drift",
            _ => false,
        }
    };
    let mut chosen: Vec<Channel> = all.iter().copied().filter(says_much).cloned().collect();
    // of several frames, only the last: the end of the arm
    let frame =
        |channel: &Channel| channel.name.rsplit_once(".position.").map(|one| one.0.to_owned());
    let of_tip = |channel: &&Channel| channel.group == Group::Tip;
    if let Some(last) = chosen.iter().rfind(of_tip).and_then(frame) {
        chosen.retain(|channel| {
            channel.group != Group::Tip || frame(channel).as_ref() == Some(&last)
        });
    }
    chosen.sort_by_key(|channel| KINDS.iter().position(|(_, kind)| *kind == channel.group));
    if chosen.is_empty() {
        chosen = all.iter().copied().cloned().collect();
    }
    if chosen.is_empty() {
        let help = "add channels to record in its scenario";
        return Err(Failure::input("the run has recorded nothing but the time", help));
    }
    Ok(chosen)
}
