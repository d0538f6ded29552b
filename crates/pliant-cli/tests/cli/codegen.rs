//! `pliant codegen`: what it writes, and what it refuses without writing anything.

use super::{pliant_in, root, scratch};
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

fn robot(name: &str) -> String {
    root().join("robots").join(name).to_str().expect("a path").to_owned()
}

fn scenario(name: &str) -> String {
    root().join("scenarios").join(name).to_str().expect("a path").to_owned()
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let name = |entry: std::io::Result<std::fs::DirEntry>| {
        entry.expect("one").file_name().into_string().expect("a name")
    };
    let mut names: Vec<String> = entries.map(name).collect();
    names.sort();
    names
}

#[test]
fn each_language_has_its_files() {
    let folder = scratch("codegen-files");
    let arm = robot("stanford.toml");
    for (lang, files) in [
        ("c", &["CMakeLists.txt", "example.c", "stanford.c", "stanford.h"][..]),
        ("rust", &["Cargo.toml", "examples", "src"][..]),
        ("cuda", &["CMakeLists.txt", "example.cu", "stanford.cuh"][..]),
    ] {
        let run = pliant_in(&folder, &["codegen", &arm, "--lang", lang], "");
        assert!(run.stderr.contains(&format!("wrote stanford_{lang}")), "{}", run.stderr);
        assert!(run.done().contains("forward(q[6], u[6], tau[6], ud[6]): "));
        assert_eq!(names_in(&folder.join(format!("stanford_{lang}"))), files);
    }
    // the same arm, the same bytes; its hash is that of the text that a conversion writes
    let header = || std::fs::read_to_string(folder.join("stanford_c/stanford.h")).expect("there");
    let first = header();
    pliant_in(&folder, &["codegen", &arm, "--force"], "").done();
    assert_eq!(header(), first);
    for part in ["SHA-256", "your own", "-ffp-contract=off", "q[2]", "[m/s, m/s^2, N]"] {
        assert!(first.contains(part), "{part}");
    }
}

#[test]
fn what_cannot_be_held_is_refused_and_leaves_nothing() {
    let folder = scratch("codegen-refused");
    let (arm, elastic) = (robot("stanford.toml"), robot("elastic-two-link.toml"));
    let gauged = scenario("gauged-bar.toml");
    let elastic_reach = scenario("elastic-reach.toml");
    let refusals: [(&[&str], &[&str]); 19] = [
        (&[&arm, "--parameters", "gravity[3]"], &["the arm has no \"gravity[3]\""]),
        (
            &[&elastic, "--parameters", "link.fore.joint.actuator.gear"],
            &["does not change in proportion to", "build an arm for each value"],
        ),
        (&[&arm, "--lanes", "3"], &["no vectors of 3 lanes", "--lanes 1, 2, 4, 8 or 16"]),
        (&[&arm, "--lanes", "8", "--lang", "rust"], &["sources in Rust have no lanes", "--lang c"]),
        (&[&arm, "--what", "composite"], &["an arm file does not have", "give a scenario"]),
        (&[&arm, "--what", "horizon"], &["not generated", "computed-torque"]),
        (&[&gauged, "--what", "estimator"], &["extended filter", "Kalman filter"]),
        (
            &[&gauged, "--what", "composite", "--controller", "x"],
            &["no controller named", "\"law\""],
        ),
        (
            &[&gauged, "--what", "composite", "--parameters", "gravity[2]"],
            &["leave --parameters out"],
        ),
        (&[&arm, "--what", "dance"], &["no such function", "mass-matrix"]),
        (&[&arm, "--frame", "hand"], &["--frame is the frame of a Jacobian"]),
        (&[&arm, "--what", "jacobian", "--frame", "x"], &["no frame named \"x\"", "pliant info"]),
        (&[&elastic, "--what", "computed-torque"], &["spring", "leave computed-torque out"]),
        // what was asked for by its name is no note of all
        (&[&arm, "--what", "all", "--frame", "x"], &["no frame named \"x\"", "pliant info"]),
        (&[&elastic_reach, "--what", "all,composite"], &["is not composite control"]),
        (&[&arm, "--name", ""], &["no letter", "give --name a letter"]),
        (&[&arm, "--name", "\u{43f} 7"], &["no letter"]),
        (&["-", "--what", "all"], &["read only once", "give the file by its name"]),
        (&[&arm, "-o", "-"], &["several files", "name a folder"]),
    ];
    for (arguments, parts) in refusals {
        let refused = pliant_in(&folder, &[&["codegen"], arguments].concat(), "").refused();
        assert!(parts.iter().all(|part| refused.contains(part)), "{arguments:?}: {refused}");
        assert_eq!(names_in(&folder), [""; 0], "{arguments:?}");
    }
    // what exists stays as it is, unless it is forced
    std::fs::create_dir(folder.join("model")).expect("a folder");
    std::fs::write(folder.join("model/stanford.c"), "four years").expect("written");
    let again = ["codegen", &arm, "-o", "model"];
    let refused = pliant_in(&folder, &again, "").refused();
    assert!(
        refused.contains("stanford.c exists already") && refused.contains("--force"),
        "{refused}"
    );
    assert_eq!(names_in(&folder.join("model")), ["stanford.c"]);
    pliant_in(&folder, &[&again[..], &["--force"]].concat(), "").done();
    assert_eq!(names_in(&folder.join("model")).len(), 4);
    assert_eq!(names_in(&folder), ["model"]);
    let refused = pliant_in(&folder, &["codegen", &arm, "-o", "model/stanford.c"], "").refused();
    assert!(refused.contains("is no folder"), "{refused}");
}

/// All that can be had, under a name of one's own; what is left out is told.
#[test]
fn all_is_what_can_be_had() {
    let folder = scratch("codegen-all");
    let elastic = robot("elastic-two-link.toml");
    let asked = ["codegen", &elastic, "--what", "all", "--name", "my Arm 2"];
    let run = pliant_in(&folder, &asked, "");
    for left_out in ["computed-torque: no computed torque", "composite: ", "estimator: "] {
        assert!(run.stderr.contains(&format!("left out: {left_out}")), "{}", run.stderr);
    }
    let said = run.done();
    assert!(said.contains("step_runge_kutta(") && said.contains("jacobian("), "{said}");
    let header = std::fs::read_to_string(folder.join("my_arm_2_c/my_arm_2.h")).expect("a header");
    assert!(header.contains("void my_arm_2_forward(") && header.contains("elastic"));
    let text =
        std::fs::read_to_string(root().join("scenarios/gauged-bar.toml")).expect("a scenario");
    std::fs::write(folder.join("bar.toml"), text.replace("\"extended\"", "\"kalman\""))
        .expect("written");
    let run = pliant_in(&folder, &["codegen", "bar.toml", "--what", "all"], "");
    assert!(!run.stderr.contains("left out"), "{}", run.stderr);
    let said = run.done();
    for function in ["forward(", "composite(", "estimator_start(", "estimator("] {
        assert!(said.contains(function), "{said}");
    }
    let header =
        std::fs::read_to_string(folder.join("gauged_bar_c/gauged_bar.h")).expect("a header");
    for part in [
        "controller \"law\", which acts every 0.001 s",
        "anew every 0.05 s",
        "measured[0] [rad]: encoder \"",
        "measured[1] [1]: strain gauge \"",
        " m from the root of what bends, ",
        "state[0] [rad]: difference of \"",
        "ud_reference (in): their reference accelerations [rad/s^2, m/s^2]",
    ] {
        assert!(header.contains(part), "{part}: {header}");
    }
    // a tick comes after the start at the posture
    let example =
        std::fs::read_to_string(folder.join("gauged_bar_c/example.c")).expect("an example");
    let shown = example.split("static void show_estimator(void)").nth(1).expect("a tick");
    let first = shown.find("gauged_bar_estimator_start(").expect("a start");
    assert!(first < shown.find("gauged_bar_estimator(").expect("a tick"));
}

/// Without a law or an estimator the equations of a scenario are those of its arm, not of a model in
/// which elastic joints are rigid; a controller that is named decides.
#[test]
fn all_of_a_scenario_says_whose_equations_it_has() {
    let folder = scratch("codegen-whose");
    let given = scenario("elastic-reach.toml");
    let run = pliant_in(&folder, &["codegen", &given, "--what", "all"], "");
    let whose = "these are the equations of the arm \"elastic-two-link\"";
    for part in [whose, "left out: composite: the law of", "left out: estimator: the controller"] {
        assert!(run.stderr.contains(part), "{}", run.stderr);
    }
    assert!(run.done().contains("forward(q[4], "));
    let named = ["codegen", &given, "--what", "all", "--controller", "lift", "-o", "model"];
    let run = pliant_in(&folder, &named, "");
    assert!(run.stderr.contains("as the model of the controller \"lift\""), "{}", run.stderr);
    assert!(run.done().contains("forward(q[2], "));
    // each text has a hash of its own: the arm's, the model's, the scenario's
    let hashes = |name: &str| -> Vec<String> {
        let header = std::fs::read_to_string(folder.join(name)).expect("a header");
        let lines = header.lines().filter_map(|line| line.split_once("SHA-256 of the "));
        lines.map(|(_, rest)| rest.to_owned()).collect()
    };
    let arm = hashes("elastic_two_link_c/elastic_two_link.h");
    let model = hashes("model/elastic_two_link.h");
    assert!(arm.len() == 1 && model.len() == 2, "{arm:?} {model:?}");
    assert!(model[0].starts_with("model's") && model[1].starts_with("scenario's"), "{model:?}");
    let number = |line: &str| line.rsplit_once(": ").expect("a hash").1.to_owned();
    assert_ne!(number(&arm[0]), number(&model[0]));
    // nothing follows a plan: the arm alone
    let text = std::fs::read_to_string(&given).expect("a scenario");
    let place = root().join("robots").to_str().expect("a path").replace('\\', "/");
    let start = text.find("[plan]").expect("a plan");
    let alone = text[..start].replace("../robots", &place);
    std::fs::write(folder.join("alone.toml"), PD.replace("SCENARIO", &alone)).expect("written");
    for controller in [&[][..], &["--controller", "hold"]] {
        let asked = ["codegen", "alone.toml", "--what", "all", "-o", "alone", "--force"];
        let run = pliant_in(&folder, &[&asked[..], controller].concat(), "");
        let is_told = run.stderr.contains(whose) && run.stderr.contains("left out: composite: ");
        assert!(is_told, "{}", run.stderr);
        assert!(run.done().contains("forward(q[4], "));
    }
}

const PD: &str = r#"SCENARIO
[[controller]]
kind = "pd"
name = "hold"
period = "1 ms"
[[controller.joint]]
motor = "upper"
sensor = "shoulder"
stiffness = 100
damping = 10
target = { kind = "constant", value = 0 }
"#;

/// Names of others are texts in sources too: these end comments and literals, and begin directives.
#[test]
fn hostile_names_stay_comments() {
    let folder = scratch("codegen-names");
    let arm = "name = 'x */ #error one \" %s ??/ \\'\n\
        [[link]]\nname = \"a*\"\nmass = 1\njoint = { kind = \"revolute\", axis = \"z\" }\n\
        inertia = [1, 1, 1]\nframes = [{ name = '* b \" %s ??' }]\n";
    std::fs::write(folder.join("arm.toml"), arm).expect("written");
    let what = "forward,kinematics,jacobian";
    for (lang, compiler, arguments) in [
        (
            "c",
            "gcc",
            &["-std=c99", "-trigraphs", "-Wall", "-Wextra", "-Wpedantic", "-Werror", "-c"][..],
        ),
        ("cuda", "g++", &["-x", "c++", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]),
    ] {
        let named = ["--parameters", "link.\"a*\".mass,link[0].inertia[2]"];
        let usual = ["codegen", "arm.toml", "--what", what, "--lang", lang];
        let run = pliant_in(&folder, &[&usual[..], &named].concat(), "");
        run.done();
        let place = folder.join(format!("x_error_one_s_{lang}"));
        let header = names_in(&place).into_iter().find(|name| name.contains(".cuh"));
        for file in header
            .map_or(vec!["x_error_one_s.c".to_owned(), "example.c".to_owned()], |own| vec![own])
        {
            let built =
                Command::new(compiler).current_dir(&place).args(arguments).arg(&file).output();
            let Ok(built) = built else {
                let note = format!("hostile_names_stay_comments: skipped: no {compiler}");
                writeln!(std::io::stderr(), "{note}").expect("a place to write");
                continue;
            };
            let said = String::from_utf8_lossy(&built.stderr);
            // a header that is compiled alone says so
            assert!(
                built.status.success() && (said.is_empty() || lang == "cuda"),
                "{file}: {said}"
            );
        }
    }
}
