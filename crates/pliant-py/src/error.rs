//! Errors of the library as the exceptions of `pliant.errors`, with the same words.

use miette::{Diagnostic, GraphicalReportHandler, GraphicalTheme};
use pliant::Help;
use pliant::analyse::AnalysisError;
use pliant::dynamics::EvaluationError;
use pliant_io::study::JournalError;
use pliant_io::{Report, Severity, results};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyType};

/// Which exception of `pliant.errors`.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    /// Arm and scenario files.
    File,
    /// Descriptions of arms.
    Build,
    /// A number, a name or a word.
    Argument,
    /// The shape of an array.
    Shape,
    /// The type of an array or of its numbers.
    Dtype,
    /// What has no answer, such as the accelerations of an arm without inertia.
    Dynamics,
    /// Scenarios that cannot be run.
    Scenario,
    /// Results that cannot be read or written.
    Result,
    /// Executors of studies.
    Executor,
}

/// Their names, in the order of the kinds.
const NAMES: [&str; 9] = [
    "FileError",
    "BuildError",
    "ArgumentError",
    "ShapeError",
    "DtypeError",
    "DynamicsError",
    "ScenarioError",
    "ResultError",
    "ExecutorError",
];

static TYPES: [PyOnceLock<Py<PyType>>; NAMES.len()] = [const { PyOnceLock::new() }; NAMES.len()];

/// An exception with its message and its remedy.
pub(crate) fn raise(py: Python<'_>, kind: Kind, message: &str, help: Option<&str>) -> PyErr {
    raise_with(py, kind, message, help, None)
}

fn raise_with(
    py: Python<'_>,
    kind: Kind,
    message: &str,
    help: Option<&str>,
    more: Option<(&str, Bound<'_, PyAny>)>,
) -> PyErr {
    let make = || -> PyResult<PyErr> {
        let of = &TYPES[kind as usize];
        let exception = of.import(py, "pliant.errors", NAMES[kind as usize])?;
        let named = PyDict::new(py);
        named.set_item("help", help)?;
        if let Some((name, value)) = more {
            named.set_item(name, value)?;
        }
        Ok(PyErr::from_value(exception.call((message,), Some(&named))?))
    };
    make().unwrap_or_else(|error| error)
}

/// An error of the library.
pub(crate) fn raise_help(py: Python<'_>, kind: Kind, error: &dyn Help) -> PyErr {
    raise(py, kind, &error.to_string(), error.help().as_deref())
}

/// Results that cannot be read or written.
pub(crate) fn raise_results(py: Python<'_>, error: &results::Error) -> PyErr {
    let help = match error {
        results::Error::NotEmpty { .. } => Some(
            "name another folder, or give force=True to replace the results in it (other files stay)"
                .to_owned(),
        ),
        results::Error::CannotContinue { .. } => Some(
            "give what was run, or run it anew: into another folder, or with force=True into this one"
                .to_owned(),
        ),
        other => other.help(),
    };
    raise(py, Kind::Result, &error.to_string(), help.as_deref())
}

/// The folder or the rows of a study.
pub(crate) fn raise_journal(py: Python<'_>, error: &JournalError) -> PyErr {
    let help = match error {
        JournalError::NotEmpty { goes_on: true, .. } => Some(
            "go on with the study in it with resume=True, name another folder, or give force=True to replace it (other files stay)",
        ),
        JournalError::NotEmpty { .. } => Some(
            "name another folder, or give force=True to replace what is of a study in it (other files stay)",
        ),
        JournalError::OtherVersion { .. } => Some(
            "go on with that version, or run the study anew: into another folder, or with force=True into this one",
        ),
        _ => None,
    };
    let help = help.map(str::to_owned).or_else(|| error.help());
    raise(py, Kind::Result, &error.to_string(), help.as_deref())
}

/// Rows that a worker brought.
pub(crate) fn raise_brought(py: Python<'_>, error: &JournalError) -> PyErr {
    let own = env!("CARGO_PKG_VERSION");
    let (message, help) = match error {
        JournalError::OtherVersion { version, .. } => (
            format!("a worker has version {version} of pliant, and this is {own}"),
            format!("install pliant {own} where the workers are; then go on with resume=True"),
        ),
        JournalError::OtherStudy { .. } | JournalError::Folder(results::Error::Damaged { .. }) => (
            format!("a worker brought rows that cannot be used: {error}"),
            "go on with resume=True; all else is kept".to_owned(),
        ),
        other => return raise_journal(py, other),
    };
    raise(py, Kind::Executor, &message, Some(&help))
}

/// What is wrong with the numbers of a state, after a word for the state.
pub(crate) fn raise_evaluation(py: Python<'_>, error: &EvaluationError, state: &str) -> PyErr {
    let kind = match error {
        EvaluationError::SingularMassMatrix { .. } => Kind::Dynamics,
        _ => Kind::Argument,
    };
    raise(py, kind, &format!("{state}{error}"), error.help().as_deref())
}

/// Why an analysis of a state has no answer, after a word for the state.
pub(crate) fn raise_analysis(py: Python<'_>, error: &AnalysisError, state: &str) -> PyErr {
    match error {
        AnalysisError::Evaluation(error) => raise_evaluation(py, error, state),
        error => raise(py, Kind::Dynamics, &format!("{state}{error}"), error.help().as_deref()),
    }
}

/// The width of messages.
const WIDTH: usize = 100;

/// The problems of a file, as the command prints them.
pub(crate) fn raise_report(py: Python<'_>, report: &Report) -> PyErr {
    let make = || -> PyResult<PyErr> {
        let problems = PyList::empty(py);
        let problem_type = py.import("pliant.errors")?.getattr("Problem")?;
        for located in report.each() {
            let problem = located.problem();
            let is_error = problem.severity == Severity::Error;
            let line = problem.span.as_ref().map(|span| report.source().place(span.start).line);
            problems.append(problem_type.call1((
                if is_error { "error" } else { "warning" },
                problem.code.name,
                &problem.message,
                line,
                problem.help.as_deref(),
            ))?)?;
        }
        let first = report.problems().find_map(|problem| problem.help.as_deref());
        let problems = Some(("problems", problems.into_any()));
        Ok(raise_with(py, Kind::File, &drawn(report), first, problems))
    };
    make().unwrap_or_else(|error| error)
}

/// All problems with their lines, then a line that counts them.
fn drawn(report: &Report) -> String {
    let renderer = GraphicalReportHandler::new_themed(GraphicalTheme::unicode_nocolor())
        .with_width(WIDTH)
        .with_context_lines(1);
    let mut text = String::new();
    for located in report.each() {
        let _ = renderer.render_report(&mut text, located as &dyn Diagnostic);
        text.push('\n');
    }
    text + &report.last_line()
}
