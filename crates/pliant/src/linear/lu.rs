//! Elimination with pivoting, in storage made once.

use nalgebra::ComplexField;

/// A square matrix, row by row, then its factors `L U = P A`.
pub(crate) struct Lu<T> {
    n: usize,
    entries: Vec<T>,
    /// The row that came to each place.
    pivots: Vec<usize>,
}

impl<T: ComplexField<RealField = f64> + Copy> Lu<T> {
    /// Room for `n` by `n`.
    pub(crate) fn new(n: usize) -> Self {
        Self { n, entries: vec![T::zero(); n * n], pivots: vec![0; n] }
    }

    /// The matrix, to be written before it is factored.
    pub(crate) fn entries(&mut self) -> &mut [T] {
        &mut self.entries
    }

    /// The factors, and the row that came to each place.
    pub(crate) fn factors(&mut self) -> (&mut [T], &mut [usize]) {
        (&mut self.entries, &mut self.pivots)
    }

    /// Factors in place. Says whether every pivot is a finite number other than zero.
    pub(crate) fn factor(&mut self) -> bool {
        let n = self.n;
        for k in 0..n {
            let size = |row: &usize| self.entries[row * n + k].norm1();
            let pivot = (k..n).max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or(k);
            if !(size(&pivot) > 0.0 && size(&pivot).is_finite()) {
                return false;
            }
            self.pivots[k] = pivot;
            if pivot != k {
                let (above, below) = self.entries.split_at_mut(pivot * n);
                above[k * n..][..n].swap_with_slice(&mut below[..n]);
            }
            let (above, below) = self.entries.split_at_mut((k + 1) * n);
            let top = &above[k * n..];
            let reciprocal = T::one() / top[k];
            for row in below.chunks_exact_mut(n) {
                let factor = row[k] * reciprocal;
                row[k] = factor;
                for (entry, &top) in row[k + 1..].iter_mut().zip(&top[k + 1..]) {
                    *entry -= factor * top;
                }
            }
        }
        true
    }

    /// Solves `A x = b` in place.
    pub(crate) fn solve(&self, b: &mut [T]) {
        let n = self.n;
        for (k, &pivot) in self.pivots.iter().enumerate() {
            b.swap(k, pivot);
        }
        for k in 0..n {
            let row = &self.entries[k * n..][..k];
            let sum = row.iter().zip(&*b).fold(b[k], |sum, (&l, &x)| sum - l * x);
            b[k] = sum;
        }
        for k in (0..n).rev() {
            let row = &self.entries[k * n..][..n];
            let right = row[k + 1..].iter().zip(&b[k + 1..]);
            let sum = right.fold(b[k], |sum, (&u, &x)| sum - u * x);
            b[k] = sum / row[k];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Lu;
    use nalgebra::Complex;

    #[test]
    fn solves_what_needs_pivots() {
        let n = 6;
        let entry = |i: usize, j: usize| {
            // zeros along the diagonal
            let (x, y) = ((3 * i + 7 * j) as f64, (5 * i * j + 1) as f64);
            if i == j { Complex::new(0.0, 0.0) } else { Complex::new(x.sin(), y.cos()) }
        };
        let solution: Vec<_> = (0..n).map(|i| Complex::new(i as f64, 1.0)).collect();
        let mut right: Vec<_> =
            (0..n).map(|i| (0..n).map(|j| entry(i, j) * solution[j]).sum()).collect();
        let mut lu = Lu::new(n);
        for (k, value) in lu.entries().iter_mut().enumerate() {
            *value = entry(k / n, k % n);
        }
        assert!(lu.factor());
        lu.solve(&mut right);
        for (got, want) in right.iter().zip(solution) {
            assert!((got - want).norm() < 1e-12, "{got} {want}");
        }
    }

    #[test]
    fn refuses_what_has_no_inverse() {
        let mut lu = Lu::new(2);
        lu.entries().copy_from_slice(&[1.0, 2.0, 2.0, 4.0]);
        assert!(!lu.factor());
        lu.entries().copy_from_slice(&[1.0, f64::NAN, 2.0, 4.0]);
        assert!(!lu.factor());
    }
}
