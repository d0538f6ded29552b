//! How well controllers follow the plan: sums over the rows of a run.

use super::Setup;
use crate::results::{JointTracking, MotorEffort, TipTracking, Tracking};
use crate::units::short;
use pliant::simulate::Channel;

/// The share of the run for which a motor may be at its limit without a warning.
pub(super) const SATURATION: f64 = 0.05;

/// A joint has settled when its error stays below this part of its way.
const SETTLED: f64 = 0.02;

/// Akmehmet's `Q`: for places, and for rates.
const WEIGHTS: [f64; 2] = [100.0, 1.0];

/// Follows the rows of a run. Only what is recorded is known.
pub(super) struct Tracker {
    joints: Vec<Joint>,
    motors: Vec<Motor>,
    tip: Option<Tip>,
    end: f64,
    last: Option<f64>,
    /// The weighted square of the errors at the last row, and its integral.
    square: f64,
    integral: f64,
}

struct Joint {
    name: String,
    unit: String,
    signal: pliant::simulate::Signal,
    /// The columns of place and rate.
    place: Option<usize>,
    rate: Option<usize>,
    errors: Errors,
    most_rate_error: f64,
    /// The whole way, and the last time at which the error was too large.
    way: f64,
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
    /// The speed up to which it drives, and for how long it was faster (s).
    speed: f64,
    fast: f64,
}

impl Motor {
    /// One without a limit, by the columns of its force and rate.
    fn new(column: usize, rate: Option<usize>, speed: f64) -> Self {
        Self {
            name: String::new(),
            unit: String::new(),
            column,
            rate,
            limit: f64::INFINITY,
            allowed: SATURATION,
            efforts: Errors::default(),
            power: 0.0,
            work: 0.0,
            absolute_work: 0.0,
            saturated: 0.0,
            speed,
            fast: 0.0,
        }
    }
}

struct Tip {
    frame: String,
    wanted: std::sync::Arc<pliant::plan::Path>,
    columns: [usize; 3],
    errors: Errors,
    /// The least and most of each component after the plan's end.
    rest: Option<[[f64; 2]; 3]>,
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

impl Tracker {
    /// For a setup with controllers, and the channels that are recorded.
    pub(super) fn new(setup: &Setup, channels: &[Channel]) -> Option<Self> {
        let arm = &setup.arm;
        let limited: Vec<usize> = (0..arm.nv())
            .filter(|&v| arm.force_limits()[v].is_finite() || arm.speed_limits()[v].is_finite())
            .collect();
        if setup.controllers.is_empty() && limited.is_empty() {
            return None;
        }
        let find = |name: &str| channels.iter().position(|channel| channel.name == name);
        let names = arm.velocity_names();
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
                    limit,
                    allowed: controller.saturation,
                    unit: output.unit.clone(),
                    name: format!("{}.{}", controller.name, output.name),
                    ..Motor::new(
                        column,
                        find(&format!("{name}.rate")),
                        arm.speed_limits()[output.motor?],
                    )
                })
            })
        });
        // those with an actuator that no controller drives
        let controlled = |v: usize| {
            let mut outputs = setup.controllers.iter().flat_map(|controller| &controller.outputs);
            outputs.any(|output| output.motor == Some(v))
        };
        let others = limited.iter().filter(|&&v| !controlled(v)).filter_map(|&v| {
            let name = format!("{}.force", names[v]);
            let column = find(&name)?;
            Some(Motor {
                limit: arm.force_limits()[v],
                unit: channels[column].unit.clone(),
                name,
                ..Motor::new(column, find(&format!("{}.rate", names[v])), arm.speed_limits()[v])
            })
        });
        let tip =
            setup.plan.as_ref().and_then(|plan| plan.tip.as_ref()).and_then(|(frame, path)| {
                let frame = setup.arm.frames()[*frame].name().to_owned();
                let column = |axis: &str| find(&format!("{frame}.position.{axis}"));
                let columns = [column("x")?, column("y")?, column("z")?];
                let wanted = std::sync::Arc::clone(path);
                Some(Tip { frame, wanted, columns, errors: Errors::default(), rest: None })
            });
        Some(Self {
            joints: joints.collect(),
            motors: motors.chain(others).collect(),
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
                if values[rate].abs() > motor.speed {
                    motor.fast += since;
                }
                let power = force * values[rate];
                motor.work += 0.5 * since * (motor.power + power);
                motor.absolute_work += 0.5 * since * (motor.power.abs() + power.abs());
                motor.power = power;
            }
        }
        if let Some(tip) = &mut self.tip {
            let mut square = 0.0;
            for (k, &column) in tip.columns.iter().enumerate() {
                let wanted = tip.wanted.component(k, t, false).value;
                square += (wanted - values[column]).powi(2);
            }
            tip.errors.see(square.sqrt(), since);
            if t >= self.end {
                let now = tip.columns.map(|column| values[column]);
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
            let share = |time: f64| if duration > 0.0 { time / duration } else { 0.0 };
            let (saturated, too_fast) = (share(motor.saturated), share(motor.fast));
            if too_fast > 0.0 {
                warnings.push(format!(
                    "{} is of a motor that is faster than the {} {} up to which it drives for {} % of the run",
                    motor.name,
                    short(motor.speed),
                    if motor.unit == "N" { "m/s" } else { "rad/s" },
                    short((1000.0 * too_fast).round() / 10.0),
                ));
            }
            if saturated > motor.allowed {
                warnings.push(format!(
                    "{} is at its limit of {} {} for {} % of the run, more than {} %: it cannot do what it is told",
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
                too_fast,
            }
        });
        let motors: Vec<MotorEffort> = motors.collect();
        let joints = self.joints.iter().filter(|joint| joint.place.is_some()).map(|joint| {
            let settled = joint.loose != Some(duration) || joint.way == 0.0;
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
