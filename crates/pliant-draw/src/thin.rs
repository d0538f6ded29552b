//! Leaves out points of a curve that nobody can see.

use crate::canvas::Point;

/// Points nearer than this along x (pt) share a column.
const COLUMN: f64 = 0.3;

/// Of the points in a column, the first, the last, and those with the least and the greatest y stay.
/// Where x goes back, all points stay.
pub(crate) fn thin(points: &[Point]) -> Vec<Point> {
    let rising = points.windows(2).all(|pair| pair[0][0] <= pair[1][0]);
    let span = points.last().zip(points.first()).map_or(0.0, |(last, first)| last[0] - first[0]);
    if !rising || (points.len() as f64) < 4.0 * span / COLUMN {
        return points.to_vec();
    }
    let column = |point: &Point| (point[0] / COLUMN).floor();
    let mut kept = Vec::new();
    for chunk in points.chunk_by(|a, b| column(a) == column(b)) {
        let by_y = |a: &(usize, &Point), b: &(usize, &Point)| a.1[1].total_cmp(&b.1[1]);
        let least = chunk.iter().enumerate().min_by(by_y).map_or(0, |(k, _)| k);
        let most = chunk.iter().enumerate().max_by(by_y).map_or(0, |(k, _)| k);
        let mut stay = [0, least, most, chunk.len() - 1];
        stay.sort_unstable();
        kept.extend(
            stay.iter()
                .enumerate()
                .filter(|(n, k)| *n == 0 || stay[n - 1] != **k)
                .map(|(_, k)| chunk[*k]),
        );
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peaks_stay() {
        let mut points: Vec<Point> =
            (0..100_000).map(|k| [f64::from(k) * 0.004, f64::from(k % 7)]).collect();
        points[54_321][1] = 100.0;
        let kept = thin(&points);
        assert!(kept.len() < 6000, "{}", kept.len());
        assert!(kept.contains(&points[54_321]));
        assert_eq!((kept[0], kept[kept.len() - 1]), (points[0], points[99_999]));
        let few = &points[..10];
        assert_eq!(thin(&[few, few].concat()).len(), 20);
    }
}
