//! What can be said of an entry before anything is computed.

use super::GalleryEntry;
use super::entry::{Beside, Line, Sheet, Taken};
use super::known::{INTEGRAL, Known, extended, filled};
use super::measure::{self, Lack};
use super::played::Played;
use super::quantities::Ready;
use super::vibrations::{PREFIX, VibrationCourses};
use crate::codes;
use crate::nearest::nearest;
use crate::problem::{Problem, Report};
use crate::scenario::{Listed, Overrides, Pilot, Setup, pilot};
use std::ops::Range;

/// What stands between braces that have no others between them.
fn in_braces(text: &str) -> impl Iterator<Item = &str> {
    text.split('{').skip(1).filter_map(|from| from.split_once('}').map(|(name, _)| name))
}

impl GalleryEntry {
    /// Looks whether formulas, factors and claims name columns and cells that there are.
    pub(super) fn names(&self) -> Result<(), Report> {
        let mut cells: Vec<String> = Vec::new();
        for sheet in &self.sheets {
            self.braces(sheet)?;
            let own = sheet.variables.iter().map(|(name, _)| name.as_str());
            let mut known: Vec<&str> = own.collect();
            known.extend(sheet.quantities.iter().map(|(name, _)| name.as_str()));
            for column in &sheet.columns {
                self.expression(&column.factor, &known)?;
                match &column.measure {
                    Taken::Formula(text) => drop(self.expression(text, &known)?),
                    Taken::Root(root) => drop(self.expression(&root.number, &known)?),
                    Taken::Solution(of) => {
                        of.ends
                            .iter()
                            .try_for_each(|end| self.expression(end, &known).map(drop))?;
                        let mut with: Vec<&str> =
                            std::iter::once("x").chain(known.iter().copied()).collect();
                        if let Some(integral) = &of.integral {
                            self.integrand(integral, &with)?;
                            with.push(INTEGRAL);
                        }
                        self.expression(&of.equation, &with)?;
                    }
                    Taken::Integral(of) => drop(self.integrand(of, &known)?),
                    _ => {}
                }
                known.extend(column.id.as_deref());
            }
            let ids = sheet.columns.iter().filter_map(|column| column.id.as_deref());
            for row in sheet.lines.iter().filter_map(|line| line.id.as_deref()) {
                cells.extend(ids.clone().map(|column| format!("{row}.{column}")));
            }
        }
        let cells: Vec<&str> = cells.iter().map(String::as_str).collect();
        self.checks.iter().try_for_each(|check| {
            let found = self.expression(&check.value, &cells).map(drop);
            if cells.is_empty() && found.is_err() {
                let message = "no number of the entry has a name".to_owned();
                let help = "give a row and a column with an id each, and write ROW.COLUMN";
                return Err(self.name_fault(&check.value.span, message, help.to_owned()));
            }
            found
        })
    }

    /// Looks whether names in braces in the values of scenarios are some of the table. Inline tables have
    /// an equals sign, and what has a dot is a channel or a number of the scenario.
    fn braces(&self, sheet: &Sheet) -> Result<(), Report> {
        let variables = sheet.variables.iter().map(|(name, _)| name.as_str());
        let quantities = sheet.quantities.iter().map(|(name, _)| name.as_str());
        let ids = sheet.columns.iter().filter_map(|column| column.id.as_deref());
        let known: Vec<&str> = variables.chain(quantities).chain(ids).collect();
        let others = sheet.columns.iter().flat_map(|column| match &column.measure {
            Taken::Difference(beside) => &beside.against[..],
            Taken::Equations(compared) => &compared.beside[..],
            _ => &[],
        });
        let rows = sheet.lines.iter().flat_map(|line| &line.set);
        for text in sheet.set.iter().chain(rows).chain(others) {
            for name in in_braces(&text.name) {
                let is_elsewhere = name.trim().is_empty() || name.contains(['=', '.']);
                if is_elsewhere || known.contains(&name) {
                    continue;
                }
                let near = nearest(name, known.iter().copied());
                let help = match near {
                    Some(near) => format!("did you mean {{{near}}}?"),
                    None if known.is_empty() => "the table has no variables".to_owned(),
                    None => format!("there are: {{{}}}", known.join("}, {")),
                };
                let message = format!("the table has nothing called {{{name}}}");
                return Err(self.name_fault(&text.span, message, help));
            }
        }
        Ok(())
    }

    /// A fault of a name.
    fn name_fault(&self, at: &Range<usize>, message: String, help: String) -> Report {
        let problem = Problem::error(&codes::GALLERY_NAME, message).at(at.clone());
        Report::new(self.source.clone(), vec![problem.help(help)])
    }

    /// Makes every run ready without making it: the scenarios with the values of all rows, and what is taken
    /// of them; what needs no run is computed, and of runs the first steps are made where figures are taken.
    /// What scenarios warn of comes back, each kind of warning once. Of a table it tells the faults of the
    /// first row that has some.
    pub fn examine(&self) -> Result<Vec<Report>, Report> {
        let mut warnings: Vec<Report> = Vec::new();
        let mut faults: Vec<Report> = Vec::new();
        for (i, sheet) in self.sheets.iter().enumerate() {
            for (j, line) in sheet.lines.iter().enumerate() {
                let mut own = Vec::new();
                let warned = self.examine_row((i, j), (sheet, line), &mut own);
                if !own.is_empty() {
                    // of columns that share a fault it is told once
                    own.retain(|fault| !faults.contains(fault));
                    own.dedup();
                    faults.extend(own);
                    break;
                }
                for report in warned {
                    let codes = |report: &Report| -> Vec<&str> {
                        report.problems().map(|problem| problem.code.name).collect()
                    };
                    if warnings.iter().all(|other| codes(other) != codes(&report)) {
                        warnings.push(report);
                    }
                }
            }
        }
        match faults.into_iter().reduce(Report::and) {
            Some(faults) => Err(faults),
            None => Ok(warnings),
        }
    }

    /// What its scenarios warn of; faults are added to the others.
    fn examine_row(
        &self,
        at: (usize, usize),
        (sheet, line): (&Sheet, &Line),
        faults: &mut Vec<Report>,
    ) -> Vec<Report> {
        let Ready { known: ready, ahead, settings } = match self.ready(sheet, line) {
            Ok(ready) => ready,
            Err(fault) => {
                faults.push(fault);
                return Vec::new();
            }
        };
        let setup = |further: &[Listed]| {
            let Some(scenario) = &sheet.scenario else { return Ok(None) };
            let overrides = Overrides { settings: extended(&settings, further, &ready)? };
            self.files.setup(&self.id, &scenario.name, &overrides).map(Some)
        };
        let own = match setup(&[]) {
            Ok(own) => own,
            Err(fault) => {
                faults.push(fault);
                return Vec::new();
            }
        };
        let played = own.map(Played::unplayed);
        for (_, x, y) in self.curves_of(at) {
            let courses =
                [x, y].into_iter().map(|text| self.names_of(text, &ready, played.as_ref()));
            faults.extend(courses.filter_map(Result::err));
        }
        let (mut known, mut ahead) = (ready.clone(), ahead.into_iter());
        let mut asks_for_steps = Vec::new();
        for (column, cell) in sheet.columns.iter().zip(&line.cells) {
            let mut value = None;
            let found = match (ahead.next().flatten(), &column.measure) {
                (Some(found), _) => {
                    value = found.ok();
                    Ok(())
                }
                (_, Taken::Course { expression, .. }) => {
                    self.names_of(expression, &known, played.as_ref())
                }
                (_, Taken::Difference(Beside { expression, against, .. })) => self
                    .names_of(expression, &known, played.as_ref())
                    .and_then(|()| setup(against).map(drop)),
                (_, Taken::Figure(_) | Taken::Tracking { .. }) => {
                    asks_for_steps.push(column);
                    Ok(())
                }
                (_, Taken::Operations(counting)) => {
                    let of = |text: &Listed| filled(&text.name, &known.texts);
                    let steps = counting.steps.as_ref().map(of);
                    let found =
                        measure::countable(counting, &of(&counting.links), steps.as_deref());
                    found.map(drop).map_err(|lack| self.of_column(column, &lack))
                }
                _ => {
                    let found = self.cell(column, (sheet, line), (played.as_ref(), &[]), &known);
                    found.map(|found| value = found.ok())
                }
            };
            let factor = self.value(&column.factor, &known).map(drop);
            let said = self.said((column, cell), &ready).map(drop);
            faults.extend([found, factor, said].into_iter().filter_map(Result::err));
            known.learn(column, value);
        }
        let Some(Played { setup: Setup { mut simulation, warnings, .. }, .. }) = played else {
            return Vec::new();
        };
        if !asks_for_steps.is_empty()
            && let Ok(Pilot { outcome, has_rows: true }) = pilot(&mut simulation)
        {
            for column in asks_for_steps {
                let found = column.measure.of_outcome(&simulation, &outcome);
                if let Some(Err(lack @ (Lack::Fault(..) | Lack::FaultAt(..)))) = found {
                    faults.push(self.of_column(column, &lack));
                }
            }
        }
        warnings
    }

    /// Looks whether a course names channels that a run will have.
    fn names_of(&self, text: &Listed, known: &Known, of: Option<&Played>) -> Result<(), Report> {
        let Some(Played { setup, .. }) = of else { return Ok(()) };
        let diagram = &setup.simulation.diagram;
        let all = diagram.catalogue();
        let recorded = diagram.selection.resolve(&all).unwrap_or_default();
        let recorded: Vec<_> = recorded.iter().map(|&k| &all.channels()[k]).collect();
        let mut vibrations = Vec::new();
        if text.name.contains(PREFIX) {
            let channels: Vec<_> = recorded.iter().map(|&channel| channel.clone()).collect();
            let found = VibrationCourses::names(setup, &channels);
            vibrations = found.map_err(|lack| self.lacking(text, &lack))?;
        }
        let mut names = vec!["t"];
        names.extend(recorded.iter().map(|channel| channel.name.as_str()));
        names.extend(known.names.iter().chain(&vibrations).map(String::as_str));
        self.expression(text, &names).map(drop)
    }
}
