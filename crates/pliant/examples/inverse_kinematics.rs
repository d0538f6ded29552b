//! Joint angles that bring the hand to a place, straight and sagging.
//!
//! One learns how inverse kinematics is asked for, that it takes bending links as straight unless it
//! is told that they sag, and how much the sag matters. Run it with
//! `cargo run --release -p pliant --example inverse_kinematics`.

#![allow(clippy::print_stdout, reason = "an example talks to the terminal")]

use pliant::analyse::Conditions;
use pliant::arm::{Builder, Joint, Link};
use pliant::beam::{Basis, Beam, CrossSection, Material, Matter, Ways};
use pliant::plan::{IkGoal, IkSolver};
use pliant::spatial::{Pose, Vec3};
use std::error::Error;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let material = Material::named("aluminium").ok_or("no such material")?;
    let matter = Matter::Made { outline: CrossSection::Round { diameter: 0.016 }, material };
    let beam =
        |length| Beam::new(length, matter.clone(), Basis::ClampedFree(Ways::new(0, 2, 0, 0)));
    // positive angles lift the hand
    let joint = Joint::revolute([0.0, -1.0, 0.0]);
    let arm = Builder::new("crane")
        .link(Link::new("upper").joint(joint).beam(beam(1.0)))
        .link(
            Link::new("fore")
                .joint(joint)
                .beam(beam(0.8))
                .payload(0.4, [0.0; 3])
                .frame("hand", Pose::IDENTITY),
        )
        .build()?;
    let (hand, goal) = (arm.frame("hand")?, Vec3::new(1.1, 0.0, 0.7));
    let [upper, fore] = ["upper", "fore"].map(|joint| {
        arm.configuration_names().iter().position(|name| name == joint).unwrap_or_default()
    });

    // the elbow below
    let mut guess = arm.neutral();
    guess[fore] = 1.0;
    let straight = IkSolver::new(&arm, hand)?.solve(&IkGoal::Place(goal), &guess)?;
    let [first, second] = [straight.q[upper], straight.q[fore]].map(f64::to_degrees);
    println!("straight links: {first:.3} deg, {second:.3} deg");
    let rest = arm.static_equilibrium(&straight.q)?;
    let off = (arm.pose(&rest.q, "hand")?.position - goal).norm();
    println!("their weight takes the hand off by {:.2} mm", 1e3 * off);

    let mut solver = IkSolver::sagging(&arm, hand, Conditions::default())?;
    let sagging = solver.solve(&IkGoal::Place(goal), &guess)?;
    let [first, second] = [sagging.q[upper], sagging.q[fore]].map(f64::to_degrees);
    println!("sagging links: {first:.3} deg, {second:.3} deg");
    let rest = arm.static_equilibrium(&sagging.q)?;
    let off = (arm.pose(&rest.q, "hand")?.position - goal).norm();
    println!("what is left: {:.1e} mm", 1e3 * off);
    Ok(())
}
