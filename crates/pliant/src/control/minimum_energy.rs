//! Minimum-energy control of a linear system to a state in a given time: Akmehmet appendix B.
//!
//! `ẋ = A x + B u + a₀`, the least `½ ∫ uᵀ R u dt` over the time `T` to `x(T) = x_f`:
//! `u = −K x + K e^{−AT} (x_f − H a₀)` with `K = R⁻¹ Bᵀ M⁻¹`, (B.12) corrected for a target that is
//! not the origin. `M` of (B.11) is a sum of squares; it is factored from its roots and scaled, so
//! that its condition (3e11 for six joints and 10 ms) costs half as many digits.

use crate::Help;
use crate::beam::Gauss;
use crate::linear::exponential;
use nalgebra::{Cholesky, DMatrix, DVector};

/// The minimum-energy gains for one model and horizon.
#[derive(Clone, Debug, PartialEq)]
pub struct MinimumEnergy {
    /// `G = −R⁻¹ Bᵀ M⁻¹`, (3.18): `u = G x + u_o`.
    pub feedback: DMatrix<f64>,
    /// `−G e^{−AT}`: what a target state gives.
    pub target: DMatrix<f64>,
    /// `−G ∫ e^{−Aτ} dτ`: what the constant part of the model takes.
    pub drift: DMatrix<f64>,
}

/// Why there are no gains.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MinimumEnergyError {
    /// No time, or too much of it.
    #[error("the horizon is {horizon} s")]
    Horizon {
        /// As given (s).
        horizon: f64,
    },
    /// R is not positive definite, or sizes do not fit.
    #[error(
        "the penalty of the controls is not symmetric and positive definite, or not of the size of the controls"
    )]
    Penalty,
    /// A model that moves too fast to be followed so far.
    #[error("the model moves too fast for numbers over a horizon of {horizon} s")]
    TooFast {
        /// The horizon (s).
        horizon: f64,
    },
    /// The controls cannot bring the state everywhere.
    #[error("the controls do not reach every state of the model within {horizon} s")]
    NotControllable {
        /// The horizon (s).
        horizon: f64,
    },
}

impl Help for MinimumEnergyError {
    fn help(&self) -> Option<String> {
        let help = match self {
            Self::Horizon { .. } => "it must be a positive time",
            Self::Penalty => {
                "give a matrix with a row for each control, and a positive cost in every direction"
            }
            Self::TooFast { .. } => "give a shorter horizon, or a model with finite rates",
            Self::NotControllable { .. } => "give a longer horizon, or further controls",
        };
        Some(help.into())
    }
}

impl MinimumEnergy {
    /// The gains of `A`, `B`, the penalty `R` of the controls and the horizon `T` (s).
    pub fn new(
        a: &DMatrix<f64>,
        b: &DMatrix<f64>,
        penalty: &DMatrix<f64>,
        horizon: f64,
    ) -> Result<Self, MinimumEnergyError> {
        if !(horizon.is_finite() && horizon > 0.0) {
            return Err(MinimumEnergyError::Horizon { horizon });
        }
        let (states, controls) = b.shape();
        if penalty.shape() != (controls, controls) || a.shape() != (states, states) {
            return Err(MinimumEnergyError::Penalty);
        }
        let root = Cholesky::new(penalty.clone()).ok_or(MinimumEnergyError::Penalty)?;
        // B R⁻¹ Bᵀ = (B L⁻ᵀ)(B L⁻ᵀ)ᵀ
        let scaled_b = root.l().solve_lower_triangular(&b.transpose());
        let scaled_b = scaled_b.ok_or(MinimumEnergyError::Penalty)?.transpose();
        let size = a.iter().fold(0.0_f64, |size, x| size.max(x.abs())) * states as f64;
        let panels = (size * horizon).ceil().clamp(1.0, 1000.0);
        let too_fast = MinimumEnergyError::TooFast { horizon };
        let mut roots: Vec<DMatrix<f64>> = Vec::new();
        let mut integral = DMatrix::zeros(states, states);
        let mut panel = 0.0;
        while panel < panels {
            let ends = [panel, panel + 1.0].map(|end| horizon * end / panels);
            for (t, weight) in Gauss::usual().on(ends[0], ends[1]) {
                let back = exponential(&(a * -t)).ok_or(too_fast)?;
                roots.push(&back * &scaled_b * weight.sqrt());
                integral += back * weight;
            }
            panel += 1.0;
        }
        let inverse =
            Inverse::new(&roots).ok_or(MinimumEnergyError::NotControllable { horizon })?;
        // K = L⁻ᵀ (B L⁻ᵀ)ᵀ M⁻¹
        let gains = inverse.apply(&scaled_b).transpose();
        let gains = root.l().transpose().solve_upper_triangular(&gains);
        let gains = gains.ok_or(MinimumEnergyError::Penalty)?;
        Ok(Self {
            target: &gains * exponential(&(a * -horizon)).ok_or(too_fast)?,
            drift: &gains * integral,
            feedback: -gains,
        })
    }

    /// `u_o` of (3.18), for a target `x_f` and the constant part `a₀` of the model.
    pub fn open_loop(&self, target: &DVector<f64>, constant: &DVector<f64>) -> DVector<f64> {
        &self.target * target - &self.drift * constant
    }
}

/// The inverse of `Σ F Fᵀ`, from the roots `F`.
struct Inverse {
    scale: DVector<f64>,
    factor: DMatrix<f64>,
}

impl Inverse {
    fn new(roots: &[DMatrix<f64>]) -> Option<Self> {
        let (states, controls) = roots.first()?.shape();
        let mut wide = DMatrix::zeros(controls * roots.len(), states);
        for (i, root) in roots.iter().enumerate() {
            wide.rows_mut(i * controls, controls).copy_from(&root.transpose());
        }
        let scale = DVector::from_fn(states, |i, _| {
            let norm = wide.column(i).norm();
            if norm > 0.0 { norm.recip() } else { 1.0 }
        });
        for (mut column, &factor) in wide.column_iter_mut().zip(scale.iter()) {
            column *= factor;
        }
        let factor = wide.qr().r();
        let least = factor.diagonal().iter().fold(f64::INFINITY, |least, x| least.min(x.abs()));
        (least > 1e-12).then_some(Self { scale, factor })
    }

    /// `M⁻¹ X`.
    fn apply(&self, x: &DMatrix<f64>) -> DMatrix<f64> {
        let mut x = x.clone();
        let scale = |x: &mut DMatrix<f64>| {
            for (mut row, &factor) in x.row_iter_mut().zip(self.scale.iter()) {
                row *= factor;
            }
        };
        scale(&mut x);
        self.factor.tr_solve_upper_triangular_mut(&mut x);
        self.factor.solve_upper_triangular_mut(&mut x);
        scale(&mut x);
        x
    }
}

/// The acceleration (B.13): the minimum-energy one that reaches, after the time `T` (s), a target
/// that moves with constant acceleration. `error` and `error_rate` are the present ones.
pub fn towards_moving(error: f64, error_rate: f64, acceleration: f64, horizon: f64) -> f64 {
    6.0 / (horizon * horizon) * error + 4.0 / horizon * error_rate + acceleration
}

/// The minimum-energy acceleration that brings a coordinate from one position and rate to another
/// in the time `T` (s): `6/T² (q_f − q) − 4/T q̇ − 2/T q̇_f`, (B.13) corrected for a point.
pub fn towards_point([place, rate]: [f64; 2], [to, to_rate]: [f64; 2], horizon: f64) -> f64 {
    6.0 / (horizon * horizon) * (to - place) - (4.0 * rate + 2.0 * to_rate) / horizon
}
