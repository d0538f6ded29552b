//! Results in other forms and other tools.

use pliant::simulate::{Channel, ChannelRole, Status, Summary};
use pliant_io::files::Existing;
use pliant_io::results::{Metadata, Reader, RunFolder, RunOutcome};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::Command;

const COLUMNS: [&str; 4] = ["t [s]", "upper.y1 [m]", "tip, far \"end\" [m/s^2]", "ratio"];

fn value(row: usize, column: usize) -> f64 {
    match (row, column) {
        (_, 0) => row as f64 * 1e-3,
        (1, 1) => f64::NAN,
        (2, 1) => f64::INFINITY,
        (3, 1) => -0.0,
        (4, 1) => 1e300,
        _ => (row as f64 * 0.1).sin() / (column as f64 + 0.3),
    }
}

/// The folder of a run that was finished, or that was not.
fn run(name: &str, rows: usize, finished: bool) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("results_elsewhere").join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).unwrap();
    }
    let channels = vec![
        Channel::new("upper.y1", "m", ChannelRole::Position),
        Channel::new("tip, far \"end\"", "m/s^2", ChannelRole::FramePosition),
        Channel::new("ratio", "", ChannelRole::Other),
    ];
    let mut metadata = Metadata::new("arm", "dop853");
    metadata.seed = Some(7);
    let mut writer = RunFolder::create(&folder, Existing::Refuse)
        .unwrap()
        .start("", channels, metadata)
        .unwrap();
    for row in 0..rows {
        let values: Vec<f64> = (1..4).map(|column| value(row, column)).collect();
        writer.row(value(row, 0), &values).unwrap();
        if row % 10 == 3 && row < 50 {
            writer.close_part().unwrap();
        }
    }
    if finished {
        writer.finish(RunOutcome::new(Summary::new(Status::Completed, 1.0))).unwrap();
    }
    folder
}

fn same(found: f64, row: usize, column: usize) -> bool {
    let expected = value(row, column);
    found.to_bits() == expected.to_bits() || (found.is_nan() && expected.is_nan())
}

#[test]
fn csv_keeps_every_bit() {
    for finished in [true, false] {
        let folder = run(&format!("csv-{finished}"), 60, finished);
        let file = folder.join("result.csv");
        Reader::open(&folder).unwrap().write_csv(&file, Existing::Refuse).unwrap();
        let mut table = csv::Reader::from_path(&file).unwrap();
        assert_eq!(table.headers().unwrap(), &COLUMNS[..]);
        let rows: Vec<Vec<f64>> = table.deserialize().map(Result::unwrap).collect();
        assert_eq!(rows.len(), 60);
        for (row, values) in rows.iter().enumerate() {
            for (column, found) in values.iter().enumerate() {
                assert!(same(*found, row, column), "{row} {column} {found}");
            }
        }
        let text = std::fs::read_to_string(&file).unwrap();
        let fifth = text.lines().nth(5).unwrap();
        assert!(fifth.starts_with("0.004,1e300,"), "{fifth}");
    }
}

#[test]
fn npz_keeps_every_bit() {
    let folder = run("npz", 60, true);
    let file = folder.join("result.npz");
    Reader::open(&folder).unwrap().write_npz(&file, Existing::Refuse).unwrap();
    let mut archive = zip::ZipArchive::new(std::fs::File::open(&file).unwrap()).unwrap();
    assert_eq!(archive.len(), COLUMNS.len());
    for (column, name) in COLUMNS.iter().enumerate() {
        let mut bytes = Vec::new();
        archive.by_name(&format!("{name}.npy")).unwrap().read_to_end(&mut bytes).unwrap();
        assert_eq!(bytes.len(), 128 + 60 * 8);
        for (row, found) in bytes[128..].chunks_exact(8).enumerate() {
            assert_eq!(found, value(row, column).to_le_bytes(), "{name} {row}");
        }
    }
    let again = folder.join("again.npz");
    Reader::open(&folder).unwrap().write_npz(&again, Existing::Refuse).unwrap();
    assert!(std::fs::read(file).unwrap() == std::fs::read(again).unwrap());
}

#[test]
fn an_export_that_fails_leaves_nothing() {
    let folder = run("nowhere", 3, true);
    let reader = Reader::open(&folder).unwrap();
    let error = reader.write_csv(folder.join("no/such.csv"), Existing::Replace).unwrap_err();
    assert!(error.to_string().contains("such.csv cannot be written"), "{error}");
    let error = reader.write_csv(folder.join("summary.json"), Existing::Refuse).unwrap_err();
    assert!(error.to_string().contains("summary.json exists already"), "{error}");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 3);
    assert!(Reader::open(&folder).unwrap().summary().is_some());
}

/// Reads the folder `argv[1]` with other people's code and prints the bits of every number.
const OTHERS: &str = r#"
import sys, struct, numpy, pyarrow.parquet as pq
folder = sys.argv[1]
file = pq.ParquetFile(folder + "/result.parquet")
table = file.read()
archive = numpy.load(folder + "/result.npz")
assert list(archive.keys()) == table.column_names, (list(archive.keys()), table.column_names)
about = file.schema_arrow.metadata
assert about[b"pliant.method"] == b"dop853" and about[b"pliant.seed"] == b"7", about
assert about[b"pliant.checksum"].startswith(b"pliant-sha256:"), about
assert b"pliant.run" not in about, about
assert file.metadata.num_row_groups == 2 and file.metadata.row_group(0).num_rows == 65536
for name in table.column_names:
    values = table[name].to_numpy()
    assert values.tobytes() == archive[name].tobytes(), name
    one = pq.read_table(folder + "/result.parquet", columns=[name])
    assert one.column_names == [name]
    print(name, values[:60].tobytes().hex())
"#;

#[test]
fn other_tools_read_the_same() {
    let python = std::env::var("PLIANT_PYTHON").unwrap_or_else(|_| "python3".into());
    let found = Command::new(&python).args(["-c", "import numpy, pyarrow"]).output();
    if !found.is_ok_and(|output| output.status.success()) {
        // not by the macros: what they print is hidden when a test passes
        let note = "skipped: python3, or what PLIANT_PYTHON names, has no NumPy or pyarrow";
        writeln!(std::io::stderr(), "other_tools_read_the_same: {note}").unwrap();
        return;
    }
    let folder = run("others", 70_000, true);
    Reader::open(&folder).unwrap().write_npz(folder.join("result.npz"), Existing::Refuse).unwrap();
    let output = Command::new(python).args(["-c", OTHERS]).arg(&folder).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    for (column, (name, line)) in COLUMNS.iter().zip(text.lines()).enumerate() {
        let mut expected = format!("{name} ");
        for row in 0..60 {
            expected.extend(value(row, column).to_le_bytes().map(|byte| format!("{byte:02x}")));
        }
        assert_eq!(line, expected);
    }
    assert_eq!(text.lines().count(), COLUMNS.len());
}
