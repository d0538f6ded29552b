//! Links that ask for equations of a document: `rotation = "first-order"` or `"small-angle"`, and
//! `velocity = "theodore-24"`.

use super::beam_parts::Velocity;
use super::bends::{Bends, SectionRotation};
use super::faults::FileLink;
use super::link::LinkTable;
use crate::codes;
use crate::node::quoted;
use crate::problem::Problem;
use crate::table::Field;
use pliant::reproduce::{Unsupported, Variants};
use std::ops::Range;

/// What the links of an arm ask for.
pub(super) fn of(links: &[FileLink]) -> Variants {
    let mut variants = Variants::default();
    for link in links {
        let Some(bends) = link.bends() else { continue };
        match bends.rotation.value {
            Some(SectionRotation::FirstOrder) => variants.first_order.push(link.name().to_owned()),
            Some(SectionRotation::SmallAngle) => variants.small_angle.push(link.name().to_owned()),
            _ => {}
        }
        let slides = bends.slides.get();
        if slides.and_then(|slides| slides.velocity.value) == Some(Velocity::Theodore24) {
            variants.theodore24.push(link.name().to_owned());
        }
    }
    variants
}

impl LinkTable {
    /// Writes down what a link asks for.
    pub(crate) fn ask_for(&mut self, name: &str, variants: &Variants) {
        let Some(bends) = &mut self.along.bends.value else { return };
        if variants.first_order.iter().any(|link| link == name) {
            bends.rotation = SectionRotation::FirstOrder.into();
        } else if variants.small_angle.iter().any(|link| link == name) {
            bends.rotation = SectionRotation::SmallAngle.into();
        }
        if let Some(slides) = &mut bends.slides.value
            && variants.theodore24.iter().any(|link| link == name)
        {
            slides.velocity = Velocity::Theodore24.into();
        }
    }
}

/// Where a key of the bending of a link stands.
fn span<T>(links: &[FileLink], link: &str, key: impl Fn(&Bends) -> &Field<T>) -> Range<usize> {
    let bends = links.iter().find(|own| own.name() == link).and_then(FileLink::bends);
    bends.map_or(0..0, |bends| key(bends).span_or(&bends.span))
}

/// What keeps a link from what it asks for.
pub(super) fn problem(lack: &Unsupported, variants: &Variants, links: &[FileLink]) -> Problem {
    match lack {
        Unsupported::Theodore24 { link, what } => {
            let help = match *what {
                "that bending shortens it" => "write foreshortening = false beside slides",
                "rotary inertia" => {
                    "write section = { kind = \"given\", … } without rhoIy and rhoIz"
                }
                "twist" => "remove twist",
                _ => "leave the tip a payload that is a point, or nothing",
            };
            Problem::error(
                &codes::IMPOSSIBLE_BEAM,
                format!(
                    "link {}: equation (24) of Theodore and Ghosal does not cover {what}",
                    quoted(link)
                ),
            )
            .at(span(links, link, |bends| &bends.slides))
            .label("with velocity = \"theodore-24\"")
            .help(format!("{help}, or remove velocity"))
        }
        other => {
            let is_small = variants.first_order.is_empty();
            let (turning, code, how) = if is_small {
                (&variants.small_angle, &codes::SMALL_ANGLE_ROTATION, "by small angles")
            } else {
                (&variants.first_order, &codes::FIRST_ORDER_ROTATION, "to first order")
            };
            let asks = |link: &&str| turning.iter().any(|name| name == link);
            let first = turning.first().map_or("", String::as_str);
            let (at_fault, why, label, help) = no_such_turn(other, how);
            let link = at_fault.filter(asks).unwrap_or(first);
            let message = format!("link {}: {why}", quoted(link));
            Problem::error(code, message)
                .at(span(links, link, |bends| &bends.rotation))
                .label(label)
                .help(help)
        }
    }
}

/// What keeps links from turning so: the link at fault, the sentence, a label, and what to do.
fn no_such_turn<'a>(
    lack: &'a Unsupported,
    how: &str,
) -> (Option<&'a str>, String, &'static str, String) {
    let (cannot, remove) = (format!("its sections cannot turn {how}"), "remove rotation");
    match lack {
        Unsupported::Pieces { link } => (
            Some(link),
            format!("it is made of rigid pieces, which cannot turn {how}"),
            "not for rigid pieces",
            format!("{remove}; they turn exactly"),
        ),
        Unsupported::Slides { link } => (
            Some(link),
            format!("{cannot} where a link slides, and {} does", quoted(link)),
            "not for a link that slides",
            remove.to_owned(),
        ),
        Unsupported::Foreshortening { link } => (
            Some(link),
            format!("{cannot} where bending shortens a link, and it shortens {}", quoted(link)),
            "not with foreshortening",
            format!(
                "write bends = {{ …, foreshortening = false }} in {}, or {remove}",
                quoted(link)
            ),
        ),
        Unsupported::Joint { link, kind } => (
            Some(link),
            format!(
                "{cannot} where joints are neither revolute nor fixed, and that of {} is {kind}",
                quoted(link)
            ),
            "not with this joint",
            remove.to_owned(),
        ),
        Unsupported::Branch { link, before } => (
            Some(link),
            format!(
                "{cannot} where an arm has branches, and {} does not hang on {}",
                quoted(link),
                quoted(before)
            ),
            "not for branches",
            remove.to_owned(),
        ),
        Unsupported::ElasticJoint { link } => (
            Some(link),
            format!("{cannot} where joints are elastic, and that of {} is", quoted(link)),
            "not with an elastic joint",
            format!("remove stiffness from its actuator, or {remove}"),
        ),
        Unsupported::NoMass { link } => (
            Some(link),
            format!(
                "{cannot} where the end of an arm has no mass, and from {} on there is none",
                quoted(link)
            ),
            "not without mass",
            format!("give {} mass, or {remove}", quoted(link)),
        ),
        Unsupported::Both => (
            None,
            format!("{cannot} where another link has the equations of another document"),
            "not beside those of another document",
            format!("{remove}, or that of the other link"),
        ),
        other => (None, format!("{cannot}: {other}"), "not for this arm", remove.to_owned()),
    }
}

/// What is doubtful about such links.
pub(super) fn warnings(variants: &Variants, links: &[FileLink]) -> Vec<Problem> {
    let first_order = variants.first_order.iter().map(|link| {
        Problem::warning(
            &codes::FIRST_ORDER_ROTATION,
            format!(
                "link {}: its sections turn to first order, as in King's thesis; energy is conserved only while all bending is in one plane",
                quoted(link)
            ),
        )
        .at(span(links, link, |bends| &bends.rotation))
        .label("for comparison with King")
        .help("remove it, or write rotation = \"exact\", for all other work")
    });
    let small_angle = variants.small_angle.iter().map(|link| {
        Problem::warning(
            &codes::SMALL_ANGLE_ROTATION,
            format!(
                "link {}: its sections turn by small angles, as in Korayem and Shafei's paper; energy is conserved only where nothing hangs on the link",
                quoted(link)
            ),
        )
        .at(span(links, link, |bends| &bends.rotation))
        .label("for comparison with the paper")
        .help("remove it, or write rotation = \"exact\", for all other work")
    });
    let theodore24 = variants.theodore24.iter().map(|link| {
        Problem::warning(
            &codes::THEODORE_24,
            format!(
                "link {}: it slides with the velocity of Theodore and Ghosal's equation (24), which falsifies the Coriolis forces by their own size wherever the hub turns",
                quoted(link)
            ),
        )
        .at(span(links, link, |bends| &bends.slides))
        .label("for comparison with the paper")
        .help("remove velocity, or write velocity = \"material\", for all other work")
    });
    first_order.chain(small_angle).chain(theodore24).collect()
}
