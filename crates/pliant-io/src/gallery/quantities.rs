//! What a row knows before anything of it is run: its variables, its quantities, and the columns by which
//! the run itself is set.

use super::GalleryEntry;
use super::entry::{Column, Line, Sheet};
use super::known::{INTEGRAL, Known, filled};
use crate::codes;
use crate::node::quoted;
use crate::problem::{Problem, Report};
use crate::reader::Reader;
use crate::scenario::Listed;
use crate::setting::Setting;
use std::collections::BTreeSet;

/// Names that mean something else in expressions.
pub(super) const TAKEN: [&str; 7] = ["e", INTEGRAL, "pi", "s", "t", "w", "x"];

/// A quantity: its name and its expression.
pub(super) type Quantity = (String, Listed);

/// The quantities of a table, of texts `NAME = EXPRESSION`.
pub(super) fn read(
    reader: &mut Reader,
    texts: &[Listed],
    (variables, columns): (&[(String, String)], &[Column]),
) -> Vec<Quantity> {
    let mut quantities: Vec<Quantity> = Vec::new();
    for Listed { name: text, span } in texts {
        let (name, expression) = text.split_once('=').unwrap_or((text, ""));
        let (name, expression) = (name.trim(), expression.trim());
        let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
            && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        let is_there = TAKEN.contains(&name)
            || quantities.iter().any(|(other, _)| other == name)
            || variables.iter().any(|(other, _)| other == name)
            || columns.iter().any(|column| column.id.as_deref() == Some(name));
        let (message, help) = if expression.is_empty() || !is_name {
            let message = format!("{} is not of the form NAME = EXPRESSION", quoted(text));
            (
                message,
                "write \"EI = {arm.link.boom.section.EIz}\", the name of letters, digits and _",
            )
        } else if is_there {
            let message = format!("the quantity {} has the name of something else", quoted(name));
            (message, "give it a name of its own")
        } else {
            let expression = Listed { name: expression.to_owned(), span: span.clone() };
            quantities.push((name.to_owned(), expression));
            continue;
        };
        let problem = Problem::error(&codes::GALLERY_NAME, message).at(span.clone());
        reader.push(problem.help(help));
    }
    quantities
}

/// What a row knows before its scenario is made ready.
pub(super) struct Ready {
    /// Its variables and its quantities.
    pub(super) known: Known,
    /// The first columns that need no scenario, where settings of it name one of them.
    pub(super) ahead: Vec<Option<Result<f64, String>>>,
    /// The values of the scenario.
    pub(super) settings: Vec<Setting>,
}

impl GalleryEntry {
    /// The variables, quantities and first columns of a row, and with them the values of its scenario.
    pub(super) fn ready(&self, sheet: &Sheet, line: &Line) -> Result<Ready, Report> {
        let mut known = Known::variables(sheet, &line.values);
        let all: Vec<&Listed> = sheet.set.iter().chain(&line.set).collect();
        let names = sheet.quantities.iter().map(|(name, _)| name.as_str());
        let ids = sheet.columns.iter().filter_map(|column| column.id.as_deref());
        let later: BTreeSet<&str> = names.chain(ids).collect();
        let is_of = |text: &str, name: &str| text.contains(&format!("{{{name}}}"));
        if !sheet.quantities.is_empty() {
            let early = all.iter().filter(|one| !later.iter().any(|name| is_of(&one.name, name)));
            let early: Result<Vec<Setting>, Report> =
                early.map(|one| Setting::of_program(&filled(&one.name, &known.texts))).collect();
            let numbers = match &sheet.scenario {
                Some(scenario) => self.files.arm_numbers(&self.id, &scenario.name, &early?)?,
                None => Vec::new(),
            };
            let mut within = known.clone();
            within.extend(numbers);
            for (name, expression) in &sheet.quantities {
                let value = self.value(expression, &within)?;
                if !value.is_finite() {
                    let message = format!("the quantity {} is {value}", quoted(name));
                    return Err(self.fault(&expression.span, message, "it needs a number"));
                }
                known.push(name, value);
                within.push(name, value);
            }
        }
        let place = |column: &Column| {
            let id = column.id.as_deref()?;
            all.iter().find(|one| is_of(&one.name, id)).copied()
        };
        let count = sheet.columns.iter().rposition(|one| place(one).is_some()).map_or(0, |k| k + 1);
        let (mut ahead, mut with) = (Vec::new(), known.clone());
        // of each number that there is not, why
        let mut lacks: Vec<(usize, String)> = Vec::new();
        for column in &sheet.columns[..count] {
            let found = if column.measure.needs_scenario() {
                None
            } else {
                Some(self.cell(column, (sheet, line), (None, &[]), &with)?)
            };
            let lack = match &found {
                Some(Ok(_)) => None,
                Some(Err(why)) => Some(self.cause(column, &with, &lacks)?.unwrap_or(why.clone())),
                None => Some("it needs the scenario itself".to_owned()),
            };
            let value =
                found.as_ref().map_or(f64::NAN, |found| *found.as_ref().unwrap_or(&f64::NAN));
            if let (Some(at), Some(why)) = (place(column), &lack) {
                let message = format!("the column {} sets no value: {why}", quoted(&column.name));
                let help = "set by columns of kind formula, solution or integral";
                return Err(self.fault(&at.span, message, help));
            }
            if let Some(id) = &column.id {
                lacks.extend(lack.map(|why| (with.names.len(), why)));
                with.push(id, value);
            }
            ahead.push(found);
        }
        known.texts = with.texts;
        let settings: Result<Vec<Setting>, Report> =
            all.iter().map(|one| Setting::of_program(&filled(&one.name, &known.texts))).collect();
        Ok(Ready { known, ahead, settings: settings? })
    }

    /// Why a number before a column is none on which the column depends.
    fn cause(
        &self,
        column: &Column,
        known: &Known,
        lacks: &[(usize, String)],
    ) -> Result<Option<String>, Report> {
        // what equations and integrands have besides
        let own = known.names.iter().map(String::as_str);
        let names: Vec<&str> = own.chain(["x", "s", INTEGRAL]).collect();
        for text in std::iter::once(&column.factor).chain(column.measure.expressions()) {
            let used: Vec<usize> = self.expression(text, &names)?.variables().collect();
            if let Some((_, why)) = lacks.iter().find(|(at, _)| used.contains(at)) {
                return Ok(Some(why.clone()));
            }
        }
        Ok(None)
    }
}
