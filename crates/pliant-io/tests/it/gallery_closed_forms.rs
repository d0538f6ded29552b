//! Closed forms in entries of the gallery: integrals, quantities of the arm, and loads that follow from them.

use crate::gallery::{computed, copy, in_folder};
use pliant_io::gallery::GalleryResult;
use std::fs;
use std::ops::ControlFlow;

/// The numbers whose names have these words.
fn column(result: &GalleryResult, words: &str) -> Vec<f64> {
    let of = result.rows.iter().filter(|row| row.quantity.contains(words));
    of.map(|row| row.ours.expect("a number")).collect()
}

/// An arm of another mass or stiffness has other closed forms: every claim that ours are these still
/// holds, whatever does not hold of the documents, and nothing of the arm that was is left in them.
#[test]
fn closed_forms_follow_the_arm() {
    let gallery = crate::gallery::embedded();
    for (id, file, change, closed) in [
        ("beyond-floating", "stiff-bar.toml", ["1.25 kg", "1.2625 kg"], "by the integral"),
        ("beyond-floating", "bar.toml", ["20 kg", "20.2 kg"], "by the integral"),
        (
            "beyond-spin-up",
            "arm.toml",
            ["\"1.4e4 N m^2\"", "\"1.414e4 N m^2\""],
            "closed form, speed",
        ),
        // far beyond the numbers that were
        (
            "korayem-3-frequencies",
            "arm.toml",
            ["\"1000 N m^2\"", "\"2000 N m^2\""],
            "by the frequency equation",
        ),
    ] {
        let before = computed(&gallery, id);
        let folder = copy("gallery-closed", id, file, change);
        // links that are alike stay so
        let text = fs::read_to_string(folder.join(file)).expect("a file");
        fs::write(folder.join(file), text.replace(change[0], change[1])).expect("written");
        let after = computed(&in_folder(&folder), id);
        for claim in &after.claims {
            let [was, is] = [&before, &after].map(|result| &result.rows[claim.row]);
            assert_eq!(was.verdict, is.verdict, "{id}: {}", is.quantity);
        }
        let [old, new] = [&before, &after].map(|result| column(result, closed));
        let changed = old.iter().zip(&new).filter(|(old, new)| (*new / *old - 1.0).abs() > 1e-4);
        // floating: one of two arms is another one
        assert!(changed.count() >= 4 && old.len() == new.len(), "{id}: {old:?} {new:?}");
    }
    // numbers without a dimension stay what they are, loads and all
    for (id, change) in [
        ("beyond-buckling", ["EIz = \"1 N m^2\"", "EIz = \"1.01 N m^2\""]),
        ("beyond-timoshenko", ["rhoA = \"1 kg/m\"", "rhoA = \"1.01 kg/m\""]),
    ] {
        let before = computed(&gallery, id);
        let after = computed(&in_folder(&copy("gallery-closed", id, "arm.toml", change)), id);
        for (old, new) in before.rows.iter().zip(&after.rows) {
            let (Some(number), Some(other)) = (old.ours, new.ours) else { panic!("numbers") };
            let is_difference = old.quantity.starts_with("difference") || number.abs() < 1e-3;
            let allowed = if is_difference { 1e-7 } else { 1e-7 * number.abs() };
            assert!((number - other).abs() < allowed, "{id}, {}: {number} {other}", old.quantity);
        }
    }
}

/// Elliptic integrals beside the arithmetic-geometric mean, as a column, inside of an equation, and from a
/// quantity.
#[test]
fn integrals_are_columns() {
    let entry = r#"
document = "Beyond"
place = "here"
title = "integrals"
about = "Complete elliptic integrals of the first kind."

[[table]]
variables = ["k"]
quantities = [
  "b0 = sqrt(1 - k^2)",
  "a1 = (1 + b0) / 2",
  "b1 = sqrt(b0)",
  "a2 = (a1 + b1) / 2",
  "b2 = sqrt(a1 * b1)",
  "a3 = (a2 + b2) / 2",
  "b3 = sqrt(a2 * b2)",
  "a4 = (a3 + b3) / 2",
  "b4 = sqrt(a3 * b3)",
  "mean = (a4 + b4) / 2",
]

[[table.column]]
kind = "integral"
id = "quarter"
name = "quarter"
unit = "1"
integrand = "1 / sqrt(1 - (k * sin(s))^2)"
upper = "pi / 2"

[[table.column]]
kind = "formula"
name = "off"
unit = "1"
expression = "quarter * mean / (pi / 2) - 1"

[[table.column]]
kind = "solution"
id = "modulus"
name = "modulus"
unit = "1"
integrand = "1 / sqrt(1 - (x * sin(s))^2)"
lower = "0"
upper = "pi / 2"
equation = "integral - quarter"
from = "0"
to = "0.999"

[[table.column]]
kind = "integral"
name = "half a square"
unit = "1"
integrand = "k * s"

[[table.column]]
kind = "integral"
name = "pole"
unit = "1"
integrand = "1 / s"

[[table.row]]
values = "0.1"

[[table.row]]
values = "0.9"

[[table.row]]
values = "0.99"
"#;
    let folder = copy("gallery-integrals", "beyond-buckling", "entry.toml", ["", ""]);
    fs::write(folder.join("entry.toml"), entry).expect("written");
    let result = computed(&in_folder(&folder), "beyond-buckling");
    for (row, k) in [0.1, 0.9, 0.99].into_iter().enumerate() {
        let ours: Vec<Option<f64>> =
            result.rows[5 * row..5 * row + 5].iter().map(|row| row.ours).collect();
        let [Some(quarter), Some(off), Some(modulus), Some(half), None] = ours[..] else {
            panic!("{ours:?}")
        };
        assert!(quarter > 1.57 && off.abs() < 1e-13, "{k}: {quarter} {off:e}");
        assert!((modulus - k).abs() < 1e-11 && (half - 0.5 * k).abs() < 1e-15, "{modulus} {half}");
    }
    let why = result.rows[4].why.as_deref().expect("a reason");
    assert!(why.contains("does not settle"), "{why}");
}

/// What is wrong with a quantity, with what it is made of, and with a column that sets a value.
#[test]
fn broken_quantities_are_told() {
    for (id, old, new, words) in [
        ("beyond-buckling", "\"L = {arm", "\"L {arm", &["NAME = EXPRESSION"][..]),
        ("beyond-buckling", "\"L = {arm", "\"2L = {arm", &["NAME = EXPRESSION"]),
        ("beyond-buckling", "\"mu = {arm", "\"EI = {arm", &["\"EI\"", "name of something else"]),
        ("beyond-buckling", "\"mu = {arm", "\"f1 = {arm", &["\"f1\"", "name of something else"]),
        (
            "beyond-buckling",
            "section.EIz}",
            "section.EIx}",
            &["did you mean arm.link.column.section.EIz?"],
        ),
        (
            "beyond-buckling",
            "\"p = pi^2 / 4 *",
            "\"p = pi^2 / 0 *",
            &["\"p\" is ", "needs a number"],
        ),
        (
            "beyond-buckling",
            "value={load}",
            "value={f1}",
            &["needs the scenario itself", "solution"],
        ),
        (
            "beyond-elastica",
            "sin({slope of the tip by theory}",
            "2 + sin({slope of the tip by theory}",
            &["sets no value", "no value at"],
        ),
        (
            "beyond-elastica",
            "equation = \"integral -",
            "equation = \"integrals -",
            &["did you mean integral?"],
        ),
        ("beyond-elastica", "integrand = \"1 / sqrt(1 -", "integrand = \"1 / sqrt(y -", &["y"]),
    ] {
        let folder = copy("gallery-quantities", id, "entry.toml", [old, new]);
        let report = match pliant_io::gallery::Gallery::in_folder(&folder) {
            Err(report) => report,
            Ok(gallery) => {
                let examined = gallery.entries[0].examine().map(drop);
                let run = gallery.entries[0].run(2, &mut |_| ControlFlow::Continue(())).map(drop);
                let (examined, run) = (examined.err(), run.err());
                // what a look finds, a run finds too
                assert!(examined.is_some() && run.is_some(), "{new} is no fault");
                run.unwrap_or_else(|| panic!("{new} is no fault"))
            }
        };
        let problem = report.problems().next().expect("a problem");
        let told = report.to_string() + problem.help.as_deref().unwrap_or_default();
        assert!(words.iter().all(|word| told.contains(word)), "{new}: {told}");
    }
}
