//! King's composite controllers: one part leads the joints or the pseudolinks, another takes the
//! vibrations out.

use super::law::{ControlContext, ControlError, ControlLaw};
use super::matrix_update::has_passed;
use super::model::Model;
use super::parts::Parts;
use super::pseudolink::{self, Pseudolinks};
use crate::analyse::riccati::{TimeDomain, lqr};
use crate::integrate::StateVisitor;
use crate::linear::{Pivoted, multiply, reshape, reshape_vector};
use crate::simulate::{BlockOutput, Telemetry};
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
#[derive(Clone, Debug)]
pub struct Composite {
    /// `K_p` of each joint (1/s²).
    pub stiffness: Vec<f64>,
    /// `K_v` of each joint (1/s).
    pub damping: Vec<f64>,
    /// What is led.
    pub pseudolinks: Pseudolinks,
    /// What vibrations and accelerations cost.
    pub weights: CompositeWeights,
    /// The time between two sets of gains (s).
    pub period: f64,
    /// `det(H₂₂ − H₂₁F)/det H₂₂`, in parts of what nine in ten other postures do not exceed, below
    /// which it goes no further: near zero no motor moves what it must.
    pub guard: f64,
    /// What that is.
    large: Option<f64>,
    gains: Option<(f64, DMatrix<f64>)>,
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

/// A determinant; small ones need no elimination.
fn determinant(matrix: &DMatrix<f64>, factored: &mut Pivoted) -> f64 {
    if matrix.nrows() <= 3 {
        return matrix.determinant();
    }
    factored.factor(matrix);
    factored.determinant()
}

/// The weights of the vibration regulator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CompositeWeights {
    /// Of the squares of bending (1/m², 1/rad²).
    pub bending: f64,
    /// Of the squares of its rates (s²/m², s²/rad²).
    pub rate: f64,
    /// Of the squares of accelerations (s⁴/rad², s⁴/m²).
    pub input: f64,
}

impl Default for CompositeWeights {
    /// Those of files that say nothing.
    fn default() -> Self {
        Self { bending: 1e4, rate: 0.0, input: 1.0 }
    }
}

impl Composite {
    /// With gains for each joint (1/s², 1/s), and a period (s) after which the regulator's gains
    /// are updated.
    pub fn new(
        stiffness: Vec<f64>,
        damping: Vec<f64>,
        pseudolinks: Pseudolinks,
        weights: CompositeWeights,
        period: f64,
    ) -> Self {
        Self {
            stiffness,
            damping,
            pseudolinks,
            weights,
            period,
            guard: GUARD,
            large: None,
            gains: None,
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
    fn large_elsewhere(&self, model: &mut Model) -> f64 {
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

    /// `G` of `ν_f = −G (δ − δ̄, δ̇)`.
    fn regulator(
        &self,
        time: f64,
        [stiffness, damping]: &[DMatrix<f64>; 2],
    ) -> Result<DMatrix<f64>, ControlError> {
        let Workspace { parts, effective, .. } = &self.work;
        let (m, n) = parts.h12.shape();
        let factors = effective.clone().lu();
        let solve =
            |right: &DMatrix<f64>| factors.solve(right).ok_or(ControlError::NoInertia { time });
        let mut a = DMatrix::zeros(2 * n, 2 * n);
        a.view_mut((0, n), (n, n)).fill_with_identity();
        a.view_mut((n, 0), (n, n)).copy_from(&-solve(stiffness)?);
        a.view_mut((n, n), (n, n)).copy_from(&-solve(damping)?);
        let mut b = DMatrix::zeros(2 * n, m);
        b.rows_mut(n, n).copy_from(&-solve(&parts.h21)?);
        let CompositeWeights { bending, rate, input } = self.weights;
        let q = DMatrix::from_fn(2 * n, 2 * n, |i, j| match i == j {
            true if i < n => bending,
            true => rate,
            false => 0.0,
        });
        let r = DMatrix::identity(m, m) * input;
        let found = lqr(TimeDomain::Continuous, &a, &b, &q, &r);
        found.map(|found| found.gain).map_err(|source| ControlError::NoRegulator { time, source })
    }
}

impl ControlLaw for Composite {
    fn joints(&self) -> Option<usize> {
        Some(self.stiffness.len().min(self.damping.len()))
    }

    fn prepare(&mut self, model: Option<&Model>) {
        let shape = |model: &Model| (model.joints().len(), model.flexible().len());
        self.shape = model.map_or((0, 0), shape);
    }

    fn start(&mut self) {
        (self.gains, self.large) = (None, None);
    }

    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        state.option(&mut self.large, || 0.0, StateVisitor::number);
        let (joints, flexible) = self.shape;
        state.option(&mut self.gains, Default::default, |state, (since, gain)| {
            state.number(since);
            state.matrix(gain, joints, 2 * flexible);
        });
    }

    /// `det(H₂₂ − H₂₁F)/det H₂₂` in parts of what is large for it, and for each pseudolink how far the plan is
    /// ahead of it, and how fast.
    fn telemetry(&self, model: Option<&Model>) -> Vec<BlockOutput> {
        let Some(model) = model else { return Vec::new() };
        let telemetry = Telemetry::Determinant;
        let mut all = vec![BlockOutput { telemetry, ..BlockOutput::new("determinant", "1") }];
        for (k, &v) in model.joints().iter().enumerate() {
            if self.pseudolinks.frames[k].is_some() {
                let joint = &model.arm().velocity_coordinates()[v];
                let [unit, rate_unit, ..] = joint.dimension.units();
                let tell = |telemetry, word: &str, unit: &str| {
                    let output =
                        BlockOutput::new(format!("{}.pseudolink.{word}", joint.name), unit);
                    let coordinate = Some((joint.index, joint.role));
                    BlockOutput { telemetry, coordinate, ..output }
                };
                all.push(tell(Telemetry::PseudolinkError, "error", unit));
                all.push(tell(Telemetry::PseudolinkErrorRate, "error_rate", rate_unit));
            }
        }
        all
    }

    fn write_telemetry(&self, told: &mut [f64]) {
        for (told, now) in told.iter_mut().zip(&self.telemetry) {
            *told = *now;
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
        let work = &mut self.work;
        work.reshape(m, n);
        if !self.pseudolinks.map_into(model, &mut work.pseudolinks, &mut work.map) {
            return Err(ControlError::Unmoved { time });
        }
        model.bending(&mut work.bending, &mut work.rates);
        work.offset.gemv(1.0, &work.map, &work.bending, 0.0);
        work.offset_rate.gemv(1.0, &work.map, &work.rates, 0.0);
        let Workspace { offset, offset_rate, slow, .. } = work;
        let error = |k: usize| {
            let reference = now.reference[k];
            [reference.value - now.q[k] - offset[k], reference.rate - now.u[k] - offset_rate[k]]
        };
        for (k, slow) in slow.iter_mut().enumerate() {
            let [off, rate] = error(k);
            *slow =
                now.reference[k].acceleration + self.stiffness[k] * off + self.damping[k] * rate;
        }
        self.telemetry.clear();
        self.telemetry.push(f64::NAN);
        let led = self.pseudolinks.frames.iter().enumerate().filter(|(_, frame)| frame.is_some());
        self.telemetry.extend(led.flat_map(|(k, _)| error(k)));
        let determinant = work.determinant(model);
        let large = self.large.unwrap_or_else(|| self.large_elsewhere(model));
        self.large = Some(large);
        let determinant = determinant / large;
        self.telemetry[0] = determinant;
        if n > 0 && (determinant.is_nan() || determinant < self.guard) {
            return Err(ControlError::NearSingular { time, determinant, guard: self.guard });
        }
        let passive = model.passive();
        let due = self.gains.as_ref().is_none_or(|(at, _)| has_passed(self.period, *at, time));
        if due && n > 0 {
            self.gains = Some((time, self.regulator(time, passive)?));
        }
        let gain = self.gains.as_ref().map(|(_, gain)| gain);
        let found = self.work.forces(passive, gain, forces);
        found.ok_or(ControlError::NoInertia { time })
    }
}

impl Workspace {
    /// `τ` of (4-25), for the slow part of `ν` and the gain `G` of its fast part.
    fn forces(
        &mut self,
        [stiffness, damping]: &[DMatrix<f64>; 2],
        gain: Option<&DMatrix<f64>>,
        forces: &mut [f64],
    ) -> Option<()> {
        let Self { parts, map, effective, factored, bending, rates, .. } = self;
        let Self { pushed, slow, turned, quasi, product, forces: sum, .. } = self;
        let n = bending.len();
        pushed.copy_from(slow);
        if let Some(gain) = gain {
            // −(H₂₁ ν + h₂ − Kδ − Dδ̇)
            quasi.copy_from(&parts.bias2);
            product.gemv(1.0, stiffness, bending, 0.0);
            *quasi -= &*product;
            product.gemv(1.0, damping, rates, 0.0);
            *quasi -= &*product;
            product.gemv(1.0, &parts.h21, slow, 0.0);
            *quasi += &*product;
            quasi.neg_mut();
            factored.factor(stiffness);
            factored.solve(quasi).then_some(())?;
            product.copy_from(bending);
            *product -= &*quasi;
            turned.gemv(1.0, &gain.columns(0, n), product, 0.0);
            sum.gemv(1.0, &gain.columns(n, n), rates, 0.0);
            *turned += &*sum;
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
