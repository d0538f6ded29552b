//! Studies: what they are, some of their runs, their folders, their tables.

use crate::error::{Kind, raise, raise_brought, raise_help, raise_journal, raise_report};
use crate::run::Watch;
use crate::scenario::python_scenario;
use crate::settings::{settings, word};
use numpy::IntoPyArray;
use pliant::Help as _;
use pliant_io::files::Existing;
use pliant_io::scenario::{self, Overrides};
use pliant_io::study::{
    Accepted, ColumnRole, JournalError, NoStudyRun, OptimiseProgress, Study, StudyChunk,
    StudyColumn, StudyFolder, StudySeriesReader, StudyStep, StudyTableReader, SweepProgress,
    optimise, sweep,
};
use pliant_io::{Report, Source};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use std::fmt::Write as _;
use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A study that was read and checked; the half of `pliant.Study` that computes.
#[pyclass(frozen, module = "pliant._pliant")]
struct CheckedStudy(Arc<Study>);

impl CheckedStudy {
    fn of(py: Python<'_>, read: Result<Study, Report>) -> PyResult<Self> {
        let study = read.map_err(|report| raise_report(py, &report))?;
        Ok(Self(Arc::new(study)))
    }

    fn check_run(&self, py: Python<'_>, index: u64) -> PyResult<()> {
        if self.0.optimisation().is_some() {
            let message = "the study is an optimisation, whose trials are known once it has run";
            let help = "result = study.optimise(); result.row(index), result.scenario(index)";
            return Err(raise(py, Kind::Argument, message, Some(help)));
        }
        let count = self.0.count();
        if index < count {
            return Ok(());
        }
        let message = format!("the study has no run {index}");
        let help = format!("give a number from 0 to {}", count.saturating_sub(1));
        Err(raise(py, Kind::Argument, &message, Some(&help)))
    }
}

#[pymethods]
impl CheckedStudy {
    /// Of a file.
    #[staticmethod]
    fn load(py: Python<'_>, path: PathBuf, set: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let settings = settings(py, set)?;
        Self::of(py, py.detach(|| Study::load(&path, &settings)))
    }

    /// Of a text, whose scenario is a path from a folder or stands in it.
    #[staticmethod]
    fn parse(
        py: Python<'_>,
        text: &str,
        folder: PathBuf,
        set: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let (source, settings) = (Source::new("study.toml", text), settings(py, set)?);
        Self::of(py, py.detach(|| Study::parse(&source, &folder, &settings)))
    }

    /// Of the text of a scenario and the other keys of a study.
    #[staticmethod]
    fn of_scenario(py: Python<'_>, scenario: &str, keys: &Bound<'_, PyDict>) -> PyResult<Self> {
        let mut head = String::new();
        for (key, value) in keys {
            let _ = writeln!(head, "{key} = {}", word(py, &value)?);
        }
        let scenario = Source::new("the scenario of the study", scenario);
        let head = Source::new("the study", head);
        Self::of(py, py.detach(|| Study::of_scenario(&scenario, &head)))
    }

    /// The same with empty runs.
    fn dry(&self, py: Python<'_>) -> PyResult<Self> {
        let source = Source::new("study.toml", self.0.text());
        let read = py.detach(|| Study::parse(&source, Path::new(""), &[]));
        Self::of(py, read.map(Study::dry))
    }

    #[getter]
    fn is_dry(&self) -> bool {
        self.0.is_dry()
    }

    #[getter]
    fn optimises(&self) -> bool {
        self.0.optimisation().is_some()
    }

    #[getter]
    fn text(&self) -> &str {
        self.0.text()
    }

    #[getter]
    fn identity(&self) -> String {
        self.0.identity()
    }

    #[getter]
    fn count(&self) -> u64 {
        self.0.count()
    }

    #[getter]
    fn warnings(&self) -> Vec<String> {
        let all = self.0.warnings.iter().flat_map(Report::problems);
        all.map(|problem| problem.message.clone()).collect()
    }

    /// Name, unit, paths and texts of each parameter.
    #[getter]
    #[allow(clippy::type_complexity, reason = "a tuple of Python")]
    fn parameters(&self) -> Vec<(String, String, Vec<String>, Vec<String>)> {
        let of = |one: &pliant_io::study::StudyParameter| {
            (one.name.clone(), one.unit.clone(), one.paths.clone(), one.choices.clone())
        };
        self.0.parameters().iter().map(of).collect()
    }

    /// Name, words, unit and whether less is better of each figure.
    #[getter]
    fn figures(&self) -> Vec<(String, String, String, Option<bool>)> {
        let of = |one: &pliant_io::study::StudyFigure| {
            (one.name.clone(), one.label.clone(), one.unit.clone(), one.lower_is_better)
        };
        self.0.figures().iter().map(of).collect()
    }

    /// Name and unit of each channel that is kept over time.
    #[getter]
    fn series(&self) -> Vec<(String, String)> {
        let columns = self.0.series_columns().into_iter();
        columns.skip_while(is_axis).map(|column| (column.name, column.unit)).collect()
    }

    /// What a run has of each parameter: a number, or a text.
    fn values<'py>(&self, py: Python<'py>, index: u64) -> PyResult<Bound<'py, PyDict>> {
        self.check_run(py, index)?;
        let values = PyDict::new(py);
        for (parameter, drawn) in self.0.parameters().iter().zip(self.0.design().point(index)) {
            match parameter.choice(drawn) {
                Some(text) => values.set_item(&parameter.name, text)?,
                None => values.set_item(&parameter.name, drawn)?,
            }
        }
        Ok(values)
    }

    /// The scenario of a run; of an optimisation of that in the folder of its results.
    fn scenario<'py>(
        &self,
        py: Python<'py>,
        index: u64,
        trial: Option<Vec<f64>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if trial.is_none() {
            self.check_run(py, index)?;
        }
        let source = py.detach(|| match trial {
            Some(point) => self.0.scenario_at(index, &point),
            None => self.0.scenario_of(index, None),
        });
        let source = source.map_err(|error| match error {
            NoStudyRun::Refused(report) => raise_report(py, &report),
            other => raise(py, Kind::Scenario, &other.to_string(), other.help().as_deref()),
        })?;
        let read = py.detach(|| scenario::parse(&source, Path::new(""), &Overrides::default()));
        let setup = read.map_err(|report| raise_report(py, &report))?;
        python_scenario(py, &setup.simulation.scenario, &setup.text)
    }

    /// Some runs: the first of them, the one behind the last, the bytes of their rows. After so long
    /// (s) the rest is left.
    fn run_chunk<'py>(
        &self,
        py: Python<'py>,
        first: u64,
        end: u64,
        longest: f64,
    ) -> PyResult<(u64, u64, Bound<'py, PyBytes>)> {
        self.check_run(py, end.saturating_sub(1).max(first))?;
        let longest = Duration::try_from_secs_f64(longest).unwrap_or(Duration::MAX);
        let begun = Instant::now();
        let mut watch = |step: StudyStep| match step {
            StudyStep::Done(_) if begun.elapsed() >= longest => ControlFlow::Break(()),
            _ => ControlFlow::Continue(()),
        };
        let done = py.detach(|| self.0.run_chunk(first..end, &mut watch));
        match done.map_err(|error| raise_journal(py, &error))? {
            Some(StudyChunk { runs, bytes }) => {
                Ok((runs.start, runs.end, PyBytes::new(py, &bytes)))
            }
            None => Ok((first, first, PyBytes::new(py, &[]))),
        }
    }
}

/// The folder of a study, locked until it is closed.
#[pyclass(module = "pliant._pliant")]
struct StudyJournal {
    study: Arc<Study>,
    folder: Option<StudyFolder>,
}

impl StudyJournal {
    fn folder(&self, py: Python<'_>) -> PyResult<&StudyFolder> {
        self.folder.as_ref().ok_or_else(|| closed(py))
    }
}

/// How many runs are done at once.
fn many(threads: Option<NonZero<u16>>) -> usize {
    match threads {
        Some(threads) => usize::from(threads.get()),
        None => std::thread::available_parallelism().map_or(1, NonZero::get),
    }
}

fn closed(py: Python<'_>) -> PyErr {
    raise(py, Kind::Result, "the folder of the study is closed", Some("open it again"))
}

#[pymethods]
impl StudyJournal {
    /// A new folder, or with `resume` that of a study that was begun.
    #[staticmethod]
    fn open(
        py: Python<'_>,
        path: PathBuf,
        study: &CheckedStudy,
        force: bool,
        resume: bool,
        threads: Option<NonZero<u16>>,
    ) -> PyResult<Self> {
        let study = Arc::clone(&study.0);
        if !resume {
            let room = py.detach(|| study.needs(many(threads)).check(&path));
            room.map_err(|error| raise_help(py, Kind::Result, &error))?;
        }
        let folder = py.detach(|| {
            if resume {
                StudyFolder::reopen(&path, &study)
            } else {
                StudyFolder::create(&path, &study, Existing::forced(force))
            }
        });
        let folder = folder.map_err(|error| raise_journal(py, &error))?;
        Ok(Self { study, folder: Some(folder) })
    }

    /// The file that was removed after the study had ended, so that its runs are done again.
    #[getter]
    fn lost(&self, py: Python<'_>) -> PyResult<Option<String>> {
        Ok(self.folder(py)?.lost().map(str::to_owned))
    }

    /// Lets others into the folder.
    fn close(&mut self) {
        self.folder = None;
    }

    #[getter]
    fn done(&self, py: Python<'_>) -> PyResult<u64> {
        Ok(self.folder(py)?.done())
    }

    /// Why nothing keeps others out of it, where its file system has no locks.
    #[getter]
    fn unlocked(&self, py: Python<'_>) -> PyResult<Option<String>> {
        Ok(self.folder(py)?.unlocked().map(str::to_owned))
    }

    /// The runs that are not done, in stretches: the first, and the one behind the last.
    fn missing(&self, py: Python<'_>) -> PyResult<Vec<(u64, u64)>> {
        let missing = self.folder(py)?.missing();
        Ok(missing.into_iter().map(|runs| (runs.start, runs.end)).collect())
    }

    /// Writes rows down; whether they are new.
    fn accept(&mut self, py: Python<'_>, first: u64, end: u64, bytes: &[u8]) -> PyResult<bool> {
        let chunk = StudyChunk { runs: first..end, bytes: bytes.to_vec() };
        let folder = self.folder.as_mut().ok_or_else(|| closed(py))?;
        let accepted = py.detach(|| folder.accept(&self.study, &chunk));
        let accepted = accepted.map_err(|error| raise_brought(py, &error))?;
        Ok(accepted == Accepted::Stored)
    }

    /// Does all runs or trials that are missing, on threads of this process. What ended it early is
    /// given back.
    fn run<'py>(
        &mut self,
        py: Python<'py>,
        threads: Option<NonZero<u16>>,
        progress: Py<PyAny>,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let study = Arc::clone(&self.study);
        let folder = self.folder.as_mut().ok_or_else(|| closed(py))?;
        let mut watch = Watch::new(Some(progress));
        let done = py.detach(|| {
            if study.optimisation().is_some() {
                let mut look = |at: &OptimiseProgress| watch.look((at.done, at.most, at.before));
                optimise(&study, folder, many(threads), &mut look)
            } else {
                let mut look = |at: &SweepProgress| watch.look((at.done, at.all, at.before));
                sweep(&study, folder, many(threads), &mut look)
            }
        });
        let _: ControlFlow<()> = done.map_err(|error| raise_journal(py, &error))?;
        Ok(watch.interrupted.map(|error| error.into_value(py).into_bound(py).into_any()))
    }

    /// Puts the rows together; gives `summary.json`.
    fn finish(&mut self, py: Python<'_>) -> PyResult<String> {
        let folder = self.folder.as_mut().ok_or_else(|| closed(py))?;
        let summary = py.detach(|| folder.finish(&self.study));
        let summary = summary.map_err(|error| raise_journal(py, &error))?;
        serde_json::to_string(&summary)
            .map_err(|error| raise(py, Kind::Result, &error.to_string(), None))
    }
}

/// The table of a study: its text, and name, unit, role and cells of each column.
#[pyfunction]
fn study_table(py: Python<'_>, path: PathBuf) -> PyResult<(String, Bound<'_, PyList>)> {
    let refused = |error: JournalError| raise_journal(py, &error);
    let table = py.detach(|| StudyTableReader::open(&path)).map_err(refused)?;
    let all = PyList::empty(py);
    for column in table.columns() {
        let name = column.name.as_str();
        let (role, cells) = match column.role {
            ColumnRole::Index => {
                let indices: Vec<i64> = (0..).take(table.rows() as usize).collect();
                ("index", indices.into_pyarray(py).into_any())
            }
            ColumnRole::Parameter | ColumnRole::Figure => {
                let numbers = py.detach(|| table.numbers(name)).map_err(refused)?;
                let is_parameter = column.role == ColumnRole::Parameter;
                let role = if is_parameter { "parameter" } else { "figure" };
                (role, numbers.unwrap_or_default().into_pyarray(py).into_any())
            }
            role => {
                let texts = py.detach(|| table.texts(name)).map_err(refused)?;
                let role = if role == ColumnRole::Choice { "choice" } else { "words" };
                (role, PyList::new(py, texts.unwrap_or_default())?.into_any())
            }
        };
        all.append((name, column.unit.as_str(), role, cells))?;
    }
    Ok((table.study().to_owned(), all))
}

/// Whether a column of series is the index or the time.
fn is_axis(column: &StudyColumn) -> bool {
    matches!(column.role, ColumnRole::Index | ColumnRole::Time)
}

/// The series of a study, whose file was looked at once.
#[pyclass(frozen, module = "pliant._pliant")]
struct StudySeries(Mutex<StudySeriesReader>);

#[pymethods]
impl StudySeries {
    /// Of a folder.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let reader = py.detach(|| StudySeriesReader::open(&path));
        let reader = reader.map_err(|error| raise_journal(py, &error))?;
        Ok(Self(Mutex::new(reader)))
    }

    /// Those of a run: name and numbers of the time (s) and each channel.
    fn of_run<'py>(&self, py: Python<'py>, index: u64) -> PyResult<Bound<'py, PyDict>> {
        let read = py.detach(|| {
            let reader = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            reader.of_run(index).map(|numbers| (reader.columns()[1..].to_vec(), numbers))
        });
        let (columns, numbers) = read.map_err(|error| raise_journal(py, &error))?;
        let numbers = numbers.unwrap_or_else(|| vec![Vec::new(); columns.len()]);
        let all = PyDict::new(py);
        for (column, numbers) in columns.iter().zip(numbers) {
            let is_time = column.role == ColumnRole::Time;
            let name = if is_time { "time" } else { column.name.as_str() };
            all.set_item(name, numbers.into_pyarray(py))?;
        }
        Ok(all)
    }
}

/// Adds what is here to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<CheckedStudy>()?;
    module.add_class::<StudyJournal>()?;
    module.add_function(wrap_pyfunction!(study_table, module)?)?;
    module.add_class::<StudySeries>()
}
