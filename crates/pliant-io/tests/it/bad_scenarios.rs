//! Broken scenarios, and what is said about them.
//!
//! Beside each file of `tests/bad-scenarios` stands what a user reads. `PLIANT_BLESS=1 cargo test
//! -p pliant-io --test it bad_scenarios` writes these texts anew; read the difference before you
//! keep it.

use crate::drawn::{changed, draw};
use crate::files;
use pliant_io::scenario::{Overrides, parse};
use pliant_io::{Report, Severity, Source, codes};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad-scenarios")
}

/// The broken files, in order.
fn broken() -> Vec<PathBuf> {
    files::listed("crates/pliant-io/tests/bad-scenarios", &["toml"]).expect("the folder")
}

fn report(path: &Path) -> Report {
    let name = path.file_name().expect("a name").to_string_lossy().into_owned();
    let source = Source::new(name, std::fs::read_to_string(path).expect("readable"));
    match parse(&source, &folder().join("arm"), &Overrides::default()) {
        Ok(_) => panic!("{} is accepted", path.display()),
        Err(report) => report,
    }
}

#[test]
fn every_broken_scenario_says_what_to_mend() {
    let mut differing = Vec::new();
    let files = broken();
    assert!(files.len() >= 20, "{} files", files.len());
    let mut met = Vec::new();
    for path in &files {
        let report = report(path);
        // without the place of this repository, nor breaks that it would move
        let arms = format!("{}/", folder().join("arm").display());
        let drawn = draw(&report, 400).replace(&arms, "");
        differing.extend(changed(path, &drawn));
        assert!(report.count(Severity::Error) > 0, "{path:?}");
        for problem in report.problems() {
            met.push(problem.code.name);
            assert!(!problem.message.ends_with('.'), "{}", problem.message);
            assert!(problem.help.as_ref().is_some_and(|help| !help.ends_with('.')), "{path:?}");
        }
    }
    assert!(differing.is_empty(), "these messages have changed:\n\n{}", differing.join("\n"));
    for code in codes::all().filter(|code| code.name.starts_with("pliant::scenario::")) {
        // for faults that later versions of the core may find, and for loops, which are looked at
        // only once nothing else is wrong
        let expected = code != &codes::CANNOT_RUN && code != &codes::LOOP;
        assert_eq!(met.contains(&code.name), expected, "{}", code.name);
    }
}
