//! What is on its way: numbers that sensors and controllers show later.

use super::LoopError;
use crate::simulate::{Clock, Delay};
use nalgebra::DMatrix;
use std::collections::VecDeque;

/// Rows of numbers that arrive later, each a linear function of what stands in the columns: what is
/// there at the start of the period, then the inputs.
pub(super) struct Line {
    pub(super) clock: Clock,
    pub(super) arrivals: Clock,
    pub(super) ticks: u64,
    pub(super) seen: u64,
    pub(super) waiting: VecDeque<DMatrix<f64>>,
    pub(super) shown: DMatrix<f64>,
}

impl Line {
    pub(super) fn new(clock: Clock, delay: Delay, start: f64) -> Result<Self, LoopError> {
        let arrivals = clock.delayed(delay).map_err(|_| LoopError::NoCommonPeriod)?;
        let (ticks, seen) = (ticks_before(clock, start), ticks_before(arrivals, start));
        let (waiting, shown) = (VecDeque::new(), DMatrix::zeros(0, 0));
        Ok(Self { clock, arrivals, ticks, seen, waiting, shown })
    }

    pub(super) fn next(&self) -> f64 {
        let tick = self.clock.tick(self.ticks);
        if self.waiting.is_empty() { tick } else { tick.min(self.arrivals.tick(self.seen)) }
    }

    pub(super) fn put(&mut self, row: DMatrix<f64>) {
        self.waiting.push_back(row);
        self.ticks += 1;
    }

    pub(super) fn advance(&mut self, t: f64) {
        while !self.waiting.is_empty() && self.arrivals.tick(self.seen) <= t {
            self.shown = self.waiting.pop_front().unwrap_or_default();
            self.seen += 1;
        }
    }

    /// What is shown and what waits.
    pub(super) fn rows(&self) -> impl Iterator<Item = &DMatrix<f64>> {
        std::iter::once(&self.shown).chain(&self.waiting)
    }

    /// Takes its place among the columns from `at` on, with rows of a width; what comes behind it.
    pub(super) fn place(&mut self, width: usize, all: usize, mut at: usize) -> usize {
        let mut slot = || {
            at += width;
            unit(width, all, at - width)
        };
        self.shown = slot();
        self.waiting = (self.seen..self.ticks).map(|_| slot()).collect();
        at
    }
}

/// Rows of the unit matrix.
pub(super) fn unit(count: usize, all: usize, at: usize) -> DMatrix<f64> {
    DMatrix::from_fn(count, all, |row, column| f64::from(u8::from(column == at + row)))
}

/// How many ticks of a clock come before an instant.
#[allow(clippy::cast_sign_loss, reason = "it is not negative")]
pub(super) fn ticks_before(clock: Clock, instant: f64) -> u64 {
    let about = ((instant - clock.tick(0)) / clock.period()).floor();
    let mut count = (about - 2.0).max(0.0) as u64;
    while clock.tick(count) < instant {
        count += 1;
    }
    count
}
