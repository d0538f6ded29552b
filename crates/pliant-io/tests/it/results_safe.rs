//! Results that are whole and of one run: locks, identities of parts, checksums.

use pliant::Help;
use pliant::simulate::{Channel, ChannelRole, Status, Summary};
use pliant_io::files::Existing;
use pliant_io::results::{Error, Metadata, Reader, RunFolder, RunOutcome, Writer};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A folder of this name that does not exist.
fn fresh(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("results_safe").join(name);
    if folder.exists() {
        std::fs::remove_dir_all(&folder).unwrap();
    }
    folder
}

const SCENARIO: &str = "duration = \"5 s\"\n";

/// A run of so many parts of ten rows, whose numbers are those of the rows.
fn begun(folder: &Path, parts: u32) -> Writer {
    let channels = vec![Channel::new("row", "", ChannelRole::Other)];
    let folder = RunFolder::create(folder, Existing::Refuse).unwrap();
    let mut writer = folder.start(SCENARIO, channels, Metadata::new("arm", "rk4")).unwrap();
    for part in 0..parts {
        for row in 10 * part..10 * (part + 1) {
            writer.row(f64::from(row) * 0.01, &[f64::from(row)]).unwrap();
        }
        writer.close_part().unwrap();
    }
    writer
}

fn done() -> RunOutcome {
    RunOutcome::new(Summary::new(Status::Completed, 5.0))
}

#[test]
fn a_folder_in_use_is_refused_and_can_be_read() {
    let folder = fresh("in-use");
    let writer = begun(&folder, 2);
    for existing in [Existing::Refuse, Existing::Replace] {
        let error = RunFolder::create(&folder, existing).unwrap_err();
        assert!(matches!(error, Error::InUse { .. }), "{error}");
        let told = error.with_help();
        let process = format!("in use by process {} ", std::process::id());
        assert!(told.contains(&process) && told.contains("wait until"), "{told}");
    }
    assert_eq!(Reader::open(&folder).unwrap().column("row").unwrap().len(), 20);
    let summary = writer.finish(done()).unwrap();
    assert_eq!(summary.outcome.run.rows, 20);
    assert!(!folder.join("run.lock").exists());
    assert!(matches!(RunFolder::create(&folder, Existing::Refuse), Err(Error::NotEmpty { .. })));
    // refused or not, nothing is left of having asked
    assert!(!folder.join("run.lock").exists());
    assert!(Reader::open(&folder).unwrap().complete());
}

/// Others may hold the lock longer than the writer, which exports need.
#[test]
fn a_lock_lasts_as_long_as_somebody_has_it() {
    let folder = fresh("longer");
    let run = RunFolder::create(&folder, Existing::Refuse).unwrap();
    let lock = run.lock();
    assert_eq!(lock.missing(), None);
    let writer = run.start("", Vec::new(), Metadata::new("", "rk4")).unwrap();
    writer.finish(done()).unwrap();
    assert!(matches!(RunFolder::create(&folder, Existing::Replace), Err(Error::InUse { .. })));
    drop(lock);
    RunFolder::create(&folder, Existing::Replace).unwrap();
}

#[test]
fn parts_of_two_runs_are_not_mixed() {
    let (one, other) = (fresh("one"), fresh("other"));
    let (writer, _other) = (begun(&one, 3), begun(&other, 3));
    let part = |folder: &Path, number: u32| folder.join(format!("part-{number:05}.parquet"));
    let swap = |from: PathBuf, to: &Path| std::fs::copy(from, to).unwrap();
    let second = part(&one, 2);
    let own = std::fs::read(&second).unwrap();

    // the same scenario, the same rows, another run
    swap(part(&other, 2), &second);
    let error = Reader::open(&one).unwrap_err();
    let Error::OtherRun { file, than } = &error else { panic!("{error}") };
    assert_eq!((file, than.as_str()), (&second, "part-00000.parquet"));
    // a part of the same run in the place of another
    swap(part(&one, 1), &second);
    let error = Reader::open(&one).unwrap_err().to_string();
    assert!(error.contains("it is part 1 of its run under the name of part 2"), "{error}");
    // nor are they merged
    swap(part(&other, 2), &second);
    let error = writer.finish(done()).unwrap_err();
    let Error::OtherRun { file, .. } = &error else { panic!("{error}") };
    assert_eq!(file, &second);
    assert!(!one.join("result.parquet").exists());
    std::fs::write(&second, own).unwrap();
    assert_eq!(Reader::open(&one).unwrap().rows(), 30);
}

#[test]
fn a_damaged_part_is_not_merged() {
    let folder = fresh("damaged-part");
    let writer = begun(&folder, 2);
    let part = folder.join("part-00001.parquet");
    let mut bytes = std::fs::read(&part).unwrap();
    bytes[20] ^= 1;
    std::fs::write(&part, bytes).unwrap();
    let error = writer.finish(done()).unwrap_err();
    let Error::Damaged { file, .. } = &error else { panic!("{error}") };
    assert_eq!(file, &part);
    assert!(!folder.join("result.parquet").exists());
}

#[test]
fn two_runs_of_a_scenario_have_the_same_bytes() {
    let bytes = ["same-1", "same-2"].map(|name| {
        let folder = fresh(name);
        begun(&folder, 3).finish(done()).unwrap();
        std::fs::read(folder.join("result.parquet")).unwrap()
    });
    assert!(bytes[0] == bytes[1]);
}

/// Every bit of a file is turned over, and it is cut and lengthened: how many of these pass unseen.
fn unseen(folder: &Path, name: &str) -> usize {
    let file = folder.join(name);
    let whole = std::fs::read(&file).unwrap();
    let mut open = std::fs::OpenOptions::new().write(true).open(&file).unwrap();
    let passes = || match Reader::open(folder) {
        Ok(reader) => reader.warnings().is_empty(),
        Err(Error::Damaged { file: named, .. }) => {
            assert_eq!(named, file);
            false
        }
        Err(other) => panic!("{other}"),
    };
    let mut put = |at: usize, bytes: &[u8]| {
        open.seek(SeekFrom::Start(at as u64)).unwrap();
        open.write_all(bytes).unwrap();
    };
    let mut unseen = 0;
    for (at, byte) in whole.iter().enumerate() {
        for bit in 0..8 {
            put(at, &[byte ^ (1 << bit)]);
            unseen += usize::from(passes());
        }
        put(at, &[*byte]);
    }
    assert!(passes());
    for more in [0, b'\n', b'1'] {
        put(whole.len(), &[more]);
        unseen += usize::from(passes());
    }
    for length in (0..whole.len()).rev().step_by(11) {
        open.set_len(length as u64).unwrap();
        unseen += usize::from(passes());
    }
    unseen
}

#[test]
fn no_bit_of_a_result_changes_unseen() {
    let folder = fresh("bits");
    begun(&folder, 1).finish(done()).unwrap();
    assert_eq!(unseen(&folder, "result.parquet"), 0);
}

#[test]
fn no_bit_of_a_summary_or_scenario_changes_unseen() {
    for name in ["summary.json", "scenario.toml"] {
        let folder = fresh(&format!("{name}-bits"));
        begun(&folder, 1).finish(done()).unwrap();
        assert_eq!(unseen(&folder, name), 0, "{name}");
    }
}

#[test]
fn no_bit_of_a_part_changes_unseen() {
    for part in ["part-00000.parquet", "part-00001.parquet"] {
        let folder = fresh(&format!("{part}-bits"));
        drop(begun(&folder, 1));
        assert_eq!(unseen(&folder, part), 0, "{part}");
    }
}

/// As `sha256sum` would, with the digits as zeros.
#[test]
fn a_checksum_is_the_sha256_of_the_file() {
    let folder = fresh("by-hand");
    begun(&folder, 1).finish(done()).unwrap();
    let text = std::fs::read_to_string(folder.join("summary.json")).unwrap();
    let word = "\"checksum\": \"pliant-sha256:";
    let at = text.find(word).unwrap() + word.len();
    let blank = format!("{}{}{}", &text[..at], "0".repeat(64), &text[at + 64..]);
    assert_eq!(text[at..at + 64], pliant_io::results::hash(&blank));
}

/// Files of versions without checksums are read: here those without the word and the name.
#[test]
fn earlier_results_are_read() {
    let folder = fresh("earlier");
    begun(&folder, 1).finish(done()).unwrap();
    for (name, key) in [("result.parquet", "pliant.checksum"), ("summary.json", "\"checksum\"")] {
        let file = folder.join(name);
        let bytes = std::fs::read(&file).unwrap();
        let mut text: Vec<char> = bytes.iter().map(|byte| char::from(*byte)).collect();
        for word in [key, "pliant-sha256:"] {
            let letters: Vec<char> = word.chars().collect();
            let at = text.windows(letters.len()).rposition(|some| some == letters).unwrap();
            text[at + 3] = 'X';
        }
        let bytes: Vec<u8> = text.iter().map(|letter| *letter as u8).collect();
        std::fs::write(file, bytes).unwrap();
    }
    let reader = Reader::open(&folder).unwrap();
    assert_eq!((reader.rows(), reader.summary().unwrap().outcome.run.rows), (10, 10));
}

/// A summary of another run, good in itself, is not taken for that of this one.
#[test]
fn a_summary_of_another_run_is_refused() {
    let (folder, other) = (fresh("summary"), fresh("summary-other"));
    let _ = begun(&folder, 1).finish(done()).unwrap();
    let _ = begun(&other, 2).finish(done()).unwrap();
    assert!(Reader::open(&folder).is_ok());
    std::fs::copy(other.join("summary.json"), folder.join("summary.json")).unwrap();
    let error = Reader::open(&folder).unwrap_err();
    assert!(error.to_string().contains("belongs to another run than result.parquet"), "{error}");
    let metadata = Metadata { scenario: SCENARIO.to_owned(), ..Metadata::new("arm", "rk4") };
    let error = RunFolder::reopen(&folder, &metadata).unwrap_err();
    assert!(error.to_string().contains("belongs to another run than result.parquet"), "{error}");
}

/// What is to be made of results is one of the names that are known, or the file is damaged.
#[test]
fn unknown_exports_are_refused() {
    let folder = fresh("exports");
    let _ = begun(&folder, 1).finish(done()).unwrap();
    let metadata = Metadata { scenario: SCENARIO.to_owned(), ..Metadata::new("arm", "rk4") };
    std::fs::write(folder.join("exports.txt"), "result.csv\n").unwrap();
    assert!(RunFolder::reopen(&folder, &metadata).is_ok());
    std::fs::write(folder.join("exports.txt"), "result.csw\n").unwrap();
    let error = RunFolder::reopen(&folder, &metadata).unwrap_err();
    assert!(error.to_string().contains("result.csw is none of result.csv"), "{error}");
}
