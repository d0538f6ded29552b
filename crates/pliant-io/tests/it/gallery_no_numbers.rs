//! What has no number in the gallery says so: courses with gaps, printed formulas, claims.

use crate::gallery::{computed, copy, in_folder};
use pliant_io::gallery::{Gallery, GalleryResult, GalleryVerdict};
use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// An entry of its own in the folder of another, of which it has the scenarios.
fn written(test: &str, id: &str, tables: &str) -> PathBuf {
    let folder = copy(test, id, "entry.toml", ["", ""]);
    let head = "document = \"King\"\nplace = \"here\"\ntitle = \"numbers\"\nabout = \"None.\"\n";
    fs::write(folder.join("entry.toml"), head.to_owned() + tables).expect("written");
    folder
}

fn of(test: &str, id: &str, tables: &str) -> GalleryResult {
    computed(&in_folder(&written(test, id, tables)), id)
}

/// Neither the largest nor the least value of a course is known where one of them is none.
#[test]
fn a_course_with_a_gap_has_no_number() {
    for (take, expression) in [
        ("largest", "0.5 - t + 0 * sqrt(0.5 - t)"),
        ("most", "0.5 - t + 0 * sqrt(0.5 - t)"),
        ("least", "0 * sqrt(0.5 - t)"),
        ("mean", "sqrt(0.5 - t)"),
        ("most", "1 / abs(t - 0.5)"),
        ("last", "sqrt(0.5 - t)"),
    ] {
        let column = format!(
            "[[table]]\nscenario = \"upper.toml\"\n[[table.column]]\nkind = \"course\"\nid = \"own\"\n\
             name = \"own\"\nunit = \"1\"\nexpression = \"{expression}\"\ntake = \"{take}\"\n\
             [[table.row]]\nid = \"one\"\nprinted = \"0.5\"\n\
             [[check]]\nclaim = \"small\"\nvalue = \"one.own\"\nless_than = 9\n"
        );
        let result = of("gallery-gaps", "king-4-1-arm", &column);
        let [cell, claim] = &result.rows[..] else { panic!("{result:?}") };
        for row in [cell, claim] {
            assert_eq!((row.ours, row.verdict), (None, GalleryVerdict::Differs), "{take}");
            let why = row.why.as_deref().expect("a reason");
            assert!(why.contains("the expression has no value at t = "), "{take}: {why}");
        }
    }
    // what comes before it is not asked for
    let late = "[[table]]\nscenario = \"upper.toml\"\n[[table.column]]\nkind = \"course\"\n\
                name = \"own\"\nunit = \"1\"\nexpression = \"sqrt(t - 0.5)\"\ntake = \"most\"\n\
                at = \"0.5 s\"\n[[table.row]]\n";
    let ours = of("gallery-gaps-late", "king-4-1-arm", late).rows[0].ours.expect("a number");
    assert!((ours - 0.5_f64.sqrt()).abs() < 1e-12, "{ours}");
}

/// Nor do two courses differ by a number then.
#[test]
fn courses_with_a_gap_differ_by_no_number() {
    let table = "[[table]]\nscenario = \"upper.toml\"\n[[table.column]]\nkind = \"difference\"\n\
                 name = \"own\"\nunit = \"1\"\nexpression = \"1 + 0 * sqrt(0.5 - t)\"\n\
                 against = [\"tolerance=1e-9\"]\n[[table.row]]\nprinted = \"0.0\"\n";
    let row = &of("gallery-gaps-apart", "king-4-1-arm", table).rows[0];
    assert_eq!(row.ours, None, "{row:?}");
    let why = row.why.as_deref().expect("a reason");
    assert!(why.contains("the expression has no value at t = "), "{why}");
}

/// What the document prints is a number: a formula that gives none is a fault of the entry, and so are
/// digits of no size.
#[test]
fn what_is_printed_is_finite() {
    for (column, row, words) in [
        ("printed = \"1 / (a - a)\"", "", &["the printed formula is inf", "needs a number"][..]),
        ("printed = \"sqrt(0 - a)\"", "", &["the printed formula is NaN", "needs a number"]),
        ("", "printed = \"0e400\"", &["no printed number", "its digits"]),
    ] {
        let table = format!(
            "[[table]]\nvariables = [\"a\"]\n[[table.column]]\nkind = \"formula\"\nname = \"own\"\n\
             unit = \"1\"\nexpression = \"a\"\n{column}\n[[table.row]]\nvalues = \"1\"\n{row}\n"
        );
        let folder = written("gallery-unprinted", "king-2-8-counts", &table);
        let found = Gallery::in_folder(&folder).and_then(|gallery| {
            let entry = &gallery.entries[0];
            let examined = entry.examine().map(drop);
            let run = entry.run(2, &mut |_| ControlFlow::Continue(()));
            assert_eq!(examined.is_err(), run.is_err(), "{column}{row}");
            run
        });
        let report = found.err().unwrap_or_else(|| panic!("{column}{row} is no fault"));
        let problem = report.problems().next().expect("a problem");
        let told = report.to_string() + problem.help.as_deref().unwrap_or_default();
        assert!(words.iter().all(|word| told.contains(word)), "{told}");
        let line = report.source().place(problem.span.clone().expect("a place").start).line;
        let line = report.source().text().lines().nth(line - 1).unwrap_or_default();
        assert!(line.starts_with("printed = "), "{line}");
    }
}

/// A claim holds for numbers alone, and tells why it has none.
#[test]
fn claims_hold_for_numbers_alone() {
    let table = "[[table]]\n[[table.column]]\nkind = \"formula\"\nid = \"zero\"\nname = \"zero\"\n\
                 unit = \"1\"\nexpression = \"0\"\n[[table.column]]\nkind = \"solution\"\n\
                 id = \"root\"\nname = \"root\"\nunit = \"1\"\nequation = \"x\"\nfrom = \"1\"\nto = \"2\"\n\
                 [[table.row]]\nid = \"one\"\n\
                 [[check]]\nclaim = \"more\"\nvalue = \"1 / one.zero\"\nmore_than = 1\n\
                 [[check]]\nclaim = \"less\"\nvalue = \"-1 / one.zero\"\nless_than = 1\n\
                 [[check]]\nclaim = \"own\"\nvalue = \"2 * one.root\"\nless_than = 1\nwhy = \"own\"\n\
                 [[check]]\nclaim = \"both\"\nvalue = \"min(one.zero, one.root)\"\nless_than = 1\n";
    let result = of("gallery-claims", "king-2-8-counts", table);
    let reasons = ["the number is inf", "the number is -inf", "change its sign", "change its sign"];
    for (claim, reason) in result.claims.iter().zip(reasons) {
        let row = &result.rows[claim.row];
        assert_eq!((row.ours, row.verdict), (None, GalleryVerdict::Differs), "{row:?}");
        let why = row.why.as_deref().expect("a reason");
        assert!(why.contains(reason), "{why}");
        assert_eq!(why.starts_with("own; "), row.quantity == "own", "{why}");
    }
    assert_eq!(result.claims.len(), reasons.len());
}

/// A table of one column without a scenario, and what becomes of its number.
fn alone(test: &str, column: &str, row: &str) -> (Option<f64>, GalleryVerdict, String) {
    let table = format!(
        "[[table]]\n[[table.column]]\nname = \"own\"\nunit = \"1\"\n{column}\n[[table.row]]\n{row}\n"
    );
    let row = of(test, "king-2-8-counts", &table).rows.remove(0);
    (row.ours, row.verdict, row.why.unwrap_or_default())
}

/// A count is whole: one beside it is another one.
#[test]
fn counts_have_no_last_digit() {
    let column = "kind = \"operations\"\nof = \"inverse dynamics\"\nby = \"recurrences\"\n\
                  links = \"6x0\"\ncount = \"multiplications in sequence\"";
    let (ours, ..) = alone("gallery-whole", column, "");
    let ours = ours.expect("a number");
    for (printed, verdict) in
        [(ours, GalleryVerdict::Reproduced), (ours + 1.0, GalleryVerdict::Differs)]
    {
        let row = format!("printed = \"{printed}\"\nwhy = \"one\"");
        assert_eq!(alone("gallery-whole", column, &row).1, verdict, "{printed} {ours}");
    }
}

/// A narrow peak is not passed over, and a jump is no root.
#[test]
fn integrals_and_roots_are_not_made_up() {
    let peak = "kind = \"integral\"\nintegrand = \"exp(-((s - 0.3) * 1e4)^2)\"";
    let (ours, _, why) = alone("gallery-peak", peak, "");
    assert!(ours.is_none() && why.contains("does not settle"), "{ours:?} {why}");
    let root = |equation: &str| {
        let column =
            format!("kind = \"solution\"\nequation = \"{equation}\"\nfrom = \"0\"\nto = \"1\"");
        alone("gallery-roots", &column, "")
    };
    assert_eq!(root("1 - x").0, Some(1.0));
    assert_eq!(root("x - 1").0, Some(1.0));
    let (ours, _, why) = root("step(x - 0.3) - 0.5");
    assert!(ours.is_none() && why.contains("jumps at 0.3"), "{ours:?} {why}");
}

/// A slip is told with the line of the entry where it stands.
#[test]
fn slips_in_names_are_told_where_they_stand() {
    let table = |set: &str, further: &str, id: &str| {
        format!(
            "[[table]]\nscenario = \"upper.toml\"\nvariables = [\"load\"]\nset = [\"{set}\"]\n\
             [[table.column]]\nkind = \"difference\"\nid = \"{id}\"\nname = \"own\"\nunit = \"1\"\n\
             expression = \"upper.y1\"\nagainst = [\"{further}\"]\n[[table.row]]\nid = \"one\"\nvalues = \"1\"\n"
        )
    };
    let good = table("tolerance={load}e-6", "tolerance=1e-9", "far");
    let wrong_row = good.replace("id = \"one\"", "id = \"claims\"");
    let no_cells = "[[table]]\n[[table.column]]\nkind = \"formula\"\nname = \"own\"\nunit = \"1\"\n\
                    expression = \"1\"\n[[table.row]]\n[[check]]\nclaim = \"own\"\nvalue = \"own\"\nless_than = 1\n";
    for (text, key, words) in [
        (good, "", ""),
        (table("tolerance={lode}e-6", "tolerance=1e-9", "far"), "set = ", "did you mean {load}?"),
        (
            table("tolerance=1e-6", "tolerance={lode}e-9", "far"),
            "against = ",
            "did you mean {load}?",
        ),
        (table("tolerance=1e-6", "tolerance=1e-9", "t"), "id = \"t\"", "it means something else"),
        (table("tolerance=1e-6", "tolerance=1e-9", "x"), "id = \"x\"", "it means something else"),
        (wrong_row, "id = \"claims\"", "of a section of the page"),
        (no_cells.to_owned(), "value = ", "a row and a column with an id"),
    ] {
        let folder = written("gallery-slips", "king-4-1-arm", &text);
        let found = Gallery::in_folder(&folder).map(drop);
        let Err(report) = found else {
            assert_eq!(key, "", "{text} is no fault");
            continue;
        };
        let problem = report.problems().next().expect("a problem");
        let told = report.to_string() + problem.help.as_deref().unwrap_or_default();
        assert!(!key.is_empty() && told.contains(words), "{told}");
        let line = report.source().place(problem.span.clone().expect("a place").start).line;
        let line = report.source().text().lines().nth(line - 1).unwrap_or_default();
        assert!(line.contains(key), "{line}: {told}");
    }
}

/// A column that sets a value tells its own reason, or that of the column on which it depends, and not
/// that of another one before it.
#[test]
fn a_column_that_sets_no_value_tells_its_own_reason() {
    let columns = "[[table.column]]\nkind = \"course\"\nid = \"own\"\nname = \"own\"\nunit = \"1\"\n\
                   expression = \"t\"\n[[table.column]]\nkind = \"solution\"\nid = \"root\"\nname = \"root\"\n\
                   unit = \"1\"\nequation = \"x\"\nfrom = \"1\"\nto = \"2\"\n\
                   [[table.column]]\nkind = \"formula\"\nid = \"twice\"\nname = \"twice\"\nunit = \"1\"\n\
                   expression = \"2 * root\"\n[[table.row]]\n";
    for (set, reason) in [
        ("root", "does not change its sign"),
        ("twice", "does not change its sign"),
        ("own", "it needs the scenario itself"),
    ] {
        let table = format!(
            "[[table]]\nscenario = \"upper.toml\"\nset = [\"tolerance={{{set}}}\"]\n{columns}"
        );
        let folder = written("gallery-causes", "king-4-1-arm", &table);
        let told = in_folder(&folder).entries[0].examine().expect_err("a fault").to_string();
        assert!(told.contains(reason), "{set}: {told}");
    }
}
