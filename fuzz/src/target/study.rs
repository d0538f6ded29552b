//! Studies, and the first steps of their runs.

use super::{Verdict, draw, refused, root, small, texts};
use crate::random::hash;
use pliant_io::files::Existing;
use pliant_io::study::{Study, StudyFolder, StudyStep, optimise};
use pliant_io::{Report, Source};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// Where other files are looked for.
const FOLDER: &str = "crates/pliant-io/tests/bad-studies/scenario";

/// How many steps are made, of all runs together.
const STEPS: usize = 6;

/// What studies of short scenarios change.
const CHANGED: [&str; 4] = [
    "design = \"random\"\nruns = 3\nshapes = \"nominal\"\n\n[[parameter]]\npath = \"duration\"\nfrom = \"10 ms\"\nto = \"20 ms\"\n",
    "figures = [\"*\"]\nseries = [\"coordinates\", \"*.position.*\"]\n\n[[parameter]]\nname = \"a\"\npath = \"duration\"\nvalues = [0.01, \"12 ms\"]\n\n[[constraint]]\nexpression = \"a < 0.5\"\n",
    "design = \"sensitivity\"\nruns = 2\nseed = 1\n\n[[parameter]]\nname = \"long\"\npath = \"duration\"\nmean = \"20 ms\"\ndeviation = \"1 ms\"\nfrom = \"15 ms\"\n",
    "seed = 1\n\n[optimise]\nminimise = \"mass\"\nmaximise = \"end\"\nevaluations = 3\n\n[[parameter]]\nname = \"a\"\npath = \"duration\"\nfrom = \"10 ms\"\nto = \"20 ms\"\nscale = \"logarithmic\"\n\n[[constraint]]\nexpression = \"end + a < 1\"\n",
];

/// Studies of short scenarios, with these inside, and bad ones.
pub(super) fn seeds() -> Result<Vec<String>, String> {
    let mut seeds = Vec::new();
    for (scenario, changed) in small::seeds().iter().zip(CHANGED.iter().cycle()) {
        // tables of the scenario stand below its own header
        let (head, tables) = match scenario.find("\n[") {
            Some(at) => scenario.split_at(at),
            None => (scenario.as_str(), ""),
        };
        let inside = tables.replace("\n[[", "\n[[scenario.").replace("\n[", "\n[scenario.");
        let inside = inside.replace("\n[scenario.[scenario.", "\n[[scenario.");
        let (keys, parameters) = changed.split_once("\n[").unwrap_or((changed, ""));
        let text = format!("{keys}\n[scenario]\n{head}\n{inside}\n[{parameters}");
        seeds.push(text);
    }
    for folder in ["crates/pliant-io/tests/bad-studies", "crates/pliant-cli/templates/studies"] {
        seeds.extend(texts(folder, "toml")?.into_iter().map(|(_, text)| text));
    }
    Ok(seeds)
}

fn read(text: &str) -> Result<Study, Report> {
    Study::parse(&Source::new("study.toml", text), &root().join(FOLDER), &[])
}

pub(super) fn run(input: &str, is_thorough: bool, scratch: &Path) -> Verdict {
    let study = match read(input) {
        Ok(study) => study,
        Err(report) => return refused(&report),
    };
    study.warnings.iter().for_each(|report| draw(report, input));
    let number = hash(input.as_bytes()) % 4;
    if is_thorough || number == 0 {
        match read(study.text()) {
            Ok(again) => assert_eq!(again.text(), study.text(), "another study is kept"),
            Err(report) => panic!("the text of a study is refused: {report}"),
        }
    }
    if is_thorough || number == 1 {
        let last = study.count() - 1;
        assert!(study.design().point(last).iter().all(|value| value.is_finite()));
    }
    if is_thorough || number > 1 {
        first_steps(&study, scratch);
    }
    Verdict::Accepted
}

/// A folder of the study with nothing in it. What is there goes first: a study without any row, which
/// may be the only copy of itself, is not replaced.
fn fresh(study: &Study, scratch: &Path) -> (PathBuf, StudyFolder) {
    let place = scratch.join("study");
    let _ = std::fs::remove_dir_all(&place);
    let folder = StudyFolder::create(&place, study, Existing::Refuse);
    (place, folder.unwrap_or_else(|error| panic!("no folder: {error}")))
}

/// Makes some steps of its runs, and writes down those that are over.
fn first_steps(study: &Study, scratch: &Path) {
    if study.optimisation().is_some() {
        return first_trial(study, scratch);
    }
    let mut steps = 0;
    let chunk = study.run_chunk(0..study.count().min(3), &mut |step| {
        steps += usize::from(step == StudyStep::Within);
        if steps < STEPS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    let Some(chunk) = chunk.unwrap_or_else(|error| panic!("rows that are none: {error}")) else {
        return;
    };
    let (place, mut folder) = fresh(study, scratch);
    let stored = folder.accept(study, &chunk);
    assert!(stored.is_ok(), "rows that are not taken: {:?}", stored.err());
    drop(folder);
    let again = StudyFolder::reopen(&place, study).map(|folder| folder.done());
    assert_eq!(again.ok(), Some(chunk.runs.end), "rows are not found again");
}

/// Makes the first trial of an optimisation, unless it takes long, and writes it down.
fn first_trial(study: &Study, scratch: &Path) {
    let (place, mut folder) = fresh(study, scratch);
    let done = optimise(study, &mut folder, 1, &mut |_| ControlFlow::Break(()));
    done.map_or_else(|error| panic!("trials that are none: {error}"), drop);
    let stored = folder.done();
    drop(folder);
    let again = StudyFolder::reopen(&place, study).map(|folder| folder.done());
    assert_eq!(again.ok(), Some(stored), "trials are not found again");
}
