//! A boom slides out of its hub while it bends.
//!
//! One learns how a link gets a stroke, that the length outside is one more coordinate, how a motion
//! is prescribed, and that a payload on the tip goes out with the boom. Run it with
//! `cargo run --release -p pliant --example sliding_boom`.

#![allow(clippy::print_stdout, reason = "an example talks to the terminal")]

use pliant::arm::{Builder, Link};
use pliant::beam::{Basis, Beam, CrossSection, Material, Matter, Slide, Ways};
use pliant::plan::Path;
use pliant::scenario::Scenario;
use pliant::simulate::{PrescribedQuantity, Rows, Signal};
use pliant::spatial::Pose;
use std::error::Error;
use std::sync::Arc;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let material = Material::named("aluminium").ok_or("no such material")?;
    let outline = CrossSection::Rectangle { height: 0.006, width: 0.04 };
    let shapes = Basis::ClampedFree(Ways::new(4, 0, 0, 0));
    // 1.2 m in all, of which 0.4 m to 1.1 m are outside
    let slide = Slide { prescribed: true, ..Slide::between(0.4, 1.1) };
    let beam = Beam::new(1.2, Matter::Made { outline, material }, shapes);
    let boom = Builder::new("boom").gravity([0.0, -9.81, 0.0]).link(
        Link::new("boom")
            .beam(Beam { slide: Some(slide), ..beam })
            .payload(0.1, [0.0; 3])
            .frame("hook", Pose::IDENTITY),
    );

    // it starts bent by its weight, and goes out by 0.6 m in 1.2 s
    let path = Arc::new(Path::minimum_jerk(&[vec![0.4], vec![1.0]], &[1.2], 0.0)?);
    let length = Signal::Planned { path, component: 0 };
    let simulation = Scenario::new(boom, 1.5)
        .from_static_equilibrium()
        .prescribe("boom.l", PrescribedQuantity::Position, length)
        .record(0.005, ["forces"])
        .build()?;
    let arm = &simulation.arm;
    let velocity = simulation.diagram.velocity("boom.l")?;
    let mass = arm.mass_matrix(&simulation.diagram.q)?[(velocity, velocity)];
    println!("mass that the drive moves: {mass:.4} kg");

    let mut rows = Rows::new();
    let summary = simulation.run(&mut rows, &mut ())?.summary;
    let force = rows.column("boom.l.force").ok_or("no such channel")?;
    let largest = force.iter().map(|force| force.abs()).fold(0.0, f64::max);
    println!("largest force of the drive: {largest:.2} N");
    let hook = arm.pose(&summary.q, "hook")?.position;
    println!("at the end the hook is {:.3} m out and {:.1} mm down", hook.x, -1e3 * hook.y);
    Ok(())
}
