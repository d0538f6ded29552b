//! `--set`: a value changed for one command, and arms inside scenarios.

use crate::{pliant, pliant_in, root, scratch};

const ARM: &str = "robots/king-two-link.toml";
const SWING: &str = "scenarios/king-swing.toml";

/// Every command that reads an arm takes settings, and the arm of a scenario.
#[test]
fn every_command_takes_settings_and_scenarios() {
    let heavier = ["--set", "link.fore.section.radius=9 mm"];
    let inside = ["--set", "arm.link.fore.section.radius=9 mm"];
    let json = ["--format", "json"];
    for command in [
        &["info"][..],
        &["modes", "--no-convergence"],
        &["dynamics", "--only", "mass_matrix"],
        &["check", "--beam"],
    ] {
        let with = |file: &str, set: &[&str]| {
            let all = [&command[..1], &[file], &command[1..], &json, set].concat();
            pliant(&all).done().replace(file, "FILE")
        };
        let plain = with(ARM, &[]);
        assert_eq!(plain, with(SWING, &[]), "{command:?}");
        assert_ne!(plain, with(ARM, &heavier), "{command:?}");
        assert_eq!(with(ARM, &heavier), with(SWING, &inside), "{command:?}");
    }
    let moved =
        |set: &[&str]| pliant(&[&["linearise", ARM, "--format", "json"], set].concat()).done();
    assert_ne!(moved(&[]), moved(&heavier));
    let short = ["--set", "duration=20 ms", "--instants", "2", "--format", "csv"];
    let along = |set: &[&str]| pliant(&[&["eigenvalues", SWING], &short[..], set].concat()).done();
    assert_ne!(along(&[]), along(&inside));
    assert!(along(&[]).lines().any(|line| line.starts_with("0.02")), "{}", along(&[]));
}

/// The arm of a scenario can be written as an arm file, and an arm with another value.
#[test]
fn convert_writes_what_is_set() {
    let folder = scratch("set-convert");
    let (swing, arm) = (root().join(SWING), root().join(ARM));
    let (swing, arm) = (swing.display().to_string(), arm.display().to_string());
    let done = pliant_in(&folder, &["convert", &swing], "");
    assert!(done.stderr.contains("wrote king-swing-arm.toml"), "{}", done.stderr);
    let modes = |file: &str, set: &[&str]| {
        let all = [&["modes", file, "--no-convergence"], set].concat();
        pliant_in(&folder, &all, "").done()
    };
    assert_eq!(modes("king-swing-arm.toml", &[]), modes(&arm, &[]));
    let longer = ["--set", "link.fore.length=1.4"];
    pliant_in(&folder, &["convert", &arm, longer[0], longer[1], "-o", "longer.toml"], "").done();
    assert_eq!(modes("longer.toml", &[]), modes(&arm, &longer));
    assert!(pliant(&["convert", ARM]).refused().contains("already is an arm file"));
}

/// The folder of a run has its usual name, and the scenario in it the settings.
#[test]
fn runs_keep_their_settings() {
    let folder = scratch("set-run");
    let swing = root().join(SWING).display().to_string();
    let set = ["--set", "duration=20 ms", "--set", "arm.link.fore.section.radius=9 mm"];
    pliant_in(&folder, &[&["run", &swing, "--no-report"], &set[..]].concat(), "").done();
    let kept = std::fs::read_to_string(folder.join("king-swing-run/scenario.toml")).expect("kept");
    assert!(kept.contains("duration = \"20 ms\"") && kept.contains("\"9 mm\""), "{kept}");
}

#[test]
fn faults_name_the_setting() {
    let told = pliant(&["modes", ARM, "--set", "link.for.length=2"]).refused();
    assert!(told.contains("--set link.for.length:1:6"), "{told}");
    assert!(told.contains("did you mean fore? it has: upper, fore"), "{told}");
    let told = pliant(&["check", SWING, "--set", "duration"]).refused();
    assert!(told.contains("is not of the form PATH=VALUE"), "{told}");
    let told = pliant(&["run", ARM]).refused();
    assert!(told.contains("this is an arm, and no motion of it is given"), "{told}");
    assert!(told.contains(&format!("pliant new motion --arm {ARM}")), "{told}");
}
