//! The gallery: what its entries hold, and what follows from their numbers.

use pliant_io::gallery::{
    Gallery, GalleryDocument, GalleryEntry, GalleryResult, GalleryRow, GalleryVerdict, json,
};
use std::collections::BTreeSet;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

pub(crate) fn repository() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..")
}

pub(crate) fn embedded() -> Gallery {
    Gallery::embedded().unwrap_or_else(|report| panic!("{report}"))
}

pub(crate) fn in_folder(folder: &Path) -> Gallery {
    Gallery::in_folder(folder).unwrap_or_else(|report| panic!("{report}"))
}

pub(crate) fn computed(gallery: &Gallery, id: &str) -> GalleryResult {
    let entry = gallery.entry(id).unwrap_or_else(|| panic!("no entry {id}"));
    let found = entry.run(2, &mut |_| ControlFlow::Continue(()));
    found.unwrap_or_else(|report| panic!("{report}")).expect("nobody interrupts it")
}

/// A copy of an entry, with a text replaced in one of its files.
pub(crate) fn copy(test: &str, id: &str, file: &str, [old, new]: [&str; 2]) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(test).join(id);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder");
    for (name, mut text) in embedded().entry(id).expect("an entry").files().expect("its files") {
        if name == file {
            assert!(text.contains(old), "{file} has no {old}");
            text = text.replacen(old, new, 1);
        }
        fs::write(folder.join(name), text).expect("written");
    }
    folder
}

/// Whoever adds an entry to the folder adds it to the program, with every file.
#[test]
fn the_program_has_every_entry() {
    let gallery = embedded();
    let there = in_folder(&repository().join("gallery"));
    let names = |gallery: &Gallery| -> Vec<String> {
        gallery.entries.iter().map(|entry| entry.id.clone()).collect()
    };
    assert_eq!(names(&gallery), names(&there));
    for (own, other) in gallery.entries.iter().zip(&there.entries) {
        let files = other.files().expect("files");
        assert_eq!(own.files().expect("files"), files, "{}", own.id);
        assert!(!own.about.is_empty() && own.count() > 0, "{}", own.id);
    }
}

/// An arm that is a ready robot is that robot, to the byte.
#[test]
fn arms_are_the_ready_ones() {
    let robots = repository().join("robots");
    for (entry, robot) in [
        ("akmehmet-5-2-computed-torque", "akmehmet-3.toml"),
        ("akmehmet-5-3-feedback", "akmehmet-3.toml"),
        ("akmehmet-5-1-line", "akmehmet-3.toml"),
        ("akmehmet-5-4-six-joints", "akmehmet-6.toml"),
        ("king-4-2-poles", "king-three-link.toml"),
        ("king-4-3-steps", "king-three-link.toml"),
        ("king-4-7-pseudolink", "king-three-link.toml"),
        ("king-2-7-swing", "king-two-link.toml"),
    ] {
        let own = fs::read(repository().join("gallery").join(entry).join("arm.toml"));
        let ready = fs::read(robots.join(robot)).expect("a robot");
        assert_eq!(own.expect("an arm"), ready, "{entry}");
    }
    let [one, other] = ["korayem-3-swing", "korayem-3-frequencies"].map(|entry| {
        fs::read(repository().join("gallery").join(entry).join("arm.toml")).expect("an arm")
    });
    assert_eq!(one, other);
}

/// What holds of every row, whatever the entry.
fn sound(result: &GalleryResult) {
    let mut seen = BTreeSet::new();
    for row in &result.rows {
        let GalleryRow { quantity, verdict, why, printed, ours, .. } = row;
        assert!(seen.insert((&row.place, quantity)), "{}: {quantity} is there twice", result.id);
        let is_odd = matches!(verdict, GalleryVerdict::Differs | GalleryVerdict::NotReproducible);
        assert!(!is_odd || why.is_some(), "{}: {quantity} has no reason", result.id);
        if *verdict == GalleryVerdict::Reproduced {
            assert!(ours.is_some(), "{}: {quantity}", result.id);
        }
        let is_beyond = result.document == GalleryDocument::Beyond;
        if matches!(verdict, GalleryVerdict::NoPrintedNumber | GalleryVerdict::Beyond) {
            assert!(printed.is_none() && is_beyond == (*verdict == GalleryVerdict::Beyond));
        }
    }
    for figure in &result.figures {
        assert!(!figure.x.label.is_empty() && !figure.source.is_empty(), "{}", figure.place);
        for panel in &figure.panels {
            assert!(!panel.y.unit.is_empty(), "{}: {}", figure.place, panel.y.label);
            for curve in &panel.curves {
                let points = curve.x.iter().zip(&curve.y);
                let finite = points.filter(|(x, y)| x.is_finite() && y.is_finite()).count();
                assert!(finite > 1 && finite == curve.x.len(), "{}: {finite}", figure.place);
            }
        }
    }
}

/// One of each document that there is, in seconds.
#[test]
fn the_quick_entries_are_sound() {
    let gallery = embedded();
    let quick: Vec<_> = gallery.entries.iter().filter(|entry| entry.is_quick).collect();
    let documents: BTreeSet<_> = gallery.entries.iter().map(|entry| entry.document).collect();
    let represented: BTreeSet<_> = quick.iter().map(|entry| entry.document).collect();
    assert_eq!(documents, represented);
    for entry in quick {
        sound(&computed(&gallery, &entry.id));
    }
}

#[test]
#[ignore = "long: every entry, and how many rows all of them have"]
fn every_entry_is_sound() {
    let gallery = embedded();
    let results: Vec<_> = gallery.entries.iter().map(|one| computed(&gallery, &one.id)).collect();
    results.iter().for_each(sound);
    let rows = results.iter().flat_map(|result| &result.rows);
    let printed = rows.filter(|row| row.printed.is_some()).count();
    assert!(printed >= 150, "{printed} rows have a printed number");
}

/// `gallery.json`: its keys, in their order, and its words.
#[test]
fn rows_are_told_as_json() {
    let gallery = embedded();
    let result = computed(&gallery, "king-3-2-frequencies");
    let text = json([&result]);
    let rows: Vec<serde_json::Value> = serde_json::from_str(&text).expect("JSON");
    assert_eq!(rows.len(), result.rows.len());
    let keys = [
        "id",
        "document",
        "place",
        "quantity",
        "unit",
        "printed",
        "ours",
        "relative_difference",
        "verdict",
        "why",
    ];
    let at = keys.map(|key| text.find(&format!("\"{key}\":")).expect("a key"));
    assert!(at.is_sorted(), "{at:?}");
    let words = GalleryVerdict::ALL.map(GalleryVerdict::word);
    let expected = ["reproduced", "differs", "not reproducible", "no printed number", "beyond"];
    assert_eq!(words, expected);
    for (row, value) in result.rows.iter().zip(&rows) {
        let object = value.as_object().expect("an object");
        assert_eq!(object.len(), keys.len());
        assert!(keys.iter().all(|key| object.contains_key(*key)));
        assert_eq!(value["printed"].as_f64(), row.printed);
        assert_eq!(value["ours"].as_f64(), row.ours);
        let (Some(printed), Some(ours)) = (row.printed, row.ours) else { continue };
        let difference = value["relative_difference"].as_f64().expect("a number");
        assert!((difference - (ours / printed - 1.0)).abs() < 1e-12, "{value}");
    }
}

/// The same numbers from the program and from its folder, on any number of threads.
#[test]
fn a_folder_gives_the_numbers_of_the_program() {
    let there = in_folder(&repository().join("gallery"));
    let gallery = embedded();
    for id in ["king-3-2-frequencies", "akmehmet-5-1-line"] {
        let entry = there.entry(id).expect("an entry");
        let alone = entry.run(1, &mut |_| ControlFlow::Continue(())).expect("computed");
        assert_eq!(Some(computed(&gallery, id)), alone, "{id}");
    }
}

#[test]
fn whoever_interrupts_an_entry_gets_nothing() {
    let gallery = embedded();
    let entry = gallery.entry("akmehmet-5-3-feedback").expect("an entry");
    let found = entry.run(2, &mut |_| ControlFlow::Break(()));
    assert_eq!(found.expect("no fault"), None);
}

/// Which rows a change of one text in a copy changes: where `depends` says so, and no others. Claims
/// follow from them.
fn changed(id: &str, file: &str, change: [&str; 2], depends: &dyn Fn(&GalleryRow) -> bool) {
    let folder = copy("gallery-changed", id, file, change);
    let before = computed(&embedded(), id);
    let after = computed(&in_folder(&folder), id);
    assert_eq!(before.rows.len(), after.rows.len());
    let mut count = 0;
    let claims: BTreeSet<usize> = before.claims.iter().map(|claim| claim.row).collect();
    for (at, (before, after)) in before.rows.iter().zip(&after.rows).enumerate() {
        assert_eq!((&before.quantity, before.printed), (&after.quantity, after.printed));
        let (Some(old), Some(new)) = (before.ours, after.ours) else { continue };
        // below it is rounding: what drifts, and what stands still
        if claims.contains(&at) || old.abs() < 1e-8 {
            continue;
        }
        let part = (new / old - 1.0).abs();
        if depends(before) {
            count += 1;
            // that of the integrals is small: the law knows of the change
            assert!(part > 1e-8 && part < 0.2, "{id}, {}: {old} {new}", before.quantity);
        } else {
            // of a motion that is led along the same line, what the law leaves of the change
            assert!(part < 1e-4, "{id}, {}: {old} {new}", before.quantity);
        }
    }
    assert!(count > 0, "{id}");
}

/// A mass that is 1 % larger changes the rows that depend on it, and the speed of the line is the
/// same.
#[test]
fn a_heavier_arm_changes_its_rows() {
    let heavier = ["mass = \"2.5 kg\"", "mass = \"2.525 kg\""];
    // the gains over the inertia are those of a double integrator
    let depends = |row: &GalleryRow| row.place != "Section III, (3.12)";
    changed("akmehmet-5-3-feedback", "arm.toml", heavier, &depends);
    let depends = |row: &GalleryRow| row.quantity.contains("inertia");
    changed("akmehmet-5-1-line", "arm.toml", heavier, &depends);
    // the payload alone has no part in what is printed without one
    let heavier = ["rhoA = 0.31441", "rhoA = 0.317554"];
    let depends = |row: &GalleryRow| !row.place.ends_with("masses");
    changed("king-3-2-frequencies", "arm.toml", heavier, &depends);
    let heavier = ["rhoA = \"5 kg/m\"", "rhoA = \"5.05 kg/m\""];
    let depends = |row: &GalleryRow| !row.quantity.starts_with("wave number");
    changed("korayem-3-frequencies", "arm.toml", heavier, &depends);
    // one of three arms, and its base goes as far as it did
    let heavier = ["mass = \"2 kg\"", "mass = \"2.02 kg\""];
    let depends = |row: &GalleryRow| row.place.ends_with("fixed base");
    changed("manipulators-three-bases", "held-arm.toml", heavier, &depends);
    let heavier = ["mass = \"0.0828 kg\"", "mass = \"0.083628 kg\""];
    changed("theodore-5-eigenvalues", "arm.toml", heavier, &|_| true);
}

/// The same of an entry that is beyond the documents: a blade of more mass vibrates more slowly, the less so
/// the faster it turns.
#[test]
fn a_heavier_blade_changes_its_rows() {
    let heavier = ["rhoA = \"1 kg/m\"", "rhoA = \"1.01 kg/m\""];
    let folder = copy("gallery-heavier", "beyond-rotating-beam", "arm.toml", heavier);
    let before = computed(&embedded(), "beyond-rotating-beam");
    let after = computed(&in_folder(&folder), "beyond-rotating-beam");
    let ours = |result: &GalleryResult, row: usize| result.rows[row].ours.expect("a number");
    let mut cells = 0;
    // closed forms without a scenario are of no blade
    let tables = before.tables.iter().filter(|table| table.scenario.is_some());
    for cell in tables.flat_map(|table| &table.lines).flat_map(|line| &line.cells) {
        let part = 1.0 - ours(&after, *cell) / ours(&before, *cell);
        assert!(part > 1e-4 && part < 0.005, "{}: {part}", before.rows[*cell].quantity);
        cells += 1;
    }
    assert!(cells > 30, "{cells}");
    // at rest as the root of the mass
    let part = ours(&after, 0) / ours(&before, 0) * 1.01_f64.sqrt() - 1.0;
    assert!(part.abs() < 1e-9, "{part}");
}

/// What can be known of an entry before anything is computed: its scenarios with the values of every row,
/// the channels that are taken, and the names of formulas and claims.
#[test]
fn entries_are_examined_before_they_are_computed() {
    for entry in &embedded().entries {
        let examined = entry.examine();
        if let Err(report) = examined {
            panic!("{}: {report}", entry.id);
        }
    }
    let load = |old: &str, new: &str| {
        let folder = copy("gallery-examined", "akmehmet-5-3-feedback", "entry.toml", [old, new]);
        GalleryEntry::load(folder.join("entry.toml"))
    };
    let told = |found: Result<_, pliant_io::Report>| {
        let Err(report) = found else { panic!("no fault") };
        let help = report.problems().next().and_then(|problem| problem.help.clone());
        report.to_string() + &help.unwrap_or_default()
    };
    let claim = told(load("fresh_80.error / fresh", "fresh_81.error / fresh").map(drop));
    assert!(claim.contains("did you mean fresh_80.error?"), "{claim}");
    for (old, new, words) in [
        ("feedback.waist.effort}^2", "feedback.waste.effort}^2", "feedback.waist.effort"),
        ("controller.feedback.horizon={TTG} s", "controller.feedback.horizon={TTG} m", "horizon"),
    ] {
        let entry = load(old, new).unwrap_or_else(|report| panic!("{report}"));
        let told = told(entry.examine().map(drop));
        assert!(told.contains(words), "{new}: {told}");
    }
}

/// What a broken entry is told: its line, and what would be right.
#[test]
fn broken_entries_are_told_by_line() {
    for (old, new, line, words) in [
        (
            "document = \"Akmehmet\"",
            "document = \"Akmehmed\"",
            1,
            &["did you mean \"Akmehmet\"?"][..],
        ),
        ("quick = true", "quik = true", 4, &["quik", "did you mean quick?"]),
    ] {
        let folder = copy("gallery-broken", "akmehmet-5-3-feedback", "entry.toml", [old, new]);
        let report = Gallery::in_folder(&folder).err().expect("it is broken");
        let problem = report.problems().next().expect("a problem");
        let at = problem.span.clone().expect("a place").start;
        assert_eq!(report.source().place(at).line, line, "{report}");
        assert!(words.iter().all(|word| report.to_string().contains(word)), "{report}");
    }
}

/// The same for what is found when the rows are made of it, and what the numbers are made of.
#[test]
fn broken_rows_and_columns_are_told_where_they_stand() {
    for (old, new, words) in [
        (
            "values = \"0.04 0.01 0.01\"",
            "values = \"0.04 0.01\"",
            &["2 values for 3 variables", "one for each variable"][..],
        ),
        (
            "printed = \"0.000065 0.008 0.000005 14.59\"",
            "printed = \"0.000065 0.008 0.000005\"",
            &["3 printed numbers for 4 columns", "where nothing is printed"],
        ),
        ("\"0.000065 0.008", "\"O.000065 0.008", &["no printed number", "its digits"]),
        ("id = \"fresh\"", "id = \"Fresh\"", &["other characters", "short name"]),
        ("column = \"cost\"", "column = \"costs\"", &["did you mean \"cost\"?"]),
        ("id = \"old_model\"\n", "id = \"fresh\"\n", &["two rows have the id"]),
        ("row = \"fresh_80\"", "row = \"fresh_8\"", &["did you mean \"fresh_80\"?"]),
        ("more_than = 1", "", &["neither more_than nor less_than"]),
        ("scenario = \"line.toml\"\n", "", &["needs a scenario", "add scenario"]),
        ("fresh_80.error / fresh", "fresh_81.error / fresh", &["did you mean fresh_80.error?"]),
        ("\"feedback.waist.effort\"", "\"feedback.waste.effort\"", &["feedback.waist.effort?"]),
        ("scenario = \"line.toml\"", "scenario = \"lines.toml\"", &["no such file", "line.toml?"]),
        ("controller.feedback.horizon={TTG}", "controller.feedbak.horizon={TTG}", &["feedback"]),
    ] {
        let folder = copy("gallery-rows", "akmehmet-5-3-feedback", "entry.toml", [old, new]);
        let report = match Gallery::in_folder(&folder) {
            Err(report) => report,
            Ok(gallery) => {
                let run = gallery.entries[0].run(2, &mut |_| ControlFlow::Continue(()));
                run.err().unwrap_or_else(|| panic!("{new} is no fault"))
            }
        };
        let told = report.to_string();
        let problem = report.problems().next().expect("a problem");
        let told = told + problem.help.as_deref().unwrap_or_default();
        assert!(words.iter().all(|word| told.contains(word)), "{new}: {told}");
    }
}

/// Akmehmet's Table 5.3, as an independent study of it found: rows with fresh matrices within 5 % of
/// the print or its last digit, and the one that carries no factor 1/2.
#[test]
fn the_adaptive_law_gives_its_table() {
    let result = computed(&embedded(), "akmehmet-5-3-feedback");
    let table = &result.tables[0];
    assert_eq!((table.lines.len(), table.columns.len()), (14, 4));
    for line in &table.lines {
        let is_fresh = line.values[1] == "0.01";
        let [error, _, quality, cost] = [0, 1, 2, 3].map(|at| &result.rows[line.cells[at]]);
        if is_fresh {
            assert_eq!(
                [error.verdict, quality.verdict],
                [GalleryVerdict::Reproduced; 2],
                "{line:?}"
            );
        }
        let part = cost.relative_difference.expect("numbers");
        match line.values.join(" ").as_str() {
            "0.16 0.01 0.01" => assert!((part + 0.5).abs() < 0.05, "{part}"),
            _ if is_fresh => assert!((-0.07..0.0).contains(&part), "{line:?}: {part}"),
            _ => assert!((-0.014..0.0).contains(&part), "{line:?}: {part}"),
        }
    }
}
