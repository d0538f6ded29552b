//! King's entries of the gallery, and the columns that look at shapes and equations.

use crate::gallery::{computed, copy, embedded, repository};
use pliant::reproduce::Variant;
use pliant_io::gallery::{Gallery, GalleryRow, GalleryVerdict};
use pliant_io::scenario::{self, Overrides, Setup};
use std::ops::ControlFlow;

/// King's Tables 3.2 and 3.3: finite elements within 0.5 %, one mode within 0.6 %, or the last digit.
#[test]
fn kings_frequencies_are_reproduced() {
    let result = computed(&embedded(), "king-3-2-frequencies");
    let is_printed = |row: &&GalleryRow| {
        ["finite elements", "assumed modes"].iter().any(|column| row.place.ends_with(column))
    };
    let printed: Vec<_> = result.rows.iter().filter(is_printed).collect();
    assert_eq!(printed.len(), 16);
    for row in printed {
        assert_eq!(row.verdict, GalleryVerdict::Reproduced, "{row:?}");
    }
}

/// A scenario of an entry.
fn setup(id: &str, name: &str) -> Setup {
    let path = repository().join("gallery").join(id).join(name);
    scenario::load(path, &Overrides::default()).unwrap_or_else(|report| panic!("{report}"))
}

/// King's rotation beside the exact one, by his recurrences: the entry takes Gibbs-Appell.
#[test]
fn parts_of_equations_are_as_far_apart_by_another_algorithm() {
    let result = computed(&embedded(), "king-6-2-terms");
    let setup = setup("king-6-2-terms", "state.toml");
    let (arm, diagram) = (&setup.simulation.arm, &setup.simulation.diagram);
    let (q, u) = (&diagram.q[..], &diagram.u[..]);
    let mut king = Variant::first_order(arm, |_| true).expect("a chain");
    let mass = [king.mass_matrix(q), arm.mass_matrix(q)].map(|mass| mass.expect("a good state"));
    let forces = |found: [Result<_, _>; 2]| found.map(|forces| forces.expect("a good state"));
    let velocity = forces([king.coriolis(q, u), arm.coriolis(q, u)]);
    let gravity = forces([king.gravity_forces(q), arm.gravity_forces(q)]);
    let want = [
        (&mass[0] - &mass[1]).norm() / mass[1].norm(),
        (&velocity[0] - &velocity[1]).norm() / velocity[1].norm(),
        (&gravity[0] - &gravity[1]).norm() / gravity[1].norm(),
    ];
    let lines = &result.tables[0].lines;
    let line = lines.iter().find(|line| line.name.as_deref().is_some_and(|n| n.contains("King")));
    for (&cell, want) in line.expect("a row").cells.iter().zip(want) {
        let ours = result.rows[cell].ours.expect("a number");
        // both are differences of numbers a hundred times as large
        assert!((ours / want - 1.0).abs() < 1e-8, "{ours} {want}");
    }
}

/// The same by another derivation: Jacobians of 24 places of each bar and of their sections, along which
/// the velocity forces are differences, and gravity the work of the weight. It shares no code with pliant, and
/// its sections have no inertia about the axes across a bar, which is 2e-6 of the whole.
#[test]
fn terms_of_second_order_are_those_of_another_derivation() {
    let result = computed(&embedded(), "king-6-2-terms");
    for (row, want) in [
        (0, [4.435_342e-3, 4.943_901e-3, 5.632_126e-3]),
        (1, [6.410_523e-5, 4.472_004e-5, 1.868_426e-4]),
        (3, [4.803_435e-3, 1.421_182e-2, 4.027_799e-3]),
        (4, [4.461_736e-3, 4.954_600e-3, 5.781_307e-3]),
        (6, [2.057_630e-7, 2.287_696e-7, 0.0]),
        (7, [3.311_624e-3, 1.398_440e-2, 2.149_725e-2]),
    ] {
        let line = &result.tables[0].lines[row];
        for (&cell, want) in line.cells.iter().zip(want) {
            let ours = result.rows[cell].ours.expect("a number");
            // its steps leave 2e-9
            let allowed = 5e-4 * want + 2e-9;
            assert!((ours - want).abs() <= allowed, "{:?}: {ours:e} {want:e}", line.name);
        }
    }
}

/// In the middle of eight elements is a node, whose deflection is a coordinate of the mode; that of a
/// clamped bar is known.
#[test]
fn shapes_of_modes_are_those_of_their_coordinates() {
    let result = computed(&embedded(), "king-3-4-shapes");
    let setup = setup("king-3-4-shapes", "posture.toml");
    let arm = &setup.simulation.arm;
    let modes = arm.modes(&setup.simulation.diagram.q).expect("modes").modes;
    let names = arm.velocity_names();
    let of = |node: &str| modes[0].shape[names.iter().position(|n| n == node).expect("a node")];
    let middle = |table: usize| {
        let cells = &result.tables[table].lines[0].cells;
        result.rows[cells[1]].ours.expect("a number")
    };
    let want = of("upper.y4") / of("upper.y8");
    assert!((middle(0) / want - 1.0).abs() < 1e-9, "{want}");
    assert!((middle(2) - 0.339_523_112_865_323_9).abs() < 1e-9);
    let figure = &result.figures[0];
    assert_eq!(figure.panels[0].curves.len(), 6);
    for curve in &figure.panels[0].curves {
        assert_eq!((curve.y.first(), curve.y.last()), (Some(&0.0), Some(&1.0)), "{}", curve.name);
    }
}

/// King's section 4.9.1: with the printed data the loop that he finds unstable is stable, and with a hub
/// everything is as he says.
#[test]
fn kings_sampling_rates_need_a_hub() {
    let result = computed(&embedded(), "king-4-9-multirate");
    for claim in &result.claims {
        let row = &result.rows[claim.row];
        let is_literal = row.quantity.contains("25 Hz") && row.quantity.contains("printed data");
        let is_limit = row.quantity.starts_with("If the link were rigid, 10 Hz");
        assert_eq!(row.verdict == GalleryVerdict::Differs, is_literal || is_limit, "{row:?}");
    }
}

#[test]
fn broken_columns_of_models_are_told_with_what_there_is() {
    for (id, old, new, words) in [
        (
            "king-6-2-terms",
            "values = \"exponential exact",
            "values = \"exponentially exact",
            &["cannot be written \"exponentially\"", "exact, exponential, first-order"][..],
        ),
        (
            "king-3-4-shapes",
            "link = \"upper\"",
            "link = \"uper\"",
            &["no link that bends", "did you mean \"upper\"?"],
        ),
        (
            "king-3-4-shapes",
            "row = \"free\", column = \"free_shape\"",
            "row = \"free\", column = \"free_shap\"",
            &["no column of kind mode-shape", "did you mean \"free_shape\"?"],
        ),
        ("king-3-4-shapes", "take = \"at\"\nat = 0.5", "take = \"at\"\nat = 1.5", &[]),
    ] {
        let folder = copy("gallery-models", id, "entry.toml", [old, new]);
        let found = Gallery::in_folder(&folder)
            .and_then(|gallery| gallery.entries[0].run(2, &mut |_| ControlFlow::Continue(())));
        let told = match found {
            Err(report) => {
                let help = report.problems().next().and_then(|problem| problem.help.clone());
                format!("{report} {}", help.unwrap_or_default())
            }
            // a place beyond the tip is no fault of the file, and its cell says so
            Ok(result) => {
                let rows = result.expect("nobody interrupts it").rows;
                assert!(
                    words.is_empty()
                        && rows.iter().any(|row| {
                            row.ours.is_none()
                                && row.why.as_deref().is_some_and(|why| why.contains("1.5"))
                        }),
                    "{new}"
                );
                continue;
            }
        };
        assert!(words.iter().all(|word| told.contains(word)), "{new}: {told}");
    }
}
