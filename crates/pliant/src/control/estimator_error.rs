//! Why there is no state estimator.

use crate::Help;
use crate::analyse::riccati::{RankDeficiency, RiccatiError};
use crate::analyse::{AnalysisError, StateSpace};
use crate::dynamics::EvaluationError;
use crate::linear::singular;
use nalgebra::{Complex, DMatrix};
use std::f64::consts::TAU;

/// Why a model has no state estimator.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EstimatorError {
    /// Numbers are missing.
    #[error("{given} {what} are given for {needed} joints")]
    Count {
        /// Of what.
        what: &'static str,
        /// How many.
        given: usize,
        /// How many there must be.
        needed: usize,
    },
    /// A joint follows a motion whatever acts on it.
    #[error("{coordinate} follows a prescribed motion, which an estimator does not know")]
    Prescribed {
        /// The coordinate.
        coordinate: String,
    },
    /// A mode does not die out, and is not measured, or not stirred by noise.
    #[error(
        "{deficiency} the mode of {frequency:.4} Hz, mostly {coordinate}, which does not die out by itself"
    )]
    Mode {
        /// What does not reach it.
        deficiency: RankDeficiency,
        /// Its frequency (Hz).
        frequency: f64,
        /// The coordinate with the largest part in it.
        coordinate: String,
    },
    /// No steady state.
    #[error("its Riccati equation has no solution: {0}")]
    Riccati(RiccatiError),
    /// The model cannot be linearised.
    #[error(transparent)]
    Model(#[from] AnalysisError),
}

impl Help for EstimatorError {
    fn help(&self) -> Option<String> {
        let help = match self {
            Self::Count { .. } => "give one for each",
            Self::Prescribed { .. } => "let a motor drive it, or use the full state",
            Self::Mode { deficiency: RankDeficiency::Noise, .. } => {
                "give the model noise of forces and bending"
            }
            Self::Mode { .. } => "add a strain gauge that it stretches, or give its model damping",
            Self::Riccati(error) => return error.help(),
            Self::Model(error) => return error.help(),
        };
        Some(help.into())
    }
}

impl From<EvaluationError> for EstimatorError {
    fn from(error: EvaluationError) -> Self {
        Self::Model(error.into())
    }
}

impl EstimatorError {
    /// A fault of the Riccati equation at ticks, with the mode as it is between them.
    pub(super) fn of(
        error: RiccatiError,
        system: &StateSpace,
        mass: &DMatrix<f64>,
        moving: &[usize],
        period: f64,
    ) -> Self {
        let RiccatiError::Mode { mode, deficiency, .. } = error else {
            return Self::Riccati(error);
        };
        // of those that look alike at ticks, the first
        let off = |pole: &Complex<f64>| ((pole * period).exp() - mode).norm();
        let poles = system.poles();
        let pole = poles.iter().min_by(|a, b| off(a).total_cmp(&off(b)));
        let pole = pole.copied().unwrap_or_default();
        let n = system.a.nrows();
        let rest = system.a.map(Complex::from) - DMatrix::identity(n, n) * pole;
        let shape = singular(&rest).and_then(|parts| parts.v_t);
        let part = |k: &usize| {
            let size = shape.as_ref().map_or(0.0, |rows| rows[(n - 1, *k)].norm());
            size * mass[(moving[*k], moving[*k])].sqrt()
        };
        let most = (0..moving.len()).max_by(|a, b| part(a).total_cmp(&part(b)));
        let coordinate = most.map_or_else(String::new, |k| system.states[k].name.clone());
        Self::Mode { deficiency, frequency: pole.norm() / TAU, coordinate }
    }
}
