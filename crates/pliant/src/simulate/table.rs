//! Functions of time given by a table.

use super::signal::{Break, SignalError};
use crate::scalar::Jet;

/// The interpolation between the times of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Interpolation {
    /// The last value.
    Hold,
    /// Straight lines.
    Linear,
    /// The cubic spline that is smooth up to its second derivative, its third not jumping at the
    /// second and the last but one time.
    Cubic,
}

/// Values at given times. Constant before the first and after the last.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    times: Vec<f64>,
    values: Vec<f64>,
    /// The rates at the times, for cubics.
    rates: Vec<f64>,
    interpolation: Interpolation,
}

impl Table {
    /// From increasing times (s) and as many values.
    pub fn new(
        times: Vec<f64>,
        values: Vec<f64>,
        interpolation: Interpolation,
    ) -> Result<Self, SignalError> {
        if times.len() != values.len() || times.is_empty() {
            let (times, values) = (times.len(), values.len());
            return Err(SignalError::TableLengths { times, values });
        }
        let numbers = times.iter().chain(&values);
        if let Some(&value) = numbers.into_iter().find(|number| !number.is_finite()) {
            return Err(SignalError::NotFinite { what: "an entry of the table", value });
        }
        if let Some(row) = times.windows(2).position(|pair| pair[0] >= pair[1]) {
            let (time, next) = (times[row], times[row + 1]);
            return Err(SignalError::TableOrder { row: row + 1, time, next });
        }
        let rates = match interpolation {
            Interpolation::Cubic => spline_rates(&times, &values),
            _ => Vec::new(),
        };
        Ok(Self { times, values, rates, interpolation })
    }

    /// The times (s).
    pub fn times(&self) -> &[f64] {
        &self.times
    }

    /// The value at each.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// What is between them.
    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    pub(super) fn jet(&self, t: f64, is_before: bool) -> Jet {
        let after = self.times.partition_point(|&time| time < t || (time == t && !is_before));
        let still = |value| Jet { value, ..Jet::default() };
        let Some(i) = after.checked_sub(1) else {
            return still(self.values[0]);
        };
        let Some(&end) = self.times.get(i + 1) else {
            return still(self.values[i]);
        };
        let h = end - self.times[i];
        let (a, b) = (self.values[i], self.values[i + 1]);
        let slope = (b - a) / h;
        let s = t - self.times[i];
        match self.interpolation {
            Interpolation::Hold => still(a),
            Interpolation::Linear => Jet { value: a + slope * s, rate: slope, acceleration: 0.0 },
            Interpolation::Cubic => {
                let (r0, r1) = (self.rates[i], self.rates[i + 1]);
                // a + r0 s + c2 s² + c3 s³
                let c3 = (r0 + r1 - 2.0 * slope) / (h * h);
                let c2 = (slope - r0) / h - c3 * h;
                Jet {
                    value: a + s * (r0 + s * (c2 + s * c3)),
                    rate: r0 + s * (2.0 * c2 + 3.0 * c3 * s),
                    acceleration: 2.0 * c2 + 6.0 * c3 * s,
                }
            }
        }
    }

    pub(super) fn each_break(&self, visit: &mut dyn FnMut(Break)) {
        let last = self.times.len() - 1;
        for (i, &time) in self.times.iter().enumerate() {
            let derivative = match self.interpolation {
                Interpolation::Hold => 0,
                Interpolation::Cubic if i > 0 && i < last => 3,
                _ => 1,
            };
            visit(Break { time, derivative });
        }
    }
}

/// The rates of the spline through the points, its third derivative continuous at the second and
/// the last but one.
fn spline_rates(x: &[f64], y: &[f64]) -> Vec<f64> {
    let n = x.len();
    let gap = |i: usize| x[i + 1] - x[i];
    let slope = |i: usize| (y[i + 1] - y[i]) / gap(i);
    match n {
        1 => return vec![0.0],
        2 => return vec![slope(0); 2],
        3 => {
            // the parabola
            let bend = (slope(1) - slope(0)) / (x[2] - x[0]);
            return (0..3).map(|i| slope(0) + bend * (2.0 * x[i] - x[0] - x[1])).collect();
        }
        _ => {}
    }
    // below, on and above the diagonal, and the right-hand side
    let mut rows = vec![[0.0; 4]; n];
    let end = |near: f64, far: f64, first: f64, second: f64| {
        let both = near + far;
        ((near + 2.0 * both) * far * first + near * near * second) / both
    };
    rows[0] = [0.0, gap(1), gap(0) + gap(1), end(gap(0), gap(1), slope(0), slope(1))];
    for i in 1..n - 1 {
        let (a, b) = (gap(i - 1), gap(i));
        rows[i] = [b, 2.0 * (a + b), a, 3.0 * (b * slope(i - 1) + a * slope(i))];
    }
    let (near, far) = (gap(n - 2), gap(n - 3));
    rows[n - 1] = [near + far, far, 0.0, end(near, far, slope(n - 2), slope(n - 3))];
    for i in 1..n {
        let factor = rows[i][0] / rows[i - 1][1];
        rows[i][1] -= factor * rows[i - 1][2];
        rows[i][3] -= factor * rows[i - 1][3];
    }
    let mut rates = vec![0.0; n];
    rates[n - 1] = rows[n - 1][3] / rows[n - 1][1];
    for i in (0..n - 1).rev() {
        rates[i] = (rows[i][3] - rows[i][2] * rates[i + 1]) / rows[i][1];
    }
    rates
}
