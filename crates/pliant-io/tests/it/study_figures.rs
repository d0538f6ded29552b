//! Figures of studies that need more than a run: natural frequencies in shapes that are kept, and poles.

use crate::studies::{run, scratch, study};
use pliant::arm::Arm;
use pliant::nalgebra::Complex;
use pliant_io::study::{Study, StudyTableReader};
use pliant_io::{Setting, Source, scenario};
use std::f64::consts::TAU;
use std::path::Path;
use std::sync::Arc;

const PAYLOADS: &str = r#"
[[parameter]]
name = "payload"
path = "arm.link.fore.payload.mass"
values = [0.3, 3]
"#;

fn numbers(place: &Path, name: &str) -> Vec<f64> {
    let reader = StudyTableReader::open(place).expect("a table");
    reader.numbers(name).expect("readable").unwrap_or_else(|| panic!("no {name}"))
}

/// The arm of the scenario with a payload (kg).
fn with_payload(folder: &Path, kilograms: f64) -> pliant::scenario::Simulation {
    let setting = format!("arm.link.fore.payload.mass={kilograms:?}");
    let settings = vec![Setting::parse(&setting).expect("good")];
    let setup = scenario::load(folder.join("two.toml"), &scenario::Overrides { settings });
    setup.unwrap_or_else(|report| panic!("{report}")).simulation
}

/// With nominal shapes the frequencies of a heavier arm are those of an arm built by hand in the shapes
/// of the lighter one. They are higher than with shapes of its own, of which there is one: one shape
/// stands for a clamped link, and any shape but the right one is stiffer (Rayleigh).
#[test]
fn nominal_shapes_are_those_of_the_file() {
    let folder = scratch("nominal");
    let head = "set = [\"duration=10 ms\"]\nfigures = [\"frequency.*\"]";
    let mut found = Vec::new();
    for shapes in ["rebuilt", "nominal"] {
        let study = study(&folder, &format!("{head}\nshapes = \"{shapes}\""), PAYLOADS);
        let place = folder.join(shapes);
        let _ = run(&study, &place, 2);
        found.push(numbers(&place, "frequency.1"));
    }
    let hertz = |arm: &Arm, q: &[f64]| arm.modes(q).expect("modes").modes[0].hertz();
    let [light, heavy] = [0.3, 3.0].map(|mass| with_payload(&folder, mass));
    let start = &light.diagram.q;
    let nominal = Arc::new(Arm::clone(&light.arm));
    let kept = heavy.description.clone().in_shapes_of(&nominal).build().expect("an arm");
    assert_eq!(kept.reshaped_link(&nominal), None);
    let (own, of_file) = (hertz(&heavy.arm, start), hertz(&kept, start));
    let [rebuilt, in_nominal] = [&found[0], &found[1]];
    assert_eq!(rebuilt[0].to_bits(), hertz(&light.arm, start).to_bits());
    assert_eq!(in_nominal[0].to_bits(), rebuilt[0].to_bits());
    assert_eq!(rebuilt[1].to_bits(), own.to_bits());
    assert_eq!(in_nominal[1].to_bits(), of_file.to_bits());
    assert!(of_file > own * (1.0 + 1e-6) && of_file < own * 1.1, "{own} {of_file}");
}

/// What cannot have the nominal shapes is refused with the link.
#[test]
fn other_lengths_are_refused() {
    let folder = scratch("nominal-lengths");
    let rest = r#"
shapes = "nominal"
[[parameter]]
path = "arm.link.upper.length"
values = [1, 1.2]
[[parameter]]
path = "arm.link.upper.bends.y"
values = [1, 2]
"#;
    let study = study(&folder, "set = [\"duration=10 ms\"]", rest);
    let place = folder.join("all");
    let _ = run(&study, &place, 1);
    let reader = StudyTableReader::open(&place).expect("a table");
    let csv = reader.write_csv(&place, pliant_io::files::Existing::Refuse).expect("written");
    let csv = std::fs::read_to_string(csv).expect("a text");
    let rows: Vec<&str> = csv.lines().skip(1).collect();
    assert!(rows[0].contains(",completed,"), "{}", rows[0]);
    for row in &rows[1..] {
        assert!(row.contains(",refused,") && row.contains("cannot keep its shapes"), "{row}");
        assert!(row.contains("link \"\"upper\"\""), "{row}");
    }
}

/// Poles as `pliant linearise` finds them: of the loop that ticks, and of the arm without controllers.
#[test]
fn poles_are_those_of_the_linear_system() {
    let folder = scratch("poles");
    let head = "set = [\"duration=10 ms\"]\nfigures = [\"pole*\"]";
    let closed = study(&folder, head, PAYLOADS);
    let place = folder.join("closed");
    let _ = run(&closed, &place, 2);
    let two = std::fs::read_to_string(folder.join("two.toml")).expect("a text");
    let free = two.split("[[controller]]").next().expect("an arm");
    let free = free.replace("[arm]", "rates = { fore = 0.5 }\n[arm]");
    std::fs::write(folder.join("two.toml"), free).expect("written");
    let open = study(&folder, head, PAYLOADS);
    let other = folder.join("open");
    let _ = run(&open, &other, 2);
    for (k, mass) in [0.3, 3.0].into_iter().enumerate() {
        let simulation = with_payload(&folder, mass);
        let point = simulation.operating_point(0.0).expect("a start");
        assert!(point.u.contains(&0.5) && point.ud.iter().any(|rate| *rate != 0.0));
        let linear = simulation.arm.linearise(&point, &simulation.conditions_at(0.0), &[], &[]);
        compare(&other, k, linear.expect("a system").poles());
    }
    std::fs::write(folder.join("two.toml"), two).expect("written");
    for (k, mass) in [0.3, 3.0].into_iter().enumerate() {
        let closed = with_payload(&folder, mass).closed_loop(0.0, &[], &[]).expect("a loop");
        let period = closed.period.expect("it ticks");
        assert_eq!(period, 2e-3);
        compare(&place, k, closed.system.poles().iter().map(|z| z.ln() / period).collect());
    }
    // they are neither usual nor computed where nobody asks
    let usual = study(&folder, "", PAYLOADS);
    assert!(usual.figures().iter().all(|figure| !figure.name.starts_with("pole")));
}

/// Compares the figures of a row with poles in continuous time (1/s).
fn compare(place: &Path, row: usize, mut poles: Vec<Complex<f64>>) {
    poles.retain(|pole| pole.im >= 0.0 && pole.norm().is_finite());
    poles.sort_by(|a, b| a.norm().total_cmp(&b.norm()));
    assert!(poles.len() > 2, "{poles:?}");
    let one = |name: &str| numbers(place, name)[row];
    for (number, pole) in (1..).zip(&poles) {
        let (frequency, ratio) = (pole.norm() / TAU, -pole.re / pole.norm());
        assert_eq!(one(&format!("pole.{number}.frequency")).to_bits(), frequency.to_bits());
        assert_eq!(one(&format!("pole.{number}.damping_ratio")).to_bits(), ratio.to_bits());
    }
    let ratios = poles.iter().map(|pole| -pole.re / pole.norm());
    assert_eq!(one("poles.least_damping_ratio"), ratios.fold(f64::INFINITY, f64::min));
    let growth = poles.iter().map(|pole| pole.re).fold(f64::NEG_INFINITY, f64::max);
    assert_eq!(one("poles.fastest_growth"), growth);
}

/// Several zeros: a free arm in no gravity has neither growth nor damping, and other poles none.
#[test]
fn poles_at_zero_are_not_damped() {
    let folder = scratch("poles-zero");
    let text = "scenario = \"two.toml\"\nfigures = [\"pole*\"]\n\
        [[parameter]]\npath = \"arm.link.bar.payload.mass\"\nvalues = [1, 2]\n";
    let scenario = "duration = 0.01\n[arm]\nname = \"one\"\ngravity = [0, 0, 0]\n\
        [[arm.link]]\nname = \"bar\"\njoint = { kind = \"revolute\", axis = \"z\" }\n\
        length = \"1 m\"\npayload = { mass = 1, position = [1, 0, 0] }\n";
    std::fs::write(folder.join("two.toml"), scenario).expect("written");
    let study = Study::parse(&Source::new("study.toml", text), &folder, &[]);
    let study = study.unwrap_or_else(|report| panic!("{report}"));
    let place = folder.join("all");
    let _ = run(&study, &place, 1);
    let names: Vec<&str> = study.figures().iter().map(|figure| figure.name.as_str()).collect();
    assert!(names.contains(&"pole.2.damping_ratio"), "{names:?}");
    for row in 0..2 {
        let one = |name: &str| numbers(&place, name)[row];
        assert!(one("pole.1.frequency") == 0.0 && one("pole.1.damping_ratio").is_nan());
        assert!(one("poles.least_damping_ratio").is_nan());
        assert_eq!(one("poles.fastest_growth"), 0.0);
    }
}
