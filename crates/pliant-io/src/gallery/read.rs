//! From the text of an entry to what it computes.

use super::GalleryEntry;
use super::entry::{
    Beside, Bound, Cell, Check, Column, Compared, Counting, CurveOf, Integrating, Line, Plotted,
    PlottedCurve, PlottedPanel, Printed, Rooted, Shaped, Sheet, Solving, Taken, Which,
};
use super::file::{
    CheckTable, ColumnTable, CurveTable, EntryTable, FigureTable, Measure, PanelTable, RowTable,
    SheetTable,
};
use super::files::{ENTRY, Files};
use super::{GalleryAxis, GalleryDocument, quantities};
use crate::codes;
use crate::nearest::nearest;
use crate::node::quoted;
use crate::problem::{Problem, Report, Severity};
use crate::reader::Reader;
use crate::scenario::Listed;
use crate::source::Source;
use crate::table::{Field, Table as _};
use std::collections::BTreeSet;
use std::ops::Range;

/// Reads an entry.
pub(super) fn read(id: &str, files: Files) -> Result<GalleryEntry, Report> {
    let source = files.source(id, ENTRY)?;
    parse(id, source, files)
}

/// The same of its text.
pub(super) fn parse(id: &str, source: Source, files: Files) -> Result<GalleryEntry, Report> {
    let root = crate::load::tree(&source)?;
    let mut reader = Reader::default();
    let table = EntryTable::read(&mut reader, "the entry", &root);
    let found = table.and_then(|table| entry(&mut reader, &table));
    let report = Report::new(source.clone(), reader.problems);
    match found {
        Some(parts) if report.count(Severity::Error) == 0 => {
            let Parts { document, place, title, about, is_quick, sheets, checks, plotted } = parts;
            let id = id.to_owned();
            let entry = GalleryEntry {
                id,
                document,
                place,
                title,
                about,
                is_quick,
                files,
                source,
                sheets,
                checks,
                plotted,
            };
            entry.names()?;
            Ok(entry)
        }
        _ => Err(report),
    }
}

/// What an entry says.
struct Parts {
    document: GalleryDocument,
    place: String,
    title: String,
    about: Vec<String>,
    is_quick: bool,
    sheets: Vec<Sheet>,
    checks: Vec<Check>,
    plotted: Vec<Plotted>,
}

fn entry(reader: &mut Reader, table: &EntryTable) -> Option<Parts> {
    let place = table.place.get()?.clone();
    let usual = place.as_str();
    let mut sheets = Vec::new();
    for table in table.table.get().map_or(&[][..], Vec::as_slice) {
        sheets.extend(sheet(reader, usual, table));
    }
    once(reader, &sheets, table);
    let checks = table.check.get().map_or(&[][..], Vec::as_slice);
    let checks = checks.iter().filter_map(|one| check(reader, usual, one)).collect();
    let figures = table.figure.get().map_or(&[][..], Vec::as_slice);
    let plotted = figures.iter().filter_map(|one| figure(reader, usual, one, &sheets)).collect();
    Some(Parts {
        document: table.document.value?,
        title: table.title.get()?.clone(),
        about: paragraphs(table.about.get()?),
        is_quick: table.quick.value.unwrap_or(false),
        place,
        sheets,
        checks,
        plotted,
    })
}

/// Paragraphs, of which empty lines are between.
fn paragraphs(text: &str) -> Vec<String> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let parts = lines.split(|line| line.is_empty());
    parts.filter(|part| !part.is_empty()).map(|part| part.join(" ")).collect()
}

/// A text and where it stands.
fn said(field: &Field<String>, table: &Range<usize>) -> Option<Listed> {
    Some(Listed { name: field.get()?.clone(), span: field.span_or(table) })
}

/// A number of one of several, and where it stands.
fn which(field: &Field<usize>, table: &Range<usize>) -> Option<Which> {
    Some(Which { number: field.value?, span: field.span_or(table) })
}

/// The id of something, checked.
fn id(reader: &mut Reader, field: &Field<String>, table: &Range<usize>) -> Option<String> {
    let id = field.get()?;
    if id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_') {
        return Some(id.clone());
    }
    let message = format!("the id {} has other characters than a to z, 0 to 9 and _", quoted(id));
    let problem = Problem::error(&codes::GALLERY_NAME, message).at(field.span_or(table));
    reader.push(problem.help("write a short name, such as id = \"fast\""));
    None
}

/// Sections of the page of an entry, which links find by their ids as they find rows.
const SECTIONS: [&str; 3] = ["claims", "files", "warnings"];

/// That an id is one that something else has.
fn taken(reader: &mut Reader, (id, field, table): (&str, &Field<String>, &Range<usize>), by: &str) {
    let message = format!("the id {} cannot be had: {by}", quoted(id));
    let problem = Problem::error(&codes::GALLERY_NAME, message).at(field.span_or(table));
    reader.push(problem.help("give it another id"));
}

/// No id of a row and none of a column is there twice.
fn once(reader: &mut Reader, sheets: &[Sheet], table: &EntryTable) {
    let mut tell = |what: &str, ids: &mut dyn Iterator<Item = &String>| {
        let mut seen = BTreeSet::new();
        for id in ids.filter(|id| !seen.insert(*id)) {
            let message = format!("two {what} have the id {}", quoted(id));
            let problem = Problem::error(&codes::GALLERY_NAME, message);
            let help = "give each an id of its own, or none";
            reader.push(problem.at(table.table.span_or(&table.span)).help(help));
        }
    };
    let lines = sheets.iter().flat_map(|sheet| &sheet.lines);
    tell("rows", &mut lines.filter_map(|line| line.id.as_ref()));
    let columns = sheets.iter().flat_map(|sheet| &sheet.columns);
    tell("columns", &mut columns.filter_map(|column| column.id.as_ref()));
}

fn sheet(reader: &mut Reader, usual: &str, table: &SheetTable) -> Option<Sheet> {
    let variables: Vec<(String, String)> =
        table.variables.get().map_or(&[][..], Vec::as_slice).iter().map(variable).collect();
    let columns: Vec<Column> =
        table.column.get()?.iter().filter_map(|one| column(reader, one)).collect();
    let scenario = said(&table.scenario, &table.span);
    let needing = columns.iter().find(|column| column.measure.needs_scenario());
    if let (None, Some(column)) = (&scenario, needing) {
        let message = format!("the column {} needs a scenario", quoted(&column.name));
        let problem = Problem::error(&codes::GALLERY_COLUMN, message).at(table.span.clone());
        reader.push(problem.label("this table has none").help("add scenario = \"scenario.toml\""));
    }
    if columns.len() < table.column.get()?.len() {
        return None;
    }
    let mut lines = Vec::new();
    for row in table.row.get()? {
        lines.extend(line(reader, row, (&variables, &columns)));
    }
    let place = table.place.if_given()?.unwrap_or_else(|| usual.to_owned());
    let set = table.set.get().cloned().unwrap_or_default();
    let texts = table.quantities.get().map_or(&[][..], Vec::as_slice);
    let quantities = quantities::read(reader, texts, (&variables, &columns));
    Some(Sheet { place, scenario, variables, quantities, set, columns, lines })
}

/// The name and the unit of a variable: `TTG [s]`.
fn variable(listed: &Listed) -> (String, String) {
    let (name, rest) = listed.name.split_once('[').unwrap_or((&listed.name, ""));
    (name.trim().to_owned(), rest.trim_end().trim_end_matches(']').trim().to_owned())
}

fn column(reader: &mut Reader, table: &ColumnTable) -> Option<Column> {
    let keys = &table.all;
    let span = &keys.kind;
    let id = if keys.id.is_given() { Some(id(reader, &keys.id, span)?) } else { None };
    if let Some(id) = id.as_deref().filter(|id| quantities::TAKEN.contains(id)) {
        taken(reader, (id, &keys.id, span), "in expressions it means something else");
    }
    let measure = match &table.own {
        Measure::Course(own) => Taken::Course {
            expression: said(&own.expression, span)?,
            take: own.take.value?,
            at: own.at.value?,
        },
        Measure::Difference(own) => Taken::Difference(Beside {
            expression: said(&own.expression, span)?,
            against: own.against.get()?.clone(),
            at: own.at.value?,
        }),
        Measure::OfRun(own) => Taken::Figure(said(&own.figure, span)?),
        Measure::OfTracking(own) => {
            Taken::Tracking { of: own.of.value?, joint: said(&own.joint, span) }
        }
        Measure::Frequency(own) => {
            Taken::Frequency { number: which(&own.number, span)?, joints: own.joints.value? }
        }
        Measure::SpectralRadius(own) => Taken::SpectralRadius { at: own.at.value? },
        Measure::Root(own) => Taken::Root(Rooted {
            of: own.of.value?,
            outputs: own.outputs.get().cloned().unwrap_or_default(),
            number: said(&own.number, span)?,
            part: own.part.value?,
            at: own.at.value?,
        }),
        Measure::ModeShape(own) => Taken::ModeShape(Shaped {
            number: which(&own.number, span)?,
            joints: own.joints.value?,
            link: said(&own.link, span)?,
            across: own.across.value?,
            expression: said(&own.expression, span)?,
            take: own.take.value?,
            at: own.at.value?,
        }),
        Measure::Equations(own) => Taken::Equations(Compared {
            of: own.of.value?,
            with: said(&own.with, span)?,
            instead_of: said(&own.instead_of, span)?,
            beside: own.beside.get().cloned().unwrap_or_default(),
        }),
        Measure::Operations(own) => Taken::Operations(Counting {
            of: own.of.value?,
            by: own.by.value?,
            kind: own.count.value?,
            links: said(&own.links, span)?,
            steps: said(&own.steps, span),
            has_rigid_ends: own.rigid_ends.value?,
        }),
        Measure::Solution(own) => Taken::Solution(Solving {
            equation: said(&own.equation, span)?,
            ends: [said(&own.from, span)?, said(&own.to, span)?],
            integral: match said(&own.integrand, span) {
                Some(integrand) => Some(Integrating {
                    integrand,
                    ends: [said(&own.lower, span)?, said(&own.upper, span)?],
                }),
                None => None,
            },
        }),
        Measure::Integral(own) => Taken::Integral(Integrating {
            integrand: said(&own.integrand, span)?,
            ends: [said(&own.lower, span)?, said(&own.upper, span)?],
        }),
        Measure::Formula(own) => Taken::Formula(said(&own.expression, span)?),
    };
    Some(Column {
        id,
        name: keys.name.get()?.clone(),
        unit: keys.unit.get()?.clone(),
        span: span.clone(),
        factor: said(&keys.factor, span)?,
        tolerance: keys.tolerance.value?,
        why: keys.why.get().cloned(),
        printed: said(&keys.printed, span),
        measure,
    })
}

fn line(
    reader: &mut Reader,
    table: &RowTable,
    (variables, columns): (&[(String, String)], &[Column]),
) -> Option<Line> {
    let span = &table.span;
    let words = |field: &Field<String>| -> Vec<String> {
        field.get().map_or("", String::as_str).split_whitespace().map(str::to_owned).collect()
    };
    let mut wrong = |field: &Field<String>, message: String, help: &str| {
        let problem = Problem::error(&codes::GALLERY_ROW, message).at(field.span_or(span));
        reader.push(problem.help(help));
    };
    let values = words(&table.values);
    if values.len() != variables.len() {
        let (found, wanted) = (values.len(), variables.len());
        let message = format!("the row has {found} values for {wanted} variables");
        wrong(&table.values, message, "write one for each variable, with spaces between");
        return None;
    }
    let mut printed: Vec<Option<Printed>> = Vec::new();
    for word in words(&table.printed) {
        let number = Printed::parse(&word);
        if number.is_none() && word != "-" {
            let message = format!("{} is no printed number", quoted(&word));
            wrong(&table.printed, message, "write its digits, or - where nothing is printed");
            return None;
        }
        printed.push(number);
    }
    if !printed.is_empty() && printed.len() != columns.len() {
        let (found, wanted) = (printed.len(), columns.len());
        let message = format!("the row has {found} printed numbers for {wanted} columns");
        wrong(&table.printed, message, "write one for each column, - where nothing is printed");
        return None;
    }
    printed.resize(columns.len(), None);
    let is_given_up = table.not_reproducible.value.unwrap_or(false);
    let mut cells: Vec<Cell> = columns
        .iter()
        .zip(printed)
        .map(|(column, printed)| Cell {
            printed,
            tolerance: column.tolerance,
            why: table.why.get().or(column.why.as_ref()).cloned(),
            is_not_reproducible: is_given_up && (printed.is_some() || column.printed.is_some()),
            is_count: matches!(column.measure, Taken::Operations(_)),
        })
        .collect();
    for special in table.cell.get().map_or(&[][..], Vec::as_slice) {
        let name = special.column.get()?;
        let ids = || columns.iter().filter_map(|column| column.id.as_deref());
        let found = columns.iter().position(|column| column.id.as_ref() == Some(name));
        let Some(at) = found else {
            let message = format!("no column of the table has the id {}", quoted(name));
            let help = instead(name, ids());
            let problem = Problem::error(&codes::GALLERY_NAME, message);
            reader.push(problem.at(special.column.span_or(span)).help(help));
            return None;
        };
        let cell = &mut cells[at];
        cell.tolerance = special.tolerance.value.unwrap_or(cell.tolerance);
        cell.why = special.why.get().cloned().or(cell.why.take());
        cell.is_not_reproducible |= special.not_reproducible.value.unwrap_or(false);
    }
    if cells.iter().any(|cell| cell.is_not_reproducible && cell.why.is_none()) {
        let message = "what is not reproducible needs a reason";
        let place = table.not_reproducible.span_or(span);
        let problem = Problem::error(&codes::GALLERY_ROW, message).at(place);
        reader.push(problem.help("add why = \"…\""));
    }
    let id = if table.id.is_given() { Some(id(reader, &table.id, span)?) } else { None };
    if let Some(id) = id.as_deref().filter(|id| SECTIONS.contains(id)) {
        taken(reader, (id, &table.id, span), "it is that of a section of the page");
    }
    let name = table.name.get().cloned();
    let set = table.set.get().cloned().unwrap_or_default();
    Some(Line { id, name, values, set, cells })
}

/// What there is instead of a name.
fn instead<'a>(name: &str, known: impl Iterator<Item = &'a str> + Clone) -> String {
    if let Some(near) = nearest(name, known.clone()) {
        return format!("did you mean \"{near}\"?");
    }
    let all: Vec<&str> = known.take(8).collect();
    if all.is_empty() {
        "give it an id".to_owned()
    } else {
        format!("there are: {}", all.join(", "))
    }
}

fn check(reader: &mut Reader, usual: &str, table: &CheckTable) -> Option<Check> {
    reader.exclude(&[table.more_than.given(), table.less_than.given()], "a claim has one bound");
    let bound = match (table.more_than.value, table.less_than.value) {
        (Some(bound), _) => Bound::MoreThan(bound),
        (None, Some(bound)) => Bound::LessThan(bound),
        (None, None) => {
            let message = "the check has neither more_than nor less_than";
            let problem = Problem::error(&codes::MISSING_KEY, message).at(table.span.clone());
            reader.push(problem.help("add more_than = 1, where the claim holds beyond that"));
            return None;
        }
    };
    Some(Check {
        place: table.place.get().cloned().unwrap_or_else(|| usual.to_owned()),
        claim: table.claim.get()?.clone(),
        value: said(&table.value, &table.span)?,
        bound,
        unit: table.unit.get()?.clone(),
        why: table.why.get().cloned(),
    })
}

fn figure(
    reader: &mut Reader,
    usual: &str,
    table: &FigureTable,
    sheets: &[Sheet],
) -> Option<Plotted> {
    let axis = |label: &Field<String>, unit: &Field<String>, log: &Field<bool>| {
        let (label, unit) = (label.get()?.clone(), unit.get()?.clone());
        Some(GalleryAxis { label, unit, is_log: log.value.unwrap_or(false) })
    };
    let mut panels = Vec::new();
    for PanelTable { y, unit, log, curve: curves, .. } in table.panel.get()? {
        let curves = curves.get()?.iter().filter_map(|one| curve(reader, one, sheets)).collect();
        panels.push(PlottedPanel { y: axis(y, unit, log)?, curves });
    }
    Some(Plotted {
        place: table.place.get().cloned().unwrap_or_else(|| usual.to_owned()),
        title: table.title.get()?.clone(),
        x: axis(&table.x, &table.x_unit, &table.x_log)?,
        panels,
    })
}

fn curve(reader: &mut Reader, table: &CurveTable, sheets: &[Sheet]) -> Option<PlottedCurve> {
    let span = &table.span;
    let name = table.name.get().cloned().unwrap_or_default();
    let mut unknown = |field: &Field<String>, what: &str, help: String| {
        let found = quoted(field.get().map_or("", String::as_str));
        let message = format!("the entry has no {what} {found}");
        let problem = Problem::error(&codes::GALLERY_NAME, message).at(field.span_or(span));
        reader.push(problem.help(help));
    };
    if let Some(row) = table.row.get() {
        let lines = sheets.iter().enumerate().flat_map(|(sheet, one)| {
            one.lines.iter().enumerate().map(move |(line, own)| ((sheet, line), own.id.as_deref()))
        });
        let Some((at, _)) = lines.clone().find(|(_, id)| *id == Some(row.as_str())) else {
            let help = instead(row, lines.filter_map(|(_, id)| id));
            unknown(&table.row, "row with the id", help);
            return None;
        };
        if let Some(column) = table.column.get() {
            let shapes = sheets[at.0].columns.iter().enumerate();
            let shapes = shapes.filter(|(_, one)| matches!(one.measure, Taken::ModeShape(_)));
            let ids = shapes.filter_map(|(place, one)| Some((place, one.id.as_deref()?)));
            let Some((column, _)) = ids.clone().find(|(_, id)| id == column) else {
                let help = instead(column, ids.map(|(_, id)| id));
                unknown(&table.column, "column of kind mode-shape in that table", help);
                return None;
            };
            return Some(PlottedCurve { name, of: CurveOf::Shape { at, column } });
        }
        if sheets[at.0].scenario.is_none() {
            unknown(&table.row, "scenario for row", "name a row whose table has one".to_owned());
            return None;
        }
        let (Some(x), Some(y)) = (said(&table.x, span), said(&table.y, span)) else {
            unknown(&table.y, "y for a curve of a row", "add y = \"waist.error\"".to_owned());
            return None;
        };
        let is_held = table.held.value.unwrap_or(false);
        return Some(PlottedCurve { name, of: CurveOf::Run { at, x, y, is_held } });
    }
    let (Some(column), Some(over)) = (table.column.get(), table.over.get()) else {
        let message = "the curve has neither a row, nor a column and a variable over which it goes";
        let problem = Problem::error(&codes::MISSING_KEY, message).at(span.clone());
        reader.push(problem.help("add row = \"fast\" and y = \"waist.error\", or column and over"));
        return None;
    };
    let columns = sheets.iter().enumerate().flat_map(|(sheet, one)| {
        let all = one.columns.iter().enumerate();
        all.map(move |(column, own)| ((sheet, column), own.id.as_deref()))
    });
    let Some(((sheet, at), _)) = columns.clone().find(|(_, id)| *id == Some(column.as_str()))
    else {
        unknown(&table.column, "column with the id", instead(column, columns.filter_map(|c| c.1)));
        return None;
    };
    let variables = &sheets[sheet].variables;
    let Some(over) = variables.iter().position(|(name, _)| name == over) else {
        let help = instead(over, variables.iter().map(|(name, _)| name.as_str()));
        unknown(&table.over, "variable of that table called", help);
        return None;
    };
    let lines = &sheets[sheet].lines;
    let is_printed = table.printed.value.unwrap_or(false);
    let has_printed = |line: &Line| line.cells[at].printed.is_some();
    if is_printed && sheets[sheet].columns[at].printed.is_none() && !lines.iter().any(has_printed) {
        let help = "leave printed = true out, or give the rows what is printed".to_owned();
        unknown(&table.column, "printed number in the column", help);
        return None;
    }
    let is_word = |value: &&String| value.parse::<f64>().is_err();
    if let Some(word) = lines.iter().map(|line| &line.values[over]).find(is_word) {
        let name = quoted(&variables[over].0);
        let message = format!("the value {} of the variable {name} is no number", quoted(word));
        let problem = Problem::error(&codes::GALLERY_NAME, message);
        let help = "let the curve go over a variable whose values are numbers";
        reader.push(problem.at(table.over.span_or(span)).help(help));
        return None;
    }
    Some(PlottedCurve { name, of: CurveOf::Column { sheet, column: at, over, is_printed } })
}
