//! A bending arm follows a plan, with encoders for eyes.
//!
//! One learns how a plan, sensors and a control law become a controller on a clock: the law sees
//! rounded angles at ticks and nothing of the bending, and the hand lags behind and swings. Run it
//! with `cargo run --release -p pliant --example tracking_with_encoders`.

#![allow(clippy::print_stdout, reason = "an example talks to the terminal")]

use pliant::arm::{Builder, Joint, Link};
use pliant::beam::{Basis, Beam, CrossSection, Material, Matter, Ways};
use pliant::control::GravityPdDescription;
use pliant::scenario::{
    ControllerDescription, PlanDescription, PlanFollower, Scenario, SensorDescription,
};
use pliant::simulate::{IntegrationMethod, Rows};
use pliant::spatial::Pose;
use std::error::Error;
use std::f64::consts::TAU;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let material = Material::named("aluminium").ok_or("no such material")?;
    let matter = Matter::Made { outline: CrossSection::Round { diameter: 0.02 }, material };
    let beam = Beam::new(0.8, matter, Basis::ClampedFree(Ways::new(2, 0, 0, 0)));
    let joint = Joint::revolute([0.0, 0.0, 1.0]);
    // the rotors of the motors turn with the joints
    let link = |name: &str| Link::new(name).joint(joint).armature(&[0.1]).beam(beam.clone());
    let arm = Builder::new("horizontal arm")
        .link(link("upper"))
        .link(link("fore").payload(0.3, [0.0; 3]).frame("hand", Pose::IDENTITY));

    // from rest to rest in 1 s, then 1 s to settle
    let encoder = |name: &str, joint: &str| {
        SensorDescription::encoder(name, joint, 0.002).quantised(TAU / 8192.0)
    };
    let (k, d) = ([("upper", 200.0), ("fore", 60.0)], [("upper", 30.0), ("fore", 8.0)]);
    let servo = PlanFollower::new(GravityPdDescription::new(k, d)).sensors(["shoulder", "elbow"]);
    let simulation = Scenario::new(arm, 2.0)
        .gravity([0.0; 3])
        .sensor(encoder("shoulder", "upper"))
        .sensor(encoder("elbow", "fore"))
        .plan(PlanDescription::joints([[0.0, 0.0], [0.6, 0.9]], [1.0]))
        .controller(ControllerDescription::follow("servo", servo).every(0.002))
        .method(IntegrationMethod::Dop853 { tolerance: 1e-6 })
        .record(0.01, ["hand.position.y"])
        .build()?;

    let mut rows = Rows::new();
    let outcome = simulation.run(&mut rows, &mut ())?;
    let q = outcome.summary.q;
    println!("joints at the end: {:.4} rad, {:.4} rad", q[0], q[3]);
    let error = &outcome.tracking.ok_or("no controllers")?.joints[0];
    println!("largest error of {}: {:.4} {}", error.name, error.most, error.unit);
    let y = rows.column("hand.position.y").ok_or("no such channel")?;
    let goal = 0.8 * (0.6_f64.sin() + 1.5_f64.sin());
    let off = y[100..].iter().map(|y| (y - goal).abs()).fold(0.0, f64::max);
    println!("farthest from the goal after the move: {:.1} mm", 1e3 * off);
    Ok(())
}
