//! Cross-sections, materials, and how they run along a link.

use super::beam_keys::{MATERIAL, SECTIONS, STATION};
use super::matter::{one_or_many, positive, radius};
use crate::codes;
use crate::node::{Node, Value};
use crate::problem::Problem;
use crate::reader::{Fields, Reader};
use crate::units::{self, Quantity, short};
use pliant::beam::{CrossSection, Material, Matter, Ply, Profile, Section};
use std::mem::discriminant;
use std::ops::Range;

/// A section before its material is known.
#[derive(Clone, Copy)]
enum Cut {
    Given(Section),
    Outline(CrossSection),
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
    link: &Fields<'_>,
    bending: Option<(f64, f64)>,
) -> Option<Profile> {
    let ways = ["section", "stations"];
    if reader.at_most_one(link, &ways, "a link has one section or stations")? == "section" {
        let cut = section(reader, link.get("section")?);
        let given = matches!(cut, Some(Cut::Given(_)));
        let material = of_link(reader, link, !given, given);
        return Some(Profile::from(matter(cut?, material)?));
    }
    let nodes = link.get("stations").map_or(&[][..], one_or_many);
    let given = |node: &Node| {
        let kind = node.entry("section").and_then(|entry| entry.node.entry("kind"));
        kind.is_some_and(|kind| matches!(&kind.node.value, Value::Text(word) if word == "given"))
    };
    let needed = nodes.iter().any(|node| !given(node) && node.entry("material").is_none());
    let all_given = !nodes.is_empty() && nodes.iter().all(given);
    let material = of_link(reader, link, needed, all_given);
    let read: Vec<Option<Station>> =
        nodes.iter().map(|node| station(reader, node, material.as_ref())).collect();
    let mut stations = read.into_iter().collect::<Option<Vec<Station>>>()?;
    let bending = bending?;
    if let Some(problem) = fault(link, &stations, bending) {
        reader.push(problem);
        return None;
    }
    tidy(&mut stations, bending);
    let at = |s: Station| (s.place - bending.0, s.matter);
    Some(Profile::along(stations.into_iter().map(at).collect()))
}

/// The material of a link; `needed` when some section has no own one, `given` when all are given.
fn of_link(reader: &mut Reader, link: &Fields<'_>, needed: bool, given: bool) -> Option<Material> {
    let Some(entry) = link.entry("material") else {
        if needed {
            let key = if link.entry("section").is_some() { "section" } else { "stations" };
            reader.push(
                Problem::error(&codes::MISSING_KEY, format!("there is {key} but no material"))
                    .at(link.span_of(key))
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
            .at(entry.key_span.clone())
            .help("remove material, or give a section by its dimensions"),
        );
    }
    material(reader, &entry.node)
}

fn matter(cut: Cut, material: Option<Material>) -> Option<Matter> {
    Some(match cut {
        Cut::Given(section) => Matter::Given(section),
        Cut::Outline(outline) => Matter::Made { outline, material: material? },
    })
}

fn station(reader: &mut Reader, node: &Node, of_link: Option<&Material>) -> Option<Station> {
    let fields = reader.fields("the station", node, &STATION)?;
    let place_node = fields.get("at")?;
    let place = reader.number("at", place_node, &units::LENGTH);
    let cut = section(reader, fields.get("section")?);
    let own = fields.get("material").map(|node| material(reader, node));
    let matter = matter(cut?, own.unwrap_or_else(|| of_link.cloned()))?;
    let (place_span, span) = (place_node.span.clone(), node.span.clone());
    Some(Station { place: place?, matter, place_span, span })
}

/// What is wrong with the row of stations: they go outward, reach from end to end, and neighbours
/// are alike.
fn fault(link: &Fields<'_>, stations: &[Station], (from, to): (f64, f64)) -> Option<Problem> {
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
        return Some(problem(&link.span_of("stations"), "there are no stations".into()).help(help));
    };
    let (begins, ends) = (near(first.place, from), near(last.place, to));
    if begins && ends && stations.len() > 1 {
        return None;
    }
    let whole = match link.entry("rigid") {
        Some(_) => "the part of the link that bends",
        None => "the link",
    };
    let (run, to) = (short(first.place), short(last.place));
    let message =
        format!("the stations run from {run} m to {to} m, {whole} from {start} m to {end} m");
    let (wrong, label) =
        if begins { (last, "not at the end") } else { (first, "not at the beginning") };
    let problem = problem(&wrong.place_span, message).label(label).help(help);
    Some(match link.get("length") {
        Some(length) => problem.and_at(length.span.clone(), "the length"),
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

/// A section by its kind.
fn section(reader: &mut Reader, node: &Node) -> Option<Cut> {
    let words = SECTIONS.iter().map(|spec| spec.name);
    let Some(kind) = node.entry("kind") else {
        let help =
            format!("add kind = \"round\"; it can be: {}", words.collect::<Vec<_>>().join(", "));
        match node.value {
            Value::Table(_) => reader.push(
                Problem::error(&codes::MISSING_KEY, "the section has no kind")
                    .at(node.span.clone())
                    .label("kind is missing")
                    .help(help),
            ),
            _ => reader.wrong_type("section", node, "a table", SECTIONS[0].example),
        }
        return None;
    };
    let kind = reader.word("the kind of section", &kind.node, words)?;
    let spec = SECTIONS.iter().find(|spec| spec.name == kind)?;
    let fields = reader.fields(&format!("the {kind} section"), node, spec)?;
    if kind == "given" {
        return given(reader, &fields).map(Cut::Given);
    }
    let mut long = |key: &str| fields.get(key).and_then(|node| positive(reader, key, node));
    let outline = match kind {
        "rectangle" => {
            let (height, width) = (long("height"), long("width"));
            CrossSection::Rectangle { height: height?, width: width? }
        }
        "box" => {
            let (height, width, wall) = (long("height"), long("width"), long("wall"));
            CrossSection::Box { height: height?, width: width?, wall: wall? }
        }
        "i" => {
            let (height, width) = (long("height"), long("width"));
            let (web, flange) = (long("web"), long("flange"));
            CrossSection::I { height: height?, width: width?, web: web?, flange: flange? }
        }
        "tube" => {
            let wall = long("wall");
            let radius = radius(reader, "section", &fields);
            CrossSection::Tube { diameter: 2.0 * radius?, wall: wall? }
        }
        _ => CrossSection::Round { diameter: 2.0 * radius(reader, "section", &fields)? },
    };
    if let Some((name, value, _)) = outline.fault() {
        let sizes: Vec<String> = outline
            .dimensions()
            .iter()
            .filter(|(other, _)| *other != name)
            .map(|(other, value)| format!("{other} {} m", short(*value)))
            .collect();
        reader.push(
            Problem::error(
                &codes::NOT_POSITIVE,
                format!(
                    "the {name} of the {kind} section is {} m, too thick for its {}",
                    short(value),
                    sizes.join(", ")
                ),
            )
            .at(fields.span_of(name))
            .label("too thick")
            .help(match name {
                "web" => "a web is at most as thick as the section is wide",
                "flange" => "a flange is at most as thick as half the height",
                _ => "a wall is at most as thick as half the section; check its unit",
            }),
        );
        return None;
    }
    Some(Cut::Outline(outline))
}

/// A section by its properties.
fn given(reader: &mut Reader, fields: &Fields<'_>) -> Option<Section> {
    let mut failed = false;
    let mut number = |key: &str, quantity: &'static Quantity| {
        let node = fields.get(key)?;
        let number = reader.number(key, node, quantity);
        failed |= number.is_none();
        number
    };
    let section = Section {
        ea: number("EA", &units::FORCE).unwrap_or(0.0),
        ei_z: number("EIz", &units::BENDING_STIFFNESS).unwrap_or(0.0),
        ei_y: number("EIy", &units::BENDING_STIFFNESS).unwrap_or(0.0),
        gj: number("GJ", &units::BENDING_STIFFNESS).unwrap_or(0.0),
        kga_y: number("kappaGAy", &units::FORCE),
        kga_z: number("kappaGAz", &units::FORCE),
        rho_a: number("rhoA", &units::MASS_PER_LENGTH).unwrap_or(0.0),
        rho_i_z: number("rhoIz", &units::INERTIA_PER_LENGTH).unwrap_or(0.0),
        rho_i_y: number("rhoIy", &units::INERTIA_PER_LENGTH).unwrap_or(0.0),
    };
    let mut not_negative = |key: &str, value: f64| {
        if value < 0.0 {
            failed = true;
            reader.push(
                Problem::error(
                    &codes::IMPOSSIBLE_BEAM,
                    format!("{key} of the section is {}, below zero", short(value)),
                )
                .at(fields.span_of(key))
                .label("below zero")
                .help("give zero or more; what is left out is zero"),
            );
        }
    };
    let Section { ea, ei_z, ei_y, gj, kga_y, kga_z, rho_a, rho_i_z, rho_i_y } = section;
    for (key, value) in [
        ("EA", ea),
        ("EIz", ei_z),
        ("EIy", ei_y),
        ("GJ", gj),
        ("kappaGAy", kga_y.unwrap_or(0.0)),
        ("kappaGAz", kga_z.unwrap_or(0.0)),
        ("rhoA", rho_a),
        ("rhoIz", rho_i_z),
        ("rhoIy", rho_i_y),
    ] {
        not_negative(key, value);
    }
    (!failed).then_some(section)
}

/// A material by name, by its properties, or as a layup.
fn material(reader: &mut Reader, node: &Node) -> Option<Material> {
    if let Value::Text(_) = node.value {
        return known(reader, "material", node);
    }
    let fields = reader.fields("material", node, &MATERIAL)?;
    let way = reader.at_most_one(&fields, &["name", "layup"], "a material begins with one of them");
    let base = match way.map(|way| (way, fields.get(way))) {
        Some(("name", Some(node))) => Some(known(reader, "the name of the material", node)?),
        Some((_, Some(node))) => Some(layup(reader, node)?),
        _ => None,
    };
    let mut missing = Vec::new();
    let mut failed = false;
    let mut property = |key: &'static str, quantity, of_base: Option<f64>| {
        let Some(node) = fields.get(key) else {
            if of_base.is_none() {
                missing.push(key);
            }
            return of_base;
        };
        let number = stiff(reader, key, node, quantity);
        failed |= number.is_none();
        number
    };
    let young = property("young", &units::MODULUS, base.as_ref().map(|m| m.young));
    let shear = property("shear", &units::MODULUS, base.as_ref().map(|m| m.shear));
    let density = property("density", &units::DENSITY, base.as_ref().map(|m| m.density));
    let strength = match fields.get("strength") {
        Some(node) => Some(stiff(reader, "strength", node, &units::PRESSURE)?),
        None => base.as_ref().and_then(|material| material.strength),
    };
    if !missing.is_empty() {
        reader.push(
            Problem::error(
                &codes::MISSING_KEY,
                format!("the material has no {}", missing.join(" and no ")),
            )
            .at(node.span.clone())
            .help("add young = \"70 GPa\", shear = \"26 GPa\" and density = \"2700 kg/m^3\", or begin with a known one: name = \"aluminium\""),
        );
    }
    let (young, shear, density) = (young?, shear?, density?);
    let changed = ["young", "shear", "density", "strength"].iter().any(|k| fields.get(k).is_some());
    if failed {
        return None;
    }
    Some(match base {
        Some(base) if !changed => base,
        _ => {
            Material { name: "given".to_owned(), young, shear, density, strength, source: "given" }
        }
    })
}

/// A material by name.
fn known(reader: &mut Reader, what: &str, node: &Node) -> Option<Material> {
    match &node.value {
        // two spellings, of which one is offered
        Value::Text(name) if name == "aluminum" => Material::named(name),
        _ => Material::named(reader.word(what, node, Material::NAMES.into_iter())?),
    }
}

/// A property of a material, which is positive.
fn stiff(reader: &mut Reader, key: &str, node: &Node, quantity: &Quantity) -> Option<f64> {
    let number = reader.number(key, node, quantity)?;
    if number > 0.0 {
        return Some(number);
    }
    reader.push(
        Problem::error(
            &codes::IMPOSSIBLE_BEAM,
            format!(
                "{key} of the material is {number:e} {}, wanted is more than zero",
                quantity.si
            ),
        )
        .at(node.span.clone())
        .label("not positive")
        .help(format!("write {key} = \"{}\"", quantity.example)),
    );
    None
}

fn layup(reader: &mut Reader, node: &Node) -> Option<Material> {
    let angles = reader.any_numbers("layup", node, &units::ANGLE)?;
    if angles.is_empty() {
        reader.push(
            Problem::error(&codes::WRONG_COUNT, "the layup has no plies")
                .at(node.span.clone())
                .help(
                    "give the angle of each ply: [\"0 deg\", \"45 deg\", \"-45 deg\", \"90 deg\"]",
                ),
        );
        return None;
    }
    let degrees: Vec<f64> = angles.into_iter().map(f64::to_degrees).collect();
    // a ply lies as it did after half a turn
    let same = |a: f64, b: f64| ((a - b) / 180.0 - ((a - b) / 180.0).round()).abs() < 1e-6;
    let count = |wanted: f64| degrees.iter().filter(|angle| same(**angle, wanted)).count();
    if let Some(alone) = degrees.iter().find(|angle| count(**angle) != count(-**angle)) {
        let message = format!(
            "the layup has more plies at {0} deg than at {1} deg",
            short(*alone),
            short(-alone)
        );
        reader.push(
            Problem::error(&codes::UNBALANCED_LAYUP, message)
                .at(node.span.clone())
                .label("twists when it is pulled")
                .help("give every ply its mirror image: [\"0 deg\", \"45 deg\", \"-45 deg\"]"),
        );
        return None;
    }
    let source = "T300/5208 (Tsai and Hahn 1980), by lamination theory";
    Some(Material::laminate(&Ply::T300_5208, &degrees, source))
}
