//! A linear model of a bending arm, and a regulator made from it.
//!
//! One learns how an arm is linearised about an operating point with inputs and outputs of one's
//! choice, what its poles and zeros tell, and how to go on to linear-quadratic control. Run it with
//! `cargo run --release -p pliant --example linear_model`.

#![allow(clippy::print_stdout, reason = "an example talks to the terminal")]

use pliant::analyse::riccati::{TimeDomain, lqr};
use pliant::analyse::{Conditions, Input, JointCondition, OperatingPoint, Output};
use pliant::arm::{Builder, Joint, Link};
use pliant::beam::{Basis, Beam, CrossSection, Material, Matter, Ways};
use pliant::nalgebra::DMatrix;
use pliant::spatial::Pose;
use std::error::Error;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let material = Material::named("steel").ok_or("no such material")?;
    let matter = Matter::Made { outline: CrossSection::Round { diameter: 0.010 }, material };
    let beam = Beam::new(1.0, matter, Basis::ClampedFree(Ways::new(2, 0, 0, 0)));
    let link = Link::new("boom").joint(Joint::revolute([0.0, 0.0, 1.0])).armature(&[0.2]);
    let link = link.beam(beam).payload(0.5, [0.0; 3]).frame("hand", Pose::IDENTITY);
    let arm = Builder::new("boom").link(link).build()?;

    // at rest, the joint free, from the motor to the angle and to the place of the hand
    let point = OperatingPoint::rest(&arm, &arm.neutral());
    let free = Conditions::all(&arm, JointCondition::Free);
    let outputs = [Output::Coordinate(0), Output::Position { frame: arm.frame("hand")?, axis: 1 }];
    let system = arm.linearise(&point, &free, &[Input::Motor(0)], &outputs)?;
    for label in &system.states {
        println!("state {} [{}]", label.name, label.unit);
    }

    let poles = system.poles();
    let vibration = poles.iter().map(|pole| pole.im).find(|im| *im > 1.0).ok_or("none")?;
    println!("first vibration: {vibration:.3} rad/s");
    // the motor and the angle are at one place, the motor and the hand are not
    let zeros = |output| system.channel(0, output).zeros().ok_or("no zeros");
    let right = |all: &[_]| {
        all.iter().filter(|zero: &&pliant::nalgebra::Complex<f64>| zero.re > 1e-3).count()
    };
    println!("zeros in the right half plane, to the angle: {}", right(&zeros(0)?));
    println!("zeros in the right half plane, to the hand: {}", right(&zeros(1)?));

    let n = system.states.len();
    let (weights, cost) = (DMatrix::identity(n, n), DMatrix::identity(1, 1));
    let regulator = lqr(TimeDomain::Continuous, &system.a, &system.b, &weights, &cost)?;
    println!("gain on the angle: {:.4} N m/rad", regulator.gain[(0, 0)]);
    Ok(())
}
