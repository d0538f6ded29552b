//! `pliant run`: from a scenario to a folder of results.

mod failures;
mod row;
mod text;
mod tracking;

pub(super) use failures::disk;

use super::options::{Format, Instead, not_written};
use super::places::{Given, Results};
use super::report::PAGE;
use super::study;
use crate::figures::{figure, pretty};
use crate::output::{Failure, Output};
use crate::progress::Progress;
use crate::progress_line::ProgressLine;
use clap::{Args, ValueEnum};
use failures::refused;
use pliant::simulate::{Compile, Ending, Progress as Course, Status};
use pliant_io::escape::Shown as _;
use pliant_io::files::Existing;
use pliant_io::report;
use pliant_io::results::{EndedRun, Exports, Reader, RunSummary};
use pliant_io::scenario::{self, Finished, Resumed, RunNeeds, Setup};
use pliant_io::{escape, file_help};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// What a run is called.
const RESULTS: Results =
    Results { what: "run", kept: "scenario.toml", file: "scenario", command: "pliant run" };

/// Simulate a scenario and write a folder of results
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    pliant run scenarios/king-swing.toml              results are in king-swing-run\n  \
    pliant run swing.toml -o results/first --csv\n  \
    pliant run swing.toml --duration \"1 s\" --tolerance 1e-8 --force\n  \
    pliant run swing.toml --set arm.link.fore.length=1.4 -o longer\n  \
    pliant run swing.toml --format json | jq .tracking\n  \
    pliant run --continue swing-run                   goes on where it was killed or interrupted\n  \
    pliant run study-study --row 17                   run 17 of a study, into study-study/runs/17\n\n\
    The folder contains result.parquet, summary.json, the scenario as it was run, and report.html,\n\
    a page with the arm in 3-D and plots.\n\
    Ctrl-C ends a run early and keeps its results. A second Ctrl-C ends pliant at once.\n\
    --continue takes the run up from its last checkpoint, with the same results as in one go; --csv,\n\
    --npz and --no-report are remembered, unless one of them is given.\n\
    Exit code: 0 success, 1 error in the input, failed or interrupted run, 2 internal error.")]
#[expect(clippy::struct_excessive_bools, reason = "switches of the command line")]
pub(crate) struct Run {
    /// The scenario file; `pliant new swing` writes one. With --continue also the folder of the run,
    /// with --row the file or the folder of a study
    #[arg(value_name = "SCENARIO")]
    scenario: PathBuf,

    /// Folder for the results; default: the scenario's name with "-run"; of a run of a study, runs/N in
    /// its folder
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,

    /// Replace results of an earlier run in that folder
    #[arg(long)]
    force: bool,

    /// Take up the run in that folder, which was killed or interrupted, from its last checkpoint
    #[arg(long = "continue", conflicts_with = "force")]
    goes_on: bool,

    /// Make one run of a study, counted from 0 as in the column index of its table: the numbers of its
    /// row, bit for bit
    #[arg(long, value_name = "N", conflicts_with = "goes_on")]
    row: Option<u64>,

    #[command(flatten)]
    instead: Instead,

    /// Fail (exit code 1) where the run has warnings; its results are kept
    #[arg(long)]
    strict: bool,

    /// Compile the equations of motion to machine code: auto where it is worth it. The numbers are the
    /// same
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    compile: When,

    /// Round products and sums of compiled equations together: faster, with other numbers in the last
    /// digits
    #[arg(long)]
    fuse: bool,

    /// Also write result.csv
    #[arg(long)]
    csv: bool,

    /// Also write result.npz, for Python
    #[arg(long)]
    npz: bool,

    /// Do not write report.html
    #[arg(long)]
    no_report: bool,

    /// What is printed: the run in words, or summary.json with its folder
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// When equations of motion are compiled.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum When {
    /// Where the evaluations that are foreseen are worth it
    Auto,
    /// Wherever there is machine code for the processor
    Always,
    /// Nowhere
    Never,
}

impl From<When> for Compile {
    fn from(when: When) -> Self {
        match when {
            When::Auto => Self::Auto,
            When::Always => Self::Always,
            When::Never => Self::Never,
        }
    }
}

impl Run {
    pub(crate) fn run(&self, output: &Output) -> Result<(), Failure> {
        let (file, folder) = self.places()?;
        let study = self.row.map(|row| row::open(&file, &self.scenario, row)).transpose()?;
        let load = |overrides: &_| match &study {
            Some(study) => study.setup(overrides),
            None => Ok(scenario::examine(&file, overrides)?),
        };
        let mut setup = self.instead.load_fused(&file, self.fuse, output, load)?;
        setup.simulation.diagram.compile = self.compile.into();
        if setup.simulation.diagram.fuse && matches!(self.compile, When::Never) {
            return Err(Failure::input(
                "equations are fused by compiling them",
                "leave out --compile never, or fuse = true and --fuse",
            ));
        }
        if let Ok(needs) = setup.needs() {
            room(&needs, &folder, output);
        }
        let interrupted = interruption()?;
        let mut line = ProgressLine::new(output);
        let mut writing = None;
        let mut watch = |progress: &Course| {
            line.show(progress);
            // after the last step nothing is left to be stopped
            let is_over = progress.time >= progress.end;
            let is_stopped = !is_over && interrupted.load(Ordering::Relaxed);
            if is_stopped || is_over {
                line.over(progress);
                writing.get_or_insert_with(|| Progress::new(output, "writing result.parquet"));
            }
            if is_stopped { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let resumed = if self.goes_on {
            scenario::resume(&setup, &folder, self.asked(), &mut watch)
        } else {
            let (exports, existing) = (self.exports(), Existing::forced(self.force));
            let finished = scenario::run_for(exports, &setup, &folder, existing, &mut watch);
            finished.map(|finished| Resumed::Finished(Box::new(finished)))
        };
        drop(writing);
        output.end_progress();
        let finished = match resumed.map_err(refused)? {
            Resumed::Finished(finished) => finished,
            Resumed::HadEnded(run) => return self.had_ended(&setup, &run, output),
        };
        if let Some(why) = finished.lock.missing() {
            let folder = finished.folder.shown();
            output.caution(&format!(
                "nothing kept other runs out of {folder}, which cannot be locked: {why}"
            ));
        }
        if self.goes_on && finished.began == 0.0 {
            let folder = finished.folder.shown();
            output.caution(&format!(
                "{folder} had no rows with a checkpoint: the run started at t = 0 s"
            ));
        }
        let is_over = finished.summary().ending.status != Status::Interrupted;
        let wanted = finished.exports.unwrap_or_else(|| self.exports());
        // what stands there is of a run that this one replaces, or goes on with
        let how = (is_over, Existing::Replace);
        let (exports, failed) = export(&setup, &finished.folder, wanted, how, output);
        let name = self.name();
        match self.format {
            Format::Json => output.data(&object(&finished.written, &folder, &exports)?)?,
            Format::Text => output.data(&text::describe(&name, &setup, &finished, &exports))?,
        }
        if let (Some(study), true) = (&study, self.output.is_none())
            && let Err(failure) = study.link(&self.scenario)
        {
            // the run itself is there
            let why = failure.message();
            output.caution(&format!("the page of the study does not lead to the run: {why}"));
        }
        // what became of the motion is told first
        ending(&setup, &finished)?;
        failed.map_or(Ok(()), Err)?;
        self.judge(&finished.written, &finished.folder)
    }

    /// What is to be made of the results.
    fn exports(&self) -> Exports {
        Exports { csv: self.csv, npz: self.npz, page: !self.no_report }
    }

    /// The same, where anything about it was said.
    fn asked(&self) -> Option<Exports> {
        (self.csv || self.npz || self.no_report).then(|| self.exports())
    }

    /// What the run is called.
    fn name(&self) -> String {
        let stem = self.scenario.file_stem().filter(|_| self.scenario != Path::new("-"));
        stem.map_or("scenario".to_owned(), |stem| Path::new(stem).shown())
    }

    /// The scenario file and the folder of the results.
    fn places(&self) -> Result<(PathBuf, PathBuf), Failure> {
        if let Some(row) = self.row {
            let (file, folder) = row::places(&self.scenario, row, &self.name());
            return Ok((file, self.output.clone().unwrap_or(folder)));
        }
        if study::is_folder(&self.scenario) {
            let folder = escape::shell(&self.scenario.to_string_lossy());
            return Err(Failure::input(
                format!("{} is the folder of a study, not a scenario", self.scenario.shown()),
                format!("to make one of its runs again: pliant run {folder} --row 0"),
            ));
        }
        let (scenario, folder) = RESULTS.places(&Given {
            place: &self.scenario,
            output: self.output.as_deref(),
            goes_on: self.goes_on,
            name: &self.name(),
        })?;
        if scenario == self.scenario || scenario.is_file() {
            return Ok((scenario, folder));
        }
        if folder.join("run.lock").exists() {
            return Err(Failure::input(
                format!("the run into {} was killed before it began", folder.shown()),
                "run its scenario file again, with -o and --force where that folder is not its own",
            ));
        }
        Err(Failure::input(
            format!("{} is not the folder of a run: it has no scenario.toml", folder.shown()),
            "give the folder that pliant run made, or the scenario file",
        ))
    }

    /// A run that had ended when it was to be continued: what was still to be made of its results, or is
    /// asked for, is made.
    fn had_ended(&self, setup: &Setup, run: &EndedRun, output: &Output) -> Result<(), Failure> {
        let EndedRun { written, folder, exports, .. } = run;
        let nothing = Exports { csv: false, npz: false, page: false };
        let wanted = self.asked().or(*exports).unwrap_or(nothing);
        // what was left to be made may be there already; what came later is somebody's
        let how = (true, if exports.is_some() { Existing::Replace } else { Existing::Refuse });
        let (exports, failed) = export(setup, folder, wanted, how, output);
        let Ending { status, time, why, .. } = &written.outcome.run.ending;
        let (place, time) = (folder.shown(), figure(*time, 0.0));
        if let Format::Json = self.format {
            output.data(&object(written, folder, &exports)?)?;
        }
        if *status == Status::Failed {
            let why = why.as_deref().unwrap_or("the motion could not be carried on");
            return Err(Failure::input(
                format!("the run in {place} failed at t = {time} s, and would again: {why}"),
                "change the scenario and run it anew",
            ));
        }
        if let Format::Text = self.format {
            let files = written.files.iter().map(String::as_str).chain(exports);
            let files = files.collect::<Vec<_>>().join(", ");
            output.data(&format!(
                "{}: ended at t = {time} s, nothing is left to continue\nin {place}: {files}\n",
                self.name()
            ))?;
        }
        failed.map_or(Ok(()), Err)?;
        self.judge(written, folder)
    }

    /// What a run with warnings is reported as where none are allowed.
    fn judge(&self, written: &RunSummary, folder: &Path) -> Result<(), Failure> {
        let folder = folder.shown();
        match written.outcome.warnings.as_slice() {
            warnings if !self.strict || warnings.is_empty() => Ok(()),
            [only] => Err(Failure::input(
                format!("the run has a warning, and --strict allows none: {only}"),
                format!("the results are kept in {folder}"),
            )),
            more => Err(Failure::input(
                format!("the run has {} warnings, and --strict allows none", more.len()),
                format!("they are in the summary of {folder}, with the results"),
            )),
        }
    }
}

/// Whether two paths lead to one file.
pub(super) fn is_one_file(a: &Path, b: &Path) -> bool {
    let [a, b] = [a, b].map(|path| path.canonicalize().ok());
    a.is_some() && a == b
}

/// Makes what is wanted of the results, and gives the names of what could be written, and why the first
/// could not that could not.
fn export(
    setup: &Setup,
    folder: &Path,
    mut wanted: Exports,
    (is_over, existing): (bool, Existing),
    output: &Output,
) -> (Vec<&'static str>, Option<Failure>) {
    wanted.page = wanted.page && page_fits(setup, output);
    let progress = Progress::new(output, "reading the results");
    let (names, mut failed) = export_all(folder, wanted, existing, &progress);
    if failed.is_none() && is_over {
        failed = Exports::are_made(folder).map_err(|error| disk(&error)).err();
    }
    (names, failed)
}

/// Makes all that can be made; the failure is that of the first that cannot.
fn export_all(
    folder: &Path,
    wanted: Exports,
    existing: Existing,
    progress: &Progress,
) -> (Vec<&'static str>, Option<Failure>) {
    type Make<'a> = &'a dyn Fn(&Path) -> Result<(), Failure>;
    let open = || Reader::open(folder).map_err(|error| disk(&error));
    let csv: Make<'_> = &|file| open()?.write_csv(file, existing).map_err(|error| disk(&error));
    let npz: Make<'_> = &|file| open()?.write_npz(file, existing).map_err(|error| disk(&error));
    let page: Make<'_> = &|file| {
        let is_own = report::is_of_runs(file, &[folder]);
        let existing = if is_own { Existing::Replace } else { existing };
        let text = report::of_runs(&[folder]).map_err(|error| disk(&error))?;
        report::write(file, existing, &text).map_err(|error| not_written(&error))
    };
    let (mut names, mut failed) = (Vec::new(), None);
    let wanted = [wanted.csv, wanted.npz, wanted.page];
    for ((name, wanted), make) in Exports::NAMES.into_iter().zip(wanted).zip([csv, npz, page]) {
        if wanted {
            progress.stage(format!("writing {name}"));
            match make(&folder.join(name)) {
                Ok(()) => names.push(name),
                Err(why) => failed = failed.or(Some(why)),
            }
        }
    }
    (names, failed)
}

/// Tells what much needs, and whether the disk may be too small.
pub(super) fn room(needs: &RunNeeds, folder: &Path, output: &Output) {
    let most = scenario::size(needs.disk[1]);
    if let Some(free) = needs.may_fill(folder) {
        output.caution(&format!(
            "{needs} may take up to {most} on the disk, and {} are left",
            scenario::size(free)
        ));
    } else if needs.is_large() {
        output.note(&format!("{needs}, up to {most} on the disk"));
    }
}

/// Whether the page of a run fits into memory; tells if not.
fn page_fits(setup: &Setup, output: &Output) -> bool {
    let Some(needs) = setup.needs().ok().filter(|needs| !needs.page_fits()) else { return true };
    output.caution(&format!("{PAGE} is left out: {needs} do not fit into memory"));
    false
}

/// A flag that Ctrl-C and a request to end set. The second Ctrl-C ends at once.
pub(super) fn interruption() -> Result<Arc<AtomicBool>, Failure> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::flag;
    let interrupted = Arc::new(AtomicBool::new(false));
    let register = || {
        flag::register_conditional_shutdown(SIGINT, 1, Arc::clone(&interrupted))?;
        flag::register(SIGINT, Arc::clone(&interrupted))?;
        flag::register(SIGTERM, Arc::clone(&interrupted))
    };
    let registered: std::io::Result<_> = register();
    registered.map_err(|error| Failure::internal(format!("Ctrl-C cannot be caught: {error}")))?;
    Ok(interrupted)
}

/// What a run that did not end well is reported as.
fn ending(setup: &Setup, finished: &Finished) -> Result<(), Failure> {
    let Ending { status, time, why, breakdown, .. } = &finished.summary().ending;
    let (time, end) = (figure(*time, 0.0), figure(setup.simulation.diagram.duration, 0.0));
    let folder = finished.folder.shown();
    let rows = finished.summary().rows;
    let kept = format!("the {rows} rows up to there are in {folder}");
    match (status, breakdown) {
        (Status::Interrupted, _) => Err(Failure::Stopped(format!(
            "interrupted {}; everything is closed, {kept}; to go on: pliant run --continue {}",
            stopped_at(&time, &end),
            escape::shell(&finished.folder.to_string_lossy())
        ))),
        (_, Some(breakdown)) => {
            let place = breakdown.coordinate.as_ref();
            let place = place.map_or_else(String::new, |name| format!(" in \"{name}\""));
            let excess = breakdown.excess.as_ref();
            let excess = excess.map_or_else(String::new, |excess| format!(": {excess}"));
            let message = format!(
                "{} at t = {time} s{place}{excess}; the last step was {} s long, the energy {} J",
                breakdown.reason,
                figure(breakdown.step, 0.0),
                figure(breakdown.energy, 0.0),
            );
            Err(Failure::input(
                message,
                format!("{}; {kept}", file_help::breakdown(breakdown, finished.unstable.as_ref())),
            ))
        }
        (Status::Failed, None) => Err(Failure::input(why.clone().unwrap_or_default(), kept)),
        (Status::Completed | Status::Stopped, None) => Ok(()),
    }
}

/// When a run was stopped, which may have been so late that no figure tells it from the end.
fn stopped_at(time: &str, end: &str) -> String {
    if time == end {
        format!("shortly before its end at t = {end} s")
    } else {
        format!("at t = {time} s of {end} s")
    }
}

/// What summary.json holds, with the folder and all files in it, as one object.
fn object(written: &RunSummary, folder: &Path, exports: &[&str]) -> Result<String, Failure> {
    let internal = |error: serde_json::Error| Failure::internal(error.to_string());
    let mut summary = written.clone();
    summary.files.extend(exports.iter().map(|&name| name.to_owned()));
    let mut value = serde_json::to_value(&summary).map_err(internal)?;
    value["folder"] = folder.to_string_lossy().into();
    pretty(&value)
}

#[cfg(test)]
mod tests {
    use super::stopped_at;

    #[test]
    fn a_run_that_was_stopped_on_its_last_steps_says_so() {
        assert_eq!(stopped_at("1.5", "2"), "at t = 1.5 s of 2 s");
        assert_eq!(stopped_at("2", "2"), "shortly before its end at t = 2 s");
    }
}
