//! Products of matrices in storage made once.

use nalgebra::{DMatrix, DVector};

/// `A B`, written where there is room for it: sums in the order of the columns of `A`, each product
/// and each sum rounded, as nalgebra computes products of small matrices. Those of large ones it
/// leaves to kernels that allocate, and that round differently from processor to processor.
pub(crate) fn multiply(a: &DMatrix<f64>, b: &DMatrix<f64>, product: &mut DMatrix<f64>) {
    let (rows, inner) = a.shape();
    assert_eq!((inner, (rows, b.ncols())), (b.nrows(), product.shape()), "shapes of a product");
    if rows == 0 || inner == 0 {
        product.fill(0.0);
        return;
    }
    let a = a.as_slice();
    let columns = b.as_slice().chunks_exact(inner);
    for (to, factors) in product.as_mut_slice().chunks_exact_mut(rows).zip(columns) {
        for (to, a) in to.iter_mut().zip(&a[..rows]) {
            *to = a * factors[0];
        }
        let (fours, rest) = factors[1..].as_chunks::<4>();
        let (columns, last) = a[rows..].split_at(4 * rows * fours.len());
        for (f, a) in fours.iter().zip(columns.chunks_exact(4 * rows)) {
            let (a0, a) = a.split_at(rows);
            let (a1, a) = a.split_at(rows);
            let (a2, a3) = a.split_at(rows);
            for ((((to, a0), a1), a2), a3) in to.iter_mut().zip(a0).zip(a1).zip(a2).zip(a3) {
                *to = a3 * f[3] + (a2 * f[2] + (a1 * f[1] + (a0 * f[0] + *to)));
            }
        }
        for (factor, a) in rest.iter().zip(last.chunks_exact(rows)) {
            for (to, a) in to.iter_mut().zip(a) {
                *to += a * factor;
            }
        }
    }
}

/// `A x`, with the entries of `x` by number: sums in the order of the columns, as nalgebra has them.
pub(crate) fn multiply_vector(a: &DMatrix<f64>, x: impl Fn(usize) -> f64, product: &mut [f64]) {
    assert_eq!(a.nrows(), product.len(), "shapes of a product");
    product.fill(0.0);
    for (j, column) in a.column_iter().enumerate() {
        let x = x(j);
        for (sum, a) in product.iter_mut().zip(column.iter()) {
            *sum = if j == 0 { a * x } else { a * x + *sum };
        }
    }
}

/// Gives a matrix a shape; one that has it stays as it is.
pub(crate) fn reshape(matrix: &mut DMatrix<f64>, rows: usize, columns: usize) {
    if matrix.shape() != (rows, columns) {
        *matrix = DMatrix::zeros(rows, columns);
    }
}

/// Gives a vector a length; one that has it stays as it is.
pub(crate) fn reshape_vector(vector: &mut DVector<f64>, length: usize) {
    if vector.len() != length {
        *vector = DVector::zeros(length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_those_of_nalgebra() {
        let matrix = |n, m, by: f64| DMatrix::from_fn(n, m, |i, j| ((i * m + j) as f64 * by).sin());
        for (rows, inner, columns) in [(1, 1, 1), (3, 6, 3), (5, 9, 4), (4, 2, 7), (3, 0, 2)] {
            let (a, b) = (matrix(rows, inner, 0.7), matrix(inner, columns, 1.3));
            let mut product = DMatrix::from_element(rows, columns, f64::NAN);
            multiply(&a, &b, &mut product);
            assert_eq!(product, &a * &b, "{rows} {inner} {columns}");
            let mut column = vec![f64::NAN; rows];
            multiply_vector(&a, |j| b[(j, 0)], &mut column);
            assert_eq!(column, (&a * b.column(0)).as_slice());
        }
        let (a, b) = (matrix(12, 17, 0.7), matrix(17, 9, 1.3));
        let mut product = DMatrix::zeros(12, 9);
        multiply(&a, &b, &mut product);
        assert!((product - a * b).amax() < 1e-14);
    }
}
