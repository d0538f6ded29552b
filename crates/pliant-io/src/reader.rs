//! Reads values out of the tree, and collects what is wrong with them.

use crate::codes::{self, Code};
use crate::nearest::nearest;
use crate::node::{Entry, Node, Value, quoted};
use crate::numbers::{three, written};
use crate::problem::{Problem, Severity};
use crate::spec::{Alias, Form, Key, TableSpec};
use crate::table::Place;
use std::ops::Range;

/// More problems than this are not collected.
const MOST_PROBLEMS: usize = 1000;

/// Collects problems while values are read.
#[derive(Debug, Default)]
pub(crate) struct Reader {
    pub(crate) problems: Vec<Problem>,
    /// Whose values are being read: `link "upper"`. Goes before messages.
    pub(crate) whose: String,
}

/// A table whose keys have been checked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fields<'a> {
    spec: &'static TableSpec,
    entries: &'a [Entry],
    /// The header of the table, or the table itself where it is written inline.
    span: &'a Range<usize>,
}

impl<'a> Fields<'a> {
    pub(crate) fn entry(&self, key: &'static str) -> Option<&'a Entry> {
        self.written(key).map(|(_, entry)| entry)
    }

    /// The entry of a key, and the word that stands for the key there.
    pub(crate) fn written(&self, key: &'static str) -> Option<(&'static str, &'a Entry)> {
        debug_assert!(self.spec.key(key).is_some(), "{key} is not in the table");
        let find = |word: &'static str| {
            self.entries.iter().find(|entry| entry.key == word).map(|entry| (word, entry))
        };
        find(key).or_else(|| {
            let mut others = self.spec.all_aliases().filter(|alias| alias.key == key);
            others.find_map(|alias| find(alias.word))
        })
    }

    pub(crate) fn get(&self, key: &'static str) -> Option<&'a Node> {
        self.entry(key).map(|entry| &entry.node)
    }

    /// Where a key's value is, or the table.
    pub(crate) fn span_of(&self, key: &'static str) -> Range<usize> {
        self.get(key).map_or(self.span, |node| &node.span).clone()
    }

    pub(crate) fn span(&self) -> &'a Range<usize> {
        self.span
    }
}

impl Reader {
    pub(crate) fn push(&mut self, mut problem: Problem) {
        if self.problems.len() < MOST_PROBLEMS {
            if !self.whose.is_empty() {
                problem.message = format!("{}: {}", self.whose, problem.message);
            }
            self.problems.push(problem);
        }
    }

    pub(crate) fn wrong_type(
        &mut self,
        what: &str,
        node: &Node,
        wanted: &str,
        help: impl Into<String>,
    ) {
        self.push(
            Problem::error(&codes::WRONG_TYPE, format!("{what} is {node}, expected {wanted}"))
                .at(node.span.clone())
                .label(format!("not {wanted}"))
                .help(help),
        );
    }

    /// A table with the keys of `spec` and no others. What it lacks is told; what it has can be read
    /// all the same.
    pub(crate) fn fields<'a>(
        &mut self,
        what: &str,
        node: &'a Node,
        spec: &'static TableSpec,
    ) -> Option<Fields<'a>> {
        self.fields_called(what, spec.name, node, spec)
    }

    /// The same for a table that is called `name` where a key is unknown.
    fn fields_called<'a>(
        &mut self,
        what: &str,
        name: &str,
        node: &'a Node,
        spec: &'static TableSpec,
    ) -> Option<Fields<'a>> {
        let Value::Table(entries) = &node.value else {
            self.wrong_type(what, node, "a table", spec.example);
            return None;
        };
        let fields = Fields { spec, entries, span: &node.span };
        for entry in entries {
            match spec.meant(&entry.key) {
                None => self.unknown_key(name, entry, spec),
                Some((_, None)) => {}
                Some((_, Some(alias))) => self.other_word(entry, alias, (entries, spec)),
            }
        }
        for key in spec.all_keys().filter(|key| key.is_required()) {
            if fields.entry(key.name).is_none() {
                let slip = |entry: &Entry| {
                    spec.meant(&entry.key).is_none()
                        && nearest(&entry.key, std::iter::once(key.name)).is_some()
                };
                if entries.iter().any(slip) {
                    // the slip of the pen is told already
                    continue;
                }
                let message = format!("{what} has no {}", key.name);
                let problem = Problem::error(&codes::MISSING_KEY, message);
                self.push(match key.form {
                    // the whole file is nothing to point at
                    Form::Tables(_) => problem.help(spec.example),
                    _ => problem
                        .at(node.span.clone())
                        .label(format!("{} is missing", key.name))
                        .help(format!("add {} = {}", key.name, example(&key.form))),
                });
            }
        }
        Some(fields)
    }

    /// A table whose keys depend on its `kind`: the word of its kind, and its keys. `noun` is what
    /// all kinds are called.
    pub(crate) fn fields_of_kind<'a>(
        &mut self,
        what: &str,
        noun: &str,
        node: &'a Node,
        specs: &'static [&'static TableSpec],
    ) -> Option<(&'static str, Fields<'a>)> {
        let words = specs.iter().map(|spec| spec.name);
        let Some(kind) = node.entry("kind") else {
            let first = specs.first()?;
            if !matches!(node.value, Value::Table(_)) {
                self.wrong_type(what, node, "a table", first.example);
                return None;
            }
            let all = words.collect::<Vec<_>>().join(", ");
            self.push(
                Problem::error(&codes::MISSING_KEY, format!("{what} has no kind"))
                    .at(node.span.clone())
                    .label("kind is missing")
                    .help(format!("add kind = \"{}\"; it can be: {all}", first.name)),
            );
            return None;
        };
        let kind = self.word(&format!("the kind of {what}"), &kind.node, words)?;
        let spec = specs.iter().find(|spec| spec.name == kind)?;
        let name = format!("the {noun} \"{kind}\"");
        let fields = self.fields_called(&name, &name, node, spec)?;
        Some((spec.name, fields))
    }

    /// Another word for a key: not beside the key itself, and with a note where it is the one of
    /// earlier versions.
    fn other_word(&mut self, entry: &Entry, alias: &Alias, (all, spec): (&[Entry], &TableSpec)) {
        let (word, name) = (alias.word, alias.key);
        let means_it = |other: &&Entry| {
            let meant = spec.meant(&other.key).is_some_and(|(meant, _)| meant.name == name);
            meant && (other.key == name || other.key_span.start < entry.key_span.start)
        };
        if let Some(other) = all.iter().find(means_it).map(|other| other.key.as_str()) {
            self.push(
                Problem::error(
                    &codes::CONFLICT,
                    format!("both {other} and {word} are given, which is the same key"),
                )
                .at(entry.key_span.clone())
                .label(format!("{other} is given too"))
                .help(format!("remove {word}")),
            );
        } else if alias.is_former {
            self.renamed(word, name, &entry.key_span);
        }
    }

    fn unknown_key(&mut self, name: &str, entry: &Entry, spec: &'static TableSpec) {
        let key = &entry.key;
        if let Some((_, what)) = spec.later.iter().find(|(name, _)| name == key) {
            self.push(
                Problem::error(
                    &codes::NOT_YET,
                    format!("{key} is not in this version of pliant yet: {what} will come later"),
                )
                .at(entry.key_span.clone())
                .label("kept free for a later version")
                .help("remove it"),
            );
            return;
        }
        let known: Vec<&str> = spec.all_keys().map(|key| key.name).collect();
        let usual = || spec.all_aliases().filter(|alias| !alias.is_former);
        let words = known.iter().copied().chain(usual().map(|alias| alias.word));
        let elsewhere =
            spec.all_elsewhere().find_map(|(name, help)| (name == key).then_some(*help));
        let help = match (nearest(key, words), owner(key, spec)) {
            _ if elsewhere.is_some() => elsewhere.unwrap_or_default().to_owned(),
            (Some(near), _) if entry.node.is_list_of_tables() => {
                format!("did you mean [[{near}]]?")
            }
            (Some(near), _) => format!("did you mean {near}?"),
            (None, Some(owner)) if matches!(entry.node.value, Value::Table(_)) => {
                format!(
                    "{key} belongs to {a} {owner}: write [{owner}.{key}] below its [[{owner}]]",
                    a = article(owner)
                )
            }
            (None, Some(owner)) => {
                format!(
                    "{key} belongs to {a} {owner}: put it below a line [[{owner}]]",
                    a = article(owner)
                )
            }
            (None, None) => {
                let with_alias = |name: &&str| match usual().find(|alias| alias.key == *name) {
                    Some(alias) => format!("{name} (also {})", alias.word),
                    None => (*name).to_owned(),
                };
                let known: Vec<String> = known.iter().map(with_alias).collect();
                format!("{name} may have: {}", known.join(", "))
            }
        };
        self.push(
            Problem::error(&codes::UNKNOWN_KEY, format!("{name} has no key {}", quoted(key)))
                .at(entry.key_span.clone())
                .label("unknown key")
                .help(help),
        );
    }

    /// Text that is not empty.
    pub(crate) fn text<'a>(&mut self, what: &str, node: &'a Node) -> Option<&'a str> {
        match &node.value {
            Value::Text(text) if text.trim().is_empty() => {
                self.push(
                    Problem::error(&codes::EMPTY_NAME, format!("{what} is empty"))
                        .at(node.span.clone())
                        .help("give it a few letters"),
                );
                None
            }
            Value::Text(text) => Some(text),
            _ => {
                let help = format!("write it in quotes: {what} = \"…\"");
                self.wrong_type(what, node, "text", help);
                None
            }
        }
    }

    pub(crate) fn flag(&mut self, what: &str, node: &Node) -> Option<bool> {
        if let Value::Flag(flag) = node.value {
            return Some(flag);
        }
        let help = format!("write {what} = true or {what} = false, without quotes");
        self.wrong_type(what, node, "true or false", help);
        None
    }

    /// One of some words.
    pub(crate) fn word<'w>(
        &mut self,
        what: &str,
        node: &Node,
        words: impl Iterator<Item = &'w str> + Clone,
    ) -> Option<&'w str> {
        let all = words.clone().collect::<Vec<_>>().join(", ");
        let Value::Text(text) = &node.value else {
            self.wrong_type(what, node, "a word in quotes", format!("it can be: {all}"));
            return None;
        };
        let found = words.clone().find(|word| word == text);
        if found.is_none() {
            let help = match nearest(text, words) {
                Some(near) => format!("did you mean \"{near}\"? it can be: {all}"),
                None => format!("it can be: {all}"),
            };
            self.push(
                Problem::error(
                    &codes::UNKNOWN_WORD,
                    format!("{what} is {}, which pliant does not know", quoted(text)),
                )
                .at(node.span.clone())
                .label("unknown")
                .help(help),
            );
        }
        found
    }

    /// Notes that a word of earlier versions is another one now.
    pub(crate) fn renamed(&mut self, word: &str, now: &str, span: &Range<usize>) {
        self.push(
            Problem::warning(&codes::RENAMED, format!("{word} is now called {now}"))
                .at(span.clone())
                .label("the word of earlier versions")
                .help(format!("write {now}")),
        );
    }

    /// What a word of earlier versions is now, with a note; `former` has both.
    pub(crate) fn former_word(
        &mut self,
        node: &Node,
        former: &[(&'static str, &'static str)],
    ) -> Option<&'static str> {
        let Value::Text(text) = &node.value else { return None };
        let (word, now) = former.iter().find(|(word, _)| word == text)?;
        self.renamed(&quoted(word), &quoted(now), &node.span);
        Some(now)
    }

    /// Whether something must be mended.
    pub(crate) fn has_errors(&self) -> bool {
        self.problems.iter().any(|problem| problem.severity == Severity::Error)
    }

    /// Complains when more than one of some keys is given; the first that is.
    pub(crate) fn exclude<'p>(
        &mut self,
        keys: &[Option<&'p Place>],
        why: &str,
    ) -> Option<&'p Place> {
        self.exclude_with(keys, why, |first, second| format!("remove {first} or {second}"))
    }

    /// The same, with what to do about the first and another one.
    pub(crate) fn exclude_with<'p>(
        &mut self,
        keys: &[Option<&'p Place>],
        why: &str,
        help: impl Fn(&str, &str) -> String,
    ) -> Option<&'p Place> {
        let mut given = keys.iter().copied().flatten();
        let first = given.next()?;
        for Place { name, key, .. } in given {
            let first = first.name;
            self.push(
                Problem::error(
                    &codes::CONFLICT,
                    format!("both {first} and {name} are given; {why}"),
                )
                .at(key.clone())
                .label(format!("{first} is given too"))
                .help(help(first, name)),
            );
        }
        Some(first)
    }

    /// Whether a fault of this kind has been told about something within a part of the text.
    pub(crate) fn has_told(&self, code: &Code, within: &Range<usize>) -> bool {
        let inside = |span: &Range<usize>| within.start <= span.start && span.end <= within.end;
        self.problems.iter().any(|told| told.code == code && told.span.as_ref().is_some_and(inside))
    }
}

/// The article of a word.
fn article(word: &str) -> &'static str {
    if word.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

/// The key of a table's list of tables in which another key belongs.
fn owner(key: &str, spec: &TableSpec) -> Option<&'static str> {
    let holds =
        |owner: &&Key| matches!(owner.form, Form::Tables(inner) if inner.key(key).is_some());
    spec.all_keys().find(holds).map(|owner| owner.name)
}

/// How a value of a form could look.
fn example(form: &Form) -> String {
    match form {
        Form::Number(quantity) => written(quantity),
        Form::Vector(quantity) => three(quantity),
        Form::Word(words) => format!("\"{}\"", words.get(1).or(words.first()).unwrap_or(&"…")),
        Form::Text => "\"…\"".to_owned(),
        _ => "…".to_owned(),
    }
}
