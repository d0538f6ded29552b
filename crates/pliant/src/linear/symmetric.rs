//! Symmetric matrices and their eigenvalues.

use super::is_finite;
use super::schur::{ROUNDS, mirrored};
use nalgebra::{DMatrix, DVector, Dyn, SymmetricEigen};

/// The symmetric part of a matrix.
pub(crate) fn symmetric(a: &DMatrix<f64>) -> DMatrix<f64> {
    let mut whole = a.clone();
    make_symmetric(&mut whole);
    whole
}

/// The same in place.
pub(crate) fn make_symmetric(a: &mut DMatrix<f64>) {
    for j in 0..a.ncols() {
        for i in 0..=j {
            let half = (a[(i, j)] + a[(j, i)]) * 0.5;
            (a[(i, j)], a[(j, i)]) = (half, half);
        }
    }
}

/// The eigenvalues of a symmetric matrix, in no order, and unit vectors of them as columns; NaN for
/// numbers that are not finite.
///
/// nalgebra's iteration loses matrices whose rounding errors fade away over many rows. These are
/// seen in a mirror, where nothing fades.
pub(crate) fn symmetric_eigen(a: &DMatrix<f64>) -> SymmetricEigen<f64, Dyn> {
    let n = a.nrows();
    if n == 0 {
        return SymmetricEigen { eigenvalues: DVector::zeros(0), eigenvectors: a.clone() };
    }
    let attempt = |a: DMatrix<f64>, tolerance: f64| {
        if !is_finite(&a) {
            return None;
        }
        let found = SymmetricEigen::try_new(a, tolerance, ROUNDS * n)?;
        let mut numbers = found.eigenvalues.iter().chain(found.eigenvectors.iter());
        numbers.all(|x| x.is_finite()).then_some(found)
    };
    let found = attempt(a.clone(), f64::EPSILON).or_else(|| {
        mirrored(n, |mirror, tolerance| {
            let mut found = attempt(mirror * a * mirror, tolerance)?;
            found.eigenvectors = mirror * found.eigenvectors;
            Some(found)
        })
    });
    found.unwrap_or_else(|| SymmetricEigen {
        eigenvalues: DVector::from_element(n, f64::NAN),
        eigenvectors: DMatrix::from_element(n, n, f64::NAN),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::dmatrix;

    /// Eigenvalues 1 and `±1e-150`.
    fn fading() -> DMatrix<f64> {
        dmatrix![1.0, 1e-12, 0.0; 1e-12, 0.0, 1e-150; 0.0, 1e-150, 0.0]
    }

    /// Rows that are equal within one of three groups, and empty ones: rank 3.
    fn groups() -> DMatrix<f64> {
        let group = [1, 1, 2, 2, 0, 0, 3, 0, 0, 0, 0, 0, 1, 0, 2];
        DMatrix::from_fn(15, 15, |i, j| f64::from(u8::from(group[i] > 0 && group[i] == group[j])))
    }

    #[test]
    fn matrices_of_all_ranks_are_made_again() {
        let some = DMatrix::from_fn(9, 9, |i, j| ((i * j + i + j) as f64).sin());
        let of_rank_one = DMatrix::from_fn(9, 9, |i, j| ((i + 1) * (j + 1)) as f64);
        for a in [some, of_rank_one, groups(), fading(), DMatrix::zeros(4, 4), DMatrix::zeros(0, 0)]
        {
            let found = symmetric_eigen(&a);
            let x = &found.eigenvectors;
            let n = a.nrows();
            assert!((x.transpose() * x - DMatrix::identity(n, n)).norm() < 1e-13, "{a}");
            assert!((found.recompose() - &a).norm() <= 1e-14 * n as f64 * a.norm(), "{a}");
        }
    }

    #[test]
    fn what_is_not_finite_is_nan() {
        for bad in [f64::NAN, f64::INFINITY] {
            let found = symmetric_eigen(&dmatrix![1.0, bad; bad, 1.0]);
            assert!(found.eigenvalues.iter().all(|x| x.is_nan()));
        }
    }

    /// nalgebra issue 379. When this fails, `symmetric_eigen` can be nalgebra's.
    #[test]
    fn nalgebra_loses_what_fades() {
        for a in [fading(), groups()] {
            let found = SymmetricEigen::try_new(a, f64::EPSILON, 10_000);
            let found = found.expect("mended, or broken otherwise: it ended once");
            assert!(found.eigenvalues.iter().any(|x| x.is_nan()), "nalgebra is mended: take it");
        }
    }
}
