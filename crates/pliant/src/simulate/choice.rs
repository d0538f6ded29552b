//! Automatic choice of the integrator.

use super::frequencies::natural_frequencies;
use super::method::IntegrationMethod;
use crate::arm::Arm;
use crate::dynamics::EvaluationError;
use std::f64::consts::TAU;

/// The requirements on the integrator of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MethodDemand {
    /// The highest natural frequency (rad/s).
    pub highest: f64,
    /// The highest frequency whose motion is of interest (rad/s).
    pub followed: f64,
    /// How many velocities the arm has.
    pub freedoms: usize,
    /// How long the run is (s).
    pub duration: f64,
    /// The part of the amplitude by which it may be wrong at its end.
    pub tolerance: f64,
    /// The longest time between two instants on which steps must land (s), such as the ticks of a
    /// controller; infinite if there are none.
    pub landing: f64,
}

/// A method and the reason for it.
#[derive(Clone, Debug, PartialEq)]
pub struct MethodChoice {
    /// Which method.
    pub method: IntegrationMethod,
    /// Why, in one sentence.
    pub reason: String,
}

/// The longest step of the explicit method of order 8 in a vibration without damping, in radians,
/// as measured on a beam of eight elements.
const EXPLICIT_LIMIT: f64 = 3.0;

/// How many elastic frequencies are followed, the lowest first.
const LOWEST: usize = 3;

impl MethodDemand {
    /// For an arm about a configuration: the motion of interest is that of the lowest three nonzero
    /// frequencies.
    pub fn of(
        arm: &Arm,
        q: &[f64],
        duration: f64,
        tolerance: f64,
    ) -> Result<Self, EvaluationError> {
        let frequencies = natural_frequencies(arm, q)?;
        let highest = frequencies.last().copied().unwrap_or(0.0);
        let elastic = frequencies.iter().filter(|&&frequency| frequency > 1e-6 * highest);
        let followed = elastic.take(LOWEST).last().copied().unwrap_or(0.0);
        let (freedoms, landing) = (arm.nv(), f64::INFINITY);
        Ok(Self { highest, followed, freedoms, duration, tolerance, landing })
    }

    /// The method that needs the fewest evaluations: steps of order `p` that are wrong by the
    /// tolerance have `h ω` in proportion to its `p`th root, the factors being measured on a
    /// vibration; the explicit one is bounded by the highest frequency as well.
    pub fn choose(&self) -> MethodChoice {
        let Self { highest, duration, tolerance, landing, .. } = *self;
        // nothing is slower than the run
        let followed = self.followed.max(TAU / duration);
        let accurate = 5.5 * tolerance.powf(0.125) / followed;
        let stable = EXPLICIT_LIMIT / highest.max(f64::MIN_POSITIVE);
        let explicit = accurate.min(stable).min(landing);
        let radau = (2.3 * tolerance.powf(0.2) / followed).min(landing);
        // the phase is late by (h ω)²/12 of the angle passed
        let alpha = (12.0 * tolerance / (followed * duration)).sqrt() / followed;
        let count = |step: f64| (duration / step).ceil();
        // evaluations of forward dynamics, or their worth
        let explicit_cost = 12.0 * count(explicit);
        let radau_cost = (8.0 + 2.0 * self.freedoms as f64) * count(radau);
        // after every landing the slopes are new
        let alpha_effort = if alpha < landing { 2.0 } else { 2.0 + 2.0 * self.freedoms as f64 };
        let alpha = alpha.min(landing);
        let alpha_cost = alpha_effort * count(alpha);
        let bound = format!(
            "the highest frequency, {highest:.3e} rad/s, limits explicit steps to {explicit:.1e} s, {} steps in all",
            count(explicit),
        );
        if explicit_cost <= radau_cost.min(alpha_cost) {
            let reason = if highest == 0.0 {
                "the arm has neither springs nor flexible links, so explicit steps can be long"
                    .to_owned()
            } else if explicit == landing {
                format!(
                    "sensors and controllers limit steps to {landing:.1e} s, and the highest frequency, {highest:.3e} rad/s, would allow {stable:.1e} s",
                )
            } else if accurate <= stable {
                format!(
                    "the tolerance of {tolerance:.0e} needs steps of {explicit:.1e} s, {} in all, and the highest frequency, {highest:.3e} rad/s, would allow {stable:.1e} s",
                    count(explicit),
                )
            } else {
                format!(
                    "{bound}, which cost less than the {} implicit ones needed to resolve {followed:.3e} rad/s",
                    count(radau.max(alpha)),
                )
            };
            return MethodChoice { method: IntegrationMethod::Dop853 { tolerance }, reason };
        }
        let (method, name, step) = if alpha_cost <= radau_cost {
            let spectral_radius = IntegrationMethod::SPECTRAL_RADIUS;
            let method = IntegrationMethod::GeneralisedAlpha { step: alpha, spectral_radius };
            (method, "generalised-alpha", alpha)
        } else {
            (IntegrationMethod::Radau5 { tolerance }, "Radau IIA", radau)
        };
        let reason = format!(
            "{bound}, while {name} resolves {followed:.3e} rad/s to {tolerance:.0e} in {} steps of {step:.1e} s",
            count(step),
        );
        MethodChoice { method, reason }
    }
}
