//! How far a run is, on one line of the standard error.

use crate::figures::rough;
use crate::output::Output;
use pliant::simulate::Progress;
use std::time::{Duration, Instant};

/// Shorter runs show nothing.
const PATIENCE: Duration = Duration::from_secs(2);

/// How often a terminal is written to, and anything else.
const OFTEN: Duration = Duration::from_millis(200);
const SELDOM: Duration = Duration::from_secs(10);

/// Shows how far a run is.
pub(crate) struct ProgressLine<'a> {
    output: &'a Output,
    start: Instant,
    /// The simulated time (s) at which it was first shown: a continued run begins later than at 0.
    from: Option<f64>,
    next: Duration,
}

impl<'a> ProgressLine<'a> {
    pub(crate) fn new(output: &'a Output) -> Self {
        Self { output, start: Instant::now(), from: None, next: PATIENCE }
    }

    /// Shows it, if it is time to.
    pub(crate) fn show(&mut self, progress: &Progress) {
        let from = *self.from.get_or_insert(progress.time);
        let elapsed = self.start.elapsed();
        if elapsed < self.next {
            return;
        }
        self.next = elapsed + if self.output.on_terminal() { OFTEN } else { SELDOM };
        self.output.progress(&line(progress, from, elapsed.as_secs_f64()));
    }

    /// Says that the run is over, as far as it took long, and what comes then.
    pub(crate) fn over(&mut self, progress: &Progress) {
        if self.start.elapsed() >= PATIENCE {
            let at = rough(progress.time);
            self.output.progress(&format!("t = {at} s reached, writing result.parquet"));
        }
    }
}

/// The line: simulated time, rate against real time, energy drift if known, time left.
fn line(progress: &Progress, from: f64, elapsed: f64) -> String {
    let Progress { time, end, energy_drift, .. } = progress;
    let rate = (time - from) / elapsed;
    let left = if rate > 0.0 { (end - time) / rate } else { f64::INFINITY };
    let drift = energy_drift.map(|drift| format!(", energy drift {drift:.1e} J"));
    format!(
        "t = {time:.3} of {} s, {} times real time{}, {} left",
        rough(*end),
        rough(rate),
        drift.unwrap_or_default(),
        duration(left)
    )
}

/// A time for people.
pub(crate) fn duration(seconds: f64) -> String {
    if !seconds.is_finite() {
        "unknown".to_owned()
    } else if seconds < 99.5 {
        format!("{} s", rough(seconds))
    } else if seconds < 5970.0 {
        format!("{:.0} min", seconds / 60.0)
    } else {
        format!("{} h", rough(seconds / 3600.0))
    }
}

#[cfg(test)]
mod tests {
    use super::{duration, line};
    use pliant::simulate::Progress;

    #[test]
    fn a_line_says_how_far_it_is() {
        let progress = Progress { time: 2.5, end: 60.0, steps: 10, energy_drift: Some(-1.25e-12) };
        let wanted = "t = 2.500 of 60 s, 0.5 times real time, energy drift -1.2e-12 J, 2 min left";
        assert_eq!(line(&progress, 0.0, 5.0), wanted);
        let progress = Progress { energy_drift: None, ..progress };
        assert_eq!(line(&progress, 0.0, 5.0), "t = 2.500 of 60 s, 0.5 times real time, 2 min left");
        let from_two = line(&progress, 2.0, 5.0);
        assert_eq!(from_two, "t = 2.500 of 60 s, 0.1 times real time, 10 min left");
        assert_eq!(duration(3.04), "3 s");
        assert_eq!(duration(7200.0), "2 h");
        assert_eq!(duration(f64::INFINITY), "unknown");
    }
}
