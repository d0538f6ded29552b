//! nalgebra's elimination with pivoting, in storage made once.

use nalgebra::{DMatrix, Dim, Dyn, Matrix, StorageMut};

/// A square matrix, then its factors `L U = P A`: the numbers are those of [`nalgebra::LU`], and
/// nothing is allocated once it has its size.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Pivoted {
    factors: DMatrix<f64>,
    /// The row that came to each place.
    pivots: Vec<usize>,
}

impl Pivoted {
    /// Factors a matrix.
    pub(crate) fn factor(&mut self, matrix: &DMatrix<f64>) {
        let n = matrix.nrows();
        if self.factors.shape() == (n, n) {
            self.factors.copy_from(matrix);
        } else {
            (self.factors, self.pivots) = (matrix.clone(), vec![0; n]);
        }
        let factors = self.factors.as_mut_slice();
        for k in 0..n {
            // the first of the largest
            let column = &factors[k * n..][..n];
            let larger = |pivot: usize, row: usize| {
                if column[row].abs() > column[pivot].abs() { row } else { pivot }
            };
            let pivot = (k + 1..n).fold(k, larger);
            self.pivots[k] = pivot;
            let diagonal = column[pivot];
            if diagonal == 0.0 {
                self.pivots[k] = k;
                continue;
            }
            if pivot != k {
                for column in factors.chunks_exact_mut(n) {
                    column.swap(k, pivot);
                }
            }
            let (left, right) = factors.split_at_mut((k + 1) * n);
            let lower = &mut left[k * n + k + 1..];
            let reciprocal = 1.0 / diagonal;
            for entry in &mut *lower {
                *entry *= reciprocal;
            }
            for column in right.chunks_exact_mut(n) {
                let top = column[k];
                for (entry, lower) in column[k + 1..].iter_mut().zip(&*lower) {
                    *entry -= top * lower;
                }
            }
        }
    }

    /// `L` and `U` in one matrix, and the row that came to each place.
    pub(crate) fn factors(&self) -> (&DMatrix<f64>, &[usize]) {
        (&self.factors, &self.pivots)
    }

    /// The diagonal of `U`.
    pub(crate) fn diagonal(&self) -> impl Iterator<Item = f64> {
        (0..self.pivots.len()).map(|k| self.factors[(k, k)])
    }

    /// The determinant of the matrix.
    pub(crate) fn determinant(&self) -> f64 {
        let swaps = self.pivots.iter().enumerate().filter(|(k, pivot)| *k != **pivot).count();
        let sign = if swaps % 2 == 0 { 1.0 } else { -1.0 };
        self.diagonal().fold(1.0, |product, pivot| product * pivot) * sign
    }

    /// Solves `A X = B` in place; whether there is a solution.
    #[must_use]
    pub(crate) fn solve<C: Dim, S: StorageMut<f64, Dyn, C>>(
        &self,
        b: &mut Matrix<f64, Dyn, C, S>,
    ) -> bool {
        for (k, &pivot) in self.pivots.iter().enumerate() {
            b.swap_rows(k, pivot);
        }
        self.factors.solve_lower_triangular_with_diag_mut(b, 1.0)
            && self.factors.solve_upper_triangular_mut(b)
    }
}

#[cfg(test)]
mod tests {
    use super::Pivoted;
    use nalgebra::{DMatrix, DVector, LU, dmatrix};

    fn is_nalgebras(lu: &mut Pivoted, matrix: &DMatrix<f64>) {
        let n = matrix.nrows();
        let whole = LU::new(matrix.clone());
        lu.factor(matrix);
        assert_eq!(lu.diagonal().collect::<Vec<_>>(), whole.u().diagonal().as_slice());
        if n > 3 {
            assert_eq!(lu.determinant(), matrix.determinant());
        }
        let right = DMatrix::from_fn(n, 3, |i, j| ((5 * i + 3 * j + 1) as f64).sin());
        let mut columns = right.clone();
        let found = lu.solve(&mut columns).then_some(columns);
        assert_eq!(found, whole.solve(&right), "{matrix}");
        let right: DVector<f64> = right.column(0).into_owned();
        let mut column = right.clone();
        let found = lu.solve(&mut column).then_some(column);
        assert_eq!(found, whole.solve(&right), "{matrix}");
    }

    #[test]
    fn the_numbers_are_those_of_nalgebra() {
        let mut lu = Pivoted::default();
        for n in [1, 2, 5, 9] {
            let matrix = DMatrix::from_fn(n, n, |i, j| ((3 * i * i + 7 * j + 2) as f64).sin());
            is_nalgebras(&mut lu, &matrix);
            is_nalgebras(&mut lu, &(&matrix * matrix.transpose()));
        }
        // equal pivots, and none
        is_nalgebras(&mut lu, &dmatrix![0.0, 1.0, 2.0; -3.0, 1.0, 0.5; 3.0, 4.0, 1.0]);
        is_nalgebras(&mut lu, &dmatrix![0.0, 1.0; 0.0, 2.0]);
        is_nalgebras(&mut lu, &dmatrix![1.0, 2.0; 2.0, 4.0]);
    }
}
