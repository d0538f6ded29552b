//! Controllers, laws and estimators.

use super::attributes::{
    class_of, flag, get, items, names, number, optional, optional_names, optional_per_joint,
    per_joint, refuse, text, word,
};
use super::signals::signal_of;
use super::words::{AIM, EFFORT, ESTIMATOR, FORM, WINDOW};
use crate::arm::Arm;
use crate::callables::{OwnEstimator, OwnLawDescription, Raised};
use crate::error::{Kind, raise};
use pliant::control::{
    CompositeDescription, CompositeWeights, ComputedTorqueDescription, DecouplingDescription,
    EnergyTorqueDescription, GravityPdDescription, HorizonDescription, LawDescription,
    MatrixUpdate, PerJoint, PidDescription, PseudolinkRows, VibrationDamping,
};
use pliant::reproduce::akmehmet::EnergyFeedbackDescription;
use pliant::scenario::{
    ControllerDescription, ControllerKind, EstimatorDescription, Measurements, PdJoint,
    PlanFollower, StrainJoint,
};
use pliant::simulate::Interpolation;
use pyo3::prelude::*;

pub(super) fn controller(
    value: &Bound<'_, PyAny>,
    raised: &Raised,
) -> PyResult<Option<ControllerDescription>> {
    let (kind, period) = match class_of(value)?.as_str() {
        "Controller" => {
            let follower = follower(value, raised)?;
            (ControllerKind::Follow(follower), optional(value, "period")?)
        }
        "PdController" => {
            let joints = items(value, "joints")?;
            let joints = joints.iter().map(|joint| pd_joint(joint, raised));
            let joints = joints.collect::<PyResult<_>>()?;
            let full_state = flag(value, "full_state")?;
            (ControllerKind::Pd { full_state, joints }, optional(value, "period")?)
        }
        "StrainController" => {
            let joints = items(value, "joints")?;
            let joints = joints.iter().map(strain_joint).collect::<PyResult<_>>()?;
            (ControllerKind::StrainPd { joints }, Some(number(value, "period")?))
        }
        _ => return Ok(None),
    };
    let (name, delay) = (text(value, "name")?, number(value, "delay")?);
    Ok(Some(ControllerDescription { name, period, delay, kind }))
}

fn pd_joint(value: &Bound<'_, PyAny>, raised: &Raised) -> PyResult<PdJoint> {
    Ok(PdJoint {
        motor: text(value, "motor")?,
        sensor: get(value, "sensor", "a name or None")?,
        stiffness: number(value, "stiffness")?,
        damping: number(value, "damping")?,
        limit: optional(value, "limit")?,
        target: signal_of(value, "target", Interpolation::Cubic, raised)?,
    })
}

fn strain_joint(value: &Bound<'_, PyAny>) -> PyResult<StrainJoint> {
    Ok(StrainJoint {
        motor: text(value, "motor")?,
        sensor: text(value, "sensor")?,
        stiffness: number(value, "stiffness")?,
        damping: number(value, "damping")?,
        limit: optional(value, "limit")?,
    })
}

fn follower(value: &Bound<'_, PyAny>, raised: &Raised) -> PyResult<PlanFollower> {
    let given = value.getattr("law")?;
    let follower = match law(&given)? {
        Some(law) => PlanFollower::new(law),
        None if given.is_callable() => {
            let telemetry = telemetry(value, &given)?;
            let own = OwnLawDescription::new(&given, telemetry, raised)?;
            PlanFollower::new(own)
        }
        None => {
            return Err(refuse(value, "law", &given, "a law, or a function of a ControlContext"));
        }
    };
    let usual = follower.saturation;
    let model = value.getattr("model")?;
    let model = if model.is_none() {
        None
    } else {
        let needed = || refuse(value, "model", &model, "an Arm or None");
        let arm = model.cast::<Arm>().map_err(|_| needed())?;
        Some(Box::new(arm.get().loaded.description.clone()))
    };
    Ok(PlanFollower {
        measures: measurements(value, raised)?,
        model,
        knows_loads: flag(value, "knows_loads")?,
        limits: optional_per_joint(value, "limits")?.unwrap_or(PerJoint::All(f64::INFINITY)),
        saturation: optional(value, "saturation")?.unwrap_or(usual),
        ..follower
    })
}

/// What a law of one's own returns beside its forces: as the controller says, or the law itself.
fn telemetry(value: &Bound<'_, PyAny>, law: &Bound<'_, PyAny>) -> PyResult<Vec<(String, String)>> {
    let mut given = value.getattr("telemetry")?;
    if given.is_none() {
        given = match law.getattr_opt("telemetry")? {
            Some(own) => own,
            None => return Ok(Vec::new()),
        };
    }
    let needed = "a dictionary of units by name";
    let read = || -> PyResult<Vec<(String, String)>> {
        given.call_method0("items")?.try_iter()?.map(|pair| pair?.extract()).collect()
    };
    read().map_err(|_| refuse(value, "telemetry", &given, needed))
}

fn measurements(value: &Bound<'_, PyAny>, raised: &Raised) -> PyResult<Measurements> {
    let (sensors, given) = (names(value, "sensors")?, value.getattr("estimator")?);
    if flag(value, "full_state")? {
        if !sensors.is_empty() || !given.is_none() {
            let message = "a Controller with full_state has sensors or an estimator";
            let help = "give the sensors it reads, or full_state=True";
            return Err(raise(value.py(), Kind::Argument, message, Some(help)));
        }
        return Ok(Measurements::FullState);
    }
    if given.is_none() {
        return Ok(Measurements::Sensors(sensors));
    }
    if class_of(&given)? == "Estimator" {
        let estimator = EstimatorDescription {
            kind: word(&given, "kind", &ESTIMATOR)?,
            force_noise: optional_per_joint(&given, "force_noise")?,
            bending_noise: number(&given, "bending_noise")?,
        };
        return Ok(Measurements::Estimator(sensors, estimator));
    }
    if given.is_callable() {
        return Ok(Measurements::Own(sensors, Box::new(OwnEstimator::new(&given, raised)?)));
    }
    let needed = "an Estimator, or a function of an EstimatorContext";
    Err(refuse(value, "estimator", &given, needed))
}

/// A law of the library, if it is one.
fn law(value: &Bound<'_, PyAny>) -> PyResult<Option<Box<dyn LawDescription>>> {
    let joints = |name: &str| per_joint(value, name);
    Ok(Some(match class_of(value)?.as_str() {
        "Pid" => PidDescription {
            stiffness: joints("stiffness")?,
            damping: joints("damping")?,
            integral: joints("integral")?,
            feedforward: flag(value, "feedforward")?,
        }
        .into(),
        "GravityPd" => GravityPdDescription::new(joints("stiffness")?, joints("damping")?).into(),
        "ComputedTorque" => ComputedTorqueDescription {
            stiffness: joints("stiffness")?,
            damping: joints("damping")?,
            update: update(value)?,
        }
        .into(),
        "Decoupling" => DecouplingDescription {
            stiffness: joints("stiffness")?,
            damping: joints("damping")?,
            update_period: optional(value, "update_period")?,
        }
        .into(),
        "Composite" => composite(value, None)?.into(),
        "Pseudolink" => {
            let rows = optional_names(value, "rows")?;
            let rows = rows.map_or(PseudolinkRows::All, PseudolinkRows::Joints);
            composite(value, Some(rows))?.into()
        }
        "EnergyTorque" => EnergyTorqueDescription {
            horizon: horizon(value)?,
            update: update(value)?,
            as_printed: flag(value, "as_printed")?,
        }
        .into(),
        "EnergyFeedback" => EnergyFeedbackDescription {
            horizon: horizon(value)?,
            update: update(value)?,
            form: word(value, "form", &FORM)?,
            effort: word(value, "effort", &EFFORT)?,
            penalty: joints("penalty")?,
        }
        .into(),
        _ => return Ok(None),
    }))
}

fn horizon(value: &Bound<'_, PyAny>) -> PyResult<HorizonDescription> {
    Ok(HorizonDescription {
        length: number(value, "horizon")?,
        gains_period: optional(value, "gains_period")?,
        window: word(value, "window", &WINDOW)?,
        aim: word(value, "aim", &AIM)?,
    })
}

fn update(value: &Bound<'_, PyAny>) -> PyResult<MatrixUpdate> {
    let cells: Option<usize> = get(value, "update_cells", "a count or None")?;
    let policies = [
        optional(value, "update_period")?.map(MatrixUpdate::Every),
        optional(value, "update_change")?.map(MatrixUpdate::Changed),
        optional(value, "update_distance")?.map(MatrixUpdate::Strayed),
        optional(value, "update_along_plan")?.map(MatrixUpdate::AlongTrajectory),
        cells.map(MatrixUpdate::OverWorkspace),
    ];
    let given: Vec<MatrixUpdate> = policies.into_iter().flatten().collect();
    match given.as_slice() {
        [] => Ok(MatrixUpdate::Always),
        [one] => Ok(*one),
        _ => {
            let message = "a law has several of update_period, update_change, update_distance, update_along_plan and update_cells";
            let help = "give one: each is a policy of its own";
            Err(raise(value.py(), Kind::Argument, message, Some(help)))
        }
    }
}

/// Of its pseudolinks, or of the angles of its joints.
fn composite(
    value: &Bound<'_, PyAny>,
    rows: Option<PseudolinkRows>,
) -> PyResult<CompositeDescription> {
    let usual =
        CompositeDescription::new(per_joint(value, "stiffness")?, per_joint(value, "damping")?);
    let weights = [
        optional(value, "bending_weight")?,
        optional(value, "rate_weight")?,
        optional(value, "input_weight")?,
    ];
    let of = CompositeWeights::default();
    let weighted = CompositeWeights {
        bending: weights[0].unwrap_or(of.bending),
        rate: weights[1].unwrap_or(of.rate),
        input: weights[2].unwrap_or(of.input),
    };
    let has_weights = weights.iter().any(Option::is_some);
    let ratio = match &rows {
        None => optional(value, "damping_ratio")?,
        Some(_) => None,
    };
    if has_weights && ratio.is_some() {
        let message = "a Composite has both damping_ratio and weights";
        let help = "leave out damping_ratio, whose weights follow from the arm, or the weights";
        return Err(raise(value.py(), Kind::Argument, message, Some(help)));
    }
    let vibrations = if has_weights || rows.is_some() {
        VibrationDamping::Weights(weighted)
    } else {
        VibrationDamping::Ratio(ratio.unwrap_or(VibrationDamping::RATIO))
    };
    Ok(CompositeDescription {
        rows: rows.unwrap_or(PseudolinkRows::None),
        vibrations,
        gains_period: number(value, "gains_period")?,
        guard: optional(value, "guard")?.unwrap_or(usual.guard),
        ..usual
    })
}
