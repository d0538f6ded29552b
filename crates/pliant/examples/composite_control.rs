//! King's composite controller takes the vibrations out of an arm.
//!
//! One learns how a control law gets a model of the arm, how it sees the full state, and what it is
//! worth: the same move under a stiff servo of the joint leaves the hand swinging. Run it with
//! `cargo run --release -p pliant --example composite_control`.

#![allow(clippy::print_stdout, reason = "an example talks to the terminal")]

use pliant::arm::{Builder, Joint, Link};
use pliant::beam::{Basis, Beam, CrossSection, Material, Matter, Ways};
use pliant::control::{CompositeDescription, GravityPdDescription, LawDescription};
use pliant::scenario::{ControllerDescription, PlanDescription, PlanFollower, Scenario};
use pliant::simulate::{IntegrationMethod, Rows};
use pliant::spatial::Pose;
use std::error::Error;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let material = Material::named("aluminium").ok_or("no such material")?;
    let matter = Matter::Made { outline: CrossSection::Round { diameter: 0.010 }, material };
    let beam = Beam::new(0.9, matter, Basis::ClampedFree(Ways::new(1, 0, 0, 0)));
    let link = Link::new("boom").joint(Joint::revolute([0.0, 0.0, 1.0])).armature(&[0.05]);
    let link = link.beam(beam).payload(0.2, [0.0; 3]).frame("hand", Pose::IDENTITY);
    let arm = Builder::new("boom").link(link);

    // the vibrations get a damping ratio of 0.5; VibrationDamping has other choices
    let composite = CompositeDescription::new(60.0, 12.0);
    let servo = GravityPdDescription::new(400.0, 40.0);
    println!("swing under a stiff servo: {:.2} mm", 1e3 * swing(&arm, servo)?);
    println!("swing under composite control: {:.2} mm", 1e3 * swing(&arm, composite)?);
    Ok(())
}

/// How far the hand still moves from 1.5 s to 2 s (m), after a turn of 0.8 rad in 0.6 s.
fn swing(arm: &Builder, law: impl LawDescription) -> Result<f64, Box<dyn Error>> {
    let simulation = Scenario::new(arm.clone(), 2.0)
        .gravity([0.0; 3])
        .plan(PlanDescription::joints([[0.0], [0.8]], [0.6]))
        .controller(
            ControllerDescription::follow("controller", PlanFollower::new(law).full_state())
                .every(0.002),
        )
        .method(IntegrationMethod::Dop853 { tolerance: 1e-6 })
        .record(0.01, ["hand.position.y"])
        .build()?;
    let mut rows = Rows::new();
    let outcome = simulation.run(&mut rows, &mut ())?;
    println!("joint at the end: {:.4} rad", outcome.summary.q[0]);
    let y = rows.column("hand.position.y").ok_or("no such channel")?;
    let y = y.get(150..).ok_or("the run ended early")?;
    let fold = |start: f64, pick: fn(f64, f64) -> f64| y.iter().copied().fold(start, pick);
    Ok(fold(f64::NEG_INFINITY, f64::max) - fold(f64::INFINITY, f64::min))
}
