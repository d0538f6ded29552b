//! Runs of scenarios, in memory and into folders.

use crate::callables::{ControlContext, EstimatorContext, Raised};
use crate::error::{Kind, raise, raise_help, raise_report, raise_results};
use crate::result::Parts;
use crate::scenario::{described, python_scenario};
use crate::settings::settings;
use pliant::Help;
use pliant::simulate::Progress;
use pliant_io::Source;
use pliant_io::files::Existing;
use pliant_io::results::{Reader, RunSummary};
use pliant_io::scenario::{
    self, LibraryWords, Overrides, Resumed, RunFailure, Setup, write_scenario,
};
use pyo3::prelude::*;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How often a run looks for Ctrl-C.
const OFTEN: Duration = Duration::from_millis(50);

/// Reads a scenario from a file.
#[pyfunction]
#[pyo3(signature = (path, set=None))]
fn load_scenario<'py>(
    py: Python<'py>,
    path: PathBuf,
    set: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let overrides = Overrides { settings: settings(py, set)? };
    let setup = py.detach(|| scenario::load(&path, &overrides));
    let setup = setup.map_err(|report| raise_report(py, &report))?;
    python_scenario(py, &setup.simulation.scenario, &setup.text)
}

/// The text of a scenario file that says the same.
#[pyfunction]
fn scenario_text(py: Python<'_>, scenario: &Bound<'_, PyAny>) -> PyResult<String> {
    let described = described(scenario, &Raised::default())?;
    write_scenario(&described).map_err(|error| raise_help(py, Kind::Scenario, &error))
}

/// What is doubtful about a scenario that can be run.
#[pyfunction]
fn check_scenario(py: Python<'_>, scenario: &Bound<'_, PyAny>) -> PyResult<Vec<String>> {
    let raised = Raised::default();
    Ok(setup(py, scenario, &raised)?.0.doubts())
}

/// A scenario, ready to run, and whether it is as its file says it, nothing changed since.
pub(crate) fn setup(
    py: Python<'_>,
    value: &Bound<'_, PyAny>,
    raised: &Raised,
) -> PyResult<(Setup, bool)> {
    let described = described(value, raised)?;
    let origin: Option<String> = value.getattr("_origin")?.extract()?;
    let ready = py.detach(|| -> Result<(Setup, bool), (String, Option<String>)> {
        if let Some(origin) = origin {
            let source = Source::new("scenario.toml", origin.as_str());
            let read = scenario::examine_text(&source, Path::new(""), &Overrides::default());
            let told = write_scenario(&described).ok();
            if let Ok(read) = read
                && told.is_some()
                && told == write_scenario(&read.simulation.scenario).ok()
            {
                return Ok((read, true));
            }
        }
        let built = described.build().map_err(|error| (error.to_string(), None))?;
        let made = Setup::of_program(built).map_err(|error| (error.to_string(), error.help()))?;
        Ok((made, false))
    });
    let ready = ready.map_err(|(message, help)| match raised.take(&message) {
        Some(own) => own,
        None => raise(py, Kind::Scenario, &message, help.as_deref()),
    })?;
    // what a law raised in a posture of a loop is no exception of the run
    raised.take("");
    Ok(ready)
}

/// Looks after a run or a study: Ctrl-C and progress.
pub(crate) struct Watch {
    line: Option<Py<PyAny>>,
    next: Instant,
    /// What ended it.
    pub(crate) interrupted: Option<PyErr>,
}

impl Watch {
    pub(crate) fn new(line: Option<Py<PyAny>>) -> Self {
        Self { line, next: Instant::now() + OFTEN, interrupted: None }
    }

    fn step(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.look((progress.time, progress.end, progress.steps))
    }

    /// Looks for Ctrl-C, and tells how far it is in the words of its line.
    pub(crate) fn look(
        &mut self,
        told: impl for<'py> pyo3::call::PyCallArgs<'py>,
    ) -> ControlFlow<()> {
        let now = Instant::now();
        if now < self.next {
            return ControlFlow::Continue(());
        }
        self.next = now + OFTEN;
        let shown = Python::attach(|py| {
            py.check_signals()?;
            match &self.line {
                Some(line) => line.call1(py, told).map(drop),
                None => Ok(()),
            }
        });
        match shown {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.interrupted = Some(error);
                ControlFlow::Break(())
            }
        }
    }
}

/// What `run_scenario` gives: the result, and what ended it early, as Python has them.
type Ran<'py> = (Bound<'py, PyAny>, Option<Bound<'py, PyAny>>, Option<Bound<'py, PyAny>>);

/// Runs a scenario: in memory, or into a folder as `pliant run` does.
#[pyfunction]
#[pyo3(signature = (scenario, folder, force, resume, report, progress))]
fn run_scenario<'py>(
    py: Python<'py>,
    scenario: &Bound<'py, PyAny>,
    folder: Option<PathBuf>,
    force: bool,
    resume: bool,
    report: bool,
    progress: Option<Py<PyAny>>,
) -> PyResult<Ran<'py>> {
    let raised = Raised::default();
    let (setup, is_of_file) = setup(py, scenario, &raised)?;
    let mut watch = Watch::new(progress);
    let (parts, words) = match folder {
        None => {
            let run = py.detach(|| scenario::record(&setup, &mut |progress| watch.step(progress)));
            let run = run.map_err(|failure| refused(py, &failure))?;
            let words = run.words.clone();
            (Parts::of_recorded(run), Some(words))
        }
        Some(folder) => {
            let run = py.detach(|| {
                run_into(&setup, &folder, (force, resume, report), &mut |progress| {
                    watch.step(progress)
                })
            });
            let (written, words) = run.map_err(|failure| refused(py, &failure))?;
            (Parts::of_folder(py, &folder, written)?, words)
        }
    };
    let parts = parts.told(words.filter(|_| !is_of_file));
    let value = |error: PyErr| error.into_value(py).into_bound(py).into_any();
    let raised = parts.why().and_then(|why| raised.take(why));
    Ok((parts.into_python(py)?, raised.map(value), watch.interrupted.map(value)))
}

fn run_into(
    setup: &Setup,
    folder: &Path,
    (force, resume, report): (bool, bool, bool),
    watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>,
) -> Result<(RunSummary, Option<LibraryWords>), RunFailure> {
    let resumed = if resume {
        scenario::resume(setup, folder, None, watch)?
    } else {
        Resumed::Finished(Box::new(scenario::run(setup, folder, Existing::forced(force), watch)?))
    };
    let (written, words) = match &resumed {
        Resumed::Finished(finished) => (finished.written.clone(), Some(finished.words.clone())),
        Resumed::HadEnded(ended) => (ended.written.clone(), None),
    };
    if report && setup.needs().is_ok_and(|needs| needs.page_fits()) {
        let page = pliant_io::report::of_runs(&[folder])?;
        let file = folder.join("report.html");
        pliant_io::report::write(file, Existing::Replace, &page)
            .map_err(pliant_io::results::Error::from)?;
    }
    Ok((written, words))
}

fn refused(py: Python<'_>, failure: &RunFailure) -> PyErr {
    match failure {
        RunFailure::Results(error) => raise_results(py, error),
        RunFailure::Room(_) | RunFailure::State(_) => raise_help(py, Kind::Result, failure),
        _ => raise_help(py, Kind::Scenario, failure),
    }
}

/// The results of a folder.
#[pyfunction]
fn load_result(py: Python<'_>, folder: PathBuf) -> PyResult<Bound<'_, PyAny>> {
    let reader = py.detach(|| Reader::open(&folder));
    let reader = reader.map_err(|error| raise_results(py, &error))?;
    Parts::of_reader(py, &folder, &reader, None)?.into_python(py)
}

/// Adds what is here to the module.
pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<ControlContext>()?;
    module.add_class::<EstimatorContext>()?;
    module.add_function(wrap_pyfunction!(load_scenario, module)?)?;
    module.add_function(wrap_pyfunction!(scenario_text, module)?)?;
    module.add_function(wrap_pyfunction!(check_scenario, module)?)?;
    module.add_function(wrap_pyfunction!(run_scenario, module)?)?;
    module.add_function(wrap_pyfunction!(load_result, module)?)
}
