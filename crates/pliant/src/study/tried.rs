//! What an optimisation knows: its trials, and how good each is for what is sought.

use super::optimiser::Trial;

/// What a search makes small.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Aim {
    /// Which figure.
    pub(super) figure: usize,
    /// What the other of two figures must not exceed.
    pub(super) bound: Option<f64>,
}

/// What is known.
#[derive(Clone, Debug, Default)]
pub(super) struct Tried {
    pub(super) aim: Aim,
    pub(super) trials: Vec<Trial>,
    /// The points as parts of the ranges.
    pub(super) parts: Vec<Vec<f64>>,
    /// The sizes of violations of each constraint among the first points.
    pub(super) sizes: Vec<f64>,
    /// How far figures among the first points are apart.
    pub(super) spread: f64,
}

/// How good a trial is; smaller is better.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Rank {
    /// The figure.
    Feasible(f64),
    /// The sum of the squares of what is violated.
    Infeasible(f64),
    Failed,
}

impl Rank {
    pub(super) fn total_cmp(self, other: Self) -> std::cmp::Ordering {
        let class = |rank| match rank {
            Self::Feasible(value) => (0, value),
            Self::Infeasible(violation) => (1, violation),
            Self::Failed => (2, 0.0),
        };
        let ((one, a), (two, b)) = (class(self), class(other));
        one.cmp(&two).then(a.total_cmp(&b))
    }
}

impl Tried {
    /// What is to be small and what must not be positive, in one list.
    pub(super) fn numbers(&self, trial: usize) -> Option<Vec<f64>> {
        let (values, constraints) = self.trials[trial].figures()?;
        let Aim { figure, bound } = self.aim;
        let beyond = bound.map(|bound| values[1 - figure] - bound);
        Some([&values[figure..=figure], constraints].concat().into_iter().chain(beyond).collect())
    }

    pub(super) fn rank(&self, trial: usize) -> Rank {
        let Some(numbers) = self.numbers(trial) else { return Rank::Failed };
        let constraints = &numbers[1..];
        if constraints.iter().all(|&g| g <= 0.0) {
            return Rank::Feasible(numbers[0]);
        }
        let parts = constraints.iter().zip(&self.sizes).map(|(g, size)| f64::max(0.0, *g) / size);
        Rank::Infeasible(parts.map(|part| part * part).sum())
    }

    /// The best of all trials, if it is feasible.
    pub(super) fn best(&self) -> Option<usize> {
        let all = (0..self.trials.len()).map(|k| (k, self.rank(k)));
        let best = all.min_by(|a, b| a.1.total_cmp(b.1))?;
        matches!(best.1, Rank::Feasible(_)).then_some(best.0)
    }

    /// The largest difference of a coordinate.
    pub(super) fn distance(&self, one: usize, other: usize) -> f64 {
        let pairs = self.parts[one].iter().zip(&self.parts[other]);
        pairs.fold(0.0, |most, (a, b)| f64::max(most, (a - b).abs()))
    }

    /// Looks at the sizes of all numbers so far.
    pub(super) fn measure(&mut self) {
        let known: Vec<Vec<f64>> = (0..self.trials.len()).filter_map(|k| self.numbers(k)).collect();
        let positive = |size: f64| if size > 0.0 { size } else { 1.0 };
        let width = known.first().map_or(1, Vec::len);
        let sizes = (1..width).map(|k| positive(median(known.iter().map(|all| all[k].abs()))));
        self.sizes = sizes.collect();
        let middle = median(known.iter().map(|all| all[0]));
        self.spread = positive(median(known.iter().map(|all| (all[0] - middle).abs())));
    }
}

fn median(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = numbers.collect();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}
