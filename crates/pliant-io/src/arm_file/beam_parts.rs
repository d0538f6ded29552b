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
    /// What damps the bending of a link; what is given adds up.
    pub(crate) struct BeamDamping = "the damping of a link",
        "write 0.01, a ratio to critical damping, or { mass = 0.1, stiffness = 1e-4 }";
    keys {
        /// The ratio to critical damping of all modes that the link has by itself, clamped at its
        /// root: 0.01 is one percent.
        ratio: Number<Plain> [or "none"],
        /// Instead, a ratio for each of these modes, from the lowest frequency up: a link with
        /// y = 2, z = 1 has three, [0.01, 0.01, 0.02].
        ratios: Numbers<Plain> [or "none"],
        /// In proportion to the mass.
        mass: Number<Rate> [= 0.0],
        /// In proportion to the stiffness.
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
    /// What the shapes take to hang at the tip. It forms the shapes and weighs nothing.
    pub(crate) struct LoadTable = "the load of the shapes", "write { mass = \"2 kg\" }";
    keys {
        /// Mass.
        mass: Number<Mass> [or "0"],
        /// How far beyond the tip its centre lies along x.
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
    /// The inertia of a hub that turns freely with the root; a way left out is clamped.
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
    /// How a link slides through its joint, and what drives it.
    pub(crate) struct Slides = "slides",
        "write { from = \"0.3 m\", to = \"1 m\" }: the smallest and the largest length outside";
    keys {
        /// The smallest length outside.
        from: Number<Length> [required],
        /// The largest length outside.
        to: Number<Length> [required],
        /// Whether a scenario says how it slides, and the force of the drive follows.
        prescribed: Flag [= false],
        /// Viscous damping of the drive.
        damping: Number<shapes::Damping> [= 0.0],
        /// Inertia that the drive adds.
        armature: Number<Mass> [= 0.0],
        /// The scale of the shapes "clamped-mass": "one", that of the formula, or "tip", a
        /// deflection of 1 at the tip at every length. Motions do not depend on it.
        scale: Word<Scale> [= Scale::One],
        /// "material", the velocity of the link's matter, or "theodore-24", equation (24) of Theodore and
        /// Ghosal as printed, for comparison only: it falsifies the Coriolis forces.
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
