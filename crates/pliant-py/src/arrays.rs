//! Functions of states over arrays of states: leading axes broadcast as in NumPy.
//!
//! An argument is an array `(..., n)`: one that is float64 and contiguous is read where it stands,
//! any other is copied once. Several states are computed in parallel, without the interpreter's
//! lock. Every number given is checked to be finite, which costs little beside a recursion.

use crate::arguments::{Argument, check, shape_word, states_of};
use crate::arm::Arm;
use crate::broadcast::{Steps, broadcast};
use crate::compiled::{self, Lent, RowSource};
use crate::error::{Kind, raise, raise_analysis, raise_evaluation};
use crate::threads;
use crate::views;
use crate::work::Work;
use numpy::{
    PyArray1, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyReadwriteArrayDyn, PyUntypedArray,
    PyUntypedArrayMethods,
};
use pliant::analyse::AnalysisError;
use pliant::compile::Quantity;
use pliant::dynamics::EvaluationError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use rayon::prelude::*;
use std::sync::Arc;

type Model = pliant::arm::Arm;

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
    map_compiled(owner, py, arguments, core, (out, None), function)
}

/// The same; for arrays of many states a quantity may be compiled that is what the function computes.
pub(crate) fn map_compiled<'py, const N: usize>(
    owner: &Arm,
    py: Python<'py>,
    arguments: [Argument<'_, 'py>; N],
    core: &[usize],
    (out, quantity): (Option<&Bound<'py, PyAny>>, Option<Quantity>),
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
        None => many(owner, py, &arguments, core, (out, quantity), checked),
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
            Ok(()) => {
                writable(py, &answer)?.as_slice_mut()?.copy_from_slice(&numbers);
                Ok(())
            }
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
    (out, quantity): (Option<&Bound<'py, PyAny>>, Option<Quantity>),
    function: impl Function<N>,
) -> PyResult<Bound<'py, PyAny>> {
    let arm = owner.arm();
    let given = Given::new(py, arm, arguments)?;
    let lead = &given.lead;
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
        let states = given.states()?;
        let compute = |work: &mut Work, index: usize, answer: &mut [f64]| {
            function(arm, work, states.of(index), answer)
        };
        let mut room = writable(py, &answer)?;
        let room = room.as_slice_mut()?;
        let kinds = arguments.each_ref().map(|argument| (argument.name, argument.side));
        let size = core.iter().product();
        let failed = py.detach(|| {
            let compiled = states.sources().zip(quantity).and_then(|(sources, quantity)| {
                let evaluator = owner.compiled.of(arm, quantity, room.len() / size)?;
                Some((evaluator, sources))
            });
            let look = |index: usize| {
                let mut all = kinds.iter().zip(states.of(index));
                all.try_for_each(|(&(name, side), state)| check(arm, name, side, state))
            };
            in_parallel(owner, size, room, (compute, look), compiled)
        });
        if let Some((index, error)) = failed {
            return Err(raise_evaluation(py, &error, &state_word(index, lead)));
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

/// The arguments of a call as arrays, and the leading shape that they have together.
struct Given<'py, const N: usize> {
    arrays: Vec<PyReadonlyArrayDyn<'py, f64>>,
    lengths: [usize; N],
    lead: Vec<usize>,
}

/// The numbers of each state.
struct States<'a, const N: usize>([(&'a [f64], Steps, usize); N]);

impl<'py, const N: usize> Given<'py, N> {
    fn new(py: Python<'py>, arm: &Model, arguments: &[Argument<'_, 'py>; N]) -> PyResult<Self> {
        let read = |argument| Ok(states_of(py, arm, argument)?.try_readonly()?);
        let arrays: Vec<_> = arguments.iter().map(read).collect::<PyResult<_>>()?;
        let leading: Vec<&[usize]> = arrays.iter().map(leading).collect();
        let lead = broadcast(&leading).ok_or_else(|| apart(py, arguments, &leading))?;
        let lengths = arguments.map(|argument| argument.side.length(arm));
        Ok(Self { arrays, lengths, lead })
    }

    fn states(&self) -> PyResult<States<'_, N>> {
        let mut states = [(); N].map(|()| (&[][..], Steps::Same, 0));
        for ((state, array), length) in states.iter_mut().zip(&self.arrays).zip(self.lengths) {
            *state = (array.as_slice()?, Steps::new(leading(array), &self.lead), length);
        }
        Ok(States(states))
    }
}

/// All axes but the last.
fn leading<'a>(array: &'a PyReadonlyArrayDyn<'_, f64>) -> &'a [usize] {
    &array.shape()[..array.ndim() - 1]
}

impl<'a, const N: usize> States<'a, N> {
    /// The arrays as they stand, unless one of them repeats in parts.
    fn sources(&self) -> Option<[RowSource<'a>; N]> {
        let is_plain = |steps: &Steps| !matches!(steps, Steps::Mixed(_));
        self.0.iter().all(|(_, steps, _)| is_plain(steps)).then(|| {
            self.0.each_ref().map(|(numbers, steps, length)| {
                let (length, is_same) = (*length, matches!(steps, Steps::Same));
                RowSource { numbers, length, is_same }
            })
        })
    }

    fn of(&self, index: usize) -> [&[f64]; N] {
        self.0.each_ref().map(|(numbers, steps, length)| {
            let at = steps.of(index) * length;
            &numbers[at..at + length]
        })
    }
}

/// Analyses one or many states, in parallel; returns the leading shape, and the answer for each.
pub(crate) fn collect<'py, const N: usize, T: Send>(
    owner: &Arm,
    py: Python<'py>,
    arguments: [Argument<'_, 'py>; N],
    analyse: impl Fn(&Model, [&[f64]; N]) -> Result<T, AnalysisError> + Sync,
) -> PyResult<(Vec<usize>, Vec<T>)> {
    let arm = owner.arm();
    let given = Given::new(py, arm, &arguments)?;
    let states = given.states()?;
    let kinds = arguments.map(|argument| (argument.name, argument.side));
    let count: usize = given.lead.iter().product();
    let one = |index: usize| {
        let state = states.of(index);
        for ((name, side), numbers) in kinds.into_iter().zip(state) {
            check(arm, name, side, numbers).map_err(|error| (index, error.into()))?;
        }
        analyse(arm, state).map_err(|error| (index, error))
    };
    let found: Result<Vec<T>, (usize, AnalysisError)> = py.detach(|| {
        if count < 2 {
            return (0..count).map(one).collect();
        }
        // all of them, so that the error is that of the first state that has one
        let all: Vec<_> = threads::install(|_| (0..count).into_par_iter().map(one).collect());
        all.into_iter().collect()
    });
    match found {
        Ok(found) => Ok((given.lead, found)),
        Err((index, error)) => Err(raise_analysis(py, &error, &state_word(index, &given.lead))),
    }
}

/// Computes every state; the first that fails, with its error.
fn in_parallel<const N: usize>(
    owner: &Arm,
    size: usize,
    room: &mut [f64],
    (compute, look): (
        impl Fn(&mut Work, usize, &mut [f64]) -> Result<(), EvaluationError> + Sync,
        impl Fn(usize) -> Result<(), EvaluationError> + Sync,
    ),
    compiled: Option<(Arc<Lent>, [RowSource<'_>; N])>,
) -> Option<(usize, EvaluationError)> {
    let arm = owner.arm();
    let run = |first: usize, part: &mut [f64]| {
        owner.work.lend(arm, |work| {
            if let Some((evaluator, sources)) = &compiled {
                // the first state looks whether there are accelerations at all
                if let Err(error) = compute(work, first, &mut part[..size]) {
                    return Some((first, error));
                }
                if compiled::is_bounded(arm) {
                    let rows = first..first + part.len() / size;
                    let failed = rows.map(|row| (row, look(row))).find(|(_, seen)| seen.is_err());
                    if let Some((row, Err(error))) = failed {
                        return Some((row, error));
                    }
                }
                let done = evaluator.lend(|evaluator| {
                    compiled::compute(evaluator, sources, first, part, SUSPICIOUS)
                });
                if done {
                    return None;
                }
            }
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

/// Accelerations and other answers beyond this may come of an inertia that is only rounding.
pub(crate) const SUSPICIOUS: f64 = 1e9;

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
