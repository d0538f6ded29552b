//! Linear recurrences by recursive doubling: King (5-4).
//!
//! `x_i = x_{i-1} ∘ e_i` for an associative `∘` has the solution `x_i = e_0 ∘ … ∘ e_i`. Runs of the
//! chain are solved side by side, then joined in pairs, pairs of pairs and so on: everything in
//! the later half of a pair takes the last of the earlier half before it. With runs of one element
//! this is recursive doubling, `⌈log₂ N⌉` levels; with one run it is the plain loop.

use rayon::prelude::*;

/// How recurrences are evaluated. The results agree to rounding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Evaluation {
    /// One element after the other.
    #[default]
    InTurn,
    /// By recursive doubling from single elements, on one thread.
    Doubling,
    /// By the threads of the current rayon pool: each solves a run of the chain, and doubling
    /// joins the runs.
    Threads,
}

/// Elements that a thread takes at least, since handing out work has its price.
const LEAST: usize = 64;

impl Evaluation {
    /// `work` on every element with its index; the elements do not depend on one another.
    pub(super) fn each<T: Send>(self, items: &mut [T], work: impl Fn(usize, &mut T) + Sync) {
        if self == Self::Threads {
            let least = items.len().div_ceil(rayon::current_num_threads()).max(LEAST);
            let items = items.par_iter_mut().enumerate().with_min_len(least);
            items.for_each(|(i, item)| work(i, item));
        } else {
            items.iter_mut().enumerate().for_each(|(i, item)| work(i, item));
        }
    }

    /// `work` on every row of a matrix of `n` columns, with its index.
    pub(super) fn each_row<T: Send>(
        self,
        matrix: &mut [T],
        n: usize,
        work: impl Fn(usize, &mut [T]) + Sync,
    ) {
        if self == Self::Threads {
            matrix.par_chunks_mut(n.max(1)).enumerate().for_each(|(i, row)| work(i, row));
        } else {
            matrix.chunks_mut(n.max(1)).enumerate().for_each(|(i, row)| work(i, row));
        }
    }

    /// Solves `x_i = x_{i-1} ∘ e_i` in place and returns the number of levels of doubling.
    pub(super) fn scan<T: Copy + Send + Sync>(
        self,
        items: &mut [T],
        join: impl Fn(T, T) -> T + Sync,
    ) -> usize {
        let n = items.len();
        match self {
            Self::InTurn => {
                solve_in_turn(items, &join);
                0
            }
            Self::Doubling => double(1, n, |width| {
                for pair in items.chunks_mut(2 * width) {
                    if let Some((before, later)) = halves(pair, width) {
                        for item in later {
                            *item = join(before, *item);
                        }
                    }
                }
            }),
            Self::Threads => {
                let run = n.div_ceil(rayon::current_num_threads()).max(LEAST);
                items.par_chunks_mut(run).for_each(|items| solve_in_turn(items, &join));
                double(run, n, |width| {
                    items.par_chunks_mut(2 * width).for_each(|pair| {
                        if let Some((before, later)) = halves(pair, width) {
                            let later = later.par_iter_mut().with_min_len(LEAST.max(run / 2));
                            later.for_each(|item| *item = join(before, *item));
                        }
                    });
                })
            }
        }
    }
}

/// The last element of the earlier half of a pair, and the later half.
fn halves<T: Copy>(pair: &mut [T], width: usize) -> Option<(T, &mut [T])> {
    let (earlier, later) = pair.split_at_mut(width.min(pair.len()));
    earlier.last().map(|&before| (before, later))
}

fn solve_in_turn<T: Copy>(items: &mut [T], join: &impl Fn(T, T) -> T) {
    for i in 1..items.len() {
        items[i] = join(items[i - 1], items[i]);
    }
}

/// One level for every doubling of the width up to `n`; returns how many.
fn double(width: usize, n: usize, mut level: impl FnMut(usize)) -> usize {
    let (mut width, mut levels) = (width, 0);
    while width < n {
        level(width);
        width *= 2;
        levels += 1;
    }
    levels
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Neighbouring ranges.
    fn ranges(n: usize) -> Vec<(usize, usize)> {
        (0..n).map(|i| (i, i + 1)).collect()
    }

    /// Ranges that touch become one; any other order is an error.
    fn join(a: (usize, usize), b: (usize, usize)) -> (usize, usize) {
        assert_eq!(a.1, b.0, "joined out of order");
        (a.0, b.1)
    }

    #[test]
    fn every_evaluation_joins_all_before_in_order() {
        for n in [0, 1, 2, 3, 5, 8, 64, 65, 200, 1000] {
            for how in [Evaluation::InTurn, Evaluation::Doubling, Evaluation::Threads] {
                let mut items = ranges(n);
                how.scan(&mut items, join);
                let want: Vec<_> = (0..n).map(|i| (0, i + 1)).collect();
                assert_eq!(items, want, "{n} by {how:?}");
            }
        }
    }

    #[test]
    fn doubling_takes_the_logarithm_of_the_length() {
        for n in 1..=300_usize {
            let levels = Evaluation::Doubling.scan(&mut ranges(n), join);
            assert_eq!(levels as f64, (n as f64).log2().ceil(), "{n}");
            assert_eq!(Evaluation::InTurn.scan(&mut ranges(n), join), 0);
        }
    }
}
