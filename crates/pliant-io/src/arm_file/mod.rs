//! Arm files: a TOML text becomes a checked arm.

mod faults;
mod joint;
pub(crate) mod keys;
mod matter;
mod matter_keys;
pub(crate) mod placement;

use crate::codes;
use crate::node::{Node, quoted};
use crate::problem::{Problem, Report, Severity};
use crate::reader::{Fields, Reader};
use crate::source::Source;
use crate::{Loaded, units};
use faults::Spans;
use matter::one_or_many;
use pliant::arm::{Builder, Link};
use std::path::Path;

/// More links than this are refused; the longest arms that anyone simulates have some hundred.
const MOST_LINKS: usize = 2000;

/// What the ground is called.
pub(crate) const GROUND: &str = "ground";

/// Reads an arm from the text of an arm file.
pub(crate) fn read(source: &Source) -> Result<Loaded, Report> {
    let refuse = |problems| Report::new(source.clone(), problems);
    let root = crate::toml_text::read(source).map_err(refuse)?;
    let mut reader = Reader::default();
    let described = describe(&mut reader, source, &root);
    let built = described.map(|(builder, spans)| (builder.clone().build(), builder, spans));
    let built = match built {
        Some((Ok(arm), description, spans)) if !reader.has_errors() => {
            reader.problems.extend(faults::warnings(arm.warnings(), &spans));
            Some((arm, description))
        }
        Some((Err(error), _, spans)) => {
            let problems = faults::problems(&error.faults, &spans);
            reader.problems.extend(problems);
            None
        }
        _ => None,
    };
    let report = refuse(reader.problems);
    match built {
        Some((arm, description)) if report.count(Severity::Error) == 0 => {
            Ok(Loaded { arm, description, warnings: report })
        }
        _ => Err(report),
    }
}

/// The description of the arm, and where everything stands.
fn describe(reader: &mut Reader, source: &Source, root: &Node) -> Option<(Builder, Vec<Spans>)> {
    let fields = reader.fields("the arm", root, &keys::ARM)?;
    let name = match fields.get("name") {
        Some(node) => reader.text("name", node).unwrap_or_default().to_owned(),
        None => file_stem(source.name()),
    };
    let mut builder = Builder::new(name);
    if let Some(node) = fields.get("gravity")
        && let Some(gravity) = reader.numbers("gravity", node, &units::ACCELERATION)
    {
        builder = builder.gravity(gravity);
    }
    if let Some(node) = fields.get("lenient")
        && reader.flag("lenient", node) == Some(true)
    {
        builder = builder.lenient();
    }
    let nodes = fields.get("link").map_or(&[][..], one_or_many);
    if nodes.is_empty() || nodes.len() > MOST_LINKS {
        let (code, message, help) = if nodes.is_empty() {
            let help = "begin a link with the line [[link]], its keys below";
            (&codes::MISSING_KEY, "the arm has no links".to_owned(), help)
        } else {
            let message = format!("the arm has {} links, more than {MOST_LINKS}", nodes.len());
            (&codes::TOO_LARGE, message, "describe an arm of fewer links")
        };
        reader.push(Problem::error(code, message).at(fields.span_of("link")).help(help));
        return None;
    }
    let mut all_spans = Vec::with_capacity(nodes.len());
    let mut complete = true;
    for node in nodes {
        match link(reader, node) {
            Some((link, spans)) => {
                builder = builder.link(link);
                all_spans.push(spans);
            }
            None => complete = false,
        }
        reader.whose.clear();
    }
    complete.then_some((builder, all_spans))
}

/// One link, and where its parts stand.
fn link(reader: &mut Reader, node: &Node) -> Option<(Link, Spans)> {
    let fields = reader.fields("the link", node, &keys::LINK)?;
    let name_node = fields.get("name")?;
    let name = reader.text("name", name_node)?;
    reader.whose = format!("link {}", quoted(name));
    let mut spans =
        Spans { name: name_node.span.clone(), link_name: name.to_owned(), ..Spans::default() };
    if name == GROUND {
        reader.push(
            Problem::error(&codes::DUPLICATE_NAME, "a link cannot be called ground")
                .at(name_node.span.clone())
                .help("\"ground\" is what the arm stands on; give the link another name"),
        );
    }
    let mut link = Link::new(name);
    if let Some(node) = fields.get("parent") {
        spans.parent = Some(node.span.clone());
        link = match reader.text("parent", node) {
            Some(GROUND) => link.on_ground(),
            Some(parent) => link.on(parent),
            None => link,
        };
    }
    link = place(reader, &fields, link, &mut spans);
    if let Some(node) = fields.get("outboard") {
        reader.at_most_one(&fields, &["dh", "outboard"], "a row says where the frame is");
        if let Some(pose) = placement::placement(reader, "outboard", node) {
            link = link.outboard(pose);
        }
    }
    if let Some(node) = fields.get("joint") {
        let by_row = fields.get("dh").is_some();
        (link, spans.joint) = joint::joint(reader, node, link, by_row);
    }
    let payload = fields.get("payload").and_then(|node| matter::payload(reader, node));
    for matter in matter::of_link(reader, &fields).into_iter().chain(payload) {
        let rows = matter.tensor.to_mat3().to_rows();
        link = link.body(matter.mass, matter.centre.to_array(), rows);
        spans.matter.push(matter);
    }
    for node in fields.get("frames").map_or(&[][..], one_or_many) {
        link = frame(reader, node, link, &mut spans);
    }
    Some((link, spans))
}

/// The placement, or the Denavit-Hartenberg row.
fn place(reader: &mut Reader, fields: &Fields<'_>, link: Link, spans: &mut Spans) -> Link {
    let ways = ["placement", "dh"];
    let way = reader.at_most_one(fields, &ways, "a joint is placed in one way");
    let Some((way, node)) = way.and_then(|way| Some((way, fields.get(way)?))) else {
        return link;
    };
    spans.placement = Some(node.span.clone());
    if way == "placement" {
        match placement::placement(reader, "placement", node) {
            Some(pose) => link.placed(pose),
            None => link,
        }
    } else {
        placement::denavit_hartenberg(reader, node, link)
    }
}

fn frame(reader: &mut Reader, node: &Node, link: Link, spans: &mut Spans) -> Link {
    let Some(fields) = reader.fields("the frame", node, &keys::FRAME) else {
        return link;
    };
    let pose = placement::pose(reader, &fields);
    let name_node = fields.get("name");
    let name = name_node.and_then(|node| reader.text("the name of the frame", node));
    match (name, pose, name_node) {
        (Some(name), Some(pose), Some(node)) => {
            spans.frames.push((name.to_owned(), node.span.clone()));
            link.frame(name, pose)
        }
        _ => link,
    }
}

fn file_stem(name: &str) -> String {
    let stem = Path::new(name).file_stem();
    stem.map_or_else(|| "arm".to_owned(), |stem| stem.to_string_lossy().into_owned())
}
