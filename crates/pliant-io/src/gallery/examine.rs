//! What can be said of an entry before anything is computed.

use super::GalleryEntry;
use super::entry::{Beside, CurveOf, Line, Sheet, Taken};
use super::known::{INTEGRAL, extended};
use super::quantities::Ready;
use super::vibrations::{PREFIX, VibrationCourses};
use crate::problem::Report;
use crate::scenario::{Listed, Overrides};

impl GalleryEntry {
    /// Looks whether formulas, factors and claims name columns and cells that there are.
    pub(super) fn names(&self) -> Result<(), Report> {
        let mut cells: Vec<String> = Vec::new();
        for sheet in &self.sheets {
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
        self.checks.iter().try_for_each(|check| self.expression(&check.value, &cells).map(drop))
    }

    /// Makes every run ready without making it: the scenarios with the values of all rows, and the
    /// channels that are taken of them. What scenarios warn of comes back, each kind of warning once.
    pub fn examine(&self) -> Result<Vec<Report>, Report> {
        let mut warnings: Vec<Report> = Vec::new();
        for (i, sheet) in self.sheets.iter().enumerate() {
            for (j, line) in sheet.lines.iter().enumerate() {
                for report in self.examine_row((i, j), sheet, line)? {
                    let codes = |report: &Report| -> Vec<&str> {
                        report.problems().map(|problem| problem.code.name).collect()
                    };
                    if warnings.iter().all(|other| codes(other) != codes(&report)) {
                        warnings.push(report);
                    }
                }
            }
        }
        Ok(warnings)
    }

    fn examine_row(
        &self,
        at: (usize, usize),
        sheet: &Sheet,
        line: &Line,
    ) -> Result<Vec<Report>, Report> {
        let Ready { known: ready, settings, .. } = self.ready(sheet, line)?;
        let Some(scenario) = &sheet.scenario else { return Ok(Vec::new()) };
        let overrides = Overrides { settings: settings.clone() };
        let setup = self.files.setup(&self.id, &scenario.name, &overrides)?;
        let diagram = &setup.simulation.diagram;
        let all = diagram.catalogue();
        let recorded = diagram.selection.resolve(&all).unwrap_or_default();
        let channels: Vec<&str> =
            recorded.iter().map(|&k| all.channels()[k].name.as_str()).collect();
        let mut known = ready.names.clone();
        let course = |text: &Listed, known: &[String]| {
            let mut vibrations = Vec::new();
            if text.name.contains(PREFIX) {
                let recorded: Vec<_> =
                    recorded.iter().map(|&k| all.channels()[k].clone()).collect();
                let found = VibrationCourses::names(&setup, &recorded);
                vibrations = found.map_err(|lack| self.lacking(text, &lack))?;
            }
            let mut names = vec!["t"];
            names.extend(&channels);
            names.extend(known.iter().chain(&vibrations).map(String::as_str));
            self.expression(text, &names).map(drop)
        };
        for figure in &self.plotted {
            for curve in figure.panels.iter().flat_map(|panel| &panel.curves) {
                if let CurveOf::Run { at: row, x, y, .. } = &curve.of
                    && *row == at
                {
                    course(x, &known)?;
                    course(y, &known)?;
                }
            }
        }
        for column in &sheet.columns {
            match &column.measure {
                Taken::Course { expression, .. } => course(expression, &known)?,
                Taken::Difference(Beside { expression, against, .. }) => {
                    course(expression, &known)?;
                    let overrides = Overrides { settings: extended(&settings, against, &ready)? };
                    self.files.setup(&self.id, &scenario.name, &overrides)?;
                }
                _ => {}
            }
            known.extend(column.id.clone());
        }
        Ok(setup.warnings)
    }
}
