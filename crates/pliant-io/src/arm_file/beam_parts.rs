//! What goes with the shapes of a link that bends: damping, load, hinge, slides, combinations.

use crate::codes;
use crate::node::{Node, Value};
use crate::problem::Problem;
use crate::reader::Reader;
use crate::shapes::{
    self, Either, Flag, Inertia, Length, Mass, Number, Numbers, Plain, Rate, Time, Vector, Word,
    list, numbers, words,
};
use crate::spec::Form;
use crate::table::{Shape, table};
use crate::units;
use pliant::beam::{Damping, Scale, ShapeLoad, Slide, TipLoad};
use pliant::nalgebra::DMatrix;

table! {
    /// Damping of a flexible link; the given terms add up.
    pub(crate) struct BeamDamping = "the damping of a link",
        "write 0.01, a ratio to critical damping, or { mass = 0.1, stiffness = 1e-4 }";
    keys {
        /// The damping ratio of all modes of the link alone, clamped at its root: 0.01 is 1 % of
        /// critical.
        ratio: Number<Plain> [or "none"],
        /// Or a ratio for each of these modes, from the lowest frequency: a link with y = 2, z = 1
        /// has three, [0.01, 0.01, 0.02].
        ratios: Numbers<Plain> [or "none"],
        /// Damping proportional to the mass.
        mass: Number<Rate> [= 0.0],
        /// Damping proportional to the stiffness.
        stiffness: Number<Time> [= 0.0],
    }
}

impl BeamDamping {
    /// The same ratio for all modes.
    pub(super) fn of_ratio(ratio: f64) -> Damping {
        Damping { ratios: vec![ratio], ..Damping::default() }
    }

    pub(super) fn damping(&self, reader: &mut Reader) -> Option<Damping> {
        let Self { ratio, ratios, mass, stiffness, .. } = self;
        reader.exclude(&[ratio.given(), ratios.given()], "there is one or one per mode");
        let ratios = if ratio.is_given() {
            vec![ratio.value?]
        } else {
            ratios.if_given()?.unwrap_or_default()
        };
        Some(Damping { mass: mass.value?, stiffness: stiffness.value?, ratios })
    }

    /// What describes a damping: one ratio alone in short, and nothing where there is none.
    pub(super) fn of(damping: &Damping) -> Option<Either<f64, Self>> {
        let Damping { mass, stiffness, ratios } = damping;
        let (ratio, ratios) = match ratios.as_slice() {
            [] if *mass == 0.0 && *stiffness == 0.0 => return None,
            [ratio] if *mass == 0.0 && *stiffness == 0.0 => return Some(Either::Short(*ratio)),
            [] => (None, None),
            [ratio] => (Some(*ratio), None),
            several => (None, Some(several.to_vec())),
        };
        Some(Either::Table(Self {
            ratio: ratio.into(),
            ratios: ratios.into(),
            mass: (*mass).into(),
            stiffness: (*stiffness).into(),
            ..Self::default()
        }))
    }
}

table! {
    /// The load at the tip for which the shapes are computed. It affects the shapes only and adds
    /// no mass.
    pub(crate) struct LoadTable = "the load of the shapes", "write { mass = \"2 kg\" }";
    keys {
        /// Mass.
        mass: Number<Mass> [or "0"],
        /// Distance of its centre beyond the tip, along x.
        offset: Number<Length> [= 0.0],
        /// Moments of inertia about the tip.
        inertia: Vector<Inertia> [= [0.0; 3]],
    }
}

impl LoadTable {
    pub(super) fn load(&self) -> Option<ShapeLoad> {
        let (mass, offset) = (self.mass.or(0.0)?, self.offset.value?);
        Some(ShapeLoad::Given(TipLoad { mass, offset, inertia: self.inertia.value? }))
    }

    /// What describes a load.
    pub(super) fn of(load: &ShapeLoad) -> Either<ShapeLoad, Self> {
        match *load {
            ShapeLoad::Outboard => Either::Short(ShapeLoad::Outboard),
            ShapeLoad::Given(TipLoad { mass, offset, inertia }) => Either::Table(Self {
                mass: mass.into(),
                offset: offset.into(),
                inertia: inertia.into(),
                ..Self::default()
            }),
        }
    }
}

table! {
    /// The inertia of a hub that rotates freely with the root; a direction left out is clamped.
    pub(crate) struct Hinge = "the hinge", "write { y = \"0.1 kg m^2\" }";
    keys {
        /// Its inertia about z, in the plane of bending along y.
        y: Number<Inertia> [or "clamped"],
        /// Its inertia about y, in the plane of bending along z.
        z: Number<Inertia> [or "clamped"],
    }
}

impl Hinge {
    /// What describes a hub, if there is one.
    pub(super) fn of(y: Option<f64>, z: Option<f64>) -> Option<Self> {
        y.or(z)?;
        Some(Self { y: y.into(), z: z.into(), ..Self::default() })
    }
}

words! { Scale: "one" => Scale::One, "tip" => Scale::Tip }

/// Which velocity a link that slides has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Velocity {
    Material,
    /// That of Theodore (24).
    Theodore24,
}

words! { Velocity:
    "material" => Velocity::Material,
    "theodore-24" => Velocity::Theodore24,
    ; formerly "paper" => "theodore-24"
}

table! {
    /// A link that slides through its joint, and its drive.
    pub(crate) struct Slides = "slides",
        "write { from = \"0.3 m\", to = \"1 m\" }: the smallest and the largest length outside";
    keys {
        /// The smallest length outside the hub.
        from: Number<Length> [required],
        /// The largest length outside the hub.
        to: Number<Length> [required],
        /// Whether a scenario prescribes the sliding motion, and the force of the drive is
        /// computed.
        prescribed: Flag [= false],
        /// Viscous damping of the drive.
        damping: Number<shapes::Damping> [= 0.0],
        /// Reflected inertia of the drive.
        armature: Number<Mass> [= 0.0],
        /// The normalisation of the shapes "clamped-mass": "one", that of the formula, or "tip", a
        /// deflection of 1 at the tip at every length. Motions do not depend on it.
        scale: Word<Scale> [= Scale::One],
        /// "material", the velocity of the material points, or "theodore-24", equation (24) of
        /// Theodore and Ghosal as printed, for comparison only: its Coriolis forces are wrong.
        velocity: Word<Velocity> [= Velocity::Material],
    }
}

impl Slides {
    pub(super) fn slide(&self) -> Option<Slide> {
        Some(Slide {
            stroke: [self.from.value?, self.to.value?],
            prescribed: self.prescribed.value?,
            damping: self.damping.value?,
            armature: self.armature.value?,
            scale: self.scale.value?,
        })
    }

    /// What describes how a beam slides.
    pub(super) fn of(slide: &Slide) -> Self {
        let Slide { stroke: [from, to], prescribed, damping, armature, scale } = *slide;
        Self {
            from: from.into(),
            to: to.into(),
            prescribed: prescribed.into(),
            damping: damping.into(),
            armature: armature.into(),
            scale: scale.into(),
            ..Self::default()
        }
    }
}

/// Rows of equal length as the columns of a matrix.
pub(crate) struct Combinations;

impl Shape for Combinations {
    type Value = DMatrix<f64>;
    const FORM: Form = Form::Rows;
    fn read(reader: &mut Reader, key: &str, node: &Node) -> Option<DMatrix<f64>> {
        let help = "write a row of factors for each coordinate: [[1, 0, 0.2], [0, 1, 0]]";
        let Value::List(list) = &node.value else {
            reader.wrong_type(key, node, "a list of rows", help);
            return None;
        };
        let rows = shapes::every(list, |row| reader.any_numbers(key, row, &units::NUMBER))?;
        let length = rows.first().map_or(0, Vec::len);
        if rows.iter().any(|row| row.len() != length) {
            reader.push(
                Problem::error(&codes::WRONG_COUNT, format!("the rows of {key} differ in length"))
                    .at(node.span.clone())
                    .help("give one factor per shape in every row"),
            );
            return None;
        }
        Some(DMatrix::from_column_slice(length, rows.len(), &rows.concat()))
    }
    fn write(value: &DMatrix<f64>) -> Value {
        list(value.column_iter().map(|row| numbers(row.as_slice())))
    }
}
