//! Integrals, such as elliptic ones of closed forms.

use crate::shapes::Text;
use crate::table::table;
use std::f64::consts::FRAC_PI_2;

table! {
    /// An integral, such as an elliptic one of a closed form. For smooth integrands it is right to 1e-12
    /// of the integral of their size, or there is no number; a peak that is narrower than a hundredth of
    /// the way may be passed over.
    pub(crate) struct Integral = "integral",
        "write kind = \"integral\", integrand = \"1 / sqrt(1 - (m * sin(s))^2)\", upper = \"pi / 2\"";
    keys {
        /// What is integrated, as an expression of s, of the ids of columns before it, of quantities and
        /// of the variables.
        integrand: Text [required],
        /// From where s goes, as an expression of the same but s.
        lower: Text [= "0".to_owned()],
        /// How far.
        upper: Text [= "1".to_owned()],
    }
}

/// How well an integral is known, as a part of that of the size of its integrand.
const ACCURACY: f64 = 1e-12;
/// How often the distance of places is halved at least,
const LEAST_HALVINGS: u32 = 5;
/// and at most.
const HALVINGS: u32 = 10;
/// Beyond that places are next to the ends, and their weights nothing.
const FARTHEST: f64 = 3.8;

/// The integral of a function between two places, by trapezia in `t` where
/// `x = middle + half tanh(π/2 sinh t)` (Takahasi and Mori, 1974), halved until two of them agree; else
/// why it is not known. The function need not have a value at the ends.
pub(super) fn integral(of: impl Fn(f64) -> f64, from: f64, to: f64) -> Result<f64, String> {
    let half = 0.5 * to - 0.5 * from;
    if !half.is_finite() {
        return Err(format!("the integral goes from {from} to {to}"));
    }
    if half == 0.0 {
        return Ok(0.0);
    }
    let middle = from + half;
    let is_inside = |x: f64| (x - from) * half > 0.0 && (to - x) * half > 0.0;
    let value = |x: f64| {
        let value = of(x);
        if value.is_finite() {
            Ok(value)
        } else {
            Err(format!("the integrand has no value at {x}"))
        }
    };
    // what a place at t contributes, that at -t as well, and the sizes of both; and what may lie beyond
    // the last ones
    let mut beyond = [(0.0, 0.0); 2];
    let mut pair = |t: f64| -> Result<[f64; 2], String> {
        let turn = FRAC_PI_2 * t.sinh();
        let weight = FRAC_PI_2 * t.cosh() / turn.cosh().powi(2);
        let distance = half * 2.0 / (1.0 + (2.0 * turn).exp());
        let mut both = [0.0; 2];
        for (x, beyond) in [from + distance, to - distance].into_iter().zip(&mut beyond) {
            if is_inside(x) {
                let value = value(x)?;
                both[0] += weight * value;
                both[1] += weight * value.abs();
                if t > beyond.0 {
                    *beyond = (t, (value * distance).abs());
                }
            }
        }
        Ok(both)
    };
    let centre = FRAC_PI_2 * value(middle)?;
    let (mut sum, mut size) = (centre, centre.abs());
    let (mut step, mut before) = (1.0, f64::NAN);
    for halvings in 0..=HALVINGS {
        // the places that are new
        let (first, apart) = if halvings == 0 { (step, step) } else { (step, 2.0 * step) };
        let mut t = first;
        while t < FARTHEST {
            let [value, absolute] = pair(t)?;
            sum += value;
            size += absolute;
            t += apart;
        }
        let (now, allowed) = (sum * step, ACCURACY * size * step);
        // of nothing but zeros it is not known whether there is more between them
        let is_seen = size > 0.0 || halvings == HALVINGS;
        if halvings >= LEAST_HALVINGS && is_seen && (now - before).abs() <= allowed {
            let left = beyond.iter().map(|(_, left)| left / half.abs()).sum::<f64>();
            return if left <= allowed {
                Ok(half * now)
            } else {
                Err(format!("the integrand grows too fast next to {from} or {to}"))
            };
        }
        before = now;
        step *= 0.5;
    }
    Err(format!(
        "the integral from {from} to {to} does not settle: its integrand has a kink or a pole"
    ))
}

#[cfg(test)]
mod tests {
    use super::integral;
    use std::f64::consts::{FRAC_PI_2, PI};

    /// Complete elliptic integrals of both kinds by the arithmetic-geometric mean (Abramowitz and
    /// Stegun, 17.6).
    fn by_means(modulus: f64) -> [f64; 2] {
        let (mut a, mut b, mut c) = (1.0, (1.0 - modulus * modulus).sqrt(), modulus);
        let (mut sum, mut power) = (0.5 * c * c, 1.0);
        while c.abs() > 1e-17 {
            (a, b, c) = (0.5 * (a + b), (a * b).sqrt(), 0.5 * (a - b));
            sum += power * c * c;
            power *= 2.0;
        }
        let first = FRAC_PI_2 / a;
        [first, first * (1.0 - sum)]
    }

    #[test]
    fn elliptic_integrals_are_those_of_the_means() {
        for modulus in [0.0, 0.1, 0.5, 0.9, 0.99, 0.9999] {
            let root = |s: f64| (1.0 - (modulus * s.sin()).powi(2)).sqrt();
            let ours = [
                integral(|s| 1.0 / root(s), 0.0, FRAC_PI_2).expect("the first kind"),
                integral(root, 0.0, FRAC_PI_2).expect("the second kind"),
            ];
            for (ours, expected) in ours.into_iter().zip(by_means(modulus)) {
                assert!((ours / expected - 1.0).abs() < 1e-12, "{modulus}: {ours} {expected}");
            }
        }
    }

    #[test]
    fn integrals_have_their_closed_forms() {
        for (ours, expected) in [
            (integral(|x| x.powi(7), -1.0, 2.0), 255.0 / 8.0),
            (integral(f64::exp, 3.0, -2.0), (-2.0_f64).exp() - 3.0_f64.exp()),
            (integral(|x| 1.0 / (1.0 + x * x), 0.0, 1.0), PI / 4.0),
            // without a value at an end
            (integral(|x| 1.0 / x.sqrt(), 0.0, 4.0), 4.0),
            (integral(|x| (1.0 - x).powf(-0.2), 0.0, 1.0), 1.25),
            (integral(f64::ln, 0.0, 1.0), -1.0),
            (integral(|x| (1.0 - x).ln(), 0.0, 1.0), -1.0),
            // halves that cancel
            (integral(|x| (50.0 * x).sin(), -1.0, 1.0), 0.0),
            (integral(|x| (50.0 * x).sin(), 0.0, 1.0), (1.0 - 50.0_f64.cos()) / 50.0),
            (integral(|_| 1e300, 0.0, 1e8), 1e308),
            (integral(|_| 0.0, 0.0, 1.0), 0.0),
            (integral(|x| x, 2.0, 2.0), 0.0),
        ] {
            let ours = ours.expect("an integral");
            assert!((ours - expected).abs() < 1e-12 * expected.abs().max(1.0), "{ours} {expected}");
        }
    }

    #[test]
    fn no_integral_is_made_up() {
        let told = |of: fn(f64) -> f64, from, to| integral(of, from, to).expect_err("no integral");
        assert!(told(|x| 1.0 / x, 0.0, 1.0).contains("does not settle"));
        let peak = |x: f64| (-((x - 0.3) * 1e4).powi(2)).exp();
        assert!(told(peak, 0.0, 1.0).contains("does not settle"));
        let wide = integral(|x| (-((x - 0.3) * 100.0).powi(2)).exp(), 0.0, 1.0);
        assert!((wide.expect("it is seen") - 0.01 * PI.sqrt()).abs() < 1e-13);
        // what grows next to an end is seen by its last places, or by those that a halving adds
        for of in [|x: f64| x.powf(-0.7), |x: f64| (1.0 - x).powf(-0.3)] {
            let why = told(of, 0.0, 1.0);
            assert!(["too fast", "does not settle"].iter().any(|one| why.contains(one)), "{why}");
        }
        assert!(told(|x| 1.0 / (x - 0.5), 0.0, 1.0).contains("no value at 0.5"));
        assert!(told(|x| (x - 0.4).sqrt(), 0.0, 1.0).contains("no value"));
        assert!(told(|x| 1.0 / (x - 0.3), 0.0, 1.0).contains("does not settle"));
        for (from, to) in [(f64::NAN, 1.0), (0.0, f64::INFINITY), (f64::MIN, f64::MAX)] {
            assert!(!told(|_| f64::MAX, from, to).is_empty());
        }
    }
}
