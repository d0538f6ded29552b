//! Links with a length: the beam or the bar that they are, and what sits where along them.

use super::bends::Bends;
use super::link::LinkTable;
use super::material::MadeOf;
use super::matter::Matter;
use super::placement::{self, Placed};
use super::profile::{self, StationTable};
use super::section::Sections;
use crate::codes;
use crate::node::quoted;
use crate::problem::Problem;
use crate::reader::Reader;
use crate::shapes::{Length, Number, One, OneOfKinds, PositiveLength, Tables};
use crate::table::{Field, Place, table};
use crate::units::short;
use pliant::arm::{DhConvention, Link, Parent, tip_name};
use pliant::beam::{Basis, Beam, Ways};
use pliant::spatial::Pose;
use std::ops::Range;

table! {
    /// What makes a link long, and what makes it bend.
    pub(crate) struct AlongTable = "the length of a link", "write length = \"1 m\"";
    keys {
        /// Length of the link along the x axis of its frame, including its rigid ends. Children,
        /// payload and frames are then placed at its tip, which is also a frame, NAME.tip.
        length: PositiveLength [or "a link without length"],
        /// Pose of the root of the length in the link frame, if it does not start at the origin
        /// along x.
        root: Placed [or "at its origin"],
        /// The cross-section, constant along the length. With the material it determines the mass
        /// and, of a flexible link, the stiffness.
        section: OneOfKinds<Sections> [or "none; a flexible link needs it, or stations"],
        /// Cross-sections at positions along the link, instead of one section. Dimensions vary
        /// linearly between two stations; two stations at the same position make a step.
        stations: Tables<StationTable> [or "a constant section"],
        /// The material: a name, or a table of its properties.
        material: MadeOf [or "none; sections that are not given by their properties need it"],
        /// Flexibility of the link in bending, twist and stretch.
        bends: One<Bends> [or "a rigid link"],
        /// Rigid ends of a flexible link.
        rigid: One<Rigid> [or "none"],
    }
}

table! {
    /// Rigid ends of a flexible link, with the adjacent section. They are part of the link's
    /// length.
    pub(crate) struct Rigid = "the rigid parts",
        "write { root = \"50 mm\", tip = \"30 mm\" }";
    keys {
        /// Length of the part at the root.
        root: Number<Length> [= 0.0],
        /// Length of the part at the tip.
        tip: Number<Length> [= 0.0],
    }
}

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

impl Along {
    /// The frame of a place on the link as it is when it does not bend.
    pub(super) fn pose(&self, at: f64) -> Pose<f64> {
        self.root.then(&Pose::at(at, 0.0, 0.0))
    }
}

impl AlongTable {
    /// Where the section, or the stations, stand.
    pub(super) fn section_span(&self) -> Option<Range<usize>> {
        self.section.span().or_else(|| self.stations.span())
    }

    /// What describes a beam.
    pub(super) fn of(beam: &Beam) -> Self {
        let [root, tip] = [beam.rigid_root, beam.rigid_tip];
        let rigid = Rigid { root: root.into(), tip: tip.into(), ..Rigid::default() };
        let along = Self {
            length: beam.whole_length().into(),
            root: placement::placed(&beam.root),
            bends: Bends::of(beam).into(),
            rigid: Some(rigid).filter(|_| [root, tip] != [0.0; 2]).into(),
            ..Self::default()
        };
        along.with_profile(beam)
    }
}

/// The length of a link, with its beam or its bar; `None` when it has none.
pub(super) fn of_link(
    reader: &mut Reader,
    table: &LinkTable,
    link: Link,
    matter: &mut Vec<Matter>,
) -> (Link, Option<Along>) {
    complain(reader, table);
    let AlongTable { length, root, bends, .. } = &table.along;
    if !length.is_given() {
        return (link, None);
    }
    let root = placement::pose(reader, root).unwrap_or(Pose::IDENTITY);
    let length = length.value;
    let [rigid_root, rigid_tip] = rigid(reader, &table.along.rigid, length);
    let bending = length.map(|length| (rigid_root, length - rigid_tip));
    let section = table.along.section_span();
    let profile = section.as_ref().and_then(|_| profile::profile(reader, &table.along, bending));
    let mut along = Along { root, length: length.unwrap_or(1.0), bends: false };
    if bends.is_given() {
        let length = bending.map(|(from, to)| to - from);
        let beam = bends.get().and_then(|bends| bends.beam(reader, length, profile));
        let Some(beam) = beam else { return (link, Some(along)) };
        let beam = Beam { root, rigid_root, rigid_tip, ..beam };
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
    let span = section.unwrap_or_default();
    let (mass_span, inertia_span) = (span.clone(), span);
    matter.push(Matter { mass, centre, tensor, mass_span, inertia_span });
    (link.body(mass, centre.to_array(), tensor.to_mat3().to_rows()), Some(along))
}

/// Keys that want others or do not go together.
fn complain(reader: &mut Reader, link: &LinkTable) {
    let AlongTable { length, root, section, stations, material, bends, rigid, .. } = &link.along;
    let has_section = section.is_given() || stations.is_given();
    let has_length = length.is_given();
    let wants: [(Option<&Place>, bool, &str, &str); 6] = [
        (
            bends.given(),
            has_section,
            "section",
            "section = { kind = \"round\", diameter = \"10 mm\" } and material = \"aluminium\"",
        ),
        (
            material.given(),
            has_section,
            "section",
            "section = { kind = \"round\", diameter = \"10 mm\" }",
        ),
        (bends.given(), has_length, "length", "length = \"1 m\""),
        (section.given().or(stations.given()), has_length, "length", "length = \"1 m\""),
        (
            rigid.given(),
            bends.is_given(),
            "bends",
            "bends = { y = 2, z = 2 }; a link without it is rigid altogether",
        ),
        (root.given(), has_length, "length", "length = \"1 m\""),
    ];
    let mut told = Vec::new();
    for (place, has, other, help) in wants {
        if let Some(place) = place.filter(|_| !has && !told.contains(&other)) {
            told.push(other);
            let message = format!("there is {} but no {other}", place.name);
            reader.push(
                Problem::error(&codes::MISSING_KEY, message)
                    .at(place.key.clone())
                    .label(format!("needs {other}"))
                    .help(format!("add {help}")),
            );
        }
    }
    let weight = &link.weight;
    let tells =
        [weight.mass.given(), weight.com.given(), weight.inertia.given(), link.shape.given()];
    for place in tells.into_iter().flatten().filter(|_| has_section) {
        let key = place.name;
        reader.push(
            Problem::error(
                &codes::CONFLICT,
                format!("both {key} and a section are given; the section with its material tells the mass"),
            )
            .at(place.key.clone())
            .label("the section tells it")
            .help(format!("remove {key}, but keep what the section does not weigh: a hub at the root as body = [{{ mass = \"2 kg\" }}], something at the tip as payload = {{ mass = \"2 kg\" }}; pliant convert robot.urdf --bend LINK computes both")),
        );
    }
    let standard =
        link.dh.get().is_some_and(|row| row.convention.value != Some(DhConvention::Modified));
    if let Some(place) = length.given().filter(|_| standard) {
        reader.push(
            Problem::error(
                &codes::CONFLICT,
                "both dh and length are given; a row of the standard convention puts the link's frame at its far end, where no length can begin",
            )
            .at(place.key.clone())
            .label("begins at the link's frame")
            .help("write dh = { …, convention = \"modified\" }, whose frame is at the joint, or a placement; the tip of the parent is where this row begins"),
        );
    }
}

/// The lengths of the rigid parts; zero where they are wrong.
fn rigid(reader: &mut Reader, rigid: &Field<Rigid>, length: Option<f64>) -> [f64; 2] {
    let Some(Rigid { root, tip, span }) = rigid.get() else { return [0.0; 2] };
    let [root, tip] = [root, tip].map(|part| {
        let length = part.value.unwrap_or(0.0);
        let Some(place) = part.given().filter(|_| length < 0.0) else { return length };
        reader.push(
            Problem::error(
                &codes::IMPOSSIBLE_BEAM,
                format!("the rigid part at the {} is {} m long", place.name, short(length)),
            )
            .at(place.value.clone())
            .label("below zero")
            .help("give zero or more, such as \"50 mm\""),
        );
        0.0
    });
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
                    .at(span.clone())
                    .label("as long as the link")
                    .help("length counts from the joint to the tip, with the rigid parts; make it longer or the parts shorter"),
            );
            [0.0; 2]
        }
        _ => [root, tip],
    }
}

/// The place on a link that is meant, within its length; its tip if none is given.
fn place(reader: &mut Reader, along: Option<&Along>, at: &Field<f64>, whose: &str) -> Option<f64> {
    match (along, at.value.zip(at.span())) {
        (Some(along), None) => Some(along.length),
        (Some(along), Some((at, span))) => {
            if (0.0..=along.length * (1.0 + 1e-12)).contains(&at) {
                return Some(at);
            }
            reader.push(
                Problem::error(
                    &codes::OUTSIDE_LENGTH,
                    format!(
                        "at is {} m, but {whose} reaches from 0 to {} m",
                        short(at),
                        short(along.length)
                    ),
                )
                .at(span)
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
                .at(span)
                .label("along what?")
                .help("remove at and give a position, or give that link a length"),
            );
            None
        }
        (None, None) => None,
    }
}

/// Fixes links to the places on their parents, and frames to the places on their links.
pub(super) fn attach(
    reader: &mut Reader,
    links: Vec<(Link, Option<Along>)>,
    tables: &[LinkTable],
) -> Vec<Link> {
    let lengths: Vec<(String, Option<Along>)> =
        links.iter().map(|(link, along)| (link.parts().name.to_owned(), along.clone())).collect();
    let frames = tables.iter().flat_map(LinkTable::frames);
    let taken: Vec<String> = tables
        .iter()
        .map(|link| &link.name)
        .chain(frames.map(|frame| &frame.name))
        .filter_map(|name| name.value.clone())
        .collect();
    let mut attached = Vec::with_capacity(links.len());
    for (i, ((mut link, along), table)) in links.into_iter().zip(tables).enumerate() {
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
        if let Some((on, (name, _))) = on.zip(parent) {
            beyond_tip(reader, on, name, &link, table);
        }
        if let Some((on, distance)) = on.zip(place(reader, on, &table.at, &whose)) {
            link = if on.bends && distance > 0.0 {
                link.at_section(distance)
            } else {
                let placement = link.parts().placement;
                link.at_root().placed(on.pose(distance).then(&placement))
            };
        }
        for frame in table.frames() {
            let place = place(reader, along.as_ref(), &frame.at, "this link");
            let pose = frame.placement.pose(reader);
            let Some((name, pose)) = frame.name.get().zip(pose) else { continue };
            link = match (&along, place) {
                (Some(along), Some(distance)) if along.bends && distance > 0.0 => {
                    link.section_frame(name, distance, pose)
                }
                (Some(along), Some(distance)) => {
                    link.root_frame(name, along.pose(distance).then(&pose))
                }
                _ => link.root_frame(name, pose),
            };
        }
        attached.push(with_tip(link, along.as_ref(), &taken));
    }
    reader.whose.clear();
    attached
}

/// Warns of a link at the tip of its parent whose placement leads as far again as the parent is long:
/// it may be from the root.
fn beyond_tip(reader: &mut Reader, on: &Along, parent: &str, link: &Link, table: &LinkTable) {
    let distance = link.parts().placement.position.norm();
    let Some(span) = table.placement.span().filter(|_| !table.at.is_given()) else { return };
    if (distance - on.length).abs() > AS_LONG * on.length {
        return;
    }
    reader.push(
        Problem::warning(
            &codes::BEYOND_TIP,
            format!(
                "it is placed {} m from the tip of its parent {}, which is itself {} m long",
                short(distance),
                quoted(parent),
                short(on.length)
            ),
        )
        .at(span)
        .label("from the tip, not from the root")
        .help("remove the position where it is at the tip; if it is meant, add at with the parent's length"),
    );
}

/// How near to a parent's length, as a part of it, a placement is taken for one from its root.
const AS_LONG: f64 = 0.02;

/// The frame of a link's tip, unless it is there: a file gives it as NAME.tip on the link NAME.
fn with_tip(link: Link, along: Option<&Along>, taken: &[String]) -> Link {
    let parts = link.parts();
    let name = tip_name(parts.name);
    if parts.frames.iter().any(|(frame, ..)| *frame == name) {
        return link.tip_frame(name);
    }
    let Some(along) = along else { return link };
    let made = |beam: &Beam| beam.rigid_tip > 0.0 || parts.tip_masses().next().is_some();
    if taken.contains(&name) || parts.beam.is_some_and(made) {
        return link;
    }
    if along.bends {
        link.section_frame(&name, along.length, Pose::IDENTITY).tip_frame(name)
    } else {
        let tip = along.pose(along.length);
        link.root_frame(&name, tip).tip_frame(name)
    }
}
