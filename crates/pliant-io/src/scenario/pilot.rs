//! The first steps of a scenario, by which it is known what its runs have.

use pliant::scenario::{Simulation, SimulationOutcome};
use pliant::simulate::{Channel, Compile, Progress, Recorder, RunError};
use std::cell::Cell;
use std::convert::Infallible;
use std::ops::ControlFlow;

/// Rows are at most this part of the duration apart.
const PARTS: f64 = 1e5;

/// So many steps are made at most.
pub(crate) const MOST_STEPS: u32 = 1000;

/// What is known after the first steps.
pub(crate) struct Pilot {
    pub(crate) outcome: SimulationOutcome,
    /// Whether there are two rows: there are no figures before.
    pub(crate) has_rows: bool,
}

/// Makes the first steps of a scenario, whose settings of rows and of compiling it changes.
pub(crate) fn pilot(simulation: &mut Simulation) -> Result<Pilot, RunError<Infallible>> {
    let diagram = &mut simulation.diagram;
    diagram.interval = diagram.interval.min(diagram.duration / PARTS);
    diagram.compile = Compile::Never;
    let (rows, mut steps) = (Cell::new(0), 0);
    let mut stop = |_: &Progress| {
        steps += 1;
        let goes_on = rows.get() < 2 && steps < MOST_STEPS;
        if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let outcome = simulation.run(&mut Counted(&rows), &mut stop)?;
    Ok(Pilot { outcome, has_rows: rows.get() >= 2 })
}

/// Counts rows.
struct Counted<'a>(&'a Cell<u32>);

impl Recorder for Counted<'_> {
    type Error = Infallible;

    fn start(&mut self, _: &[Channel]) -> Result<(), Infallible> {
        Ok(())
    }

    fn row(&mut self, _: f64, _: &[f64]) -> Result<(), Infallible> {
        self.0.set(self.0.get().saturating_add(1));
        Ok(())
    }
}
