//! `pliant info`.

use super::pliant;
use serde_json::Value;

fn object(arguments: &[&str]) -> Value {
    let text = pliant(&[&["info"], arguments, &["--format", "json"]].concat()).done();
    serde_json::from_str(&text).expect("JSON")
}

#[test]
fn text_names_links_joints_and_masses() {
    let text = pliant(&["info", "robots/stanford.toml"]).done();
    for wanted in
        ["boom", "prismatic", "0.3048 … 1.27 m", "-170 … 170 deg", "20.77 kg", "frames:", "tip"]
    {
        assert!(text.contains(wanted), "{wanted} is not in\n{text}");
    }
}

#[test]
fn the_object_tells_the_same() {
    let info = object(&["robots/two-arm-satellite.toml"]);
    assert_eq!(info["degrees_of_freedom"], 18);
    assert_eq!(info["coordinates"].as_array().map(Vec::len), Some(18));
    assert_eq!(info["configuration"].as_array().map(Vec::len), Some(21));
    let links = info["links"].as_array().expect("links");
    let sum: f64 = links.iter().map(|link| link["mass"].as_f64().expect("a mass")).sum();
    assert!((sum - info["mass"].as_f64().expect("a mass")).abs() < 1e-9);
    assert_eq!(links[4]["parent"], "bus");
    // shoulder 0.85, two links of 1 m, grip 0.2 m; measured from the free body
    let reach = info["reach"].as_f64().expect("a length");
    assert!((reach - (0.85 + 2.2)).abs() < 1e-9, "{reach}");
}

#[test]
fn reach_is_the_stretched_arm() {
    let reach = |robot: &str| object(&[robot])["reach"].as_f64().expect("a length");
    assert!((reach("robots/akmehmet-3.toml") - 1.1).abs() < 1e-12);
    let stanford = 0.412 + 0.154 + 1.27 + 0.263;
    assert!((reach("robots/stanford.toml") - stanford).abs() < 1e-12);
}

#[test]
fn denavit_hartenberg_tables() {
    let text = pliant(&["info", "robots/akmehmet-3.toml", "--dh"]).done();
    assert!(text.contains("theta [deg]") && text.contains("0.6"), "{text}");
    let table = object(&["robots/puma-560.toml", "--dh"]);
    let rows = table["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 6);
    assert!((rows[1]["a"].as_f64().expect("a length") - 0.4318).abs() < 1e-12);
    let modified = object(&["robots/puma-560.toml", "--dh=modified", "--frame", "elbow"]);
    assert_eq!(modified["convention"], "modified");
    assert_eq!(modified["rows"].as_array().map(Vec::len), Some(3));
    let refused = pliant(&["info", "robots/two-arm-satellite.toml", "--dh"]).refused();
    assert!(
        refused.contains("free joint") && refused.contains("no frame of this arm"),
        "{refused}"
    );
    let refused = pliant(&["info", "robots/ur5.toml", "--dh", "--frame", "nose"]).refused();
    assert!(refused.contains("wrist_3"), "{refused}");
    let refused = pliant(&["info", "robots/ur5.toml", "--dh", "--frame", "wrist3"]).refused();
    assert!(refused.contains("did you mean wrist_3?"), "{refused}");
}

/// Rounding leaves no traces such as 6e-17.
#[test]
fn denavit_hartenberg_tables_have_no_dust() {
    fn no_dust(value: &Value) -> bool {
        match value {
            Value::Number(x) => x.as_f64().is_some_and(|x| x == 0.0 || x.abs() > 1e-14),
            Value::Array(list) => list.iter().all(no_dust),
            Value::Object(entries) => entries.values().all(no_dust),
            _ => true,
        }
    }
    for robot in ["akmehmet-3", "akmehmet-6", "iiwa-14", "puma-560", "stanford", "ur5"] {
        for convention in ["--dh=standard", "--dh=modified"] {
            let path = format!("robots/{robot}.toml");
            assert!(no_dust(&object(&[&path, convention])), "{robot} {convention}");
            let text = pliant(&["info", &path, convention]).done();
            assert!(!text.contains("e-1") && !text.contains("e-2"), "{text}");
        }
    }
}

#[test]
fn springs_dampers_and_rotors_are_told() {
    let folder = super::scratch("drives");
    super::pliant_in(&folder, &["new", "scara"], "").done();
    let text = super::pliant_in(&folder, &["info", "scara.toml"], "").done();
    for wanted in ["rest position", "50 N/m", "0.1 m", "20 N s/m", "0.01 N m s/rad"] {
        assert!(text.contains(wanted), "{wanted} is not in\n{text}");
    }
    let info = object(&["robots/stanford.toml"]);
    assert_eq!(info["links"][0]["armature"][0], 0.953);
    assert_eq!(info["links"][0]["spring"], serde_json::json!([]));
    let none = pliant(&["info", "robots/akmehmet-3.toml"]).done();
    assert!(!none.contains("rest position"), "{none}");
}

#[test]
fn help_shows_examples() {
    assert!(pliant(&["info", "--help"]).done().contains("Examples:"));
}

#[test]
fn bending_links_are_told() {
    let text = pliant(&["info", "robots/king-two-link.toml"]).done();
    for wanted in ["2 links", "round 10 mm", "33.8703", "clamped-free", "2 y, 2 z, 1 twist"] {
        assert!(text.contains(wanted), "{wanted} is not in\n{text}");
    }
    let info = object(&["robots/king-two-link.toml"]);
    let upper = &info["bending"][0];
    // King prints 4.7 Hz
    let hertz = upper["clamped_frequency"].as_f64().expect("a frequency");
    let section = &upper["sections"][0];
    let of = |key: &str| section[key].as_f64().expect("a number");
    let exact = 1.875_104_068_711_961_f64.powi(2) / (2.0 * std::f64::consts::PI * 1.22 * 1.22)
        * (of("EIz") / of("rhoA")).sqrt();
    // the inertia of the sections takes a little off
    assert!((hertz / exact - 1.0).abs() < 1e-4 && (hertz - 4.7).abs() < 0.05, "{hertz} {exact}");
    assert_eq!(section["dimensions"]["diameter"], 0.01);
    assert_eq!(upper["shapes"]["twist"], 1);
    let rigid = object(&["robots/ur5.toml"]);
    assert_eq!(rigid["bending"], serde_json::json!([]));
}

#[test]
fn coordinates_of_bending_are_accepted() {
    let state = r#"{"q": {"upper": "-80 deg", "upper.y1": "5 mm"}, "u": {"fore.z1": 0.1}}"#;
    let arguments = ["dynamics", "robots/king-two-link.toml", "--state", state];
    let text = pliant(&arguments).done();
    assert!(text.contains("upper.y1"), "{text}");
}

#[test]
fn actuators_are_told_with_units() {
    let text = pliant(&["info", "robots/elastic-two-link.toml"]).done();
    for wanted in ["60 N m", "4 rad/s", "0.3 kg m^2", "800 N m/rad", "1.5 N m over 0.02 rad/s"] {
        assert!(text.contains(wanted), "{wanted}: {text}");
    }
    // motors are coordinates, but no links
    assert!(text.contains("2 links, 4 degrees of freedom"), "{text}");
    assert!(text.contains("coordinates: upper, fore, upper.motor, fore.motor"), "{text}");
    let info = object(&["robots/elastic-two-link.toml"]);
    assert_eq!(info["links"].as_array().expect("links").len(), 2);
    assert_eq!(info["links"][1]["actuator"]["stiffness"], 300.0);
    assert_eq!(info["reach"], 0.75);
}
