//! Error against time, and what lies on the front.

/// A model's error (m) and its time (s).
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub(super) name: String,
    pub(super) error: f64,
    pub(super) seconds: f64,
}

/// The points that no other beats in both, the quickest first.
pub(super) fn front(points: &[Point]) -> Vec<&Point> {
    let mut sorted: Vec<&Point> = points.iter().filter(|point| point.error.is_finite()).collect();
    sorted.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let mut front: Vec<&Point> = Vec::new();
    for point in sorted {
        if front.last().is_none_or(|last| point.error < last.error) {
            front.push(point);
        }
    }
    front
}

/// The time (s) at which the front reaches an error (m), straight in the logarithms between two
/// points; the quickest time where even that one is better, nothing where none is good enough.
pub(super) fn time_at(points: &[Point], error: f64) -> Option<f64> {
    let front = front(points);
    let good = front.iter().position(|point| point.error <= error)?;
    let better = front[good];
    let Some(worse) = good.checked_sub(1).map(|k| front[k]) else { return Some(better.seconds) };
    let part = (worse.error / error).ln() / (worse.error / better.error).ln();
    Some(worse.seconds * (better.seconds / worse.seconds).powf(part))
}
