//! What entries of the gallery take of runs beside others and of vibrations along them.

use crate::gallery::{computed, copy, in_folder};
use pliant_io::gallery::GalleryResult;
use std::fs;
use std::ops::ControlFlow;
use std::path::PathBuf;

/// An entry of a text of its own, with the files of another one.
fn written(test: &str, id: &str, entry: &str) -> PathBuf {
    let folder = copy(test, id, "entry.toml", ["", ""]);
    fs::write(folder.join("entry.toml"), entry).expect("written");
    folder
}

/// The curves of the first panel of the first figure.
fn curves(result: &GalleryResult) -> Vec<&[f64]> {
    result.figures[0].panels[0].curves.iter().map(|curve| curve.y.as_slice()).collect()
}

/// What a column says of two runs, beside the curves of both.
#[test]
fn differences_are_those_of_the_curves() {
    let entry = r#"
document = "Beyond"
place = "here"
title = "differences"
about = "Two runs."

[[table]]
scenario = "line.toml"

[[table.column]]
kind = "difference"
name = "with an older model"
unit = "1"
expression = "waist.error"
against = ["controller.feedback.update_period=80 ms"]

[[table.column]]
kind = "difference"
name = "with the same"
unit = "1"
expression = "waist.error"
against = ["controller.feedback.update_period=10 ms"]

[[table.column]]
kind = "difference"
name = "of other rows"
unit = "1"
expression = "waist.error"
against = ["record.every=20 ms"]

[[table.row]]
id = "fresh"
name = "fresh"

[[table.row]]
id = "old"
name = "old"
set = ["controller.feedback.update_period=80 ms"]

[[figure]]
title = "errors"
panel = [{ y = "error", unit = "rad", curve = [
  { row = "fresh", y = "waist.error" },
  { row = "old", y = "waist.error" },
] }]
"#;
    let folder = written("gallery-differences", "akmehmet-5-1-line", entry);
    let result = computed(&in_folder(&folder), "akmehmet-5-1-line");
    let [fresh, old] = curves(&result)[..] else { panic!("two curves") };
    let largest = |values: &mut dyn Iterator<Item = f64>| values.fold(0.0, f64::max);
    let apart = largest(&mut fresh.iter().zip(old).map(|(a, b)| (a - b).abs()));
    let of = |curve: &[f64]| apart / largest(&mut curve.iter().map(|y| y.abs()));
    let ours: Vec<Option<f64>> = result.rows.iter().map(|row| row.ours).collect();
    assert!(of(old) > 0.1 && of(fresh) > of(old), "{} {}", of(old), of(fresh));
    assert_eq!(ours, [Some(of(old)), Some(0.0), None, Some(0.0), Some(of(fresh)), None]);
    let why = result.rows[2].why.as_deref().expect("a reason");
    assert!(why.contains("not of the same times"), "{why}");
}

/// Vibrations that are followed along a run: their frequencies are those of the wave numbers, at every
/// length of a link that slides, and what they follow from must be there.
#[test]
fn vibrations_have_the_frequencies_of_the_wave_numbers() {
    let entry = r#"
document = "Beyond"
place = "here"
title = "vibrations"
about = "A link that slides."

[[table]]
scenario = "extension.toml"
set = ["record.every=10 ms", "tolerance=1e-6"]

[[table.column]]
kind = "course"
name = "frequency"
unit = "rad/s"
expression = "vibration.boom.z1.frequency"
take = "first"

[[table.row]]
id = "out"

[[figure]]
title = "frequencies"
panel = [{ y = "frequency", unit = "rad/s", curve = [
  { row = "out", y = "vibration.boom.z1.frequency" },
  { row = "out", y = "boom.beta.z1^2 * boom.group_velocity.z / boom.l" },
  { row = "out", y = "vibration.boom.y2.frequency" },
  { row = "out", y = "boom.beta.y2^2 * boom.group_velocity.y / boom.l" },
] }]
"#;
    let id = "theodore-4-stability";
    let folder = written("gallery-vibrations", id, entry);
    let gallery = in_folder(&folder);
    gallery.entries[0].examine().unwrap_or_else(|report| panic!("{report}"));
    let result = computed(&gallery, id);
    let [ours, expected, second, expected_second] = curves(&result)[..] else { panic!("four") };
    assert!(ours.len() > 90 && expected[0] > 5.0 * expected[ours.len() - 1], "{}", ours.len());
    let pairs = ours.iter().zip(expected).chain(second.iter().zip(expected_second));
    for (ours, expected) in pairs {
        assert!((ours / expected - 1.0).abs() < 1e-9, "{ours} {expected}");
    }
    assert_eq!(result.rows[0].ours, Some(ours[0]));

    let without = entry.replace("\"record.every=10 ms\"", "\"record.channels=['coordinates']\"");
    let folder = written("gallery-vibrations", id, &without);
    let entry = &in_folder(&folder).entries[0];
    let examined = entry.examine().map(drop);
    let computed = entry.run(2, &mut |_| ControlFlow::Continue(())).map(drop);
    for found in [examined, computed] {
        let report = found.expect_err("nothing to follow them from");
        let problem = report.problems().next().expect("a problem");
        let told = format!("{report} {}", problem.help.as_deref().unwrap_or_default());
        assert!(told.contains("does not record") && told.contains("accelerations"), "{told}");
    }
}
