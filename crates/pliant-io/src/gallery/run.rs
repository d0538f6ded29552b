//! Computes an entry, its rows on several threads.

use super::entry::{Cell, CurveOf, Line, Plotted, PlottedCurve, PlottedPanel, Printed};
use super::evaluate::Evaluated;
use super::warned::{Warned, whose};
use super::{
    GalleryClaim, GalleryCurve, GalleryEntry, GalleryFigure, GalleryLine, GalleryPanel,
    GalleryResult, GalleryRow, GalleryTable, GalleryVerdict,
};
use crate::problem::Report;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// How often it is looked whether to stop.
const OFTEN: Duration = Duration::from_millis(100);

/// How far an entry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GalleryStep {
    /// How many rows of its tables are computed.
    pub done: usize,
    /// How many there are.
    pub all: usize,
}

impl GalleryEntry {
    /// Computes the entry on some threads. The monitor is called now and then and may stop it, which
    /// gives nothing. The numbers do not depend on the threads.
    pub fn run(
        &self,
        threads: usize,
        watch: &mut dyn FnMut(GalleryStep) -> ControlFlow<()>,
    ) -> Result<Option<GalleryResult>, Report> {
        let sheets = self.sheets.iter().enumerate();
        let places: Vec<(usize, usize)> =
            sheets.flat_map(|(i, sheet)| (0..sheet.lines.len()).map(move |j| (i, j))).collect();
        let (next, stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
        let mut found: Vec<Option<Evaluated>> = places.iter().map(|_| None).collect();
        let mut failed: Option<(usize, Report)> = None;
        std::thread::scope(|scope| {
            let (sender, receiver) = channel();
            for _ in 0..threads.clamp(1, places.len().max(1)) {
                let (sender, places, next, stopped) = (sender.clone(), &places, &next, &stopped);
                scope.spawn(move || {
                    while !stopped.load(Relaxed) {
                        let k = next.fetch_add(1, Relaxed);
                        let Some(place) = places.get(k) else { return };
                        if sender.send((k, self.evaluate(*place, stopped))).is_err() {
                            return;
                        }
                    }
                });
            }
            drop(sender);
            let mut done = 0;
            loop {
                match receiver.recv_timeout(OFTEN) {
                    Ok((k, Ok(evaluated))) => {
                        done += usize::from(evaluated.is_some());
                        found[k] = evaluated;
                    }
                    Ok((k, Err(report))) => {
                        // the first of the file is told, whatever came first
                        if failed.as_ref().is_none_or(|(before, _)| k < *before) {
                            failed = Some((k, report));
                        }
                        stopped.store(true, Relaxed);
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                if watch(GalleryStep { done, all: places.len() }).is_break() {
                    stopped.store(true, Relaxed);
                }
            }
        });
        if let Some((_, report)) = failed {
            return Err(report);
        }
        match found.into_iter().collect::<Option<Vec<_>>>() {
            Some(found) => self.result(found).map(Some),
            None => Ok(None),
        }
    }

    /// Puts rows together.
    fn result(&self, found: Vec<Evaluated>) -> Result<GalleryResult, Report> {
        let mut rows = Vec::new();
        let mut tables = Vec::new();
        let (mut ours, mut printed, mut lacks) = (Vec::new(), Vec::new(), Vec::new());
        let mut found = found.into_iter();
        let mut curves = Vec::new();
        let mut warned = Warned::default();
        for (number, sheet) in self.sheets.iter().enumerate() {
            let unit = |(name, unit): &(String, String)| {
                if unit.is_empty() { name.clone() } else { format!("{name} [{unit}]") }
            };
            let mut table = GalleryTable {
                place: sheet.place.clone(),
                scenario: sheet.scenario.as_ref().map(|scenario| scenario.name.clone()),
                variables: sheet.variables.iter().map(unit).collect(),
                columns: sheet.columns.iter().map(|c| (c.name.clone(), c.unit.clone())).collect(),
                lines: Vec::new(),
            };
            for (at, line) in sheet.lines.iter().enumerate() {
                let Some(evaluated) = found.next() else { break };
                warned.see((number, at), evaluated.warnings);
                curves.extend(evaluated.curves);
                let mut cells = Vec::new();
                let whose = whose(sheet, line);
                let found = evaluated.cells.into_iter().zip(evaluated.printed);
                for ((column, cell), (value, said)) in
                    sheet.columns.iter().zip(&line.cells).zip(found)
                {
                    if let (Some(row), Some(column)) = (&line.id, &column.id) {
                        let name = format!("{row}.{column}");
                        let number = value.as_ref().map_or(f64::NAN, |value| *value);
                        ours.push((name.clone(), number));
                        lacks.push(value.as_ref().err().cloned());
                        let number = said.map_or(f64::NAN, |printed| printed.value);
                        printed.push((name, number));
                    }
                    let quantity = if whose.is_empty() {
                        column.name.clone()
                    } else {
                        format!("{}, {whose}", column.name)
                    };
                    cells.push(rows.len());
                    let of = (sheet.place.as_str(), column.unit.as_str());
                    rows.push(self.row(of, quantity, (cell, said), value));
                }
                let Line { id, name, values, .. } = line.clone();
                table.lines.push(GalleryLine { id, name, values, cells });
            }
            tables.push(table);
        }
        let mut claims = Vec::new();
        for check in &self.checks {
            let (number, used) = self.of_cells(&check.value, &ours)?;
            let (said, _) = self.of_cells(&check.value, &printed)?;
            let lack = used.into_iter().find_map(|at| {
                lacks[at].as_ref().map(|why| format!("{} has no number: {why}", ours[at].0))
            });
            let lack = (!number.is_finite())
                .then(|| lack.unwrap_or_else(|| format!("the number is {number}")));
            let why: Vec<String> = check.why.iter().cloned().chain(lack).collect();
            let finite = |number: f64| Some(number).filter(|number| number.is_finite());
            let holds = check.bound.holds(number);
            claims.push(GalleryClaim { row: rows.len(), bound: check.bound.to_string() });
            rows.push(GalleryRow {
                id: self.id.clone(),
                document: self.document,
                place: check.place.clone(),
                quantity: check.claim.clone(),
                unit: check.unit.clone(),
                printed: finite(said),
                decimals: None,
                ours: finite(number),
                relative_difference: difference(finite(said), finite(number)),
                verdict: if holds { GalleryVerdict::Reproduced } else { GalleryVerdict::Differs },
                why: (!why.is_empty()).then(|| why.join("; ")),
            });
        }
        let figures = self.plotted.iter().enumerate();
        let figures =
            figures.map(|(k, plotted)| self.figure(k, plotted, &curves, (&tables, &rows)));
        Ok(GalleryResult {
            id: self.id.clone(),
            document: self.document,
            place: self.place.clone(),
            title: self.title.clone(),
            about: self.about.clone(),
            figures: figures.collect(),
            rows,
            tables,
            claims,
            warnings: warned.told(&self.sheets),
            files: self.files.told(self.source.text()),
        })
    }

    fn row(
        &self,
        (place, unit): (&str, &str),
        quantity: String,
        (cell, said): (&Cell, Option<Printed>),
        found: Result<f64, String>,
    ) -> GalleryRow {
        let (ours, lack) = match found {
            Ok(ours) => (Some(ours), None),
            Err(words) => (None, Some(words)),
        };
        let printed = said.map(|printed| printed.value);
        let verdict = cell.verdict(self.document, said, ours);
        let own = cell.why.clone().filter(|_| verdict != GalleryVerdict::Reproduced);
        let why: Vec<String> = own.into_iter().chain(lack).collect();
        GalleryRow {
            id: self.id.clone(),
            document: self.document,
            place: place.to_owned(),
            quantity,
            unit: unit.to_owned(),
            printed,
            decimals: said.and_then(Printed::decimals),
            ours,
            relative_difference: difference(printed, ours),
            verdict,
            why: (!why.is_empty()).then(|| why.join("; ")),
        }
    }

    fn figure(
        &self,
        number: usize,
        plotted: &Plotted,
        curves: &[([usize; 3], [Vec<f64>; 2])],
        (tables, rows): (&[GalleryTable], &[GalleryRow]),
    ) -> GalleryFigure {
        let panel = |(at, panel): (usize, &PlottedPanel)| {
            let curve = |(k, curve): (usize, &PlottedCurve)| {
                let mut drawn = GalleryCurve {
                    name: curve.name.clone(),
                    x: Vec::new(),
                    y: Vec::new(),
                    is_held: false,
                    is_printed: false,
                };
                match &curve.of {
                    CurveOf::Run { .. } | CurveOf::Shape { .. } => {
                        drawn.is_held = matches!(curve.of, CurveOf::Run { is_held: true, .. });
                        if let Some((_, [x, y])) =
                            curves.iter().find(|(place, _)| *place == [number, at, k])
                        {
                            (drawn.x, drawn.y) = (x.clone(), y.clone());
                        }
                    }
                    CurveOf::Column { sheet, column, over, is_printed } => {
                        drawn.is_printed = *is_printed;
                        for line in &tables[*sheet].lines {
                            let row = &rows[line.cells[*column]];
                            let y = if *is_printed { row.printed } else { row.ours };
                            if let (Ok(x), Some(y)) = (line.values[*over].parse(), y) {
                                drawn.x.push(x);
                                drawn.y.push(y);
                            }
                        }
                    }
                }
                drawn
            };
            let curves = panel.curves.iter().enumerate().map(curve).collect();
            GalleryPanel { y: panel.y.clone(), curves }
        };
        let panels = plotted.panels.iter().enumerate().map(panel).collect();
        GalleryFigure {
            place: plotted.place.clone(),
            title: plotted.title.clone(),
            x: plotted.x.clone(),
            panels,
            source: format!("computed by pliant {}, entry {}", env!("CARGO_PKG_VERSION"), self.id),
        }
    }
}

/// Ours less printed, as part of the size of printed.
fn difference(printed: Option<f64>, ours: Option<f64>) -> Option<f64> {
    let (printed, ours) = (printed?, ours?);
    Some((ours - printed) / printed.abs()).filter(|part| part.is_finite())
}
