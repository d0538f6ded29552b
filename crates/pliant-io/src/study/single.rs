//! One run of a study, to be made again with all its rows over time.

use super::error::JournalError;
use super::{Study, StudyTableReader};
use crate::problem::Report;
use crate::scenario::{self, Overrides, Setup};
use crate::source::Source;
use crate::toml_out;
use pliant::Help;
use std::path::Path;

/// Why a run of a study cannot be made again.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoStudyRun {
    /// There is no such run.
    #[error("the study has no run {run}: its runs are 0 to {}", count.saturating_sub(1))]
    None {
        /// The run.
        run: u64,
        /// How many there are.
        count: u64,
    },
    /// Which values an optimisation tries is in its table alone.
    #[error("the trials of an optimisation are known once it has run")]
    Untried,
    /// Its values break a constraint of the study.
    #[error("run {run} was excluded: its values break the constraint {constraint}")]
    Excluded {
        /// The run.
        run: u64,
        /// The constraint.
        constraint: String,
    },
    /// Its beams have the shapes of the study's own arm, which no scenario says.
    #[error("run {run} bends in the shapes of the study's arm, and its own arm has others")]
    Reshaped {
        /// The run.
        run: u64,
    },
    /// There is no such arm or scenario.
    #[error(transparent)]
    Refused(Box<Report>),
    /// The table of an optimisation cannot be read.
    #[error(transparent)]
    Table(#[from] JournalError),
}

impl Help for NoStudyRun {
    fn help(&self) -> Option<String> {
        let help = match self {
            Self::None { .. } => "the column index of table.parquet counts them from 0",
            Self::Untried => "give the folder of its results",
            Self::Excluded { .. } => {
                "choose a run whose status in table.parquet is another than excluded"
            }
            Self::Reshaped { .. } => {
                "write shapes = \"rebuilt\" in the study for runs that can be made alone"
            }
            Self::Refused(_) => return None,
            Self::Table(error) => return error.help(),
        };
        Some(help.to_owned())
    }
}

impl Study {
    /// The scenario of one run, ready to be run alone, with the loops of its controllers looked at.
    /// Without overrides it gives the figures of the run's row, bit for bit. The values that an
    /// optimisation has tried are in its table.
    pub fn setup(
        &self,
        run: u64,
        table: Option<&StudyTableReader>,
        overrides: &Overrides,
    ) -> Result<Setup, NoStudyRun> {
        let source = self.scenario_of(run, table)?;
        scenario::examine_text(&source, Path::new(""), overrides)
            .map_err(|report| NoStudyRun::Refused(Box::new(report)))
    }

    /// The scenario of one run, with its arm inside: what is run of it is that run.
    pub fn scenario_of(
        &self,
        run: u64,
        table: Option<&StudyTableReader>,
    ) -> Result<Source, NoStudyRun> {
        let text = self.run_text(run, &self.tried(table)?)?;
        Ok(Source::new(format!("run {run} of the study"), text))
    }

    /// The points that an optimisation has tried; nothing of a sweep.
    pub(crate) fn tried(
        &self,
        table: Option<&StudyTableReader>,
    ) -> Result<Vec<Vec<f64>>, NoStudyRun> {
        match table {
            _ if self.optimisation.is_none() => Ok(Vec::new()),
            None => Err(NoStudyRun::Untried),
            Some(table) => {
                let trials = self.trials(table)?.unwrap_or_default();
                Ok(trials.into_iter().map(|trial| trial.point).collect())
            }
        }
    }

    /// The scenario of one run as a text, with the points that an optimisation has tried.
    pub(crate) fn run_text(&self, run: u64, tried: &[Vec<f64>]) -> Result<String, NoStudyRun> {
        let optimises = self.optimisation.is_some();
        let count = if optimises { tried.len() as u64 } else { self.count() };
        if run >= count {
            return Err(NoStudyRun::None { run, count });
        }
        let place = usize::try_from(run).ok().filter(|_| optimises);
        let own = place.and_then(|place| tried.get(place)).cloned();
        let drawn = own.unwrap_or_else(|| self.design.point(run));
        let mut known = self.constraints.iter().filter(|one| one.is_of_parameters());
        if let Some(broken) = known.find(|one| !one.holds(&drawn)) {
            return Err(NoStudyRun::Excluded { run, constraint: broken.text().to_owned() });
        }
        let root = self.drawn_scenario(&drawn);
        if self.template.reshapes(&root) {
            return Err(NoStudyRun::Reshaped { run });
        }
        Ok(toml_out::tree(&root))
    }
}
