//! Forward dynamics of an earlier commit, asked over a pipe; built inside its checkout.
//!
//! `arm FILE` or `chain` chooses an arm and answers its numbers of coordinates, `state SEED` answers
//! accelerations, `one CALLS` and `rows STATES` answer the nanoseconds they take in all.
#![allow(missing_docs, clippy::pedantic, clippy::print_stdout)]

use pliant::arm::Arm;
use pliant::dynamics::aba;
use std::hint::black_box;
use std::time::Instant;

/// As in `bench/src/compiled.rs`.
fn state(arm: &Arm, seed: usize) -> Vec<f64> {
    let wave = |k: usize| (1.0 + (k + 3 * seed) as f64).sin();
    let mut q = arm.neutral();
    let way: Vec<f64> = (0..arm.nv()).map(|k| 0.1 * wave(k)).collect();
    arm.displace(&mut q, &way);
    q.extend((0..2 * arm.nv()).map(|k| wave(k + 7)));
    q
}

fn main() {
    let mut arm = pliant::effort::chain(1, 0, 0).expect("a chain");
    let mut work = aba::Workspace::new(&arm);
    let mut rows: Vec<Vec<f64>> = Vec::new();
    for line in std::io::stdin().lines() {
        let line = line.expect("a line");
        let (word, rest) = line.split_once(' ').unwrap_or((&line, ""));
        let count: usize = rest.parse().unwrap_or(0);
        if matches!(word, "arm" | "chain") {
            arm = match word {
                "arm" => pliant_io::load(rest).expect("an arm file").arm,
                _ => pliant::effort::chain(6, 6, 3).expect("a chain"),
            };
            work = aba::Workspace::new(&arm);
            rows = (0..1000).map(|seed| state(&arm, seed)).collect();
            println!("{} {}", arm.nq(), arm.nv());
            continue;
        }
        let (nq, n) = (arm.nq(), arm.nv());
        let (mut forces, mut ud) = (vec![0.0; n], vec![0.0; n]);
        let mut ask = |row: &[f64], ud: &mut [f64]| {
            forces.copy_from_slice(&row[nq + n..]);
            let (q, u) = (black_box(&row[..nq]), &row[nq..nq + n]);
            aba::aba_into(&arm, &mut work, q, u, &mut forces, ud);
            black_box(ud);
        };
        match word {
            "state" => {
                ask(&rows[count], &mut ud);
                let told: Vec<String> = ud.iter().map(|number| format!("{number:e}")).collect();
                println!("{}", told.join(" "));
            }
            "one" => {
                ask(&rows[0], &mut ud);
                let (q, u) = (&rows[0][..nq], &rows[0][nq..nq + n]);
                let start = Instant::now();
                for _ in 0..count {
                    aba::aba_into(&arm, &mut work, black_box(q), u, &mut forces, &mut ud);
                    black_box(&ud);
                }
                println!("{}", start.elapsed().as_nanos());
            }
            _ => {
                let all: Vec<f64> = (0..count).flat_map(|k| rows[k % 1000].clone()).collect();
                // written once before, so that no page of it is new
                let mut out = vec![1.0; count * n];
                let start = Instant::now();
                for (row, ud) in all.chunks_exact(nq + 2 * n).zip(out.chunks_exact_mut(n)) {
                    ask(row, ud);
                }
                println!("{}", start.elapsed().as_nanos());
            }
        }
    }
}
