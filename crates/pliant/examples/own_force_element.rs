//! A force element of one's own: a floor that an arm falls on.
//!
//! One learns the trait of force elements: an energy whose force pliant finds, and a force without
//! an energy. Run it with `cargo run --release -p pliant --example own_force_element`.

#![allow(clippy::print_stdout, reason = "an example talks to the terminal")]

use pliant::analyse::{Conditions, JointCondition};
use pliant::arm::{Builder, Joint, Link};
use pliant::arm::{ElementForce, ElementPosition, ElementVelocity, ForceElement};
use pliant::scalar::Scalar;
use pliant::scenario::Scenario;
use pliant::simulate::Rows;
use pliant::spatial::Pose;
use std::error::Error;

/// Half a metre below the shoulder; 20 kN/m, and 200 kN s/m per metre of depth.
struct Floor;

/// `½(x + √(x² + s²))`: the larger of the depth `x` and 0, rounded over `s = 1 mm`.
fn depth<S: Scalar>(at: &ElementPosition<S>) -> S {
    let x = S::from_f64(-0.5) - at.frames[0].position.z;
    (x + (x * x + S::from_f64(1e-6)).sqrt()) * S::from_f64(0.5)
}

impl ForceElement for Floor {
    fn frames(&self) -> Vec<String> {
        vec!["hand".into()]
    }

    fn energy<S: Scalar>(&self, at: &ElementPosition<S>) -> S {
        S::from_f64(0.5 * 20e3) * depth(at) * depth(at)
    }

    fn force<S: Scalar>(
        &self,
        at: &ElementPosition<S>,
        velocity: &ElementVelocity<S>,
        force: &mut ElementForce<'_, S>,
    ) {
        let rate = velocity.frames[0].linear.z;
        force.frames[0].force.z = S::from_f64(-2e5) * depth(at) * rate;
    }
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let link = Link::new("boom").joint(Joint::revolute([0.0, 1.0, 0.0]));
    let link = link.payload(3.0, [0.8, 0.0, 0.0]).frame("hand", Pose::at(0.8, 0.0, 0.0));
    let boom = Builder::new("boom").link(link).element("floor", &Floor);
    let fall = Scenario::new(boom, 3.0).build()?;
    let free = Conditions::all(&fall.arm, JointCondition::Free);
    let rest = fall.arm.static_equilibrium_under(&[0.676], &free)?;
    let hand = fall.arm.pose(&rest.q, "hand")?.position;
    println!("at rest the hand is {:.4} mm deep", -1e3 * (hand.z + 0.5));
    let summary = fall.run(&mut Rows::new(), &mut ())?.summary;
    let end = fall.arm.energies(&summary.q, &summary.u)?;
    println!("after 3 s the floor has taken {:.4} J", -end.total());
    Ok(())
}
