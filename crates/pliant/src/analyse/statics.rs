//! Static equilibria.
//!
//! Newton's method on `gravity + elastic − external = 0` over the coordinates that move, with the
//! exact slope. Where it does not arrive in one go, the loads are put on in parts, each from where
//! the last one was heading.

use super::balance::{Balance, Slopes};
use super::conditions::Conditions;
use super::error::AnalysisError;
use crate::arm::Arm;
use crate::linear::{cholesky, singular, symmetric};
use nalgebra::{DMatrix, DVector, Dyn, LU};

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

/// One part of the loads, carried.
struct Arrived {
    corrections: Vec<f64>,
    slopes: Slopes,
    /// How the coordinates move when more load comes on.
    heading: DVector<f64>,
}

/// Why one part of the loads was not carried.
enum Stuck {
    /// The slope was singular in this direction.
    Singular(usize),
    /// This force remained on this coordinate.
    Left(usize, f64),
}

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
        let arm = conditions.released(self);
        let mut balance = Balance::new(&arm, conditions, conditions.moving(&arm));
        let mut search = Search { arm: &arm, balance: &mut balance };
        let (q, arrived, parts) = search.run(q)?;
        let u = conditions.velocities(&arm);
        let forces = arm.bias(&q, &u)? - arm.load_forces(&q, &conditions.loads)?;
        let residual = balance.moving().iter().fold(0.0_f64, |sum, &v| sum.max(forces[v].abs()));
        let stable = is_stable(&arrived.slopes);
        Ok(Equilibrium { q, forces, residual, corrections: arrived.corrections, parts, stable })
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
        Ok(Balance::new(&arm, conditions, all).at(q).stiffness())
    }
}

fn is_stable(slopes: &Slopes) -> bool {
    cholesky(&symmetric(&slopes.stiffness())).is_ok()
}

struct Search<'a> {
    arm: &'a Arm,
    balance: &'a mut Balance,
}

impl Search<'_> {
    /// The configuration of rest, and in how many parts the loads were put on.
    fn run(&mut self, start: &[f64]) -> Result<(Vec<f64>, Arrived, usize), AnalysisError> {
        let mut q = start.to_vec();
        if self.balance.moving().is_empty() {
            let (slopes, heading) = (self.balance.at(start), DVector::zeros(0));
            return Ok((q, Arrived { corrections: Vec::new(), slopes, heading }, 1));
        }
        // an unstable answer may be far from where the arm would go
        let direct = self.newton(&mut q, 1.0);
        match direct {
            Ok(arrived) if is_stable(&arrived.slopes) => Ok((q, arrived, 1)),
            Ok(unstable) => self.in_parts(start).or(Ok((q, unstable, 1))),
            Err(_) => self.in_parts(start),
        }
    }

    /// Puts the loads on in parts.
    fn in_parts(&mut self, start: &[f64]) -> Result<(Vec<f64>, Arrived, usize), AnalysisError> {
        let mut q = start.to_vec();
        let mut heading = DVector::zeros(self.balance.moving().len());
        let (mut on, mut part, mut parts) = (0.0, FIRST_PART, 0);
        loop {
            let next = f64::min(1.0, on + part);
            let mut there = q.clone();
            self.displace(&mut there, &(&heading * (next - on)));
            match self.newton(&mut there, next) {
                Ok(arrived) => {
                    (q, on, parts, part) = (there, next, parts + 1, 1.5 * part);
                    if on >= 1.0 {
                        return Ok((q, arrived, parts));
                    }
                    heading = arrived.heading;
                }
                Err(stuck) => {
                    part *= 0.5;
                    if part < SMALLEST_PART {
                        return Err(self.complaint(&stuck, 100.0 * on));
                    }
                }
            }
        }
    }

    fn complaint(&self, stuck: &Stuck, percent: f64) -> AnalysisError {
        let name = |row: usize| self.arm.velocity_names()[self.balance.moving()[row]].clone();
        match *stuck {
            Stuck::Singular(row) => AnalysisError::Unconstrained { coordinate: name(row) },
            Stuck::Left(row, force) => {
                AnalysisError::NotConverged { percent, force, coordinate: name(row) }
            }
        }
    }

    /// Carries the part `on` of the loads from near `q`.
    fn newton(&mut self, q: &mut [f64], on: f64) -> Result<Arrived, Stuck> {
        let mut corrections: Vec<f64> = Vec::new();
        let mut first_work = None;
        let mut left = (0, f64::INFINITY);
        for _ in 0..STEPS {
            let slopes = self.balance.at(q);
            if !slopes.is_finite() {
                break;
            }
            let loads = &slopes.other * on;
            let force = &slopes.elastic + &loads;
            let tangent = Tangent::new(&(&slopes.elastic_slope + &slopes.other_slope * on))
                .map_err(Stuck::Singular)?;
            let step = tangent.solve(&force);
            // works, term by term, so that they have one unit and no signs
            let work = |force: &DVector<f64>, path: &DVector<f64>| {
                force.iter().zip(path.iter()).map(|(f, d)| (f * d).abs()).sum::<f64>()
            };
            let elastic = work(&slopes.elastic, &tangent.solve(&slopes.elastic));
            let whole = work(&loads, &tangent.solve(&loads)).max(elastic);
            let whole = whole.max(*first_work.get_or_insert(whole));
            let size = if whole > 0.0 { (work(&force, &step) / whole).sqrt() } else { 0.0 };
            if !size.is_finite() {
                break;
            }
            if let Some(worst) =
                (0..force.len()).max_by(|&a, &b| force[a].abs().total_cmp(&force[b].abs()))
            {
                left = (worst, force[worst]);
            }
            let before = corrections.last().copied().unwrap_or(f64::INFINITY);
            corrections.push(size);
            let rounding = before <= ROUNDING && size > 0.5 * before;
            if size <= SMALL_STEP || rounding || self.stands(q, &step) {
                let heading = -tangent.solve(&slopes.other);
                return Ok(Arrived { corrections, slopes, heading });
            }
            self.displace(q, &-step);
        }
        Err(Stuck::Left(left.0, left.1))
    }

    /// Whether a step changes nothing.
    fn stands(&self, q: &[f64], step: &DVector<f64>) -> bool {
        let mut sizes = vec![1.0; self.arm.nv()];
        for link in 0..self.arm.body_count() {
            let (bending_q, bending_v) = self.arm.bending_of(link);
            for (q, v) in q[bending_q].iter().zip(bending_v) {
                sizes[v] = q.abs();
            }
        }
        let moving = self.balance.moving().iter();
        moving.zip(step.iter()).all(|(&v, step)| step.abs() <= STANDSTILL * sizes[v])
    }

    fn displace(&self, q: &mut [f64], step: &DVector<f64>) {
        let mut whole = vec![0.0; self.arm.nv()];
        for (&v, step) in self.balance.moving().iter().zip(step.iter()) {
            whole[v] = *step;
        }
        self.arm.displace(q, &whole);
    }
}

/// A factored tangent, its rows and columns scaled because coordinates differ in unit.
struct Tangent {
    scale: DVector<f64>,
    factored: LU<f64, Dyn, Dyn>,
}

impl Tangent {
    /// Factors it, or says which coordinate moves most where nothing resists.
    fn new(slope: &DMatrix<f64>) -> Result<Self, usize> {
        let n = slope.nrows();
        let scale = DVector::from_fn(n, |i, _| {
            let size = slope[(i, i)].abs();
            if size > 0.0 { size.sqrt().recip() } else { 1.0 }
        });
        let scaled = DMatrix::from_fn(n, n, |i, j| slope[(i, j)] * scale[i] * scale[j]);
        let factored = LU::new(scaled.clone());
        let pivots = factored.u().diagonal();
        if pivots.iter().any(|pivot| pivot.is_nan() || pivot.abs() <= SINGULAR) {
            let free = singular(&scaled).and_then(|parts| parts.v_t).and_then(|v| {
                let row = v.row(n - 1).into_owned();
                (0..n).max_by(|&a, &b| row[a].abs().total_cmp(&row[b].abs()))
            });
            return Err(free.unwrap_or(0));
        }
        Ok(Self { scale, factored })
    }

    fn solve(&self, right: &DVector<f64>) -> DVector<f64> {
        let mut x = right.component_mul(&self.scale);
        self.factored.solve_mut(&mut x);
        x.component_mul(&self.scale)
    }
}
