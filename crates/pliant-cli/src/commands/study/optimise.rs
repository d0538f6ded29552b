//! `pliant optimise`: the parameters for which a figure is best.

use super::journal::{By, Journal, Line, broken, object};
use super::text::{files, head, missing, more, unfinished};
use crate::commands::options::Format;
use crate::commands::run::interruption;
use crate::figures::{figure, readable, rough, table};
use crate::output::{Failure, Output};
use clap::Args;
use pliant_io::escape::{self, Shown as _};
use pliant_io::study::{
    OptimalTrial, OptimiseProgress, Study, StudyFolder, StudyOptimisation, StudyOptimum, optimise,
};
use std::fmt::Write as _;
use std::path::Path;
use std::time::Instant;

/// More points of a front are left to the summary.
const SHOWN: usize = 12;

/// Choose parameters of a scenario so that a figure is best, or find the front of two figures
#[derive(Args, Debug)]
#[command(alias = "optimize")]
#[command(after_help = "Examples:\n  \
    pliant new optimisation                           writes optimisation.toml, for track.toml\n  \
    pliant check optimisation.toml                    counts parameters and constraints\n  \
    pliant optimise optimisation.toml                 results are in optimisation-study\n  \
    pliant optimise optimisation.toml --set optimise.evaluations=5000 -o longer\n  \
    pliant optimise --continue optimisation-study     goes on where it was killed or interrupted\n\n\
    A study file with a table [optimise] names the figure that is to be small (minimise) or large\n\
    (maximise), or two figures, whose Pareto front is sought. Parameters are numbers of the scenario or\n\
    its arm between from and to; each [[constraint]] limits parameters or figures, in SI units.\n\
    `pliant explain keys optimisation` lists the keys.\n\
    The folder contains table.parquet, a row for each trial in their order, as pliant sweep has it;\n\
    summary.json, with the best trials; report.html, a page with the path or the front; and study.toml,\n\
    the study with its scenario and arm inside. pliant run FOLDER --row N makes trial N again.\n\
    Trials are on the disk a second or two after they were computed. Ctrl-C stops the search,\n\
    --continue goes on with it, and the table is the same, byte for byte, for any number of threads.\n\
    A second Ctrl-C ends pliant at once.\n\
    Exit code: 0 success, 1 error in the input, interrupted, or no trial that keeps all constraints,\n\
    2 internal error.")]
pub(crate) struct Optimise {
    #[command(flatten)]
    journal: Journal,
}

impl Optimise {
    pub(crate) fn run(&self, output: &Output) -> Result<(), Failure> {
        let (study, mut folder) = self.journal.open(By::Optimise, |study| study, output)?;
        let (before, begun) = (folder.done(), Instant::now());
        let is_over = self.do_trials(&study, &mut folder, output)?;
        let took = begun.elapsed();
        if !is_over {
            let (more, path) = (folder.done() - before, folder.path());
            return Err(Failure::Stopped(format!(
                "interrupted after {more} trials; {} are safe in {}; {}",
                folder.done(),
                path.shown(),
                By::Optimise.going_on(path)
            )));
        }
        let (summary, names) = self.journal.finish(&study, &mut folder, output)?;
        let Some(optimum) = &summary.optimum else {
            return Err(Failure::internal("an optimisation without optimum"));
        };
        match self.journal.format {
            Format::Json => output.data(&object(&summary, folder.path())?)?,
            Format::Text => {
                let done = summary.rows - before;
                let mut text = head(&self.journal.name(), &study, &summary, (done, took));
                text.push_str(&unfinished(&summary));
                text.push_str(&missing(&summary, ""));
                text.push_str(&described(&study, optimum, folder.path()));
                text.push_str(&files(&study, &summary, folder.path(), &names));
                output.data(&text)?;
            }
        }
        if optimum.best.is_empty() {
            return Err(Failure::input(
                summary.without_best(&study),
                "look at the figures and reasons in table.parquet; let the runs last longer, the \
                 constraints or the ranges be wider, or write evaluations = 10000 below [optimise]",
            ));
        }
        Ok(())
    }

    /// Does the trials that are missing; whether the search is over.
    fn do_trials(
        &self,
        study: &Study,
        folder: &mut StudyFolder,
        output: &Output,
    ) -> Result<bool, Failure> {
        let interrupted = interruption()?;
        let mut shown = Line::new(output);
        let mut watch = |progress: &OptimiseProgress| {
            shown.show(&interrupted, |elapsed| line(study, progress, elapsed))
        };
        let done = optimise(study, folder, self.journal.threads(), &mut watch);
        output.end_progress();
        let done = done.map_err(|error| broken(error, By::Optimise, folder.path()))?;
        Ok(done.is_continue())
    }
}

/// How far it is: trials, their rate, and the best so far.
fn line(study: &Study, progress: &OptimiseProgress, elapsed: f64) -> String {
    let OptimiseProgress { done, most, before, best } = progress;
    let rate = rough(done.saturating_sub(*before) as f64 / elapsed);
    let goals = study.optimisation().map_or(&[][..], StudyOptimisation::goals);
    let best: Vec<String> = (goals.iter().zip(best))
        .map(|(goal, &value)| format!("{} {}", goal.name, with_unit(value, &goal.unit)))
        .collect();
    let best = if best.is_empty() { "none is feasible yet".to_owned() } else { best.join(", ") };
    format!("{done} trials of at most {most}, {rate} trials/s, best: {best}")
}

fn with_unit(value: f64, unit: &str) -> String {
    let (unit, factor) = readable(unit, value.abs());
    let number = figure(factor * value, 0.0);
    if unit == "1" { number } else { format!("{number} {unit}") }
}

/// The best trial, or the front, and how to repeat it.
fn described(study: &Study, optimum: &StudyOptimum, folder: &Path) -> String {
    let mut text = String::new();
    let StudyOptimum { goals, used_up, feasible, best } = optimum;
    let keep = if study.constraints().is_empty() {
        "that ended with figures"
    } else {
        "that keep all constraints"
    };
    match (best.as_slice(), goals.len()) {
        ([], _) => {}
        ([best, ..], 1) => {
            let _ = writeln!(text, "\nbest is trial {}, of {feasible} {keep}:", best.index);
            let words = if goals[0].is_maximised { "the largest" } else { "the smallest" };
            let line = |name: &str, value: f64, unit: &str, words: &str| {
                vec![name.to_owned(), with_unit(value, unit), words.to_owned()]
            };
            let mut lines = vec![line(&goals[0].name, best.goals[0], &goals[0].unit, words)];
            for (parameter, &value) in study.parameters().iter().zip(&best.point) {
                lines.push(line(
                    &parameter.name,
                    value,
                    &parameter.unit,
                    study.at_end(parameter, value).unwrap_or(""),
                ));
            }
            text.push_str(&table(&lines, 3));
            text.push_str(&slacks(best));
        }
        (front, _) => {
            let trials = if front.len() == 1 { "trial" } else { "trials" };
            let _ = writeln!(text, "\nfront of {} {trials}, of {feasible} {keep}:", front.len());
            text.push_str(&points(study, optimum));
        }
    }
    if *used_up {
        let _ = writeln!(
            text,
            "\nall {} trials were used: more evaluations may find better ones",
            study.count()
        );
    }
    if let Some(best) = best.first() {
        let which =
            if goals.len() == 1 { "it".to_owned() } else { format!("trial {}", best.index) };
        if study.stands_alone(&best.point) {
            let _ = writeln!(text, "\nto repeat {which}:\n  {}", command(best, folder));
        } else {
            let _ = writeln!(
                text,
                "\nits beams have the shapes of the study's arm, in which no run can be made alone;\n\
                 shapes = \"rebuilt\" in the study finds those of each arm"
            );
        }
    }
    text
}

/// What is left of each constraint, in SI units.
fn slacks(best: &OptimalTrial) -> String {
    if best.constraints.is_empty() {
        return String::new();
    }
    let line =
        |(text, slack): &(String, f64)| vec![text.clone(), format!("by {}", figure(*slack, 0.0))];
    let lines: Vec<Vec<String>> = best.constraints.iter().map(line).collect();
    format!("it keeps (SI units):\n{}", table(&lines, 2))
}

/// Points along the front, its ends among them.
fn points(study: &Study, optimum: &StudyOptimum) -> String {
    let trials = spread(&optimum.best);
    let numbers = |trial: &OptimalTrial| [&trial.goals[..], &trial.point[..]].concat();
    let goals = optimum.goals.iter().map(|goal| (&goal.name, &goal.unit));
    let columns = goals.chain(study.parameters().iter().map(|one| (&one.name, &one.unit)));
    let mut head = vec!["trial".to_owned()];
    let mut factors = Vec::new();
    for (column, (name, unit)) in columns.enumerate() {
        let sizes = trials.iter().map(|trial| numbers(trial)[column].abs());
        let (unit, factor) = readable(unit, sizes.fold(0.0, f64::max));
        head.push(if unit == "1" { name.clone() } else { format!("{name} [{unit}]") });
        factors.push(factor);
    }
    let mut lines = vec![head];
    for trial in &trials {
        let shown = numbers(trial).into_iter().zip(&factors);
        let shown = shown.map(|(number, factor)| figure(factor * number, 0.0));
        lines.push(std::iter::once(trial.index.to_string()).chain(shown).collect());
    }
    let mut text = table(&lines, 0);
    more(&mut text, optimum.best.len(), trials.len());
    text
}

/// Trials along the front, evenly by how far the goals change from one to the next.
fn spread(front: &[OptimalTrial]) -> Vec<&OptimalTrial> {
    let (Some(first), Some(last)) = (front.first(), front.last()) else { return Vec::new() };
    // the part of the way from one end to the other, of all goals together
    let part = |trial: &OptimalTrial| -> f64 {
        let ends = first.goals.iter().zip(&last.goals).zip(&trial.goals);
        let parts = ends.map(|((from, to), at)| (at - from) / (to - from));
        parts.filter(|part| part.is_finite()).sum::<f64>() / first.goals.len() as f64
    };
    let mut shown: Vec<&OptimalTrial> = Vec::new();
    for k in 0..SHOWN {
        let wanted = k as f64 / (SHOWN - 1) as f64;
        let away = |trial: &&OptimalTrial| (part(trial) - wanted).abs();
        let nearest = front.iter().min_by(|a, b| away(a).total_cmp(&away(b)));
        shown.extend(nearest.filter(|one| shown.last().is_none_or(|last| last.index != one.index)));
    }
    shown
}

/// The command that repeats a trial.
fn command(trial: &OptimalTrial, folder: &Path) -> String {
    let folder = escape::shell(&folder.to_string_lossy());
    format!("pliant run {folder} --row {}", trial.index)
}

#[cfg(test)]
mod tests {
    use super::{OptimalTrial, SHOWN, spread, with_unit};
    use std::collections::BTreeMap;

    #[test]
    fn a_front_is_shown_from_end_to_end() {
        let trial = |index: u64, goals: [f64; 2]| OptimalTrial {
            index,
            point: Vec::new(),
            parameters: BTreeMap::new(),
            goals: goals.to_vec(),
            constraints: Vec::new(),
        };
        // dense near its first end
        let front: Vec<OptimalTrial> = (0..1000)
            .map(|k| (f64::from(k) / 999.0).powi(3))
            .zip(0..)
            .map(|(x, index)| trial(index, [x, 5.0 - 2.0 * x]))
            .collect();
        let shown = spread(&front);
        assert_eq!((shown.len(), shown[0].index, shown[SHOWN - 1].index), (SHOWN, 0, 999));
        for two in shown.windows(2) {
            let step = two[1].goals[0] - two[0].goals[0];
            assert!((step * (SHOWN - 1) as f64 - 1.0).abs() < 0.05, "{step}");
        }
        assert_eq!(spread(&front[..1]).len(), 1);
        assert!(spread(&[]).is_empty());
    }

    #[test]
    fn numbers_have_their_units() {
        assert_eq!(with_unit(0.25, "m"), "0.25 m");
        assert_eq!(with_unit(69e9, "Pa"), "69 GPa");
        assert_eq!(with_unit(3.0, "1"), "3");
    }
}
