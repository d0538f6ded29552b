//! Every ready scenario once more, in Rust: it gives the bytes of its file.

use super::files::listed;
use pliant::arm::{Builder, Joint, Link};
use pliant::beam::{Basis, Beam, CrossSection, Damping, Material, Matter, Ways};
use pliant::control::{
    CompositeDescription, DecouplingDescription, EstimatorKind, GravityPdDescription,
    HorizonDescription, MatrixUpdate, PerJoint, PseudolinkRows,
};
use pliant::plan::{ShaperKind, TimeScaling};
use pliant::reproduce::akmehmet::{Effort, EnergyFeedbackDescription, Form};
use pliant::scenario::{
    ControllerDescription, EstimatorDescription, Passing, PlanAttitude, PlanDescription,
    PlanFollower, PlanKind, Scenario, SensorDescription, ShaperDescription,
};
use pliant::simulate::{Expression, IntegrationMethod, Signal, Status};
use pliant::spatial::{Pose, euler_xyz};
use pliant_io::Source;
use pliant_io::files::Existing;
use pliant_io::scenario::{self, Overrides, Setup};
use std::collections::BTreeMap;
use std::f64::consts::TAU;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// How long scenarios are run here (s); whole runs are under `--ignored`.
const SHORT: f64 = 0.1;

fn robot(name: &str) -> Builder {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robots").join(name);
    pliant_io::load(path).expect("a robot").description
}

fn material(young: f64, shear: f64, density: f64) -> Material {
    Material { name: "given".to_owned(), young, shear, density, strength: None, source: "given" }
}

fn beam(length: f64, outline: CrossSection, material: Material, ways: Ways<usize>) -> Beam {
    Beam::new(length, Matter::Made { outline, material }, Basis::ClampedFree(ways))
}

/// As files have it: a flexible link of a length (m) has a frame at its tip, also without a payload.
fn with_tip(name: &str, length: f64, link: Link) -> Link {
    let tip = format!("{name}.tip");
    link.section_frame(tip.clone(), length, Pose::IDENTITY).tip_frame(tip)
}

fn dop853(tolerance: f64) -> IntegrationMethod {
    IntegrationMethod::Dop853 { tolerance }
}

fn expression(text: &str) -> Signal {
    Signal::Expression(Expression::of_time(text).expect("a good expression"))
}

fn akmehmet_line() -> Scenario {
    let near = [("waist", 0.0), ("upper", -24.0), ("fore", 50.0)];
    let near = near.map(|(name, angle)| (name.to_owned(), f64::to_radians(angle))).to_vec();
    let (attitude, hold) = (PlanAttitude::Any, Vec::new());
    let kind = PlanKind::Line { frame: None, attitude, hold, near, sag: false };
    let plan = PlanDescription::new(kind, [[1.0, 0.0, 0.0], [-0.5, 0.5, 0.5]], [1.6]);
    let law = EnergyFeedbackDescription {
        horizon: HorizonDescription::new(0.04),
        update: MatrixUpdate::Every(0.01),
        form: Form::Syst2,
        effort: Effort::Ideal,
        penalty: PerJoint::All(1.0),
    };
    Scenario::new(robot("akmehmet-3.toml"), 1.6)
        .method(IntegrationMethod::Rk4 { step: 0.01 })
        .plan(plan.passing(Passing::Stop(TimeScaling::ParabolicSpeed)))
        .controller(
            ControllerDescription::follow("feedback", PlanFollower::new(law).full_state())
                .every(0.01),
        )
}

fn boom_lift() -> Scenario {
    Scenario::new(robot("boom.toml"), 4.0)
        .from_static_equilibrium()
        .record_every(0.005)
        .initial("boom", 30.0_f64.to_radians())
        .motor("column", expression("2500 * sin(pi * t / 2)"))
        .motor("boom", expression("9500 * (1 + 0.2 * sin(3 * t))"))
}

fn elastic_reach() -> Scenario {
    let [low, high] = [[-80.0, 20.0], [20.0, 60.0]].map(|point| point.map(f64::to_radians));
    let encoder = |name: &str, motor: &str| {
        SensorDescription::encoder(name, motor, 1e-3).quantised(0.001_f64.to_radians())
    };
    let gains = |upper, fore| [("upper", upper), ("fore", fore)];
    let law = GravityPdDescription::new(gains(600.0, 250.0), gains(40.0, 12.0));
    let lift = PlanFollower::new(law).sensors(["shoulder", "elbow"]).limited([("upper", 35.0)]);
    Scenario::new(robot("elastic-two-link.toml"), 3.0)
        .initial("upper", low[0])
        .initial("fore", low[1])
        .from_static_equilibrium()
        .record_every(0.005)
        .sensor(encoder("shoulder", "upper.motor"))
        .sensor(encoder("elbow", "fore.motor"))
        .plan(PlanDescription::joints([low, high], [1.0]))
        .controller(ControllerDescription::follow("lift", lift).every(1e-3))
}

fn gauged_bar() -> Scenario {
    let z = Joint::revolute([0.0, 0.0, 1.0]);
    let inertia = [[0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]];
    let outline = CrossSection::Round { diameter: 0.012 };
    let bar = beam(1.2, outline, material(69e9, 26e9, 2780.0), Ways::new(2, 0, 0, 0));
    let bar = Link::new("bar").joint(Joint::Fixed).beam(bar).payload(0.2, [0.0; 3]);
    let arm = Builder::new("gauged-bar")
        .link(Link::new("hub").joint(z).body(2.0, [0.0; 3], inertia))
        .link(bar);
    let estimator = EstimatorDescription::new(EstimatorKind::Extended);
    let law = CompositeDescription::new(100.0, 20.0);
    let law = PlanFollower::new(law).estimating(["shaft", "gauge"], estimator);
    Scenario::new(arm, 3.0)
        .from_static_equilibrium()
        .method(dop853(1e-8))
        .record_every(0.002)
        .plan(PlanDescription::joints([[0.0], [60.0_f64.to_radians()]], [1.0]))
        .sensor(SensorDescription::encoder("shaft", "hub", 1e-3).quantised(TAU / 20000.0))
        .sensor(SensorDescription::strain("gauge", "bar", 0.05, [0.006, 0.0], 1e-3).noisy(2e-6))
        .controller(ControllerDescription::follow("law", law).every(1e-3))
}

fn king_decoupling() -> Scenario {
    let ten = [10.0_f64.to_radians(); 3];
    let law = DecouplingDescription::new(100.0, 20.0);
    Scenario::new(robot("king-three-link.toml"), 2.0)
        .method(dop853(1e-8))
        .record_every(0.005)
        .initial("waist", 0.0)
        .initial("upper", 0.0)
        .initial("fore", 0.0)
        .plan(PlanDescription::joints([ten, ten], [1.0]))
        .controller(ControllerDescription::follow(
            "decoupling",
            PlanFollower::new(law).full_state(),
        ))
}

fn king_pseudolink() -> Scenario {
    let z = Joint::revolute([0.0, 0.0, 1.0]);
    let inertia = [[8.36e-4, 0.0, 0.0], [0.0, 8.36e-4, 0.0], [0.0, 0.0, 3.555e-4]];
    let bar = |radius: f64, density| {
        let outline = CrossSection::Round { diameter: 2.0 * radius };
        beam(1.22, outline, material(69e9, 26e9, density), Ways::new(1, 1, 0, 0))
    };
    let raised =
        Pose { rotation: euler_xyz(90.0_f64.to_radians(), 0.0, 0.0), ..Pose::at(0.0, 0.0, 0.1) };
    let fore = Link::new("fore").joint(z).beam(bar(0.008, 2812.9)).payload(0.3, [0.0; 3]);
    let arm = Builder::new("king-three-link without twist")
        .link(Link::new("waist").joint(z).body(0.79, [0.0, 0.0, 0.05], inertia))
        .link(with_tip(
            "upper",
            1.22,
            Link::new("upper").placed(raised).joint(z).beam(bar(0.010, 2791.7)),
        ))
        .link(fore);
    let quarter = 45.0_f64.to_radians();
    let rows = PseudolinkRows::Joints(vec!["upper".to_owned(), "fore".to_owned()]);
    let law = CompositeDescription::new(100.0, 20.0).pseudolinks(rows);
    let points = [[0.0, -quarter, quarter], [90.0_f64.to_radians(), quarter, -quarter]];
    let plan = PlanDescription::joints(points, [2.0]);
    Scenario::new(arm, 2.0)
        .from_static_equilibrium()
        .method(dop853(1e-7))
        .record_every(0.005)
        .initial("upper", -quarter)
        .initial("fore", quarter)
        .plan(plan.passing(Passing::Stop(TimeScaling::Trapezoid(1.0))))
        .controller(
            ControllerDescription::follow("law", PlanFollower::new(law).full_state()).every(1e-4),
        )
}

fn king_swing() -> Scenario {
    Scenario::new(robot("king-two-link.toml"), 5.0)
        .method(IntegrationMethod::Auto { tolerance: 1e-10 })
        .record_every(0.005)
        .initial("upper", -80.0_f64.to_radians())
        .initial("fore", 10.0_f64.to_radians())
}

/// Its file has the gains of the servo once, as this has.
fn shaped_turn() -> Scenario {
    let gains = |upper, fore| [("upper", upper), ("fore", fore)];
    let law = GravityPdDescription::new(gains(400.0, 200.0), gains(8.0, 4.0));
    let plan = PlanDescription::joints([[0.0, 0.0], [90.0_f64.to_radians(), 0.0]], [1.0]);
    Scenario::new(robot("king-two-link.toml"), 6.0)
        .gravity([0.0; 3])
        .method(dop853(1e-8))
        .record_every(0.005)
        .plan(plan.shaped(ShaperDescription::new(ShaperKind::Zvd, 2)))
        .controller(ControllerDescription::follow("servo", PlanFollower::new(law).full_state()))
}

fn six_slender() -> Scenario {
    let tubes = [
        ("mast", [1.0, 0.0, 0.0], 3000.0, 0.0, 300.0, 1.6, 40.0),
        ("shoulder", [0.0, 1.0, 0.0], 9000.0, 45.0, 900.0, 3.0, 60.0),
        ("elbow", [0.0, 1.0, 0.0], 4000.0, 60.0, 400.0, 2.6, 50.0),
        ("turn", [1.0, 0.0, 0.0], 400.0, 0.0, 30.0, 1.2, 32.0),
        ("wrist", [0.0, 1.0, 0.0], 300.0, -40.0, 20.0, 1.0, 26.0),
        ("hand", [0.0, 0.0, 1.0], 120.0, 20.0, 5.0, 0.8, 20.0),
    ];
    let mut arm = Builder::new("six-slender");
    for (name, axis, spring, rest, damping, length, diameter) in tubes {
        let outline = CrossSection::Tube { diameter: diameter * 1e-3, wall: 2.0 * 1e-3 };
        let tube = beam(length, outline, material(69e9, 26e9, 2700.0), Ways::new(2, 2, 1, 0));
        let angle = [f64::to_radians(rest)];
        let ratio = Damping { ratios: vec![0.01], ..Damping::default() };
        let link = Link::new(name)
            .joint(Joint::revolute(axis))
            .spring(&[spring], if rest == 0.0 { &[] } else { &angle })
            .damping(&[damping])
            .beam(Beam { damping: ratio, ..tube });
        let link = match name {
            "mast" => {
                let rotation = euler_xyz(0.0, -90.0_f64.to_radians(), 0.0);
                link.placed(Pose { rotation, ..Pose::IDENTITY })
            }
            "hand" => link.payload(2.0, [0.0; 3]),
            _ => link,
        };
        arm = arm.link(if name == "hand" { link } else { with_tip(name, length, link) });
    }
    let start =
        [("mast", -50.0), ("shoulder", 20.0), ("elbow", 40.0), ("turn", 30.0), ("wrist", 20.0)];
    let scenario = Scenario::new(arm, 10.0)
        .method(IntegrationMethod::Radau5 { tolerance: 1e-5 })
        .record_every(0.005);
    start
        .into_iter()
        .fold(scenario, |scenario, (name, angle)| scenario.initial(name, f64::to_radians(angle)))
}

fn sliding_beam() -> Scenario {
    Scenario::new(robot("sliding-beam.toml"), 0.8)
        .method(IntegrationMethod::Auto { tolerance: 1e-9 })
        .record_every(0.001)
        .initial("beam.l", 0.35)
        .rate("beam.l", 0.778)
}

fn theodore_rrp() -> Scenario {
    Scenario::new(robot("theodore-rrp.toml"), 5.0)
        .method(IntegrationMethod::Auto { tolerance: 1e-9 })
        .record_every(0.005)
        .initial("boom.l", 0.35)
        .initial("boom.y1", 1e-4)
        .initial("boom.z1", 5e-5)
        .motor("boom.l", expression("0.24 * cos(2 * pi * t / 5)"))
        .motor("column", expression("0.05 * sin(2 * pi * t / 5)"))
        .motor("boom", expression("0.1 * sin(2 * pi * t / 5)"))
}

fn twins() -> BTreeMap<&'static str, fn() -> Scenario> {
    BTreeMap::from([
        ("akmehmet-line", akmehmet_line as fn() -> Scenario),
        ("boom-lift", boom_lift),
        ("elastic-reach", elastic_reach),
        ("gauged-bar", gauged_bar),
        ("king-decoupling", king_decoupling),
        ("king-pseudolink", king_pseudolink),
        ("king-swing", king_swing),
        ("shaped-turn", shaped_turn),
        ("six-slender", six_slender),
        ("sliding-beam", sliding_beam),
        ("theodore-rrp", theodore_rrp),
    ])
}

/// The bytes of the results of a run.
fn bytes(setup: &Setup, folder: &Path) -> Vec<u8> {
    let _ = std::fs::remove_dir_all(folder);
    let run = scenario::run(setup, folder, Existing::Refuse, &mut |_| ControlFlow::Continue(()));
    let ending = run.expect("it runs").summary().ending.clone();
    assert_ne!(ending.status, Status::Failed, "{ending:?}");
    let bytes = std::fs::read(folder.join("result.parquet")).expect("results");
    std::fs::remove_dir_all(folder).expect("ours");
    bytes
}

/// Runs each file and its twin, whole or for at most a time (s).
fn compare(longest: f64) {
    let files: BTreeMap<String, PathBuf> = listed("scenarios", &["toml"])
        .expect("a folder")
        .into_iter()
        .map(|path| (path.file_stem().expect("a name").to_string_lossy().into_owned(), path))
        .collect();
    let twins = twins();
    assert_eq!(
        files.keys().map(String::as_str).collect::<Vec<_>>(),
        twins.keys().copied().collect::<Vec<_>>()
    );
    for (name, make) in twins {
        let mut twin = make();
        let duration = twin.duration.min(longest);
        let overrides = Overrides::of([("duration", format!("{duration} s").as_str())]);
        let file = scenario::load(&files[name], &overrides).expect("a scenario");
        twin.duration = duration;
        let simulation = twin.build().unwrap_or_else(|error| panic!("{name}: {error}"));
        let folder = |of: &str| {
            std::env::temp_dir().join(format!("pliant-in-rust-{name}-{of}-{}", std::process::id()))
        };
        let texts = [&file.simulation.scenario, &twin].map(scenario::write_scenario);
        let [said, says] = texts.map(|text| text.expect("what files can say"));
        let from_file = bytes(&file, &folder("file"));
        let from_rust = bytes(&Setup { simulation, ..file }, &folder("rust"));
        assert!(from_file == from_rust, "{name} gives other bytes in Rust:\n{said}\n{says}");
    }
}

#[test]
fn scenarios_in_rust_give_the_bytes_of_their_files() {
    compare(SHORT);
}

#[test]
#[ignore = "long: the runs to their end instead of their first tenth of a second"]
fn whole_runs_in_rust_give_the_bytes_of_their_files() {
    compare(f64::INFINITY);
}

/// What is made in Rust is run into a folder as a file is, and its text runs again.
#[test]
fn scenarios_of_rust_leave_results() {
    let scenario = Scenario { duration: SHORT, ..boom_lift() };
    let setup = Setup::new(scenario.build().expect("it is built")).expect("files can say it");
    let folder = std::env::temp_dir().join(format!("pliant-of-rust-{}", std::process::id()));
    let own = bytes(&setup, &folder);
    let source = Source::new("scenario.toml", setup.text.as_str());
    let again = scenario::parse(&source, Path::new(""), &Overrides::default()).expect("it is read");
    assert!(own == bytes(&again, &folder), "its text gives other results");
}
