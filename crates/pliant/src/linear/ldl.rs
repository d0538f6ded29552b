//! Factorisation of small symmetric matrices on slices.
//!
//! `A = L D Lᵀ` without square roots or pivoting, in place, for any [`Scalar`]. Nothing here can
//! compare, so an indefinite matrix is not noticed but shows in the signs of the pivots.

use crate::scalar::Scalar;

/// Gathers the lower triangle of the chosen rows and columns, ascending, at the front of a
/// symmetric matrix (row-major, `n` by `n`), where it is a matrix of its own.
pub(crate) fn gather<S: Scalar>(a: &mut [S], n: usize, chosen: &[usize]) {
    for (i, &row) in chosen.iter().enumerate() {
        for (j, &column) in chosen[..=i].iter().enumerate() {
            a[i * chosen.len() + j] = a[row * n + column];
        }
    }
}

/// Factors the symmetric matrix whose lower triangle is in `a` (row-major, `n` by `n`). Afterwards
/// the strict lower triangle holds `L` and the diagonal the reciprocals of `D`.
pub(crate) fn factor<S: Scalar>(a: &mut [S], n: usize) {
    for j in 0..n {
        let (above, row_and_below) = a.split_at_mut(j * n);
        // row j: first L D, then L; d_j = a_jj − Σ l_jk² d_k
        let row = &mut row_and_below[..n];
        let mut d = row[j];
        for k in 0..j {
            let mut ld = row[k];
            for m in 0..k {
                ld -= row[m] * above[k * n + m];
            }
            row[k] = ld;
        }
        for k in 0..j {
            let ld = row[k];
            let l = ld * above[k * n + k];
            d -= l * ld;
            row[k] = l;
        }
        row[j] = d.recip();
    }
}

/// Solves `A x = b` in place after [`factor`].
pub(crate) fn solve<S: Scalar>(factored: &[S], n: usize, b: &mut [S]) {
    for j in 0..n {
        let mut sum = b[j];
        for k in 0..j {
            sum -= factored[j * n + k] * b[k];
        }
        b[j] = sum;
    }
    for j in 0..n {
        b[j] = b[j] * factored[j * n + j];
    }
    solve_transposed_from(factored, n, 0, b);
}

/// Solves `Lᵀ x = b` in place after [`factor`], for all unknowns but the first `skip`.
pub(crate) fn solve_transposed_from<S: Scalar>(factored: &[S], n: usize, skip: usize, b: &mut [S]) {
    for j in (skip..n).rev() {
        let x = b[j];
        for k in skip..j {
            b[k] -= factored[j * n + k] * x;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solves_a_definite_system() {
        let n = 5;
        let entry =
            |i: usize, j: usize| 1.0 / (1.0 + i as f64 + j as f64) + f64::from(u8::from(i == j));
        let mut a: Vec<f64> = (0..n * n).map(|k| entry(k / n, k % n)).collect();
        let x: Vec<f64> = (0..n).map(|i| 1.0 - 0.4 * i as f64).collect();
        let mut b: Vec<f64> = (0..n).map(|i| (0..n).map(|j| entry(i, j) * x[j]).sum()).collect();
        factor(&mut a, n);
        solve(&a, n, &mut b);
        for (got, want) in b.iter().zip(x) {
            assert!((got - want).abs() < 1e-14);
        }
    }
}
