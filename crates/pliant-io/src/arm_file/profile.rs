//! How cross-sections and materials run along a link.

use super::length::AlongTable;
use super::material::{MadeOf, made, material};
use super::section::{Cut, Sections};
use crate::codes;
use crate::problem::Problem;
use crate::reader::Reader;
use crate::shapes::{Length, Number, OneOfKinds};
use crate::table::table;
use crate::units::short;
use pliant::beam::{Beam, Material, Matter, Profile};
use std::mem::discriminant;
use std::ops::Range;

table! {
    /// The cross-section at a position along a link.
    pub(crate) struct StationTable = "a station",
        "write { at = \"0 m\", section = { kind = \"round\", diameter = \"10 mm\" } }";
    keys {
        /// Position along the link.
        at: Number<Length> [required],
        /// The cross-section there.
        section: OneOfKinds<Sections> [required],
        /// The material there.
        material: MadeOf [or "the link's"],
    }
}

/// A section at a place, and where it stands in the text.
struct Station {
    place: f64,
    matter: Matter,
    place_span: Range<usize>,
    span: Range<usize>,
}

/// The cross-section along a link; `bending` are the ends of the part that bends, where they are
/// known.
pub(super) fn profile(
    reader: &mut Reader,
    along: &AlongTable,
    bending: Option<(f64, f64)>,
) -> Option<Profile> {
    let AlongTable { section, stations, .. } = along;
    reader.exclude(&[section.given(), stations.given()], "a link has one section or stations");
    if section.is_given() {
        let section = section.get();
        let given = section.is_some_and(Sections::is_given);
        let cut = section.and_then(|section| section.cut(reader));
        let material = of_link(reader, along, section.is_some() && !given, given);
        return Some(Profile::from(matter(cut?, material)?));
    }
    let Some(tables) = stations.get() else {
        of_link(reader, along, false, false);
        return None;
    };
    let given = |station: &StationTable| station.section.get().is_some_and(Sections::is_given);
    let outline = |station: &StationTable| station.section.get().is_some() && !given(station);
    let needed = tables.iter().any(|station| outline(station) && !station.material.is_given());
    let all_given = !tables.is_empty() && tables.iter().all(given);
    let shared = of_link(reader, along, needed, all_given);
    let read: Vec<Option<Station>> =
        tables.iter().map(|table| table.station(reader, shared.as_ref())).collect();
    let mut stations = read.into_iter().collect::<Option<Vec<Station>>>()?;
    let bending = bending?;
    if let Some(problem) = fault(along, &stations, bending) {
        reader.push(problem);
        return None;
    }
    tidy(&mut stations, bending);
    let at = |s: Station| (s.place - bending.0, s.matter);
    Some(Profile::along(stations.into_iter().map(at).collect()))
}

/// The material of a link; `needed` when some section has no own one, `given` when all are given.
fn of_link(reader: &mut Reader, along: &AlongTable, needed: bool, given: bool) -> Option<Material> {
    let Some(place) = along.material.given() else {
        if needed && let Some(section) = along.section.given().or(along.stations.given()) {
            reader.push(
                Problem::error(
                    &codes::MISSING_KEY,
                    format!("there is {} but no material", section.name),
                )
                .at(section.value.clone())
                .label("of which material?")
                .help(format!(
                    "add material = \"aluminium\"; known are {}, and {}",
                    Material::NAMES.join(", "),
                    "{ young = …, shear = …, density = … }"
                )),
            );
        }
        return None;
    };
    if given {
        reader.push(
            Problem::error(
                &codes::CONFLICT,
                "both a given section and a material are there; the section tells it already",
            )
            .at(place.key.clone())
            .help("remove material, or give a section by its dimensions"),
        );
    }
    material(reader, along.material.get()?)
}

fn matter(cut: Cut, material: Option<Material>) -> Option<Matter> {
    Some(match cut {
        Cut::Given(section) => Matter::Given(section),
        Cut::Outline(outline) => Matter::Made { outline, material: material? },
    })
}

impl StationTable {
    fn station(&self, reader: &mut Reader, of_link: Option<&Material>) -> Option<Station> {
        let cut = self.section.get().and_then(|section| section.cut(reader));
        let own = self.material.get().map(|made| material(reader, made));
        let matter = matter(cut?, own.unwrap_or_else(|| of_link.cloned()))?;
        let (place_span, span) = (self.at.span_or(&self.span), self.span.clone());
        Some(Station { place: self.at.value?, matter, place_span, span })
    }
}

impl AlongTable {
    /// Adds what describes the section of a beam along its length, and the material.
    pub(super) fn with_profile(mut self, beam: &Beam) -> Self {
        let stations = beam.profile.stations();
        let of = |matter: &Matter| match matter {
            Matter::Made { material, .. } => Some(made(material)),
            Matter::Given(_) => None,
        };
        let shared = stations.first().and_then(|(_, matter)| of(matter));
        if let [(_, matter)] = stations {
            self.section = Sections::of(matter).into();
        } else {
            let station = |(place, matter): &(f64, Matter)| StationTable {
                at: (place + beam.rigid_root).into(),
                section: Sections::of(matter).into(),
                material: of(matter).filter(|own| Some(own) != shared.as_ref()).into(),
                ..StationTable::default()
            };
            self.stations = stations.iter().map(station).collect::<Vec<_>>().into();
        }
        self.material = shared.into();
        self
    }
}

/// What is wrong with the row of stations: they go outward, reach from end to end, and neighbours
/// are alike.
fn fault(along: &AlongTable, stations: &[Station], (from, to): (f64, f64)) -> Option<Problem> {
    let problem = |span: &Range<usize>, message: String| {
        Problem::error(&codes::STATIONS, message).at(span.clone())
    };
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * (to - from).abs();
    for pair in stations.windows(2) {
        let [a, b] = pair else { continue };
        let steps = near(a.place, b.place);
        let (before, here) = (short(a.place), short(b.place));
        if b.place < a.place && !steps {
            let message = format!("a station at {here} m comes after one at {before} m");
            return Some(
                problem(&b.place_span, message)
                    .label("goes back")
                    .help("put the stations in the order of their places, from the root outward"),
            );
        }
        if !steps && !alike(&a.matter, &b.matter) {
            let message = format!(
                "the stations at {before} m and {here} m differ in kind or material, and so no \
                 section is defined between them"
            );
            return Some(
                problem(&b.span, message)
                    .label("of another kind")
                    .help(format!("give neighbours one kind and material; for a sudden change put a further station at {here} m before this one, like the one at {before} m")),
            );
        }
    }
    let [start, end] = [from, to].map(short);
    let help = format!("begin with a station at {start} m and end with one at {end} m");
    let (Some(first), Some(last)) = (stations.first(), stations.last()) else {
        let span = along.stations.span_or(&along.span);
        return Some(problem(&span, "there are no stations".into()).help(help));
    };
    let (begins, ends) = (near(first.place, from), near(last.place, to));
    if begins && ends && stations.len() > 1 {
        return None;
    }
    let whole = match along.rigid.given() {
        Some(_) => "the part of the link that bends",
        None => "the link",
    };
    let (run, to) = (short(first.place), short(last.place));
    let message =
        format!("the stations run from {run} m to {to} m, {whole} from {start} m to {end} m");
    let (wrong, label) =
        if begins { (last, "not at the end") } else { (first, "not at the beginning") };
    let problem = problem(&wrong.place_span, message).label(label).help(help);
    Some(match along.length.span() {
        Some(length) => problem.and_at(length, "the length"),
        None => problem,
    })
}

/// Puts the ends and the steps exactly in their places, whatever the units made of them.
fn tidy(stations: &mut [Station], (from, to): (f64, f64)) {
    let near = |a: f64, b: f64| (a - b).abs() <= 1e-9 * (to - from).abs();
    let mut before = from;
    for station in stations {
        for place in [before, to] {
            if near(station.place, place) {
                station.place = place;
            }
        }
        before = station.place;
    }
}

/// Whether dimensions can run linearly from one to the other.
fn alike(a: &Matter, b: &Matter) -> bool {
    match (a, b) {
        (Matter::Given(_), Matter::Given(_)) => true,
        (Matter::Made { outline: a, material }, Matter::Made { outline: b, material: same }) => {
            discriminant(a) == discriminant(b) && material == same
        }
        _ => false,
    }
}
