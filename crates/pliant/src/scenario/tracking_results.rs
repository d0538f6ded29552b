//! How well controllers followed their plan, for `summary.json`.

use crate::simulate::number;
use serde::{Deserialize, Serialize};

/// How well controllers followed their plan, summed over the rows of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tracking {
    /// The time between the rows that all of it is taken from (s).
    #[serde(with = "number")]
    pub interval: f64,
    /// When the plan has arrived (s), if there is one.
    #[serde(default)]
    pub plan_end: Option<f64>,
    /// The joints of the plan, then those that a `pd` controller leads to targets of their own.
    pub joints: Vec<JointTracking>,
    /// The frame whose path was planned; of a plan for joints the tip, which should be where they
    /// have it while nothing bends.
    pub tip: Option<TipTracking>,
    /// What the motors gave.
    pub motors: Vec<MotorEffort>,
    /// Akmehmet's `∫ eᵀ Q e dt` over all these joints: not of the squared errors alone but of
    /// `100 e² + ė²`, with 100 1/s² for errors of places and 1 for those of rates (rad²/s, m²/s).
    /// None without targets.
    pub error_integral: Option<f64>,
    /// Half of it, which his tables print.
    pub half_error_integral: Option<f64>,
    /// `∫ τᵀ τ dt` of the motors' forces (N² m² s, N² s).
    #[serde(with = "number")]
    pub effort_integral: f64,
    /// Half of it.
    #[serde(with = "number")]
    pub half_effort_integral: f64,
    /// Akmehmet's `∫ uᵀ R u dt` with `R = 1` and `u = τ − k`: the forces without those that the arm
    /// itself needs at its places and rates (N² m² s, N² s).
    #[serde(with = "number")]
    pub ideal_effort_integral: f64,
    /// Half of it, which his tables print.
    #[serde(with = "number")]
    pub half_ideal_effort_integral: f64,
}

/// The errors of a joint: target less place.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JointTracking {
    /// Its name.
    pub name: String,
    /// The unit of its errors.
    pub unit: String,
    /// The largest.
    #[serde(with = "number")]
    pub most: f64,
    /// Their root mean square.
    #[serde(with = "number")]
    pub rms: f64,
    /// The last.
    #[serde(with = "number")]
    pub last: f64,
    /// The largest of the rate.
    #[serde(with = "number")]
    pub most_rate: f64,
    /// How long after the plan's end, or after the start for a target of its own, the error left
    /// 2 % of the joint's way for the last time (s), the way being from the least to the most of
    /// its targets and its start; none where it did not stay inside for the last 20th and the last
    /// five rows of the run, or where that has fewer than five rows after the plan.
    pub settled_after: Option<f64>,
    /// How far it went beyond its final value, after the plan's end or after the start for a target
    /// of its own, the way that the target led it there. Its final value is the middle of its range
    /// in the rest at the end of the run (see [`TipTracking::residual_amplitude`]); none where there
    /// is no rest, where the target still moved then, or where it went the other way.
    #[serde(default)]
    pub overshoot: Option<f64>,
}

/// The errors of a frame: its distance from the path (m).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TipTracking {
    /// The frame.
    pub frame: String,
    /// The largest (m).
    #[serde(with = "number")]
    pub most: f64,
    /// Their root mean square (m).
    #[serde(with = "number")]
    pub rms: f64,
    /// The last (m).
    #[serde(with = "number")]
    pub last: f64,
    /// Whether its errors contain what links sag: those of plans for joints of an arm that bends do.
    #[serde(default)]
    pub includes_sag: bool,
    /// The band about its final value within which it has settled (m).
    #[serde(default)]
    #[serde(with = "number")]
    pub band: f64,
    /// From when on it stays within the band about its final value until the run ends (s), which
    /// may be before the plan's end; none where it is beyond the band in the rest at the end of the run, or where there is
    /// no such rest.
    #[serde(default)]
    pub still_from: Option<f64>,
    /// The same counted from the plan's end (s), zero where it is before.
    #[serde(default)]
    pub settling_time: Option<f64>,
    /// How far it is from its final value at most (m) in the rest at the end of the run: the last
    /// quarter of the time after the plan, and no less than the longest period of the arm while its
    /// motors are held. The final value is the middle of its range then. None where the run ends too
    /// early for that, or breaks down.
    #[serde(default)]
    pub residual_amplitude: Option<f64>,
    /// How far it went beyond its final value after the plan's end, the way that the plan led it in its
    /// last tenth (m); none where there is no rest, or where the plan does not lead it anywhere.
    #[serde(default)]
    pub overshoot: Option<f64>,
}

/// What a motor gave.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MotorEffort {
    /// The output of the controller.
    pub name: String,
    /// The unit of its force.
    pub unit: String,
    /// The largest force, either way.
    #[serde(with = "number")]
    pub peak: f64,
    /// The root mean square of the force.
    #[serde(with = "number")]
    pub rms: f64,
    /// The largest power, either way (W).
    #[serde(default)]
    #[serde(with = "number")]
    pub peak_power: f64,
    /// The work (J).
    #[serde(with = "number")]
    pub work: f64,
    /// The energy that it used (J): its work where that is positive, with nothing won back.
    #[serde(default)]
    #[serde(with = "number")]
    pub energy: f64,
    /// The work without regard of its sign (J).
    #[serde(with = "number")]
    pub absolute_work: f64,
    /// The limit of its force, if there is one.
    #[serde(default)]
    pub limit: Option<f64>,
    /// The share of the run that it was at its limit.
    #[serde(with = "number")]
    pub saturated: f64,
    /// The share of the run that it was faster than its actuator drives.
    #[serde(default)]
    #[serde(with = "number")]
    pub too_fast: f64,
}
