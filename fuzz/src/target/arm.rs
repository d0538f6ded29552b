//! Arm files.

use super::{Verdict, draw, evaluate, refused, texts};
use crate::random::{Random, hash};
use pliant_io::{Source, parse_arm, write_arm_with};

const FOLDERS: [&str; 3] = ["robots", "crates/pliant-cli/templates", "crates/pliant-io/tests/bad"];

pub(super) fn seeds() -> Result<Vec<String>, String> {
    let mut seeds = Vec::new();
    for folder in FOLDERS {
        seeds.extend(texts(folder, "toml")?.into_iter().map(|(_, text)| text));
    }
    seeds.retain(|text| text.len() < 8000);
    Ok(seeds)
}

pub(super) fn run(input: &str, is_thorough: bool) -> Verdict {
    let loaded = match parse_arm(&Source::new("arm.toml", input)) {
        Ok(loaded) => loaded,
        Err(report) => return refused(&report),
    };
    let number = hash(input.as_bytes());
    draw(&loaded.warnings, input);
    evaluate(&loaded.arm, &mut Random::new(number));
    if is_thorough || number.is_multiple_of(4) {
        let (written, nv) =
            (write_arm_with(&loaded.description, &loaded.variants), loaded.arm.nv());
        drop(loaded);
        match parse_arm(&Source::new("written.toml", written.as_str())) {
            Ok(again) => assert_eq!(again.arm.nv(), nv, "another arm is written"),
            Err(report) => panic!("an arm is written as a file that is refused: {report}"),
        }
    }
    Verdict::Accepted
}
