//! What is no system, no weight, or cannot be made stable.

use super::TimeDomain;
use crate::Help;
use crate::linear::{C, symmetric_eigen};
use nalgebra::DMatrix;
use std::fmt;

/// Asymmetry and negative eigenvalues up to this part of the largest entry are rounding.
const ROUNDING: f64 = 1e-12;

/// Why there is no stabilising solution.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RiccatiError {
    /// A matrix does not fit the others.
    #[error("{what} has {} rows and {} columns, must have {} and {}", .given.0, .given.1, .needed.0, .needed.1)]
    Shape {
        /// Its name.
        what: &'static str,
        /// Rows and columns given.
        given: (usize, usize),
        /// Rows and columns needed.
        needed: (usize, usize),
    },
    /// A number is none.
    #[error("{what}[{row}, {column}], counted from 0, is {value}")]
    NotFinite {
        /// The matrix.
        what: &'static str,
        /// The row.
        row: usize,
        /// The column.
        column: usize,
        /// The number.
        value: f64,
    },
    /// A weight that is none.
    #[error("the weight {weight} {fault}")]
    Weight {
        /// Its name.
        weight: &'static str,
        /// What is wrong.
        fault: WeightFault,
    },
    /// A mode does not die out, and nothing reaches it.
    #[error("{deficiency} the mode {}, which does not die out by itself", shown(.mode, *.time))]
    Mode {
        /// Of which equation.
        time: TimeDomain,
        /// Its eigenvalue.
        mode: C,
        /// What does not reach it.
        deficiency: RankDeficiency,
    },
    /// Rounding wins.
    #[error("no stabilising solution found to rounding, {residual:.1e} of the equation is left")]
    NotConverged {
        /// The relative residual that was reached.
        residual: f64,
    },
}

impl Help for RiccatiError {
    fn help(&self) -> Option<String> {
        let help = match self {
            Self::Shape { .. } => return None,
            Self::NotFinite { .. } => "it must be a finite number",
            Self::Weight { fault: WeightFault::NotSymmetric { .. }, .. } => {
                "give both entries the same value"
            }
            Self::Weight { fault: WeightFault::Indefinite { .. }, .. } => {
                "check the signs of its diagonal, and make entries beside it smaller"
            }
            Self::Weight { fault: WeightFault::Singular { .. }, .. } => {
                "give every direction a weight"
            }
            Self::Mode { deficiency: RankDeficiency::Inputs, .. } => {
                "add an input that moves it, or damping"
            }
            Self::Mode { deficiency: RankDeficiency::Weight, .. } => {
                "give it a weight in Q, or damping"
            }
            Self::Mode { deficiency: RankDeficiency::Outputs, .. } => {
                "add an output that sees it, or damping"
            }
            Self::Mode { deficiency: RankDeficiency::Noise, .. } => {
                "give it a part in the noise W, or damping"
            }
            Self::NotConverged { .. } => "scale the states and weights to nearer sizes",
        };
        Some(help.into())
    }
}

/// What is wrong with a weight.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum WeightFault {
    /// Two entries that should be one number.
    NotSymmetric {
        /// The row of the first, counted from 0.
        row: usize,
        /// Its column.
        column: usize,
        /// The first.
        value: f64,
        /// The other.
        mirrored: f64,
    },
    /// A direction with a cost below zero.
    Indefinite {
        /// The smallest eigenvalue.
        eigenvalue: f64,
    },
    /// A direction without cost where each must have one.
    Singular {
        /// The smallest eigenvalue.
        eigenvalue: f64,
    },
}

impl fmt::Display for WeightFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotSymmetric { row, column, value, mirrored } => write!(
                f,
                "is not symmetric: entry ({row}, {column}), counted from 0, is {value}, its mirror image {mirrored}"
            ),
            Self::Indefinite { eigenvalue } => {
                write!(
                    f,
                    "is indefinite: it has the eigenvalue {eigenvalue:.4e}, must have none below 0"
                )
            }
            Self::Singular { eigenvalue } => write!(
                f,
                "is singular: its smallest eigenvalue is {eigenvalue:.1e}, must be above 0 so that every direction has its price"
            ),
        }
    }
}

/// What does not reach a mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RankDeficiency {
    /// The pair `(A, B)` is not stabilisable.
    Inputs,
    /// The pair `(Q, A)` is not detectable.
    Weight,
    /// The pair `(C, A)` is not detectable.
    Outputs,
    /// The pair `(A, W)` is not stabilisable.
    Noise,
}

impl fmt::Display for RankDeficiency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Inputs => "not stabilisable: no input moves",
            Self::Weight => "not detectable: the weight Q does not see",
            Self::Outputs => "not detectable: no output sees",
            Self::Noise => "not stabilisable: the noise W does not stir",
        })
    }
}

/// An eigenvalue with its frequency, at ticks with how far it turns from one to the next.
fn shown(mode: &C, time: TimeDomain) -> String {
    if mode.im == 0.0 {
        return format!("{:.4}", mode.re);
    }
    let turns = match time {
        TimeDomain::Continuous => format!("{:.4} Hz", mode.norm() / std::f64::consts::TAU),
        TimeDomain::Discrete => format!("turning by {:.4} rad per tick", mode.arg().abs()),
    };
    format!("{:.4} ± {:.4}i ({turns})", mode.re, mode.im.abs())
}

/// Refuses what is no symmetric weight without negative, or with `definite` without zero,
/// eigenvalues.
pub(super) fn check_weight(
    weight: &'static str,
    matrix: &DMatrix<f64>,
    n: usize,
    definite: bool,
) -> Result<(), RiccatiError> {
    super::check_shape(weight, matrix, (n, n))?;
    let refuse = |fault| Err(RiccatiError::Weight { weight, fault });
    let rounding = ROUNDING * matrix.amax();
    for row in 0..n {
        for column in 0..row {
            let (value, mirrored) = (matrix[(row, column)], matrix[(column, row)]);
            if (value - mirrored).abs() > rounding {
                return refuse(WeightFault::NotSymmetric { row, column, value, mirrored });
            }
        }
    }
    if n == 0 {
        return Ok(());
    }
    // sizes may differ by many powers of ten without harm: each direction against its own size
    let size = |k: usize| matrix[(k, k)].abs().sqrt();
    let unit = DMatrix::from_fn(n, n, |i, j| {
        let (a, b) = (size(i), size(j));
        if a > 0.0 && b > 0.0 { matrix[(i, j)] / (a * b) } else { matrix[(i, j)] }
    });
    let least = symmetric_eigen(&unit).eigenvalues.iter().copied().fold(f64::INFINITY, f64::min);
    let floor = ROUNDING * n as f64;
    if least < -floor {
        return refuse(WeightFault::Indefinite { eigenvalue: least });
    }
    if definite && least <= floor {
        return refuse(WeightFault::Singular { eigenvalue: least });
    }
    Ok(())
}
