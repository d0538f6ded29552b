//! The page of all keys, made from the keys that the reader knows.

use crate::arm_file::ArmTable;
use crate::gallery::EntryTable;
use crate::nearest::nearest;
use crate::scenario::ScenarioTable;
use crate::shared::apart;
use crate::spec::{Form, Key, TableSpec};
use crate::state::StateTable;
use crate::study::StudyTable;
use crate::table::Table as _;
use std::fmt::Write as _;

const HEAD: &str = "# All keys of files

Arm, scenario and study files and entries of the gallery are TOML; states are JSON or TOML. A number
without a unit is in the unit of its key; a number with another unit is in quotes, such as `\"90 deg\"`.
A name has 1 to 100 characters that can be seen, without `/` and `\\`; `pliant explain bad-name` has
the whole rule. Each table of a file has a section below. `pliant explain keys` prints this page and
`pliant explain keys link` one section of it. The page is generated from the definitions that read the
files.
";

/// A page in Markdown of every key of arm, scenario and study files and of states: how it is written, in
/// which unit, what is true where it is left out, and what it means.
pub fn key_page() -> String {
    let mut page = HEAD.to_owned();
    for (part, sections) in parts() {
        let _ = write!(page, "\n## {part}\n");
        for section in sections {
            let _ = write!(page, "\n{}", section.text);
        }
    }
    page
}

/// The sections of [`key_page`] that a name means, and what to say where there are none: `link`,
/// `section` for all kinds of section, `tube` for whatever has this kind, `section: tube`.
pub fn key_sections(name: &str) -> Result<String, String> {
    let sections: Vec<Section> = parts().into_iter().flat_map(|(_, sections)| sections).collect();
    let called = |section: &&Section| section.names().contains(&name);
    let found: Vec<&str> =
        sections.iter().filter(called).map(|found| found.text.as_str()).collect();
    if !found.is_empty() {
        return Ok(found.join("\n"));
    }
    let names = || sections.iter().flat_map(Section::names);
    if let Some(near) = nearest(&name.to_lowercase(), names()) {
        return Err(format!("did you mean {near}?"));
    }
    let mut known: Vec<&str> = Vec::new();
    for [_, family, _] in sections.iter().map(Section::names) {
        if !known.contains(&family) {
            known.push(family);
        }
    }
    Err(format!("there are: {}", known.join(", ")))
}

/// The sections of the page by kind of file.
fn parts() -> Vec<(&'static str, Vec<Section>)> {
    let mut page = Page { waiting: Vec::new(), listed: Vec::new() };
    let parts = [
        ("Arm files", ArmTable::SPEC),
        ("Scenario files", ScenarioTable::SPEC),
        ("Study files", StudyTable::SPEC),
        ("States", StateTable::SPEC),
        ("Entries of the gallery", EntryTable::SPEC),
    ];
    let mut part = |(part, spec): (&'static str, &'static TableSpec)| {
        page.wait(spec.name.to_owned(), spec, Vec::new());
        let mut sections = Vec::new();
        while !page.waiting.is_empty() {
            let (title, spec, kinds) = page.waiting.remove(0);
            sections.push(page.section(title, spec, &kinds));
        }
        (part, sections)
    };
    parts.into_iter().map(&mut part).collect()
}

/// A section of the page: a table of files.
struct Section {
    title: String,
    /// The title without an article, or the kind.
    noun: &'static str,
    text: String,
}

impl Section {
    /// By what it can be asked for: its title, what it is a kind of, and its noun or kind.
    fn names(&self) -> [&str; 3] {
        let family = self.title.split_once(": ").map_or(self.noun, |(family, _)| family);
        [&self.title, family, self.noun]
    }
}

/// Kinds of a table, by what they are kinds of.
type KindsOf = Vec<(&'static str, &'static TableSpec)>;

struct Page {
    /// Tables that are mentioned and not described yet, by title; with the kinds that their `kind`
    /// can have.
    waiting: Vec<(String, &'static TableSpec, KindsOf)>,
    /// The titles of all that were mentioned.
    listed: Vec<String>,
}

impl Page {
    fn section(&mut self, title: String, spec: &'static TableSpec, kinds: &KindsOf) -> Section {
        let kind = title.split_once(": ").map(|(_, kind)| kind);
        let says_kind = spec.key("kind").is_some();
        let apart = kind.filter(|_| !says_kind).map(|kind| format!("`kind = \"{kind}\"`: "));
        let mut text = format!(
            "### {title}\n\n{}{}\n\n| key | value | unit | default | meaning |\n|---|---|---|---|---|\n",
            apart.unwrap_or_default(),
            spec.doc.trim()
        );
        for key in spec.all_keys() {
            let value = match kind.filter(|_| key.name == "kind") {
                Some(word) => format!("`\"{word}\"`"),
                None if key.name == "kind" && !kinds.is_empty() => self.kinds(kinds),
                None => self.value(&key.form),
            };
            let Key { name, form, .. } = key;
            let unsaid = if key.is_required() {
                "**required**".to_owned()
            } else {
                key.if_left_out().unwrap_or_default()
            };
            let (unit, mut meaning) = (form.unit().unwrap_or_default(), key.meaning().to_owned());
            for (is_former, word) in [(false, "Also"), (true, "Formerly")] {
                let others = spec.all_aliases().filter(|alias| alias.key == *name);
                let others = others.filter(|alias| alias.is_former == is_former);
                let words: Vec<String> = others.map(|alias| format!("`{}`", alias.word)).collect();
                if !words.is_empty() {
                    let _ = write!(meaning, " {word} {}.", words.join(", "));
                }
            }
            let _ = writeln!(text, "| `{name}` | {value} | {unit} | {unsaid} | {meaning} |");
        }
        Section { title, noun: spec.noun(), text }
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
            Form::OneByKind(name, specs) => self.by_kind(name, specs),
            Form::ByKind(name, specs) => {
                format!("{}, or a list of such", self.by_kind(name, specs))
            }
            other => other.to_string(),
        }
    }

    /// Links to the kinds of a table, or to what they have in common, which leads to them.
    fn by_kind(&mut self, name: &'static str, specs: &'static [&'static TableSpec]) -> String {
        match apart(specs) {
            Some((all, kinds)) => {
                self.wait(all.name.to_owned(), all, kinds);
                link(all.name)
            }
            None => self.kinds(&specs.iter().map(|spec| (name, *spec)).collect()),
        }
    }

    fn kinds(&mut self, kinds: &KindsOf) -> String {
        let link = |(of, spec): &(&str, &'static TableSpec)| {
            self.link(&format!("{of}: {}", spec.name), spec)
        };
        kinds.iter().map(link).collect::<Vec<_>>().join(", ")
    }

    fn link(&mut self, title: &str, spec: &'static TableSpec) -> String {
        self.wait(title.to_owned(), spec, Vec::new());
        link(title)
    }

    fn wait(&mut self, title: String, spec: &'static TableSpec, kinds: KindsOf) {
        if !self.listed.contains(&title) {
            self.listed.push(title.clone());
            self.waiting.push((title, spec, kinds));
        }
    }
}

/// A link to a section.
fn link(title: &str) -> String {
    let anchor = title.to_lowercase().replace(": ", "-").replace(' ', "-");
    format!("[{title}](#{anchor})")
}
