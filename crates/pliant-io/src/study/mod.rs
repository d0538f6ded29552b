//! Studies: a scenario that is run many times, each time with other values of some of its numbers.
//!
//! ```no_run
//! use pliant_io::files::Existing;
//! use pliant_io::study::{Study, StudyFolder, sweep};
//! use std::ops::ControlFlow;
//!
//! let study = Study::load("payloads.toml", &[])?;
//! let mut folder = StudyFolder::create("payloads-study", &study, Existing::Refuse)?;
//! sweep(&study, &mut folder, 4, &mut |_| ControlFlow::Continue(()))?;
//! let summary = folder.finish(&study)?;
//! assert_eq!(summary.rows, study.count());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | file | what it holds |
//! |---|---|
//! | `study.toml` | the study as it is run, with its scenario and arm inside |
//! | `chunk-000000000000-000000000099.parquet`, … | the rows of some runs, while the study lasts |
//! | `table.parquet` | all rows, once it has ended: parameters and figures of each run |
//! | `series.parquet` | channels of each run over time, where series are kept |
//! | `summary.json` | how the runs ended, the range of each figure, Sobol indices |
//! | `report.html` | all of it to look at, where it is wanted: see [`report`](crate::report) |
//! | `run.lock` | who writes into the folder |
//!
//! A row depends on the study and on its own number alone, and so do the bytes of `table.parquet`: not
//! on the order, the threads, the chunks or the machines by which it came. [`sweep`] runs a study on
//! the threads of one machine. Anything else that can compute asks [`StudyFolder::missing`] which
//! runs are left, hands ranges of them to [`Study::run_chunk`] wherever it likes, and brings back the
//! bytes to [`StudyFolder::accept`].
//!
//! The runs of an optimisation follow from each other: [`optimise`] does them, and the folder and the
//! table are the same.

mod chunk;
mod constraint;
mod csv;
mod design;
mod disk;
mod error;
mod figures;
mod file;
mod folder;
mod goals;
mod merge;
mod needs;
mod optimise;
mod optimum;
mod parameter;
mod poles;
mod read;
mod row;
mod sample;
mod series;
mod series_reader;
mod sheet;
mod single;
mod summary;
mod sweep;
mod table;
mod view;

pub use chunk::{StudyChunk, StudyStep};
pub use constraint::StudyConstraint;
pub use error::JournalError;
pub use figures::StudyFigure;
pub(crate) use figures::figure;
pub(crate) use file::StudyTable;
pub use folder::{Accepted, StudyFolder};
pub use goals::{StudyGoal, StudyOptimisation, TrialMark};
pub use optimise::{OptimiseProgress, optimise};
pub use optimum::{OptimalTrial, StudyOptimum};
pub use parameter::StudyParameter;
pub use row::RowStatus;
pub use sample::StudySample;
pub use series_reader::StudySeriesReader;
pub use sheet::{ColumnRole, StudyColumn};
pub use single::{NoStudyRun, single_run};
pub use summary::{FigureRange, ParameterIndices, StudySummary};
pub use sweep::{SweepProgress, sweep};
pub use table::StudyTableReader;
pub use view::{StudyLevels, StudyView};

use crate::load::read_source;
use crate::node::Node;
use crate::problem::Report;
use crate::scenario::{LONGEST, Template};
use crate::setting::Setting;
use crate::source::Source;
use figures::Lookup;
use pliant::simulate::{Channel, RunSize};
use pliant::study::Design;
use std::path::Path;

/// What stands before the hash of a study whose runs are empty.
const DRY: &str = "dry-";

/// A study that is checked; threads may share it.
pub struct Study {
    text: String,
    hash: String,
    is_dry: bool,
    template: Template,
    parameters: Vec<StudyParameter>,
    constraints: Vec<StudyConstraint>,
    optimisation: Option<StudyOptimisation>,
    design: Design,
    figures: Vec<StudyFigure>,
    lookup: Lookup,
    /// What is kept over time.
    series: Vec<Channel>,
    /// How large the scenario's own run is.
    size: RunSize,
    /// What is doubtful, of the study, its scenario and its arm; perhaps nothing.
    pub warnings: Vec<Report>,
}

impl Study {
    /// Reads a study from a file. The path of its scenario is from the folder of the file; settings
    /// below `scenario` are for that.
    pub fn load(path: impl AsRef<Path>, settings: &[Setting]) -> Result<Self, Report> {
        let path = path.as_ref();
        let folder = if path == Path::new("-") { None } else { path.parent() };
        Self::parse(&read_source(path, LONGEST)?, folder.unwrap_or(Path::new("")), settings)
    }

    /// Reads the study in the folder of its results; one with empty runs where those are such.
    pub fn in_folder(folder: impl AsRef<Path>) -> Result<Self, Report> {
        let folder = folder.as_ref();
        let study = Self::load(folder.join(disk::TEXT), &[])?;
        let is_dry = folder::identity_in(folder).is_some_and(|identity| identity.starts_with(DRY));
        Ok(if is_dry { study.dry() } else { study })
    }

    /// Reads a study from a text; the path of its scenario is from the folder.
    pub fn parse(source: &Source, folder: &Path, settings: &[Setting]) -> Result<Self, Report> {
        read::read(source, folder, settings)
    }

    /// A study of a scenario that is no file: `head` says all of it but the key `scenario`.
    pub fn of_scenario(scenario: &Source, head: &Source) -> Result<Self, Report> {
        let text = read::with_scenario(crate::load::tree(head)?, crate::load::tree(scenario)?);
        Self::parse(&Source::new(head.name(), text), Path::new(""), &[])
    }

    /// The same study with empty runs: to see what planning and writing it costs.
    #[must_use]
    pub fn dry(self) -> Self {
        Self { is_dry: true, ..self }
    }

    /// Whether its runs are empty.
    pub fn is_dry(&self) -> bool {
        self.is_dry
    }

    /// The study as it is run, with its scenario and arm inside: a text that is the same study
    /// anywhere.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What no other study is called: the SHA-256 of its text, with a word before it if its runs are
    /// empty.
    pub fn identity(&self) -> String {
        let dry = if self.is_dry { DRY } else { "" };
        format!("{dry}{}", self.hash)
    }

    /// The scenario that its runs begin with, with its arm inside.
    pub fn scenario(&self) -> Source {
        self.template.source.clone()
    }

    /// How many runs it has; an optimisation the most that it may have.
    pub fn count(&self) -> u64 {
        self.design.count()
    }

    /// What changes from run to run.
    pub fn parameters(&self) -> &[StudyParameter] {
        &self.parameters
    }

    /// What is kept of each run.
    pub fn figures(&self) -> &[StudyFigure] {
        &self.figures
    }

    /// What values of parameters must obey together, and figures in an optimisation.
    pub fn constraints(&self) -> &[StudyConstraint] {
        &self.constraints
    }

    /// What it makes small or large; none of a sweep.
    pub fn optimisation(&self) -> Option<&StudyOptimisation> {
        self.optimisation.as_ref()
    }

    /// Which values the parameters have together; of an optimisation only the first ones are tried.
    pub fn design(&self) -> &Design {
        &self.design
    }

    /// The columns of its table.
    pub fn columns(&self) -> Vec<StudyColumn> {
        let column = |name: &str, unit: &str, role| StudyColumn {
            name: name.to_owned(),
            unit: unit.to_owned(),
            role,
        };
        let mut all = vec![column("index", "1", ColumnRole::Index)];
        all.extend(self.parameters.iter().map(|one| {
            let role = if one.is_number() { ColumnRole::Parameter } else { ColumnRole::Choice };
            column(&one.name, &one.unit, role)
        }));
        let figure = |one: &StudyFigure| column(&one.name, &one.unit, ColumnRole::Figure);
        all.extend(self.figures.iter().map(figure));
        all.extend(read::WORDS.map(|name| column(name, "", ColumnRole::Words)));
        all
    }
}

/// Whether a file is a study, by its keys.
pub fn is_study(path: impl AsRef<Path>) -> bool {
    let path = path.as_ref();
    // what comes through a pipe can be read only once
    let source = (path != Path::new("-")).then(|| read_source(path, LONGEST).ok()).flatten();
    let root = source.and_then(|source| crate::toml_text::read(&source).ok());
    root.is_some_and(|root| is_study_tree(&root))
}

pub(crate) fn is_study_tree(root: &Node) -> bool {
    let has = |key: &str| root.entry(key).is_some();
    has("scenario") && !has("link") && !has("arm")
}
