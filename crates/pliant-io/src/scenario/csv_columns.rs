//! Two columns of a CSV file: times, and a value for each.

use crate::escape::from_csv_text;
use crate::nearest::nearest;
use crate::node::quoted;
use crate::units::{self, Quantity, UnitError, short};
use csv::{ErrorKind, StringRecord, Trim};

/// Two columns in SI units, and as they were written.
pub(super) struct Columns {
    pub(super) times: Vec<f64>,
    pub(super) values: Vec<f64>,
    /// A text that gives the same columns.
    pub(super) text: String,
}

/// What is wrong, where, and what would be right.
#[derive(Debug, PartialEq)]
pub(super) struct Fault {
    /// The line of the text, where it is in one.
    pub(super) line: Option<u64>,
    pub(super) message: String,
    pub(super) help: String,
}

/// One of the columns.
struct Column {
    index: usize,
    /// As it stands in the first line.
    head: String,
    /// What its numbers are multiplied by.
    factor: f64,
}

/// Reads the columns of these names from a text; without names, the first and the second. A name
/// may be followed by its unit in brackets, as in `torque [N m]`.
pub(super) fn read(
    text: &str,
    (time, column): (Option<&str>, Option<&str>),
    quantity: &Quantity,
) -> Result<Columns, Fault> {
    let text = text.trim_start_matches('\u{feff}');
    let mut rows =
        csv::ReaderBuilder::new().trim(Trim::All).comment(Some(b'#')).from_reader(text.as_bytes());
    let heads = rows.headers().map_err(|error| unreadable(&error))?;
    let heads: StringRecord = heads.iter().map(from_csv_text).collect();
    check_heads(&heads)?;
    let times = find(&heads, time, 0, &units::TIME)?;
    let values = find(&heads, column, 1, quantity)?;
    if column.is_none() && heads.len() > 2 {
        return Err(Fault::first(
            format!("there are {} columns, and none is chosen", heads.len()),
            format!("add column = {}; there are {}", quoted(name_of(&heads[1])), names(&heads)),
        ));
    }
    let mut all = Columns { times: Vec::new(), values: Vec::new(), text: String::new() };
    let mut kept = csv::Writer::from_writer(Vec::new());
    keep(&mut kept, [&times.head, &values.head]);
    let mut row = StringRecord::new();
    while rows.read_record(&mut row).map_err(|error| unreadable(&error))? {
        let line = row.position().map(csv::Position::line);
        let (t, value) = (number(&row, line, &times)?, number(&row, line, &values)?);
        if let Some(&before) = all.times.last()
            && t <= before
        {
            let [t, before] = [t, before].map(short);
            return Err(Fault {
                line,
                message: format!("the times do not ascend: {t} s follows {before} s"),
                help: "put the rows in the order of time, each instant once".to_owned(),
            });
        }
        keep(&mut kept, [&row[times.index], &row[values.index]]);
        all.times.push(t);
        all.values.push(value);
    }
    if all.times.is_empty() {
        let help = "give at least one row below the names of the columns".to_owned();
        return Err(Fault { line: None, message: "it has no rows".to_owned(), help });
    }
    // memory takes every byte, and texts stay texts
    let bytes = kept.into_inner().unwrap_or_default();
    all.text = String::from_utf8_lossy(&bytes).into_owned();
    Ok(all)
}

impl Fault {
    fn first(message: String, help: String) -> Self {
        Self { line: Some(1), message, help }
    }
}

fn keep(kept: &mut csv::Writer<Vec<u8>>, cells: [&str; 2]) {
    // writing to memory does not fail
    let _ = kept.write_record(cells);
}

fn unreadable(error: &csv::Error) -> Fault {
    let line = error.position().map(csv::Position::line);
    match error.kind() {
        ErrorKind::UnequalLengths { expected_len, len, .. } => Fault {
            line,
            message: format!("there are {len} values instead of {expected_len}"),
            help: "separate columns by commas, and write numbers with a point".to_owned(),
        },
        _ => Fault {
            line,
            message: format!("it cannot be read: {error}"),
            help: "give rows of values with commas between, below a line of names".to_owned(),
        },
    }
}

/// The first line has names and not numbers, and more than one.
fn check_heads(heads: &StringRecord) -> Result<(), Fault> {
    if heads.len() < 2 {
        return Err(Fault::first(
            "there is only one column".to_owned(),
            "separate the columns by commas".to_owned(),
        ));
    }
    match heads.iter().find(|head| head.parse::<f64>().is_ok()) {
        Some(number) => Err(Fault::first(
            format!("the first line has the number {number} where the name of a column should be"),
            "put a line of names above the numbers, such as t,torque".to_owned(),
        )),
        None => Ok(()),
    }
}

/// The name of a column without its unit.
fn name_of(head: &str) -> &str {
    split(head).0
}

/// The name of a column, and its unit if it has one.
fn split(head: &str) -> (&str, Option<&str>) {
    let unit = head.strip_suffix(']').and_then(|rest| rest.rsplit_once('['));
    unit.map_or((head, None), |(name, unit)| (name.trim(), Some(unit.trim())))
}

fn names(heads: &StringRecord) -> String {
    heads.iter().map(|head| quoted(name_of(head))).collect::<Vec<_>>().join(", ")
}

fn find(
    heads: &StringRecord,
    wanted: Option<&str>,
    usual: usize,
    quantity: &Quantity,
) -> Result<Column, Fault> {
    let index = match wanted {
        None => usual,
        Some(wanted) => {
            let of = |head: &str| head == wanted || name_of(head) == wanted;
            heads.iter().position(of).ok_or_else(|| {
                let near = nearest(wanted, heads.iter().map(name_of));
                let help = match near {
                    Some(near) => format!("did you mean {}?", quoted(near)),
                    None => format!("there are {}", names(heads)),
                };
                Fault::first(format!("no column is called {}", quoted(wanted)), help)
            })?
        }
    };
    let head = heads[index].to_owned();
    let factor = match split(&head).1 {
        None | Some("" | "1") => 1.0,
        Some(unit) => units::parse(&format!("1 {unit}"), quantity)
            .map_err(|error| wrong_unit(&head, unit, &error, quantity))?,
    };
    Ok(Column { index, head, factor })
}

fn wrong_unit(head: &str, unit: &str, error: &UnitError, quantity: &Quantity) -> Fault {
    let why = match error {
        UnitError::WrongKind(_) => format!("does not measure {}", quantity.name),
        _ => "is not known".to_owned(),
    };
    Fault::first(
        format!("the unit {} of column {} {why}", quoted(unit), quoted(name_of(head))),
        format!("give numbers in {si}, or another unit of that kind", si = quantity.si),
    )
}

fn number(row: &StringRecord, line: Option<u64>, column: &Column) -> Result<f64, Fault> {
    let cell = &row[column.index];
    match cell.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number * column.factor),
        _ => Err(Fault {
            line,
            message: format!(
                "{} in column {} is not a finite number",
                quoted(cell),
                quoted(name_of(&column.head))
            ),
            help: "write plain numbers with a point, such as 0.25 or 1e-3".to_owned(),
        }),
    }
}
