//! A bending arm follows a plan, with encoders for eyes.
//!
//! One learns how a plan, sensors and a control law become a controller on a clock: the law sees
//! rounded angles at ticks and nothing of the bending, and the hand lags behind and swings. Run it
//! with `cargo run --release -p pliant --example tracking_with_encoders`.

#![allow(clippy::print_stdout, reason = "an example talks to the terminal")]

use pliant::arm::{Builder, Joint, Link};
use pliant::beam::{Basis, Beam, CrossSection, Material, Matter, Ways};
use pliant::control::{Controller, Pd, StateSource};
use pliant::integrate::Dop853;
use pliant::plan::Path;
use pliant::simulate::{
    BlockInput, BlockOutput, Clock, Diagram, Rows, SampledBlock, Selection, Sensor, Signal, run,
};
use pliant::spatial::Pose;
use std::error::Error;
use std::sync::Arc;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let material = Material::named("aluminium").ok_or("no such material")?;
    let matter = Matter::Made { outline: CrossSection::Round { diameter: 0.02 }, material };
    let beam = Beam::new(0.8, matter, Basis::ClampedFree(Ways::new(2, 0, 0, 0)));
    let joint = Joint::revolute([0.0, 0.0, 1.0]);
    // the rotors of the motors turn with the joints
    let link = |name: &str| Link::new(name).joint(joint).armature(&[0.1]).beam(beam.clone());
    let arm = Builder::new("horizontal arm")
        .link(link("upper"))
        .link(link("fore").payload(0.3, [0.0; 3]).frame("hand", Pose::IDENTITY))
        .build()?;

    // from rest to rest in 1 s, then 1 s to settle
    let path = Arc::new(Path::minimum_jerk(&[vec![0.0, 0.0], vec![0.6, 0.9]], &[1.0], 0.0)?);
    let plan = |component| Signal::Planned { path: path.clone(), component };
    let law = Pd { stiffness: vec![200.0, 60.0], damping: vec![30.0, 8.0] };
    let servo = Controller::new(law, None, vec![plan(0), plan(1)], StateSource::Sensors)?;

    let mut scenario = Diagram::new(&arm, 2.0, 0.01);
    scenario.selection = Selection::new(["coordinates", "hand.position.*"]);
    let (clock, mut outputs) = (Clock::hertz(500.0)?, Vec::new());
    for name in ["upper", "fore"] {
        let (coordinate, velocity) = (scenario.coordinate(name)?, scenario.velocity(name)?);
        scenario.sensors.push(Sensor::encoder(format!("{name}.encoder"), coordinate, 8192, clock));
        outputs.push(BlockOutput::motor(name, velocity));
    }
    let inputs = vec![BlockInput::Sensor(0), BlockInput::Sensor(1)];
    scenario.blocks.push(SampledBlock::new("servo", clock, inputs, outputs, servo));

    let mut rows = Rows::new();
    let summary = run(&mut scenario, Dop853::new(1e-6), &mut rows, &mut ())?;
    let y = rows.column("hand.position.y").ok_or("no such channel")?;
    let goal = 0.8 * (0.6_f64.sin() + 1.5_f64.sin());
    let after = y.get(100..).ok_or("the run ended early")?;
    let off = after.iter().map(|y| (y - goal).abs()).fold(0.0, f64::max);
    println!("joints at the end: {:.4} rad, {:.4} rad", summary.q[0], summary.q[3]);
    println!("farthest from the goal after the move: {:.1} mm", 1e3 * off);
    Ok(())
}
