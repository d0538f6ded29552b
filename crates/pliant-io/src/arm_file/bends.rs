//! How a link bends.

use super::beam_parts::{BeamDamping, Combinations, Hinge, LoadTable, Slides};
use crate::codes;
use crate::node::{Node, Value};
use crate::problem::Problem;
use crate::reader::Reader;
use crate::shapes::{
    AsWritten, Count, Either, Flag, Number, One, Or, Plain, Way, Word, Words as _, unplaced, words,
};
use crate::table::{Field, Place, table};
use pliant::beam::{Basis, Beam, Profile, ShapeLoad, Ways};

/// More shapes each way than this are refused: digits are lost in them.
const MOST_SHAPES: u32 = 20;

/// More elements or pieces than this are refused: the integrals of elements take minutes.
const MOST_PARTS: u32 = 100;

/// More segments than this are refused.
const MOST_SEGMENTS: u32 = 200;

/// More coordinates than this are refused, for one segment and for one link.
const MOST_COORDINATES: (usize, usize) = (100, 500);

/// The families of shapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    Loaded,
    ClampedFree,
    ClampedMass,
    RootPinned,
    Elements,
    Eigenmodes,
    RigidPieces,
}

words! { Family:
    "loaded" => Family::Loaded,
    "clamped-free" => Family::ClampedFree,
    "clamped-mass" => Family::ClampedMass,
    "root-pinned" => Family::RootPinned,
    "elements" => Family::Elements,
    "eigenmodes" => Family::Eigenmodes,
    "rigid-pieces" => Family::RigidPieces,
}

/// How the root of rigid pieces is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Root {
    Clamped,
    Pinned,
}

words! { Root: "clamped" => Root::Clamped, "pinned" => Root::Pinned }

/// How sections turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SectionRotation {
    Exact,
    /// As in King's thesis.
    FirstOrder,
    /// As in Korayem and Shafei's paper.
    SmallAngle,
}

words! { SectionRotation:
    "exact" => SectionRotation::Exact,
    "first-order" => SectionRotation::FirstOrder,
    "small-angle" => SectionRotation::SmallAngle,
}

words! { ShapeLoad: "outboard" => ShapeLoad::Outboard }

table! {
    /// Flexibility of a link: the number of shapes per direction, their family, and their options.
    pub(crate) struct Bends = "bends",
        "write { y = 2, z = 2, twist = 1 }: how many shapes each way";
    elsewhere {
        "x" => "twist is about x and stretch along x; twist = 1",
        "modes" => "write how many each way: y = 2, z = 2",
    }
    also { "torsion" => "twist", "axial" => "stretch" }
    formerly { "stiffening" => "foreshortening" }
    keys {
        /// Number of shapes with deflection along y. With shapes = "elements" or "rigid-pieces":
        /// true or false, as for the other directions.
        y: AsWritten<Way> [or "none"],
        /// Number of shapes with deflection along z.
        z: AsWritten<Way> [or "none"],
        /// Number of shapes of twist about x.
        twist: AsWritten<Way> [or "none"],
        /// Number of shapes of stretch along x.
        stretch: AsWritten<Way> [or "none"],
        /// The family of shapes: "loaded", modes of the link with everything that it carries in the
        /// neutral configuration ("clamped-mass" for a link that slides); modes of the uniform link,
        /// "clamped-free", "clamped-mass" (with a load at the tip) or "root-pinned"; "elements",
        /// finite elements; "eigenmodes" of the finite elements, for other loads and for joints that
        /// rotate freely; or "rigid-pieces" with springs between them, for deflections of any size
        /// and for speed.
        shapes: Word<Family> [= Family::Loaded],
        /// Number of finite elements, with shapes = "elements" or "eigenmodes".
        elements: Count<1, MOST_PARTS> [or "required with these shapes"],
        /// Number of pieces, with shapes = "rigid-pieces". The hinges between them are named
        /// link.h1, link.h2 and so on, each in the middle of an equal length, so the end pieces are
        /// half as long.
        pieces: Count<2, MOST_PARTS> [or "required with these shapes"],
        /// The root of rigid pieces: "clamped", on a joint that is locked or driven, or "pinned",
        /// on one that rotates freely; then all pieces have the same length.
        root: Word<Root> [= Root::Clamped],
        /// The load at the tip for which the shapes "clamped-mass" and "eigenmodes" are computed:
        /// "outboard", everything outboard in the neutral configuration, or a table. It affects the
        /// shapes only and adds no mass.
        load: Or<Word<ShapeLoad>, LoadTable> [= Either::Short(ShapeLoad::Outboard)],
        /// For eigenmodes of a link on a joint that rotates freely: the inertia of its hub.
        hinge: One<Hinge> [or "a clamped root"],
        /// Number of segments for large deflections. Each has all shapes and is fixed to the tip of
        /// the previous one.
        segments: Count<1, MOST_SEGMENTS> [= 1],
        /// Whether bending shortens the link, so that tension, as from rotation, stiffens it.
        foreshortening: Flag [= true],
        /// Whether sections shear (Timoshenko), with the shapes "loaded", "elements" and
        /// "eigenmodes". A link is thick where sqrt(EI/(kappa GA)) exceeds 0.02 of its flexible
        /// length: without shear its first two frequencies come out 0.1 and 0.5 % too high or more.
        shear: Flag [or "true for a thick link with such shapes"],
        /// Rotation of the sections: "exact"; "first-order" as in King's thesis, which does not
        /// conserve energy in motions out of a plane; or "small-angle" as in Korayem and Shafei's
        /// paper, which does not conserve it at all. The last two are only for serial chains of
        /// revolute or fixed joints and links with foreshortening = false.
        rotation: Word<SectionRotation> [= SectionRotation::Exact],
        /// The damping ratio of the link's own modes, such as 0.01, or a table.
        damping: Or<Number<Plain>, BeamDamping> [or "none"],
        /// For a link that slides through its joint: the range of its length outside the hub, which
        /// is the coordinate NAME.l. The key length is then the total length, the root is the mouth
        /// of the hub, and the part inside stays straight.
        slides: One<Slides> [or "it does not slide"],
        /// Linear combinations to use instead of the shapes: for each coordinate a row with one
        /// factor per shape.
        combinations: Combinations [or "the shapes themselves"],
    }
}

impl Bends {
    /// A beam of this length (m) and profile that bends so.
    pub(super) fn beam(
        &self,
        reader: &mut Reader,
        length: Option<f64>,
        profile: Option<Profile>,
    ) -> Option<Beam> {
        let basis = self.basis(reader);
        let damping = match self.damping.if_given() {
            None => None,
            Some(None) => Some(pliant::beam::Damping::default()),
            Some(Some(Either::Short(ratio))) => Some(BeamDamping::of_ratio(ratio)),
            Some(Some(Either::Table(table))) => table.damping(reader),
        };
        let (basis, segments) = (basis?, self.segments.value?);
        if basis.count() == 0 {
            // unless a way stands there under another name, which is told already
            if !reader.has_told(&codes::UNKNOWN_KEY, &self.span) {
                reader.push(
                    Problem::error(&codes::IMPOSSIBLE_BEAM, "it bends in no way")
                        .at(self.span.clone())
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
                .at(self.span.clone())
                .label("too many")
                .help("use fewer elements, shapes or segments; eigenmodes of many elements need few coordinates"),
            );
            return None;
        }
        let slide = match self.slides.if_given()? {
            Some(slides) => Some(slides.slide()?),
            None => None,
        };
        let beam = Beam {
            reduction: self.combinations.if_given()?,
            segments,
            foreshortening: self.foreshortening.value?,
            damping: damping?,
            slide,
            ..Beam::new(length?, profile?, basis)
        };
        let shear = self.shear.if_given()?.unwrap_or_else(|| shears_unsaid(&beam));
        Some(Beam { shear, ..beam })
    }

    /// The family of shapes.
    fn basis(&self, reader: &mut Reader) -> Option<Basis> {
        use Family::{
            ClampedFree, ClampedMass, Eigenmodes, Elements, Loaded, RigidPieces, RootPinned,
        };
        let family = self.shapes.value?;
        let elements =
            self.parts(reader, family, ("elements", &self.elements), &[Elements, Eigenmodes]);
        let pieces = self.parts(reader, family, ("pieces", &self.pieces), &[RigidPieces]);
        let own_load = match family {
            Loaded => "these shapes are for what the link carries",
            _ => "these shapes know no load",
        };
        for (place, families, why) in [
            (self.load.given(), &[ClampedMass, Eigenmodes][..], own_load),
            (self.hinge.given(), &[Eigenmodes], "the root of these shapes is clamped"),
            (self.root.given(), &[RigidPieces], "the family says how their root is held"),
        ] {
            let Some(place) = place.filter(|_| !families.contains(&family)) else { continue };
            let (key, families) = (place.name, families.iter().map(|family| family.in_a_word()));
            reader.push(
                Problem::error(
                    &codes::CONFLICT,
                    format!("{key} is given for the shapes \"{}\"; {why}", family.in_a_word()),
                )
                .at(place.key.clone())
                .label("not for these shapes")
                .help(format!(
                    "remove {key}, or write shapes = \"{}\"",
                    families.collect::<Vec<_>>().join("\" or \"")
                )),
            );
        }
        let ways = [&self.y, &self.z, &self.twist, &self.stretch];
        if let Elements | RigidPieces = family {
            let [y, z, twist, stretch] = ways.map(|way| flag_of_way(reader, way, family));
            let ways = Ways::new(y?, z?, twist?, stretch?);
            if family == Elements {
                return Some(Basis::Hermite { elements: elements?, ways });
            }
            let pinned = self.root.value? == Root::Pinned;
            return Some(Basis::Pieces { pieces: pieces?, ways, pinned });
        }
        let [y, z, twist, stretch] = ways.map(|way| count_of_way(reader, way));
        let ways = Ways::new(y?, z?, twist?, stretch?);
        let load = || match self.load.get()? {
            Either::Short(load) => Some(*load),
            Either::Table(table) => table.load(),
        };
        Some(match family {
            // of a length that changes
            Loaded if self.slides.is_given() => {
                Basis::ClampedMass { ways, load: ShapeLoad::Outboard }
            }
            Loaded => Basis::loaded(ways),
            ClampedMass => Basis::ClampedMass { ways, load: load()? },
            RootPinned => Basis::RootPinned(ways),
            Eigenmodes => {
                let hinge = self.hinge.if_given()?.unwrap_or_default();
                let [hinge_y, hinge_z] = [hinge.y.if_given()?, hinge.z.if_given()?];
                Basis::Eigenmodes { elements: elements?, ways, load: load()?, hinge_y, hinge_z }
            }
            ClampedFree | Elements | RigidPieces => Basis::ClampedFree(ways),
        })
    }

    /// The number of elements or pieces, where the family has them and it is right.
    fn parts(
        &self,
        reader: &mut Reader,
        family: Family,
        (key, parts): (&str, &Field<usize>),
        families: &[Family],
    ) -> Option<usize> {
        let word = family.in_a_word();
        match parts.given() {
            Some(_) if families.contains(&family) => parts.value,
            Some(Place { name, key, .. }) => {
                let words: Vec<&str> = families.iter().map(|family| family.in_a_word()).collect();
                let families = words.join("\" or shapes = \"");
                reader.push(
                    Problem::error(
                        &codes::CONFLICT,
                        format!("{name} are given for the shapes \"{word}\", which have none"),
                    )
                    .at(key.clone())
                    .label("not for these shapes")
                    .help(format!("remove {name}, or write shapes = \"{families}\"")),
                );
                None
            }
            None if families.contains(&family) => {
                reader.push(
                    Problem::error(
                        &codes::MISSING_KEY,
                        format!("the shapes \"{word}\" need a number of {key}"),
                    )
                    .at(self.shapes.span_or(&self.span))
                    .label(format!("of how many {key}?"))
                    .help(format!("add {key} = 8")),
                );
                None
            }
            None => None,
        }
    }

    /// What describes how a beam bends.
    pub(super) fn of(beam: &Beam) -> Self {
        let [y, z, twist, stretch] = match &beam.basis {
            Basis::Hermite { ways, .. } | Basis::Pieces { ways, .. } => {
                ways.to_array().map(|on| on.then_some(Value::Flag(true)))
            }
            other => {
                let number = |count: usize| Value::Number(count as f64);
                other.ways().to_array().map(|count| (count > 0).then(|| number(count)))
            }
        }
        .map(|way| way.map(unplaced).into());
        let mut bends = Self {
            y,
            z,
            twist,
            stretch,
            segments: beam.segments.into(),
            foreshortening: beam.foreshortening.into(),
            shear: (beam.shear != shears_unsaid(beam)).then_some(beam.shear).into(),
            damping: BeamDamping::of(&beam.damping).into(),
            slides: beam.slide.as_ref().map(Slides::of).into(),
            combinations: beam.reduction.clone().into(),
            ..Self::default()
        };
        match &beam.basis {
            Basis::Loaded { .. } => {}
            Basis::ClampedFree(_) => bends.shapes = Family::ClampedFree.into(),
            Basis::RootPinned(_) => bends.shapes = Family::RootPinned.into(),
            Basis::ClampedMass { load, .. } => {
                bends.shapes = Family::ClampedMass.into();
                bends.load = LoadTable::of(load).into();
            }
            Basis::Hermite { elements, .. } => {
                bends.shapes = Family::Elements.into();
                bends.elements = (*elements).into();
            }
            Basis::Eigenmodes { elements, load, hinge_y, hinge_z, .. } => {
                bends.shapes = Family::Eigenmodes.into();
                bends.elements = (*elements).into();
                bends.load = LoadTable::of(load).into();
                bends.hinge = Hinge::of(*hinge_y, *hinge_z).into();
            }
            Basis::Pieces { pieces, pinned, .. } => {
                bends.shapes = Family::RigidPieces.into();
                bends.pieces = (*pieces).into();
                bends.root = (if *pinned { Root::Pinned } else { Root::Clamped }).into();
            }
        }
        bends
    }
}

/// Whether a beam shears where a file does not say.
fn shears_unsaid(beam: &Beam) -> bool {
    let can = matches!(
        beam.basis,
        Basis::Loaded { .. } | Basis::Hermite { .. } | Basis::Eigenmodes { .. }
    );
    can && beam.slide.is_none() && beam.is_thick()
}

fn count_of_way(reader: &mut Reader, way: &Field<Node>) -> Option<usize> {
    let Some((Place { name, .. }, node)) = way.given().zip(way.get()) else { return Some(0) };
    if let Value::Flag(flag) = node.value {
        reader.push(
            Problem::error(
                &codes::WRONG_TYPE,
                format!("{name} is {flag}, expected how many shapes"),
            )
            .at(node.span.clone())
            .label("not a number")
            .help(format!(
                "write {name} = {}; true and false are for shapes = \"elements\"",
                if flag { 2 } else { 0 }
            )),
        );
        return None;
    }
    reader.count(name, node, (0, MOST_SHAPES))
}

fn flag_of_way(reader: &mut Reader, way: &Field<Node>, family: Family) -> Option<bool> {
    let Some((Place { name, .. }, node)) = way.given().zip(way.get()) else { return Some(false) };
    if let Value::Number(number) = node.value {
        let word = family.in_a_word();
        reader.push(
            Problem::error(
                &codes::WRONG_TYPE,
                format!("{name} is {number}, expected true or false with shapes = \"{word}\""),
            )
            .at(node.span.clone())
            .label("a number")
            .help(format!(
                "write {name} = {}; how many coordinates that makes follows from {}",
                number != 0.0,
                if family == Family::Elements { "elements" } else { "pieces" }
            )),
        );
        return None;
    }
    reader.flag(name, node)
}
