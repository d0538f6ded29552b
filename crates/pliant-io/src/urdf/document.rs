//! From bytes to an XML tree of bounded size.

use super::codes;
use crate::{Problem, Source};
use roxmltree::{Document, Error, ParsingOptions, TextPos};
use std::ops::Range;

/// Limits that keep the tree of a file within some hundred megabytes, and its reading within
/// seconds. The largest published robots have some thousand elements.
const MOST_ELEMENTS: usize = 400_000;
const MOST_ATTRIBUTES: usize = 800_000;
const MOST_NAMESPACES: usize = 1_000;
/// The parser compares each attribute of an element with each other one.
const MOST_COMPARISONS: usize = 500_000_000;
/// How deep elements may be nested.
const DEEPEST: usize = 100;

/// Reads a text as XML.
pub(super) fn parse(source: &Source) -> Result<Document<'_>, Problem> {
    let text = source.text();
    refuse_masses(text)?;
    let options = ParsingOptions {
        nodes_limit: u32::try_from(2 * MOST_ELEMENTS).unwrap_or(u32::MAX),
        ..ParsingOptions::default()
    };
    let document =
        Document::parse_with_options(text, options).map_err(|error| explain(&error, text))?;
    refuse_depth(&document)?;
    Ok(document)
}

/// The underlined part of an element: `<tag`.
pub(super) fn tag(node: roxmltree::Node<'_, '_>) -> Range<usize> {
    let start = node.range().start;
    let text = node.document().input_text();
    let name = text[start..].trim_start_matches('<');
    let length = name.find(|c: char| c.is_whitespace() || c == '>' || c == '/').unwrap_or(0);
    start..start + 1 + length
}

fn refuse_masses(text: &str) -> Result<(), Problem> {
    let bytes = text.as_bytes();
    let count = |wanted: u8| bytes.split(|byte| *byte == wanted).count();
    let comparisons: usize = bytes
        .split(|byte| *byte == b'<')
        .filter(|piece| !piece.starts_with(b"!"))
        .map(|piece| {
            let of = |wanted: &[u8]| piece.iter().filter(|byte| wanted.contains(byte)).count();
            of(b"=").min(of(b"\"'") / 2).pow(2)
        })
        .sum();
    for (what, number, most) in [
        ("elements", count(b'<'), MOST_ELEMENTS),
        ("attributes", count(b'='), MOST_ATTRIBUTES),
        ("namespaces", text.matches("xmlns").count(), MOST_NAMESPACES),
        ("attributes in one element", comparisons, MOST_COMPARISONS),
    ] {
        if number > most {
            return Err(Problem::error(
                &codes::TOO_COMPLEX,
                format!("the file has too many {what}"),
            )
            .help("is it a robot? the largest published ones have some thousand elements"));
        }
    }
    Ok(())
}

fn refuse_depth(document: &Document<'_>) -> Result<(), Problem> {
    let mut node = document.root_element();
    let mut depth = 1;
    loop {
        if depth > DEEPEST {
            let message = format!("the elements are nested more than {DEEPEST} deep");
            return Err(Problem::error(&codes::TOO_COMPLEX, message)
                .at(tag(node))
                .help("a URDF has its links and joints side by side inside <robot>; close each one before the next"));
        }
        // on to the first child, else to the next sibling of the nearest ancestor that has one
        if let Some(child) = node.first_element_child() {
            node = child;
            depth += 1;
            continue;
        }
        let mut next = node.next_sibling_element();
        while next.is_none() {
            let Some(parent) = node.parent_element() else {
                return Ok(());
            };
            node = parent;
            depth -= 1;
            next = node.next_sibling_element();
        }
        if let Some(next) = next {
            node = next;
        }
    }
}

/// The parser's finding in words that help to mend the file.
fn explain(error: &Error, text: &str) -> Problem {
    let place = offset(text, error.pos());
    let end = text.len();
    let letter = |at: usize| {
        let length = text[at..].chars().next().map_or(0, char::len_utf8);
        at..at + length
    };
    let not_well_formed = |message: String| Problem::error(&codes::XML, message);
    match error {
        Error::DtdDetected => {
            let start = text.find("<!DOCTYPE").unwrap_or(place);
            Problem::error(&codes::DOCTYPE, "a document type is declared")
                .at(start..(start + "<!DOCTYPE".len()).min(end))
                .help("remove the <!DOCTYPE ...> with all its entities; a URDF needs none")
        }
        Error::NodesLimitReached
        | Error::AttributesLimitReached
        | Error::NamespacesLimitReached => {
            Problem::error(&codes::TOO_COMPLEX, "the file has too many elements")
        }
        Error::UnknownNamespace(prefix, _) if prefix == "xacro" => unexpanded(place..place + 1),
        Error::UnknownNamespace(prefix, _) => {
            not_well_formed(format!("the prefix `{prefix}:` is not declared"))
                .at(letter(place))
                .help(format!(
                    "add `xmlns:{prefix}=\"{prefix}\"` to <robot>, or remove the element"
                ))
        }
        Error::UnexpectedCloseTag(expected, actual, _) => {
            not_well_formed(format!("<{expected}> is closed by </{actual}>"))
                .at(letter(place))
                .label("closed here")
                .help(format!("write </{expected}> before it, or remove </{actual}>"))
        }
        Error::UnclosedRootNode => {
            not_well_formed("the file ends before the outermost element is closed".into())
                .at(end..end)
                .help("write </robot> at the end; if it is there, some element above is not closed")
        }
        Error::NoRootNode => not_well_formed("there is no element in the file".into())
            .help("a URDF starts with <robot name=\"...\">"),
        Error::UnexpectedEndOfStream => not_well_formed("the file ends inside a tag".into())
            .at(end..end)
            .help("the file may be cut off; the last tag must end with `>`"),
        Error::UnexpectedDeclaration(_) => {
            not_well_formed("the XML declaration is not at the very beginning".into())
                .at(letter(place))
                .help("remove what stands before <?xml ...?>, blank lines too")
        }
        Error::DuplicatedAttribute(name, _) => {
            not_well_formed(format!("the attribute `{name}` is given twice"))
                .at(place..(place + name.len()).min(end))
                .help("keep one of the two")
        }
        Error::UnknownEntityReference(name, _) => {
            not_well_formed(format!("`&{name};` stands for nothing"))
                .at(letter(place))
                .help("a plain `&` is written `&amp;`")
        }
        Error::MalformedEntityReference(_) => {
            not_well_formed("a lone `&`".into()).at(letter(place)).help("write `&amp;`")
        }
        Error::InvalidChar(b'"' | b'\'', b'<', _) => {
            not_well_formed("a value before this tag is in quotes that are not closed".into())
                .at(letter(place))
                .help("close the quotes of the last attribute above")
        }
        Error::InvalidAttributeValue(_) => {
            not_well_formed("a `<` stands inside an attribute value".into())
                .at(letter(place))
                .help("close the quotes before it, or write `&lt;`")
        }
        _ if !text.trim_start().starts_with('<') => not_well_formed("this is not XML".into())
            .at(letter(text.len() - text.trim_start().len()))
            .help("a URDF starts with <robot name=\"...\">; arm files of pliant end in .toml"),
        other => {
            let said = other.to_string();
            let said = said.rsplit_once(" at ").map_or(said.as_str(), |(said, _)| said);
            not_well_formed(format!("the XML is broken here: {said}"))
                .at(letter(place))
                .help("look for a missing quote, `=`, `>` or `/` just before")
        }
    }
}

/// The file still has macros.
pub(super) fn unexpanded(span: Range<usize>) -> Problem {
    Problem::error(&codes::XACRO, "the file is xacro, from which a URDF is made")
        .at(span)
        .help("run `xacro robot.urdf.xacro > robot.urdf` and load the result")
}

/// The byte at a line and column, both counted from one.
fn offset(text: &str, place: TextPos) -> usize {
    let row = place.row.saturating_sub(1) as usize;
    let start = match row {
        0 => 0,
        _ => text.match_indices('\n').nth(row - 1).map_or(text.len(), |(at, _)| at + 1),
    };
    let column = place.col.saturating_sub(1) as usize;
    text[start..].char_indices().nth(column).map_or(text.len(), |(at, _)| start + at)
}
