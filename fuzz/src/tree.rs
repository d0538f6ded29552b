//! What a file says, as a tree that can be changed and written again.

use pliant_io::{bare_or_quoted, quoted};
use std::fmt::Write as _;

/// A value of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    /// A number, a flag, a date, as it is written.
    Literal(String),
    /// A text.
    Text(String),
    /// Values in a row.
    List(Vec<Tree>),
    /// Values by name; a name may be there twice.
    Table(Vec<(String, Tree)>),
}

/// How a tree is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// Arm files, scenarios, states.
    Toml,
    /// States, recipes of results.
    Json,
    /// URDF. Attributes are texts whose names begin with `@`.
    Xml,
}

impl Tree {
    /// How many values there are, this one among them.
    pub fn size(&self) -> usize {
        1 + match self {
            Self::Literal(_) | Self::Text(_) => 0,
            Self::List(items) => items.iter().map(Self::size).sum(),
            Self::Table(entries) => entries.iter().map(|(_, value)| value.size()).sum(),
        }
    }

    /// The value of this number in the order of writing, with the name it has or is below of.
    pub fn nth(&mut self, number: usize) -> Option<(&str, &mut Self)> {
        let mut left = number;
        self.find("", &mut left)
    }

    fn find<'a>(&'a mut self, name: &'a str, left: &mut usize) -> Option<(&'a str, &'a mut Self)> {
        if *left == 0 {
            return Some((name, self));
        }
        *left -= 1;
        match self {
            Self::Literal(_) | Self::Text(_) => None,
            Self::List(items) => items.iter_mut().find_map(|item| item.find(name, left)),
            Self::Table(entries) => {
                entries.iter_mut().find_map(|(name, value)| value.find(name, left))
            }
        }
    }

    /// Every value with the name it has or is below of.
    pub fn each<'a>(&'a self, name: &'a str, tell: &mut impl FnMut(&'a str, &'a Self)) {
        tell(name, self);
        match self {
            Self::Literal(_) | Self::Text(_) => {}
            Self::List(items) => items.iter().for_each(|item| item.each(name, tell)),
            Self::Table(entries) => {
                for (name, value) in entries {
                    value.each(name, tell);
                }
            }
        }
    }

    /// The value of this name in a table.
    pub fn get(&self, name: &str) -> Option<&Self> {
        let Self::Table(entries) = self else { return None };
        entries.iter().find(|(key, _)| key == name).map(|(_, value)| value)
    }
}

impl Notation {
    /// The tree of a text, where it is one.
    pub fn read(self, text: &str) -> Option<Tree> {
        match self {
            Self::Toml => {
                let table = text.parse::<toml::Table>().ok()?;
                Some(from_toml(toml::Value::Table(table)))
            }
            Self::Json => serde_json::from_str(text).ok().map(from_json),
            Self::Xml => {
                let document = roxmltree::Document::parse(text).ok()?;
                let root = document.root_element();
                Some(Tree::Table(vec![(root.tag_name().name().to_owned(), from_xml(root))]))
            }
        }
    }

    /// A text that says the same; what the notation has no words for is written nearly so.
    pub fn write(self, tree: &Tree) -> String {
        let mut text = String::new();
        match (self, tree) {
            (Self::Toml, Tree::Table(entries)) => document(entries, &mut text),
            (Self::Toml, other) => inline(other, &mut text),
            (Self::Json, tree) => json(tree, &mut text),
            (Self::Xml, Tree::Table(entries)) => {
                for (name, value) in entries {
                    element(name, value, &mut text);
                }
            }
            (Self::Xml, _) => {}
        }
        text
    }
}

fn from_toml(value: toml::Value) -> Tree {
    match value {
        toml::Value::String(text) => Tree::Text(text),
        toml::Value::Array(items) => Tree::List(items.into_iter().map(from_toml).collect()),
        toml::Value::Table(entries) => {
            Tree::Table(entries.into_iter().map(|(key, value)| (key, from_toml(value))).collect())
        }
        other => Tree::Literal(other.to_string()),
    }
}

/// The tree of a JSON value.
pub fn from_json(value: serde_json::Value) -> Tree {
    use serde_json::Value;
    match value {
        Value::String(text) => Tree::Text(text),
        Value::Array(items) => Tree::List(items.into_iter().map(from_json).collect()),
        Value::Object(entries) => {
            Tree::Table(entries.into_iter().map(|(key, value)| (key, from_json(value))).collect())
        }
        other => Tree::Literal(other.to_string()),
    }
}

fn from_xml(element: roxmltree::Node<'_, '_>) -> Tree {
    let attributes = element
        .attributes()
        .map(|one| (format!("@{}", one.name()), Tree::Text(one.value().to_owned())));
    let children = element
        .children()
        .filter(roxmltree::Node::is_element)
        .map(|child| (child.tag_name().name().to_owned(), from_xml(child)));
    Tree::Table(attributes.chain(children).collect())
}

/// Tables of the outermost level have headings, those inside stand in one line.
fn document(entries: &[(String, Tree)], text: &mut String) {
    let is_table = |tree: &Tree| matches!(tree, Tree::Table(_));
    let is_tables = |tree: &Tree| matches!(tree, Tree::List(items) if !items.is_empty() && items.iter().all(is_table));
    for (key, value) in entries.iter().filter(|(_, value)| !is_table(value) && !is_tables(value)) {
        line(key, value, text);
    }
    for (key, value) in entries {
        let key = bare_or_quoted(key);
        let (heading, tables) = match value {
            Tree::Table(_) => (format!("\n[{key}]\n"), std::slice::from_ref(value)),
            Tree::List(items) if is_tables(value) => (format!("\n[[{key}]]\n"), items.as_slice()),
            _ => continue,
        };
        for table in tables {
            text.push_str(&heading);
            if let Tree::Table(entries) = table {
                for (key, value) in entries {
                    line(key, value, text);
                }
            }
        }
    }
}

fn line(key: &str, value: &Tree, text: &mut String) {
    let _ = write!(text, "{} = ", bare_or_quoted(key));
    inline(value, text);
    text.push('\n');
}

fn inline(tree: &Tree, text: &mut String) {
    match tree {
        Tree::Literal(literal) => text.push_str(literal),
        Tree::Text(words) => text.push_str(&quoted(words)),
        Tree::List(items) => separated('[', items, ']', text, inline),
        Tree::Table(entries) => separated('{', entries, '}', text, |(key, value), text| {
            let _ = write!(text, "{} = ", bare_or_quoted(key));
            inline(value, text);
        }),
    }
}

fn json(tree: &Tree, text: &mut String) {
    match tree {
        Tree::Literal(literal) => text.push_str(literal),
        Tree::Text(words) => json_text(words, text),
        Tree::List(items) => separated('[', items, ']', text, json),
        Tree::Table(entries) => separated('{', entries, '}', text, |(key, value), text| {
            json_text(key, text);
            text.push_str(": ");
            json(value, text);
        }),
    }
}

fn json_text(words: &str, text: &mut String) {
    let _ = write!(text, "{}", serde_json::Value::from(words));
}

fn separated<T>(
    open: char,
    items: &[T],
    close: char,
    text: &mut String,
    mut one: impl FnMut(&T, &mut String),
) {
    text.push(open);
    for (number, item) in items.iter().enumerate() {
        if number > 0 {
            text.push_str(", ");
        }
        one(item, text);
    }
    text.push(close);
}

fn element(name: &str, tree: &Tree, text: &mut String) {
    let escaped = |words: &str| words.replace('&', "&amp;").replace('<', "&lt;");
    let _ = write!(text, "<{name}");
    match tree {
        Tree::Table(entries) => {
            let mut inside = String::new();
            for (key, value) in entries {
                match (key.strip_prefix('@'), value) {
                    (Some(key), Tree::Text(words) | Tree::Literal(words)) => {
                        let _ =
                            write!(text, " {key}=\"{}\"", escaped(words).replace('"', "&quot;"));
                    }
                    (Some(key), other) => element(key, other, &mut inside),
                    (None, value) => element(key, value, &mut inside),
                }
            }
            if inside.is_empty() {
                text.push_str("/>\n");
                return;
            }
            let _ = write!(text, ">\n{inside}");
        }
        Tree::List(items) => {
            text.push_str(">\n");
            for item in items {
                element(name, item, text);
            }
        }
        Tree::Text(words) | Tree::Literal(words) => {
            let _ = write!(text, ">{}", escaped(words));
        }
    }
    let _ = writeln!(text, "</{name}>");
}
