//! The figures by which runs are compared, one number each.

use super::link_peaks::{LinkPeaks, RunPeak};
use super::tracking_results::{JointTracking, MotorEffort, TipTracking, Tracking};
use serde::{Deserialize, Serialize};

/// A figure of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunFigure {
    /// What it is, the same in all runs: `settling_time`. With kind and subject it is unique.
    pub name: String,
    /// The same in words.
    pub label: String,
    /// What the subject is.
    pub kind: FigureKind,
    /// The frame, joint, motor or link that it belongs to; `motors` for all of them together.
    pub subject: String,
    /// Its unit; `1` for ratios.
    pub unit: String,
    /// The number; none where it cannot be known.
    pub value: Option<f64>,
    /// Whether a lower number is the better one.
    pub lower_is_better: bool,
}

/// What a figure is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum FigureKind {
    /// The frame whose motion is watched.
    Tip,
    /// A joint that has a target.
    Joint,
    /// A motor.
    Motor,
    /// All motors together.
    Motors,
    /// A link that bends.
    Link,
}

/// The only one of which more is better.
const MARGIN: &str = "least_margin";

/// What is told of a subject: name, label, unit, number.
type Told<'a> = (&'a str, &'a str, &'a str, Option<f64>);

impl RunFigure {
    /// The figures of how controllers tracked, and of the links that bend.
    pub fn of(tracking: Option<&Tracking>, links: &[LinkPeaks]) -> Vec<Self> {
        let mut all = Vec::new();
        let mut tell = |kind: FigureKind, subject: &str, told: &[Told<'_>]| {
            all.extend(told.iter().map(|&(name, label, unit, value)| Self {
                name: name.to_owned(),
                label: label.to_owned(),
                kind,
                subject: subject.to_owned(),
                unit: unit.to_owned(),
                value: value.filter(|value| value.is_finite()),
                lower_is_better: name != MARGIN,
            }));
        };
        if let Some(tip) = tracking.and_then(|tracking| tracking.tip.as_ref()) {
            tell(FigureKind::Tip, &tip.frame, &of_tip(tip));
        }
        for joint in tracking.iter().flat_map(|tracking| &tracking.joints) {
            tell(FigureKind::Joint, &joint.name, &of_joint(joint));
        }
        for motor in tracking.iter().flat_map(|tracking| &tracking.motors) {
            tell(FigureKind::Motor, &motor.name, &of_motor(motor));
        }
        if let Some(tracking) = tracking.filter(|tracking| !tracking.motors.is_empty()) {
            let sum = tracking.motors.iter().map(|motor| motor.energy).sum();
            tell(FigureKind::Motors, "motors", &[("energy_used", "energy used", "J", Some(sum))]);
        }
        for link in links {
            tell(FigureKind::Link, &link.link, &of_link(link));
        }
        all
    }
}

fn of_tip(tip: &TipTracking) -> Vec<Told<'_>> {
    let [largest, rms, last] = if tip.includes_sag {
        ["largest error, sag included", "rms error, sag included", "last error, sag included"]
    } else {
        ["largest error", "rms error", "last error"]
    };
    vec![
        ("settling_time", "settling time after the plan", "s", tip.settling_time),
        ("still_from", "still from", "s", tip.still_from),
        ("residual_amplitude", "residual amplitude", "m", tip.residual_amplitude),
        ("overshoot", "overshoot", "m", tip.overshoot),
        ("largest_error", largest, "m", Some(tip.most)),
        ("rms_error", rms, "m", Some(tip.rms)),
        ("last_error", last, "m", Some(tip.last)),
    ]
}

fn of_joint(joint: &JointTracking) -> Vec<Told<'_>> {
    let unit = joint.unit.as_str();
    vec![
        ("settling_time", "settling time", "s", joint.settled_after),
        ("overshoot", "overshoot", unit, joint.overshoot),
        ("largest_error", "largest error", unit, Some(joint.most)),
        ("rms_error", "rms error", unit, Some(joint.rms)),
        ("last_error", "last error", unit, Some(joint.last.abs())),
    ]
}

fn of_motor(motor: &MotorEffort) -> Vec<Told<'_>> {
    let unit = motor.unit.as_str();
    let [peak, rms] = if unit == "N" {
        [("peak_force", "peak force"), ("rms_force", "rms force")]
    } else {
        [("peak_torque", "peak torque"), ("rms_torque", "rms torque")]
    };
    vec![
        (peak.0, peak.1, unit, Some(motor.peak)),
        (rms.0, rms.1, unit, Some(motor.rms)),
        ("peak_power", "peak power", "W", Some(motor.peak_power)),
        ("energy_used", "energy used", "J", Some(motor.energy)),
        ("absolute_work", "work without sign", "J", Some(motor.absolute_work)),
    ]
}

fn of_link(link: &LinkPeaks) -> Vec<Told<'_>> {
    let number = |peak: &Option<RunPeak>| peak.map(|peak| peak.value);
    vec![
        ("peak_deflection", "largest deflection of the tip", "m", number(&link.deflection)),
        ("peak_slope", "largest slope of the tip", "rad", number(&link.slope)),
        ("peak_moment", "largest bending moment", "N m", number(&link.moment)),
        ("peak_shear", "largest shear force", "N", number(&link.shear)),
        ("peak_torsion", "largest torque along the link", "N m", number(&link.torsion)),
        ("peak_stress", "largest stress", "Pa", number(&link.stress)),
        (MARGIN, "smallest margin", "1", number(&link.margin)),
    ]
}
