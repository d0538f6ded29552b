//! The smallest figure of runs under constraints, or the Pareto front of two.

use super::direct_search::DirectSearch;
use super::factor::between;
use super::front::within_gaps;
use super::sobol::SobolSequence;
use super::tried::{Aim, Tried};
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
    /// How many figures are to be small: one, or two, whose Pareto front is sought.
    pub figures: usize,
    /// How many constraints there are; each is a number that must not be positive.
    pub constraints: usize,
    /// How often a search starts, each time from another point.
    pub starts: usize,
    /// How many points of the front of two figures are sought, both ends among them.
    pub points: usize,
    /// Most trials.
    pub evaluations: usize,
    /// A search ends when its steps are smaller than this part of the ranges.
    pub tolerance: f64,
    /// Other seeds, other points.
    pub seed: u64,
}

impl Optimisation {
    /// One figure, 3 starts, at most 2000 trials, steps down to 1e-5 of the ranges.
    pub fn new(variables: Vec<DesignVariable>, constraints: usize) -> Self {
        Self {
            variables,
            figures: 1,
            constraints,
            starts: 3,
            points: 9,
            evaluations: 2000,
            tolerance: 1e-5,
            seed: 0,
        }
    }

    /// How many trials there are at least: the first points of the searches.
    pub fn fewest_trials(&self) -> usize {
        self.evaluations.min(self.starts.saturating_mul(POINTS_PER_START))
    }

    /// How many searches there are.
    fn searches(&self) -> usize {
        match self.figures {
            1 => self.starts,
            figures => figures * self.starts + self.points.saturating_sub(figures),
        }
    }
}

/// What a trial found.
#[derive(Clone, Debug, PartialEq)]
pub enum TrialOutcome {
    /// The run ended.
    Figures {
        /// What is to be small.
        values: Vec<f64>,
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

    /// The figures and the constraints.
    pub(super) fn figures(&self) -> Option<(&[f64], &[f64])> {
        match &self.outcome {
            TrialOutcome::Figures { values, constraints } => Some((values, constraints)),
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
/// The Pareto front of two figures is found by one search after the other: each figure alone, which
/// gives the ends, and then in the middle of the widest gap between points found so far, one figure
/// as small as it can be while the other one is at most that of the middle (the ε-constraint method,
/// Haimes 1971). All searches use all trials.
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
///     let outcome = TrialOutcome::Figures {
///         values: vec![2.0 * (width + length)],
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
    /// What was and is sought, the last of them now.
    aims: Vec<Aim>,
    /// The best trials of those that are over.
    found: Vec<usize>,
    /// How many searches have started, and how many of them for what is sought now.
    searches: usize,
    starts: usize,
    /// The point whose outcome is awaited, as parts of the ranges.
    open: Option<Vec<f64>>,
}

#[derive(Clone, Debug)]
enum Stage {
    Exploring,
    Searching(DirectSearch),
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
        if !(1..=2).contains(&problem.figures) {
            return Err(StudyError::Goals { given: problem.figures });
        }
        let sequence = SobolSequence::new(problem.variables.len(), 1, problem.seed)?;
        Ok(Self {
            problem,
            sequence,
            tried: Tried::default(),
            stage: Stage::Exploring,
            aims: Vec::new(),
            found: Vec::new(),
            searches: 0,
            starts: 0,
            open: None,
        })
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

    /// The next points, as many as wanted, if none of them is better than what is known: what can be
    /// computed at the same time. Fewer at the end.
    pub fn foreseen(&self, points: usize) -> Vec<Vec<f64>> {
        let mut ahead = self.clone();
        let mut all = Vec::new();
        while all.len() < points
            && let Some(point) = ahead.next_point()
        {
            all.push(point);
            if all.len() < points && ahead.tell(TrialOutcome::Failed).is_err() {
                break;
            }
        }
        all
    }

    fn point(&self, parts: &[f64]) -> Vec<f64> {
        let pairs = parts.iter().zip(&self.problem.variables);
        pairs.map(|(&part, variable)| variable.at(part)).collect()
    }

    /// What was found at that point.
    pub fn tell(&mut self, outcome: TrialOutcome) -> Result<(), StudyError> {
        let outcome = match outcome {
            TrialOutcome::Figures { values, constraints } => {
                for (what, given, wanted) in [
                    ("figures", values.len(), self.problem.figures),
                    ("constraints", constraints.len(), self.problem.constraints),
                ] {
                    if given != wanted {
                        return Err(StudyError::TrialNumbers { what, given, wanted });
                    }
                }
                let finite = values.iter().chain(&constraints).all(|number| number.is_finite());
                if finite {
                    TrialOutcome::Figures { values, constraints }
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
        if let Stage::Searching(search) = &mut self.stage {
            search.learn(&self.tried, last);
        }
        Ok(())
    }

    /// All trials in their order.
    pub fn trials(&self) -> &[Trial] {
        &self.tried.trials
    }

    /// The best trial, which is feasible; of two figures, that with the smallest first one. The front
    /// of both is that of [`best_trials`](super::best_trials).
    pub fn best(&self) -> Option<&Trial> {
        let value = |trial: &Trial| trial.figures().map_or(f64::INFINITY, |(values, _)| values[0]);
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
                    let wanted = self.problem.fewest_trials();
                    let knows = self.tried.trials.iter().any(|trial| trial.figures().is_some());
                    if told < wanted || !knows {
                        let point = (0..width).map(|j| self.sequence.unit(told as u64, j));
                        return Some(point.collect());
                    }
                    self.aim_at(Aim::default());
                    self.start();
                }
                Stage::Searching(search) => {
                    let point = search.propose(&self.tried, told);
                    if point.is_some() {
                        return point;
                    }
                    self.start();
                }
                Stage::Ended => return None,
            }
        }
    }

    fn aim_at(&mut self, aim: Aim) {
        self.aims.push(aim);
        self.starts = 0;
        self.tried.aim = aim;
        self.tried.measure();
    }

    /// What is to be sought after what was found.
    fn next_aim(&self) -> Option<Aim> {
        let Optimisation { figures, points, .. } = self.problem;
        let aims = self.aims.len();
        if aims < figures {
            return Some(Aim { figure: aims, bound: None });
        }
        if figures == 1 || aims >= points {
            return None;
        }
        let values = |&k: &usize| match self.tried.trials[k].figures()?.0 {
            [one, other] => Some([*one, *other]),
            _ => None,
        };
        let found: Vec<[f64; 2]> = self.found.iter().filter_map(values).collect();
        within_gaps(&found, &self.aims)
    }

    /// Starts the next search, for the same or for the next aim.
    fn start(&mut self) {
        let Optimisation { figures, starts, evaluations, tolerance, seed, .. } = self.problem;
        // between the ends of a front, good points are known
        let starts = if self.aims.len() > figures { 1 } else { starts };
        if self.starts == starts {
            self.found.extend(self.tried.best());
            let Some(aim) = self.next_aim() else {
                self.stage = Stage::Ended;
                return;
            };
            self.aim_at(aim);
        }
        let Some(from) = self.next_start() else {
            self.stage = Stage::Ended;
            return;
        };
        // each search has an equal part of the trials that are left
        let told = self.tried.trials.len();
        let left = self.problem.searches().saturating_sub(self.searches).max(1);
        let until = told + (evaluations - told).div_ceil(left);
        let search = DirectSearch::new(from, until, tolerance, [seed, self.searches as u64]);
        self.stage = Stage::Searching(search);
        self.searches += 1;
        self.starts += 1;
    }

    /// The best of the first points, or of all for what is sought later, that is apart from other
    /// starts.
    fn next_start(&self) -> Option<usize> {
        let told = self.tried.trials.len();
        let first =
            if self.aims.len() == 1 { told.min(self.problem.fewest_trials()) } else { told };
        let mut order: Vec<usize> = (0..first.max(1)).collect();
        order.sort_by(|&a, &b| self.tried.rank(a).total_cmp(self.tried.rank(b)));
        let mut chosen: Vec<usize> = Vec::new();
        for _ in 0..=self.starts {
            let is_new = |k: &&usize| !chosen.contains(*k);
            let is_apart = |k: &&usize| chosen.iter().all(|&c| self.tried.distance(**k, c) > APART);
            let next = order.iter().filter(is_new).find(is_apart);
            chosen.extend(next.or(order.iter().find(is_new)).copied());
        }
        chosen.get(self.starts).copied()
    }
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
