//! Bodies of simple shape.

use super::matter::Matter;
use super::placement::Placement;
use crate::codes;
use crate::node::{Node, Value};
use crate::problem::Problem;
use crate::reader::Reader;
use crate::shapes::{Density, Flat, Kind, Length, Mass, Number, PositiveLength, Vector, numbers};
use crate::spec::Form;
use crate::table::{Field, Kinds as _, Shape, kinds, table};
use crate::units::{self, short};
use pliant::spatial::{Sym3, Vec3};
use std::f64::consts::PI;
use std::ops::Range;

table! {
    /// What a shape weighs.
    pub(crate) struct Weighed = "the mass of a shape", "write mass = \"2 kg\"";
    keys {
        /// Mass; or give density.
        mass: Number<Mass> [or "density is required"],
        /// Density; or give mass.
        density: Number<Density> [or "mass is required"],
    }
}

table! {
    /// The ends of a shape.
    pub(crate) struct Ends = "the ends of a shape", "write to = [0.5, 0, 0]";
    keys {
        /// The centre of one end.
        from: Vector<Length> [= [0.0; 3]],
        /// The centre of the other end.
        to: Vector<Length> [required],
    }
}

table! {
    /// A circle.
    pub(crate) struct Round = "a circle", "write diameter = \"50 mm\"";
    keys {
        /// Radius; or give diameter.
        radius: PositiveLength [or "diameter is required"],
        /// Diameter; or give radius.
        diameter: PositiveLength [or "radius is required"],
    }
}

impl Round {
    /// The radius, or half of the diameter.
    pub(super) fn radius(&self, reader: &mut Reader, whose: &str) -> Option<f64> {
        let ways = [self.radius.given(), self.diameter.given()];
        if reader.exclude(&ways, "one follows from the other").is_none() {
            reader.push(
                Problem::error(
                    &codes::MISSING_KEY,
                    format!("the {whose} has neither radius nor diameter"),
                )
                .at(self.span.clone())
                .help("add diameter = \"50 mm\""),
            );
        }
        if self.radius.is_given() { self.radius.value } else { Some(self.diameter.value? / 2.0) }
    }
}

/// Three lengths above zero.
pub(crate) struct Size;

impl Shape for Size {
    type Value = [f64; 3];
    const FORM: Form = Form::Vector(&units::LENGTH);
    fn read(reader: &mut Reader, key: &str, node: &Node) -> Option<[f64; 3]> {
        let edges: &[Node; 3] = reader.list(key, node, "[\"0.5 m\", \"50 mm\", \"50 mm\"]")?;
        let [a, b, c] = edges.each_ref().map(|edge| PositiveLength::read(reader, key, edge));
        Some([a?, b?, c?])
    }
    fn write(value: &[f64; 3]) -> Value {
        numbers(value)
    }
}

table! {
    /// A box.
    pub(crate) struct Cuboid = "box",
        "write { kind = \"box\", size = [0.1, 0.2, 0.3], mass = \"2 kg\" }";
    keys {
        /// The kind of shape.
        kind: Kind [required],
        /// What it weighs.
        weighed: Flat<Weighed> [flat],
        /// The edge lengths along its own x, y and z.
        size: Size [required],
        /// Where its centre is, and how it is turned.
        placement: Flat<Placement> [flat],
    }
}

table! {
    /// A solid cylinder between two points.
    pub(crate) struct Cylinder = "cylinder",
        "write { kind = \"cylinder\", to = [0.5, 0, 0], diameter = \"50 mm\", mass = \"2 kg\" }";
    keys {
        /// The kind of shape.
        kind: Kind [required],
        /// What it weighs.
        weighed: Flat<Weighed> [flat],
        /// From where to where.
        ends: Flat<Ends> [flat],
        /// How thick.
        round: Flat<Round> [flat],
    }
}

table! {
    /// A hollow cylinder between two points.
    pub(crate) struct Tube = "tube",
        "write { kind = \"tube\", to = [0.5, 0, 0], diameter = \"50 mm\", wall = \"3 mm\", mass = \"2 kg\" }";
    keys {
        /// The kind of shape.
        kind: Kind [required],
        /// What it weighs.
        weighed: Flat<Weighed> [flat],
        /// From where to where.
        ends: Flat<Ends> [flat],
        /// How thick.
        round: Flat<Round> [flat],
        /// Thickness of the wall, inward from the radius.
        wall: PositiveLength [required],
    }
}

table! {
    /// A solid sphere.
    pub(crate) struct Sphere = "sphere",
        "write { kind = \"sphere\", diameter = \"50 mm\", mass = \"2 kg\" }";
    keys {
        /// The kind of shape.
        kind: Kind [required],
        /// What it weighs.
        weighed: Flat<Weighed> [flat],
        /// Position of its centre.
        position: Vector<Length> [= [0.0; 3]],
        /// How thick.
        round: Flat<Round> [flat],
    }
}

table! {
    /// A thin rod between two points.
    pub(crate) struct Rod = "rod", "write { kind = \"rod\", to = [0.5, 0, 0], mass = \"2 kg\" }";
    elsewhere { "density" => "a thin rod has no volume, and so no mass by its density; give mass" }
    keys {
        /// The kind of shape.
        kind: Kind [required],
        /// Mass.
        mass: Number<Mass> [required],
        /// From where to where.
        ends: Flat<Ends> [flat],
    }
}

table! {
    /// A point mass.
    pub(crate) struct Point = "point", "write { kind = \"point\", mass = \"2 kg\" }";
    elsewhere { "density" => "a point has no volume, and so no mass by its density; give mass" }
    keys {
        /// The kind of shape.
        kind: Kind [required],
        /// Mass.
        mass: Number<Mass> [required],
        /// Where it is.
        position: Vector<Length> [= [0.0; 3]],
    }
}

kinds! {
    /// A body by its shape.
    pub(crate) enum Solids = "shape" {
        Box(Cuboid),
        Cylinder(Cylinder),
        Tube(Tube),
        Sphere(Sphere),
        Rod(Rod),
        Point(Point),
    }
}

/// A shape before its mass is known: volume (m³), centre, and inertia per mass (m²).
struct Solid {
    volume: f64,
    centre: Vec3<f64>,
    per_mass: Sym3<f64>,
}

/// What a shape weighs (kg), or its density (kg/m³), and where that stands.
enum MassOrDensity {
    Mass(f64, Range<usize>),
    Density(f64, Range<usize>),
}

impl MassOrDensity {
    fn mass(mass: &Field<f64>) -> Option<Self> {
        Some(Self::Mass(mass.value?, mass.span()?))
    }
}

/// The body that a shape describes.
pub(super) fn matter(reader: &mut Reader, shape: &Solids) -> Option<Matter> {
    let word = shape.word();
    let (solid, given) = match shape {
        Solids::Box(cuboid) => (cuboid.solid(reader), cuboid.weighed.mass_or_density(reader, word)),
        Solids::Sphere(sphere) => {
            (sphere.solid(reader), sphere.weighed.mass_or_density(reader, word))
        }
        Solids::Cylinder(Cylinder { weighed, ends, round, .. }) => {
            let radius = round.radius(reader, "shape");
            let solid = radius.and_then(|radius| ends.along(reader, word, radius, 0.0));
            (solid, weighed.mass_or_density(reader, word))
        }
        Solids::Tube(tube) => {
            let radii = tube.radii(reader);
            let solid = radii.and_then(|[r, inner]| tube.ends.along(reader, word, r, inner));
            (solid, tube.weighed.mass_or_density(reader, word))
        }
        Solids::Rod(rod) => {
            (rod.ends.along(reader, word, 0.0, 0.0), MassOrDensity::mass(&rod.mass))
        }
        Solids::Point(point) => {
            let centre = point.position.value.map(Vec3::from);
            let solid = centre.map(|centre| Solid { volume: 0.0, centre, per_mass: Sym3::ZERO });
            (solid, MassOrDensity::mass(&point.mass))
        }
    };
    let Solid { volume, centre, per_mass } = solid?;
    let (mass, span) = match given? {
        MassOrDensity::Mass(mass, span) => (mass, span),
        MassOrDensity::Density(density, span) => (density * volume, span),
    };
    let (mass_span, inertia_span) = (span.clone(), span);
    Some(Matter { mass, centre, tensor: per_mass.scaled(mass), mass_span, inertia_span })
}

impl Weighed {
    /// The mass or the density.
    fn mass_or_density(&self, reader: &mut Reader, kind: &str) -> Option<MassOrDensity> {
        let Self { mass, density, span } = self;
        let ways = [mass.given(), density.given()];
        if reader.exclude(&ways, "one follows from the other").is_none() {
            let message = format!("the {kind} has neither mass nor density");
            let problem = Problem::error(&codes::MISSING_KEY, message).at(span.clone());
            reader.push(problem.help("add mass = \"2 kg\" or density = \"2.7 g/cm^3\""));
        }
        if mass.is_given() {
            return MassOrDensity::mass(mass);
        }
        Some(MassOrDensity::Density(density.value?, density.span()?))
    }
}

impl Cuboid {
    /// `m (b² + c²)/12` about its own axes.
    fn solid(&self, reader: &mut Reader) -> Option<Solid> {
        let pose = self.placement.pose(reader)?;
        let [a, b, c] = self.size.value?;
        let own = Sym3 {
            xx: (b * b + c * c) / 12.0,
            yy: (c * c + a * a) / 12.0,
            zz: (a * a + b * b) / 12.0,
            ..Sym3::ZERO
        };
        let per_mass = own.rotated(&pose.rotation);
        Some(Solid { volume: a * b * c, centre: pose.position, per_mass })
    }
}

impl Sphere {
    /// `2/5 m r²`.
    fn solid(&self, reader: &mut Reader) -> Option<Solid> {
        let radius = self.round.radius(reader, "shape")?;
        Some(Solid {
            volume: 4.0 / 3.0 * PI * radius.powi(3),
            centre: self.position.value?.into(),
            per_mass: Sym3::scaled_identity(0.4 * radius * radius),
        })
    }
}

impl Ends {
    /// Cylinder, tube or rod along `e`: `J e eᵀ + I (1 − e eᵀ)` with `J = m (R² + r²)/2` and
    /// `I = J/2 + m l²/12`.
    fn along(&self, reader: &mut Reader, kind: &str, outer: f64, inner: f64) -> Option<Solid> {
        let (from, to) = (Vec3::from(self.from.value?), Vec3::from(self.to.value?));
        let along = to - from;
        let length = along.norm();
        if length < 1e-12 {
            reader.push(
                Problem::error(&codes::NOT_POSITIVE, format!("the {kind} begins where it ends"))
                    .at(self.to.span_or(&self.span))
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
}

impl Tube {
    /// The outer and the inner radius.
    fn radii(&self, reader: &mut Reader) -> Option<[f64; 2]> {
        let outer = self.round.radius(reader, "shape")?;
        let wall = self.wall.value?;
        if wall <= outer {
            return Some([outer, outer - wall]);
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
            .at(self.wall.span_or(&self.span))
            .help("give a thinner wall, or a cylinder, which is solid"),
        );
        None
    }
}
