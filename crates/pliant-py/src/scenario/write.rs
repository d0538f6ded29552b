//! Scenarios of the library as Python descriptions.

use super::words::{
    ACTION, AIM, AXES, DIRECTION, EFFORT, ESTIMATOR, FORM, GIVES, INTERPOLATION, LIMITS, START,
    WINDOW, word_of,
};
use crate::arm::Arm;
use crate::error::{Kind, raise};
use pliant::control::{
    CompositeDescription, ComputedTorqueDescription, DecouplingDescription,
    EnergyTorqueDescription, GravityPdDescription, HorizonDescription, LawDescription,
    MatrixUpdate, PerJoint, PidDescription, PseudolinkRows, VibrationDamping,
};
use pliant::plan::{ShaperKind, TimeScaling};
use pliant::reproduce::Variants;
use pliant::reproduce::akmehmet::EnergyFeedbackDescription;
use pliant::scenario::{
    ControllerDescription, ControllerKind, EstimatorDescription, InputDescription, InputTarget,
    MeasuredQuantity, Measurements, Passing, PlanAttitude, PlanDescription, PlanFollower, PlanKind,
    Scenario, SensorDescription, ShaperDescription,
};
use pliant::simulate::{Event, EventQuantity, IntegrationMethod, Signal};
use pliant_io::{Loaded, Report, Source};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::any::Any;

/// Keyword arguments of a description.
struct Named<'py>(Bound<'py, PyDict>);

impl<'py> Named<'py> {
    fn new(py: Python<'py>) -> Self {
        Self(PyDict::new(py))
    }

    fn set(self, name: &str, value: impl IntoPyObjectExt<'py>) -> PyResult<Self> {
        self.0.set_item(name, value.into_bound_py_any(self.0.py())?)?;
        Ok(self)
    }

    /// An object of a class of a module of the package.
    fn make(self, module: &str, class: &str) -> PyResult<Bound<'py, PyAny>> {
        let module = self.0.py().import(format!("pliant.{module}"))?;
        module.getattr(class)?.call((), Some(&self.0))
    }
}

fn list<'py, T>(
    py: Python<'py>,
    items: &[T],
    of: impl Fn(&T) -> PyResult<Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let items = items.iter().map(of).collect::<PyResult<Vec<_>>>()?;
    Ok(PyList::new(py, items)?.into_any())
}

fn dictionary<'py>(py: Python<'py>, numbers: &[(String, f64)]) -> PyResult<Bound<'py, PyAny>> {
    let dictionary = PyDict::new(py);
    for (name, number) in numbers {
        dictionary.set_item(name, number)?;
    }
    Ok(dictionary.into_any())
}

fn per_joint<'py>(py: Python<'py>, numbers: &PerJoint) -> PyResult<Bound<'py, PyAny>> {
    match numbers {
        PerJoint::All(number) => number.into_bound_py_any(py),
        PerJoint::ByName(numbers) => dictionary(py, numbers),
    }
}

fn unknown(py: Python<'_>, what: &str) -> PyErr {
    let message = format!("{what} has no Python class");
    raise(py, Kind::Argument, &message, Some("run the file with pliant.run"))
}

/// An arm of a description that was built before.
fn arm(py: Python<'_>, description: &pliant::arm::Builder, variants: &Variants) -> PyResult<Arm> {
    let built = description.clone().build();
    let arm = built.map_err(|error| crate::error::raise_help(py, Kind::Build, &error))?;
    Ok(Arm::new(Loaded {
        arm,
        description: description.clone(),
        variants: variants.clone(),
        warnings: Report::new(Source::new("scenario", ""), Vec::new()),
    }))
}

/// The `pliant.Scenario` of a scenario; the text is what it came from.
pub(crate) fn python_scenario<'py>(
    py: Python<'py>,
    scenario: &Scenario,
    origin: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let record = Named::new(py)
        .set("every", scenario.record.every)?
        .set("channels", scenario.record.channels.clone())?
        .make("signals", "Record")?;
    let plan = scenario.plan.as_ref().map(|own| plan(py, own)).transpose()?;
    let mut named = Named::new(py)
        .set("arm", arm(py, &scenario.arm, &scenario.variants)?)?
        .set("duration", scenario.duration)?
        .set("gravity", scenario.gravity)?
        .set("start", word_of(&START, scenario.start))?
        .set("initial", dictionary(py, &scenario.initial)?)?
        .set("rates", dictionary(py, &scenario.rates)?)?
        .set("tip", scenario.tip.clone())?
        .set("settling_band", scenario.settling_band)?
        .set("record", record)?
        .set("limits", word_of(&LIMITS, scenario.limits))?
        .set("seed", scenario.seed)?
        .set("fuse", scenario.fuse)?
        .set("inputs", list(py, &scenario.inputs, |one| input(py, one))?)?
        .set(
            "prescribed",
            list(py, &scenario.prescribed, |one| {
                Named::new(py)
                    .set("coordinate", &one.coordinate)?
                    .set("gives", word_of(&GIVES, one.gives))?
                    .set("signal", signal(py, &one.signal)?)?
                    .make("signals", "Prescribed")
            })?,
        )?
        .set("sensors", list(py, &scenario.sensors, |one| sensor(py, one))?)?
        .set("plan", plan)?
        .set("controllers", list(py, &scenario.controllers, |one| controller(py, one))?)?
        .set("events", list(py, &scenario.events, |one| event(py, one))?)?;
    named = match scenario.method {
        IntegrationMethod::Rk4 { step } => named.set("method", "rk4")?.set("step", step)?,
        IntegrationMethod::GeneralisedAlpha { step, spectral_radius } => named
            .set("method", "generalised-alpha")?
            .set("step", step)?
            .set("spectral_radius", spectral_radius)?,
        IntegrationMethod::Auto { tolerance } => named.set("tolerance", tolerance)?,
        IntegrationMethod::Dop853 { tolerance } => {
            named.set("method", "dop853")?.set("tolerance", tolerance)?
        }
        IntegrationMethod::Dopri5 { tolerance } => {
            named.set("method", "dopri5")?.set("tolerance", tolerance)?
        }
        IntegrationMethod::Adams { tolerance } => {
            named.set("method", "adams")?.set("tolerance", tolerance)?
        }
        IntegrationMethod::Radau5 { tolerance } => {
            named.set("method", "radau5")?.set("tolerance", tolerance)?
        }
        _ => return Err(unknown(py, "its method")),
    };
    let made = named.make("scenario", "Scenario")?;
    made.setattr("_origin", origin)?;
    Ok(made)
}

fn signal<'py>(py: Python<'py>, own: &Signal) -> PyResult<Bound<'py, PyAny>> {
    let new = Named::new(py);
    let (class, named) = match own {
        Signal::Constant(value) => ("Constant", new.set("value", *value)?),
        Signal::Step { at, before, after } => {
            ("Step", new.set("at", *at)?.set("before", *before)?.set("after", *after)?)
        }
        Signal::Ramp { start, duration, from, to } => {
            let named = new.set("start", *start)?.set("duration", *duration)?;
            ("Ramp", named.set("from_", *from)?.set("to", *to)?)
        }
        Signal::Sine { amplitude, frequency_hz, phase, offset, start } => {
            let named = new.set("amplitude", *amplitude)?.set("frequency", *frequency_hz)?;
            ("Sine", named.set("phase", *phase)?.set("offset", *offset)?.set("start", *start)?)
        }
        Signal::Chirp { amplitude, from_hz, to_hz, duration, phase, offset, start } => {
            let named = new.set("amplitude", *amplitude)?.set("from_", *from_hz)?;
            let named = named.set("to", *to_hz)?.set("duration", *duration)?;
            ("Chirp", named.set("phase", *phase)?.set("offset", *offset)?.set("start", *start)?)
        }
        Signal::Table(table) => {
            let interpolation = word_of(&INTERPOLATION, table.interpolation());
            let named = new.set("times", table.times().to_vec())?;
            let named = named.set("values", table.values().to_vec())?;
            ("Table", named.set("interpolation", interpolation)?)
        }
        Signal::Expression(expression) => ("Expression", new.set("expression", expression.text())?),
        Signal::Sum(parts) => ("Sum", new.set("parts", list(py, parts, |part| signal(py, part))?)?),
        Signal::Planned { .. } | Signal::Function(_) => return Err(unknown(py, "a signal")),
    };
    named.make("signals", class)
}

fn input<'py>(py: Python<'py>, own: &InputDescription) -> PyResult<Bound<'py, PyAny>> {
    let named = Named::new(py).set("signal", signal(py, &own.signal)?)?;
    let named = match &own.target {
        InputTarget::Motor(motor) => named.set("motor", motor)?,
        InputTarget::Load { frame, force, moment, axes } => named
            .set("frame", frame)?
            .set("force", *force)?
            .set("moment", *moment)?
            .set("axes", word_of(&AXES, *axes))?,
    };
    named.make("signals", "Input")
}

fn event<'py>(py: Python<'py>, own: &Event) -> PyResult<Bound<'py, PyAny>> {
    let EventQuantity::Expression(expression) = &own.quantity else {
        return Err(unknown(py, "an event"));
    };
    Named::new(py)
        .set("quantity", expression)?
        .set("name", &own.name)?
        .set("direction", word_of(&DIRECTION, own.direction))?
        .set("action", word_of(&ACTION, own.action))?
        .make("signals", "Event")
}

fn sensor<'py>(py: Python<'py>, own: &SensorDescription) -> PyResult<Bound<'py, PyAny>> {
    let named = Named::new(py)
        .set("name", &own.name)?
        .set("period", own.period)?
        .set("delay", own.delay)?
        .set("noise", own.noise)?
        .set("resolution", own.resolution)?;
    let (class, named) = match &own.measures {
        MeasuredQuantity::Coordinate(coordinate) => {
            ("Encoder", named.set("coordinate", coordinate)?)
        }
        MeasuredQuantity::Strain { link, at, place: [y, z] } => {
            let named = named.set("link", link)?.set("at", *at)?;
            ("StrainGauge", named.set("y", *y)?.set("z", *z)?)
        }
        MeasuredQuantity::Acceleration { frame } => ("Accelerometer", named.set("frame", frame)?),
        MeasuredQuantity::Position { frame } => ("PositionSensor", named.set("frame", frame)?),
    };
    named.make("sensors", class)
}

fn plan<'py>(py: Python<'py>, own: &PlanDescription) -> PyResult<Bound<'py, PyAny>> {
    let mut named = Named::new(py);
    let class = match &own.kind {
        PlanKind::Joints { joints } => {
            let shaper = own.shaper.as_ref().map(|own| shaper(py, own)).transpose()?;
            named = named.set("joints", joints.clone())?.set("shaper", shaper)?;
            "JointsPlan"
        }
        PlanKind::Line { frame, attitude, hold, near, sag } => {
            named = named.set("frame", frame.clone())?.set("hold", hold.clone())?;
            named = named.set("near", dictionary(py, near)?)?.set("sag", *sag)?;
            named = named.set("keep_attitude", *attitude == PlanAttitude::Initial)?;
            if let PlanAttitude::Given(all) = attitude {
                let rows: Vec<_> = all.iter().map(|own| own.to_rows()).collect();
                named = named.set("attitudes", rows)?;
            }
            "LinePlan"
        }
        PlanKind::Signals { joints, signals, end } => {
            let signals = list(py, signals, |one| signal(py, one))?;
            let named = named.set("signals", signals)?.set("joints", joints.clone())?;
            return named.set("end", *end)?.make("plans", "SignalPlan");
        }
    };
    named = named.set("points", own.points.clone())?.set("durations", own.durations.clone())?;
    named = named.set("start", own.start)?;
    named = match own.passing {
        Passing::Stop(TimeScaling::MinimumJerk) => named,
        Passing::Stop(TimeScaling::ParabolicSpeed) => named.set("profile", "parabolic")?,
        Passing::Stop(TimeScaling::Trapezoid(ramp)) => {
            named.set("profile", "trapezoid")?.set("accelerate", ramp)?
        }
        Passing::Stop(TimeScaling::Pulses(ramp)) => {
            named.set("profile", "pulses")?.set("accelerate", ramp)?
        }
        Passing::Blend(blend) => named.set("blend", blend)?,
        Passing::Through => named.set("through", true)?,
    };
    named.make("plans", class)
}

fn shaper<'py>(py: Python<'py>, own: &ShaperDescription) -> PyResult<Bound<'py, PyAny>> {
    let mut named = Named::new(py).set("modes", own.modes)?.set("period", own.period)?;
    if let Some([stiffness, damping]) = &own.servos {
        named = named.set("stiffness", per_joint(py, stiffness)?)?;
        named = named.set("damping", per_joint(py, damping)?)?;
    }
    let named = match own.kind {
        ShaperKind::Zv => named.set("kind", "zv")?,
        ShaperKind::Zvd => named.set("kind", "zvd")?,
        ShaperKind::Ei { left } => named.set("kind", "ei")?.set("left", left)?,
    };
    named.make("plans", "Shaper")
}

fn controller<'py>(py: Python<'py>, own: &ControllerDescription) -> PyResult<Bound<'py, PyAny>> {
    let named = Named::new(py)
        .set("name", &own.name)?
        .set("period", own.period)?
        .set("delay", own.delay)?;
    match &own.kind {
        ControllerKind::Pd { full_state, joints } => {
            let joint = |joint: &pliant::scenario::PdJoint| {
                Named::new(py)
                    .set("motor", &joint.motor)?
                    .set("sensor", joint.sensor.clone())?
                    .set("stiffness", joint.stiffness)?
                    .set("damping", joint.damping)?
                    .set("limit", joint.limit)?
                    .set("target", signal(py, &joint.target)?)?
                    .make("controllers", "PdJoint")
            };
            let named = named.set("full_state", *full_state)?;
            named.set("joints", list(py, joints, joint)?)?.make("controllers", "PdController")
        }
        ControllerKind::StrainPd { joints } => {
            let joint = |joint: &pliant::scenario::StrainJoint| {
                Named::new(py)
                    .set("motor", &joint.motor)?
                    .set("sensor", &joint.sensor)?
                    .set("stiffness", joint.stiffness)?
                    .set("damping", joint.damping)?
                    .set("limit", joint.limit)?
                    .make("controllers", "StrainJoint")
            };
            named.set("joints", list(py, joints, joint)?)?.make("controllers", "StrainController")
        }
        ControllerKind::Follow(follower) => {
            follow(py, named, follower)?.make("controllers", "Controller")
        }
    }
}

fn follow<'py>(py: Python<'py>, named: Named<'py>, own: &PlanFollower) -> PyResult<Named<'py>> {
    let named = match &own.measures {
        Measurements::FullState => named.set("full_state", true)?,
        Measurements::Sensors(sensors) => named.set("sensors", sensors.clone())?,
        Measurements::Estimator(sensors, own) => {
            let named = named.set("sensors", sensors.clone())?;
            named.set("estimator", estimator(py, own)?)?
        }
        Measurements::Own(..) => return Err(unknown(py, "an estimator")),
    };
    let model = own.model.as_ref();
    let model = model.map(|model| arm(py, model, &Variants::default())).transpose()?;
    let limits = match &own.limits {
        PerJoint::All(f64::INFINITY) => None,
        limits => Some(per_joint(py, limits)?),
    };
    named
        .set("law", law(py, &*own.law)?)?
        .set("model", model)?
        .set("knows_loads", own.knows_loads)?
        .set("limits", limits)?
        .set("saturation", own.saturation)
}

fn estimator<'py>(py: Python<'py>, own: &EstimatorDescription) -> PyResult<Bound<'py, PyAny>> {
    let noise = own.force_noise.as_ref().map(|noise| per_joint(py, noise)).transpose()?;
    Named::new(py)
        .set("kind", word_of(&ESTIMATOR, own.kind))?
        .set("force_noise", noise)?
        .set("bending_noise", own.bending_noise)?
        .make("controllers", "Estimator")
}

fn law<'py>(py: Python<'py>, own: &dyn LawDescription) -> PyResult<Bound<'py, PyAny>> {
    let own: &dyn Any = own;
    let gains = |stiffness: &PerJoint, damping: &PerJoint| {
        let named = Named::new(py).set("stiffness", per_joint(py, stiffness)?)?;
        named.set("damping", per_joint(py, damping)?)
    };
    let (class, named) = if let Some(own) = own.downcast_ref::<PidDescription>() {
        let named = gains(&own.stiffness, &own.damping)?;
        let named = named.set("integral", per_joint(py, &own.integral)?)?;
        ("Pid", named.set("feedforward", own.feedforward)?)
    } else if let Some(own) = own.downcast_ref::<GravityPdDescription>() {
        ("GravityPd", gains(&own.stiffness, &own.damping)?)
    } else if let Some(own) = own.downcast_ref::<ComputedTorqueDescription>() {
        ("ComputedTorque", update(gains(&own.stiffness, &own.damping)?, own.update)?)
    } else if let Some(own) = own.downcast_ref::<DecouplingDescription>() {
        let named = gains(&own.stiffness, &own.damping)?;
        ("Decoupling", named.set("update_period", own.update_period)?)
    } else if let Some(own) = own.downcast_ref::<CompositeDescription>() {
        composite(gains(&own.stiffness, &own.damping)?, own)?
    } else if let Some(own) = own.downcast_ref::<EnergyTorqueDescription>() {
        let named = update(horizon(Named::new(py), &own.horizon)?, own.update)?;
        ("EnergyTorque", named.set("as_printed", own.as_printed)?)
    } else if let Some(own) = own.downcast_ref::<EnergyFeedbackDescription>() {
        let named = update(horizon(Named::new(py), &own.horizon)?, own.update)?;
        let named = named.set("form", word_of(&FORM, own.form))?;
        let named = named.set("effort", word_of(&EFFORT, own.effort))?;
        ("EnergyFeedback", named.set("penalty", per_joint(py, &own.penalty)?)?)
    } else {
        return Err(unknown(py, "a law"));
    };
    named.make("controllers", class)
}

fn horizon<'py>(named: Named<'py>, own: &HorizonDescription) -> PyResult<Named<'py>> {
    named
        .set("horizon", own.length)?
        .set("gains_period", own.gains_period)?
        .set("window", word_of(&WINDOW, own.window))?
        .set("aim", word_of(&AIM, own.aim))
}

fn update(named: Named<'_>, own: MatrixUpdate) -> PyResult<Named<'_>> {
    match own {
        MatrixUpdate::Always => Ok(named),
        MatrixUpdate::Every(period) => named.set("update_period", period),
        MatrixUpdate::Changed(change) => named.set("update_change", change),
        MatrixUpdate::Strayed(distance) => named.set("update_distance", distance),
        MatrixUpdate::AlongTrajectory(period) => named.set("update_along_plan", period),
        MatrixUpdate::OverWorkspace(cells) => named.set("update_cells", cells),
    }
}

fn composite<'py>(
    named: Named<'py>,
    own: &CompositeDescription,
) -> PyResult<(&'static str, Named<'py>)> {
    let mut named = named.set("gains_period", own.gains_period)?.set("guard", own.guard)?;
    let class = match &own.rows {
        PseudolinkRows::None => "Composite",
        PseudolinkRows::All => "Pseudolink",
        PseudolinkRows::Joints(rows) => {
            named = named.set("rows", rows.clone())?;
            "Pseudolink"
        }
    };
    named = match own.vibrations {
        VibrationDamping::Ratio(ratio) => named.set("damping_ratio", ratio)?,
        VibrationDamping::Weights(weights) => named
            .set("bending_weight", weights.bending)?
            .set("rate_weight", weights.rate)?
            .set("input_weight", weights.input)?,
    };
    Ok((class, named))
}
