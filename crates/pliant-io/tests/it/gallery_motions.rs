//! The arms and motions of `gallery/` that no document has numbers of: by balances and by what the
//! plan says.

use pliant::simulate::{Rows, Summary};
use pliant_io::scenario::{Overrides, load};
use std::path::Path;

fn run(name: &str) -> (Summary, Rows) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../gallery").join(name);
    let setup = load(&path, &Overrides::default()).unwrap_or_else(|report| panic!("{report}"));
    let mut rows = Rows::new();
    let outcome = setup.simulation.run(&mut rows, &mut ()).expect("a run");
    assert_eq!(outcome.summary.ending.time, setup.simulation.diagram.duration, "{name}");
    (outcome.summary, rows)
}

fn column(rows: &Rows, name: &str) -> Vec<f64> {
    rows.column(name).unwrap_or_else(|| panic!("{name} is not recorded"))
}

fn largest(numbers: &[f64]) -> f64 {
    numbers.iter().fold(0.0, |most, x| x.abs().max(most))
}

/// Printed: a speed of about 0.778 m/s, and 59.34 m/s as the least group velocity.
#[test]
fn theodores_link_is_pushed_out_and_drawn_in() {
    for (name, from, to) in [
        ("theodore-5-motion/extension.toml", 0.3, 1.0),
        ("theodore-5-motion/retraction.toml", 1.0, 0.3),
    ] {
        let (_, rows) = run(name);
        let length = column(&rows, "boom.l");
        let last = length.len() - 1;
        assert!((length[0] - from).abs() < 1e-12 && (length[last] - to).abs() < 1e-6, "{name}");
        let fastest = largest(&column(&rows, "boom.l.rate"));
        assert!((fastest - 0.7 / 0.9).abs() < 1e-6, "{name}: {fastest}");
        let slowest = column(&rows, "boom.group_velocity.y").into_iter().fold(1e9, f64::min);
        assert!((slowest - 59.34).abs() < 0.005, "{name}: {slowest}");
        // the law makes the joints follow the plan, while the link vibrates
        let column_at = column(&rows, "column")[last];
        assert!((column_at - std::f64::consts::PI).abs() < 1e-6, "{name}: {column_at}");
        assert!(largest(&column(&rows, "boom.tip.deflection.y")) > 1e-3, "{name}");
    }
}

#[test]
fn korayems_arm_swings_without_loss() {
    let (summary, rows) = run("korayem-3-swing/swing.toml");
    let total = column(&rows, "energy.total");
    let kinetic = largest(&column(&rows, "energy.kinetic"));
    let change = total.iter().map(|now| (now - total[0]).abs()).fold(0.0, f64::max);
    assert!(kinetic > 0.01 && change < 1e-7 * kinetic, "{change:e} of {kinetic}");
    assert!(summary.energy_drift.is_some());
    // it starts straight, and slopes stay those of a few tenths of a milliradian
    let bent = largest(&column(&rows, "outer.tip.deflection.y"));
    assert!((1e-5..1e-2).contains(&bent), "{bent}");
}

/// A base that floats keeps the momentum that there is none of, and turns; one that is held stays.
#[test]
fn one_arm_on_three_bases() {
    let [held, mobile, floating] = ["held", "mobile", "floating"]
        .map(|base| run(&format!("manipulators-three-bases/{base}.toml")).1);
    let moved = |rows: &Rows, axis: &str| largest(&column(rows, &format!("base.position.{axis}")));
    assert_eq!(moved(&held, "x"), 0.0);
    let platform = column(&mobile, "base.position.x");
    assert!((platform[platform.len() - 1] - 0.5).abs() < 1e-9, "{platform:?}");
    let momentum = |rows: &Rows, word: &str| largest(&column(rows, &format!("momentum.{word}")));
    // of a body of 40 kg that moves with some tenths of a metre per second
    assert!(momentum(&floating, "x") < 1e-8 && momentum(&floating, "angular.z") < 1e-8);
    assert!(momentum(&held, "angular.z") > 1.0);
    assert!(moved(&floating, "y") > 0.01, "{}", moved(&floating, "y"));
    // the work of the motors is the energy
    for rows in [&held, &floating] {
        let (energy, work) = (column(rows, "energy.total"), column(rows, "work.motors"));
        let off = energy.iter().zip(&work).map(|(e, w)| (e - energy[0] - w).abs());
        assert!(off.fold(0.0, f64::max) < 1e-6 * largest(&energy));
    }
}
