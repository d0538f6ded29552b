//! A force element of one's own: a floor that an arm falls on.
//!
//! One learns the trait of force elements: an energy whose force pliant finds, a force without an
//! energy, and that the arm's statics, frequencies and runs have both. Run it with
//! `cargo run --release -p pliant --example own_force_element`.

#![allow(clippy::print_stdout, reason = "an example talks to the terminal")]

use pliant::analyse::{Conditions, JointCondition};
use pliant::arm::{
    Builder, ElementForce, ElementPosition, ElementVelocity, ForceElement, Joint, Link,
};
use pliant::integrate::Dop853;
use pliant::scalar::Scalar;
use pliant::simulate::{Rows, Scenario, run};
use pliant::spatial::Pose;
use std::error::Error;

/// Half a metre below the shoulder; 20 kN/m, and 2 kN s/m per metre of depth.
struct Floor;

/// How deep a place is: `½(x + √(x² + s²))`, the larger of `x` and 0 rounded over 1 mm.
fn depth<S: Scalar>(z: S) -> S {
    let x = S::from_f64(-0.5) - z;
    (x + (x * x + S::from_f64(1e-6)).sqrt()) * S::from_f64(0.5)
}

impl ForceElement for Floor {
    fn frames(&self) -> Vec<String> {
        vec!["hand".into()]
    }

    fn energy<S: Scalar>(&self, at: &ElementPosition<S>) -> S {
        let depth = depth(at.frames[0].position.z);
        S::from_f64(0.5 * 20e3) * depth * depth
    }

    fn force<S: Scalar>(
        &self,
        at: &ElementPosition<S>,
        velocity: &ElementVelocity<S>,
        force: &mut ElementForce<'_, S>,
    ) {
        let depth = depth(at.frames[0].position.z);
        force.frames[0].force.z = velocity.frames[0].linear.z * depth * S::from_f64(-2e5);
    }
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let link = Link::new("boom").joint(Joint::revolute([0.0, 1.0, 0.0]));
    let link = link.payload(3.0, [0.8, 0.0, 0.0]).frame("hand", Pose::at(0.8, 0.0, 0.0));
    let arm = Builder::new("boom").link(link).element("floor", &Floor).build()?;
    let free = Conditions::all(&arm, JointCondition::Free);
    let rest = arm.static_equilibrium_under(&[0.676], &free)?;
    let height = arm.pose(&rest.q, "hand")?.position.z;
    println!("at rest the hand is {:.4} mm deep", -1e3 * (height + 0.5));
    let mut scenario = Scenario::new(&arm, 3.0, 0.01);
    let summary = run(&mut scenario, Dop853::new(1e-9), &mut Rows::new(), &mut ())?;
    let lost = arm.energies(&summary.q, &summary.u)?.total();
    println!("after 3 s the floor has taken {:.4} J of {:.4} J", -lost, 3.0 * 9.81 * 0.5);
    Ok(())
}
