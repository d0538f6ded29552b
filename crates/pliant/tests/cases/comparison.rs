//! Comparing arrays with what they should be.

use pliant::nalgebra::{DMatrix, DVector};
use std::fmt::Write;

/// What an array may differ from its reference, as a part of its largest entry.
const TOLERANCE: f64 = 1e-11;

/// What a sum may differ from zero when its terms cancel, as a part of the terms: a few dozen
/// roundings.
pub(crate) const ROUNDING: f64 = 1e-14;

/// The quantities of one case, compared one after the other.
pub(crate) struct Comparison {
    /// What an array may differ, as a part of its largest entry.
    tolerance: f64,
    quantities: usize,
    faults: Vec<Fault>,
}

/// One quantity that is not what it should be.
struct Fault {
    quantity: String,
    what: String,
}

impl Default for Comparison {
    fn default() -> Self {
        Self::within(TOLERANCE)
    }
}

impl Comparison {
    /// A comparison of numbers that agree to so much only.
    pub(crate) fn within(tolerance: f64) -> Self {
        Self { tolerance, quantities: 0, faults: Vec::new() }
    }

    /// An array against its reference. `terms` is the size of what was summed to get it: entries
    /// that cancel are not held to more digits than their terms have.
    pub(crate) fn array(&mut self, quantity: &str, got: &[f64], want: &[f64], terms: f64) {
        self.quantities += 1;
        if got.len() != want.len() {
            let what = format!("{} entries, should be {}", got.len(), want.len());
            return self.fault(quantity, what);
        }
        let tolerance = (self.tolerance * largest(want)).max(ROUNDING * terms);
        let worst = got
            .iter()
            .zip(want)
            .map(|(got, want)| (got - want).abs())
            .enumerate()
            .max_by(|(_, a), (_, b)| a.total_cmp(b));
        if let Some((entry, error)) = worst
            && (error.is_nan() || error > tolerance)
        {
            let (got, want) = (got[entry], want[entry]);
            self.fault(
                quantity,
                format!(
                    "entry {entry} is {got:e}, should be {want:e}; error {error:.2e}, tolerance {tolerance:.2e}"
                ),
            );
        }
    }

    /// A matrix against its reference, given by rows.
    pub(crate) fn matrix(
        &mut self,
        quantity: &str,
        got: &DMatrix<f64>,
        want: &[Vec<f64>],
        terms: f64,
    ) {
        let got: Vec<f64> = got.transpose().iter().copied().collect();
        self.array(quantity, &got, &want.concat(), terms);
    }

    /// Accelerations by the residual of the reference's own equation of motion:
    /// `|M u̇ + bias − τ| ≤ 1e-11 (|M||u̇| + |bias|)`.
    pub(crate) fn accelerations(
        &mut self,
        quantity: &str,
        ud: &DVector<f64>,
        [mass, bias, tau]: [&[f64]; 3],
    ) {
        self.quantities += 1;
        let n = ud.len();
        if [mass.len(), bias.len(), tau.len()] != [n * n, n, n] {
            let what = format!("{n} entries, which M, bias and tau do not fit");
            return self.fault(quantity, what);
        }
        let (mut worst, mut at, mut scale) = (0.0_f64, 0, largest(bias));
        for row in 0..n {
            let terms = (0..n).map(|column| mass[row * n + column] * ud[column]);
            let residual = (terms.clone().sum::<f64>() + bias[row] - tau[row]).abs();
            scale = scale.max(terms.map(f64::abs).sum::<f64>() + largest(bias));
            if residual.is_nan() || residual > worst {
                (worst, at) = (residual, row);
            }
        }
        let tolerance = self.tolerance * scale;
        if worst.is_nan() || worst > tolerance {
            self.fault(
                quantity,
                format!("residual of row {at} is {worst:.2e}, tolerance {tolerance:.2e}"),
            );
        }
    }

    /// An answer of the library, or its refusal as a fault.
    pub(crate) fn answer<T, E: std::fmt::Display>(
        &mut self,
        quantity: &str,
        answer: Result<T, E>,
    ) -> Option<T> {
        match answer {
            Ok(value) => Some(value),
            Err(error) => {
                self.quantities += 1;
                self.fault(quantity, format!("refused: {error}"));
                None
            }
        }
    }

    /// Both together.
    pub(crate) fn and(mut self, other: Self) -> Self {
        self.quantities += other.quantities;
        self.faults.extend(other.faults);
        self
    }

    fn fault(&mut self, quantity: &str, what: String) {
        let quantity = quantity.to_owned();
        self.faults.push(Fault { quantity, what });
    }

    /// Everything that is wrong, a line each; nothing compared is wrong too.
    pub(crate) fn complaint(&self) -> Option<String> {
        if self.quantities == 0 {
            return Some("  nothing was compared\n".to_owned());
        }
        let mut lines = String::new();
        for Fault { quantity, what } in &self.faults {
            let _ = writeln!(lines, "  {quantity}: {what}");
        }
        (!lines.is_empty()).then_some(lines)
    }
}

/// The largest entry.
pub(crate) fn largest(array: &[f64]) -> f64 {
    array.iter().fold(0.0, |a, b| a.max(b.abs()))
}
