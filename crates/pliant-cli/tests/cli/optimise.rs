//! `pliant optimise`: the best values in words, and searches that are killed.

#[cfg(unix)]
use super::study::interrupted;
use super::study::{SWING, killed, series};
use super::study_shown;
use super::{pliant, pliant_in, scratch};
use std::path::{Path, PathBuf};

/// How thin it may be.
const STUDY: &str = r#"
scenario = "swing.toml"
figures = ["bar.*"]
seed = 3

[optimise]
minimise = "mass"
starts = 2
evaluations = 120

[[parameter]]
name = "radius"
path = "arm.link.bar.section.radius"
from = "3 mm"
to = "20 mm"
scale = "logarithmic"

[[parameter]]
name = "payload"
path = "arm.link.bar.payload.mass"
from = "0.2 kg"
to = "1 kg"

[[constraint]]
expression = "payload >= 0.3"

[[constraint]]
expression = "bar.peak_stress <= 1.5e6"
"#;

fn prepared(name: &str, study: &str) -> PathBuf {
    let folder = scratch(name);
    std::fs::write(folder.join("swing.toml"), SWING).expect("written");
    std::fs::write(folder.join("study.toml"), study).expect("written");
    folder
}

/// With series, which are those of one that was not killed.
#[test]
fn killed_optimisations_go_on() {
    let study = format!("series = [\"bar.tip.position.*\"]\n{}", STUDY.trim_start());
    let folder = prepared("optimise-killed", &study);
    killed("optimise", &folder, 3);
    assert!(series(&folder, "killed") == series(&folder, "whole"), "its series differ");
    let left = std::fs::read_dir(folder.join("killed")).expect("a folder");
    let mut left: Vec<_> = left.map(|entry| entry.expect("a name").file_name()).collect();
    left.sort();
    assert_eq!(
        left,
        ["report.html", "series.parquet", "study.toml", "summary.json", "table.parquet"]
    );
}

/// Points that are excluded are over at once; Ctrl-C ends a search that finds no others.
#[cfg(unix)]
#[test]
fn a_search_without_runs_is_interrupted() {
    let study = STUDY
        .replace("evaluations = 120", "evaluations = 100000000")
        .replace("payload >= 0.3", "payload >= 30");
    let folder = prepared("optimise-excluded", &study);
    let said = interrupted(&folder, "optimise");
    assert!(said.contains("are safe in study-study"), "{said}");
}

/// A run of a search that has not ended is not known by its row.
#[test]
fn a_row_of_a_search_that_has_not_ended_is_refused() {
    let folder = prepared("optimise-row", STUDY);
    let table = folder.join("study-study/table.parquet");
    pliant_in(&folder, &["optimise", "study.toml", "--no-report", "-q"], "").done();
    std::fs::remove_file(table).expect("there");
    let run = ["run", "study-study", "--row", "0"];
    let refused = pliant_in(&folder, &run, "").refused();
    assert!(refused.contains("has not ended"), "{refused}");
    assert!(refused.contains("pliant optimise --continue study-study"), "{refused}");
    let refused = pliant_in(&folder, &["run", "study.toml", "--row", "0"], "").refused();
    assert!(refused.contains("known once it has run"), "{refused}");
    assert!(!folder.join("study-study/runs").exists() && !folder.join("study-run-0").exists());
    // what is done again is told
    let again = pliant_in(&folder, &["optimise", "--continue", "study-study", "--no-report"], "");
    assert!(again.stderr.contains("table.parquet is no longer in study-study"), "{}", again.stderr);
    again.done();
}

/// In the shapes of the study's arm no run with another payload can be repeated alone: no command is
/// told.
#[test]
fn a_best_run_that_cannot_be_repeated_is_told() {
    let study = format!("shapes = \"nominal\"\n{}", STUDY.trim_start());
    let folder = prepared("optimise-nominal", &study.replace("= 120", "= 40"));
    let text = pliant_in(&folder, &["optimise", "study.toml", "-q", "--no-report"], "").done();
    assert!(text.contains("best is trial ") && !text.contains("pliant run"), "{text}");
    assert!(text.contains("shapes = \"rebuilt\""), "{text}");
}

/// Trials that failed are neither drawn nor told as if they broke a constraint.
#[test]
fn failed_trials_are_drawn_apart() {
    let servo = "[[controller]]\nkind = \"pd\"\nname = \"servo\"\nperiod = \"2 ms\"\nfull_state = true\n\
        [[controller.joint]]\nmotor = \"bar\"\nstiffness = 40\ndamping = 3\n\
        target = { kind = \"constant\", value = 0 }\n";
    let study = r#"
scenario = "swing.toml"
set = ["duration=0.3 s"]
figures = ["energy_drift", "end", "bar.peak_stress"]
[optimise]
minimise = "damping"
starts = 2
evaluations = 24
[[parameter]]
name = "damping"
path = "controller.servo.joint[0].damping"
from = 1
to = 3000
scale = "logarithmic"
[[constraint]]
expression = "damping > 3"
[[constraint]]
expression = "end > 0.1"
"#;
    let folder = prepared("optimise-failed", study);
    std::fs::write(folder.join("swing.toml"), format!("{SWING}\n{servo}")).expect("written");
    let text = pliant_in(&folder, &["optimise", "study.toml", "-q"], "").done();
    assert!(text.contains(" failed") && text.contains(" excluded"), "{text}");
    pliant_in(&folder, &["plot", "study-study", "-q"], "").done();
    let drawn = std::fs::read_to_string(folder.join("study-study.svg")).expect("a drawing");
    for word in [">failed<", ">breaks a constraint<", ">keeps all constraints<"] {
        assert!(drawn.contains(word), "{word}");
    }
}

/// Ctrl-C keeps what is done and says how to go on.
#[cfg(unix)]
#[test]
fn interrupted_optimisations_say_how_to_go_on() {
    let study = STUDY.replace("evaluations = 120", "evaluations = 5000\ntolerance = 1e-12");
    let folder = prepared("optimise-interrupted", &study);
    let said = interrupted(&folder, "optimise");
    assert!(said.contains("are safe in study-study"), "{said}");
    assert!(said.contains("to go on: pliant optimise --continue study-study"), "{said}");
}

/// The command that is told repeats the best run, and has its numbers.
fn repeats(folder: &Path, text: &str, figure: &str, value: f64) {
    let command = text.lines().find(|line| line.trim_start().starts_with("pliant run "));
    let command = command.unwrap_or_else(|| panic!("no command in {text}")).trim();
    // a shell takes it as it stands
    let ended = std::process::Command::new("sh")
        .args(["-c", &format!("\"$0\" {} -o again -q", command.trim_start_matches("pliant "))])
        .arg(env!("CARGO_BIN_EXE_pliant"))
        .current_dir(folder)
        .output()
        .expect("a shell");
    assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
    let summary = std::fs::read_to_string(folder.join("again/summary.json")).expect("a summary");
    let summary: serde_json::Value = serde_json::from_str(&summary).expect("JSON");
    let figures = summary["figures"].as_array().expect("figures");
    let alone = figures.iter().find(|one| one["name"] == figure).expect("the figure");
    assert_eq!(alone["value"].as_f64().expect("a number").to_bits(), value.to_bits());
}

#[test]
fn an_optimisation_is_told_in_words() {
    let folder = prepared("optimise-words", STUDY);
    let checked = pliant_in(&folder, &["check", "study.toml"], "").done();
    let wanted = "study.toml: ok, smallest mass over 2 variables (radius, payload) under 2 constraints, \
                  in at most 120 trials; ";
    assert!(checked.starts_with(wanted), "{checked}");
    let run = pliant_in(&folder, &["optimise", "study.toml", "--csv", "-q"], "");
    assert_eq!(run.stderr, "");
    let text = run.done();
    for part in [
        "study: done; ",
        "  parameters: radius, payload\n",
        " excluded\n",
        "best is trial ",
        " that keep all constraints:\n",
        "  the smallest\n",
        "  radius ",
        "it keeps (SI units):\n",
        "  payload >= 0.3 ",
        "  bar.peak_stress <= 1.5e6  by ",
        "to repeat it:\n  pliant run study-study --row ",
        "in study-study: study.toml, table.parquet, summary.json, table.csv, report.html\n",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    let json = ["optimise", "--continue", "study-study", "--format", "json", "-q"];
    let summary: serde_json::Value =
        serde_json::from_str(&pliant_in(&folder, &json, "").done()).expect("JSON");
    let best = &summary["optimum"]["best"][0];
    let slack = best["constraints"][1][1].as_f64().expect("a number");
    assert!((0.0..1.5e5).contains(&slack), "the stress is near its limit: {slack}");
    let payload = best["parameters"]["payload"].as_f64().expect("a number");
    assert!((payload - 0.3).abs() < 3e-4, "{payload}");
    // what is left of the limit is exact
    let csv = std::fs::read_to_string(folder.join("study-study/table.csv")).expect("a table");
    let mut lines = csv.lines();
    let head: Vec<&str> = lines.next().expect("a head").split(',').collect();
    let column = head.iter().position(|name| *name == "bar.peak_stress [Pa]").expect("a column");
    let row = best["index"].as_u64().expect("an index") as usize;
    let cell = lines.nth(row).expect("a row").split(',').nth(column).expect("a cell");
    repeats(&folder, &text, "peak_stress", cell.parse().expect("a number"));
}

#[test]
fn a_front_is_told_in_words() {
    let study = STUDY
        .replace("minimise = \"mass\"", "minimise = [\"mass\", \"bar.peak_stress\"]\npoints = 3")
        .replace("expression = \"bar.peak_stress <= 1.5e6\"", "expression = \"radius < 18e-3\"");
    let folder = prepared("optimise-front", &study);
    let checked = pliant_in(&folder, &["check", "study.toml"], "").done();
    assert!(
        checked.contains("the front of smallest mass and smallest bar.peak_stress"),
        "{checked}"
    );
    let text = pliant_in(&folder, &["optimise", "study.toml", "-q"], "").done();
    for part in [
        "front of ",
        "trial ",
        " mass [kg] ",
        " bar.peak_stress [MPa] ",
        " radius [mm] ",
        "to repeat trial ",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
}

#[test]
fn what_is_no_optimisation_is_told_what_it_is() {
    let folder = prepared("optimise-told", STUDY);
    let refused = pliant_in(&folder, &["sweep", "study.toml"], "").refused();
    assert!(refused.contains("pliant optimise study.toml runs it"), "{refused}");
    let refused = pliant_in(&folder, &["run", "study.toml"], "").refused();
    assert!(refused.contains("pliant optimise study.toml runs it"), "{refused}");
    let (head, rest) = STUDY.split_once("[optimise]").expect("a table");
    let (_, rest) = rest.split_once("\n\n").expect("parameters");
    let sweep =
        format!("{head}{rest}").replace("seed = 3\n", "").replace("to = ", "count = 2\nto = ");
    let sweep = sweep.replace("bar.peak_stress <= 1.5e6", "radius > 1e-3");
    std::fs::write(folder.join("sweep.toml"), sweep).expect("written");
    let refused = pliant_in(&folder, &["optimise", "sweep.toml"], "").refused();
    assert!(refused.contains("pliant sweep sweep.toml runs it"), "{refused}");
    assert!(refused.contains("minimise ="), "{refused}");
    let run = pliant_in(&folder, &["optimise", "study.toml", "--set", "optimise.minimise=mas"], "");
    assert!(run.refused().contains("did you mean \"mass\"?"));
    // where nothing is feasible, the table is there all the same
    let all = ["--set", "constraint[1].expression=mass < 0.1", "--set", "optimise.evaluations=20"];
    let run =
        pliant_in(&folder, &[&["optimise", "study.toml", "-o", "none"][..], &all].concat(), "");
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let told = run.stderr;
    assert!(told.contains("none of 20 trials keeps all constraints"), "{told}");
    assert!(folder.join("none/table.parquet").is_file());
    let keys = pliant(&["explain", "keys", "optimisation"]).done();
    assert!(keys.contains("| `minimise` |"), "{keys}");
    assert!(pliant(&["optimise", "--help"]).done().contains("Examples:"));
    let new = pliant_in(&folder, &["new", "optimisation"], "");
    assert!(new.stderr.contains("next: pliant new track, then pliant optimise optimisation.toml"));
    pliant_in(&folder, &["new", "track"], "").done();
    let checked = pliant_in(&folder, &["check", "optimisation.toml"], "");
    assert_eq!(checked.stderr, "");
    let checked = checked.done();
    assert!(
        checked.contains("smallest mass over 2 variables (diameter, wall) under 3"),
        "{checked}"
    );
    // shorter than the motion that is asked for, which the shaper makes longer
    let all = ["check", "optimisation.toml", "--set", "scenario.duration=1.4 s"];
    let short = pliant_in(&folder, &all, "");
    assert!(
        short.stderr.contains("the run ends at t = 1.4 s, before its plan"),
        "{}",
        short.stderr
    );
}

/// Without constraints none is broken: what lacks is a figure.
#[test]
fn trials_without_a_best_one_are_told_why() {
    let free = STUDY.split("[[constraint]]").next().expect("parameters");
    let folder = prepared("optimise-without", free);
    let few = ["optimise", "study.toml", "--set", "optimise.evaluations=20", "-q"];
    let text = pliant_in(&folder, &few, "").done();
    assert!(text.contains(" that ended with figures:\n"), "{text}");
    assert!(!text.contains("constraint"), "{text}");
    let turns = study_shown::STUDY.replace("count = 3\n", "");
    let (turns, _) = turns.rsplit_once("[[parameter]]").expect("parameters");
    let goal = "[optimise]\nminimise = \"bar.tip.settling_time\"\nevaluations = 6\n";
    std::fs::write(folder.join("turns.toml"), format!("{turns}{goal}")).expect("written");
    let short = ["--set", "scenario.duration=0.4 s", "-q"];
    let run = pliant_in(&folder, &[&["optimise", "turns.toml"][..], &short].concat(), "");
    assert_eq!(run.code, Some(1), "{}", run.stderr);
    let why = " trials that ended has a number of bar.tip.settling_time";
    assert!(run.stderr.contains(why), "{}", run.stderr);
    assert!(run.stdout.contains("without a figure:\n"), "{}", run.stdout);
    assert!(run.stdout.contains("no rest after the plan to look at"), "{}", run.stdout);
    let page = std::fs::read_to_string(folder.join("turns-study/report.html")).expect("a page");
    assert!(page.contains(why), "the page has another reason");
}
