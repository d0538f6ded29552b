//! Two pieces of work, timed turn by turn.

use std::time::{Duration, Instant};

/// Nanoseconds per call: medians, and of the ratio of the second to the first within a round, which
/// a busy machine disturbs less; and the least of each, which it disturbs least.
pub(crate) struct Times {
    pub(crate) first: f64,
    pub(crate) second: f64,
    pub(crate) ratio: f64,
    pub(crate) least: [f64; 2],
}

impl Times {
    /// Runs both in every round, about `per_round` each.
    pub(crate) fn of(
        rounds: u32,
        per_round: Duration,
        mut first: impl FnMut(),
        mut second: impl FnMut(),
    ) -> Self {
        Self::timed(
            rounds,
            per_round,
            |calls| time(calls, &mut first),
            |calls| time(calls, &mut second),
        )
    }

    /// The same of what tells itself how long so many calls took.
    pub(crate) fn timed(
        rounds: u32,
        per_round: Duration,
        mut first: impl FnMut(u32) -> Duration,
        mut second: impl FnMut(u32) -> Duration,
    ) -> Self {
        let once = first(1).max(second(1));
        let calls = (per_round.as_nanos() / once.as_nanos().max(1)).clamp(1, 1_000_000) as u32;
        let per_call = |time: Duration| time.as_secs_f64() * 1e9 / f64::from(calls);
        let samples: Vec<[f64; 2]> =
            (0..rounds).map(|_| [first(calls), second(calls)].map(per_call)).collect();
        Self {
            first: median(samples.iter().map(|s| s[0])),
            second: median(samples.iter().map(|s| s[1])),
            ratio: median(samples.iter().map(|s| s[1] / s[0])),
            least: [0, 1].map(|k| samples.iter().map(|s| s[k]).fold(f64::INFINITY, f64::min)),
        }
    }
}

/// How long so many calls take.
pub(crate) fn time(calls: u32, work: &mut impl FnMut()) -> Duration {
    let start = Instant::now();
    for _ in 0..calls {
        work();
    }
    start.elapsed()
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
