//! Time scalings of a segment.

use super::error::PathError;
use crate::scalar::Jet;
use std::f64::consts::PI;

/// How near to a jump, in parts of the stretch, an instant is at it.
const JUMP: f64 = 1e-12;

/// The time scaling of a segment from rest to rest: `s` from 0 to 1 over the duration `T` (s).
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TimeScaling {
    /// A parabola of speed, `s = 3x² − 2x³` with `x = t/T`: Akmehmet's HTASK1. The acceleration
    /// jumps at both ends.
    ParabolicSpeed,
    /// A trapezoid of speed with the time (s) of speeding up and of slowing down: HTASK2. The
    /// figure that shows it is lost; this is the usual reading.
    Trapezoid(f64),
    /// The same with half sines of acceleration, which then does not jump: HTASK3, as read.
    Pulses(f64),
    /// `s = 10x³ − 15x⁴ + 6x⁵`: the least square of jerk between two rests.
    MinimumJerk,
}

impl TimeScaling {
    /// `s`, its rate (1/s) and acceleration (1/s²) at a time within the segment; where the
    /// acceleration jumps, its right-hand limit.
    pub fn at(self, t: f64, duration: f64) -> Jet {
        self.beside(t, duration, false)
    }

    /// The same just before an instant, or just behind it.
    pub(super) fn beside(self, t: f64, duration: f64, is_before: bool) -> Jet {
        let x = t / duration;
        let (first, second) = (duration.recip(), (duration * duration).recip());
        match self {
            Self::ParabolicSpeed => Jet {
                value: x * x * (3.0 - 2.0 * x),
                rate: 6.0 * x * (1.0 - x) * first,
                acceleration: (6.0 - 12.0 * x) * second,
            },
            Self::MinimumJerk => Jet {
                value: x * x * x * (10.0 + x * (6.0 * x - 15.0)),
                rate: 30.0 * x * x * (1.0 + x * (x - 2.0)) * first,
                acceleration: 60.0 * x * (1.0 + x * (2.0 * x - 3.0)) * second,
            },
            Self::Trapezoid(ramp) | Self::Pulses(ramp) => {
                let speed = (duration - ramp).recip();
                // instants are sums and differences: a jump is there and not a rounding error away
                let slack = JUMP * duration;
                let side = if is_before { t - slack } else { t + slack };
                if side > duration - ramp {
                    let back = self.speed_up(duration - t, ramp, speed);
                    return Jet {
                        value: 1.0 - back.value,
                        rate: back.rate,
                        acceleration: -back.acceleration,
                    };
                }
                if side < ramp {
                    return self.speed_up(t, ramp, speed);
                }
                Jet { value: speed * (t - 0.5 * ramp), rate: speed, acceleration: 0.0 }
            }
        }
    }

    /// From rest to a speed.
    fn speed_up(self, t: f64, ramp: f64, speed: f64) -> Jet {
        if let Self::Trapezoid(_) = self {
            let acceleration = speed / ramp;
            return Jet { value: 0.5 * acceleration * t * t, rate: acceleration * t, acceleration };
        }
        let turn = PI / ramp;
        let (sin, cos) = crate::scalar::Scalar::sin_cos(turn * t);
        Jet {
            value: 0.5 * speed * (t - sin / turn),
            rate: 0.5 * speed * (1.0 - cos),
            acceleration: 0.5 * speed * turn * sin,
        }
    }

    /// Refuses times of speeding up that do not fit.
    pub(super) fn check(self, duration: f64) -> Result<(), PathError> {
        match self {
            Self::Trapezoid(ramp) | Self::Pulses(ramp)
                if !(ramp > 0.0 && 2.0 * ramp <= duration) =>
            {
                Err(PathError::Ramp { ramp, duration })
            }
            _ => Ok(()),
        }
    }

    /// The instants of a stretch at which the acceleration jumps.
    pub(super) fn jumps(self, duration: f64) -> Vec<f64> {
        match self {
            Self::Trapezoid(ramp) | Self::Pulses(ramp) => vec![ramp, duration - ramp],
            Self::ParabolicSpeed | Self::MinimumJerk => Vec::new(),
        }
    }
}
