//! `pliant eigenvalues`.

use super::{pliant, pliant_in, scratch};
use serde_json::Value;

const SLIDING: &str = "scenarios/sliding-beam.toml";
const KING: &str = "scenarios/king-swing.toml";

fn object(arguments: &[&str]) -> Value {
    let all = [&["eigenvalues"], arguments, &["--format", "json"]].concat();
    serde_json::from_str(&pliant(&all).done()).expect("JSON")
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn the_table_has_energy_and_action_beside_the_eigenvalues() {
    let text = pliant(&["eigenvalues", SLIDING, "--instants", "3", "--count", "2"]).done();
    for wanted in [
        "sliding-beam: eigenvalues frozen at instants of a motion, joints prescribed",
        "real [1/s]",
        "E/omega [J s]",
        "beam.z1",
        "mode 1 from first to last instant: omega times 0.",
        "the action E/omega does",
    ] {
        assert!(text.contains(wanted), "{wanted} is not in\n{text}");
    }
    assert!(text.lines().all(|line| !line.ends_with(' ')), "{text}");
}

/// The beam is pushed out: real parts are negative, the frequency falls, and so does the energy;
/// the action hardly changes. Its amplitude grows all the same.
#[test]
fn extension_has_negative_real_parts_and_keeps_its_action() {
    let found = object(&[SLIDING, "--instants", "41", "--tolerance", "1e-9"]);
    assert_eq!(found["joints"], "prescribed");
    assert_eq!(found["units"]["action"], "J s");
    let instants = found["instants"].as_array().expect("a list");
    assert_eq!(instants.len(), 41);
    // the plane of the weight: the modes of both planes have one frequency
    let heavier = |instant: &Value| {
        let modes = instant["modes"].as_array().expect("modes");
        let first =
            modes[..2].iter().max_by(|a, b| number(&a["energy"]).total_cmp(&number(&b["energy"])));
        first.expect("two planes").clone()
    };
    let all: Vec<Value> = instants.iter().map(heavier).collect();
    for mode in &all {
        let [one, other] = [&mode["eigenvalues"][0], &mode["eigenvalues"][1]];
        assert!(number(&one["re"]) < 0.0 && number(&one["im"]) > 0.0, "{mode}");
        assert_eq!(number(&one["im"]), -number(&other["im"]));
        let action = number(&mode["energy"]) / number(&mode["frequency"]);
        assert!((number(&mode["action"]) / action - 1.0).abs() < 1e-12);
    }
    let (first, last) = (&all[0], &all[40]);
    assert!(number(&last["frequency"]) < 0.5 * number(&first["frequency"]));
    // the sag that the weight holds grows with the length, and is not vibration
    for mode in &all {
        let ratio = number(&mode["action"]) / number(&first["action"]);
        assert!((ratio - 1.0).abs() < 0.05, "{ratio}");
    }
}

#[test]
fn arms_that_do_not_slide_and_free_joints_have_theirs() {
    let held = object(&[KING, "--duration", "0.2 s", "--instants", "2", "--count", "20"]);
    let free = object(&[
        KING,
        "--duration",
        "0.2 s",
        "--instants",
        "2",
        "--count",
        "20",
        "--joints",
        "free",
    ]);
    let modes = |found: &Value| found["instants"][1]["modes"].as_array().expect("modes").len();
    assert_eq!(modes(&free), modes(&held) + 2);
    let csv =
        pliant(&["eigenvalues", KING, "--duration", "0.2 s", "--instants", "2", "--format", "csv"]);
    let csv = csv.done();
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 1 + 2 * 4, "{csv}");
    assert!(lines[0].starts_with("t_s,mode,moves,real_1_s,imaginary_1_s"), "{csv}");
    assert!(lines.iter().all(|line| line.split(',').count() == 10), "{csv}");
}

#[test]
fn a_plot_is_drawn_once() {
    let folder = scratch("eigenvalues");
    let scenario = super::root().join(SLIDING).display().to_string();
    let arguments = ["eigenvalues", &scenario, "--instants", "5", "--plot", "growth.svg"];
    pliant_in(&folder, &arguments, "").done();
    let svg = std::fs::read_to_string(folder.join("growth.svg")).expect("a drawing");
    for wanted in ["real part", "frequency", "energy", "action E/ω", "mode 4"] {
        assert!(svg.contains(wanted), "{wanted}");
    }
    assert!(pliant_in(&folder, &arguments, "").refused().contains("exists"));
    let png = ["eigenvalues", &scenario, "--instants", "3", "--plot", "growth.png"];
    pliant_in(&folder, &png, "").done();
    let bytes = std::fs::read(folder.join("growth.png")).expect("a drawing");
    assert_eq!(bytes[..4], *b"\x89PNG");
    let pdf = ["eigenvalues", &scenario, "--plot", "growth.pdf"];
    assert!(pliant_in(&folder, &pdf, "").refused().contains(".svg or .png"));
}

#[test]
fn rigid_arms_and_broken_motions_are_refused() {
    let folder = scratch("eigenvalues-refused");
    let two_link = super::root().join("robots/akmehmet-3.toml").display().to_string();
    let text = format!("arm = {two_link:?}\nduration = \"0.1 s\"\n");
    std::fs::write(folder.join("rigid.toml"), text).expect("written");
    let said = pliant_in(&folder, &["eigenvalues", "rigid.toml"], "").refused();
    assert!(said.contains("nothing bends"), "{said}");
    let said = pliant(&["eigenvalues", SLIDING, "--duration", "2 s"]).refused();
    assert!(said.contains("leaves its stroke"), "{said}");
}

#[test]
fn the_help_teaches() {
    let help = pliant(&["eigenvalues", "--help"]).done();
    for wanted in ["The real parts do not indicate stability", "E/omega", "--joints", "Examples:"] {
        assert!(help.contains(wanted), "{wanted}\n{help}");
    }
}

/// Bending and twisting of a link behind a bent elbow move its load alike: modes stay in their places
/// all the same.
#[test]
fn modes_stay_in_their_places_behind_a_bent_elbow() {
    let folder = scratch("eigenvalues-elbow");
    pliant_in(&folder, &["new", "flexible", "-o", "arm.toml"], "").done();
    pliant_in(&folder, &["new", "motion", "--arm", "arm.toml"], "").done();
    let text = pliant_in(&folder, &["eigenvalues", "motion.toml"], "").done();
    let ratios = text.lines().filter_map(|line| line.split("omega times ").nth(1));
    let ratios: Vec<f64> = ratios
        .map(|rest| rest.split(',').next().and_then(|x| x.parse().ok()).expect("a number"))
        .collect();
    assert!(!ratios.is_empty() && ratios.iter().all(|x| (0.5..2.0).contains(x)), "{text}");
}
