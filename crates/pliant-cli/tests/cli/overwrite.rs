//! Commands that write replace nothing unasked, and nothing but plain files even then.

use super::run::with_pendulum;
use super::{Run, pliant, pliant_in, root};
use std::path::Path;

/// What a user would not like to lose.
const THESIS: &str = "\\documentclass{book} % four years";

/// The same as a page and as a drawing: nothing else is replaced by these.
const PAGE: &str = "<html> four years";
const DRAWING: &str = "<svg> four years";

/// Every option that writes a file: the command before it, the option, a name of the right form.
const OUTPUTS: [(&[&str], &str, &str); 10] = [
    (&["new", "scara"], "--output", "thesis.tex"),
    (&["convert", "ROOT/crates/pliant-io/tests/urdf/good/limits.urdf"], "--output", "thesis.tex"),
    (&["report", "swing-run"], "--output", "thesis.tex"),
    (&["plot", "swing-run", "-c", "bob"], "--output", "thesis.svg"),
    (&["modes", ARM, "--no-convergence"], "--report", "thesis.tex"),
    (&["modes", ARM, "--at", "fore=0..1:2"], "--plot", "thesis.svg"),
    (&["dynamics", ARM, "--at", "fore=0..1:2"], "--plot", "thesis.svg"),
    (&["linearise", ARM, "--points", "3"], "--plot", "thesis.svg"),
    (&["linearise", ARM, "--points", "3"], "--export", "thesis.py"),
    (
        &["eigenvalues", "ROOT/scenarios/sliding-beam.toml", "--instants", "2"],
        "--plot",
        "thesis.svg",
    ),
];

const ARM: &str = "ROOT/robots/king-two-link.toml";

/// A folder with a run in it.
fn with_run(name: &str) -> std::path::PathBuf {
    let folder = with_pendulum(name);
    pliant_in(&folder, &["run", "swing.toml", "--no-report", "-q"], "").done();
    folder
}

/// Runs a command that is to write a file of this name.
fn writes(folder: &Path, command: &[&str], option: &str, name: &str, more: &[&str]) -> Run {
    let root = root().to_string_lossy().into_owned();
    let place = |word: &&str| word.replace("ROOT", &root);
    let words: Vec<String> = command.iter().chain(&[option, name]).chain(more).map(place).collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    pliant_in(folder, &words, "")
}

fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    let mut names: Vec<String> = entries
        .map(|entry| entry.expect("one").file_name().into_string().expect("a name"))
        .collect();
    names.sort();
    names
}

#[test]
fn what_exists_stays_unless_forced() {
    let folder = with_run("overwrite");
    for (command, option, name) in OUTPUTS {
        let file = folder.join(name);
        let thesis = match kind(command, option) {
            "page" => PAGE,
            "drawing" => DRAWING,
            _ => THESIS,
        };
        std::fs::write(&file, thesis).expect("written");
        let before = names_in(&folder);
        let refused = writes(&folder, command, option, name, &[]).refused();
        let expected = [format!("{name} exists already"), "--force".to_owned()];
        assert!(expected.iter().all(|part| refused.contains(part)), "{command:?}: {refused}");
        assert_eq!(std::fs::read_to_string(&file).expect("there"), thesis, "{command:?}");
        writes(&folder, command, option, name, &["--force"]).done();
        assert_ne!(std::fs::read(&file).expect("there"), thesis.as_bytes(), "{command:?}");
        assert_eq!(names_in(&folder), before, "{command:?}");
    }
}

/// What a command writes.
fn kind(command: &[&str], option: &str) -> &'static str {
    match (command[0], option) {
        ("plot", _) | (_, "--plot") => "drawing",
        ("report", _) | (_, "--report") => "page",
        _ => "text",
    }
}

/// By force too, pages replace pages and drawings replace drawings.
#[test]
fn what_is_of_another_kind_stays() {
    let folder = with_run("overwrite-kind");
    for (command, option, name) in OUTPUTS {
        let kind = kind(command, option);
        let others: &[&str] = match kind {
            "page" => &[THESIS, DRAWING],
            "drawing" => &[THESIS, PAGE, "<?xml version=\"1.0\"?><robot/>"],
            _ => &[],
        };
        for other in others {
            std::fs::write(folder.join(name), other).expect("written");
            let refused = writes(&folder, command, option, name, &["--force"]).refused();
            let wanted = format!("{name} is no {kind}, and a {kind} does not replace it");
            assert!(refused.contains(&wanted), "{command:?}: {refused}");
            assert_eq!(std::fs::read_to_string(folder.join(name)).expect("there"), *other);
        }
        // drawings of others and of either form count
        let (svg, png) = (&b"<?xml version=\"1.0\"?>\n<svg/>"[..], &b"\x89PNG\r\n\x1a\n"[..]);
        for drawing in [svg, png].iter().filter(|_| kind == "drawing") {
            std::fs::write(folder.join(name), drawing).expect("written");
            writes(&folder, command, option, name, &["--force"]).done();
        }
    }
}

/// A scenario of one's own in the folder of the results, alone or beside results of another, and the
/// scenario that is run.
#[test]
fn scenarios_of_others_stay() {
    let folder = with_run("overwrite-scenario");
    let own = std::fs::read_to_string(folder.join("swing.toml")).expect("there") + "# mine\n";
    let scenario = folder.join("scenario.toml");
    std::fs::write(&scenario, &own).expect("written");
    let run = |words: &[&str]| pliant_in(&folder, &[words, &["-q"]].concat(), "");
    for beside in [None, Some("summary.json"), Some("result.parquet")] {
        if let Some(name) = beside {
            std::fs::copy(folder.join("swing-run").join(name), folder.join(name)).expect("copied");
        }
        let refused = run(&["run", "swing.toml", "-o", ".", "--force"]).refused();
        assert!(refused.contains("scenario.toml is in the way"), "{beside:?}: {refused}");
        let refused = run(&["run", "scenario.toml", "-o", ".", "--force"]).refused();
        let wanted =
            ["scenario.toml would be replaced by its own results", "another folder with -o"];
        assert!(wanted.iter().all(|part| refused.contains(part)), "{beside:?}: {refused}");
        assert_eq!(std::fs::read_to_string(&scenario).expect("there"), own);
    }
    // nor is that of a run replaced by the run itself, whatever was changed
    let refused = run(&["run", "swing-run/scenario.toml", "-o", "swing-run", "--force"]).refused();
    assert!(refused.contains("would be replaced by its own results"), "{refused}");
    run(&["run", "swing.toml", "--force"]).done();
}

#[cfg(unix)]
#[test]
fn a_link_to_no_folder_is_told() {
    let folder = with_pendulum("overwrite-dangling");
    std::os::unix::fs::symlink("gone", folder.join("out")).expect("a link");
    for more in [&[][..], &["--force"], &["--continue"]] {
        let words = [&["run", "swing.toml", "-o", "out"], more].concat();
        let refused = pliant_in(&folder, &words, "").refused();
        let wanted = "out is in the way: it is a symbolic link to a folder that does not exist";
        assert!(refused.contains(wanted), "{more:?}: {refused}");
    }
    assert!(!folder.join("gone").exists());
}

#[cfg(unix)]
#[test]
fn what_is_no_plain_file_stays() {
    let folder = with_run("overwrite-special");
    std::fs::write(folder.join("thesis"), THESIS).expect("written");
    for (command, option, name) in OUTPUTS {
        let at = folder.join(name);
        for kind in ["a symbolic link", "a folder", "a device, a pipe or a socket"] {
            match kind {
                "a folder" => std::fs::create_dir(&at).expect("a folder"),
                "a symbolic link" => std::os::unix::fs::symlink("thesis", &at).expect("a link"),
                _ => {
                    let made = std::process::Command::new("mkfifo").arg(&at).status();
                    assert!(made.expect("mkfifo").success());
                }
            }
            let refused = writes(&folder, command, option, name, &["--force"]).refused();
            assert!(refused.contains(&format!("{name} is {kind}")), "{command:?}: {refused}");
            if kind == "a folder" {
                std::fs::remove_dir(&at).expect("still a folder");
            } else {
                std::fs::remove_file(&at).expect("still there");
            }
        }
    }
    assert_eq!(std::fs::read_to_string(folder.join("thesis")).expect("there"), THESIS);
}

/// The temporary name that earlier versions opened led through a link to another file.
#[cfg(unix)]
#[test]
fn a_link_of_a_temporary_name_is_not_followed() {
    let folder = with_run("overwrite-partial");
    std::fs::write(folder.join("thesis.tex"), THESIS).expect("written");
    let link = |name: &str| {
        std::os::unix::fs::symlink("thesis.tex", folder.join(name)).expect("a link");
    };
    link("page.html.partial");
    writes(&folder, &["report", "swing-run"], "--output", "page.html", &[]).done();
    link("arm.toml.partial");
    writes(&folder, &["new", "scara"], "--output", "arm.toml", &[]).done();
    std::fs::create_dir(folder.join("linked")).expect("a folder");
    std::os::unix::fs::symlink("../thesis.tex", folder.join("linked/result.parquet.partial"))
        .expect("a link");
    let run = pliant_in(&folder, &["run", "swing.toml", "-o", "linked", "--force"], "");
    assert!(run.refused().contains("result.parquet.partial is in the way: it is a symbolic link"));
    assert_eq!(std::fs::read_to_string(folder.join("thesis.tex")).expect("there"), THESIS);
}

/// Folders on the way may be links.
#[cfg(unix)]
#[test]
fn linked_folders_are_fine() {
    let folder = with_pendulum("overwrite-linked");
    std::fs::create_dir(folder.join("disk")).expect("a folder");
    std::os::unix::fs::symlink("disk", folder.join("results")).expect("a link");
    pliant_in(&folder, &["run", "swing.toml", "-o", "results/one", "-q"], "").done();
    pliant_in(&folder, &["run", "swing.toml", "-o", "results/one", "-q", "--force"], "").done();
    pliant_in(&folder, &["plot", "results/one", "-o", "results/one.svg"], "").done();
    assert!(folder.join("disk/one/result.parquet").is_file());
    assert!(folder.join("disk/one.svg").is_file());
}

/// The list above has every option of every command that writes a file.
#[test]
fn the_list_is_complete() {
    let help = pliant(&["--help"]).done();
    let commands = help.split("Commands:").nth(1).and_then(|rest| rest.split("Options:").next());
    let commands = commands.expect("a list").lines().filter_map(|line| {
        line.strip_prefix("  ")
            .filter(|rest| !rest.starts_with(' '))
            .and_then(|rest| rest.split(' ').next())
    });
    let mut found = 0;
    for command in commands.filter(|command| *command != "help") {
        let help = pliant(&[command, "--help"]).done();
        let options = help.lines().filter(|line| line.trim_start().starts_with('-'));
        for line in options.filter(|line| line.contains("<FILE>")) {
            let option = line.split("--").nth(1).and_then(|rest| rest.split(' ').next());
            let option = format!("--{}", option.expect("a name"));
            if (command, option.as_str()) == ("new", "--arm") {
                continue; // which is read
            }
            let known =
                |(own, name, _): &(&[&str], &str, &str)| own[0] == command && *name == option;
            assert!(OUTPUTS.iter().any(known), "{command} {option}");
            assert!(help.contains("--force"), "{command}");
            found += 1;
        }
    }
    assert_eq!(found, OUTPUTS.len());
}
