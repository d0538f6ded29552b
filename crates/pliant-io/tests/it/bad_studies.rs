//! Broken studies, and what is said about them.
//!
//! Beside each file of `tests/bad-studies` stands what a user reads. `PLIANT_BLESS=1 cargo test -p
//! pliant-io --test it bad_studies` writes these texts anew; read the difference before you keep it.

use crate::drawn::{changed, draw};
use crate::files;
use pliant_io::study::Study;
use pliant_io::{Severity, Source, codes};
use std::path::Path;

#[test]
fn every_broken_study_says_what_to_mend() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/bad-studies");
    let files = files::listed("crates/pliant-io/tests/bad-studies", &["toml"]).expect("the folder");
    assert!(files.len() >= 15, "{} files", files.len());
    let (mut differing, mut met) = (Vec::new(), Vec::new());
    for path in &files {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let source = Source::new(name, std::fs::read_to_string(path).expect("readable"));
        let Err(report) = Study::parse(&source, &folder.join("scenario"), &[]) else {
            panic!("{} is accepted", path.display());
        };
        // without the place of this repository
        let place = format!("{}/", folder.join("scenario").display());
        differing.extend(changed(path, &draw(&report, 400).replace(&place, "")));
        assert!(report.count(Severity::Error) > 0, "{path:?}");
        for problem in report.problems() {
            met.push(problem.code.name);
            assert!(!problem.message.ends_with('.'), "{}", problem.message);
            assert!(problem.help.as_ref().is_some_and(|help| !help.ends_with('.')), "{path:?}");
        }
    }
    assert!(differing.is_empty(), "these messages have changed:\n\n{}", differing.join("\n"));
    for code in codes::all().filter(|code| code.name.starts_with("pliant::study::")) {
        assert!(met.contains(&code.name), "{}", code.name);
    }
}
