//! Static equilibria.
//!
//! Newton's method on `gravity + elastic − external = 0` over the coordinates that move, with the
//! exact slope. Where it does not arrive in one go, the loads are put on in parts, each from where
//! the last one was heading.

use super::balance::{Balance, Slopes};
use super::conditions::Conditions;
use super::error::AnalysisError;
use crate::arm::Arm;
use crate::dynamics::loads::Load;
use crate::linear::{Pivoted, cholesky_in_place, make_symmetric, singular};
use nalgebra::{DMatrix, DVector};

/// A step below this size, relative, in energy, ends the iteration.
const SMALL_STEP: f64 = 1e-12;
/// So does a step of a joint below this size (rad, m), if no other coordinate takes a larger one
/// in relation to its value.
const STANDSTILL: f64 = 1e-14;
/// Below this size steps that no longer shrink are rounding errors.
const ROUNDING: f64 = 1e-7;
/// How many steps one part of the loads may take.
const STEPS: usize = 25;
/// The first part of the loads that is tried when all at once fails.
const FIRST_PART: f64 = 0.25;
/// The smallest part of the loads worth trying.
const SMALLEST_PART: f64 = 1e-4;
/// A pivot this small, after scaling, makes the slope singular.
const SINGULAR: f64 = 1e-13;

/// An arm at rest under its loads.
#[derive(Clone, Debug, PartialEq)]
pub struct Equilibrium {
    /// The configuration.
    pub q: Vec<f64>,
    /// What the motors and brakes hold, one per velocity coordinate (N m, N); at coordinates that
    /// move, what remained unbalanced.
    pub forces: DVector<f64>,
    /// The largest force that remained on a coordinate that moves (N, N m).
    pub residual: f64,
    /// The size of each Newton step, relative, in energy; the last one was not needed any more.
    pub corrections: Vec<f64>,
    /// In how many parts the loads were put on.
    pub parts: usize,
    /// Whether the tangent stiffness is positive definite. If not, the arm is buckled or upside
    /// down and would leave this place.
    pub stable: bool,
}

impl Equilibrium {
    /// The number of Newton steps.
    pub fn iterations(&self) -> usize {
        self.corrections.len()
    }
}

/// Where a search ended.
pub(crate) struct Found {
    /// In how many parts the loads were put on.
    parts: usize,
    stable: bool,
}

/// Why a part of the loads was not carried.
pub(crate) enum Stuck {
    /// The slope was singular.
    Singular,
    /// This force remained on this coordinate.
    Left(usize, f64),
}

/// A search that failed with this part of the loads on.
pub(crate) struct Failure(Stuck, f64);

impl Arm<f64> {
    /// The static equilibrium of the links under gravity, with the joints locked at `q`. The modal
    /// coordinates of `q` are the initial guess.
    ///
    /// ```
    /// use pliant::arm::{Builder, Joint, Link};
    /// let arm = Builder::new("arm")
    ///     .link(Link::new("boom").joint(Joint::revolute([0.0, 1.0, 0.0])).payload(2.0, [1.0, 0.0, 0.0]))
    ///     .build()?;
    /// let rest = arm.static_equilibrium(&[0.0])?;
    /// assert!((rest.forces[0] + 2.0 * 9.81).abs() < 1e-12); // the brake holds the weight
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn static_equilibrium(&self, q: &[f64]) -> Result<Equilibrium, AnalysisError> {
        self.static_equilibrium_under(q, &Conditions::default())
    }

    /// The static equilibrium of the links and of the joints that are not locked.
    pub fn static_equilibrium_under(
        &self,
        q: &[f64],
        conditions: &Conditions,
    ) -> Result<Equilibrium, AnalysisError> {
        conditions.check(self, q)?;
        let mut work = Workspace::new(self, conditions);
        let found = work.find(q);
        let Found { parts, stable } = found.map_err(|failure| work.complaint(&failure))?;
        let Workspace { arm, balance, q, corrections, .. } = work;
        let u = conditions.velocities(&arm);
        let forces = arm.bias(&q, &u)? - arm.load_forces(&q, &conditions.loads)?;
        let residual = balance.moving().iter().fold(0.0_f64, |sum, &v| sum.max(forces[v].abs()));
        Ok(Equilibrium { q, forces, residual, corrections, parts, stable })
    }

    /// The tangent stiffness of all velocity coordinates, `∂(gravity + elastic − external)/∂q` with
    /// the centrifugal forces of steady velocities, in the directions of the velocities; not
    /// symmetrised.
    pub fn tangent_stiffness(
        &self,
        q: &[f64],
        conditions: &Conditions,
    ) -> Result<DMatrix<f64>, AnalysisError> {
        conditions.check(self, q)?;
        let arm = conditions.released(self);
        let all = (0..arm.nv()).collect();
        Ok(Balance::new(&arm, conditions, all).stiffness(q))
    }
}

/// An arm under conditions, and the buffers of searches for its equilibrium.
#[derive(Clone, Debug)]
pub(crate) struct Workspace {
    arm: Arm,
    balance: Balance,
    slopes: Slopes,
    tangent: Tangent,
    /// The equilibrium, and the size of each step to it.
    q: Vec<f64>,
    corrections: Vec<f64>,
    /// Those of an unstable one.
    unstable: (Vec<f64>, Vec<f64>),
    /// Where Newton's steps are.
    there: Vec<f64>,
    loads: DVector<f64>,
    force: DVector<f64>,
    step: DVector<f64>,
    /// What a part of the forces alone would move.
    path: DVector<f64>,
    /// How the coordinates move when more load comes on.
    heading: DVector<f64>,
    /// Of all velocity coordinates: a displacement, and what a step is compared with.
    displacement: Vec<f64>,
    sizes: Vec<f64>,
}

impl Workspace {
    /// Room for an arm under conditions.
    pub(crate) fn new(arm: &Arm, conditions: &Conditions) -> Self {
        let arm = conditions.released(arm);
        let moving = conditions.moving(&arm);
        let (n, nq, nv) = (moving.len(), arm.nq(), arm.nv());
        let vector = || DVector::zeros(n);
        Self {
            balance: Balance::new(&arm, conditions, moving),
            slopes: Slopes::new(n),
            tangent: Tangent::new(n),
            q: vec![0.0; nq],
            corrections: Vec::with_capacity(STEPS),
            unstable: (vec![0.0; nq], Vec::with_capacity(STEPS)),
            there: vec![0.0; nq],
            loads: vector(),
            force: vector(),
            step: vector(),
            path: vector(),
            heading: vector(),
            displacement: vec![0.0; nv],
            sizes: vec![1.0; nv],
            arm,
        }
    }

    /// Takes other loads.
    pub(crate) fn set_loads(&mut self, loads: &[Load]) {
        self.balance.set_loads(loads);
    }

    /// The equilibrium that was found.
    pub(crate) fn q(&self) -> &[f64] {
        &self.q
    }

    /// Searches for the equilibrium near a configuration; allocates nothing.
    ///
    /// # Panics
    /// When `start` does not have `nq` entries.
    pub(crate) fn find(&mut self, start: &[f64]) -> Result<Found, Failure> {
        self.q.copy_from_slice(start);
        self.corrections.clear();
        if self.balance.moving().is_empty() {
            return Ok(Found { parts: 1, stable: true });
        }
        self.there.copy_from_slice(start);
        // an unstable answer may be far from where the arm would go
        let is_direct = self.newton(1.0).is_ok();
        if is_direct && self.is_stable() {
            self.q.copy_from_slice(&self.there);
            return Ok(Found { parts: 1, stable: true });
        }
        self.unstable.0.copy_from_slice(&self.there);
        std::mem::swap(&mut self.unstable.1, &mut self.corrections);
        match self.in_parts() {
            Err(_) if is_direct => {
                self.q.copy_from_slice(&self.unstable.0);
                std::mem::swap(&mut self.unstable.1, &mut self.corrections);
                Ok(Found { parts: 1, stable: false })
            }
            parts => parts.map(|parts| Found { parts, stable: self.is_stable() }),
        }
    }

    /// Puts the loads on in parts, from `q`; in how many.
    fn in_parts(&mut self) -> Result<usize, Failure> {
        self.heading.fill(0.0);
        let (mut on, mut part, mut parts) = (0.0, FIRST_PART, 0);
        loop {
            let next = f64::min(1.0, on + part);
            self.there.copy_from_slice(&self.q);
            self.step.copy_from(&self.heading);
            self.step *= next - on;
            self.take_step();
            match self.newton(next) {
                Ok(()) => {
                    self.q.copy_from_slice(&self.there);
                    (on, parts, part) = (next, parts + 1, 1.5 * part);
                    if on >= 1.0 {
                        return Ok(parts);
                    }
                }
                Err(stuck) => {
                    part *= 0.5;
                    if part < SMALLEST_PART {
                        return Err(Failure(stuck, on));
                    }
                }
            }
        }
    }

    fn complaint(&self, failure: &Failure) -> AnalysisError {
        let name = |row: usize| self.arm.velocity_names()[self.balance.moving()[row]].clone();
        match *failure {
            Failure(Stuck::Singular, _) => {
                AnalysisError::Unconstrained { coordinate: name(self.tangent.free()) }
            }
            Failure(Stuck::Left(row, force), on) => {
                let percent = 100.0 * on;
                AnalysisError::NotConverged { percent, force, coordinate: name(row) }
            }
        }
    }

    /// Carries the part `on` of the loads from near `there`.
    fn newton(&mut self, on: f64) -> Result<(), Stuck> {
        self.corrections.clear();
        let mut first_work = None;
        let mut left = (0, f64::INFINITY);
        for _ in 0..STEPS {
            self.balance.at(&self.there, &mut self.slopes);
            if !self.slopes.is_finite() {
                break;
            }
            let Self { slopes, tangent, loads, force, step, path, .. } = self;
            loads.copy_from(&slopes.other);
            *loads *= on;
            force.copy_from(&slopes.elastic);
            *force += &*loads;
            if !tangent.factor(slopes, on) {
                return Err(Stuck::Singular);
            }
            tangent.solve(force, step);
            // works, term by term, so that they have one unit and no signs
            let work = |force: &DVector<f64>, path: &DVector<f64>| {
                force.iter().zip(path.iter()).map(|(f, d)| (f * d).abs()).sum::<f64>()
            };
            tangent.solve(&slopes.elastic, path);
            let elastic = work(&slopes.elastic, path);
            tangent.solve(loads, path);
            let whole = work(loads, path).max(elastic);
            let whole = whole.max(*first_work.get_or_insert(whole));
            let size = if whole > 0.0 { (work(force, step) / whole).sqrt() } else { 0.0 };
            if !size.is_finite() {
                break;
            }
            if let Some(worst) =
                (0..force.len()).max_by(|&a, &b| force[a].abs().total_cmp(&force[b].abs()))
            {
                left = (worst, force[worst]);
            }
            let before = self.corrections.last().copied().unwrap_or(f64::INFINITY);
            self.corrections.push(size);
            let rounding = before <= ROUNDING && size > 0.5 * before;
            if size <= SMALL_STEP || rounding || self.stands() {
                self.tangent.solve(&self.slopes.other, &mut self.heading);
                self.heading.neg_mut();
                return Ok(());
            }
            self.step.neg_mut();
            self.take_step();
        }
        Err(Stuck::Left(left.0, left.1))
    }

    /// Whether the tangent stiffness of the last step is positive definite.
    fn is_stable(&mut self) -> bool {
        let Self { slopes: Slopes { elastic_slope, other_slope, .. }, tangent, .. } = self;
        let stiffness = &mut tangent.slope;
        stiffness.copy_from(elastic_slope);
        *stiffness += &*other_slope;
        make_symmetric(stiffness);
        cholesky_in_place(stiffness).is_ok()
    }

    /// Whether the step changes nothing.
    fn stands(&mut self) -> bool {
        let Self { arm, balance, there, step, sizes, .. } = self;
        for link in 0..arm.body_count() {
            let (bending_q, bending_v) = arm.bending_of(link);
            for (q, v) in there[bending_q].iter().zip(bending_v) {
                sizes[v] = q.abs();
            }
        }
        let moving = balance.moving().iter();
        moving.zip(step.iter()).all(|(&v, step)| step.abs() <= STANDSTILL * sizes[v])
    }

    /// Goes by the step.
    fn take_step(&mut self) {
        for (&v, step) in self.balance.moving().iter().zip(self.step.iter()) {
            self.displacement[v] = *step;
        }
        self.arm.displace(&mut self.there, &self.displacement);
    }
}

/// A factored tangent, its rows and columns scaled because coordinates differ in unit.
#[derive(Clone, Debug)]
struct Tangent {
    slope: DMatrix<f64>,
    scale: DVector<f64>,
    scaled: DMatrix<f64>,
    factored: Pivoted,
}

impl Tangent {
    /// Room for `n` coordinates.
    fn new(n: usize) -> Self {
        let matrix = || DMatrix::zeros(n, n);
        let (scale, factored) = (DVector::zeros(n), Pivoted::default());
        Self { slope: matrix(), scale, scaled: matrix(), factored }
    }

    /// Factors the slope with a part of the loads on; whether all coordinates resist.
    fn factor(&mut self, slopes: &Slopes, on: f64) -> bool {
        let Self { slope, scale, scaled, factored } = self;
        slope.copy_from(&slopes.other_slope);
        *slope *= on;
        *slope += &slopes.elastic_slope;
        for (i, scale) in scale.iter_mut().enumerate() {
            let size = slope[(i, i)].abs();
            *scale = if size > 0.0 { size.sqrt().recip() } else { 1.0 };
        }
        for j in 0..scale.len() {
            for i in 0..scale.len() {
                scaled[(i, j)] = slope[(i, j)] * scale[i] * scale[j];
            }
        }
        factored.factor(scaled);
        !factored.diagonal().any(|pivot| pivot.is_nan() || pivot.abs() <= SINGULAR)
    }

    /// The coordinate that moves most where nothing resists.
    fn free(&self) -> usize {
        let most = singular(&self.scaled).and_then(|parts| parts.v_t).and_then(|v| {
            let row = v.row(v.nrows() - 1).into_owned();
            (0..row.len()).max_by(|&a, &b| row[a].abs().total_cmp(&row[b].abs()))
        });
        most.unwrap_or(0)
    }

    fn solve(&self, right: &DVector<f64>, x: &mut DVector<f64>) {
        x.copy_from(right);
        x.component_mul_assign(&self.scale);
        // its pivots are no zeros
        let _ = self.factored.solve(x);
        x.component_mul_assign(&self.scale);
    }
}
