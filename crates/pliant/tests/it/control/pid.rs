//! Proportional-integral-derivative control along a plan.

use pliant::arm::{Builder, Joint, Link};
use pliant::control::{
    ComputedTorqueDescription, ControlContext, ControlError, ControlLaw, LawDescription, Model,
    PidDescription,
};
use pliant::integrate::StateVisitor;
use pliant::scenario::{
    ControllerDescription, PlanDescription, PlanFollower, Scenario, SimulationOutcome,
};
use pliant::simulate::{IntegrationMethod, Rows, Signal};
use pliant::spatial::Pose;

const PERIOD: f64 = 1e-3;

/// Two rigid links in a vertical plane.
fn arm() -> Builder {
    let link = |name: &str| {
        let link = Link::new(name).joint(Joint::revolute([0.0, -1.0, 0.0])).armature(&[0.05]);
        link.payload(1.0, [0.5, 0.0, 0.0])
    };
    Builder::new("two").link(link("upper")).link(link("fore").placed(Pose::at(0.5, 0.0, 0.0)))
}

/// The largest error of the joints (rad), and the last one of the first.
fn run(scenario: &Scenario) -> [f64; 2] {
    let mut rows = Rows::new();
    let simulation = scenario.clone().build().expect("a scenario");
    let outcome: SimulationOutcome = simulation.run(&mut rows, &mut ()).expect("a run");
    assert!(outcome.is_complete());
    let column = |name: &str| rows.column(name).unwrap_or_else(|| panic!("no channel {name}"));
    let errors = |name: &str| -> Vec<f64> {
        let planned = column(&format!("plan.{name}"));
        column(name).iter().zip(planned).map(|(place, planned)| planned - place).collect()
    };
    let (upper, fore) = (errors("upper"), errors("fore"));
    let largest = upper.iter().chain(&fore).fold(0.0_f64, |most, error| most.max(error.abs()));
    [largest, upper[upper.len() - 1]]
}

fn following(law: impl Into<Box<dyn LawDescription>>, duration: f64) -> Scenario {
    let follower = PlanFollower::new(law).full_state();
    Scenario::new(arm(), duration)
        .method(IntegrationMethod::Dop853 { tolerance: 1e-9 })
        .record(0.01, ["*"])
        .plan(PlanDescription::joints([[0.0, 0.3], [0.8, -0.4]], [0.6]))
        .controller(ControllerDescription::follow("servo", follower).every(PERIOD))
}

/// What the plan needs is inverse dynamics, so that with it the errors are those of the hold between
/// ticks, as they are with computed torque; without it the springs alone must move and hold the arm.
#[test]
fn feedforward_is_inverse_dynamics_of_the_plan() {
    let gains = || PidDescription::pd(200.0, 20.0);
    let [with, _] = run(&following(gains(), 0.6));
    let [without, _] = run(&following(gains().without_feedforward(), 0.6));
    let [computed, _] = run(&following(ComputedTorqueDescription::new(200.0, 20.0), 0.6));
    assert!(with < 1e-3 && with < 3.0 * computed, "{with} {computed}");
    assert!(without > 100.0 * with, "{without} {with}");
}

/// A torque that no model knows leaves `load/stiffness` without an integral, and nothing with one.
#[test]
fn an_integral_takes_out_constant_loads() {
    let load = 5.0;
    let pushed =
        |law: PidDescription| run(&following(law, 6.0).motor("upper", Signal::Constant(load)));
    let [_, left] = pushed(PidDescription::pd(200.0, 20.0));
    // gravity at the place where it rests differs from that of the plan by less than a quarter
    assert!((left + load / 200.0).abs() < 0.25 * load / 200.0, "{left}");
    let [_, left] = pushed(PidDescription::pd(200.0, 20.0).integral(400.0));
    assert!(left.abs() < 1e-6, "{left}");
}

/// The same law with an integral that goes on at the limit.
#[derive(Clone, Debug)]
struct Winding {
    sum: f64,
}

impl ControlLaw for Winding {
    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        state.number(&mut self.sum);
    }

    fn forces(
        &mut self,
        now: &ControlContext<'_>,
        _: Option<&mut Model>,
        forces: &mut [f64],
    ) -> Result<(), ControlError> {
        let (reference, place, rate) = (now.reference[0], now.q[0], now.u[0]);
        let error = reference.value - place;
        self.sum += error * now.since.unwrap_or(0.0);
        forces[0] = 20.0 * error + 10.0 * (reference.rate - rate) + 10.0 * self.sum;
        Ok(())
    }
}

/// A wheel of 1 kg m² at 2 N m is led a long way: with an integral that winds up it goes far beyond.
#[test]
fn an_integral_does_not_wind_up() {
    let wheel = Link::new("wheel").joint(Joint::revolute([0.0, 0.0, 1.0])).armature(&[1.0]);
    let beyond = |law: Box<dyn LawDescription>| {
        let arm = Builder::new("wheel").link(wheel.clone().payload(1e-6, [0.0; 3]));
        let follower = PlanFollower::new(law).full_state().limited(2.0);
        let scenario = Scenario::new(arm, 15.0)
            .record(0.01, ["*"])
            .plan(PlanDescription::joints([[0.0], [2.0]], [0.2]))
            .controller(ControllerDescription::follow("servo", follower).every(PERIOD));
        let mut rows = Rows::new();
        let outcome = scenario.build().expect("a scenario").run(&mut rows, &mut ());
        assert!(outcome.expect("a run").is_complete());
        let places = rows.column("wheel").expect("its angle");
        assert!((places[places.len() - 1] - 2.0).abs() < 0.05, "{}", places[places.len() - 1]);
        places.iter().fold(0.0_f64, |most, place| most.max(place - 2.0))
    };
    let law = PidDescription::pd(20.0, 10.0).integral(10.0).without_feedforward();
    let (held, wound) = (beyond(law.into()), beyond(Winding { sum: 0.0 }.into()));
    // 0.14 and 1.20 rad, stepped by hand
    assert!(held < 0.2 && wound > 1.0, "{held} {wound}");
}
