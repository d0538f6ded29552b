//! Arm files: a TOML text becomes a checked arm.

mod actuator;
mod beam_faults;
mod beam_keys;
mod bends;
mod faults;
mod joint;
pub(crate) mod keys;
mod length;
mod matter;
mod matter_keys;
pub(crate) mod placement;
mod section;
mod variants;

use crate::codes;
use crate::node::{Node, quoted};
use crate::problem::{Problem, Report, Severity};
use crate::reader::{Fields, Reader};
use crate::source::Source;
use crate::{Loaded, units};
use faults::Spans;
use length::{Along, FrameAt, Waiting};
use matter::Matter;
pub(crate) use matter::one_or_many;
use pliant::arm::{Arm, Builder, Link};
use pliant::reproduce::{Variant, Variants};
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
    let built = read_node(&mut reader, &file_stem(source.name()), &root);
    let report = refuse(reader.problems);
    match built {
        Some((arm, description, variants)) if report.count(Severity::Error) == 0 => {
            Ok(Loaded { arm, description, variants, warnings: report })
        }
        _ => Err(report),
    }
}

/// Reads an arm from a table of a file; it is called `usual` where it has no name.
pub(crate) fn read_node(
    reader: &mut Reader,
    usual: &str,
    node: &Node,
) -> Option<(Arm, Builder, Variants)> {
    let (builder, spans) = describe(reader, usual, node)?;
    let variants = variants::read(node);
    let mut lacks = variants.lacks(&builder);
    let built = builder.clone().build();
    // what a tip carries is known only now
    if let (Ok(arm), [], [_, ..]) = (&built, lacks.as_slice(), variants.theodore24.as_slice()) {
        let asks = |link: &str| variants.theodore24.iter().any(|name| name == link);
        lacks.extend(Variant::theodore24(arm, asks).err());
    }
    let is_sound = !reader.has_errors() && lacks.is_empty();
    let built = match built {
        Ok(arm) if is_sound => {
            reader.problems.extend(variants::warnings(&variants, &spans));
            reader.problems.extend(faults::warnings(arm.warnings(), &spans));
            Some(arm)
        }
        Ok(_) => None,
        Err(error) => {
            reader.problems.extend(faults::problems(&error.faults, &spans));
            None
        }
    };
    reader.problems.extend(lacks.iter().map(|lack| variants::problem(lack, &spans)));
    Some((built?, builder, variants))
}

/// The description of the arm, and where everything stands.
fn describe(reader: &mut Reader, usual: &str, root: &Node) -> Option<(Builder, Vec<Spans>)> {
    let fields = reader.fields("the arm", root, &keys::ARM)?;
    let name = match fields.get("name") {
        Some(node) => reader.text("name", node).unwrap_or_default().to_owned(),
        None => usual.to_owned(),
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
    let mut read = Vec::with_capacity(nodes.len());
    for node in nodes {
        read.push(link(reader, node));
        reader.whose.clear();
    }
    let (links, all_spans): (Vec<Waiting>, Vec<Spans>) =
        read.into_iter().collect::<Option<Vec<_>>>()?.into_iter().unzip();
    let links = length::attach(reader, links);
    Some((links.into_iter().fold(builder, Builder::link), all_spans))
}

/// One link, and where its parts stand.
fn link(reader: &mut Reader, node: &Node) -> Option<(Waiting, Spans)> {
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
    let (mut link, along) = length::of_link(reader, &fields, link, &mut spans);
    for matter in matter::of_link(reader, &fields) {
        let rows = matter.tensor.to_mat3().to_rows();
        link = link.body(matter.mass, matter.centre.to_array(), rows);
        spans.matter.push(matter);
    }
    for node in fields.get("payload").map_or(&[][..], one_or_many) {
        if let Some(payload) = matter::payload(reader, node) {
            link = carry(link, along.as_ref(), &payload);
            spans.matter.push(payload);
        }
    }
    let mut frames = Vec::new();
    for node in fields.get("frames").map_or(&[][..], one_or_many) {
        frames.extend(frame(reader, node, &mut spans));
    }
    let at = length::at(reader, fields.get("at"));
    Some((Waiting { link, along, at, frames }, spans))
}

/// Puts a payload on a link: at its tip where it has a length.
fn carry(link: Link, along: Option<&Along>, payload: &Matter) -> Link {
    let Matter { mass, centre, tensor, .. } = payload;
    let (centre, tensor) = match along {
        Some(along) if !along.bends => {
            let tip = along.pose(along.length);
            (tip.point(*centre), tensor.rotated(&tip.rotation))
        }
        _ => (*centre, *tensor),
    };
    let (centre, rows) = (centre.to_array(), tensor.to_mat3().to_rows());
    if along.is_some_and(|along| along.bends) {
        link.tip_body(*mass, centre, rows)
    } else {
        link.body(*mass, centre, rows)
    }
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

fn frame(reader: &mut Reader, node: &Node, spans: &mut Spans) -> Option<FrameAt> {
    let fields = reader.fields("the frame", node, &keys::FRAME)?;
    let pose = placement::pose(reader, &fields);
    let at = length::at(reader, fields.get("at"));
    let name_node = fields.get("name")?;
    let name = reader.text("the name of the frame", name_node)?.to_owned();
    spans.frames.push((name.clone(), name_node.span.clone()));
    Some(FrameAt { name, at, pose: pose? })
}

fn file_stem(name: &str) -> String {
    let stem = Path::new(name).file_stem();
    stem.map_or_else(|| "arm".to_owned(), |stem| stem.to_string_lossy().into_owned())
}
