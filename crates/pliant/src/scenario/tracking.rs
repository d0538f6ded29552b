//! How well controllers follow the plan: sums over the rows of a run.

use super::row_state::RowState;
use super::run::RunWarning;
use super::{DrivenMotors, JointTracking, MotorEffort, Plan, Simulation, TipTracking, Tracking};
use crate::arm::Arm;
use crate::dynamics::kinematics::Workspace;
use crate::dynamics::{rnea, terms};
use crate::plan::Path;
use crate::simulate::{Channel, ChannelRole, Signal, Telemetry};
use crate::spatial::Vec3;
use std::sync::Arc;

/// The fraction of the run for which a motor may saturate without a warning.
pub const SATURATION: f64 = 0.05;

/// A joint has settled when its error stays below this part of its way, or a millionth (rad, m).
const SETTLED: f64 = 0.02;

/// It has to stay there at the end for this part of the run, and for so many rows: that it passes
/// by is not to settle.
const STAYED: (f64, usize) = (0.05, 5);

/// It ends far from its plan when its last error is above this part of its way, and above this (rad,
/// m).
const FAR: (f64, f64) = (0.1, 0.01);

/// Akmehmet's `Q`: for places (1/s²), and for rates.
const WEIGHTS: [f64; 2] = [100.0, 1.0];

/// How long after the plan's end the tip is watched (s).
const WATCHED: f64 = 2.0;

/// Follows the rows of a run.
pub(super) struct Tracker<'a> {
    arm: &'a Arm,
    /// The driven joints as velocity coordinates, and the columns of their forces.
    driven: Vec<(usize, usize)>,
    joints: Vec<Joint>,
    motors: Vec<Motor>,
    tip: Option<Tip<'a>>,
    end: f64,
    interval: f64,
    last: Option<f64>,
    rows: usize,
    errors: Integral,
    effort: Integral,
    ideal: Integral,
    bias: Vec<f64>,
    recursive: rnea::Workspace,
    frames: Workspace,
}

struct Joint {
    name: String,
    unit: String,
    signal: Signal,
    coordinate: usize,
    velocity: usize,
    /// The columns of its error and the rate of that where a controller leads a pseudolink instead.
    pseudolink: Option<[usize; 2]>,
    errors: Errors,
    most_rate_error: f64,
    /// The way of the plan, or from where it stood to where the plan begins if that is longer.
    way: [f64; 2],
    /// The last time at which the error was too large.
    loose: Option<f64>,
    /// How many rows ended since.
    inside: usize,
    /// From when on it is to settle (s).
    end: f64,
}

impl Joint {
    /// A velocity coordinate that is to follow a signal, which ends at a time.
    fn new(arm: &Arm, velocity: usize, signal: &Signal, end: f64) -> Option<Self> {
        let coordinate = arm.coordinate_of(velocity)?;
        Some(Self {
            name: arm.velocity_names()[velocity].clone(),
            pseudolink: None,
            unit: arm.configuration_coordinates()[coordinate].dimension.units()[0].to_owned(),
            signal: signal.clone(),
            coordinate,
            velocity,
            errors: Errors::default(),
            most_rate_error: 0.0,
            way: [signal.value(0.0); 2],
            loose: None,
            inside: 0,
            end,
        })
    }

    /// Those of a controller that leads each to a target of its own.
    fn of_pd<'a>(
        simulation: &'a Simulation,
        controller: &'a DrivenMotors,
    ) -> impl Iterator<Item = Self> + 'a {
        let arm = &simulation.arm;
        controller.targets.iter().filter_map(|target| {
            let is_own = |&v: &usize| arm.coordinate_of(v) == Some(target.coordinate);
            Self::new(arm, (0..arm.nv()).find(is_own)?, &target.signal, 0.0)
        })
    }

    /// When it has settled after its end (s), of so many rows until a time.
    fn settled_after(&self, last: f64) -> Option<f64> {
        let since = self.loose.unwrap_or(0.0);
        let (part, rows) = STAYED;
        let stayed = self.inside >= rows && last - since >= part * last;
        (stayed && last >= self.end).then(|| (since - self.end).max(0.0))
    }
}

struct Motor {
    name: String,
    unit: String,
    column: usize,
    velocity: usize,
    limit: f64,
    allowed: f64,
    efforts: Errors,
    work: Integral,
    absolute_work: Integral,
    saturated: f64,
    /// The speed up to which it drives, and for how long it was faster (s).
    speed: f64,
    fast: f64,
}

impl Motor {
    /// One without a limit for its force, by its velocity coordinate and the column of that force.
    fn new(arm: &Arm, velocity: usize, column: usize) -> Self {
        Self {
            name: String::new(),
            unit: String::new(),
            column,
            velocity,
            limit: f64::INFINITY,
            allowed: SATURATION,
            efforts: Errors::default(),
            work: Integral::default(),
            absolute_work: Integral::default(),
            saturated: 0.0,
            speed: arm.speed_limits()[velocity],
            fast: 0.0,
        }
    }
}

/// The velocity coordinates whose actuators have limits.
fn limited(arm: &Arm) -> Vec<usize> {
    let has_limit =
        |v: &usize| arm.force_limits()[*v].is_finite() || arm.speed_limits()[*v].is_finite();
    (0..arm.nv()).filter(has_limit).collect()
}

struct Tip<'a> {
    at: usize,
    frame: String,
    wanted: Wanted<'a>,
    errors: Errors,
    /// The least and most of each component after the plan's end.
    rest: Option<[[f64; 2]; 3]>,
}

/// Where the tip should be.
enum Wanted<'a> {
    /// On its own path.
    Path(Arc<Path>),
    /// Where the planned joints have it while nothing bends.
    Joints(Box<Unbent<'a>>),
}

/// An arm that follows its plan and does not bend.
struct Unbent<'a> {
    arm: &'a Arm,
    frame: usize,
    /// By configuration coordinate.
    joints: Vec<(usize, &'a Signal)>,
    q: Vec<f64>,
    work: Workspace,
}

impl<'a> Unbent<'a> {
    fn new(simulation: &'a Simulation, plan: &'a Plan, frame: usize) -> Self {
        let arm = &simulation.arm;
        let mut q = simulation.diagram.q.clone();
        for link in 0..arm.body_count() {
            let deforming = arm.deforming_of(link);
            q[deforming.clone()].copy_from_slice(&arm.neutral()[deforming]);
        }
        let joints = plan.velocities.iter().zip(&plan.signals);
        let joints = joints.filter_map(|(&v, signal)| Some((arm.coordinate_of(v)?, signal)));
        Self { arm, frame, joints: joints.collect(), q, work: Workspace::new(arm) }
    }

    fn at(&mut self, t: f64) -> Vec3<f64> {
        for (coordinate, signal) in &self.joints {
            self.q[*coordinate] = signal.value(t);
        }
        self.work.place(self.arm, &self.q).pose(self.frame).position
    }
}

impl Wanted<'_> {
    /// The place at a time (m), world.
    fn at(&mut self, t: f64) -> [f64; 3] {
        match self {
            Self::Path(path) => [0, 1, 2].map(|k| path.component(k, t, false).value),
            Self::Joints(unbent) => unbent.at(t).to_array(),
        }
    }
}

/// An integral over time, by the trapezoidal rule.
#[derive(Default)]
struct Integral {
    last: f64,
    sum: f64,
}

impl Integral {
    fn see(&mut self, value: f64, since: f64) {
        self.sum += 0.5 * since * (self.last + value);
        self.last = value;
    }
}

/// Largest, last and squared errors.
#[derive(Default)]
struct Errors {
    most: f64,
    last: f64,
    square: Integral,
}

impl Errors {
    fn see(&mut self, error: f64, since: f64) {
        self.square.see(error * error, since);
        (self.last, self.most) = (error, self.most.max(error.abs()));
    }

    fn rms(&self, duration: f64) -> f64 {
        if duration > 0.0 { (self.square.sum / duration).sqrt() } else { self.last.abs() }
    }
}

impl<'a> Tracker<'a> {
    /// The groups of channels that it reads.
    pub(super) const NEEDS: [&'static str; 2] = ["forces", "outputs"];

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
                let pseudolink_name = || format!("{}.pseudolink", joint.name);
                let name = pseudolink.map_or_else(|| joint.name.clone(), |_| pseudolink_name());
                Some(Joint { name, pseudolink, ..joint })
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
                Some(Motor {
                    name: format!("{}.{}", controller.name, output.name),
                    unit: output.unit.clone(),
                    limit,
                    allowed: controller.saturation,
                    ..Motor::new(arm, velocity, column)
                })
            })
        });
        let tip = simulation.plan.as_ref().and_then(|plan| {
            let (at, wanted) = if let Some((frame, path)) = &plan.tip {
                (*frame, Wanted::Path(Arc::clone(path)))
            } else {
                let tip = simulation.tip?;
                (tip, Wanted::Joints(Box::new(Unbent::new(simulation, plan, tip))))
            };
            let frame = arm.frames()[at].name().to_owned();
            Some(Tip { at, frame, wanted, errors: Errors::default(), rest: None })
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
        let others = others.map(|(v, column)| Motor {
            name: channels[column].name.clone(),
            unit: channels[column].unit.clone(),
            limit: arm.force_limits()[v],
            ..Motor::new(arm, v, column)
        });
        let motors: Vec<Motor> = motors.chain(others).collect();
        Some(Self {
            driven: driven.into_iter().filter_map(force).collect(),
            joints: joints.chain(own).collect(),
            motors,
            tip,
            end: simulation.plan.as_ref().map_or(0.0, |plan| plan.end),
            interval: simulation.diagram.interval,
            last: None,
            rows: 0,
            errors: Integral::default(),
            effort: Integral::default(),
            ideal: Integral::default(),
            bias: vec![0.0; arm.nv()],
            recursive: rnea::Workspace::new(arm),
            frames: Workspace::new(arm),
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
            let wanted = joint.signal.jet(t);
            let [error, error_rate] = joint.pseudolink.map_or_else(
                || [wanted.value - q[joint.coordinate], wanted.rate - u[joint.velocity]],
                |columns| columns.map(|column| values[column]),
            );
            let [low, high] = joint.way;
            joint.way = [low.min(wanted.value), high.max(wanted.value)];
            if since == 0.0 {
                joint.way = [low.min(wanted.value - error), high.max(wanted.value - error)];
            }
            joint.errors.see(error, since);
            joint.most_rate_error = joint.most_rate_error.max(error_rate.abs());
            square += WEIGHTS[0] * error * error + WEIGHTS[1] * error_rate * error_rate;
            let way = joint.way[1] - joint.way[0];
            joint.inside += 1;
            if error.abs() > (SETTLED * way).max(1e-6) {
                (joint.loose, joint.inside) = (Some(t), 0);
            }
        }
        self.errors.see(square, since);
        for motor in &mut self.motors {
            let force = values[motor.column];
            let power = force * u[motor.velocity];
            motor.efforts.see(force, since);
            motor.work.see(power, since);
            motor.absolute_work.see(power.abs(), since);
            if force.abs() >= motor.limit {
                motor.saturated += since;
            }
            if u[motor.velocity].abs() > motor.speed {
                motor.fast += since;
            }
        }
        terms::bias_into(self.arm, &mut self.recursive, q, u, &mut self.bias);
        let forces = |bias: &dyn Fn(usize) -> f64| {
            self.driven.iter().map(|&(v, column)| (values[column] - bias(v)).powi(2)).sum::<f64>()
        };
        let (whole, ideal) = (forces(&|_| 0.0), forces(&|v| self.bias[v]));
        self.effort.see(whole, since);
        self.ideal.see(ideal, since);
        if let Some(tip) = &mut self.tip {
            let now = self.frames.place(self.arm, q).pose(tip.at).position.to_array();
            let parts = tip.wanted.at(t).into_iter().zip(now).map(|(wanted, x)| wanted - x);
            tip.errors.see(parts.map(|x| x * x).sum::<f64>().sqrt(), since);
            if t >= self.end && t <= self.end + WATCHED {
                let rest = tip.rest.get_or_insert(now.map(|x| [x, x]));
                for (range, x) in rest.iter_mut().zip(now) {
                    *range = [range[0].min(x), range[1].max(x)];
                }
            }
        }
    }

    /// What came of it, and what is doubtful; nothing of a run that ends at its first row.
    pub(super) fn finish(self) -> Option<(Tracking, Vec<RunWarning>)> {
        let duration = self.last.filter(|_| self.rows > 1)?;
        let mut warnings = Vec::new();
        let motors = self.motors.iter().map(|motor| {
            let share = |time: f64| if duration > 0.0 { time / duration } else { 0.0 };
            let (saturated, too_fast) = (share(motor.saturated), share(motor.fast));
            if too_fast > 0.0 {
                warnings.push(RunWarning::TooFast {
                    motor: motor.name.clone(),
                    speed: motor.speed,
                    unit: self.arm.velocity_units()[motor.velocity][1].to_owned(),
                    share: too_fast,
                });
            }
            if saturated > motor.allowed {
                warnings.push(RunWarning::Saturated {
                    motor: motor.name.clone(),
                    limit: motor.limit,
                    unit: motor.unit.clone(),
                    share: saturated,
                    allowed: motor.allowed,
                });
            }
            MotorEffort {
                name: motor.name.clone(),
                unit: motor.unit.clone(),
                peak: motor.efforts.most,
                rms: motor.efforts.rms(duration),
                work: motor.work.sum,
                absolute_work: motor.absolute_work.sum,
                saturated,
                too_fast,
            }
        });
        let motors: Vec<MotorEffort> = motors.collect();
        for joint in &self.joints {
            let (error, way) = (joint.errors.last, joint.way[1] - joint.way[0]);
            if error.abs() > (FAR.0 * way).max(FAR.1) {
                let (joint, unit) = (joint.name.clone(), joint.unit.clone());
                warnings.push(RunWarning::OffPlan { joint, error, unit, way });
            }
        }
        let joints = self.joints.iter().map(|joint| JointTracking {
            name: joint.name.clone(),
            unit: joint.unit.clone(),
            most: joint.errors.most,
            rms: joint.errors.rms(duration),
            last: joint.errors.last,
            most_rate: joint.most_rate_error,
            settled_after: joint.settled_after(duration),
        });
        let tip = self.tip.as_ref().map(|tip| TipTracking {
            frame: tip.frame.clone(),
            most: tip.errors.most,
            rms: tip.errors.rms(duration),
            last: tip.errors.last,
            residual_vibration: tip
                .rest
                .map(|rest| rest.iter().map(|[low, high]| high - low).fold(0.0, f64::max)),
        });
        let has_targets = !self.joints.is_empty();
        let tracking = Tracking {
            interval: self.interval,
            joints: joints.collect(),
            tip,
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
