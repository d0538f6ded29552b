//! Cross-sections.

use super::solid::Round;
use crate::codes;
use crate::problem::Problem;
use crate::reader::Reader;
use crate::shapes::{
    BendingStiffness, Flat, Force, InertiaPerLength, Kind, MassPerLength, Number, PositiveLength,
};
use crate::table::{Kinds as _, kinds, table};
use crate::units::short;
use pliant::beam::{CrossSection, Matter, Section};

table! {
    /// The sides of a rectangle.
    pub(crate) struct Sides = "a rectangle", "write height = \"40 mm\", width = \"20 mm\"";
    keys {
        /// Overall size along y.
        height: PositiveLength [required],
        /// Overall size along z.
        width: PositiveLength [required],
    }
}

table! {
    /// A solid circle.
    pub(crate) struct RoundSection = "round", "write { kind = \"round\", diameter = \"10 mm\" }";
    keys {
        /// The kind of section.
        kind: Kind [required],
        /// How thick.
        round: Flat<Round> [flat],
    }
}

table! {
    /// A circle with a circular hole.
    pub(crate) struct TubeSection = "tube",
        "write { kind = \"tube\", diameter = \"40 mm\", wall = \"2 mm\" }";
    keys {
        /// The kind of section.
        kind: Kind [required],
        /// How thick.
        round: Flat<Round> [flat],
        /// Thickness of the wall, inward.
        wall: PositiveLength [required],
    }
}

table! {
    /// A solid rectangle.
    pub(crate) struct RectangleSection = "rectangle",
        "write { kind = \"rectangle\", height = \"40 mm\", width = \"20 mm\" }";
    keys {
        /// The kind of section.
        kind: Kind [required],
        /// How thick.
        sides: Flat<Sides> [flat],
    }
}

table! {
    /// A rectangle with a rectangular hole and walls of equal thickness.
    pub(crate) struct BoxSection = "box",
        "write { kind = \"box\", height = \"40 mm\", width = \"20 mm\", wall = \"2 mm\" }";
    keys {
        /// The kind of section.
        kind: Kind [required],
        /// How thick.
        sides: Flat<Sides> [flat],
        /// Thickness of the wall, inward.
        wall: PositiveLength [required],
    }
}

table! {
    /// Two flanges perpendicular to y, joined by a web.
    pub(crate) struct ISection = "i",
        "write { kind = \"i\", height = \"40 mm\", width = \"20 mm\", web = \"2 mm\", flange = \"3 mm\" }";
    keys {
        /// The kind of section.
        kind: Kind [required],
        /// How thick.
        sides: Flat<Sides> [flat],
        /// Thickness of the web, along z.
        web: PositiveLength [required],
        /// Thickness of each flange, along y.
        flange: PositiveLength [required],
    }
}

table! {
    /// A section by its properties.
    pub(crate) struct GivenSection = "given",
        "write { kind = \"given\", EIy = 34, EIz = 34, GJ = 26, rhoA = 0.2 }";
    keys {
        /// The kind of section.
        kind: Kind [required],
        /// Axial stiffness.
        ea as "EA": Number<Force> [= 0.0],
        /// Bending stiffness about y, against deflection along z.
        ei_y as "EIy": Number<BendingStiffness> [= 0.0],
        /// Bending stiffness about z, against deflection along y.
        ei_z as "EIz": Number<BendingStiffness> [= 0.0],
        /// Torsional stiffness.
        gj as "GJ": Number<BendingStiffness> [= 0.0],
        /// Shear stiffness along y.
        kga_y as "kappaGAy": Number<Force> [or "rigid against shear"],
        /// Shear stiffness along z.
        kga_z as "kappaGAz": Number<Force> [or "rigid against shear"],
        /// Mass per length.
        rho_a as "rhoA": Number<MassPerLength> [required],
        /// Rotary inertia of the section about y, per length.
        rho_i_y as "rhoIy": Number<InertiaPerLength> [= 0.0],
        /// Rotary inertia of the section about z, per length; the sum of both is the inertia in
        /// twist.
        rho_i_z as "rhoIz": Number<InertiaPerLength> [= 0.0],
    }
}

kinds! {
    /// A cross-section.
    pub(crate) enum Sections = "section" {
        Round(RoundSection),
        Tube(TubeSection),
        Rectangle(RectangleSection),
        Box(BoxSection),
        I(ISection),
        Given(GivenSection),
    }
}

/// A section before its material is known.
#[derive(Clone, Copy)]
pub(super) enum Cut {
    Given(Section),
    Outline(CrossSection),
}

impl Sections {
    pub(super) fn is_given(&self) -> bool {
        matches!(self, Self::Given(_))
    }

    /// The section that it describes.
    pub(super) fn cut(&self, reader: &mut Reader) -> Option<Cut> {
        let outline = match self {
            Self::Given(given) => return given.section(reader).map(Cut::Given),
            Self::Round(RoundSection { round, .. }) => {
                CrossSection::Round { diameter: 2.0 * round.radius(reader, "section")? }
            }
            Self::Tube(TubeSection { round, wall, .. }) => {
                let diameter = 2.0 * round.radius(reader, "section")?;
                CrossSection::Tube { diameter, wall: wall.value? }
            }
            Self::Rectangle(RectangleSection { sides, .. }) => {
                let [height, width] = sides.both()?;
                CrossSection::Rectangle { height, width }
            }
            Self::Box(BoxSection { sides, wall, .. }) => {
                let [height, width] = sides.both()?;
                CrossSection::Box { height, width, wall: wall.value? }
            }
            Self::I(ISection { sides, web, flange, .. }) => {
                let [height, width] = sides.both()?;
                CrossSection::I { height, width, web: web.value?, flange: flange.value? }
            }
        };
        if let Some((name, value, _)) = outline.fault() {
            self.too_thick(reader, &outline, (name, value));
            return None;
        }
        Some(Cut::Outline(outline))
    }

    /// Complains of a dimension that does not fit the others.
    fn too_thick(&self, reader: &mut Reader, outline: &CrossSection, (name, value): (&str, f64)) {
        let sizes: Vec<String> = outline
            .dimensions()
            .iter()
            .filter(|(other, _)| *other != name)
            .map(|(other, value)| format!("{other} {} m", short(*value)))
            .collect();
        let places = match self {
            Self::Tube(TubeSection { wall, .. }) | Self::Box(BoxSection { wall, .. }) => {
                [wall.given(), None]
            }
            Self::I(ISection { web, flange, .. }) => [web.given(), flange.given()],
            _ => [None, None],
        };
        let place = places.into_iter().flatten().find(|place| place.name == name);
        reader.push(
            Problem::error(
                &codes::NOT_POSITIVE,
                format!(
                    "the {name} of the {} section is {} m, too thick for its {}",
                    self.word(),
                    short(value),
                    sizes.join(", ")
                ),
            )
            .at(place.map_or(self.span(), |place| &place.value).clone())
            .label("too thick")
            .help(match name {
                "web" => "a web is at most as thick as the section is wide",
                "flange" => "a flange is at most as thick as half the height",
                _ => "a wall is at most as thick as half the section; check its unit",
            }),
        );
    }

    /// What describes a section.
    pub(super) fn of(matter: &Matter) -> Self {
        let outline = match matter {
            Matter::Given(section) => return Self::Given(GivenSection::of(section)),
            Matter::Made { outline, .. } => *outline,
        };
        let of_round = |diameter: f64| Round { diameter: diameter.into(), ..Round::default() };
        match outline {
            CrossSection::Round { diameter } => {
                Self::Round(RoundSection { round: of_round(diameter), ..RoundSection::default() })
            }
            CrossSection::Tube { diameter, wall } => Self::Tube(TubeSection {
                round: of_round(diameter),
                wall: wall.into(),
                ..TubeSection::default()
            }),
            CrossSection::Rectangle { height, width } => Self::Rectangle(RectangleSection {
                sides: Sides::of(height, width),
                ..RectangleSection::default()
            }),
            CrossSection::Box { height, width, wall } => Self::Box(BoxSection {
                sides: Sides::of(height, width),
                wall: wall.into(),
                ..BoxSection::default()
            }),
            CrossSection::I { height, width, web, flange } => Self::I(ISection {
                sides: Sides::of(height, width),
                web: web.into(),
                flange: flange.into(),
                ..ISection::default()
            }),
        }
    }
}

impl Sides {
    fn both(&self) -> Option<[f64; 2]> {
        Some([self.height.value?, self.width.value?])
    }

    fn of(height: f64, width: f64) -> Self {
        Self { height: height.into(), width: width.into(), ..Self::default() }
    }
}

impl GivenSection {
    fn section(&self, reader: &mut Reader) -> Option<Section> {
        let Self { ea, ei_y, ei_z, gj, kga_y, kga_z, rho_a, rho_i_y, rho_i_z, .. } = self;
        let mut negative = false;
        for field in [ea, ei_y, ei_z, gj, kga_y, kga_z, rho_a, rho_i_y, rho_i_z] {
            let Some((place, value)) = field.given().zip(field.value) else { continue };
            if value < 0.0 {
                negative = true;
                reader.push(
                    Problem::error(
                        &codes::IMPOSSIBLE_BEAM,
                        format!("{} of the section is {}, below zero", place.name, short(value)),
                    )
                    .at(place.value.clone())
                    .label("below zero")
                    .help("give zero or more; what is left out is zero"),
                );
            }
        }
        let section = Section {
            ea: ea.value?,
            ei_z: ei_z.value?,
            ei_y: ei_y.value?,
            gj: gj.value?,
            kga_y: kga_y.if_given()?,
            kga_z: kga_z.if_given()?,
            rho_a: rho_a.value?,
            rho_i_z: rho_i_z.value?,
            rho_i_y: rho_i_y.value?,
        };
        (!negative).then_some(section)
    }

    fn of(section: &Section) -> Self {
        let Section { ea, ei_z, ei_y, gj, kga_y, kga_z, rho_a, rho_i_z, rho_i_y } = *section;
        Self {
            ea: ea.into(),
            ei_y: ei_y.into(),
            ei_z: ei_z.into(),
            gj: gj.into(),
            kga_y: kga_y.into(),
            kga_z: kga_z.into(),
            rho_a: rho_a.into(),
            rho_i_y: rho_i_y.into(),
            rho_i_z: rho_i_z.into(),
            ..Self::default()
        }
    }
}
