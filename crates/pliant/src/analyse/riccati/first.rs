//! A first solution, good to the digits that one pass leaves.

use super::TimeDomain;
use crate::linear::symmetric;
use nalgebra::{DMatrix, DVector};

/// How many steps the iterations may take. Each doubles the digits once it converges; before, each
/// halves the distance of the slowest pole in powers of ten.
const STEPS: usize = 100;
/// Passes over the states until their scales stay.
const PASSES: usize = 60;

/// The system in states of about one size: `x = D x̃`.
pub(super) struct Scaled {
    pub(super) a: DMatrix<f64>,
    pub(super) b: DMatrix<f64>,
    pub(super) q: DMatrix<f64>,
    /// `BR⁻¹Bᵀ`.
    g: DMatrix<f64>,
    scale: DVector<f64>,
}

impl Scaled {
    /// Powers of two that bring rows and columns of `(A −G; −Q −Aᵀ)` to one size, as far as a
    /// change of states and their costates can.
    pub(super) fn new(
        a: &DMatrix<f64>,
        b: &DMatrix<f64>,
        q: &DMatrix<f64>,
        r: &DMatrix<f64>,
    ) -> Self {
        let n = a.nrows();
        let solved = r.clone().cholesky().map(|r| r.solve(&b.transpose()));
        let g = b * solved.unwrap_or_else(|| DMatrix::zeros(b.ncols(), n));
        let mut scale = DVector::from_element(n, 1.0);
        for _ in 0..PASSES {
            let mut changed = false;
            for i in 0..n {
                // what grows with the scale of a state, and what falls
                let mut grows = q[(i, i)].abs() * scale[i] * scale[i];
                let mut falls = g[(i, i)].abs() / (scale[i] * scale[i]);
                for j in (0..n).filter(|&j| j != i) {
                    let ratio = scale[i] / scale[j];
                    grows += a[(j, i)].abs() * ratio + q[(i, j)].abs() * scale[i] * scale[j];
                    falls += a[(i, j)].abs() / ratio + g[(i, j)].abs() / (scale[i] * scale[j]);
                }
                if grows > 0.0 && falls > 0.0 {
                    // `Q` and `G` go with the square of the scale: half of the way does not overshoot
                    let step = (0.25 * (falls / grows).log2()).round();
                    if step.abs() >= 1.0 {
                        scale[i] *= step.exp2();
                        changed = true;
                    }
                }
            }
            if !changed {
                break;
            }
        }
        let inner = |m: &DMatrix<f64>, power: [i32; 2]| {
            DMatrix::from_fn(m.nrows(), m.ncols(), |i, j| {
                let column = if power[1] == 0 { 1.0 } else { scale[j].powi(power[1]) };
                m[(i, j)] * scale[i].powi(power[0]) * column
            })
        };
        Self {
            a: inner(a, [-1, 1]),
            b: inner(b, [-1, 0]),
            q: inner(q, [1, 1]),
            g: symmetric(&inner(&g, [-1, -1])),
            scale,
        }
    }

    /// The solution in the states as given.
    pub(super) fn unscale(&self, x: &DMatrix<f64>) -> DMatrix<f64> {
        DMatrix::from_fn(x.nrows(), x.ncols(), |i, j| x[(i, j)] / (self.scale[i] * self.scale[j]))
    }

    /// A first solution; `None` where the iteration does not end.
    pub(super) fn first(&self, time: TimeDomain) -> Option<DMatrix<f64>> {
        match time {
            TimeDomain::Continuous => self.sign(),
            TimeDomain::Discrete => self.doubling(),
        }
    }

    /// From `W = sign H`, `H = (A −G; −Q −Aᵀ)`, whose stable half the columns `(1; X)` span:
    /// `W (1; X) = −(1; X)`. Newton's steps `Z ← (cZ + (cZ)⁻¹)/2` with Byers' scale by determinants.
    fn sign(&self) -> Option<DMatrix<f64>> {
        let n = self.a.nrows();
        let mut z = DMatrix::zeros(2 * n, 2 * n);
        z.view_mut((0, 0), (n, n)).copy_from(&self.a);
        z.view_mut((0, n), (n, n)).copy_from(&-&self.g);
        z.view_mut((n, 0), (n, n)).copy_from(&-&self.q);
        z.view_mut((n, n), (n, n)).copy_from(&-self.a.transpose());
        let mut last = f64::INFINITY;
        for _ in 0..STEPS {
            let factors = z.clone().lu();
            let logs: f64 = factors.u().diagonal().iter().map(|pivot| pivot.abs().ln()).sum();
            let inverse = factors.try_inverse()?;
            let scale = if last > 1e-2 { (-logs / (2 * n) as f64).exp() } else { 1.0 };
            let next = (&z * scale + inverse / scale) * 0.5;
            let change = (&next - &z).norm() / next.norm();
            z = next;
            if !change.is_finite() {
                return None;
            }
            if change < 1e-13 || (change < 1e-6 && change >= last) {
                break;
            }
            last = change;
        }
        // [W₁₂; W₂₂ + 1] X = −[W₁₁ + 1; W₂₁]
        let mut left = z.columns(n, n).into_owned();
        let mut right = -z.columns(0, n).into_owned();
        for k in 0..n {
            left[(n + k, k)] += 1.0;
            right[(k, k)] -= 1.0;
        }
        let qr = left.qr();
        let x = qr.r().solve_upper_triangular(&(qr.q().transpose() * right))?;
        x.iter().all(|entry| entry.is_finite()).then(|| symmetric(&x))
    }

    /// `A ← A(1 + GX)⁻¹A`, `G ← G + A(1 + GX)⁻¹GAᵀ`, `X ← X + AᵀX(1 + GX)⁻¹A` from `X = Q`.
    fn doubling(&self) -> Option<DMatrix<f64>> {
        let n = self.a.nrows();
        let (mut a, mut g, mut x) = (self.a.clone(), self.g.clone(), self.q.clone());
        for _ in 0..STEPS {
            let inverse = (DMatrix::identity(n, n) + &g * &x).try_inverse()?;
            let half = &inverse * &a;
            let more = a.transpose() * &x * &half;
            g += &a * inverse * &g * a.transpose();
            g = symmetric(&g);
            a = &a * half;
            x = symmetric(&(&x + &more));
            if !x.iter().all(|entry| entry.is_finite()) {
                return None;
            }
            if more.norm() <= 1e-15 * x.norm() {
                break;
            }
        }
        Some(x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::dmatrix;

    /// Newton's steps would hide a bad start: `X = (√3 1; 1 √3)` of a mass, and the golden ratio of
    /// `x⁺ = x + u` beside states that die out by themselves.
    #[test]
    fn the_first_solution_has_most_of_its_digits() {
        let (a, b) = (dmatrix![0.0, 1.0; 0.0, 0.0], dmatrix![0.0; 1.0]);
        let (one, r) = (DMatrix::identity(2, 2), dmatrix![1.0]);
        let scaled = Scaled::new(&a, &b, &one, &r);
        let x = scaled.unscale(&scaled.first(TimeDomain::Continuous).expect("a solution"));
        let root = 3.0_f64.sqrt();
        assert!((x - dmatrix![root, 1.0; 1.0, root]).amax() < 1e-12);
        let (a, b) = (dmatrix![1.0, 0.0; 0.0, 0.5], dmatrix![1.0; 0.0]);
        let scaled = Scaled::new(&a, &b, &one, &r);
        let x = scaled.unscale(&scaled.first(TimeDomain::Discrete).expect("a solution"));
        let golden = 0.5 * (1.0 + 5.0_f64.sqrt());
        assert!((x - dmatrix![golden, 0.0; 0.0, 4.0 / 3.0]).amax() < 1e-12);
    }

    /// States in units that differ by 1e9: no entry of the scaled matrices is larger than they were
    /// in equal units, but for the powers of two.
    #[test]
    fn scales_take_units_out() {
        let (a, b) = (dmatrix![0.3, 1.0; -0.7, 0.2], dmatrix![0.5; 1.0]);
        let (q, r) = (dmatrix![1.0, 0.2; 0.2, 2.0], dmatrix![1.0]);
        let unit = [1e-5, 1e4];
        let scaled = Scaled::new(
            &DMatrix::from_fn(2, 2, |i, j| a[(i, j)] * unit[i] / unit[j]),
            &DMatrix::from_fn(2, 1, |i, _| b[i] * unit[i]),
            &DMatrix::from_fn(2, 2, |i, j| q[(i, j)] / (unit[i] * unit[j])),
            &r,
        );
        for matrix in [&scaled.a, &scaled.q, &scaled.g] {
            assert!(matrix.amax() < 20.0 && matrix.amax() > 0.05, "{matrix}");
        }
    }
}
