//! What is integrated.

use super::failure::Failure;
use std::convert::Infallible;
use std::error::Error;

/// `ẏ = f(t, y)`: a state `y` whose rate follows from time and state.
///
/// A closure `|t: f64, y: &[f64], rate: &mut [f64]|` is a system; it returns nothing or, when it
/// can fail, a `Result<(), E>`. A type of one's own is one too, and may have a manifold.
pub trait System {
    /// Why an evaluation failed.
    type Error: Error + 'static;

    /// Writes `ẏ = f(t, y)`.
    ///
    /// An error ends the run. Rates that are not finite reject the step: adaptive methods then try
    /// a shorter one, which leads back from states that only a trial step reaches.
    fn rates(&mut self, t: f64, y: &[f64], rates: &mut [f64]) -> Result<(), Self::Error>;

    /// Writes `∂f/∂y` row by row into `matrix` and says whether it did. Only implicit methods ask;
    /// where a system does not know its slopes, as here, they take differences of the rates. A rough
    /// one costs iterations, not accuracy.
    fn jacobian(&mut self, t: f64, y: &[f64], matrix: &mut [f64]) -> Result<bool, Self::Error> {
        let _ = (t, y, matrix);
        Ok(false)
    }

    /// Brings a state back to the manifold on which it lives, unit quaternions to length one for
    /// example. Called after each accepted step and for each sample; it must change a state no
    /// more than the method's own error does.
    fn project(&mut self, t: f64, y: &mut [f64]) {
        let _ = (t, y);
    }
}

/// What a closure may return: nothing, or a result without a value.
pub trait RateOutcome {
    /// Why it failed.
    type Error: Error + 'static;

    /// As a result.
    fn into_result(self) -> Result<(), Self::Error>;
}

impl RateOutcome for () {
    type Error = Infallible;

    fn into_result(self) -> Result<(), Infallible> {
        Ok(())
    }
}

impl<E: Error + 'static> RateOutcome for Result<(), E> {
    type Error = E;

    fn into_result(self) -> Self {
        self
    }
}

impl<F, R> System for F
where
    F: FnMut(f64, &[f64], &mut [f64]) -> R,
    R: RateOutcome,
{
    type Error = R::Error;

    fn rates(&mut self, t: f64, y: &[f64], rates: &mut [f64]) -> Result<(), R::Error> {
        self(t, y, rates).into_result()
    }
}

/// A system that counts its evaluations: what a method sees.
pub struct CountedSystem<'a, S> {
    pub(super) system: &'a mut S,
    pub(super) evaluations: &'a mut usize,
}

impl<S: System> CountedSystem<'_, S> {
    /// Writes `ẏ = f(t, y)`.
    pub fn rates(&mut self, t: f64, y: &[f64], rates: &mut [f64]) -> Result<(), Failure<S::Error>> {
        *self.evaluations += 1;
        self.system.rates(t, y, rates).map_err(|source| Failure::System { time: t, source })
    }

    /// Writes `∂f/∂y` row by row: the system's own, or differences of the rates from those at `y`.
    /// The last two slices are room for a state and its rates.
    pub(super) fn jacobian(
        &mut self,
        (t, y): (f64, &[f64]),
        rates: &[f64],
        matrix: &mut [f64],
        (moved, change): (&mut [f64], &mut [f64]),
    ) -> Result<(), Failure<S::Error>> {
        let known = self.system.jacobian(t, y, matrix);
        if known.map_err(|source| Failure::System { time: t, source })? {
            return Ok(());
        }
        let n = y.len();
        moved.copy_from_slice(y);
        for column in 0..n {
            // √(ε max(|y|, 1e-5)), Wanner, section IV.8
            let nudge = (f64::EPSILON * y[column].abs().max(1e-5)).sqrt();
            moved[column] = y[column] + nudge;
            let nudge = moved[column] - y[column];
            self.rates(t, moved, change)?;
            moved[column] = y[column];
            for row in 0..n {
                matrix[row * n + column] = (change[row] - rates[row]) / nudge;
            }
        }
        Ok(())
    }

    /// The system itself, for methods that need more than its rates.
    pub fn system(&mut self) -> &mut S {
        self.system
    }
}
