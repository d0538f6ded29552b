//! Tables of functions of time: in the scenario, or in a CSV file.

use super::LONGEST_TABLE;
use super::csv_columns::{self, Columns};
use super::signal_keys::INTERPOLATIONS;
use super::text::Surroundings;
use crate::codes;
use crate::load::read_source;
use crate::node::{Node, Value, quoted};
use crate::problem::Problem;
use crate::reader::{Fields, Reader};
use crate::units::{self, Quantity, short};
use pliant::simulate::{Interpolation, Table};

/// Reads a table.
pub(super) fn table(
    reader: &mut Reader,
    around: &mut Surroundings<'_>,
    fields: &Fields<'_>,
    quantity: &Quantity,
    usual: Interpolation,
) -> Option<Table> {
    let interpolation = match fields.get("interpolation") {
        Some(node) => match reader.word("interpolation", node, INTERPOLATIONS.iter().copied())? {
            "hold" => Interpolation::Hold,
            "linear" => Interpolation::Linear,
            _ => Interpolation::Cubic,
        },
        None => usual,
    };
    let why = "a table is in one place";
    let way = reader.at_most_one(fields, &["times", "file", "csv"], why);
    let (times, values) = match way {
        Some("times") => lists(reader, fields, quantity)?,
        Some(way) => columns(reader, around, fields, way, quantity)?,
        None => {
            reader.push(
                Problem::error(&codes::MISSING_KEY, "the table has neither times nor a file")
                    .at(fields.span().clone())
                    .label("times or file is missing")
                    .help("add times = [0, 1] and values = [0, 5], or file = \"table.csv\""),
            );
            return None;
        }
    };
    match Table::new(times, values, interpolation) {
        Ok(table) => Some(table),
        Err(error) => {
            reader.push(
                Problem::error(&codes::TABLE, error.to_string())
                    .at(fields.span().clone())
                    .help("give finite numbers at ascending times"),
            );
            None
        }
    }
}

/// Times and values in the scenario.
fn lists(
    reader: &mut Reader,
    fields: &Fields<'_>,
    quantity: &Quantity,
) -> Option<(Vec<f64>, Vec<f64>)> {
    for key in ["time", "column"] {
        if let Some(entry) = fields.entry(key) {
            reader.push(
                Problem::error(&codes::CONFLICT, format!("both times and {key} are given"))
                    .at(entry.key_span.clone())
                    .label("belongs to a file")
                    .help(format!("remove {key}, or write file instead of times and values")),
            );
        }
    }
    let times_node = fields.get("times")?;
    let Some(values_node) = fields.get("values") else {
        reader.push(
            Problem::error(&codes::MISSING_KEY, "the table has no values")
                .at(times_node.span.clone())
                .label("values at these times are missing")
                .help("add values = […], as many as there are times"),
        );
        return None;
    };
    let times = reader.any_numbers("times", times_node, &units::TIME);
    let values = reader.any_numbers("values", values_node, quantity);
    let (times, values) = (times?, values?);
    if times.len() != values.len() || times.is_empty() {
        let (t, v) = (times.len(), values.len());
        reader.push(
            Problem::error(&codes::TABLE, format!("the table has {t} times and {v} values"))
                .at(values_node.span.clone())
                .label(format!("{v} instead of {t}"))
                .help("give a value for each time, at least one"),
        );
        return None;
    }
    if let Some(row) = times.windows(2).position(|pair| pair[0] >= pair[1]) {
        let span = match &times_node.value {
            Value::List(list) => list.get(row + 1).map_or(&times_node.span, |node| &node.span),
            _ => &times_node.span,
        };
        let [first, second] = [times[row], times[row + 1]].map(short);
        reader.push(
            Problem::error(
                &codes::TABLE,
                format!("the times of the table do not ascend: {second} s follows {first} s"),
            )
            .at(span.clone())
            .label(format!("not after {first} s"))
            .help("put the rows in the order of time, each instant once"),
        );
        return None;
    }
    Some((times, values))
}

/// Columns of a CSV file, or of the same as text in the scenario.
fn columns(
    reader: &mut Reader,
    around: &mut Surroundings<'_>,
    fields: &Fields<'_>,
    way: &str,
    quantity: &Quantity,
) -> Option<(Vec<f64>, Vec<f64>)> {
    if let Some(entry) = fields.entry("values") {
        reader.push(
            Problem::error(&codes::CONFLICT, format!("both {way} and values are given"))
                .at(entry.key_span.clone())
                .label(format!("{way} is given too"))
                .help(format!("remove values or {way}")),
        );
        return None;
    }
    let mut name = |key: &str| match fields.get(key) {
        Some(node) => reader.text(key, node).map(Some),
        None => Some(None),
    };
    let names = (name("time")?, name("column")?);
    let node = fields.get(way)?;
    let given = reader.text(way, node)?;
    if way == "csv" {
        let columns = csv_columns::read(given, names, quantity);
        return accept(reader, node, way, columns).map(|columns| (columns.times, columns.values));
    }
    let source = match read_source(around.folder.join(given), LONGEST_TABLE) {
        Ok(source) => source,
        Err(report) => {
            for problem in report.problems() {
                let help = problem.help.clone().unwrap_or_else(|| "check the path".to_owned());
                reader.push(
                    Problem::error(
                        &codes::TABLE,
                        format!("the table cannot be read: {}", problem.message),
                    )
                    .at(node.span.clone())
                    .label("from the folder of the scenario")
                    .help(help),
                );
            }
            return None;
        }
    };
    let columns = csv_columns::read(source.text(), names, quantity);
    let Columns { times, values, text } = accept(reader, node, given, columns)?;
    if let Some(entry) = fields.entry("file") {
        around.replace(entry.key_span.clone(), "csv".to_owned());
        around.replace(node.span.clone(), written(&text));
    }
    Some((times, values))
}

/// Columns, or what is wrong with them, pointing at where they are asked for.
fn accept(
    reader: &mut Reader,
    node: &Node,
    name: &str,
    columns: Result<Columns, csv_columns::Fault>,
) -> Option<Columns> {
    columns
        .map_err(|fault| {
            let place = match fault.line {
                Some(line) => format!("{}, line {line}", quoted(name)),
                None => quoted(name),
            };
            reader.push(
                Problem::error(&codes::TABLE, format!("{place}: {}", fault.message))
                    .at(node.span.clone())
                    .label("in this table")
                    .help(fault.help),
            );
        })
        .ok()
}

/// A text of several lines as a value of TOML.
fn written(text: &str) -> String {
    let plain = |c: char| c == '\n' || c == '\t' || !c.is_control();
    if text.contains("'''") || text.ends_with('\'') || !text.chars().all(plain) {
        return toml::Value::String(text.to_owned()).to_string();
    }
    format!("'''\n{text}'''")
}
