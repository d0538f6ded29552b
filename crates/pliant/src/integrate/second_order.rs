//! Equations of motion of second order.

use super::failure::Failure;
use super::system::{CountedSystem, System};

/// `r(t, q, u, u̇) = 0`, for example `M(q) u̇ + bias(t, q, u) - τ = 0`, with a configuration `q` that
/// may live on a manifold.
///
/// As a [`System`] the same motion has the state `(q, u, w)`; its rates give the acceleration from
/// which a run starts. The quadratures `w`, if there are any, are numbers such as works, whose rates
/// follow from the motion and which do not act on it.
pub trait SecondOrder: System {
    /// Whether it has a residual at all; where it has not, methods that need one refuse it.
    fn has_residual(&self) -> bool {
        true
    }

    /// How many velocities there are; the state has as many numbers more as `q` and `w` have.
    fn velocity_count(&self) -> usize;

    /// How many quadratures there are.
    fn quadrature_count(&self) -> usize {
        0
    }

    /// Writes `q̇`, which `u` causes at `q`.
    fn configuration_rates(&mut self, q: &[f64], u: &[f64], rates: &mut [f64]);

    /// `q ⊞ way`: moves `q` in the directions of the velocities, along its manifold.
    fn displace(&mut self, q: &mut [f64], way: &[f64]);

    /// Writes `r(t, q, u, u̇)`. An error ends the run; a residual that is not finite fails the step.
    fn residual(&mut self, at: &Moment<'_>, residual: &mut [f64]) -> Result<(), Self::Error>;

    /// Writes `ẇ` at a moment of the motion.
    fn quadrature_rates(&mut self, at: &Moment<'_>, rates: &mut [f64]) -> Result<(), Self::Error> {
        let _ = (at, rates);
        Ok(())
    }

    /// Writes `a ∂r/∂u̇ + b ∂r/∂u + ∂r/∂q` row by row, `∂q` in the directions of the velocities.
    /// A rough one costs iterations, not accuracy.
    fn iteration_matrix(
        &mut self,
        at: &Moment<'_>,
        weights: Weights,
        matrix: &mut [f64],
    ) -> Result<(), Self::Error>;
}

/// A moment of a motion.
#[derive(Clone, Copy, Debug)]
pub struct Moment<'a> {
    /// Time.
    pub t: f64,
    /// Configuration.
    pub q: &'a [f64],
    /// Velocities.
    pub u: &'a [f64],
    /// Accelerations.
    pub ud: &'a [f64],
}

/// How much of the slopes an iteration takes, relative to `∂r/∂q`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// Of `∂r/∂u̇`, one over the square of the unit of time.
    pub acceleration: f64,
    /// Of `∂r/∂u`, one over the unit of time.
    pub velocity: f64,
}

impl<S: SecondOrder> CountedSystem<'_, S> {
    /// Writes `r(t, q, u, u̇)`.
    pub(super) fn residual(
        &mut self,
        at: &Moment<'_>,
        residual: &mut [f64],
    ) -> Result<(), Failure<S::Error>> {
        *self.evaluations += 1;
        let result = self.system.residual(at, residual);
        result.map_err(|source| Failure::System { time: at.t, source })
    }

    /// Writes `ẇ`, where there are quadratures.
    pub(super) fn quadrature_rates(
        &mut self,
        at: &Moment<'_>,
        rates: &mut [f64],
    ) -> Result<(), Failure<S::Error>> {
        if rates.is_empty() {
            return Ok(());
        }
        *self.evaluations += 1;
        let result = self.system.quadrature_rates(at, rates);
        result.map_err(|source| Failure::System { time: at.t, source })
    }

    /// Writes the matrix of the iteration.
    pub(super) fn iteration_matrix(
        &mut self,
        at: &Moment<'_>,
        weights: Weights,
        matrix: &mut [f64],
    ) -> Result<(), Failure<S::Error>> {
        let result = self.system.iteration_matrix(at, weights, matrix);
        result.map_err(|source| Failure::System { time: at.t, source })
    }
}
