//! The reference cases: numbers from derivations that share no code with pliant.
//!
//! `cargo test --release -p pliant --test cases` runs the files of `cases/`.
//! `PLIANT_CASES=FILE` runs that file of the unified schema instead. A word
//! on the command line chooses the cases whose name contains it. The run fails when a case fails,
//! when a file cannot be read, or when no case ran.

mod akmehmet;
mod akmehmet_plan;
mod comparison;
mod king;
mod korayem;
mod theodore;
mod trajectory;
mod unified;

use comparison::Comparison;
use serde_json::Value;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// One case, ready to run.
struct Case {
    name: String,
    run: Box<dyn FnOnce() -> Outcome>,
}

/// How a case ended.
enum Outcome {
    /// It ran, and this is what was compared.
    Compared(Comparison),
    /// Its description cannot be used.
    Unusable(String),
}

/// What came of all cases.
#[derive(Default)]
struct Tally {
    passed: usize,
    failed: usize,
    filtered: usize,
}

fn main() -> ExitCode {
    let words: Vec<String> =
        std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let given = std::env::var_os("PLIANT_CASES").filter(|file| !file.is_empty());
    let (report, good) = match &given {
        Some(file) => {
            report(read(&found(Path::new(file))).and_then(|file| unified::cases("", file)), &words)
        }
        None => report(defaults(), &words),
    };
    #[allow(clippy::print_stdout, reason = "the report is what this program is for")]
    {
        print!("{report}");
    }
    if good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The cases of the repository.
fn defaults() -> Result<Vec<Case>, String> {
    let folder = workspace().join("cases");
    let mut cases = akmehmet::cases(&read(&folder.join("akmehmet.json"))?)?;
    cases.extend(king::cases(read(&folder.join("king.json"))?)?);
    cases.extend(korayem::cases(read(&folder.join("korayem.json"))?)?);
    cases.extend(theodore::cases(read(&folder.join("theodore.json"))?)?);
    let unified = read(&folder.join("unified.json"))?;
    cases.extend(trajectory::cases(&unified)?);
    cases.extend(unified::cases("unified ", unified)?);
    cases.extend(unified::cases("sliding ", read(&folder.join("sliding.json"))?)?);
    Ok(cases)
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Cargo runs tests in the folder of the package, but a person names a file from where they stand.
fn found(file: &Path) -> PathBuf {
    std::env::var_os("PWD")
        .map(PathBuf::from)
        .into_iter()
        .chain([PathBuf::new(), workspace()])
        .map(|folder| folder.join(file))
        .find(|path| path.exists())
        .unwrap_or_else(|| file.to_owned())
}

fn read(path: &Path) -> Result<Value, String> {
    let text = std::fs::read_to_string(path)
        .map_err(|e| format!("cannot read {}: {e}", path.display()))?;
    serde_json::from_str(&text).map_err(|e| format!("{} is not JSON: {e}", path.display()))
}

/// Runs the cases whose names contain one of `words` and says what came of them.
fn report(cases: Result<Vec<Case>, String>, words: &[String]) -> (String, bool) {
    let cases = match cases {
        Ok(cases) => cases,
        Err(fault) => return (format!("error: {fault}\ntest result: FAILED\n"), false),
    };
    let mut tally = Tally::default();
    let mut lines = String::new();
    for Case { name, run } in cases {
        if !words.is_empty() && !words.iter().any(|word| name.contains(word)) {
            tally.filtered += 1;
            continue;
        }
        let complaint = match run() {
            Outcome::Compared(comparison) => comparison.complaint(),
            Outcome::Unusable(why) => Some(format!("  {why}\n")),
        };
        let word = if complaint.is_some() { "FAILED" } else { "ok" };
        let _ = writeln!(lines, "test {name} ... {word}");
        match complaint {
            Some(complaint) => {
                tally.failed += 1;
                lines += &complaint;
            }
            None => tally.passed += 1,
        }
    }
    let Tally { passed, failed, filtered } = tally;
    let ran = passed + failed;
    if ran == 0 && filtered == 0 {
        lines += "error: no case ran\n";
    }
    let good = failed == 0 && (ran > 0 || filtered > 0);
    let word = if good { "ok" } else { "FAILED" };
    let _ = writeln!(
        lines,
        "\n{ran} cases ran\ntest result: {word}. {passed} passed; {failed} failed; \
         {filtered} filtered out"
    );
    (lines, good)
}
