//! The range of an expression and of its first two derivatives within a stretch of time, by interval
//! arithmetic: nothing that it does there lies outside, however short it lasts.

use super::expression::{DEPTH, Expression, Function, Op};
use std::f64::consts::{FRAC_PI_2, TAU};
use std::ops::{Add, Mul, Neg, Sub};

/// All numbers from one to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Range {
    low: f64,
    high: f64,
}

impl Range {
    const ZERO: Self = Self::of(0.0);
    const ANY: Self = Self { low: f64::NEG_INFINITY, high: f64::INFINITY };

    const fn of(value: f64) -> Self {
        Self { low: value, high: value }
    }

    /// What is no number may be any.
    fn new(low: f64, high: f64) -> Self {
        if low <= high { Self { low, high } } else { Self::ANY }
    }

    /// The largest absolute value.
    pub(super) fn size(self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    fn holds(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    fn joined(self, other: Self) -> Self {
        Self::new(self.low.min(other.low), self.high.max(other.high))
    }

    /// The range of a function that ascends, or descends.
    fn map(self, function: impl Fn(f64) -> f64) -> Self {
        let (a, b) = (function(self.low), function(self.high));
        if a <= b { Self::new(a, b) } else { Self::new(b, a) }
    }

    fn inverse(self) -> Self {
        if self.holds(0.0) { Self::ANY } else { self.map(|x| 1.0 / x) }
    }

    fn sine(self) -> Self {
        // whether a turn has one of these angles in it
        let passes =
            |angle: f64| ((self.high - angle) / TAU).floor() >= ((self.low - angle) / TAU).ceil();
        let ends = Self::of(self.low.sin()).joined(Self::of(self.high.sin()));
        if !(self.high - self.low).is_finite() {
            return Self::new(-1.0, 1.0);
        }
        let low = if passes(-FRAC_PI_2) { -1.0 } else { ends.low };
        let high = if passes(FRAC_PI_2) { 1.0 } else { ends.high };
        Self::new(low, high)
    }

    fn cosine(self) -> Self {
        (self + Self::of(FRAC_PI_2)).sine()
    }

    /// A power by a constant exponent.
    fn power(self, exponent: f64) -> Self {
        if exponent == 0.0 {
            return Self::of(1.0);
        }
        if exponent < 0.0 {
            return self.power(-exponent).inverse();
        }
        if exponent.fract() != 0.0 {
            return if self.low < 0.0 { Self::ANY } else { self.map(|x| x.powf(exponent)) };
        }
        let ends = self.map(|x| x.powf(exponent));
        let is_even = exponent % 2.0 == 0.0;
        if is_even && self.holds(0.0) { Self::new(0.0, ends.high) } else { ends }
    }
}

impl Add for Range {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(self.low + other.low, self.high + other.high)
    }
}

impl Neg for Range {
    type Output = Self;

    fn neg(self) -> Self {
        Self { low: -self.high, high: -self.low }
    }
}

impl Sub for Range {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Range {
    type Output = Self;

    /// Zero times anything is zero.
    fn mul(self, other: Self) -> Self {
        let product = |a: f64, b: f64| if a == 0.0 || b == 0.0 { 0.0 } else { a * b };
        let (a, b) = (product(self.low, other.low), product(self.low, other.high));
        let (c, d) = (product(self.high, other.low), product(self.high, other.high));
        Self::new(a.min(b).min(c.min(d)), a.max(b).max(c.max(d)))
    }
}

/// The ranges of a quantity, its rate and its acceleration.
#[derive(Clone, Copy, Debug)]
pub(super) struct JetRange {
    value: Range,
    rate: Range,
    pub(super) acceleration: Range,
}

impl JetRange {
    const fn constant(value: f64) -> Self {
        Self { value: Range::of(value), rate: Range::ZERO, acceleration: Range::ZERO }
    }

    fn time(start: f64, end: f64) -> Self {
        Self { value: Range::new(start, end), rate: Range::of(1.0), acceleration: Range::ZERO }
    }

    /// A value that may jump.
    const fn jumping(value: Range) -> Self {
        Self { value, rate: Range::ANY, acceleration: Range::ANY }
    }

    /// `f(x)`, from the ranges of `f`, `f'` and `f''`.
    fn apply(self, [value, first, second]: [Range; 3]) -> Self {
        Self {
            value,
            rate: first * self.rate,
            acceleration: second * self.rate.power(2.0) + first * self.acceleration,
        }
    }

    fn add(self, other: Self) -> Self {
        Self {
            value: self.value + other.value,
            rate: self.rate + other.rate,
            acceleration: self.acceleration + other.acceleration,
        }
    }

    fn negated(self) -> Self {
        Self { value: -self.value, rate: -self.rate, acceleration: -self.acceleration }
    }

    fn times(self, other: Self) -> Self {
        Self {
            value: self.value * other.value,
            rate: self.rate * other.value + self.value * other.rate,
            acceleration: self.acceleration * other.value
                + Range::of(2.0) * self.rate * other.rate
                + self.value * other.acceleration,
        }
    }

    fn power(self, exponent: f64) -> Self {
        let n = exponent;
        let slope = |n: f64, times: f64| match times {
            0.0 => Range::ZERO,
            _ => Range::of(times) * self.value.power(n),
        };
        self.apply([self.value.power(n), slope(n - 1.0, n), slope(n - 2.0, n * (n - 1.0))])
    }

    /// `f(self)`; `second` is the second argument, if there is one.
    fn call(self, function: Function, second: Self) -> Self {
        let x = self.value;
        let one = Range::of(1.0);
        match function {
            Function::Sin => self.apply([x.sine(), x.cosine(), -x.sine()]),
            Function::Cos => self.apply([x.cosine(), -x.sine(), -x.cosine()]),
            Function::Tan if x.cosine().holds(0.0) => Self::jumping(Range::ANY),
            Function::Tan => {
                let tangent = x.map(f64::tan);
                let slope = one + tangent.power(2.0);
                self.apply([tangent, slope, Range::of(2.0) * tangent * slope])
            }
            Function::Exp => self.apply([x.map(f64::exp); 3]),
            Function::Log if x.low <= 0.0 => Self::jumping(Range::ANY),
            Function::Log => self.apply([x.map(f64::ln), x.inverse(), -x.power(-2.0)]),
            Function::Sqrt => self.power(0.5),
            Function::Abs if x.low > 0.0 => self,
            Function::Abs if x.high < 0.0 => self.negated(),
            Function::Abs => {
                let value = Range::new(0.0, x.size());
                self.apply([value, Range::new(-1.0, 1.0), Range::ANY])
            }
            Function::Sign | Function::Step => {
                let value = |x: f64| match function {
                    Function::Step => f64::from(x >= 0.0),
                    _ if x == 0.0 => 0.0,
                    _ => x.signum(),
                };
                let value = x.map(value);
                if value.low == value.high {
                    Self::constant(value.low)
                } else {
                    Self::jumping(value)
                }
            }
            Function::Tanh => {
                let y = x.map(f64::tanh);
                let ends = x.map(|x| x.cosh().powi(-2));
                let slope = if x.holds(0.0) { ends.joined(one) } else { ends };
                self.apply([y, slope, Range::of(-2.0) * y * slope])
            }
            Function::Min => self.negated().larger(second.negated()).negated(),
            Function::Max => self.larger(second),
            Function::Atan2 => self.angle(second),
        }
    }

    fn larger(self, other: Self) -> Self {
        if self.value.low > other.value.high {
            return self;
        }
        if other.value.low > self.value.high {
            return other;
        }
        let (a, b) = (self.value, other.value);
        // a corner, unless both keep their distance
        let corner = Range::ANY * (self.rate - other.rate).power(2.0);
        Self {
            value: Range::new(a.low.max(b.low), a.high.max(b.high)),
            rate: self.rate.joined(other.rate),
            acceleration: self.acceleration.joined(other.acceleration) + corner,
        }
    }

    /// The angle of the point with the abscissa `along` and this ordinate.
    fn angle(self, along: Self) -> Self {
        let arc = |ratio: Self| {
            let x = ratio.value;
            let slope = (Range::of(1.0) + x.power(2.0)).inverse();
            let second = Range::of(-2.0) * x * slope.power(2.0);
            ratio.apply([x.map(f64::atan), slope, second])
        };
        if along.value.low > 0.0 {
            return arc(self.times(along.power(-1.0)));
        }
        if self.value.holds(0.0) {
            return Self::jumping(Range::new(-TAU, TAU));
        }
        let quarter = Self::constant(FRAC_PI_2.copysign(self.value.low));
        quarter.add(arc(along.times(self.power(-1.0))).negated())
    }
}

impl Expression {
    /// What an expression of time and its derivatives can be from one time to another (s).
    pub(super) fn range(&self, start: f64, end: f64) -> JetRange {
        let mut stack = [JetRange::constant(0.0); DEPTH];
        let mut top = 0;
        for (at, op) in self.program.iter().enumerate() {
            match *op {
                Op::Constant(value) => stack[top] = JetRange::constant(value),
                Op::Variable(_) => stack[top] = JetRange::time(start, end),
                Op::Negate => stack[top - 1] = stack[top - 1].negated(),
                Op::Add => stack[top - 2] = stack[top - 2].add(stack[top - 1]),
                Op::Subtract => stack[top - 2] = stack[top - 2].add(stack[top - 1].negated()),
                Op::Multiply => stack[top - 2] = stack[top - 2].times(stack[top - 1]),
                Op::Divide => stack[top - 2] = stack[top - 2].times(stack[top - 1].power(-1.0)),
                Op::Power => {
                    let (base, exponent) = (stack[top - 2], stack[top - 1]);
                    stack[top - 2] = if self.is_constant_before(at) {
                        base.power(exponent.value.low)
                    } else {
                        let logarithm = base.call(Function::Log, base);
                        exponent.times(logarithm).call(Function::Exp, base)
                    };
                }
                Op::Call(function) => {
                    let first = top - function.arguments();
                    stack[first] = stack[first].call(function, stack[top - 1]);
                }
            }
            top = top.saturating_add_signed(op.growth());
        }
        stack[0]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::Jet;

    /// Everything that expressions do at many times lies within their ranges, and short stretches
    /// have narrow ones.
    #[test]
    fn ranges_hold_what_happens_within() {
        for text in [
            "3 * t - t^3 + 2 / (t + 1)",
            "sin(7 * t) * cos(3 - t) - tan(t / 3)",
            "exp(-((t - 1) / 0.01)^2)",
            "log(t + 0.5) * sqrt(t + 0.1) + t^1.5",
            "tanh((t - 1) * 20) + abs(sin(5 * t))^3",
            "max(0, 1 - ((t - 1) / 0.2)^2)^3 - min(t, 2 - t)",
            "atan2(sin(4 * t), cos(4 * t)) + atan2(t - 1, -1)",
            "sign(t - 1) + step(t - 0.7) * (t - 0.7)^2",
            "(t + 1)^(sin(t)) + (t - 1)^-2",
        ] {
            let expression = Expression::of_time(text).expect("an expression");
            let mut finite = 0;
            for i in 0..400 {
                let start = (f64::from(i) * 0.618_033_988_75).fract() * 2.0;
                let end = start + 10f64.powf((f64::from(i) * 0.414_213_562_37).fract() * -6.0);
                let range = expression.range(start, end);
                for k in 0..=8 {
                    let t = (start + (end - start) * f64::from(k) / 8.0).min(end);
                    let jet = expression.evaluate(&[Jet::time(t)]);
                    for (range, value) in [
                        (range.value, jet.value),
                        (range.rate, jet.rate),
                        (range.acceleration, jet.acceleration),
                    ] {
                        let slack = 1e-9 * (1.0 + value.abs());
                        let is_within = range.low - slack <= value && value <= range.high + slack;
                        assert!(is_within || value.is_nan(), "{text} at {t}: {value}, {range:?}");
                    }
                }
                finite += usize::from(range.acceleration.size() < f64::INFINITY);
            }
            assert!(finite > 200, "{text}: {finite}");
        }
    }
}
