//! `pliant new`.

use super::{pliant, pliant_in, scratch};

const TEMPLATES: [&str; 6] = ["two-link", "six-axis", "scara", "satellite", "flexible", "boom"];

/// What a new user tries first.
#[test]
fn new_check_info_dynamics() {
    let folder = scratch("new");
    for template in TEMPLATES {
        let file = format!("{template}.toml");
        let run = pliant_in(&folder, &["new", template], "");
        assert!(run.stderr.contains(&format!("wrote {file}")), "{}", run.stderr);
        assert_eq!(run.done(), "");
        let check = pliant_in(&folder, &["check", &file], "");
        assert_eq!(check.stderr, "");
        assert!(check.done().starts_with(&format!("{file}: ok, ")));
        assert!(pliant_in(&folder, &["info", &file], "").done().contains("coordinates:"));
        assert!(pliant_in(&folder, &["dynamics", &file], "").done().contains("mass matrix"));
    }
}

/// Templates that bend are stiff arms: a few hertz, a sag of few per cent of their length.
#[test]
fn templates_that_bend_are_stiff() {
    let folder = scratch("stiff");
    for (template, length) in [("flexible", 2.4), ("boom", 6.0)] {
        pliant_in(&folder, &["new", template], "").done();
        let file = format!("{template}.toml");
        let all = ["modes", &file, "--format", "json", "--no-convergence"];
        let text = pliant_in(&folder, &all, "").done();
        let found: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let hertz = found["modes"][0]["frequency_hz"].as_f64().expect("a number");
        let tip = found["deflection"].as_array().and_then(|all| all.last()).expect("a tip");
        let parts = tip["world"].as_array().expect("three numbers").iter();
        let sag = parts.filter_map(serde_json::Value::as_f64).map(|x| x * x).sum::<f64>().sqrt();
        assert!((2.0..8.0).contains(&hertz), "{template}: {hertz} Hz");
        assert!(sag > 1e-3 * length && sag < 0.02 * length, "{template}: {sag} m");
    }
}

/// The plan and the controller of a template, and the other laws that its comments name.
#[test]
fn a_scenario_that_is_controlled() {
    let folder = scratch("track");
    pliant_in(&folder, &["new", "track", "-o", "mine.toml"], "").done();
    let run = |file: &str| {
        let checked = pliant_in(&folder, &["check", file], "");
        assert_eq!(checked.stderr, "");
        checked.done();
        let all = ["run", file, "--duration", "1.6 s", "--force", "--no-report"];
        let text = pliant_in(&folder, &all, "").done();
        assert!(text.contains(": done; 1.6 s simulated") && text.contains("settled"), "{text}");
    };
    run("mine.toml");
    let all = ["linearise", "mine.toml", "--output", "shaft,gauge", "--points", "3"];
    assert!(pliant_in(&folder, &all, "").done().contains("gauge [1]"));
    let text = std::fs::read_to_string(folder.join("mine.toml")).expect("written");
    let plain = text.replace("\nshaper =", "\n# shaper =");
    assert_ne!(plain, text);
    let parabolic = plain.replace("# profile =", "profile =");
    std::fs::write(folder.join("parabolic.toml"), parabolic).expect("written");
    run("parabolic.toml");
    for kind in ["computed-torque", "decoupling", "composite", "pseudolink"] {
        let observed = "sensors = [\"shaft\", \"gauge\"]\nestimator = { kind = \"extended\" }";
        let other = plain
            .replace("kind = \"gravity-pd\"", &format!("kind = \"{kind}\""))
            .replace("stiffness = \"200 N m/rad\"\n", "stiffness = 100\n")
            .replace("damping = \"20 N m s/rad\"\n", "damping = 20\n")
            .replace("\nsensors = [\"shaft\"]\n", &format!("\n{observed}\n"));
        assert_ne!(other, plain);
        std::fs::write(folder.join("other.toml"), other).expect("written");
        run("other.toml");
    }
}

/// The commands in the comments of the templates work as they stand there.
#[test]
fn the_commands_in_the_comments_work() {
    let folder = scratch("comments");
    for template in TEMPLATES {
        pliant_in(&folder, &["new", template], "").done();
        let text =
            std::fs::read_to_string(folder.join(format!("{template}.toml"))).expect("written");
        let commands: Vec<&str> =
            text.lines().filter_map(|line| line.strip_prefix("#   pliant ")).collect();
        assert!(commands.len() >= 3, "{text}");
        for command in commands {
            let (words, state) = command.split_once(" --state '").unwrap_or((command, ""));
            // two spaces end the command; what follows says what it does
            let words = words.split("  ").next().unwrap_or(words);
            let mut arguments: Vec<&str> = words.split(' ').collect();
            if !state.is_empty() {
                arguments.extend(["--state", state.trim_end_matches('\'')]);
            }
            pliant_in(&folder, &arguments, "").done();
        }
    }
}

/// Every key that the comments offer can be switched on.
#[test]
fn the_comments_of_the_templates_are_true() {
    assert!(switched_on("two-link") >= 7);
    assert!(switched_on("flexible") >= 7);
}

/// How many keys a template's comments offer, each tried.
fn switched_on(template: &str) -> usize {
    let folder = scratch(&format!("switched-{template}"));
    let text = pliant(&["new", template, "-o", "-"]).done();
    let mut tried = 0;
    for (i, line) in text.lines().enumerate() {
        let Some(offer) = line.strip_prefix("# ").filter(|offer| offer.contains(" = ")) else {
            continue;
        };
        let key = offer.split(" = ").next().unwrap_or_default();
        if !key.chars().all(|c| c.is_ascii_lowercase()) {
            continue;
        }
        let mut lines: Vec<&str> = text.lines().collect();
        lines[i] = offer;
        if key == "placement" {
            // it is offered instead of the one above
            lines[i - 1] = "";
        }
        if key == "material" {
            // it is offered instead of the one below
            for line in &mut lines[i + 1..] {
                if line.starts_with("material = ") {
                    *line = "";
                    break;
                }
            }
        }
        if key == "rest" {
            // it belongs to the spring above
            lines[i - 1] = lines[i - 1].trim_start_matches("# ");
        }
        std::fs::write(folder.join("arm.toml"), lines.join("\n")).expect("written");
        pliant_in(&folder, &["check", "arm.toml"], "").done();
        tried += 1;
    }
    tried
}

#[test]
fn files_are_not_overwritten_by_accident() {
    let folder = scratch("overwrite");
    let new = |arguments: &[&str]| pliant_in(&folder, &[&["new"], arguments].concat(), "");
    new(&["-o", "arm.toml"]).done();
    let refused = new(&["scara", "-o", "arm.toml"]).refused();
    assert!(refused.contains("arm.toml exists already") && refused.contains("--force"));
    let text = || std::fs::read_to_string(folder.join("arm.toml")).expect("written");
    // the arm is called like its file
    assert!(text().contains("name = \"arm\"") && text().contains("pliant check arm.toml"));
    new(&["scara", "-o", "arm.toml", "--force", "--quiet"]).done();
    assert!(text().contains("spindle"));
    assert!(new(&["-o", "nowhere/arm.toml"]).refused().contains("cannot be written"));
}

#[test]
fn help_lists_the_templates() {
    let help = pliant(&["new", "--help"]).done();
    assert!(TEMPLATES.iter().all(|template| help.contains(template)), "{help}");
    assert!(help.contains("Examples:"));
    let refused = pliant(&["new", "two-links"]).refused();
    assert!(refused.contains("two-link"), "{refused}");
}

/// A motion of every ready arm whose joints motors can drive: it is checked without a word, and the
/// joints of a rigid and of a flexible one come to rest at its end.
#[test]
fn a_motion_of_ones_own_arm() {
    let folder = scratch("motion");
    let robots = super::files::listed("robots", &["toml"]).expect("robots");
    let mut moved = 0;
    for robot in robots {
        let name = robot.file_stem().expect("a name").to_string_lossy().into_owned();
        let file = format!("{name}.toml");
        std::fs::copy(&robot, folder.join(&file)).expect("a copy");
        let motion = format!("{name}-motion.toml");
        let run = pliant_in(&folder, &["new", "motion", "--arm", &file, "-o", &motion], "");
        if run.code != Some(0) {
            let words = run.refused();
            assert!(words.contains("no joint of one coordinate"), "{name}: {words}");
            continue;
        }
        moved += 1;
        let text = std::fs::read_to_string(folder.join(&motion)).expect("written");
        assert!(text.contains(&format!("arm = \"{file}\"")), "{text}");
        let checked = pliant_in(&folder, &["check", &motion], "");
        assert!(!checked.stderr.contains("unstable"), "{name}: {}", checked.stderr);
        checked.done();
    }
    assert!(moved >= 10, "{moved}");
    for name in ["ur5", "carbon-fibre-arm"] {
        let motion = format!("{name}-motion.toml");
        let text = pliant_in(&folder, &["run", &motion, "--no-report"], "").done();
        assert!(text.contains(": done;") && text.contains("settled"), "{text}");
    }
    let refused = pliant_in(&folder, &["new", "motion"], "");
    assert!(refused.code == Some(1) && refused.stderr.contains("--arm"), "{}", refused.stderr);
    let refused = pliant_in(&folder, &["new", "motion", "--arm", "ur5-motion.toml"], "").refused();
    assert!(refused.contains("is a scenario already"), "{refused}");
    // another law is advised where it is possible
    for (name, is_advised) in [("ur5", true), ("elastic-two-link", false)] {
        let text = std::fs::read_to_string(folder.join(format!("{name}-motion.toml")));
        assert_eq!(text.expect("written").contains("kind=composite -o"), is_advised, "{name}");
    }
    let refused = pliant_in(&folder, &["new", "swing", "--arm", "ur5.toml"], "").refused();
    assert!(refused.contains("pliant new motion --arm"), "{refused}");
}
