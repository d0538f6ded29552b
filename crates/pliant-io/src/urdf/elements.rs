//! Elements, attributes and numbers, each with its place in the text.

use super::codes;
use super::document::tag;
use super::findings::{Common, Findings};
use crate::Problem;
use crate::arm_file::placement::turned;
use crate::nearest::nearest;
use pliant::name::shown;
use pliant::spatial::{Pose, Vec3};
use roxmltree::Node;
use std::collections::HashSet;
use std::ops::Range;

/// An attribute's value and where it stands.
#[derive(Clone, Copy)]
pub(super) struct Value<'a> {
    /// As it is written, entities resolved.
    pub(super) text: &'a str,
    start: usize,
    end: usize,
}

impl Value<'_> {
    /// The bytes between the quotes.
    pub(super) fn span(&self) -> Range<usize> {
        self.start..self.end
    }
}

/// Reads elements and notes what is odd about them.
#[derive(Default)]
pub(super) struct Elements {
    /// What was found.
    pub(super) findings: Findings,
    /// Element and unknown word inside it, as far as they were reported.
    unknown: HashSet<(String, String)>,
}

/// What an element may hold.
pub(super) struct Expected {
    /// Elements that are read.
    pub(super) read: &'static [&'static str],
    /// Elements that are pictures, passed over.
    pub(super) pictures: &'static [&'static str],
    /// Elements that others need, listed once.
    pub(super) aside: &'static [&'static str],
    /// Attributes that are read.
    pub(super) attributes: &'static [&'static str],
    /// Attributes that others need, listed once.
    pub(super) attributes_aside: &'static [&'static str],
}

impl Expected {
    /// Attributes and nothing inside.
    pub(super) const fn only(attributes: &'static [&'static str]) -> Self {
        Self { read: &[], pictures: &[], aside: &[], attributes, attributes_aside: &[] }
    }
}

impl Elements {
    /// Notes what an element holds and nobody will read: as a slip where a known name is near,
    /// else as something of others.
    pub(super) fn look(&mut self, node: Node<'_, '_>, expected: &Expected) {
        let here = node.tag_name().name();
        for child in node.children().filter(Node::is_element) {
            let name = child.tag_name().name();
            let known = |list: &[&str]| list.contains(&name);
            if known(expected.read) || known(expected.pictures) {
                continue;
            }
            let message = || format!("<{name}> is not known inside <{here}> and not used");
            if known(&["link", "joint"]) {
                let help = "move it out, so that it stands directly inside <robot>".to_owned();
                self.slip(here, name, message(), tag(child), help);
            } else if let Some(meant) = nearest(name, expected.read.iter().copied())
                && !known(expected.aside)
            {
                let help = format!("did you mean <{meant}>?");
                self.slip(here, name, message(), tag(child), help);
            } else {
                self.findings.common(Common::Aside, name, tag(child));
            }
        }
        for attribute in node.attributes().filter(|a| a.namespace().is_none()) {
            let name = attribute.name();
            if expected.attributes.contains(&name) {
                continue;
            }
            let span = attribute.range_qname();
            let attributes = expected.attributes.iter().copied();
            let missing = attributes.filter(|word| node.attribute(*word).is_none());
            if let Some(meant) = nearest(name, missing)
                && !expected.attributes_aside.contains(&name)
            {
                let message = format!("<{here}> has no attribute `{name}`; it is not used");
                let help = format!("did you mean `{meant}`?");
                self.slip(here, name, message, span, help);
            } else {
                let both = format!("{here} {name}");
                self.findings.common(Common::Aside, &both, span);
            }
        }
    }

    /// A name that was probably mistyped; the same one is reported once.
    fn slip(&mut self, here: &str, name: &str, message: String, span: Range<usize>, help: String) {
        if self.unknown.insert((here.to_owned(), name.to_owned())) {
            let problem = Problem::warning(&codes::UNKNOWN_ELEMENT, message);
            self.findings.push(problem.at(span).help(help));
        }
    }

    /// The first element of a name inside another; further ones are noted.
    pub(super) fn child<'a, 'i>(
        &mut self,
        node: Node<'a, 'i>,
        name: &'static str,
    ) -> Option<Node<'a, 'i>> {
        let mut found = node.children().filter(|child| child.has_tag_name(name));
        let first = found.next();
        if let Some(second) = found.next() {
            let problem = Problem::warning(
                &codes::UNKNOWN_ELEMENT,
                format!("a second <{name}> inside one <{}>", node.tag_name().name()),
            );
            let problem = problem.at(tag(second)).help("only the first is used; remove the other");
            self.findings.push(problem);
        }
        first
    }

    /// An element that must be there; `owner` says whose it is.
    pub(super) fn required_child<'a, 'i>(
        &mut self,
        node: Node<'a, 'i>,
        name: &'static str,
        owner: &str,
        example: &str,
    ) -> Option<Node<'a, 'i>> {
        let child = self.child(node, name);
        if child.is_none() {
            self.findings.push(
                Problem::error(&codes::MISSING_PART, format!("{owner} has no <{name}>"))
                    .at(tag(node))
                    .help(format!("add {example}")),
            );
        }
        child
    }

    /// An attribute, if it is there.
    pub(super) fn attribute<'a>(node: Node<'a, '_>, name: &str) -> Option<Value<'a>> {
        let attribute = node.attribute_node(name)?;
        let Range { start, end } = attribute.range_value();
        Some(Value { text: attribute.value(), start, end })
    }

    /// An attribute that must be there; `owner` says whose it is.
    pub(super) fn required<'a>(
        &mut self,
        node: Node<'a, '_>,
        name: &str,
        owner: &str,
    ) -> Option<Value<'a>> {
        let value = Self::attribute(node, name);
        if value.is_none() {
            self.findings.push(
                Problem::error(&codes::MISSING_PART, format!("{owner} has no `{name}`"))
                    .at(tag(node))
                    .help(format!("add {name}=\"...\" to <{}>", node.tag_name().name())),
            );
        }
        value
    }

    /// A name that must be there and must not be empty.
    pub(super) fn name<'a>(&mut self, node: Node<'a, '_>, attribute: &str) -> Option<Value<'a>> {
        let tag_name = node.tag_name().name();
        let value = self.required(node, attribute, &format!("a <{tag_name}>"))?;
        if value.text.trim().is_empty() {
            self.findings.push(
                Problem::error(
                    &crate::codes::EMPTY_NAME,
                    format!("the `{attribute}` of a <{tag_name}> is empty"),
                )
                .at(Elements::around(node, attribute))
                .help("give it a name"),
            );
            return None;
        }
        Some(value)
    }

    /// The whole attribute, name and quotes included.
    fn around(node: Node<'_, '_>, attribute: &str) -> Range<usize> {
        node.attribute_node(attribute).map_or_else(|| tag(node), |a| a.range())
    }

    /// Numbers separated by blanks.
    pub(super) fn numbers<const N: usize>(
        &mut self,
        node: Node<'_, '_>,
        attribute: &str,
        owner: &str,
    ) -> Option<[f64; N]> {
        let value = Self::attribute(node, attribute)?;
        let mut numbers = [0.0; N];
        let mut count = 0;
        let mut good = true;
        for word in value.text.split_whitespace() {
            match read_number(word) {
                Ok(number) => {
                    if let Some(place) = numbers.get_mut(count) {
                        *place = number;
                    }
                }
                Err(remedy) => {
                    good = false;
                    let word = shortened(word);
                    self.findings.push(
                        Problem::error(
                            &codes::BAD_NUMBER,
                            format!("{owner}: `{word}` in `{attribute}` is not a number"),
                        )
                        .at(Self::around(node, attribute))
                        .help(remedy),
                    );
                    // one fault per attribute is enough
                    break;
                }
            }
            count += 1;
        }
        if good && count != N {
            good = false;
            let needed = if N == 1 { "1 is" } else { "3 are" };
            self.findings.push(
                Problem::error(
                    &codes::BAD_NUMBER,
                    format!("{owner}: `{attribute}` has {count} numbers, {needed} needed"),
                )
                .at(Self::around(node, attribute))
                .help(if N == 1 {
                    "write one decimal number, such as 0.25"
                } else {
                    "write three numbers separated by blanks, such as \"0 0 0.25\""
                }),
            );
        }
        good.then_some(numbers)
    }

    /// One number.
    pub(super) fn number(
        &mut self,
        node: Node<'_, '_>,
        attribute: &str,
        owner: &str,
    ) -> Option<f64> {
        self.numbers::<1>(node, attribute, owner).map(|[x]| x)
    }

    /// One number that must be there.
    pub(super) fn required_number(
        &mut self,
        node: Node<'_, '_>,
        attribute: &str,
        owner: &str,
    ) -> Option<f64> {
        self.required(node, attribute, owner)?;
        self.number(node, attribute, owner)
    }

    /// The pose of `<origin xyz="..." rpy="..."/>`; the identity where nothing is said.
    pub(super) fn origin(&mut self, node: Node<'_, '_>, owner: &str) -> Pose<f64> {
        let Some(origin) = self.child(node, "origin") else {
            return Pose::IDENTITY;
        };
        self.look(origin, &Expected::only(&["xyz", "rpy"]));
        let owner = format!("the origin of {owner}");
        let xyz = self.numbers::<3>(origin, "xyz", &owner).unwrap_or_default();
        let rpy = self.numbers::<3>(origin, "rpy", &owner).unwrap_or_default();
        Pose::new(turned(rpy), Vec3::from(xyz))
    }
}

/// Units that people add to numbers.
const UNITS: [&str; 8] = ["m", "mm", "cm", "kg", "g", "deg", "°", "rad"];

/// A finite number, or how to mend the word.
fn read_number(word: &str) -> Result<f64, &'static str> {
    match word.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        Ok(_) => Err("give a finite number"),
        Err(_) if word.contains("${") || word.contains("$(") => Err(
            "this is a xacro expression; run `xacro robot.urdf.xacro > robot.urdf` and load the result",
        ),
        Err(_) if word.contains(',') => {
            Err("separate numbers by blanks, and write decimals with a point")
        }
        Err(_)
            if UNITS.contains(&word)
                || word.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c)) =>
        {
            Err("write a plain decimal number in SI units (m, rad, kg), without the unit")
        }
        Err(_) => Err("write a plain decimal number, such as 0.25 or -1e-3"),
    }
}

/// A word of the file as far as it fits a message, with what is not printable as escapes.
pub(super) fn shortened(word: &str) -> String {
    const FITS: usize = 40;
    match word.char_indices().nth(FITS) {
        None => shown(word).into_owned(),
        Some((end, _)) => shown(&word[..end]).into_owned() + "…",
    }
}
