//! How the shapes of a link that slides converge.

use crate::pushed::{Pushed, apart, clamped_mass, elements, history};
use pliant::beam::{Basis, Ways};
use std::process::ExitCode;

/// A beam pushed out of a fixed hub from 0.3 m to 1 m, started in its first mode: how far the tip
/// history of a few shapes of each kind is from that of eight clamped-mass shapes, relative to the
/// largest deflection
#[derive(clap::Args)]
pub(crate) struct Options {
    /// Speeds (m/s).
    #[arg(long, value_delimiter = ',', default_values_t = [0.1, 0.778, 5.0, 20.0])]
    speeds: Vec<f64>,
}

/// Six clamped-mass shapes and ten elements agree to this.
fn bar(speed: f64) -> f64 {
    if speed < 0.5 { 5e-4 } else { 1e-4 }
}

/// Prints the table.
pub(crate) fn run(options: &Options) -> ExitCode {
    let mut kept = true;
    let best = Pushed::new(clamped_mass(Ways::new(8, 0, 0, 0)));
    let few = [2, 4, 6].map(|count| {
        let ways = Ways::new(count, 0, 0, 0);
        let kinds = [clamped_mass(ways), Basis::ClampedFree(ways), elements(count)];
        (count, kinds.map(Pushed::new))
    });
    let fine = Pushed::new(elements(10));
    println!("speed [m/s]  shapes  clamped-mass  clamped-free  elements");
    for &speed in &options.speeds {
        let best = history(&best, speed);
        let mut six = Vec::new();
        for (count, kinds) in &few {
            let [loaded, free, nodes] = kinds.each_ref().map(|kind| history(kind, speed));
            let [a, b, c] = [&loaded, &free, &nodes].map(|history| apart(&best, history));
            println!("{speed:>11}  {count:>6}  {a:>12.1e}  {b:>12.1e}  {c:>8.1e}");
            six = loaded;
        }
        let (difference, bar) = (apart(&six, &history(&fine, speed)), bar(speed));
        kept &= difference < bar;
        println!(
            "{speed:>11}  6 clamped-mass shapes and 10 elements: {difference:.1e}, allowed {bar:.0e}"
        );
    }
    if kept { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
