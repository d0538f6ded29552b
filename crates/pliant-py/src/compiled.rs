//! Arrays of many states by machine code.

use pliant::arm::Arm;
use pliant::compile::{Quantity, RowBlock, RowEvaluator};
use std::sync::{Arc, Mutex, PoisonError};

/// From so many states on, compiling is worth it.
const FEWEST: usize = 2_000;

/// What an arm has compiled so far; none where something cannot be.
#[derive(Debug, Default)]
pub(crate) struct Compiled(Mutex<Vec<(Quantity, Option<Arc<Lent>>)>>);

impl Compiled {
    /// A quantity, compiled for so many states or earlier.
    pub(crate) fn of(&self, arm: &Arm, quantity: Quantity, states: usize) -> Option<Arc<Lent>> {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, evaluator)) = known.iter().find(|(one, _)| *one == quantity) {
            return evaluator.clone();
        }
        if states < FEWEST || arm.nv() == 0 {
            return None;
        }
        // without it the recursions go on
        let evaluator = arm.row_evaluator(quantity, false).ok().map(Lent::new);
        known.push((quantity, evaluator.clone()));
        evaluator
    }
}

/// A compiled quantity, a copy for each thread.
#[derive(Debug)]
pub(crate) struct Lent {
    first: RowEvaluator,
    free: Mutex<Vec<RowEvaluator>>,
}

impl Lent {
    fn new(first: RowEvaluator) -> Arc<Self> {
        Arc::new(Self { first, free: Mutex::default() })
    }

    /// Lends a copy to a computation.
    pub(crate) fn lend<T>(&self, compute: impl FnOnce(&mut RowEvaluator) -> T) -> T {
        let free = || self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let own = free().pop();
        let mut own = own.unwrap_or_else(|| self.first.clone());
        let answer = compute(&mut own);
        free().push(own);
        answer
    }
}

/// Whether configurations have more to keep than being finite: quaternions their length, lengths
/// of beams their stroke.
pub(crate) fn is_bounded(arm: &Arm) -> bool {
    arm.nq() != arm.nv() || (0..arm.body_count()).any(|link| arm.sliding_of(link).is_some())
}

/// The numbers of many states: a row for each, or one for all.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowSource<'a> {
    pub(crate) numbers: &'a [f64],
    /// How many belong to a state.
    pub(crate) length: usize,
    pub(crate) is_same: bool,
}

impl<'a> RowSource<'a> {
    /// The rows of some states.
    fn rows(self, first: usize, count: usize) -> RowBlock<'a> {
        let Self { numbers, length, is_same } = self;
        if is_same {
            RowBlock::Same(numbers)
        } else {
            RowBlock::Each(&numbers[first * length..(first + count) * length])
        }
    }
}

/// Computes some states; whether all numbers given are finite and all answers moderate, and else
/// the answers are not to be used.
pub(crate) fn compute(
    evaluator: &mut RowEvaluator,
    sources: &[RowSource<'_>],
    first: usize,
    answers: &mut [f64],
    largest: f64,
) -> bool {
    let count = answers.len() / evaluator.outputs()[0].len;
    let rows: Vec<RowBlock<'_>> = sources.iter().map(|source| source.rows(first, count)).collect();
    evaluator.rows_below(largest, count, &rows, &mut [answers])
}
