//! Delayed signals.

use super::clock::{Clock, ClockError, Delay};
use crate::integrate::{StateVisitor, Stateful};
use std::collections::VecDeque;

/// For how many rows there is room from the start.
const ROOM: u32 = 1 << 16;

/// Rows of numbers, put in at the ticks of a clock and seen some time later; the last one seen is
/// held. Before the first it shows zeros, or what it was told to.
#[derive(Clone, Debug)]
pub(super) struct DelayLine {
    width: usize,
    /// When the rows are seen.
    arrivals: Clock,
    /// How many have been seen.
    seen: u64,
    /// What waits, one row after another.
    waiting: VecDeque<f64>,
    shown: Vec<f64>,
    /// It was told what to show, and that has not been seen.
    is_told: bool,
}

impl Stateful for DelayLine {
    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        state.count(&mut self.seen);
        let mut waiting: Vec<f64> = self.waiting.iter().copied().collect();
        state.rows(&mut waiting, self.width);
        if state.is_taking() {
            self.waiting.clear();
            self.waiting.extend(waiting);
        }
        state.numbers(&mut self.shown);
        state.flag(&mut self.is_told);
    }
}

impl DelayLine {
    pub(super) fn new(clock: Clock, delay: Delay, width: usize) -> Result<Self, ClockError> {
        let arrivals = clock.delayed(delay)?;
        // how many wait at once; where that is very many, the room grows with them
        let behind = (arrivals.tick(0) - clock.tick(0)) / clock.period();
        let rows = (0..ROOM).take_while(|&row| f64::from(row) < behind).count() + 2;
        Ok(Self {
            width,
            arrivals,
            seen: 0,
            waiting: VecDeque::with_capacity(rows * width),
            shown: vec![0.0; width],
            is_told: false,
        })
    }

    /// Shows a row until the first arrives.
    pub(super) fn show(&mut self, row: &[f64]) {
        self.shown.copy_from_slice(row);
        self.is_told = true;
    }

    /// Puts in the row of the next tick.
    pub(super) fn put(&mut self, row: &[f64]) {
        self.waiting.extend(row);
    }

    /// Shows what has arrived by a time; whether that is something new.
    pub(super) fn advance(&mut self, t: f64) -> bool {
        let before = self.seen;
        while self.next_arrival().is_some_and(|arrival| arrival <= t) {
            for shown in &mut self.shown {
                *shown = self.waiting.pop_front().unwrap_or(*shown);
            }
            self.seen += 1;
        }
        std::mem::take(&mut self.is_told) || self.seen > before
    }

    /// When the next row that waits is seen.
    pub(super) fn next_arrival(&self) -> Option<f64> {
        (self.waiting.len() >= self.width && self.width > 0).then(|| self.arrivals.tick(self.seen))
    }

    /// The row seen last.
    pub(super) fn shown(&self) -> &[f64] {
        &self.shown
    }
}

/// To the nearest multiple of a step; a step of zero changes nothing.
pub(super) fn quantise(value: f64, step: f64) -> f64 {
    if step > 0.0 { (value / step).round() * step } else { value }
}
