//! The entries of the gallery that count operations.

use crate::gallery::{computed, copy, embedded, in_folder};
use pliant_io::gallery::{GalleryRow, GalleryVerdict};
use std::ops::ControlFlow;

/// What is wrong with steps that are counted and with formulas that are printed.
#[test]
fn broken_counts_are_told_where_they_stand() {
    for (old, new, words) in [
        ("steps = \"{step}\"", "steps = \"11\"", &["no steps \"11\"", "one of 0 to 10"][..]),
        ("by = \"gibbs-appell\"", "by = \"composite\"", &["no other algorithm has steps"]),
        ("printed = \"{formula}\"", "printed = \"n * k\"", &["no variable named \"k\""]),
        ("links = \"6x2\"", "links = \"6\"", &["no chain of links", "groups of links"]),
    ] {
        let folder = copy("gallery-counts", "korayem-2-counts", "entry.toml", [old, new]);
        let run = in_folder(&folder).entries[0].run(2, &mut |_| ControlFlow::Continue(()));
        let report = run.err().unwrap_or_else(|| panic!("{new} is no fault"));
        let problem = report.problems().next().expect("a problem");
        let told = report.to_string() + problem.help.as_deref().unwrap_or_default();
        assert!(words.iter().all(|word| told.contains(word)), "{new}: {told}");
        assert!(problem.span.is_some(), "{new}: {told}");
    }
}

/// Korayem's Tables 1 and 2: every cell, and which of them the algorithm meets exactly.
#[test]
fn gibbs_appell_takes_the_printed_operations() {
    let result = computed(&embedded(), "korayem-2-counts");
    let of_tables = result.tables.iter().flat_map(|table| &table.lines);
    let cells = of_tables.flat_map(|line| &line.cells).map(|at| &result.rows[*at]);
    let printed: Vec<&GalleryRow> = cells.filter(|row| row.printed.is_some()).collect();
    assert_eq!(printed.len(), 2 * 10 + 3 * 2 + 3 * 4);
    let off = |table: &str| -> Vec<[f64; 2]> {
        let own = printed.iter().filter(|row| row.place == table);
        let off = own.filter(|row| row.verdict == GalleryVerdict::Differs);
        off.map(|row| [row.printed, row.ours].map(|number| number.expect("a number"))).collect()
    };
    // steps 1, 2 and 9, and with a rigid link 10
    assert_eq!(
        off("Table 1, 6 flexible links with 2 modes each"),
        [[75.0, 135.0], [300.0, 339.0], [11_451.0, 11_316.0]]
    );
    assert_eq!(
        off("Table 1, 3 links, the first rigid, 2 modes each"),
        [[30.0, 54.0], [120.0, 141.0], [1803.0, 1758.0], [384.0, 516.0]]
    );
    // the head says m = 3
    assert_eq!(
        off("Table 2, Book's recursive Lagrangian"),
        [[25_251.0, 34_593.0], [24_569.0, 33_653.0]]
    );
    let own = off("Table 2, their Gibbs-Appell");
    assert_eq!(own[own.len() - 2..], [[2706.0, 2838.0], [2134.0, 2316.0]]);
}

/// From how many rigid-flexible-rigid bodies on articulated bodies take fewer operations, for 1, 2, 3 and
/// 6 coordinates of each beam. Nothing of it is printed, whatever `step` makes of a number that is not there.
#[test]
fn articulated_bodies_overtake_composite_inertia() {
    let result = computed(&embedded(), "manipulators-crossover");
    assert!(result.rows.iter().all(|row| row.printed.is_none()));
    let claims = result.claims.iter().map(|claim| &result.rows[claim.row]);
    let crossings = claims.filter(|row| row.quantity.starts_with("AB takes fewer"));
    let crossings: Vec<Option<f64>> = crossings.map(|row| row.ours).collect();
    assert_eq!(crossings, [11.0, 6.0, 4.0, 2.0].map(Some));
}
