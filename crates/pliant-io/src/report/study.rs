//! A study, as a page tells it.

use super::pack::Pack;
use crate::escape;
use crate::study::{
    JournalError, OptimalTrial, Study, StudyOptimum, StudyParameter, StudySample, StudySummary,
    StudyTableReader, StudyView, TrialMark, single_run,
};
use pliant::study::{Factor, Sampling};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::path::Path;

/// Rows of a page, at most, besides those that have the least and the most of a figure.
const MOST_ROWS: u64 = 20_000;

/// Numbers of a page, at most: twelve million bytes.
const MOST_NUMBERS: u64 = 1_500_000;

/// Rows that are kept whatever else there is.
const FEWEST_ROWS: u64 = 2000;

/// Letters of what is said about a row; a row of the table has all.
const LONGEST: usize = 400;

/// Tells of the study in a folder.
pub(super) fn tell(
    study: &Study,
    (folder, links): (&Path, bool),
    (table, summary): (&StudyTableReader, &StudySummary),
    pack: &mut Pack,
) -> Result<Value, JournalError> {
    let columns = (study.parameters().len() + study.figures().len()).max(1) as u64;
    let most = (MOST_NUMBERS / columns).clamp(FEWEST_ROWS, MOST_ROWS);
    let sample = table.sample(most, &summary.telling_runs())?;
    let indices: Vec<f64> = sample.rows.iter().map(|&row| row as f64).collect();
    let parameters: Vec<Value> = study
        .parameters()
        .iter()
        .map(|one| {
            let (words, at) = if one.is_number() {
                (None, pack.exact(sample.numbers(&one.name).unwrap_or_default()))
            } else {
                let (words, places) = told_apart(texts(&sample, &one.name));
                (Some(words), pack.exact(&places))
            };
            json!({
                "name": one.name,
                "label": one.name,
                "paths": one.paths,
                "unit": one.unit,
                "words": words,
                "logarithmic": one.is_logarithmic(),
                "levels": one.has_levels(),
                "at": at,
            })
        })
        .collect();
    let figures: Vec<Value> = summary
        .figures
        .iter()
        .map(|one| {
            json!({
                "name": one.name,
                "label": one.label,
                "unit": one.unit,
                "lowerIsBetter": one.lower_is_better,
                "known": one.known,
                "missing": one.missing,
                "least": one.least,
                "median": one.median,
                "most": one.most,
                "at": pack.exact(sample.numbers(&one.name).unwrap_or_default()),
            })
        })
        .collect();
    let index = pack.exact(&indices);
    let trials = study.trials(table)?;
    let optimisation = study.optimisation().zip(trials.as_ref()).map(|(own, trials)| {
        let marks: Vec<f64> = TrialMark::of_sample(trials, &sample)
            .into_iter()
            .map(|mark| match mark {
                TrialMark::Keeps => 1.0,
                TrialMark::Breaks => 0.0,
                TrialMark::Failed => f64::NAN,
            })
            .collect();
        json!({
            "goals": own.goals(),
            "feasible": pack.exact(&marks),
            "optimum": summary.optimum.as_ref().map(|optimum| best(study, summary, optimum)),
        })
    });
    let tried = trials.unwrap_or_default().into_iter().map(|trial| trial.point).collect::<Vec<_>>();
    let alone = study.keeps_shapes().then(|| {
        let points: Vec<Vec<f64>> =
            sample.rows.iter().map(|&row| study.drawn(row, &tried)).collect();
        let alone = study.stand_alone(&points).into_iter().map(f64::from).collect::<Vec<_>>();
        pack.exact(&alone)
    });
    let mut words = |name: &str| {
        let cut = texts(&sample, name).iter().map(|text| short(text)).collect::<Vec<_>>();
        let (words, places) = told_apart(&cut);
        json!({ "words": words, "at": pack.exact(&places) })
    };
    Ok(json!({
        "name": name_of(folder),
        "folder": escape::shell(&folder.to_string_lossy()),
        "rows": table.rows(),
        "count": sample.rows.len(),
        "index": index,
        "parameters": parameters,
        "figures": figures,
        "status": words("status"),
        "reason": words("reason"),
        "detail": words("detail"),
        "statuses": summary.statuses,
        "reasons": summary.reasons,
        "sensitivities": summary.sensitivities,
        "view": StudyView::usual(study, &sample),
        "facts": facts(study, summary),
        "pages": if links { pages(study, folder, &tried) } else { Vec::new() },
        "alone": alone,
        "optimisation": optimisation,
    }))
}

/// The best trial, or the ends of the front.
fn best(study: &Study, summary: &StudySummary, optimum: &StudyOptimum) -> Value {
    let StudyOptimum { best, feasible, used_up, .. } = optimum;
    let last = best.len().saturating_sub(1);
    let ends = best.iter().enumerate().filter(|(place, _)| [0, last].contains(place));
    let told = |(_, trial): (usize, &OptimalTrial)| {
        let parameters = study.parameters().iter();
        let at_end = |one: &StudyParameter| study.at_end(one, *trial.parameters.get(&one.name)?);
        let words: Vec<_> = parameters.map(at_end).collect();
        json!({ "run": trial.index, "constraints": trial.constraints, "at_end": words })
    };
    json!({
        "ends": ends.map(told).collect::<Vec<_>>(),
        "front": best.len(),
        "feasible": feasible,
        "used_up": used_up,
        "is_constrained": !study.constraints().is_empty(),
        "without": best.is_empty().then(|| summary.without_best(study)),
    })
}

fn texts<'a>(sample: &'a StudySample, name: &str) -> &'a [String] {
    sample.texts(name).unwrap_or_default()
}

/// Each text once, in the order they come, and where each is among them.
fn told_apart(texts: &[String]) -> (Vec<&str>, Vec<f64>) {
    let (mut words, mut places) = (Vec::new(), Vec::with_capacity(texts.len()));
    let mut known: HashMap<&str, usize> = HashMap::new();
    for text in texts {
        let place = *known.entry(text).or_insert_with(|| {
            words.push(text.as_str());
            words.len() - 1
        });
        places.push(place as f64);
    }
    (words, places)
}

/// A text that is not too long for a page.
fn short(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// What a study is called: as its folder.
fn name_of(folder: &Path) -> String {
    let whole = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    let name = whole.file_name().map(|name| name.to_string_lossy().into_owned());
    name.unwrap_or_else(|| "study".to_owned())
}

/// Labels and what they say.
fn facts(study: &Study, summary: &StudySummary) -> Vec<(&'static str, String)> {
    let words = |is_large: bool| if is_large { "large" } else { "small" };
    let sought = study.optimisation().map(|own| {
        let goals = own.goals().iter();
        let goals = goals.map(|goal| format!("{} {}", goal.name, words(goal.is_maximised)));
        goals.collect::<Vec<_>>().join(", ")
    });
    let design = match study.design().sampling() {
        Sampling::Grid => {
            let levels = study.design().factors().iter().filter_map(Factor::levels);
            let levels: Vec<String> = levels.map(|count| count.to_string()).collect();
            format!("grid of {}", levels.join(" × "))
        }
        Sampling::List => "list".to_owned(),
        Sampling::Random { runs, seed } => format!("{runs} random draws, seed {seed}"),
        Sampling::Sobol { runs, seed } => format!("{runs} quasi-random draws, seed {seed}"),
        Sampling::Saltelli { draws, seed } => {
            format!("sensitivity, {draws} draws of each scheme, seed {seed}")
        }
    };
    let mut facts = match sought {
        Some(sought) => vec![("Optimisation", format!("makes {sought}"))],
        None => vec![("Design", design)],
    };
    let constraints = study.constraints().iter();
    facts.extend(constraints.map(|one| ("Constraint", one.text().to_owned())));
    facts.push(("Version", format!("pliant {}", summary.version)));
    facts.push(("Hash of the study", summary.study.chars().take(16).collect()));
    facts
}

/// The runs that were made again alone and have a page below the folder of the study.
pub(super) fn pages(study: &Study, folder: &Path, tried: &[Vec<f64>]) -> Vec<u64> {
    let mut runs = study.single_runs(folder, tried);
    runs.retain(|&run| single_run(folder, run).join("report.html").is_file());
    runs
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, short, told_apart};

    #[test]
    fn texts_are_told_once() {
        let texts = ["a", "b", "a", "", "b"].map(str::to_owned);
        assert_eq!(told_apart(&texts), (vec!["a", "b", ""], vec![0.0, 1.0, 0.0, 2.0, 1.0]));
    }

    #[test]
    fn texts_are_cut_between_letters() {
        assert_eq!(short("ünstable"), "ünstable");
        assert_eq!(short(&"ü".repeat(LONGEST + 1)), format!("{}…", "ü".repeat(LONGEST)));
    }
}
