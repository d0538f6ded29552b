//! What motors give.

use super::sums::{Errors, Integral};
use crate::arm::Arm;
use crate::integrate::{StateVisitor, Stateful};
use crate::scenario::MotorEffort;
use crate::scenario::run::RunWarning;

/// The fraction of the run for which a motor may saturate without a warning.
pub const SATURATION: f64 = 0.05;

pub(super) struct Motor {
    name: String,
    unit: String,
    column: usize,
    velocity: usize,
    limit: f64,
    allowed: f64,
    efforts: Errors,
    most_power: f64,
    work: Integral,
    energy: Integral,
    absolute_work: Integral,
    saturated: f64,
    /// The speed up to which it drives, and for how long it was faster (s).
    speed: f64,
    fast: f64,
}

impl Stateful for Motor {
    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        self.efforts.visit_state(state);
        for integral in [&mut self.work, &mut self.energy, &mut self.absolute_work] {
            integral.visit_state(state);
        }
        for number in [&mut self.most_power, &mut self.saturated, &mut self.fast] {
            state.number(number);
        }
    }
}

impl Motor {
    /// One by its velocity coordinate and the column of its force, with the name and the unit of that.
    pub(super) fn new(
        arm: &Arm,
        velocity: usize,
        column: usize,
        (name, unit): (String, String),
    ) -> Self {
        Self {
            name,
            unit,
            column,
            velocity,
            limit: f64::INFINITY,
            allowed: SATURATION,
            efforts: Errors::default(),
            most_power: 0.0,
            work: Integral::default(),
            energy: Integral::default(),
            absolute_work: Integral::default(),
            saturated: 0.0,
            speed: arm.speed_limits()[velocity],
            fast: 0.0,
        }
    }

    /// With a limit of its force, and the fraction of the run for which it may be there.
    pub(super) fn limited(self, limit: f64, allowed: f64) -> Self {
        Self { limit, allowed, ..self }
    }

    /// A row of the run, so long after the one before (s).
    pub(super) fn row(&mut self, since: f64, values: &[f64], u: &[f64]) {
        let (force, rate) = (values[self.column], u[self.velocity]);
        let power = force * rate;
        self.efforts.see(force, since);
        self.most_power = self.most_power.max(power.abs());
        self.work.see(power, since);
        self.energy.see(power.max(0.0), since);
        self.absolute_work.see(power.abs(), since);
        if force.abs() >= self.limit {
            self.saturated += since;
        }
        if rate.abs() > self.speed {
            self.fast += since;
        }
    }

    /// What it gave in so long (s), and what is doubtful.
    pub(super) fn finish(&self, arm: &Arm, duration: f64) -> (MotorEffort, Vec<RunWarning>) {
        let mut warnings = Vec::new();
        let share = |time: f64| if duration > 0.0 { time / duration } else { 0.0 };
        let (saturated, too_fast) = (share(self.saturated), share(self.fast));
        if too_fast > 0.0 {
            warnings.push(RunWarning::TooFast {
                motor: self.name.clone(),
                speed: self.speed,
                unit: arm.velocity_units()[self.velocity][1].to_owned(),
                share: too_fast,
            });
        }
        if saturated > self.allowed {
            warnings.push(RunWarning::Saturated {
                motor: self.name.clone(),
                limit: self.limit,
                unit: self.unit.clone(),
                share: saturated,
                allowed: self.allowed,
            });
        }
        let effort = MotorEffort {
            name: self.name.clone(),
            unit: self.unit.clone(),
            peak: self.efforts.most,
            rms: self.efforts.rms(duration),
            peak_power: self.most_power,
            work: self.work.sum,
            energy: self.energy.sum,
            absolute_work: self.absolute_work.sum,
            limit: self.limit.is_finite().then_some(self.limit),
            saturated,
            too_fast,
        };
        (effort, warnings)
    }
}
