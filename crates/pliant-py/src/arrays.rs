//! Functions of states over arrays of states: leading axes broadcast as in NumPy.
//!
//! An argument is an array `(..., n)`: one that is float64 and contiguous is read where it stands,
//! any other is copied once. Several states are computed in parallel, without the interpreter's
//! lock. Every number given is checked to be finite, which costs little beside a recursion.

use crate::arm::Arm;
use crate::broadcast::{Steps, broadcast};
use crate::error::{Kind, raise, raise_evaluation};
use crate::names::by_name;
use crate::threads;
use crate::views;
use crate::work::Work;
use numpy::{
    PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyReadwriteArrayDyn, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pliant::dynamics::EvaluationError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use rayon::prelude::*;

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
    fn length(self, arm: &Model) -> usize {
        if self == Self::Wrench { 6 } else { self.names(arm).len() }
    }

    /// How the length of its last axis is called.
    fn letter(self) -> &'static str {
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
    name: &'static str,
    side: Side,
    value: &'a Bound<'py, PyAny>,
}

/// `q`, a configuration.
pub(crate) fn q<'a, 'py>(value: &'a Bound<'py, PyAny>) -> Argument<'a, 'py> {
    Argument { name: "q", side: Side::Configuration, value }
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

/// What is computed of one state, from its arguments in order.
pub(crate) trait Function<const N: usize>:
    Fn(&Model, &mut Work, [&[f64]; N], &mut [f64]) -> Result<(), EvaluationError> + Sync
{
}

impl<const N: usize, F> Function<N> for F where
    F: Fn(&Model, &mut Work, [&[f64]; N], &mut [f64]) -> Result<(), EvaluationError> + Sync
{
}

/// Applies a function to one or many states; `core` is the shape of its answer for one.
pub(crate) fn map<'py, const N: usize>(
    owner: &Arm,
    py: Python<'py>,
    arguments: [Argument<'_, 'py>; N],
    core: &[usize],
    out: Option<&Bound<'py, PyAny>>,
    function: impl Function<N>,
) -> PyResult<Bound<'py, PyAny>> {
    let kinds = arguments.map(|argument| (argument.name, argument.side));
    let checked = |arm: &Model, work: &mut Work, states: [&[f64]; N], answer: &mut [f64]| {
        for ((name, side), state) in kinds.into_iter().zip(states) {
            check(arm, name, side, state)?;
        }
        function(arm, work, states, answer)
    };
    match one(owner, py, &arguments, core, out, checked)? {
        Some(answer) => Ok(answer),
        None => many(owner, py, &arguments, core, out, checked),
    }
}

/// Checks the numbers of a state.
fn check(
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

/// One state, where every array can be used as it is.
fn one<'py, const N: usize>(
    owner: &Arm,
    py: Python<'py>,
    arguments: &[Argument<'_, 'py>; N],
    core: &[usize],
    out: Option<&Bound<'py, PyAny>>,
    function: impl Function<N>,
) -> PyResult<Option<Bound<'py, PyAny>>> {
    let arm = owner.arm();
    let mut vectors = [const { None }; N];
    for (vector, argument) in vectors.iter_mut().zip(arguments) {
        let Ok(array) = argument.value.cast::<PyArray1<f64>>() else { return Ok(None) };
        if array.len() != argument.side.length(arm) {
            return Ok(None);
        }
        *vector = Some(array);
    }
    let vectors = vectors.map(|vector| vector.expect("all of them are there"));
    let answer = match out {
        None => PyArrayDyn::zeros(py, core, false),
        Some(out) => match out.cast::<PyArrayDyn<f64>>() {
            Ok(out) if out.shape() == core && out.is_c_contiguous() => out.clone(),
            _ => return Ok(None),
        },
    };
    let computed = owner.work.lend(arm, |work| {
        let mut numbers = std::mem::take(&mut work.answer);
        numbers.resize(core.iter().product(), 0.0);
        let computed = views::with(vectors, |states| function(arm, work, states, &mut numbers));
        let computed = computed.map(|done| match done {
            Ok(()) => Ok(writable(py, &answer)?.as_slice_mut()?.copy_from_slice(&numbers)),
            Err(error) => Err(raise_evaluation(py, &error, "")),
        });
        work.answer = numbers;
        computed.transpose()
    })?;
    Ok(computed.map(|()| answer.into_any()))
}

/// Arrays of states.
fn many<'py, const N: usize>(
    owner: &Arm,
    py: Python<'py>,
    arguments: &[Argument<'_, 'py>; N],
    core: &[usize],
    out: Option<&Bound<'py, PyAny>>,
    function: impl Function<N>,
) -> PyResult<Bound<'py, PyAny>> {
    let arm = owner.arm();
    let arrays: Vec<PyReadonlyArrayDyn<'py, f64>> = arguments
        .iter()
        .map(|argument| Ok(states_of(py, arm, argument)?.try_readonly()?))
        .collect::<PyResult<_>>()?;
    let leading: Vec<&[usize]> =
        arrays.iter().map(|array| &array.shape()[..array.ndim() - 1]).collect();
    let lead = broadcast(&leading).ok_or_else(|| apart(py, arguments, &leading))?;
    let shape: Vec<usize> = lead.iter().chain(core).copied().collect();
    let empty = || -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let numpy = py.import(intern!(py, "numpy"))?;
        let shape = PyTuple::new(py, &shape)?;
        Ok(numpy.call_method1(intern!(py, "empty"), (shape,))?.cast_into()?)
    };
    let answer = match out {
        Some(out) if suitable(py, out, &shape)?.is_c_contiguous() => out.cast()?.clone(),
        _ => empty()?,
    };
    if answer.len() > 0 {
        let slices =
            arrays.iter().map(PyReadonlyArrayDyn::as_slice).collect::<Result<Vec<_>, _>>()?;
        let steps: Vec<(Steps, usize)> = arguments
            .iter()
            .zip(&leading)
            .map(|(argument, own)| (Steps::new(own, &lead), argument.side.length(arm)))
            .collect();
        let compute = |work: &mut Work, index: usize, answer: &mut [f64]| {
            let state = |k: usize| {
                let (steps, length) = &steps[k];
                let at = steps.of(index) * length;
                &slices[k][at..at + length]
            };
            function(arm, work, std::array::from_fn(state), answer)
        };
        let mut room = writable(py, &answer)?;
        let room = room.as_slice_mut()?;
        let size = core.iter().product();
        let failed = py.detach(|| in_parallel(owner, size, room, compute));
        if let Some((index, error)) = failed {
            return Err(raise_evaluation(py, &error, &state_word(index, &lead)));
        }
    }
    match out {
        Some(out) if !out.is(&answer) => {
            out.set_item(py.Ellipsis(), answer)?;
            Ok(out.clone())
        }
        _ => Ok(answer.into_any()),
    }
}

/// Computes every state; the first that fails, with its error.
fn in_parallel(
    owner: &Arm,
    size: usize,
    room: &mut [f64],
    compute: impl Fn(&mut Work, usize, &mut [f64]) -> Result<(), EvaluationError> + Sync,
) -> Option<(usize, EvaluationError)> {
    let arm = owner.arm();
    let run = |first: usize, part: &mut [f64]| {
        owner.work.lend(arm, |work| {
            part.chunks_exact_mut(size).zip(first..).find_map(|(answer, index)| {
                compute(work, index, answer).err().map(|error| (index, error))
            })
        })
    };
    let count = room.len() / size;
    if count < FEWEST {
        return run(0, room);
    }
    threads::install(|threads| {
        let chunk = (count / (CHUNKS * threads)).max(1);
        let parts = room.par_chunks_mut(chunk * size).enumerate();
        let failed = parts.filter_map(|(k, part)| run(k * chunk, part));
        failed.min_by_key(|(index, _)| *index)
    })
}

/// Fewer states are computed by one thread.
const FEWEST: usize = 32;

/// Into so many parts per thread states are divided.
const CHUNKS: usize = 8;

/// Room that nobody else reads or writes.
fn writable<'py>(
    py: Python<'py>,
    array: &Bound<'py, PyArrayDyn<f64>>,
) -> PyResult<PyReadwriteArrayDyn<'py, f64>> {
    array.try_readwrite().map_err(|error| match error {
        numpy::BorrowError::AlreadyBorrowed => raise(
            py,
            Kind::Argument,
            "out shares its memory with an argument, or another thread uses it",
            Some("give an array of its own"),
        ),
        _ => raise(
            py,
            Kind::Argument,
            "out cannot be written",
            Some("give an array whose flags.writeable is True"),
        ),
    })
}

/// An array for answers of this shape.
fn suitable<'a, 'py>(
    py: Python<'py>,
    out: &'a Bound<'py, PyAny>,
    shape: &[usize],
) -> PyResult<&'a Bound<'py, PyArrayDyn<f64>>> {
    let expected = format!("expected an array of float64 of shape {}", shape_word(shape, ""));
    let Ok(array) = out.cast::<PyUntypedArray>() else {
        let message = format!("out is of type {}, {expected}", out.get_type().name()?);
        return Err(raise(py, Kind::Dtype, &message, Some("give a NumPy array")));
    };
    if array.shape() != shape {
        let message = format!("out has shape {}, {expected}", shape_word(array.shape(), ""));
        return Err(raise(py, Kind::Shape, &message, None));
    }
    out.cast::<PyArrayDyn<f64>>().map_err(|_| {
        let message = format!("out has dtype {}, {expected}", array.dtype());
        raise(py, Kind::Dtype, &message, None)
    })
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
fn states_of<'py>(
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

/// That leading shapes do not broadcast.
fn apart<const N: usize>(
    py: Python<'_>,
    arguments: &[Argument<'_, '_>; N],
    leading: &[&[usize]],
) -> PyErr {
    let word = |(argument, lead): (&Argument<'_, '_>, &&[usize])| {
        format!("{} {}", argument.name, shape_word(lead, argument.side.letter()))
    };
    let all: Vec<String> = arguments.iter().zip(leading).map(word).collect();
    let message = format!("the shapes do not broadcast: {}", all.join(", "));
    let help = "leading axes must be equal, 1 or absent";
    raise(py, Kind::Shape, &message, Some(help))
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

/// Which of the states an error is about.
fn state_word(index: usize, lead: &[usize]) -> String {
    if lead.is_empty() {
        return String::new();
    }
    let mut rest = index;
    let mut places: Vec<String> = Vec::new();
    for &length in lead.iter().rev() {
        places.push((rest % length).to_string());
        rest /= length;
    }
    places.reverse();
    format!("state [{}]: ", places.join(", "))
}
