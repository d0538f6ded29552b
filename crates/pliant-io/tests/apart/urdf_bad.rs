//! Broken URDFs: each gives its message, none panics, none needs much memory.
//!
//! The messages are in `urdf/bad/messages.txt`; `PLIANT_BLESS=1 cargo test -p pliant-io --test apart
//! urdf_bad` writes them anew.

use crate::files;
use pliant_io::Source;
use pliant_io::urdf::{self, Options};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/urdf/bad")
}

/// What is said about a text, which must be refused.
fn refusal(name: &str, text: impl Into<String>) -> String {
    match urdf::read(&Source::new(name, text.into()), &Options::default()) {
        Ok(_) => panic!("{name} loads"),
        Err(report) => report.to_string(),
    }
}

/// What is said about a file, without the folder.
fn refusal_of(path: &Path) -> String {
    let folder = path.parent().unwrap().display().to_string();
    match urdf::load(path, &Options::default()) {
        Ok(_) => panic!("{} loads", path.display()),
        Err(report) => report.to_string().replace(&format!("{folder}/"), ""),
    }
}

/// Broken files that are too large or too strange to keep.
fn generated() -> Vec<(&'static str, String)> {
    let robot = |inside: &str| format!("<robot name=\"r\">{inside}</robot>");
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let garbage = scratch.join("garbage.urdf");
    let file = fs::File::create(&garbage).unwrap();
    file.set_len(100_000_000).unwrap();
    let latin = scratch.join("latin.urdf");
    fs::write(&latin, b"<robot name=\"r\">\n<link name=\"K\xf6rper\"/>\n</robot>").unwrap();
    let attributes: String = (0..100_000).fold(String::new(), |mut text, i| {
        let _ = write!(text, " a{i}=\"\"");
        text
    });
    let links: String = (0..6000).fold(String::new(), |mut text, i| {
        let _ = write!(text, "<link name=\"l{i}\"/>");
        text
    });
    let chain: String = (0..1500).fold(String::new(), |mut text, i| {
        let _ = write!(
            text,
            "<link name=\"l{i}\"/><joint name=\"j{i}\" type=\"fixed\"><parent link=\"l{i}\"/><child link=\"l{}\"/></joint>",
            i + 1
        );
        text
    });
    let spaces: String = (0..2000).fold(String::new(), |mut text, i| {
        let _ = write!(text, "<a xmlns:p{i}=\"u{i}\">");
        text
    });
    let numbers = "<link name=\"a\"><inertial><mass value=\"x\"/></inertial></link>".repeat(100);
    let long = "x".repeat(1_000_000);
    vec![
        ("a file of 100 MB", refusal_of(&garbage)),
        ("not UTF-8", refusal_of(&latin)),
        (
            "nested deeply",
            refusal("deep", format!("{}{}", "<link>".repeat(150_000), "</link>".repeat(150_000))),
        ),
        ("nested deeply and not closed", refusal("deep", "<a>".repeat(390_000))),
        (
            "links inside links",
            refusal(
                "deep",
                robot(&format!("{}{}", "<link name=\"a\">".repeat(200), "</link>".repeat(200))),
            ),
        ),
        ("16 MB of elements", refusal("many", robot(&"<a/>".repeat(4_000_000)))),
        ("16 MB of blanks", refusal("blank", " ".repeat(16_000_000))),
        ("an element of many attributes", refusal("many", robot(&format!("<link{attributes}/>")))),
        ("many namespaces", refusal("many", robot(&spaces))),
        ("6000 links", refusal("many", robot(&links))),
        ("a chain whose last link is missing", refusal("chain", robot(&chain))),
        ("a hundred faults", first_lines(&refusal("many", robot(&numbers)), 3)),
        (
            "a name of a million letters",
            refusal(
                "long",
                robot(&format!(
                    "<link name=\"a\"/><joint name=\"{long}\" type=\"{long}\"><parent link=\"{long}\"/><child link=\"a\"/></joint>"
                )),
            ),
        ),
    ]
}

fn first_lines(text: &str, count: usize) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let shown = lines[..count].join("\n");
    format!("{shown}\n({} lines in all)", lines.len())
}

#[test]
fn messages_are_as_expected() {
    let paths = files::listed("crates/pliant-io/tests/urdf/bad", &["urdf"]).unwrap();
    assert!(paths.len() >= 30);
    let mut said = String::new();
    for path in &paths {
        let name = path.file_stem().unwrap().to_string_lossy();
        let _ = write!(said, "== {name}\n{}\n\n", refusal_of(path));
    }
    for (name, message) in generated() {
        let _ = write!(said, "== {name}\n{message}\n\n");
    }
    let expected = folder().join("messages.txt");
    if std::env::var_os("PLIANT_BLESS").is_some() {
        fs::write(&expected, &said).unwrap();
    }
    let wanted = fs::read_to_string(&expected).unwrap_or_default();
    for (said, wanted) in said.split("\n\n").zip(wanted.split("\n\n")) {
        assert_eq!(said, wanted);
    }
    assert_eq!(said, wanted);
    assert!(most_memory_used().is_none_or(|kilobytes| kilobytes < 200_000));
}

/// The largest memory this process ever used (kB), where the system tells it.
fn most_memory_used() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    line.split_whitespace().nth(1)?.parse().ok()
}

/// Every prefix of a good file, and every file with one byte changed: refused or loaded, no panic.
#[test]
fn damaged_files_do_not_panic() {
    let good = include_str!("../urdf/good/fixed_tree.urdf");
    let step = good.len() / 400;
    for end in (0..good.len()).step_by(step) {
        let _ = urdf::read(&Source::new("cut", &good[..end]), &Options::default());
    }
    for (round, at) in (0..good.len()).step_by(step).enumerate() {
        let mut bytes = good.as_bytes().to_vec();
        bytes[at] = b"<>\"'=/ &9-x\n"[round % 12];
        let text = String::from_utf8(bytes).unwrap();
        let _ = urdf::read(&Source::new("changed", text), &Options::default());
    }
}
