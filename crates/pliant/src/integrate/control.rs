//! How adaptive methods choose the lengths of their steps.

use super::failure::{Failure, SetupError};
use super::stages::Stages;
use super::state::{StateVisitor, Stateful};
use super::system::{CountedSystem, System};

/// The accuracy wanted of each step, and the limits of its length.
///
/// A step passes when the root mean square over the components of `error / scale` is at most one,
/// `scale = absolute + relative · max(|y₀|, |y₁|)`: Hairer (II.4.10) and Hairer (II.4.11). Lengths
/// are in the unit of time, absolute tolerances in those of the components.
///
/// A plain number stands for both tolerances: `Dop853::new(1e-9)`.
#[derive(Clone, Debug, PartialEq)]
pub struct Control {
    relative: f64,
    /// One for all components, or one for each.
    absolute: Vec<f64>,
    first_step: Option<f64>,
    max_step: f64,
    max_steps: usize,
}

impl Control {
    /// With one number for both tolerances.
    pub fn new(tolerance: f64) -> Self {
        Self {
            relative: tolerance,
            absolute: vec![tolerance],
            first_step: None,
            max_step: f64::INFINITY,
            max_steps: 1_000_000,
        }
    }

    /// The same absolute tolerance for all components.
    #[must_use]
    pub fn absolute(self, tolerance: f64) -> Self {
        self.absolute_each([tolerance])
    }

    /// An absolute tolerance for each component, where these have different sizes.
    #[must_use]
    pub fn absolute_each(mut self, tolerances: impl Into<Vec<f64>>) -> Self {
        self.absolute = tolerances.into();
        self
    }

    /// The length of the first attempt, instead of one guessed from the rates.
    #[must_use]
    pub fn first_step(mut self, length: f64) -> Self {
        self.first_step = Some(length);
        self
    }

    /// The longest step allowed.
    #[must_use]
    pub fn max_step(mut self, length: f64) -> Self {
        self.max_step = length;
        self
    }

    /// How many attempts a call may make on the way to its end; a million unless told.
    #[must_use]
    pub fn max_steps(mut self, count: usize) -> Self {
        self.max_steps = count;
        self
    }

    pub(super) fn relative_tolerance(&self) -> f64 {
        self.relative
    }

    /// With both tolerances times a factor.
    pub(super) fn scaled(mut self, factor: f64) -> Self {
        self.relative *= factor;
        for tolerance in &mut self.absolute {
            *tolerance *= factor;
        }
        self
    }

    pub(super) fn step_limit(&self) -> usize {
        self.max_steps
    }

    pub(super) fn check(&self, dimension: usize) -> Result<(), SetupError> {
        SetupError::unless_positive("the relative tolerance", self.relative)?;
        for &tolerance in &self.absolute {
            SetupError::unless_positive("an absolute tolerance", tolerance)?;
        }
        SetupError::unless_positive("the longest step", self.max_step)?;
        SetupError::unless_positive("the first step", self.first_step.unwrap_or(1.0))?;
        match self.absolute.len() {
            1 => Ok(()),
            given if given == dimension => Ok(()),
            given => Err(SetupError::ToleranceCount { given, needed: dimension }),
        }
    }

    /// What an error in this component, of this size, is measured by.
    fn scale(&self, component: usize, size: f64) -> f64 {
        let absolute = if self.absolute.len() == 1 { 0 } else { component };
        self.absolute[absolute] + self.relative * size
    }

    /// The mean square of `error / scale`, for a step from `before` to `after`.
    pub(super) fn mean_square(&self, error: &[f64], before: &[f64], after: &[f64]) -> f64 {
        let squares = (0..error.len()).map(|i| self.share(i, error, before, after).powi(2));
        squares.sum::<f64>() / error.len().max(1) as f64
    }

    /// The component with the largest error.
    pub(super) fn worst(&self, error: &[f64], before: &[f64], after: &[f64]) -> usize {
        let share = |&i: &usize| self.share(i, error, before, after).abs();
        (0..error.len()).max_by(|i, j| share(i).total_cmp(&share(j))).unwrap_or(0)
    }

    fn share(&self, i: usize, error: &[f64], before: &[f64], after: &[f64]) -> f64 {
        error[i] / self.scale(i, before[i].abs().max(after[i].abs()))
    }

    /// A length for the first attempt, from the sizes of the state, its rate and the change of the
    /// rate along a small step: Hairer (II.4.14), with one evaluation into the second row.
    fn guess<S: System>(
        &self,
        stages: &mut Stages,
        order: f64,
        system: &mut CountedSystem<'_, S>,
        (t, y): (f64, &[f64]),
        remaining: f64,
    ) -> Result<f64, Failure<S::Error>> {
        stages.begin(system, t, y)?;
        let longest = remaining.abs().min(self.max_step);
        let size = self.mean_square(y, y, y).sqrt();
        let rate = self.mean_square(stages.rates(0), y, y).sqrt();
        let small = if size < 1e-5 || rate < 1e-5 { 1e-6 } else { 0.01 * size / rate };
        let small = small.min(longest);
        stages.euler(system, 1, (t, y), small.copysign(remaining))?;
        let change = |i: usize| stages.rates(1)[i] - stages.rates(0)[i];
        let squares = (0..y.len()).map(|i| (change(i) / self.scale(i, y[i].abs())).powi(2));
        let bend = (squares.sum::<f64>() / y.len().max(1) as f64).sqrt() / small;
        // h^order · max(|f|, |f'|) = 0.01
        let steepest = rate.max(bend);
        let length = if steepest <= 1e-15 {
            (small * 1e-3).max(1e-6)
        } else {
            (0.01 / steepest).powf(1.0 / order)
        };
        Ok(length.min(100.0 * small).min(longest))
    }
}

impl From<f64> for Control {
    fn from(tolerance: f64) -> Self {
        Self::new(tolerance)
    }
}

/// What the choice of a step remembers of those before.
pub(super) struct Memory {
    /// The length to try next, unsigned.
    wanted: Option<f64>,
    /// The error of the last accepted step.
    error: f64,
    /// The last attempt failed, so the next step does not grow.
    rejected: bool,
}

/// What the length of the next step follows from: the rate at its start, with a second row for the
/// first guess, and the steps before.
pub(super) struct Pacing {
    pub(super) stages: Stages,
    pub(super) memory: Memory,
}

impl Stateful for Pacing {
    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        self.stages.visit_state(state);
        self.memory.visit_state(state);
    }
}

impl Pacing {
    pub(super) fn new(control: &Control, stages: Stages) -> Self {
        Self { stages, memory: Memory::new(control) }
    }

    /// The signed length to try from a time and a state.
    pub(super) fn length<S: System>(
        &mut self,
        by: (&Control, &Law),
        system: &mut CountedSystem<'_, S>,
        from: (f64, &[f64]),
        remaining: f64,
    ) -> Result<f64, Failure<S::Error>> {
        self.memory.length(by, &mut self.stages, system, from, remaining)
    }

    /// The system has jumped: the next step may grow. Its length is kept.
    pub(super) fn restart(&mut self) {
        self.stages.move_on();
        (self.memory.rejected, self.memory.error) = (false, NO_ERROR);
    }

    /// Goes on from another state, with an attempt of this length.
    pub(super) fn set_out(&mut self, length: f64) {
        self.restart();
        self.memory.wanted = Some(length);
    }
}

/// The constants of one method's control, a proportional-integral one:
/// `h' = h · clamp(safety · err^(-exponent) · last^memory)`, after Hairer (II.4.13).
pub(super) struct Law {
    /// The error behaves like `h` to this power.
    pub(super) order: f64,
    pub(super) exponent: f64,
    pub(super) memory: f64,
    pub(super) safety: f64,
    pub(super) shrink: f64,
    pub(super) grow: f64,
}

/// The least error that is remembered.
const NO_ERROR: f64 = 1e-4;

impl Stateful for Memory {
    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        state.option(&mut self.wanted, || 0.0, StateVisitor::number);
        state.number(&mut self.error);
        state.flag(&mut self.rejected);
    }
}

impl Memory {
    fn new(control: &Control) -> Self {
        Self { wanted: control.first_step, error: NO_ERROR, rejected: false }
    }

    /// The next length is guessed from the rates, as the first was.
    pub(super) fn forget(&mut self, control: &Control) {
        *self = Self::new(control);
    }

    /// The signed length to try.
    ///
    /// The last steps are balanced instead of leaving a sliver: one that almost reaches the end is
    /// stretched to it, one that would leave less than itself goes half the way.
    fn length<S: System>(
        &mut self,
        (control, law): (&Control, &Law),
        stages: &mut Stages,
        system: &mut CountedSystem<'_, S>,
        from: (f64, &[f64]),
        remaining: f64,
    ) -> Result<f64, Failure<S::Error>> {
        let wanted = match self.wanted {
            Some(wanted) => wanted,
            None => control.guess(stages, law.order, system, from, remaining)?,
        };
        let wanted = wanted.min(control.max_step);
        self.wanted = Some(wanted);
        let way = remaining.abs();
        // times are rounded, so the longest step may be longer by as much
        Ok(if way <= (1.01 * wanted).min(control.max_step * (1.0 + 1e-9)) {
            remaining
        } else if way < 2.0 * wanted {
            0.5 * remaining
        } else {
            wanted.copysign(remaining)
        })
    }

    /// An attempt of length `h` came to no end; the next is shorter by this factor.
    pub(super) fn shorten(&mut self, h: f64, factor: f64) {
        self.wanted = Some(h.abs() * factor);
        self.rejected = true;
    }

    /// Wants the same length `h` again if the one wanted is hardly longer: what was factored for it
    /// still serves.
    pub(super) fn keep(&mut self, h: f64, growth: f64) {
        self.wanted = self.wanted.map(|wanted| {
            let same = wanted >= h.abs() && wanted <= growth * h.abs();
            if same { h.abs() } else { wanted }
        });
    }

    /// Whether the last attempt failed.
    pub(super) fn is_after_rejection(&self) -> bool {
        self.rejected
    }

    /// Judges a step of length `h` by its error, one being the largest that passes, and sets the
    /// next length. NaN does not pass.
    pub(super) fn judge(&mut self, law: &Law, h: f64, error: f64) -> bool {
        let passes = error <= 1.0;
        let factor = law.safety * error.powf(-law.exponent);
        let factor = if passes { factor * self.error.powf(law.memory) } else { factor };
        let factor = if error.is_finite() { factor.max(law.shrink) } else { law.shrink };
        let most = if passes && !self.rejected { law.grow } else { 1.0 };
        self.wanted = Some(match self.wanted {
            // a step cut short by the end says nothing against the length wanted before
            Some(wanted) if passes && factor >= law.grow => wanted.max(h.abs() * most),
            _ => h.abs() * factor.min(most),
        });
        if passes {
            self.error = error.max(NO_ERROR);
        }
        self.rejected = !passes;
        passes
    }
}
