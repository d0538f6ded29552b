//! What a link weighs: masses given directly.

use super::link::LinkTable;
use super::solid::{self, Solids};
use crate::codes;
use crate::node::{Node, Value};
use crate::problem::Problem;
use crate::reader::Reader;
use crate::shapes::{
    self, Either, Flat, Length, ManyOfKinds, Mass, Number, One, Vector, Word, words,
};
use crate::spec::Form;
use crate::table::{Field, Shape, Table as _, table};
use crate::units;
use pliant::arm;
use pliant::spatial::{Sym3, Vec3};
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
        self.tensor.eigenvalues()[0] < 0.0
    }

    /// Whether the largest principal moment exceeds the sum of the others.
    pub(super) fn violates_triangle(&self) -> bool {
        let [smallest, middle, largest] = self.tensor.eigenvalues();
        smallest + middle < largest * (1.0 - 1e-6)
    }
}

/// The point of reference of an inertia.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum About {
    /// The centre of mass.
    Centre,
    /// The origin of the link frame.
    Origin,
}

words! { About: "com" => About::Centre, "origin" => About::Origin }

table! {
    /// Moments and products of inertia. xy is the entry of the tensor, minus the integral of x y dm.
    pub(crate) struct InertiaTable = "an inertia", "write { xx = 0.1, yy = 0.1, zz = 0.1 }";
    keys {
        /// Moment about x.
        xx: Number<shapes::Inertia> [or "0"],
        /// Moment about y.
        yy: Number<shapes::Inertia> [or "0"],
        /// Moment about z.
        zz: Number<shapes::Inertia> [or "0"],
        /// Entry xy of the tensor.
        xy: Number<shapes::Inertia> [or "0"],
        /// Entry xz of the tensor.
        xz: Number<shapes::Inertia> [or "0"],
        /// Entry yz of the tensor.
        yz: Number<shapes::Inertia> [or "0"],
        /// The reference point: the centre of mass, or the origin of the link frame.
        about: Word<About> [= About::Centre],
    }
}

/// An inertia (kg m²): three moments, three rows, or a table.
pub(crate) struct Inertia;

impl Shape for Inertia {
    type Value = Either<[[f64; 3]; 3], InertiaTable>;
    const FORM: Form = Form::Inertia(InertiaTable::SPEC);
    fn read(reader: &mut Reader, key: &str, node: &Node) -> Option<Self::Value> {
        let rows = match &node.value {
            Value::Table(_) => return One::read(reader, key, node).map(Either::Table),
            Value::List(list) if list.iter().any(|row| matches!(row.value, Value::List(_))) => {
                let rows = reader.matrix(key, node, &units::INERTIA)?;
                symmetric(reader, node, rows)?
            }
            _ => {
                let [xx, yy, zz] = reader.numbers(key, node, &units::INERTIA)?;
                [[xx, 0.0, 0.0], [0.0, yy, 0.0], [0.0, 0.0, zz]]
            }
        };
        Some(Either::Short(rows))
    }
    /// Three moments, the diagonal of the rows, or a table.
    fn write(value: &Self::Value) -> Value {
        match value {
            Either::Short([[xx, ..], [_, yy, _], [.., zz]]) => shapes::numbers(&[*xx, *yy, *zz]),
            Either::Table(table) => One::write(table),
        }
    }
}

table! {
    /// A mass, where it is, and its inertia.
    pub(crate) struct Weight = "a mass", "write mass = \"2 kg\"";
    keys {
        /// Mass.
        mass: Number<Mass> [or "no mass"],
        /// Centre of mass, link frame.
        com: Vector<Length> [= [0.0; 3]],
        /// Inertia about the centre of mass, axes of the link frame: three moments, three rows, or a
        /// table.
        inertia: Inertia [or "a point mass"],
    }
}

table! {
    /// A rigid body on a link: mass, com and inertia, or a shape.
    pub(crate) struct Body = "a body",
        "write { mass = \"2 kg\", com = [0, 0, \"10 mm\"], inertia = [0.1, 0.1, 0.1] }";
    keys {
        /// Its mass.
        weight: Flat<Weight> [flat],
        /// Its shape, with its mass or density.
        shape: ManyOfKinds<Solids> [or "mass is required"],
    }
}

table! {
    /// A payload; at the tip of a link that has a length.
    pub(crate) struct Payload = "a payload",
        "write { mass = \"2 kg\", position = [0, 0, \"10 mm\"] }";
    elsewhere {
        "at" => "a payload sits at the tip; hang a link without joint on this one instead: [[link]], at = …, mass = …",
    }
    keys {
        /// Mass.
        mass: Number<Mass> [required],
        /// Position of its centre of mass, from the tip of a link that has a length, otherwise from
        /// the origin of the link frame.
        position: Vector<Length> [= [0.0; 3]],
        /// Inertia about its centre of mass.
        inertia: Inertia [or "a point mass"],
    }
}

/// The matter of a link without its payload.
pub(super) fn of_link(reader: &mut Reader, link: &LinkTable) -> Vec<Matter> {
    let LinkTable { weight, shape, body, .. } = link;
    let ways = [weight.mass.given(), shape.given(), body.given()];
    let why = "a link's matter is given in one way";
    let way = reader.exclude_with(&ways, why, |first, second| match (first, second) {
        ("mass", "shape") => "move mass into shape: shape = { kind = …, mass = … }".to_owned(),
        _ => format!("remove {first} or {second}"),
    });
    if way.is_some() && way == body.given() {
        let bodies = body.get().into_iter().flatten();
        return bodies.flat_map(|body| body.matter(reader)).collect();
    }
    if way.is_some() && way == shape.given() {
        return shapes_of(reader, weight, shape.get());
    }
    weight.matter(reader, false).into_iter().collect()
}

/// The bodies of the key `shape`, beside which no mass is described.
fn shapes_of(reader: &mut Reader, weight: &Weight, shapes: Option<&Vec<Solids>>) -> Vec<Matter> {
    for place in [weight.com.given(), weight.inertia.given()].into_iter().flatten() {
        let key = place.name;
        reader.push(
            Problem::error(
                &codes::CONFLICT,
                format!("both shape and {key} are given; the shape already tells it"),
            )
            .at(place.key.clone())
            .help(format!("remove {key}, or give mass, com and inertia without a shape")),
        );
    }
    shapes.into_iter().flatten().filter_map(|shape| solid::matter(reader, shape)).collect()
}

impl Body {
    fn matter(&self, reader: &mut Reader) -> Vec<Matter> {
        let ways = [self.weight.mass.given(), self.shape.given()];
        let way = reader.exclude(&ways, "a body is given in one way");
        if way.is_some() && way == self.shape.given() {
            return shapes_of(reader, &self.weight, self.shape.get());
        }
        self.weight.matter(reader, true).into_iter().collect()
    }

    /// What describes a mass.
    pub(super) fn of(mass: &arm::Mass) -> Self {
        Self { weight: Weight::of(mass), ..Self::default() }
    }
}

impl Weight {
    /// The body that it describes; `needed` where there must be one.
    fn matter(&self, reader: &mut Reader, needed: bool) -> Option<Matter> {
        let Some(mass) = self.mass.given() else {
            if let Some(place) = self.com.given().or(self.inertia.given()) {
                let message = format!("there is {} but no mass", place.name);
                reader.push(
                    Problem::error(&codes::MISSING_KEY, message)
                        .at(place.key.clone())
                        .label("belongs to a mass")
                        .help("add mass = \"2 kg\"; for inertia without mass, mass = 0"),
                );
            } else if needed {
                reader.push(
                    Problem::error(&codes::MISSING_KEY, "a body has neither mass nor shape")
                        .at(self.span.clone())
                        .help("add mass = \"2 kg\", or shape = { kind = \"box\", … }"),
                );
            }
            return None;
        };
        let inertia_span = self.inertia.span_or(&self.span);
        weighed(&self.mass, &self.com, &self.inertia, mass.value.clone(), inertia_span)
    }

    /// What describes a mass.
    pub(super) fn of(mass: &arm::Mass) -> Self {
        let com = mass.centre.to_array().into();
        let inertia = written(&mass.tensor).into();
        Self { mass: mass.kilograms.into(), com, inertia, ..Self::default() }
    }
}

impl Payload {
    /// The body that it describes.
    pub(super) fn matter(&self) -> Option<Matter> {
        let mass_span = self.mass.span_or(&self.span);
        let inertia_span = self.inertia.span_or(&self.span);
        weighed(&self.mass, &self.position, &self.inertia, mass_span, inertia_span)
    }

    /// What describes a mass at a tip.
    pub(super) fn of(mass: &arm::Mass) -> Self {
        let position = mass.centre.to_array().into();
        let inertia = written(&mass.tensor).into();
        Self { mass: mass.kilograms.into(), position, inertia, ..Self::default() }
    }
}

/// A mass with its centre and its inertia, where all of it is right.
fn weighed(
    mass: &Field<f64>,
    centre: &Field<[f64; 3]>,
    inertia: &Field<Either<[[f64; 3]; 3], InertiaTable>>,
    mass_span: Range<usize>,
    inertia_span: Range<usize>,
) -> Option<Matter> {
    let (mass, centre) = (mass.value?, Vec3::from(centre.value?));
    let (tensor, about) = match inertia.if_given()? {
        None => (Sym3::ZERO, About::Centre),
        Some(Either::Short([[xx, xy, xz], [_, yy, yz], [_, _, zz]])) => {
            (Sym3 { xx, yy, zz, xy, xz, yz }, About::Centre)
        }
        Some(Either::Table(table)) => table.tensor()?,
    };
    let tensor = match about {
        About::Centre => tensor,
        About::Origin => tensor - Sym3::outer(centre).scaled(mass).trace_complement(),
    };
    Some(Matter { mass, centre, tensor, mass_span, inertia_span })
}

impl InertiaTable {
    fn tensor(&self) -> Option<(Sym3<f64>, About)> {
        let Self { xx, yy, zz, xy, xz, yz, about, .. } = self;
        let [xx, yy, zz, xy, xz, yz] = [xx, yy, zz, xy, xz, yz].map(|entry| entry.or(0.0));
        let tensor = Sym3 { xx: xx?, yy: yy?, zz: zz?, xy: xy?, xz: xz?, yz: yz? };
        Some((tensor, about.value?))
    }
}

/// A tensor about the centre of mass as it is written; nothing for a point mass.
fn written(tensor: &Sym3<f64>) -> Option<Either<[[f64; 3]; 3], InertiaTable>> {
    let Sym3 { xx, yy, zz, xy, xz, yz } = *tensor;
    if [xy, xz, yz] == [0.0; 3] {
        let some = [xx, yy, zz] != [0.0; 3];
        return some.then_some(Either::Short(tensor.to_mat3().to_rows()));
    }
    Some(Either::Table(InertiaTable {
        xx: xx.into(),
        yy: yy.into(),
        zz: zz.into(),
        xy: xy.into(),
        xz: xz.into(),
        yz: yz.into(),
        ..InertiaTable::default()
    }))
}

/// Rows that are those of a symmetric tensor.
fn symmetric(reader: &mut Reader, node: &Node, rows: [[f64; 3]; 3]) -> Option<[[f64; 3]; 3]> {
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
    Some(rows)
}
