//! Algebraic Riccati equations, and the regulators and observers that come from them.
//!
//! | | equation | stable |
//! |---|---|---|
//! | [`TimeDomain::Continuous`] | `AᵀX + XA − XBR⁻¹BᵀX + Q = 0` | `A − BK`, `K = R⁻¹BᵀX` |
//! | [`TimeDomain::Discrete`] | `AᵀXA − X − AᵀXB(R + BᵀXB)⁻¹BᵀXA + Q = 0` | `A − BK`, `K = (R + BᵀXB)⁻¹BᵀXA` |
//!
//! A first solution comes from the sign function of the Hamiltonian matrix (Roberts 1980) or by
//! doubling (Anderson 1978), after a scaling of the states. Newton's method (Kleinman 1968, Hewer
//! 1971) on the residual then takes it to rounding. Pairs that no feedback can make stable, and
//! weights that are no weights, are refused by name before.

mod error;
mod first;
mod hautus;
mod regulator;

pub use error::{RankDeficiency, RiccatiError, WeightFault};
pub use regulator::{Lqg, Observer, Regulator, kalman, lqg, lqr};

use crate::linear::{C, Triangular, eigenvalues, symmetric};
use error::check_weight;
use nalgebra::DMatrix;

/// The relative residual below which a solution is one.
const RESIDUAL: f64 = 1e-12;
/// How many of Newton's steps are taken at most.
const STEPS: usize = 30;

/// Continuous or discrete time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TimeDomain {
    /// `ẋ = Ax + Bu`.
    Continuous,
    /// `x⁺ = Ax + Bu`.
    Discrete,
}

/// A solution of a Riccati equation.
#[derive(Clone, Debug, PartialEq)]
pub struct Riccati {
    /// The stabilising solution, symmetric.
    pub x: DMatrix<f64>,
    /// The gain `K` of the feedback `u = −Kx`.
    pub gain: DMatrix<f64>,
    /// The eigenvalues of `A − BK` (1/s, or 1 for ticks), ascending by size.
    pub poles: Vec<C>,
    /// What is left of the equation, relative: `|left| / (|Q| + |A||X|)`, for ticks
    /// `|left| / (|Q| + |A|²|X|)`, in Frobenius norms.
    pub residual: f64,
    /// By how many times more than `A`, `B`, `Q` and `R` the solution changes, in relative size and
    /// to first order, with states scaled to one size: after the bound of Kenney and Hewer (1990),
    /// with what the inputs spend, `XBR⁻¹BᵀX`, in the place of its larger bound `|BR⁻¹Bᵀ||X|²`.
    pub condition: f64,
}

/// Solves a Riccati equation for `ẋ = Ax + Bu` or `x⁺ = Ax + Bu` with the cost `xᵀQx + uᵀRu`.
///
/// ```
/// use pliant::analyse::riccati::{self, TimeDomain};
/// use pliant::nalgebra::dmatrix;
///
/// // a mass, its place and its rate: X = (√3 1; 1 √3), poles of the Butterworth filter
/// let (a, b) = (dmatrix![0.0, 1.0; 0.0, 0.0], dmatrix![0.0; 1.0]);
/// let riccati =
///     riccati::solve(TimeDomain::Continuous, &a, &b, &dmatrix![1.0, 0.0; 0.0, 1.0], &dmatrix![1.0])?;
/// assert!((riccati.x[(0, 0)] - 3.0_f64.sqrt()).abs() < 1e-14 && riccati.residual < 1e-15);
/// # Ok::<(), pliant::analyse::riccati::RiccatiError>(())
/// ```
pub fn solve(
    time: TimeDomain,
    a: &DMatrix<f64>,
    b: &DMatrix<f64>,
    q: &DMatrix<f64>,
    r: &DMatrix<f64>,
) -> Result<Riccati, RiccatiError> {
    let (n, m) = (a.nrows(), b.ncols());
    check_shape("A", a, (n, n))?;
    check_shape("B", b, (n, m))?;
    check_weight("Q", q, n, false)?;
    check_weight("R", r, m, true)?;
    if n == 0 {
        let empty = DMatrix::zeros(0, 0);
        let gain = DMatrix::zeros(m, 0);
        return Ok(Riccati { x: empty, gain, poles: Vec::new(), residual: 0.0, condition: 1.0 });
    }
    let scaled = first::Scaled::new(a, b, q, r);
    hautus::check(time, &scaled)?;
    let equation = Equation { time, a: &scaled.a, b: &scaled.b, q: &scaled.q, r };
    let start = scaled.first(time).ok_or(RiccatiError::NotConverged { residual: f64::INFINITY })?;
    let x = equation.newton(start)?;
    let condition = equation.condition(&x);

    let x = symmetric(&scaled.unscale(&x));
    let equation = Equation { a, b, q, ..equation };
    let gain = equation.gain(&x).ok_or(RiccatiError::NotConverged { residual: f64::INFINITY })?;
    let residual = equation.relative(&x, &equation.left(&x, &gain));
    let poles = eigenvalues(&(a - b * &gain)).unwrap_or_default();
    if poles.len() < n || !poles.iter().all(|pole| is_stable(time, *pole)) || residual > RESIDUAL {
        return Err(RiccatiError::NotConverged { residual });
    }
    Ok(Riccati { x, gain, poles, residual, condition })
}

/// Whether motion in a mode dies out.
fn is_stable(time: TimeDomain, pole: C) -> bool {
    match time {
        TimeDomain::Continuous => pole.re < 0.0,
        TimeDomain::Discrete => pole.norm() < 1.0,
    }
}

fn check_shape(
    what: &'static str,
    matrix: &DMatrix<f64>,
    needed: (usize, usize),
) -> Result<(), RiccatiError> {
    if matrix.shape() != needed {
        return Err(RiccatiError::Shape { what, given: matrix.shape(), needed });
    }
    match matrix.iter().position(|entry| !entry.is_finite()) {
        None => Ok(()),
        Some(at) => {
            let (row, column) = (at % matrix.nrows(), at / matrix.nrows());
            Err(RiccatiError::NotFinite { what, row, column, value: matrix[at] })
        }
    }
}

#[derive(Clone, Copy)]
struct Equation<'a> {
    time: TimeDomain,
    a: &'a DMatrix<f64>,
    b: &'a DMatrix<f64>,
    q: &'a DMatrix<f64>,
    r: &'a DMatrix<f64>,
}

impl Equation<'_> {
    /// `K` of a solution.
    fn gain(&self, x: &DMatrix<f64>) -> Option<DMatrix<f64>> {
        let pushed = self.b.transpose() * x;
        match self.time {
            TimeDomain::Continuous => self.r.clone().cholesky().map(|r| r.solve(&pushed)),
            TimeDomain::Discrete => {
                let weight = symmetric(&(self.r + &pushed * self.b));
                weight.cholesky().map(|weight| weight.solve(&(pushed * self.a)))
            }
        }
    }

    /// What is left of the equation.
    fn left(&self, x: &DMatrix<f64>, gain: &DMatrix<f64>) -> DMatrix<f64> {
        let (a, b) = (self.a, self.b);
        let back = gain.transpose();
        let whole = match self.time {
            TimeDomain::Continuous => a.transpose() * x + x * a - back * self.r * gain + self.q,
            TimeDomain::Discrete => a.transpose() * x * (a - b * gain) - x + self.q,
        };
        symmetric(&whole)
    }

    fn relative(&self, x: &DMatrix<f64>, left: &DMatrix<f64>) -> f64 {
        let a = self.a.norm();
        let size = match self.time {
            TimeDomain::Continuous => a * x.norm(),
            TimeDomain::Discrete => a * a * x.norm(),
        };
        let whole = self.q.norm() + size;
        if whole > 0.0 { left.norm() / whole } else { left.norm() }
    }

    /// Newton's steps until the residual no longer falls.
    fn newton(&self, start: DMatrix<f64>) -> Result<DMatrix<f64>, RiccatiError> {
        let mut best: Option<(f64, DMatrix<f64>)> = None;
        let mut x = start;
        for _ in 0..STEPS {
            let Some(gain) = self.gain(&x) else { break };
            let left = self.left(&x, &gain);
            let residual = self.relative(&x, &left);
            let falls = best.as_ref().is_none_or(|(least, _)| residual < *least);
            if !falls {
                break;
            }
            best = Some((residual, x.clone()));
            let Some(closed) = Triangular::new(&(self.a - self.b * gain)) else { break };
            x += match self.time {
                TimeDomain::Continuous => closed.lyapunov(&left),
                TimeDomain::Discrete => closed.stein(&left),
            };
        }
        match best {
            Some((residual, x)) if residual < RESIDUAL => Ok(x),
            other => {
                let residual = other.map_or(f64::INFINITY, |(residual, _)| residual);
                Err(RiccatiError::NotConverged { residual })
            }
        }
    }

    /// `(|Q| + 2|A||X| + |XGX|) |Ω⁻¹| / |X|` with `G = BR⁻¹Bᵀ` and the linear operator `Ω` of the
    /// closed loop, whose inverse is largest on the identity; for ticks the equation divided by
    /// `A − BK` gives the same with `A` and `X` in the places that they have there.
    fn condition(&self, x: &DMatrix<f64>) -> f64 {
        let Some(gain) = self.gain(x) else { return f64::INFINITY };
        let identity = DMatrix::identity(x.nrows(), x.nrows());
        let Some(closed) = Triangular::new(&(self.a - self.b * &gain)) else {
            return f64::INFINITY;
        };
        let size = x.norm();
        let spent = (gain.transpose() * self.r * &gain).norm();
        let (inverse, moved) = match self.time {
            TimeDomain::Continuous => {
                (closed.lyapunov(&identity).norm(), 2.0 * self.a.norm() * size)
            }
            TimeDomain::Discrete => {
                let turned = (x * (self.a - self.b * &gain)).norm();
                (closed.stein(&identity).norm(), 2.0 * self.a.norm() * turned)
            }
        };
        if size > 0.0 { (self.q.norm() + moved + spent) * inverse / size } else { 1.0 }
    }
}
