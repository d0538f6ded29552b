//! Riccati equations by `SciPy`.

use super::{System, systems};
use pliant::analyse::riccati::{TimeDomain, solve};
use pliant::nalgebra::DMatrix;
use serde_json::json;
use std::io::Write;
use std::path::Path;
use std::process::Command;

/// Solves the systems of the file `argv[1]` and compares, entry by entry in states of equal size.
const SCIPY: &str = r#"
import json, sys, numpy as np, scipy.linalg as la
worst = 0.0
for k, one in enumerate(json.load(open(sys.argv[1]))):
    a, b, q, r, x = (np.array(one[key]) for key in ("a", "b", "q", "r", "x"))
    q, r = (q + q.T) / 2, (r + r.T) / 2
    solve = la.solve_continuous_are if one["time"] == "Continuous" else la.solve_discrete_are
    other = solve(a, b, q, r)
    size = np.sqrt(np.diag(x))
    error = np.abs((x - other) / np.outer(size, size)).max()
    assert error < 1e-8, (k, one["time"], len(a), error)
    worst = max(worst, error)
print(worst)
"#;

fn rows(matrix: &DMatrix<f64>) -> Vec<Vec<f64>> {
    matrix.row_iter().map(|row| row.iter().copied().collect()).collect()
}

#[test]
fn scipy_finds_the_same() {
    let python = std::env::var("PLIANT_PYTHON").unwrap_or_else(|_| "python3".into());
    let found = Command::new(&python).args(["-c", "import scipy.linalg"]).output();
    if !found.is_ok_and(|output| output.status.success()) {
        // not by the macros: what they print is hidden when a test passes
        let note = "skipped: python3, or what PLIANT_PYTHON names, has no SciPy";
        writeln!(std::io::stderr(), "scipy_finds_the_same: {note}").expect("to tell");
        return;
    }
    let mut all = Vec::new();
    for time in [TimeDomain::Continuous, TimeDomain::Discrete] {
        for System { a, b, q, r } in &systems(50, 10) {
            let x = solve(time, a, b, q, r).expect("stabilisable").x;
            let [a, b, q, r, x] = [a, b, q, r, &x].map(rows);
            let time = format!("{time:?}");
            all.push(json!({ "time": time, "a": a, "b": b, "q": q, "r": r, "x": x }));
        }
    }
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("riccati.json");
    std::fs::write(&file, serde_json::to_string(&all).expect("JSON")).expect("written");
    let output = Command::new(python).args(["-c", SCIPY]).arg(&file).output().expect("Python");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}
