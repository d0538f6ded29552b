//! `pliant linearise` of a wheel on a spring, every number by hand.

use super::{pliant, pliant_in, scratch};
use pliant::nalgebra::Complex;
use serde_json::Value;
use std::f64::consts::TAU;
use std::path::Path;

/// `I θ̈ + d θ̇ + k θ = τ`.
const WHEEL: &str = r#"
name = "wheel"
gravity = [0, 0, 0]
[[link]]
name = "wheel"
joint = { kind = "revolute", axis = "z", spring = "6 N m/rad", damping = "0.9 N m s/rad" }
length = "0.5 m"
mass = "1 kg"
com = [0, 0, 0]
inertia = [0.75, 0.75, 0.75]
"#;
const INERTIA: f64 = 0.75;
const DAMPING: f64 = 0.9;
const STIFFNESS: f64 = 6.0;
const RADIUS: f64 = 0.5;

/// The motor and a force across the tip; the angle, and how the tip moves across.
const CHANNELS: [&str; 4] = [
    "--input",
    "wheel,wheel.tip.own.force.y",
    "--output",
    "wheel,wheel.rate,wheel.tip.velocity.y,wheel.tip.specific-force.y",
];

fn told(folder: &Path, arguments: &[&str]) -> String {
    std::fs::write(folder.join("wheel.toml"), WHEEL).expect("written");
    pliant_in(folder, &[&["-q", "linearise"], arguments].concat(), "").done()
}

fn object(folder: &Path, arguments: &[&str]) -> Value {
    let all = [arguments, &["--format", "json"]].concat();
    serde_json::from_str(&told(folder, &all)).expect("JSON")
}

fn near(value: &Value, want: f64) {
    let got = value.as_f64().unwrap_or_else(|| panic!("{value} is no number"));
    assert!((got - want).abs() < 1e-12 * want.abs().max(1.0), "{got}, should be {want}");
}

/// `A`, `B`, `C` and `D`, row by row.
fn by_hand() -> [(&'static str, Vec<Vec<f64>>); 4] {
    let (k, d) = (STIFFNESS / INERTIA, DAMPING / INERTIA);
    let push = [1.0 / INERTIA, RADIUS / INERTIA];
    let rows = |rows: &[[f64; 2]]| rows.iter().map(|row| row.to_vec()).collect();
    [
        ("A", rows(&[[0.0, 1.0], [-k, -d]])),
        ("B", rows(&[[0.0, 0.0], push])),
        ("C", rows(&[[1.0, 0.0], [0.0, 1.0], [0.0, RADIUS], [-RADIUS * k, -RADIUS * d]])),
        ("D", rows(&[[0.0; 2], [0.0; 2], [0.0; 2], push.map(|push| RADIUS * push)])),
    ]
}

/// The same to rounding.
fn alike(got: &[Vec<f64>], want: &[Vec<f64>]) -> bool {
    let near = |(got, want): (&f64, &f64)| (got - want).abs() < 1e-14 * want.abs().max(1.0);
    let rows = |(got, want): (&Vec<f64>, &Vec<f64>)| {
        got.len() == want.len() && got.iter().zip(want).all(near)
    };
    got.len() == want.len() && got.iter().zip(want).all(rows)
}

#[test]
fn every_number_of_json_and_csv() {
    let folder = scratch("wheel-numbers");
    let range = ["--from", "0.1", "--to", "10", "--points", "5"];
    let all = [&["wheel.toml"], &CHANNELS[..], &range].concat();
    let found = object(&folder, &all);
    let (k, d) = (STIFFNESS / INERTIA, DAMPING / INERTIA);
    for (name, want) in by_hand() {
        let rows: Vec<Vec<f64>> = serde_json::from_value(found[name].clone()).expect("rows");
        assert!(alike(&rows, &want), "{name}: {rows:?}, should be {want:?}");
    }
    for (pole, sign) in found["poles"].as_array().expect("poles").iter().zip([1.0, -1.0]) {
        near(&pole["real"], -0.5 * d);
        near(&pole["imaginary"], sign * (k - 0.25 * d * d).sqrt());
        near(&pole["frequency_hz"], k.sqrt() / TAU);
        near(&pole["damping_ratio"], 0.5 * d / k.sqrt());
    }
    let zeros = found["zeros"].as_array().expect("zeros");
    for (row, (output, count)) in
        ["wheel", "wheel.rate", "wheel.tip.velocity.y", "wheel.tip.specific-force.y"]
            .into_iter()
            .zip([0, 1, 1, 2])
            .enumerate()
    {
        for (column, input) in ["wheel.force", "wheel.tip.own.force.y"].into_iter().enumerate() {
            let one = &zeros[2 * row + column];
            assert!(one["input"] == input && one["output"] == output, "{one}");
            assert_eq!(one["zeros"].as_array().expect("a list").len(), count, "{one}");
        }
    }
    let csv = told(&folder, &[&all[..], &["--format", "csv"]].concat());
    let lines: Vec<Vec<f64>> = csv
        .lines()
        .skip(1)
        .map(|line| line.split(',').map(|cell| cell.parse().expect("a number")).collect())
        .collect();
    let response = found["response"].as_array().expect("a response");
    assert_eq!([lines.len(), response.len()], [5, 5]);
    for (i, (line, at)) in lines.iter().zip(response).enumerate() {
        let hertz = 0.1 * 10.0_f64.powf(0.5 * i as f64);
        near(&at["frequency_hz"], hertz);
        assert!((line[0] / hertz - 1.0).abs() < 1e-12, "{line:?}");
        let s = Complex::new(0.0, TAU * hertz);
        let angle = Complex::from(1.0) / (s * s * INERTIA + s * DAMPING + STIFFNESS);
        let outputs = [angle, angle * s, angle * s * RADIUS, angle * s * s * RADIUS];
        for (column, factor) in [1.0, RADIUS].into_iter().enumerate() {
            for (row, output) in outputs.iter().enumerate() {
                let want = output * factor;
                near(&at["real"][row][column], want.re);
                near(&at["imaginary"][row][column], want.im);
                let cells = &line[1 + 2 * (4 * column + row)..];
                assert!((cells[0] / want.norm() - 1.0).abs() < 1e-12, "{line:?}");
                assert!((cells[1] - want.arg().to_degrees()).abs() < 1e-9, "{line:?}");
            }
        }
    }
    let head = csv.lines().next().expect("a head");
    let last = "\"|wheel.tip.specific-force.y / wheel.tip.own.force.y [(m/s^2)/(N)]|\"";
    assert!(head.contains(last), "{head}");
    // from a tenth of the slowest to three times the fastest pole
    let usual = object(&folder, &["wheel.toml", "--points", "2"]);
    near(&usual["response"][0]["frequency_hz"], 0.1 * k.sqrt() / TAU);
    near(&usual["response"][1]["frequency_hz"], 3.0 * k.sqrt() / TAU);
}

#[test]
fn every_number_of_the_text() {
    let folder = scratch("wheel-text");
    let text = told(&folder, &["wheel.toml"]);
    for line in [
        "        -0.6           ±2.76405        0.450158       0.212132\n",
        "  wheel.force  wheel                  0.168196  (rad)/(N m)           none\n",
        "  wheel.force  wheel.tip.position.x          0    (m)/(N m)    no response\n",
        "  wheel.force  wheel.tip.position.y  0.0840979    (m)/(N m)           none\n",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    // three zeros, and how many more
    let king = ["linearise", "robots/king-two-link.toml", "--input", "upper", "--output", "upper"];
    let text = pliant(&king).done();
    let line = text.lines().last().expect("a channel");
    // which of the first two, of one size, comes first is rounding
    assert!(line.matches("0.613452, ").count() == 2, "{line}");
    assert!(line.ends_with("0.613452, ±9.01271i, and 8 more"), "{line}");
}

#[test]
fn files_hold_the_matrices() {
    let folder = scratch("wheel-files");
    let all = [&["wheel.toml"], &CHANNELS[..]].concat();
    for file in ["wheel.py", "wheel.npz"] {
        told(&folder, &[&all[..], &["--export", file]].concat());
    }
    let script = std::fs::read_to_string(folder.join("wheel.py")).expect("a script");
    let archive = std::fs::read(folder.join("wheel.npz")).expect("an archive");
    let mut rest = archive.as_slice();
    for (name, want) in by_hand() {
        // NAME = np.array([, a line for each row, ]).reshape(rows, columns)
        let shape = (want.len(), want[0].len());
        let text = script.split_once(&format!("\n{name} = np.array([\n")).expect("an array").1;
        let end = format!("\n]).reshape({}, {})\n", shape.0, shape.1);
        let text = text.split_once(&end).unwrap_or_else(|| panic!("{name}:\n{script}")).0;
        let row = |line: &str| -> Vec<f64> {
            let line = line.trim().trim_start_matches('[').trim_end_matches("],");
            line.split(", ").map(|entry| entry.parse().expect("a number")).collect()
        };
        let rows: Vec<Vec<f64>> = text.lines().map(row).collect();
        assert!(alike(&rows, &want), "{name}: {rows:?}, should be {want:?}");
        // one after the other, each with its name, its shape, and its rows after a line feed
        let find = |bytes: &[u8], wanted: &[u8]| {
            let at = bytes.windows(wanted.len()).position(|window| window == wanted);
            at.unwrap_or_else(|| panic!("{name}: no {}", String::from_utf8_lossy(wanted)))
        };
        rest = &rest[find(rest, format!("{name}.npy").as_bytes())..];
        let shape = format!("'fortran_order': False, 'shape': ({}, {},)", shape.0, shape.1);
        let header = find(rest, shape.as_bytes());
        assert!(header < 128, "the shape of another array");
        rest = &rest[header..];
        rest = &rest[find(rest, b"\n") + 1..];
        for value in rows.concat() {
            assert_eq!(rest[..8], value.to_le_bytes(), "{name}");
            rest = &rest[8..];
        }
    }
    for names in [
        "states = [\"wheel\", \"wheel_rate\"]\n",
        "inputs = [\"wheel_force\", \"wheel_tip_own_force_y\"]\n",
        "outputs = [\"wheel\", \"wheel_rate\", \"wheel_tip_velocity_y\", \"wheel_tip_specific-force_y\"]\n",
    ] {
        assert!(script.contains(names), "{names} is not in\n{script}");
    }
}

/// A force along x on the tip: `−F r sin θ` about the axis.
#[test]
fn loads_and_motions_are_those_of_the_point() {
    let folder = scratch("wheel-points");
    let pulled = |angle: f64, force: f64| -(STIFFNESS + force * RADIUS * angle.cos()) / INERTIA;
    let state =
        r#"{"q": {"wheel": 0.3}, "external": [{"frame": "wheel.tip", "force": [10, 0, 0]}]}"#;
    let found = object(&folder, &["wheel.toml", "--state", state, "--as-given"]);
    near(&found["A"][1][0], pulled(0.3, 10.0));
    let scenario = r#"
arm = "wheel.toml"
duration = "1 s"
initial = { wheel = "0.5 rad" }
rates = { wheel = "2 rad/s" }
tolerance = 1e-10
[[input]]
kind = "constant"
frame = "wheel.tip"
force = ["10 N", 0, 0]
value = 0.5
"#;
    std::fs::write(folder.join("turns.toml"), scenario).expect("written");
    let start = object(&folder, &["turns.toml"]);
    near(&start["u"][0], 2.0);
    near(&start["A"][1][0], pulled(0.5, 5.0));
    let later = object(&folder, &["turns.toml", "--at", "0.2 s"]);
    let number = |key: &str| later[key][0].as_f64().expect("a number");
    let (q, u) = (number("q"), number("u"));
    assert!(q > 0.6 && u < 2.0, "{q} {u}");
    near(&later["A"][1][0], pulled(q, 5.0));
    let pull = -STIFFNESS * q - DAMPING * u - 5.0 * RADIUS * q.sin();
    near(&later["ud"][0], pull / INERTIA);
    let said = pliant_in(&folder, &["linearise", "wheel.toml", "--from", "9", "--to", "3"], "");
    assert!(said.refused().contains("the response would go from 9 Hz to 3 Hz"));
}

/// Names of King's arm: what hangs, what is locked, gauges, sensors.
#[test]
fn names_mean_what_they_say() {
    let king = "robots/king-two-link.toml";
    let ask = |arguments: &[&str]| -> Value {
        let all =
            [&["-q", "linearise"], arguments, &["--points", "2", "--format", "json"]].concat();
        serde_json::from_str(&pliant(&all).done()).expect("JSON")
    };
    let names = |found: &Value, key: &str| -> Vec<String> {
        let all = found[key].as_array().expect("a list").iter();
        all.map(|one| one["name"].as_str().expect("a name").to_owned()).collect()
    };
    let found = ask(&[
        king,
        "--lock",
        "upper",
        "--output",
        "fore.rate,upper.strain@0.05:0.005:0.001,fore.tip.position.z",
    ]);
    assert_eq!(names(&found, "inputs"), ["fore.force"]);
    let outputs = ["fore.rate", "upper.strain(0.05, 0.005, 0.001)", "fore.tip.position.z"];
    assert_eq!(names(&found, "outputs"), outputs);
    let wrenches =
        ask(&[king, "--input", "fore.tip.moment.z,fore.tip.own.moment.x,fore.tip.force.x"]);
    let inputs = ["fore.tip.moment.z", "fore.tip.own.moment.x", "fore.tip.force.x"];
    assert_eq!(names(&wrenches, "inputs"), inputs);
    // each channel has its own zeros, as if it were alone
    let both = ask(&[king, "--output", "upper,fore"]);
    let alone = ask(&[king, "--input", "fore", "--output", "fore"]);
    assert_eq!(both["zeros"][3], alone["zeros"][0]);
    assert_ne!(both["zeros"][0]["zeros"], both["zeros"][3]["zeros"]);
    // the links hang, unless they are to stay as they are given
    let bent = |found: &Value| {
        let q: Vec<f64> = serde_json::from_value(found["q"].clone()).expect("numbers");
        q.iter().fold(0.0_f64, |most, q| most.max(q.abs()))
    };
    assert!(bent(&found) > 1e-3 && bent(&ask(&[king, "--as-given"])) == 0.0);
    let folder = scratch("wheel-sensors");
    let arm = super::root().join(king).display().to_string();
    let scenario = format!(
        "arm = {arm:?}\nduration = \"1 s\"\n[[sensor]]\nkind = \"encoder\"\nname = \"shaft\"\ncoordinate = \"fore\"\nperiod = \"1 ms\"\n[[sensor]]\nkind = \"position\"\nname = \"camera\"\nframe = \"fore.tip\"\nperiod = \"1 ms\"\n"
    );
    std::fs::write(folder.join("seen.toml"), scenario).expect("written");
    let all = ["-q", "linearise", "seen.toml", "--output", "shaft,camera", "--format", "json"];
    let seen: Value = serde_json::from_str(&pliant_in(&folder, &all, "").done()).expect("JSON");
    assert_eq!(names(&seen, "outputs"), ["shaft", "camera.x", "camera.y", "camera.z"]);
}

#[test]
fn the_drawing_has_degrees_and_all_poles() {
    let folder = scratch("wheel-drawing");
    told(&folder, &["wheel.toml", "--output", "wheel", "--plot", "wheel.svg"]);
    let svg = std::fs::read_to_string(folder.join("wheel.svg")).expect("a figure");
    let drawing = roxmltree::Document::parse(&svg).expect("XML");
    let texts: Vec<&str> = drawing.descendants().filter_map(|node| node.text()).collect();
    // a phase down to −180 degrees, and poles at ±2.76 rad/s
    for wanted in [
        "gain ((rad)/(N m))",
        "phase (deg)",
        "−150",
        "real part (1/s)",
        "imaginary part (rad/s)",
        "−2",
        "2",
    ] {
        assert!(texts.contains(&wanted), "{wanted}: {texts:?}");
    }
}
