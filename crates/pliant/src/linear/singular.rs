//! Singular values, by turning columns against each other until all are upright: the one-sided method
//! of Jacobi, which ends and is accurate for small ones too. The factors that nalgebra finds do not
//! make some matrices of low rank again, by parts of a hundred (its issue 1172).

use super::is_finite;
use nalgebra::{ComplexField, DMatrix, DVector, Dyn, SVD};

/// How often every two columns are turned at most; a few rounds do.
const ROUNDS: usize = 60;

/// The singular values of a matrix, descending, with its vectors; `None` for numbers that are not
/// finite. Vectors of a value of zero may be missing (zeros) on the longer side.
pub(crate) fn singular<T>(matrix: &DMatrix<T>) -> Option<SVD<T, Dyn, Dyn>>
where
    T: ComplexField<RealField = f64>,
{
    if !is_finite(matrix) {
        return None;
    }
    let is_wide = matrix.nrows() < matrix.ncols();
    let (long, values, short) = upright(if is_wide { matrix.adjoint() } else { matrix.clone() });
    let (u, v) = if is_wide { (short, long) } else { (long, short) };
    Some(SVD { u: Some(u), v_t: Some(v.adjoint()), singular_values: values })
}

/// `U`, the values and `V` of a matrix that is at least as high as wide.
fn upright<T>(mut columns: DMatrix<T>) -> (DMatrix<T>, DVector<f64>, DMatrix<T>)
where
    T: ComplexField<RealField = f64>,
{
    let n = columns.ncols();
    let mut turns = DMatrix::identity(n, n);
    for _ in 0..ROUNDS {
        let mut is_done = true;
        for p in 0..n {
            for q in p + 1..n {
                let (a, b) = (columns.column(p).norm(), columns.column(q).norm());
                let both = columns.column(p).dotc(&columns.column(q));
                let size = both.clone().modulus();
                if size <= f64::EPSILON * a * b {
                    continue;
                }
                is_done = false;
                let ratio = (b - a) * (b + a) / (2.0 * size);
                let tangent = ratio.signum() / (ratio.abs() + ratio.hypot(1.0));
                let cosine = tangent.hypot(1.0).recip();
                let phase = both.unscale(size).conjugate();
                turn(&mut columns, [p, q], cosine, tangent, &phase);
                turn(&mut turns, [p, q], cosine, tangent, &phase);
            }
        }
        if is_done {
            break;
        }
    }
    let sizes: Vec<f64> = columns.column_iter().map(|column| column.norm()).collect();
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|&a, &b| sizes[b].total_cmp(&sizes[a]));
    let mut long = columns.select_columns(&order);
    for mut column in long.column_iter_mut() {
        let size = column.norm();
        if size > 0.0 {
            column.unscale_mut(size);
        }
    }
    let values = DVector::from_iterator(n, order.iter().map(|&k| sizes[k]));
    (long, values, turns.select_columns(&order))
}

/// Turns two columns, the second times a phase.
fn turn<T>(columns: &mut DMatrix<T>, [p, q]: [usize; 2], cosine: f64, tangent: f64, phase: &T)
where
    T: ComplexField<RealField = f64>,
{
    for row in 0..columns.nrows() {
        let first = columns[(row, p)].clone();
        let second = columns[(row, q)].clone() * phase.clone();
        columns[(row, p)] = (first.clone() - second.clone().scale(tangent)).scale(cosine);
        columns[(row, q)] = (first.scale(tangent) + second).scale(cosine);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::{Complex, dmatrix};

    fn check<T>(matrix: &DMatrix<T>)
    where
        T: ComplexField<RealField = f64>,
    {
        let found = singular(matrix).expect("finite");
        let values = found.singular_values.clone();
        assert!(values.as_slice().is_sorted_by(|a, b| a >= b), "{values}");
        // the same by the trace of AᴴA
        let squares: f64 = matrix.iter().map(|x| x.clone().modulus_squared()).sum();
        assert!((values.norm_squared() - squares).abs() <= 1e-14 * (1.0 + squares), "{values}");
        // any turns make the matrix again: the columns must be upright, too
        let (u, v) = (found.u.as_ref().expect("there"), found.v_t.as_ref().expect("there"));
        for vectors in [u.clone(), v.adjoint()] {
            for (p, q) in (0..values.len()).flat_map(|q| (0..q).map(move |p| (p, q))) {
                if values[q] > 1e-13 * values[0] {
                    let both = vectors.column(p).dotc(&vectors.column(q)).modulus();
                    assert!(both < 1e-13, "{p} and {q}: {both:e}");
                }
            }
        }
        let again = found.recompose().expect("with vectors");
        let off = (again - matrix).iter().map(|x| x.clone().modulus()).fold(0.0, f64::max);
        assert!(off < 1e-14 * (1.0 + values.max()), "{off:e} {matrix}");
    }

    /// Square and wide, of rank two: the smallest of integers that nalgebra does not make again.
    fn of_low_rank() -> [DMatrix<f64>; 2] {
        [
            dmatrix![0.0, 0.0, 0.0; 1.0, -1.0, -2.0; -2.0, -2.0, 0.0],
            dmatrix![0.0, 0.0, 2.0, 1.0; 0.0, 0.0, 2.0, 1.0; 2.0, 2.0, 1.0, 0.0],
        ]
    }

    /// nalgebra issue 1172. When this fails, `singular` can be nalgebra's.
    #[test]
    fn nalgebra_does_not_make_them_again() {
        for (matrix, off) in of_low_rank().iter().zip([1e-3, 0.1]) {
            let found = matrix.clone().try_svd(true, true, 5.0 * f64::EPSILON, 10_000);
            let again = found.expect("it ended once").recompose().expect("with vectors");
            assert!((again - matrix).amax() > off, "nalgebra is mended: take it");
        }
    }

    /// Wide, high, of every rank, and a permutation.
    #[test]
    fn vectors_and_values_make_the_matrix_again() {
        of_low_rank().iter().for_each(check);
        check(&dmatrix![0.0, 0.0, 1.0; 1.0, 0.0, 0.0; 0.0, 1.0, 0.0]);
        check(&dmatrix![1.0, 2.0; 2.0, 4.0; 3.0, 6.0]);
        check(&DMatrix::<f64>::zeros(3, 2));
        for (rows, columns) in [(1, 7), (6, 7), (7, 6), (20, 20)] {
            let of_rank_two =
                DMatrix::from_fn(rows, columns, |i, j| ((3 * i + 7 * j) as f64).sin());
            check(&of_rank_two);
            check(&of_rank_two.map(|x| Complex::new(x, x * x)));
            check(&DMatrix::from_fn(rows, columns, |i, j| {
                ((1 + 3 * i + 7 * j + i * j) as f64).sin()
            }));
        }
        assert!(singular(&dmatrix![f64::NAN]).is_none());
    }

    /// Values that differ by many powers of ten, each to rounding of its own size.
    #[test]
    fn small_values_are_as_good_as_large_ones() {
        let graded = DMatrix::from_diagonal(&DVector::from_vec(vec![1e8, 1.0, 1e-8]));
        let turned = dmatrix![0.6, 0.8, 0.0; -0.8, 0.6, 0.0; 0.0, 0.0, 1.0] * graded;
        let found: DVector<f64> = singular(&turned).expect("finite").singular_values;
        for (got, want) in found.iter().zip([1e8, 1.0, 1e-8_f64]) {
            assert!(f64::abs(got / want - 1.0) < 1e-14, "{got}");
        }
    }
}
