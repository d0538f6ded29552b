//! Numbers with two derivatives by one variable, mostly time.

use super::Scalar;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// What expressions compute with.
pub trait Number:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// A number that does not change.
    fn constant(value: f64) -> Self;

    /// The number itself, without its derivatives.
    fn value(self) -> f64;

    /// `f(self)`, from a function that gives `f`, `f'` and `f''` at a value.
    #[must_use]
    fn apply(self, function: impl Fn(f64) -> [f64; 3]) -> Self;
}

impl Number for f64 {
    fn constant(value: f64) -> Self {
        value
    }

    fn value(self) -> f64 {
        self
    }

    fn apply(self, function: impl Fn(f64) -> [f64; 3]) -> Self {
        function(self)[0]
    }
}

/// A quantity with its first and second derivative by time, or by what stands in its place.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Jet {
    /// The quantity.
    pub value: f64,
    /// Its rate (1/s).
    pub rate: f64,
    /// The rate of its rate (1/s²).
    pub acceleration: f64,
}

impl Jet {
    /// Time itself.
    pub const fn time(t: f64) -> Self {
        Self { value: t, rate: 1.0, acceleration: 0.0 }
    }
}

impl Number for Jet {
    fn constant(value: f64) -> Self {
        Self { value, ..Self::default() }
    }

    fn value(self) -> f64 {
        self.value
    }

    /// `(f x)˙ = f' ẋ`, `(f x)¨ = f'' ẋ² + f' ẍ`.
    fn apply(self, function: impl Fn(f64) -> [f64; 3]) -> Self {
        let [value, first, second] = function(self.value);
        Self {
            value,
            rate: product(first, self.rate),
            acceleration: product(second, self.rate * self.rate)
                + product(first, self.acceleration),
        }
    }
}

/// `slope · rate`, zero for a constant even where the slope is infinite.
fn product(slope: f64, rate: f64) -> f64 {
    if rate == 0.0 { 0.0 } else { slope * rate }
}

impl Add for Jet {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self {
            value: self.value + other.value,
            rate: self.rate + other.rate,
            acceleration: self.acceleration + other.acceleration,
        }
    }
}

impl Neg for Jet {
    type Output = Self;

    fn neg(self) -> Self {
        Self { value: -self.value, rate: -self.rate, acceleration: -self.acceleration }
    }
}

impl Sub for Jet {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Jet {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        Self {
            value: self.value * other.value,
            rate: self.rate * other.value + self.value * other.rate,
            acceleration: self.acceleration * other.value
                + 2.0 * self.rate * other.rate
                + self.value * other.acceleration,
        }
    }
}

impl Div for Jet {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let quotient = self.value / other.value;
        let rate = (self.rate - quotient * other.rate) / other.value;
        let acceleration =
            (self.acceleration - 2.0 * rate * other.rate - quotient * other.acceleration)
                / other.value;
        Self { value: quotient, rate, acceleration }
    }
}

/// Sine and its derivatives.
pub(crate) fn sine(x: f64) -> [f64; 3] {
    let (sin, cos) = Scalar::sin_cos(x);
    [sin, cos, -sin]
}

/// Cosine and its derivatives.
pub(crate) fn cosine(x: f64) -> [f64; 3] {
    let (sin, cos) = Scalar::sin_cos(x);
    [cos, -sin, -cos]
}
