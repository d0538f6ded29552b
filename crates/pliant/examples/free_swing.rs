//! A bending pendulum swings freely.
//!
//! One learns how a scenario is made and run, what a run records, and how to judge it: without
//! motors and damping the energy stays, as far as the tolerance of the integrator lets it. Run it
//! with `cargo run --release -p pliant --example free_swing`.

#![allow(clippy::print_stdout, reason = "an example talks to the terminal")]

use pliant::arm::{Builder, Joint, Link};
use pliant::beam::{Basis, Beam, CrossSection, Material, Matter, Ways};
use pliant::scenario::Scenario;
use pliant::simulate::Rows;
use pliant::spatial::Pose;
use std::error::Error;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let material = Material::named("steel").ok_or("no such material")?;
    let outline = CrossSection::Round { diameter: 0.008 };
    let shapes = Basis::ClampedFree(Ways::new(2, 0, 0, 0));
    let rod = Beam::new(1.0, Matter::Made { outline, material }, shapes);
    let arm = Builder::new("pendulum").gravity([0.0, -9.81, 0.0]).link(
        Link::new("rod")
            .joint(Joint::revolute([0.0, 0.0, 1.0]))
            .beam(rod)
            .payload(0.5, [0.0; 3])
            .frame("bob", Pose::IDENTITY),
    );

    // released level, for 2 s, with a row each 5 ms
    let channels = ["coordinates", "energies", "bob.position.*"];
    let swing = Scenario::new(arm, 2.0).record(0.005, channels).build()?;
    let mut rows = Rows::new();
    let summary = swing.run(&mut rows, &mut ())?.summary;

    let heights = rows.column("bob.position.y").ok_or("no such channel")?;
    let lowest = heights.iter().copied().fold(f64::INFINITY, f64::min);
    let bending = rows.column("rod.y1").ok_or("no such channel")?;
    let largest = bending.iter().map(|y| y.abs()).fold(0.0, f64::max);
    println!("{} rows, {} steps", summary.rows, summary.statistics.steps);
    println!("lowest point of the bob: {lowest:.4} m");
    println!("largest deflection by the first shape: {:.3} mm", 2e3 * largest);
    if let Some(drift) = summary.energy_drift {
        println!("energy drift: {:.1e} J", drift.absolute);
    }
    Ok(())
}
