//! Error against time, and what lies on the front.

/// A model's error (m) and its time (s).
#[derive(Clone, Debug)]
pub(super) struct Point {
    pub(super) name: String,
    pub(super) error: f64,
    pub(super) seconds: f64,
}

/// The points that no other beats, nor any that lies between two others in the logarithms: the
/// quickest first.
pub(super) fn front(points: &[Point]) -> Vec<&Point> {
    let mut sorted: Vec<&Point> = points.iter().filter(|point| point.error.is_finite()).collect();
    sorted.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
    let mut front: Vec<&Point> = Vec::new();
    for point in sorted {
        if front.last().is_some_and(|last| point.error >= last.error) {
            continue;
        }
        while let [.., before, last] = front[..] {
            if time_between(before, point, last.error) > last.seconds {
                break;
            }
            front.pop();
        }
        front.push(point);
    }
    front
}

/// The time (s) at an error (m), on the line through two points in the logarithms.
fn time_between(worse: &Point, better: &Point, error: f64) -> f64 {
    let part = (worse.error / error).ln() / (worse.error / better.error).ln();
    worse.seconds * (better.seconds / worse.seconds).powf(part)
}

/// The time (s) at which the front reaches an error (m), or the quickest time where even that one is better; nothing where none is good
/// enough.
pub(super) fn time_at(points: &[Point], error: f64) -> Option<f64> {
    let front = front(points);
    let good = front.iter().position(|point| point.error <= error)?;
    let better = front[good];
    let Some(worse) = good.checked_sub(1).map(|k| front[k]) else { return Some(better.seconds) };
    Some(time_between(worse, better, error))
}
