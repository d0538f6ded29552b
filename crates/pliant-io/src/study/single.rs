//! One run of a study, to be made again with all its rows over time.

use super::disk::RUNS;
use super::error::JournalError;
use super::read::put;
use super::{Study, StudyParameter, StudyTableReader};
use crate::problem::Report;
use crate::scenario::{self, Overrides, Setup};
use crate::source::Source;
use crate::toml_out;
use pliant::Help;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Where a single run of a study is, below the folder of that.
pub fn single_run(folder: impl AsRef<Path>, run: u64) -> PathBuf {
    folder.as_ref().join(RUNS).join(run.to_string())
}

/// More arms than this are not compared with themselves in other shapes, and more values of a
/// parameter than this are not looked at for whether it changes shapes.
const MOST_ARMS: usize = 256;
const MOST_VALUES: usize = 16;

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

    /// The same of a trial of an optimisation whose point is known.
    pub fn scenario_at(&self, run: u64, point: &[f64]) -> Result<Source, NoStudyRun> {
        let text = self.text_at(run, point)?;
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
        self.text_at(run, &self.drawn(run, tried))
    }

    /// The scenario of a run with these numbers.
    fn text_at(&self, run: u64, drawn: &[f64]) -> Result<String, NoStudyRun> {
        let mut known = self.constraints.iter().filter(|one| one.is_of_parameters());
        if let Some(broken) = known.find(|one| !one.holds(drawn)) {
            return Err(NoStudyRun::Excluded { run, constraint: broken.text().to_owned() });
        }
        let root = self.drawn_scenario(drawn);
        if self.template.reshapes(&root) {
            return Err(NoStudyRun::Reshaped { run });
        }
        Ok(toml_out::tree(&root))
    }

    /// The numbers of a run that there is, with the points that an optimisation has tried.
    pub(crate) fn drawn(&self, run: u64, tried: &[Vec<f64>]) -> Vec<f64> {
        let place = usize::try_from(run).ok().filter(|_| self.optimisation.is_some());
        let own = place.and_then(|place| tried.get(place)).cloned();
        own.unwrap_or_else(|| self.design.point(run))
    }

    /// Whether beams keep the shapes of the study's own arm.
    pub(crate) fn keeps_shapes(&self) -> bool {
        self.template.keeps_shapes()
    }

    /// Whether a point can be run alone, with the figures that it has in the study.
    pub fn stands_alone(&self, point: &[f64]) -> bool {
        !self.template.reshapes(&self.drawn_scenario(point))
    }

    /// The runs that were made again alone, below the folder of the study; not those that another study
    /// has left there.
    pub(crate) fn single_runs(&self, folder: &Path, tried: &[Vec<f64>]) -> Vec<u64> {
        let entries = std::fs::read_dir(folder.join(RUNS)).into_iter().flatten().flatten();
        let is_own = |run: &u64| {
            let text = std::fs::read_to_string(single_run(folder, *run).join("scenario.toml"));
            text.is_ok_and(|text| self.run_text(*run, tried).is_ok_and(|run| run == text))
        };
        let numbers = entries.filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            name.parse().ok().filter(|run: &u64| run.to_string() == name)
        });
        let mut runs: Vec<u64> = numbers.filter(is_own).collect();
        runs.sort_unstable();
        runs
    }

    /// Whether each of some points can be run alone, with the figures that it has in the study: not
    /// where its beams have shapes that are not its own. Where very many different arms have such
    /// beams, those that come late are taken for such without a look.
    pub(crate) fn stand_alone(&self, points: &[Vec<f64>]) -> Vec<bool> {
        let reshaping = self.reshaping(points);
        let mut known: HashMap<Vec<u64>, bool> = HashMap::new();
        let stands_alone = |point: &Vec<f64>| {
            let values: Vec<u64> = reshaping.iter().map(|(at, _)| point[*at].to_bits()).collect();
            let is_full = known.len() >= MOST_ARMS;
            if let Some(alone) = known.get(&values) {
                return *alone;
            }
            let alone =
                !is_full && !self.reshapes(reshaping.iter().map(|&(at, one)| (one, point[at])));
            if !is_full {
                known.insert(values, alone);
            }
            alone
        };
        points.iter().map(stands_alone).collect()
    }

    /// The parameters that change the shapes of beams, with their places: those for which one of some
    /// of their values alone does.
    fn reshaping(&self, points: &[Vec<f64>]) -> Vec<(usize, &StudyParameter)> {
        let changes = |(at, parameter): &(usize, &StudyParameter)| {
            let mut values: Vec<f64> = points.iter().map(|point| point[*at]).collect();
            values.sort_by(f64::total_cmp);
            values.dedup();
            let last = values.len().saturating_sub(1);
            let tried = (0..=last.min(MOST_VALUES)).map(|k| k * last / last.clamp(1, MOST_VALUES));
            let mut tried = tried.filter_map(|k| values.get(k));
            tried.any(|&value| self.reshapes(std::iter::once((*parameter, value))))
        };
        self.parameters.iter().enumerate().filter(changes).collect()
    }

    /// Whether the arm has other shapes of its own than in the study, with some values put into it.
    fn reshapes<'a>(&self, values: impl Iterator<Item = (&'a StudyParameter, f64)>) -> bool {
        let mut root = self.template.root.clone();
        values.for_each(|(parameter, value)| put(&mut root, parameter, value));
        self.template.reshapes(&root)
    }
}
