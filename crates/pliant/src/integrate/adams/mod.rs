//! The Adams methods of variable order and step, as predictor and corrector.

mod differences;

use super::control::{Control, Law, Pacing};
use super::failure::{Failure, SetupError};
use super::method::{Method, Span, Verdict, first_not_finite};
use super::stages::Stages;
use super::state::{StateVisitor, Stateful};
use super::system::{CountedSystem, System};
use differences::{Differences, MOST_ORDER};
use std::ops::RangeInclusive;

/// The error of an order rises and falls with one power more of the step.
fn law(order: usize) -> Law {
    let power = order as f64 + 1.0;
    let safety = 0.5_f64.powf(1.0 / power);
    let shrink = if order == 1 { 0.1 } else { 0.5 };
    Law { order: power, exponent: 1.0 / power, memory: 0.0, safety, shrink, grow: 2.0 }
}

/// Steps grow at once to twice their length or not at all.
const HARDLY_LONGER: f64 = 1.999;

/// After a step so many times shorter than the next, the rounding of its rates would be extrapolated.
const SLIVER: f64 = 100.0;

/// After so many rejections in a row the past says nothing about the future.
const REJECTIONS: u32 = 3;

/// The Adams methods of the orders 1 to 12 with steps of any length, as in Shampine and Gordon
/// (1975): Hairer, sections III.5 and III.7.
///
/// The rates at the last `k` steps predict the next state, `p = yₙ + h Σⱼ gⱼ Φ*ⱼ(n)`, the rate there
/// corrects it, `yₙ₊₁ = p + h gₖ Φₖ(n+1)`, and the rate at the corrected state is evaluated once
/// more: two evaluations per step at any order. The predictor is of order `k`, the state kept of
/// order `k + 1`, and the difference from the corrector of order `k` is the estimated error. The
/// step and the order follow from the estimates of the orders nearby; a run starts with order 1 and
/// short steps, and does so again after each discontinuity.
///
/// The interpolant is the integral of the polynomial that the corrector integrates. It joins the
/// states and costs no evaluations.
///
/// For smooth motions that nothing interrupts, where rates are expensive and tolerances tight.
#[derive(Clone, Debug, PartialEq)]
pub struct Adams {
    control: Control,
    least: usize,
    most: usize,
}

impl Adams {
    /// With a tolerance, or a whole [`Control`].
    pub fn new(control: impl Into<Control>) -> Self {
        Self { control: control.into(), least: 1, most: MOST_ORDER }
    }

    /// The orders of the predictor between which it chooses once it has reached the lowest of them,
    /// from 1 to 12; all of them unless told.
    #[must_use]
    pub fn orders(mut self, orders: RangeInclusive<usize>) -> Self {
        (self.least, self.most) = orders.into_inner();
        self
    }

    /// The root mean square of `length · error / scale`.
    fn size(&self, length: f64, error: &[f64], before: &[f64], after: &[f64]) -> f64 {
        length.abs() * self.control.mean_square(error, before, after).sqrt()
    }

    /// The length that the errors so far ask for.
    fn wanted<S: System>(
        &self,
        work: &mut Work,
        system: &mut CountedSystem<'_, S>,
        from: (f64, &[f64]),
        remaining: f64,
    ) -> Result<f64, Failure<S::Error>> {
        work.pacing.length((&self.control, &law(work.order)), system, from, remaining)
    }

    /// Makes sure of the rate at the start of a step, and lets the step before it choose the order
    /// and the length of the next.
    fn arrive<S: System>(
        &self,
        work: &mut Work,
        system: &mut CountedSystem<'_, S>,
        t: f64,
        y: &[f64],
    ) -> Result<(), Failure<S::Error>> {
        work.pacing.stages.begin(system, t, y)?;
        let Some(made) = work.made.take() else {
            if work.past.is_empty() {
                work.past.begin(t, work.pacing.stages.rates(0));
            }
            return Ok(());
        };
        work.past.push(t, work.pacing.stages.rates(0));
        let ([_, lower, same], order) = (made.errors, work.order);
        let higher = (order < self.most && work.past.len() > order + 1).then(|| {
            let share = made.step * made.next_share;
            self.size(share, work.past.difference(order + 1), y, y)
        });
        // order 1 is left only for one that is twice as good
        let good = if order == 1 { 0.5 * same } else { same };
        let may_fall = order > self.least;
        let (order, error) = match higher {
            _ if may_fall && made.is_lower_better => (order - 1, lower),
            _ if work.is_starting || order < self.least => (order + 1, same),
            Some(higher) if may_fall && lower <= same.min(higher) => (order - 1, lower),
            Some(higher) if higher < good => (order + 1, higher),
            _ => (order, same),
        };
        work.is_starting &= order > work.order && order < self.most;
        work.order = order.clamp(1, self.most);
        work.pacing.memory.judge(&law(work.order), made.step, error.min(1.0));
        work.pacing.memory.keep(made.step, HARDLY_LONGER);
        Ok(())
    }
}

/// A step made whose end has not been looked at.
#[derive(Default)]
struct Made {
    /// Its length.
    step: f64,
    /// The errors of the two orders below, and of its own.
    errors: [f64; 3],
    /// The error of the order above is this share of the step times the next difference.
    next_share: f64,
    is_lower_better: bool,
}

/// The buffers of [`Adams`].
pub struct Work {
    pacing: Pacing,
    past: Differences,
    /// Of the predictor.
    order: usize,
    /// The order still rises with every step.
    is_starting: bool,
    made: Option<Made>,
    rejections: u32,
    /// The next difference that the predicted rate makes, `Φₖ(n+1)`.
    change: Vec<f64>,
    /// A difference of an order nearby; while a step is looked into, what its end differs by from
    /// the interpolant.
    spare: Vec<f64>,
}

impl Work {
    /// Nothing is known but the present rate, if that.
    fn start_again(&mut self) {
        self.past.shorten();
        self.order = 1;
        self.is_starting = true;
        self.made = None;
        self.rejections = 0;
    }
}

impl<S: System> Method<S> for Adams {
    type Work = Work;

    fn prepare(&self, _: &S, dimension: usize) -> Result<Work, SetupError> {
        self.control.check(dimension)?;
        if !(1..=self.most.min(MOST_ORDER)).contains(&self.least) || self.most > MOST_ORDER {
            return Err(SetupError::Orders { least: self.least, most: self.most });
        }
        Ok(Work {
            pacing: Pacing::new(&self.control, Stages::new(2, dimension)),
            past: Differences::new(dimension),
            order: 1,
            is_starting: true,
            made: None,
            rejections: 0,
            change: vec![0.0; dimension],
            spare: vec![0.0; dimension],
        })
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
        self.arrive(work, system, t, y)?;
        let from = (t, y);
        let h = self.wanted(work, system, from, remaining)?;
        let Some(last) = work.past.last_step() else { return Ok(h) };
        if last * remaining < 0.0 || h.abs() > SLIVER * last.abs() {
            work.start_again();
            work.pacing.memory.forget(&self.control);
            work.past.begin(t, work.pacing.stages.rates(0));
            return self.wanted(work, system, from, remaining);
        }
        // one that an end cut short tells little about one that is much longer
        Ok(if h.abs() > 2.01 * last.abs() { 2.0 * last } else { h })
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
        let Work { past, order, pacing, change, spare, .. } = work;
        let k = *order;
        past.look_ahead(h, k);
        let g = past.integrals(1.0);
        past.sum(&g[..k], spare);
        for ((new, y), slope) in new.iter_mut().zip(y).zip(&*spare) {
            *new = y + h * slope;
        }
        system.rates(t + h, new, change)?;
        let mut fault = first_not_finite(change);
        // Φₖ(n+1) = f - Σ Φ*ⱼ(n)
        past.sum(&[1.0; MOST_ORDER][..k], spare);
        for ((change, sum), new) in change.iter_mut().zip(&*spare).zip(&mut *new) {
            *change -= sum;
            *new += h * g[k] * *change;
        }
        fault = fault.or_else(|| first_not_finite(new));
        let error =
            |order: usize, change: &[f64]| self.size(h * (g[order] - g[order - 1]), change, y, new);
        let same = if fault.is_some() { f64::INFINITY } else { error(k, change) };
        if same.is_nan() || same > 1.0 {
            pacing.memory.judge(&law(k), h, same);
            work.rejections += 1;
            work.is_starting &= k == 1;
            if work.rejections >= REJECTIONS {
                work.start_again();
            }
            return Ok(match fault {
                Some(component) => Verdict::NotFinite { component },
                None => Verdict::Inaccurate { component: self.control.worst(&work.change, y, new) },
            });
        }
        // Φⱼ(n+1) = Φⱼ₊₁(n+1) + Φ*ⱼ(n)
        spare.copy_from_slice(change);
        let mut errors = [f64::INFINITY, f64::INFINITY, same];
        for below in 1..k.min(3) {
            past.add(k - below, spare);
            errors[2 - below] = error(k - below, spare);
        }
        let [lowest, lower, _] = errors;
        let is_lower_better = match k {
            1 => false,
            2 => lower <= 0.5 * same,
            _ => lower.max(lowest) <= same,
        };
        let next_share = g[k + 1] - g[k];
        work.made = Some(Made { step: h, errors, next_share, is_lower_better });
        work.rejections = 0;
        work.pacing.stages.move_on();
        Ok(Verdict::Accepted)
    }

    fn restart(&self, work: &mut Work) {
        work.start_again();
        work.past.clear();
        work.pacing.stages.move_on();
        work.pacing.memory.forget(&self.control);
    }

    fn visit_state(&self, work: &mut Work, state: &mut StateVisitor<'_>) {
        let mut above = work.order - 1;
        state.index(&mut above, self.most);
        work.order = above + 1;
        state.flag(&mut work.is_starting);
        state.option(&mut work.made, Made::default, |state, made| {
            state.finite(std::slice::from_mut(&mut made.step));
            state.numbers(&mut made.errors);
            state.number(&mut made.next_share);
            state.flag(&mut made.is_lower_better);
        });
        work.pacing.visit_state(state);
        work.past.visit_state(state);
    }

    fn complete(
        &self,
        work: &mut Work,
        _: &mut CountedSystem<'_, S>,
        span: &Span<'_>,
    ) -> Result<(), Failure<S::Error>> {
        let Work { past, order, change, spare, .. } = work;
        let g = past.integrals(1.0);
        past.sum(&g[..*order], spare);
        for (i, shift) in spare.iter_mut().enumerate() {
            let reached = span.before[i] + span.length() * (*shift + g[*order] * change[i]);
            *shift = span.after[i] - reached;
        }
        Ok(())
    }

    fn interpolate(&self, work: &Work, span: &Span<'_>, theta: f64, out: &mut [f64]) {
        let g = work.past.integrals(theta);
        work.past.sum(&g[..work.order], out);
        for (i, out) in out.iter_mut().enumerate() {
            let slope = *out + g[work.order] * work.change[i];
            *out = span.before[i] + span.length() * slope + theta * work.spare[i];
        }
    }
}
