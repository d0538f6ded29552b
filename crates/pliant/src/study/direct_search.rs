//! A search from one point.

use super::Factor;
use super::philox::Philox;
use super::surrogate::Surrogate;
use super::tried::{Rank, Tried};

/// The first step and the largest one, as parts of the ranges.
const FIRST: f64 = 0.2;
const LARGEST: f64 = 0.5;

/// Steps within which models hold, in steps of the search.
const REACH: f64 = 2.5;

/// A better figure has to be better by this part of the spread of figures, times the square of the
/// step: noise is not followed for ever.
const DECREASE: f64 = 1e-4;

/// The least and the largest margin of constraints in models.
const MARGINS: [f64; 2] = [1e-6, 1e-2];

/// Points nearer than this part of a step are the same.
const SAME: f64 = 1e-3;

/// A direct search with models.
///
/// A round asks for the point at which quadratic models of figure and constraints are best within a
/// step (Conn and Le Digabel 2013). If it is no better than the best point, `2 n` points are asked
/// for, a step to each side along directions at right angles, which are others every time, so that
/// all rounds together leave no direction out (Audet and Dennis 2006). If none of these is better
/// either, the step is halved.
#[derive(Clone, Debug)]
pub(super) struct DirectSearch {
    centre: usize,
    step: f64,
    tolerance: f64,
    /// No more trials than these.
    until: usize,
    draws: Philox,
    stream: u64,
    /// By which part of their differences models of constraints are kept below zero.
    margin: f64,
    rounds: u64,
    stage: Stage,
}

#[derive(Clone, Debug)]
enum Stage {
    /// At the beginning of a round.
    Model,
    /// The outcome of the model's point is awaited.
    Modelled,
    /// The points that are left of a round.
    Poll(Vec<Vec<f64>>),
}

impl DirectSearch {
    pub(super) fn new(centre: usize, until: usize, tolerance: f64, seeds: [u64; 2]) -> Self {
        let (draws, stream) = (Philox::new(seeds[0]), (1 + seeds[1]) << 32);
        let step = FIRST;
        let stage = Stage::Model;
        Self { centre, step, tolerance, until, draws, stream, margin: MARGINS[0], rounds: 0, stage }
    }

    /// The next point, as parts of the ranges; none at the end.
    pub(super) fn propose(&mut self, tried: &Tried, told: usize) -> Option<Vec<f64>> {
        if told >= self.until {
            return None;
        }
        while self.step >= self.tolerance {
            match &mut self.stage {
                Stage::Model => {
                    let surrogate = self.surrogate(tried);
                    if let Some(point) = surrogate.and_then(|model| self.best_of(tried, &model))
                        && self.is_new(tried, &point)
                    {
                        self.stage = Stage::Modelled;
                        return Some(point);
                    }
                    self.stage = Stage::Poll(self.directions(tried));
                }
                Stage::Modelled => self.stage = Stage::Poll(self.directions(tried)),
                Stage::Poll(points) => match points.pop() {
                    Some(point) if self.is_new(tried, &point) => return Some(point),
                    Some(_) => {}
                    None => {
                        self.step *= 0.5;
                        self.stage = Stage::Model;
                    }
                },
            }
        }
        None
    }

    /// Looks at the outcome of the point that was asked for last.
    pub(super) fn learn(&mut self, tried: &Tried, trial: usize) {
        if let Stage::Modelled = self.stage {
            let is_feasible = matches!(tried.rank(trial), Rank::Feasible(_));
            let factor = if is_feasible { 0.25 } else { 4.0 };
            self.margin = (factor * self.margin).clamp(MARGINS[0], MARGINS[1]);
        }
        if self.is_better(tried, trial) {
            let moved = tried.parts[trial].iter().zip(&tried.parts[self.centre]);
            let length = moved.fold(0.0, |most, (a, b)| f64::max(most, (a - b).abs()));
            if length > 0.5 * self.step {
                self.step = f64::min(2.0 * self.step, LARGEST);
            }
            self.centre = trial;
            self.stage = Stage::Model;
        }
    }

    fn is_better(&self, tried: &Tried, trial: usize) -> bool {
        let (new, old) = (tried.rank(trial), tried.rank(self.centre));
        let least = DECREASE * self.step * self.step;
        match (new, old) {
            (Rank::Feasible(new), Rank::Feasible(old)) => new < old - least * tried.spread,
            (Rank::Infeasible(new), Rank::Infeasible(old)) => new < old * (1.0 - least),
            _ => new.total_cmp(old).is_lt(),
        }
    }

    fn is_new(&self, tried: &Tried, point: &[f64]) -> bool {
        let far = |other: &Vec<f64>| {
            other.iter().zip(point).any(|(a, b)| (a - b).abs() > SAME * self.step)
        };
        tried.parts.iter().all(far)
    }

    /// Models from the points around, if they are enough.
    fn surrogate(&self, tried: &Tried) -> Option<Surrogate> {
        let centre = &tried.parts[self.centre];
        let at = tried.numbers(self.centre)?;
        let reach = REACH * self.step;
        let mut near: Vec<(f64, usize)> = Vec::new();
        for (k, point) in tried.parts.iter().enumerate() {
            let apart = centre.iter().zip(point).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            if k != self.centre && apart <= reach && tried.trials[k].figures().is_some() {
                near.push((apart, k));
            }
        }
        if near.len() < centre.len() {
            return None;
        }
        near.sort_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        near.truncate(2 * Surrogate::size(centre.len()));
        let steps: Vec<Vec<f64>> = near
            .iter()
            .map(|&(_, k)| {
                tried.parts[k].iter().zip(centre).map(|(a, b)| (a - b) / reach).collect()
            })
            .collect();
        let differences = near.iter().filter_map(|&(_, k)| tried.numbers(k));
        let differences: Vec<Vec<f64>> = differences
            .map(|numbers| numbers.iter().zip(&at).map(|(a, b)| a - b).collect())
            .collect();
        Some(Surrogate::fit(&at, &steps, &differences, self.margin))
    }

    /// Where the models are best; nowhere if their numbers left the range of numbers.
    fn best_of(&self, tried: &Tried, model: &Surrogate) -> Option<Vec<f64>> {
        let centre = &tried.parts[self.centre];
        let reach = REACH * self.step;
        let end = |to: f64| move |x: &f64| ((to - x) / reach).clamp(-1.0 / REACH, 1.0 / REACH);
        let low: Vec<f64> = centre.iter().map(end(0.0)).collect();
        let high: Vec<f64> = centre.iter().map(end(1.0)).collect();
        let steps = model.smallest(&low, &high);
        let moved = steps.iter().zip(centre).map(|(s, x)| (x + reach * s).clamp(0.0, 1.0));
        let point: Vec<f64> = moved.collect();
        point.iter().all(|x| x.is_finite()).then_some(point)
    }

    /// The points of a round: a step to each side along the columns of `1 − 2 v vᵀ`, with a random
    /// direction `v`.
    fn directions(&mut self, tried: &Tried) -> Vec<Vec<f64>> {
        let centre = &tried.parts[self.centre];
        let n = centre.len();
        let round = self.stream + self.rounds;
        self.rounds += 1;
        let normal = Factor::normal(0.0, 1.0);
        let v: Vec<f64> =
            (0..n).map(|i| normal.quantile(self.draws.unit(i as u64, round))).collect();
        let square: f64 = v.iter().map(|v| v * v).sum();
        let column = |j: usize| -> Vec<f64> {
            let entry = |i: usize| f64::from(u8::from(i == j)) - 2.0 * v[i] * v[j] / square;
            (0..n).map(entry).collect()
        };
        let side = |direction: &[f64], step: f64| -> Vec<f64> {
            centre.iter().zip(direction).map(|(x, d)| (x + step * d).clamp(0.0, 1.0)).collect()
        };
        let columns = (0..n).map(column);
        columns.flat_map(|d| [side(&d, self.step), side(&d, -self.step)]).collect()
    }
}
