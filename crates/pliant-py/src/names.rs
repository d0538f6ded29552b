//! States by the names of their coordinates.

use crate::arguments::{Side, numbers, shape_word};
use crate::error::{Kind, raise};
use numpy::{PyArrayDyn, PyUntypedArrayMethods};
use pliant::arm::Arm;
use pliant_io::nearest;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PySlice, PyTuple};
use std::ops::Range;

/// The states that a dictionary describes, `(..., n)`. A key is the name of a coordinate, or of a
/// joint with several, whose value then has one number for each on its last axis; what is not
/// named is neutral, or zero. The motor of an elastic joint follows its link, unless it is named.
pub(crate) fn by_name<'py>(
    py: Python<'py>,
    arm: &Arm,
    name: &str,
    side: Side,
    given: &Bound<'py, PyDict>,
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let mut parts = Vec::new();
    for (key, value) in given {
        let Ok(key) = key.extract::<String>() else {
            let message = format!("{name} has the key {}, expected a name", key.repr()?);
            return Err(raise(py, Kind::Dtype, &message, None));
        };
        let range = find(arm, side, &key).ok_or_else(|| unknown(py, arm, name, side, &key))?;
        let value = numbers(py, &format!("{name}[\"{key}\"]"), &value)?;
        if range.len() > 1 && value.shape().last() != Some(&range.len()) {
            let (seen, needed) = (shape_word(value.shape(), ""), range.len());
            let message = format!("{name}[\"{key}\"] has shape {seen}, expected (..., {needed})");
            let names = side.names(arm)[range].join(", ");
            let help = format!("the last axis has one number each for {names}");
            return Err(raise(py, Kind::Shape, &message, Some(&help)));
        }
        parts.push((range, value));
    }
    if side != Side::Force {
        follow_links(arm, side, &mut parts);
    }
    joined(py, arm, name, side, &parts)
}

type Part<'py> = (Range<usize>, Bound<'py, PyArrayDyn<f64>>);

/// All parts side by side, where they broadcast.
fn joined<'py>(
    py: Python<'py>,
    arm: &Arm,
    name: &str,
    side: Side,
    parts: &[Part<'py>],
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let rest = match side {
        Side::Configuration => arm.neutral(),
        _ => vec![0.0; arm.nv()],
    };
    let numpy = py.import(intern!(py, "numpy"))?;
    let leading = parts.iter().map(|(range, value)| {
        let own = value.ndim() - usize::from(range.len() > 1);
        PyTuple::new(py, &value.shape()[..own])
    });
    let leading = PyTuple::new(py, leading.collect::<PyResult<Vec<_>>>()?)?;
    let lead = numpy.call_method1(intern!(py, "broadcast_shapes"), leading).map_err(|error| {
        let message = format!("the entries of {name} do not broadcast: {}", error.value(py));
        raise(py, Kind::Shape, &message, Some("leading axes must be equal, 1 or absent"))
    })?;
    let shape = lead.add((rest.len(),))?;
    let whole = numpy.call_method1(intern!(py, "empty"), (shape,))?;
    whole.set_item(py.Ellipsis(), rest)?;
    for (range, value) in parts {
        if range.len() > 1 {
            let own = PySlice::new(py, range.start.cast_signed(), range.end.cast_signed(), 1);
            whole.set_item((py.Ellipsis(), own), value)?;
        } else {
            whole.set_item((py.Ellipsis(), range.start), value)?;
        }
    }
    Ok(whole.cast_into()?)
}

/// The coordinates of a name: one, or those of a joint with several.
fn find(arm: &Arm, side: Side, name: &str) -> Option<Range<usize>> {
    let own = |link: usize| match side {
        Side::Configuration => arm.configuration_of(link),
        _ => arm.velocities_of(link),
    };
    let one = side.names(arm).iter().position(|known| known == name).map(|at| at..at + 1);
    let is_joint = |link: &usize| arm.joint_names()[*link] == name && own(*link).len() > 1;
    one.or_else(|| (0..arm.body_count()).find(is_joint).map(own))
}

fn unknown(py: Python<'_>, arm: &Arm, name: &str, side: Side, key: &str) -> PyErr {
    let names = side.names(arm);
    let known = names.join(", ");
    let help = match nearest(key, names.iter().map(String::as_str)) {
        Some(near) => format!("did you mean \"{near}\"? the coordinates are {known}"),
        None => format!("the coordinates are {known}"),
    };
    let message = format!("{name} names \"{key}\", which is no coordinate of the arm");
    raise(py, Kind::Argument, &message, Some(&help))
}

/// Where the link of an elastic joint is given and its motor is not, the spring is relaxed.
fn follow_links(arm: &Arm, side: Side, parts: &mut Vec<Part<'_>>) {
    for rotor in (0..arm.body_count()).filter(|&body| arm.is_rotor(body)) {
        let Some(link) = arm.link_of_rotor(rotor) else { continue };
        let [link, motor] = [link, rotor].map(|body| match side {
            Side::Configuration => arm.configuration_of(body),
            _ => arm.velocities_of(body),
        });
        let given = |range: &Range<usize>| parts.iter().find(|(own, _)| own == range);
        if let (Some((_, value)), None) = (given(&link), given(&motor)) {
            parts.push((motor, value.clone()));
        }
    }
}
