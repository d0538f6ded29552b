//! `pliant sweep`: studies that are killed end with the table of studies that are not.

use super::{pliant, pliant_in, scratch};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A bar that swings for a while.
pub(crate) const SWING: &str = r#"
duration = "2 s"
record = { every = "10 ms" }
initial = { bar = "-60 deg" }

[arm]
name = "swing"
gravity = [0, -9.81, 0]

[[arm.link]]
name = "bar"
joint = { kind = "revolute", axis = "z" }
length = "1 m"
section = { kind = "round", radius = "6 mm" }
material = { young = "69 GPa", shear = "26 GPa", density = "2780 kg/m^3" }
bends = { y = 2 }
payload = { mass = "0.2 kg" }
"#;

const STUDY: &str = r#"
scenario = "swing.toml"
design = "random"
runs = 120
seed = 5

[[parameter]]
name = "payload"
path = "arm.link.bar.payload.mass"
from = "50 g"
to = "1 kg"
scale = "logarithmic"

[[parameter]]
name = "young"
path = "arm.link.bar.material.young"
mean = "69 GPa"
deviation = "5 GPa"
"#;

/// A folder with a study of that many runs.
fn prepared(name: &str, runs: u32) -> PathBuf {
    let folder = scratch(name);
    std::fs::write(folder.join("swing.toml"), SWING).expect("written");
    let study = STUDY.replace("runs = 120", &format!("runs = {runs}"));
    std::fs::write(folder.join("study.toml"), study).expect("written");
    folder
}

pub(crate) fn start(folder: &Path, arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_pliant"))
        .args(arguments)
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("pliant runs")
}

pub(crate) fn table(folder: &Path, place: &str) -> Vec<u8> {
    std::fs::read(folder.join(place).join("table.parquet")).expect("a table")
}

pub(crate) fn series(folder: &Path, place: &str) -> Vec<u8> {
    std::fs::read(folder.join(place).join("series.parquet")).expect("series")
}

/// The rows of a finished study, as CSV.
fn rows(folder: &Path, place: &str) -> Vec<String> {
    pliant_in(folder, &["sweep", "--continue", place, "--csv", "-q"], "").done();
    let text = std::fs::read_to_string(folder.join(place).join("table.csv")).expect("a text");
    text.lines().skip(1).map(str::to_owned).collect()
}

/// Kills a study at some instants, goes on with it, and compares it with the one that was not killed.
pub(crate) fn killed(command: &str, folder: &Path, kills: u32) {
    let begun = Instant::now();
    pliant_in(folder, &[command, "study.toml", "-o", "whole", "-q"], "").done();
    let takes = begun.elapsed();
    let whole = table(folder, "whole");
    let mut random: u64 = 88_172_645_463_325_252;
    let mut kill = |arguments: &[&str]| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let part = (random >> 11) as f64 / (1_u64 << 53) as f64;
        let mut child = start(folder, arguments);
        std::thread::sleep(takes.mul_f64(0.1 + 0.5 * part));
        child.kill().expect("it may be over");
        child.wait().expect("it ends");
    };
    kill(&[command, "study.toml", "-o", "killed", "-q", "--threads", "2"]);
    if !folder.join("killed/study.toml").is_file() {
        std::fs::remove_dir_all(folder.join("killed")).ok();
        pliant_in(folder, &[command, "study.toml", "-o", "killed", "-q"], "").done();
    }
    for k in 1..kills {
        let threads = (1 + k % 3).to_string();
        kill(&[command, "--continue", "killed", "-q", "--threads", &threads]);
    }
    pliant_in(folder, &[command, "--continue", "killed", "-q"], "").done();
    assert!(table(folder, "killed") == whole, "the table of a killed study differs");
}

/// The same of a study of so many runs, whose rows are looked at.
fn killed_rows(name: &str, runs: u32, kills: u32) {
    let folder = prepared(name, runs);
    let study = std::fs::read_to_string(folder.join("study.toml")).expect("a text");
    let study = format!("series = [\"bar.tip.position.*\"]\n{study}");
    std::fs::write(folder.join("study.toml"), study).expect("written");
    killed("sweep", &folder, kills);
    assert!(series(&folder, "killed") == series(&folder, "whole"), "its series differ");
    let left = std::fs::read_dir(folder.join("killed")).expect("a folder");
    let mut left: Vec<_> = left.map(|entry| entry.expect("a name").file_name()).collect();
    left.sort();
    assert_eq!(
        left,
        ["report.html", "series.parquet", "study.toml", "summary.json", "table.parquet"]
    );
    let rows = rows(&folder, "killed");
    assert_eq!(rows.len(), runs as usize);
    for (k, row) in rows.iter().enumerate() {
        assert!(row.starts_with(&format!("{k},")) && row.ends_with(",completed,,"), "{row}");
    }
}

#[test]
fn killed_studies_go_on() {
    killed_rows("sweep-killed", 60, 3);
}

#[test]
#[ignore = "long: 2000 runs, killed twenty times at random"]
fn studies_killed_often_go_on() {
    killed_rows("sweep-killed-often", 2000, 20);
}

/// The memory of a study of a million empty runs has a bound.
#[cfg(target_os = "linux")]
#[test]
#[ignore = "long: a million empty runs in less than 500 MB"]
fn a_million_runs_take_little_memory() {
    let folder = prepared("sweep-million", 1_000_000);
    let mut child = start(&folder, &["sweep", "study.toml", "--dry-run", "-o", "dry", "-q"]);
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0_u64;
    while child.try_wait().expect("a child").is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        peak = peak.max(kilobytes.unwrap_or(0));
        std::thread::sleep(Duration::from_millis(5));
    }
    assert!(child.wait().expect("it ends").success());
    assert!(peak > 1000 && peak < 500_000, "{peak} kB");
    assert!(table(&folder, "dry").len() > 1_000_000);
}

/// Two processes never write into one folder, and a study that was begun is not begun again.
#[test]
fn two_studies_do_not_share_a_folder() {
    let folder = prepared("sweep-two", 400);
    let mut first = start(&folder, &["sweep", "study.toml", "-o", "both", "-q"]);
    let begun = Instant::now();
    while !folder.join("both/study.toml").is_file() && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let refused = pliant_in(&folder, &["sweep", "--continue", "both"], "").refused();
    assert!(refused.contains(&format!("in use by process {} ", first.id())), "{refused}");
    let refused = pliant_in(&folder, &["sweep", "study.toml", "-o", "both", "--force"], "");
    assert!(refused.refused().contains("choose another folder with -o"));
    first.kill().expect("it may be over");
    first.wait().expect("it ends");
    let refused = pliant_in(&folder, &["sweep", "study.toml", "-o", "both"], "").refused();
    assert!(refused.contains("both is not empty") && refused.contains("--continue"), "{refused}");
    let other = STUDY.replace("seed = 5", "seed = 6");
    std::fs::write(folder.join("other.toml"), other).expect("written");
    let all = ["sweep", "--continue", "other.toml", "-o", "both"];
    let refused = pliant_in(&folder, &all, "").refused();
    assert!(refused.contains("both/study.toml is of another study"), "{refused}");
}

/// Ctrl-C, once some runs are on the disk: what is said.
#[cfg(unix)]
pub(crate) fn interrupted(folder: &Path, command: &str) -> String {
    let mut child = start(folder, &[command, "study.toml"]);
    let begun = Instant::now();
    let has_chunk = || {
        let names = std::fs::read_dir(folder.join("study-study")).into_iter().flatten();
        let mut names = names.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        names.any(|name| name.starts_with("chunk-") && name.ends_with(".parquet"))
    };
    while !has_chunk() && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(5));
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(killed.expect("kill runs").success());
    let mut said = String::new();
    let mut stderr = child.stderr.take().expect("a pipe");
    std::io::Read::read_to_string(&mut stderr, &mut said).expect("readable");
    assert_eq!(child.wait().expect("it ends").code(), Some(1), "{said}");
    said
}

/// Ctrl-C keeps what is done and says how to go on.
#[cfg(unix)]
#[test]
fn interrupted_studies_say_how_to_go_on() {
    let folder = prepared("sweep-interrupted", 400);
    let said = interrupted(&folder, "sweep");
    assert!(said.contains("of 400 are safe in study-study"), "{said}");
    assert!(said.contains("to go on: pliant sweep --continue study-study"), "{said}");
    let shorter = ["sweep", "--continue", "study-study", "--format", "json", "-q"];
    let text = pliant_in(&folder, &shorter, "").done();
    let summary: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!((&summary["rows"], &summary["folder"]), (&400.into(), &"study-study".into()));
}

/// A full disk is told, and what was done before stays.
#[cfg(unix)]
#[test]
fn a_disk_that_takes_no_more_is_told() {
    let folder = prepared("sweep-full", 30);
    let all = ["sweep", "study.toml", "-o", "full", "-q", "--threads", "1"];
    // no file may have more than half a kilobyte times this
    let limited = |blocks: &str| {
        let command = format!("ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let ended = Command::new("sh")
            .args(["-c", &command, env!("CARGO_BIN_EXE_pliant")])
            .args(all)
            .current_dir(&folder)
            .output();
        ended.expect("a shell")
    };
    let output = limited("4");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("cannot be written") && said.contains("to go on: "), "{said}");
    pliant_in(&folder, &["sweep", "--continue", "full", "-q"], "").done();
    pliant_in(&folder, &["sweep", "study.toml", "-o", "whole", "-q"], "").done();
    assert!(table(&folder, "full") == table(&folder, "whole"));
}

#[test]
fn a_study_is_told_in_words() {
    let folder = scratch("sweep-words");
    pliant_in(&folder, &["new", "track"], "").done();
    let run = pliant_in(&folder, &["new", "study"], "");
    assert!(run.stderr.contains("next: pliant new track, then pliant sweep study.toml"));
    let checked = pliant_in(&folder, &["check", "study.toml"], "").done();
    assert!(checked.starts_with("study.toml: ok, 26 runs over damping, shaper; "), "{checked}");
    let file = folder.join("study.toml");
    let text = std::fs::read_to_string(&file).expect("a text");
    let live = text.replace("# [[constraint]]\n# expr", "[[constraint]]\nexpr");
    assert_ne!(live, text);
    std::fs::write(&file, live).expect("written");
    let run = pliant_in(&folder, &["sweep", "study.toml", "--csv", "-q"], "");
    assert_eq!(run.stderr, "");
    let text = run.done();
    assert!(text.starts_with("study: done; 26 runs, all now in "), "{text}");
    for part in [
        "  parameters: damping, shaper\n",
        "  runs: 24 completed, 2 excluded\n",
        "not completed:\n  2 excluded  a constraint is broken\n",
        "figures (* the better end):\n",
        "  bar.tip.settling_time ",
        "  frequency.1 ",
        "in study-study: study.toml, table.parquet, summary.json, table.csv, report.html\n  26 rows of ",
    ] {
        assert!(text.contains(part), "{part} is not in\n{text}");
    }
    let again = pliant_in(&folder, &["sweep", "--continue", "study-study"], "").done();
    assert!(again.starts_with("study-study: done; 26 runs\n"), "{again}");
    // values given beside the file
    let all = ["check", "study.toml", "--set", "parameter.damping.count=3"];
    assert!(pliant_in(&folder, &all, "").done().contains("6 runs"));
    let all = ["check", "study.toml", "--set", "scenario.plan.shaper.kind=zvv"];
    assert!(pliant_in(&folder, &all, "").refused().contains("zvd"));
    // what is no study, and what is one
    let refused = pliant_in(&folder, &["run", "study.toml"], "").refused();
    assert!(refused.contains("pliant sweep study.toml runs it"), "{refused}");
    let refused = pliant_in(&folder, &["sweep", "track.toml"], "").refused();
    assert!(refused.contains("track.toml"), "{refused}");
    let refused = pliant_in(&folder, &["sweep", "study-study"], "").refused();
    assert!(refused.contains("pliant sweep --continue study-study"), "{refused}");
    let refused = pliant_in(&folder, &["sweep", "--continue", "."], "").refused();
    assert!(refused.contains("study.toml"), "{refused}");
}

#[test]
fn studies_have_a_schema_and_keys() {
    let schema: serde_json::Value =
        serde_json::from_str(&pliant(&["schema", "study"]).done()).expect("JSON");
    assert_eq!(schema["title"], "pliant study");
    assert!(schema["$defs"]["parameter"]["properties"]["paths"].is_object());
    let keys = pliant(&["explain", "keys", "study"]).done();
    assert!(keys.contains("| `design` |") && keys.contains("`\"sobol\"`"), "{keys}");
    assert!(pliant(&["sweep", "--help"]).done().contains("Examples:"));
}

/// Poles of a study are those that `pliant linearise --closed` tells with the values of a run.
#[test]
fn poles_are_those_of_linearise() {
    let folder = prepared("sweep-poles", 4);
    let servo = "[[controller]]\nkind = \"pd\"\nname = \"servo\"\nperiod = \"5 ms\"\nfull_state = true\n\
        [[controller.joint]]\nmotor = \"bar\"\nstiffness = 40\ndamping = 6\n\
        target = { kind = \"constant\", value = 0 }\n";
    std::fs::write(folder.join("swing.toml"), format!("{SWING}\n{servo}")).expect("written");
    let study = "scenario = \"swing.toml\"\nset = [\"duration=10 ms\"]\nfigures = [\"pole.*\"]\n\
        [[parameter]]\npath = \"arm.link.bar.payload.mass\"\nvalues = [0.2, 0.9]\n";
    std::fs::write(folder.join("study.toml"), study).expect("written");
    pliant_in(&folder, &["sweep", "study.toml", "-q", "--csv"], "").done();
    let csv = std::fs::read_to_string(folder.join("study-study/table.csv")).expect("a text");
    let mut lines = csv.lines().map(|line| line.split(',').collect::<Vec<_>>());
    let head = lines.next().expect("a head");
    for (row, mass) in lines.zip(["0.2", "0.9"]) {
        let set = format!("arm.link.bar.payload.mass={mass}");
        let arguments = ["linearise", "swing.toml", "--closed", "--format", "json", "--set", &set];
        let found = pliant_in(&folder, &arguments, "").done();
        let found: serde_json::Value = serde_json::from_str(&found).expect("JSON");
        let poles = found["poles"].as_array().expect("poles").iter();
        let upper = poles.filter(|pole| pole["imaginary"].as_f64().is_some_and(|im| im >= 0.0));
        let number = |pole: &serde_json::Value, key: &str| pole[key].as_f64();
        let mut told: Vec<_> = upper
            .filter_map(|pole| {
                Some((number(pole, "frequency_hz")?, number(pole, "damping_ratio")?))
            })
            .collect();
        told.sort_by(|a, b| a.0.total_cmp(&b.0));
        assert!(told.len() > 2, "{told:?}");
        for (number, (frequency, ratio)) in (1..).zip(told) {
            let cell = |name: String| {
                let at = head.iter().position(|one| one.split(' ').next() == Some(&name));
                row[at.unwrap_or_else(|| panic!("no {name}"))].parse::<f64>().expect("a number")
            };
            assert_eq!(cell(format!("pole.{number}.frequency")), frequency);
            assert_eq!(cell(format!("pole.{number}.damping_ratio")), ratio);
        }
    }
}

/// What no disk holds is refused before anything is written.
#[cfg(unix)]
#[test]
fn a_study_that_no_disk_holds_is_refused() {
    let folder = prepared("sweep-large", 1);
    let large = ["--set", "runs=1000000000000", "--set", "series=[\"coordinates\"]"];
    let arguments: Vec<&str> = ["sweep", "study.toml"].into_iter().chain(large).collect();
    let said = pliant_in(&folder, &arguments, "").refused();
    assert!(said.contains("on the disk") && said.contains("record less often"), "{said}");
    assert!(!folder.join("study-study").exists());
    let told =
        pliant_in(&folder, &["check", "study.toml", large[0], large[1], large[2], large[3]], "");
    let told = told.done();
    assert!(told.contains("3 channels over time; 2.01e14 rows of 4 channels, up to "), "{told}");
}

/// What is doubtful about the arm is counted in one line that says who tells it; going on does not tell it
/// again. An axis of a stiffness is in gigapascals.
#[test]
fn a_study_of_an_arm_with_doubts_is_brief() {
    let folder = scratch("sweep-doubts");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let scenario = root.join("scenarios/king-swing.toml").canonicalize().expect("there");
    let study = format!(
        "scenario = {scenario:?}\nset = [\"duration=10 ms\"]\nfigures = [\"*.peak_stress\"]\n\
         [[parameter]]\nname = \"young\"\npath = \"arm.link.fore.material.young\"\n\
         from = \"65 GPa\"\nto = \"72 GPa\"\ncount = 3\n"
    );
    std::fs::write(folder.join("study.toml"), study).expect("written");
    let swept = pliant_in(&folder, &["sweep", "study.toml", "--no-report"], "");
    // a machine that is busy shows how far it is
    let told = |said: &str| {
        said.lines().filter(|line| !line.starts_with('…')).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(
        told(&swept.stderr),
        ["1 warning of the scenario or its arm; to read it: pliant check study.toml"],
        "{}",
        swept.stderr
    );
    assert!(swept.done().contains(" MPa "));
    let checked = pliant_in(&folder, &["check", "study.toml"], "");
    assert!(checked.stderr.contains("its shapes are for a tip without load"), "{}", checked.stderr);
    let again = pliant_in(&folder, &["sweep", "--continue", "study-study", "--no-report"], "");
    assert!(told(&again.stderr).is_empty(), "{}", again.stderr);
    pliant_in(&folder, &["plot", "study-study", "-q"], "").done();
    let drawn = std::fs::read_to_string(folder.join("study-study.svg")).expect("a drawing");
    assert!(drawn.contains(">young (GPa)<") && drawn.contains(">66<"), "{drawn}");
}
