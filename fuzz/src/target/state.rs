//! States. The first line of an input is the name of a file of `robots` without its ending, and
//! `.json` or `.toml`.

use super::{Verdict, draw, refused, root};
use pliant::arm::Arm;
use pliant_io::{Source, load, parse_state, write_state};

/// Arms with all kinds of coordinates.
const ARMS: [&str; 4] = ["two-arm-satellite", "king-two-link", "telescopic-boom", "stanford"];

const SEEDS: [&str; 9] = [
    r#"two-arm-satellite.json
{"q": {"bus": {"position": [0, 0, 1], "rpy": [0, 0, "30 deg"]}, "left_elbow": 0.5,
 "left_wrist": [1, 0, 0, 0], "bus.x": 2}, "u": {"bus": [1, 2, 3, 4, 5, 6],
 "left_shoulder": {"first": "10 deg/s"}}, "tau": {"right_elbow": "3 N m"},
 "external": [{"frame": "left_grip", "force": [0, 0, "10 N"], "moment": [1, 2, 3], "axes": "own"}]}"#,
    r#"two-arm-satellite.json
{"q": {"bus": {"position": [1, 2, 3], "quaternion": [1, 0, 0, 0]}}, "ud": {"left_elbow": 1}}"#,
    r#"king-two-link.json
{"q": [0.1, 0, 0, "20 deg", 0, 0], "u": {"upper": "1 rad/s", "fore": 2}, "tau": [1, 0, 0, 2, 0, 0]}"#,
    r#"king-two-link.json
{"q": {"upper": 0.5, "fore": "-30 deg"}, "external": {"frame": "tip", "force": [0, "1 kN", 0]}}"#,
    "king-two-link.toml\nq = { upper = 0.5 }\nu = { fore = \"3 deg/s\" }\n[[external]]\nframe = \"tip\"\nforce = [1, 2, 3]\n",
    r#"telescopic-boom.json
{"q": {}, "u": {}, "tau": {}}"#,
    "stanford.toml\ntau = [1, 2, 3, 4, 5, 6]\nq = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]\n",
    r#"stanford.json
{"q": [0, 0, "100 mm", 0, 0, 0], "u": ["1 rpm", 0, 0, 0, 0, 0]}"#,
    "king-two-link.json\n{}",
];

pub(super) fn arms() -> Result<Vec<(String, Arm)>, String> {
    let arm = |name: &str| {
        let path = root().join("robots").join(format!("{name}.toml"));
        let loaded = load(path).map_err(|report| report.to_string())?;
        Ok((name.to_owned(), loaded.arm))
    };
    ARMS.into_iter().map(arm).collect()
}

pub(super) fn seeds() -> Vec<String> {
    SEEDS.map(str::to_owned).to_vec()
}

pub(super) fn run(input: &str, arms: &[(String, Arm)]) -> Verdict {
    let (name, text) = input.split_once('\n').unwrap_or((input, ""));
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    let Some((_, arm)) = arms.iter().find(|(own, _)| own == stem) else {
        return Verdict::Refused;
    };
    let (state, warnings) = match parse_state(&Source::new(name, text), arm) {
        Ok(read) => read,
        Err(report) => return refused(&report),
    };
    draw(&warnings, input);
    let _ = arm.load_forces(&state.q, &state.external);
    let _ = arm.hybrid_dynamics(&state.q, &state.u, &state.tau, &state.ud);
    let written = write_state(&state, arm);
    match parse_state(&Source::new("written.toml", written.as_str()), arm) {
        Ok((again, _)) => assert_eq!(again, state, "another state is written:\n{written}"),
        Err(report) => panic!("a state is written as a file that is refused: {report}\n{written}"),
    }
    Verdict::Accepted
}
