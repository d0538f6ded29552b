//! The loop over steps, driven by its caller.

use super::failure::{Failure, SetupError};
use super::method::{Method, Span, Verdict, first_not_finite};
use super::state::{StateVisitor, Stateful};
use super::system::{CountedSystem, System};
use serde::{Deserialize, Serialize};

/// Carries a state through time, one accepted step after another.
///
/// It goes forwards or backwards, wherever the end lies, and lands on it exactly; the next call may
/// name another end. After a failure it stands at its last accepted step. Once made, it allocates
/// nothing.
pub struct Stepper<S: System, M: Method<S>> {
    system: S,
    method: M,
    work: M::Work,
    time: f64,
    state: Vec<f64>,
    /// The time and the state before the last step.
    start: f64,
    before: Vec<f64>,
    /// A state between two steps.
    sample: Vec<f64>,
    statistics: Statistics,
}

/// What a run has cost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Statistics {
    /// Accepted steps.
    pub steps: usize,
    /// Rejected attempts.
    pub rejected: usize,
    /// Evaluations of the rates, those for interpolants and for the first step included.
    pub evaluations: usize,
    /// The accepted steps that were implicit, of a method that makes both kinds.
    #[serde(default, skip_serializing_if = "is_none")]
    pub implicit_steps: usize,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_none(count: &usize) -> bool {
    *count == 0
}

impl Statistics {
    /// The accepted steps, for people: `523`, or `523 (12 implicit)`.
    pub fn describe_steps(&self) -> String {
        let Self { steps, implicit_steps, .. } = self;
        if *implicit_steps == 0 {
            return steps.to_string();
        }
        format!("{steps} ({implicit_steps} implicit)")
    }
}

impl<S: System, M: Method<S>> Stateful for Stepper<S, M> {
    /// Time, state, what the method remembers, and what the run has cost; not the system's own
    /// state, if it has one.
    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        state.finite(std::slice::from_mut(&mut self.time));
        state.finite(&mut self.state);
        self.method.visit_state(&mut self.work, state);
        let Statistics { steps, rejected, evaluations, .. } = &mut self.statistics;
        for count in [steps, rejected, evaluations] {
            state.size(count);
        }
    }
}

impl<S: System, M: Method<S>> Stepper<S, M> {
    /// Stands at `state` at `time`. Evaluates nothing yet.
    pub fn new(system: S, method: M, time: f64, state: &[f64]) -> Result<Self, SetupError> {
        check_start(time, state)?;
        Ok(Self {
            work: method.prepare(&system, state.len())?,
            system,
            method,
            time,
            state: state.to_vec(),
            start: time,
            before: state.to_vec(),
            sample: state.to_vec(),
            statistics: Statistics::default(),
        })
    }

    /// The time reached.
    pub fn time(&self) -> f64 {
        self.time
    }

    /// The state reached.
    pub fn state(&self) -> &[f64] {
        &self.state
    }

    /// How it makes steps.
    pub fn method(&self) -> &M {
        &self.method
    }

    /// What the run has cost so far.
    pub fn statistics(&self) -> Statistics {
        let implicit_steps = self.method.implicit_steps(&self.work);
        let implicit_steps = usize::try_from(implicit_steps).unwrap_or(usize::MAX);
        Statistics { implicit_steps, ..self.statistics }
    }

    /// The system.
    pub fn system(&self) -> &S {
        &self.system
    }

    /// The system, to be changed: the next step starts with fresh rates. Land on the time of the
    /// change first.
    pub fn system_mut(&mut self) -> &mut S {
        self.method.restart(&mut self.work);
        &mut self.system
    }

    /// Goes on from another time and state, after an impact for example. The length of the steps
    /// is kept. A state of another length panics.
    pub fn restart(&mut self, time: f64, state: &[f64]) -> Result<(), SetupError> {
        check_start(time, state)?;
        self.method.restart(&mut self.work);
        self.time = time;
        self.state.copy_from_slice(state);
        Ok(())
    }

    /// Makes one step towards `end`, not beyond it. Nothing is left to do when it is reached.
    ///
    /// The caller drives the loop: it may stop, report progress, or name another end each time.
    pub fn step(&mut self, end: f64) -> Result<Option<Step<'_, S, M>>, Failure<S::Error>> {
        if !end.is_finite() {
            return Err(Failure::TimeOutOfOrder { time: end, previous: self.time });
        }
        if end == self.time {
            return Ok(None);
        }
        let (t, remaining) = (self.time, end - self.time);
        let mut counted = CountedSystem {
            system: &mut self.system,
            evaluations: &mut self.statistics.evaluations,
        };
        let mut rejected: Option<(f64, Verdict)> = None;
        let h = loop {
            let h = self.method.length(&mut self.work, &mut counted, t, &self.state, remaining)?;
            let is_short = h != remaining && h.abs() <= 10.0 * f64::EPSILON * t.abs();
            match rejected {
                Some((step, verdict)) if is_short || h.abs() >= step.abs() => {
                    return Err(give_up(t, step, verdict));
                }
                None if h != remaining && t + h == t => {
                    return Err(Failure::NoProgress { time: t, step: h });
                }
                _ => {}
            }
            let new = &mut self.before;
            match self.method.attempt(&mut self.work, &mut counted, t, &self.state, h, new)? {
                Verdict::Accepted => break h,
                verdict => rejected = Some((h, verdict)),
            }
            self.statistics.rejected += 1;
        };
        std::mem::swap(&mut self.state, &mut self.before);
        self.start = t;
        self.time = if h == remaining { end } else { t + h };
        self.statistics.steps += 1;
        self.system.project(self.time, &mut self.state);
        Ok(Some(Step { stepper: self }))
    }

    /// Makes steps until `end` is reached.
    pub fn advance(&mut self, end: f64) -> Result<(), Failure<S::Error>> {
        let attempts = self.attempts();
        while self.step(end)?.is_some() {
            self.check_attempts(attempts, end)?;
        }
        Ok(())
    }

    /// Makes steps until the last of the times and visits the state at each of them, interpolating
    /// where they lie between two steps. The times follow the present one in order, in either
    /// direction.
    pub fn sample(
        &mut self,
        times: &[f64],
        mut visit: impl FnMut(f64, &[f64]),
    ) -> Result<(), Failure<S::Error>> {
        let Some(&end) = times.last() else {
            return Ok(());
        };
        let direction = (end - self.time).signum();
        let mut previous = self.time;
        for &time in times {
            if !time.is_finite() || (time - previous) * direction < 0.0 {
                return Err(Failure::TimeOutOfOrder { time, previous });
            }
            previous = time;
        }
        let attempts = self.attempts();
        let mut waiting = times.iter().copied().peekable();
        loop {
            let reached = self.time;
            while let Some(time) = waiting.next_if(|&time| (reached - time) * direction >= 0.0) {
                if time == reached {
                    visit(time, &self.state);
                } else {
                    let mut sample = std::mem::take(&mut self.sample);
                    let dense = Step { stepper: &mut *self }
                        .dense()
                        .map(|dense| dense.at(time, &mut sample));
                    self.sample = sample;
                    dense?;
                    self.system.project(time, &mut self.sample);
                    visit(time, &self.sample);
                }
            }
            if waiting.peek().is_none() {
                return Ok(());
            }
            self.step(end)?;
            self.check_attempts(attempts, end)?;
        }
    }

    fn attempts(&self) -> usize {
        self.statistics.steps + self.statistics.rejected
    }

    /// Counts from a number of attempts made before.
    fn check_attempts(&self, before: usize, end: f64) -> Result<(), Failure<S::Error>> {
        let steps = self.attempts() - before;
        if steps < self.method.max_steps() || self.time == end {
            return Ok(());
        }
        Err(Failure::TooManySteps { time: self.time, end, step: self.time - self.start, steps })
    }
}

fn check_start(time: f64, state: &[f64]) -> Result<(), SetupError> {
    if !time.is_finite() {
        return Err(SetupError::NotFinite { what: "time".to_owned(), value: time });
    }
    match first_not_finite(state) {
        Some(i) => Err(SetupError::NotFinite { what: format!("component {i}"), value: state[i] }),
        None => Ok(()),
    }
}

fn give_up<E: std::error::Error>(time: f64, step: f64, verdict: Verdict) -> Failure<E> {
    match verdict {
        Verdict::NotFinite { component } => Failure::NotFinite { time, step, component },
        Verdict::Inaccurate { component } => Failure::StepTooSmall { time, step, component },
        Verdict::NotConverged { residual, component } => {
            Failure::NotConverged { time, step, residual, component }
        }
        Verdict::Accepted => unreachable!("an accepted step is not given up"),
    }
}

/// A step just made.
pub struct Step<'a, S: System, M: Method<S>> {
    stepper: &'a mut Stepper<S, M>,
}

impl<S: System, M: Method<S>> Step<'_, S, M> {
    /// The two times and the states there.
    pub fn span(&self) -> Span<'_> {
        span(self.stepper)
    }

    /// Writes the state at a time within the step, brought back to its manifold: a state from which
    /// a run may go on. Panics when `out` has another length than the state.
    pub fn state_at(&mut self, time: f64, out: &mut [f64]) -> Result<(), Failure<S::Error>> {
        self.dense()?.at(time, out);
        self.stepper.system.project(time, out);
        Ok(())
    }

    /// The motion within the step. Methods pay for it at the first call, in evaluations.
    pub fn dense(&mut self) -> Result<Dense<'_, S, M>, Failure<S::Error>> {
        let Stepper { system, method, work, statistics, start, time, before, state, .. } =
            &mut *self.stepper;
        let span = Span { start: *start, end: *time, before, after: state };
        let mut counted = CountedSystem { system, evaluations: &mut statistics.evaluations };
        method.complete(work, &mut counted, &span)?;
        Ok(Dense { stepper: self.stepper })
    }
}

fn span<S: System, M: Method<S>>(stepper: &Stepper<S, M>) -> Span<'_> {
    let Stepper { start, time, before, state, .. } = stepper;
    Span { start: *start, end: *time, before, after: state }
}

/// The motion within a step.
pub struct Dense<'a, S: System, M: Method<S>> {
    stepper: &'a Stepper<S, M>,
}

impl<S: System, M: Method<S>> Dense<'_, S, M> {
    /// The two times and the states there.
    pub fn span(&self) -> Span<'_> {
        span(self.stepper)
    }

    /// Writes the state at a time within the step; at its ends, exactly the states there. The state
    /// in between is that of the interpolant, which may leave its manifold by as much as the
    /// method's error. Panics when `out` has another length than the state.
    pub fn at(&self, time: f64, out: &mut [f64]) {
        let span = self.span();
        if time == span.start {
            out.copy_from_slice(span.before);
        } else if time == span.end {
            out.copy_from_slice(span.after);
        } else {
            assert_eq!(out.len(), span.after.len(), "the state has another length");
            let theta = (time - span.start) / span.length();
            self.stepper.method.interpolate(&self.stepper.work, &span, theta, out);
        }
    }
}
