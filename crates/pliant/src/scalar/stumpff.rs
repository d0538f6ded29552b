//! The Stumpff functions for plain numbers.

/// Below this `x` the power series is used. Above it the recurrence upwards from sine and cosine
/// divides its rounding by at least 16 every second step.
const SERIES_BELOW: f64 = 16.0;

/// Terms of the series: `16²⁰ / 40! ≈ 1e-24` of the first one.
const TERMS: usize = 20;

/// `1 / k!` for `k = 0 .. 18`.
const INVERSE_FACTORIAL: [f64; 18] = {
    let mut table = [1.0; 18];
    let mut k = 1;
    while k < 18 {
        table[k] = table[k - 1] / k as f64;
        k += 1;
    }
    table
};

/// See [`super::Scalar::stumpff`]. The recurrence `c_k = 1/k! − x c_{k+2}` links them: downwards
/// from two series where `x` is small (no cancellation), upwards from sine and cosine elsewhere.
pub(super) fn stumpff(x: f64, out: &mut [f64]) {
    let n = out.len();
    assert!(n <= super::STUMPFF_MAX, "at most {} Stumpff functions", super::STUMPFF_MAX);
    if x < SERIES_BELOW {
        for k in (0..n).rev() {
            out[k] = if k + 2 < n { INVERSE_FACTORIAL[k] - x * out[k + 2] } else { series(x, k) };
        }
    } else {
        let angle = x.sqrt();
        let (sin, cos) = super::trigonometry::sin_cos(angle);
        for k in 0..n {
            out[k] = match k {
                0 => cos,
                1 => sin / angle,
                _ => (INVERSE_FACTORIAL[k - 2] - out[k - 2]) / x,
            };
        }
    }
}

/// `Σ_j (−x)^j / (2j + k)!` by Horner's rule.
fn series(x: f64, k: usize) -> f64 {
    let mut sum = 1.0;
    for j in (1..TERMS).rev() {
        sum = 1.0 - x / ((2 * j + k) * (2 * j + k - 1)) as f64 * sum;
    }
    INVERSE_FACTORIAL[k] * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn closed_forms_where_they_are_sharp() {
        for x in [0.5_f64, 1.0, 3.0, 3.999, 4.001, 9.0, 40.0] {
            let mut c = [0.0; 6];
            stumpff(x, &mut c);
            let t = x.sqrt();
            let want = [t.cos(), t.sin() / t, (1.0 - t.cos()) / x, (t - t.sin()) / (t * x)];
            for (got, want) in c.iter().zip(want) {
                // both sides lose a few bits in 1 − cos at the small end
                assert!((got - want).abs() < 2e-15, "x = {x}: {got} {want}");
            }
            assert!((c[4] - (0.5 - c[2]) / x).abs() < 1e-15);
            assert!((c[5] - (1.0 / 6.0 - c[3]) / x).abs() < 1e-15);
        }
    }

    #[test]
    fn exact_limits_at_rest() {
        let mut c = [0.0; 6];
        stumpff(0.0, &mut c);
        assert_eq!(c, [1.0, 1.0, 0.5, 1.0 / 6.0, 1.0 / 24.0, 1.0 / 120.0]);
    }
}
