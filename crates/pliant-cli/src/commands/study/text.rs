//! A study in words.

use crate::figures::{figure, readable, rough, table};
use crate::progress_line::duration;
use pliant::study::Sampling;
use pliant_io::escape::Shown as _;
use pliant_io::study::{FigureRange, ParameterIndices, RowStatus, Study, StudySummary};
use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

/// How figures are called that only a run has with a rest after its plan.
const OF_REST: [&str; 4] = ["settling_time", "still_from", "residual_amplitude", "overshoot"];

/// More lines than this are left to the summary.
const SHOWN: usize = 24;

/// The first lines: how many runs, how fast, and how they ended.
pub(super) fn head(
    name: &str,
    study: &Study,
    summary: &StudySummary,
    (done, took): (u64, Duration),
) -> String {
    let mut text = format!("{name}: done; {} runs", summary.rows);
    let seconds = took.as_secs_f64();
    if done > 0 {
        let before = summary.rows - done;
        let now = if before > 0 { format!("{done} now") } else { "all now".to_owned() };
        let rate = rough(done as f64 / seconds.max(1e-9));
        let _ = write!(text, ", {now} in {} ({rate} runs/s)", duration(seconds));
    }
    text.push('\n');
    let names: Vec<&str> = study.parameters().iter().map(|one| one.name.as_str()).collect();
    let _ = writeln!(text, "  parameters: {}", names.join(", "));
    let count = |status: &RowStatus| {
        let count = summary.statuses.get(status.word())?;
        Some(format!("{count} {}", status.word()))
    };
    let counts: Vec<String> = RowStatus::ALL.iter().filter_map(count).collect();
    let _ = writeln!(text, "  runs: {}", counts.join(", "));
    text
}

/// Figures, reasons, Sobol indices and files.
pub(super) fn describe(
    study: &Study,
    summary: &StudySummary,
    folder: &Path,
    files: &[&str],
) -> String {
    let mut text = unfinished(summary);
    text.push_str(&figures(&summary.figures));
    text.push_str(&missing(summary, " (ranges and indices are of the other runs)"));
    text.push_str(&sensitivities(study, &summary.sensitivities));
    text.push_str(&self::files(study, summary, folder, files));
    text
}

/// Why runs did not reach their end.
pub(super) fn unfinished(summary: &StudySummary) -> String {
    let mut text = String::new();
    if !summary.reasons.is_empty() {
        text.push_str("\nnot completed:\n");
        let line = |(status, reason, count): &(String, String, u64)| {
            vec![format!("{count} {status}"), reason.clone()]
        };
        let lines: Vec<_> = summary.reasons.iter().take(SHOWN).map(line).collect();
        text.push_str(&table(&lines, 2));
        more(&mut text, summary.reasons.len(), SHOWN);
    }
    text
}

/// What is in the folder.
pub(super) fn files(
    study: &Study,
    summary: &StudySummary,
    folder: &Path,
    files: &[&str],
) -> String {
    let mut text = String::new();
    let _ = writeln!(text, "\nin {}: {}", folder.shown(), files.join(", "));
    let (rows, columns) = (summary.rows, study.columns().len());
    let _ = writeln!(text, "  {rows} row{} of {columns} columns", if rows == 1 { "" } else { "s" });
    text
}

/// The ends and the median of each figure, each with the run that has it; the better end has a star.
fn figures(all: &[FigureRange]) -> String {
    let known: Vec<&FigureRange> = all.iter().filter(|one| one.known > 0).collect();
    if known.is_empty() {
        return String::new();
    }
    let head = ["", "least", "", "of run", "median", "", "most", "", "of run"];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    for range in known.iter().take(SHOWN) {
        let (Some(least), Some(most), Some(median)) = (range.least, range.most, range.median)
        else {
            continue;
        };
        let largest = least.0.abs().max(most.0.abs());
        let (unit, factor) = readable(&range.unit, largest);
        let unit = if unit == "1" { String::new() } else { unit };
        let number = |value: f64| figure(factor * value, factor * largest);
        let star = |is_better: bool| if is_better { "*" } else { "" };
        let is_lower = range.lower_is_better.filter(|_| least.0 < most.0);
        lines.push(vec![
            range.name.clone(),
            number(least.0),
            unit.clone(),
            format!("{}{}", least.1, star(is_lower == Some(true))),
            number(median),
            unit.clone(),
            number(most.0),
            unit,
            format!("{}{}", most.1, star(is_lower == Some(false))),
        ]);
    }
    let mut text = format!("\nfigures (* the better end):\n{}", table(&lines, 1));
    more(&mut text, known.len(), SHOWN);
    text
}

/// How many runs have no number of a figure, and what that means for what is told of the others.
pub(super) fn missing(summary: &StudySummary, others: &str) -> String {
    let all: Vec<_> = summary.incomplete().collect();
    if all.is_empty() {
        return String::new();
    }
    let ended = summary.ended();
    let line = |one: &&FigureRange| {
        let all = if one.missing == ended { "all " } else { "" };
        vec![one.name.clone(), format!("{all}{} of {ended} runs", one.missing)]
    };
    let lines: Vec<_> = all.iter().take(SHOWN).map(line).collect();
    let mut text = format!("\nwithout a figure{others}:\n{}", table(&lines, 2));
    more(&mut text, all.len(), SHOWN);
    if all.iter().any(|one| OF_REST.iter().any(|end| one.name.ends_with(end))) {
        text.push_str(
            "  without settling time, residual amplitude or overshoot: not settled, or no rest after \
             the plan to look at\n",
        );
    }
    text
}

/// Total Sobol indices by figure and parameter, with the intervals that contain them with 95 %.
fn sensitivities(study: &Study, all: &[ParameterIndices]) -> String {
    let Sampling::Saltelli { draws: blocks, .. } = study.design().sampling() else {
        return String::new();
    };
    if all.is_empty() {
        return String::new();
    }
    let head = ["", "", "alone", "from", "to", "in all", "from", "to"];
    let mut lines = vec![head.map(str::to_owned).to_vec()];
    for one in all.iter().take(SHOWN) {
        let mut line = vec![one.figure.clone(), one.parameter.clone()];
        line.extend(one.first.iter().chain(&one.total).map(|part| format!("{part:.3}")));
        lines.push(line);
    }
    let mut text = format!("\nparts of the variance (Sobol indices, 95 %):\n{}", table(&lines, 2));
    more(&mut text, all.len(), SHOWN);
    let mut told = "";
    for one in all.iter().take(SHOWN).filter(|one| one.left_out > 0) {
        if one.figure != told {
            let _ = writeln!(
                text,
                "  {}: without {} of {blocks} blocks of runs, of which a run does not have it",
                one.figure, one.left_out
            );
            told = &one.figure;
        }
    }
    text
}

/// How many there are beside those shown.
pub(super) fn more(text: &mut String, count: usize, shown: usize) {
    if let Some(more) = count.checked_sub(shown).filter(|more| *more > 0) {
        let _ = writeln!(text, "  and {more} more in summary.json");
    }
}
