//! Values given beside a file do what the edited file does.

use pliant_io::files::Existing;
use pliant_io::scenario::{Overrides, Setup, load, parse, run};
use pliant_io::{Report, Setting, Source, load_with};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

const SWING: &str = "arm = \"arm.toml\"\nduration = \"1 s\"\nrecord = { every = \"10 ms\" }\n\
    # the table is in its own file\n[[input]]\nkind = \"table\"\nmotor = \"upper\"\n\
    file = \"torque.csv\"\n";

const ARM: &str = "# an arm\ngravity = [0, -9.81, 0]\n\
    [[link]]\nname = \"upper\"\njoint = { kind = \"revolute\", axis = \"z\" }\nlength = \"1 m\"\n\
    section = { kind = \"round\", diameter = \"20 mm\" }\nmaterial = \"aluminium\"\n\
    bends = { y = 1 }\n\
    [[link]]\nname = \"fore\"\njoint = { kind = \"revolute\", axis = \"z\" }\nlength = \"0.8 m\"\n\
    mass = \"1 kg\"\ncom = [0.4, 0, 0]\ninertia = [0.001, 0.01, 0.01]\n";

const TORQUE: &str = "t,torque\n0,1\n1,-1\n";

/// A folder with the scenario, its arm and its table.
fn folder(name: &str, swing: &str, arm: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("settings").join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    for (file, text) in [("swing.toml", swing), ("arm.toml", arm), ("torque.csv", TORQUE)] {
        std::fs::write(folder.join(file), text).expect("a file");
    }
    folder
}

fn overrides(settings: &[&str]) -> Overrides {
    let parse = |text: &&str| Setting::parse(text).expect("a good setting");
    Overrides { settings: settings.iter().map(parse).collect() }
}

fn rows(setup: &Setup, folder: &Path, name: &str) -> Vec<u64> {
    let folder = folder.join(name);
    let finished =
        run(setup, &folder, Existing::Refuse, &mut |_| ControlFlow::Continue(())).expect("it runs");
    assert!(finished.summary().rows > 10);
    let results = pliant_io::results::Reader::open(&folder).expect("results");
    let names: Vec<String> = results.channels().iter().map(|own| own.name.clone()).collect();
    let values = names.iter().flat_map(|name| results.column(name).expect("a channel"));
    values.map(f64::to_bits).collect()
}

/// The bits of a run with settings, of the edited files, and of the scenario that the first keeps.
#[test]
fn a_setting_is_the_edited_file_to_the_bit() {
    let settings = [
        "duration=0.3 s",
        "tolerance=1e-7",
        "arm.link.upper.length=1.4",
        "arm.link[1].mass=1.5kg",
        "input.upper.interpolation=hold",
        "arm.link.upper.bends.y=2",
        "record.every=20ms",
    ];
    let first = folder("set", SWING, ARM);
    let set = load(first.join("swing.toml"), &overrides(&settings)).expect("a good scenario");
    let swing = SWING
        .replace("\"1 s\"", "\"0.3 s\"\ntolerance = 1e-7")
        .replace("10 ms", "20 ms")
        .replace("motor", "interpolation = \"hold\"\nmotor");
    let arm =
        ARM.replace("\"1 m\"", "1.4").replace("\"1 kg\"", "\"1.5 kg\"").replace("y = 1", "y = 2");
    let second = folder("edited", &swing, &arm);
    let edited = load(second.join("swing.toml"), &Overrides::default()).expect("a good scenario");
    let bits = rows(&set, &first, "run");
    assert_eq!(bits, rows(&edited, &second, "run"));
    let kept = load(first.join("run/scenario.toml"), &Overrides::default()).expect("as run");
    assert_eq!(bits, rows(&kept, &first, "again"));
    let unset = load(first.join("swing.toml"), &overrides(&settings[..2])).expect("good");
    assert_ne!(bits, rows(&unset, &first, "unset"), "the settings change something");
    let text = std::fs::read_to_string(first.join("run/scenario.toml")).expect("a text");
    assert!(text.starts_with("# With --set duration, --set tolerance,"), "{text}");
    assert!(text.contains("csv = "), "{text}");
}

/// Settings of the arm alone leave the scenario's own text, with its comments.
#[test]
fn what_is_not_set_keeps_its_comments() {
    let folder = folder("comments", SWING, ARM);
    let setup = load(folder.join("swing.toml"), &overrides(&["arm.link.upper.length=1.4"]));
    let text = setup.expect("a good scenario").text;
    assert!(text.contains("# the table is in its own file"), "{text}");
    assert!(text.contains("length = 1.4") && text.starts_with("# With --set arm.link"), "{text}");
}

fn told(report: &Report) -> Vec<String> {
    report.to_string().lines().map(str::to_owned).collect()
}

/// What a setting breaks is told of the setting, and all else of its line in the file.
#[test]
fn errors_name_the_setting() {
    let folder = folder("errors", SWING, ARM);
    let try_it = |settings: &[&str]| {
        let refused = load(folder.join("swing.toml"), &overrides(settings)).err();
        told(&refused.expect("a fault"))
    };
    let lines = try_it(&["input.upper.kind=tabel", "duratoin=3", "duration=-1"]);
    assert_eq!(lines.len(), 3, "{lines:?}");
    assert!(lines[0].starts_with("--set input.upper.kind: ") && lines[0].contains("\"table\"?"));
    assert!(lines[1].starts_with("--set duratoin: ") && lines[1].contains("mean duration?"));
    assert!(lines[2].starts_with("--set duration: ") && lines[2].contains("-1"), "{lines:?}");
    let lines = try_it(&["arm.link.upper.lenght=2"]);
    assert!(lines[0].starts_with("--set arm.link.upper.lenght: "), "{lines:?}");
    assert!(lines[0].contains("did you mean length?"), "{lines:?}");
    let lines = try_it(&["arm.link.uper.length=2"]);
    assert!(lines[0].contains("did you mean upper? it has: upper, fore"), "{lines:?}");
    let lines = try_it(&["link.upper.length = 2"]);
    assert!(lines[0].contains("has it below arm: --set 'arm.link.upper.length=2'"), "{lines:?}");
    // a table of the file in which a setting stands
    let lines = try_it(&["arm.link.upper.section.diameter=0 m"]);
    assert!(lines[0].contains("--set arm.link.upper.section.diameter"), "{lines:?}");
    // a key that is in the file stays there
    let lines = try_it(&["input.upper.kind=step"]);
    assert!(lines.iter().any(|line| line.contains("swing.toml:8:1: ")), "{lines:?}");
}

/// A key that comes in by a setting is underlined in the setting's own text.
#[test]
fn settings_are_shown_as_they_were_given() {
    let source = Source::new("swing.toml", "duration = 1\n[arm]\n[[arm.link]]\nname = \"a\"\n");
    let refused = parse(&source, Path::new(""), &overrides(&["arm.link.a.mas = 2"])).err();
    let refused = refused.expect("a fault");
    let problem = refused.problems().next().expect("one");
    assert_eq!(problem.span, Some(11..14));
    assert_eq!(refused.summary(), "1 error in swing.toml");
}

/// The arm of a scenario is an arm, with the scenario's gravity; a URDF has the keys of an arm file.
#[test]
fn every_arm_can_be_set() {
    let folder = folder("arms", &format!("gravity = [0, 0, -1.6]\n{SWING}"), ARM);
    let of = |file: &str, settings: &[&str]| {
        load_with(folder.join(file), &overrides(settings).settings)
            .unwrap_or_else(|report| panic!("{report}"))
    };
    let arm = of("arm.toml", &["link.fore.mass=3"]);
    let inside = of("swing.toml", &["arm.link.fore.mass=3"]);
    assert_eq!(inside.arm.gravity().to_array(), [0.0, 0.0, -1.6]);
    assert_eq!(inside.description.parts().gravity, [0.0, 0.0, -1.6]);
    assert!((arm.arm.total_mass() - inside.arm.total_mass()).abs() < 1e-15);
    assert!((arm.arm.total_mass() - of("arm.toml", &[]).arm.total_mass() - 2.0).abs() < 1e-12);
    let robot = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/urdf/good/ur5.urdf");
    let mass = |settings: &[&str]| {
        let loaded = load_with(&robot, &overrides(settings).settings);
        let loaded = loaded.unwrap_or_else(|report| panic!("{report}"));
        assert_eq!(loaded.description.parts().total_mass, Some(loaded.arm.total_mass()));
        loaded.arm.total_mass()
    };
    let own = 2.33;
    let heavier = mass(&["link.forearm_link.mass=4.275"]) - mass(&[]);
    assert!((heavier - (4.275 - own)).abs() < 1e-12, "{heavier}");
}

/// A scenario whose arm is a scenario, perhaps itself, is refused.
#[test]
fn no_arm_is_a_scenario() {
    let folder = folder("itself", &SWING.replace("arm.toml", "swing.toml"), ARM);
    let refused = load_with(folder.join("swing.toml"), &[]).expect_err("no arm");
    assert!(refused.to_string().contains("the arm has no key \"arm\""), "{refused}");
}

/// An arm is no scenario, and is told so in one sentence.
#[test]
fn arms_do_not_run() {
    let folder = folder("arm", SWING, ARM);
    let refused = load(folder.join("arm.toml"), &Overrides::default()).err().expect("an arm");
    let lines = told(&refused);
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].contains("this is an arm") && lines[0].contains("pliant new motion --arm"));
}
