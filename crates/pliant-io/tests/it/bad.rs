//! Broken files, and what is said about them.
//!
//! Beside each file of `tests/bad` stands what a user reads. `PLIANT_BLESS=1 cargo test -p pliant-io
//! --test it bad::` writes these texts anew; read the difference before you keep it.

use crate::drawn::{changed, draw};
use crate::files;
use pliant_io::{Report, Severity, Source, codes, parse_arm, parse_state};
use std::path::{Path, PathBuf};

/// Characters of a line.
const WIDTH: usize = 100;

/// The broken files, in order.
fn broken() -> Vec<PathBuf> {
    files::listed("crates/pliant-io/tests/bad", &["toml", "json"]).expect("the folder")
}

/// What is wrong with a file: an arm, or a state of a known arm.
fn report(path: &Path) -> Report {
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    let source = Source::new(name, std::fs::read_to_string(path).expect("readable"));
    if path.extension().is_some_and(|extension| extension == "json") {
        let robot = if source.name().contains("limits") { "stanford" } else { "akmehmet-3" };
        let robots = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robots");
        let arm =
            pliant_io::load(robots.join(robot).with_extension("toml")).expect("a good arm").arm;
        return match parse_state(&source, &arm) {
            Ok((_, warnings)) => warnings,
            Err(report) => report,
        };
    }
    match parse_arm(&source) {
        Ok(loaded) => loaded.warnings,
        Err(report) => report,
    }
}

#[test]
fn every_broken_file_says_what_to_mend() {
    let mut differing = Vec::new();
    let files = broken();
    assert!(files.len() >= 80, "{} files", files.len());
    for path in &files {
        let report = report(path);
        let drawn = draw(&report, WIDTH);
        differing.extend(changed(path, &drawn));
        assert!(!report.is_empty(), "{path:?} is accepted");
        let doubtful =
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("warning-"));
        assert_eq!(report.count(Severity::Error) == 0, doubtful, "{path:?}");
        for problem in report.problems() {
            let start = problem.message.chars().next().expect("a message");
            assert!(!start.is_uppercase(), "{}", problem.message);
            assert!(!problem.message.ends_with('.'), "{}", problem.message);
            assert!(problem.help.as_ref().is_some_and(|help| !help.ends_with('.')), "{path:?}");
            assert!(codes::all().any(|code| code == problem.code));
        }
    }
    assert!(differing.is_empty(), "these messages have changed:\n\n{}", differing.join("\n"));
}

/// Every message is of one screen.
#[test]
fn messages_are_short() {
    for path in broken() {
        let drawn = draw(&report(&path), WIDTH);
        assert!(drawn.len() < 10_000, "{path:?}");
        assert!(drawn.lines().all(|line| line.chars().count() <= 160), "{path:?}:\n{drawn}");
    }
}

/// Every code is met by some broken file, or says here why not.
#[test]
fn every_code_is_tried() {
    const ELSEWHERE: &[&str] = &[
        "pliant::file::unreadable",
        "pliant::file::too-large",
        "pliant::file::not-text",
        "pliant::state::singular-mass-matrix",
        // of what is given beside a file
        "pliant::file::setting",
        "pliant::file::parameter",
        // of scenarios
        "pliant::state::outside-stroke",
        "pliant::file::not-yet",
        // of states that are computed, not read
        "pliant::state::large-slope",
        "pliant::state::no-foreshortening",
        "pliant::state::turn-of-first-order",
        // for faults that later versions of the builder may find
        "pliant::arm::refused",
        "pliant::arm::doubtful",
    ];
    let met: Vec<&str> = broken()
        .iter()
        .flat_map(|path| report(path).problems().map(|p| p.code.name).collect::<Vec<_>>())
        .collect();
    let elsewhere =
        ["pliant::urdf::", "pliant::scenario::", "pliant::study::", "pliant::gallery::"];
    let here = |name: &str| !elsewhere.iter().any(|room| name.starts_with(room));
    for code in codes::all().filter(|code| here(code.name)) {
        let expected = !ELSEWHERE.contains(&code.name);
        assert_eq!(met.contains(&code.name), expected, "{}", code.name);
    }
}
