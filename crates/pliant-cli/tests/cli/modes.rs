//! `pliant modes`.

use super::{pliant, pliant_in, scratch};
use serde_json::Value;

const KING: &str = "robots/king-two-link.toml";

fn object(arguments: &[&str]) -> Value {
    let all = [&["modes"], arguments, &["--format", "json"]].concat();
    serde_json::from_str(&pliant(&all).done()).expect("JSON")
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn text_tells_what_is_held_what_moves_and_how_far_it_hangs() {
    let text = pliant(&["modes", KING]).done();
    for wanted in [
        "king-two-link: 9 modes, at rest under gravity [0, -9.81, 0] m/s^2\n",
        "upper, fore locked (unlock joints with --free or --spring)",
        "damping ratio",
        "error",
        "upper twist 99 %",
        "static deflection [mm]",
        "raise the counts in bends",
    ] {
        assert!(text.contains(wanted), "{wanted} is not in\n{text}");
    }
    assert!(!text.contains("configuration: "), "{text}");
    assert!(text.lines().all(|line| !line.ends_with(' ')), "{text}");
    let few = pliant(&["modes", KING, "--count", "2", "--no-convergence"]).done();
    assert!(few.contains("and 7 more") && !few.contains("error"), "{few}");
    let turned = pliant(&["modes", KING, "--at", "fore=45deg, upper=\"-0.3 rad\""]).done();
    assert!(turned.contains("configuration: upper -17.1887 deg, fore 45 deg"), "{turned}");
}

#[test]
fn the_object_is_complete() {
    let found = object(&[KING, "--count", "4"]);
    assert_eq!(found["locked"], serde_json::json!(["upper", "fore"]));
    assert_eq!(found["modes_in_all"], 9);
    let modes = found["modes"].as_array().expect("a list");
    assert_eq!(modes.len(), 4);
    for mode in modes {
        let (hertz, omega) = (number(&mode["frequency_hz"]), number(&mode["frequency"]));
        assert!((omega / hertz - std::f64::consts::TAU).abs() < 1e-12);
        let shares = mode["kinetic_energy"].as_object().expect("by name");
        assert!((shares.values().map(number).sum::<f64>() - 1.0).abs() < 1e-9);
        assert_eq!(shares.len(), 11);
        // with few shapes a link is too stiff
        let error = number(&mode["frequency_error"]);
        assert!((0.0..0.2).contains(&error), "{error}");
    }
    let deflection = &found["deflection"][0];
    assert_eq!(deflection["link"], "upper");
    assert!(number(&deflection["world"][1]) < -0.05, "{deflection}");
    assert_eq!(found["stress"], Value::Null);
}

/// The column of errors is the distance to the same arm with 20 elements in each link.
#[test]
fn the_column_of_errors_is_the_distance_to_convergence() {
    let folder = scratch("convergence");
    let arm = |bends: [&str; 2]| {
        let link = |name: &str, bends: &str| {
            format!(
                "[[link]]\nname = \"{name}\"\njoint = {{ kind = \"revolute\", axis = \"-y\" }}\n\
                 length = \"1.2 m\"\nmaterial = \"cfrp-tube\"\n\
                 section = {{ kind = \"tube\", diameter = \"40 mm\", wall = \"2 mm\" }}\n\
                 bends = {{ {bends} }}\n\
                 body = [{{ shape = {{ kind = \"sphere\", mass = \"2 kg\", diameter = \"80 mm\" }} }}]\n"
            )
        };
        link("upper", bends[0]) + &link("fore", bends[1]) + "payload = { mass = \"3 kg\" }\n"
    };
    let modes = |bends: [&str; 2], more: &[&str]| -> Value {
        std::fs::write(folder.join("arm.toml"), arm(bends)).expect("written");
        let all = [&["modes", "arm.toml", "--format", "json", "--count", "3"], more].concat();
        serde_json::from_str(&pliant_in(&folder, &all, "").done()).expect("JSON")
    };
    let few = "y = 2, z = 2, shapes = \"clamped-free\"";
    let many = "y = true, z = true, shapes = \"elements\", elements = 20, shear = false";
    let fine = modes([many; 2], &["--no-convergence"]);
    let coarse = modes([few; 2], &["--stress"]);
    for k in 0..3 {
        let (own, converged) = (&coarse["modes"][k], &fine["modes"][k]);
        let error = number(&own["frequency"]) / number(&converged["frequency"]) - 1.0;
        let told = number(&own["frequency_error"]);
        assert!(error > 0.03 && (error - told).abs() < 1e-3, "mode {k}: {error} {told}");
    }
    // the root moment is right all the same
    let moment = number(&coarse["stress"][0]["bending_moment"]["value"]);
    assert!((moment - 104.9).abs() < 0.1, "{moment}");
    assert_eq!(number(&coarse["stress"][0]["bending_moment"]["at"]), 0.0);
}

#[test]
fn joints_may_move() {
    let free = object(&["robots/akmehmet-3.toml", "--free", "all", "--no-gravity"]);
    assert_eq!(free["free"].as_array().map(Vec::len), Some(3));
    assert!(
        free["modes"].as_array().expect("modes").iter().all(|m| number(&m["frequency"]) < 1e-6)
    );
    // hanging it swings, standing it topples
    let at = |angle: &str| {
        let all = ["modes", KING, "--free", "upper", "--at", angle, "--count", "1"];
        pliant(&all).done()
    };
    assert!(at("upper=-90deg").contains("joint upper"));
    assert!(at("upper=90deg").contains("unstable"), "{}", at("upper=90deg"));
    let folder = scratch("springs");
    let arm = "[[link]]\nname = \"a\"\njoint = { kind = \"revolute\", axis = \"z\", spring = \"8 N m/rad\" }\n\
               mass = 2\ncom = [1, 0, 0]\n";
    std::fs::write(folder.join("arm.toml"), arm).expect("written");
    let arguments = ["modes", "arm.toml", "--spring", "all", "--format", "csv"];
    let csv = pliant_in(&folder, &arguments, "").done();
    let line = csv.lines().nth(1).expect("a mode");
    let omega: f64 = line.split(',').nth(2).and_then(|x| x.parse().ok()).expect("a number");
    assert!((omega - 2.0).abs() < 1e-12, "{csv}");
    assert!(line.ends_with(",joint a"), "{csv}");
}

#[test]
fn nothing_to_vibrate_is_said() {
    let message = pliant(&["modes", "robots/ur5.toml"]).refused();
    for wanted in ["nothing to vibrate", "all joints are locked", "--free all", "bends = "] {
        assert!(message.contains(wanted), "{message}");
    }
    let message = pliant(&["modes", "robots/ur5.toml", "--free", "all", "--stress"]).refused();
    assert!(message.contains("--stress: no link"), "{message}");
}

#[test]
fn faults_name_the_nearest_and_the_unit() {
    let message = |more: &[&str]| pliant(&[&["modes", KING], more].concat()).refused();
    assert!(message(&["--free", "fote"]).contains("did you mean \"fore\"?"));
    assert!(message(&["--free", "wheel"]).contains("the joints are: upper, fore; or all"));
    assert!(message(&["--at", "uper=1"]).contains("did you mean \"upper\"?"));
    assert!(message(&["--at", "fore=45dge"]).contains("deg"));
    assert!(message(&["--at", "fore=3kg"]).contains("a mass"));
    let comma = message(&["--at", "fore=0,5"]);
    assert!(comma.contains("JOINT=VALUE") && comma.contains("a point, not a comma"), "{comma}");
    assert!(message(&["--at", "fore=1,fore=2"]).contains("twice"));
    assert!(message(&["--at", "fore=1", "--state", "{}"]).contains("cannot be used with"));
    assert!(message(&["--free", "fore", "--spring", "fore"]).contains("--free or in --spring"));
    let none = message(&["--spring", "fore"]);
    assert!(none.contains("\"fore\"") && none.contains("spring"), "{none}");
    assert!(message(&["--stress", "--bandwidth", "-1"]).contains("positive number of Hz"));
    assert!(message(&["--count", "0"]).contains("--count"));
}

#[test]
fn stress_and_kings_rule() {
    let folder = scratch("stress");
    let arm = "[[link]]\nname = \"boom\"\nlength = \"1 m\"\nmaterial = \"aluminium\"\n\
               section = { kind = \"tube\", diameter = \"40 mm\", wall = \"4 mm\" }\n\
               bends = { y = 2, z = 2, shapes = \"elements\", elements = 4 }\npayload = { mass = \"2 kg\" }\n";
    let arm = arm.replace("y = 2, z = 2", "y = true, z = true");
    std::fs::write(folder.join("boom.toml"), arm).expect("written");
    let run = |more: &[&str]| {
        let all = [&["modes", "boom.toml", "--stress"], more].concat();
        pliant_in(&folder, &all, "").done()
    };
    let found: Value =
        serde_json::from_str(&run(&["--format", "json", "--bandwidth", "5 Hz"])).expect("JSON");
    let boom = &found["stress"][0];
    let area = std::f64::consts::PI * (0.02_f64.powi(2) - 0.016_f64.powi(2));
    let density = 2710.0;
    let moment = 9.81 * (2.0 + 0.5 * density * area);
    let own = number(&boom["bending_moment"]["value"]);
    assert!((own / moment - 1.0).abs() < 1e-4, "{own} {moment}");
    assert_eq!(number(&boom["bending_moment"]["at"]), 0.0);
    let inertia = std::f64::consts::PI / 4.0 * (0.02_f64.powi(4) - 0.016_f64.powi(4));
    let stress = number(&boom["stress"]["value"]);
    assert!((stress / (own * 0.02 / inertia) - 1.0).abs() < 1e-6, "{stress}");
    let (clamped, allowed) =
        (number(&boom["clamped_frequency"]), number(&boom["bandwidth_allowed"]));
    assert!((clamped / allowed - 3.0).abs() < 1e-12);
    let margin = number(&boom["sizing"]["margin_of_stiffness"]);
    assert!((margin - clamped / (3.0 * 5.0 * std::f64::consts::TAU)).abs() < 1e-9);
    let text = run(&["--bandwidth", "5"]);
    for wanted in ["moment [N m]", "stress [MPa]", "King's rule", "for stiffness [mm]", "now [mm]"]
    {
        assert!(text.contains(wanted), "{wanted} is not in\n{text}");
    }
    let plain = run(&[]);
    assert!(plain.contains("allows bandwidth [Hz]") && !plain.contains("now [mm]"), "{plain}");
}

#[test]
fn options_that_are_not_right_are_warned_of() {
    let folder = scratch("range");
    let rod = |more: &str| {
        format!(
            "gravity = [0, 0, 0]\n[[link]]\nname = \"rod\"\njoint = \"revolute\"\nlength = \"1 m\"\n\
             section = {{ kind = \"round\", diameter = \"10 mm\" }}\nmaterial = \"steel\"\nbends = {{ y = 2{more} }}\n"
        )
    };
    let dynamics = |more: &str, state: &str| {
        std::fs::write(folder.join("rod.toml"), rod(more)).expect("written");
        pliant_in(&folder, &["dynamics", "rod.toml", "--state", state], "")
    };
    let fast = r#"{"u": {"rod": 20}}"#;
    let run = dynamics(", foreshortening = false", fast);
    for wanted in
        ["pliant::state::no-foreshortening", "foreshortening = true", "\"rod\"", "20.0000 rad/s"]
    {
        assert!(run.stderr.contains(wanted), "{wanted} is not in\n{}", run.stderr);
    }
    assert_eq!(dynamics("", fast).stderr, "");
    assert_eq!(dynamics(", foreshortening = false", r#"{"u": {"rod": 2}}"#).stderr, "");
    let bent = dynamics("", r#"{"q": {"rod.y1": "300 mm"}}"#);
    assert!(bent.stderr.contains("segments = 3"), "{}", bent.stderr);
    assert_eq!(dynamics("", r#"{"q": {"rod.y1": "30 mm"}}"#).stderr, "");
    // a long thin rod under its own weight
    let thin = rod(", z = 2").replace("[0, 0, 0]", "[0, -9.81, 0]").replace("10 mm", "1.5 mm");
    std::fs::write(folder.join("thin.toml"), thin).expect("written");
    let run = pliant_in(&folder, &["modes", "thin.toml"], "");
    assert!(run.stderr.contains("pliant::state::large-slope"), "{}", run.stderr);
    assert!(pliant(&["explain", "large-slope"]).done().contains("segments"));
}

#[test]
fn dynamics_knows_the_units_of_bending() {
    let csv = pliant(&["dynamics", KING, "--format", "csv"]).done();
    for wanted in ["gravity,upper.y1,,", ",upper.x1,upper.x1,", "gravity,fore.z2,,"] {
        assert!(csv.contains(wanted), "{wanted} is not in\n{csv}");
    }
    let unit = |start: &str| {
        let line = csv.lines().find(|line| line.starts_with(start)).expect("a line");
        line.rsplit(',').next().expect("a unit").to_owned()
    };
    assert_eq!(unit("gravity,upper.y1"), "N");
    assert_eq!(unit("gravity,upper.x1"), "N m");
    assert_eq!(unit("mass_matrix,upper,upper.y1"), "kg m");
    let text = pliant(&["dynamics", KING]).done();
    assert!(text.contains("fore.z2     N "), "{text}");
}

#[test]
fn help_teaches() {
    let help = pliant(&["modes", "--help"]).done();
    for wanted in ["Examples:", "--at fore=45deg", "\"error\"", "locked", "King", "SI units"] {
        assert!(help.contains(wanted), "{wanted} is not in\n{help}");
    }
    assert!(pliant(&["--help"]).done().contains("modes"));
    assert!(pliant(&["completions", "bash"]).done().contains("--no-convergence"));
}

/// Of an elastic joint the motor is locked or free, and the link is on its spring.
#[test]
fn elastic_joints_vibrate_on_their_springs() {
    let arm = "robots/elastic-two-link.toml";
    let text = pliant(&["modes", arm]).done();
    assert!(text.contains("2 modes") && text.contains("upper.motor, fore.motor locked"), "{text}");
    let freed = pliant(&["modes", arm, "--free", "upper"]).done();
    assert!(freed.contains("3 modes") && freed.contains("upper.motor free"), "{freed}");
    assert!(pliant(&["modes", arm, "--free", "all"]).done().contains("4 modes"));
}

/// Modes of an arm may be damped much more than its links by themselves.
#[test]
fn modes_damped_more_than_their_links_are_told() {
    let all = ["modes", "robots/carbon-fibre-arm.toml", "--no-convergence"];
    let text = pliant(&all).done();
    assert!(text.contains("damping = 0.01 holds for each link by itself"), "{text}");
    assert!(text.contains("in mode 5 0.0673871"), "{text}");
    let few =
        pliant(&["modes", "robots/carbon-fibre-arm.toml", "--no-convergence", "--count", "4"]);
    let few = few.done();
    assert!(!few.contains("by itself"), "{few}");
}
