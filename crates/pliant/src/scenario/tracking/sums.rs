//! Sums over the rows of a run.

use crate::integrate::{StateVisitor, Stateful};

/// An integral over time, by the trapezoidal rule.
#[derive(Default)]
pub(super) struct Integral {
    last: f64,
    pub(super) sum: f64,
}

impl Stateful for Integral {
    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        state.number(&mut self.last);
        state.number(&mut self.sum);
    }
}

impl Integral {
    pub(super) fn see(&mut self, value: f64, since: f64) {
        self.sum += 0.5 * since * (self.last + value);
        self.last = value;
    }
}

/// Largest, last and squared errors.
#[derive(Default)]
pub(super) struct Errors {
    pub(super) most: f64,
    pub(super) last: f64,
    square: Integral,
}

impl Stateful for Errors {
    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        state.number(&mut self.most);
        state.number(&mut self.last);
        self.square.visit_state(state);
    }
}

impl Errors {
    pub(super) fn see(&mut self, error: f64, since: f64) {
        self.square.see(error * error, since);
        (self.last, self.most) = (error, self.most.max(error.abs()));
    }

    pub(super) fn rms(&self, duration: f64) -> f64 {
        if duration > 0.0 { (self.square.sum / duration).sqrt() } else { self.last.abs() }
    }
}
