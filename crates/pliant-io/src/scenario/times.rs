//! What runs take.

use crate::results::Spent;
use cpu_time::ProcessTime;
use std::time::Instant;

/// What a run takes, with what it took before it was taken up.
pub(super) struct Times {
    before: Spent,
    wall: Instant,
    processor: ProcessTime,
}

impl Times {
    pub(super) fn since(before: Spent) -> Self {
        Self { before, wall: Instant::now(), processor: ProcessTime::now() }
    }

    pub(super) fn spent(&self) -> Spent {
        Spent {
            wall_seconds: self.before.wall_seconds + self.wall.elapsed().as_secs_f64(),
            cpu_seconds: self.before.cpu_seconds + self.processor.elapsed().as_secs_f64(),
        }
    }
}
