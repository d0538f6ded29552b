//! A mass matrix, and what is rounding in what it moves.
//!
//! Motions that have nothing to do with each other stay apart only if rounding does not tie them:
//! zeros and modes out of reach are found by what is exactly zero.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

/// Entries below this part of what they are sums of, or of what stands beside them, are rounding.
const ROUNDING: f64 = 1e-13;

/// A factored mass matrix.
pub(super) struct Masses {
    factored: Cholesky<f64, Dyn>,
    /// The square roots of the diagonal of its inverse: no entry of that is larger than the product of
    /// two.
    reach: DVector<f64>,
    /// The square roots of its diagonal: what brings coordinates to one unit.
    weight: DVector<f64>,
}

impl Masses {
    /// `None` for one that is not positive.
    pub(super) fn new(matrix: DMatrix<f64>) -> Option<Self> {
        let weight = matrix.diagonal().map(f64::sqrt);
        let factored = matrix.cholesky()?;
        let reach = factored.inverse().diagonal().map(f64::sqrt);
        Some(Self { factored, reach, weight })
    }

    /// `M⁻¹ R`.
    pub(super) fn solve(&self, right: &DMatrix<f64>) -> DMatrix<f64> {
        let mut solved = self.factored.solve(right);
        for (mut column, right) in solved.column_iter_mut().zip(right.column_iter()) {
            let terms: f64 = self.reach.iter().zip(right.iter()).map(|(r, x)| r * x.abs()).sum();
            for (entry, reach) in column.iter_mut().zip(self.reach.iter()) {
                if entry.abs() < ROUNDING * reach * terms {
                    *entry = 0.0;
                }
            }
        }
        solved
    }

    /// Takes what is rounding beside the rest of its row out of slopes in the coordinates.
    pub(super) fn sweep_rows(&self, slopes: &mut DMatrix<f64>) {
        for mut row in slopes.row_iter_mut() {
            sweep(row.iter_mut().zip(self.weight.iter().map(|weight| weight.recip())));
        }
    }

    /// The same beside the rest of its column, for rates of the coordinates.
    pub(super) fn sweep_columns(&self, rates: &mut DMatrix<f64>) {
        for mut column in rates.column_iter_mut() {
            sweep(column.iter_mut().zip(self.weight.iter().copied()));
        }
    }
}

/// Zero for the numbers that are rounding beside the others, each times a weight.
fn sweep<'a>(numbers: impl Iterator<Item = (&'a mut f64, f64)>) {
    let numbers: Vec<(&mut f64, f64)> = numbers.collect();
    let largest = numbers.iter().map(|(x, weight)| (**x * weight).abs()).fold(0.0, f64::max);
    for (x, weight) in numbers {
        if (*x * weight).abs() < ROUNDING * largest {
            *x = 0.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::dmatrix;

    #[test]
    fn what_is_tied_by_rounding_alone_is_apart() {
        let noise = 1e-17;
        let matrix = dmatrix![4.0, 1.0, noise; 1.0, 3.0, 0.0; noise, 0.0, 1e-6];
        let masses = Masses::new(matrix).expect("positive");
        let moved = masses.solve(&DMatrix::identity(3, 3));
        assert_eq!([moved[(0, 2)], moved[(2, 0)], moved[(1, 2)]], [0.0; 3], "{moved}");
        assert!((moved[(2, 2)] - 1e6).abs() < 1e-9 && (moved[(0, 1)] + 1.0 / 11.0).abs() < 1e-15);
        // 3 − 3 with the rounding of a third
        let column = masses.solve(&dmatrix![1.0; 1.0 / 4.0; 0.0]);
        assert_eq!(column[1], 0.0, "{column}");
        let mut seen = dmatrix![1.0, 1e-17, 0.0; 0.0, 0.0, 1e-17];
        masses.sweep_rows(&mut seen);
        assert_eq!(seen, dmatrix![1.0, 0.0, 0.0; 0.0, 0.0, 1e-17]);
        let mut rates = dmatrix![1.0, 0.0; 1e-17, 1e-17; 1e-12, 0.0];
        masses.sweep_columns(&mut rates);
        assert_eq!(rates, dmatrix![1.0, 0.0; 0.0, 1e-17; 0.0, 0.0]);
    }
}
