//! The smallest figure of runs under constraints.

use super::direct_search::DirectSearch;
use super::factor::between;
use super::sobol::SobolSequence;
use super::{Factor, StudyError};
use libm::{exp, log};

/// Points that a start is chosen from.
const POINTS_PER_START: usize = 8;

/// Starts are at least this part of the ranges apart, if there are such points.
const APART: f64 = 0.2;

/// A parameter to choose, in its own unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DesignVariable {
    /// The smallest value.
    pub from: f64,
    /// The largest value.
    pub to: f64,
    /// Whether equal ratios count alike instead of equal differences; both ends are positive then.
    pub logarithmic: bool,
}

impl DesignVariable {
    fn check(self, variable: usize) -> Result<(), StudyError> {
        let Self { from, to, logarithmic } = self;
        let range = if logarithmic {
            Factor::LogUniform { from, to }
        } else {
            Factor::Uniform { from, to }
        };
        range.check(variable)
    }

    /// The value at a part of the range, from 0 to 1.
    fn at(self, part: f64) -> f64 {
        let Self { from, to, logarithmic } = self;
        match part {
            0.0 => from,
            1.0 => to,
            _ if logarithmic => exp(between(log(from), log(to), part)).clamp(from, to),
            _ => between(from, to, part).clamp(from, to),
        }
    }
}

/// What is to be optimised, and how long.
#[derive(Clone, Debug, PartialEq)]
pub struct Optimisation {
    /// What is chosen.
    pub variables: Vec<DesignVariable>,
    /// How many constraints there are; each is a number that must not be positive.
    pub constraints: usize,
    /// How often a search starts, each time from another point.
    pub starts: usize,
    /// Most trials.
    pub evaluations: usize,
    /// A search ends when its steps are smaller than this part of the ranges.
    pub tolerance: f64,
    /// Other seeds, other points.
    pub seed: u64,
}

impl Optimisation {
    /// 3 starts, at most 2000 trials, steps down to 1e-5 of the ranges.
    pub fn new(variables: Vec<DesignVariable>, constraints: usize) -> Self {
        Self { variables, constraints, starts: 3, evaluations: 2000, tolerance: 1e-5, seed: 0 }
    }
}

/// What a trial found.
#[derive(Clone, Debug, PartialEq)]
pub enum TrialOutcome {
    /// The run ended.
    Figure {
        /// What is to be small.
        value: f64,
        /// What must not be positive, each in its own unit.
        constraints: Vec<f64>,
    },
    /// The run failed, or one of its figures is no finite number.
    Failed,
}

/// A point that was tried.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// The values of the variables.
    pub point: Vec<f64>,
    /// What was found there.
    pub outcome: TrialOutcome,
}

impl Trial {
    /// Whether the run ended with figures that keep all constraints.
    pub fn is_feasible(&self) -> bool {
        self.figures().is_some_and(|(_, constraints)| constraints.iter().all(|&g| g <= 0.0))
    }

    /// The figure and the constraints.
    pub(super) fn figures(&self) -> Option<(f64, &[f64])> {
        match &self.outcome {
            TrialOutcome::Figure { value, constraints } => Some((*value, constraints)),
            TrialOutcome::Failed => None,
        }
    }
}

/// A search for the smallest figure, one trial after the other.
///
/// First, points of a Sobol sequence are tried. From the best of them that are apart, searches
/// start one after the other: a direct search (Audet and Dennis 2006) with quadratic models of the
/// figure and of every constraint (Conn and Le Digabel 2013). No derivatives are needed, and figures may have noise and steps. A feasible
/// point is better than any other; of two infeasible points, the one is better that violates less;
/// a run that failed is as bad as a point can be.
///
/// The points depend on the problem and the outcomes alone, on no clock, so that an optimisation
/// that was stopped is taken up by [`Optimiser::resume`] with the trials that were kept.
///
/// ```
/// use pliant::study::{DesignVariable, Optimisation, Optimiser, TrialOutcome};
///
/// let side = DesignVariable { from: 0.1, to: 10.0, logarithmic: true };
/// let mut search = Optimiser::new(Optimisation::new(vec![side, side], 1))?;
/// while let Some(point) = search.next_point() {
///     // the shortest fence around a field of at least 6 m²
///     let [width, length] = [point[0], point[1]];
///     let outcome = TrialOutcome::Figure {
///         value: 2.0 * (width + length),
///         constraints: vec![6.0 - width * length],
///     };
///     search.tell(outcome)?;
/// }
/// let best = search.best().ok_or("no field is that large")?;
/// assert!((best.point[0] / 6.0_f64.sqrt() - 1.0).abs() < 1e-3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Optimiser {
    problem: Optimisation,
    sequence: SobolSequence,
    tried: Tried,
    stage: Stage,
    /// The point whose outcome is awaited, as parts of the ranges.
    open: Option<Vec<f64>>,
}

/// What is known.
#[derive(Clone, Debug, Default)]
pub(super) struct Tried {
    pub(super) trials: Vec<Trial>,
    /// The points as parts of the ranges.
    pub(super) parts: Vec<Vec<f64>>,
    /// The sizes of violations of each constraint among the first points.
    pub(super) sizes: Vec<f64>,
    /// How far figures among the first points are apart.
    pub(super) spread: f64,
}

#[derive(Clone, Debug)]
enum Stage {
    Exploring,
    /// From the start of that number.
    Searching(usize, DirectSearch),
    Ended,
}

impl Optimiser {
    /// Checks the variables.
    pub fn new(problem: Optimisation) -> Result<Self, StudyError> {
        if problem.variables.is_empty() {
            return Err(StudyError::NoFactors);
        }
        for (k, variable) in problem.variables.iter().enumerate() {
            variable.check(k)?;
        }
        if problem.starts == 0 || problem.evaluations == 0 {
            return Err(StudyError::NoRuns);
        }
        let tolerance = problem.tolerance;
        if !(tolerance > 0.0 && tolerance < 1.0) {
            return Err(StudyError::Part { quantity: "the tolerance", value: tolerance });
        }
        let sequence = SobolSequence::new(problem.variables.len(), 1, problem.seed)?;
        let (tried, stage) = (Tried::default(), Stage::Exploring);
        Ok(Self { problem, sequence, tried, stage, open: None })
    }

    /// Takes up an optimisation after these trials, which are compared with what it asks for.
    pub fn resume(problem: Optimisation, trials: &[Trial]) -> Result<Self, StudyError> {
        let mut resumed = Self::new(problem)?;
        for (trial, kept) in trials.iter().enumerate() {
            if resumed.next_point().as_ref() != Some(&kept.point) {
                return Err(StudyError::OtherTrial { trial });
            }
            resumed.tell(kept.outcome.clone())?;
        }
        Ok(resumed)
    }

    /// The next point to try, or none at the end. It is the same one until its outcome is told.
    pub fn next_point(&mut self) -> Option<Vec<f64>> {
        if self.open.is_none() {
            self.open = self.propose();
        }
        self.open.as_deref().map(|parts| self.point(parts))
    }

    fn point(&self, parts: &[f64]) -> Vec<f64> {
        let pairs = parts.iter().zip(&self.problem.variables);
        pairs.map(|(&part, variable)| variable.at(part)).collect()
    }

    /// What was found at that point.
    pub fn tell(&mut self, outcome: TrialOutcome) -> Result<(), StudyError> {
        let outcome = match outcome {
            TrialOutcome::Figure { value, constraints } => {
                let (given, wanted) = (constraints.len(), self.problem.constraints);
                if given != wanted {
                    return Err(StudyError::Constraints { given, wanted });
                }
                let finite = value.is_finite() && constraints.iter().all(|g| g.is_finite());
                if finite {
                    TrialOutcome::Figure { value, constraints }
                } else {
                    TrialOutcome::Failed
                }
            }
            TrialOutcome::Failed => TrialOutcome::Failed,
        };
        let parts = self.open.take().ok_or(StudyError::NotAsked)?;
        self.tried.trials.push(Trial { point: self.point(&parts), outcome });
        self.tried.parts.push(parts);
        let last = self.tried.trials.len() - 1;
        if let Stage::Searching(_, search) = &mut self.stage {
            search.learn(&self.tried, last);
        }
        Ok(())
    }

    /// All trials in their order.
    pub fn trials(&self) -> &[Trial] {
        &self.tried.trials
    }

    /// The best trial, which is feasible.
    pub fn best(&self) -> Option<&Trial> {
        let value = |trial: &Trial| trial.figures().map_or(f64::INFINITY, |(value, _)| value);
        let feasible = self.tried.trials.iter().filter(|trial| trial.is_feasible());
        feasible.min_by(|a, b| value(a).total_cmp(&value(b)))
    }

    fn propose(&mut self) -> Option<Vec<f64>> {
        let told = self.tried.trials.len();
        if told >= self.problem.evaluations {
            self.stage = Stage::Ended;
        }
        let width = self.problem.variables.len();
        loop {
            match &mut self.stage {
                Stage::Exploring => {
                    let wanted = self.problem.starts * POINTS_PER_START;
                    let knows = self.tried.trials.iter().any(|trial| trial.figures().is_some());
                    if told < wanted || !knows {
                        let point = (0..width).map(|j| self.sequence.unit(told as u64, j));
                        return Some(point.collect());
                    }
                    self.tried.measure(self.problem.constraints);
                    self.start(0);
                }
                Stage::Searching(number, search) => {
                    let point = search.propose(&self.tried, told);
                    if point.is_some() {
                        return point;
                    }
                    let next = *number + 1;
                    self.start(next);
                }
                Stage::Ended => return None,
            }
        }
    }

    /// Starts from the best of the first points that are apart from other starts.
    fn start(&mut self, number: usize) {
        let Optimisation { starts, evaluations, tolerance, seed, .. } = self.problem;
        let told = self.tried.trials.len();
        if number == starts {
            self.stage = Stage::Ended;
            return;
        }
        let first = told.min(starts * POINTS_PER_START);
        let mut order: Vec<usize> = (0..first.max(1)).collect();
        order.sort_by(|&a, &b| self.tried.rank(a).total_cmp(self.tried.rank(b)));
        let mut chosen: Vec<usize> = Vec::new();
        for _ in 0..=number {
            let is_new = |k: &&usize| !chosen.contains(*k);
            let is_apart = |k: &&usize| chosen.iter().all(|&c| self.tried.distance(**k, c) > APART);
            let next = order.iter().filter(is_new).find(is_apart);
            chosen.extend(next.or(order.iter().find(is_new)).copied());
        }
        let Some(&from) = chosen.get(number) else {
            self.stage = Stage::Ended;
            return;
        };
        // each search has an equal part of the trials that are left
        let until = told + (evaluations - told).div_ceil(starts - number);
        let search = DirectSearch::new(from, until, tolerance, [seed, number as u64]);
        self.stage = Stage::Searching(number, search);
    }
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
    pub(super) fn rank(&self, trial: usize) -> Rank {
        let Some((value, constraints)) = self.trials[trial].figures() else { return Rank::Failed };
        if self.trials[trial].is_feasible() {
            return Rank::Feasible(value);
        }
        let parts = constraints.iter().zip(&self.sizes).map(|(g, size)| f64::max(0.0, *g) / size);
        Rank::Infeasible(parts.map(|part| part * part).sum())
    }

    /// The largest difference of a coordinate.
    fn distance(&self, one: usize, other: usize) -> f64 {
        let pairs = self.parts[one].iter().zip(&self.parts[other]);
        pairs.fold(0.0, |most, (a, b)| f64::max(most, (a - b).abs()))
    }

    /// Looks at the sizes of all numbers so far.
    fn measure(&mut self, constraints: usize) {
        let known = || self.trials.iter().filter_map(Trial::figures);
        let positive = |size: f64| if size > 0.0 { size } else { 1.0 };
        let sizes = (0..constraints).map(|k| positive(median(known().map(|(_, g)| g[k].abs()))));
        self.sizes = sizes.collect();
        let middle = median(known().map(|(value, _)| value));
        self.spread = positive(median(known().map(|(value, _)| (value - middle).abs())));
    }
}

fn median(numbers: impl Iterator<Item = f64>) -> f64 {
    let mut sorted: Vec<f64> = numbers.collect();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied().unwrap_or(0.0)
}

/// The best trial of an optimisation of a function; none if no point is feasible.
pub fn minimise(
    problem: Optimisation,
    mut trial: impl FnMut(&[f64]) -> TrialOutcome,
) -> Result<Option<Trial>, StudyError> {
    let mut optimiser = Optimiser::new(problem)?;
    while let Some(point) = optimiser.next_point() {
        optimiser.tell(trial(&point))?;
    }
    Ok(optimiser.best().cloned())
}
