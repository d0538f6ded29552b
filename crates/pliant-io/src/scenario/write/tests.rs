//! What is read, written and read again is the same.

use super::{document, write_scenario};
use crate::node::Node;
use crate::reader::Reader;
use crate::scenario::{Overrides, ScenarioTable, Setup, load, parse};
use crate::spec::{Form, TableSpec};
use crate::table::Table as _;
use crate::{Source, node, toml_text};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The scenarios of the repository that can be run, and those of the tests, which have every key.
fn files() -> Vec<PathBuf> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    for folder in ["../../scenarios", "tests/good-scenarios"] {
        let entries = std::fs::read_dir(package.join(folder)).expect("a folder");
        files.extend(entries.map(|entry| entry.expect("an entry").path()));
    }
    files.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    files.sort();
    files
}

/// All that is run, to the last digit, without where it stands and what is doubtful.
fn as_run(setup: &Setup) -> String {
    let table = ScenarioTable::default();
    format!("{:?}", Setup { table, text: String::new(), warnings: Vec::new(), ..setup.clone() })
}

#[test]
fn what_is_written_says_the_same() {
    let files = files();
    assert!(files.len() >= 14, "{files:?}");
    let faults: Vec<String> = files.iter().filter_map(|path| differs(path).err()).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// What is wrong with a scenario, or with what is written of it.
fn differs(path: &Path) -> Result<(), String> {
    let (usual, file) = (Overrides::default(), path.display());
    let read = load(path, &usual).map_err(|report| report.to_string())?;
    let text = write_scenario(&read);
    let source = Source::new("written.toml", text.as_str());
    let again = parse(&source, path.parent().expect("a folder"), &usual)
        .map_err(|report| format!("{file}: {report}\n{text}"))?;
    if write_scenario(&again) != text {
        return Err(format!("{file} is written otherwise:\n{text}\n{}", write_scenario(&again)));
    }
    if as_run(&again) != as_run(&read) {
        return Err(format!("{file} is run otherwise:\n{text}"));
    }
    Ok(())
}

#[test]
fn every_key_of_scenarios_is_written_in_one_of_the_files() {
    let (mut all, mut met) = (BTreeSet::new(), BTreeSet::new());
    every_key(ScenarioTable::SPEC, &mut all);
    for path in files() {
        let text = std::fs::read_to_string(&path).expect("readable");
        let root = toml_text::read(&Source::new("read.toml", text)).expect("TOML");
        let table = ScenarioTable::read(&mut Reader::default(), "", &root).expect("a scenario");
        let written = Source::new("written.toml", document(&table.entries()));
        let root = toml_text::read(&written).expect("TOML");
        keys_of(ScenarioTable::SPEC, &root, &mut met);
    }
    let missing: Vec<_> = all.difference(&met).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

type Keys = BTreeSet<(&'static str, &'static str)>;

/// The keys of a table and of those in it, by the names of the tables.
fn every_key(spec: &'static TableSpec, keys: &mut Keys) {
    for key in spec.keys.iter().copied().flatten() {
        match key.form {
            Form::Flat(inner) => {
                every_key(inner, keys);
                continue;
            }
            Form::Table(inner) | Form::Tables(inner) => every_key(inner, keys),
            Form::ByKind(_, inner) | Form::OneByKind(_, inner) => {
                for spec in inner {
                    every_key(spec, keys);
                }
            }
            _ => {}
        }
        keys.insert((spec.name, key.name));
    }
}

/// Those that a file has.
fn keys_of(spec: &'static TableSpec, table: &Node, keys: &mut Keys) {
    for key in spec.keys.iter().copied().flatten() {
        if let Form::Flat(inner) = key.form {
            keys_of(inner, table, keys);
        }
        let Some(entry) = table.entry(key.name) else { continue };
        keys.insert((spec.name, key.name));
        for table in node::one_or_many(&entry.node) {
            match key.form {
                Form::Table(inner) | Form::Tables(inner) => keys_of(inner, table, keys),
                Form::ByKind(_, specs) | Form::OneByKind(_, specs) => {
                    let kind = table.entry("kind").map(|entry| &entry.node.value);
                    let is =
                        |spec: &&&TableSpec| kind == Some(&node::Value::Text(spec.name.to_owned()));
                    keys_of(specs.iter().find(is).expect("a kind"), table, keys);
                }
                _ => {}
            }
        }
    }
}
