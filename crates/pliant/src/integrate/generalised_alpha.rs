//! The generalised-alpha method for motions of second order, with a fixed step.

use super::failure::{Failure, SetupError};
use super::method::{Method, Span, Verdict, even_count, first_not_finite};
use super::second_order::{Moment, SecondOrder, Weights};
use super::state::StateVisitor;
use super::system::CountedSystem;
use crate::linear::Lu;
use std::ops::Range;

/// How often the iteration may go round.
const ROUNDS: usize = 12;

/// The iteration ends when what is left is this part of its first correction, which is of the size
/// of the method's own error.
const REMAINDER: f64 = 1e-8;

/// A correction below this part of the configuration is rounding, once it no longer shrinks.
const ROUNDING: f64 = 1e-9;

/// An iteration slower than this asks for new slopes.
const SLOW: f64 = 0.1;

/// The generalised-alpha method with a fixed step, for stiff structures: Chung (1993), in the form
/// of Arnold (2007) for configurations on manifolds.
///
/// With the acceleration-like `a`,
/// `(1-αₘ) a₁ + αₘ a₀ = (1-α_f) u̇₁ + α_f u̇₀`, (1)
/// `q₁ = q₀ ⊞ h (u₀ + h ((½-β) a₀ + β a₁))`, (2)
/// `u₁ = u₀ + h ((1-γ) a₀ + γ a₁)`, (3)
/// `r(t₁, q₁, u₁, u̇₁) = 0`. (4)
///
/// All four constants follow from the spectral radius `ρ`: what is far too fast for the step shrinks
/// by this factor with every step, while what is slow keeps its amplitude. The method is of order 2
/// and stable for every step: the stiffest mode of a structure does not bound it.
///
/// (4) is solved by Newton's iteration; the slopes are kept and factored again only when it becomes
/// slow or the step changes. The way to an end is divided evenly, as by
/// [`Rk4`](super::rk4::Rk4). Between the ends of a step stands the cubic through both states and
/// both rates, Hairer (II.6.7). Quadratures follow by the trapezoidal rule, which is of order 2 too.
#[derive(Clone, Debug, PartialEq)]
pub struct GeneralisedAlpha {
    step: f64,
    spectral_radius: f64,
}

impl GeneralisedAlpha {
    /// With steps of this length, in the unit of time, and a spectral radius of 0.8.
    pub fn new(step: f64) -> Self {
        Self { step, spectral_radius: 0.8 }
    }

    /// The factor, between 0 and 1, by which each step shrinks what is far too fast for it. One
    /// damps nothing; zero takes it away at once.
    #[must_use]
    pub fn spectral_radius(self, spectral_radius: f64) -> Self {
        Self { spectral_radius, ..self }
    }

    fn constants(&self) -> Constants {
        let rho = self.spectral_radius;
        // Chung (1993): the largest damping of the fast for the least of the slow
        let (mass, force) = ((2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0));
        let gamma = 0.5 + force - mass;
        Constants { mass, force, gamma, beta: 0.25 * (0.5 + gamma).powi(2) }
    }
}

/// `αₘ`, `α_f`, `γ` and `β`.
#[derive(Clone, Copy)]
struct Constants {
    mass: f64,
    force: f64,
    gamma: f64,
    beta: f64,
}

impl Constants {
    /// `a₁` from (1).
    fn filter(&self, a: f64, ud: f64, ud_new: f64) -> f64 {
        ((1.0 - self.force) * ud_new + self.force * ud - self.mass * a) / (1.0 - self.mass)
    }

    /// What a displacement adds to accelerations and velocities, from (1) to (3).
    fn weights(&self, h: f64) -> Weights {
        let share = (1.0 - self.mass) / (1.0 - self.force);
        Weights {
            acceleration: share / (self.beta * h * h),
            velocity: self.gamma / (self.beta * h),
        }
    }
}

/// The buffers of [`GeneralisedAlpha`].
pub struct Work {
    /// How many numbers `q` has.
    nq: usize,
    /// `u̇` before the last step and after it, and `a`.
    ud_before: Vec<f64>,
    ud: Vec<f64>,
    a: Vec<f64>,
    ud_new: Vec<f64>,
    /// `u̇` and `a` belong to the present state.
    is_known: bool,
    /// They have belonged to one before.
    has_history: bool,
    way: Vec<f64>,
    residual: Vec<f64>,
    change: Vec<f64>,
    lu: Lu<f64>,
    /// The length for which the matrix is factored.
    factored: Option<f64>,
    /// Of the whole state, for the start of a run.
    rates: Vec<f64>,
    /// `q̇` at both ends of the last step.
    ends: [Vec<f64>; 2],
    /// `ẇ` at both ends of the last step.
    sums: [Vec<f64>; 2],
}

/// What the iteration came to.
enum Iterated {
    /// The largest quotient of two corrections.
    Converged {
        pace: f64,
    },
    Diverged,
}

impl Work {
    fn new(nq: usize, n: usize, sums: usize) -> Self {
        let numbers = || vec![0.0; n];
        Self {
            nq,
            ud_before: numbers(),
            ud: numbers(),
            a: numbers(),
            ud_new: numbers(),
            is_known: false,
            has_history: false,
            way: numbers(),
            residual: numbers(),
            change: numbers(),
            lu: Lu::new(n),
            factored: None,
            rates: vec![0.0; nq + n + sums],
            ends: [(); 2].map(|()| vec![0.0; nq]),
            sums: [(); 2].map(|()| vec![0.0; sums]),
        }
    }

    /// Where the velocities are in the state.
    fn velocities(&self) -> Range<usize> {
        self.nq..self.nq + self.ud.len()
    }

    /// Makes sure of the acceleration at the start. When something jumped, `a` jumps with it.
    fn begin<S: SecondOrder>(
        &mut self,
        system: &mut CountedSystem<'_, S>,
        t: f64,
        y: &[f64],
    ) -> Result<(), Failure<S::Error>> {
        if self.is_known {
            return Ok(());
        }
        system.rates(t, y, &mut self.rates)?;
        if let Some(component) = first_not_finite(&self.rates) {
            return Err(Failure::RateNotFinite { time: t, component });
        }
        let fresh = self.velocities();
        self.sums[1].copy_from_slice(&self.rates[fresh.end..]);
        for (i, &ud) in self.rates[fresh].iter().enumerate() {
            let lead = if self.has_history { self.a[i] - self.ud[i] } else { 0.0 };
            (self.ud[i], self.a[i]) = (ud, ud + lead);
        }
        (self.is_known, self.has_history, self.factored) = (true, true, None);
        Ok(())
    }

    /// Starts with the acceleration of the last step.
    fn predict<S: SecondOrder>(
        &mut self,
        constants: &Constants,
        system: &mut CountedSystem<'_, S>,
        (y, h): (&[f64], f64),
        new: &mut [f64],
    ) {
        let (nq, velocities) = (self.nq, self.velocities());
        let Constants { gamma, beta, .. } = *constants;
        self.ud_new.copy_from_slice(&self.ud);
        let ends = y[velocities.clone()].iter().zip(&mut new[velocities]);
        for (i, (&u, u_new)) in ends.enumerate() {
            let (a, a_new) = (self.a[i], constants.filter(self.a[i], self.ud[i], self.ud[i]));
            self.way[i] = h * (u + h * ((0.5 - beta) * a + beta * a_new));
            *u_new = u + h * ((1.0 - gamma) * a + gamma * a_new);
        }
        new[..nq].copy_from_slice(&y[..nq]);
        system.system().displace(&mut new[..nq], &self.way);
    }

    /// Newton's iteration for (4). Corrections are measured by the work of what is left of the
    /// forces along them, which mixes no units.
    fn iterate<S: SecondOrder>(
        &mut self,
        system: &mut CountedSystem<'_, S>,
        (t, y): (f64, &[f64]),
        weights: Weights,
        new: &mut [f64],
    ) -> Result<Iterated, Failure<S::Error>> {
        let (nq, velocities) = (self.nq, self.velocities());
        let (mut first, mut size_before, mut slowest) = (0.0, 0.0, 0.0_f64);
        for round in 1..=ROUNDS {
            let (q, u) = new[..velocities.end].split_at_mut(nq);
            system.residual(&Moment { t, q, u, ud: &self.ud_new }, &mut self.residual)?;
            self.change.copy_from_slice(&self.residual);
            self.lu.solve(&mut self.change);
            let (mut work, mut largest, mut extent) = (0.0, 0.0_f64, 0.0_f64);
            for (i, change) in self.change.iter().enumerate() {
                work += change * self.residual[i];
                self.way[i] -= change;
                u[i] -= weights.velocity * change;
                self.ud_new[i] -= weights.acceleration * change;
                (largest, extent) = (largest.max(change.abs()), extent.max(self.way[i].abs()));
            }
            q.copy_from_slice(&y[..nq]);
            system.system().displace(q, &self.way);
            let size = work.abs().sqrt();
            if size == 0.0 {
                return Ok(Iterated::Converged { pace: slowest });
            }
            if round == 1 {
                first = size;
            } else {
                let pace = size / size_before;
                let extent = y[..nq].iter().fold(extent, |most, q| most.max(q.abs()));
                let is_rounding = pace > 0.3 && largest <= ROUNDING * extent;
                if is_rounding || (pace < 1.0 && pace / (1.0 - pace) * size <= REMAINDER * first) {
                    return Ok(Iterated::Converged { pace: slowest });
                }
                slowest = slowest.max(pace);
                if pace.is_nan() || pace >= 0.9 {
                    return Ok(Iterated::Diverged);
                }
            }
            if !size.is_finite() {
                return Ok(Iterated::Diverged);
            }
            size_before = size;
        }
        Ok(Iterated::Diverged)
    }

    /// Adds to the quadratures what the step gives, once the motion at its end is known.
    fn add_up<S: SecondOrder>(
        &mut self,
        system: &mut CountedSystem<'_, S>,
        (t, h): (f64, f64),
        y: &[f64],
        new: &mut [f64],
    ) -> Result<(), Failure<S::Error>> {
        let (motion, w) = new.split_at_mut(self.velocities().end);
        let (q, u) = motion.split_at(self.nq);
        self.sums.swap(0, 1);
        let [first, last] = &mut self.sums;
        system.quadrature_rates(&Moment { t: t + h, q, u, ud: &self.ud_new }, last)?;
        let ends = first.iter().zip(last.iter());
        for ((w_new, w), (first, last)) in w.iter_mut().zip(&y[motion.len()..]).zip(ends) {
            *w_new = w + 0.5 * h * (first + last);
        }
        Ok(())
    }

    /// What is left of (4).
    fn remainder(&self) -> Verdict {
        let nq = self.nq;
        let size = |i: &usize| self.residual[*i].abs();
        let worst = (0..self.residual.len()).max_by(|i, j| size(i).total_cmp(&size(j)));
        let worst = worst.unwrap_or(0);
        Verdict::NotConverged { residual: size(&worst), component: nq + worst }
    }
}

impl<S: SecondOrder> Method<S> for GeneralisedAlpha {
    type Work = Work;

    fn prepare(&self, system: &S, dimension: usize) -> Result<Work, SetupError> {
        SetupError::unless_positive("the step", self.step)?;
        if !(0.0..=1.0).contains(&self.spectral_radius) {
            return Err(SetupError::SpectralRadius { value: self.spectral_radius });
        }
        if !system.has_residual() {
            return Err(SetupError::NoResidual);
        }
        let (n, sums) = (system.velocity_count(), system.quadrature_count());
        Ok(Work::new(dimension - n - sums, n, sums))
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

    fn attempt(
        &self,
        work: &mut Work,
        system: &mut CountedSystem<'_, S>,
        t: f64,
        y: &[f64],
        h: f64,
        new: &mut [f64],
    ) -> Result<Verdict, Failure<S::Error>> {
        let (constants, end) = (self.constants(), t + h);
        let weights = constants.weights(h);
        work.begin(system, t, y)?;
        // times are rounded, and so are steps
        let mut is_old = work.factored.is_some_and(|old| (old - h).abs() <= 1e-6 * h.abs());
        loop {
            work.predict(&constants, system, (y, h), new);
            if !is_old {
                let (q, u) = new[..work.velocities().end].split_at(work.nq);
                let at = Moment { t: end, q, u, ud: &work.ud_new };
                system.iteration_matrix(&at, weights, work.lu.entries())?;
                work.factored = work.lu.factor().then_some(h);
                if work.factored.is_none() {
                    return Ok(work.remainder());
                }
            }
            match work.iterate(system, (end, y), weights, new)? {
                Iterated::Converged { pace } => {
                    if is_old && pace > SLOW {
                        work.factored = None;
                    }
                    break;
                }
                // with new slopes, once
                Iterated::Diverged if is_old => is_old = false,
                Iterated::Diverged => {
                    work.factored = None;
                    return Ok(work.remainder());
                }
            }
        }
        work.add_up(system, (t, h), y, new)?;
        if let Some(component) = first_not_finite(new) {
            return Ok(Verdict::NotFinite { component });
        }
        for i in 0..work.ud.len() {
            work.a[i] = constants.filter(work.a[i], work.ud[i], work.ud_new[i]);
            work.ud_before[i] = work.ud[i];
            work.ud[i] = work.ud_new[i];
        }
        Ok(Verdict::Accepted)
    }

    fn restart(&self, work: &mut Work) {
        work.is_known = false;
    }

    fn visit_state(&self, work: &mut Work, state: &mut StateVisitor<'_>) {
        state.flag(&mut work.is_known);
        state.flag(&mut work.has_history);
        state.numbers(&mut work.ud);
        state.numbers(&mut work.a);
        state.numbers(&mut work.sums[1]);
        // the matrix is that of an earlier instant
        let Work { factored, lu, .. } = work;
        state.option(
            factored,
            || 0.0,
            |state, length| {
                state.number(length);
                let (entries, pivots) = lu.factors();
                state.numbers(entries);
                let count = pivots.len();
                for pivot in pivots {
                    state.index(pivot, count);
                }
            },
        );
    }

    fn complete(
        &self,
        work: &mut Work,
        system: &mut CountedSystem<'_, S>,
        span: &Span<'_>,
    ) -> Result<(), Failure<S::Error>> {
        let velocities = work.velocities();
        for (state, rates) in [span.before, span.after].into_iter().zip(&mut work.ends) {
            let (q, u) = state[..velocities.end].split_at(velocities.start);
            system.system().configuration_rates(q, u, rates);
        }
        Ok(())
    }

    fn interpolate(&self, work: &Work, span: &Span<'_>, theta: f64, out: &mut [f64]) {
        let velocities = work.velocities();
        let (motion, w) = out.split_at_mut(velocities.end);
        let (q, u) = motion.split_at_mut(velocities.start);
        let ([q_first, q_last], [w_first, w_last]) = (&work.ends, &work.sums);
        span.hermite(0, (q_first, q_last), theta, q);
        span.hermite(velocities.start, (&work.ud_before, &work.ud), theta, u);
        span.hermite(velocities.end, (w_first, w_last), theta, w);
    }
}
