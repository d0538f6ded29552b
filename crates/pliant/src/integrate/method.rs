//! What a method is asked by the stepper.

use super::failure::{Failure, SetupError};
use super::state::StateVisitor;
use super::system::{CountedSystem, System};

/// A way to make steps.
///
/// The stepper owns time, the state and the loop; a method owns one attempt at a step and the choice
/// of its length. The method itself is its settings; all that changes is in its workspace.
/// What a method needs beyond rates it asks of `S`: one for `M u̇ + bias = τ` is a method for systems
/// that can give these.
pub trait Method<S: System> {
    /// Buffers, and what is remembered of earlier steps.
    type Work;

    /// Checks the settings and makes a workspace for a system whose states have `dimension`
    /// numbers. Nothing else of a method allocates.
    fn prepare(&self, system: &S, dimension: usize) -> Result<Self::Work, SetupError>;

    /// How many attempts may be made on the way to one end.
    fn max_steps(&self) -> usize {
        usize::MAX
    }

    /// The signed length of the next attempt from `y` at `t`, at most `remaining`. When it equals
    /// `remaining`, the step ends exactly at the end.
    fn length(
        &self,
        work: &mut Self::Work,
        system: &mut CountedSystem<'_, S>,
        t: f64,
        y: &[f64],
        remaining: f64,
    ) -> Result<f64, Failure<S::Error>>;

    /// Tries a step of length `h` from `y` at `t`, writes the state at its end, and judges it. After
    /// a rejection the stepper asks for a shorter length, and ends the run when it gets none.
    fn attempt(
        &self,
        work: &mut Self::Work,
        system: &mut CountedSystem<'_, S>,
        t: f64,
        y: &[f64],
        h: f64,
        new: &mut [f64],
    ) -> Result<Verdict, Failure<S::Error>>;

    /// How many of the steps so far were implicit, of a method that makes both kinds.
    fn implicit_steps(&self, work: &Self::Work) -> u64 {
        let _ = work;
        0
    }

    /// The longest step in a vibration without damping that does not make it grow, in radians, of an
    /// explicit method that does not choose its own steps.
    fn longest_stable_step(&self) -> Option<f64> {
        None
    }

    /// Forgets what is known of the rates: the system or the state has jumped.
    fn restart(&self, work: &mut Self::Work);

    /// Visits all that the next step needs of those before; what only looking into the last step
    /// needs is left out.
    fn visit_state(&self, work: &mut Self::Work, state: &mut StateVisitor<'_>);

    /// Prepares to interpolate over the step just accepted. Asked once or more for the steps that
    /// are looked into, never for the others.
    fn complete(
        &self,
        work: &mut Self::Work,
        system: &mut CountedSystem<'_, S>,
        span: &Span<'_>,
    ) -> Result<(), Failure<S::Error>>;

    /// Writes the state at the fraction `theta` of the step, after [`complete`](Self::complete).
    fn interpolate(&self, work: &Self::Work, span: &Span<'_>, theta: f64, out: &mut [f64]);
}

/// What became of an attempt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Verdict {
    /// The step is made.
    Accepted,
    /// The error is too large, most of all in this component.
    Inaccurate {
        /// Its index.
        component: usize,
    },
    /// This component of the new state is NaN or infinite.
    NotFinite {
        /// Its index.
        component: usize,
    },
    /// The equations of an implicit method were not solved.
    NotConverged {
        /// What is left of them, in the units of the method.
        residual: f64,
        /// Where most of it is left.
        component: usize,
    },
}

/// An accepted step: two times and the states there.
#[derive(Clone, Copy, Debug)]
pub struct Span<'a> {
    /// When it starts.
    pub start: f64,
    /// When it ends.
    pub end: f64,
    /// The state at its start.
    pub before: &'a [f64],
    /// The state at its end, on its manifold.
    pub after: &'a [f64],
}

impl Span<'_> {
    /// The signed length.
    pub fn length(&self) -> f64 {
        self.end - self.start
    }

    /// Of the cubic through both states and both rates, `y₀ + θ(Δ + (1-θ)(l + θ r))`, the
    /// coefficients `Δ`, `l` and `r` of a component, for a step of length `h`.
    pub(super) fn cubic(&self, i: usize, (first, last): (&[f64], &[f64]), h: f64) -> [f64; 3] {
        let rise = self.after[i] - self.before[i];
        let left = h * first[i] - rise;
        [rise, left, rise - h * last[i] - left]
    }

    /// Writes the cubic through both states and both rates, Hairer (II.6.7), at the fraction `theta`
    /// of the step, for the components from `offset` on.
    pub(super) fn hermite(
        &self,
        offset: usize,
        (first, last): (&[f64], &[f64]),
        theta: f64,
        out: &mut [f64],
    ) {
        let (s, r, h) = (theta, 1.0 - theta, self.length());
        let (before, after) = (&self.before[offset..], &self.after[offset..]);
        for (i, out) in out.iter_mut().enumerate() {
            let (y, rise) = (before[i], after[i] - before[i]);
            // y₀ + θ Δ + θ (1-θ) ((1-θ)(h f₀ - Δ) + θ (Δ - h f₁))
            let bend = r * (h * first[i] - rise) + s * (rise - h * last[i]);
            *out = y + s * (rise + r * bend);
        }
    }
}

/// How many equal steps no longer than `step` make up the way.
pub(super) fn even_count(way: f64, step: f64) -> f64 {
    // times are rounded, so a step may be longer by as much
    (way.abs() / step * (1.0 - 1e-9)).ceil().max(1.0)
}

/// The first entry that is NaN or infinite.
pub(super) fn first_not_finite(numbers: &[f64]) -> Option<usize> {
    numbers.iter().position(|number| !number.is_finite())
}
