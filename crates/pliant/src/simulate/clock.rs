//! Sampling times on exact grids.

use crate::Help;

/// How large the fractions may be with which a period is written.
const LARGEST: u64 = 1 << 32;

/// Ticks at `offset + k · period`, as fractions of whole numbers.
///
/// Each tick is computed from its number and rounded once, so that nothing accumulates, and ticks of
/// two clocks that fall together are equal to the last bit.
///
/// ```
/// use pliant::simulate::Clock;
///
/// let (fast, slow) = (Clock::hertz(1000.0)?, Clock::hertz(300.0)?);
/// assert_eq!(fast.tick(10), slow.tick(3));
/// assert_eq!(Clock::every(0.1)?.tick(3), 0.3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    /// Of the first tick and of the period, over the common denominator.
    offset: u64,
    period: u64,
    denominator: u64,
}

/// The delay of a signal.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Delay {
    /// At once.
    #[default]
    None,
    /// So many periods of its own clock later.
    Ticks(u32),
    /// So many seconds later.
    Seconds(f64),
}

/// A clock that cannot tick.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ClockError {
    /// Not a positive number, or one too large or too small to count with.
    #[error("the {what} of {value} is out of range")]
    OutOfRange {
        /// Period, rate, offset or delay.
        what: &'static str,
        /// As given (s or Hz).
        value: f64,
    },
    /// Offset and period have no common fraction small enough.
    #[error("an offset of {offset} s does not fit a period of {period} s")]
    NoCommonFraction {
        /// The first tick (s).
        offset: f64,
        /// The period (s).
        period: f64,
    },
}

impl Help for ClockError {
    fn help(&self) -> Option<String> {
        Some(match self {
            Self::OutOfRange { .. } => "give a number from 1e-9 to 1e9".into(),
            Self::NoCommonFraction { .. } => "give both with fewer digits".into(),
        })
    }
}

impl Clock {
    /// A tick every so many seconds, from zero on.
    pub fn every(seconds: f64) -> Result<Self, ClockError> {
        let (period, denominator) = positive("period", seconds)?;
        Ok(Self { offset: 0, period, denominator })
    }

    /// So many ticks per second, from zero on.
    pub fn hertz(rate: f64) -> Result<Self, ClockError> {
        let (denominator, period) = positive("rate", rate)?;
        Ok(Self { offset: 0, period, denominator })
    }

    /// The same clock, so many seconds later.
    pub fn later(self, seconds: f64) -> Result<Self, ClockError> {
        if seconds == 0.0 {
            return Ok(self);
        }
        let (numerator, denominator) = positive("offset or delay", seconds)?;
        let common = self.denominator / gcd(self.denominator, denominator);
        let product = |a: u64, b: u64| a.checked_mul(b);
        let shifted = || {
            let denominator = product(common, denominator)?;
            let mine = denominator / self.denominator;
            Some(Self {
                offset: product(self.offset, mine)?.checked_add(product(numerator, common)?)?,
                period: product(self.period, mine)?,
                denominator,
            })
        };
        let period = self.period();
        shifted().ok_or(ClockError::NoCommonFraction { offset: seconds, period })
    }

    /// The same clock, later by a delay.
    pub fn delayed(self, delay: Delay) -> Result<Self, ClockError> {
        match delay {
            Delay::None => Ok(self),
            Delay::Seconds(seconds) => self.later(seconds),
            Delay::Ticks(count) => {
                let offset = self.period.checked_mul(u64::from(count));
                let offset = offset.and_then(|more| self.offset.checked_add(more));
                let error = ClockError::OutOfRange { what: "delay", value: f64::from(count) };
                Ok(Self { offset: offset.ok_or(error)?, ..self })
            }
        }
    }

    /// The clock from zero on with the shortest period that both repeat after; none where it cannot be
    /// counted.
    ///
    /// ```
    /// use pliant::simulate::Clock;
    ///
    /// let (fast, slow) = (Clock::hertz(1000.0)?, Clock::hertz(300.0)?);
    /// assert_eq!(fast.common(slow).map(|both| both.period()), Some(0.01));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn common(self, other: Self) -> Option<Self> {
        let mine = self.denominator / gcd(self.denominator, other.denominator);
        let denominator = mine.checked_mul(other.denominator)?;
        let [first, second] = [self, other].map(|clock| {
            let factor = denominator / clock.denominator;
            clock.period.checked_mul(factor)
        });
        let (first, second) = (first?, second?);
        let period = (first / gcd(first, second)).checked_mul(second)?;
        let shared = gcd(period, denominator);
        Some(Self { offset: 0, period: period / shared, denominator: denominator / shared })
    }

    /// The clock from zero on that ticks at every so manieth tick of this one; none where it cannot be
    /// counted.
    pub fn every_nth(self, count: u64) -> Option<Self> {
        let period = self.period.checked_mul(count.max(1))?;
        let shared = gcd(period, self.denominator);
        Some(Self { offset: 0, period: period / shared, denominator: self.denominator / shared })
    }

    /// The time of a tick, counted from 0 (s).
    pub fn tick(&self, count: u64) -> f64 {
        let ticks = u128::from(self.offset) + u128::from(count) * u128::from(self.period);
        ticks as f64 / self.denominator as f64
    }

    /// The time between ticks (s).
    pub fn period(&self) -> f64 {
        self.period as f64 / self.denominator as f64
    }
}

fn positive(what: &'static str, value: f64) -> Result<(u64, u64), ClockError> {
    if !(1e-9..=1e9).contains(&value) {
        return Err(ClockError::OutOfRange { what, value });
    }
    Ok(fraction(value))
}

/// The simplest fraction that rounds to a positive number, by its continued fraction. One with
/// numbers beyond [`LARGEST`] is cut short.
#[allow(clippy::cast_sign_loss, reason = "the number is positive")]
fn fraction(value: f64) -> (u64, u64) {
    let ((mut p0, mut q0), (mut p1, mut q1)) = ((0_u64, 1_u64), (1_u64, 0_u64));
    let mut rest = value;
    loop {
        let whole = rest.floor();
        let digit = whole as u64;
        let next = |a: u64, b: u64| digit.checked_mul(b)?.checked_add(a).filter(|&n| n <= LARGEST);
        let (Some(p), Some(q)) = (next(p0, p1), next(q0, q1)) else {
            return (p1, q1.max(1));
        };
        (p0, q0, p1, q1) = (p1, q1, p, q);
        if p as f64 / q as f64 == value || rest == whole {
            return (p, q);
        }
        rest = 1.0 / (rest - whole);
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
