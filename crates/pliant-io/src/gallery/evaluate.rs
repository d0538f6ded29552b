//! The numbers and curves of a row.

use super::GalleryEntry;
use super::entry::{Column, CurveOf, Line, PlottedCurve, Sheet, Solving, Taken};
use super::measure::{self, Lack, Ran};
use super::solution;
use crate::codes;
use crate::problem::{Problem, Report};
use crate::scenario::{self, Listed, Overrides, RunFailure, Setup, expression_problem};
use crate::setting::Setting;
use pliant::Help as _;
use pliant::simulate::{Expression, Progress, Rows, Status};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// What became of a row.
pub(super) struct Evaluated {
    /// One for each column: the number, or in words why there is none.
    pub(super) cells: Vec<Result<f64, String>>,
    /// The curves of figures that are courses of its run: figure, panel, curve, and its points.
    pub(super) curves: Vec<([usize; 3], [Vec<f64>; 2])>,
}

/// Numbers by names.
pub(super) struct Known {
    pub(super) names: Vec<String>,
    values: Vec<f64>,
}

impl Known {
    /// Those of the variables of a row that are numbers.
    pub(super) fn variables(sheet: &Sheet, values: &[String]) -> Self {
        let mut known = Self { names: Vec::new(), values: Vec::new() };
        for ((name, _), value) in sheet.variables.iter().zip(values) {
            if let Ok(value) = value.parse() {
                known.names.push(name.clone());
                known.values.push(value);
            }
        }
        known
    }
}

impl GalleryEntry {
    /// Computes a row; none where it was interrupted.
    pub(super) fn evaluate(
        &self,
        (table, row): (usize, usize),
        stopped: &AtomicBool,
    ) -> Result<Option<Evaluated>, Report> {
        let sheet = &self.sheets[table];
        let line = &sheet.lines[row];
        let mut known = Known::variables(sheet, &line.values);
        let curves = self.curves_of((table, row));
        let setup = match &sheet.scenario {
            Some(scenario) => {
                let settings = settings(sheet, line)?;
                let overrides = Overrides { settings };
                Some(self.files.setup(&self.id, &scenario.name, &overrides)?)
            }
            None => None,
        };
        let needs_run = sheet.columns.iter().any(|column| column.measure.needs_run());
        let mut ran = None;
        let mut failed = None;
        if let Some(setup) = setup.as_ref().filter(|_| needs_run || !curves.is_empty()) {
            let mut watch = |_: &Progress| {
                if stopped.load(Relaxed) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            };
            match scenario::record(setup, &mut watch) {
                Ok(run) if run.summary.outcome.run.ending.status == Status::Interrupted => {
                    return Ok(None);
                }
                Ok(run) => ran = Some(Ran::new(run)),
                Err(failure) => failed = Some(in_words(&failure)),
            }
        }
        let mut cells: Vec<Result<f64, String>> = Vec::new();
        for column in &sheet.columns {
            if stopped.load(Relaxed) {
                return Ok(None);
            }
            let of = (setup.as_ref(), ran.as_ref(), failed.as_deref());
            let found = self.cell(column, (sheet, line), of, &known)?;
            if let (Some(id), Ok(value)) = (&column.id, &found) {
                known.names.push(id.clone());
                known.values.push(*value);
            } else if let Some(id) = &column.id {
                known.names.push(id.clone());
                known.values.push(f64::NAN);
            }
            cells.push(found);
        }
        let known = Known::variables(sheet, &line.values);
        let mut drawn = Vec::new();
        for (at, x, y) in curves {
            let Some(ran) = &ran else { continue };
            let rows = &ran.run.rows;
            let points = [x, y].map(|course| self.course(course, rows, &known));
            let [x, y] = points;
            drawn.push((at, [x?, y?]));
        }
        Ok(Some(Evaluated { cells, curves: drawn }))
    }

    /// The curves that are courses of the run of a row: where they belong, along x and along y.
    fn curves_of(&self, row: (usize, usize)) -> Vec<([usize; 3], &Listed, &Listed)> {
        let mut found = Vec::new();
        for (i, figure) in self.plotted.iter().enumerate() {
            for (j, panel) in figure.panels.iter().enumerate() {
                for (k, PlottedCurve { of, .. }) in panel.curves.iter().enumerate() {
                    if let CurveOf::Run { at, x, y, .. } = of
                        && *at == row
                    {
                        found.push(([i, j, k], x, y));
                    }
                }
            }
        }
        found
    }

    /// A number, in the unit of its column.
    fn cell(
        &self,
        column: &Column,
        (sheet, line): (&Sheet, &Line),
        (setup, ran, failed): (Option<&Setup>, Option<&Ran>, Option<&str>),
        known: &Known,
    ) -> Result<Result<f64, String>, Report> {
        let factor = self.value(&column.factor, known)?;
        if column.measure.needs_run() {
            let why = failed.or(ran.and_then(|ran| ran.broke_down.as_deref()));
            if let Some(why) = why {
                return Ok(Err(why.to_owned()));
            }
        }
        let found = match (&column.measure, setup, ran) {
            (Taken::Formula(expression), ..) => Ok(self.value(expression, known)?),
            (Taken::Solution(solving), ..) => self.solution(solving, known)?,
            (Taken::Operations(counting), ..) => {
                measure::operations(counting, &filled(&counting.links.name, sheet, line))
            }
            (Taken::Frequency { number, joints }, Some(setup), _) => {
                measure::frequency(setup, *number, *joints)
            }
            (Taken::SpectralRadius { at }, Some(setup), _) => measure::spectral_radius(setup, *at),
            (Taken::Root(root), Some(setup), _) => {
                measure::root(setup, root, self.value(&root.number, known)?)
            }
            (Taken::Course { expression, take, at }, _, Some(ran)) => {
                let rows = &ran.run.rows;
                let course = self.course(expression, rows, known)?;
                measure::taken(*take, *at, &rows.times, &course)
                    .ok_or_else(|| Lack::Told(format!("the run has no row at {at} s")))
            }
            (other, Some(setup), Some(ran)) => other
                .of_run(setup, ran)
                .unwrap_or_else(|| Err(Lack::Told("nothing was computed".to_owned()))),
            _ => Err(Lack::Told("there is no run".to_owned())),
        };
        match found {
            Ok(value) if (value * factor).is_finite() => Ok(Ok(value * factor)),
            Ok(value) => Ok(Err(format!("the number is {value}"))),
            Err(Lack::Told(words)) => Ok(Err(words)),
            Err(Lack::Fault(message, help)) => {
                let message = format!("column {:?}: {message}", column.name);
                let place = column.measure.place().unwrap_or(&column.factor);
                Err(self.fault(place, message, &help))
            }
        }
    }

    /// A fault of the entry.
    fn fault(&self, at: &Listed, message: String, help: &str) -> Report {
        let problem = Problem::error(&codes::GALLERY_COLUMN, message).at(at.span.clone());
        Report::new(self.source.clone(), vec![problem.help(help)])
    }

    /// An expression of names.
    pub(super) fn expression(&self, text: &Listed, known: &[&str]) -> Result<Expression, Report> {
        let index = |name: &str| known.iter().position(|one| *one == name);
        Expression::parse(&text.name, index).map_err(|error| {
            let place = (text.name.as_str(), text.span.clone());
            let problem = expression_problem(&self.source, place, &error, known);
            Report::new(self.source.clone(), vec![problem])
        })
    }

    /// The value of an expression of numbers.
    fn value(&self, text: &Listed, known: &Known) -> Result<f64, Report> {
        let names: Vec<&str> = known.names.iter().map(String::as_str).collect();
        Ok(self.expression(text, &names)?.evaluate(&known.values))
    }

    /// A number at which an equation of it and of numbers holds.
    fn solution(&self, of: &Solving, known: &Known) -> Result<Result<f64, Lack>, Report> {
        let own = known.names.iter().map(String::as_str);
        let names: Vec<&str> = std::iter::once("x").chain(own).collect();
        let equation = self.expression(&of.equation, &names)?;
        let [from, to] = [self.value(&of.ends[0], known)?, self.value(&of.ends[1], known)?];
        let at = |x: f64| {
            let values: Vec<f64> = std::iter::once(x).chain(known.values.iter().copied()).collect();
            equation.evaluate(&values)
        };
        Ok(solution::zero(at, from, to).map_err(Lack::Told))
    }

    /// The same for claims: cells by names.
    pub(super) fn of_cells(&self, text: &Listed, cells: &[(String, f64)]) -> Result<f64, Report> {
        let names: Vec<&str> = cells.iter().map(|(name, _)| name.as_str()).collect();
        let values: Vec<f64> = cells.iter().map(|(_, value)| *value).collect();
        Ok(self.expression(text, &names)?.evaluate(&values))
    }

    /// The values of an expression of the time and of channels, row by row.
    fn course(&self, text: &Listed, rows: &Rows, known: &Known) -> Result<Vec<f64>, Report> {
        let channels = rows.channels.iter().map(|channel| channel.name.as_str());
        let names: Vec<&str> = std::iter::once("t")
            .chain(channels)
            .chain(known.names.iter().map(String::as_str))
            .collect();
        let expression = self.expression(text, &names)?;
        let mut values = vec![0.0; names.len()];
        let constant = 1 + rows.channels.len();
        values[constant..].copy_from_slice(&known.values);
        let value = |(row, time): (usize, &f64)| {
            values[0] = *time;
            values[1..constant].copy_from_slice(rows.row_at(row));
            expression.evaluate::<f64>(&values)
        };
        Ok(rows.times.iter().enumerate().map(value).collect())
    }
}

impl Taken {
    /// Where in the entry it says what it is.
    fn place(&self) -> Option<&Listed> {
        match self {
            Self::Course { expression, .. } => Some(expression),
            Self::Figure(name) | Self::Formula(name) => Some(name),
            Self::Solution(solving) => Some(&solving.equation),
            Self::Operations(counting) => Some(&counting.links),
            Self::Root(root) => Some(root.outputs.first().unwrap_or(&root.number)),
            Self::Tracking { joint, .. } => joint.as_ref(),
            _ => None,
        }
    }
}

/// The values of the scenario in a row.
pub(super) fn settings(sheet: &Sheet, line: &Line) -> Result<Vec<Setting>, Report> {
    let all = sheet.set.iter().chain(&line.set);
    all.map(|listed| Setting::of_program(&filled(&listed.name, sheet, line))).collect()
}

/// A text with the values of variables in the place of their names in braces. Values are taken as they
/// are, whatever braces they have.
fn filled(text: &str, sheet: &Sheet, line: &Line) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        let (before, from) = rest.split_at(open);
        out.push_str(before);
        let pairs = || sheet.variables.iter().zip(&line.values);
        let found = from.find('}').and_then(|close| {
            pairs().find(|((name, _), _)| *name == from[1..close]).map(|(_, value)| (close, value))
        });
        rest = match found {
            Some((close, value)) => {
                out.push_str(value);
                &from[close + 1..]
            }
            None => {
                out.push('{');
                &from[1..]
            }
        };
    }
    out + rest
}

fn in_words(failure: &RunFailure) -> String {
    let help = failure.help().map_or_else(String::new, |help| format!("; {help}"));
    format!("the scenario cannot be run: {failure}{help}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values that have the names of other variables in them are no more than they are: else a short file
    /// would make a text of any length.
    #[test]
    fn values_are_filled_in_once() {
        let variables = ["A", "B", ""].map(|name| (name.to_owned(), String::new())).to_vec();
        let sheet = Sheet {
            place: String::new(),
            scenario: None,
            variables,
            set: Vec::new(),
            columns: Vec::new(),
            lines: Vec::new(),
        };
        let line = |values: [&str; 3]| Line {
            id: None,
            name: None,
            values: values.map(str::to_owned).to_vec(),
            set: Vec::new(),
            cells: Vec::new(),
        };
        let of = |text: &str| filled(text, &sheet, &line(["{B}{B}", "2", "0"]));
        assert_eq!(of("x={A} s, y={B}, z={}"), "x={B}{B} s, y=2, z=0");
        assert_eq!(of("bends={ y = {B} }, {C} {"), "bends={ y = 2 }, {C} {");
        assert_eq!(of(""), "");
    }
}
