//! The horizon of minimum-energy laws: Akmehmet 3.3.

use super::description::{LawError, LawSite};
use super::law::ControlContext;
use super::matrix_update::{common_multiple, has_passed, ticks_kept};
use super::minimum_energy::towards_point;
use crate::Help;
use crate::integrate::StateVisitor;

/// After so many windows ticks and windows are looked for that come together.
const MOST_WINDOWS: u32 = 1000;

/// A longer horizon, in ticks, is refused.
const MOST_TICKS: f64 = 1e5;

/// The prediction horizon of a minimum-energy law, and its target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Horizon {
    /// The time to go at the start of each window (s): TTG.
    pub length: f64,
    /// The time between two sets of gains (s): TGAIN.
    pub gains: f64,
    /// Whether the time to go shrinks.
    pub kind: HorizonKind,
    /// What it aims at.
    pub target: HorizonTarget,
}

/// Whether the time to go shrinks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HorizonKind {
    /// Time is cut into windows, and the time to go is what is left of one, at least
    /// [`gains`](Horizon::gains). With as much time between gains as a window lasts it is policy i
    /// of 3.3, otherwise policy ii.
    Fixed,
    /// The time to go is always the whole length.
    Receding,
}

/// The target of a minimum-energy law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HorizonTarget {
    /// The desired state at the end of the time to go.
    End,
    /// The desired state now, carried on with its acceleration: (3.11).
    Present,
}

/// Why a horizon has no sense.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum HorizonError {
    /// Shorter than what it is renewed after.
    #[error("the horizon of {length} s is shorter than {period} s, after which {what}")]
    TooShort {
        /// The horizon (s).
        length: f64,
        /// The period (s).
        period: f64,
        /// What happens after the period.
        what: &'static str,
    },
    /// More ticks than anybody looks ahead.
    #[error("the horizon of {length} s has more than {MOST_TICKS:.0} ticks of {period} s")]
    TooLong {
        /// The horizon (s).
        length: f64,
        /// The sampling period (s).
        period: f64,
    },
    /// No time.
    #[error("{what} is {value} s")]
    NoTime {
        /// Which.
        what: &'static str,
        /// As given (s).
        value: f64,
    },
}

impl Help for HorizonError {
    fn help(&self) -> Option<String> {
        let help = match self {
            Self::TooShort { .. } => "give a longer horizon, or a shorter period",
            Self::TooLong { .. } => "give a shorter horizon, or a longer period",
            Self::NoTime { .. } => "it must be a positive time",
        };
        Some(help.into())
    }
}

/// Where to, and in which time.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Course {
    /// The time to go (s).
    pub(crate) left: f64,
    /// Place and rate of each joint at the end of it.
    pub(crate) target: Vec<[f64; 2]>,
    /// The desired acceleration of each joint at the end of it.
    pub(super) acceleration: Vec<f64>,
    /// When it was set (s).
    pub(super) set: Option<f64>,
}

impl Course {
    /// Visits the course of `n` joints.
    pub(crate) fn visit_state(&mut self, state: &mut StateVisitor<'_>, n: usize) {
        state.option(&mut self.set, || 0.0, StateVisitor::number);
        state.number(&mut self.left);
        if state.is_taking() || self.set.is_none() {
            self.acceleration.resize(n, 0.0);
            self.target.resize(n, [0.0; 2]);
        }
        state.numbers(&mut self.acceleration);
        state.numbers(self.target.as_flattened_mut());
    }
}

impl Horizon {
    /// Refuses horizons without sense, for a controller that ticks with a period (s).
    pub fn check(&self, period: f64) -> Result<(), HorizonError> {
        for (what, value) in [("the horizon", self.length), ("the time between gains", self.gains)]
        {
            if !(value.is_finite() && value > 0.0) {
                return Err(HorizonError::NoTime { what, value });
            }
        }
        let length = self.length;
        if length / period > MOST_TICKS {
            return Err(HorizonError::TooLong { length, period });
        }
        let slack = 1.0 + 1e-9;
        if length * slack < period {
            return Err(HorizonError::TooShort { length, period, what: "the controller ticks" });
        }
        if length * slack < self.gains {
            let period = self.gains;
            return Err(HorizonError::TooShort { length, period, what: "gains are renewed" });
        }
        Ok(())
    }

    /// What is left at a time (s).
    fn time_to_go(&self, t: f64) -> f64 {
        match self.kind {
            HorizonKind::Receding => self.length,
            HorizonKind::Fixed => {
                // an instant just before a window's end belongs to the next
                let windows = (t / self.length + 1e-6).floor();
                ((windows + 1.0) * self.length - t).max(self.gains)
            }
        }
    }

    /// The growth factor of errors from one window to the next, for a controller with a sampling
    /// period (s) and zero-order hold. Above 1 the joints leave their path even with an exact
    /// model, because minimum-energy forces are designed for continuous time.
    pub fn growth(&self, period: f64) -> f64 {
        const SETTLING: f64 = 10.0;
        const COUNTED: f64 = 20.0;
        let mut errors = [[1.0, 0.0], [0.0, self.length.recip()]];
        let (mut left, mut set, mut early, mut tick) = (self.length, f64::NEG_INFINITY, None, 0.0);
        loop {
            let t = tick * period;
            let size: f64 = errors.iter().map(|[x, v]| x.abs() + self.length * v.abs()).sum();
            if early.is_none() && t >= SETTLING * self.length {
                early = Some(size);
            }
            if t >= (SETTLING + COUNTED) * self.length || size == 0.0 || !size.is_finite() {
                let growth = (size / early.unwrap_or(1.0)).powf(COUNTED.recip());
                return if size == 0.0 { 0.0 } else { growth };
            }
            if has_passed(self.gains, set, t) {
                (left, set) = (self.time_to_go(t), t);
            }
            for [place, rate] in &mut errors {
                let pull = towards_point([*place, *rate], [0.0; 2], left);
                *place += period * (*rate + 0.5 * period * pull);
                *rate += period * pull;
            }
            tick += 1.0;
        }
    }

    /// After how many ticks of a period (s) it does the same again: when a window and the gains begin
    /// together, or for a receding one when gains are renewed.
    #[allow(clippy::cast_sign_loss, reason = "it is positive")]
    pub(crate) fn cycle(&self, period: f64) -> u64 {
        let gains = ticks_kept(self.gains, period);
        match self.kind {
            HorizonKind::Receding => gains,
            HorizonKind::Fixed => {
                let window = self.length / period;
                // windows that end between ticks come together with them after several
                let whole = (1..=MOST_WINDOWS).map(|count| f64::from(count) * window);
                let near = |ticks: &f64| (ticks - ticks.round()).abs() < 1e-6 * ticks;
                let ticks = whole.into_iter().find(near).unwrap_or(f64::INFINITY);
                common_multiple(ticks.round() as u64, gains)
            }
        }
    }

    /// Sets the course anew if gains are due; whether it did.
    pub(crate) fn renew(&self, course: &mut Course, now: &ControlContext<'_>) -> bool {
        if course.set.is_some_and(|set| !has_passed(self.gains, set, now.t)) {
            return false;
        }
        course.left = self.time_to_go(now.t);
        course.target.clear();
        course.acceleration.clear();
        for (k, signal) in now.trajectory.iter().enumerate() {
            let (place, rate, acceleration) = match self.target {
                HorizonTarget::End => {
                    let jet = signal.jet(now.t + course.left);
                    (jet.value, jet.rate, jet.acceleration)
                }
                HorizonTarget::Present => {
                    let (jet, t) = (now.reference[k], course.left);
                    let rate = jet.rate + jet.acceleration * t;
                    let place = jet.value + t * (jet.rate + 0.5 * jet.acceleration * t);
                    (place, rate, jet.acceleration)
                }
            };
            course.target.push([place, rate]);
            course.acceleration.push(acceleration);
        }
        course.set = Some(now.t);
        true
    }
}

/// A [`Horizon`] as it is described.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HorizonDescription {
    /// The time to go at the start of each window (s).
    pub length: f64,
    /// The time between two sets of gains (s); none for the sampling period.
    pub gains_period: Option<f64>,
    /// Whether the time to go shrinks.
    pub window: HorizonKind,
    /// What it aims at.
    pub aim: HorizonTarget,
}

impl HorizonDescription {
    /// In windows of a length (s), to where the reference is at their end, with gains at each tick.
    pub fn new(length: f64) -> Self {
        let (window, aim) = (HorizonKind::Fixed, HorizonTarget::End);
        Self { length, gains_period: None, window, aim }
    }

    /// The horizon of a law; what has no sense is refused.
    pub fn horizon(&self, site: &mut LawSite<'_>) -> Option<Horizon> {
        let period = site.needs_period("a horizon")?;
        let gains = self.gains_period.unwrap_or(period);
        let horizon = Horizon { length: self.length, gains, kind: self.window, target: self.aim };
        if let Err(error) = horizon.check(period) {
            site.refuse("horizon", error.into());
            return None;
        }
        let growth = horizon.growth(period);
        if growth > 1.0 + 1e-6 {
            let steady = (1..=100).map(|ticks| f64::from(ticks) * period).find(|&length| {
                length > horizon.length && Horizon { length, ..horizon }.growth(period) < 1.0
            });
            site.warn("horizon", LawError::Growth { growth, steady });
        }
        Some(horizon)
    }
}
