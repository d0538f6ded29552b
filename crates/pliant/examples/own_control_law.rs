//! A control law of one's own: a servo that learns the weight it holds.
//!
//! One learns the trait of control laws: what a law is told at each tick, and that it shows what it
//! remembers, so that a run can be resumed. Run it with
//! `cargo run --release -p pliant --example own_control_law`.

#![allow(clippy::print_stdout, reason = "an example talks to the terminal")]

use pliant::arm::{Builder, Joint, Link};
use pliant::control::{ControlContext, ControlError, ControlLaw, Model};
use pliant::integrate::StateVisitor;
use pliant::scenario::{ControllerDescription, PlanDescription, PlanFollower, Scenario};
use pliant::simulate::Rows;
use std::error::Error;

/// `τ = k (r − q) − d q̇ + w`, where `w` grows by `i (r − q)` at every tick.
#[derive(Clone, Debug)]
struct Pid {
    weight: f64,
}

impl ControlLaw for Pid {
    fn start(&mut self) {
        self.weight = 0.0;
    }

    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        state.number(&mut self.weight);
    }

    fn forces(
        &mut self,
        now: &ControlContext<'_>,
        _: Option<&mut Model>,
        forces: &mut [f64],
    ) -> Result<(), ControlError> {
        let error = now.reference[0].value - now.q[0];
        self.weight += 0.2 * error;
        forces[0] = 150.0 * error - 25.0 * now.u[0] + self.weight;
        Ok(())
    }
}

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let link = Link::new("boom").joint(Joint::revolute([0.0, -1.0, 0.0]));
    let arm = Builder::new("boom").link(link.payload(3.0, [0.8, 0.0, 0.0]));
    let servo = PlanFollower::new(Pid { weight: 0.0 }).full_state();
    let simulation = Scenario::new(arm, 6.0)
        .initial("boom", 0.0)
        .plan(PlanDescription::joints([[0.3], [0.3]], [1.0]))
        .controller(ControllerDescription::follow("servo", servo).every(1e-3))
        .build()?;
    let mut rows = Rows::new();
    let summary = simulation.run(&mut rows, &mut ())?.summary;
    let torque = rows.column("servo.boom.force").ok_or("no such channel")?;
    println!("angle at the end: {:.4} rad of 0.3 rad", summary.q[0]);
    println!("weight that the servo holds: {:.3} N m", torque.last().ok_or("no rows")?);
    Ok(())
}
