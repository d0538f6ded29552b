//! Eigenvalues of general real matrices, and the linear equations that their triangular form solves.
//!
//! Matrices are balanced first: of an arm they mix angles and angular rates at thousands of radians
//! per second, and rounding is relative to the largest entry.

use super::balance::balance;
use super::{is_finite, symmetric};
use nalgebra::{Complex, DMatrix, DVector, Schur};

/// A complex number.
pub(crate) type C = Complex<f64>;

/// How many rounds an iteration may take per row.
pub(super) const ROUNDS: usize = 60;

/// How many mirrors are tried.
const MIRRORS: usize = 8;

/// nalgebra's iterations for triangular forms turn in circles for some matrices, such as
/// permutations, nilpotent ones and those with eigenvalues in pairs `±λ` (its issues 611 and 764), or
/// wait for more than rounding lets them have. They then get the same matrix seen in a mirror
/// `1 − 2vvᵀ`, which begins elsewhere, and twice the tolerance each time. What comes of the first with
/// which there is something.
pub(super) fn mirrored<T>(
    n: usize,
    attempt: impl Fn(&DMatrix<f64>, f64) -> Option<T>,
) -> Option<T> {
    let mut tolerance = 0.5 * f64::EPSILON;
    (0..MIRRORS).find_map(|k| {
        let mut mirror = DMatrix::identity(n, n);
        if k > 0 {
            let v = DVector::from_fn(n, |i, _| ((1 + i) as f64 * (1.3 + k as f64)).sin());
            let v = v.normalize();
            mirror -= &v * v.transpose() * 2.0;
        }
        tolerance *= 2.0;
        attempt(&mirror, tolerance)
    })
}

/// `A = U T Uᴴ` with `T` triangular, the eigenvalues on its diagonal.
pub(crate) struct Triangular {
    unitary: DMatrix<C>,
    triangle: DMatrix<C>,
}

impl Triangular {
    /// `None` for numbers that are not finite, or where the iteration does not end.
    pub(crate) fn new(a: &DMatrix<f64>) -> Option<Self> {
        let n = a.nrows();
        if !is_finite(a) {
            return None;
        }
        mirrored(n, |mirror, tolerance| {
            let seen = (mirror * a * mirror).map(C::from);
            let schur = Schur::try_new(seen, tolerance, ROUNDS * n.max(1))?;
            let (unitary, triangle) = schur.unpack();
            Some(Self { unitary: mirror.map(C::from) * unitary, triangle })
        })
    }

    /// The eigenvalues.
    pub(crate) fn eigenvalues(&self) -> Vec<C> {
        self.triangle.diagonal().iter().copied().collect()
    }

    /// The `X` of `AᵀX + XA + C = 0`, all eigenvalues of `A` on one side of the imaginary axis.
    pub(crate) fn lyapunov(&self, constant: &DMatrix<f64>) -> DMatrix<f64> {
        self.columns(constant, |right, before| *right -= before, |lower, own| lower + own)
    }

    /// The `X` of `AᵀXA − X + C = 0`, all eigenvalues of `A` inside of the unit circle.
    pub(crate) fn stein(&self, constant: &DMatrix<f64>) -> DMatrix<f64> {
        let adjoint = self.triangle.adjoint();
        self.columns(
            constant,
            |right, before| *right -= &adjoint * before,
            |lower, own| lower * own - C::from(1.0),
        )
    }

    /// Column by column in the triangular axes: `take` subtracts what the columns before give,
    /// `pivot` makes the diagonal of what is solved out of that of `Tᴴ` and the column's own entry.
    fn columns(
        &self,
        constant: &DMatrix<f64>,
        take: impl Fn(&mut DVector<C>, &DVector<C>),
        pivot: impl Fn(C, C) -> C,
    ) -> DMatrix<f64> {
        let (u, t) = (&self.unitary, &self.triangle);
        let n = t.nrows();
        let right = u.adjoint() * constant.map(C::from) * u;
        let mut y: DMatrix<C> = DMatrix::zeros(n, n);
        for k in 0..n {
            let before = y.columns(0, k) * t.view((0, k), (k, 1)).column(0);
            let mut column = -right.column(k).into_owned();
            take(&mut column, &before);
            // off the diagonal, `Tᴴ` is multiplied by what the pivot multiplies it by
            let factor = pivot(C::from(1.0), t[(k, k)]) - pivot(C::from(0.0), t[(k, k)]);
            for i in 0..n {
                let known: C = (0..i).map(|j| factor * t[(j, i)].conj() * column[j]).sum();
                column[i] = (column[i] - known) / pivot(t[(i, i)].conj(), t[(k, k)]);
            }
            y.set_column(k, &column);
        }
        let x = (u * y * u.adjoint()).map(|entry| entry.re);
        symmetric(&x)
    }
}

/// The eigenvalues of a real matrix, ascending by size, pairs with the positive imaginary part
/// first; `None` for numbers that are not finite.
pub(crate) fn eigenvalues(a: &DMatrix<f64>) -> Option<Vec<C>> {
    if !is_finite(a) {
        return None;
    }
    if a.is_empty() {
        return Some(Vec::new());
    }
    let mut balanced = a.clone();
    balance(&mut balanced);
    let unit = unit_of(balanced.amax());
    balanced /= unit;
    let n = balanced.nrows();
    // in real numbers pairs are exact; a block that rounding splits has no roots there
    let real = mirrored(n, |mirror, tolerance| {
        let schur = Schur::try_new(mirror * &balanced * mirror, tolerance, ROUNDS * n)?;
        Some(schur.complex_eigenvalues().iter().copied().collect::<Vec<C>>())
    })
    .filter(|values| values.iter().all(|value| !value.is_nan()));
    let mut values = match real {
        Some(values) => values,
        None => Triangular::new(&balanced)?.eigenvalues(),
    };
    for value in &mut values {
        *value *= unit;
    }
    let key = |value: &C| (value.norm(), -value.im);
    values.sort_by(|a, b| {
        let ((size, turn), (other, other_turn)) = (key(a), key(b));
        size.total_cmp(&other).then(turn.total_cmp(&other_turn))
    });
    Some(values)
}

/// What a matrix is divided by: 1, or the power of two next to its largest entry where the square of
/// that leaves the range of numbers.
fn unit_of(largest: f64) -> f64 {
    let is_usual = largest == 0.0 || (1e-100..1e100).contains(&largest);
    if is_usual { 1.0 } else { largest.log2().floor().exp2() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::dmatrix;

    /// Entries whose squares are infinite, or zero: the eigenvalues are those of a smaller matrix.
    #[test]
    fn sizes_that_cannot_be_squared_are_no_hindrance() {
        for scale in [1e-300, 1e-160, 1.0, 1e100, 1e200, 1e307] {
            let values = eigenvalues(&(some(4, 0.0) * scale)).expect("finite");
            for (value, want) in values.iter().zip(eigenvalues(&some(4, 0.0)).expect("finite")) {
                assert!((value / scale - want).norm() < 1e-13, "{scale}: {value}");
            }
        }
        for (upper, lower) in [(1.0, 1e200), (1.0, 1e-200), (1e300, 1e-300)] {
            let values = eigenvalues(&dmatrix![0.0, upper; -lower, 0.0]).expect("finite");
            let want = f64::sqrt(upper * lower);
            assert!((values[0].im / want - 1.0).abs() < 1e-13, "{values:?}");
        }
    }

    /// `M_ij` without a pattern, with its eigenvalues moved to the left.
    fn some(n: usize, shift: f64) -> DMatrix<f64> {
        DMatrix::from_fn(n, n, |i, j| {
            let wave = ((3 * i + 7 * j + i * j) as f64).sin();
            if i == j { wave - shift } else { wave }
        })
    }

    /// Moves each coordinate to the next and the last to the first.
    fn ring(n: usize) -> DMatrix<f64> {
        DMatrix::from_fn(n, n, |i, j| f64::from(u8::from(i == (j + 1) % n)))
    }

    #[test]
    fn eigenvalues_of_known_matrices() {
        let pendulum = dmatrix![0.0, 1.0; -1e8, -2.0];
        let values = eigenvalues(&pendulum).expect("finite");
        assert!((values[0] - C::new(-1.0, (1e8_f64 - 1.0).sqrt())).norm() < 1e-11 * 1e4);
        // without mirrors the iteration turns in circles for six and eight
        for n in 2..9 {
            let values = eigenvalues(&ring(n)).expect("finite");
            for (k, value) in values.iter().enumerate() {
                assert!((value.powu(n as u32) - C::from(1.0)).norm() < 1e-13, "{n}: {value}");
                // pairs are exact
                let pair = values.iter().any(|other| *other == value.conj());
                assert!(pair, "{n}, {k}: {values:?}");
            }
        }
        // −1 three times, which the real iteration splits
        let triple = dmatrix![-4.0, -2.0, 1.0; 6.0, 3.0, -2.0; 3.0, 2.0, -2.0];
        for value in eigenvalues(&triple).expect("finite") {
            // rounding moves it by its third root
            assert!((value + 1.0).norm() < 1e-4, "{value}");
        }
        // rounding is relative to the largest entry: states in units of 2⁻⁴⁰ to 2⁴⁰
        let (a, size) = (some(5, 0.0), |k: usize| (20.0 * (k as f64 - 2.0)).exp2());
        let scaled = DMatrix::from_fn(5, 5, |i, j| a[(i, j)] * size(i) / size(j));
        let values = eigenvalues(&a).expect("finite").into_iter();
        for (value, other) in values.zip(eigenvalues(&scaled).expect("finite")) {
            assert!((value - other).norm() < 1e-12, "{value} {other}");
        }
        for n in 1..40 {
            let a = some(n, 0.0);
            let values = eigenvalues(&a).expect("finite");
            let (sum, squares): (C, C) =
                values.iter().fold(Default::default(), |(s, q), v| (s + v, q + v * v));
            assert!((sum - C::from(a.trace())).norm() < 1e-12 * n as f64, "{n}");
            assert!((squares - C::from((&a * &a).trace())).norm() < 1e-11 * n as f64, "{n}");
        }
        assert_eq!(eigenvalues(&dmatrix![f64::NAN]), None);
    }

    #[test]
    fn both_equations_hold() {
        for n in [1, 2, 3, 8, 31] {
            let constant = DMatrix::identity(n, n);
            let a = some(n, 3.0 + n as f64);
            let x = Triangular::new(&a).expect("finite").lyapunov(&constant);
            let left = a.transpose() * &x + &x * &a + &constant;
            assert!(left.amax() < 1e-13 * a.amax() * n as f64, "{n}: {:e}", left.amax());
            let a = some(n, 0.0) * (0.9 / n as f64);
            let x = Triangular::new(&a).expect("finite").stein(&constant);
            let left = a.transpose() * &x * &a - &x + &constant;
            assert!(left.amax() < 1e-13 * n as f64, "{n}: {:e}", left.amax());
        }
        // seen in a mirror; and in all cases the solution is symmetric
        for n in [6, 8] {
            let constant = some(n, 0.0);
            let constant = &constant + constant.transpose();
            let (a, one) = (ring(n) * 0.9, DMatrix::identity(n, n));
            let x = Triangular::new(&a).expect("finite").stein(&constant);
            let left = a.transpose() * &x * &a - &x + &constant;
            assert!(left.amax() < 1e-12 && x == x.transpose(), "{n}: {:e}", left.amax());
            let a = ring(n) - &one * 1.5;
            let x = Triangular::new(&a).expect("finite").lyapunov(&constant);
            let left = a.transpose() * &x + &x * &a + &constant;
            assert!(left.amax() < 1e-12 && x == x.transpose(), "{n}: {:e}", left.amax());
        }
    }

    /// Three of the smallest integers that circle, or whose eigenvalues meet.
    fn of_three_rows() -> [DMatrix<f64>; 2] {
        [
            dmatrix![0.0, 0.0, 0.0; 1.0, 0.0, 0.0; 0.0, 1.0, 0.0],
            dmatrix![3.0, 0.0, 0.0; 3.0, 0.0, 0.0; 0.0, 3.0, 0.0],
        ]
    }

    #[test]
    fn eigenvalues_of_three_rows_are_found() {
        for (a, last) in of_three_rows().iter().zip([0.0, 3.0]) {
            let values = eigenvalues(a).expect("finite");
            // twice or thrice zero: rounding parts them by its root
            for (value, want) in values.iter().zip([0.0, 0.0, last]) {
                assert!((value - C::from(want)).norm() < 1e-4, "{values:?}");
            }
        }
    }

    /// nalgebra issues 611 and 764. When this fails, `mirrored` is not needed, or less of it.
    #[test]
    fn nalgebra_circles() {
        for a in [of_three_rows()[0].clone(), ring(6), ring(8)] {
            let complex = Schur::try_new(a.map(C::from), f64::EPSILON, 10_000);
            let real = Schur::try_new(a, f64::EPSILON, 10_000);
            assert!(real.is_none() || complex.is_none(), "nalgebra is mended: take it");
        }
    }

    /// A block whose two real eigenvalues rounding makes a pair, in which nalgebra takes the root of
    /// a negative number. When this fails, real triangular forms need no complex ones after them.
    #[test]
    fn nalgebra_has_eigenvalues_that_are_no_numbers() {
        let schur = Schur::try_new(of_three_rows()[1].clone(), f64::EPSILON, 10_000);
        let values = schur.expect("it ended once").complex_eigenvalues();
        assert!(values.iter().any(|value| value.is_nan()), "nalgebra is mended: take it");
    }

    /// `−1` five times in one block: rounding parts them by its fifth root.
    #[test]
    fn eigenvalues_that_meet_are_found() {
        let a = dmatrix![
            3.0, 48.0, -64.0, -45.0, 59.0;
            -8.0, -97.0, 128.0, 90.0, -118.0;
            -4.0, -48.0, 63.0, 45.0, -59.0;
            8.0, 96.0, -128.0, -91.0, 118.0;
            8.0, 96.0, -128.0, -90.0, 117.0
        ];
        let values = eigenvalues(&a).expect("finite");
        assert!(values.iter().all(|value| (value + C::from(1.0)).norm() < 0.05), "{values:?}");
    }
}
