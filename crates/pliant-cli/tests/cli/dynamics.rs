//! `pliant dynamics`.

use super::{pliant, pliant_in, scratch};
use serde_json::{Value, json};

const ARM: &str = "robots/akmehmet-3.toml";
const STATE: &str = r#"{"q": [0.3, -0.4, "50 deg"], "u": {"upper": 1.5}, "tau": [1, 2, 3]}"#;

fn object(arguments: &[&str]) -> Value {
    let all = [&["dynamics", ARM, "--format", "json"], arguments].concat();
    serde_json::from_str(&pliant(&all).done()).expect("JSON")
}

fn numbers(value: &Value) -> Vec<f64> {
    match value {
        Value::Array(list) => list.iter().flat_map(numbers).collect(),
        _ => vec![value.as_f64().expect("a number")],
    }
}

#[test]
fn the_object_is_complete_and_consistent() {
    let answer = object(&["--state", STATE]);
    let keys: Vec<&str> =
        answer.as_object().expect("an object").keys().map(String::as_str).collect();
    let mut wanted = vec![
        "coordinates",
        "mass_matrix",
        "coriolis",
        "gravity",
        "elastic",
        "damping",
        "external",
        "bias",
        "acceleration",
        "kinetic_energy",
        "potential_energy",
        "elastic_energy",
        "linear_momentum",
        "angular_momentum",
        "frames",
    ];
    wanted.sort_unstable();
    assert_eq!(keys, wanted);
    assert_eq!(answer["coordinates"], json!(["waist", "upper", "fore"]));
    // M ud + bias = tau, and bias is the sum of its parts
    let (mass, bias) = (numbers(&answer["mass_matrix"]), numbers(&answer["bias"]));
    let ud = numbers(&answer["acceleration"]);
    let part = |name: &str, row: usize| numbers(&answer[name])[row];
    for row in 0..3 {
        let inertial: f64 = (0..3).map(|column| mass[3 * row + column] * ud[column]).sum();
        assert!((inertial + bias[row] - (row + 1) as f64).abs() < 1e-12);
        let sum = part("coriolis", row)
            + part("gravity", row)
            + part("elastic", row)
            + part("damping", row)
            - part("external", row);
        assert!((sum - bias[row]).abs() < 1e-13);
    }
    let kinetic = 0.5 * mass[4] * 1.5 * 1.5;
    assert!((answer["kinetic_energy"].as_f64().expect("a number") - kinetic).abs() < 1e-14);
    assert_eq!(numbers(&answer["frames"]["fore"]["position"]).len(), 3);
    assert_eq!(answer["frames"]["fore"]["rotation"].as_array().map(Vec::len), Some(3));
}

#[test]
fn the_methods_agree() {
    let by = |method: &str| object(&["--state", STATE, "--method", method]);
    let first = by("articulated");
    for method in ["composite", "recursive", "gibbs-appell", "recurrence"] {
        let other = by(method);
        for key in ["mass_matrix", "acceleration", "bias"] {
            for (a, b) in numbers(&first[key]).iter().zip(numbers(&other[key])) {
                assert!((a - b).abs() < 1e-11 * (1.0 + b.abs()), "{key}: {a} {b}");
            }
        }
    }
}

/// The methods for serial chains on King's bars, which shorten as they bend unless told otherwise.
#[test]
fn methods_say_what_they_lack() {
    let by = |folder: &std::path::Path, arguments: &[&str]| {
        let state = r#"{"q": {"upper": -1, "upper.y1": 0.05, "upper.z1": 0.04, "fore.z1": 0.03}}"#;
        let all = ["dynamics", "arm.toml", "--format", "json", "--state", state];
        pliant_in(folder, &[&all[..], arguments].concat(), "")
    };
    let folder = scratch("methods");
    let king = std::fs::read_to_string(super::root().join("robots/king-two-link.toml"));
    let king = king.expect("King's arm");
    std::fs::write(folder.join("arm.toml"), &king).expect("written");
    for method in ["gibbs-appell", "recurrence"] {
        let text = by(&folder, &["--method", method]).refused();
        assert!(text.contains("that of \"upper\" has foreshortening"), "{text}");
        assert!(text.contains("foreshortening = false"), "{text}");
    }
    let plain = king.replace("\"clamped-free\" }", "\"clamped-free\", foreshortening = false }");
    std::fs::write(folder.join("arm.toml"), plain).expect("written");
    let mass = |arguments: &[&str]| {
        let answer: Value = serde_json::from_str(&by(&folder, arguments).done()).expect("JSON");
        numbers(&answer["mass_matrix"])
    };
    let want = mass(&[]);
    let size = want.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
    let error = |arguments: &[&str]| {
        let pairs = want.iter().zip(mass(arguments));
        pairs.fold(0.0_f64, |worst, (a, b)| worst.max((a - b).abs())) / size
    };
    assert!(error(&["--method", "recurrence"]) < 1e-12);
    assert!(error(&["--method", "gibbs-appell"]) < 1e-12);
    assert!(error(&["--method", "gibbs-appell", "--rotation", "small"]) > 1e-6);
    assert!(error(&["--method", "gibbs-appell", "--rotation", "exp"]) > 1e-6);
    let text = by(&folder, &["--rotation", "small"]).refused();
    assert!(text.contains("only the Gibbs-Appell method"), "{text}");
    let text = pliant(&["dynamics", "robots/stanford.toml", "--method", "gibbs-appell"]).refused();
    assert!(text.contains("is prismatic"), "{text}");
}

#[test]
fn states_come_from_files_and_pipes_too() {
    let inline = object(&["--state", STATE]);
    let folder = scratch("states");
    let json = folder.join("state.json");
    std::fs::write(&json, STATE).expect("written");
    let json = json.to_str().expect("a path");
    assert_eq!(inline, object(&["--state", json]));
    let toml = folder.join("state.toml");
    let text = "q = [0.3, -0.4, \"50 deg\"]\ntau = [1, 2, 3]\n[u]\nupper = 1.5\n";
    std::fs::write(&toml, text).expect("written");
    assert_eq!(inline, object(&["--state", toml.to_str().expect("a path")]));
    let arguments = ["dynamics", ARM, "--format", "json", "--state", "-"];
    let piped = pliant_in(&super::root(), &arguments, STATE).done();
    assert_eq!(inline, serde_json::from_str::<Value>(&piped).expect("JSON"));
}

#[test]
fn loads_act() {
    let at = |state: &str| object(&["--state", state, "--only", "external,bias,gravity"]);
    // a force on the tip along the world's z, arm stretched out along x: lever 1.1 m, z₁ along y
    let answer = at(r#"{"external": [{"frame": "fore", "force": [0, 0, "10 N"]}]}"#);
    let external = numbers(&answer["external"]);
    assert!((external[1] + 11.0).abs() < 1e-12 && (external[2] + 5.0).abs() < 1e-12);
    let bias = numbers(&answer["bias"]);
    assert!((bias[1] - (numbers(&answer["gravity"])[1] + 11.0)).abs() < 1e-12);
    // the same in the frame's own axes: the world's z is −y of the frame
    let own = at(r#"{"external": [{"frame": "fore", "force": [0, -10, 0], "axes": "own"}]}"#);
    for (a, b) in external.iter().zip(numbers(&own["external"])) {
        assert!((a - b).abs() < 1e-12);
    }
}

#[test]
fn prescribed_joints_answer_with_their_force() {
    let folder = scratch("prescribed");
    let link = |name: &str, more: &str| {
        format!("[[link]]\nname = \"{name}\"\nmass = 2\ncom = [0.5, 0, 0]\n{more}\n")
    };
    let arm = link("a", "joint = { kind = \"revolute\", axis = \"y\", prescribed = true }")
        + &link("b", "placement = [1, 0, 0]\njoint = { kind = \"revolute\", axis = \"y\" }");
    std::fs::write(folder.join("arm.toml"), arm).expect("written");
    let state = r#"{"q": [0.3, 0.4], "u": [1, -2], "ud": {"a": 5}, "tau": {"b": 0.7},
        "external": [{"frame": "b", "force": [1, 2, 3]}]}"#;
    for method in ["recursive", "composite", "articulated"] {
        let arguments =
            ["dynamics", "arm.toml", "--format", "json", "--method", method, "--state", state];
        let answer = pliant_in(&folder, &arguments, "").done();
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        let (ud, tau) = (numbers(&answer["acceleration"]), numbers(&answer["tau"]));
        assert_eq!((ud[0], tau[1]), (5.0, 0.7));
        let (mass, bias) = (numbers(&answer["mass_matrix"]), numbers(&answer["bias"]));
        for row in 0..2 {
            let sum = mass[2 * row] * ud[0] + mass[2 * row + 1] * ud[1] + bias[row];
            assert!((sum - tau[row]).abs() < 1e-12, "{method}: {sum} {tau:?}");
        }
    }
}

#[test]
fn text_and_csv() {
    let text = pliant(&["dynamics", ARM]).done();
    for wanted in ["mass matrix [kg m^2]", "waist", "gravity", "N m", "potential energy", "-3.924"]
    {
        assert!(text.contains(wanted), "{wanted} is not in\n{text}");
    }
    let csv = pliant(&["dynamics", ARM, "--format", "csv"]).done();
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("quantity,row,column,value,unit"));
    assert!(lines.clone().all(|line| line.split(',').count() == 5));
    assert!(lines.any(|line| line == "damping,waist,,0.0,N m"));
    let only = pliant(&["dynamics", ARM, "--only", "gravity", "--format", "csv"]).done();
    assert_eq!(only.lines().count(), 4);
}

#[test]
fn a_singular_mass_matrix_matters_only_for_accelerations() {
    let folder = scratch("singular");
    let arm = "[[link]]\nname = \"a\"\njoint = \"revolute\"\n";
    std::fs::write(folder.join("idle.toml"), arm).expect("written");
    let run = pliant_in(&folder, &["dynamics", "idle.toml", "--quiet"], "");
    let message = run.refused();
    for wanted in ["singular", "\"a\"", "--only", "armature"] {
        assert!(message.contains(wanted), "{message}");
    }
    assert!(!message.contains("moves-nothing"), "{message}");
    let run = pliant_in(&folder, &["dynamics", "idle.toml", "--only", "mass_matrix"], "");
    assert!(run.stderr.contains("pliant::arm::moves-nothing"));
    assert!(run.done().contains("mass matrix"));
}

#[test]
fn faults_name_file_place_value_and_remedy() {
    let message = |state: &str| pliant(&["dynamics", ARM, "--state", state]).refused();
    let refused = message(r#"{"q": [1, 2]}"#);
    for wanted in ["--state:1:7", "q has 2 numbers, the arm needs 3", "waist, upper, fore"] {
        assert!(refused.contains(wanted), "{refused}");
    }
    assert!(message(r#"{"q": {"uper": 1}}"#).contains("did you mean \"upper\"?"));
    assert!(message(r#"{"q": {"upper": "1 kg"}}"#).contains("a mass"));
    assert!(message(r#"{"tua": [1, 2, 3]}"#).contains("did you mean tau?"));
    assert!(message(r#"{"external": [{"frame": "hand"}]}"#).contains("no frame \"hand\""));
    assert!(message("{\"q\": [1, 2,]}").contains("nothing follows the last comma"));
    assert!(message("{\"q\": [1, 2 3]}").contains("a comma is missing between two entries"));
    assert!(message("nothing.json").contains("there is no such file"));
    let bare = message("q = [1, 2, 3]");
    assert!(
        bare.contains("neither a file nor JSON") && bare.contains("begins with a brace"),
        "{bare}"
    );
    assert!(message("[1, 2, 3]").contains("expected a table"));
    let near = pliant(&["dynamics", "robots/akmehmet3.toml"]).refused();
    assert!(near.contains("did you mean robots/akmehmet-3.toml?"), "{near}");
    let wrong = pliant(&["dynamics", ARM, "--method", "magic"]).refused();
    assert!(wrong.contains("articulated"), "{wrong}");
}

#[test]
fn limits_are_a_warning() {
    let folder = scratch("limits");
    let arm = "[[link]]\nname = \"a\"\njoint = { kind = \"revolute\", limits = [-1, 1] }\nmass = 1\ncom = [1, 0, 0]\n";
    std::fs::write(folder.join("arm.toml"), arm).expect("written");
    let run = pliant_in(&folder, &["dynamics", "arm.toml", "--state", "{\"q\": [2]}"], "");
    assert!(run.stderr.contains("outside its limits -1 to 1 rad"), "{}", run.stderr);
    let text = run.done();
    assert!(
        text.contains("mass matrix") && text.starts_with("arm: 1 degree of freedom\n"),
        "{text}"
    );
}

#[test]
fn help_shows_examples() {
    let help = pliant(&["dynamics", "--help"]).done();
    assert!(help.contains("Examples:") && help.contains("--state state.json"));
    assert!(help.contains("SI units and radians"), "{help}");
    let help = pliant(&["--help"]).done();
    assert!(help.contains("dynamics"));
    assert_eq!(pliant(&["--version"]).done(), "pliant 0.1.0\n");
}
