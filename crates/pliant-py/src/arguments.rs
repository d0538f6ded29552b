//! Arguments of functions of states.

use crate::arm::Arm;
use crate::error::{Kind, raise, raise_evaluation};
use crate::names::by_name;
use numpy::{PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods};
use pliant::dynamics::EvaluationError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;

type Model = pliant::arm::Arm;

/// Which coordinates an argument has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    /// The configuration.
    Configuration,
    /// Velocities or accelerations.
    Velocity,
    /// Forces.
    Force,
    /// Force and moment on a frame.
    Wrench,
}

impl Side {
    /// The names of its coordinates; of a wrench there are none.
    pub(crate) fn names(self, arm: &Model) -> &[String] {
        match self {
            Self::Configuration => arm.configuration_names(),
            Self::Velocity | Self::Force => arm.velocity_names(),
            Self::Wrench => &[],
        }
    }

    /// How many numbers its last axis has.
    pub(crate) fn length(self, arm: &Model) -> usize {
        if self == Self::Wrench { 6 } else { self.names(arm).len() }
    }

    /// How the length of its last axis is called.
    pub(crate) fn letter(self) -> &'static str {
        match self {
            Self::Configuration => "nq",
            Self::Velocity | Self::Force => "nv",
            Self::Wrench => "6",
        }
    }
}

/// An argument of a function of states.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Argument<'a, 'py> {
    pub(crate) name: &'static str,
    pub(crate) side: Side,
    pub(crate) value: &'a Bound<'py, PyAny>,
}

/// `q`, a configuration.
pub(crate) fn q<'a, 'py>(value: &'a Bound<'py, PyAny>) -> Argument<'a, 'py> {
    Argument { name: "q", side: Side::Configuration, value }
}

/// `undeformed`, a configuration.
pub(crate) fn undeformed<'a, 'py>(value: &'a Bound<'py, PyAny>) -> Argument<'a, 'py> {
    Argument { name: "undeformed", side: Side::Configuration, value }
}

/// `u`, velocities.
pub(crate) fn u<'a, 'py>(value: &'a Bound<'py, PyAny>) -> Argument<'a, 'py> {
    Argument { name: "u", side: Side::Velocity, value }
}

/// `ud`, accelerations.
pub(crate) fn ud<'a, 'py>(value: &'a Bound<'py, PyAny>) -> Argument<'a, 'py> {
    Argument { name: "ud", side: Side::Velocity, value }
}

/// `tau`, forces.
pub(crate) fn tau<'a, 'py>(value: &'a Bound<'py, PyAny>) -> Argument<'a, 'py> {
    Argument { name: "tau", side: Side::Force, value }
}

/// `loads`, generalised forces.
pub(crate) fn loads<'a, 'py>(value: &'a Bound<'py, PyAny>) -> Argument<'a, 'py> {
    Argument { name: "loads", side: Side::Force, value }
}

/// `wrench`, force and moment on a frame.
pub(crate) fn wrench<'a, 'py>(value: &'a Bound<'py, PyAny>) -> Argument<'a, 'py> {
    Argument { name: "wrench", side: Side::Wrench, value }
}

/// Checks the numbers of a state.
pub(crate) fn check(
    arm: &Model,
    name: &'static str,
    side: Side,
    state: &[f64],
) -> Result<(), EvaluationError> {
    match side {
        Side::Configuration => arm.check_configuration(state),
        Side::Velocity | Side::Force => arm.check_velocities(name, state),
        Side::Wrench => check_wrench(state),
    }
}

fn check_wrench(wrench: &[f64]) -> Result<(), EvaluationError> {
    match wrench.iter().position(|value| !value.is_finite()) {
        None => Ok(()),
        Some(at) => Err(EvaluationError::NotFinite {
            what: "wrench",
            coordinate: ["force", "moment"][at / 3].to_owned(),
            value: wrench[at],
        }),
    }
}

/// The numbers of an argument that is one state, checked.
pub(crate) fn one_state(
    py: Python<'_>,
    owner: &Arm,
    argument: Argument<'_, '_>,
) -> PyResult<Vec<f64>> {
    let array = states_of(py, owner.arm(), &argument)?;
    if array.ndim() > 1 {
        let (name, seen) = (argument.name, shape_word(array.shape(), ""));
        let message = format!("{name} has shape {seen}, expected one state");
        let needed = shape_word(&[argument.side.length(owner.arm())], "");
        return Err(raise(py, Kind::Shape, &message, Some(&format!("give shape {needed}"))));
    }
    let numbers = array.to_vec()?;
    check(owner.arm(), argument.name, argument.side, &numbers)
        .map_err(|error| raise_evaluation(py, &error, ""))?;
    Ok(numbers)
}

/// The numbers of an argument: float64, contiguous, one per coordinate on the last axis.
pub(crate) fn states_of<'py>(
    py: Python<'py>,
    arm: &Model,
    argument: &Argument<'_, 'py>,
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let Argument { name, side, value } = *argument;
    let array = match value.cast::<PyDict>() {
        Ok(named) if side != Side::Wrench => by_name(py, arm, name, side, named)?,
        _ => numbers(py, name, value)?,
    };
    let length = side.length(arm);
    if array.shape().last() != Some(&length) {
        let seen = shape_word(array.shape(), "");
        let message = format!("{name} has shape {seen}, expected (..., {length})");
        let names = match side {
            Side::Wrench => "force x, y, z and moment x, y, z".to_owned(),
            _ => side.names(arm).join(", "),
        };
        let help = format!("the last axis has one number each for {names}");
        return Err(raise(py, Kind::Shape, &message, Some(&help)));
    }
    Ok(array)
}

/// Real numbers as a contiguous array of float64, copied if need be.
pub(crate) fn numbers<'py>(
    py: Python<'py>,
    name: &str,
    value: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let numpy = py.import(intern!(py, "numpy"))?;
    let as_array = |value: &Bound<'py, PyAny>| numpy.call_method1(intern!(py, "asarray"), (value,));
    let array = match value.cast::<PyUntypedArray>() {
        Ok(_) => value.clone(),
        Err(_) => as_array(value).map_err(|error| {
            let message = format!("{name} is no array: {}", error.value(py));
            raise(py, Kind::Shape, &message, Some("give rows of equal length"))
        })?,
    };
    let dtype = array.cast::<PyUntypedArray>()?.dtype();
    let kind: String = dtype.getattr(intern!(py, "kind"))?.extract()?;
    if !["f", "i", "u"].contains(&kind.as_str()) {
        let message = format!("{name} has dtype {dtype}, expected real numbers (float64)");
        return Err(raise(py, Kind::Dtype, &message, None));
    }
    let wanted = PyDict::new(py);
    wanted.set_item(intern!(py, "dtype"), intern!(py, "float64"))?;
    wanted.set_item(intern!(py, "order"), intern!(py, "C"))?;
    let array = numpy.call_method(intern!(py, "asarray"), (array,), Some(&wanted))?;
    Ok(array.cast_into()?)
}

/// A shape as Python writes it, with a last axis by its letter.
pub(crate) fn shape_word(shape: &[usize], last: &str) -> String {
    let mut all: Vec<String> = shape.iter().map(usize::to_string).collect();
    all.extend((!last.is_empty()).then(|| last.to_owned()));
    match all.as_slice() {
        [one] => format!("({one},)"),
        all => format!("({})", all.join(", ")),
    }
}
