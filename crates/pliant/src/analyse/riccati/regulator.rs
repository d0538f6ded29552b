//! Regulators, observers, and both together.

use super::{C, RankDeficiency, Riccati, RiccatiError, TimeDomain, check_shape, solve};
use nalgebra::DMatrix;

/// A feedback `u = −Kx` that minimises `∫ xᵀQx + uᵀRu dt`, or the sum over samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Regulator {
    /// `K`.
    pub gain: DMatrix<f64>,
    /// Eigenvalues of `A − BK`.
    pub poles: Vec<C>,
    /// The solution that the gain comes from.
    pub riccati: Riccati,
}

/// An observer: `ẑ' = Aẑ + Bu + L(y − Cẑ − Du)`. In discrete time `ẑ` is the a priori estimate, and
/// [`Observer::correction`] includes the measurement.
#[derive(Clone, Debug, PartialEq)]
pub struct Observer {
    /// `L`.
    pub gain: DMatrix<f64>,
    /// `M` of the step `ẑ ← ẑ + M(y − Cẑ)`; for ticks `L = AM`, otherwise `L`.
    pub correction: DMatrix<f64>,
    /// Eigenvalues of `A − LC`.
    pub poles: Vec<C>,
    /// The solution that the gain comes from; its `x` is the covariance of the error.
    pub riccati: Riccati,
}

/// A regulator that acts on the estimate of an observer: `ẑ' = Fẑ + Ly`, `u = −Kẑ`.
#[derive(Clone, Debug, PartialEq)]
pub struct Lqg {
    /// The regulator.
    pub regulator: Regulator,
    /// The observer.
    pub observer: Observer,
    /// `F = A − BK − LC + LDK`.
    pub dynamics: DMatrix<f64>,
}

impl Lqg {
    /// The eigenvalues of the closed loop: those of the regulator and of the observer.
    pub fn poles(&self) -> Vec<C> {
        [self.regulator.poles.as_slice(), &self.observer.poles].concat()
    }
}

/// The linear quadratic regulator of `(A, B)` with the weights `Q` of states and `R` of inputs.
pub fn lqr(
    time: TimeDomain,
    a: &DMatrix<f64>,
    b: &DMatrix<f64>,
    q: &DMatrix<f64>,
    r: &DMatrix<f64>,
) -> Result<Regulator, RiccatiError> {
    let riccati = solve(time, a, b, q, r)?;
    Ok(Regulator { gain: riccati.gain.clone(), poles: riccati.poles.clone(), riccati })
}

/// The steady-state Kalman filter of `(A, C)` with the covariance `W` of the process noise (per
/// second, or per sample) and `V` of the measurement noise: the regulator of `(Aᵀ, Cᵀ)`.
pub fn kalman(
    time: TimeDomain,
    a: &DMatrix<f64>,
    c: &DMatrix<f64>,
    w: &DMatrix<f64>,
    v: &DMatrix<f64>,
) -> Result<Observer, RiccatiError> {
    let (n, outputs) = (a.nrows(), c.nrows());
    check_shape("C", c, (outputs, n))?;
    let dual = solve(time, &a.transpose(), &c.transpose(), w, v);
    let riccati = dual.map_err(named_for_observers)?;
    let gain = riccati.gain.transpose();
    let correction = match time {
        TimeDomain::Continuous => gain.clone(),
        TimeDomain::Discrete => {
            let seen = c * &riccati.x;
            let spread = (&seen * c.transpose() + v).cholesky();
            spread.map_or_else(|| gain.clone(), |spread| spread.solve(&seen).transpose())
        }
    };
    Ok(Observer { gain, correction, poles: riccati.poles.clone(), riccati })
}

/// A regulator on the states that a Kalman filter estimates.
///
/// `system` is `(A, B, C, D)`, `weights` are `(Q, R)`, `noise` is `(W, V)`.
pub fn lqg(
    time: TimeDomain,
    system: [&DMatrix<f64>; 4],
    weights: [&DMatrix<f64>; 2],
    noise: [&DMatrix<f64>; 2],
) -> Result<Lqg, RiccatiError> {
    let [a, b, c, d] = system;
    check_shape("D", d, (c.nrows(), b.ncols()))?;
    let regulator = lqr(time, a, b, weights[0], weights[1])?;
    let observer = kalman(time, a, c, noise[0], noise[1])?;
    let (k, l) = (&regulator.gain, &observer.gain);
    let dynamics = a - b * k - l * c + l * d * k;
    Ok(Lqg { regulator, observer, dynamics })
}

/// The same fault in the words of the observer.
fn named_for_observers(error: RiccatiError) -> RiccatiError {
    let other = |name| match name {
        "Q" => "W",
        "R" => "V",
        "B" => "C",
        same => same,
    };
    match error {
        RiccatiError::Mode { time, mode, deficiency: RankDeficiency::Inputs } => {
            RiccatiError::Mode { time, mode, deficiency: RankDeficiency::Outputs }
        }
        RiccatiError::Mode { time, mode, deficiency: RankDeficiency::Weight } => {
            RiccatiError::Mode { time, mode, deficiency: RankDeficiency::Noise }
        }
        RiccatiError::Weight { weight, fault } => {
            RiccatiError::Weight { weight: other(weight), fault }
        }
        RiccatiError::Shape { what, given, needed } => {
            RiccatiError::Shape { what: other(what), given, needed }
        }
        // of the transposed matrix
        RiccatiError::NotFinite { what: what @ ("A" | "B"), row, column, value } => {
            RiccatiError::NotFinite { what: other(what), row: column, column: row, value }
        }
        same => same,
    }
}
