//! Balancing of general matrices.

use nalgebra::{DMatrix, Dim, Matrix, Storage};

/// How often all rows are gone through; a few rounds do.
const ROUNDS: usize = 100;

/// How many powers of two a row may be moved by at once.
const POWERS: usize = 1000;

/// Gives the rows and columns of a matrix equal sizes by powers of two, which leaves its eigenvalues:
/// the rule of Parlett and Reinsch, with norms of squares as nalgebra has them. That one never ends
/// where the square of an entry is infinite, and does nothing where it is zero.
pub(super) fn balance(a: &mut DMatrix<f64>) {
    for _ in 0..ROUNDS {
        let mut is_done = true;
        for i in 0..a.nrows() {
            let (column, row) = (size(&a.column(i)), size(&a.row(i)));
            if column == 0.0 || row == 0.0 {
                continue;
            }
            let (mut c, mut r, mut factor) = (column, row, 1.0);
            for _ in 0..POWERS {
                if c < r / 2.0 {
                    (c, r, factor) = (c * 2.0, r / 2.0, factor * 2.0);
                } else if c >= r * 2.0 {
                    (c, r, factor) = (c / 2.0, r * 2.0, factor / 2.0);
                } else {
                    break;
                }
            }
            let largest = column.max(row);
            let square = |a: f64, b: f64| (a / largest).powi(2) + (b / largest).powi(2);
            if square(c, r) < 0.95 * square(column, row) {
                is_done = false;
                a.column_mut(i).scale_mut(factor);
                a.row_mut(i).unscale_mut(factor);
            }
        }
        if is_done {
            break;
        }
    }
}

/// The root of the sum of squares.
fn size<R: Dim, C: Dim, S: Storage<f64, R, C>>(vector: &Matrix<f64, R, C, S>) -> f64 {
    let square = vector.norm_squared();
    let largest = vector.amax();
    if (1e-200..1e200).contains(&square) || largest == 0.0 {
        square.sqrt()
    } else {
        largest * vector.iter().map(|x| (x / largest).powi(2)).sum::<f64>().sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::balance;
    use nalgebra::linalg::balancing::balance_parlett_reinsch;
    use nalgebra::{DMatrix, dmatrix};

    #[test]
    fn usual_matrices_are_balanced_as_by_nalgebra() {
        for n in 1..30 {
            let a = DMatrix::from_fn(n, n, |i, j| {
                ((3 * i + 7 * j + i * j) as f64).sin() * (i as f64 - j as f64).exp2()
            });
            let (mut own, mut other) = (a.clone(), a);
            balance(&mut own);
            balance_parlett_reinsch(&mut other);
            assert_eq!(own, other);
        }
    }

    /// Entries without finite squares: rows and columns have nearly one size, and all powers are exact.
    #[test]
    fn large_and_small_entries_meet() {
        for scale in [1e-300, 1e-200, 1e200, 1e300] {
            let mut a = dmatrix![0.0, 1.0; scale, 0.0];
            balance(&mut a);
            let ratio = a[(0, 1)] / a[(1, 0)];
            assert!((0.2..5.0).contains(&ratio), "{scale}: {a}");
            assert!((a[(0, 1)] * a[(1, 0)] / scale - 1.0).abs() < 1e-15, "{a}");
        }
        let mut wide = dmatrix![0.0, 1e300; 1e-300, 0.0];
        balance(&mut wide);
        assert!((wide[(0, 1)] * wide[(1, 0)] - 1.0).abs() < 1e-15, "{wide}");
    }
}
