//! What results are made of.

use crate::error::{Kind, raise, raise_results};
use numpy::{IntoPyArray, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2};
use pliant::simulate::{Channel, Rows};
use pliant_io::files::Existing;
use pliant_io::results::{Reader, RunSummary};
use pliant_io::scenario::{LibraryWords, RecordedRun};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::{Path, PathBuf};

/// The parts of a `pliant.Result`.
pub(crate) struct Parts {
    summary: Option<RunSummary>,
    /// Those beside the time.
    channels: Vec<Channel>,
    times: Vec<f64>,
    values: Values,
    scenario: String,
    folder: Option<PathBuf>,
    /// What is told of it, where its summary speaks of keys of files.
    words: Option<LibraryWords>,
}

/// The numbers of all channels.
enum Values {
    /// Row by row.
    Rows(Vec<f64>),
    /// Channel by channel.
    Columns(Vec<f64>),
}

impl Parts {
    pub(crate) fn of_recorded(run: RecordedRun) -> Self {
        let RecordedRun { summary, scenario, rows, .. } = run;
        let Rows { channels, times, values, .. } = rows;
        let (summary, values) = (Some(summary), Values::Rows(values));
        Self { summary, channels, times, values, scenario, folder: None, words: None }
    }

    /// The same with these words, or with those of its summary.
    pub(crate) fn told(self, words: Option<LibraryWords>) -> Self {
        Self { words, ..self }
    }

    /// Of a run that was written.
    pub(crate) fn of_folder(py: Python<'_>, folder: &Path, written: RunSummary) -> PyResult<Self> {
        let reader = py.detach(|| Reader::open(folder));
        let reader = reader.map_err(|error| raise_results(py, &error))?;
        Self::of_reader(py, folder, &reader, Some(written))
    }

    pub(crate) fn of_reader(
        py: Python<'_>,
        folder: &Path,
        reader: &Reader,
        written: Option<RunSummary>,
    ) -> PyResult<Self> {
        let columns = py.detach(|| reader.columns());
        let mut columns = columns.map_err(|error| raise_results(py, &error))?;
        let times = if columns.is_empty() { Vec::new() } else { columns.remove(0) };
        Ok(Self {
            summary: written.or_else(|| reader.summary().cloned()),
            channels: reader.channels().get(1..).unwrap_or_default().to_vec(),
            times,
            values: Values::Columns(columns.concat()),
            scenario: reader.metadata().scenario.clone(),
            folder: Some(folder.to_owned()),
            words: None,
        })
    }

    /// Why the run ended, if not at its end.
    pub(crate) fn why(&self) -> Option<&str> {
        self.summary.as_ref()?.outcome.run.ending.why.as_deref()
    }

    /// Keyword arguments of `Result`, whose arrays share memory with nothing else.
    pub(crate) fn into_python(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let internal = |error: serde_json::Error| raise(py, Kind::Result, &error.to_string(), None);
        let named = PyDict::new(py);
        let (rows, width) = (self.times.len(), self.channels.len());
        let summary = self.summary.as_ref().map(serde_json::to_string).transpose();
        named.set_item("summary_text", summary.map_err(internal)?)?;
        named
            .set_item("channels_text", serde_json::to_string(&self.channels).map_err(internal)?)?;
        let columns: Vec<String> = self.channels.iter().map(Channel::column).collect();
        named.set_item("columns", columns)?;
        named.set_item("time", self.times.into_pyarray(py))?;
        let values: Bound<'_, PyArray2<f64>> = match self.values {
            Values::Rows(values) => values.into_pyarray(py).reshape([rows, width])?,
            Values::Columns(values) => {
                let columns = values.into_pyarray(py).reshape([width, rows])?;
                columns.call_method0("transpose")?.cast_into()?
            }
        };
        named.set_item("values", values)?;
        named.set_item("scenario", self.scenario)?;
        named.set_item("folder", self.folder)?;
        if let Some(LibraryWords { why, warnings, .. }) = self.words {
            named.set_item("why", why)?;
            named.set_item("warnings", warnings)?;
        }
        Ok(named.into_any())
    }
}

/// Writes a result into a folder, with the bytes of a run into it.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "all that a result is made of")]
fn save_result(
    py: Python<'_>,
    folder: PathBuf,
    force: bool,
    summary_text: &str,
    channels_text: &str,
    time: PyReadonlyArray1<'_, f64>,
    values: PyReadonlyArray2<'_, f64>,
    scenario: String,
) -> PyResult<()> {
    let damaged = |error: serde_json::Error| raise(py, Kind::Result, &error.to_string(), None);
    let channels: Vec<Channel> = serde_json::from_str(channels_text).map_err(damaged)?;
    let summary = RunSummary::parse(summary_text, &channels).map_err(damaged)?;
    let times = time.as_array().to_vec();
    let values: Vec<f64> = values.as_array().iter().copied().collect();
    let mut rows = Rows::new();
    (rows.channels, rows.times, rows.values) = (channels, times, values);
    let run = RecordedRun { summary, scenario, rows, words: LibraryWords::default() };
    let saved = py.detach(|| run.save(&folder, Existing::forced(force)));
    saved.map_err(|error| raise_results(py, &error))
}

/// The page of the runs of folders.
#[pyfunction]
fn report_page(py: Python<'_>, folders: Vec<PathBuf>) -> PyResult<String> {
    let page = py.detach(|| pliant_io::report::of_runs(&folders));
    page.map_err(|error| raise_results(py, &error))
}

/// Adds what is here to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(save_result, module)?)?;
    module.add_function(wrap_pyfunction!(report_page, module)?)
}
