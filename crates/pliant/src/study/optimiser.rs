//! The smallest figure of runs under constraints.

use super::factor::between;
use super::sobol::SobolSequence;
use super::{Factor, StudyError};

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
    /// A search ends when its steps are smaller than this part of the range of every variable.
    pub tolerance: f64,
    /// Other seeds, other starts.
    pub seed: u64,
}

impl Optimisation {
    /// 3 starts, 2000 trials, steps down to 1e-5 of the ranges.
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
    /// The run failed: the point is as bad as one can be.
    Failed,
}

/// A point that was tried.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// The values of the variables.
    pub point: Vec<f64>,
    /// What it found.
    pub outcome: TrialOutcome,
}

impl Trial {
    /// Whether the run ended with figures that keep all constraints.
    pub fn is_feasible(&self) -> bool {
        match &self.outcome {
            TrialOutcome::Figure { constraints, .. } => constraints.iter().all(|&g| g <= 0.0),
            TrialOutcome::Failed => false,
        }
    }
}

/// A search for the smallest figure, one trial after the other.
#[derive(Clone, Debug)]
pub struct Optimiser {
    problem: Optimisation,
    sequence: SobolSequence,
    open: Option<Vec<f64>>,
    trials: Vec<Trial>,
}

impl Optimiser {
    /// Checks the variables.
    pub fn new(problem: Optimisation) -> Result<Self, StudyError> {
        if problem.variables.is_empty() {
            return Err(StudyError::NoFactors);
        }
        for (k, &DesignVariable { from, to, logarithmic }) in problem.variables.iter().enumerate() {
            let range = match logarithmic {
                true => Factor::LogUniform { from, to },
                false => Factor::Uniform { from, to },
            };
            range.check(k)?;
        }
        let sequence = SobolSequence::new(problem.variables.len(), 1, problem.seed)?;
        Ok(Self { problem, sequence, open: None, trials: Vec::new() })
    }

    /// The next point to try, or none at the end. The same one until its outcome is told.
    pub fn next_point(&mut self) -> Option<&[f64]> {
        if self.trials.len() >= self.problem.evaluations {
            return None;
        }
        let index = self.trials.len() as u64;
        let variables = self.problem.variables.iter().enumerate();
        let point = variables
            .map(|(j, variable)| between(variable.from, variable.to, self.sequence.unit(index, j)));
        self.open = Some(point.collect());
        self.open.as_deref()
    }

    /// The outcome of that point.
    pub fn tell(&mut self, outcome: TrialOutcome) -> Result<(), StudyError> {
        let Some(point) = self.open.take() else { return Err(StudyError::NotAsked) };
        self.trials.push(Trial { point, outcome });
        Ok(())
    }

    /// All trials in their order.
    pub fn trials(&self) -> &[Trial] {
        &self.trials
    }

    /// The feasible trial of the smallest figure.
    pub fn best(&self) -> Option<&Trial> {
        let value = |trial: &Trial| match trial.outcome {
            TrialOutcome::Figure { value, .. } => value,
            TrialOutcome::Failed => f64::INFINITY,
        };
        let feasible = self.trials.iter().filter(|trial| trial.is_feasible());
        feasible.min_by(|a, b| value(a).total_cmp(&value(b)))
    }
}

/// The best trial of an optimisation of a function.
pub fn minimise(
    problem: Optimisation,
    mut trial: impl FnMut(&[f64]) -> TrialOutcome,
) -> Result<Option<Trial>, StudyError> {
    let mut optimiser = Optimiser::new(problem)?;
    while let Some(point) = optimiser.next_point() {
        let outcome = trial(point);
        optimiser.tell(outcome)?;
    }
    Ok(optimiser.best().cloned())
}
