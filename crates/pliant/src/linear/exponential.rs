//! The exponential of a matrix.

use super::is_finite;
use nalgebra::DMatrix;

/// The tenth power of what is larger leaves the range of numbers.
const LARGEST: f64 = 1e30;

/// `e^A`; `None` for numbers that are not finite, or so large that the exponential has no sense.
pub(crate) fn exponential(a: &DMatrix<f64>) -> Option<DMatrix<f64>> {
    let size = a.amax() * a.nrows() as f64;
    (is_finite(a) && size < LARGEST).then(|| a.exp())
}

#[cfg(test)]
mod tests {
    use super::exponential;
    use nalgebra::{DMatrix, dmatrix};

    #[test]
    fn ends_for_every_matrix() {
        let turn = exponential(&dmatrix![0.0, 1.0; -1.0, 0.0]).expect("small");
        assert!((turn[(0, 1)] - 1.0_f64.sin()).abs() < 1e-15, "{turn}");
        let fades = exponential(&dmatrix![-1e20, 1.0; 0.0, -1e20]).expect("small enough");
        assert!(fades.amax() < 1e-300, "{fades}");
        for bad in [f64::NAN, f64::INFINITY, 1e40, -1e300] {
            assert_eq!(exponential(&dmatrix![0.0, 1.0; bad, 0.0]), None, "{bad}");
        }
        assert_eq!(exponential(&DMatrix::zeros(0, 0)).map(|x| x.len()), Some(0));
    }
}
