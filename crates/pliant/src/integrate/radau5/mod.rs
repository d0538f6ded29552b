//! Radau IIA of order 5, implicit, for stiff systems, after the code RADAU5 of Hairer and Wanner.

mod coefficients;

use super::control::{Control, Law, Pacing};
use super::failure::{Failure, SetupError};
use super::method::{Method, Span, Verdict, first_not_finite};
use super::stages::Stages;
use super::state::{StateVisitor, Stateful};
use super::system::{CountedSystem, System};
use crate::linear::Lu;
use coefficients::{BACKWARD, COMPLEX, ERROR, FORWARD, NODES, REAL};
use nalgebra::Complex;

const LAW: Law =
    Law { order: 4.0, exponent: 0.25, memory: 0.0, safety: 0.9, shrink: 0.125, grow: 5.0 };

/// How often the iteration may go round.
const ROUNDS: usize = 7;

/// An iteration that converges faster than this keeps its slopes for the next step.
const FAST: f64 = 1e-3;

/// A step that would grow by less than this keeps its length, and its factors with it.
const GROWTH: f64 = 1.2;

/// Radau IIA with three stages, of order 5, for stiff systems: Wanner, section IV.8.
///
/// `zᵢ = h Σⱼ aᵢⱼ f(t + cⱼ h, y₀ + zⱼ)`, `y₁ = y₀ + z₃`: the polynomial of degree 3 whose rate is
/// right at three places, the end being one. It damps what is too fast for the step (L-stable), so
/// the tolerance alone chooses the step. The equations of the stages are solved by Newton's
/// iteration with slopes held. A change of variables splits the `3n` of them into `n` real and `n`
/// complex ones, Wanner (IV.8.5), which costs a fifth of what eliminating them together would; both
/// are factored again only when the slopes or the length of the step change.
///
/// The error estimate behaves like `h⁴` and the error at the end of a run like `h⁵`; steps are
/// therefore judged by the tolerance to the power 4/5, so that errors follow the tolerance given.
/// The interpolant is the polynomial itself, of order 3, and costs no further evaluations.
///
/// Slopes come from [`System::jacobian`], or from differences.
#[derive(Clone, Debug, PartialEq)]
pub struct Radau5 {
    given: Control,
    /// With the tolerances for the estimate.
    control: Control,
    /// How far the iteration goes below these.
    remainder: f64,
}

impl Radau5 {
    /// With a tolerance, or a whole [`Control`].
    pub fn new(control: impl Into<Control>) -> Self {
        let given = control.into();
        let relative = 0.1 * given.relative_tolerance().powf(0.8);
        let control = given.clone().scaled(relative / given.relative_tolerance());
        let remainder = relative.sqrt().min(0.03).max(10.0 * f64::EPSILON / relative);
        Self { given, control, remainder }
    }
}

/// The buffers of [`Radau5`].
pub struct Work {
    pacing: Pacing,
    jacobian: Vec<f64>,
    /// The slopes are too old.
    is_stale: bool,
    /// The slopes are those at the present state.
    is_fresh: bool,
    real: Lu<f64>,
    complex: Lu<Complex<f64>>,
    /// The length for which both are factored.
    factored: Option<f64>,
    /// `zᵢ`, and what they are transformed to.
    z: [Vec<f64>; 3],
    w: [Vec<f64>; 3],
    rates: [Vec<f64>; 3],
    state: Vec<f64>,
    change: Vec<f64>,
    pair: Vec<Complex<f64>>,
    /// How fast the last iteration converged, and what a further round would have left.
    pace: f64,
    slack: f64,
    /// The divided differences of the polynomial of the last step, from its end, and its length.
    polynomial: [Vec<f64>; 3],
    last: Option<f64>,
    /// The floating-point operations of the linear algebra so far, and the length for which those of
    /// the factors are among them.
    operations: f64,
    counted: Option<f64>,
}

/// The floating-point operations of factoring both matrices of `n` rows.
pub(super) fn factor_operations(n: usize) -> f64 {
    (n as f64).powi(3) * (1.0 + 4.0) * 2.0 / 3.0
}

/// What the iteration came to.
enum Iterated {
    Converged {
        rounds: usize,
    },
    /// It is too slow: a step shorter by this factor would do.
    Diverged {
        factor: f64,
        verdict: Verdict,
    },
}

impl Work {
    fn new(control: &Control, n: usize) -> Self {
        let three = || [(); 3].map(|()| vec![0.0; n]);
        Self {
            pacing: Pacing::new(control, Stages::new(2, n)),
            jacobian: vec![0.0; n * n],
            is_stale: true,
            is_fresh: false,
            real: Lu::new(n),
            complex: Lu::new(n),
            factored: None,
            z: three(),
            w: three(),
            rates: three(),
            state: vec![0.0; n],
            change: vec![0.0; n],
            pair: vec![Complex::new(0.0, 0.0); n],
            pace: FAST,
            slack: 1.0,
            polynomial: three(),
            last: None,
            operations: 0.0,
            counted: None,
        }
    }

    /// The floating-point operations of the linear algebra so far.
    pub(super) fn operations(&self) -> f64 {
        self.operations
    }

    /// Goes on from another state, with an attempt of this length.
    pub(super) fn set_out(&mut self, length: f64) {
        self.forget();
        self.pacing.set_out(length);
    }

    /// Forgets the motion so far.
    fn forget(&mut self) {
        (self.is_stale, self.is_fresh, self.last) = (true, false, None);
    }

    /// Makes sure of slopes and factors; says whether the matrices have an inverse.
    fn factor<S: System>(
        &mut self,
        system: &mut CountedSystem<'_, S>,
        from: (f64, &[f64]),
        h: f64,
    ) -> Result<bool, Failure<S::Error>> {
        if self.is_stale {
            let room = (&mut self.state[..], &mut self.change[..]);
            system.jacobian(from, self.pacing.stages.rates(0), &mut self.jacobian, room)?;
            (self.is_stale, self.is_fresh, self.factored) = (false, true, None);
            self.counted = None;
        }
        if self.factored == Some(h) {
            return Ok(true);
        }
        if self.counted != Some(h) {
            self.operations += factor_operations(self.state.len());
            self.counted = Some(h);
        }
        // γ/h 1 - J and (α + iβ)/h 1 - J
        let n = self.state.len();
        for (entry, slope) in self.real.entries().iter_mut().zip(&self.jacobian) {
            *entry = -slope;
        }
        for (entry, slope) in self.complex.entries().iter_mut().zip(&self.jacobian) {
            *entry = Complex::new(-slope, 0.0);
        }
        for i in 0..n {
            self.real.entries()[i * n + i] += REAL / h;
            self.complex.entries()[i * n + i] += Complex::new(COMPLEX[0], COMPLEX[1]) / h;
        }
        let done = self.real.factor() && self.complex.factor();
        self.factored = done.then_some(h);
        Ok(done)
    }

    /// Starts the iteration from the polynomial of the last step.
    fn predict(&mut self, h: f64) {
        for i in 0..3 {
            match self.last {
                Some(last) => extrapolate(&self.polynomial, NODES[i] * h / last, &mut self.z[i]),
                None => self.z[i].fill(0.0),
            }
        }
        transform(&BACKWARD, &self.z, &mut self.w);
    }

    /// Newton's iteration with slopes held.
    fn iterate<S: System>(
        &mut self,
        (control, remainder): (&Control, f64),
        system: &mut CountedSystem<'_, S>,
        (t, y): (f64, &[f64]),
        h: f64,
    ) -> Result<Iterated, Failure<S::Error>> {
        let n = y.len();
        let shared = Complex::new(COMPLEX[0], COMPLEX[1]) / h;
        let (mut size, mut pace_before) = (0.0_f64, 0.0_f64);
        self.slack = self.slack.max(f64::EPSILON).powf(0.8);
        self.pace = FAST;
        for round in 1..=ROUNDS {
            for i in 0..3 {
                for (state, (y, z)) in self.state.iter_mut().zip(y.iter().zip(&self.z[i])) {
                    *state = y + z;
                }
                system.rates(t + NODES[i] * h, &self.state, &mut self.rates[i])?;
                if let Some(component) = first_not_finite(&self.rates[i]) {
                    let verdict = Verdict::NotFinite { component };
                    return Ok(Iterated::Diverged { factor: 0.5, verdict });
                }
            }
            // (λ/h 1 - J) Δw = T⁻¹ f - λ/h w
            let [f0, f1, f2] = &self.rates;
            let [w0, w1, w2] = &mut self.w;
            for j in 0..n {
                let f = |row: [f64; 3]| row[0] * f0[j] + row[1] * f1[j] + row[2] * f2[j];
                self.change[j] = f(BACKWARD[0]) - REAL / h * w0[j];
                self.pair[j] = Complex::new(f(BACKWARD[1]), f(BACKWARD[2]))
                    - shared * Complex::new(w1[j], w2[j]);
            }
            self.operations += 10.0 * (n * n) as f64;
            self.real.solve(&mut self.change);
            self.complex.solve(&mut self.pair);
            let mut squares = control.mean_square(&self.change, y, y);
            for (j, pair) in self.pair.iter().enumerate() {
                w0[j] += self.change[j];
                w1[j] += pair.re;
                w2[j] += pair.im;
                self.change[j] = pair.norm();
            }
            squares += control.mean_square(&self.change, y, y);
            transform(&FORWARD, &self.w, &mut self.z);
            let size_before = std::mem::replace(&mut size, (squares / 3.0).sqrt());
            let stuck = |factor: f64, change: &[f64]| Iterated::Diverged {
                factor,
                verdict: Verdict::NotConverged {
                    residual: size,
                    component: control.worst(change, y, y),
                },
            };
            if round > 1 {
                let pace = size / size_before;
                self.pace = if round == 2 { pace } else { (pace * pace_before).sqrt() };
                pace_before = pace;
                if self.pace.is_nan() || self.pace >= 0.99 {
                    return Ok(stuck(0.5, &self.change));
                }
                self.slack = self.pace / (1.0 - self.pace);
                let left = (ROUNDS - round) as f64;
                let hope = self.slack * size * self.pace.powf(left - 1.0) / remainder;
                if round < ROUNDS && hope >= 1.0 {
                    let factor = 0.8 * hope.clamp(1e-4, 20.0).powf(-1.0 / (4.0 + left - 1.0));
                    return Ok(stuck(factor, &self.change));
                }
            }
            if self.slack * size <= remainder {
                return Ok(Iterated::Converged { rounds: round });
            }
            if round == ROUNDS {
                return Ok(stuck(0.5, &self.change));
            }
        }
        unreachable!("the last round returns")
    }

    /// `(γ/h 1 - J)⁻¹ (f + Σ eᵢ zᵢ/h)` into `change`, `f` being the rate given or that at the start.
    fn estimate(&mut self, h: f64, is_second: bool) {
        let [z0, z1, z2] = &self.z;
        let rate = if is_second { &self.rates[0][..] } else { self.pacing.stages.rates(0) };
        for (j, change) in self.change.iter_mut().enumerate() {
            *change = rate[j] + (ERROR[0] * z0[j] + ERROR[1] * z1[j] + ERROR[2] * z2[j]) / h;
        }
        self.operations += 2.0 * (self.change.len() as f64).powi(2);
        self.real.solve(&mut self.change);
    }

    /// Keeps the divided differences of the polynomial through the start and the three stages.
    fn remember(&mut self, h: f64) {
        let [c1, c2, _] = NODES;
        let [z1, z2, z3] = &self.z;
        let [first, second, third] = &mut self.polynomial;
        for j in 0..z1.len() {
            first[j] = (z2[j] - z3[j]) / (c2 - 1.0);
            let middle = (z1[j] - z2[j]) / (c1 - c2);
            let start = (middle - z1[j] / c1) / c2;
            second[j] = (middle - first[j]) / (c1 - 1.0);
            third[j] = second[j] - start;
        }
        self.last = Some(h);
    }
}

/// `p(s) - p(0)`, `s` being the time from the end of the step in steps.
fn extrapolate([first, second, third]: &[Vec<f64>; 3], s: f64, out: &mut [f64]) {
    let [c1, c2, _] = NODES;
    for (j, out) in out.iter_mut().enumerate() {
        let inner = second[j] + (s - c1 + 1.0) * third[j];
        *out = s * (first[j] + (s - c2 + 1.0) * inner);
    }
}

/// Multiplies three vectors by a matrix.
fn transform(matrix: &[[f64; 3]; 3], from: &[Vec<f64>; 3], to: &mut [Vec<f64>; 3]) {
    for (row, to) in matrix.iter().zip(to) {
        for (j, to) in to.iter_mut().enumerate() {
            *to = row[0] * from[0][j] + row[1] * from[1][j] + row[2] * from[2][j];
        }
    }
}

impl<S: System> Method<S> for Radau5 {
    type Work = Work;

    fn prepare(&self, _: &S, dimension: usize) -> Result<Work, SetupError> {
        self.given.check(dimension)?;
        Ok(Work::new(&self.control, dimension))
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
        work.pacing.stages.begin(system, t, y)?;
        if !work.factor(system, (t, y), h)? {
            work.pacing.memory.shorten(h, 0.5);
            return Ok(Verdict::NotConverged { residual: f64::INFINITY, component: 0 });
        }
        work.predict(h);
        let rounds = match work.iterate((&self.control, self.remainder), system, (t, y), h)? {
            Iterated::Converged { rounds } => rounds,
            Iterated::Diverged { factor, verdict } => {
                work.pacing.memory.shorten(h, factor);
                work.is_stale = !work.is_fresh;
                return Ok(verdict);
            }
        };
        for (new, (y, z)) in new.iter_mut().zip(y.iter().zip(&work.z[2])) {
            *new = y + z;
        }
        work.estimate(h, false);
        let mut size = self.control.mean_square(&work.change, y, new).sqrt();
        if size > 1.0 && (work.last.is_none() || work.pacing.memory.is_after_rejection()) {
            // once more, from f(t, y + error): Wanner (IV.8.20)
            for (state, (y, error)) in work.state.iter_mut().zip(y.iter().zip(&work.change)) {
                *state = y + error;
            }
            system.rates(t, &work.state, &mut work.rates[0])?;
            work.estimate(h, true);
            size = self.control.mean_square(&work.change, y, new).sqrt();
        }
        let (most, used) = ((2 * ROUNDS + 1) as f64, (2 * ROUNDS + rounds) as f64);
        let law = Law { safety: LAW.safety * most / used, ..LAW };
        if !work.pacing.memory.judge(&law, h, size) {
            work.is_stale = !work.is_fresh && work.pace > FAST;
            let component = self.control.worst(&work.change, y, new);
            return Ok(Verdict::Inaccurate { component });
        }
        work.remember(h);
        work.pacing.stages.move_on();
        (work.is_stale, work.is_fresh) = (work.pace > FAST, false);
        if !work.is_stale {
            work.pacing.memory.keep(h, GROWTH);
        }
        Ok(Verdict::Accepted)
    }

    fn restart(&self, work: &mut Work) {
        work.forget();
        work.pacing.restart();
    }

    fn visit_state(&self, work: &mut Work, state: &mut StateVisitor<'_>) {
        work.pacing.visit_state(state);
        state.numbers(&mut work.jacobian);
        state.flag(&mut work.is_stale);
        state.flag(&mut work.is_fresh);
        state.number(&mut work.slack);
        state.number(&mut work.operations);
        for length in [&mut work.last, &mut work.counted] {
            state.option(length, || 0.0, StateVisitor::number);
        }
        for differences in &mut work.polynomial {
            state.numbers(differences);
        }
        if state.is_taking() {
            // the factors follow from the slopes and the length
            work.factored = None;
        }
    }

    fn complete(
        &self,
        _: &mut Work,
        _: &mut CountedSystem<'_, S>,
        _: &Span<'_>,
    ) -> Result<(), Failure<S::Error>> {
        Ok(())
    }

    fn interpolate(&self, work: &Work, span: &Span<'_>, theta: f64, out: &mut [f64]) {
        extrapolate(&work.polynomial, theta - 1.0, out);
        let [first, second, third] = &work.polynomial;
        let [c1, c2, _] = NODES;
        for (j, out) in out.iter_mut().enumerate() {
            // z₃ = p(0) - p(-1); what the manifold changed is spread over the step
            let rise = first[j] - c2 * (second[j] - c1 * third[j]);
            let shift = span.after[j] - span.before[j] - rise;
            *out += span.after[j] - (1.0 - theta) * shift;
        }
    }
}
