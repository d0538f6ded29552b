//! What the builder refuses or doubts about bending links, pointed at in the text.

use super::bends::Bends;
use super::faults::FileLink;
use crate::codes;
use crate::node::quoted;
use crate::problem::Problem;
use crate::units::short;
use pliant::arm::{Fault, FaultKind, Warning};
use std::ops::Range;

/// A fault of a bending link as a problem of the file.
pub(super) fn problem(fault: &Fault, link: &FileLink) -> Option<Problem> {
    let whose = format!("link {}", quoted(&fault.name));
    let bends = link.bends();
    let whole = bends.map(|bends| &bends.span);
    let problem = match &fault.kind {
        FaultKind::Beam { quantity, value, needed } => {
            let (span, words, label, help) = number(quantity, link);
            let message = format!("{whose}: {words} is {}, expected {needed}", short(*value));
            Problem::error(&codes::IMPOSSIBLE_BEAM, message).at(span).label(label).help(help)
        }
        FaultKind::ShearWithoutElements => Problem::error(
            &codes::SHEAR_WITHOUT_ELEMENTS,
            format!("{whose}: its sections shall shear, which the modes of uniform links cannot"),
        )
        .at(bends?.shear.span_or(whole?))
        .label("needs finite elements")
        .help(
            "remove shapes, whose default can shear, or write shapes = \"eigenmodes\" or \
             \"elements\", elements = 8; or remove shear",
        ),
        FaultKind::BendsNothing { coordinate } => Problem::error(
            &codes::BENDS_NOTHING,
            format!("{whose}: its bending coordinate {} moves no inertia of its own", quoted(coordinate)),
        )
        .at(whole?.clone())
        .label("more shapes than inertia to move")
        .help(
            "use fewer shapes that way, or give the section rhoIy and rhoIz, or the payload an \
             inertia",
        ),
        FaultKind::SegmentsOfModes => Problem::error(
            &codes::SEGMENTS_OF_MODES,
            format!("{whose}: segments need finite elements; modes of a free tip pass no moment on"),
        )
        .at(bends?.segments.span_or(whole?))
        .label("divides modes")
        .help("write shapes = \"elements\", elements = 1 and y = true instead of a count, or remove segments"),
        FaultKind::RatiosOfSegments => Problem::error(
            &codes::SEGMENTS_OF_MODES,
            format!("{whose}: a link in segments has no damping ratios"),
        )
        .at(bends?.damping.span_or(whole?))
        .label("of modes that no segment has")
        .help("write damping = { stiffness = \"1e-4 s\" }, or remove segments"),
        FaultKind::NotForPieces { what } => {
            let bends = bends?;
            let (span, help) = match *what {
                "stretch" => (bends.stretch.span(), "remove stretch, or use another family of shapes"),
                "shear" => (bends.shear.span(), "remove shear, or write shapes = \"elements\" and elements = 8"),
                "be divided into segments" => (bends.segments.span(), "remove segments and write more pieces"),
                "twist without rotary inertia of the section" => {
                    (bends.twist.span(), "give the section rhoIy and rhoIz, or remove twist")
                }
                "have a pinned root where the joint holds it" => {
                    (bends.root.span(), "remove root, or let the joint turn freely")
                }
                "combine their shapes" => (bends.combinations.span(), "remove combinations"),
                "bend without growing shorter" => {
                    (bends.foreshortening.span(), "remove foreshortening; rigid pieces grow shorter by nature")
                }
                _ => (bends.damping.span(), "write damping = { stiffness = \"1e-4 s\" }"),
            };
            Problem::error(
                &codes::IMPOSSIBLE_BEAM,
                format!("{whose}: it is made of rigid pieces, which cannot {what}"),
            )
            .at(span.unwrap_or_else(|| bends.span.clone()))
            .label("not for rigid pieces")
            .help(help)
        }
        FaultKind::NotForSliding { what } => {
            let bends = bends?;
            let (span, help) = match *what {
                "stretch" => (bends.stretch.span(), "remove stretch"),
                "shear" => (bends.shear.span(), "remove shear"),
                "be divided into segments" => (bends.segments.span(), "remove segments"),
                "combine its shapes" => (bends.combinations.span(), "remove combinations"),
                "have damping ratios" => (bends.damping.span(), "write damping = { stiffness = \"1e-4 s\" }"),
                "have rigid parts" => (bends.slides.span(), "remove rigid; a hub is written body = [{ … }]"),
                "have a section that varies" => (bends.slides.span(), "give one section for the whole link"),
                _ => (bends.shapes.span(), "write shapes = \"clamped-free\", \"clamped-mass\" or \"elements\""),
            };
            Problem::error(
                &codes::IMPOSSIBLE_BEAM,
                format!("{whose}: it slides, and such a link cannot {what}"),
            )
            .at(span.unwrap_or_else(|| bends.span.clone()))
            .label("not for a link that slides")
            .help(help)
        }
        FaultKind::NotAtTip { .. } => Problem::error(
            &codes::OUTSIDE_LENGTH,
            format!("{whose}: it hangs part-way along a link that slides"),
        )
        .at(link.place_span())
        .label("not at the tip")
        .help("leave out at: what a sliding link carries hangs on its tip"),
        FaultKind::StrokeTooLong => Problem::error(
            &codes::IMPOSSIBLE_BEAM,
            format!("{whose}: its clamped-mass shapes change too much over the stroke to be tabulated"),
        )
        .at(bends?.slides.span_or(whole?))
        .label("too long a stroke for these shapes")
        .help(
            "shorten it, use fewer shapes or scale = \"one\", or write shapes = \"clamped-free\" or \
             \"elements\"",
        ),
        FaultKind::BeamOutOfRange => Problem::error(
            &codes::IMPOSSIBLE_BEAM,
            format!("{whose}: the mass or stiffness of its beam is too large or too small to compute with"),
        )
        .at(link.section_span())
        .label("out of range")
        .help("check the units of length, section and material: m, Pa, kg/m^3"),
        _ => return None,
    };
    Some(problem)
}

/// Where a number of a beam stands, what the file calls it, a few words on it, and how to mend it.
fn number(quantity: &str, link: &FileLink) -> (Range<usize>, String, &'static str, String) {
    let section = link.section_span();
    let in_bends = |key: fn(&Bends) -> Option<Range<usize>>| {
        let of = |bends: &Bends| key(bends).unwrap_or_else(|| bends.span.clone());
        link.bends().map_or_else(|| link.name_span(), of)
    };
    let stiffness = |key: &str, way: &str, example: &str| {
        let words = format!("{key} of the section");
        let help = format!("add {key} = \"{example}\", or remove {way} from bends");
        (section.clone(), words, "not stiff that way", help)
    };
    let plain = |key: fn(&Bends) -> Option<Range<usize>>, label: &'static str, help: &str| {
        (in_bends(key), format!("the {quantity}"), label, help.to_owned())
    };
    match quantity {
        "bending stiffness EI_z" => stiffness("EIz", "y", "34 N m^2"),
        "bending stiffness EI_y" => stiffness("EIy", "z", "34 N m^2"),
        "torsional stiffness GJ" => stiffness("GJ", "twist", "26 N m^2"),
        "axial stiffness EA" => stiffness("EA", "stretch", "5 MN"),
        "shear stiffness along y" => stiffness("kappaGAy", "shear", "2 MN"),
        "shear stiffness along z" => stiffness("kappaGAz", "shear", "2 MN"),
        "mass per length" => {
            let help = "a link that bends has mass: rhoA = \"0.2 kg/m\"".to_owned();
            (section, "rhoA of the section".to_owned(), "weighs nothing", help)
        }
        "damping ratio" => plain(
            |bends| bends.damping.span(),
            "no such ratio",
            "1 is critical; metals have about 0.01 or less",
        ),
        "number of damping ratios" => {
            let help = "give one ratio for all, damping = 0.01, or one per shape";
            plain(|bends| bends.damping.span(), "another number of ratios", help)
        }
        "number of bending modes" => {
            let help = "write more elements, or fewer shapes y and z; about half of the modes of \
                        the elements are accurate";
            plain(|bends| bends.elements.span(), "too few elements", help)
        }
        "number of modes" => {
            let help = "write more elements, or fewer shapes twist and stretch";
            plain(|bends| bends.elements.span(), "too few elements", help)
        }
        "drive's damping" | "drive's armature" => plain(
            |bends| bends.slides.span(),
            "no such drive",
            "give zero or more, or leave it out",
        ),
        "smallest length outside" | "largest length outside" => {
            let help = "write slides = { from = \"0.3 m\", to = \"1 m\" }, with 0 < from < to, and to \
                        at most the link's length";
            plain(|bends| bends.slides.span(), "no such stroke", help)
        }
        "number of pieces" => plain(|bends| bends.pieces.span(), "too few", "write 2 or more"),
        "inertia of the hub" => {
            plain(|bends| bends.hinge.span(), "no such hub", "give zero or more")
        }
        "tip mass" | "tip inertia" => {
            plain(|bends| bends.load.span(), "no such load", "give zero or more")
        }
        "reduction's row count" | "reduction's column count" => {
            let words = match quantity {
                "reduction's row count" => "the number of factors in each row",
                _ => "the number of rows",
            };
            let help =
                "give at most as many rows as there are shapes, each with a factor per shape";
            (
                in_bends(|bends| bends.combinations.span()),
                words.to_owned(),
                "does not fit the shapes",
                help.to_owned(),
            )
        }
        _ => plain(|bends| bends.damping.span(), "below zero", "give zero or more"),
    }
}

/// Above this ratio of thickness to length a link is not slender.
const SLENDER: f64 = 0.02;

/// A doubt about a bending link as a warning about the file.
pub(super) fn warning(warning: &Warning, links: &[FileLink]) -> Option<Problem> {
    let of = |name: &str| {
        let link = links.iter().find(|link| link.name() == name)?;
        Some((link, link.bends()?))
    };
    match warning {
        Warning::NotSlender { link, ratio } => {
            let (thick, bends) = of(link)?;
            Some(
                Problem::warning(
                    &codes::NOT_SLENDER,
                    format!(
                        "link {}: it is thick for its length (ratio {:.3}, slender below {SLENDER}), and its frequencies come out too high without shear",
                        quoted(link),
                        ratio
                    ),
                )
                .at(bends.span.clone())
                .label("leaves out shear")
                .help("remove shapes and shear: the default shapes shear where it matters; or write shear = true with shapes = \"eigenmodes\" or \"elements\", elements = 8")
                .and_at(thick.section_span(), "thick"),
            )
        }
        Warning::WiderThanLong { link, width, length } => {
            let (thick, _) = of(link)?;
            Some(
                Problem::warning(
                    &codes::NOT_SLENDER,
                    format!(
                        "link {}: its section is {width} m wide, wider than the {length} m that it is long; a beam is at least several times longer than wide",
                        quoted(link),
                    ),
                )
                .at(thick.section_span())
                .label("no beam")
                .help("check the units, such as \"40 mm\"; or let the link be rigid, with shape instead of section and bends"),
            )
        }
        Warning::FreeTip { link, mass, inertia, slower } => {
            let (_, bends) = of(link)?;
            Some(
                Problem::warning(
                    &codes::FREE_TIP,
                    format!(
                        "link {}: its few shapes have a free tip, but at its largest length M/(rhoA l) = {mass:.3} and J/(rhoA l^3) = {inertia:.3}, and the load makes it slower by {:.1} %",
                        quoted(link),
                        100.0 * slower
                    ),
                )
                .at(bends.span.clone())
                .label("shapes of a tip without load")
                .help("write shapes = \"clamped-mass\", or y = 4, z = 4 or more shapes"),
            )
        }
        Warning::UnloadedShapes { link, frequency, sag } => {
            let (_, bends) = of(link)?;
            Some(
                Problem::warning(
                    &codes::FREE_TIP,
                    format!(
                        "link {}: its shapes are for a tip without load, but with what it carries, clamped at its root, its first frequency is off by {:+.1} % and its static deflection by {:+.1} %",
                        quoted(link),
                        100.0 * frequency,
                        100.0 * sag
                    ),
                )
                .at(bends.shapes.span_or(&bends.span))
                .label("shapes of a tip without load")
                .help("remove shapes: the default ones are for what the link carries"),
            )
        }
        _ => None,
    }
}

impl FileLink {
    /// Where its section, or its stations, stand, or else its name.
    fn section_span(&self) -> Range<usize> {
        self.table.along.section_span().unwrap_or_else(|| self.name_span())
    }
}
