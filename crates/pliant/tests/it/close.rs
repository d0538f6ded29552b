//! Comparing two arrays.

use std::fmt::Display;

/// Asserts that every entry of two arrays differs by at most `rel` of the largest entry wanted, or
/// of the size given with `of`. Prints the model, its seed, the worst entry and why it should fit.
macro_rules! assert_close {
    ($model:expr, $got:expr, $want:expr, rel = $rel:expr, of = $size:expr, $($why:tt)+) => {
        $crate::close::check(&$model, &$got[..], &$want[..], $rel, $size, &format!($($why)+))
    };
    ($model:expr, $got:expr, $want:expr, rel = $rel:expr, $($why:tt)+) => {{
        let size = $crate::close::largest(&$want[..]);
        $crate::close::check(&$model, &$got[..], &$want[..], $rel, size, &format!($($why)+))
    }};
}

/// What `assert_close!` does.
#[track_caller]
pub(crate) fn check(
    model: &dyn Display,
    got: &[f64],
    want: &[f64],
    rel: f64,
    size: f64,
    why: &str,
) {
    assert_eq!(got.len(), want.len(), "{model}: {why}: lengths differ");
    let errors = got.iter().zip(want).map(|(got, want)| (got - want).abs());
    // NaN counts as the largest
    let Some((i, error)) = errors.enumerate().max_by(|(_, a), (_, b)| a.total_cmp(b)) else {
        return;
    };
    let allowed = rel * size;
    assert!(
        error <= allowed,
        "{model}\n  {why}\n  worst entry {i} of {} is {:e}, should be {:e}; error {error:.2e}, allowed {allowed:.2e}",
        got.len(),
        got[i],
        want[i]
    );
}

/// The largest entry.
pub(crate) fn largest(array: &[f64]) -> f64 {
    array.iter().fold(0.0, |a, b| a.max(b.abs()))
}

/// The largest entry of `|M||x| + |b|`: what the rows of an equation of motion are made of.
pub(crate) fn terms(mass: &[f64], x: &[f64], b: &[f64]) -> f64 {
    let n = x.len();
    (0..n)
        .map(|row| {
            let products = (0..n).map(|column| (mass[row * n + column] * x[column]).abs());
            products.sum::<f64>() + b[row].abs()
        })
        .fold(0.0, f64::max)
}
