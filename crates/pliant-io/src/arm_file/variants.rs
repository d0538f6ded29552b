//! Links that ask for equations of a document: `rotation = "first-order"` and `velocity = "paper"`.

use super::faults::Spans;
use super::one_or_many;
use crate::codes;
use crate::node::{Node, Value, quoted};
use crate::problem::Problem;
use pliant::reproduce::{Unsupported, Variants};
use std::ops::Range;

/// What the links of an arm ask for; their words are checked where their beams are read.
pub(super) fn read(root: &Node) -> Variants {
    let mut variants = Variants::default();
    for link in root.entry("link").map_or(&[][..], |entry| one_or_many(&entry.node)) {
        let (Some(name), Some(bends)) = (word(link, "name"), link.entry("bends")) else { continue };
        if word(&bends.node, "rotation") == Some("first-order") {
            variants.first_order.push(name.to_owned());
        }
        let slides = bends.node.entry("slides").map(|slides| &slides.node);
        if slides.and_then(|slides| word(slides, "velocity")) == Some("paper") {
            variants.theodore24.push(name.to_owned());
        }
    }
    variants
}

fn word<'a>(node: &'a Node, key: &str) -> Option<&'a str> {
    match &node.entry(key)?.node.value {
        Value::Text(text) => Some(text),
        _ => None,
    }
}

/// Where a key of the bending of a link stands.
fn span(links: &[Spans], link: &str, key: &str) -> Range<usize> {
    let spans = links.iter().find(|spans| spans.link_name == link);
    let bends = spans.and_then(|spans| spans.bends.as_ref());
    bends.map_or(0..0, |bends| bends.of(key))
}

/// What keeps a link from what it asks for.
pub(super) fn problem(lack: &Unsupported, links: &[Spans]) -> Problem {
    let impossible = |message: String| Problem::error(&codes::IMPOSSIBLE_BEAM, message);
    match lack {
        Unsupported::Pieces { link } => impossible(format!(
            "link {}: it is made of rigid pieces, which cannot turn to first order",
            quoted(link)
        ))
        .at(span(links, link, "rotation"))
        .label("not for rigid pieces")
        .help("remove rotation; they turn exactly"),
        Unsupported::Slides { link } => impossible(format!(
            "link {}: it slides, and such a link cannot turn to first order",
            quoted(link)
        ))
        .at(span(links, link, "rotation"))
        .label("not for a link that slides")
        .help("remove rotation"),
        Unsupported::Theodore24 { link, what } => {
            let help = match *what {
                "that bending shortens it" => "write stiffening = false beside slides",
                "rotary inertia" => {
                    "write section = { kind = \"given\", … } without rhoIy and rhoIz"
                }
                "twist" => "remove twist",
                _ => "leave the tip a payload that is a point, or nothing",
            };
            impossible(format!(
                "link {}: the paper's velocity, its equation (24), does not know {what}",
                quoted(link)
            ))
            .at(span(links, link, "slides"))
            .label("with velocity = \"paper\"")
            .help(format!("{help}, or remove velocity"))
        }
        other => impossible(other.to_string()).help("remove rotation or velocity"),
    }
}

/// What is doubtful about such links.
pub(super) fn warnings(variants: &Variants, links: &[Spans]) -> Vec<Problem> {
    let first_order = variants.first_order.iter().map(|link| {
        Problem::warning(
            &codes::FIRST_ORDER_ROTATION,
            format!(
                "link {}: its sections turn to first order, as in King's thesis; energy is conserved only while all bending is in one plane",
                quoted(link)
            ),
        )
        .at(span(links, link, "rotation"))
        .label("for comparison with King")
        .help("remove it, or write rotation = \"exact\", for all other work")
    });
    let theodore24 = variants.theodore24.iter().map(|link| {
        Problem::warning(
            &codes::PAPER_VELOCITY,
            format!(
                "link {}: it slides with the velocity of Theodore and Ghosal's equation (24), which falsifies the Coriolis forces by their own size wherever the hub turns",
                quoted(link)
            ),
        )
        .at(span(links, link, "slides"))
        .label("for comparison with the paper")
        .help("remove velocity, or write velocity = \"material\", for all other work")
    });
    first_order.chain(theodore24).collect()
}
