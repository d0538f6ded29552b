//! The stages that all explicit Runge–Kutta methods have in common.

use super::failure::Failure;
use super::method::{Span, first_not_finite};
use super::state::{StateVisitor, Stateful};
use super::system::{CountedSystem, System};

/// A row of coefficients without its zeros: stage and coefficient.
pub(super) type Row = &'static [(usize, f64)];

/// The rates of the stages, `kᵢ = f(t + cᵢ h, y + h Σⱼ aᵢⱼ kⱼ)`, Hairer (II.1.8).
///
/// The rate at the start of a step is that at the end of the last one, and is evaluated only when
/// something asks for it: by the interpolant, or else by the next step.
pub(super) struct Stages {
    dimension: usize,
    /// One row of rates for each stage.
    rates: Vec<f64>,
    /// The state of a stage.
    state: Vec<f64>,
    known: Known,
}

/// Whose rate is in the first row, and what is known of the present state's.
enum Known {
    /// The present state's.
    Here,
    /// The previous state's; the present state's is in this row.
    Ahead(usize),
    /// The previous state's or none; the present state's is not known.
    Nothing,
}

impl Stateful for Stages {
    /// The rate at the present state, if it is known.
    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        let row = match self.known {
            Known::Ahead(stage) if !state.is_taking() => stage,
            _ => 0,
        };
        let mut is_known = !matches!(self.known, Known::Nothing);
        state.flag(&mut is_known);
        if is_known {
            state.numbers(&mut self.rates[row * self.dimension..][..self.dimension]);
        }
        if state.is_taking() {
            self.known = if is_known { Known::Here } else { Known::Nothing };
        }
    }
}

impl Stages {
    pub(super) fn new(count: usize, dimension: usize) -> Self {
        Self {
            dimension,
            rates: vec![0.0; count * dimension],
            state: vec![0.0; dimension],
            known: Known::Nothing,
        }
    }

    /// The rates of a stage.
    pub(super) fn rates(&self, stage: usize) -> &[f64] {
        &self.rates[stage * self.dimension..][..self.dimension]
    }

    /// The next attempt starts at another state.
    pub(super) fn move_on(&mut self) {
        self.known = Known::Nothing;
    }

    /// The next attempt starts at the state whose rate is in the row `stage`.
    pub(super) fn arrive(&mut self, stage: usize) {
        self.known = Known::Ahead(stage);
    }

    /// Makes sure of the first stage, `k₀ = f(t, y)`.
    pub(super) fn begin<S: System>(
        &mut self,
        system: &mut CountedSystem<'_, S>,
        t: f64,
        y: &[f64],
    ) -> Result<(), Failure<S::Error>> {
        match self.known {
            Known::Here => return Ok(()),
            Known::Ahead(stage) => {
                let from = stage * self.dimension;
                self.rates.copy_within(from..from + self.dimension, 0);
            }
            Known::Nothing => self.evaluate_at(system, 0, t, y)?,
        }
        self.known = Known::Here;
        Ok(())
    }

    /// Makes sure of the rate at the end of an accepted step, in the row `stage`.
    pub(super) fn look_ahead<S: System>(
        &mut self,
        system: &mut CountedSystem<'_, S>,
        stage: usize,
        span: &Span<'_>,
    ) -> Result<(), Failure<S::Error>> {
        if !matches!(self.known, Known::Ahead(_)) {
            self.evaluate_at(system, stage, span.end, span.after)?;
            self.known = Known::Ahead(stage);
        }
        Ok(())
    }

    fn evaluate_at<S: System>(
        &mut self,
        system: &mut CountedSystem<'_, S>,
        stage: usize,
        t: f64,
        y: &[f64],
    ) -> Result<(), Failure<S::Error>> {
        let rates = &mut self.rates[stage * self.dimension..][..self.dimension];
        system.rates(t, y, rates)?;
        match first_not_finite(rates) {
            Some(component) => Err(Failure::RateNotFinite { time: t, component }),
            None => Ok(()),
        }
    }

    /// `kᵢ = f(t + c h, y + h Σⱼ aⱼ kⱼ)`.
    pub(super) fn evaluate<S: System>(
        &mut self,
        system: &mut CountedSystem<'_, S>,
        stage: usize,
        (t, y): (f64, &[f64]),
        h: f64,
        (node, row): (f64, Row),
    ) -> Result<(), Failure<S::Error>> {
        let mut state = std::mem::take(&mut self.state);
        self.advance(y, h, row, &mut state);
        let rates = &mut self.rates[stage * self.dimension..][..self.dimension];
        let result = system.rates(t + node * h, &state, rates);
        self.state = state;
        result
    }

    /// `out = Σⱼ aⱼ kⱼ`.
    pub(super) fn combine(&self, row: Row, out: &mut [f64]) {
        out.fill(0.0);
        for &(stage, coefficient) in row {
            for (sum, rate) in out.iter_mut().zip(self.rates(stage)) {
                *sum += coefficient * rate;
            }
        }
    }

    /// `out = y + h Σⱼ aⱼ kⱼ`.
    pub(super) fn advance(&self, y: &[f64], h: f64, row: Row, out: &mut [f64]) {
        self.combine(row, out);
        for (out, y) in out.iter_mut().zip(y) {
            *out = y + h * *out;
        }
    }

    /// The rate that an Euler step of length `h` leads to, in the row `stage`.
    pub(super) fn euler<S: System>(
        &mut self,
        system: &mut CountedSystem<'_, S>,
        stage: usize,
        from: (f64, &[f64]),
        h: f64,
    ) -> Result<(), Failure<S::Error>> {
        self.evaluate(system, stage, from, h, (1.0, &[(0, 1.0)]))
    }
}

#[cfg(test)]
impl Stages {
    /// Stages whose rates are the unit vectors, so that combinations show their coefficients.
    pub(super) fn unit(count: usize) -> Self {
        let mut stages = Self::new(count, count);
        for i in 0..count {
            stages.rates[i * count + i] = 1.0;
        }
        stages
    }
}
