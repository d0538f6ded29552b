//! How well controllers followed their plan, for `summary.json`.

use serde::{Deserialize, Serialize};

/// How well controllers followed their plan, summed over the rows of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tracking {
    /// The time between the rows that all of it is taken from (s).
    pub interval: f64,
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
    pub effort_integral: f64,
    /// Half of it.
    pub half_effort_integral: f64,
    /// Akmehmet's `∫ uᵀ R u dt` with `R = 1` and `u = τ − k`: the forces without those that the arm
    /// itself needs at its places and rates (N² m² s, N² s).
    pub ideal_effort_integral: f64,
    /// Half of it, which his tables print.
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
    pub most: f64,
    /// Their root mean square.
    pub rms: f64,
    /// The last.
    pub last: f64,
    /// The largest of the rate.
    pub most_rate: f64,
    /// How long after the plan's end, or after the start for a target of its own, the error left
    /// 2 % of the joint's way for the last time (s), the way being from the least to the most of
    /// its targets and its start; none where it did not stay inside for the last 20th and the last
    /// five rows of the run, or where that ends before the plan.
    pub settled_after: Option<f64>,
}

/// The errors of a frame: its distance from the path (m).
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TipTracking {
    /// The frame.
    pub frame: String,
    /// The largest (m).
    pub most: f64,
    /// Their root mean square (m).
    pub rms: f64,
    /// The last (m).
    pub last: f64,
    /// Peak to peak, the largest of the three components, in the two seconds after the plan's end (m),
    /// whether links or joints still move; none where the run ends before.
    pub residual_vibration: Option<f64>,
}

/// What a motor gave.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MotorEffort {
    /// The output of the controller.
    pub name: String,
    /// The unit of its force.
    pub unit: String,
    /// The largest force, either way.
    pub peak: f64,
    /// The root mean square of the force.
    pub rms: f64,
    /// The work (J).
    pub work: f64,
    /// The work without regard of its sign (J).
    pub absolute_work: f64,
    /// The share of the run that it was at its limit.
    pub saturated: f64,
    /// The share of the run that it was faster than its actuator drives.
    #[serde(default)]
    pub too_fast: f64,
}
