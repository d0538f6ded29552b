//! One run of a study.

use super::Study;
use super::read::put;
use super::series::{self, Kept};
use crate::file_help;
use crate::node::Node;
use crate::problem::Severity;
use crate::scenario::{NoRoom, RunNeeds};
use pliant::scenario::{Simulation, SimulationOutcome};
use pliant::simulate::{Progress, RunError, Status};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How a run of a study ended, or why there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RowStatus {
    /// It reached its end.
    Completed,
    /// An event stopped it.
    Stopped,
    /// A controller gave up, or the motion could not be carried on.
    Failed,
    /// There is no such arm or scenario.
    Refused,
    /// The values break a constraint of the study.
    Excluded,
    /// A fault of pliant itself.
    Fault,
    /// The run of a study whose runs are empty.
    Empty,
}

impl RowStatus {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::Completed,
        Self::Stopped,
        Self::Failed,
        Self::Refused,
        Self::Excluded,
        Self::Fault,
        Self::Empty,
    ];

    /// By its word.
    pub(super) fn of_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.word() == word)
    }

    /// As tables have it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Stopped => "stopped",
            Self::Failed => "failed",
            Self::Refused => "refused",
            Self::Excluded => "excluded",
            Self::Fault => "fault",
            Self::Empty => "empty",
        }
    }
}

/// A row of the table, without its index.
pub(super) struct Row {
    /// The numbers drawn.
    pub(super) drawn: Vec<f64>,
    pub(super) figures: Vec<f64>,
    pub(super) status: RowStatus,
    /// In a few words that runs share.
    pub(super) reason: String,
    /// All that is to be said.
    pub(super) detail: String,
    /// What is kept over time, as bytes.
    pub(super) series: Vec<u8>,
}

/// How a run ended, with the figures that it has.
struct Ended {
    status: RowStatus,
    reason: String,
    detail: String,
    figures: Option<Vec<f64>>,
    series: Vec<u8>,
}

impl Ended {
    fn without_figures(status: RowStatus, reason: impl Into<String>, detail: String) -> Self {
        Self { status, reason: reason.into(), detail, figures: None, series: Vec::new() }
    }
}

impl Study {
    /// The row of a run; none where that was interrupted.
    pub(super) fn row(
        &self,
        index: u64,
        watch: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Option<Row> {
        self.row_at(self.design.point(index), watch)
    }

    /// The row of a run with the numbers drawn; none where that was interrupted.
    pub(super) fn row_at(
        &self,
        drawn: Vec<f64>,
        watch: &mut dyn FnMut() -> ControlFlow<()>,
    ) -> Option<Row> {
        let mut known = self.constraints.iter().filter(|one| one.is_of_parameters());
        let broken = known.find(|one| !one.holds(&drawn));
        let ended = match broken {
            Some(constraint) => {
                let (reason, text) = ("a constraint is broken", constraint.text().to_owned());
                Some(Ended::without_figures(RowStatus::Excluded, reason, text))
            }
            None if self.is_dry => {
                Some(Ended::without_figures(RowStatus::Empty, String::new(), String::new()))
            }
            None => match catch_unwind(AssertUnwindSafe(|| self.ended(&drawn, watch))) {
                Ok(ended) => ended,
                Err(panic) => {
                    let text = panic.downcast_ref::<String>().map(String::as_str);
                    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
                    let reason = "a fault of pliant";
                    let detail = text.unwrap_or_default().to_owned();
                    Some(Ended::without_figures(RowStatus::Fault, reason, detail))
                }
            },
        };
        let Ended { status, reason, detail, figures, series } = ended?;
        let figures = figures.unwrap_or_else(|| vec![f64::NAN; self.figures.len()]);
        Some(Row { drawn, figures, status, reason, detail, series })
    }

    /// The scenario with the numbers drawn.
    pub(super) fn drawn_scenario(&self, drawn: &[f64]) -> Node {
        let mut root = self.template.root.clone();
        for (parameter, &drawn) in self.parameters.iter().zip(drawn) {
            put(&mut root, parameter, drawn);
        }
        root
    }

    /// Runs the scenario with the numbers drawn.
    fn ended(&self, drawn: &[f64], watch: &mut dyn FnMut() -> ControlFlow<()>) -> Option<Ended> {
        let root = self.drawn_scenario(drawn);
        let mut simulation = match self.template.simulation(&root) {
            Ok(simulation) => simulation,
            Err(report) => {
                let first = report.problems().find(|one| one.severity == Severity::Error);
                let (reason, detail) = match first {
                    Some(problem) => (problem.code.title, problem.message.clone()),
                    None => ("it cannot be read", String::new()),
                };
                return Some(Ended::without_figures(RowStatus::Refused, reason, detail));
            }
        };
        series::select(&mut simulation.diagram, &self.series);
        let room = room(&simulation).map_err(|error| error.to_string());
        if let Err(why) = room.and_then(|()| self.series_fit(&simulation)) {
            let reason = "there is no room for it";
            return Some(Ended::without_figures(RowStatus::Refused, reason, why));
        }
        let mut watch = |_: &Progress| watch();
        let mut kept = Kept::new(&self.series);
        match simulation.run(&mut kept, &mut watch) {
            Ok(outcome) if outcome.summary.ending.status == Status::Interrupted => None,
            Ok(outcome) => {
                Some(Ended { series: kept.bytes(), ..self.judged(&simulation, &outcome) })
            }
            Err(error) => {
                let reason = match &error {
                    RunError::Diagram(_) => "the scenario cannot be run",
                    _ => "the integrator cannot be started",
                };
                let detail = error.to_string();
                Some(Ended::without_figures(RowStatus::Refused, reason, detail))
            }
        }
    }

    fn judged(&self, simulation: &Simulation, outcome: &SimulationOutcome) -> Ended {
        let figures = Some(self.lookup.values(simulation, outcome));
        let ending = &outcome.summary.ending;
        let why = || ending.why.clone().unwrap_or_default();
        let (status, reason, detail) = match (ending.status, &ending.breakdown) {
            (Status::Completed | Status::Interrupted, _) => {
                (RowStatus::Completed, String::new(), String::new())
            }
            (Status::Stopped, _) => {
                let event = outcome.summary.events.last().map(|event| event.what.clone());
                (RowStatus::Stopped, event.unwrap_or_default(), why())
            }
            (Status::Failed, Some(breakdown)) => {
                let help = file_help::breakdown(breakdown, outcome.unstable.as_ref());
                let detail = format!("{breakdown}; {help}");
                (RowStatus::Failed, breakdown.reason.to_string(), detail)
            }
            (Status::Failed, None) => (RowStatus::Failed, "a controller gave up".to_owned(), why()),
        };
        Ended { status, reason, detail, figures, series: Vec::new() }
    }

    /// Whether the series of a run are few enough numbers; what cannot be run says so itself.
    fn series_fit(&self, simulation: &Simulation) -> Result<(), String> {
        let numbers =
            simulation.diagram.size().ok().map(|size| series::numbers(size, &self.series));
        match numbers.filter(|numbers| *numbers > series::MOST_NUMBERS) {
            Some(numbers) => Err(format!("its series have {numbers:.3e} numbers")),
            None => Ok(()),
        }
    }
}

/// Whether there is memory for what a run holds; what cannot be run says so itself.
pub(super) fn room(simulation: &Simulation) -> Result<(), NoRoom> {
    simulation.diagram.size().map_or(Ok(()), |size| RunNeeds::new(size).check_memory())
}
