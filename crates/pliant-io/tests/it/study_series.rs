//! Series of studies: the rows of each run are those of the run alone, in one file that depends on
//! nothing else.

use crate::studies::{PARAMETERS, SCENARIO, chunk, go_on, run, scratch, study, table};
use pliant_io::files::Existing;
use pliant_io::results::{self, Reader};
use pliant_io::scenario::{self, Overrides};
use pliant_io::study::{
    JournalError, Study, StudyFolder, StudySeriesReader, StudyTableReader, sweep,
};
use pliant_io::{Setting, Source};
use std::ops::ControlFlow;
use std::path::Path;

/// Channels that are recorded anyway and others that are not.
const SERIES: &str = "series = [\"fore.tip.velocity.*\", \"upper*\", \"energy.kinetic\"]";

fn bytes(place: &Path) -> Vec<u8> {
    std::fs::read(place.join("series.parquet")).expect("series")
}

fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|number| number.to_bits()).collect()
}

/// The rows of a run are those of `result.parquet` of the run alone, which records these channels; its
/// figures are those without series.
#[test]
fn series_are_those_of_single_runs() {
    let folder = scratch("series");
    let small = "figures = [\"*\"]\nset = [\"duration=60 ms\"]";
    let plain = study(&folder, small, PARAMETERS);
    assert!(plain.series_columns().is_empty());
    let _ = run(&plain, &folder.join("plain"), 2);
    assert!(!folder.join("plain/series.parquet").exists());
    let study = study(&folder, &format!("{small}\n{SERIES}"), PARAMETERS);
    let _ = run(&study, &folder.join("all"), 2);
    let [own, table] = ["plain", "all"].map(|name| StudyTableReader::open(folder.join(name)));
    let (own, table) = (own.expect("a table"), table.expect("a table"));
    assert_eq!(own.columns(), table.columns());
    let reader = StudySeriesReader::open(folder.join("all")).expect("series");
    assert_eq!(reader.columns(), study.series_columns());
    let names: Vec<&str> = reader.columns().iter().map(|one| one.name.as_str()).collect();
    assert_eq!(names[..3], ["index", "t", "fore.tip.velocity.x"]);
    assert!(names.contains(&"upper.y1") && names.contains(&"energy.kinetic"), "{names:?}");
    assert_eq!(reader.columns()[2].unit, "m/s");
    assert_eq!((reader.rows(), reader.study()), (24 * 13, study.text()));
    assert_eq!(reader.of_run(24).expect("readable"), None);
    for row in [0, 7, 16, 23] {
        let mut settings =
            vec!["duration=60 ms".to_owned(), format!("record.channels={:?}", &names[2..])];
        for parameter in study.parameters() {
            let numbers = table.numbers(&parameter.name).expect("readable").expect("numbers");
            settings
                .extend(parameter.paths.iter().map(|path| format!("{path}={:?}", numbers[row])));
        }
        let settings = settings.iter().map(|text| Setting::parse(text).expect("good")).collect();
        let setup = scenario::load(folder.join("two.toml"), &Overrides { settings });
        let place = folder.join(format!("run-{row}"));
        let mut watch = |_: &_| ControlFlow::Continue(());
        let _ = scenario::run(&setup.expect("good"), &place, Existing::Refuse, &mut watch)
            .expect("it runs");
        let alone = Reader::open(&place).expect("results");
        let found = reader.of_run(row as u64).expect("readable").expect("rows");
        assert_eq!((found.len(), found[0].len()), (names.len() - 1, 13));
        for (name, numbers) in names[1..].iter().zip(&found) {
            let own = alone.column(name).expect("the channel");
            assert_eq!(bits(numbers), bits(&own), "{name} of {row}");
        }
    }
    for column in own.columns() {
        let both = [&own, &table].map(|one| one.numbers(&column.name).expect("readable"));
        let [own, with] = both.map(|numbers| numbers.map(|all| bits(&all)));
        assert_eq!(own, with, "{}", column.name);
    }
}

/// The file has the same bytes on one thread and on several, and from chunks of any length in any
/// order; without it everything is done again, and what is damaged is not taken.
#[test]
fn series_depend_on_the_study_alone() {
    let folder = scratch("series-alone");
    let head = format!("design = \"random\"\nruns = 12\nset = [\"duration=40 ms\"]\n{SERIES}");
    let study = study(&folder, &head, &PARAMETERS.replace("count = 2\n", ""));
    let whole = run(&study, &folder.join("whole"), 1);
    let series = bytes(&folder.join("whole"));
    assert_eq!(whole, run(&study, &folder.join("threads"), 3));
    assert_eq!(series, bytes(&folder.join("threads")));
    let elsewhere = Study::parse(&Source::new("kept.toml", study.text()), Path::new("/no"), &[]);
    let elsewhere = elsewhere.unwrap_or_else(|report| panic!("{report}"));
    let place = folder.join("pieces");
    let mut journal = StudyFolder::create(&place, &study, Existing::Refuse).expect("a folder");
    for runs in [7..8, 0..3, 10..12] {
        let _ = journal.accept(&study, &chunk(&elsewhere, runs)).expect("good");
    }
    drop(journal);
    let mut journal = StudyFolder::reopen(&place, &study).expect("the same");
    assert_eq!(journal.done(), 6);
    assert!(sweep(&study, &mut journal, 2, &mut go_on).expect("runs").is_continue());
    let _ = journal.finish(&study).expect("a table");
    drop(journal);
    assert_eq!((table(&place), bytes(&place)), (whole, series.clone()));
    // all is there
    let journal = StudyFolder::reopen(&place, &study).expect("the same");
    assert_eq!(journal.done(), 12);
    drop(journal);
    let file = place.join("series.parquet");
    let mut damaged = series.clone();
    damaged[series.len() / 2] ^= 1;
    std::fs::write(&file, damaged).expect("written");
    let refused = StudyFolder::reopen(&place, &study).map(drop);
    assert!(
        matches!(refused, Err(JournalError::Folder(results::Error::Damaged { .. }))),
        "{refused:?}"
    );
    std::fs::remove_file(&file).expect("there");
    let mut journal = StudyFolder::reopen(&place, &study).expect("the same");
    assert_eq!(journal.done(), 0);
    assert!(sweep(&study, &mut journal, 2, &mut go_on).expect("runs").is_continue());
    let _ = journal.finish(&study).expect("a table");
    assert_eq!(bytes(&place), series);
}

/// A run that fails has the rows up to its end, one that is refused has none, and a channel that only
/// some controllers have is not a number in other runs.
#[test]
fn failed_runs_have_series_up_to_their_end() {
    let folder = scratch("series-failed");
    let rest = r#"
series = ["upper", "hold.*.force"]
[[parameter]]
name = "stiff"
path = "controller.hold.joint[0].damping"
values = [3, 3000]
[[parameter]]
name = "payload"
path = "arm.link.fore.payload.mass"
values = [0.3, -1]
"#;
    let study = study(&folder, "", rest);
    let _ = run(&study, &folder.join("all"), 2);
    let reader = StudySeriesReader::open(folder.join("all")).expect("series");
    let of = |run| reader.of_run(run).expect("readable");
    let (good, failed) = (of(0).expect("rows"), of(2).expect("rows"));
    assert_eq!(good[0].len(), 41);
    let ends = StudyTableReader::open(folder.join("all")).expect("a table");
    let csv = ends.write_csv(&folder, Existing::Refuse).expect("written");
    let csv = std::fs::read_to_string(csv).expect("a text");
    assert!(csv.lines().nth(3).expect("a line").contains(",failed,"), "{csv}");
    let count = failed[0].len();
    assert!(count > 1 && count < 41, "{count}");
    assert!(failed.iter().flatten().all(|number| number.is_finite()));
    assert_eq!((of(1), of(3)), (None, None));
}

/// A chunk ends before its series are too many, and a run whose series no memory should hold is
/// refused with its number.
#[test]
fn series_have_bounds() {
    let folder = scratch("series-bounds");
    let wide = |every: &str| {
        let set = format!("set = [\"record.every={every}\", \"duration=20 ms\"]");
        format!("{set}\nseries = [\"coordinates\", \"velocities\", \"accelerations\"]")
    };
    let few = study(&folder, &wide("150 ns"), PARAMETERS);
    let done = chunk(&few, 0..2);
    assert_eq!(done.runs, 0..1);
    let many = study(&folder, &wide("20 ns"), PARAMETERS);
    let done = chunk(&many, 0..2);
    assert_eq!(done.runs, 0..2);
    let place = folder.join("all");
    let mut journal = StudyFolder::create(&place, &many, Existing::Refuse).expect("a folder");
    let _ = journal.accept(&many, &done).expect("good");
    let needs = many.needs(1);
    assert_eq!(needs.rows, 24.0 * 1_000_001.0);
    assert!(needs.disk[1] > 24.0 * 1e6 * 10.0 * 16.0 && needs.is_large(), "{needs:?}");
    let text = String::from_utf8_lossy(&done.bytes).into_owned();
    assert!(text.contains("refused") && text.contains("there is no room for it"));
}

/// What is no channel is told with the nearest one.
#[test]
fn unknown_channels_are_told() {
    let folder = scratch("series-unknown");
    let told = |line: &str| {
        let text = format!("scenario = \"two.toml\"\n{line}\n{PARAMETERS}");
        let read = Study::parse(&Source::new("study.toml", text), &folder, &[]);
        read.err().expect("no such channel").to_string()
    };
    let text = told("series = [\"fore.tip.positon.x\"]");
    assert!(text.contains("did you mean \"fore.tip.position.x\"?"), "{text}");
    let text = told("series = [\"upper@0.5.deflection.z\"]");
    assert!(text.contains("record.channels"), "{text}");
    let sensor = "[[sensor]]\nkind = \"encoder\"\nname = \"index\"\ncoordinate = \"upper\"\n";
    let scenario = format!("{SCENARIO}\n{sensor}period = \"1 ms\"\n");
    std::fs::write(folder.join("two.toml"), scenario).expect("written");
    let text = told("series = [\"sensors\"]");
    assert!(text.contains("the channel \"index\" has the name of the column"), "{text}");
}
