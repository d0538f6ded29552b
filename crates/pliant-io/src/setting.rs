//! Values given beside a file, such as `--set link.upper.length=1.4`: they are put into the tree of
//! the file before it is read.

use crate::codes;
use crate::nearest::nearest;
use crate::node::{Entry, Node, Value, quoted};
use crate::problem::{Problem, Report};
use crate::source::Source;
use crate::toml_out::{self, bare_or_quoted};
use crate::toml_text;
use std::ops::Range;

/// A value given beside a file: the path of its key, as the file has it, and the value.
///
/// ```
/// use pliant_io::Setting;
///
/// let longer = Setting::parse("link.upper.length = 1.4 m")?;
/// assert_eq!(longer.name(), "--set link.upper.length");
/// # Ok::<(), pliant_io::Report>(())
/// ```
///
/// An entry of a list of tables is found by its `name`, or else by its motor, joint or frame, or by
/// its index from zero: `link.upper`, `link[0]`. Names with points stand in quotes. The value is
/// TOML; what is not, such as `1.4 m` or `composite`, is text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The option and the path.
    name: String,
    /// Who gives it.
    by: By,
    /// As it was given.
    text: String,
    steps: Vec<Step>,
    value: Range<usize>,
}

/// A part of a path, and where it stands in the text of the setting.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Step {
    to: To,
    span: Range<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum To {
    /// A key of a table, or the entry of a list with this name.
    Name(String),
    /// An entry of a list.
    Item(usize),
}

/// What names the entries of lists.
const NAMING: [&str; 4] = ["name", "motor", "joint", "frame"];

/// Who gives a setting: the option of a command, the argument of a program, or the list of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    Command,
    Program,
    File,
}

impl By {
    /// What messages call it.
    fn word(self) -> &'static str {
        match self {
            Self::Command => "--set",
            Self::Program | Self::File => "set",
        }
    }

    /// How it is written.
    fn example(self) -> &'static str {
        match self {
            Self::Command => "write --set link.upper.length=1.4 or --set \"duration=3 s\"",
            Self::Program => "write \"link.upper.length=1.4\" or \"duration=3 s\"",
            Self::File => "write set = [\"arm.link.upper.length=1.4\", \"duration=3 s\"]",
        }
    }

    /// How a value is written for a path.
    fn written(self, path: &str, value: &str) -> String {
        match self {
            Self::Command => format!("--set '{path}={value}'"),
            Self::Program => format!("set=['{path}={value}']"),
            Self::File => format!("set = [{}]", toml_out::quoted(&format!("{path}={value}"))),
        }
    }
}

impl Setting {
    /// From the text `PATH=VALUE`.
    pub fn parse(text: &str) -> Result<Self, Report> {
        Self::given(By::Command, text)
    }

    /// The same for programs, whose messages name the argument `set`.
    pub fn of_program(text: &str) -> Result<Self, Report> {
        Self::given(By::Program, text)
    }

    /// The same for files, which list settings under the key `set`.
    pub(crate) fn of_file(text: &str) -> Result<Self, Report> {
        Self::given(By::File, text)
    }

    fn given(by: By, text: &str) -> Result<Self, Report> {
        let source = Source::new(by.word(), text);
        let refuse = |problem: Problem| Report::new(source.clone(), vec![problem]);
        let (path, value) = halves(by, text).map_err(refuse)?;
        let steps = steps(text, path.clone()).map_err(refuse)?;
        let name = format!("--set {}", &text[path]);
        Ok(Self { name, by, text: text.to_owned(), steps, value })
    }

    /// The value of a key of the whole file, under the option that gives it.
    pub(crate) fn of_option(option: &str, key: &str, value: &str) -> Self {
        let to = To::Name(key.to_owned());
        let text = value.to_owned();
        let steps = vec![Step { to, span: 0..value.len() }];
        let (name, by) = (option.to_owned(), By::Command);
        Self { name, by, text, steps, value: 0..value.len() }
    }

    /// The option and the path, also where a program gives it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What it is called in messages.
    fn label(&self) -> &str {
        let name = self.name.as_str();
        match self.by {
            By::Command => name,
            By::Program | By::File => name.strip_prefix("--").unwrap_or(name),
        }
    }

    /// The same below a key, if the path begins with it.
    pub(crate) fn below(&self, key: &str) -> Option<Self> {
        let (first, rest) = self.steps.split_first()?;
        let is_below = first.to == To::Name(key.to_owned()) && !rest.is_empty();
        is_below.then(|| Self { steps: rest.to_vec(), ..self.clone() })
    }

    /// Puts values into the tree of a file, whose source then has the settings behind it.
    pub(crate) fn apply(
        settings: &[Self],
        source: &Source,
        root: &mut Node,
    ) -> Result<Source, Report> {
        let (mut source, mut problems) = (source.clone(), Vec::new());
        for setting in settings {
            let (longer, start) = source.with_setting(setting.label(), &setting.text);
            let put = setting.value(start).and_then(|value| setting.put(root, value, start));
            source = match put {
                Ok(around) => longer.changed_within(around),
                Err(problem) => {
                    problems.push(problem);
                    longer
                }
            };
        }
        if problems.is_empty() { Ok(source) } else { Err(Report::new(source, problems)) }
    }

    fn value(&self, start: usize) -> Result<Node, Problem> {
        let text = &self.text[self.value.clone()];
        let span = start + self.value.start..start + self.value.end;
        if let Some(node) = toml_text::value(text, span.start) {
            return Ok(node);
        }
        if text.starts_with(['[', '{', '"', '\'']) {
            let message = format!("{} is not a value of TOML", quoted(text));
            return Err(Problem::error(&codes::SYNTAX, message).at(span).help(
                "text inside lists and tables stands in quotes: [\"45 deg\", 1], { y = 3 }",
            ));
        }
        let plain = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
        // TOML wants digits on both sides of a point
        let number = text.parse().ok().filter(|_| text.chars().all(plain));
        let value = number.map_or_else(|| Value::Text(text.to_owned()), Value::Number);
        Ok(Node { span, value })
    }

    /// Puts the value into its place; where the tables stand in which that is.
    fn put(
        &self,
        root: &mut Node,
        value: Node,
        start: usize,
    ) -> Result<Vec<Range<usize>>, Problem> {
        let Some((last, before)) = self.steps.split_last() else { return Ok(Vec::new()) };
        let mut node = root;
        let mut around = Vec::new();
        for (i, step) in before.iter().enumerate() {
            let whole = &self.steps[..i];
            node = match find(node, &step.to) {
                Some(at) => at.of(node),
                None => return Err(self.missing(node, step, whole, start)),
            };
            around.push(node.span.clone());
        }
        let whole = before;
        if let Some(at) = find(node, &last.to) {
            *at.of(node) = value;
            return Ok(around);
        }
        match (&mut node.value, &last.to) {
            (Value::Table(entries), To::Name(key)) => {
                let key_span = start + last.span.start..start + last.span.end;
                entries.push(Entry { key: key.clone(), key_span, node: value });
                Ok(around)
            }
            _ => Err(self.missing(node, last, whole, start)),
        }
    }
}

/// Whether a key that a file lacks is one of the arm in it, or `arm` in the file of an arm.
fn is_elsewhere(root: &Node, key: &str) -> bool {
    let has = |key: &str| root.entry(key).is_some();
    (has("arm") && key == "link") || (has("link") && key == "arm")
}

/// A place in the tree of a file, by its path.
#[derive(Clone, Debug)]
pub(crate) struct Path(Vec<Step>);

impl Path {
    /// From a text such as `link.upper.mass`.
    pub(crate) fn parse(text: &str) -> Result<Self, Problem> {
        steps(text, trimmed(text, 0..text.len())).map(Self)
    }

    /// What stands there.
    pub(crate) fn find<'a>(&self, root: &'a mut Node) -> Option<&'a mut Node> {
        self.0.iter().try_fold(root, |node, step| find(node, &step.to).map(|at| at.of(node)))
    }
}

/// The paths of all values that are neither lists nor tables, as they are written.
pub(crate) fn paths(node: &Node) -> Vec<String> {
    let below = |to: String, node: &Node| {
        let inner = paths(node);
        let join = |rest: String| match rest.as_str() {
            "" => to.clone(),
            list if list.starts_with('[') => format!("{to}{list}"),
            rest => format!("{to}.{rest}"),
        };
        inner.into_iter().map(join).collect::<Vec<_>>()
    };
    match &node.value {
        Value::Table(entries) => entries
            .iter()
            .flat_map(|entry| below(bare_or_quoted(&entry.key), &entry.node))
            .collect(),
        Value::List(list) => {
            let named = |(i, one): (usize, &Node)| match naming(one) {
                Some(name) if called(list, name).len() == 1 => below(bare_or_quoted(name), one),
                _ => below(format!("[{i}]"), one),
            };
            list.iter().enumerate().flat_map(named).collect()
        }
        _ => vec![String::new()],
    }
}

/// Where a step leads.
enum Found {
    /// To an entry of a table or list.
    Inside(usize),
    /// To the table itself, which stands for a list of one.
    Itself,
}

impl Found {
    fn of(self, node: &mut Node) -> &mut Node {
        let Self::Inside(i) = self else { return node };
        match node.value {
            Value::Table(ref mut entries) => &mut entries[i].node,
            Value::List(ref mut list) => &mut list[i],
            _ => node,
        }
    }
}

fn find(node: &Node, to: &To) -> Option<Found> {
    match (&node.value, to) {
        (Value::Table(entries), To::Name(key)) => {
            let known = entries.iter().position(|entry| entry.key == *key);
            let itself = || (naming(node) == Some(key)).then_some(Found::Itself);
            known.map(Found::Inside).or_else(itself)
        }
        (Value::Table(_), To::Item(0)) => Some(Found::Itself),
        (Value::List(list), To::Name(key)) => match called(list, key).as_slice() {
            [only] => Some(Found::Inside(*only)),
            _ => None,
        },
        (Value::List(list), To::Item(i)) => (*i < list.len()).then_some(Found::Inside(*i)),
        _ => None,
    }
}

/// The entries of a list that are called so.
fn called(list: &[Node], key: &String) -> Vec<usize> {
    let named = list.iter().enumerate().filter(|(_, entry)| naming(entry) == Some(key));
    named.map(|(i, _)| i).collect()
}

/// What an entry of a list is called.
fn naming(node: &Node) -> Option<&String> {
    NAMING.iter().find_map(|key| match &node.entry(key)?.node.value {
        Value::Text(name) => Some(name),
        _ => None,
    })
}

impl Setting {
    /// That a step leads nowhere. `whole` is the way to the node in which it was looked for.
    fn missing(&self, node: &Node, step: &Step, whole: &[Step], start: usize) -> Problem {
        let place = match whole {
            [] => "the file".to_owned(),
            steps => steps.iter().map(Step::word).collect::<Vec<_>>().join(" "),
        };
        let (message, help) = match (&node.value, &step.to) {
            (Value::Table(_), To::Name(key)) if whole.is_empty() && is_elsewhere(node, key) => {
                let path = self.text[..self.value.start].trim_end().trim_end_matches('=').trim();
                let (what, instead) = match path.strip_prefix("arm.") {
                    Some(rest) => ("is an arm itself", rest.to_owned()),
                    None => ("has it below arm", format!("arm.{path}")),
                };
                let value = &self.text[self.value.clone()];
                let help = format!("the file {what}: {}", self.by.written(&instead, value));
                (format!("{place} has no {key}"), help)
            }
            (Value::Table(entries), To::Name(key)) => {
                let known = || entries.iter().map(|entry| entry.key.as_str());
                let path = self.text[..step.span.end].trim_start();
                let written = self.by.written(path, "{ … }");
                let add = format!("there is none; add it first: {written}");
                (format!("{place} has no {key}"), which(key, known(), "it has", &add))
            }
            (Value::List(list), To::Name(key)) if called(list, key).len() > 1 => {
                let which = called(list, key).into_iter().map(|i| format!("{place}[{i}]"));
                let which = which.collect::<Vec<_>>().join(", ");
                let message = format!("{place} has several entries {}", quoted(key));
                (message, format!("choose one by its index: {which}"))
            }
            (Value::List(list), To::Name(key)) if list.iter().any(|one| naming(one).is_some()) => {
                let known = || list.iter().filter_map(|one| naming(one).map(String::as_str));
                let add = "there is none; add it first";
                (
                    format!("{place} has no entry {}", quoted(key)),
                    which(key, known(), "it has", add),
                )
            }
            (Value::List(list), _) => {
                let count = list.len();
                let entries = if count == 1 { "1 entry" } else { &format!("{count} entries") };
                let help = match count {
                    0 => "there is none; add it first".to_owned(),
                    _ => format!("write [0] to [{}] after its name", count - 1),
                };
                (format!("{place} has {entries}, and none is {}", step.word()), help)
            }
            _ => (
                format!("{place} is {node}, which has no {}", step.word()),
                "leave the rest of the path out to replace it".to_owned(),
            ),
        };
        let span = start + step.span.start..start + step.span.end;
        Problem::error(&codes::SETTING, message).at(span).label("not there").help(help)
    }
}

impl Step {
    fn word(&self) -> String {
        match &self.to {
            To::Name(name) => name.clone(),
            To::Item(i) => format!("[{i}]"),
        }
    }
}

/// The nearest of what is there, or all of it.
fn which<'a>(
    key: &str,
    known: impl Iterator<Item = &'a str> + Clone,
    has: &str,
    add: &str,
) -> String {
    let all = known.clone().collect::<Vec<_>>().join(", ");
    match nearest(key, known) {
        Some(near) => format!("did you mean {near}? {has}: {all}"),
        None if all.is_empty() => add.to_owned(),
        None => format!("{add}; {has}: {all}"),
    }
}

/// Where path and value stand.
fn halves(by: By, text: &str) -> Result<(Range<usize>, Range<usize>), Problem> {
    let mut quote = None;
    let equals = text.char_indices().find(|(_, c)| {
        match quote {
            Some(open) if *c == open => quote = None,
            None if *c == '"' || *c == '\'' => quote = Some(*c),
            _ => {}
        }
        quote.is_none() && *c == '='
    });
    let whole = 0..text.len();
    let Some((at, _)) = equals else {
        let message = format!("{} is not of the form PATH=VALUE", quoted(text));
        return Err(Problem::error(&codes::SETTING, message).at(whole).help(by.example()));
    };
    let (path, value) = (trimmed(text, 0..at), trimmed(text, at + 1..text.len()));
    if path.is_empty() || value.is_empty() {
        let lacks = if path.is_empty() { "path" } else { "value" };
        let message = format!("{} has no {lacks}", quoted(text));
        return Err(Problem::error(&codes::SETTING, message).at(whole).help(by.example()));
    }
    Ok((path, value))
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let start = range.start + (part.len() - part.trim_start().len());
    start..start.max(range.start + part.trim_end().len())
}

/// The steps of the path that stands here.
fn steps(text: &str, path: Range<usize>) -> Result<Vec<Step>, Problem> {
    let mut steps = Vec::new();
    let mut at = path.start;
    let wrong = |span: Range<usize>| {
        let message = format!("{} is not the path of a key", quoted(&text[path.clone()]));
        let help = "separate keys and names by points: link.upper.length, link[0].length, \
                    link.\"two.words\".length";
        Problem::error(&codes::SETTING, message).at(span).help(help)
    };
    while at < path.end {
        let rest = &text[at..path.end];
        let (to, long) = if let Some(inside) = rest.strip_prefix('[') {
            let number = inside.split(']').next().unwrap_or(inside);
            let long = (number.len() + 2).min(rest.len());
            let item = number.trim().parse().map_err(|_| wrong(at..at + long))?;
            (To::Item(item), long)
        } else if let Some(quote) = rest.chars().next().filter(|c| *c == '"' || *c == '\'') {
            let inside = rest[1..].split_once(quote).map(|(inside, _)| inside);
            let inside = inside.ok_or_else(|| wrong(at..path.end))?;
            (To::Name(inside.to_owned()), inside.len() + 2)
        } else {
            let long = rest.find(['.', '[', '"', '\'']).unwrap_or(rest.len());
            (To::Name(rest[..long].trim().to_owned()), long)
        };
        if to == To::Name(String::new()) {
            return Err(wrong(path.clone()));
        }
        steps.push(Step { to, span: at..at + long });
        at += long;
        match text[at..path.end].chars().next() {
            Some('.') if at + 1 < path.end => at += 1,
            None | Some('[') => {}
            Some(_) => return Err(wrong(at..path.end)),
        }
    }
    Ok(steps)
}

#[cfg(test)]
mod tests;
