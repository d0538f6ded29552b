//! Studies to look at: their page, their plots, and one of their runs alone.

use super::study::start;
use super::{pliant_in, scratch};
use std::path::{Path, PathBuf};

/// A hub that turns a bar, with another payload and servo in each run.
pub(super) const STUDY: &str = r#"
figures = ["*.settling_time", "*.peak_torque"]

[scenario]
duration = "1.2 s"
record = { every = "10 ms" }
settling_band = "5 mm"
arm = { name = "turner", gravity = [0, 0, 0], link = [
    { name = "hub", joint = { kind = "revolute", axis = "z" }, mass = "1 kg", inertia = [0.1, 0.1, 0.1] },
    { name = "bar", joint = "fixed", length = "1 m", payload = { mass = "0.2 kg" } },
] }
plan = { kind = "joints", points = [[0], ["60 deg"]], durations = ["0.5 s"] }

[[scenario.controller]]
kind = "gravity-pd"
name = "servo"
full_state = true
stiffness = "100 N m/rad"
damping = "15 N m s/rad"

[[parameter]]
name = "payload"
path = "arm.link.bar.payload.mass"
from = "0.2 kg"
to = "1 kg"
count = 3

[[parameter]]
name = "damping"
path = "controller.servo.damping"
values = [15, 25]
"#;

/// A folder with a study of six runs that has ended.
fn ended(name: &str) -> PathBuf {
    let folder = scratch(name);
    std::fs::write(folder.join("turns.toml"), STUDY).expect("written");
    let told = pliant_in(&folder, &["sweep", "turns.toml", "-q"], "").done();
    assert!(told.contains("table.parquet, summary.json, report.html"), "{told}");
    folder
}

fn read(file: &Path) -> String {
    std::fs::read_to_string(file).expect("a text")
}

/// The words of a drawing.
fn words(folder: &Path, arguments: &[&str]) -> Vec<String> {
    let all = [&["plot", "turns-study", "--force", "-q", "-o", "drawn.svg"], arguments].concat();
    pliant_in(folder, &all, "").done();
    let text = read(&folder.join("drawn.svg"));
    assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
    let document = roxmltree::Document::parse(&text).expect("XML");
    let all = document.descendants().filter(|node| node.has_tag_name("text"));
    let word = |node: roxmltree::Node<'_, '_>| {
        node.descendants().filter(roxmltree::Node::is_text).filter_map(|n| n.text()).collect()
    };
    all.map(word).collect()
}

#[test]
fn a_study_leaves_its_page_unless_told_not_to() {
    let folder = ended("shown-page");
    let page = folder.join("turns-study/report.html");
    let first = read(&page);
    assert!(first.contains("\"kind\":\"study\"") && first.contains("servo.hub"), "{}", first.len());
    // the same page again, and one that somebody has changed stays
    let again = pliant_in(&folder, &["report", "turns-study"], "").done();
    assert!(again.starts_with("turns-study/report.html ("), "{again}");
    assert!(first == read(&page));
    std::fs::write(&page, format!("{first}<!-- checked -->")).expect("written");
    let refused = pliant_in(&folder, &["report", "turns-study"], "").refused();
    assert!(refused.contains("turns-study/report.html exists already"), "{refused}");
    let refused = pliant_in(&folder, &["sweep", "--continue", "turns-study"], "").refused();
    assert!(refused.contains("pliant report turns-study --force"), "{refused}");
    pliant_in(&folder, &["report", "turns-study", "--force"], "").done();
    assert!(first == read(&page));
    let printed = pliant_in(&folder, &["report", "turns-study", "-o", "-"], "").done();
    assert!(first == printed, "a page without links to runs is the same");
    let refused = pliant_in(&folder, &["report", "turns-study", "other"], "").refused();
    assert!(refused.contains("a page of its own"), "{refused}");
    pliant_in(&folder, &["sweep", "turns.toml", "--force", "--no-report", "-q"], "").done();
    assert!(!page.exists(), "the old page is there");
}

#[test]
fn one_run_of_a_study_is_made_again() {
    let folder = ended("shown-run");
    let told = pliant_in(&folder, &["run", "turns-study", "--row", "3", "-q"], "").done();
    assert!(told.contains("in turns-study/runs/3: "), "{told}");
    let run = folder.join("turns-study/runs/3");
    assert!(run.join("report.html").is_file());
    // the figures are those of the row, and the page leads to it
    pliant_in(&folder, &["sweep", "--continue", "turns-study", "--csv", "-q"], "").done();
    let table = read(&folder.join("turns-study/table.csv"));
    let row = table.lines().nth(4).expect("a row").split(',').map(str::to_owned);
    let row: Vec<String> = row.collect();
    let head: Vec<&str> = table.lines().next().expect("a head").split(',').collect();
    let summary: serde_json::Value =
        serde_json::from_str(&read(&run.join("summary.json"))).expect("JSON");
    let mut compared = 0;
    for figure in summary["figures"].as_array().expect("figures") {
        let name = format!(
            "{}.{} ",
            figure["subject"].as_str().unwrap(),
            figure["name"].as_str().unwrap()
        );
        if let (Some(at), Some(value)) =
            (head.iter().position(|one| one.starts_with(&name)), figure["value"].as_f64())
        {
            assert_eq!(row[at].parse::<f64>().map(f64::to_bits), Ok(value.to_bits()), "{name}");
            compared += 1;
        }
    }
    assert!(compared >= 2, "{compared} figures of {head:?}");
    assert!(read(&folder.join("turns-study/report.html")).contains("\"pages\":[3]"));
    // of the file, beside it
    let told = pliant_in(&folder, &["run", "turns.toml", "--row", "0", "--no-report", "-q"], "");
    assert!(told.done().contains("in turns-run-0: "));
    for (arguments, why) in [
        (&["run", "turns-study", "--row", "6"][..], "no run 6: its runs are 0 to 5"),
        (&["run", "turns-study", "--row", "3"], "--force"),
        (&["run", "turns-study"], "pliant run turns-study --row 0"),
    ] {
        let refused = pliant_in(&folder, arguments, "").refused();
        assert!(refused.contains(why), "{refused}");
    }
}

/// The page leads to all runs that were made alone at the same time, each by a process of its own.
#[test]
fn runs_made_at_once_are_all_led_to() {
    let folder = ended("shown-at-once");
    let start = |row: &str| start(&folder, &["run", "turns-study", "--row", row, "-q"]);
    let all: Vec<_> = ["0", "1", "2", "3", "4", "5"].map(start).into_iter().collect();
    for mut child in all {
        assert!(child.wait().expect("it ends").success());
    }
    let page = read(&folder.join("turns-study/report.html"));
    assert!(page.contains("\"pages\":[0,1,2,3,4,5]"), "a run is not led to");
}

/// Where the page cannot be written, the run is there, and told, all the same.
#[test]
fn a_page_that_fails_does_not_hide_the_end_of_a_run() {
    let folder = ended("shown-failed-page");
    let table = folder.join("turns-study/table.parquet");
    let bytes = std::fs::read(&table).expect("a table");
    std::fs::write(&table, &bytes[..bytes.len() / 2]).expect("written");
    let run = pliant_in(&folder, &["run", "turns-study", "--row", "3"], "");
    assert!(
        run.stderr.contains("the page of the study does not lead to the run"),
        "{}",
        run.stderr
    );
    let told = run.done();
    assert!(told.contains("in turns-study/runs/3: "), "{told}");
    assert!(folder.join("turns-study/runs/3/summary.json").is_file());
}

/// The page of empty runs is made again.
#[test]
fn the_page_of_a_dry_run_is_made_again() {
    let folder = scratch("shown-dry");
    std::fs::write(folder.join("turns.toml"), STUDY).expect("written");
    pliant_in(&folder, &["sweep", "turns.toml", "--dry-run", "-q"], "").done();
    let page = folder.join("turns-study/report.html");
    let first = read(&page);
    pliant_in(&folder, &["report", "turns-study"], "").done();
    assert!(first == read(&page));
    let refused = pliant_in(&folder, &["plot", "turns-study"], "").refused();
    assert!(refused.contains("no run of turns-study has a figure"), "{refused}");
}

#[test]
fn a_study_is_drawn() {
    let folder = ended("shown-plot");
    let usual = words(&folder, &[]);
    let has = |words: &[String], word: &str| words.iter().any(|one| one.contains(word));
    for word in ["settling", "payload (kg)", "damping 15 N m s/rad", "damping 25 N m s/rad"] {
        assert!(has(&usual, word), "{word}: {usual:?}");
    }
    let over = words(&folder, &["--figure", "servo.hub.force.peak_torque", "--over", "damping"]);
    assert!(has(&over, "peak torque") && has(&over, "damping ("), "{over:?}");
    let front = ["--figure", "servo.hub.force.peak_torque", "--over", "hub.settling_time"];
    assert!(has(&words(&folder, &front), "Pareto front"));
    for (arguments, why) in [
        (&["--figure", "hub.setling_time"][..], "did you mean \"hub.settling_time\"?"),
        (&["--over", "paylod"], "did you mean \"payload\"?"),
        (&["--by", "hub.settling_time"], "the study has no parameter \"hub.settling_time\""),
        (&["-c", "energies"], "no channels over time"),
    ] {
        let all = [&["plot", "turns-study", "-o", "wrong.svg"], arguments].concat();
        let refused = pliant_in(&folder, &all, "").refused();
        assert!(refused.contains(why), "{refused}");
        assert!(!folder.join("wrong.svg").exists());
    }
    let refused = pliant_in(&folder, &["plot", "some-run", "--by", "payload"], "").refused();
    assert!(refused.contains("--by is of studies"), "{refused}");
    pliant_in(&folder, &["plot", "turns-study", "-q"], "").done();
    assert!(folder.join("turns-study.svg").is_file());
}

/// Many values of two parameters are a map with its bar of colours; a study of sensitivities is bars, unless
/// something else is asked for.
#[test]
fn maps_and_sensitivities_are_drawn() {
    let folder = scratch("shown-map");
    let dense = STUDY.replace("values = [15, 25]", "from = 10\nto = 30\ncount = 9");
    let head = "design = \"sensitivity\"\nruns = 16\n";
    let drawn = format!("{head}{}", dense.replace("count = 3\n", "").replace("count = 9\n", ""));
    let has = |words: &[String], word: &str| words.iter().any(|one| one.contains(word));
    for (study, expected, cells) in [
        (&dense, ["damping (N m s/rad)", "servo.hub.force: peak torque (N m)"], 3 * 9),
        (&drawn, ["with all others (total)", "part of the variance: "], 0),
    ] {
        std::fs::write(folder.join("turns.toml"), study).expect("written");
        pliant_in(&folder, &["sweep", "turns.toml", "--force", "--no-report", "-q"], "").done();
        let words = words(&folder, &["--figure", "servo.hub.force.peak_torque"]);
        for word in expected {
            assert!(has(&words, word), "{word}: {words:?}");
        }
        let text = read(&folder.join("drawn.svg"));
        let closed = text.matches("Z\"").count();
        // the cells, and the 64 pieces of the bar; or two bars for each of two parameters
        assert_eq!(closed, if cells > 0 { cells + 64 } else { 4 }, "{text}");
    }
    let over = words(&folder, &["--over", "payload", "--by", "damping"]);
    assert!(has(&over, "damping") && !has(&over, "variance"), "{over:?}");
}

/// What has not ended says so, and how to go on.
#[test]
fn a_study_that_was_begun_is_neither_drawn_nor_told() {
    let folder = ended("shown-begun");
    std::fs::remove_file(folder.join("turns-study/table.parquet")).expect("removed");
    for command in ["plot", "report"] {
        let arguments = [command, "turns-study", "-o", "begun.svg"];
        let refused = pliant_in(&folder, &arguments, "").refused();
        assert!(refused.contains("has not ended: 6 of its 6 runs are not done"), "{refused}");
        assert!(refused.contains("pliant sweep --continue turns-study"), "{refused}");
    }
}

/// Runs that never settle are in no range, which is told.
#[test]
fn runs_without_a_figure_are_counted() {
    let folder = scratch("study-without");
    let swings = STUDY.replace("values = [15, 25]", "values = [0.1, 15]");
    std::fs::write(folder.join("turns.toml"), swings).expect("written");
    let told = pliant_in(&folder, &["sweep", "turns.toml", "-q", "--no-report"], "").done();
    let line = |name: &str| told.lines().find(|line| line.contains(name) && line.contains(" of 6"));
    for name in ["bar.tip.settling_time", "hub.settling_time"] {
        let line = line(name).unwrap_or_else(|| panic!("{name}: {told}"));
        assert!(line.ends_with("  3 of 6 runs"), "{told}");
    }
    assert!(line("peak_torque").is_none(), "{told}");
    assert!(told.contains("not settled, or no rest after the plan to look at"), "{told}");
    let summary: serde_json::Value =
        serde_json::from_str(&read(&folder.join("turns-study/summary.json"))).expect("JSON");
    for figure in summary["figures"].as_array().expect("figures") {
        let settles = figure["name"].as_str().expect("a name").ends_with("settling_time");
        assert_eq!(figure["missing"], if settles { 3 } else { 0 }, "{figure}");
    }
    // where none has it, it is told all the same
    let all = ["sweep", "turns.toml", "--set", "scenario.duration=0.4 s", "-o", "short", "-q"];
    let told = pliant_in(&folder, &all, "").done();
    assert!(told.contains("bar.tip.settling_time  all 6 of 6 runs"), "{told}");
}
