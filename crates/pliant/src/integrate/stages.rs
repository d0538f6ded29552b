//! The stages that all explicit Runge–Kutta methods have in common.

use super::failure::Failure;
use super::method::{Span, first_not_finite};
use super::state::{StateVisitor, Stateful};
use super::system::{CountedSystem, System};

/// A row of coefficients without its zeros: stage and coefficient.
pub(super) type Row = &'static [(usize, f64)];

/// How many components are summed up at a time.
const BLOCK: usize = 8;

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

    /// All stages of an explicit step, and the state at its end, `y + h Σⱼ bⱼ kⱼ`; its first component
    /// that is no number, if there is one.
    pub(super) fn step<S: System>(
        &mut self,
        system: &mut CountedSystem<'_, S>,
        from: (f64, &[f64]),
        h: f64,
        (nodes, rows, weights): (&[f64], &[Row], Row),
        new: &mut [f64],
    ) -> Result<Option<usize>, Failure<S::Error>> {
        let (t, y) = from;
        self.begin(system, t, y)?;
        for (i, (&node, &row)) in nodes.iter().zip(rows).enumerate().skip(1) {
            self.evaluate(system, i, from, h, (node, row))?;
        }
        self.advance(y, h, weights, new);
        Ok(first_not_finite(new))
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
        self.sum(row, out, |_, sum| sum);
    }

    /// `out = y + h Σⱼ aⱼ kⱼ`.
    pub(super) fn advance(&self, y: &[f64], h: f64, row: Row, out: &mut [f64]) {
        self.sum(row, out, |i, sum| y[i] + h * sum);
    }

    /// `outᵢ = f(i, Σⱼ aⱼ kⱼᵢ)`, of so many components at a time as registers hold.
    fn sum(&self, row: Row, out: &mut [f64], f: impl Fn(usize, f64) -> f64) {
        let (blocks, rest) = out.as_chunks_mut::<BLOCK>();
        let left = self.dimension - rest.len();
        for (block, first) in blocks.iter_mut().zip((0..).step_by(BLOCK)) {
            let mut sums = [0.0; BLOCK];
            for &(stage, coefficient) in row {
                for (sum, rate) in sums.iter_mut().zip(&self.rates(stage)[first..][..BLOCK]) {
                    *sum += coefficient * rate;
                }
            }
            for (k, (out, sum)) in block.iter_mut().zip(sums).enumerate() {
                *out = f(first + k, sum);
            }
        }
        for (out, i) in rest.iter_mut().zip(left..) {
            let terms = row.iter().map(|&(stage, coefficient)| coefficient * self.rates(stage)[i]);
            *out = f(i, terms.fold(0.0, |sum, term| sum + term));
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

#[cfg(test)]
mod tests {
    use super::Stages;

    /// Blocks of components leave none out, whatever their number, and change no bit.
    #[test]
    fn sums_have_the_bits_of_their_order() {
        for dimension in 0..40 {
            let mut stages = Stages::new(3, dimension);
            for (i, rate) in stages.rates.iter_mut().enumerate() {
                *rate = (1.0 + i as f64).sin() * 10.0_f64.powf((i % 9) as f64);
            }
            let (y, h) = (vec![0.3; dimension], 0.01);
            let (mut sum, mut new) = (vec![f64::NAN; dimension], vec![f64::NAN; dimension]);
            stages.combine(&[(0, 0.1), (2, -0.7), (1, 1e-3)], &mut sum);
            stages.advance(&y, h, &[(0, 0.1), (2, -0.7), (1, 1e-3)], &mut new);
            for i in 0..dimension {
                let rate = |stage: usize| stages.rates(stage)[i];
                let wanted = 0.0 + 0.1 * rate(0) + -0.7 * rate(2) + 1e-3 * rate(1);
                assert_eq!(sum[i].to_bits(), wanted.to_bits(), "{i} of {dimension}");
                assert_eq!(new[i].to_bits(), (y[i] + h * wanted).to_bits(), "{i} of {dimension}");
            }
        }
    }
}
