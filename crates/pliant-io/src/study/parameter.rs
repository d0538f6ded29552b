//! What changes from run to run.

use super::file::{ParameterTable, Scale, Scheme};
use crate::codes;
use crate::nearest::nearest;
use crate::node::{Node, Value, quoted};
use crate::problem::Problem;
use crate::reader::Reader;
use crate::scenario::Template;
use crate::setting::{self, Path};
use crate::table::{Field, Place};
use crate::toml_out;
use crate::units::{self, Quantity};
use pliant::name::check_title;
use pliant::study::Factor;
use std::ops::Range;

/// More values that are no numbers are refused: each is tried before anything runs.
const MOST_CHOICES: usize = 100;

/// A parameter of a study.
#[derive(Clone, Debug)]
pub struct StudyParameter {
    /// Its name.
    pub name: String,
    /// The values that it changes together, by their paths in the scenario.
    pub paths: Vec<String>,
    /// The unit of its numbers; `1` for those without one, empty for texts.
    pub unit: String,
    /// The texts that it has, if it is no number.
    pub choices: Vec<String>,
    pub(super) places: Vec<Path>,
    /// What is put in their place, where it is no number.
    values: Vec<Value>,
    pub(super) factor: Factor,
    /// Where it stands in the file.
    pub(super) span: Range<usize>,
}

impl StudyParameter {
    /// Whether it is a number.
    pub fn is_number(&self) -> bool {
        self.choices.is_empty()
    }

    /// Whether it has certain values, rather than any of a distribution.
    pub fn has_levels(&self) -> bool {
        self.factor.levels().is_some()
    }

    /// Whether its values are spread by their logarithms.
    pub fn is_logarithmic(&self) -> bool {
        matches!(self.factor, Factor::Logarithmic { .. } | Factor::LogUniform { .. })
    }

    /// What stands in the scenario for a number drawn.
    pub(super) fn value(&self, drawn: f64) -> Value {
        let listed = level(drawn).and_then(|level| self.values.get(level));
        listed.cloned().unwrap_or(Value::Number(drawn))
    }

    /// The text that it has for a number of the design, if it is no number.
    pub fn choice(&self, drawn: f64) -> Option<&str> {
        self.choices.get(level(drawn)?).map(String::as_str)
    }
}

/// The place in a list that a number drawn stands for.
fn level(drawn: f64) -> Option<usize> {
    #[allow(clippy::cast_sign_loss, reason = "it is zero or more")]
    (drawn >= 0.0).then_some(drawn as usize)
}

/// What a parameter changes.
enum Changed {
    /// Numbers of a kind.
    Numbers(&'static Quantity),
    /// Anything else.
    Other,
}

/// A parameter of the file; what is wrong with it is told.
pub(super) fn parameter(
    reader: &mut Reader,
    template: &Template,
    (scheme, table): (Scheme, &ParameterTable),
) -> Option<StudyParameter> {
    let paths = paths(reader, table)?;
    let name = match table.name.get() {
        Some(name) => name.clone(),
        None if table.name.is_wrong() => return None,
        None => paths.first()?.0.clone(),
    };
    if let Some(place) = table.name.given()
        && let Err(error) = check_title(&name)
    {
        let problem = Problem::error(&codes::BAD_NAME, error.to_string()).at(place.value.clone());
        reader.push(problem.help("give it letters, digits, points and dashes"));
        return None;
    }
    let mut changed = None;
    let mut places = Vec::new();
    for (path, span) in &paths {
        let (place, kind) = looked_up(reader, template, table, (path, span))?;
        if changed.is_none() || matches!(kind, Changed::Other) {
            changed = Some(kind);
        }
        places.push(place);
    }
    let (unit, choices, values, factor) = match changed? {
        Changed::Numbers(quantity) => {
            let factor = numbers(reader, (scheme, table), quantity)?;
            (quantity.si.to_owned(), Vec::new(), Vec::new(), factor)
        }
        Changed::Other => {
            let values = others(reader, table)?;
            let choices = values.iter().map(label).collect();
            let factor = Factor::Points((0..values.len()).map(|at| at as f64).collect());
            (String::new(), choices, values, factor)
        }
    };
    let paths = paths.into_iter().map(|(path, _)| path).collect();
    let span = table.span.clone();
    Some(StudyParameter { name, paths, unit, choices, places, values, factor, span })
}

/// A value as the table of runs has it.
fn label(value: &Value) -> String {
    match value {
        Value::Text(text) => text.clone(),
        other => toml_out::inline(other),
    }
}

/// The paths, each with where it stands.
fn paths(reader: &mut Reader, table: &ParameterTable) -> Option<Vec<(String, Range<usize>)>> {
    let why = "a parameter changes one value or several";
    reader.exclude(&[table.path.given(), table.paths.given()], why);
    if table.path.is_wrong() || table.paths.is_wrong() {
        return None;
    }
    if let (Some(path), Some(span)) = (table.path.get(), table.path.span()) {
        return Some(vec![(path.clone(), span)]);
    }
    let listed = table.paths.get().map_or(&[][..], Vec::as_slice);
    if listed.is_empty() {
        let problem = Problem::error(&codes::MISSING_KEY, "the parameter has no path");
        let help = "add path = \"arm.link.fore.payload.mass\"";
        reader.push(problem.at(table.span.clone()).label("path is missing").help(help));
        return None;
    }
    Some(listed.iter().map(|one| (one.name.clone(), one.span.clone())).collect())
}

/// What stands at a path of the scenario, and which numbers it takes.
fn looked_up(
    reader: &mut Reader,
    template: &Template,
    table: &ParameterTable,
    (path, span): (&str, &Range<usize>),
) -> Option<(Path, Changed)> {
    let place = match Path::parse(path) {
        Ok(place) => place,
        Err(problem) => {
            reader.push(Problem { span: Some(span.clone()), ..problem });
            return None;
        }
    };
    let mut root = template.root.clone();
    let Some(node) = place.find(&mut root).cloned() else {
        let problem = unknown(&template.root, path, table);
        reader.push(problem.at(span.clone()).label("not there"));
        return None;
    };
    let mut reads = |value: Value| {
        if let Some(node) = place.find(&mut root) {
            node.value = value;
        }
        template.reads(&root)
    };
    let mut takes =
        |quantity: &Quantity, value: f64| reads(Value::Text(format!("{value:?} {}", quantity.si)));
    let quantity = match &node.value {
        Value::Number(value) => {
            Quantity::all().find(|quantity| takes(quantity, *value)).or(Some(&units::NUMBER))
        }
        Value::Text(text) => Quantity::all().find(|quantity| {
            units::parse(text, quantity).is_ok_and(|value| takes(quantity, value))
        }),
        _ => None,
    };
    if let Some(quantity) = quantity {
        return Some((place, Changed::Numbers(quantity)));
    }
    if table.values.is_given() && !names_file(path, &node) {
        return Some((place, Changed::Other));
    }
    let (message, help) = if names_file(path, &node) {
        let help = "compare them in a study of each; numbers of an arm can be parameters";
        (format!("{path} names a file, which a study cannot change"), help)
    } else {
        let help = "name a number that the scenario gives, or list values = [\"…\", \"…\"] of it";
        (format!("{path} is {node}, not a number"), help)
    };
    let problem = Problem::error(&codes::NO_NUMBER, message).at(span.clone());
    reader.push(problem.label("not a number").help(help));
    None
}

/// Whether a value is the name of a file.
fn names_file(path: &str, node: &Node) -> bool {
    let is_file = path.rsplit('.').next() == Some("file") && matches!(node.value, Value::Text(_));
    is_file || path == "arm"
}

fn unknown(root: &Node, path: &str, table: &ParameterTable) -> Problem {
    let all = setting::paths(root);
    let message = format!("the scenario has no {}", quoted(path));
    let under_arm = format!("arm.{path}");
    let adding = lacking(root, path, &example(table));
    let help = match (nearest(path, all.iter().map(String::as_str)), adding) {
        _ if all.contains(&under_arm) => format!("did you mean {under_arm}?"),
        (_, Some(setting)) => format!(
            "add it to all runs, above the first line [[parameter]]: set = [{}]",
            toml_out::quoted(&setting)
        ),
        (Some(near), None) => format!("did you mean {near}?"),
        (None, None) => "name a value that the scenario or its arm gives, such as duration or \
                 arm.link.NAME.length; set = [\"PATH=VALUE\"] adds one"
            .to_owned(),
    };
    Problem::error(&codes::UNKNOWN_VALUE, message).help(help)
}

/// One of the values that a parameter takes, as a file has it.
fn example(table: &ParameterTable) -> String {
    let ParameterTable { values, to, mean, from, .. } = table;
    let first = values.get().and_then(|node| match &node.value {
        Value::List(list) => list.first(),
        _ => None,
    });
    match first.or(to.get()).or(mean.get()).or(from.get()).map(|node| &node.value) {
        // other quotes than those around it
        Some(Value::Text(text)) if !text.contains('\'') => format!("'{text}'"),
        Some(Value::Number(number)) => toml_out::inline(&Value::Number(*number)),
        _ => "…".to_owned(),
    }
}

/// The setting that adds the table in which a path ends, with a value, where the table above it has
/// none and none that is nearly called so.
fn lacking(root: &Node, path: &str, value: &str) -> Option<String> {
    let (table, key) = path.rsplit_once('.')?;
    let (above, word) = table.rsplit_once('.')?;
    let mut root = root.clone();
    let mut at = |path: &str| Path::parse(path).ok()?.find(&mut root).cloned();
    if at(table).is_some() {
        return None;
    }
    let Value::Table(entries) = at(above)?.value else { return None };
    let known = entries.iter().map(|entry| entry.key.as_str());
    nearest(word, known).is_none().then(|| format!("{table}={{ {key} = {value} }}"))
}

/// Numbers of a kind.
fn numbers(
    reader: &mut Reader,
    (scheme, table): (Scheme, &ParameterTable),
    quantity: &'static Quantity,
) -> Option<Factor> {
    let ParameterTable { values, from, to, count, scale, mean, deviation, .. } = table;
    let rest = [from, to, mean, deviation].map(Field::given);
    let scale_place = scale.given();
    if values.is_given() {
        let others = rest.into_iter().chain([count.given(), scale_place]);
        conflicts(reader, values.given(), others, "values are all there are")?;
        let list = list(reader, table)?;
        let read: Vec<_> =
            list.iter().map(|node| reader.number("a value", node, quantity)).collect();
        return read.into_iter().collect::<Option<Vec<_>>>().map(Factor::Points);
    }
    let number = |reader: &mut Reader, field: &Field<Node>| {
        if field.is_given() { field.number(reader, quantity).map(Some) } else { Some(None) }
    };
    let [from_value, to_value] = [number(reader, from)?, number(reader, to)?];
    if mean.is_given() || deviation.is_given() {
        let what = mean.given().or(deviation.given());
        let others = [count.given(), scale_place].into_iter();
        conflicts(reader, what, others, "a normal distribution has none")?;
        let [mean, deviation] = [number(reader, mean)?, number(reader, deviation)?];
        let (Some(mean), Some(deviation)) = (mean, deviation) else {
            return lacks(reader, table, "a mean and a deviation", quantity);
        };
        let from = from_value.unwrap_or(f64::NEG_INFINITY);
        return Some(Factor::Normal {
            mean,
            deviation,
            from,
            to: to_value.unwrap_or(f64::INFINITY),
        });
    }
    let (Some(from), Some(to)) = (from_value, to_value) else {
        return lacks(reader, table, "values, or from and to", quantity);
    };
    let is_logarithmic = scale.value == Some(Scale::Logarithmic);
    let has_levels = matches!(scheme, Scheme::Grid | Scheme::List);
    if has_levels && !count.is_given() {
        let message = "the parameter has no count, which a grid and a list need";
        let problem = Problem::error(&codes::VALUES, message).at(table.span.clone());
        reader.push(problem.label("count is missing").help("add count = 11, or values = […]"));
        return None;
    }
    if !count.is_given() {
        return Some(if is_logarithmic {
            Factor::LogUniform { from, to }
        } else {
            Factor::Uniform { from, to }
        });
    }
    #[allow(clippy::cast_sign_loss, reason = "it is one or more")]
    let count = count.value? as u64;
    if count == 1 && from != to {
        let message = "one value is to reach from one number to another";
        let problem = Problem::error(&codes::VALUES, message).at(table.span.clone());
        reader.push(problem.help("give count = 2 or more, or values = […] with one"));
        return None;
    }
    Some(if is_logarithmic {
        Factor::Logarithmic { from, to, count }
    } else {
        Factor::Linear { from, to, count }
    })
}

/// What is no number: as it stands.
fn others(reader: &mut Reader, table: &ParameterTable) -> Option<Vec<Value>> {
    let ParameterTable { values, from, to, count, scale, mean, deviation, .. } = table;
    let rest = [from, to, mean, deviation].map(Field::given);
    let others = rest.into_iter().chain([count.given(), scale.given()]);
    conflicts(reader, values.given(), others, "values are all there are")?;
    let list = list(reader, table)?;
    if list.is_empty() {
        let problem = Problem::error(&codes::VALUES, "values is empty").at(values.span()?);
        reader.push(problem.help("list at least one value"));
        return None;
    }
    let has_parts = |node: &&Node| matches!(node.value, Value::List(_) | Value::Table(_));
    if let Some(node) = list.iter().find(has_parts) {
        reader.wrong_type("a value", node, "a text, or true or false", "change what is in it");
        return None;
    }
    if list.len() > MOST_CHOICES {
        let message = format!("values has {} entries that are no numbers", list.len());
        let problem = Problem::error(&codes::VALUES, message).at(values.span()?);
        reader.push(problem.help(format!("list at most {MOST_CHOICES}")));
        return None;
    }
    Some(list.into_iter().map(|node| node.value).collect())
}

/// The values, as they stand.
fn list(reader: &mut Reader, table: &ParameterTable) -> Option<Vec<Node>> {
    let node = table.values.get()?;
    let Value::List(list) = &node.value else {
        let help = "write values = [1, 2, 5] or values = [\"1 kg\", \"2 kg\"]";
        reader.wrong_type("values", node, "a list", help);
        return None;
    };
    Some(list.clone())
}

/// Refuses keys beside others.
fn conflicts<'p>(
    reader: &mut Reader,
    one: Option<&'p Place>,
    others: impl Iterator<Item = Option<&'p Place>>,
    why: &str,
) -> Option<()> {
    let others: Vec<_> = others.collect();
    let all: Vec<_> = std::iter::once(one).chain(others.iter().copied()).collect();
    reader.exclude(&all, why);
    others.iter().all(Option::is_none).then_some(())
}

fn lacks<T>(
    reader: &mut Reader,
    table: &ParameterTable,
    what: &str,
    quantity: &Quantity,
) -> Option<T> {
    let problem = Problem::error(&codes::VALUES, format!("the parameter has not {what}"));
    let example = crate::numbers::written(quantity);
    let help = format!("give values = [{example}, …], from and to, or mean and deviation");
    reader.push(problem.at(table.span.clone()).label("not all of it is there").help(help));
    None
}
