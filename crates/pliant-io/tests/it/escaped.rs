//! Hostile names through every function that writes them, read back by readers of others.

use pliant::name::{check_name, check_title, nearest_name, nearest_title, shown};
use pliant_io::escape::{csv_field, csv_text, from_csv_text, json, npz_entries, python};
use pliant_io::quoted;
use std::io::Write as _;
use std::path::{Component, Path};
use std::process::Command;

/// What breaks programs that take a name for something else.
const PIECES: &[&str] = &[
    "\"\"\"",
    "'''",
    "\\",
    "\\\"",
    "\\x22",
    "\\u{202e}",
    "\\N{DASH}",
    "{0}",
    "%s",
    "${HOME}",
    "`id`",
    "\n",
    "\r",
    "\r\n",
    "\t",
    "\0",
    "\u{1b}[31m",
    "\u{7f}",
    "\u{85}",
    "\u{9b}",
    "\u{202e}",
    "\u{200b}",
    "\u{2028}",
    "\u{2029}",
    "\u{feff}",
    "\u{ffff}",
    "\u{e0041}",
    "../",
    "..\\",
    "/etc/passwd",
    "C:\\",
    "CON",
    ".",
    "..",
    "=cmd|' /C calc'!A0",
    "+1",
    "-1",
    "@SUM(1)",
    "＝1",
    ",",
    ";",
    "</script>",
    "<!--",
    "]]>",
    "&amp;",
    "<",
    ">",
    "&",
    "'",
    "\"",
    "#",
    "[",
    "]",
    " ",
    "é",
    "肩",
    "😀",
    "a",
    "upper.y1",
    "#{1+1}",
    "__import__('os').system('id')",
    "\u{301}",
    "ك",
    "\u{10ffff}",
    "\u{d7ff}",
];

/// Names made of these pieces, always the same.
fn names() -> Vec<String> {
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut next = move |below: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        usize::try_from(seed % below as u64).expect("it is small")
    };
    let made = (0..600).map(|_| {
        let count = 1 + next(5);
        (0..count).map(|_| PIECES[next(PIECES.len())]).collect()
    });
    let single = PIECES.iter().map(|piece| (*piece).to_owned());
    single.chain([String::new()]).chain(made.collect::<Vec<_>>()).collect()
}

#[test]
fn json_and_toml_give_every_name_back() {
    for name in names() {
        let text = json(&serde_json::json!([name]).to_string());
        let read: Vec<String> = serde_json::from_str(&text).expect("JSON");
        assert_eq!(read, [name.as_str()]);
        assert_eq!(shown(&text), text, "{name:?}");

        let text = quoted(&name);
        let read: toml::Table = format!("x = {text}").parse().expect("TOML");
        assert_eq!(read["x"].as_str(), Some(name.as_str()));
        assert_eq!(shown(&text), text, "{name:?}");
    }
}

#[test]
fn cells_are_no_formulas_and_give_every_name_back() {
    let names = names();
    let line = names.iter().map(|name| csv_field(name)).collect::<Vec<_>>().join(",") + "\n";
    let mut own = csv::Writer::from_writer(Vec::new());
    own.write_record(names.iter().map(|name| csv_text(name))).expect("memory");
    for text in [line.into_bytes(), own.into_inner().expect("memory")] {
        let mut table = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_slice());
        let rows: Vec<csv::StringRecord> = table.records().map(|row| row.expect("CSV")).collect();
        assert_eq!(rows.len(), 1);
        for (cell, name) in rows[0].iter().zip(&names) {
            assert!(!cell.starts_with(['=', '+', '-', '@', '\t', '\r', '＝']), "{cell:?}");
            assert_eq!(from_csv_text(cell), name);
        }
        assert_eq!(rows[0].len(), names.len());
    }
}

#[test]
fn entries_of_archives_stay_inside() {
    let names = names();
    let units = ["", "m", "rad/s", "../../m", "/m", "m\\..\\s", "N m/(rad/s)"];
    // a unit behind a name hides what the name alone would do
    let columns = || names.iter().flat_map(|name| units.map(|unit| (name.as_str(), unit)));
    let entries = npz_entries(columns());
    for (entry, name) in entries.iter().zip(columns()) {
        let path = Path::new(entry);
        let is_inside = path.components().all(|part| matches!(part, Component::Normal(_)));
        assert!(is_inside && !entry.contains('\\') && !entry.is_empty(), "{name:?}: {entry:?}");
        assert!(entry.chars().nth(1) != Some(':'), "{name:?}: {entry:?}");
        assert_eq!(shown(entry), entry.as_str());
    }
    let mut distinct = entries.clone();
    distinct.sort_unstable();
    distinct.dedup();
    assert_eq!(distinct.len(), entries.len());
    // an unpacker of others agrees
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for entry in &entries {
        let plain = zip::write::SimpleFileOptions::default();
        archive.start_file(entry.as_str(), plain).expect("an entry of its own");
    }
    let archive = zip::ZipArchive::new(archive.finish().expect("memory")).expect("an archive");
    let mut archive = archive;
    for index in 0..archive.len() {
        let file = archive.by_index(index).expect("an entry");
        assert!(file.enclosed_name().is_some(), "{:?}", file.name());
    }
}

#[test]
fn the_nearest_name_keeps_the_rule_and_its_own() {
    for name in names() {
        assert_eq!(check_name(&nearest_name(&name)), Ok(()), "{name:?}");
        assert_eq!(check_title(&nearest_title(&name)), Ok(()), "{name:?}");
        if check_name(&name).is_ok() {
            assert_eq!(nearest_name(&name), name);
        }
    }
}

/// Compares the literals of `argv[1]`, one a line, with the list of `argv[2]`.
const READER: &str = r#"
import ast, json, sys
lines = open(sys.argv[1], encoding="utf-8", newline="\n").read().split("\n")[:-1]
names = json.load(open(sys.argv[2], encoding="utf-8"))
assert len(lines) == len(names), (len(lines), len(names))
for line, name in zip(lines, names):
    tree = ast.parse("x = " + line)
    assert len(tree.body) == 1 and isinstance(tree.body[0].value, ast.Constant), line
    assert ast.literal_eval(line) == name, (line, name)
print(len(names))
"#;

#[test]
fn python_reads_literals_as_the_names() {
    let python3 = std::env::var("PLIANT_PYTHON").unwrap_or_else(|_| "python3".into());
    if !Command::new(&python3).arg("--version").output().is_ok_and(|out| out.status.success()) {
        // not by the macros: what they print is hidden when a test passes
        let note = "python_reads_literals_as_the_names: skipped: no python3";
        writeln!(std::io::stderr(), "{note}").expect("a place to write");
        return;
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("escaped");
    std::fs::create_dir_all(&folder).expect("a folder");
    let names = names();
    let literals: String = names.iter().map(|name| python(name) + "\n").collect();
    let [text, list] = ["literals.txt", "names.json"].map(|name| folder.join(name));
    std::fs::write(&text, literals).expect("written");
    std::fs::write(&list, json(&serde_json::json!(names).to_string())).expect("written");
    let output = Command::new(python3).args(["-c", READER]).args([text, list]).output();
    let output = output.expect("python runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), names.len().to_string());
}
