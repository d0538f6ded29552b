//! `pliant check`: checks files.

mod beam;

use super::options::{Format, LOOKING, READING, Set};
use crate::figures::{figure, pretty};
use crate::output::{Failure, Output};
use crate::progress::Progress;
use clap::Args;
use pliant::arm::{Arm, Builder};
use pliant::scenario::Simulation;
use pliant_io::escape::Shown as _;
use pliant_io::gallery::{self, GalleryEntry};
use pliant_io::scenario::{self, Overrides, RunNeeds};
use pliant_io::study::{self, Study, StudyGoal, StudyOptimisation};
use pliant_io::{Loaded, Report, Setting};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Check arm, scenario and study files, and entries of galleries, for errors
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    pliant check two-link.toml\n  \
    pliant check robots/*.toml scenarios/*.toml\n  \
    pliant check study.toml\n  \
    pliant check mine/entry.toml\n  \
    pliant check arm.toml --beam\n  \
    pliant check arm.toml --beam --format json\n\n\
    The loops of a scenario's controllers are linearised with their clocks and delays, in some postures\n\
    of its plan; an unstable one is a warning with what would mend it. Noise, resolution, limits and\n\
    dry friction are left out.\n\n\
    Of an entry every run is made ready with the values of its row, and what needs no run is computed;\n\
    where figures of runs are taken, their first steps are made.\n\n\
    --beam treats each flexible link as a cantilever, clamped at its root and loaded as in the\n\
    arm: with everything that hangs on its tip, as one rigid body, and with the weight across it\n\
    when all joints are neutral. It compares the results of its shapes with the textbook: tip\n\
    deflection under a force, deflection and root moment under the weight, twist and stretch,\n\
    natural frequencies, and buckling load. For links of varying section the textbook value is\n\
    integrated along the length. A verdict says whether the shapes are sufficient for deflections,\n\
    moments and first frequencies, and if not, which would be.\n\n\
    The exit code is 1 if a file has errors. Warnings and large differences do not change it.")]
pub(crate) struct Check {
    /// Arm, scenario and study files, and entries
    #[arg(required = true, value_name = "FILE")]
    arms: Vec<PathBuf>,

    #[command(flatten)]
    set: Set,

    /// Also compare each flexible link with the textbook cantilever
    #[arg(long)]
    beam: bool,

    /// With --beam: output format
    #[arg(long, value_enum, default_value_t = Format::Text, requires = "beam")]
    format: Format,
}

impl Check {
    pub(crate) fn run(&self, output: &Output) -> Result<(), Failure> {
        let settings = self.set.settings()?;
        let mut failure = None;
        let mut tried = Vec::new();
        for path in &self.arms {
            let given = [("--set", !settings.is_empty()), ("--beam", self.beam)];
            let given = given.iter().find(|(_, is_given)| *is_given);
            if let Some((option, _)) = given.filter(|_| gallery::is_entry(path)) {
                return Err(no_arm(path, option));
            }
            let progress = Progress::new(output, READING);
            let about = about(path, &settings, &progress);
            drop(progress);
            match about {
                Ok(Looked { summary, warnings, arm }) => {
                    for report in &warnings {
                        output.warn(report);
                    }
                    let warnings = match warnings.iter().map(|r| r.problems().len()).sum() {
                        0 => String::new(),
                        1 => ", 1 warning".to_owned(),
                        n => format!(", {n} warnings"),
                    };
                    if self.format == Format::Text {
                        output.data(&format!("{}: ok, {summary}{warnings}\n", path.shown()))?;
                    }
                    if let Some((arm, description)) = arm.as_ref().filter(|_| self.beam) {
                        let progress =
                            Progress::new(output, "comparing the links with the textbook");
                        let links = beam::try_all(arm, description, |link| {
                            progress.stage(format!("comparing {link} with the textbook"));
                        });
                        drop(progress);
                        match self.format {
                            Format::Text => output.data(&beam::as_text(&links))?,
                            Format::Json => tried.push(beam::as_json(path, &links)),
                        }
                    }
                }
                Err(report) => {
                    // the caller shows the last one
                    if let Some(earlier) = failure.replace(Failure::from(report)) {
                        output.fail(&earlier);
                    }
                }
            }
        }
        if self.format == Format::Json && failure.is_none() {
            output.data(&pretty(&serde_json::json!({ "arms": tried }))?)?;
        }
        failure.map_or(Ok(()), Err)
    }
}

/// What is found in a file, which is read once.
struct Looked {
    summary: String,
    warnings: Vec<Report>,
    /// That of the file; an entry has several, or none.
    arm: Option<(Arc<Arm>, Builder)>,
}

/// That an option is about the arm of a file, and an entry has none of its own.
fn no_arm(path: &Path, option: &str) -> Failure {
    let message = format!("{} is an entry of a gallery, and {option} is not for it", path.shown());
    Failure::input(message, "name an arm or a scenario of its folder")
}

/// Looks at a file.
fn about(path: &Path, settings: &[Setting], progress: &Progress) -> Result<Looked, Report> {
    if gallery::is_entry(path) {
        progress.stage(LOOKING);
        let entry = GalleryEntry::load(path)?;
        let warnings = entry.examine()?;
        let (document, place) = (entry.document.word(), &entry.place);
        let summary = format!("{document}, {place}; {}", entry.extent());
        return Ok(Looked { summary, warnings, arm: None });
    }
    if study::is_study(path) {
        progress.stage(LOOKING);
        let study = Study::load(path, settings)?;
        let scenario = scenario::parse(&study.scenario(), Path::new(""), &Overrides::default())?;
        let Simulation { arm, description, .. } = scenario.simulation;
        let figures = study.figures().len();
        let names: Vec<&str> = study.parameters().iter().map(|one| one.name.as_str()).collect();
        let names = names.join(", ");
        let channels = study.series_columns().len().saturating_sub(2);
        let series = match channels {
            0 => String::new(),
            _ => format!(", {} over time", many(channels as u64, "channel")),
        };
        let large = large(study.needs(1));
        let of_each = format!("{figures} figures of each{series}{large}");
        let summary = match study.optimisation() {
            Some(own) => format!("{}; {of_each}", sought(&study, own, &names)),
            None => format!("{} over {names}; {of_each}", many(study.count(), "run")),
        };
        let arm = Some((arm, description));
        return Ok(Looked { summary, warnings: study.warnings, arm });
    }
    if scenario::is_scenario(path) {
        progress.stage(LOOKING);
        let setup = scenario::examine(path, &Overrides { settings: settings.to_vec() })?;
        let arm = summary(&setup.simulation.arm, &setup.simulation.description);
        let shaper = setup.simulation.plan.as_ref().and_then(|plan| plan.shaper.as_ref());
        let shaper = shaper.map_or_else(String::new, |shaper| format!("; shaper {shaper}"));
        let large = setup.needs().map_or_else(|_| String::new(), large);
        let summary = format!(
            "{} s of an arm of {arm}{shaper}{large}",
            figure(setup.simulation.diagram.duration, 0.0)
        );
        let Simulation { arm, description, .. } = setup.simulation;
        let arm = Some((arm, description));
        return Ok(Looked { summary, warnings: setup.warnings, arm });
    }
    let Loaded { arm, description, warnings, .. } = pliant_io::load_with(path, settings)?;
    let (summary, warnings) = (summary(&arm, &description), vec![warnings]);
    Ok(Looked { summary, warnings, arm: Some((Arc::new(arm), description)) })
}

/// What much needs, in words.
fn large(needs: RunNeeds) -> String {
    let most = || scenario::size(needs.disk[1]);
    if needs.is_large() {
        format!("; {needs}, up to {} on the disk", most())
    } else {
        String::new()
    }
}

/// What an optimisation seeks, with how much of what.
fn sought(study: &Study, own: &StudyOptimisation, names: &str) -> String {
    let aim = |goal: &StudyGoal| {
        format!("{} {}", if goal.is_maximised { "largest" } else { "smallest" }, goal.name)
    };
    let goals: Vec<String> = own.goals().iter().map(aim).collect();
    let front = if goals.len() == 2 { "the front of " } else { "" };
    let variables = many(study.parameters().len() as u64, "variable");
    let constraints = many(study.constraints().len() as u64, "constraint");
    let trials = many(study.count(), "trial");
    format!(
        "{front}{} over {variables} ({names}) under {constraints}, in at most {trials}",
        goals.join(" and ")
    )
}

/// A number of things.
fn many(count: u64, what: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {what}{s}")
}

/// A short summary of an arm.
pub(crate) fn summary(arm: &Arm, description: &Builder) -> String {
    let links = match description.parts().links.len() {
        1 => "1 link".to_owned(),
        n => format!("{n} links"),
    };
    format!("{links}, {}, {} kg", degrees_of_freedom(arm), figure(arm.total_mass(), 0.0))
}

/// The number of degrees of freedom, as text.
pub(crate) fn degrees_of_freedom(arm: &Arm) -> String {
    match arm.nv() {
        1 => "1 degree of freedom".to_owned(),
        n => format!("{n} degrees of freedom"),
    }
}
