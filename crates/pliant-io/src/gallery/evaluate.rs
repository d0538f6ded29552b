//! The numbers and curves of a row.

use super::GalleryEntry;
use super::entry::{
    Beside, Cell, Column, Compared, CurveOf, Integrating, Line, PlottedCurve, Printed, Shaped,
    Sheet, Solving, Taken,
};
use super::known::{INTEGRAL, Integrand, Known, evaluated, extended, filled};
use super::measure::{self, Lack, Ran, Untaken};
use super::played::{Others, Played};
use super::quantities::Ready;
use super::vibrations::{PREFIX, VibrationCourses};
use super::{comparison, model, solution};
use crate::codes;
use crate::problem::{Problem, Report};
use crate::scenario::{Listed, Overrides, Setup, expression_problem};
use pliant::simulate::Expression;
use std::cell::RefCell;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// What became of a row.
pub(super) struct Evaluated {
    /// One for each column: the number, or in words why there is none.
    pub(super) cells: Vec<Result<f64, String>>,
    /// One for each column: what the document prints.
    pub(super) printed: Vec<Option<Printed>>,
    /// The curves of figures that are courses of its run or its shapes: figure, panel, curve, and its
    /// points.
    pub(super) curves: Vec<([usize; 3], [Vec<f64>; 2])>,
    /// What its runs warned of: by what it is the same as another warning, and its words.
    pub(super) warnings: Vec<(String, String)>,
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
        let Ready { known: ready, ahead, settings } = self.ready(sheet, line)?;
        let curves = self.curves_of((table, row));
        let play = |further: &[Listed], runs: bool| {
            let Some(scenario) = &sheet.scenario else { return Ok(ControlFlow::Continue(None)) };
            let overrides = Overrides { settings: extended(&settings, further, &ready)? };
            let setup = self.files.setup(&self.id, &scenario.name, &overrides)?;
            Ok(Played::new(setup, runs, stopped).map_continue(Some))
        };
        let needs_run = sheet.columns.iter().any(|column| column.measure.needs_run());
        let ControlFlow::Continue(own) = play(&[], needs_run || !curves.is_empty())? else {
            return Ok(None);
        };
        let mut others: Others = Vec::new();
        for column in &sheet.columns {
            let Taken::Difference(Beside { against, .. }) = &column.measure else { continue };
            let texts = in_texts(against);
            if others.iter().all(|(other, _)| *other != texts) {
                match play(against, true)? {
                    ControlFlow::Continue(played) => {
                        others.extend(played.map(|played| (texts, played)));
                    }
                    ControlFlow::Break(()) => return Ok(None),
                }
            }
        }
        let (mut cells, mut known) = (Vec::new(), ready.clone());
        let mut ahead = ahead.into_iter();
        for column in &sheet.columns {
            if stopped.load(Relaxed) {
                return Ok(None);
            }
            let found = match ahead.next().flatten() {
                Some(found) => found,
                None => self.cell(column, (sheet, line), (own.as_ref(), &others), &known)?,
            };
            known.learn(column, found.as_ref().ok().copied());
            cells.push(found);
        }
        let known = ready;
        let said = sheet.columns.iter().zip(&line.cells);
        let printed = said.map(|said| self.said(said, &known)).collect::<Result<Vec<_>, _>>()?;
        let mut drawn = Vec::new();
        for (at, x, y) in curves {
            let Some(played) = own.as_ref().and_then(Played::with_run) else { continue };
            let points = [x, y].map(|course| self.course(course, played, &known));
            let [x, y] = points;
            drawn.push((at, [x?, y?]));
        }
        for (at, column) in self.shapes_of((table, row)) {
            if let (Taken::ModeShape(shaped), Some(played)) = (&sheet.columns[column].measure, &own)
                && let Ok(points) = model::mode_shape(&played.setup, shaped)
            {
                drawn.push((at, points));
            }
        }
        let played = own.iter().chain(others.iter().map(|(_, other)| other));
        let warnings = played.flat_map(Played::warnings).collect();
        Ok(Some(Evaluated { cells, printed, curves: drawn, warnings }))
    }

    /// What the document prints for a column of a row: its number, or its formula.
    pub(super) fn said(
        &self,
        (column, cell): (&Column, &Cell),
        known: &Known,
    ) -> Result<Option<Printed>, Report> {
        match &column.printed {
            Some(Listed { name, span }) if cell.printed.is_none() => {
                let formula = Listed { name: filled(name, &known.texts), span: span.clone() };
                let value = self.value(&formula, known)?;
                if !value.is_finite() {
                    let message =
                        format!("column {:?}: the printed formula is {value}", column.name);
                    return Err(self.fault(span, message, "it needs a number in every row"));
                }
                Ok(Some(Printed::exact(value)))
            }
            _ => Ok(cell.printed),
        }
    }

    /// All curves, and where they belong: figure, panel, curve.
    fn placed(&self) -> impl Iterator<Item = ([usize; 3], &CurveOf)> {
        self.plotted.iter().enumerate().flat_map(|(i, figure)| {
            figure.panels.iter().enumerate().flat_map(move |(j, panel)| {
                let curves = panel.curves.iter().enumerate();
                curves.map(move |(k, PlottedCurve { of, .. })| ([i, j, k], of))
            })
        })
    }

    /// The curves that are courses of the run of a row: where they belong, along x and along y.
    pub(super) fn curves_of(&self, row: (usize, usize)) -> Vec<([usize; 3], &Listed, &Listed)> {
        let curves = self.placed().filter_map(|(place, of)| match of {
            CurveOf::Run { at, x, y, .. } if *at == row => Some((place, x, y)),
            _ => None,
        });
        curves.collect()
    }

    /// The curves that are shapes of a row: where they belong, and the column that looks at them.
    fn shapes_of(&self, row: (usize, usize)) -> Vec<([usize; 3], usize)> {
        let shapes = self.placed().filter_map(|(place, of)| match of {
            CurveOf::Shape { at, column } if *at == row => Some((place, *column)),
            _ => None,
        });
        shapes.collect()
    }

    /// A number, in the unit of its column.
    pub(super) fn cell(
        &self,
        column: &Column,
        (sheet, line): (&Sheet, &Line),
        (own, others): (Option<&Played>, &[(Vec<String>, Played)]),
        known: &Known,
    ) -> Result<Result<f64, String>, Report> {
        let factor = self.value(&column.factor, known)?;
        let mut other = None;
        if let Taken::Difference(Beside { against, .. }) = &column.measure {
            let texts = in_texts(against);
            other = others.iter().find(|(other, _)| *other == texts).map(|(_, played)| played);
        }
        if column.measure.needs_run()
            && let Some(why) = own.into_iter().chain(other).find_map(Played::failure)
        {
            return Ok(Err(why.to_owned()));
        }
        let (setup, ran) = (own.map(|played| &played.setup), own.and_then(Played::with_run));
        let found = match (&column.measure, setup, ran) {
            (Taken::Formula(expression), ..) => Ok(self.value(expression, known)?),
            (Taken::Solution(solving), ..) => self.solution(solving, known)?,
            (Taken::Integral(of), ..) => {
                let names: Vec<&str> = known.names.iter().map(String::as_str).collect();
                self.integrand(of, &names)?.value(&known.values).map_err(Lack::Told)
            }
            (Taken::Operations(counting), ..) => {
                let of = |text: &Listed| filled(&text.name, &known.texts);
                let steps = counting.steps.as_ref().map(of);
                measure::operations(counting, &of(&counting.links), steps.as_deref())
            }
            (Taken::Frequency { number, joints }, Some(setup), _) => {
                measure::mode(setup, number, *joints).map(|(_, mode)| mode.hertz())
            }
            (Taken::SpectralRadius { at }, Some(setup), _) => measure::spectral_radius(setup, *at),
            (Taken::Root(root), Some(setup), _) => {
                measure::root(setup, root, self.value(&root.number, known)?)
            }
            (Taken::ModeShape(shaped), Some(setup), _) => match model::mode_shape(setup, shaped) {
                Ok(points) => self.along(shaped, &points, known)?,
                Err(lack) => Err(lack),
            },
            (Taken::Equations(compared), Some(setup), _) => {
                self.compared(compared, (sheet, line, known), setup)?
            }
            (Taken::Course { expression, take, at }, _, Some(played)) => {
                let course = self.course(expression, played, known)?;
                let taken = measure::taken(*take, *at, &played.1.run.rows.times, &course);
                taken.map_err(|lack| match lack {
                    Untaken::NoRow => Lack::Told(format!("the run has no row at {at} s")),
                    Untaken::NoValue(time) => measure::without_value(time),
                })
            }
            (Taken::Difference(Beside { expression, at, .. }), _, Some(played)) => {
                let Some(other) = other.and_then(Played::with_run) else {
                    return Ok(Err("there is no other run".to_owned()));
                };
                let course = self.course(expression, played, known)?;
                let that = self.course(expression, other, known)?;
                let [times, that_times] = [played, other].map(|(_, ran)| &ran.run.rows.times[..]);
                comparison::difference(*at, (times, &course), (that_times, &that))
            }
            (other, Some(setup), Some((_, ran))) => other
                .of_run(setup, ran)
                .unwrap_or_else(|| Err(Lack::Told("nothing was computed".to_owned()))),
            _ => Err(Lack::Told("there is no run".to_owned())),
        };
        match found {
            Ok(value) if (value * factor).is_finite() => Ok(Ok(value * factor)),
            Ok(value) => Ok(Err(format!("the number is {value}"))),
            Err(Lack::Told(words)) => Ok(Err(words)),
            Err(lack) => Err(self.of_column(column, &lack)),
        }
    }

    /// What a column lacks, as a fault.
    pub(super) fn of_column(&self, column: &Column, lack: &Lack) -> Report {
        let place = column.measure.place().map_or(&column.span, |place| &place.span);
        let (place, message, help) = match lack {
            Lack::Told(message) => (place, message, ""),
            Lack::Fault(message, help) => (place, message, help.as_str()),
            Lack::FaultAt(place, message, help) => (place, message, help.as_str()),
        };
        self.fault(place, format!("column {:?}: {message}", column.name), help)
    }

    /// What is taken of a shape along a link.
    fn along(
        &self,
        Shaped { expression, take, at, .. }: &Shaped,
        [x, w]: &[Vec<f64>; 2],
        known: &Known,
    ) -> Result<Result<f64, Lack>, Report> {
        let names: Vec<&str> =
            ["x", "w"].into_iter().chain(known.names.iter().map(String::as_str)).collect();
        let expression = self.expression(expression, &names)?;
        let value = |(x, w): (&f64, &f64)| {
            let numbers = [&[*x, *w], &known.values[..]].concat();
            evaluated(&expression, &numbers)
        };
        let course: Vec<f64> = x.iter().zip(w).map(value).collect();
        let taken = measure::taken(*take, *at, x, &course);
        Ok(taken.map_err(|lack| {
            Lack::Told(match lack {
                Untaken::NoRow => format!("the link has no place at {at} of its length"),
                Untaken::NoValue(x) => format!("the expression has no value at x = {x}"),
            })
        }))
    }

    /// How far equations of motion are from others.
    fn compared(
        &self,
        Compared { of, with, instead_of, beside }: &Compared,
        (sheet, line, known): (&Sheet, &Line, &Known),
        setup: &Setup,
    ) -> Result<Result<f64, Lack>, Report> {
        let word = |text: &Listed| {
            let found = model::written(&filled(&text.name, &known.texts));
            found.map_err(|(message, help)| Lack::FaultAt(text.span.clone(), message, help))
        };
        let (with, instead_of) = match (word(with), word(instead_of)) {
            (Ok(with), Ok(instead_of)) => (with, instead_of),
            (Err(lack), _) | (_, Err(lack)) => return Ok(Err(lack)),
        };
        let others = match &sheet.scenario {
            Some(scenario) if !beside.is_empty() => {
                let Ready { settings, .. } = self.ready(sheet, line)?;
                let settings = extended(&settings, beside, known)?;
                Some(self.files.setup(&self.id, &scenario.name, &Overrides { settings })?)
            }
            _ => None,
        };
        let others = others.as_ref().unwrap_or(setup);
        Ok(model::difference(*of, (setup, with), (others, instead_of)))
    }

    /// A fault of the entry.
    pub(super) fn fault(&self, at: &Range<usize>, message: String, help: &str) -> Report {
        let problem = Problem::error(&codes::GALLERY_COLUMN, message).at(at.clone());
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
    pub(super) fn value(&self, text: &Listed, known: &Known) -> Result<f64, Report> {
        let names: Vec<&str> = known.names.iter().map(String::as_str).collect();
        Ok(evaluated(&self.expression(text, &names)?, &known.values))
    }

    /// A number at which an equation of it and of numbers holds.
    fn solution(&self, of: &Solving, known: &Known) -> Result<Result<f64, Lack>, Report> {
        let own = known.names.iter().map(String::as_str);
        let mut names: Vec<&str> = std::iter::once("x").chain(own).collect();
        let integrand = of.integral.as_ref().map(|own| self.integrand(own, &names)).transpose()?;
        names.push(INTEGRAL);
        let equation = self.expression(&of.equation, &names)?;
        let [from, to] = [self.value(&of.ends[0], known)?, self.value(&of.ends[1], known)?];
        let lack = RefCell::new(None);
        let at = |x: f64| {
            let mut values: Vec<f64> =
                std::iter::once(x).chain(known.values.iter().copied()).collect();
            let integral = integrand.as_ref().map(|integrand| integrand.value(&values));
            values.push(match integral {
                Some(Ok(integral)) => integral,
                Some(Err(why)) => {
                    lack.borrow_mut().get_or_insert(why);
                    f64::NAN
                }
                None => f64::NAN,
            });
            evaluated(&equation, &values)
        };
        let found = solution::zero(at, from, to);
        Ok(found.map_err(|why| Lack::Told(lack.take().unwrap_or(why))))
    }

    /// What is integrated, of numbers with these names.
    pub(super) fn integrand(&self, of: &Integrating, known: &[&str]) -> Result<Integrand, Report> {
        let with: Vec<&str> = std::iter::once("s").chain(known.iter().copied()).collect();
        let [lower, upper] = &of.ends;
        Ok(Integrand {
            of: self.expression(&of.integrand, &with)?,
            ends: [self.expression(lower, known)?, self.expression(upper, known)?],
        })
    }

    /// The same for claims: of cells by names, and of which of them.
    pub(super) fn of_cells(
        &self,
        text: &Listed,
        cells: &[(String, f64)],
    ) -> Result<(f64, Vec<usize>), Report> {
        let names: Vec<&str> = cells.iter().map(|(name, _)| name.as_str()).collect();
        let values: Vec<f64> = cells.iter().map(|(_, value)| *value).collect();
        let expression = self.expression(text, &names)?;
        Ok((evaluated(&expression, &values), expression.variables().collect()))
    }

    /// The values of an expression of the time, of channels and of vibrations, row by row.
    fn course(
        &self,
        text: &Listed,
        (played, ran): (&Played, &Ran),
        known: &Known,
    ) -> Result<Vec<f64>, Report> {
        let rows = &ran.run.rows;
        let none = VibrationCourses::default();
        let vibrations = if text.name.contains(PREFIX) {
            played.vibrations(ran).as_ref().map_err(|lack| self.lacking(text, lack))?
        } else {
            &none
        };
        let channels = rows.channels.iter().map(|channel| channel.name.as_str());
        let names: Vec<&str> = std::iter::once("t")
            .chain(channels)
            .chain(known.names.iter().map(String::as_str))
            .chain(vibrations.names.iter().map(String::as_str))
            .collect();
        let expression = self.expression(text, &names)?;
        let mut values = vec![0.0; names.len()];
        let constant = 1 + rows.channels.len();
        let varying = constant + known.values.len();
        values[constant..varying].copy_from_slice(&known.values);
        let value = |(row, time): (usize, &f64)| {
            values[0] = *time;
            values[1..constant].copy_from_slice(rows.row_at(row));
            for (value, course) in values[varying..].iter_mut().zip(&vibrations.values) {
                *value = course[row];
            }
            evaluated(&expression, &values)
        };
        Ok(rows.times.iter().enumerate().map(value).collect())
    }

    /// What a course lacks, as a fault.
    pub(super) fn lacking(&self, text: &Listed, lack: &Lack) -> Report {
        match lack {
            Lack::Told(message) => self.fault(&text.span, message.clone(), "take another course"),
            Lack::Fault(message, help) | Lack::FaultAt(_, message, help) => {
                self.fault(&text.span, message.clone(), help)
            }
        }
    }
}

impl Taken {
    /// Where in the entry it says what it is.
    fn place(&self) -> Option<&Listed> {
        match self {
            Self::Course { expression, .. } | Self::Difference(Beside { expression, .. }) => {
                Some(expression)
            }
            Self::Figure(name) | Self::Formula(name) => Some(name),
            Self::Solution(solving) => Some(&solving.equation),
            Self::Integral(of) => Some(&of.integrand),
            Self::Operations(counting) => Some(&counting.links),
            Self::ModeShape(shaped) => Some(&shaped.link),
            Self::Equations(compared) => Some(&compared.with),
            Self::Root(root) => Some(root.outputs.first().unwrap_or(&root.number)),
            Self::Tracking { joint, .. } => joint.as_ref(),
            _ => None,
        }
    }
}

fn in_texts(all: &[Listed]) -> Vec<String> {
    all.iter().map(|one| one.name.clone()).collect()
}
