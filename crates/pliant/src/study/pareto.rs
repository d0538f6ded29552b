//! Runs that no other run beats.

use super::StudyError;

/// The points that no other point dominates, by their indices, ascending.
///
/// A point has figures to be made small. It dominates another one if none of its figures is larger
/// and one is smaller. Equal points do not dominate each other. A point with a figure that is NaN is
/// left out. The time grows as `n log n` for one and two figures, and for more as `n` times the
/// points found.
///
/// ```
/// use pliant::study::pareto_front;
///
/// // time (s) and energy (J)
/// let runs = [[1.0, 9.0], [2.0, 4.0], [3.0, 5.0], [4.0, 1.0], [f64::NAN, 0.0]];
/// assert_eq!(pareto_front(&runs)?, [0, 1, 3]);
/// # Ok::<(), pliant::study::StudyError>(())
/// ```
pub fn pareto_front<P: AsRef<[f64]>>(points: &[P]) -> Result<Vec<usize>, StudyError> {
    let figures = |k: usize| points[k].as_ref();
    let first = points.first().map_or(0, |point| point.as_ref().len());
    if let Some(point) = points.iter().position(|point| point.as_ref().len() != first) {
        return Err(StudyError::Ragged { point, given: figures(point).len(), first });
    }
    let complete = |&k: &usize| figures(k).iter().all(|figure| !figure.is_nan());
    let mut order: Vec<usize> = (0..points.len()).filter(complete).collect();
    // a point that dominates another one comes before it
    let compared = |a: &usize, b: &usize| {
        let pairs = figures(*a).iter().zip(figures(*b));
        pairs.filter_map(|(a, b)| a.partial_cmp(b)).find(|order| order.is_ne()).unwrap_or(a.cmp(b))
    };
    order.sort_by(compared);

    let mut front: Vec<usize> = Vec::new();
    for k in order {
        let is_dominated = |&other: &usize| {
            let pairs = || figures(other).iter().zip(figures(k));
            pairs().all(|(a, b)| a <= b) && pairs().any(|(a, b)| a < b)
        };
        // of two figures, the second falls along the front: its last point is the one to beat
        let dominated = match first {
            0..=2 => front.last().is_some_and(is_dominated),
            _ => front.iter().any(is_dominated),
        };
        if !dominated {
            front.push(k);
        }
    }
    front.sort_unstable();
    Ok(front)
}
