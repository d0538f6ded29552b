//! Folders of results. An input is a recipe in JSON, from which the folder is made:
//!
//! - `written`: a run with `channels`, `metadata`, `scenario` and `rows` (the time first), each `part`
//!   rows in a part, merged if `ends`, with the checkpoint of a `state` and the list of its `exports`;
//! - `files`: a list of files by `name`, either of a `text` (or of JSON), Parquet files with their
//!   `entries`, `columns` and `groups` of rows, or checkpoints with their `head` and `state`;
//! - `edits`: bytes that are changed afterwards, `at` so many thousandths of a `file`, or where it is
//!   cut off.

use super::{Verdict, small};
use parquet::basic::{Compression, Encoding, Repetition, Type as Physical};
use parquet::data_type::DoubleType;
use parquet::errors::ParquetError;
use parquet::file::metadata::KeyValue;
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{FileReader as _, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use pliant::simulate::{Channel, Progress, Recorder, Status, Summary};
use pliant_io::Source;
use pliant_io::files::Existing;
use pliant_io::results::{Exports, Metadata, Reader, Reopened, RunFolder, RunOutcome, Spent};
use pliant_io::scenario::{self, Overrides, Setup, of_results};
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

/// Further keys of recipes; values come from other recipes.
pub(super) fn schema() -> Value {
    let number = json!({ "type": "number" });
    let edit = json!({ "type": "object", "required": ["file", "at", "flip"], "properties": {
        "file": { "enum": ["result.parquet", "part-00000.parquet", "part-00001.parquet", "summary.json",
            "checkpoint.bin", "exports.txt"] },
        "at": { "enum": [0, 10, 200, 400, 500, 700, 900, 990, 998, 1000] },
        "flip": { "enum": [1, 2, 16, 64, 128, 255] },
        "cut": { "type": "boolean" } } });
    let name = json!({ "enum": ["result.parquet", "part-00000.parquet", "part-00001.parquet",
        "part-00002.parquet", "part-99999.parquet", "summary.json", "scenario.toml", "checkpoint.bin",
        "exports.txt"] });
    let export = json!({ "enum": ["result.csv", "result.npz", "report.html", "thesis.tex", ""] });
    json!({ "type": "object", "properties": {
        "edits": { "type": "array", "items": edit },
        "edit": edit,
        "name": name,
        "ends": { "type": "boolean" },
        "exports": { "type": "array", "items": export },
        "state": { "type": "array", "items": number },
        "part": { "type": "integer" },
        "rows": { "type": "array", "items": { "type": "array", "items": number } },
        "unit": { "enum": ["m", "rad", "", "N m", "W"] },
    } })
}

pub(super) fn run(input: &str, scratch: &Path) -> Verdict {
    let Ok(recipe) = serde_json::from_str::<Value>(input) else { return Verdict::Refused };
    let folder = scratch.join("results");
    let _ = fs::remove_dir_all(&folder);
    if fs::create_dir_all(&folder).is_err() || make(&recipe, &folder).is_none() {
        return Verdict::Refused;
    }
    let read = Reader::open(&folder).and_then(|reader| Ok((reader.columns()?, reader)));
    let (columns, reader) = match read {
        Ok(read) => read,
        Err(error) => {
            assert!(!error.to_string().is_empty(), "results are refused without a word");
            return Verdict::Refused;
        }
    };
    assert_eq!(columns.len(), reader.channels().len());
    for (column, channel) in columns.iter().zip(reader.channels()).take(2) {
        assert_eq!(column.len() as u64, reader.rows(), "{}", channel.name);
    }
    let has_scenario = !reader.metadata().scenario.is_empty();
    let setup = has_scenario.then(|| of_results(&folder, &reader).ok()).flatten();
    go_on(&folder, &reader, setup)
}

/// Takes up the run in a folder, as far as there is one, for a few steps.
fn go_on(folder: &Path, reader: &Reader, setup: Option<Setup>) -> Verdict {
    let exports = Exports::remembered(folder);
    let reopened = RunFolder::reopen(folder, reader.metadata());
    for error in [exports.as_ref().err(), reopened.as_ref().err()].into_iter().flatten() {
        assert!(!error.to_string().is_empty(), "a run is refused without a word");
    }
    match (exports, reopened, setup) {
        (Ok(_), Ok(Reopened::GoesOn(run)), Some(setup)) => {
            let mut steps = 0;
            let mut watch = |_: &Progress| {
                steps += 1;
                if steps < STEPS { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            };
            let mut rows = Few(0);
            let state = &run.checkpoint.state;
            match setup.simulation.resume(state, &mut rows, &mut watch) {
                Ok(_) => Verdict::Accepted,
                Err(_) => Verdict::Refused,
            }
        }
        (Ok(_), Ok(_), _) => Verdict::Accepted,
        _ => Verdict::Refused,
    }
}

/// How many steps a run goes on, and how many rows it may record on the way.
const STEPS: usize = 3;
const MOST_ROWS: usize = 1000;

/// Counts rows, and ends a run that has too many.
struct Few(usize);

impl Recorder for Few {
    type Error = std::fmt::Error;

    fn start(&mut self, _: &[Channel]) -> Result<(), Self::Error> {
        Ok(())
    }

    fn row(&mut self, _: f64, _: &[f64]) -> Result<(), Self::Error> {
        self.0 += 1;
        if self.0 < MOST_ROWS { Ok(()) } else { Err(std::fmt::Error) }
    }
}

/// Makes the folder; none where the recipe makes no sense.
fn make(recipe: &Value, folder: &Path) -> Option<()> {
    if let Some(written) = recipe.get("written") {
        write(written, folder)?;
    }
    for file in items(recipe, "files") {
        let path = folder.join(name(file)?);
        let bytes = match (file.get("text"), file.get("entries"), file.get("head")) {
            (_, Some(entries), _) => parquet_file(entries, file).ok()?,
            (_, None, Some(head)) => checkpoint_file(head, &numbers(file, "state")),
            (Some(Value::String(text)), None, None) => text.clone().into_bytes(),
            (text, None, None) => text?.to_string().into_bytes(),
        };
        fs::write(path, bytes).ok()?;
    }
    for edit in items(recipe, "edits") {
        let path = folder.join(edit.get("file").and_then(file_name)?);
        // a file that is not there cannot be damaged
        let Ok(mut bytes) = fs::read(&path) else { continue };
        let at = number(edit.get("at")).clamp(0.0, 1000.0) / 1000.0;
        #[expect(clippy::cast_sign_loss, reason = "it is between zero and the length")]
        let at = (at * bytes.len() as f64) as usize;
        if edit.get("cut") == Some(&Value::Bool(true)) {
            bytes.truncate(at);
        } else if let Some(byte) = bytes.get_mut(at) {
            #[expect(clippy::cast_sign_loss, reason = "a byte")]
            let flip = number(edit.get("flip")).clamp(0.0, 255.0) as u8;
            *byte ^= flip;
        }
        fs::write(path, bytes).ok()?;
    }
    Some(())
}

fn items<'a>(value: &'a Value, key: &str) -> &'a [Value] {
    value.get(key).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// A name without a folder.
fn file_name(value: &Value) -> Option<&str> {
    let is_plain = |name: &&str| {
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
        name.len() < 40 && name.contains('.') && !name.starts_with('.') && name.chars().all(plain)
    };
    value.as_str().filter(is_plain)
}

fn name(file: &Value) -> Option<&str> {
    file.get("name").and_then(file_name)
}

/// A number; JSON has no words for some.
fn number(value: Option<&Value>) -> f64 {
    match value {
        Some(Value::Number(number)) => number.as_f64().unwrap_or(0.0),
        Some(Value::String(text)) => text.parse().unwrap_or(0.0),
        _ => 0.0,
    }
}

fn numbers(value: &Value, key: &str) -> Vec<f64> {
    items(value, key).iter().map(|value| number(Some(value))).collect()
}

/// A checkpoint with any first line and state, whose checksum is right.
fn checkpoint_file(head: &Value, state: &[f64]) -> Vec<u8> {
    let mut bytes = format!("{head}\n").into_bytes();
    bytes.extend(state.iter().flat_map(|number| number.to_le_bytes()));
    let checksum = Sha256::digest(&bytes);
    bytes.extend(checksum);
    bytes
}

/// Writes a run as the library does.
fn write(written: &Value, folder: &Path) -> Option<()> {
    let part = |key: &str| written.get(key).cloned();
    let channels: Vec<Channel> = serde_json::from_value(part("channels")?).ok()?;
    let metadata: Metadata = serde_json::from_value(part("metadata")?).ok()?;
    let text = written.get("scenario").and_then(Value::as_str).unwrap_or_default();
    let mut writer =
        RunFolder::create(folder, Existing::Replace).ok()?.start(text, channels, metadata).ok()?;
    let size = written.get("part").and_then(Value::as_u64).unwrap_or(0) as usize;
    let mut last = 0.0;
    for (count, row) in items(written, "rows").iter().enumerate() {
        let values: Vec<f64> = row.as_array()?.iter().map(|value| number(Some(value))).collect();
        let (time, values) = values.split_first()?;
        last = *time;
        writer.row(*time, values).ok()?;
        if size > 0 && (count + 1) % size == 0 {
            writer.close_part().ok()?;
        }
    }
    if written.get("state").is_some() {
        writer.checkpoint(last, numbers(written, "state"), Spent::default()).ok()?;
    }
    if written.get("exports").is_some() {
        let names = items(written, "exports").iter().filter_map(Value::as_str);
        let text: String = names.flat_map(|name| [name, "\n"]).collect();
        fs::write(folder.join("exports.txt"), text).ok()?;
    }
    if written.get("ends") == Some(&Value::Bool(true)) {
        writer.finish(RunOutcome::new(Summary::new(Status::Completed, last))).ok()?;
    }
    Some(())
}

/// A Parquet file with any entries and columns, laid out as those of pliant.
fn parquet_file(entries: &Value, file: &Value) -> Result<Vec<u8>, ParquetError> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let entries = entries.as_object().into_iter().flatten();
    let entries = entries.map(|(key, value)| KeyValue::new(key.clone(), text(value))).collect();
    let mut fields = Vec::new();
    for column in items(file, "columns") {
        let field = Type::primitive_type_builder(&text(column), Physical::DOUBLE)
            .with_repetition(Repetition::REQUIRED)
            .build()?;
        fields.push(Arc::new(field));
    }
    let schema = Type::group_type_builder("result").with_fields(fields).build()?;
    let properties = WriterProperties::builder()
        .set_key_value_metadata(Some(entries))
        .set_compression(Compression::SNAPPY)
        .set_dictionary_enabled(false)
        .set_encoding(Encoding::BYTE_STREAM_SPLIT)
        .set_offset_index_disabled(true)
        .build();
    let mut bytes = Vec::new();
    let mut writer = SerializedFileWriter::new(&mut bytes, Arc::new(schema), Arc::new(properties))?;
    for group in items(file, "groups") {
        let mut row_group = writer.next_row_group()?;
        let mut columns = group.as_array().into_iter().flatten();
        while let Some(mut column) = row_group.next_column()? {
            let values = columns.next().and_then(Value::as_array).into_iter().flatten();
            let values: Vec<f64> = values.map(|value| number(Some(value))).collect();
            column.typed::<DoubleType>().write_batch(&values, None, None)?;
            column.close()?;
        }
        row_group.close()?;
    }
    writer.close()?;
    Ok(bytes)
}

/// Recipes of short runs, ended and not, as pliant writes them and file by file.
pub(super) fn seeds(scratch: &Path) -> Result<Vec<String>, String> {
    let mut seeds = Vec::new();
    for text in small::seeds().iter().take(RUNS) {
        let source = Source::new("scenario.toml", text.as_str());
        let setup = scenario::parse(&source, Path::new(""), &Overrides::default());
        let setup = setup.map_err(|report| report.to_string())?;
        let folder = scratch.join("seed");
        let mut steps = 0;
        let finished = scenario::run(&setup, &folder, Existing::Replace, &mut |_| {
            steps += 1;
            if steps < 4 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        drop(finished.map_err(|why| why.to_string())?);
        seeds.extend(recipes(&folder).map_err(|why| format!("{}: {why}", folder.display()))?);
    }
    Ok(seeds)
}

/// How many runs become seeds, and how many columns and rows of them.
const RUNS: usize = 2;
const COLUMNS: usize = 5;
const ROWS: usize = 6;

fn recipes(folder: &Path) -> Result<Vec<String>, Box<dyn std::error::Error>> {
    let reader = Reader::open(folder)?;
    let channels = &reader.channels()[..COLUMNS];
    let mut columns = reader.columns()?;
    columns.truncate(COLUMNS);
    for column in &mut columns {
        column.truncate(ROWS);
    }
    let rows: Vec<Vec<f64>> = (0..columns[0].len())
        .map(|row| columns.iter().map(|column| column[row]).collect())
        .collect();
    let written = |part: usize, ends: bool| {
        json!({ "written": {
            "channels": channels[1..], "metadata": reader.metadata(), "rows": rows,
            "scenario": reader.metadata().scenario, "part": part, "ends": ends,
        } })
    };
    // the run was interrupted, so that its checkpoint is there
    let (head, state) = checkpoint(&fs::read(folder.join("checkpoint.bin"))?)?;
    let mut goes_on = written(2, false);
    goes_on["written"]["state"] = state.clone();
    goes_on["written"]["exports"] = json!(["result.csv", "report.html"]);
    let file = SerializedFileReader::new(fs::File::open(folder.join("result.parquet"))?)?;
    let about = file.metadata().file_metadata();
    let mut entries = Map::new();
    for entry in about.key_value_metadata().into_iter().flatten() {
        let text = entry.value.clone().unwrap_or_default();
        // lists and tables as such, so that what is in them can be changed
        let value = match serde_json::from_str::<Value>(&text) {
            Ok(value @ (Value::Array(_) | Value::Object(_))) => value,
            _ => Value::String(text),
        };
        entries.insert(entry.key.clone(), value);
    }
    entries.insert("pliant.channels".to_owned(), serde_json::to_value(channels)?);
    let names: Vec<String> = channels.iter().map(Channel::column).collect();
    let sheet = |name: &str, entries: &Map<String, Value>, columns: &[Vec<f64>]| json!({ "name": name, "entries": entries, "columns": names, "groups": [columns] });
    let summary: Value = serde_json::from_slice(&fs::read(folder.join("summary.json"))?)?;
    let mut without = entries.clone();
    without.remove("pliant.summary");
    without.insert("pliant.scenario".to_owned(), Value::from(""));
    let ended = json!({ "files": [
        sheet("result.parquet", &entries, &columns), { "name": "summary.json", "text": summary },
    ] });
    let parts = json!({ "files": [
        sheet("part-00000.parquet", &without, &columns),
        sheet("part-00001.parquet", &without, &columns),
    ] });
    let mut other = parts.clone();
    if let Some(files) = other["files"].as_array_mut() {
        files.push(json!({ "name": "checkpoint.bin", "head": head, "state": state }));
        files.push(json!({ "name": "exports.txt", "text": "result.npz\n" }));
    }
    let all = [written(0, true), written(2, false), written(3, true), goes_on, ended, parts, other];
    Ok(all.iter().map(Value::to_string).collect())
}

/// The first line of a checkpoint, and its state.
fn checkpoint(bytes: &[u8]) -> Result<(Value, Value), Box<dyn std::error::Error>> {
    let line = bytes.split_inclusive(|&byte| byte == b'\n').next().unwrap_or_default();
    let (numbers, _) = bytes[line.len()..bytes.len() - 32].as_chunks();
    let as_json =
        |number: f64| if number.is_finite() { json!(number) } else { json!(number.to_string()) };
    let state = numbers.iter().map(|number| as_json(f64::from_le_bytes(*number)));
    Ok((serde_json::from_slice(line)?, state.collect()))
}
