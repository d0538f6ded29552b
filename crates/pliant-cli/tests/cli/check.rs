//! `pliant check`.

use super::{pliant, pliant_in, scratch};

#[test]
fn all_robots_pass() {
    let paths = super::files::listed("robots", &["toml"]).expect("the robots");
    let names: Vec<String> = paths
        .iter()
        .map(|path| format!("robots/{}", path.file_name().expect("a name").to_string_lossy()))
        .collect();
    let arguments: Vec<&str> =
        std::iter::once("check").chain(names.iter().map(String::as_str)).collect();
    let run = pliant(&arguments);
    // King's links bend in modes of a free tip, whatever they carry
    let warnings = run.stderr.lines().filter(|line| line.starts_with("warning: "));
    let warnings: Vec<&str> = warnings.collect();
    assert!(
        warnings.len() == 2
            && warnings
                .iter()
                .all(|line| line.contains("robots/king-") && line.contains("free-tip")),
        "{warnings:?}"
    );
    let said = run.done();
    assert_eq!(said.lines().count(), names.len());
    assert!(said.lines().all(|line| line.contains(": ok, ")), "{said}");
    assert!(said.contains("robots/akmehmet-3.toml: ok, 3 links, 3 degrees of freedom, 8 kg\n"));
}

#[test]
fn faults_are_drawn_and_counted() {
    let folder = scratch("check");
    let bad = "[[link]]\nname = \"a\"\nmass = \"2 mm\"\njoint = \"revolt\"\n";
    std::fs::write(folder.join("bad.toml"), bad).expect("written");
    let message = pliant_in(&folder, &["check", "bad.toml"], "").refused();
    for wanted in [
        "pliant::file::wrong-unit",
        "bad.toml:3:8",
        "did you mean \"revolute\"?",
        "error: 2 errors in bad.toml",
        "pliant explain",
    ] {
        assert!(message.contains(wanted), "{wanted} is not in\n{message}");
    }
    // nothing but plain text when nobody watches
    assert!(!message.contains('\u{1b}'));
}

#[test]
fn warnings_do_not_fail() {
    let folder = scratch("doubt");
    let idle = "[[link]]\nname = \"a\"\njoint = \"revolute\"\n";
    std::fs::write(folder.join("idle.toml"), idle).expect("written");
    let run = pliant_in(&folder, &["check", "idle.toml"], "");
    assert!(run.stderr.contains("warning: 1 warning in idle.toml"), "{}", run.stderr);
    assert_eq!(run.done(), "idle.toml: ok, 1 link, 1 degree of freedom, 0 kg, 1 warning\n");
    let quiet = pliant_in(&folder, &["check", "idle.toml", "-q"], "");
    assert_eq!(quiet.stderr, "");
}

#[test]
fn the_rest_is_checked_too() {
    let folder = scratch("several");
    std::fs::write(folder.join("good.toml"), "[[link]]\nname = \"a\"\n").expect("written");
    std::fs::write(folder.join("bad.toml"), "[[link]]\n").expect("written");
    let run = pliant_in(&folder, &["check", "none.toml", "bad.toml", "good.toml"], "");
    assert_eq!(run.code, Some(1));
    assert!(run.stdout.starts_with("good.toml: ok"));
    assert!(
        run.stderr.contains("none.toml") && run.stderr.contains("has no name"),
        "{}",
        run.stderr
    );
    let piped = pliant_in(&folder, &["check", "-"], "[[link]]\nname = \"a\"\n").done();
    assert!(piped.starts_with("-: ok"), "{piped}");
}

/// Entries of galleries: their runs are made ready, and their faults told by line.
#[test]
fn entries_are_checked() {
    let said = pliant(&["check", "gallery/king-3-2-frequencies/entry.toml"]).done();
    assert!(said.starts_with("gallery/king-3-2-frequencies/entry.toml: ok, King, "), "{said}");
    for words in [" tables, ", " printed), 1 claim, 1 figure"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    for option in [&["--beam"][..], &["--set", "quick=true"]] {
        let run = [&["check", "gallery/king-3-2-frequencies/entry.toml"], option].concat();
        let refused = pliant(&run).refused();
        let words = format!("is an entry of a gallery, and {} is not for it", option[0]);
        assert!(refused.contains(&words), "{refused}");
    }
    let folder = scratch("entries");
    pliant_in(&folder, &["gallery", "king-3-2-frequencies", "--copy", "mine"], "").done();
    let path = folder.join("mine/entry.toml");
    let text = std::fs::read_to_string(&path).expect("an entry");
    for (old, new, words) in [
        ("place = ", "plaice = ", "did you mean place?"),
        ("posture.toml", "posturs.toml", "posturs.toml"),
    ] {
        assert!(text.contains(old), "{old}");
        std::fs::write(&path, text.replacen(old, new, 1)).expect("written");
        let refused = pliant_in(&folder, &["check", "mine/entry.toml"], "").refused();
        assert!(refused.contains(words), "{refused}");
    }
    std::fs::write(&path, text).expect("written");
    let refused = pliant_in(&folder, &["run", "mine/entry.toml"], "").refused();
    assert!(refused.contains("entry of a gallery") && refused.contains("--from"), "{refused}");
    let schema = pliant(&["schema", "entry"]).done();
    assert!(schema.contains("\"title\": \"pliant entry\""), "{schema:.200}");
}

#[test]
fn help_shows_examples() {
    assert!(pliant(&["check", "--help"]).done().contains("Examples:"));
    assert!(pliant(&["check"]).refused().contains("<FILE>"));
}

/// A note of a former word comes before the error, but the error is what is to be mended.
#[test]
fn the_last_line_explains_the_first_error() {
    let folder = scratch("first-error");
    let last = |young: &str| {
        let arm = format!(
            "[[link]]\nname = \"bar\"\njoint = \"revolute\"\nlength = \"1 m\"\n\
             bends = {{ y = 1, stiffening = false }}\n\
             section = {{ kind = \"round\", radius = \"5 mm\" }}\n\
             material = {{ young = {young}, shear = \"26 GPa\", density = \"2700 kg/m^3\" }}\n"
        );
        std::fs::write(folder.join("bar.toml"), arm).expect("written");
        let said = pliant_in(&folder, &["check", "bar.toml"], "").stderr;
        said.lines().last().unwrap_or_default().to_owned()
    };
    let noted = last("\"69 GPa\"");
    assert!(noted.ends_with("pliant explain pliant::file::renamed"), "{noted}");
    let wrong = last("\"69 kg\"");
    assert!(wrong.starts_with("error: 1 error and 1 warning"), "{wrong}");
    assert!(wrong.ends_with("pliant explain pliant::file::wrong-unit"), "{wrong}");
}
