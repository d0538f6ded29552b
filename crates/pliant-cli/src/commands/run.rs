//! `pliant run`: from a scenario to a folder of results.

mod tracking;

use super::options::{Format, Instead};
use super::report;
use crate::figures::{figure, table};
use crate::output::{Failure, Output};
use crate::progress_line::{ProgressLine, duration};
use clap::Args;
use pliant::scenario::SlidingSpeed;
use pliant::simulate::{
    Channel, ChannelRole, Drift, Ending, Extreme, Extremes, MomentumDrift, Progress, Status,
    Telemetry,
};
use pliant_io::file_help;
use pliant_io::results::{self, Reader};
use pliant_io::scenario::{self, Finished, RunFailure, Setup};
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Simulate a scenario and write a folder of results
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    pliant run scenarios/king-swing.toml              results are in king-swing-run\n  \
    pliant run swing.toml -o results/first --csv\n  \
    pliant run swing.toml --duration \"1 s\" --tolerance 1e-8 --force\n  \
    pliant run swing.toml --set arm.link.fore.length=1.4 -o longer\n  \
    pliant run swing.toml --format json | jq .tracking\n\n\
    The folder contains result.parquet, summary.json, the scenario as it was run, and report.html,\n\
    a page with the arm in 3-D and plots.\n\
    Ctrl-C ends a run early and keeps its results. A second Ctrl-C ends pliant at once.\n\
    Exit code: 0 success, 1 error in the input, failed or interrupted run, 2 internal error.")]
#[expect(clippy::struct_excessive_bools, reason = "switches of the command line")]
pub(crate) struct Run {
    /// The scenario file; `pliant new swing` writes one
    #[arg(value_name = "SCENARIO")]
    scenario: PathBuf,

    /// Folder for the results; default: the scenario's name with "-run"
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,

    /// Replace results of an earlier run in that folder
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    instead: Instead,

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

/// More extremes than this are left to the summary.
const SHOWN: usize = 16;

impl Run {
    pub(crate) fn run(&self, output: &Output) -> Result<(), Failure> {
        let setup = self.instead.load(&self.scenario, output)?;
        let stem = self.scenario.file_stem().filter(|_| self.scenario != Path::new("-"));
        let stem = stem.map_or("scenario".into(), |stem| stem.to_string_lossy());
        let folder = self.output.clone().unwrap_or_else(|| PathBuf::from(format!("{stem}-run")));
        let interrupted = interruption()?;
        let mut line = ProgressLine::new(output);
        let mut watch = |progress: &Progress| {
            line.show(progress);
            if interrupted.load(Ordering::Relaxed) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        };
        let finished = scenario::run(&setup, &folder, self.force, &mut watch);
        output.end_progress();
        let finished = finished.map_err(refused)?;
        let (exports, failed) = self.export(&finished.folder);
        match self.format {
            Format::Json => output.data(&object(&finished, &exports)?)?,
            Format::Text => output.data(&describe(&stem, &setup, &finished, &exports))?,
        }
        // what became of the motion is told first
        ending(&setup, &finished)?;
        failed.map_or(Ok(()), Err)
    }

    /// Writes the further forms of the results that are wanted, and gives the names of those that
    /// could be written, and why the next could not.
    fn export(&self, folder: &Path) -> (Vec<&'static str>, Option<Failure>) {
        let mut names = Vec::new();
        let failed = self.export_all(folder, &mut names).err();
        (names, failed)
    }

    fn export_all(&self, folder: &Path, names: &mut Vec<&'static str>) -> Result<(), Failure> {
        if self.csv || self.npz {
            let reader = Reader::open(folder).map_err(|error| disk(&error))?;
            if self.csv {
                reader.write_csv(folder.join("result.csv")).map_err(|error| disk(&error))?;
                names.push("result.csv");
            }
            if self.npz {
                reader.write_npz(folder.join("result.npz")).map_err(|error| disk(&error))?;
                names.push("result.npz");
            }
        }
        if !self.no_report {
            let page = pliant_io::report::of_runs(&[folder]).map_err(|error| disk(&error))?;
            report::write(&folder.join(report::PAGE), &page, "-o")?;
            names.push(report::PAGE);
        }
        Ok(())
    }
}

/// A flag that Ctrl-C and a request to end set. The second Ctrl-C ends at once.
fn interruption() -> Result<Arc<AtomicBool>, Failure> {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::flag;
    let interrupted = Arc::new(AtomicBool::new(false));
    let register = || {
        flag::register_conditional_shutdown(SIGINT, 1, Arc::clone(&interrupted))?;
        flag::register(SIGINT, Arc::clone(&interrupted))?;
        // a limit for the size of files is an error of the disk, not a death
        #[cfg(unix)]
        flag::register(signal_hook::consts::SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
        flag::register(SIGTERM, Arc::clone(&interrupted))
    };
    let registered: std::io::Result<_> = register();
    registered.map_err(|error| Failure::internal(format!("Ctrl-C cannot be caught: {error}")))?;
    Ok(interrupted)
}

fn refused(failure: RunFailure) -> Failure {
    match failure {
        RunFailure::Results(error) => disk(&error),
        RunFailure::NothingRecorded { .. } => Failure::internal(failure.to_string()),
        other => Failure::of(&other, "change the scenario"),
    }
}

pub(super) fn disk(error: &results::Error) -> Failure {
    let help = match error {
        results::Error::NotEmpty { .. } => {
            "choose another folder with -o, or replace the results in it with --force (other files stay)"
        }
        results::Error::Write { .. } => "make room, or choose another folder with -o",
        other => return Failure::of(other, "choose another folder with -o"),
    };
    Failure::input(error.to_string(), help)
}

/// What a run that did not end well is reported as.
fn ending(setup: &Setup, finished: &Finished) -> Result<(), Failure> {
    let Ending { status, time, why, breakdown, .. } = &finished.summary().ending;
    let (time, end) = (figure(*time, 0.0), figure(setup.simulation.diagram.duration, 0.0));
    let folder = finished.folder.display();
    let rows = finished.summary().rows;
    let kept = format!("the {rows} rows up to there are in {folder}");
    match (status, breakdown) {
        (Status::Interrupted, _) => Err(Failure::Stopped(format!(
            "interrupted at t = {time} s of {end} s; everything is closed, {kept}"
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

/// What summary.json holds, with the folder and all files in it, as one object.
fn object(finished: &Finished, exports: &[&str]) -> Result<String, Failure> {
    let internal = |error: serde_json::Error| Failure::internal(error.to_string());
    let mut summary = finished.written.clone();
    summary.files.extend(exports.iter().map(|&name| name.to_owned()));
    let mut value = serde_json::to_value(&summary).map_err(internal)?;
    value["folder"] = finished.folder.to_string_lossy().into();
    serde_json::to_string_pretty(&value).map(|text| text + "\n").map_err(internal)
}

/// A run on one screen.
fn describe(name: &str, setup: &Setup, finished: &Finished, exports: &[&str]) -> String {
    let (summary, written) = (finished.summary(), &finished.written);
    let Ending { status, time, why, .. } = &summary.ending;
    let how = match status {
        Status::Completed => "done".to_owned(),
        Status::Interrupted => "interrupted".to_owned(),
        Status::Stopped => {
            let why = why.as_deref();
            why.map_or("stopped".to_owned(), |why| format!("stopped: {why}"))
        }
        Status::Failed => "failed".to_owned(),
    };
    let mut text = format!("{name}: {how}; {} s simulated", figure(*time, 0.0));
    if let Some(wall) = written.outcome.wall_seconds {
        let _ = write!(text, " in {}", duration(wall));
    }
    text.push('\n');
    let costs = summary.statistics;
    let _ = writeln!(
        text,
        "  {}: {} steps, {} rejected, {} evaluations",
        setup.simulation.diagram.method.describe(),
        costs.describe_steps(),
        costs.rejected,
        costs.evaluations
    );
    if let Some(reason) = &setup.simulation.method_reason {
        let _ = writeln!(text, "  foreseen: {reason}");
    }
    if let Some(shaper) = setup.simulation.plan.as_ref().and_then(|plan| plan.shaper.as_ref()) {
        let _ = writeln!(text, "  shaper: {shaper}");
    }
    let _ = match summary.energy_drift {
        None => {
            writeln!(text, "  no energy balance: energies are those of rotation = \"exact\"")
        }
        Some(Drift { absolute: joules, relative: part }) if part < 1.0 => {
            writeln!(
                text,
                "  energy drift {joules:.1e} J, {part:.1e} of the largest kinetic energy"
            )
        }
        Some(Drift { absolute: joules, .. }) => {
            writeln!(text, "  energy drift {joules:.1e} J, more than the largest kinetic energy")
        }
    };
    if let Some(MomentumDrift { linear, angular }) = summary.momentum_drift {
        let _ = writeln!(
            text,
            "  momentum drift {:.1e} kg m/s and {:.1e} kg m^2/s, {:.1e} and {:.1e} of the largest",
            linear.absolute, angular.absolute, linear.relative, angular.relative
        );
    }
    if let Some(followed) = &written.outcome.tracking {
        text.push_str(&tracking::describe(followed));
    }
    text.push_str(&tracking::describe_links(&written.outcome.links));
    let known = setup.warnings.iter().flat_map(pliant_io::Report::problems).count();
    for warning in written.outcome.warnings.iter().skip(known) {
        let _ = writeln!(text, "\nwarning: {warning}");
    }
    text.push_str(&slides(&finished.sliding));
    text.push_str(&extremes(setup, &summary.extremes));
    if !summary.events.is_empty() {
        text.push_str("\nevents:\n");
        let lines =
            summary.events.iter().take(SHOWN).map(|event| {
                vec![format!("t = {} s", figure(event.time, 0.0)), event.what.clone()]
            });
        text.push_str(&table(&lines.collect::<Vec<_>>(), 2));
        more(&mut text, summary.events.len());
    }
    let files = written.files.iter().map(String::as_str).chain(exports.iter().copied());
    let files = files.collect::<Vec<_>>().join(", ");
    let channels = summary.extremes.len();
    let _ = writeln!(
        text,
        "\nin {}: {files}\n  {} row{} of {channels} channels",
        finished.folder.display(),
        summary.rows,
        if summary.rows == 1 { "" } else { "s" }
    );
    text
}

/// How fast links slid, beside the group velocity of bending waves at their largest length.
fn slides(all: &[SlidingSpeed]) -> String {
    let mut text = String::new();
    for slid in all {
        let _ = writeln!(
            text,
            "  {} slides at up to {} m/s, {:.2} % of the group velocity {} m/s at {} m",
            slid.coordinate,
            figure(slid.speed, 0.0),
            100.0 * slid.ratio(),
            figure(slid.group_velocity, 0.0),
            figure(slid.length, 0.0)
        );
    }
    text
}

/// The extremes of the tip, of bending, or of the joints where nothing bends, and of what guards laws.
fn extremes(setup: &Setup, all: &[Extremes]) -> String {
    let arm = &setup.simulation.arm;
    let bends = arm.configuration_coordinates().iter().any(|own| own.role.deforms());
    let tip = setup.simulation.tip.map_or("", |tip| arm.frames()[tip].name());
    let is_tip =
        |channel: &Channel| channel.role == ChannelRole::FramePosition && channel.subject == tip;
    let is_coordinate =
        |channel: &Channel| channel.role == ChannelRole::Position && (channel.deforms() || !bends);
    let mut chosen: Vec<&Extremes> = all.iter().filter(|one| is_tip(&one.channel)).collect();
    chosen.extend(all.iter().filter(|one| is_coordinate(&one.channel)));
    let is_guard = |channel: &Channel| channel.telemetry == Telemetry::Determinant;
    chosen.extend(all.iter().filter(|one| is_guard(&one.channel)));
    // nothing where there is no row
    let chosen: Vec<(&Channel, [Extreme; 2])> = chosen
        .into_iter()
        .filter_map(|one| Some((&one.channel, [one.least?, one.most?])))
        .collect();
    if chosen.is_empty() {
        return String::new();
    }
    let head = ["", "minimum", "", "at", "maximum", "", "at"].map(str::to_owned).to_vec();
    let lines = chosen.iter().take(SHOWN).map(|(channel, ends)| {
        let largest = ends[0].value.abs().max(ends[1].value.abs());
        let unit = if channel.unit == "1" { String::new() } else { channel.unit.clone() };
        let mut line = vec![channel.name.clone()];
        for extreme in ends {
            line.push(figure(extreme.value, largest));
            line.push(unit.clone());
            line.push(format!("{} s", figure(extreme.time, 0.0)));
        }
        line
    });
    let lines: Vec<Vec<String>> = std::iter::once(head).chain(lines).collect();
    let mut text = format!("\nextremes:\n{}", table(&lines, 1));
    more(&mut text, chosen.len());
    text
}

fn more(text: &mut String, count: usize) {
    if let Some(more) = count.checked_sub(SHOWN).filter(|more| *more > 0) {
        let _ = writeln!(text, "  and {more} more in summary.json");
    }
}
