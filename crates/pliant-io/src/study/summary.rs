//! What a study tells as a whole.

use super::disk::SUMMARY;
use super::error::JournalError;
use super::read::WORDS;
use super::sheet::{Cells, ColumnRole};
use super::{RowStatus, Study, StudyFigure, StudyOptimum, StudyTableReader};
use crate::files::Existing;
use pliant::study::{Bootstrap, Estimate, Sampling, SobolIndex, sobol_indices};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

/// More reasons than this are counted together.
const MOST_REASONS: usize = 100;

/// How runs end that are meant to.
const GOOD: [RowStatus; 2] = [RowStatus::Completed, RowStatus::Stopped];

/// What a study tells as a whole: how its runs ended, the range of each figure, and on which
/// parameters they depend.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[must_use]
pub struct StudySummary {
    /// The version of pliant.
    pub version: String,
    /// What no other study is called.
    pub study: String,
    /// How many rows the table has.
    pub rows: u64,
    /// How many runs ended in which way.
    pub statuses: BTreeMap<String, u64>,
    /// Why runs have not reached their end, most frequent first: the status, the reason and how
    /// often.
    pub reasons: Vec<(String, String, u64)>,
    /// How long all runs took together, on one thread (s); none where it is not known any more.
    pub run_seconds: Option<f64>,
    /// The range of each figure.
    pub figures: Vec<FigureRange>,
    /// Sobol indices of each figure, of studies whose design is sensitivity.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sensitivities: Vec<ParameterIndices>,
    /// What an optimisation found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub optimum: Option<StudyOptimum>,
}

/// The range of a figure over all runs that have it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FigureRange {
    /// Its name.
    pub name: String,
    /// The same in words.
    pub label: String,
    /// Its unit.
    pub unit: String,
    /// Whether a lower number is the better one, where one is.
    pub lower_is_better: Option<bool>,
    /// How many runs have it.
    pub known: u64,
    /// How many runs that ended have no such number, as where nothing comes to rest: the range is that
    /// of the others.
    pub missing: u64,
    /// The least, and the run that has it.
    pub least: Option<(f64, u64)>,
    /// The median: the lower one of two.
    pub median: Option<f64>,
    /// The most, and the run that has it.
    pub most: Option<(f64, u64)>,
}

/// Which part of the variance of a figure a parameter causes, with the interval that contains it with
/// 95 %.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ParameterIndices {
    /// The figure.
    pub figure: String,
    /// The parameter.
    pub parameter: String,
    /// Alone (first order): the part, the least and the most that it may be.
    pub first: [f64; 3],
    /// With all others (total).
    pub total: [f64; 3],
    /// How many blocks of the design were left out, because a run of them has no such figure.
    pub left_out: u64,
}

impl StudySummary {
    /// Of a table.
    pub(super) fn of(
        study: &Study,
        table: &StudyTableReader,
        run_seconds: Option<f64>,
    ) -> Result<Self, JournalError> {
        let (statuses, reasons) = endings(table)?;
        let (mut figures, mut sensitivities) = (Vec::new(), Vec::new());
        // figures of a run that failed are of its beginning alone
        let ended = table.texts(WORDS[0])?.unwrap_or_default();
        let good = GOOD.map(RowStatus::word);
        let is_good: Vec<bool> = ended.iter().map(|one| good.contains(&one.as_str())).collect();
        drop(ended);
        let all = is_good.iter().filter(|is_good| **is_good).count() as u64;
        for figure in study.figures() {
            let mut values = table.numbers(&figure.name)?.unwrap_or_default();
            for (value, is_good) in values.iter_mut().zip(&is_good) {
                if !is_good {
                    *value = f64::NAN;
                }
            }
            if let Sampling::Saltelli { .. } = study.design().sampling() {
                sensitivities.extend(indices(study, figure, &values));
            }
            figures.push(range(figure, &values, all));
        }
        Ok(Self {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            study: study.identity(),
            rows: table.rows(),
            statuses,
            reasons,
            run_seconds,
            figures,
            sensitivities,
            optimum: StudyOptimum::of(study, table)?,
        })
    }

    /// Of a study that has ended, by its folder and its table: as `summary.json` says there, or else
    /// computed again.
    pub fn in_folder(
        study: &Study,
        folder: &Path,
        table: &StudyTableReader,
    ) -> Result<Self, JournalError> {
        let text = std::fs::read_to_string(folder.join(SUMMARY)).unwrap_or_default();
        let read = serde_json::from_str(&text).ok().filter(|read: &Self| {
            let is_own = read.version == env!("CARGO_PKG_VERSION") && read.rows == table.rows();
            let figures = read.figures.iter().map(|one| &one.name);
            let known = study.figures().iter().map(|one| &one.name);
            is_own && read.study == study.identity() && figures.eq(known)
        });
        read.map_or_else(|| Self::of(study, table, None), Ok)
    }

    /// How many runs ended as they were meant to: completed, or stopped by an event.
    pub fn ended(&self) -> u64 {
        GOOD.iter().filter_map(|status| self.statuses.get(status.word())).sum()
    }

    /// The figures that some of these runs do not have.
    pub fn incomplete(&self) -> impl Iterator<Item = &FigureRange> {
        self.figures.iter().filter(|figure| figure.missing > 0)
    }

    /// Why no trial of an optimisation is its best one.
    pub fn without_best(&self, study: &Study) -> String {
        let (rows, ended) = (self.rows, self.ended());
        let goals = self.optimum.iter().flat_map(|optimum| &optimum.goals);
        let is_nowhere = |name: &String| {
            self.figures.iter().any(|figure| figure.name == *name && figure.known == 0)
        };
        let nowhere: Vec<&str> = goals
            .map(|goal| &goal.name)
            .filter(|name| is_nowhere(name))
            .map(|name| &**name)
            .collect();
        let excluded = self.statuses.get(RowStatus::Excluded.word()).copied().unwrap_or(0);
        if ended == 0 && excluded == 0 {
            format!("none of {rows} trials reached its end")
        } else if ended > 0 && !nowhere.is_empty() {
            format!("none of {ended} trials that ended has a number of {}", nowhere.join(" or "))
        } else if study.constraints().is_empty() {
            format!("none of {rows} trials has numbers of all that is sought")
        } else {
            format!("none of {rows} trials keeps all constraints")
        }
    }

    /// The runs that have the least or the most of a figure, and the best ones of an optimisation.
    pub fn telling_runs(&self) -> Vec<u64> {
        let ends = self.figures.iter().flat_map(|one| [one.least, one.most]);
        let best = self.optimum.iter().flat_map(|optimum| &optimum.best);
        ends.flatten().map(|(_, run)| run).chain(best.map(|trial| trial.index)).collect()
    }

    /// Writes `summary.json`.
    pub(super) fn write(&self, file: &Path) -> Result<(), JournalError> {
        let fault = |source| JournalError::Write { file: file.to_owned(), source };
        let text = serde_json::to_string_pretty(self).map_err(|error| fault(error.into()))? + "\n";
        Existing::Replace.write_with(file, |out| out.write_all(text.as_bytes()).map_err(fault))
    }

    /// How long the runs took (s), as a summary says that was written before.
    pub(super) fn seconds_in(file: &Path) -> Option<f64> {
        let text = std::fs::read_to_string(file).ok()?;
        let value: serde_json::Value = serde_json::from_str(&text).ok()?;
        value.get("run_seconds")?.as_f64()
    }
}

/// How many runs ended in which way, and why those have not reached their end that have not.
#[allow(clippy::type_complexity, reason = "two counts")]
fn endings(
    table: &StudyTableReader,
) -> Result<(BTreeMap<String, u64>, Vec<(String, String, u64)>), JournalError> {
    let mut statuses: BTreeMap<String, u64> = BTreeMap::new();
    let mut reasons: BTreeMap<(String, String), u64> = BTreeMap::new();
    table.each_group(&|column| column.role == ColumnRole::Words, |columns| {
        let [Cells::Texts(ended), Cells::Texts(why), ..] = columns.as_slice() else {
            return Ok(());
        };
        for (status, reason) in ended.iter().zip(why) {
            *statuses.entry(status.clone()).or_default() += 1;
            if reason.is_empty() {
                continue;
            }
            let mut key = (status.clone(), reason.clone());
            if reasons.len() >= MOST_REASONS && !reasons.contains_key(&key) {
                "other reasons".clone_into(&mut key.1);
            }
            *reasons.entry(key).or_default() += 1;
        }
        Ok::<(), JournalError>(())
    })?;
    let mut reasons: Vec<_> =
        reasons.into_iter().map(|((status, reason), count)| (status, reason, count)).collect();
    reasons.sort_by_key(|(.., count)| std::cmp::Reverse(*count));
    Ok((statuses, reasons))
}

/// The range of a figure, of so many runs that ended.
fn range(figure: &StudyFigure, values: &[f64], all: u64) -> FigureRange {
    let numbered = values.iter().copied().zip(0..);
    let mut known: Vec<(f64, u64)> = numbered.filter(|(value, _)| value.is_finite()).collect();
    let order = |a: &(f64, u64), b: &(f64, u64)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
    let least = known.iter().copied().min_by(order);
    let most = known.iter().copied().max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
    let middle = known.len().saturating_sub(1) / 2;
    let median = (!known.is_empty()).then(|| known.select_nth_unstable_by(middle, order).1.0);
    let StudyFigure { name, label, unit, lower_is_better, .. } = figure.clone();
    let known = known.len() as u64;
    let missing = all - known;
    FigureRange { name, label, unit, lower_is_better, known, missing, least, median, most }
}

/// The Sobol indices of a figure; none where it has none, as when it is the same in every run.
fn indices(study: &Study, figure: &StudyFigure, values: &[f64]) -> Vec<ParameterIndices> {
    let parameters = study.parameters();
    let Ok(found) = sobol_indices(parameters.len(), values, Bootstrap::default()) else {
        return Vec::new();
    };
    let three = |Estimate { value, low, high }: Estimate| [value, low, high];
    let of = |(parameter, SobolIndex { first, total }): (&super::StudyParameter, &SobolIndex)| {
        ParameterIndices {
            figure: figure.name.clone(),
            parameter: parameter.name.clone(),
            first: three(*first),
            total: three(*total),
            left_out: found.left_out as u64,
        }
    };
    parameters.iter().zip(&found.indices).map(of).collect()
}
