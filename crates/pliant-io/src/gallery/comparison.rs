//! How far the course of a run is from that of the same run with other values.

use super::file::Settings;
use super::measure::{Lack, gap, without_value};
use crate::scenario::{FromNow, Names};
use crate::shapes::Text;
use crate::table::table;

table! {
    /// How far a course is from that of the same run with other values: the largest difference, as a
    /// part of the largest value there, both without regard of sign.
    pub(crate) struct Difference = "difference",
        "write kind = \"difference\", expression = \"boom.y1\" and against = [\"tolerance=1e-12\"]";
    keys {
        /// An expression as of a course.
        expression: Text [required],
        /// Values of the scenario for the other run, beside those of the row.
        against: Names<Settings> [required],
        /// The time from which on they are compared.
        at: FromNow [= 0.0],
    }
}

/// The largest difference of two courses from a time on, as a part of the largest value of the other.
pub(super) fn difference(
    at: f64,
    (times, course): (&[f64], &[f64]),
    (other_times, other): (&[f64], &[f64]),
) -> Result<f64, Lack> {
    let from = times.partition_point(|time| *time < at - 1e-9 * at.abs());
    let span = times.last().copied().unwrap_or_default().abs();
    let apart = |(a, b): (&f64, &f64)| (a - b).abs() > 1e-9 * span;
    if times.len() != other_times.len() || times.iter().zip(other_times).any(apart) {
        return Err(Lack::Told("the rows of both runs are not of the same times".to_owned()));
    }
    if let Some(time) = [course, other].into_iter().find_map(|of| gap(&times[from..], &of[from..]))
    {
        return Err(without_value(time));
    }
    let pairs = || course.iter().zip(other).skip(from);
    let largest = pairs().fold(0.0, |most: f64, (_, other)| most.max(other.abs()));
    let farthest = pairs().fold(0.0, |most: f64, (one, other)| most.max((one - other).abs()));
    Ok(farthest / largest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_parts_of_the_other_course() {
        let times = [0.0, 1.0, 2.0];
        let of = |at, other_times: &[f64], other: &[f64]| {
            difference(at, (&times, &[1.0, 2.0, -3.0]), (other_times, other)).ok()
        };
        assert_eq!(of(0.0, &times, &[2.0, 2.0, -4.0]), Some(0.25));
        assert_eq!(of(0.0, &times, &[3.0, 2.0, -4.0]), Some(0.5));
        // only what is later counts
        assert_eq!(of(1.0, &times, &[9.0, 2.0, -4.0]), Some(0.25));
        assert_eq!(of(0.0, &[0.0, 1.0, 2.1], &[2.0, 2.0, -4.0]), None);
        assert_eq!(of(0.0, &times[..2], &[2.0, 2.0]), None);
    }
}
