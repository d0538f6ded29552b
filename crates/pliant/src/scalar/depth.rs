//! A number that knows how long it took to make.

use super::Scalar;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// How many operations had to follow one another until a number was there: the longest chain of
/// them, each of which needed the one before. Where all that is ready is done at once, by as many
/// processors as that takes, this is the time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Chains {
    /// The longest chain of any operations but changes of sign, a function counting as one.
    pub operations: u64,
    /// The most products in a chain.
    pub multiplications: u64,
    /// The most sums and differences in a chain.
    pub additions: u64,
}

impl Chains {
    /// The longer one of each kind.
    #[must_use]
    pub fn longest(self, other: Self) -> Self {
        Self {
            operations: self.operations.max(other.operations),
            multiplications: self.multiplications.max(other.multiplications),
            additions: self.additions.max(other.additions),
        }
    }

    fn function(self) -> Self {
        Self { operations: self.operations + 1, ..self }
    }

    fn product(self) -> Self {
        Self { multiplications: self.multiplications + 1, ..self.function() }
    }

    fn sum(self) -> Self {
        Self { additions: self.additions + 1, ..self.function() }
    }
}

/// An `f64` with the operations that had to follow one another to make it. Constants took none, nor
/// did what an algorithm is given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timed {
    /// The number.
    pub value: f64,
    /// What it took.
    pub after: Chains,
}

impl Timed {
    /// A number that is given.
    pub const fn given(value: f64) -> Self {
        let after = Chains { operations: 0, multiplications: 0, additions: 0 };
        Self { value, after }
    }
}

impl Add for Timed {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let after = self.after.longest(other.after).sum();
        Self { value: self.value + other.value, after }
    }
}

impl Sub for Timed {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        let after = self.after.longest(other.after).sum();
        Self { value: self.value - other.value, after }
    }
}

impl Mul for Timed {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let after = self.after.longest(other.after).product();
        Self { value: self.value * other.value, after }
    }
}

impl Neg for Timed {
    type Output = Self;
    fn neg(self) -> Self {
        Self { value: -self.value, ..self }
    }
}

impl AddAssign for Timed {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Timed {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Scalar for Timed {
    const ZERO: Self = Self::given(0.0);
    const ONE: Self = Self::given(1.0);

    fn from_f64(constant: f64) -> Self {
        Self::given(constant)
    }
    fn sin_cos(self) -> (Self, Self) {
        let after = self.after.function();
        let (sine, cosine) = Scalar::sin_cos(self.value);
        (Self { value: sine, after }, Self { value: cosine, after })
    }
    fn sqrt(self) -> Self {
        Self { value: self.value.sqrt(), after: self.after.function() }
    }
    fn recip(self) -> Self {
        Self { value: Scalar::recip(self.value), after: self.after.function() }
    }
    fn stumpff(self, out: &mut [Self]) {
        let mut values = [0.0; super::STUMPFF_MAX];
        let values = &mut values[..out.len()];
        self.value.stumpff(values);
        for (out, &value) in out.iter_mut().zip(values.iter()) {
            *out = Self { value, after: self.after.function() };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of eight numbers in turn, and in pairs of pairs: King's Figure 5.1.
    #[test]
    fn a_sum_takes_as_long_as_its_longest_chain() {
        let numbers: Vec<Timed> = (0..8).map(|k| Timed::given(f64::from(k))).collect();
        let in_turn = numbers[1..].iter().fold(numbers[0], |sum, &x| sum + x);
        let mut pairs = numbers;
        while pairs.len() > 1 {
            pairs = pairs.chunks(2).map(|pair| pair[0] + pair[1]).collect();
        }
        assert_eq!((in_turn.value, pairs[0].value), (28.0, 28.0));
        assert_eq!((in_turn.after.additions, pairs[0].after.additions), (7, 3));
    }

    #[test]
    fn products_sums_and_functions_are_told_apart() {
        let [x, y] = [0.3, 0.7].map(Timed::given);
        let sum = x * y + -(x * x * x);
        let all = Chains { operations: 3, multiplications: 2, additions: 1 };
        assert_eq!(sum.after, all);
        let (sine, _) = sum.sin_cos();
        let mut out = [Timed::ZERO; 3];
        (sine * y.recip()).sqrt().stumpff(&mut out);
        // sine, product, root, and the last function
        let all = Chains { operations: 7, multiplications: 3, additions: 1 };
        assert_eq!(out[2].after, all);
        let mut own = [0.0; 3];
        ((0.3_f64 * 0.7 - 0.3 * 0.3 * 0.3).sin() / 0.7).sqrt().stumpff(&mut own);
        assert!((out[2].value - own[2]).abs() < 1e-15);
    }
}
