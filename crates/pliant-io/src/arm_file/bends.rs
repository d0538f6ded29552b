//! How a link bends.

use super::beam_keys::{BEAM_DAMPING, BENDS, HINGE, LOAD, SLIDES};
use crate::codes;
use crate::node::{Node, Value};
use crate::problem::Problem;
use crate::reader::{Fields, Reader};
use crate::units;
use pliant::beam::{Basis, Beam, Damping, Load, Profile, Scale, Slide, TipLoad, Ways};
use pliant::nalgebra::DMatrix;
use std::ops::Range;

/// More shapes each way than this are refused: digits are lost in them.
const MOST_SHAPES: u32 = 20;

/// More elements or pieces than this are refused: the integrals of elements take minutes.
const MOST_PARTS: u32 = 100;

/// More segments than this are refused.
const MOST_SEGMENTS: u32 = 200;

/// More coordinates than this are refused, for one segment and for one link.
const MOST_COORDINATES: (usize, usize) = (100, 500);

/// Where the keys of `bends` stand.
#[derive(Clone, Debug, Default)]
pub(super) struct BendsSpans {
    /// The whole.
    pub(super) whole: Range<usize>,
    keys: Vec<(String, Range<usize>)>,
}

impl BendsSpans {
    pub(super) fn new(node: &Node) -> Self {
        let keys = match &node.value {
            Value::Table(entries) => {
                entries.iter().map(|entry| (entry.key.clone(), entry.node.span.clone())).collect()
            }
            _ => Vec::new(),
        };
        Self { whole: node.span.clone(), keys }
    }

    /// Where the value of a key stands, or the whole.
    pub(super) fn of(&self, key: &str) -> Range<usize> {
        let found = self.keys.iter().find(|(name, _)| name == key);
        found.map_or(&self.whole, |(_, span)| span).clone()
    }
}

/// A beam of this length (m) and profile that bends as the table says.
pub(super) fn beam(
    reader: &mut Reader,
    node: &Node,
    length: Option<f64>,
    profile: Option<Profile>,
) -> Option<Beam> {
    let fields = reader.fields("bends", node, &BENDS)?;
    let basis = basis(reader, &fields);
    let foreshortening = match fields.get("stiffening") {
        Some(node) => reader.flag("stiffening", node),
        None => Some(true),
    };
    let shear = reader.is_set(&fields, "shear");
    let segments = match fields.get("segments") {
        Some(node) => reader.count("segments", node, (1, MOST_SEGMENTS)),
        None => Some(1),
    };
    let rotation = reader.choice(&fields, "rotation");
    let damping = match fields.get("damping") {
        Some(node) => damping(reader, node),
        None => Some(Damping::default()),
    };
    let slide = match fields.get("slides") {
        Some(node) => slide(reader, node).map(Some),
        None => Some(None),
    };
    let combinations = fields.get("combinations").map(|node| rows(reader, "combinations", node));
    let reduction = combinations.map_or(Some(None), |read| read.map(Some));
    let (basis, segments, reduction) = (basis?, segments?, reduction?);
    if basis.count() == 0 {
        // unless a way stands there under another name, which is told already
        if fields.all_known() {
            reader.push(
                Problem::error(&codes::IMPOSSIBLE_BEAM, "it bends in no way")
                    .at(fields.span().clone())
                    .label("no shapes")
                    .help(match basis {
                        Basis::Hermite { .. } | Basis::Pieces { .. } => "write which ways it bends, such as y = true, z = true; a rigid link has no bends",
                        _ => "write how many shapes each way, such as y = 2, z = 2; a rigid link has no bends",
                    }),
            );
        }
        return None;
    }
    let (most, most_of_link) = MOST_COORDINATES;
    let (what, many, most) = if basis.count() > most {
        ("a segment of it", basis.count(), most)
    } else {
        ("it", basis.count() * segments, most_of_link)
    };
    if many > most {
        reader.push(
            Problem::error(
                &codes::COUNT_OUT_OF_RANGE,
                format!("{what} would have {many} coordinates of bending, more than {most}"),
            )
            .at(fields.span().clone())
            .label("too many")
            .help("use fewer elements, shapes or segments; eigenmodes of many elements need few coordinates"),
        );
        return None;
    }
    // what it asks for is no part of the beam
    rotation?;
    Some(Beam {
        reduction,
        segments,
        foreshortening: foreshortening?,
        shear: shear?,
        damping: damping?,
        slide: slide?,
        ..Beam::new(length?, profile?, basis)
    })
}

/// The family of shapes.
fn basis(reader: &mut Reader, fields: &Fields<'_>) -> Option<Basis> {
    let family = reader.choice(fields, "shapes")?;
    let elements = parts(reader, fields, family, ("elements", &["elements", "eigenmodes"], 1));
    let pieces = parts(reader, fields, family, ("pieces", &["rigid-pieces"], 2));
    for (key, families, why) in [
        ("load", &["clamped-mass", "eigenmodes"][..], "these shapes know no load"),
        ("hinge", &["eigenmodes"], "the root of these shapes is clamped"),
        ("root", &["rigid-pieces"], "the family says how their root is held"),
    ] {
        if let Some(entry) = fields.entry(key).filter(|_| !families.contains(&family)) {
            reader.push(
                Problem::error(
                    &codes::CONFLICT,
                    format!("{key} is given for the shapes \"{family}\"; {why}"),
                )
                .at(entry.key_span.clone())
                .label("not for these shapes")
                .help(format!("remove {key}, or write shapes = \"{}\"", families.join("\" or \""))),
            );
        }
    }
    if family == "elements" || family == "rigid-pieces" {
        let root = reader.choice(fields, "root");
        let mut on = |key| flag_of_way(reader, fields, key, family);
        let [y, z, twist, stretch] = [on("y"), on("z"), on("twist"), on("stretch")];
        let ways = Ways::new(y?, z?, twist?, stretch?);
        return Some(match family {
            "elements" => Basis::Hermite { elements: elements?, ways },
            _ => Basis::Pieces { pieces: pieces?, ways, pinned: root? == "pinned" },
        });
    }
    let mut count = |key| count_of_way(reader, fields, key);
    let [y, z, twist, stretch] = [count("y"), count("z"), count("twist"), count("stretch")];
    let load = match fields.get("load") {
        Some(node) => load(reader, node),
        None => Some(Load::Outboard),
    };
    let hinge = match fields.get("hinge") {
        Some(node) => hinge(reader, node),
        None => Some([None, None]),
    };
    let ways = Ways::new(y?, z?, twist?, stretch?);
    Some(match family {
        "clamped-mass" => Basis::ClampedMass { ways, load: load? },
        "root-pinned" => Basis::RootPinned(ways),
        "eigenmodes" => {
            let [hinge_y, hinge_z] = hinge?;
            Basis::Eigenmodes { elements: elements?, ways, load: load?, hinge_y, hinge_z }
        }
        _ => Basis::ClampedFree(ways),
    })
}

/// The number of elements or pieces, where the family has them and it is right.
fn parts(
    reader: &mut Reader,
    fields: &Fields<'_>,
    family: &str,
    (key, families, least): (&str, &[&str], u32),
) -> Option<usize> {
    match fields.entry(key) {
        Some(entry) if families.contains(&family) => {
            reader.count(key, &entry.node, (least, MOST_PARTS))
        }
        Some(entry) => {
            let families = families.join("\" or shapes = \"");
            reader.push(
                Problem::error(
                    &codes::CONFLICT,
                    format!("{key} are given for the shapes \"{family}\", which have none"),
                )
                .at(entry.key_span.clone())
                .label("not for these shapes")
                .help(format!("remove {key}, or write shapes = \"{families}\"")),
            );
            None
        }
        None if families.contains(&family) => {
            reader.push(
                Problem::error(
                    &codes::MISSING_KEY,
                    format!("the shapes \"{family}\" need a number of {key}"),
                )
                .at(fields.span_of("shapes"))
                .label(format!("of how many {key}?"))
                .help(format!("add {key} = 8")),
            );
            None
        }
        None => None,
    }
}

fn count_of_way(reader: &mut Reader, fields: &Fields<'_>, key: &str) -> Option<usize> {
    let Some(node) = fields.get(key) else { return Some(0) };
    if let Value::Flag(flag) = node.value {
        reader.push(
            Problem::error(
                &codes::WRONG_TYPE,
                format!("{key} is {flag}, wanted is how many shapes"),
            )
            .at(node.span.clone())
            .label("not a number")
            .help(format!(
                "write {key} = {}; true and false are for shapes = \"elements\"",
                if flag { 2 } else { 0 }
            )),
        );
        return None;
    }
    reader.count(key, node, (0, MOST_SHAPES))
}

fn flag_of_way(reader: &mut Reader, fields: &Fields<'_>, key: &str, family: &str) -> Option<bool> {
    let Some(node) = fields.get(key) else { return Some(false) };
    if let Value::Number(number) = node.value {
        reader.push(
            Problem::error(
                &codes::WRONG_TYPE,
                format!("{key} is {number}, wanted is true or false with shapes = \"{family}\""),
            )
            .at(node.span.clone())
            .label("a number")
            .help(format!(
                "write {key} = {}; how many coordinates that makes follows from {}",
                number != 0.0,
                if family == "elements" { "elements" } else { "pieces" }
            )),
        );
        return None;
    }
    reader.flag(key, node)
}

fn damping(reader: &mut Reader, node: &Node) -> Option<Damping> {
    if let Value::Text(_) | Value::List(_) | Value::Flag(_) = node.value {
        reader.wrong_type("damping", node, "a plain number or a table", BEAM_DAMPING.example);
        return None;
    }
    if !matches!(node.value, Value::Table(_)) {
        let ratio = reader.number("damping", node, &units::NUMBER)?;
        return Some(Damping { ratios: vec![ratio], ..Damping::default() });
    }
    let fields = reader.fields("damping", node, &BEAM_DAMPING)?;
    let way = reader.at_most_one(&fields, &["ratio", "ratios"], "there is one or one per mode");
    let ratios = match way.map(|way| (way, fields.get(way))) {
        Some(("ratio", Some(node))) => {
            reader.number("ratio", node, &units::NUMBER).map(|ratio| vec![ratio])
        }
        Some((_, Some(node))) => reader.any_numbers("ratios", node, &units::NUMBER),
        _ => Some(Vec::new()),
    };
    let mut number = |key: &str, quantity| match fields.get(key) {
        Some(node) => reader.number(key, node, quantity),
        None => Some(0.0),
    };
    let (mass, stiffness) = (number("mass", &units::RATE), number("stiffness", &units::TIME));
    Some(Damping { mass: mass?, stiffness: stiffness?, ratios: ratios? })
}

fn load(reader: &mut Reader, node: &Node) -> Option<Load> {
    if let Value::Text(_) = node.value {
        reader.word("load", node, ["outboard"].into_iter())?;
        return Some(Load::Outboard);
    }
    let fields = reader.fields("load", node, &LOAD)?;
    let mut number = |key: &str, quantity| match fields.get(key) {
        Some(node) => reader.number(key, node, quantity),
        None => Some(0.0),
    };
    let (mass, offset) = (number("mass", &units::MASS), number("offset", &units::LENGTH));
    let inertia = match fields.get("inertia") {
        Some(node) => reader.numbers("inertia", node, &units::INERTIA),
        None => Some([0.0; 3]),
    };
    Some(Load::Given(TipLoad { mass: mass?, offset: offset?, inertia: inertia? }))
}

fn slide(reader: &mut Reader, node: &Node) -> Option<Slide> {
    let fields = reader.fields("slides", node, &SLIDES)?;
    let mut number = |key: &str, quantity| match fields.get(key) {
        Some(node) => reader.number(key, node, quantity),
        None => Some(0.0),
    };
    let (from, to) = (number("from", &units::LENGTH), number("to", &units::LENGTH));
    let (damping, armature) =
        (number("damping", &units::DAMPING), number("armature", &units::MASS));
    let prescribed = reader.is_set(&fields, "prescribed");
    let scale = reader.choice(&fields, "scale");
    let velocity = reader.choice(&fields, "velocity");
    // keys that are missing are told already
    fields.get("from").and(fields.get("to"))?;
    velocity?;
    Some(Slide {
        stroke: [from?, to?],
        prescribed: prescribed?,
        damping: damping?,
        armature: armature?,
        scale: if scale? == "tip" { Scale::Tip } else { Scale::One },
    })
}

fn hinge(reader: &mut Reader, node: &Node) -> Option<[Option<f64>; 2]> {
    let fields = reader.fields("hinge", node, &HINGE)?;
    let mut hub = |key: &str| match fields.get(key) {
        Some(node) => reader.number(key, node, &units::INERTIA).map(Some),
        None => Some(None),
    };
    let (y, z) = (hub("y"), hub("z"));
    Some([y?, z?])
}

/// Rows of equal length as the columns of a matrix.
fn rows(reader: &mut Reader, what: &str, node: &Node) -> Option<DMatrix<f64>> {
    let help = "write a row of factors for each coordinate: [[1, 0, 0.2], [0, 1, 0]]";
    let Value::List(list) = &node.value else {
        reader.wrong_type(what, node, "a list of rows", help);
        return None;
    };
    let read: Vec<Option<Vec<f64>>> =
        list.iter().map(|row| reader.any_numbers(what, row, &units::NUMBER)).collect();
    let rows = read.into_iter().collect::<Option<Vec<Vec<f64>>>>()?;
    let length = rows.first().map_or(0, Vec::len);
    if rows.iter().any(|row| row.len() != length) {
        reader.push(
            Problem::error(&codes::WRONG_COUNT, format!("the rows of {what} differ in length"))
                .at(node.span.clone())
                .help("give one factor per shape in every row"),
        );
        return None;
    }
    Some(DMatrix::from_column_slice(length, rows.len(), &rows.concat()))
}
