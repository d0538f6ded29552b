//! How well controllers follow the plan: sums over the rows of a run.

mod joint;
mod motor;
mod rest;
mod sums;
mod tip;

use super::row_state::RowState;
use super::run::RunWarning;
use super::{MotorEffort, Simulation, Tracking};
use crate::arm::Arm;
use crate::dynamics::{rnea, terms};
use crate::integrate::{StateVisitor, Stateful};
use crate::simulate::{Channel, ChannelRole, Telemetry};
use joint::Joint;
use motor::Motor;
pub use motor::SATURATION;
pub(super) use rest::time_to_rest;
use std::f64::consts::TAU;
use sums::Integral;
use tip::Tip;

/// Akmehmet's `Q`: for places (1/s²), and for rates.
const WEIGHTS: [f64; 2] = [100.0, 1.0];

/// Frequencies below this part of the highest are those of joints that move freely.
const FREE: f64 = 1e-6;

/// Follows the rows of a run.
pub(super) struct Tracker<'a> {
    arm: &'a Arm,
    /// The driven joints as velocity coordinates, and the columns of their forces.
    driven: Vec<(usize, usize)>,
    joints: Vec<Joint>,
    motors: Vec<Motor>,
    tip: Option<Tip<'a>>,
    plan_end: Option<f64>,
    band: f64,
    interval: f64,
    last: Option<f64>,
    rows: usize,
    errors: Integral,
    effort: Integral,
    ideal: Integral,
    bias: Vec<f64>,
    recursive: rnea::Workspace,
}

/// The longest period (s) of small vibrations while the motors are held; zero where nothing
/// vibrates, none where it cannot be told.
pub(super) fn longest_period(arm: &Arm, motors: &[usize], q: &[f64]) -> Option<f64> {
    let mut free = arm.free_velocities();
    free.retain(|v| !motors.contains(v));
    let (spectrum, _) = arm.elastic_spectrum(q, &free).ok()?;
    let frequencies = || (0..free.len()).map(|k| spectrum.frequency(k));
    let highest = frequencies().fold(0.0, f64::max);
    let lowest = frequencies().filter(|&frequency| frequency > FREE * highest);
    Some(lowest.reduce(f64::min).map_or(0.0, |lowest| TAU / lowest))
}

/// The velocity coordinates whose actuators have limits.
fn limited(arm: &Arm) -> Vec<usize> {
    let has_limit =
        |v: &usize| arm.force_limits()[*v].is_finite() || arm.speed_limits()[*v].is_finite();
    (0..arm.nv()).filter(has_limit).collect()
}

impl Stateful for Tracker<'_> {
    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        for joint in &mut self.joints {
            joint.visit_state(state);
        }
        for motor in &mut self.motors {
            motor.visit_state(state);
        }
        if let Some(tip) = &mut self.tip {
            tip.visit_state(state);
        }
        state.option(&mut self.last, || 0.0, StateVisitor::number);
        state.size(&mut self.rows);
        for integral in [&mut self.errors, &mut self.effort, &mut self.ideal] {
            integral.visit_state(state);
        }
    }
}

impl<'a> Tracker<'a> {
    /// The groups of channels that it reads.
    pub(super) const NEEDS: [&'static str; 3] = ["forces", "outputs", "errors"];

    /// Whether there is something to follow.
    pub(super) fn is_wanted(simulation: &Simulation) -> bool {
        !simulation.controllers.is_empty() || !limited(&simulation.arm).is_empty()
    }

    /// For a setup with controllers or actuators, and the channels of the rows.
    pub(super) fn new(simulation: &'a Simulation, channels: &[Channel]) -> Option<Self> {
        if !Self::is_wanted(simulation) {
            return None;
        }
        let arm = &simulation.arm;
        let column = |role: ChannelRole, v: usize, subject: Option<&str>| {
            let is_of = |one: &Channel| subject.is_none_or(|subject| one.subject == subject);
            channels.iter().position(|one| one.role == role && one.index == v && is_of(one))
        };
        let joints = simulation.plan.iter().flat_map(|plan| {
            plan.velocities.iter().zip(&plan.signals).filter_map(|(&v, signal)| {
                let joint = Joint::new(arm, v, signal, plan.end)?;
                let pseudolink = simulation.controllers.iter().find_map(|controller| {
                    let column = |telemetry| {
                        let of = (controller.name.as_str(), telemetry, v);
                        let is =
                            |one: &Channel| (one.subject.as_str(), one.telemetry, one.index) == of;
                        channels.iter().position(is)
                    };
                    let error = column(Telemetry::PseudolinkError)?;
                    Some([error, column(Telemetry::PseudolinkErrorRate)?])
                });
                Some(match pseudolink {
                    Some(columns) => joint.of_pseudolink(columns),
                    None => joint,
                })
            })
        });
        let own = simulation
            .controllers
            .iter()
            .flat_map(|controller| Joint::of_pd(simulation, controller));
        let motors = simulation.controllers.iter().flat_map(|controller| {
            controller.outputs.iter().zip(&controller.limits).filter_map(|(output, &limit)| {
                let velocity = output.motor?;
                // what a clockless controller puts out is no channel, but the motor's force is
                let column = column(ChannelRole::Command, velocity, Some(&controller.name))
                    .or_else(|| column(ChannelRole::Force, velocity, None))?;
                let named = (format!("{}.{}", controller.name, output.name), output.unit.clone());
                let motor = Motor::new(arm, velocity, column, named);
                Some(motor.limited(limit, controller.saturation))
            })
        });
        let plan_end = simulation.plan.as_ref().map(|plan| plan.end);
        let tip = simulation.diagram.targets.iter().find_map(|target| {
            let frame = arm.frames()[target.frame()?].name();
            // the fourth number of its error is the distance; a joint may have the name of the frame
            let is_distance = |one: &Channel| {
                one.role == ChannelRole::Error
                    && one.coordinate.is_none()
                    && (one.subject.as_str(), one.index) == (frame, 3)
            };
            let column = channels.iter().position(is_distance)?;
            Tip::new(arm, target, column, plan_end?)
        });
        let mut driven: Vec<usize> = simulation
            .controllers
            .iter()
            .flat_map(|controller| controller.outputs.iter().filter_map(|output| output.motor))
            .collect();
        driven.sort_unstable();
        driven.dedup();
        let force = |v: usize| Some((v, column(ChannelRole::Force, v, None)?));
        // those with an actuator that no controller drives
        let others = limited(arm).into_iter().filter(|v| !driven.contains(v)).filter_map(force);
        let others = others.map(|(v, column)| {
            let Channel { name, unit, .. } = channels[column].clone();
            let motor = Motor::new(arm, v, column, (name, unit));
            motor.limited(arm.force_limits()[v], SATURATION)
        });
        let motors: Vec<Motor> = motors.chain(others).collect();
        Some(Self {
            driven: driven.into_iter().filter_map(force).collect(),
            joints: joints.chain(own).collect(),
            motors,
            tip,
            plan_end,
            band: simulation.scenario.settling_band,
            interval: simulation.diagram.interval,
            last: None,
            rows: 0,
            errors: Integral::default(),
            effort: Integral::default(),
            ideal: Integral::default(),
            bias: vec![0.0; arm.nv()],
            recursive: rnea::Workspace::new(arm),
            arm,
        })
    }

    /// A row of the run.
    pub(super) fn row(&mut self, t: f64, values: &[f64], RowState { q, u, .. }: &RowState) {
        let since = self.last.map_or(0.0, |last| t - last);
        self.last = Some(t);
        self.rows += 1;
        let mut square = 0.0;
        for joint in &mut self.joints {
            let [error, error_rate] = joint.row((t, since), values, [q, u]);
            square += WEIGHTS[0] * error * error + WEIGHTS[1] * error_rate * error_rate;
        }
        self.errors.see(square, since);
        for motor in &mut self.motors {
            motor.row(since, values, u);
        }
        terms::bias_into(self.arm, &mut self.recursive, q, u, &mut self.bias);
        let forces = |bias: &dyn Fn(usize) -> f64| {
            self.driven.iter().map(|&(v, column)| (values[column] - bias(v)).powi(2)).sum::<f64>()
        };
        let (whole, ideal) = (forces(&|_| 0.0), forces(&|v| self.bias[v]));
        self.effort.see(whole, since);
        self.ideal.see(ideal, since);
        if let Some(tip) = &mut self.tip {
            tip.row(self.arm, (t, since), values, q);
        }
    }

    /// What came of it, and what is doubtful; nothing of a run that ends at its first row. The last
    /// state is that of a motion that did not break down, if there is one.
    pub(super) fn finish(self, last: Option<&RowState>) -> Option<(Tracking, Vec<RunWarning>)> {
        let duration = self.last.filter(|_| self.rows > 1)?;
        let driven: Vec<usize> = self.driven.iter().map(|&(v, _)| v).collect();
        let period = last.and_then(|last| longest_period(self.arm, &driven, &last.q));
        let period = period.unwrap_or(f64::INFINITY);
        let mut warnings = Vec::new();
        let motors = self.motors.iter().map(|motor| {
            let (effort, doubtful) = motor.finish(self.arm, duration);
            warnings.extend(doubtful);
            effort
        });
        let motors: Vec<MotorEffort> = motors.collect();
        warnings.extend(self.joints.iter().filter_map(Joint::warning));
        let joints = self.joints.iter().map(|joint| joint.finish(duration, period));
        let has_targets = !self.joints.is_empty();
        let tracking = Tracking {
            interval: self.interval,
            plan_end: self.plan_end,
            joints: joints.collect(),
            tip: self.tip.map(|tip| tip.finish(self.arm, duration, period, self.band)),
            motors,
            error_integral: has_targets.then_some(self.errors.sum),
            half_error_integral: has_targets.then_some(0.5 * self.errors.sum),
            effort_integral: self.effort.sum,
            half_effort_integral: 0.5 * self.effort.sum,
            ideal_effort_integral: self.ideal.sum,
            half_ideal_effort_integral: 0.5 * self.ideal.sum,
        };
        Some((tracking, warnings))
    }
}
