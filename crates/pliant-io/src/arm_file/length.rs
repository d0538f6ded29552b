//! Links with a length: the beam or the bar that they are, and what sits where along them.

use super::beam_keys::RIGID;
use super::bends::{self, BendsSpans};
use super::faults::Spans;
use super::matter::{Matter, positive};
use super::{placement, section};
use crate::codes;
use crate::node::{Entry, Node, Value, quoted};
use crate::problem::Problem;
use crate::reader::{Fields, Reader};
use crate::units::{self, short};
use pliant::arm::{Link, Parent};
use pliant::beam::{Basis, Beam, Ways};
use pliant::spatial::Pose;
use std::ops::Range;

/// A link with a length.
#[derive(Clone, Debug)]
pub(super) struct Along {
    /// Where it begins, link frame.
    pub(super) root: Pose<f64>,
    /// With its rigid parts (m).
    pub(super) length: f64,
    /// Whether it bends.
    pub(super) bends: bool,
}

/// A place along a link, and where it stands in the text.
pub(super) type Place = (f64, Range<usize>);

/// A frame before it is fixed to its link.
#[derive(Clone, Debug)]
pub(super) struct FrameAt {
    pub(super) name: String,
    pub(super) at: Option<Place>,
    pub(super) pose: Pose<f64>,
}

impl Along {
    /// The frame of a place on the link as it is when it does not bend.
    pub(super) fn pose(&self, at: f64) -> Pose<f64> {
        self.root.then(&Pose::at(at, 0.0, 0.0))
    }
}

/// The length of a link, with its beam or its bar; `None` when it has none.
pub(super) fn of_link(
    reader: &mut Reader,
    fields: &Fields<'_>,
    link: Link,
    spans: &mut Spans,
) -> (Link, Option<Along>) {
    complain(reader, fields);
    spans.section =
        ["section", "stations"].iter().find_map(|key| fields.get(key)).map(|n| n.span.clone());
    spans.bends = fields.get("bends").map(BendsSpans::new);
    let Some(node) = fields.get("length") else {
        return (link, None);
    };
    let root = match fields.get("root") {
        Some(node) => placement::placement(reader, "root", node).unwrap_or(Pose::IDENTITY),
        None => Pose::IDENTITY,
    };
    let length = positive(reader, "length", node);
    let [rigid_root, rigid_tip] = rigid(reader, fields, length);
    let bending = length.map(|length| (rigid_root, length - rigid_tip));
    let has_section = ["section", "stations"].iter().any(|key| fields.get(key).is_some());
    let profile = if has_section { section::profile(reader, fields, bending) } else { None };
    let mut along = Along { root, length: length.unwrap_or(1.0), bends: false };
    if let Some(node) = fields.get("bends") {
        let length = bending.map(|(from, to)| to - from);
        let Some(beam) = bends::beam(reader, node, length, profile) else {
            return (link, Some(along));
        };
        let beam = Beam { root, rigid_root, rigid_tip, ..beam };
        if let Some(bends) = &mut spans.bends {
            bends.segments = beam.segments;
        }
        along.length = beam.whole_length();
        along.bends = true;
        return (link.beam(beam), Some(along));
    }
    let Some((profile, length)) = profile.zip(length) else {
        return (link, Some(along));
    };
    // what does not bend needs no shapes
    let bar = Beam::new(length, profile, Basis::ClampedFree(Ways::default()));
    let bar = bar.at_rest().seen_from(&root);
    let (mass, centre, tensor) = (bar.mass, bar.centre(), bar.tensor_about_centre());
    let span = spans.section.clone().unwrap_or_default();
    let (mass_span, inertia_span) = (span.clone(), span);
    spans.matter.push(Matter { mass, centre, tensor, mass_span, inertia_span });
    (link.body(mass, centre.to_array(), tensor.to_mat3().to_rows()), Some(along))
}

/// Keys that want others or do not go together.
fn complain(reader: &mut Reader, fields: &Fields<'_>) {
    let given = |key: &str| fields.entry(key).is_some();
    let has_section = given("section") || given("stations");
    let wants: [(&str, bool, &str, &str); 6] = [
        (
            "bends",
            has_section,
            "section",
            "section = { kind = \"round\", diameter = \"10 mm\" } and material = \"aluminium\"",
        ),
        (
            "material",
            has_section,
            "section",
            "section = { kind = \"round\", diameter = \"10 mm\" }",
        ),
        ("bends", given("length"), "length", "length = \"1 m\""),
        (
            if given("section") { "section" } else { "stations" },
            given("length"),
            "length",
            "length = \"1 m\"",
        ),
        (
            "rigid",
            given("bends"),
            "bends",
            "bends = { y = 2, z = 2 }; a link without it is rigid altogether",
        ),
        ("root", given("length"), "length", "length = \"1 m\""),
    ];
    let mut told = Vec::new();
    for (key, has, other, help) in wants {
        if let Some(entry) = fields.entry(key).filter(|_| !has && !told.contains(&other)) {
            told.push(other);
            reader.push(
                Problem::error(&codes::MISSING_KEY, format!("there is {key} but no {other}"))
                    .at(entry.key_span.clone())
                    .label(format!("needs {other}"))
                    .help(format!("add {help}")),
            );
        }
    }
    for key in ["mass", "com", "inertia", "shape"] {
        if let Some(entry) = fields.entry(key).filter(|_| has_section) {
            reader.push(
                Problem::error(
                    &codes::CONFLICT,
                    format!("both {key} and a section are given; the section with its material tells the mass"),
                )
                .at(entry.key_span.clone())
                .label("the section tells it")
                .help(format!("remove {key}; a hub at the root is written body = [{{ mass = \"2 kg\" }}], something at the tip payload = {{ mass = \"2 kg\" }}")),
            );
        }
    }
    let standard = fields.get("dh").is_some_and(|row| {
        let modified =
            |entry: &Entry| matches!(&entry.node.value, Value::Text(word) if word == "modified");
        !row.entry("convention").is_some_and(modified)
    });
    if let Some(entry) = fields.entry("length").filter(|_| standard) {
        reader.push(
            Problem::error(
                &codes::CONFLICT,
                "both dh and length are given; a row of the standard convention puts the link's frame at its far end, where no length can begin",
            )
            .at(entry.key_span.clone())
            .label("begins at the link's frame")
            .help("write dh = { …, convention = \"modified\" }, whose frame is at the joint, or a placement; the tip of the parent is where this row begins"),
        );
    }
}

/// The lengths of the rigid parts; zero where they are wrong.
fn rigid(reader: &mut Reader, fields: &Fields<'_>, length: Option<f64>) -> [f64; 2] {
    let Some(node) = fields.get("rigid") else { return [0.0; 2] };
    let Some(parts) = reader.fields("rigid", node, &RIGID) else { return [0.0; 2] };
    let lengths = ["root", "tip"].map(|key| {
        let node = parts.get(key)?;
        let part = reader.number(key, node, &units::LENGTH)?;
        if part >= 0.0 {
            return Some(part);
        }
        reader.push(
            Problem::error(
                &codes::IMPOSSIBLE_BEAM,
                format!("the rigid part at the {key} is {} m long", short(part)),
            )
            .at(node.span.clone())
            .label("below zero")
            .help("give zero or more, such as \"50 mm\""),
        );
        None
    });
    let [root, tip] = lengths.map(|part| part.unwrap_or(0.0));
    match length {
        Some(length) if root + tip >= length => {
            let problem = Problem::error(
                &codes::IMPOSSIBLE_BEAM,
                format!(
                    "the rigid parts are {} m long together, the whole link {} m, and nothing is left to bend",
                    short(root + tip),
                    short(length)
                ),
            );
            reader.push(
                problem
                    .at(node.span.clone())
                    .label("as long as the link")
                    .help("length counts from the joint to the tip, with the rigid parts; make it longer or the parts shorter"),
            );
            [0.0; 2]
        }
        _ => [root, tip],
    }
}

/// The key `at`.
pub(super) fn at(reader: &mut Reader, node: Option<&Node>) -> Option<Place> {
    let node = node?;
    Some((reader.number("at", node, &units::LENGTH)?, node.span.clone()))
}

/// The place on a link that is meant, within its length; its tip if none is given.
fn place(
    reader: &mut Reader,
    along: Option<&Along>,
    at: Option<&Place>,
    whose: &str,
) -> Option<f64> {
    match (along, at) {
        (Some(along), None) => Some(along.length),
        (Some(along), Some((at, span))) => {
            if (0.0..=along.length * (1.0 + 1e-12)).contains(at) {
                return Some(*at);
            }
            reader.push(
                Problem::error(
                    &codes::OUTSIDE_LENGTH,
                    format!(
                        "at is {} m, but {whose} reaches from 0 to {} m",
                        short(*at),
                        short(along.length)
                    ),
                )
                .at(span.clone())
                .label("not on the link")
                .help("at counts along the link from its root; without at it is the tip, and placement leads away from there"),
            );
            None
        }
        (None, Some((_, span))) => {
            reader.push(
                Problem::error(
                    &codes::NO_LENGTH,
                    format!("at counts along a link that has a length, and {whose} has none"),
                )
                .at(span.clone())
                .label("along what?")
                .help("remove at and give a position, or give that link a length"),
            );
            None
        }
        (None, None) => None,
    }
}

/// A link that waits for its parent.
pub(super) struct Waiting {
    pub(super) link: Link,
    pub(super) along: Option<Along>,
    pub(super) at: Option<Place>,
    pub(super) frames: Vec<FrameAt>,
}

/// Fixes links to the places on their parents, and frames to the places on their links.
pub(super) fn attach(reader: &mut Reader, waiting: Vec<Waiting>) -> Vec<Link> {
    let lengths: Vec<(String, Option<Along>)> =
        waiting.iter().map(|w| (w.link.parts().name.to_owned(), w.along.clone())).collect();
    let frames = waiting.iter().flat_map(|w| w.frames.iter().map(|frame| frame.name.clone()));
    let taken: Vec<String> = lengths.iter().map(|(name, _)| name.clone()).chain(frames).collect();
    let mut links = Vec::with_capacity(waiting.len());
    for (i, Waiting { mut link, along, at, frames }) in waiting.into_iter().enumerate() {
        reader.whose = format!("link {}", quoted(&lengths[i].0));
        let parent = match link.parts().parent {
            Parent::Previous => i.checked_sub(1).map(|p| &lengths[p]),
            Parent::Ground => None,
            Parent::Link(name) => lengths.iter().find(|(link, _)| link == name),
        };
        let whose = parent.map_or_else(
            || "the ground".to_owned(),
            |(name, _)| format!("its parent {}", quoted(name)),
        );
        let on = parent.and_then(|(_, along)| along.as_ref());
        if let Some((on, distance)) = on.zip(place(reader, on, at.as_ref(), &whose)) {
            link = if on.bends && distance > 0.0 {
                link.at_section(distance)
            } else {
                let placement = link.parts().placement;
                link.placed(on.pose(distance).then(&placement))
            };
        }
        for FrameAt { name, at, pose } in frames {
            link = match (&along, place(reader, along.as_ref(), at.as_ref(), "this link")) {
                (Some(along), Some(distance)) if along.bends && distance > 0.0 => {
                    link.section_frame(name, distance, pose)
                }
                (Some(along), Some(distance)) => link.frame(name, along.pose(distance).then(&pose)),
                _ => link.frame(name, pose),
            };
        }
        links.push(with_tip(link, along.as_ref(), &taken));
    }
    reader.whose.clear();
    links
}

/// The frame of a link's tip, unless it is there.
fn with_tip(link: Link, along: Option<&Along>, taken: &[String]) -> Link {
    let Some(along) = along else { return link };
    let name = format!("{}.tip", link.parts().name);
    let parts = link.parts();
    let made = |beam: &Beam| beam.rigid_tip > 0.0 || !parts.tip_masses.is_empty();
    if taken.contains(&name) || parts.beam.is_some_and(made) {
        return link;
    }
    if along.bends {
        link.section_frame(name, along.length, Pose::IDENTITY)
    } else {
        let tip = along.pose(along.length);
        link.frame(name, tip)
    }
}
