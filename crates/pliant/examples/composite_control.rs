//! King's composite controller takes the vibrations out of an arm.
//!
//! One learns how a control law gets a model of the arm, how it sees the full state, and what it is
//! worth: the same move under a stiff servo of the joint leaves the hand swinging. Run it with
//! `cargo run --release -p pliant --example composite_control`.

#![allow(clippy::print_stdout, reason = "an example talks to the terminal")]

use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::beam::{Basis, Beam, CrossSection, Material, Matter, Ways};
use pliant::control::{
    Composite, CompositeWeights, ControlLaw, Controller, Model, Pd, Pseudolinks, StateSource,
};
use pliant::integrate::Dop853;
use pliant::plan::Path;
use pliant::simulate::{BlockOutput, Clock, Diagram, Rows, SampledBlock, Selection, Signal, run};
use pliant::spatial::Pose;
use std::error::Error;
use std::sync::Arc;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let material = Material::named("aluminium").ok_or("no such material")?;
    let matter = Matter::Made { outline: CrossSection::Round { diameter: 0.010 }, material };
    let beam = Beam::new(0.9, matter, Basis::ClampedFree(Ways::new(1, 0, 0, 0)));
    let link = Link::new("boom").joint(Joint::revolute([0.0, 0.0, 1.0])).armature(&[0.05]);
    let link = link.beam(beam).payload(0.2, [0.0; 3]).frame("hand", Pose::IDENTITY);
    let arm = Builder::new("boom").link(link).build()?;

    // what bending, its rate and the accelerations cost
    let weights = CompositeWeights { bending: 1e6, rate: 10.0, input: 0.5 };
    let links = Pseudolinks::none(1);
    let composite = Composite::new(vec![60.0], vec![12.0], links, weights, 0.05);
    let servo = Pd { stiffness: vec![400.0], damping: vec![40.0] };
    println!("swing under a stiff servo: {:.2} mm", 1e3 * swing(&arm, servo)?);
    println!("swing under composite control: {:.2} mm", 1e3 * swing(&arm, composite)?);
    Ok(())
}

/// How far the hand still moves from 1.5 s to 2 s (m), after a turn of 0.8 rad in 0.6 s.
fn swing(arm: &Arm, law: impl ControlLaw + 'static) -> Result<f64, Box<dyn Error>> {
    let path = Path::minimum_jerk(&[vec![0.0], vec![0.8]], &[0.6], 0.0)?;
    let plan = vec![Signal::Planned { path: Arc::new(path), component: 0 }];
    let model = Model::new(arm.clone(), &[0])?;
    let controller = Controller::new(law, model, plan, StateSource::full_state(arm, arm))?;

    let mut scenario = Diagram::new(arm, 2.0, 0.01);
    scenario.selection = Selection::new(["hand.position.*"]);
    let outputs = vec![BlockOutput::motor("torque", scenario.velocity("boom")?)];
    let block = SampledBlock::new("controller", Clock::hertz(500.0)?, vec![], outputs, controller);
    scenario.blocks.push(SampledBlock { uses_full_state: true, ..block });
    let mut rows = Rows::new();
    let summary = run(&mut scenario, Dop853::new(1e-6), &mut rows, &mut ())?;
    println!("joint at the end: {:.4} rad", summary.q[0]);
    let y = rows.column("hand.position.y").ok_or("no such channel")?;
    let y = y.get(150..).ok_or("the run ended early")?;
    let fold = |start: f64, pick: fn(f64, f64) -> f64| y.iter().copied().fold(start, pick);
    Ok(fold(f64::NEG_INFINITY, f64::max) - fold(f64::INFINITY, f64::min))
}
