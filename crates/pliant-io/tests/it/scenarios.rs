//! Diagram files: what they say, and what runs of them leave.

use pliant::simulate::IntegrationMethod;
use pliant::simulate::{Direction, EventAction, PrescribedQuantity, Signal, Status};
use pliant_io::Source;
use pliant_io::files::Existing;
use pliant_io::results::Reader;
use pliant_io::scenario::{Overrides, Setup, load, parse, run};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// A turntable that is prescribed, a rigid arm, and a bar that bends.
const ARM: &str = r#"
gravity = [0, -9.81, 0]
[[link]]
name = "base"
joint = { kind = "revolute", axis = "y", prescribed = true }
mass = 1
[[link]]
name = "upper"
joint = { kind = "revolute", axis = "z", limits = ["-170 deg", "120 deg"] }
length = "1 m"
section = { kind = "round", diameter = "20 mm" }
material = "aluminium"
bends = { y = 1, shapes = "clamped-free" }
"#;

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn inside(arm: &str) -> String {
    arm.replace("[[link]]", "[[arm.link]]").replacen("gravity", "[arm]\ngravity", 1)
}

fn setup(head: &str) -> Setup {
    let text = format!("{head}\n{}", inside(ARM));
    parse(&Source::new("test.toml", text), Path::new(""), &Overrides::default())
        .unwrap_or_else(|report| panic!("{report}"))
}

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("scenarios").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

fn completed(setup: &Setup, name: &str) -> (pliant_io::scenario::Finished, Reader) {
    let folder = scratch(name);
    let finished = run(setup, &folder, Existing::Refuse, &mut |_| ControlFlow::Continue(()));
    let finished = finished.unwrap_or_else(|failure| panic!("{failure}"));
    (finished, Reader::open(folder).expect("results"))
}

#[test]
fn what_is_left_out_has_its_default() {
    let setup = setup("duration = \"2 s\"");
    assert_eq!((setup.simulation.diagram.duration, setup.simulation.diagram.interval), (2.0, 0.01));
    assert_eq!(setup.simulation.diagram.method, IntegrationMethod::Auto { tolerance: 1e-9 });
    assert_eq!(setup.simulation.diagram.limits, Some(EventAction::Report));
    assert!(
        setup.simulation.diagram.q.iter().chain(&setup.simulation.diagram.u).all(|&x| x == 0.0)
    );
    assert!(setup.warnings.is_empty());
    assert_eq!(setup.simulation.arm.name(), "arm");
}

#[test]
fn everything_can_be_said() {
    let setup = setup(
        r#"
duration = "500 ms"
gravity = [0, 0, "-1.62 m/s^2"]
method = "rk4"
step = "1 ms"
limits = "stop"
seed = 7
initial = { upper = "-90 deg", "upper.y1" = "5 mm" }
rates = { upper = "30 deg/s" }
record = { every = "5 ms", channels = ["coordinates", "energy.*"] }
input = [
  { motor = "upper", kind = "constant", value = "1 N m" },
  { motor = "upper", kind = "step", at = "1 s", before = 1, after = "2 N m" },
  { motor = "upper", kind = "ramp", start = "1 s", duration = 2, to = 5 },
  { motor = "upper", kind = "sine", amplitude = 2, frequency = "3 Hz", phase = "90 deg" },
  { motor = "upper", kind = "chirp", amplitude = 2, from = "1 Hz", to = "9 Hz", duration = "4 s" },
  { motor = "upper", kind = "table", times = [0, "1 s"], values = [0, "3 N m"], interpolation = "hold" },
  { motor = "upper", kind = "expression", expression = "2 * t" },
  { frame = "upper.tip", force = [0, "2 N", 0], axes = "own", kind = "constant", value = 3 },
]
prescribed = [
  { coordinate = "base", kind = "table", times = [0, 1, 2], values = ["10 deg", 1, 2] },
]
sensor = [
  { kind = "encoder", name = "shaft", coordinate = "upper", counts = 4096, period = "1 ms", delay = "2 ms" },
  { kind = "strain", name = "gauge", link = "upper", at = "50 mm", y = "10 mm", noise = 1e-6, period = "1 ms" },
  { kind = "accelerometer", name = "imu", frame = "upper.tip", resolution = "0.1 m/s^2", period = "1 ms" },
  { kind = "position", name = "camera", frame = "upper.tip", period = "20 ms" },
]
event = [{ name = "low", expression = "upper.tip.position.y + 0.5 * t", direction = "falling", action = "stop" }]
"#,
    );
    let values: Vec<f64> =
        setup.simulation.diagram.motors.iter().map(|motor| motor.signal.value(1.0)).collect();
    assert_eq!(values[..3], [1.0, 2.0, 0.0]);
    assert!((values[3] - 2.0).abs() < 1e-12);
    assert_eq!(values[5..], [3.0, 2.0]);
    assert!(matches!(setup.simulation.diagram.motors[4].signal, Signal::Chirp { to_hz: 9.0, .. }));
    assert_eq!(
        (
            setup.simulation.diagram.loads.len(),
            setup.simulation.diagram.sensors.len(),
            setup.simulation.diagram.seed
        ),
        (1, 4, 7)
    );
    assert_eq!(setup.simulation.diagram.prescribed[0].given, PrescribedQuantity::Position);
    assert!((setup.simulation.diagram.q[0] - 10.0_f64.to_radians()).abs() < 1e-15);
    assert!((setup.simulation.diagram.q[2] - 0.005).abs() < 1e-15);
    assert!((setup.simulation.diagram.u[1] - 30.0_f64.to_radians()).abs() < 1e-15);
    assert_eq!(setup.simulation.diagram.method, IntegrationMethod::Rk4 { step: 0.001 });
    assert_eq!(setup.simulation.diagram.events[0].direction, Direction::Falling);
    assert_eq!(setup.simulation.arm.gravity().to_array(), [0.0, 0.0, -1.62]);
    setup.simulation.diagram.check().expect("it can be run");
}

#[test]
fn static_equilibrium_does_not_move() {
    let head = "duration = \"0.2 s\"\nstart = \"static equilibrium\"\ninitial = { upper = \"-90 deg\" }\n\
                gravity = [3, -9.81, 0]\n[[input]]\nmotor = \"upper\"\nkind = \"constant\"\nvalue = 0";
    let setup = setup(head);
    assert!(setup.simulation.diagram.q[2].abs() > 1e-4, "{:?}", setup.simulation.diagram.q);
}

/// The arm that a run writes down is the arm that it had, and the scenario gives the same again.
#[test]
fn the_scenario_as_run_gives_the_same_bytes() {
    let path = here().join("../../scenarios/king-swing.toml");
    let overrides = Overrides::of([("duration", "20 ms"), ("tolerance", "1e-7")]);
    let setup = load(&path, &overrides).expect("a good scenario");
    assert_eq!(
        (setup.simulation.diagram.duration, setup.simulation.diagram.method),
        (0.02, IntegrationMethod::Auto { tolerance: 1e-7 })
    );
    let (_, first) = completed(&setup, "as-run-first");
    let again = scratch("as-run-first-again");
    let scenario =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join("scenarios/as-run-first/scenario.toml");
    let setup = load(scenario, &Overrides::default()).expect("the scenario as run");
    let _ =
        run(&setup, &again, Existing::Refuse, &mut |_| ControlFlow::Continue(())).expect("it runs");
    let bytes = |folder: &Path| std::fs::read(folder.join("result.parquet")).expect("a file");
    let before = Path::new(env!("CARGO_TARGET_TMPDIR")).join("scenarios/as-run-first");
    assert!(bytes(&again) == bytes(&before), "the bytes differ");
    assert_eq!(first.rows(), 5);
    assert_eq!(first.metadata().method, "auto");
    assert!(first.column("fore.tip.position.y").expect("a channel")[0] < -2.0);
}

#[test]
fn kings_arm_keeps_its_energy_for_a_second() {
    let path = here().join("../../scenarios/king-swing.toml");
    let overrides = Overrides::of([("duration", "1 s")]);
    let setup = load(&path, &overrides).expect("a good scenario");
    let (finished, reader) = completed(&setup, "king-second");
    assert!(finished.summary().ending.status == Status::Completed);
    let drift = finished.summary().energy_drift.expect("a balance").relative.expect("it moves");
    assert!(drift < 1e-9, "{drift:e}");
    assert_eq!(reader.rows(), 201);
    assert!(reader.complete());
    assert_eq!(reader.summary().expect("a summary").outcome.run.ending.status, Status::Completed);
}

#[test]
fn events_and_limits_stop_a_run() {
    let head = "duration = 5\nrecord = { every = \"10 ms\" }\n";
    let event = "event = [{ expression = \"upper + 1\", action = \"stop\" }]\n";
    let (finished, reader) = completed(&setup(&format!("{head}{event}")), "stopped-by-event");
    assert!(finished.summary().ending.status == Status::Stopped);
    assert!((finished.summary().q[1] + 1.0).abs() < 1e-9);
    let summary = reader.summary().expect("a summary");
    assert_eq!(summary.outcome.run.ending.status, Status::Stopped);
    let (finished, _) =
        completed(&setup(&format!("{head}limits = \"stop\"\n")), "stopped-by-limit");
    let why = finished.written.outcome.run.ending.why.expect("a reason");
    assert!(why.contains("upper meets its lower limit, -2.96706 rad"), "{why}");
}

/// Steps far too long for the bar's vibration: the run ends with a reason, and its rows stay.
#[test]
fn a_motion_that_diverges_leaves_its_rows() {
    let head = "duration = 50\nmethod = \"rk4\"\nstep = \"100 ms\"\nrecord = { every = 0.1 }\nlimits = \"ignore\"";
    let (finished, reader) = completed(&setup(head), "diverging");
    assert!(finished.summary().ending.breakdown.is_some(), "{:?}", finished.summary().ending);
    assert!(reader.rows() > 0 && reader.complete());
    let ended = &reader.summary().expect("a summary").outcome.run.ending;
    assert_eq!(ended.status, Status::Failed);
    assert!(
        ended.why.as_ref().is_some_and(|why| why.contains("too fast for the steps")),
        "{ended:?}"
    );
}

/// Whatever a scenario says, it is answered.
#[test]
fn broken_scenarios_never_panic() {
    let text = std::fs::read_to_string(here().join("../pliant-cli/templates/scenarios/swing.toml"))
        .expect("a template");
    let text = format!("{}\n{}", text.replace("arm = \"flexible.toml\"", ""), inside(ARM));
    let letters: Vec<char> = text.chars().collect();
    let mut seed = 11_u64;
    let mut below = |n: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % n.max(1)
    };
    let pieces = [
        "[",
        "]",
        "{",
        "\"",
        "=",
        "nan",
        "-1",
        "1e308",
        "\"5 Hz\"",
        "true",
        "[[input]]\n",
        "é",
        "kind = \"table\"\n",
    ];
    for _ in 0..400 {
        let mut broken = letters.clone();
        for _ in 0..=below(3) {
            let at = below(broken.len());
            let end = (at + below(12)).min(broken.len());
            broken.splice(at..end, pieces[below(pieces.len())].chars());
        }
        let broken: String = broken.into_iter().collect();
        let read = parse(&Source::new("broken.toml", broken), Path::new(""), &Overrides::default());
        if let Err(report) = read {
            assert!(!report.to_string().is_empty());
        }
    }
}

/// Six methods, one motion: they agree as far as their errors allow.
#[test]
fn every_method_gives_the_same_motion() {
    let end = |method: &str| {
        let head = format!("duration = 0.3\nrecord = {{ every = 0.1 }}\nmethod = \"{method}\"\n");
        let fixed = ["rk4", "generalised-alpha"].contains(&method);
        let more = if fixed { "step = \"0.1 ms\"\n" } else { "tolerance = 1e-9\n" };
        let setup = setup(&format!("{head}{more}"));
        assert_eq!(setup.simulation.diagram.method.name(), method);
        let (_, reader) = completed(&setup, &format!("method-{method}"));
        reader.column("upper").expect("a channel").last().copied().expect("rows")
    };
    let wanted = end("dop853");
    assert!(wanted.abs() > 0.1, "it swings: {wanted}");
    // generalised-alpha is of order 2: (hω)²/12, with hω about 0.03 for the bar
    for (method, allowed) in [
        ("dopri5", 1e-6),
        ("adams", 1e-6),
        ("radau5", 1e-6),
        ("rk4", 1e-6),
        ("generalised-alpha", 1e-4),
    ] {
        let got = end(method);
        assert!((got - wanted).abs() < allowed, "{method}: {got} {wanted}");
    }
}

#[test]
fn a_method_is_chosen_and_says_why() {
    let reason = |head: &str| {
        let setup = setup(&format!("duration = 0.1\n{head}"));
        let (finished, reader) = completed(&setup, "auto");
        // in the summary and in the file of results
        assert_eq!(finished.written.metadata.method_reason, setup.simulation.method_reason);
        assert_eq!(reader.metadata().method_reason, setup.simulation.method_reason);
        (setup.simulation.diagram.method, setup.simulation.method_reason.unwrap_or_default())
    };
    let (method, why) = reason("method = \"auto\"\ntolerance = 1e-7");
    assert_eq!(method, IntegrationMethod::Auto { tolerance: 1e-7 });
    assert!(why.contains("rad/s"), "{why}");
    assert_eq!(reason(""), reason("method = \"auto\""));
    assert_eq!(reason("method = \"radau5\"").1, "");
    // what is asked for stands in the metadata
    let head =
        "duration = 0.1\nmethod = \"generalised-alpha\"\nstep = \"1 ms\"\nspectral_radius = 0.6";
    let (_, reader) = completed(&setup(head), "alpha");
    let metadata = reader.metadata();
    assert_eq!((metadata.step, metadata.spectral_radius), (Some(1e-3), Some(0.6)));
    assert_eq!(metadata.relative_tolerance, None);
}

#[test]
fn equilibrium_is_that_of_the_loads_at_the_start() {
    let bent = |angle: &str, what: &str| {
        let head = "duration = 1\nstart = \"static equilibrium\"";
        let setup = setup(&format!("{head}\ninitial = {{ upper = \"{angle}\" }}\n{what}"));
        setup
            .simulation
            .arm
            .pose(&setup.simulation.diagram.q, "upper.tip")
            .expect("a frame")
            .position
            .x
    };
    let push = |signal: &str| {
        let input = "input = { frame = \"upper.tip\", force = [\"2 N\", 0, 0]";
        bent("-90 deg", &format!("{input}, {signal} }}"))
    };
    // hanging straight down, nothing bends it
    assert!(bent("-90 deg", "").abs() < 1e-12);
    let held = push("kind = \"constant\", value = 1");
    // F L³/3EI of a round bar of 20 mm, less a little: one mode, and its weight pulls it straight
    let inertia = std::f64::consts::PI * 0.02_f64.powi(4) / 64.0;
    let cantilever = 2.0 / (3.0 * 70e9 * inertia);
    assert!(held > 0.9 * cantilever && held < cantilever, "{held:e} {cantilever:e}");
    assert_eq!(push("kind = \"step\", at = 0, after = 1"), held);
    assert!(push("kind = \"step\", at = \"1 ms\", after = 1").abs() < 1e-12);
    assert!(push("kind = \"ramp\", duration = 1, to = 1").abs() < 1e-12);
    // a turntable that turns steadily throws the bar outwards
    let turning =
        "prescribed = { coordinate = \"base\", gives = \"rate\", kind = \"constant\", value = 6 }";
    let (turning, still) = (bent("-60 deg", turning), bent("-60 deg", ""));
    assert!(turning > still + 1e-4, "{turning} {still}");
}

/// A run from the equilibrium under a load stays there as long as the joint is held.
#[test]
fn from_equilibrium_nothing_moves() {
    let head = r#"
duration = "0.5 s"
tolerance = 1e-12
start = "static equilibrium"
record = { every = "10 ms", channels = ["coordinates"] }
prescribed = { coordinate = "upper", kind = "constant", value = "-0.5 rad" }
input = { frame = "upper.tip", force = [0, "-3 N", 0], kind = "constant", value = 1 }
"#;
    let limits = "limits = [\"-170 deg\", \"120 deg\"]";
    let arm = inside(ARM).replace(limits, "prescribed = true");
    let source = Source::new("test.toml", format!("{head}{arm}"));
    let setup = parse(&source, Path::new(""), &Overrides::default()).expect("good");
    let (_, reader) = completed(&setup, "held");
    let bending = reader.column("upper.y1").expect("a channel");
    assert!(bending[0] < -1e-3);
    for (row, y) in bending.iter().enumerate() {
        // steps at the limit of stability keep errors at some hundred tolerances
        assert!((y - bending[0]).abs() < 1e-9, "row {row}: {y} {}", bending[0]);
    }
}

#[test]
fn tables_come_from_files() {
    let folder = scratch("tables");
    std::fs::create_dir_all(&folder).expect("a folder");
    let csv =
        "\u{feff}# measured\r\nnote,t [ms], torque [mN m]\r\n\"a, b\",0,1500\r\nc,500,-2e3\r\n";
    std::fs::write(folder.join("torque.csv"), csv).expect("written");
    let read = |input: &str| {
        let head = "duration = \"50 ms\"\nrecord = { every = \"10 ms\" }\n";
        let text = format!("{head}{input}\n{}", inside(ARM));
        parse(&Source::new("test.toml", text), &folder, &Overrides::default())
            .unwrap_or_else(|report| panic!("{report}"))
    };
    let columns = "file = 'torque.csv'\ntime = \"t\"\ncolumn = \"torque\"";
    let setup = read(&format!("[[input]]\nmotor = \"upper\"\nkind = \"table\"\n{columns}"));
    let signal = &setup.simulation.diagram.motors[0].signal;
    assert_eq!([0.0, 0.25, 0.5].map(|t| signal.value(t)), [1.5, -0.25, -2.0]);
    // the copy needs no file, wherever it is
    let (first, reader) = completed(&setup, "tables-run");
    assert!(reader.column("upper.force").expect("a channel")[0] == 1.5);
    let copy = load(first.folder.join("scenario.toml"), &Overrides::default()).expect("good");
    assert_eq!(
        (&copy.simulation.diagram.motors, &copy.text),
        (&setup.simulation.diagram.motors, &setup.text)
    );
    let inlined = "csv = '''\nt [ms],torque [mN m]\n0,1500\n500,-2e3\n'''";
    assert!(copy.text.contains(inlined), "{}", copy.text);
    let (second, _) = completed(&copy, "tables-again");
    let bytes = |folder: &Path| std::fs::read(folder.join("result.parquet")).expect("a result");
    assert!(bytes(&first.folder) == bytes(&second.folder));
    // in a table on one line, with names that need quotes, and two columns without names
    let odd = "\"it's '''t\",\"a\"\"b\"\n0,1\n1,2\n";
    std::fs::write(folder.join("odd.csv"), odd).expect("written");
    let setup = read("input = { motor = \"upper\", kind = \"table\", file = \"odd.csv\" }");
    let copy = Source::new("copy.toml", setup.text.as_str());
    let copy = parse(&copy, Path::new("nowhere"), &Overrides::default()).expect("good");
    assert_eq!(copy.simulation.diagram.motors, setup.simulation.diagram.motors);
    assert_eq!(copy.simulation.diagram.motors[0].signal.value(0.5), 1.5);
}

/// A servo on the bar's joint, by its encoder or by the true state.
fn servo(full_state: bool) -> String {
    let (flag, sensor) =
        if full_state { ("full_state = true", "") } else { ("", "sensor = \"shaft\"") };
    format!(
        r#"
duration = "3 s"
record = {{ every = "10 ms" }}

[[sensor]]
kind = "encoder"
name = "shaft"
coordinate = "upper"
counts = 65536
period = "1 ms"

[[controller]]
kind = "pd"
name = "servo"
period = "1 ms"
delay = "0.2 ms"
{flag}

[[controller.joint]]
motor = "upper"
{sensor}
stiffness = "50 N m/rad"
damping = 3
limit = "8 N m"
target = {{ kind = "ramp", duration = "1 s", to = "-60 deg" }}
"#
    )
}

#[test]
fn a_controller_holds_a_joint() {
    for oracle in [false, true] {
        let setup = setup(&servo(oracle));
        assert!(setup.warnings.is_empty());
        let (finished, reader) = completed(&setup, "controller");
        let column = |name: &str| reader.column(name).expect("a channel");
        let last = |name: &str| *column(name).last().expect("rows");
        // the spring carries the weight
        let (wanted, sag) = (-60.0_f64.to_radians(), last("servo.upper.force") / 50.0);
        assert!((last("upper") - wanted + sag).abs() < 1e-3, "{}", last("upper"));
        assert!((last("servo.upper.target") - wanted).abs() < 1e-12);
        assert_eq!(column("servo.upper.force"), column("upper.force"));
        assert!(column("servo.upper.force").iter().all(|force| force.abs() <= 8.0));
        let drift = finished.summary().energy_drift.expect("a balance");
        assert!(drift.relative.expect("it moves") < 1e-6, "{drift:?}");
        // the copy gives the same again
        let copy = Source::new("copy.toml", setup.text.as_str());
        let copy = parse(&copy, Path::new(""), &Overrides::default()).expect("good");
        let (again, _) = completed(&copy, "controller-again");
        assert_eq!(again.summary().q, finished.summary().q);
    }
}
