//! Numbers at which an equation holds.

use crate::shapes::Text;
use crate::table::table;
use std::cmp::Ordering;

table! {
    /// A number at which an equation holds, such as a wave number of a closed form.
    pub(crate) struct Solution = "solution",
        "write kind = \"solution\", equation = \"x * tan(x) - ratio\", from = \"0\" and to = \"1.5\"";
    keys {
        /// What is zero there, as an expression of the unknown x, of the ids of columns before it, of
        /// quantities and of the variables. It changes its sign once between both ends.
        equation: Text [required],
        /// From where on it is looked for, as an expression of the same but x.
        from: Text [required],
        /// How far.
        to: Text [required],
        /// Of what the equation knows the integral, by the name integral: an expression of s and of the
        /// same as the equation.
        integrand: Text [or "none"],
        /// From where s goes, as an expression of the same as the equation.
        lower: Text [= "0".to_owned()],
        /// How far.
        upper: Text [= "1".to_owned()],
    }
}

/// What is left of an equation next to its solution is no more than this part of what it is at the ends.
const JUMP: f64 = 1e-6;

/// Where a function changes its sign between two places, to the last digit; else why it is not known.
pub(super) fn zero(of: impl Fn(f64) -> f64, from: f64, to: f64) -> Result<f64, String> {
    let (at_from, at_to) = (of(from), of(to));
    for (at, value) in [(from, at_from), (to, at_to)] {
        if value == 0.0 && !at_from.is_nan() && !at_to.is_nan() {
            return Ok(at);
        }
    }
    // nor does one without a value
    if (at_from * at_to.signum()).partial_cmp(&0.0) != Some(Ordering::Less) {
        return Err(format!(
            "the equation does not change its sign: it is {at_from:e} at {from} and {at_to:e} at {to}"
        ));
    }
    let (mut near, mut far) = (from, to);
    loop {
        let middle = 0.5 * near + 0.5 * far;
        if middle == near || middle == far {
            break;
        }
        let value = of(middle);
        if value.is_nan() {
            return Err(format!("the equation has no value at {middle}"));
        }
        if value * at_from.signum() > 0.0 {
            near = middle;
        } else {
            far = middle;
        }
    }
    let [left, right] = [near, far].map(|x| of(x).abs());
    let (size, least) = (at_from.abs().max(at_to.abs()), left.min(right));
    if least > size {
        return Err(format!("the equation has a pole at {near}, and no solution"));
    }
    // the last digit of a place is nothing to what changes without a jump, however steeply
    if least > JUMP * size {
        return Err(format!("the equation jumps at {far} past zero, and has no solution"));
    }
    Ok(if left < right { near } else { far })
}

#[cfg(test)]
mod tests {
    use super::zero;

    #[test]
    fn signs_change_at_solutions() {
        let found = zero(|x| x * x - 2.0, 1.0, 2.0).expect("a root");
        assert!((found - std::f64::consts::SQRT_2).abs() < 1e-15, "{found}");
        let down = zero(|x| 2.0 - x * x, 2.0, 1.0).expect("a root");
        assert!((down - std::f64::consts::SQRT_2).abs() < 1e-15, "{down}");
        assert_eq!([zero(|x| x, 0.0, 1.0), zero(|x| x - 1.0, 0.0, 1.0)], [Ok(0.0), Ok(1.0)]);
        assert_eq!([zero(|x| -x, 0.0, 1.0), zero(|x| 1.0 - x, 0.0, 1.0)], [Ok(0.0), Ok(1.0)]);
    }

    #[test]
    fn no_number_is_made_up() {
        let told = |of: fn(f64) -> f64, from, to| zero(of, from, to).expect_err("no root");
        assert!(told(|x| x * x + 1.0, 0.0, 1.0).contains("does not change its sign"));
        assert!(told(|x| 1.0 / (x - 1.0), 0.0, 3.0).contains("pole"));
        let step = |x: f64| if x < 0.3 { -0.5 } else { 0.5 };
        assert!(told(step, 0.0, 1.0).contains("jumps at 0.3"));
        let steep = zero(|x| (1e5 * (x - 0.3)).tanh(), 0.0, 1.0).expect("a root");
        assert!((steep - 0.3).abs() < 1e-12, "{steep}");
        for (from, to) in [(f64::NAN, 1.0), (0.0, f64::NAN), (0.5, 0.5)] {
            assert!(told(|x| x - 1.0, from, to).contains("sign"));
        }
        let gap = |x: f64| if (0.4..0.6).contains(&x) { f64::NAN } else { x - 0.5 };
        assert!(told(gap, 0.0, 1.0).contains("no value"));
        let far = zero(|x| x - 1.0, f64::MIN, f64::MAX).expect("a root of a wide range");
        assert!((far - 1.0).abs() < 1e-15, "{far}");
    }
}
