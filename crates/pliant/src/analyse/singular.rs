//! Singular values, by an iteration that ends.

use super::schur::{ROUNDS, mirrored};
use nalgebra::{ComplexField, DMatrix, Dyn, SVD};

/// The singular values of a matrix, descending, with its vectors; `None` for numbers that are not
/// finite.
pub(crate) fn singular<T>(matrix: &DMatrix<T>) -> Option<SVD<T, Dyn, Dyn>>
where
    T: ComplexField<RealField = f64>,
{
    if !matrix.iter().all(T::is_finite) {
        return None;
    }
    let n = matrix.nrows();
    mirrored(n, |mirror, tolerance| {
        let mirror = mirror.map(T::from_real);
        let seen = &mirror * matrix;
        let rounds = ROUNDS * n.max(matrix.ncols()).max(1);
        let mut found = SVD::try_new(seen, true, true, tolerance, rounds)?;
        found.u = found.u.map(|u| mirror * u);
        Some(found)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::dmatrix;

    /// Wide, tall, without a rank, and of numbers on which plain iterations may circle.
    #[test]
    fn vectors_and_values_make_the_matrix_again() {
        let mut matrices = vec![
            dmatrix![0.0, 0.0, 1.0; 1.0, 0.0, 0.0; 0.0, 1.0, 0.0],
            dmatrix![1.0, 2.0; 2.0, 4.0; 3.0, 6.0],
            DMatrix::zeros(3, 2),
        ];
        for (rows, columns) in [(1, 7), (6, 7), (7, 6), (20, 20)] {
            matrices.push(DMatrix::from_fn(rows, columns, |i, j| ((3 * i + 7 * j) as f64).sin()));
        }
        for matrix in matrices {
            let found = singular(&matrix).expect("finite");
            let values = &found.singular_values;
            assert!(values.as_slice().is_sorted_by(|a, b| a >= b), "{values}");
            let again = found.recompose().expect("with vectors");
            // rounding of sums of twenty
            assert!((again - &matrix).amax() < 1e-13 * (1.0 + matrix.amax()), "{matrix}");
        }
        assert!(singular(&dmatrix![f64::NAN]).is_none());
    }
}
