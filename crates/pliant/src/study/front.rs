//! The trials that no other one beats, and where to look for more of them.

use super::optimiser::Trial;
use super::pareto::pareto_front;
use super::tried::Aim;
use super::{StudyError, TrialOutcome};

/// The feasible trials that no other feasible one beats, by their indices, ascending: those with the
/// smallest figure, or the Pareto front of several.
pub fn best_trials(trials: &[Trial]) -> Result<Vec<usize>, StudyError> {
    let feasible: Vec<usize> = (0..trials.len()).filter(|&k| trials[k].is_feasible()).collect();
    let values = |k: &usize| match &trials[*k].outcome {
        TrialOutcome::Figures { values, .. } => values.as_slice(),
        TrialOutcome::Failed => &[],
    };
    let points: Vec<&[f64]> = feasible.iter().map(values).collect();
    Ok(pareto_front(&points)?.into_iter().map(|k| feasible[k]).collect())
}

/// What to search next between points of the front of two figures: in the middle of the widest gap,
/// by the figure that changes more in it, and if that was searched, by the other one.
pub(super) fn within_gaps(points: &[[f64; 2]], searched: &[Aim]) -> Option<Aim> {
    let front = pareto_front(points).ok()?;
    let mut front: Vec<[f64; 2]> = front.into_iter().map(|k| points[k]).collect();
    front.sort_by(|a, b| a[0].total_cmp(&b[0]));
    let (first, last) = (front.first()?, front.last()?);
    let widths = [0, 1].map(|figure| (last[figure] - first[figure]).abs());
    let mut gaps: Vec<(f64, Aim)> = Vec::new();
    for two in front.windows(2) {
        for figure in [0, 1] {
            let other = 1 - figure;
            let wide = (two[1][other] - two[0][other]).abs() / widths[other];
            let bound = 0.5 * (two[0][other] + two[1][other]);
            gaps.push((wide, Aim { figure, bound: Some(bound) }));
        }
    }
    gaps.retain(|(wide, aim)| *wide > 0.0 && !searched.contains(aim));
    // of equal gaps the first
    gaps.into_iter().reduce(|most, gap| if gap.0 > most.0 { gap } else { most }).map(|gap| gap.1)
}

#[cfg(test)]
mod tests {
    use super::{Aim, within_gaps};

    #[test]
    fn the_widest_gap_is_searched_first() {
        let ends = [[0.0, 10.0], [4.0, 0.0]];
        let aim = |figure, bound| Some(Aim { figure, bound: Some(bound) });
        assert_eq!(within_gaps(&ends, &[]), aim(0, 5.0));
        // nothing was found there: by the other figure, and then no more
        let searched = [aim(0, 5.0), aim(1, 2.0)].map(|aim| aim.expect("an aim"));
        assert_eq!(within_gaps(&ends, &searched[..1]), aim(1, 2.0));
        assert_eq!(within_gaps(&ends, &searched), None);
        // a point nearer to the first end leaves a wider gap in the second figure
        let three = [[4.0, 0.0], [0.0, 10.0], [1.0, 8.0], [3.0, 9.0]];
        assert_eq!(within_gaps(&three, &searched), aim(0, 4.0));
        // figures that do not contradict each other have no front
        assert_eq!(within_gaps(&[[1.0, 1.0], [2.0, 3.0]], &[]), None);
        assert_eq!(within_gaps(&[], &[]), None);
    }
}
