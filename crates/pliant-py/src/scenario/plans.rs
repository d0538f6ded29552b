//! Trajectories and sensors.

use super::attributes::{
    by_name, class_of, flag, get, names, number, numbers, optional, optional_names,
    optional_per_joint, refuse, rows, text, word,
};
use super::signals::signal;
use crate::callables::{self, Raised};
use crate::error::{Kind, raise};
use pliant::plan::{ShaperKind, TimeScaling};
use pliant::scenario::{
    MeasuredQuantity, Passing, PlanAttitude, PlanDescription, PlanKind, SensorDescription,
    ShaperDescription,
};
use pliant::simulate::{FunctionSignal, Interpolation, Signal};
use pliant::spatial::Mat3;
use pyo3::prelude::*;
use std::sync::Arc;

/// How a plan goes from point to point.
#[derive(Clone, Copy)]
enum Profile {
    MinimumJerk,
    Parabolic,
    Trapezoid,
    Pulses,
}

const PROFILES: [(&str, Profile); 4] = [
    ("minimum-jerk", Profile::MinimumJerk),
    ("parabolic", Profile::Parabolic),
    ("trapezoid", Profile::Trapezoid),
    ("pulses", Profile::Pulses),
];

pub(super) fn plan(value: &Bound<'_, PyAny>, raised: &Raised) -> PyResult<Option<PlanDescription>> {
    let kind = match class_of(value)?.as_str() {
        "JointsPlan" => PlanKind::Joints { joints: optional_names(value, "joints")? },
        "LinePlan" => PlanKind::Line {
            frame: get(value, "frame", "a name or None")?,
            attitude: attitude(value)?,
            hold: names(value, "hold")?,
            near: by_name(value, "near")?,
            sag: flag(value, "sag")?,
        },
        "SignalPlan" => return signal_plan(value, raised).map(Some),
        _ => return Ok(None),
    };
    let shaper = match &kind {
        PlanKind::Joints { .. } => {
            let shaper = value.getattr("shaper")?;
            if shaper.is_none() { None } else { Some(self::shaper(&shaper)?) }
        }
        _ => None,
    };
    Ok(Some(PlanDescription {
        kind,
        points: rows(value, "points")?,
        durations: numbers(value, "durations")?,
        start: number(value, "start")?,
        passing: passing(value)?,
        shaper,
    }))
}

fn attitude(value: &Bound<'_, PyAny>) -> PyResult<PlanAttitude> {
    let given = value.getattr("attitudes")?;
    match (flag(value, "keep_attitude")?, given.is_none()) {
        (true, true) => Ok(PlanAttitude::Initial),
        (false, true) => Ok(PlanAttitude::Any),
        (true, false) => {
            let message = "a LinePlan has both keep_attitude and attitudes";
            Err(raise(value.py(), Kind::Argument, message, Some("give one of them")))
        }
        (false, false) => {
            let needed = "rotation matrices, shape (n, 3, 3)";
            let found = callables::numbers(&given);
            let Some((numbers, _)) = found.filter(|(_, shape)| matches!(shape[..], [_, 3, 3]))
            else {
                return Err(refuse(value, "attitudes", &given, needed));
            };
            let matrix = |m: &[f64]| {
                Mat3::from_rows([[m[0], m[1], m[2]], [m[3], m[4], m[5]], [m[6], m[7], m[8]]])
            };
            Ok(PlanAttitude::Given(numbers.chunks_exact(9).map(matrix).collect()))
        }
    }
}

fn passing(value: &Bound<'_, PyAny>) -> PyResult<Passing> {
    let (blend, ramp) = (optional(value, "blend")?, optional(value, "accelerate")?);
    let (profile, through) = (word(value, "profile", &PROFILES)?, flag(value, "through")?);
    let is_usual = matches!(profile, Profile::MinimumJerk) && ramp.is_none();
    let refused =
        |message: &str, help: &str| Err(raise(value.py(), Kind::Argument, message, Some(help)));
    match (blend, through, ramp, profile) {
        (Some(_), true, ..) => refused("a plan has both blend and through", "give one of them"),
        (Some(_), false, ..) | (None, true, ..) if !is_usual => refused(
            "a plan that passes its points has a profile",
            "leave profile and accelerate out",
        ),
        (Some(blend), false, ..) => Ok(Passing::Blend(blend)),
        (None, true, ..) => Ok(Passing::Through),
        (_, _, Some(ramp), Profile::Trapezoid) => Ok(Passing::Stop(TimeScaling::Trapezoid(ramp))),
        (_, _, Some(ramp), Profile::Pulses) => Ok(Passing::Stop(TimeScaling::Pulses(ramp))),
        (_, _, None, Profile::MinimumJerk) => Ok(Passing::Stop(TimeScaling::MinimumJerk)),
        (_, _, None, Profile::Parabolic) => Ok(Passing::Stop(TimeScaling::ParabolicSpeed)),
        (_, _, None, _) => {
            refused("trapezoids and pulses need the time of speeding up", "give accelerate=0.2")
        }
        (_, _, Some(_), _) => {
            refused("only trapezoids and pulses have a time of speeding up", "leave accelerate out")
        }
    }
}

fn shaper(value: &Bound<'_, PyAny>) -> PyResult<ShaperDescription> {
    let left = number(value, "left")?;
    let kinds = [("zv", ShaperKind::Zv), ("zvd", ShaperKind::Zvd), ("ei", ShaperKind::Ei { left })];
    let stiffness = optional_per_joint(value, "stiffness")?;
    let damping = optional_per_joint(value, "damping")?;
    let servos = match (stiffness, damping) {
        (Some(stiffness), Some(damping)) => Some([stiffness, damping]),
        (None, None) => None,
        _ => {
            let message = "a Shaper has one of stiffness and damping";
            return Err(raise(value.py(), Kind::Argument, message, Some("give both or neither")));
        }
    };
    Ok(ShaperDescription {
        kind: word(value, "kind", &kinds)?,
        modes: get(value, "modes", "a count")?,
        servos,
        period: optional(value, "period")?,
    })
}

fn signal_plan(value: &Bound<'_, PyAny>, raised: &Raised) -> PyResult<PlanDescription> {
    let joints = optional_names(value, "joints")?;
    let given = value.getattr("signals")?;
    let signals: Vec<Signal> = if given.is_callable() {
        let breaks = numbers(value, "breaks")?;
        let all = callables::OwnTrajectory::new(&given, &breaks, raised)?;
        let own = |signal| Signal::Function(FunctionSignal(Arc::new(signal)));
        all.into_iter().map(own).collect()
    } else {
        let list = super::attributes::items(value, "signals")?;
        let one = |one: &Bound<'_, PyAny>| {
            signal(one, Interpolation::Cubic, raised)?
                .ok_or_else(|| refuse(value, "signals", one, "signals, or one function of time"))
        };
        list.iter().map(one).collect::<PyResult<_>>()?
    };
    let kind = PlanKind::Signals { joints, signals, end: optional(value, "end")? };
    Ok(PlanDescription { kind, ..PlanDescription::signals([]) })
}

pub(super) fn sensor(value: &Bound<'_, PyAny>) -> PyResult<Option<SensorDescription>> {
    let measures = match class_of(value)?.as_str() {
        "Encoder" => MeasuredQuantity::Coordinate(text(value, "coordinate")?),
        "StrainGauge" => MeasuredQuantity::Strain {
            link: text(value, "link")?,
            at: number(value, "at")?,
            place: [number(value, "y")?, number(value, "z")?],
        },
        "Accelerometer" => MeasuredQuantity::Acceleration { frame: text(value, "frame")? },
        "PositionSensor" => MeasuredQuantity::Position { frame: text(value, "frame")? },
        _ => return Ok(None),
    };
    Ok(Some(SensorDescription {
        name: text(value, "name")?,
        measures,
        period: number(value, "period")?,
        delay: number(value, "delay")?,
        noise: number(value, "noise")?,
        resolution: number(value, "resolution")?,
    }))
}
