//! Vectors of NumPy read in place.
//!
//! The `numpy` crate notes every array that is read in a table, which for the arguments of forward
//! dynamics takes as long as its recursion over two joints. One state is computed while the
//! interpreter is held, so that no other Python code touches its arrays, and there is no need to
//! note them. As in NumPy itself, code that writes to an array without holding the interpreter,
//! while it is read here, gives numbers of both.
#![expect(unsafe_code, reason = "reads arrays without the table of the numpy crate, see above")]

use numpy::{PyArray1, PyArrayMethods};
use pyo3::prelude::*;

/// Computes with the numbers of contiguous vectors; none where one is not contiguous. The
/// computation runs no Python and writes to no array.
pub(crate) fn with<const N: usize, T>(
    vectors: [&Bound<'_, PyArray1<f64>>; N],
    compute: impl FnOnce([&[f64]; N]) -> T,
) -> Option<T> {
    let mut slices: [&[f64]; N] = [&[]; N];
    for (slice, vector) in slices.iter_mut().zip(vectors) {
        // SAFETY: a `Bound` exists only while the interpreter is held, `compute` does not let it
        // go, and the slices end with it.
        *slice = unsafe { vector.as_slice() }.ok()?;
    }
    Some(compute(slices))
}
