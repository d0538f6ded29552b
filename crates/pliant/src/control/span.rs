//! Where joints can be.

/// Where a joint can be (rad, m).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Span {
    /// Between limits.
    Between(f64, f64),
    /// A whole turn.
    Turn,
    /// Anywhere.
    Line,
}

impl Span {
    /// The nearest of so many places, evenly over the span, and its number; a line has so many in
    /// each metre.
    pub(super) fn nearest(&self, q: f64, cells: usize) -> (i64, f64) {
        use std::f64::consts::{PI, TAU};
        let (lower, width, most) = match *self {
            Self::Between(lower, upper) => (lower, upper - lower, cells as f64 - 1.0),
            Self::Turn => (-PI, TAU, f64::INFINITY),
            Self::Line => (0.0, 1.0, f64::INFINITY),
        };
        let width = (width / cells as f64).max(f64::MIN_POSITIVE);
        let q = if *self == Self::Turn { (q + PI).rem_euclid(TAU) - PI } else { q };
        let cell = ((q - lower) / width).floor();
        let cell = if most.is_finite() { cell.clamp(0.0, most) } else { cell };
        (cell as i64, lower + (cell + 0.5) * width)
    }
}
