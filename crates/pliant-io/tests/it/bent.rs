//! A UR5 as a URDF: the same robot as its arm file, and still so when links bend.

use crate::files;
use pliant::arm::{Arm, BeamAxis, Builder};
use pliant::beam::Beam;
use pliant::scenario::PlanDescription;
use pliant_io::scenario::write_scenario;
use pliant_io::urdf::{self, FixedJoints, Options};
use pliant_io::{BeamText, Loaded, Source, parse_arm, write_arm};
use std::path::Path;

fn ur5(options: Options) -> Loaded {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/urdf/good/ur5.urdf");
    urdf::load(file, &options).expect("a good URDF")
}

fn arm_file() -> Arm {
    let robots = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robots");
    pliant_io::load(robots.join("ur5.toml")).expect("a good arm").arm
}

/// A beam in the words of the command line.
fn text(section: &str, stiffer: f64) -> Result<Beam, String> {
    let material = format!(
        "{{ young = \"{} GPa\", shear = \"{} GPa\", density = \"2700 kg/m^3\" }}",
        70.0 * stiffer,
        26.0 * stiffer
    );
    let text = BeamText { section, material: Some(&material), shapes: "y = 2, z = 2, twist = 1" };
    text.beam("link", 0.4).map_err(|report| report.to_string())
}

/// Makes the two long links flexible, and reads the arm file that comes of it.
fn bent(description: Builder, stiffer: f64) -> Loaded {
    let mut bent = description;
    for (link, section) in [("upper_arm_link", "tube 100x3 mm"), ("forearm_link", "tube 90x2 mm")] {
        let (root, length) = bent.beam_along(link, &BeamAxis::default()).expect("an axis");
        let beam = Beam { root, length, ..text(section, stiffer).expect("a beam") };
        bent = bent.bend(link, beam).expect("it fits");
    }
    parse_arm(&Source::new("bent.toml", write_arm(&bent))).expect("a good arm file")
}

/// A configuration of the six joints in an arm that may have further coordinates.
fn posture(arm: &Arm) -> (Vec<usize>, Vec<f64>) {
    let joints: Vec<usize> = arm.driven_joints();
    let mut q = arm.neutral();
    for (k, &v) in joints.iter().enumerate() {
        q[arm.coordinate_of(v).expect("one")] = (1.0 + 2.3 * k as f64).sin();
    }
    (joints, q)
}

#[test]
fn the_urdf_is_the_robot_of_the_arm_file() {
    let (urdf, file) = (ur5(Options::default()), arm_file());
    assert!(urdf.warnings.is_empty(), "{}", urdf.warnings);
    let urdf = urdf.arm;
    let (_, q) = posture(&urdf);
    let apart = urdf.mass_matrix(&q).unwrap() - file.mass_matrix(&q).unwrap();
    assert!(apart.amax() < 1e-9, "{apart}");
    let apart = urdf.gravity_forces(&q).unwrap() - file.gravity_forces(&q).unwrap();
    assert!(apart.amax() < 1e-9, "{apart}");
    let [a, b] = [urdf.pose(&q, "tool0"), file.pose(&q, "wrist_3")].map(|pose| pose.unwrap());
    assert!((a.position - b.position).norm() < 1e-12);
}

#[test]
fn bent_links_leave_the_rest_as_it_is() {
    for options in [Options::default(), Options { fixed: FixedJoints::Merge, ..Options::default() }]
    {
        let rigid = ur5(options);
        for stiffer in [1.0, 1e6] {
            let loaded = bent(rigid.description.clone(), stiffer);
            let mut codes = loaded.warnings.problems().map(|problem| problem.code.name);
            // short and thick, as links of robots are
            assert!(codes.all(|code| code == "pliant::arm::not-slender"), "{}", loaded.warnings);
            let (rigid, bent) = (&rigid.arm, &loaded.arm);
            let ((_, q), (joints, p)) = (posture(rigid), posture(bent));
            let (few, all) = (rigid.mass_matrix(&q).unwrap(), bent.mass_matrix(&p).unwrap());
            for (i, &v) in joints.iter().enumerate() {
                for (j, &w) in joints.iter().enumerate() {
                    assert!((few[(i, j)] - all[(v, w)]).abs() < 1e-9, "{i}, {j}");
                }
            }
            // where it sags, too, the stiffer the nearer
            let rest = bent.static_equilibrium(&p).expect("an equilibrium").q;
            let near = if stiffer > 1.0 { 1e-6 } else { 1e-3 };
            for frame in rigid.frames() {
                let name = frame.name();
                let place = |arm: &Arm, q: &[f64]| arm.pose(q, name).expect("a frame").position;
                let [is, was, sags] = [place(bent, &p), place(rigid, &q), place(bent, &rest)];
                assert!((is - was).norm() < 1e-9, "{name}");
                assert!((sags - was).norm() < near, "{name}: {}", (sags - was).norm());
            }
            assert_eq!(bent.frames()[bent.tip().expect("a tip")].name(), "tool0");
        }
    }
}

#[test]
fn sections_are_typed_in_short() {
    let mass = |section: &str| text(section, 1.0).expect("a beam").mass() / 0.4 / 2700.0;
    let area = std::f64::consts::PI * (0.05_f64.powi(2) - 0.047_f64.powi(2));
    for tube in ["tube 100x3 mm", "tube 10 cm x 3 mm", "tube 0.1×0.003 m", "tube  100 x 3mm"] {
        assert!((mass(tube) - area).abs() < 1e-12, "{tube}");
    }
    assert!((mass("box 80x60x3 mm") - (80.0 * 60.0 - 74.0 * 54.0) * 1e-6).abs() < 1e-12);
    assert!((mass("i 80x60x4x5 mm") - (2.0 * 60.0 * 5.0 + 70.0 * 4.0) * 1e-6).abs() < 1e-12);
    assert!((mass("{ kind = 'rectangle', height = '2 cm', width = 0.03 }") - 6e-4).abs() < 1e-12);
    for (section, said) in [
        ("tube 100x3", "the section \"tube 100x3\" has no unit"),
        ("tube 100 mm", "has 1 number, but a tube has diameter, wall"),
        ("round 100x3 mm", "has 2 numbers, but a round has diameter"),
        ("pipe 100x3 mm", "the kind of section is \"pipe\""),
        ("tube 100x3 kg", "kg"),
        ("tube 100x60 mm", "too thick"),
        ("", "the kind of section is \"\""),
        ("{ kind = 'tube'", "a table has no end"),
    ] {
        let told = text(section, 1.0).expect_err(section);
        assert!(told.contains(said), "{section}: {told}");
    }
}

/// Nothing of pliant's own looks as if it had been bent by hand.
#[test]
fn robots_and_templates_raise_no_false_alarm() {
    let folders =
        ["robots", "crates/pliant-cli/templates", "crates/pliant-io/tests/good-scenarios/arm"];
    let mut count = 0;
    for folder in folders {
        for path in files::listed(folder, &["toml"]).expect("the folder") {
            let loaded = pliant_io::load(&path).unwrap_or_else(|report| panic!("{report}"));
            let alarm =
                |code: &str| ["beyond-tip", "total-mass"].iter().any(|one| code.ends_with(one));
            assert!(!loaded.warnings.problems().any(|one| alarm(one.code.name)), "{path:?}");
            count += 1;
        }
    }
    assert!(count > 15, "{count}");
}

/// What the hand forgets is told: of the file as it is, as it would be right, and as it is meant.
#[test]
fn links_bent_by_hand_are_looked_at() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad/warning-bent-by-hand.toml");
    let text = std::fs::read_to_string(file).expect("a file of the tests");
    let codes = |text: &str| -> Vec<&'static str> {
        let loaded = parse_arm(&Source::new("arm.toml", text)).expect("a good arm");
        loaded.warnings.problems().map(|one| one.code.name).collect()
    };
    assert_eq!(codes(&text), ["pliant::arm::total-mass", "pliant::arm::beyond-tip"]);
    let meant = text.replace(
        "placement = [0, 0, \"392.25 mm\"]",
        "at = \"392 mm\"\nplacement = [0, 0, \"392.25 mm\"]",
    );
    assert_eq!(codes(&meant), ["pliant::arm::total-mass"]);
    let short = text.replace("392.25 mm", "3 mm").replace("total_mass = \"10.1 kg\"\n", "");
    assert_eq!(codes(&short), [""; 0]);
}

/// The frame that a scenario watches is the outermost one, or another that it names.
#[test]
fn scenarios_choose_their_tip() {
    use pliant::scenario::Scenario;
    let arm = bent(ur5(Options::default()).description, 1.0).description;
    let plan = PlanDescription::joints([[0.0; 6], [0.1; 6]], [1.0]);
    let scenario = Scenario::new(arm, 1.0).plan(plan);
    let name = |scenario: &Scenario| {
        let built = scenario.build().unwrap_or_else(|error| panic!("{error}"));
        built.arm.frames()[built.tip.expect("a tip")].name().to_owned()
    };
    assert_eq!(name(&scenario), "tool0");
    let other = scenario.clone().tip("forearm_link.tip");
    assert_eq!(name(&other), "forearm_link.tip");
    let text = write_scenario(&other).expect("a file");
    assert!(text.contains("tip = \"forearm_link.tip\""), "{text}");
    let wrong = scenario.tip("tool").build().err().expect("refused");
    assert!(wrong.to_string().contains("tool"), "{wrong}");
}
