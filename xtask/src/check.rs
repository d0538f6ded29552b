//! `cargo xtask check`: the rules of the house that the compiler does not know.
//!
//! Each rule is a function from text to findings, so that its tests need no files.

mod citations;
mod layers;
mod leftovers;
mod length;
mod map;
mod names;
mod remedies;
mod rust_source;

use crate::Outcome;
use crate::repo::{self, Text};
use rust_source::RustSource;
use std::fmt;

/// The crate whose modules are layered.
const LAYERED: &str = "crates/pliant/src/";
const ARCHITECTURE: &str = "ARCHITECTURE.md";
const REFERENCES: &str = "book/references.bib";

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Weight {
    /// Said, and no more.
    Warning,
    /// Fails the check.
    Error,
}

/// A place where a rule is broken.
#[derive(Debug)]
struct Finding {
    weight: Weight,
    /// Path from the root.
    path: String,
    /// Counted from one.
    line: usize,
    /// What was seen.
    seen: String,
    /// The rule, and so the way out.
    rule: String,
}

impl Finding {
    fn error(path: &str, line: usize, seen: impl Into<String>, rule: impl Into<String>) -> Self {
        let (seen, rule) = (seen.into(), rule.into());
        Self { weight: Weight::Error, path: path.to_owned(), line, seen, rule }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let weight = match self.weight {
            Weight::Warning => "warning",
            Weight::Error => "error",
        };
        write!(f, "{}:{}: {weight}: {}\n  rule: {}", self.path, self.line, self.seen, self.rule)
    }
}

/// Every rule but the format, which has its own stage.
pub(crate) fn run() -> Outcome {
    let house = House::read();
    let mut findings = house.fast();
    for text in &house.texts {
        findings.extend(length::check(text));
        findings.extend(leftovers::machine_paths(text));
        findings.extend(remedies::check(text));
    }
    for source in &house.sources {
        findings.extend(leftovers::macros(source));
    }
    findings.extend(names::check(&house.texts));
    let architecture = house.content(ARCHITECTURE);
    findings.extend(names::check_nouns(ARCHITECTURE, architecture, &house.texts));
    findings.extend(map::check(ARCHITECTURE, house.content(ARCHITECTURE), &house.paths()));
    report(&findings, house.texts.len())
}

/// What a commit waits for: format, layers, citations.
pub(crate) fn run_fast() -> Outcome {
    format()?;
    let house = House::read();
    report(&house.fast(), house.texts.len())
}

/// The format of every Rust file.
pub(crate) fn format() -> Outcome {
    repo::run(
        "cargo fmt --all --check (`cargo fmt --all` repairs it)",
        repo::cargo().args(["fmt", "--all", "--check"]),
    )
}

/// All that the rules look at.
struct House {
    texts: Vec<Text>,
    sources: Vec<RustSource>,
}

impl House {
    fn read() -> Self {
        let texts = repo::texts();
        let sources = texts
            .iter()
            .filter(|text| text.is_rust())
            .map(|text| RustSource::new(&text.path, &text.content))
            .collect();
        Self { texts, sources }
    }

    fn content(&self, path: &str) -> &str {
        self.texts.iter().find(|text| text.path == path).map_or("", |text| &text.content)
    }

    fn paths(&self) -> Vec<&str> {
        self.texts.iter().map(|text| text.path.as_str()).collect()
    }

    fn fast(&self) -> Vec<Finding> {
        let layered: Vec<&RustSource> =
            self.sources.iter().filter(|source| source.path.starts_with(LAYERED)).collect();
        let mut findings = layers::check(LAYERED, &layered);
        findings.extend(map::check_order(
            ARCHITECTURE,
            self.content(ARCHITECTURE),
            LAYERED,
            &layers::order(LAYERED, &layered),
        ));
        let references = citations::References::new(REFERENCES, self.content(REFERENCES));
        findings.extend(references.faults());
        for source in &self.sources {
            findings.extend(references.check(source));
        }
        findings
    }
}

fn report(findings: &[Finding], files: usize) -> Outcome {
    for finding in findings {
        println!("{finding}");
    }
    let errors = findings.iter().filter(|finding| finding.weight == Weight::Error).count();
    let warnings = findings.len() - errors;
    println!("checked {files} files: {errors} errors, {warnings} warnings");
    if errors == 0 { Ok(()) } else { Err(format!("the check found {errors} broken rules")) }
}
