//! How well controllers follow the plan: sums over the rows of a run.

use super::Setup;
use crate::results::{JointTracking, MotorEffort, TipTracking, Tracking};
use crate::units::short;
use pliant::arm::Arm;
use pliant::dynamics::kinematics::Workspace;
use pliant::plan::Path;
use pliant::simulate::{Channel, Signal};
use pliant::spatial::Vec3;
use std::sync::Arc;

/// The share of the run for which a motor may be at its limit without a warning.
pub(super) const SATURATION: f64 = 0.05;

/// A joint has settled when its error stays below this part of its way.
const SETTLED: f64 = 0.02;

/// Akmehmet's `Q`: for places, and for rates.
const WEIGHTS: [f64; 2] = [100.0, 1.0];

/// Follows the rows of a run. Only what is recorded is known.
pub(super) struct Tracker<'a> {
    joints: Vec<Joint>,
    motors: Vec<Motor>,
    tip: Option<Tip<'a>>,
    end: f64,
    last: Option<f64>,
    /// The weighted square of the errors at the last row, and its integral.
    square: f64,
    integral: f64,
}

struct Joint {
    name: String,
    unit: String,
    signal: Signal,
    /// The columns of place and rate.
    place: Option<usize>,
    rate: Option<usize>,
    errors: Errors,
    most_rate_error: f64,
    /// The way of the plan, or from where it stood to where the plan begins if that is longer.
    way: f64,
    /// The last time at which the error was too large.
    loose: Option<f64>,
}

struct Motor {
    name: String,
    unit: String,
    column: usize,
    rate: Option<usize>,
    limit: f64,
    allowed: f64,
    efforts: Errors,
    power: f64,
    work: f64,
    absolute_work: f64,
    saturated: f64,
}

struct Tip<'a> {
    frame: String,
    wanted: Wanted<'a>,
    columns: [usize; 3],
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
    fn new(setup: &'a Setup, plan: &'a super::plan::Plan, frame: usize) -> Self {
        let arm = &setup.arm;
        let mut q = setup.q.clone();
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

/// Largest, last and squared errors.
#[derive(Default)]
struct Errors {
    most: f64,
    last: f64,
    /// The integral of the square.
    square: f64,
}

impl Errors {
    /// By the trapezoidal rule from the last row.
    fn see(&mut self, error: f64, since: f64) {
        self.square += 0.5 * since * (self.last * self.last + error * error);
        (self.last, self.most) = (error, self.most.max(error.abs()));
    }

    fn rms(&self, duration: f64) -> f64 {
        if duration > 0.0 { (self.square / duration).sqrt() } else { self.last.abs() }
    }
}

impl<'a> Tracker<'a> {
    /// For a setup with controllers, and the channels that are recorded.
    pub(super) fn new(setup: &'a Setup, channels: &[Channel]) -> Option<Self> {
        if setup.controllers.is_empty() {
            return None;
        }
        let find = |name: &str| channels.iter().position(|channel| channel.name == name);
        let names = setup.arm.velocity_names();
        let joints = setup.plan.iter().flat_map(|plan| {
            plan.velocities.iter().zip(&plan.signals).map(|(&v, signal)| {
                let name = names[v].clone();
                let (first, last) = (signal.value(0.0), signal.value(plan.end));
                Joint {
                    place: find(&name),
                    rate: find(&format!("{name}.rate")),
                    unit: find(&name).map_or_else(String::new, |i| channels[i].unit.clone()),
                    name,
                    signal: signal.clone(),
                    errors: Errors::default(),
                    most_rate_error: 0.0,
                    way: (last - first).abs(),
                    loose: None,
                }
            })
        });
        let motors = setup.controllers.iter().flat_map(|controller| {
            controller.outputs.iter().zip(&controller.limits).filter_map(|(output, &limit)| {
                let name = &names[output.motor?];
                // what a clockless controller puts out is no channel, but the motor's force is
                let column = find(&format!("{}.{}", controller.name, output.name))
                    .or_else(|| find(&format!("{name}.force")))?;
                Some(Motor {
                    name: format!("{}.{}", controller.name, output.name),
                    unit: output.unit.clone(),
                    column,
                    rate: find(&format!("{name}.rate")),
                    limit,
                    allowed: controller.saturation,
                    efforts: Errors::default(),
                    power: 0.0,
                    work: 0.0,
                    absolute_work: 0.0,
                    saturated: 0.0,
                })
            })
        });
        let tip = setup.plan.as_ref().and_then(|plan| {
            let (at, wanted) = match &plan.tip {
                Some((frame, path)) => (*frame, Wanted::Path(Arc::clone(path))),
                None => {
                    let tip = setup.tip()?;
                    (tip, Wanted::Joints(Box::new(Unbent::new(setup, plan, tip))))
                }
            };
            let frame = setup.arm.frames()[at].name().to_owned();
            let column = |axis: &str| find(&format!("{frame}.position.{axis}"));
            let columns = [column("x")?, column("y")?, column("z")?];
            Some(Tip { frame, wanted, columns, errors: Errors::default(), rest: None })
        });
        Some(Self {
            joints: joints.collect(),
            motors: motors.collect(),
            tip,
            end: setup.plan.as_ref().map_or(0.0, |plan| plan.end),
            last: None,
            square: 0.0,
            integral: 0.0,
        })
    }

    /// A row of the run.
    pub(super) fn row(&mut self, t: f64, values: &[f64]) {
        let since = self.last.map_or(0.0, |last| t - last);
        self.last = Some(t);
        let mut square = 0.0;
        for joint in &mut self.joints {
            let wanted = joint.signal.jet(t);
            if let Some(place) = joint.place {
                let error = wanted.value - values[place];
                if since == 0.0 {
                    joint.way = joint.way.max(error.abs());
                }
                joint.errors.see(error, since);
                square += WEIGHTS[0] * error * error;
                if error.abs() > SETTLED * joint.way {
                    joint.loose = Some(t);
                }
            }
            if let Some(rate) = joint.rate {
                let error = wanted.rate - values[rate];
                joint.most_rate_error = joint.most_rate_error.max(error.abs());
                square += WEIGHTS[1] * error * error;
            }
        }
        self.integral += 0.5 * since * (self.square + square);
        self.square = square;
        for motor in &mut self.motors {
            let force = values[motor.column];
            motor.efforts.see(force, since);
            if force.abs() >= motor.limit {
                motor.saturated += since;
            }
            if let Some(rate) = motor.rate {
                let power = force * values[rate];
                motor.work += 0.5 * since * (motor.power + power);
                motor.absolute_work += 0.5 * since * (motor.power.abs() + power.abs());
                motor.power = power;
            }
        }
        if let Some(tip) = &mut self.tip {
            let now = tip.columns.map(|column| values[column]);
            let parts = tip.wanted.at(t).into_iter().zip(now).map(|(wanted, x)| wanted - x);
            tip.errors.see(parts.map(|x| x * x).sum::<f64>().sqrt(), since);
            if t >= self.end {
                let rest = tip.rest.get_or_insert(now.map(|x| [x, x]));
                for (range, x) in rest.iter_mut().zip(now) {
                    *range = [range[0].min(x), range[1].max(x)];
                }
            }
        }
    }

    /// What came of it, and what is doubtful.
    pub(super) fn finish(self) -> (Tracking, Vec<String>) {
        let duration = self.last.unwrap_or(0.0);
        let mut warnings = Vec::new();
        let mut efforts = 0.0;
        let motors = self.motors.iter().map(|motor| {
            efforts += motor.efforts.square;
            let saturated = if duration > 0.0 { motor.saturated / duration } else { 0.0 };
            if saturated > motor.allowed {
                warnings.push(format!(
                    "{} is at its limit of {} {} for {} % of the run, more than {} %: the law cannot do what it wants",
                    motor.name,
                    short(motor.limit),
                    motor.unit,
                    short((1000.0 * saturated).round() / 10.0),
                    short(100.0 * motor.allowed),
                ));
            }
            MotorEffort {
                name: motor.name.clone(),
                unit: motor.unit.clone(),
                peak: motor.efforts.most,
                rms: motor.efforts.rms(duration),
                work: motor.work,
                absolute_work: motor.absolute_work,
                saturated,
            }
        });
        let motors: Vec<MotorEffort> = motors.collect();
        let joints = self.joints.iter().filter(|joint| joint.place.is_some()).map(|joint| {
            let settled = joint.loose != Some(duration);
            JointTracking {
                name: joint.name.clone(),
                unit: joint.unit.clone(),
                most: joint.errors.most,
                rms: joint.errors.rms(duration),
                last: joint.errors.last,
                most_rate: joint.most_rate_error,
                settled_after: settled.then(|| (joint.loose.unwrap_or(0.0) - self.end).max(0.0)),
            }
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
        let tracking = Tracking {
            joints: joints.collect(),
            tip,
            motors,
            error_integral: self.integral,
            half_error_integral: 0.5 * self.integral,
            effort_integral: efforts,
            half_effort_integral: 0.5 * efforts,
        };
        (tracking, warnings)
    }
}
