//! Beams in the words of a command line.

use super::length;
use super::link::LinkTable;
use crate::codes;
use crate::problem::{Problem, Report};
use crate::reader::Reader;
use crate::source::Source;
use crate::table::Table as _;
use crate::toml_out::{number, quoted};
use crate::toml_text;
use pliant::arm::Link;
use pliant::beam::Beam;

/// A beam in the words of a command line: values of keys of arm files, or shorter.
///
/// ```
/// let text = pliant_io::BeamText {
///     section: "tube 100x3 mm",
///     material: Some("aluminium"),
///     shapes: "y = 2, z = 2",
/// };
/// let beam = text.beam("forearm", 0.4).expect("a beam");
/// assert!((beam.mass() - 0.991).abs() < 1e-4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BeamText<'a> {
    /// The section: `{ kind = "tube", … }`, or its kind, dimensions and unit, `tube 100x3 mm`.
    pub section: &'a str,
    /// The material: `aluminium`, or `{ young = …, … }`.
    pub material: Option<&'a str>,
    /// The shapes, as in `bends`, also without braces.
    pub shapes: &'a str,
}

/// The dimensions of each kind of section in their order, and an example.
const DIMENSIONS: [(&str, &[&str], &str); 5] = [
    ("round", &["diameter"], "round 20 mm"),
    ("tube", &["diameter", "wall"], "tube 100x3 mm"),
    ("rectangle", &["height", "width"], "rectangle 40x20 mm"),
    ("box", &["height", "width", "wall"], "box 80x60x3 mm"),
    ("i", &["height", "width", "web", "flange"], "i 80x60x4x5 mm"),
];

impl BeamText<'_> {
    /// The beam of a link, of a length (m); its root is in the link frame.
    pub fn beam(&self, link: &str, length: f64) -> Result<Beam, Report> {
        let section = section(self.section);
        let mut text = format!("name = {}\n", quoted(link));
        let shapes = self.shapes.trim();
        let shapes =
            if shapes.starts_with('{') { shapes.to_owned() } else { format!("{{ {shapes} }}") };
        let material = self.material.map(value);
        let lines = [
            ("length", Some(number(length))),
            ("section", section.as_ref().ok().cloned()),
            ("material", material),
            ("bends", Some(shapes)),
        ];
        for (key, value) in lines {
            text.extend(value.map(|value| format!("{key} = {value}\n")));
        }
        let source = Source::new(format!("the beam of {link}"), text);
        let refuse = |problems| Report::new(source.clone(), problems);
        section.map_err(|problem| refuse(vec![*problem]))?;
        let root = toml_text::read(&source).map_err(refuse)?;
        let mut reader = Reader::default();
        let table = LinkTable::read(&mut reader, "the link", &root);
        let read = table
            .map(|table| length::of_link(&mut reader, &table, Link::new(link), &mut Vec::new()).0);
        let beam = read.and_then(|link| link.parts().beam.cloned());
        match beam {
            Some(beam) if !reader.has_errors() => Ok(beam),
            _ => Err(refuse(reader.problems)),
        }
    }
}

/// A table as it is, a name in quotes.
fn value(text: &str) -> String {
    let text = text.trim();
    if text.starts_with('{') { text.to_owned() } else { quoted(text) }
}

/// A section as arm files have it.
fn section(text: &str) -> Result<String, Box<Problem>> {
    let text = text.trim();
    if text.starts_with('{') {
        return Ok(text.to_owned());
    }
    let (kind, sizes) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let sizes: Vec<&str> = sizes.split(['x', '×']).map(str::trim).collect();
    let last = sizes.last().copied().unwrap_or_default();
    let unit = last.trim_start_matches(|c: char| !c.is_alphabetic() && c != 'µ').trim();
    let known = DIMENSIONS.iter().find(|(known, ..)| *known == kind);
    let (keys, example) = known.map_or((&[][..], ""), |(_, keys, example)| (*keys, *example));
    let count = sizes.iter().filter(|size| !size.is_empty()).count();
    if !keys.is_empty() && (keys.len() != count || unit.is_empty()) {
        let message = if keys.len() == count {
            format!("the section \"{text}\" has no unit")
        } else {
            let (all, s) = (keys.join(", "), if count == 1 { "" } else { "s" });
            format!("the section \"{text}\" has {count} number{s}, but a {kind} has {all}")
        };
        let help = format!("write \"{example}\", for instance");
        return Err(Box::new(Problem::error(&codes::WRONG_COUNT, message).help(help)));
    }
    let mut table = format!("{{ kind = {}", quoted(kind));
    for (key, size) in keys.iter().zip(&sizes) {
        let has_unit = size.contains(char::is_alphabetic);
        let size = if has_unit { (*size).to_owned() } else { format!("{size} {unit}") };
        table.extend([", ", key, " = ", &quoted(size.trim())]);
    }
    Ok(table + " }")
}
