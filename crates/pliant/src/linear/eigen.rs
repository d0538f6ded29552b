//! The generalised symmetric eigenvalue problem `K x = ω² M x`.
//!
//! Dense solvers are exact to the last digits of the *largest* eigenvalue. Factoring `M` makes that
//! the highest frequency, and the lowest drown in its rounding errors; factoring `K` makes it the
//! lowest. Both are done here and each eigenvalue is taken from the one that knows it better. A
//! stiffness that is not definite (free joints, unstable equilibria) is shifted by a multiple of
//! the mass first.

use super::{cholesky, symmetric, symmetric_eigen};
use crate::Help;
use nalgebra::DMatrix;

/// Neighbours nearer than this, relative, are kept together.
const CLUSTER: f64 = 1e-3;

/// Eigenvalues and eigenvectors.
#[derive(Clone, Debug, PartialEq)]
pub struct Spectrum {
    /// `ω²`, ascending (1/s²). Negative where the equilibrium is unstable.
    pub values: Vec<f64>,
    /// One column per value, `xᵀ M x = 1`.
    pub vectors: DMatrix<f64>,
    /// How far rounding may have moved the smallest values (1/s²); a value no larger than this
    /// cannot be told from zero.
    pub noise: f64,
}

impl Spectrum {
    /// A frequency `ω` (rad/s); 0 where the value cannot be told from zero or is negative.
    pub fn frequency(&self, k: usize) -> f64 {
        let value = self.values[k];
        if value <= self.noise { 0.0 } else { value.sqrt() }
    }
}

/// The row at which a factorisation stopped: that coordinate has no mass of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the mass matrix is singular at row {row}, counted from 0")]
pub struct SingularMass {
    /// The row.
    pub row: usize,
}

impl Help for SingularMass {
    fn help(&self) -> Option<String> {
        Some("give what it moves mass or inertia".into())
    }
}

/// Solves `K x = ω² M x` for symmetric `K` and symmetric positive definite `M` of one size.
///
/// ```
/// use pliant::nalgebra::dmatrix;
/// let spectrum = pliant::linear::eigen::solve(&dmatrix![8.0, 0.0; 0.0, 2.0], &dmatrix![2.0, 0.0; 0.0, 2.0])?;
/// assert!((spectrum.values[0] - 1.0).abs() < 1e-15 && (spectrum.values[1] - 4.0).abs() < 1e-15);
/// # Ok::<(), pliant::linear::eigen::SingularMass>(())
/// ```
///
/// # Panics
/// When the matrices are not square and of one size.
pub fn solve(stiffness: &DMatrix<f64>, mass: &DMatrix<f64>) -> Result<Spectrum, SingularMass> {
    let n = mass.nrows();
    assert!(stiffness.shape() == (n, n) && mass.ncols() == n, "two square matrices of one size");
    if n == 0 {
        return Ok(Spectrum { values: Vec::new(), vectors: DMatrix::zeros(0, 0), noise: 0.0 });
    }
    let lower = cholesky(mass).map_err(|row| SingularMass { row })?;
    let (mut values, mut vectors) = reduced(stiffness, &lower);
    let rounding = f64::EPSILON * n as f64;
    let largest = values.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
    let mut noise = rounding * largest;

    let shift = if cholesky(stiffness).is_ok() {
        0.0
    } else {
        // about the size of the lowest frequency that is none of the free or unstable ones
        let lowest = values[0].min(0.0);
        let elastic = values.iter().copied().find(|&value| value > 1e4 * noise);
        elastic.unwrap_or(largest) - 2.0 * lowest
    };
    if let Ok(lower) = cholesky(&(stiffness + mass * shift)) {
        let (inverse, low) = reduced(mass, &lower);
        // the largest inverse belongs to the lowest value
        let shifted = |k: usize| 1.0 / inverse[n - 1 - k];
        let (first, last) = (shifted(0), values[n - 1] + shift);
        let knows = |k: usize| (values[k] + shift).powi(2) < first * last;
        let mut taken = (0..n).take_while(|&k| knows(k) && shifted(k) > 0.0).count();
        while taken > 0 && taken < n && shifted(taken) < shifted(taken - 1) * (1.0 + CLUSTER) {
            taken -= 1;
        }
        for k in 0..taken {
            values[k] = shifted(k) - shift;
            let length = inverse[n - 1 - k].sqrt();
            vectors.set_column(k, &(low.column(n - 1 - k) / length));
        }
        if taken > 0 {
            noise = rounding * first.max(shift);
        }
    }
    Ok(Spectrum { values, vectors, noise })
}

/// The eigenvalues, ascending, of `A x = λ L Lᵀ x`, and vectors with `xᵀ L Lᵀ x = 1`.
fn reduced(a: &DMatrix<f64>, lower: &DMatrix<f64>) -> (Vec<f64>, DMatrix<f64>) {
    let n = a.nrows();
    let mut half = a.clone();
    lower.solve_lower_triangular_mut(&mut half);
    let mut whole = half.transpose();
    lower.solve_lower_triangular_mut(&mut whole);
    let eigen = symmetric_eigen(&symmetric(&whole));
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| eigen.eigenvalues[a].total_cmp(&eigen.eigenvalues[b]));
    let values = order.iter().map(|&k| eigen.eigenvalues[k]).collect();
    let mut vectors = eigen.eigenvectors.select_columns(&order);
    lower.tr_solve_lower_triangular_mut(&mut vectors);
    (values, vectors)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `K` of a chain of unit springs and `M = diag(4^k)`, twice, turned into each other.
    fn pair(clamped: bool, n: usize) -> (DMatrix<f64>, DMatrix<f64>) {
        let mut stiffness = DMatrix::zeros(n, n);
        for k in 0..n {
            stiffness[(k, k)] += 1.0;
            if k > 0 {
                stiffness[(k - 1, k - 1)] += 1.0;
                stiffness[(k, k - 1)] = -1.0;
                stiffness[(k - 1, k)] = -1.0;
            } else if !clamped {
                stiffness[(0, 0)] -= 1.0;
            }
        }
        let mass = DMatrix::from_fn(n, n, |i, j| if i == j { 4.0_f64.powf(i as f64) } else { 0.0 });
        (stiffness, mass)
    }

    #[test]
    fn every_pair_satisfies_its_equation() {
        for clamped in [true, false] {
            let (stiffness, mass) = pair(clamped, 9);
            let spectrum = solve(&stiffness, &mass).expect("definite");
            let x = &spectrum.vectors;
            let unit = x.transpose() * &mass * x;
            assert!((unit - DMatrix::identity(9, 9)).amax() < 1e-9);
            for (k, &value) in spectrum.values.iter().enumerate() {
                let left = &stiffness * x.column(k);
                let right = &mass * x.column(k) * value;
                assert!((&left - right).amax() < 1e-12 * (1.0 + left.amax()), "{k}");
            }
            assert!(spectrum.values.is_sorted());
        }
    }

    #[test]
    fn low_values_keep_their_digits() {
        // a soft and a stiff spring in line: exactly known sum and product of the two values
        let (soft, stiff) = (1.0, 1e10);
        let stiffness = DMatrix::from_row_slice(2, 2, &[soft + stiff, -stiff, -stiff, stiff]);
        let mass = DMatrix::from_row_slice(2, 2, &[1e10, 0.0, 0.0, 1.0]);
        let values = solve(&stiffness, &mass).expect("definite").values;
        let (sum, product) = (stiff + (soft + stiff) / 1e10, soft * stiff / 1e10);
        let high = 0.5 * (sum + (sum * sum - 4.0 * product).sqrt());
        // the stiff entry keeps 1e-6 of the soft spring's digits; the mass's factor alone 1e4 times fewer
        assert!((values[0] / (product / high) - 1.0).abs() < 1e-5, "{values:?}");
        assert!((values[1] / high - 1.0).abs() < 1e-14, "{values:?}");
    }

    #[test]
    fn free_and_unstable_motions_are_told_apart() {
        let (stiffness, mass) = pair(false, 5);
        let free = solve(&stiffness, &mass).expect("definite");
        assert!(free.values[0].abs() <= free.noise && free.values[1] > 1e6 * free.noise);
        let unstable =
            solve(&(stiffness - DMatrix::identity(5, 5) * 0.1), &mass).expect("definite");
        assert!(unstable.values[0] < -1e3 * unstable.noise);
    }

    #[test]
    fn a_row_without_mass_is_named() {
        let (stiffness, mut mass) = pair(true, 4);
        mass[(2, 2)] = 0.0;
        assert_eq!(solve(&stiffness, &mass), Err(SingularMass { row: 2 }));
        assert!(solve(&stiffness, &DMatrix::identity(4, 4)).is_ok());
    }
}
