//! Pages for the browser's test, with everything in them that pages must cope with.
//!
//! ```sh
//! cargo run --release -p pliant-io --example report_pages -- FOLDER
//! ```

use pliant::analyse::Conditions;
use pliant::simulate::{Channel, ChannelRole, Status, Summary};
use pliant_io::files::Existing;
use pliant_io::report::{self, ModeLine, ModesReport};
use pliant_io::results::{Metadata, RunFolder, RunOutcome};
use pliant_io::scenario::{self, Overrides};
use pliant_io::study::{
    Study, StudyFolder, StudySummary, StudyTableReader, optimise, single_run, sweep,
};
use std::error::Error;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

type Done = Result<(), Box<dyn Error>>;

/// A pendulum whose name is anything but a name.
const ODD: &str = r#"
duration = "200 ms"
record = { every = "5 ms" }

[initial]
'<script><img src=x onerror=alert(1)>&"' = "-10 deg"

[arm]
name = '<b>arm</b> & "co" </script>'
gravity = [0, -9.81, 0]

[[arm.link]]
name = '<script><img src=x onerror=alert(1)>&"'
joint = { kind = "revolute", axis = "z" }
length = "1 m"
payload = { mass = 1 }
"#;

/// Joints of all kinds that draw in their own way, and two links on one.
const JOINTS: &str = r#"
duration = "500 ms"
record = { every = "5 ms" }

[arm]
name = "joints"
gravity = [0, 0, -9.81]

[[arm.link]]
name = "base"
joint = "free"
shape = { kind = "box", size = ["0.4 m", "0.4 m", "0.2 m"], mass = "5 kg" }

[[arm.link]]
name = "neck"
placement = [0, 0, "0.2 m"]
joint = { kind = "universal", axes = ["y", "z"], spring = [20, 20], rest = ["30 deg", "0 deg"] }
length = "0.8 m"
payload = { mass = 0.5 }

[[arm.link]]
name = "rail"
parent = "base"
placement = ["0.2 m", 0, 0]
joint = { kind = "prismatic", axis = "x", spring = 50, rest = "0.3 m" }
length = "0.5 m"
payload = { mass = 0.5 }
"#;

/// A turn with an input shaper, under a controller with ticks of two rows.
const TURN: &str = r#"
duration = "3 s"
tolerance = 1e-6
record = { every = "5 ms" }

[arm]
name = "turner"
gravity = [0, 0, 0]

[[arm.link]]
name = "upper"
joint = { kind = "revolute", axis = "z", armature = "0.5 kg m^2" }
length = "0.5 m"
payload = { mass = "1 kg" }

[[arm.link]]
name = "fore"
joint = { kind = "revolute", axis = "z", armature = "0.2 kg m^2" }
length = "1 m"
section = { kind = "rectangle", height = "40 mm", width = "6 mm" }
material = "aluminium"
bends = { y = 1, z = 1, damping = 0.005 }
payload = { mass = "0.5 kg" }

[plan]
kind = "joints"
points = [[0, 0], ["60 deg", "30 deg"]]
durations = ["1 s"]
shaper = { kind = "zvd", modes = 2 }

[[controller]]
kind = "gravity-pd"
name = "servo"
period = "10 ms"
full_state = true
stiffness = { upper = "200 N m/rad", fore = "100 N m/rad" }
damping = { upper = "20 N m s/rad", fore = "10 N m s/rad" }
"#;

/// A hub that turns a bar, for studies.
const TURNER: &str = r#"
[scenario]
duration = "1 s"
record = { every = "10 ms" }
settling_band = "5 mm"
plan = { kind = "joints", points = [[0], ["60 deg"]], durations = ["0.5 s"] }

[scenario.arm]
name = "turner"
gravity = [0, 0, 0]

[[scenario.arm.link]]
name = "hub"
joint = { kind = "revolute", axis = "z" }
mass = "1 kg"
inertia = [0.1, 0.1, 0.1]

[[scenario.arm.link]]
name = "bar"
joint = "fixed"
length = "1 m"
payload = { mass = "0.2 kg" }

[[scenario.controller]]
kind = "gravity-pd"
name = "servo"
full_state = true
stiffness = "100 N m/rad"
damping = "15 N m s/rad"
"#;

/// Names that are anything but names, a text, a number in degrees, and a mass that is none.
const GRID: &str = r#"
[[parameter]]
name = '<img src=x onerror=alert(1)>&"'
path = "arm.link.bar.payload.mass"
values = ["0.2 kg", "0.5 kg", "1 kg", "-1 kg"]

[[parameter]]
name = "angle"
path = "plan.points[1][0]"
values = ["30 deg", "60 deg", "90 deg"]

[[parameter]]
name = "integrator"
path = "scenario.method"
values = ["dop853", "radau5"]
"#;

/// Three numbers that are drawn.
const DRAWN: &str = r#"
[[parameter]]
name = "payload"
path = "arm.link.bar.payload.mass"
from = "0.1 kg"
to = "2 kg"
scale = "logarithmic"

[[parameter]]
name = "stiffness"
path = "controller.servo.stiffness"
from = "50 N m/rad"
to = "150 N m/rad"

[[parameter]]
name = "length"
path = "arm.link.bar.length"
from = "0.9 m"
to = "1.1 m"
"#;

/// Two numbers in a grid.
const PLANE: &str = r#"
[[parameter]]
name = "payload"
path = "arm.link.bar.payload.mass"
from = "0.1 kg"
to = "1 kg"
count = 12

[[parameter]]
name = "stiffness"
path = "controller.servo.stiffness"
from = "50 N m/rad"
to = "150 N m/rad"
count = 10
"#;

/// Large and fast at once.
const SOUGHT: &str = r#"
[optimise]
minimise = "servo.hub.force.peak_torque"
maximise = "payload"
points = 5
evaluations = 120
tolerance = 1e-2

[[parameter]]
name = "payload"
path = "arm.link.bar.payload.mass"
from = "0.1 kg"
to = "2 kg"

[[constraint]]
expression = "{hub.rms_error} < 0.05"
"#;

/// Servos of which the first lets the bar swing on and on.
const RESTLESS: &str = r#"
[[parameter]]
name = "damping"
path = "controller.servo.damping"
values = ["0.1 N m s/rad", "5 N m s/rad", "15 N m s/rad"]
"#;

fn main() -> Done {
    let folder = PathBuf::from(std::env::args().nth(1).ok_or("give a folder")?);
    std::fs::create_dir_all(&folder)?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let king = std::fs::read_to_string(root.join("scenarios/king-swing.toml"))?;
    let king = king.replace("../robots", &format!("{}/robots", root.display()));
    let line = std::fs::read_to_string(root.join("scenarios/akmehmet-line.toml"))?;
    let line = line.replace("../robots", &format!("{}/robots", root.display()));
    let plain = TURN.replace("shaper = { kind = \"zvd\", modes = 2 }", "");
    let soft = plain.replace("200 N", "40 N").replace("20 N", "2 N");
    let slide = std::fs::read_to_string(root.join("scenarios/sliding-beam.toml"))?;
    let slide = slide.replace("../robots", &format!("{}/robots", root.display()));
    let puma = format!(
        "arm = \"{}/robots/puma-560.toml\"\nduration = \"1 s\"\nlimits = \"ignore\"\n",
        root.display()
    );
    run(&folder, "king", &king.replace("1e-10", "1e-8"))?;
    run(&folder, "loose", &king.replace("1e-10", "1e-3").replace("\"5 ms\"", "\"8 ms\""))?;
    run(&folder, "puma", &puma)?;
    run(&folder, "line", &line)?;
    run(&folder, "shaped", TURN)?;
    run(&folder, "plain", &plain)?;
    run(&folder, "soft", &soft)?;
    run(&folder, "wild", &plain.replace("200 N", "2e5 N"))?;
    run(&folder, "slide", &slide.replace("1e-9", "1e-6"))?;
    run(&folder, "odd", ODD)?;
    run(&folder, "joints", JOINTS)?;
    let blind = format!("{king}\n").replace("every = \"5 ms\"", "channels = [\"energies\"]");
    run(&folder, "blind", &blind)?;
    stopped(&folder, &king)?;
    rows(&folder, "one-row", &king, 1)?;
    rows(&folder, "no-row", &king, 0)?;
    long(&folder, &root.join("scenarios/six-slender.toml"))?;
    let plain = ["king", "puma", "line", "odd", "blind", "killed", "one-row", "no-row", "joints"];
    for name in plain.into_iter().chain(["long", "shaped", "wild", "slide"]) {
        page(&folder, name, &[name])?;
    }
    page(&folder, "ghosts", &["king", "loose"])?;
    page(&folder, "compare", &["plain", "shaped", "soft", "wild"])?;
    let grid = GRID.replace("scenario.method", "method");
    study(&folder, "study", "set = [\"method=dop853\"]", &grid)?;
    study(&folder, "drawn", "design = \"sensitivity\"\nruns = 64", DRAWN)?;
    study(&folder, "plane", "", PLANE)?;
    study(&folder, "front", "", SOUGHT)?;
    let alone = SOUGHT.replace("minimise = \"servo.hub.force.peak_torque\"", "");
    study(&folder, "best", "", &alone.replace("points = 5", ""))?;
    study(&folder, "restless", "", RESTLESS)?;
    study(&folder, "many", "design = \"random\"\nruns = 30000", DRAWN)?;
    modes(&folder, &root.join("robots/king-two-link.toml"))
}

fn run(folder: &Path, name: &str, text: &str) -> Done {
    let source = pliant_io::Source::new(format!("{name}.toml"), text);
    let setup = scenario::parse(&source, Path::new(""), &Overrides::default())
        .map_err(|report| format!("{name}: {report:?}"))?;
    let run = scenario::run(&setup, folder.join(name), Existing::Replace, &mut |_| {
        ControlFlow::Continue(())
    });
    drop(run?);
    Ok(())
}

/// Runs a study, which is empty where it is long, and makes the page of one of its runs.
fn study(folder: &Path, name: &str, head: &str, parameters: &str) -> Done {
    let text = format!("{head}\n{TURNER}\n{parameters}");
    let source = pliant_io::Source::new(format!("{name}.toml"), text);
    let study = Study::parse(&source, Path::new(""), &[])
        .map_err(|report| format!("{name}: {report:?}"))?;
    let study = if study.count() > 10_000 { study.dry() } else { study };
    let place = folder.join(name);
    let mut journal = StudyFolder::create(&place, &study, Existing::Replace)?;
    let done = if study.optimisation().is_some() {
        optimise(&study, &mut journal, 2, &mut |_| ControlFlow::Continue(()))?
    } else {
        sweep(&study, &mut journal, 2, &mut |_| ControlFlow::Continue(()))?
    };
    if done.is_break() {
        return Err(format!("{name} was stopped").into());
    }
    let _: StudySummary = journal.finish(&study)?;
    if !study.is_dry() {
        let table = StudyTableReader::of_study(&study, &place)?;
        let setup = study.setup(1, Some(&table), &Overrides::default())?;
        let run = single_run(&place, 1);
        drop(scenario::run(&setup, &run, Existing::Replace, &mut |_| ControlFlow::Continue(()))?);
        let page = report::of_runs(&[&run])?;
        report::write(run.join("report.html"), Existing::Replace, &page)?;
    }
    let page = report::of_study(&study, &place, true)?;
    report::write(place.join("report.html"), Existing::Replace, &page)?;
    Ok(())
}

fn page(folder: &Path, name: &str, runs: &[&str]) -> Done {
    let runs: Vec<PathBuf> = runs.iter().map(|run| folder.join(run)).collect();
    let file = folder.join(format!("{name}.html"));
    report::write(file, Existing::Replace, &report::of_runs(&runs)?)?;
    Ok(())
}

/// What a run leaves that is killed: parts, and no summary.
fn stopped(folder: &Path, king: &str) -> Done {
    run(folder, "killed", &king.replace("\"5 s\"", "\"2 s\""))?;
    let killed = folder.join("killed");
    std::fs::rename(killed.join("result.parquet"), killed.join("part-00000.parquet"))?;
    std::fs::remove_file(killed.join("summary.json"))?;
    Ok(())
}

/// A run that ended with its first row, or before.
fn rows(folder: &Path, name: &str, king: &str, count: usize) -> Done {
    let names = ["upper", "upper.y1", "upper.y2", "upper.z1", "upper.z2", "upper.x1"];
    let more = ["fore", "fore.y1", "fore.y2", "fore.z1", "fore.z2"];
    let channels =
        names.into_iter().chain(more).map(|name| Channel::new(name, "1", ChannelRole::Position));
    let channels: Vec<Channel> = channels.collect();
    let values = vec![0.01; channels.len()];
    let place = RunFolder::create(folder.join(name), Existing::Replace)?;
    let mut writer = place.start(king, channels, Metadata::new("", "dop853"))?;
    for _ in 0..count {
        writer.row(0.0, &values)?;
    }
    writer.finish(RunOutcome::new(Summary::new(Status::Interrupted, 0.0)))?;
    Ok(())
}

/// A minute of six bending links at 200 rows a second with 164 channels. Nothing is simulated: every
/// number swings on its own.
fn long(folder: &Path, file: &Path) -> Done {
    let text = std::fs::read_to_string(file)?;
    let setup = scenario::load(file, &Overrides::default()).map_err(|why| format!("{why:?}"))?;
    let coordinates = setup.simulation.arm.configuration_coordinates();
    let mut channels: Vec<Channel> = coordinates
        .iter()
        .map(|own| Channel {
            subject: own.link.clone(),
            coordinate: Some(own.role),
            index: own.index,
            ..Channel::new(&own.name, own.dimension.units()[0], ChannelRole::Position)
        })
        .collect();
    let known = channels.len();
    let more = (known..164).map(|k| Channel::new(format!("swing.{k}"), "1", ChannelRole::Other));
    channels.extend(more);
    let size = |k: usize| match coordinates.get(k) {
        Some(own) if own.role.deforms() => 0.01,
        _ => 0.5,
    };
    let place = RunFolder::create(folder.join("long"), Existing::Replace)?;
    let mut writer = place.start(&text, channels, Metadata::new("", "none"))?;
    for row in 0..=12_000 {
        let t = f64::from(row) * 0.005;
        let swing = |k: usize| size(k) * (t * (1.0 + 0.37 * k as f64)).sin();
        writer.row(t, &(0..164).map(swing).collect::<Vec<f64>>())?;
    }
    writer.finish(RunOutcome::new(Summary::new(Status::Completed, 60.0)))?;
    Ok(())
}

fn modes(folder: &Path, file: &Path) -> Done {
    let loaded = pliant_io::load(file).map_err(|report| format!("{report:?}"))?;
    let modes = loaded.arm.modes_under(&loaded.arm.neutral(), &Conditions::default())?;
    let lines: Vec<ModeLine> = modes
        .modes
        .iter()
        .map(|mode| ModeLine {
            hertz: mode.hertz(),
            damping: mode.damping_ratio,
            unstable: mode.is_unstable(),
            moves: vec![("all of it".to_owned(), 1.0)],
            error: Some(0.02),
        })
        .collect();
    let report = ModesReport {
        arm: &loaded.arm,
        description: &loaded.description,
        modes: &modes,
        lines: &lines,
        facts: &[("Joints", "locked".to_owned())],
        no_convergence: None,
    };
    report::write(folder.join("modes.html"), Existing::Replace, &report::of_modes(&report))?;
    Ok(())
}
