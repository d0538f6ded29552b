//! The explicit Runge–Kutta pair of order 5 by Dormand and Prince, as Hairer's DOPRI5.

use super::control::{Control, Law, Pacing};
use super::failure::{Failure, SetupError};
use super::method::{Method, Span, Verdict, first_not_finite};
use super::stages::{Row, Stages};
use super::state::{StateVisitor, Stateful};
use super::system::{CountedSystem, System};

/// The last one is the rate at the end of the step, and the first of the next step.
const STAGES: usize = 7;
const LAST: usize = STAGES - 1;

/// Hairer's code has this value.
const MEMORY: f64 = 0.04;

const LAW: Law = Law {
    order: 5.0,
    exponent: 1.0 / 5.0 - 0.75 * MEMORY,
    memory: MEMORY,
    safety: 0.9,
    shrink: 0.2,
    grow: 10.0,
};

/// Where in the step a stage looks, in steps: Hairer, section II.5, table 5.2.
const NODES: [f64; STAGES] = [0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0];

/// The rates that make up the state of a stage. The last row gives the new state.
const ROWS: [Row; STAGES] = [
    &[],
    &[(0, 0.2)],
    &[(0, 3.0 / 40.0), (1, 9.0 / 40.0)],
    &[(0, 44.0 / 45.0), (1, -56.0 / 15.0), (2, 32.0 / 9.0)],
    &[(0, 19372.0 / 6561.0), (1, -25360.0 / 2187.0), (2, 64448.0 / 6561.0), (3, -212.0 / 729.0)],
    &[
        (0, 9017.0 / 3168.0),
        (1, -355.0 / 33.0),
        (2, 46732.0 / 5247.0),
        (3, 49.0 / 176.0),
        (4, -5103.0 / 18656.0),
    ],
    &[
        (0, 35.0 / 384.0),
        (2, 500.0 / 1113.0),
        (3, 125.0 / 192.0),
        (4, -2187.0 / 6784.0),
        (5, 11.0 / 84.0),
    ],
];

/// The method of order 5 less the embedded one of order 4.
const ERROR: Row = &[
    (0, 71.0 / 57600.0),
    (2, -71.0 / 16695.0),
    (3, 71.0 / 1920.0),
    (4, -17253.0 / 339_200.0),
    (5, 22.0 / 525.0),
    (6, -1.0 / 40.0),
];

/// What the interpolant adds to the cubic through both states and both rates.
const INTERPOLANT: Row = &[
    (0, -12_715_105_075.0 / 11_282_082_432.0),
    (2, 87_487_479_700.0 / 32_700_410_799.0),
    (3, -10_690_763_975.0 / 1_880_347_072.0),
    (4, 701_980_252_875.0 / 199_316_789_632.0),
    (5, -1_453_857_185.0 / 822_651_844.0),
    (6, 69_997_945.0 / 29_380_423.0),
];

/// Dormand and Prince's method of order 5 with an error estimate of order 4: Hairer, section II.5,
/// with the coefficients of the code DOPRI5.
///
/// `y₁ = y₀ + h Σ bᵢ kᵢ`, six evaluations per step: the last stage is the rate at the new state,
/// with which the next step starts. Where a state is brought back to its manifold after the step,
/// that rate is the one before, which differs by `h` times the error of the step. The interpolant
/// is of order 4, Hairer, section II.6, and costs no further evaluations.
///
/// For smooth, non-stiff motions at tolerances of about `1e-6` and above.
#[derive(Clone, Debug, PartialEq)]
pub struct Dopri5 {
    control: Control,
}

impl Dopri5 {
    /// With a tolerance, or a whole [`Control`].
    pub fn new(control: impl Into<Control>) -> Self {
        Self { control: control.into() }
    }
}

/// The buffers of [`Dopri5`].
pub struct Work {
    pacing: Pacing,
    /// The error estimate.
    error: Vec<f64>,
    /// The last coefficient of the interpolant.
    interpolant: Vec<f64>,
}

impl Work {
    fn new(control: &Control, stages: Stages, dimension: usize) -> Self {
        Self {
            pacing: Pacing::new(control, stages),
            error: vec![0.0; dimension],
            interpolant: vec![0.0; dimension],
        }
    }
}

impl<S: System> Method<S> for Dopri5 {
    type Work = Work;

    fn prepare(&self, _: &S, dimension: usize) -> Result<Work, SetupError> {
        self.control.check(dimension)?;
        Ok(Work::new(&self.control, Stages::new(STAGES, dimension), dimension))
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
        let fault = stages.step(system, (t, y), h, (&NODES, &ROWS, ROWS[LAST]), new)?;
        if let Some(component) = fault.or_else(|| first_not_finite(stages.rates(LAST))) {
            memory.judge(&LAW, h, f64::INFINITY);
            return Ok(Verdict::NotFinite { component });
        }
        stages.combine(ERROR, error);
        let size = h.abs() * self.control.mean_square(error, y, new).sqrt();
        if !memory.judge(&LAW, h, size) {
            return Ok(Verdict::Inaccurate { component: self.control.worst(error, y, new) });
        }
        stages.arrive(LAST);
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
        _: &mut CountedSystem<'_, S>,
        span: &Span<'_>,
    ) -> Result<(), Failure<S::Error>> {
        work.pacing.stages.combine(INTERPOLANT, &mut work.interpolant);
        for d in &mut work.interpolant {
            *d *= span.length();
        }
        Ok(())
    }

    fn interpolate(&self, work: &Work, span: &Span<'_>, theta: f64, out: &mut [f64]) {
        let (s, r, h) = (theta, 1.0 - theta, span.length());
        let stages = &work.pacing.stages;
        let rates = (stages.rates(0), stages.rates(LAST));
        for (i, out) in out.iter_mut().enumerate() {
            let [rise, left, right] = span.cubic(i, rates, h);
            // y₀ + θ(Δ + θ̄(l + θ(r + θ̄ d))), θ̄ = 1-θ
            let inner = right + r * work.interpolant[i];
            *out = span.before[i] + s * (rise + r * (left + s * inner));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Control, Dopri5, ERROR, INTERPOLANT, LAST, NODES, ROWS, STAGES, Work};
    use crate::integrate::method::{Method, Span};
    use crate::integrate::stages::Stages;
    use crate::integrate::trees::{full, residual};

    #[test]
    fn the_order_is_5_and_the_estimates_4() {
        for (node, row) in NODES.iter().zip(ROWS) {
            let sum: f64 = row.iter().map(|(_, a)| a).sum();
            assert!((sum - node).abs() < 1e-14, "{sum} {node}");
        }
        let (weights, difference) = (full(ROWS[LAST], STAGES), full(ERROR, STAGES));
        for order in 1..=5 {
            assert!(residual(&ROWS, &weights, order, 1.0) < 1e-14, "order {order}");
            let estimate = residual(&ROWS, &difference, order, 0.0);
            assert_eq!(estimate < 1e-15, order < 5, "order {order}: {estimate:e}");
        }
        assert!(residual(&ROWS, &weights, 6, 1.0) > 1e-5);
    }

    #[test]
    fn the_interpolant_is_of_order_4() {
        fn interpolate<S: crate::integrate::System>(
            _: &S,
            work: &Work,
            span: &Span<'_>,
            theta: f64,
            out: &mut [f64],
        ) {
            Method::<S>::interpolate(&Dopri5::new(1.0), work, span, theta, out);
        }
        let mut work = Work::new(&Control::new(1.0), Stages::unit(STAGES), STAGES);
        work.interpolant = full(INTERPOLANT, STAGES);
        let (before, after) = ([0.0; STAGES], full(ROWS[LAST], STAGES));
        let span = Span { start: 0.0, end: 1.0, before: &before, after: &after };
        let system = |_: f64, _: &[f64], _: &mut [f64]| ();
        for theta in [0.1, 0.3, 0.5, 0.8, 0.95] {
            let mut weights = [0.0; STAGES];
            interpolate(&system, &work, &span, theta, &mut weights);
            for order in 1..=5 {
                let error = residual(&ROWS, &weights, order, theta);
                assert_eq!(error < 1e-14, order <= 4, "θ = {theta}, order {order}: {error:e}");
            }
        }
    }
}
