//! Force and speed limits of motors.

use crate::arm::Arm;

/// How far beyond its speed a motor still drives, as a part of that speed.
const OVERSPEED: f64 = 0.1;

/// The limits of the motors that have some.
pub(super) struct Actuators(Vec<Limits>);

struct Limits {
    velocity: usize,
    force: f64,
    speed: f64,
}

impl Actuators {
    pub(super) fn new(arm: &Arm) -> Self {
        let limits = arm.force_limits().iter().zip(arm.speed_limits()).enumerate();
        let limits = limits.filter(|(_, (force, speed))| force.is_finite() || speed.is_finite());
        Self(limits.map(|(velocity, (&force, &speed))| Limits { velocity, force, speed }).collect())
    }

    /// Cuts what is asked of motors that move at `u` (rad/s, m/s) down to what they can give (N m,
    /// N).
    pub(super) fn limit(&self, u: &[f64], motor: &mut [f64]) {
        for &Limits { velocity: v, force, speed } in &self.0 {
            motor[v] = motor[v].clamp(-force, force) * fading(motor[v] * u[v], u[v].abs(), speed);
        }
    }
}

/// What is left of a force at some speed: all of one that brakes, and of one that drives all up to
/// the motor's speed and nothing from a tenth beyond it, by `1 - s² (3 - 2 s)` between.
fn fading(power: f64, at: f64, speed: f64) -> f64 {
    if power <= 0.0 || at <= speed {
        return 1.0;
    }
    let s = ((at / speed - 1.0) / OVERSPEED).min(1.0);
    1.0 - s * s * (3.0 - 2.0 * s)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_force_fades_beyond_the_speed_when_it_drives() {
        for (power, at, left) in
            [(1.0, 2.0, 1.0), (1.0, 2.1, 0.5), (1.0, 2.2, 0.0), (1.0, 9.0, 0.0), (-1.0, 9.0, 1.0)]
        {
            let is = fading(power, at, 2.0);
            // s of 2.1 is 0.5 up to rounding
            assert!((is - left).abs() < 1e-14, "{power} W at {at} rad/s: {is}");
        }
        assert_eq!(fading(1.0, 1e9, f64::INFINITY), 1.0);
    }
}
