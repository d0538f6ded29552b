//! Tables of functions of time: in the scenario, or in a CSV file.

use super::LONGEST_TABLE;
use super::csv_columns::{self, Columns};
use super::shapes::{ListOfSubject, Times};
use super::text::Surroundings;
use crate::codes;
use crate::load::read_named;
use crate::node::{Value, quoted};
use crate::problem::Problem;
use crate::reader::Reader;
use crate::shapes::{AsWritten, Text, Word, numbers, unplaced, words};
use crate::table::{Field, table};
use crate::units::{self, Quantity, short};
use pliant::Help;
use pliant::simulate::{Interpolation, Table};

words! {
    Interpolation:
    "hold" => Interpolation::Hold,
    "linear" => Interpolation::Linear,
    "cubic" => Interpolation::Cubic,
}

table! {
    /// Values at given times; constant before the first and after the last.
    pub(crate) struct Rows = "table", "write kind = \"table\", times = [0, 1, 2] and values = [0, 5, 0]";
    keys {
        /// Increasing times.
        times: AsWritten<Times> [or "given by file or csv"],
        /// A value for each.
        values: AsWritten<ListOfSubject> [or "given by file or csv"],
        /// Or a CSV file with both, relative to the folder of the scenario. Its first line names
        /// the columns, with units other than SI in brackets: t,torque [mN m].
        file: Text [or "given by times and values"],
        /// Or the contents of that file.
        csv: Text [or "given by times and values"],
        /// The column of the times.
        time: Text [or "the first"],
        /// The column of the values.
        column: Text [or "the second"],
        /// The interpolation: the last value, straight lines, or a smooth cubic.
        interpolation: Word<Interpolation> [or "linear, cubic for prescribed motions and targets"],
    }
}

impl Rows {
    /// What a file says about a table.
    pub(super) fn of(table: &Table, usual: Interpolation) -> Self {
        let listed = |all: &[f64]| Field::from(unplaced(numbers(all)));
        let interpolation = Some(table.interpolation()).filter(|own| *own != usual);
        Self {
            times: listed(table.times()),
            values: listed(table.values()),
            interpolation: interpolation.into(),
            ..Self::default()
        }
    }
}

/// The table that a file describes.
pub(super) fn table(
    reader: &mut Reader,
    around: &mut Surroundings<'_>,
    rows: &Rows,
    quantity: &Quantity,
    usual: Interpolation,
) -> Option<Table> {
    let places = [rows.times.given(), rows.file.given(), rows.csv.given()];
    reader.exclude(&places, "a table is in one place");
    let (times, values) = if rows.times.is_given() {
        lists(reader, rows, quantity)?
    } else if rows.file.is_given() {
        without_values(reader, rows, &rows.file)?;
        from_file(reader, around, rows, quantity)?
    } else if rows.csv.is_given() {
        without_values(reader, rows, &rows.csv)?;
        let text = (rows.csv.get()?.as_str(), rows.csv.name());
        let columns = columns(reader, rows, &rows.csv, quantity, text)?;
        (columns.times, columns.values)
    } else {
        reader.push(
            Problem::error(&codes::MISSING_KEY, "the table has neither times nor a file")
                .at(rows.span.clone())
                .label("times or file is missing")
                .help("add times = [0, 1] and values = [0, 5], or file = \"table.csv\""),
        );
        return None;
    };
    let interpolation = rows.interpolation.or(usual)?;
    match Table::new(times, values, interpolation) {
        Ok(table) => Some(table),
        Err(error) => {
            let help = error.help().unwrap_or_else(|| "change the table".to_owned());
            let problem = Problem::error(&codes::TABLE, error.to_string());
            reader.push(problem.at(rows.span.clone()).help(help));
            None
        }
    }
}

/// Times and values in the scenario.
fn lists(reader: &mut Reader, rows: &Rows, quantity: &Quantity) -> Option<(Vec<f64>, Vec<f64>)> {
    for place in [rows.time.given(), rows.column.given()].into_iter().flatten() {
        let key = place.name;
        reader.push(
            Problem::error(&codes::CONFLICT, format!("both times and {key} are given"))
                .at(place.key.clone())
                .label("belongs to a file")
                .help(format!("remove {key}, or write file instead of times and values")),
        );
    }
    let times_node = rows.times.get()?;
    let Some(values_node) = rows.values.get() else {
        reader.push(
            Problem::error(&codes::MISSING_KEY, "the table has no values")
                .at(times_node.span.clone())
                .label("values at these times are missing")
                .help("add values = […], as many as there are times"),
        );
        return None;
    };
    let times = reader.any_numbers(rows.times.name(), times_node, &units::TIME);
    let values = reader.any_numbers(rows.values.name(), values_node, quantity);
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

/// Refuses values beside a file that has them.
fn without_values(reader: &mut Reader, rows: &Rows, asked: &Field<String>) -> Option<()> {
    let Some(place) = rows.values.given() else { return Some(()) };
    let (way, key) = (asked.name(), place.name);
    reader.push(
        Problem::error(&codes::CONFLICT, format!("both {way} and {key} are given"))
            .at(place.key.clone())
            .label(format!("{way} is given too"))
            .help(format!("remove {key} or {way}")),
    );
    None
}

/// Times and values in a CSV file, which is put into the text that is run.
fn from_file(
    reader: &mut Reader,
    around: &mut Surroundings<'_>,
    rows: &Rows,
    quantity: &Quantity,
) -> Option<(Vec<f64>, Vec<f64>)> {
    let (path, place) = (rows.file.get()?, rows.file.given()?);
    let source = match read_named(around.folder.join(path), LONGEST_TABLE) {
        Ok(source) => source,
        Err(report) => {
            for problem in report.problems() {
                let help = problem.help.clone().unwrap_or_else(|| "check the path".to_owned());
                reader.push(
                    Problem::error(
                        &codes::TABLE,
                        format!("the table cannot be read: {}", problem.message),
                    )
                    .at(place.value.clone())
                    .label("from the folder of the scenario")
                    .help(help),
                );
            }
            return None;
        }
    };
    let text = (source.text(), path.as_str());
    let Columns { times, values, text } = columns(reader, rows, &rows.file, quantity, text)?;
    around.replace_key(place, "csv", text);
    Some((times, values))
}

/// Columns of a CSV file with its name, or of the same as text in the scenario; what is wrong with
/// them is told where they are asked for.
fn columns(
    reader: &mut Reader,
    rows: &Rows,
    asked: &Field<String>,
    quantity: &Quantity,
    (text, name): (&str, &str),
) -> Option<Columns> {
    let (time, column) = (rows.time.if_given()?, rows.column.if_given()?);
    let found = csv_columns::read(text, (time.as_deref(), column.as_deref()), quantity);
    found
        .map_err(|fault| {
            let place = match fault.line {
                Some(line) => format!("{}, line {line}", quoted(name)),
                None => quoted(name),
            };
            reader.push(
                Problem::error(&codes::TABLE, format!("{place}: {}", fault.message))
                    .at(asked.span_or(&rows.span))
                    .label("in this table")
                    .help(fault.help),
            );
        })
        .ok()
}
