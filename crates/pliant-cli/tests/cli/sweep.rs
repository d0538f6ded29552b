//! Ranges of postures in `--at`: each line of the table is the answer in its own posture.

use crate::{pliant, pliant_in, root, scratch};
use serde_json::Value;

const ARM: &str = "robots/king-two-link.toml";

fn json(arguments: &[&str]) -> Value {
    let text = pliant(&[arguments, &["--format", "json"]].concat()).done();
    serde_json::from_str(&text).expect("JSON")
}

fn column(table: &Value, kind: &str, name: &str) -> Vec<f64> {
    let columns = table[kind].as_array().expect("columns");
    let own = columns.iter().find(|column| column["name"] == name);
    let own = own.unwrap_or_else(|| panic!("no {name} in {columns:?}"));
    own["values"].as_array().expect("numbers").iter().filter_map(Value::as_f64).collect()
}

/// Frequencies, deflections and moments of a range are those of its postures one by one.
#[test]
fn modes_of_a_range_are_those_of_its_postures() {
    let asked = ["modes", ARM, "--no-convergence", "--stress", "--count", "3"];
    let table = json(&[&asked[..], &["--at", "upper=-30..30deg:2,fore=90deg..10:2"]].concat());
    let degrees = |name: &str| -> Vec<f64> {
        column(&table, "coordinates", name).iter().map(|x| x.to_degrees()).collect()
    };
    for (found, expected) in
        [(degrees("upper"), [-30.0, 0.0, 30.0]), (degrees("fore"), [90.0, 50.0, 10.0])]
    {
        let off = found.iter().zip(expected).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max);
        assert!(found.len() == 3 && off < 1e-12, "{found:?}");
    }
    for (k, at) in
        ["upper=-30deg,fore=90deg", "fore=50deg", "upper=30deg,fore=10deg"].iter().enumerate()
    {
        let one = json(&[&asked[..], &["--at", at]].concat());
        let near = |name: &str, value: &Value| {
            let (swept, alone) = (column(&table, "columns", name)[k], value.as_f64().expect(name));
            assert!((swept - alone).abs() < 1e-9 * alone.abs(), "{name}: {swept} {alone}");
        };
        near("mode 1", &one["modes"][0]["frequency_hz"]);
        near("mode 3", &one["modes"][2]["frequency_hz"]);
        near("fore moment", &one["stress"][1]["bending_moment"]["value"]);
        near("fore stress", &one["stress"][1]["stress"]["value"]);
        let world = one["deflection"][1]["world"].as_array().expect("three numbers");
        let size = world.iter().filter_map(Value::as_f64).map(|x| x * x).sum::<f64>().sqrt();
        near("fore.tip deflection", &size.into());
    }
}

/// The mass matrix of the joints over a range; `--only` gives all entries of what it names.
#[test]
fn dynamics_of_a_range_is_that_of_its_postures() {
    let table = json(&["dynamics", ARM, "--at", "fore=0..135deg"]);
    assert_eq!(column(&table, "coordinates", "fore").len(), 11);
    assert_eq!(table["columns"].as_array().map(Vec::len), Some(3 + 2));
    let own = json(&["dynamics", ARM, "--at", "fore=27deg"]);
    let (k, mass, gravity) = (2, &own["mass_matrix"], &own["gravity"]);
    let names: Vec<&str> =
        own["coordinates"].as_array().expect("names").iter().filter_map(Value::as_str).collect();
    let place = |name: &str| names.iter().position(|own| *own == name).expect("a coordinate");
    let (upper, fore) = (place("upper"), place("fore"));
    for (name, value) in [
        ("M upper upper", &mass[upper][upper]),
        ("M fore upper", &mass[fore][upper]),
        ("gravity upper", &gravity[upper]),
    ] {
        let (swept, alone) = (column(&table, "columns", name)[k], value.as_f64().expect(name));
        assert!((swept - alone).abs() <= 1e-12 * alone.abs(), "{name}: {swept} {alone}");
    }
    let all = json(&["dynamics", ARM, "--at", "fore=0..135deg:2", "--only", "gravity"]);
    assert_eq!(all["columns"].as_array().map(Vec::len), Some(names.len()));
}

#[test]
fn ranges_are_tables_and_plots() {
    let folder = scratch("sweep");
    let arm = root().join(ARM).display().to_string();
    let at = ["--at", "fore=0..90deg:3", "--count", "2", "--plot", "modes.svg"];
    let all = [&["modes", arm.as_str()], &at[..]].concat();
    let done = pliant_in(&folder, &all, "").done();
    let lines: Vec<&str> = done.lines().collect();
    assert_eq!(lines.len(), 2 + 2 + 4, "{done}");
    assert!(lines[0].ends_with(": 4 postures"), "{done}");
    let heads =
        ["fore", "mode", "1", "mode", "2", "upper.tip", "deflection", "fore.tip", "deflection"];
    assert!(lines[2].split_whitespace().eq(heads), "{done}");
    assert!(lines[3].split_whitespace().eq(["deg", "Hz", "Hz", "mm", "mm"]), "{done}");
    assert!(lines[5].trim_start().starts_with("30 "), "{done}");
    let drawn = std::fs::read_to_string(folder.join("modes.svg")).expect("a plot");
    assert!(["fore", "frequency", "deflection"].iter().all(|word| drawn.contains(word)));
    let again = pliant_in(&folder, &all, "").refused();
    assert!(again.contains("modes.svg exists already"), "{again}");
    let csv = pliant(&["modes", ARM, "--at", "fore=0..90deg:3", "--count", "1", "--format", "csv"]);
    let csv = csv.done();
    assert!(csv.starts_with("fore [rad],mode 1 [Hz],upper.tip deflection [m],"), "{csv}");
    assert_eq!(csv.lines().count(), 5);
}

#[test]
fn ranges_that_make_no_sense_say_why() {
    for (arguments, told) in [
        (&["modes", ARM, "--at", "fore=0..90deg:0"][..], "does not say in how many steps"),
        (&["modes", ARM, "--at", "fore=0..1:3,upper=0..1:4"], "fore moves in 3 steps, upper in 4"),
        (&["modes", ARM, "--at", "fore=1..1"], "ends where it begins"),
        (&["modes", ARM, "--at", "fore=1", "--plot", "a.svg"], "--at has only one"),
        (&["modes", ARM, "--at", "fore=0..1", "--report", "a.html"], "--report shows one posture"),
        (&["linearise", ARM, "--at", "fore=0..1"], "is a range, this command takes one posture"),
        (&["modes", ARM, "--at", "fore=0..90kg"], "kg"),
    ] {
        let refused = pliant(arguments).refused();
        assert!(refused.contains(told), "{arguments:?}: {refused}");
    }
}
