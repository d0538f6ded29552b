//! Optimisations: the optima of textbooks through files, and journals that end with the same bytes.

use pliant::study::{TrialOutcome, best_trials};
use pliant_io::Source;
use pliant_io::files::Existing;
use pliant_io::scenario::Overrides;
use pliant_io::study::{
    JournalError, OptimiseProgress, Study, StudyFolder, StudySummary, StudyTableReader, optimise,
    sweep,
};
use std::f64::consts::{PI, TAU};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

const YOUNG: f64 = 210e9;
const DENSITY: f64 = 7850.0;
/// Of tubes, so long (m) that shear and rotary inertia, which Euler and Bernoulli leave out, make
/// less than 4e-4 of a frequency.
const LENGTH: f64 = 3.0;

/// A tube of steel, clamped at its root, with a payload on its tip.
const TUBE: &str = r#"
duration = "1 ms"

[arm]
name = "tube"

[[arm.link]]
name = "bar"
joint = "fixed"
length = "3 m"
section = { kind = "tube", diameter = "30 mm", wall = "2 mm" }
material = { young = "210 GPa", shear = "81 GPa", density = "7850 kg/m^3" }
bends = { y = 2 }
payload = { mass = "2 kg" }
"#;

/// Its dimensions.
const DIMENSIONS: &str = r#"
[[parameter]]
name = "diameter"
path = "arm.link.bar.section.diameter"
from = "5 mm"
to = "200 mm"
scale = "logarithmic"

[[parameter]]
name = "wall"
path = "arm.link.bar.section.wall"
from = "0.1 mm"
to = "20 mm"
scale = "logarithmic"

[[constraint]]
expression = "wall <= diameter / 2"

[[constraint]]
expression = "diameter / 50 <= wall"
"#;

fn scratch(name: &str, scenario: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("optimise").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("scenario.toml"), scenario).expect("written");
    folder
}

fn study(folder: &Path, head: &str, rest: &str) -> Study {
    let text = format!("scenario = \"scenario.toml\"\n{head}\n{rest}");
    match Study::parse(&Source::new("study.toml", text), folder, &[]) {
        Ok(study) => study,
        Err(report) => panic!("{report}"),
    }
}

fn go_on(_: &OptimiseProgress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

fn run(study: &Study, place: &Path, threads: usize) -> StudySummary {
    let mut folder = StudyFolder::create(place, study, Existing::Refuse).expect("a folder");
    let done = optimise(study, &mut folder, threads, &mut go_on).expect("trials");
    assert!(done.is_continue());
    folder.finish(study).expect("a table")
}

fn table(place: &Path) -> Vec<u8> {
    std::fs::read(place.join("table.parquet")).expect("a table")
}

/// Where a function that changes its sign between two numbers is zero.
fn zero(mut low: f64, mut high: f64, of: impl Fn(f64) -> f64) -> f64 {
    let sign = of(low).signum();
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if of(middle).signum() == sign { low = middle } else { high = middle }
    }
    low
}

/// The area and the second moment of a tube.
fn section(diameter: f64, wall: f64) -> [f64; 2] {
    let inner = diameter - 2.0 * wall;
    [PI / 4.0 * (diameter.powi(2) - inner.powi(2)), PI / 64.0 * (diameter.powi(4) - inner.powi(4))]
}

/// The first frequency (Hz) of a clamped beam with a mass on its tip, as Euler and Bernoulli
/// have it: `1 + cos β cosh β + m/(ρA L) β (cos β sinh β − sin β cosh β) = 0`.
fn frequency([area, second]: [f64; 2], payload: f64) -> f64 {
    let part = payload / (DENSITY * area * LENGTH);
    let beta = zero(0.01, 1.9, |b| {
        1.0 + b.cos() * b.cosh() + part * b * (b.cos() * b.sinh() - b.sin() * b.cosh())
    });
    (beta / LENGTH).powi(2) / TAU * (YOUNG * second / (DENSITY * area)).sqrt()
}

fn near(what: &str, got: f64, want: f64, relative: f64) {
    assert!((got / want - 1.0).abs() < relative, "{what}: {got}, and it should be {want}");
}

/// The lightest tube with 2 kg on its tip and a first frequency of 2 Hz; its wall is a fiftieth of
/// its diameter or more. The best run, repeated alone, has its numbers to the last bit.
#[test]
fn the_lightest_tube_for_a_frequency() {
    let folder = scratch("tube", TUBE);
    let limit = "\n[[constraint]]\nexpression = \"frequency.1 >= 2\"\n";
    let study = study(&folder, "[optimise]\nminimise = \"mass\"", &format!("{DIMENSIONS}{limit}"));
    let goals: Vec<&str> =
        study.optimisation().expect("goals").goals().iter().map(|goal| &*goal.name).collect();
    assert_eq!(goals, ["mass"]);
    assert_eq!(study.constraints()[2].columns(), ["frequency.1"]);
    assert_eq!(study.constraints()[1].columns(), ["diameter", "wall"]);
    let place = folder.join("found");
    let summary = run(&study, &place, 2);
    let optimum = summary.optimum.clone().expect("an optimum");
    let [best] = optimum.best.as_slice() else { panic!("{optimum:?}") };
    let thin = |diameter: f64| section(diameter, diameter / 50.0);
    let diameter = zero(0.005, 0.2, |diameter| frequency(thin(diameter), 2.0) - 2.0);
    near("diameter", best.parameters["diameter"], diameter, 1e-3);
    near("wall", best.parameters["wall"], diameter / 50.0, 1e-3);
    near("mass of the tube", best.goals[0] - 2.0, DENSITY * LENGTH * thin(diameter)[0], 1e-3);
    assert!(!optimum.used_up && summary.rows < 1000, "{} trials", summary.rows);
    assert!(best.constraints.iter().all(|(_, slack)| *slack >= 0.0), "{best:?}");
    assert!(best.constraints[2].1 < 2e-3, "{best:?}");
    assert!(summary.statuses["excluded"] > 0 && optimum.feasible > 10, "{:?}", summary.statuses);
    // alone
    let rows = StudyTableReader::open(&place).expect("a table");
    let setup = study.setup(best.index, Some(&rows), &Overrides::default()).expect("a scenario");
    let arm = &setup.simulation.arm;
    assert_eq!(arm.total_mass().to_bits(), best.goals[0].to_bits());
    let hertz = arm.modes(&setup.simulation.diagram.q).expect("modes").modes[0].hertz();
    assert_eq!((hertz - 2.0).to_bits(), best.constraints[2].1.to_bits());
}

/// The front of a small mass and a high frequency has the thinnest walls.
#[test]
fn the_front_of_mass_and_frequency() {
    let folder = scratch("front", TUBE);
    let head = "figures = [\"steps\"]\n[optimise]\nminimise = \"mass\"\nmaximise = \"frequency.1\"\n\
                points = 7\nstarts = 2";
    let rest = DIMENSIONS.replace("\"5 mm\"", "\"20 mm\"").replace("\"200 mm\"", "\"80 mm\"");
    let study = study(&folder, head, &rest);
    // what is sought is kept
    let kept: Vec<&str> = study.figures().iter().map(|one| one.name.as_str()).collect();
    assert_eq!(kept, ["steps", "mass", "frequency.1"]);
    let place = folder.join("found");
    let summary = run(&study, &place, 2);
    let optimum = summary.optimum.clone().expect("a front");
    // the thinnest walls, and beyond the largest diameter thicker ones
    let highest = |area: f64| {
        let diameter = (area / section(1.0, 0.02)[0]).sqrt();
        let inner = (0.08_f64.powi(2) - 4.0 / PI * area).max(0.0).sqrt();
        let wall = if diameter < 0.08 { diameter / 50.0 } else { 0.5 * (0.08 - inner) };
        frequency(section(diameter.min(0.08), wall), 2.0)
    };
    let area = |mass: f64| (mass - 2.0) / (DENSITY * LENGTH);
    let ends = [&optimum.best[0], &optimum.best[optimum.best.len() - 1]].map(|one| &one.goals);
    let part = |goals: &[f64], k: usize| (goals[k] - ends[0][k]) / (ends[1][k] - ends[0][k]);
    // points that were sought are on the front, others near it
    let mut on_front: Vec<&[f64]> = Vec::new();
    for best in &optimum.best {
        let highest = highest(area(best.goals[0]));
        assert!(best.goals[1] < highest * (1.0 + 2e-4), "{best:?} is beyond {highest}");
        if best.goals[1] > highest * (1.0 - 2e-3) {
            on_front.push(&best.goals);
        }
    }
    near("smallest mass", area(on_front[0][0]), section(0.02, 0.0004)[0], 1e-3);
    let walls = (16..100).map(|k| frequency(section(0.08, 1e-4 * f64::from(k)), 2.0));
    near("highest frequency", ends[1][1], walls.fold(0.0, f64::max), 2e-3);
    let gap = |two: &[&[f64]]| {
        let gaps = [0, 1].map(|k| part(two[1], k) - part(two[0], k));
        gaps[0].max(gaps[1])
    };
    let widest = on_front.windows(2).map(gap).fold(0.0, f64::max);
    assert!(widest < 0.4, "{widest} is a gap of {on_front:?}");
    // the table says the same to whoever draws it
    let table = StudyTableReader::open(&place).expect("a table");
    let own = Study::parse(&Source::new("own", table.study()), Path::new(""), &[]);
    let own = own.unwrap_or_else(|report| panic!("{report}"));
    let trials = own.trials(&table).expect("readable").expect("an optimisation");
    assert_eq!(trials.len() as u64, summary.rows);
    let mut front: Vec<u64> =
        best_trials(&trials).expect("figures").iter().map(|&row| row as u64).collect();
    let mut told: Vec<u64> = optimum.best.iter().map(|best| best.index).collect();
    front.sort_unstable();
    told.sort_unstable();
    assert_eq!(front, told);
    let TrialOutcome::Figures { values, .. } = &trials[told[0] as usize].outcome else {
        panic!("a failed trial is among the best")
    };
    assert!(values[0] > 0.0 && values[1] < 0.0, "large ones have the other sign");
}

/// A force on the tip of a clamped beam in two steps, the second as soon as at most 5 % of the
/// vibration are left: of a beam that bends in its first mode, two equal steps
/// `2 acos(0.05) / ω` apart, with `ω = 1.8751² √(EI / ρA L⁴)`.
#[test]
fn the_shaper_of_least_time() {
    let scenario = r#"
duration = "0.5 s"
tolerance = 1e-8
record = { every = "0.5 ms" }

[arm]
name = "beam"

[[arm.link]]
name = "bar"
joint = "fixed"
length = "1 m"
section = { kind = "round", radius = "5 mm" }
material = { young = "210 GPa", shear = "81 GPa", density = "7850 kg/m^3" }
bends = { y = 1, foreshortening = false }

[[input]]
kind = "step"
frame = "bar.tip"
force = [0, 1, 0]
at = "10 ms"
before = 0.05
after = 0.1
"#;
    let folder = scratch("shaper", scenario);
    let area = PI * 0.005_f64.powi(2);
    let second = PI / 4.0 * 0.005_f64.powi(4);
    // of a clamped beam: 1 + cos β cosh β = 0
    let beta = zero(1.0, 2.5, |b| 1.0 + b.cos() * b.cosh());
    let omega = beta * beta * (YOUNG * second / (DENSITY * area)).sqrt();
    // one mode: the tip's deflection under the whole force is Φ² F / ω², Φ² = 4 / (ρ A L)
    let still = 0.1 * 4.0 / (DENSITY * area * omega * omega);
    let limit =
        format!("[[constraint]]\nexpression = \"bar.tip.position.y.max <= {}\"", 1.05 * still);
    let rest = format!(
        "[[parameter]]\nname = \"time\"\npath = \"input[0].at\"\nfrom = \"1 ms\"\nto = \"150 ms\"\n\
         [[parameter]]\nname = \"first\"\npath = \"input[0].before\"\nfrom = 0\nto = 0.1\n{limit}"
    );
    let study = study(&folder, "[optimise]\nminimise = \"time\"", &rest);
    let summary = run(&study, &folder.join("found"), 2);
    let optimum = summary.optimum.clone().expect("an optimum");
    let [best] = optimum.best.as_slice() else { panic!("{optimum:?}") };
    near("time", best.goals[0], 2.0 * 0.05_f64.acos() / omega, 1e-3);
    // where the time is flat, the square root of that
    near("first step", best.parameters["first"], 0.05, 0.03);
}

/// The table has the same bytes on any number of threads, however often it was stopped, and where a
/// chunk was lost.
#[test]
fn searches_that_were_stopped_end_with_the_same_bytes() {
    let folder = scratch("stopped", TUBE);
    let head = "[optimise]\nminimise = \"mass\"\nmaximise = \"frequency.1\"\nevaluations = 150\nstarts = 1";
    let study = study(&folder, head, DIMENSIONS);
    let summary = run(&study, &folder.join("whole"), 1);
    assert!(summary.rows > 100, "{}", summary.rows);
    let whole = table(&folder.join("whole"));
    let _ = run(&study, &folder.join("threads"), 3);
    assert!(table(&folder.join("threads")) == whole, "threads change the table");
    let place = folder.join("stopped");
    drop(StudyFolder::create(&place, &study, Existing::Refuse).expect("a folder"));
    for stop in [0, 1, 20, 77, 90] {
        let mut folder = StudyFolder::reopen(&place, &study).expect("the same");
        let mut watch = |progress: &OptimiseProgress| {
            if progress.done >= stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let done = optimise(&study, &mut folder, 2, &mut watch).expect("trials");
        assert!(done.is_break() && folder.done() >= stop, "{} of {stop}", folder.done());
        assert!(matches!(folder.finish(&study), Err(JournalError::Incomplete { .. })));
    }
    // one that is lost is done again, beside those behind it
    let names = std::fs::read_dir(&place).expect("a folder");
    let names = names.map(|entry| entry.expect("a name").path());
    let mut chunks: Vec<PathBuf> =
        names.filter(|path| path.to_string_lossy().contains("chunk-")).collect();
    chunks.sort();
    assert!(chunks.len() > 3, "{chunks:?}");
    std::fs::remove_file(&chunks[1]).expect("there");
    let mut journal = StudyFolder::reopen(&place, &study).expect("the same");
    assert!(optimise(&study, &mut journal, 2, &mut go_on).expect("trials").is_continue());
    let _ = journal.finish(&study).expect("a table");
    assert!(table(&place) == whole, "stops change the table");
    drop(journal);
    // what remains to be done after the table is done again
    std::fs::remove_file(place.join("summary.json")).expect("there");
    let mut journal = StudyFolder::reopen(&place, &study).expect("the same");
    assert!(optimise(&study, &mut journal, 2, &mut go_on).expect("done").is_continue());
    let again = journal.finish(&study).expect("a summary");
    assert_eq!((again.rows, again.optimum), (summary.rows, summary.optimum));
    assert!(place.join("summary.json").is_file());
}

/// What one command runs, the other one does not.
#[test]
fn sweeps_and_optimisations_are_told_apart() {
    let folder = scratch("apart", TUBE);
    let best = study(&folder, "[optimise]\nminimise = \"mass\"", DIMENSIONS);
    let place = folder.join("best");
    let mut journal = StudyFolder::create(&place, &best, Existing::Refuse).expect("a folder");
    let done = sweep(&best, &mut journal, 1, &mut |_| ControlFlow::Continue(()));
    assert!(matches!(done, Err(JournalError::Optimises)), "{done:?}");
    let rest = DIMENSIONS.replace("scale =", "count = 2\nscale =");
    let many = study(&folder, "", &rest);
    assert!(many.optimisation().is_none());
    let mut journal =
        StudyFolder::create(folder.join("many"), &many, Existing::Refuse).expect("one");
    let done = optimise(&many, &mut journal, 1, &mut go_on);
    assert!(matches!(done, Err(JournalError::Sweeps)), "{done:?}");
    assert_eq!(
        many.trials(&StudyTableReader::open(sampled(&many, journal)).expect("a table")).ok(),
        Some(None)
    );
}

/// Runs a sweep to its end.
fn sampled(study: &Study, mut journal: StudyFolder) -> PathBuf {
    let done = sweep(study, &mut journal, 2, &mut |_| ControlFlow::Continue(()));
    assert!(done.expect("runs").is_continue());
    let _ = journal.finish(study).expect("a table");
    journal.path().to_owned()
}

/// Where nothing can be feasible, the search ends and says so.
#[test]
fn nothing_feasible_is_no_best() {
    let folder = scratch("nothing", TUBE);
    let limit = "\n[[constraint]]\nexpression = \"mass < 1\"\n";
    let head = "[optimise]\nminimise = \"steps\"\nevaluations = 60";
    let study = study(&folder, head, &format!("{DIMENSIONS}{limit}"));
    let summary = run(&study, &folder.join("found"), 2);
    let optimum = summary.optimum.clone().expect("of an optimisation");
    assert_eq!((optimum.feasible, optimum.best.len(), optimum.used_up), (0, 0, true));
    assert_eq!(summary.rows, 60);
}
