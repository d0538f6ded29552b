//! The classical Runge–Kutta method of order 4, with a fixed step.

use super::failure::{Failure, SetupError};
use super::method::{Method, Span, Verdict, even_count};
use super::stages::{Row, Stages};
use super::state::{StateVisitor, Stateful};
use super::system::{CountedSystem, System};

const STAGES: usize = 4;
const NODES: [f64; STAGES] = [0.0, 0.5, 0.5, 1.0];
const ROWS: [Row; STAGES] = [&[], &[(0, 0.5)], &[(1, 0.5)], &[(2, 1.0)]];
const WEIGHTS: Row = &[(0, 1.0 / 6.0), (1, 1.0 / 3.0), (2, 1.0 / 3.0), (3, 1.0 / 6.0)];

/// Kutta's method of order 4 with a fixed step: Hairer, section II.1.
///
/// `y₁ = y₀ + h (k₀ + 2 k₁ + 2 k₂ + k₃)/6`, four evaluations per step.
///
/// The way to an end is divided evenly: the steps are all equal, as few as possible, and no longer
/// than the length given. Between the ends of a step stands the cubic through both states and both
/// rates, Hairer (II.6.7), which is of order 3.
#[derive(Clone, Debug, PartialEq)]
pub struct Rk4 {
    step: f64,
}

impl Rk4 {
    /// With steps of this length, in the unit of time.
    pub fn new(step: f64) -> Self {
        Self { step }
    }
}

/// The buffers of [`Rk4`].
pub struct Work {
    stages: Stages,
}

impl<S: System> Method<S> for Rk4 {
    type Work = Work;

    fn prepare(&self, _: &S, dimension: usize) -> Result<Work, SetupError> {
        SetupError::unless_positive("the step", self.step)?;
        Ok(Work { stages: Stages::new(STAGES + 1, dimension) })
    }

    fn length(
        &self,
        _: &mut Work,
        _: &mut CountedSystem<'_, S>,
        _: f64,
        _: &[f64],
        remaining: f64,
    ) -> Result<f64, Failure<S::Error>> {
        Ok(remaining / even_count(remaining, self.step))
    }

    /// On the imaginary axis its polynomial has the size 1 up to `√8`.
    fn longest_stable_step(&self) -> Option<f64> {
        Some(8.0_f64.sqrt())
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
        let fault = work.stages.step(system, (t, y), h, (&NODES, &ROWS, WEIGHTS), new)?;
        if let Some(component) = fault {
            return Ok(Verdict::NotFinite { component });
        }
        work.stages.move_on();
        Ok(Verdict::Accepted)
    }

    fn restart(&self, work: &mut Work) {
        work.stages.move_on();
    }

    fn visit_state(&self, work: &mut Work, state: &mut StateVisitor<'_>) {
        work.stages.visit_state(state);
    }

    fn complete(
        &self,
        work: &mut Work,
        system: &mut CountedSystem<'_, S>,
        span: &Span<'_>,
    ) -> Result<(), Failure<S::Error>> {
        work.stages.look_ahead(system, STAGES, span)
    }

    fn interpolate(&self, work: &Work, span: &Span<'_>, theta: f64, out: &mut [f64]) {
        let rates = (work.stages.rates(0), work.stages.rates(STAGES));
        span.hermite(0, rates, theta, out);
    }
}

#[cfg(test)]
mod tests {
    use super::{NODES, ROWS, WEIGHTS};
    use crate::integrate::trees::{full, residual};

    #[test]
    fn the_order_is_4() {
        for (node, row) in NODES.iter().zip(ROWS) {
            assert_eq!(row.iter().map(|(_, a)| a).sum::<f64>(), *node);
        }
        let weights = full(WEIGHTS, 4);
        for order in 1..=4 {
            assert!(residual(&ROWS, &weights, order, 1.0) < 1e-15, "order {order}");
        }
        assert!(residual(&ROWS, &weights, 5, 1.0) > 1e-3);
    }
}
