//! Sections of links by their distance, in the names of channels: `upper@0.6.deflection.z`.

use crate::arm::{Builder, Link};
use crate::scenario::description::Scenario;
use crate::spatial::Pose;

/// What stands between a link and the distance from the root of its beam (m).
const AT: char = '@';

/// The names of frames at sections, `upper@0.6`, with link and distance (m), that channels and
/// events ask for.
fn named(scenario: &Scenario) -> Vec<(String, String, f64)> {
    let channels = scenario.record.channels.iter().flatten();
    let expressions = scenario.events.iter().filter_map(|event| event.quantity.expression());
    let mut found: Vec<(String, String, f64)> = Vec::new();
    for text in channels.map(String::as_str).chain(expressions) {
        for (at, _) in text.match_indices(AT) {
            let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
            let before = text[..at].char_indices().rev().find(|&(_, c)| !is_name(c));
            let begin = before.map_or(0, |(at, c)| at + c.len_utf8());
            let (link, rest) = (&text[begin..at], &text[at + 1..]);
            let ends = rest.match_indices('.').map(|(end, _)| end);
            let mut numbers =
                ends.filter_map(|end| Some((&rest[..end], rest[..end].parse().ok()?)));
            let Some((digits, distance)) = numbers.next_back() else { continue };
            let name = format!("{link}{AT}{digits}");
            if found.iter().all(|(known, ..)| *known != name) {
                found.push((name, link.to_owned(), distance));
            }
        }
    }
    found
}

/// Whether there are any.
pub(super) fn are_named(scenario: &Scenario) -> bool {
    !named(scenario).is_empty()
}

/// Adds a frame at each section that its link has.
pub(super) fn add(scenario: &Scenario, arm: Builder) -> Builder {
    let all = named(scenario);
    if all.is_empty() {
        return arm;
    }
    let with_frames = |_: usize, mut link: Link| {
        for (name, of, distance) in &all {
            let own = link.parts();
            let fits = |length: f64| (0.0..=length).contains(distance);
            if own.name == of && own.beam.is_some_and(|beam| fits(beam.whole_length())) {
                link = link.section_frame(name.clone(), *distance, Pose::IDENTITY);
            }
        }
        link
    };
    arm.map_links(with_frames)
}
