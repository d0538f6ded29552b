//! The page of all keys, made from the keys that the reader knows.

use crate::arm_file::ArmTable;
use crate::scenario::ScenarioTable;
use crate::spec::{Form, Key, TableSpec};
use crate::state::StateTable;
use crate::table::Table as _;
use std::fmt::Write as _;

const HEAD: &str = "# All keys of files

Arm and scenario files are TOML; states are JSON or TOML. A plain number is in the unit of its key;
a number with another unit stands in quotes, such as `\"90 deg\"`. Each table of a file has a section
below. `pliant explain keys` prints this page, which is made from the definitions that files are read
by.
";

/// A page in Markdown of every key of arm files, scenario files and states: how it is written, in
/// which unit, what is true where it is left out, and what it means.
pub fn key_page() -> String {
    let mut page = Page { text: HEAD.to_owned(), waiting: Vec::new(), listed: Vec::new() };
    for (title, spec) in [
        ("Arm files", ArmTable::SPEC),
        ("Scenario files", ScenarioTable::SPEC),
        ("States", StateTable::SPEC),
    ] {
        let _ = write!(page.text, "\n## {title}\n");
        page.wait(spec.name.to_owned(), spec);
        while !page.waiting.is_empty() {
            let (title, spec) = page.waiting.remove(0);
            page.table(&title, spec);
        }
    }
    page.text
}

struct Page {
    text: String,
    /// Tables that are mentioned and not described yet, by title.
    waiting: Vec<(String, &'static TableSpec)>,
    /// The titles of all that were mentioned.
    listed: Vec<String>,
}

impl Page {
    fn table(&mut self, title: &str, spec: &'static TableSpec) {
        let _ = write!(
            self.text,
            "\n### {title}\n\n{}\n\n| key | value | unit | if left out | meaning |\n|---|---|---|---|---|\n",
            spec.doc.trim()
        );
        for key in spec.all_keys() {
            let kind = title.split_once(": ").filter(|_| key.name == "kind");
            let value = match kind {
                Some((_, word)) => format!("`\"{word}\"`"),
                None => self.value(&key.form),
            };
            let Key { name, form, .. } = key;
            let unsaid = if key.is_required() {
                "**required**".to_owned()
            } else {
                key.if_left_out().unwrap_or_default()
            };
            let (unit, meaning) = (form.unit().unwrap_or_default(), key.meaning());
            let _ = writeln!(self.text, "| `{name}` | {value} | {unit} | {unsaid} | {meaning} |");
        }
    }

    /// How a value is written.
    fn value(&mut self, form: &Form) -> String {
        match form {
            Form::Word(words) => {
                words.iter().map(|word| format!("`\"{word}\"`")).collect::<Vec<_>>().join(", ")
            }
            Form::Table(spec) => self.link(spec.name, spec),
            Form::Tables(spec) => format!("{}, or a list of such", self.link(spec.name, spec)),
            Form::OrTable(short, spec) => {
                format!("{}, or {}", self.value(short), self.link(spec.name, spec))
            }
            Form::Inertia(spec) => {
                format!("three moments, three rows, or {}", self.link(spec.name, spec))
            }
            Form::OneByKind(name, specs) => self.kinds(name, specs),
            Form::ByKind(name, specs) => format!("{}, or a list of such", self.kinds(name, specs)),
            other => other.to_string(),
        }
    }

    /// Links to the kinds of a table.
    fn kinds(&mut self, name: &str, specs: &'static [&'static TableSpec]) -> String {
        let links: Vec<String> =
            specs.iter().map(|spec| self.link(&format!("{name}: {}", spec.name), spec)).collect();
        links.join(", ")
    }

    fn link(&mut self, title: &str, spec: &'static TableSpec) -> String {
        self.wait(title.to_owned(), spec);
        let anchor = title.to_lowercase().replace(": ", "-").replace(' ', "-");
        format!("[{title}](#{anchor})")
    }

    fn wait(&mut self, title: String, spec: &'static TableSpec) {
        if !self.listed.contains(&title) {
            self.listed.push(title.clone());
            self.waiting.push((title, spec));
        }
    }
}
