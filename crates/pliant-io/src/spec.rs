//! How tables of files are described: the reader refuses what is not described, and the schema is
//! made from the same description.

use crate::coordinates::Measure;
use crate::node::Value;
use crate::toml_out;
use crate::units::{self, Quantity};
use std::fmt;

/// A table of a file.
#[derive(Debug)]
pub(crate) struct TableSpec {
    /// What a person calls it.
    pub(crate) name: &'static str,
    /// What it says, for the schema.
    pub(crate) doc: &'static str,
    /// How it could look.
    pub(crate) example: &'static str,
    /// Its keys, in groups that tables share.
    pub(crate) keys: &'static [&'static [Key]],
    /// What people look for here, and where it is.
    pub(crate) elsewhere: &'static [(&'static str, &'static str)],
    /// Other words for its keys.
    pub(crate) aliases: &'static [Alias],
    /// Keys that later versions will know: name, and what will come.
    pub(crate) later: &'static [(&'static str, &'static str)],
}

/// Another word for a key.
#[derive(Debug)]
pub(crate) struct Alias {
    /// The other word.
    pub(crate) word: &'static str,
    /// The key that is meant.
    pub(crate) key: &'static str,
    /// Whether it was the key's name in earlier versions, which is told; otherwise it is a word that
    /// others use for the same.
    pub(crate) is_former: bool,
}

/// A key of a table.
#[derive(Debug)]
pub(crate) struct Key {
    pub(crate) name: &'static str,
    pub(crate) form: Form,
    /// What is true where it is left out.
    pub(crate) left_out: LeftOut,
    /// What it means, for the schema.
    pub(crate) doc: &'static str,
}

/// What is true of a key that is left out.
#[derive(Debug)]
pub(crate) enum LeftOut {
    /// It must be there.
    Never,
    /// It has this value.
    Is(fn() -> Value),
    /// In words.
    Means(&'static str),
}

impl Key {
    pub(crate) fn is_required(&self) -> bool {
        matches!(self.left_out, LeftOut::Never)
    }

    /// What it means, without the spaces of comments.
    pub(crate) fn meaning(&self) -> &'static str {
        self.doc.trim()
    }

    /// What is true where it is left out, as a file would say it or in words, if it is said.
    pub(crate) fn if_left_out(&self) -> Option<String> {
        match self.left_out {
            LeftOut::Never | LeftOut::Means("") => None,
            LeftOut::Is(value) => Some(toml_out::inline(&value())),
            LeftOut::Means(words) => Some(words.to_owned()),
        }
    }
}

/// How a value is written.
#[derive(Debug)]
pub(crate) enum Form {
    Text,
    Flag,
    /// One of some words.
    Word(&'static [&'static str]),
    Number(&'static Quantity),
    /// Three numbers.
    Vector(&'static Quantity),
    /// Four plain numbers.
    Quaternion,
    /// Three rows of three plain numbers.
    Matrix,
    /// `"x"`, `"-z"`, or three plain numbers.
    Axis,
    /// Two axes.
    Axes,
    /// Two numbers, or a table of such by coordinate.
    Limits,
    /// A number in the unit of a joint's coordinate.
    OfJoint(Measure),
    /// A number, a list of them, or a table by coordinate, in the units of the coordinates.
    OfCoordinates(Measure),
    /// Three principal moments, three rows, or a table.
    Inertia(&'static TableSpec),
    Table(&'static TableSpec),
    /// In short in some form, or as a table.
    OrTable(&'static Form, &'static TableSpec),
    /// A list of tables, or one.
    Tables(&'static TableSpec),
    /// A table whose other keys depend on its `kind`, or a list of such, with what they are.
    ByKind(&'static str, &'static [&'static TableSpec]),
    /// One table whose other keys depend on its `kind`, with what it is.
    OneByKind(&'static str, &'static [&'static TableSpec]),
    /// A whole number, zero or more.
    Count,
    /// A whole number, or true or false.
    CountOrFlag,
    /// Numbers of one kind, as many as one likes.
    Numbers(&'static Quantity),
    /// Rows of plain numbers, all equally long.
    Rows,
    /// A number whose unit depends on what else the table says.
    Measured,
    /// A list of such.
    MeasuredList,
    /// Lists of such lists.
    MeasuredRows,
    /// Texts, as many as one likes.
    Texts,
    /// A text, or several.
    TextOrTexts,
    /// Numbers with units, texts, or true and false, as many as one likes.
    Values,
    /// The keys of another table, as if they stood in this one.
    Flat(&'static TableSpec),
}

impl Form {
    /// The unit of plain numbers, or those of coordinates that turn and that slide.
    pub(crate) fn unit(&self) -> Option<String> {
        match self {
            Self::Number(quantity) | Self::Vector(quantity) | Self::Numbers(quantity) => {
                Some(quantity.si).filter(|si| *si != "1").map(str::to_owned)
            }
            Self::Inertia(_) => Some(units::INERTIA.si.to_owned()),
            Self::OfJoint(Measure { turn, slide })
            | Self::OfCoordinates(Measure { turn, slide }) => match (turn.si, slide.si) {
                ("1", "1") => None,
                (one, other) if one == other => Some(one.to_owned()),
                (turn, slide) => Some(format!("{turn} or {slide}")),
            },
            Self::OrTable(short, _) => short.unit(),
            _ => None,
        }
    }
}

impl fmt::Display for Form {
    /// What is wanted, as part of a sentence.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Text => "a text",
            Self::Flag => "true or false",
            Self::Word(_) => "a word",
            Self::Number(quantity) => quantity.name,
            Self::Vector(_) => "a list of three numbers",
            Self::Quaternion => "a list of four numbers",
            Self::Matrix => "three rows of three numbers",
            Self::Axis => "an axis",
            Self::Axes => "two axes",
            Self::Limits => "two numbers, or two for each coordinate",
            Self::OfCoordinates(_) => "a number for each coordinate",
            Self::Inertia(_) => "three moments, three rows, or a table",
            Self::Table(_) | Self::OneByKind(..) | Self::Flat(_) => "a table",
            Self::OrTable(short, _) => return write!(f, "{short} or a table"),
            Self::Tables(_) | Self::ByKind(..) => "a table, or a list of such",
            Self::Count => "a whole number",
            Self::CountOrFlag => "a whole number, or true or false",
            Self::Numbers(_) | Self::MeasuredList => "a list of numbers",
            Self::Rows | Self::MeasuredRows => "rows of numbers",
            Self::Measured | Self::OfJoint(_) => "a number",
            Self::Texts => "a list of texts",
            Self::TextOrTexts => "a text, or a list of texts",
            Self::Values => "a list of values",
        })
    }
}

impl TableSpec {
    /// Its name without an article.
    pub(crate) const fn noun(&self) -> &'static str {
        let article = match self.name.as_bytes() {
            [b't', b'h', b'e', b' ', ..] => 4,
            [b'a', b'n', b' ', ..] => 3,
            [b'a', b' ', ..] => 2,
            _ => 0,
        };
        self.name.split_at(article).1
    }

    /// Its keys, with those of tables that stand in it flat.
    pub(crate) fn all_keys(&self) -> Box<dyn Iterator<Item = &'static Key>> {
        Box::new(self.keys.iter().copied().flatten().flat_map(
            |key| -> Box<dyn Iterator<Item = &'static Key>> {
                match key.form {
                    Form::Flat(inner) => inner.all_keys(),
                    _ => Box::new(std::iter::once(key)),
                }
            },
        ))
    }

    /// What people look for in it, with the same of tables that stand in it flat.
    pub(crate) fn all_elsewhere(
        &self,
    ) -> impl Iterator<Item = &'static (&'static str, &'static str)> {
        let inner = self.keys.iter().copied().flatten().filter_map(|key| match key.form {
            Form::Flat(inner) => Some(inner.elsewhere),
            _ => None,
        });
        self.elsewhere.iter().chain(inner.flatten())
    }

    /// Other words for its keys, with those of tables that stand in it flat.
    pub(crate) fn all_aliases(&self) -> Box<dyn Iterator<Item = &'static Alias>> {
        let inner = self.keys.iter().copied().flatten().filter_map(|key| match key.form {
            Form::Flat(inner) => Some(inner.all_aliases()),
            _ => None,
        });
        Box::new(self.aliases.iter().chain(inner.flatten()))
    }

    pub(crate) fn key(&self, name: &str) -> Option<&'static Key> {
        self.all_keys().find(|key| key.name == name)
    }

    /// The key that a word of a file means, by its own name or by another word for it.
    pub(crate) fn meant(&self, word: &str) -> Option<(&'static Key, Option<&'static Alias>)> {
        if let Some(key) = self.key(word) {
            return Some((key, None));
        }
        let alias = self.all_aliases().find(|alias| alias.word == word)?;
        Some((self.key(alias.key)?, Some(alias)))
    }
}
