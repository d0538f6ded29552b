//! Folders of studies: what they are told to need, what goes by force, and what somebody removed.

use crate::studies::{PARAMETERS, SCENARIO, chunk, go_on, run, scratch, study, table};
use pliant::study::{Bootstrap, sobol_indices};
use pliant_io::Source;
use pliant_io::files::Existing;
use pliant_io::report;
use pliant_io::scenario::{self, NoRoom, Overrides, RunNeeds};
use pliant_io::study::{Study, StudyFolder, StudyTableReader, optimise, single_run, sweep};
use std::ops::ControlFlow;
use std::path::Path;

const SHORT: &str = "set = [\"duration=20 ms\"]";

/// A search that chooses a stiffness, under a limit that excludes low ones.
const SOUGHT: &str = r#"
[optimise]
minimise = "upper.rms_error"
starts = 2
evaluations = 40

[[parameter]]
name = "stiffness"
path = "controller.hold.joint[0].stiffness"
from = 40
to = 90

[[constraint]]
expression = "stiffness > 45"
"#;

/// Runs one run of a study alone, below its folder.
fn alone(study: &Study, place: &Path, row: u64, into: u64) {
    let table = StudyTableReader::of_study(study, place).expect("a table");
    let setup = study.setup(row, Some(&table), &Overrides::default());
    let setup = setup.unwrap_or_else(|error| panic!("{error}"));
    let mut watch = |_: &_| ControlFlow::Continue(());
    let into = single_run(place, into);
    drop(scenario::run(&setup, &into, Existing::Refuse, &mut watch).expect("it runs"));
}

/// An optimisation needs what its first points take at least, and what all its evaluations take at most.
#[test]
fn an_optimisation_may_end_early() {
    let folder = scratch("needs-early");
    let wide = study(&folder, SHORT, &SOUGHT.replace("evaluations = 40", "evaluations = 2000"));
    let needs = wide.needs(1);
    assert_eq!((needs.fewest_rows, needs.rows), (16.0, 2000.0));
    let words = needs.to_string();
    assert!(words.starts_with("16 to 2000 rows of "), "{words}");
    // a sweep of as many rows needs at least their part
    let grid = "[[parameter]]\npath = \"controller.hold.joint[0].stiffness\"\nfrom = 40\nto = 90\n";
    let sweep = study(&folder, SHORT, &format!("{grid}count = 2000\n")).needs(1);
    assert_eq!((sweep.fewest_rows, sweep.rows), (2000.0, 2000.0));
    let part = |needs: RunNeeds| needs.disk[0] / needs.disk[1];
    assert!((part(needs) / part(sweep) - 16.0 / 2000.0).abs() < 1e-12);
    // fewer evaluations than first points are all of them
    let few = study(&folder, SHORT, &SOUGHT.replace("evaluations = 40", "evaluations = 3"));
    assert_eq!((few.needs(1).fewest_rows, few.needs(1).rows), (3.0, 3.0));
    // with series, of each trial as many rows as the run has
    let head = "series = [\"coordinates\"]\nset = [\"duration=20 ms\"]";
    let with = study(&folder, head, SOUGHT).needs(1);
    assert_eq!((with.fewest_rows, with.rows), (16.0 * 5.0, 40.0 * 5.0));
}

/// Series are held for each thread, and for no more threads than there are runs.
#[test]
fn series_need_memory_for_each_thread() {
    let folder = scratch("needs-threads");
    let head = "design = \"random\"\nruns = 10000000\nseries = [\"coordinates\"]\n\
                set = [\"record.every=1 us\", \"duration=0.2 s\"]";
    let rest = PARAMETERS.replace("count = 2\n", "");
    let many = study(&folder, head, &rest);
    let memory = |threads| many.needs(threads).memory;
    assert!(memory(8) / memory(4) > 1.9, "{} {}", memory(4), memory(8));
    // a run has 200,001 rows of 4 numbers: 3 coordinates and the time
    assert!(memory(64) > 64.0 * 8.0 * 200_001.0 * 4.0, "{}", memory(64));
    let two = study(&folder, &head.replace("10000000", "2"), &rest);
    assert_eq!(two.needs(64).memory, two.needs(2).memory);
    if cfg!(target_os = "linux") {
        // whatever the disk has
        let needs = RunNeeds { disk: [0.0; 2], ..many.needs(1_000_000) };
        let told = needs.check(&folder).expect_err("no machine has it");
        assert!(matches!(told, NoRoom::Runs { runs: 1_000_000, .. }), "{told}");
        assert!(told.to_string().contains("what 1000000 runs at once hold"), "{told}");
    }
}

/// By force the single runs of the former study go with it, and what is nobody's stays.
#[test]
fn single_runs_go_with_their_study() {
    let folder = scratch("force-runs");
    for (name, first, rest) in [
        ("sweep", study(&folder, SHORT, PARAMETERS), PARAMETERS),
        ("search", study(&folder, SHORT, SOUGHT), SOUGHT),
    ] {
        let place = folder.join(name);
        let mut journal = StudyFolder::create(&place, &first, Existing::Refuse).expect("a folder");
        if first.optimisation().is_some() {
            let mut watch = |_: &_| ControlFlow::Continue(());
            let done = optimise(&first, &mut journal, 2, &mut watch).expect("trials");
            assert!(done.is_continue());
        } else {
            assert!(sweep(&first, &mut journal, 2, &mut go_on).expect("runs").is_continue());
        }
        let _ = journal.finish(&first).expect("a table");
        drop(journal);
        let best = StudyTableReader::open(&place).expect("a table").texts("status");
        let good =
            best.expect("readable").expect("texts").iter().position(|one| one == "completed");
        let good = good.expect("one") as u64;
        alone(&first, &place, good, good);
        std::fs::write(single_run(&place, good).join("report.html"), "<html>").expect("written");
        // of another row, a scenario alone, notes; and in the folder itself a scenario of somebody
        alone(&first, &place, good, 1000);
        std::fs::create_dir(place.join("runs/1001")).expect("a folder");
        std::fs::write(place.join("runs/1001/scenario.toml"), "# mine").expect("written");
        std::fs::write(place.join("runs/notes.txt"), "mine").expect("written");
        std::fs::write(place.join("scenario.toml"), "# mine").expect("written");
        let other = study(&folder, "set = [\"duration=21 ms\"]", rest);
        let journal = StudyFolder::create(&place, &other, Existing::Replace).expect("by force");
        assert_eq!(journal.foreign(), ["runs", "scenario.toml"]);
        assert!(!single_run(&place, good).exists(), "{name}: the run {good} is there");
        for kept in [
            "runs/1000/result.parquet",
            "runs/1001/scenario.toml",
            "runs/notes.txt",
            "scenario.toml",
        ] {
            assert!(place.join(kept).is_file(), "{name}: {kept} is gone");
        }
        assert_eq!(std::fs::read(place.join("scenario.toml")).expect("there"), b"# mine");
    }
    // where nothing else is in it, the folder of runs goes too
    let own = study(&folder, SHORT, PARAMETERS);
    let place = folder.join("clean");
    let _ = run(&own, &place, 2);
    alone(&own, &place, 3, 3);
    let journal = StudyFolder::create(&place, &own, Existing::Replace).expect("by force");
    assert!(journal.foreign().is_empty() && !place.join("runs").exists());
}

/// What was put together and then removed is done again, and told.
#[test]
fn what_was_removed_is_told() {
    let folder = scratch("lost");
    let head = "series = [\"coordinates\"]\nset = [\"duration=20 ms\"]";
    let own = study(&folder, head, PARAMETERS);
    let place = folder.join("all");
    let whole = run(&own, &place, 2);
    let lost = || {
        let journal = StudyFolder::reopen(&place, &own).expect("the same");
        (journal.lost().map(str::to_owned), journal.done())
    };
    assert_eq!(lost(), (None, 24));
    std::fs::remove_file(place.join("series.parquet")).expect("there");
    assert_eq!(lost(), (Some("series.parquet".to_owned()), 0));
    let mut journal = StudyFolder::reopen(&place, &own).expect("the same");
    let _ = journal.accept(&own, &chunk(&own, 0..5)).expect("good");
    drop(journal);
    assert_eq!(lost(), (Some("series.parquet".to_owned()), 5));
    let mut journal = StudyFolder::reopen(&place, &own).expect("the same");
    assert!(sweep(&own, &mut journal, 2, &mut go_on).expect("runs").is_continue());
    let _ = journal.finish(&own).expect("a table");
    drop(journal);
    assert_eq!((lost(), table(&place)), ((None, 24), whole));
    std::fs::remove_file(place.join("table.parquet")).expect("there");
    assert_eq!(lost(), (Some("table.parquet".to_owned()), 0));
    // one that was begun has lost nothing
    let place = folder.join("begun");
    let mut journal = StudyFolder::create(&place, &own, Existing::Refuse).expect("a folder");
    let _ = journal.accept(&own, &chunk(&own, 0..5)).expect("good");
    drop(journal);
    let journal = StudyFolder::reopen(&place, &own).expect("the same");
    assert_eq!((journal.lost(), journal.done()), (None, 5));
}

/// The folder of a study with empty runs is known for one, and its page is made again.
#[test]
fn the_page_of_empty_runs_is_made_again() {
    let folder = scratch("dry-page");
    let own = study(&folder, SHORT, PARAMETERS);
    let _ = run(&own, &folder.join("full"), 2);
    assert!(!Study::in_folder(folder.join("full")).expect("a study").is_dry());
    let dry = study(&folder, SHORT, PARAMETERS).dry();
    let place = folder.join("dry");
    let mut journal = StudyFolder::create(&place, &dry, Existing::Refuse).expect("a folder");
    let _ = journal.accept(&dry, &chunk(&dry, 0..5)).expect("good");
    let begun = Study::in_folder(&place).expect("a study");
    assert!(begun.is_dry(), "its chunks tell");
    assert!(sweep(&dry, &mut journal, 2, &mut go_on).expect("runs").is_continue());
    let _ = journal.finish(&dry).expect("a table");
    drop(journal);
    let again = Study::in_folder(&place).expect("a study");
    assert_eq!(again.identity(), dry.identity());
    let [first, second] = [&dry, &again].map(|one| report::of_study(one, &place, true));
    assert!(first.expect("a page") == second.expect("a page"));
}

/// The figures of runs that failed are in the table, and neither in ranges nor in Sobol indices.
#[test]
fn figures_of_failed_runs_do_not_count() {
    let folder = scratch("failed-figures");
    let scenario = SCENARIO.replace("tolerance = 1e-7", "method = \"dop853\"");
    std::fs::write(folder.join("two.toml"), scenario).expect("written");
    let head = "design = \"sensitivity\"\nruns = 8\nset = [\"duration=60 ms\"]\n\
                figures = [\"energy_drift\", \"end\", \"upper.rms_error\"]";
    let rest = r#"
[[parameter]]
name = "damping"
path = "controller.hold.joint[0].damping"
from = 3
to = 3000
scale = "logarithmic"

[[parameter]]
name = "stiffness"
path = "controller.hold.joint[0].stiffness"
from = 40
to = 90
"#;
    let own = study(&folder, head, rest);
    let place = folder.join("all");
    let mut journal = StudyFolder::create(&place, &own, Existing::Refuse).expect("a folder");
    assert!(sweep(&own, &mut journal, 2, &mut go_on).expect("runs").is_continue());
    let summary = journal.finish(&own).expect("a table");
    let reader = StudyTableReader::open(&place).expect("a table");
    let ended = reader.texts("status").expect("readable").expect("texts");
    let failed = ended.iter().filter(|status| *status == "failed").count();
    assert!(failed > 2 && failed < ended.len() - 2, "{ended:?}");
    let mut differs = false;
    for range in &summary.figures {
        let all = reader.numbers(&range.name).expect("readable").expect("numbers");
        let known = |x: &f64| if x.is_finite() { *x } else { f64::NAN };
        let good: Vec<f64> = (all.iter().zip(&ended))
            .map(|(x, status)| if status == "completed" { known(x) } else { f64::NAN })
            .collect();
        let most = |values: &[f64]| values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        assert_eq!(range.most.expect("a number").0, most(&good), "{}", range.name);
        assert_eq!(range.known, good.iter().filter(|x| x.is_finite()).count() as u64);
        differs |= all.iter().filter(|x| x.is_finite()).count() as u64 > range.known;
        let own = summary.sensitivities.iter().filter(|one| one.figure == range.name);
        let expected = sobol_indices(2, &good, Bootstrap::default());
        for (one, index) in own.zip(expected.iter().flat_map(|all| &all.indices)) {
            assert_eq!([one.first[0], one.total[0]], [index.first.value, index.total.value]);
            assert!(one.left_out > 0, "{one:?}");
        }
    }
    assert!(differs, "no run that failed has a figure: the test tests nothing");
}

/// However few rows are chosen, those of the best trials are among them: that is what pages and plots
/// of long optimisations show.
#[test]
fn a_sample_has_the_optimum() {
    let folder = scratch("sampled-optimum");
    let searched = |name: &str, rest: &str| {
        let own = study(&folder, SHORT, rest);
        let place = folder.join(name);
        let mut journal = StudyFolder::create(&place, &own, Existing::Refuse).expect("a folder");
        let mut watch = |_: &_| ControlFlow::Continue(());
        assert!(optimise(&own, &mut journal, 2, &mut watch).expect("trials").is_continue());
        journal.finish(&own).expect("a table")
    };
    let first = searched("first", SOUGHT);
    let errors = first.figures.iter().find(|one| one.name == "upper.rms_error").expect("errors");
    let limit = 0.5 * (errors.least.expect("one").0 + errors.most.expect("one").0);
    // the softest servo under a limit of the error: its figures are no ends
    let softest = SOUGHT.replace("minimise = \"upper.rms_error\"", "minimise = \"stiffness\"");
    let limited =
        format!("{softest}\n[[constraint]]\nexpression = \"upper.rms_error <= {limit:e}\"");
    let summary = searched("second", &limited);
    let best = summary.optimum.as_ref().expect("an optimum").best[0].index;
    let ends = summary.figures.iter().flat_map(|one| [one.least, one.most]).flatten();
    assert!(ends.map(|(_, run)| run).all(|run| run != best), "it is an end of a figure");
    let reader = StudyTableReader::open(folder.join("second")).expect("a table");
    assert!(reader.rows() > 16, "{}", reader.rows());
    let sample = reader.sample(2, &summary.telling_runs()).expect("rows");
    assert!(sample.rows.contains(&best), "{best} of {:?}", sample.rows);
}

/// What an optimisation tries is told once it has run.
#[test]
fn trials_are_known_from_the_table() {
    let folder = scratch("untried");
    let own = study(&folder, SHORT, SOUGHT);
    let told = own.setup(0, None, &Overrides::default()).err().expect("no table").to_string();
    assert!(told.contains("known once it has run"), "{told}");
    let source = own.scenario_at(7, &[60.0]).expect("a scenario");
    assert!(source.text().contains("stiffness = 60"), "{}", source.text());
    let refused = own.scenario_at(7, &[42.0]).map(|source: Source| source.text().to_owned());
    assert!(refused.expect_err("excluded").to_string().contains("stiffness > 45"));
}
