//! The explicit Runge–Kutta pair of order 8 by Dormand and Prince, as Hairer's DOP853.

mod coefficients;

use super::control::{Control, Law, Pacing};
use super::failure::{Failure, SetupError};
use super::method::{Method, Span, Verdict};
use super::stages::Stages;
use super::state::{StateVisitor, Stateful};
use super::system::{CountedSystem, System};
use coefficients::{ALL_STAGES, ERROR_3, ERROR_5, INTERPOLANT, NODES, ROWS, STAGES};

/// Hairer's code has 0 unless told, and up to 0.04 for a calmer control: on springs with damping,
/// where stability bounds the step, this saves a twentieth of the attempts.
const MEMORY: f64 = 0.04;

const LAW: Law = Law {
    order: 8.0,
    exponent: 1.0 / 8.0 - 0.2 * MEMORY,
    memory: MEMORY,
    safety: 0.9,
    shrink: 1.0 / 3.0,
    grow: 6.0,
};

/// Dormand and Prince's method of order 8 with error estimates of order 5 and 3: Hairer, section
/// II.5, with the coefficients of the code DOP853.
///
/// `y₁ = y₀ + h Σ bᵢ kᵢ`, twelve evaluations per step. The error is `e₅²/√(e₅² + 0.01 e₃²)`, Hairer,
/// section II.10, which behaves like `h⁸`. The interpolant is of order 7, Hairer, section II.6; its
/// three further evaluations are made only for steps that are looked into.
///
/// For smooth, non-stiff motions at tolerances of about `1e-6` and below.
#[derive(Clone, Debug, PartialEq)]
pub struct Dop853 {
    control: Control,
}

impl Dop853 {
    /// With a tolerance, or a whole [`Control`].
    pub fn new(control: impl Into<Control>) -> Self {
        Self { control: control.into() }
    }
}

/// The buffers of [`Dop853`].
pub struct Work {
    pacing: Pacing,
    /// An error estimate.
    error: Vec<f64>,
    /// The last four coefficients of the interpolant, one after another.
    interpolant: Vec<f64>,
    /// The interpolant is that of the last step.
    is_complete: bool,
}

impl Work {
    fn new(control: &Control, stages: Stages, dimension: usize) -> Self {
        Self {
            pacing: Pacing::new(control, stages),
            error: vec![0.0; dimension],
            interpolant: vec![0.0; INTERPOLANT.len() * dimension],
            is_complete: false,
        }
    }

    /// Goes on from another state, with an attempt of this length.
    pub(super) fn set_out(&mut self, length: f64) {
        self.pacing.set_out(length);
    }

    /// `dᵢ = h Σⱼ Dᵢⱼ kⱼ`.
    fn fill_interpolant(&mut self, h: f64) {
        let dimension = self.error.len();
        for (i, row) in INTERPOLANT.iter().enumerate() {
            let d = &mut self.interpolant[i * dimension..][..dimension];
            self.pacing.stages.combine(row, d);
            for d in d {
                *d *= h;
            }
        }
        self.is_complete = true;
    }
}

impl<S: System> Method<S> for Dop853 {
    type Work = Work;

    fn prepare(&self, _: &S, dimension: usize) -> Result<Work, SetupError> {
        self.control.check(dimension)?;
        Ok(Work::new(&self.control, Stages::new(ALL_STAGES, dimension), dimension))
    }

    fn max_steps(&self) -> usize {
        self.control.step_limit()
    }

    fn length(
        &self,
        work: &mut Work,
        system: &mut CountedSystem<'_, S>,
        t: f64,
        y: &[f64],
        remaining: f64,
    ) -> Result<f64, Failure<S::Error>> {
        work.pacing.length((&self.control, &LAW), system, (t, y), remaining)
    }

    fn attempt(
        &self,
        work: &mut Work,
        system: &mut CountedSystem<'_, S>,
        t: f64,
        y: &[f64],
        h: f64,
        new: &mut [f64],
    ) -> Result<Verdict, Failure<S::Error>> {
        let Work { pacing: Pacing { stages, memory }, error, .. } = work;
        let by = (&NODES[..STAGES], &ROWS[..STAGES], ROWS[STAGES]);
        if let Some(component) = stages.step(system, (t, y), h, by, new)? {
            memory.judge(&LAW, h, f64::INFINITY);
            return Ok(Verdict::NotFinite { component });
        }
        stages.combine(ERROR_3, error);
        let square_3 = self.control.mean_square(error, y, new);
        stages.combine(ERROR_5, error);
        let square_5 = self.control.mean_square(error, y, new);
        // h e₅²/√(e₅² + 0.01 e₃²)
        let below = square_5 + 0.01 * square_3;
        let size = if below > 0.0 { h.abs() * square_5 / below.sqrt() } else { 0.0 };
        if !memory.judge(&LAW, h, size) {
            return Ok(Verdict::Inaccurate { component: self.control.worst(error, y, new) });
        }
        stages.move_on();
        work.is_complete = false;
        Ok(Verdict::Accepted)
    }

    fn restart(&self, work: &mut Work) {
        work.pacing.restart();
    }

    fn visit_state(&self, work: &mut Work, state: &mut StateVisitor<'_>) {
        work.pacing.visit_state(state);
    }

    fn complete(
        &self,
        work: &mut Work,
        system: &mut CountedSystem<'_, S>,
        span: &Span<'_>,
    ) -> Result<(), Failure<S::Error>> {
        if work.is_complete {
            return Ok(());
        }
        let (from, h) = ((span.start, span.before), span.length());
        let stages = &mut work.pacing.stages;
        stages.look_ahead(system, STAGES, span)?;
        for i in STAGES + 1..ALL_STAGES {
            stages.evaluate(system, i, from, h, (NODES[i], ROWS[i]))?;
        }
        work.fill_interpolant(h);
        Ok(())
    }

    fn interpolate(&self, work: &Work, span: &Span<'_>, theta: f64, out: &mut [f64]) {
        let (s, r, h, n) = (theta, 1.0 - theta, span.length(), out.len());
        let stages = &work.pacing.stages;
        let rates = (stages.rates(0), stages.rates(STAGES));
        for (i, out) in out.iter_mut().enumerate() {
            let d = |row: usize| work.interpolant[row * n + i];
            let [rise, left, right] = span.cubic(i, rates, h);
            // y₀ + θ(Δ + θ̄(l + θ(r + θ̄(d₀ + θ(d₁ + θ̄(d₂ + θ d₃)))))), θ̄ = 1-θ
            let inner = d(0) + s * (d(1) + r * (d(2) + s * d(3)));
            *out = span.before[i] + s * (rise + r * (left + s * (right + r * inner)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::coefficients::{ALL_STAGES, ERROR_3, ERROR_5, NODES, ROWS, STAGES};
    use super::{Control, Dop853, Work};
    use crate::integrate::method::{Method, Span};
    use crate::integrate::stages::Stages;
    use crate::integrate::trees::{full, residual};

    /// Rounding of the coefficients, the largest being 500.
    const ROUNDING: f64 = 2e-13;

    #[test]
    fn rows_add_up_to_their_nodes() {
        for (node, row) in NODES.iter().zip(ROWS) {
            let sum: f64 = row.iter().map(|(_, a)| a).sum();
            assert!((sum - node).abs() < 1e-14, "{sum} {node}");
        }
    }

    #[test]
    fn the_order_is_8() {
        let weights = full(ROWS[STAGES], ALL_STAGES);
        for order in 1..=8 {
            let error = residual(&ROWS, &weights, order, 1.0);
            assert!(error < 1e-14, "order {order}: {error:e}");
        }
        assert!(residual(&ROWS, &weights, 9, 1.0) > 1e-8);
    }

    #[test]
    fn the_estimates_are_of_order_5_and_3() {
        for (row, order) in [(ERROR_5, 5), (ERROR_3, 3)] {
            let difference = full(row, ALL_STAGES);
            for lower in 1..=order {
                let error = residual(&ROWS, &difference, lower, 0.0);
                assert!(error < 1e-14, "order {lower} of {order}: {error:e}");
            }
            assert!(residual(&ROWS, &difference, order + 1, 0.0) > 1e-6);
        }
    }

    #[test]
    fn the_interpolant_is_of_order_7() {
        let control = Control::new(1.0);
        let mut work = Work::new(&control, Stages::unit(ALL_STAGES), ALL_STAGES);
        work.fill_interpolant(1.0);
        let (before, after) = ([0.0; ALL_STAGES], full(ROWS[STAGES], ALL_STAGES));
        let span = Span { start: 0.0, end: 1.0, before: &before, after: &after };
        let method = Dop853::new(control);
        for theta in [0.1, 0.3, 0.5, 0.8, 0.95] {
            let mut weights = [0.0; ALL_STAGES];
            let system = |_: f64, _: &[f64], _: &mut [f64]| ();
            interpolate(&method, &system, &work, &span, theta, &mut weights);
            for order in 1..=7 {
                let error = residual(&ROWS, &weights, order, theta);
                assert!(error < ROUNDING, "θ = {theta}, order {order}: {error:e}");
            }
            assert!(residual(&ROWS, &weights, 8, theta) > 1e-9);
        }
    }

    /// The kind of system must be named, though the interpolant needs none.
    fn interpolate<S: crate::integrate::System>(
        method: &Dop853,
        _: &S,
        work: &Work,
        span: &Span<'_>,
        theta: f64,
        out: &mut [f64],
    ) {
        Method::<S>::interpolate(method, work, span, theta, out);
    }
}
