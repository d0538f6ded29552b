//! `pliant convert`.

use super::{pliant, pliant_in, root, scratch};
use serde_json::Value;

fn dynamics(arm: &str) -> Value {
    let arguments =
        ["dynamics", arm, "--format", "json", "-q", "--only", "mass_matrix,gravity,frames"];
    serde_json::from_str(&pliant(&arguments).done()).expect("JSON")
}

fn urdf(name: &str) -> String {
    root().join("crates/pliant-io/tests/urdf/good").join(name).to_str().expect("a path").to_owned()
}

/// The same but for rounding.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => {
            let [a, b] = [a, b].map(|x| x.as_f64().expect("a number"));
            (a - b).abs() < 1e-13 * (1.0 + a.abs())
        }
        (Value::Array(a), Value::Array(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
        }
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        _ => a == b,
    }
}

#[test]
fn the_arm_file_is_the_same_robot() {
    let folder = scratch("convert");
    for name in ["fixed_tree", "inertial_rotated", "limits", "planar_upright", "floating"] {
        let robot = urdf(&format!("{name}.urdf"));
        let run = pliant_in(&folder, &["convert", &robot], "");
        assert!(run.stderr.contains(&format!("wrote {name}.toml")), "{}", run.stderr);
        run.done();
        let written = folder.join(format!("{name}.toml"));
        let written = written.to_str().expect("a path");
        pliant(&["check", written]).done();
        assert!(same(&dynamics(&robot), &dynamics(written)), "{name}");
    }
}

#[test]
fn files_are_not_overwritten_by_accident() {
    let folder = scratch("convert-twice");
    let robot = urdf("limits.urdf");
    let convert = |more: &[&str]| pliant_in(&folder, &[&["convert", &robot], more].concat(), "");
    convert(&[]).done();
    assert!(convert(&[]).refused().contains("limits.toml exists already"));
    convert(&["--force"]).done();
    let printed = convert(&["-o", "-"]).done();
    let written = std::fs::read_to_string(folder.join("limits.toml")).expect("written");
    assert_eq!(printed, written);
}

#[test]
fn links_are_merged_and_bases_set_free() {
    let robot = urdf("fixed_tree.urdf");
    let links = |text: &str| text.matches("[[link]]").count();
    let kept = pliant(&["convert", &robot, "-o", "-", "-q"]).done();
    let merged = pliant(&["convert", &robot, "-o", "-", "-q", "--merge-fixed"]).done();
    assert!(links(&merged) < links(&kept));
    let free = pliant(&["convert", &robot, "-o", "-", "-q", "--floating"]).done();
    assert!(free.contains("\"free\"") && !kept.contains("\"free\""), "{free}");
}

#[test]
fn what_is_no_urdf_is_refused() {
    let refused = pliant(&["convert", "robots/ur5.toml", "-o", "-"]).refused();
    assert!(refused.contains("robots/ur5.toml already is an arm file"), "{refused}");
    let piped = pliant_in(&root(), &["convert", "-"], "name = \"a\"\n").refused();
    assert!(piped.contains("this is not XML"), "{piped}");
    assert!(pliant(&["convert", "none.urdf"]).refused().contains("no such file"));
    assert!(pliant(&["convert", "--help"]).done().contains("Examples:"));
}

#[test]
fn a_link_called_ground_gets_another_name() {
    let robot = "<robot name=\"r\"><link name=\"ground\"/></robot>";
    let run = pliant_in(&root(), &["convert", "-"], robot);
    assert!(run.stderr.contains("\"ground\" is renamed \"ground_link\""), "{}", run.stderr);
    assert!(run.done().contains("name = \"ground_link\""));
    let other = pliant(&["convert", &urdf("limits.urdf"), "-o", "-"]);
    assert!(!other.stderr.contains("is renamed"), "{}", other.stderr);
}

#[test]
fn robots_come_through_pipes() {
    let text = std::fs::read_to_string(urdf("fixed_tree.urdf")).expect("a file of the tests");
    let arm = pliant_in(&root(), &["convert", "-", "-q"], &text).done();
    let info = pliant_in(&root(), &["info", "-"], &arm).done();
    assert!(info.contains("fixed-tree"), "{info}");
    // and without a detour
    assert_eq!(pliant_in(&root(), &["info", "-", "-q"], &text).done(), info);
}

#[test]
fn broken_robots_are_drawn_by_every_command() {
    let file = "crates/pliant-io/tests/urdf/bad/unknown_link.urdf";
    for command in ["convert", "check", "info", "dynamics"] {
        let said = pliant(&[command, file]).refused();
        assert!(said.contains("help: did you mean \"base\"?"), "{said}");
        assert!(said.contains("<parent link=\"bsae\"/>"), "{said}");
        assert!(said.contains("pliant explain pliant::urdf::unknown-link"), "{said}");
    }
    let page = pliant(&["explain", "unknown-link"]).done();
    assert!(page.contains("<parent>"), "{page}");
}

/// An entry of the mass matrix, by the names of two joints.
fn entry(told: &Value, row: &str, column: &str) -> f64 {
    let names = told["coordinates"].as_array().expect("names");
    let at = |name: &str| names.iter().position(|one| one == name).expect("a joint");
    told["mass_matrix"][at(row)][at(column)].as_f64().expect("a number")
}

#[test]
fn links_bend_and_the_robot_stays() {
    let folder = scratch("convert-bend");
    let robot = urdf("ur5.urdf");
    let more = ["--bend", "upper_arm_link", "--section", "tube 100x3 mm", "--bend", "forearm_link"];
    let beam = ["--section", "tube 90x2 mm", "--material", "aluminium", "-o", "bent.toml"];
    let run = pliant_in(&folder, &[&["convert", &robot][..], &more, &beam].concat(), "");
    assert!(
        run.stderr.contains("forearm_link bends over 0.39225 m: 0.587753 kg of 2.33 kg; 0.5402")
    );
    run.done();
    let written = folder.join("bent.toml");
    let text = std::fs::read_to_string(&written).expect("written");
    for line in [
        "# From ur5.urdf.",
        "#   forearm_link bends over 0.39225 m: 0.587753 kg of 2.33 kg;\n",
        "total_mass = 17.0489\n",
        "length = 0.39225\nroot = { position = [0, 0, 0.0265], ",
        "section = { kind = \"tube\", diameter = 0.09, wall = 0.002 }\nmaterial = \"aluminium\"\n",
        "payload = { mass = 1.20196043468, position = [-0.0337016815685, 0, 0], inertia = [0.0021",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    let (rigid, bent) = (dynamics(&robot), dynamics(written.to_str().expect("a path")));
    let joints = ["shoulder_pan_joint", "shoulder_lift_joint", "elbow_joint", "wrist_3_joint"];
    for (a, b) in joints.iter().flat_map(|a| joints.iter().map(move |b| (a, b))) {
        let [was, is] = [&rigid, &bent].map(|told| entry(told, a, b));
        assert!((was - is).abs() < 1e-9, "{a}, {b}: {was}, {is}");
    }
    assert!(same(&rigid["frames"]["tool0"], &bent["frames"]["tool0"]));
}

#[test]
fn beams_that_do_not_fit_are_refused() {
    let robot = urdf("ur5.urdf");
    let convert = |more: &str| {
        let more = more.split('|');
        pliant(&["convert", &robot, "-o", "-"].into_iter().chain(more).collect::<Vec<_>>())
    };
    let beam = |more: &str| convert(&format!("--bend|forearm_link|--material|aluminium|{more}"));
    for (more, said) in [
        ("--section|tube 100x30 mm", "weighs 7.01296 kg, and the link only 2.33 kg"),
        (
            "--section|tube 120x5 mm",
            "would keep 0.409785 kg with the principal moments -0.00216671",
        ),
        ("--section|tube 120x5 mm", "with --fit-density 65.9 % of its density"),
        ("--section|tube 100x3", "has no unit"),
        ("--section|tube 90x2 mm|--to|tool0", "no link of --bend carries"),
        ("--section|tube 90x2 mm|--along|w", "expected x, y, z, or three numbers"),
        ("--section|tube 90x2 mm|--length|0 m", "would be 0 m long"),
        ("--section|tube 90x2 mm|--section|round 9 mm", "--section is given 2 times for 1 links"),
        ("--section|tube 90x2 mm|--shapes|y = 2, w = 1", "w"),
    ] {
        let told = beam(more);
        assert!(told.code == Some(1) || told.code == Some(2), "{more}");
        // one line, whatever the width
        let words: Vec<&str> = told.stderr.split_whitespace().collect();
        assert!(words.join(" ").contains(said), "{more}: {}", told.stderr);
    }
    let scaled = beam("--section|tube 120x5 mm|--fit-density").done();
    assert!(scaled.contains("density = 1786.703"), "{scaled}");
    let lone = convert("--bend|forearm_link|--section|tube 90x2 mm").refused();
    assert!(lone.contains("add --material aluminium"), "{lone}");
    let unknown = convert("--bend|forearm|--section|tube 90x2 mm|--material|steel").refused();
    assert!(unknown.contains("did you mean \"forearm_link\"?"), "{unknown}");
}
