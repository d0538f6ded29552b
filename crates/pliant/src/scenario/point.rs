//! Where the motion of a scenario is at a time.

use super::Simulation;
use crate::Help;
use crate::analyse::{Conditions, OperatingPoint};
use crate::simulate::{Rows, RunError, Selection};
use std::convert::Infallible;

/// Why a motion has no state at a time.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PointError {
    /// There is no motion.
    #[error("the scenario cannot be run: {0}")]
    Run(#[from] RunError<Infallible>),
    /// It ends before.
    #[error("the run ended at {time} s")]
    Ended {
        /// When (s).
        time: f64,
    },
}

impl Help for PointError {
    fn help(&self) -> Option<String> {
        match self {
            Self::Run(error) => error.help(),
            Self::Ended { .. } => Some("give an earlier time".into()),
        }
    }
}

impl Simulation {
    /// The state of its motion at a time (s), and what accelerates it there; of the start as it is when
    /// it has begun to move.
    pub fn operating_point(&self, time: f64) -> Result<OperatingPoint, PointError> {
        let mut diagram = self.diagram.clone();
        let end = if time > 0.0 { time } else { diagram.interval.min(diagram.duration) };
        diagram.duration = end;
        diagram.interval = end;
        diagram.selection = Selection::new(["accelerations"]);
        let mut rows = Rows::new();
        let summary = diagram.run(&mut rows, &mut ())?;
        let wide = rows.channels.len();
        if summary.ending.time < time || rows.values.len() < wide {
            return Err(PointError::Ended { time: summary.ending.time });
        }
        if time > 0.0 {
            let ud = rows.values.split_off(rows.values.len().saturating_sub(wide));
            return Ok(OperatingPoint { q: summary.q, u: summary.u, ud });
        }
        rows.values.truncate(wide);
        let (q, u) = (self.diagram.q.clone(), self.diagram.u.clone());
        Ok(OperatingPoint { q, u, ud: rows.values })
    }

    /// What holds its joints at a time (s): nothing but springs, with the loads that act then.
    pub fn conditions_at(&self, time: f64) -> Conditions {
        let loads = self.diagram.loads.iter().map(|push| push.at(time)).collect();
        Conditions { loads, ..Conditions::unlocked(&self.arm) }
    }
}
