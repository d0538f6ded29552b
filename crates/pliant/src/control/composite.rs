//! King's composite controllers: one part leads the joints or the pseudolinks, another takes the
//! vibrations out.

use super::composite_telemetry;
use super::law::{ControlContext, ControlError, ControlLaw};
use super::matrix_update::has_passed;
use super::model::Model;
use super::parts::Parts;
use super::pseudolink::{self, Pseudolinks};
use super::vibration_damping::VibrationDamping;
use crate::analyse::riccati::{TimeDomain, lqr};
use crate::integrate::StateVisitor;
use crate::linear::{Pivoted, multiply, reshape, reshape_vector};
use crate::simulate::{BlockOutput, Signal};
use nalgebra::{DMatrix, DVector};

/// The default guard of the determinant.
pub const GUARD: f64 = 0.01;

/// How many postures the determinant is looked at in.
const POSTURES: usize = 64;

/// Composite control of joint angles, King (4-14) to (4-18), or of pseudolink angles, (4-19) to
/// (4-32); the former is the latter with `F = 0`.
///
/// With `γ = q + Fδ` and `γ̈ = ν` the motors give `τ = H₁₁ ν + (H₁₂ − H₁₁F) δ̈ + h₁`, (4-25), where
/// `(H₂₂ − H₂₁F) δ̈ = −(H₂₁ ν + h₂ + Kδ)`. The slow part of `ν` is (4-26). The fast part is a linear
/// quadratic regulator that leads `δ` to the quasi-steady `δ̄ = −K⁻¹ (H₂₁ ν_r + h₂)`, (4-29b)
/// corrected, with gains that are computed anew on a clock. Ticks with new gains allocate: they solve
/// a Riccati equation.
///
/// King's two parts know nothing of each other, which asks for joints that are led much more slowly
/// than the links vibrate. With a [wished damping ratio](VibrationDamping::Ratio) they are designed
/// together: the errors `e` of the joints are part of the regulator's state, and `δ̄` and its rate are
/// those of the plan, `−K⁻¹ (H₂₁ q̈_d + h₂)` and `−K⁻¹ H₂₁ d³q_d/dt³`.
#[derive(Clone, Debug)]
pub struct Composite {
    /// `K_p` of each joint (1/s²).
    pub stiffness: Vec<f64>,
    /// `K_v` of each joint (1/s).
    pub damping: Vec<f64>,
    /// What is led.
    pub pseudolinks: Pseudolinks,
    /// How vibrations are damped.
    pub vibrations: VibrationDamping,
    /// The time between two sets of gains (s).
    pub period: f64,
    /// Whether the gains are those of the plan, between sets at multiples of the period, instead of
    /// those of the posture at which they are due. Its forces then follow from the present alone,
    /// and it may act at every instant.
    pub scheduled: bool,
    /// `det(H₂₂ − H₂₁F)/det H₂₂`, in parts of what nine in ten other postures do not exceed, below
    /// which it goes no further: near zero no motor moves what it must.
    pub guard: f64,
    /// The highest frequency (rad/s) whose damping ratio is asked for: faster vibrations are damped
    /// at its rate. Ticks of a period `T` can follow about `0.3/T`.
    pub fastest: f64,
    /// What that is.
    large: Option<f64>,
    gains: Option<(f64, DMatrix<f64>)>,
    /// The gains of the plan at multiples of the period, as far as they were asked for.
    schedule: Vec<DMatrix<f64>>,
    /// How many joints and flexible coordinates there are.
    shape: (usize, usize),
    /// The determinant now, and how far the pseudolinks are from the plan, and how fast.
    telemetry: Vec<f64>,
    work: Workspace,
}

/// Buffers of a tick: for `n` flexible coordinates and `m` joints vectors have `n` entries, unless
/// something else is said.
#[derive(Clone, Debug, Default)]
struct Workspace {
    pseudolinks: pseudolink::Workspace,
    parts: Parts,
    /// `F`, `m × n`.
    map: DMatrix<f64>,
    /// `H₂₂ − H₂₁F`.
    effective: DMatrix<f64>,
    factored: Pivoted,
    /// `δ` and `δ̇`.
    bending: DVector<f64>,
    rates: DVector<f64>,
    /// `Fδ` and `Fδ̇`, `m` entries.
    offset: DVector<f64>,
    offset_rate: DVector<f64>,
    /// How far and how fast the plan is ahead, and its acceleration; `m` entries.
    error: DVector<f64>,
    error_rate: DVector<f64>,
    planned: DVector<f64>,
    jerk: DVector<f64>,
    /// `ν`, its slow part, and what the joints then do; `m` entries.
    pushed: DVector<f64>,
    slow: DVector<f64>,
    turned: DVector<f64>,
    /// Further vectors.
    quasi: DVector<f64>,
    product: DVector<f64>,
    forces: DVector<f64>,
}

impl Workspace {
    fn reshape(&mut self, m: usize, n: usize) {
        for vector in [&mut self.bending, &mut self.rates, &mut self.quasi, &mut self.product] {
            reshape_vector(vector, n);
        }
        for vector in [
            &mut self.offset,
            &mut self.offset_rate,
            &mut self.error,
            &mut self.error_rate,
            &mut self.planned,
            &mut self.jerk,
            &mut self.pushed,
            &mut self.slow,
            &mut self.turned,
            &mut self.forces,
        ] {
            reshape_vector(vector, m);
        }
        reshape(&mut self.effective, n, n);
    }

    /// `det(H₂₂ − H₂₁F)/det H₂₂` of the model where it is, with `H₂₂ − H₂₁F` itself.
    fn determinant(&mut self, model: &mut Model) -> f64 {
        let Self { parts, map, effective, factored, .. } = self;
        model.parts(parts);
        multiply(&parts.h21, map, effective);
        effective.neg_mut();
        *effective += &parts.h22;
        determinant(effective, factored) / determinant(&parts.h22, factored)
    }
}

/// The rate of a reference's acceleration just after an instant: of two differences the smaller, so
/// that a jump of the acceleration is in neither.
fn jerk(reference: &Signal, t: f64) -> f64 {
    const APART: f64 = 1e-4;
    let [first, second, third] =
        [0.0, 1.0, 2.0].map(|k| reference.jet(t + k * APART).acceleration / APART);
    let (before, after) = (second - first, third - second);
    if before.abs() < after.abs() { before } else { after }
}

/// A determinant; small ones need no elimination.
fn determinant(matrix: &DMatrix<f64>, factored: &mut Pivoted) -> f64 {
    if matrix.nrows() <= 3 {
        return matrix.determinant();
    }
    factored.factor(matrix);
    factored.determinant()
}

impl Composite {
    /// With gains for each joint (1/s², 1/s), and a period (s) after which the regulator's gains
    /// are updated.
    pub fn new(
        stiffness: Vec<f64>,
        damping: Vec<f64>,
        pseudolinks: Pseudolinks,
        vibrations: impl Into<VibrationDamping>,
        period: f64,
    ) -> Self {
        Self {
            stiffness,
            damping,
            pseudolinks,
            vibrations: vibrations.into(),
            period,
            scheduled: false,
            guard: GUARD,
            fastest: f64::INFINITY,
            large: None,
            gains: None,
            schedule: Vec::new(),
            shape: (0, 0),
            telemetry: Vec::new(),
            work: Workspace::default(),
        }
    }

    /// With another guard of the determinant.
    #[must_use]
    pub fn guarded(self, guard: f64) -> Self {
        Self { guard, ..self }
    }

    /// The `|det(H₂₂ − H₂₁F)|/det H₂₂` of straight links that nine in ten postures all over the
    /// workspace do not exceed: where a joint hardly moves its point it has no bound.
    pub(super) fn large_elsewhere(&self, model: &mut Model) -> f64 {
        let (q, u) = model.state();
        let mut work = Workspace::default();
        work.reshape(model.joints().len(), model.flexible().len());
        let mut sizes = Vec::with_capacity(POSTURES);
        for posture in 0..POSTURES {
            model.take_posture(posture);
            if self.pseudolinks.map_into(model, &mut work.pseudolinks, &mut work.map) {
                sizes.push(work.determinant(model).abs());
            }
        }
        model.set_estimate(&q, &u);
        sizes.retain(|size| size.is_finite() && *size > 0.0);
        sizes.sort_by(f64::total_cmp);
        sizes.get(9 * sizes.len() / 10).copied().unwrap_or(1.0)
    }

    /// How many numbers the gains are of: `(δ − δ̄, δ̇)`, or with a wished ratio
    /// `(e, δ − δ̄, ė, δ̇ − δ̄̇)`.
    fn fed_back(&self) -> usize {
        let (joints, flexible) = self.shape;
        2 * match self.vibrations {
            VibrationDamping::Weights(_) => flexible,
            VibrationDamping::Ratio(_) => joints + flexible,
        }
    }

    /// Takes the gains of the plan at this instant.
    fn look_up(&mut self, now: &ControlContext<'_>, model: &mut Model) -> Result<(), ControlError> {
        let at = (now.t / self.period).max(0.0);
        let before = usize::try_from(at.floor() as i64).unwrap_or(0);
        while self.schedule.len() < before + 2 {
            let gain = self.planned_gain(now, model, self.schedule.len())?;
            self.schedule.push(gain);
        }
        let part = at - at.floor();
        let [first, second] = [&self.schedule[before], &self.schedule[before + 1]];
        let (_, gain) = self.gains.get_or_insert_with(Default::default);
        reshape(gain, first.nrows(), first.ncols());
        gain.zip_zip_apply(first, second, |to, first, second| {
            *to = first + part * (second - first);
        });
        Ok(())
    }

    /// The gains of the plan at a multiple of the period, links bent as they rest there.
    pub(super) fn planned_gain(
        &mut self,
        now: &ControlContext<'_>,
        model: &mut Model,
        multiple: usize,
    ) -> Result<DMatrix<f64>, ControlError> {
        let at = |k: usize| {
            let time = k as f64 * self.period;
            now.trajectory.iter().map(move |signal| signal.value(time))
        };
        if let Some(last) = self.schedule.last()
            && multiple > 0
            && at(multiple).eq(at(multiple - 1))
        {
            return Ok(last.clone());
        }
        let (time, joints) = (multiple as f64 * self.period, at(multiple).collect::<Vec<f64>>());
        let (q, u) = model.state();
        // from straight links, so that the gains do not depend on when they were asked for
        model.set_estimate(&model.arm().neutral(), &vec![0.0; u.len()]);
        model.set_joints(&joints, &vec![0.0; joints.len()]);
        model.rest();
        let work = &mut self.work;
        work.reshape(joints.len(), model.flexible().len());
        let is_moved = self.pseudolinks.map_into(model, &mut work.pseudolinks, &mut work.map);
        work.determinant(model);
        let found = self.regulator(time, model.passive());
        model.set_estimate(&q, &u);
        if is_moved { found } else { Err(ControlError::Unmoved { time }) }
    }

    /// `G` of the fast part, `ν_f = −G (δ − δ̄, δ̇)`; with a wished ratio of everything together,
    /// `ν = q̈_d − G (e, δ − δ̄, ė, δ̇ − δ̄̇)`.
    fn regulator(
        &self,
        time: f64,
        [stiffness, damping]: &[DMatrix<f64>; 2],
    ) -> Result<DMatrix<f64>, ControlError> {
        let Workspace { parts, effective, .. } = &self.work;
        let (m, n) = parts.h12.shape();
        let no_inertia = || ControlError::NoInertia { time };
        let factors = effective.clone().lu();
        let solve = |right: &DMatrix<f64>| factors.solve(right).ok_or_else(no_inertia);
        let pushed = -solve(&parts.h21)?;
        let cost = self.vibrations.cost(parts, stiffness, self.fastest).ok_or_else(no_inertia)?;
        // the errors that the slow part leads come first, if they are part of the state
        let led = self.fed_back() / 2 - n;
        let half = led + n;
        let mut lead = DMatrix::zeros(m, 2 * half);
        for k in 0..led {
            let slowed = cost.slowed(self.stiffness[k]);
            lead[(k, k)] = slowed * slowed * self.stiffness[k];
            lead[(k, half + k)] = slowed * self.damping[k];
        }
        let mut b = DMatrix::zeros(2 * half, m);
        b.view_mut((half, 0), (led, m)).fill_diagonal(-1.0);
        b.rows_mut(half + led, n).copy_from(&pushed);
        let mut a = &b * &lead;
        a.view_mut((0, half), (half, half)).fill_with_identity();
        a.view_mut((half + led, led), (n, n)).copy_from(&-solve(stiffness)?);
        a.view_mut((half + led, half + led), (n, n)).copy_from(&-solve(damping)?);
        let mut q = DMatrix::zeros(2 * half, 2 * half);
        q.view_mut((led, led), (n, n)).copy_from(&cost.bending);
        q.view_mut((half + led, half + led), (n, n)).copy_from(&cost.rates);
        let found = lqr(TimeDomain::Continuous, &a, &b, &q, &cost.input);
        found
            .map(|found| found.gain - lead)
            .map_err(|source| ControlError::NoRegulator { time, source })
    }
}

impl ControlLaw for Composite {
    fn joints(&self) -> Option<usize> {
        Some(self.stiffness.len().min(self.damping.len()))
    }

    fn acts_continuously(&self) -> bool {
        self.scheduled
    }

    fn prepare(&mut self, model: Option<&Model>) {
        let shape = |model: &Model| (model.joints().len(), model.flexible().len());
        self.shape = model.map_or((0, 0), shape);
    }

    fn start(&mut self) {
        (self.gains, self.large) = (None, None);
        self.schedule.clear();
    }

    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        if self.scheduled {
            return;
        }
        state.option(&mut self.large, || 0.0, StateVisitor::number);
        let ((joints, _), fed_back) = (self.shape, self.fed_back());
        state.option(&mut self.gains, Default::default, |state, (since, gain)| {
            state.number(since);
            state.matrix(gain, joints, fed_back);
        });
    }

    /// `det(H₂₂ − H₂₁F)/det H₂₂` in parts of what is large for it, for each pseudolink how far the plan is
    /// ahead of it, and how fast, and the gains.
    fn telemetry(&self, model: Option<&Model>) -> Vec<BlockOutput> {
        model.map_or_else(Vec::new, |model| composite_telemetry::outputs(self, model))
    }

    fn write_telemetry(&self, told: &mut [f64]) {
        let gains = self.gains.iter().flat_map(|(_, gain)| {
            let count = gain.ncols();
            (0..gain.len()).map(move |k| gain[(k / count, k % count)])
        });
        for (told, now) in told.iter_mut().zip(self.telemetry.iter().copied().chain(gains)) {
            *told = now;
        }
    }

    fn forces(
        &mut self,
        now: &ControlContext<'_>,
        model: Option<&mut Model>,
        forces: &mut [f64],
    ) -> Result<(), ControlError> {
        let model = model.ok_or(ControlError::NoModel)?;
        let time = now.t;
        let (m, n) = (model.joints().len(), model.flexible().len());
        self.shape = (m, n);
        if self.scheduled && n > 0 {
            self.look_up(now, model)?;
        }
        let work = &mut self.work;
        work.reshape(m, n);
        if !self.pseudolinks.map_into(model, &mut work.pseudolinks, &mut work.map) {
            return Err(ControlError::Unmoved { time });
        }
        model.bending(&mut work.bending, &mut work.rates);
        work.offset.gemv(1.0, &work.map, &work.bending, 0.0);
        work.offset_rate.gemv(1.0, &work.map, &work.rates, 0.0);
        for (k, reference) in now.reference.iter().enumerate() {
            work.error[k] = reference.value - now.q[k] - work.offset[k];
            work.error_rate[k] = reference.rate - now.u[k] - work.offset_rate[k];
            work.planned[k] = reference.acceleration;
            work.jerk[k] = now.trajectory.get(k).map_or(0.0, |signal| jerk(signal, time));
            work.slow[k] = reference.acceleration
                + self.stiffness[k] * work.error[k]
                + self.damping[k] * work.error_rate[k];
        }
        self.telemetry.clear();
        self.telemetry.push(f64::NAN);
        let led = self.pseudolinks.frames.iter().enumerate().filter(|(_, frame)| frame.is_some());
        self.telemetry.extend(led.flat_map(|(k, _)| [work.error[k], work.error_rate[k]]));
        let determinant = work.determinant(model);
        let large = self.large.unwrap_or_else(|| self.large_elsewhere(model));
        self.large = Some(large);
        let determinant = determinant / large;
        self.telemetry[0] = determinant;
        if self.scheduled && determinant.is_nan() {
            // an attempt of an integrator that went too far, and is refused for it
            forces.fill(f64::NAN);
            return Ok(());
        }
        if n > 0 && (determinant.is_nan() || determinant < self.guard) {
            return Err(ControlError::NearSingular { time, determinant, guard: self.guard });
        }
        let passive = model.passive();
        let due = !self.scheduled
            && self.gains.as_ref().is_none_or(|(at, _)| has_passed(self.period, *at, time));
        if due && n > 0 {
            self.gains = Some((time, self.regulator(time, passive)?));
        }
        let gain = self.gains.as_ref().map(|(_, gain)| gain);
        let found = self.work.forces(passive, gain, forces);
        found.ok_or(ControlError::NoInertia { time })
    }
}

impl Workspace {
    /// `τ` of (4-25), for the slow part of `ν` and the gain `G` of its fast part, or of all of it.
    fn forces(
        &mut self,
        [stiffness, damping]: &[DMatrix<f64>; 2],
        gain: Option<&DMatrix<f64>>,
        forces: &mut [f64],
    ) -> Option<()> {
        let Self { parts, map, effective, factored, bending, rates, .. } = self;
        let Self { pushed, slow, turned, quasi, product, forces: sum, .. } = self;
        let Self { error, error_rate, planned, jerk, .. } = self;
        let (m, n) = (slow.len(), bending.len());
        pushed.copy_from(slow);
        if let Some(gain) = gain {
            // gains of everything together stand beside what the plan alone asks for
            let together = gain.ncols() > 2 * n;
            let led = if together { m } else { 0 };
            let half = led + n;
            if together {
                pushed.copy_from(planned);
            }
            // −(H₂₁ ν + h₂ − Kδ − Dδ̇)
            quasi.copy_from(&parts.bias2);
            product.gemv(1.0, stiffness, bending, 0.0);
            *quasi -= &*product;
            product.gemv(1.0, damping, rates, 0.0);
            *quasi -= &*product;
            product.gemv(1.0, &parts.h21, pushed, 0.0);
            *quasi += &*product;
            quasi.neg_mut();
            factored.factor(stiffness);
            factored.solve(quasi).then_some(())?;
            product.copy_from(bending);
            *product -= &*quasi;
            turned.gemv(1.0, &gain.columns(led, n), product, 0.0);
            if together {
                // δ̇ against that of δ̄, −K⁻¹ H₂₁ d³q_d/dt³
                product.gemv(-1.0, &parts.h21, jerk, 0.0);
                factored.solve(product).then_some(())?;
                *rates -= &*product;
            }
            sum.gemv(1.0, &gain.columns(half + led, n), rates, 0.0);
            *turned += &*sum;
            if together {
                turned.gemv(1.0, &gain.columns(0, m), error, 1.0);
                turned.gemv(1.0, &gain.columns(half, m), error_rate, 1.0);
            }
            *pushed -= &*turned;
        }
        // (H₂₂ − H₂₁F) δ̈
        let bent = product;
        bent.gemv(1.0, &parts.h21, pushed, 0.0);
        *bent += &parts.bias2;
        bent.neg_mut();
        // nothing to solve where nothing bends
        if n > 0 {
            factored.factor(effective);
            factored.solve(bent).then_some(())?;
        }
        sum.gemv(1.0, map, bent, 0.0);
        turned.copy_from(pushed);
        *turned -= &*sum;
        sum.gemv(1.0, &parts.h11, turned, 0.0);
        turned.gemv(1.0, &parts.h12, bent, 0.0);
        *sum += &*turned;
        *sum += &parts.bias1;
        forces.copy_from_slice(sum.as_slice());
        Some(())
    }
}
