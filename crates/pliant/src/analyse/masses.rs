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
    /// The sizes of the entries of its inverse, without those that are rounding.
    inverse: DMatrix<f64>,
    /// The square roots of its diagonal: what brings coordinates to one unit.
    weight: DVector<f64>,
}

impl Masses {
    /// `None` for one that is not positive.
    pub(super) fn new(matrix: DMatrix<f64>) -> Option<Self> {
        let weight = matrix.diagonal().map(f64::sqrt);
        let factored = matrix.cholesky()?;
        let mut inverse = factored.inverse().abs();
        let size: DVector<f64> = inverse.diagonal().map(f64::sqrt);
        for ((i, j), entry) in indexed(&mut inverse) {
            if *entry < ROUNDING * size[i] * size[j] {
                *entry = 0.0;
            }
        }
        Some(Self { factored, inverse, weight })
    }

    /// `M⁻¹ R`.
    pub(super) fn solve(&self, right: &DMatrix<f64>) -> DMatrix<f64> {
        let mut solved = self.factored.solve(right);
        let terms = &self.inverse * right.abs();
        for (place, entry) in indexed(&mut solved) {
            if entry.abs() <= ROUNDING * terms[place] {
                *entry = 0.0;
            }
        }
        solved
    }

    /// Takes rounding out of the rows of what is seen of the coordinates.
    pub(super) fn sweep(&self, seen: &mut DMatrix<f64>) {
        for mut row in seen.row_iter_mut() {
            let parts = row.iter().zip(self.weight.iter()).map(|(x, weight)| (x / weight).abs());
            let small = ROUNDING * parts.fold(0.0, f64::max);
            for (x, weight) in row.iter_mut().zip(self.weight.iter()) {
                if (*x / weight).abs() < small {
                    *x = 0.0;
                }
            }
        }
    }
}

/// The entries of a matrix with their places.
fn indexed(matrix: &mut DMatrix<f64>) -> impl Iterator<Item = ((usize, usize), &mut f64)> {
    let rows = matrix.nrows().max(1);
    matrix.iter_mut().enumerate().map(move |(k, entry)| ((k % rows, k / rows), entry))
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
        masses.sweep(&mut seen);
        assert_eq!(seen, dmatrix![1.0, 0.0, 0.0; 0.0, 0.0, 1e-17]);
    }
}
