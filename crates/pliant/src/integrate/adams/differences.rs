//! Modified divided differences of the rates at the last steps.

use crate::integrate::state::{StateVisitor, Stateful};

/// The highest order of the predictor.
pub(super) const MOST_ORDER: usize = 12;

/// The differences of the highest order, and one more that tells whether a higher one would do.
const ROWS: usize = MOST_ORDER + 2;

/// Integrals for the corrector of the highest order, and for the error of the next.
const INTEGRALS: usize = MOST_ORDER + 2;

/// `Φⱼ(n) = (tₙ-tₙ₋₁)…(tₙ-tₙ₋ⱼ) f[tₙ, …, tₙ₋ⱼ]` for the rates at the last steps, Hairer, section
/// III.5.
///
/// For a step of length `h` the polynomial through them is `Σⱼ wⱼ(t) Φ*ⱼ(n)`, with
/// `wⱼ(t) = Πᵢ (t-tₙ₋ᵢ)/(tₙ₊₁-tₙ₋ᵢ)` over `i < j`, `Φ*ⱼ(n) = βⱼ Φⱼ(n)` and
/// `βⱼ = Πᵢ (tₙ₊₁-tₙ₋ᵢ)/(tₙ-tₙ₋ᵢ₋₁)`.
pub(super) struct Differences {
    dimension: usize,
    /// How many steps are known, the present one included.
    count: usize,
    /// When they were, the latest first.
    times: [f64; ROWS],
    /// `Φⱼ(n)`, one row for each `j`.
    rows: Vec<f64>,
    /// Of the step that was last looked ahead to.
    beta: [f64; ROWS],
    step: f64,
    /// How many integrals are needed beyond the first.
    order: usize,
}

impl Stateful for Differences {
    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        state.index(&mut self.count, ROWS + 1);
        state.numbers(&mut self.times[..self.count]);
        state.numbers(&mut self.rows[..self.count * self.dimension]);
        state.numbers(&mut self.beta[..self.count]);
    }
}

impl Differences {
    pub(super) fn new(dimension: usize) -> Self {
        Self {
            dimension,
            count: 0,
            times: [0.0; ROWS],
            rows: vec![0.0; ROWS * dimension],
            beta: [1.0; ROWS],
            step: 0.0,
            order: 1,
        }
    }

    /// How many differences are known.
    pub(super) fn len(&self) -> usize {
        self.count
    }

    pub(super) fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Forgets all of them.
    pub(super) fn clear(&mut self) {
        self.count = 0;
    }

    /// Forgets all steps but the last.
    pub(super) fn shorten(&mut self) {
        self.count = self.count.min(1);
    }

    /// The signed length of the last step.
    pub(super) fn last_step(&self) -> Option<f64> {
        (self.count > 1).then(|| self.times[0] - self.times[1])
    }

    /// `Φⱼ(n)`.
    pub(super) fn difference(&self, row: usize) -> &[f64] {
        &self.rows[row * self.dimension..][..self.dimension]
    }

    /// Knows this rate alone.
    pub(super) fn begin(&mut self, t: f64, rates: &[f64]) {
        self.count = 1;
        self.times[0] = t;
        self.rows[..self.dimension].copy_from_slice(rates);
    }

    /// Goes on to the end of the step that was looked ahead to, where these are the rates:
    /// `Φ₀(n+1) = f`, `Φⱼ₊₁(n+1) = Φⱼ(n+1) - Φ*ⱼ(n)`.
    pub(super) fn push(&mut self, t: f64, rates: &[f64]) {
        let known = self.count.min(ROWS - 1);
        self.times.copy_within(..known, 1);
        self.times[0] = t;
        self.count = known + 1;
        let n = self.dimension;
        for (i, &rate) in rates.iter().enumerate() {
            let mut new = rate;
            for (row, beta) in self.beta[..known].iter().enumerate() {
                let old = std::mem::replace(&mut self.rows[row * n + i], new);
                new -= beta * old;
            }
            self.rows[known * n + i] = new;
        }
    }

    /// Prepares for a step of length `h` by a predictor of this order.
    pub(super) fn look_ahead(&mut self, h: f64, order: usize) {
        (self.step, self.order) = (h, order);
        self.beta[0] = 1.0;
        for j in 1..self.count {
            let ahead = h + (self.times[0] - self.times[j - 1]);
            self.beta[j] = self.beta[j - 1] * ahead / (self.times[0] - self.times[j]);
        }
    }

    /// `gⱼ(θ) = 1/h ∫ wⱼ(t) dt` from `tₙ` to `tₙ + θ h`, up to `j` one above the order.
    ///
    /// The repeated integrals `cⱼ(q) = (q-1)!/h^q ∫…∫ wⱼ`, `q` of them, follow from each other by
    /// parts: `cⱼ(q) = ((t-a) cⱼ₋₁(q) - h cⱼ₋₁(q+1)) / (tₙ₊₁-a)` with `a = tₙ₋ⱼ₊₁`, and
    /// `c₀(q) = θ^q/q`; at `θ = 1` it is the recursion of Hairer, section III.5.
    pub(super) fn integrals(&self, theta: f64) -> [f64; INTEGRALS] {
        let count = self.order + 2;
        let (mut g, mut c) = ([0.0; INTEGRALS], [0.0; INTEGRALS]);
        let mut power = 1.0;
        for (q, c) in c[..count].iter_mut().enumerate() {
            power *= theta;
            *c = power / (q as f64 + 1.0);
        }
        g[0] = c[0];
        for j in 1..count {
            // the last needs a step more than is known where the order still rises
            let since = self.times[0] - self.times[(j - 1).min(self.count - 1)];
            let (here, whole) = (theta * self.step + since, self.step + since);
            for q in 0..count - j {
                c[q] = (here * c[q] - self.step * c[q + 1]) / whole;
            }
            g[j] = c[0];
        }
        g
    }

    /// `Σⱼ weightⱼ Φ*ⱼ(n)`.
    pub(super) fn sum(&self, weights: &[f64], out: &mut [f64]) {
        out.fill(0.0);
        for (row, (weight, beta)) in weights.iter().zip(&self.beta).enumerate() {
            for (out, difference) in out.iter_mut().zip(self.difference(row)) {
                *out += weight * beta * difference;
            }
        }
    }

    /// Adds `Φ*ⱼ(n)`.
    pub(super) fn add(&self, row: usize, out: &mut [f64]) {
        for (out, difference) in out.iter_mut().zip(self.difference(row)) {
            *out += self.beta[row] * difference;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Differences, INTEGRALS, MOST_ORDER};

    /// Moulton's and Bashforth's coefficients: Hairer, section III.1, tables 1.1 and 1.2.
    #[test]
    fn equal_steps_have_the_classical_coefficients() {
        let mut past = Differences::new(1);
        past.begin(0.0, &[1.0]);
        for step in 1..=MOST_ORDER {
            past.look_ahead(0.5, step);
            past.push(0.5 * step as f64, &[1.0]);
        }
        past.look_ahead(0.5, MOST_ORDER);
        let g = past.integrals(1.0);
        // γⱼ + γⱼ₋₁/2 + … + γ₀/(j+1) = 1
        for j in 0..INTEGRALS {
            let sum: f64 = (0..=j).map(|i| g[i] / (j - i + 1) as f64).sum();
            assert!((sum - 1.0).abs() < 1e-14, "γ {j}: {g:?}");
        }
        assert!((g[4] - 251.0 / 720.0).abs() < 1e-15);
        assert!(past.beta.iter().all(|beta| (beta - 1.0).abs() < 1e-14));
    }

    /// Through uneven steps the polynomial and its integral are those of powers.
    #[test]
    fn powers_are_integrated_exactly() {
        let times = [0.3, 0.35, 0.5, 0.52, 0.7, 1.0, 1.1];
        let (h, highest) = (0.21, times.len() - 1);
        for power in 0..=highest {
            let exponent = i32::try_from(power).expect("few");
            let mut past = Differences::new(1);
            past.begin(times[0], &[times[0].powi(exponent)]);
            for pair in times.windows(2) {
                past.look_ahead(pair[1] - pair[0], 1);
                past.push(pair[1], &[pair[1].powi(exponent)]);
            }
            past.look_ahead(h, times.len());
            for theta in [0.25, 0.6, 1.0] {
                let (mut sum, g) = ([0.0], past.integrals(theta));
                past.sum(&g[..times.len()], &mut sum);
                let antiderivative = |t: f64| t.powi(exponent + 1) / f64::from(exponent + 1);
                let end = times[highest] + theta * h;
                let wanted = (antiderivative(end) - antiderivative(times[highest])) / h;
                assert!((sum[0] - wanted).abs() < 1e-12 * wanted, "t^{power}: {sum:?} {wanted}");
            }
        }
    }
}
