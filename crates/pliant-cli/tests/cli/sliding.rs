//! Links that slide, through all commands.

use super::{Run, pliant, pliant_in, scratch};
use std::path::Path;

/// A beam driven by a motor.
const ARM: &str = r#"
name = "slider"
gravity = [0, 0, 0]

[[link]]
name = "beam"
joint = { kind = "fixed" }
length = "1.2 m"
section = { kind = "round", diameter = "16 mm" }
material = "aluminium"
bends = { y = 2, shapes = "clamped-mass", slides = { from = "0.3 m", to = "1 m" } }
payload = { mass = "0.2 kg" }
"#;

/// Pushed by a constant force, with further lines.
fn driven(folder: &Path, force: &str, more: &str) -> Run {
    std::fs::write(folder.join("slider.toml"), ARM).expect("an arm");
    let text = format!(
        "arm = \"slider.toml\"\nduration = \"5 s\"\nrecord = {{ every = \"10 ms\" }}\n{more}\n\
         [initial]\n\"beam.l\" = \"0.6 m\"\n\"beam.y1\" = 0.001\n[[input]]\nmotor = \"beam.l\"\nkind = \"constant\"\nvalue = \"{force}\"\n"
    );
    std::fs::write(folder.join("push.toml"), text).expect("a scenario");
    pliant_in(folder, &["run", "push.toml", "-o", "out", "--force", "--csv", "--no-report"], "")
}

/// The rows that were written are finite.
fn rows(folder: &Path) -> usize {
    let text = std::fs::read_to_string(folder.join("out/result.csv")).expect("rows");
    let numbers = text.lines().skip(1).flat_map(|line| line.split(','));
    assert!(numbers.clone().all(|x| x.parse::<f64>().is_ok_and(f64::is_finite)), "{text}");
    text.lines().count() - 1
}

#[test]
fn a_drive_that_leaves_the_stroke_is_told_and_the_rows_stay() {
    let folder = scratch("stroke");
    for force in ["3 N", "-3 N"] {
        let run = driven(&folder, force, "");
        assert_eq!(run.code, Some(1), "{}", run.stderr);
        for wanted in ["a link that slides leaves its stroke", "\"beam.l\"", "limits of joints"] {
            assert!(run.stderr.contains(wanted), "{wanted}\n{}", run.stderr);
        }
        assert!(rows(&folder) > 10);
        let svg = ["plot", "out", "-o", "out.svg", "--force"];
        pliant_in(&folder, &svg, "").done();
        let run = driven(&folder, force, "limits = \"stop\"");
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        assert!(run.stdout.contains("beam.l meets its"), "{}", run.stdout);
        assert!(rows(&folder) > 10);
    }
}

#[test]
fn info_check_and_modes_know_them() {
    let folder = scratch("sliding-info");
    std::fs::write(folder.join("slider.toml"), ARM).expect("an arm");
    let run = |arguments: &[&str]| pliant_in(&folder, arguments, "").done();
    let info = run(&["info", "slider.toml"]);
    for wanted in ["sliding link", "U_g [m/s]", "M/(rhoA l)", "slower by"] {
        assert!(info.contains(wanted), "{wanted}\n{info}");
    }
    // at its largest length
    let tried = run(&["check", "slider.toml", "--beam"]);
    assert!(tried.contains("beam: cantilever of 1 m"), "{tried}");
    let modes = run(&["modes", "slider.toml", "--stress", "--bandwidth", "2"]);
    for wanted in ["largest internal forces at rest", "it slides"] {
        assert!(modes.contains(wanted), "{wanted}\n{modes}");
    }
}

#[test]
fn the_papers_velocity_warns_everywhere() {
    let folder = scratch("paper");
    let robots = super::root().join("robots/theodore-rrp.toml");
    let arm = std::fs::read_to_string(robots).expect("the arm");
    let paper = arm
        .replace("to = \"1 m\" }", "to = \"1 m\", velocity = \"theodore-24\", prescribed = true }");
    assert_ne!(arm, paper);
    std::fs::write(folder.join("paper.toml"), &paper).expect("written");
    let scenario = "arm = \"paper.toml\"\nduration = \"50 ms\"\n[initial]\n\"boom.l\" = \"0.5 m\"\n\
                    [rates]\n\"boom.l\" = \"4 m/s\"\ncolumn = \"1 rad/s\"\n";
    std::fs::write(folder.join("swing.toml"), scenario).expect("written");
    for arguments in [
        &["check", "paper.toml"][..],
        &["info", "paper.toml"],
        &["check", "swing.toml"],
        &["run", "swing.toml", "--no-report"],
        &["eigenvalues", "swing.toml", "--instants", "2"],
    ] {
        let run = pliant_in(&folder, arguments, "");
        assert_eq!(run.code, Some(0), "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains("theodore-24"), "{arguments:?}: {}", run.stderr);
        if arguments[0] == "run" {
            assert!(run.stdout.contains("more than 0.05"), "{}", run.stdout);
        }
    }
    assert!(pliant(&["explain", "pliant::arm::theodore-24"]).done().contains("Coriolis"));
}

#[test]
fn a_fast_link_is_told_with_its_numbers() {
    let folder = scratch("fast");
    std::fs::write(
        folder.join("slider.toml"),
        ARM.replace("to = \"1 m\"", "to = \"1 m\", prescribed = true"),
    )
    .expect("an arm");
    let scenario = "arm = \"slider.toml\"\nduration = \"20 ms\"\n[initial]\n\"beam.l\" = \"0.3 m\"\n\
                    [rates]\n\"beam.l\" = \"30 m/s\"\n";
    std::fs::write(folder.join("fast.toml"), scenario).expect("written");
    let told = pliant_in(&folder, &["run", "fast.toml", "--no-report"], "").done();
    for wanted in ["slides at up to 30 m/s", "group velocity", "more than 0.5"] {
        assert!(told.contains(wanted), "{wanted}\n{told}");
    }
    let summary = std::fs::read_to_string(folder.join("fast-run/summary.json")).expect("written");
    assert!(summary.contains("of the group velocity"), "{summary}");
}
