//! Matrices that are mostly zero, as runs of neighbours that are not.

use crate::scalar::Scalar;

/// Zeros between two runs that are cheaper to multiply than to jump over.
const GAP: usize = 2;

/// A matrix whose product with a vector skips its zeros.
#[derive(Clone, Debug)]
pub(super) struct Runs<S> {
    runs: Vec<Run>,
    values: Vec<S>,
}

/// One stretch of a row.
#[derive(Clone, Copy, Debug)]
struct Run {
    row: usize,
    /// Its first column.
    column: usize,
    /// Where its values stand.
    start: usize,
    end: usize,
}

impl Runs<f64> {
    /// The matrix with these entries.
    pub(super) fn new(rows: usize, columns: usize, entry: impl Fn(usize, usize) -> f64) -> Self {
        let (mut runs, mut values): (Vec<Run>, Vec<f64>) = (Vec::new(), Vec::new());
        for row in 0..rows {
            for column in (0..columns).filter(|&column| entry(row, column) != 0.0) {
                match runs.last_mut() {
                    Some(run)
                        if run.row == row && column <= run.column + (run.end - run.start) + GAP =>
                    {
                        let next = run.column + (run.end - run.start);
                        values.extend((next..=column).map(|column| entry(row, column)));
                        run.end = values.len();
                    }
                    _ => {
                        values.push(entry(row, column));
                        runs.push(Run { row, column, start: values.len() - 1, end: values.len() });
                    }
                }
            }
        }
        Self { runs, values }
    }
}

impl<S: Scalar> Runs<S> {
    /// `out += A x`.
    pub(super) fn add_product(&self, x: &[S], out: &mut [S]) {
        for run in &self.runs {
            let values = &self.values[run.start..run.end];
            let mut sum = out[run.row];
            for (&a, &x) in values.iter().zip(&x[run.column..]) {
                sum = a.mul_add(x, sum);
            }
            out[run.row] = sum;
        }
    }

    /// The same with zeros in the other rows.
    pub(super) fn keep_rows(&mut self, keep: impl Fn(usize) -> bool) {
        self.runs.retain(|run| keep(run.row));
    }

    /// Where the value of an entry stands.
    pub(super) fn position(&self, row: usize, column: usize) -> Option<usize> {
        let first = self.runs.partition_point(|run| (run.row, run.column) <= (row, column));
        let run = self.runs[..first].last().filter(|run| run.row == row)?;
        Some(run.start + column - run.column).filter(|&at| at < run.end)
    }

    /// The values, row after row.
    pub(super) fn values(&self) -> &[S] {
        &self.values
    }

    /// The values, to be overwritten.
    pub(super) fn values_mut(&mut self) -> &mut [S] {
        &mut self.values
    }

    /// Takes the entries of a dense matrix with rows of so many columns.
    pub(super) fn copy_from(&mut self, dense: &[S], columns: usize) {
        for run in &self.runs {
            let values = &mut self.values[run.start..run.end];
            values.copy_from_slice(&dense[run.row * columns + run.column..][..values.len()]);
        }
    }

    /// The same entries with other values, by row and column.
    pub(super) fn with_values(&self, value: impl Fn(usize, usize) -> S) -> Self {
        let mut other = self.clone();
        for Run { row, column, start, end } in &self.runs {
            for (at, own) in other.values[*start..*end].iter_mut().enumerate() {
                *own = value(*row, column + at);
            }
        }
        other
    }

    /// The same matrix in another arithmetic.
    pub(super) fn cast_with<T: Scalar>(&self, convert: impl Fn(S) -> T) -> Runs<T> {
        Runs { runs: self.runs.clone(), values: self.values.iter().map(|&v| convert(v)).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_product_is_that_of_the_matrix() {
        let rows = [
            [0.0, 1.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 3.0],
            [0.0; 9],
            [4.0, 5.0, 6.0, 0.0, 0.0, 0.0, 7.0, 8.0, 0.0],
        ];
        let runs = Runs::new(3, 9, |i, j| rows[i][j]);
        let x = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0];
        let mut out = [1.0, -1.0, 0.5];
        runs.add_product(&x, &mut out);
        assert_eq!(out, [1.0 + 2.0 + 10.0 + 27.0, -1.0, 0.5 + 4.0 + 10.0 + 18.0 + 49.0 + 64.0]);
        for (row, values) in rows.iter().enumerate() {
            for (column, &value) in values.iter().enumerate() {
                let stored = runs.position(row, column).map_or(0.0, |at| runs.values[at]);
                assert_eq!(stored, value, "{row} {column}");
            }
        }
        let twice: Vec<f64> = rows.as_flattened().iter().map(|value| 2.0 * value).collect();
        let mut doubled = runs.clone();
        doubled.copy_from(&twice, 9);
        assert!(doubled.values.iter().zip(&runs.values).all(|(two, one)| *two == 2.0 * one));
        // nothing is stored for the row of zeros, and at most the gaps besides
        assert!(runs.values.len() <= 9 + 2 * GAP);
    }
}
