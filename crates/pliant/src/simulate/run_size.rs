//! What a run records and holds, known before it starts.

use super::clock::{Clock, Delay};
use super::diagram::Diagram;
use super::diagram_error::DiagramError;

/// What a run to its end records and holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunSize {
    /// How many rows; events may end it sooner.
    pub rows: f64,
    /// How many channels a row has beside the time.
    pub channels: usize,
    /// How many numbers wait in delays at once.
    pub delayed: f64,
}

impl Diagram {
    /// What a run records and holds.
    pub fn size(&self) -> Result<RunSize, DiagramError> {
        let channels = self.selection.resolve(&self.catalogue())?.len();
        let waiting = |clock: Clock, delay: Delay, width: usize| {
            let arrivals = clock.delayed(delay).unwrap_or(clock);
            let late = (arrivals.tick(0) - clock.tick(0)).min(self.duration);
            (late / clock.period()).ceil() * width as f64
        };
        let sensors = self.sensors.iter().map(|own| waiting(own.clock, own.delay, own.width()));
        let blocks = self.blocks.iter().map(|own| waiting(own.clock, own.delay, own.outputs.len()));
        Ok(RunSize {
            // 0.3 s have four rows of 0.1 s, though 0.3 / 0.1 is less than three
            rows: (self.duration / self.interval * (1.0 + 1e-12)).floor() + 1.0,
            channels,
            delayed: sensors.chain(blocks).sum(),
        })
    }
}
