//! `A = L Lᵀ`, with the place where it ends.

use nalgebra::DMatrix;

/// A pivot below this part of its diagonal entry makes a matrix singular.
const SINGULAR: f64 = 1e-13;

/// The lower factor `L` of a symmetric matrix, or the first row, counted from 0, whose pivot is not
/// clearly positive. Reads the lower triangle.
pub(crate) fn cholesky(a: &DMatrix<f64>) -> Result<DMatrix<f64>, usize> {
    let mut lower = a.clone();
    cholesky_in_place(&mut lower)?;
    lower.fill_upper_triangle(0.0, 1);
    Ok(lower)
}

/// The same in the lower triangle of the matrix itself; what is above it stays.
pub(crate) fn cholesky_in_place(a: &mut DMatrix<f64>) -> Result<(), usize> {
    let n = a.nrows();
    for j in 0..n {
        for i in j..n {
            let known: f64 = (0..j).map(|k| a[(i, k)] * a[(j, k)]).sum();
            let left = a[(i, j)] - known;
            if i > j {
                a[(i, j)] = left / a[(j, j)];
            } else if left > SINGULAR * a[(j, j)].abs() {
                a[(j, j)] = left.sqrt();
            } else {
                return Err(j);
            }
        }
    }
    Ok(())
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
