//! A number that counts what is done with it.

use super::Scalar;
use std::cell::Cell;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// How often each operation was executed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Products.
    pub multiplications: u64,
    /// Sums and differences.
    pub additions: u64,
    /// Changes of sign, free on most hardware.
    pub negations: u64,
    /// Sine and cosine of one angle together.
    pub sin_cos: u64,
    /// Square roots.
    pub sqrt: u64,
    /// Reciprocals.
    pub recip: u64,
    /// Calls of [`Scalar::stumpff`].
    pub stumpff: u64,
}

thread_local! {
    static COUNTS: Cell<Counts> = const { Cell::new(Counts {
        multiplications: 0, additions: 0, negations: 0, sin_cos: 0, sqrt: 0, recip: 0, stumpff: 0,
    }) };
}

/// An `f64` whose operations are counted per thread.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counted(pub f64);

/// Runs `work` and returns its result and the operations this thread executed in it.
pub fn count<T>(work: impl FnOnce() -> T) -> (T, Counts) {
    let before = COUNTS.replace(Counts::default());
    let result = work();
    (result, COUNTS.replace(before))
}

fn tally(add: impl FnOnce(&mut Counts)) {
    let mut counts = COUNTS.get();
    add(&mut counts);
    COUNTS.set(counts);
}

impl Add for Counted {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        tally(|c| c.additions += 1);
        Self(self.0 + other.0)
    }
}

impl Sub for Counted {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        tally(|c| c.additions += 1);
        Self(self.0 - other.0)
    }
}

impl Mul for Counted {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        tally(|c| c.multiplications += 1);
        Self(self.0 * other.0)
    }
}

impl Neg for Counted {
    type Output = Self;
    fn neg(self) -> Self {
        tally(|c| c.negations += 1);
        Self(-self.0)
    }
}

impl AddAssign for Counted {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Counted {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Scalar for Counted {
    const ZERO: Self = Self(0.0);
    const ONE: Self = Self(1.0);

    fn from_f64(constant: f64) -> Self {
        Self(constant)
    }
    fn sin_cos(self) -> (Self, Self) {
        tally(|c| c.sin_cos += 1);
        let (s, c) = Scalar::sin_cos(self.0);
        (Self(s), Self(c))
    }
    fn sqrt(self) -> Self {
        tally(|c| c.sqrt += 1);
        Self(self.0.sqrt())
    }
    fn recip(self) -> Self {
        tally(|c| c.recip += 1);
        Self(Scalar::recip(self.0))
    }
    fn stumpff(self, out: &mut [Self]) {
        tally(|c| c.stumpff += 1);
        let mut values = [0.0; super::STUMPFF_MAX];
        let values = &mut values[..out.len()];
        self.0.stumpff(values);
        for (out, value) in out.iter_mut().zip(values) {
            *out = Self(*value);
        }
    }
}
