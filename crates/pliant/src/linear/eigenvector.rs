//! A vector of an eigenvalue of a general matrix.

use super::C;
use nalgebra::{Complex, DMatrix, DVector};

/// A unit vector of an eigenvalue, by inverse iteration.
pub(crate) fn eigenvector(matrix: &DMatrix<f64>, value: C) -> DVector<C> {
    let n = matrix.nrows();
    let size = matrix.amax().max(f64::MIN_POSITIVE);
    let shifted = DMatrix::from_fn(n, n, |i, j| {
        let entry = Complex::new(matrix[(i, j)], 0.0);
        if i == j { entry - value - Complex::new(1e-11 * size, 1e-12 * size) } else { entry }
    });
    let factored = shifted.lu();
    // no direction is favoured, and none is missing
    let mut vector = DVector::from_fn(n, |i, _| {
        let turn = 2.399_963 * i as f64;
        Complex::new(turn.cos(), turn.sin())
    });
    for _ in 0..3 {
        let Some(next) = factored.solve(&vector) else { break };
        let length = next.iter().map(Complex::norm_sqr).sum::<f64>().sqrt();
        if !(length.is_finite() && length > 0.0) {
            break;
        }
        vector = next / Complex::new(length, 0.0);
    }
    vector
}

#[cfg(test)]
mod tests {
    use super::super::eigenvalues;
    use super::*;

    #[test]
    fn every_eigenvalue_has_its_vector() {
        let a = DMatrix::from_fn(9, 9, |i, j| ((3 * i + 7 * j + i * j) as f64).sin());
        for value in eigenvalues(&a).expect("finite") {
            let x = eigenvector(&a, value);
            assert!((x.norm() - 1.0).abs() < 1e-14);
            let off = (a.map(C::from) * &x - &x * value).norm();
            assert!(off < 1e-10, "{value}: {off:e}");
        }
    }
}
