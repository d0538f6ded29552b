//! `A = L Lᵀ`, with the place where it ends.

use nalgebra::DMatrix;

/// A pivot below this part of its diagonal entry makes a matrix singular.
const SINGULAR: f64 = 1e-13;

/// The lower factor `L` of a symmetric matrix, or the first row, counted from 0, whose pivot is not
/// clearly positive. Reads the lower triangle.
pub(crate) fn cholesky(a: &DMatrix<f64>) -> Result<DMatrix<f64>, usize> {
    let n = a.nrows();
    let mut lower = DMatrix::zeros(n, n);
    for j in 0..n {
        for i in j..n {
            let known: f64 = (0..j).map(|k| lower[(i, k)] * lower[(j, k)]).sum();
            let left = a[(i, j)] - known;
            if i > j {
                lower[(i, j)] = left / lower[(j, j)];
            } else if left > SINGULAR * a[(j, j)].abs() {
                lower[(j, j)] = left.sqrt();
            } else {
                return Err(j);
            }
        }
    }
    Ok(lower)
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::dmatrix;

    #[test]
    fn the_factor_makes_the_matrix_again_or_names_the_row() {
        let a = dmatrix![4.0, 2.0, 0.0; 2.0, 5.0, 2.0; 0.0, 2.0, 17.0];
        assert_eq!(cholesky(&a), Ok(dmatrix![2.0, 0.0, 0.0; 1.0, 2.0, 0.0; 0.0, 1.0, 4.0]));
        assert_eq!(cholesky(&dmatrix![1.0, 2.0; 2.0, 4.0]), Err(1));
        assert_eq!(cholesky(&dmatrix![1.0, 2.0; 2.0, 4.0 + 1e-14]), Err(1));
        assert_eq!(cholesky(&dmatrix![-1.0, 0.0; 0.0, 1.0]), Err(0));
        assert_eq!(cholesky(&dmatrix![1.0, 0.0; 0.0, f64::NAN]), Err(1));
    }
}
