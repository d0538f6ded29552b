//! What a link weighs: masses given directly, and bodies of simple shape.

use super::matter_keys as keys;
use super::placement;
use crate::codes;
use crate::node::{Node, Value};
use crate::problem::Problem;
use crate::reader::{Fields, Reader};
use crate::units::{self, short};
use pliant::nalgebra::{Matrix3, SymmetricEigen};
use pliant::spatial::{Sym3, Vec3};
use std::f64::consts::PI;
use std::ops::Range;

/// A rigid body: mass (kg), centre (m), inertia about the centre (kg m²), link frame.
#[derive(Clone, Debug)]
pub(super) struct Matter {
    pub(super) mass: f64,
    pub(super) centre: Vec3<f64>,
    pub(super) tensor: Sym3<f64>,
    pub(super) mass_span: Range<usize>,
    pub(super) inertia_span: Range<usize>,
}

impl Matter {
    /// Whether a principal moment is negative.
    pub(super) fn is_impossible(&self) -> bool {
        self.principal_moments()[0] < 0.0
    }

    /// Whether the largest principal moment exceeds the sum of the others.
    pub(super) fn violates_triangle(&self) -> bool {
        let [smallest, middle, largest] = self.principal_moments();
        smallest + middle < largest * (1.0 - 1e-6)
    }

    fn principal_moments(&self) -> [f64; 3] {
        let matrix = Matrix3::from_fn(|i, j| self.tensor.to_mat3().columns[j].to_array()[i]);
        let mut moments: [f64; 3] = SymmetricEigen::new(matrix).eigenvalues.into();
        moments.sort_by(f64::total_cmp);
        moments
    }
}

/// The matter of a link without its payload.
pub(super) fn of_link(reader: &mut Reader, link: &Fields<'_>) -> Vec<Matter> {
    let ways = ["mass", "shape", "body"];
    match reader.at_most_one(link, &ways, "a link's matter is given in one way") {
        Some("body") => {
            let bodies = link.get("body").map_or(&[][..], one_or_many);
            let read = bodies.iter().map(|node| {
                let fields = reader.fields("body", node, &keys::BODY)?;
                let ways = ["mass", "shape"];
                match reader.at_most_one(&fields, &ways, "a body is given in one way") {
                    Some("shape") => Some(shapes(reader, &fields)),
                    _ => Some(direct(reader, &fields, true).into_iter().collect()),
                }
            });
            read.flatten().flatten().collect()
        }
        Some("shape") => shapes(reader, link),
        _ => direct(reader, link, false).into_iter().collect(),
    }
}

/// A list, or the one value that stands for it.
pub(crate) fn one_or_many(node: &Node) -> &[Node] {
    match &node.value {
        Value::List(list) => list,
        _ => std::slice::from_ref(node),
    }
}

/// `mass`, `com` and `inertia`.
fn direct(reader: &mut Reader, fields: &Fields<'_>, needed: bool) -> Option<Matter> {
    let Some(mass_node) = fields.get("mass") else {
        let without = ["com", "inertia"].into_iter().find_map(|key| fields.entry(key));
        if let Some(entry) = without {
            reader.push(
                Problem::error(&codes::MISSING_KEY, format!("there is {} but no mass", entry.key))
                    .at(entry.key_span.clone())
                    .label("belongs to a mass")
                    .help("add mass = \"2 kg\"; for inertia without mass, mass = 0"),
            );
        } else if needed {
            reader.push(
                Problem::error(&codes::MISSING_KEY, "a body has neither mass nor shape")
                    .at(fields.span().clone())
                    .help("add mass = \"2 kg\", or shape = { kind = \"box\", … }"),
            );
        }
        return None;
    };
    weighed(reader, fields, mass_node, "com")
}

/// Something that a link carries.
pub(super) fn payload(reader: &mut Reader, node: &Node) -> Option<Matter> {
    let fields = reader.fields("payload", node, &keys::PAYLOAD)?;
    let mass_node = fields.get("mass")?;
    weighed(reader, &fields, mass_node, "position")
}

/// A mass with its centre and its inertia.
fn weighed(
    reader: &mut Reader,
    fields: &Fields<'_>,
    mass_node: &Node,
    centre_key: &str,
) -> Option<Matter> {
    let mass = reader.number("mass", mass_node, &units::MASS);
    let centre = vector(reader, fields, centre_key);
    let inertia = match fields.get("inertia") {
        Some(node) => inertia(reader, node),
        None => Some((Sym3::ZERO, false)),
    };
    let (mass, centre, (tensor, about_origin)) = (mass?, Vec3::from(centre?), inertia?);
    let at_centre = if about_origin {
        tensor - Sym3::outer(centre).scaled(mass).trace_complement()
    } else {
        tensor
    };
    Some(Matter {
        mass,
        centre,
        tensor: at_centre,
        mass_span: mass_node.span.clone(),
        inertia_span: fields.span_of("inertia"),
    })
}

/// Three lengths; zero when left out.
fn vector(reader: &mut Reader, fields: &Fields<'_>, key: &str) -> Option<[f64; 3]> {
    match fields.get(key) {
        Some(node) => reader.numbers(key, node, &units::LENGTH),
        None => Some([0.0; 3]),
    }
}

/// A tensor, and whether it is about the frame's origin instead of the centre of mass.
fn inertia(reader: &mut Reader, node: &Node) -> Option<(Sym3<f64>, bool)> {
    let quantity = &units::INERTIA;
    if let Value::Table(_) = node.value {
        let fields = reader.fields("inertia", node, &keys::INERTIA)?;
        let entries = ["xx", "yy", "zz", "xy", "xz", "yz"].map(|key| match fields.get(key) {
            Some(node) => reader.number(&format!("inertia {key}"), node, quantity),
            None => Some(0.0),
        });
        let about = reader.choice(&fields, "about")?;
        let [xx, yy, zz, xy, xz, yz] = entries;
        let tensor = Sym3 { xx: xx?, yy: yy?, zz: zz?, xy: xy?, xz: xz?, yz: yz? };
        return Some((tensor, about == "origin"));
    }
    let rows = match &node.value {
        Value::List(list) if list.iter().any(|row| matches!(row.value, Value::List(_))) => {
            reader.matrix("inertia", node, quantity)?
        }
        _ => {
            let [xx, yy, zz] = reader.numbers("inertia", node, quantity)?;
            [[xx, 0.0, 0.0], [0.0, yy, 0.0], [0.0, 0.0, zz]]
        }
    };
    let largest = rows.as_flattened().iter().fold(0.0, |m: f64, x| m.max(x.abs()));
    for (i, j) in [(0, 1), (0, 2), (1, 2)] {
        let (above, below) = (rows[i][j], rows[j][i]);
        if (above - below).abs() > 1e-9 * largest {
            let axes = ["x", "y", "z"];
            let (a, b) = (axes[i], axes[j]);
            reader.push(
                Problem::error(
                    &codes::ASYMMETRIC_INERTIA,
                    format!(
                        "the inertia tensor is not symmetric: {a}{b} is {above} but {b}{a} is {below} kg m^2"
                    ),
                )
                .at(node.span.clone())
                .help("the entries on both sides of the diagonal are equal; or give { xx, yy, zz, xy, xz, yz }"),
            );
            return None;
        }
    }
    let [[xx, xy, xz], [_, yy, yz], [_, _, zz]] = rows;
    let tensor = Sym3 { xx, yy, zz, xy, xz, yz };
    Some((tensor, false))
}

/// The key `shape`: one or several.
fn shapes(reader: &mut Reader, fields: &Fields<'_>) -> Vec<Matter> {
    for key in ["com", "inertia"] {
        if let Some(entry) = fields.entry(key) {
            reader.push(
                Problem::error(
                    &codes::CONFLICT,
                    format!("both shape and {key} are given; the shape already tells it"),
                )
                .at(entry.key_span.clone())
                .help(format!("remove {key}, or give mass, com and inertia without a shape")),
            );
        }
    }
    let nodes = fields.get("shape").map_or(&[][..], one_or_many);
    nodes.iter().filter_map(|node| shape(reader, node)).collect()
}

/// A shape before its mass is known: volume (m³), centre, and inertia per mass (m²).
struct Solid {
    volume: f64,
    centre: Vec3<f64>,
    per_mass: Sym3<f64>,
}

fn shape(reader: &mut Reader, node: &Node) -> Option<Matter> {
    let words = keys::SHAPES.iter().map(|spec| spec.name);
    let Some(kind) = node.entry("kind") else {
        // says that it is no table, or that the kind is missing
        let help =
            format!("add kind = \"box\"; it can be: {}", words.collect::<Vec<_>>().join(", "));
        let problem = match node.value {
            Value::Table(_) => Problem::error(&codes::MISSING_KEY, "shape has no kind"),
            _ => Problem::error(&codes::WRONG_TYPE, format!("shape is {node}, wanted is a table")),
        };
        reader.push(problem.at(node.span.clone()).help(help));
        return None;
    };
    let kind = reader.word("the kind of shape", &kind.node, words)?;
    let spec = keys::SHAPES.iter().find(|spec| spec.name == kind)?;
    let fields = reader.fields(&format!("the {kind}"), node, spec)?;
    let solid = match kind {
        "box" => cuboid(reader, &fields)?,
        "sphere" => sphere(reader, &fields)?,
        "point" => Solid {
            volume: 0.0,
            centre: vector(reader, &fields, "position")?.into(),
            per_mass: Sym3::ZERO,
        },
        _ => cylinder(reader, &fields, kind)?,
    };
    weigh(reader, &fields, kind, &solid)
}

/// The mass of a solid, given or from its density.
fn weigh(reader: &mut Reader, fields: &Fields<'_>, kind: &str, solid: &Solid) -> Option<Matter> {
    let way = reader.at_most_one(fields, &["mass", "density"], "one follows from the other");
    let (mass, span) = match way.map(|way| (way, fields.get(way))) {
        Some(("mass", Some(node))) => (reader.number("mass", node, &units::MASS)?, &node.span),
        Some((_, Some(node))) if solid.volume > 0.0 => {
            let density = reader.number("density", node, &units::DENSITY)?;
            (density * solid.volume, &node.span)
        }
        other => {
            let message = match other {
                Some(_) => format!("a {kind} has no volume, and so no mass by its density"),
                None => format!("the {kind} has neither mass nor density"),
            };
            let help = if solid.volume > 0.0 {
                "add mass = \"2 kg\" or density = \"2.7 g/cm^3\""
            } else {
                "add mass = \"2 kg\""
            };
            let problem = Problem::error(&codes::MISSING_KEY, message);
            reader.push(problem.at(fields.span().clone()).help(help));
            return None;
        }
    };
    Some(Matter {
        mass,
        centre: solid.centre,
        tensor: solid.per_mass.scaled(mass),
        mass_span: span.clone(),
        inertia_span: span.clone(),
    })
}

/// A length above zero.
pub(super) fn positive(reader: &mut Reader, what: &str, node: &Node) -> Option<f64> {
    let length = reader.number(what, node, &units::LENGTH)?;
    if length > 0.0 {
        return Some(length);
    }
    reader.push(
        Problem::error(
            &codes::NOT_POSITIVE,
            format!("{what} is {} m, wanted is a positive length", short(length)),
        )
        .at(node.span.clone())
        .help("give a length above zero, such as \"10 mm\""),
    );
    None
}

/// Half of `diameter`, or `radius`.
pub(super) fn radius(reader: &mut Reader, whose: &str, fields: &Fields<'_>) -> Option<f64> {
    let way = reader.at_most_one(fields, &["radius", "diameter"], "one follows from the other");
    let Some((way, node)) = way.and_then(|way| Some((way, fields.get(way)?))) else {
        reader.push(
            Problem::error(
                &codes::MISSING_KEY,
                format!("the {whose} has neither radius nor diameter"),
            )
            .at(fields.span().clone())
            .help("add diameter = \"50 mm\""),
        );
        return None;
    };
    let length = positive(reader, way, node)?;
    Some(if way == "radius" { length } else { length / 2.0 })
}

/// `m (b² + c²)/12` about its own axes.
fn cuboid(reader: &mut Reader, fields: &Fields<'_>) -> Option<Solid> {
    let nodes: &[Node; 3] =
        reader.list("size", fields.get("size")?, "[\"0.5 m\", \"50 mm\", \"50 mm\"]")?;
    let [a, b, c] = nodes.each_ref().map(|node| positive(reader, "size", node));
    let pose = placement::pose(reader, fields)?;
    let (a, b, c) = (a?, b?, c?);
    let own = Sym3 {
        xx: (b * b + c * c) / 12.0,
        yy: (c * c + a * a) / 12.0,
        zz: (a * a + b * b) / 12.0,
        ..Sym3::ZERO
    };
    Some(Solid { volume: a * b * c, centre: pose.position, per_mass: own.rotated(&pose.rotation) })
}

/// `2/5 m r²`.
fn sphere(reader: &mut Reader, fields: &Fields<'_>) -> Option<Solid> {
    let radius = radius(reader, "shape", fields);
    let centre = vector(reader, fields, "position")?;
    let radius = radius?;
    Some(Solid {
        volume: 4.0 / 3.0 * PI * radius.powi(3),
        centre: centre.into(),
        per_mass: Sym3::scaled_identity(0.4 * radius * radius),
    })
}

/// Cylinder, tube or rod along `e`: `J e eᵀ + I (1 − e eᵀ)` with `J = m (R² + r²)/2` and
/// `I = J/2 + m l²/12`.
fn cylinder(reader: &mut Reader, fields: &Fields<'_>, kind: &str) -> Option<Solid> {
    let from = vector(reader, fields, "from").map(Vec3::from);
    let to = vector(reader, fields, "to").map(Vec3::from);
    let (outer, inner) = match kind {
        "rod" => (Some(0.0), Some(0.0)),
        "tube" => {
            let outer = radius(reader, "shape", fields);
            let wall = fields.get("wall").and_then(|node| positive(reader, "wall", node));
            (outer, inner_radius(reader, fields, outer, wall))
        }
        _ => (radius(reader, "shape", fields), Some(0.0)),
    };
    let (from, to, outer, inner) = (from?, to?, outer?, inner?);
    let along = to - from;
    let length = along.norm();
    if length < 1e-12 {
        reader.push(
            Problem::error(&codes::NOT_POSITIVE, format!("the {kind} begins where it ends"))
                .at(fields.span_of("to"))
                .help(
                    "give two different points; from is the origin of the link frame if left out",
                ),
        );
        return None;
    }
    let e = along * (1.0 / length);
    let axial = f64::midpoint(outer * outer, inner * inner);
    let across = axial / 2.0 + length * length / 12.0;
    Some(Solid {
        volume: PI * (outer * outer - inner * inner) * length,
        centre: (from + to) * 0.5,
        per_mass: Sym3::scaled_identity(across) + Sym3::outer(e).scaled(axial - across),
    })
}

fn inner_radius(
    reader: &mut Reader,
    fields: &Fields<'_>,
    outer: Option<f64>,
    wall: Option<f64>,
) -> Option<f64> {
    let (outer, wall) = (outer?, wall?);
    if wall <= outer {
        return Some(outer - wall);
    }
    reader.push(
        Problem::error(
            &codes::NOT_POSITIVE,
            format!(
                "the wall is {} m thick, more than the radius of {} m",
                short(wall),
                short(outer)
            ),
        )
        .at(fields.span_of("wall"))
        .help("give a thinner wall, or a cylinder, which is solid"),
    );
    None
}
