//! Signals, plans, events and estimators of one's own: against built-in ones, and how they end runs.

use pliant::Help;
use pliant::arm::{Builder, Joint, Link};
use pliant::control::{
    ControlContext, ControlError, ControlLaw, Estimator, EstimatorContext, GravityPdDescription,
    Model,
};
use pliant::integrate::{StateError, StateVisitor, Stateful};
use pliant::scenario::{
    ControllerDescription, PlanDescription, PlanFollower, Scenario, SensorDescription, Simulation,
};
use pliant::simulate::{
    Break, Diagram, Direction, Event, EventAction, EventQuantity, Progress, Reference, Rows,
    RunError, Signal, SignalFunction, Status, WitnessFunction,
};
use std::f64::consts::TAU;
use std::ops::ControlFlow;
use std::sync::Arc;

type Told<T> = Result<T, Box<dyn Help + Send + Sync>>;

#[derive(Debug, thiserror::Error)]
#[error("the battery is empty")]
struct Empty;

impl Help for Empty {
    fn help(&self) -> Option<String> {
        Some("charge it".to_owned())
    }
}

/// `a sin(2π f t)` from a break on; gives up or is no number from a time on.
#[derive(Debug)]
struct Wave {
    breaks: [Break; 1],
    ends: f64,
    fails: bool,
}

impl Wave {
    fn until(ends: f64, fails: bool) -> Self {
        Self { breaks: [Break { time: 0.25, derivative: 0 }], ends, fails }
    }
}

impl SignalFunction for Wave {
    fn name(&self) -> &'static str {
        "wave"
    }

    fn value(&self, t: f64, is_before: bool) -> Told<f64> {
        let is_past = t > 0.25 || (t == 0.25 && !is_before);
        match (t > self.ends, self.fails) {
            (true, true) => Err(Empty.into()),
            (true, false) => Ok(f64::NAN),
            _ => Ok(if is_past { 2.0 * (TAU * (t - 0.25)).sin() + 1.0 } else { 0.0 }),
        }
    }

    fn breaks(&self) -> &[Break] {
        &self.breaks
    }
}

fn arm() -> Builder {
    let bob = Link::new("bob").joint(Joint::revolute([0.0, 1.0, 0.0]));
    Builder::new("pendulum").link(bob.payload(2.0, [0.5, 0.0, 0.0]))
}

fn wave_by_parts() -> Signal {
    let wave =
        Signal::Sine { amplitude: 2.0, frequency_hz: 1.0, phase: 0.0, offset: 0.0, start: 0.25 };
    Signal::Sum(vec![wave, Signal::Step { at: 0.25, before: 0.0, after: 1.0 }])
}

fn simulated(scenario: &Scenario) -> (Simulation, Rows, pliant::simulate::Summary) {
    let simulation = scenario.build().expect("a simulation");
    let mut rows = Rows::new();
    let outcome = simulation.run(&mut rows, &mut ()).expect("a run");
    (simulation, rows, outcome.summary)
}

#[test]
fn a_function_drives_a_motor_like_the_built_in_signal() {
    let driven = |signal: Signal| simulated(&Scenario::new(arm(), 1.0).motor("bob", signal));
    let (_, own, summary) = driven(Signal::function(Wave::until(f64::INFINITY, false)));
    let (_, built_in, _) = driven(wave_by_parts());
    assert_eq!(summary.ending.status, Status::Completed);
    assert_eq!(own.times, built_in.times);
    for (own, built_in) in own.values.iter().zip(&built_in.values) {
        assert!((own - built_in).abs() < 1e-9, "{own} {built_in}");
    }
}

/// It is recorded and nothing else, so that it gives up at a row, in the middle of a step.
#[test]
fn a_function_that_gives_up_at_a_row_ends_the_run_there() {
    let arm = super::slide();
    let mut scenario = Diagram::new(&arm, 1.0, 0.01);
    let (name, unit) = ("wave".to_owned(), "m".to_owned());
    let signal = Signal::function(Wave::until(0.605, true));
    scenario.references.push(Reference { name, unit, signal });
    scenario.selection = super::everything();
    let (summary, rows) = super::finish(&mut scenario, 1e-8);
    assert_eq!(summary.ending.status, Status::Failed);
    assert!((rows.times.last().expect("rows") - 0.6).abs() < 1e-12);
    let time = summary.ending.time;
    assert!((0.6..0.62).contains(&time), "{time}");
    // it falls from rest
    assert!((summary.q[0] + 0.5 * 9.81 * time * time).abs() < 1e-9, "{} at {time}", summary.q[0]);
}

#[test]
fn a_function_that_gives_up_ends_the_run_and_keeps_its_rows() {
    for (fails, words) in [(true, "the battery is empty; charge it"), (false, "not finite")] {
        for load in [false, true] {
            let signal = Signal::function(Wave::until(0.6, fails));
            let scenario = Scenario::new(arm(), 1.0);
            let scenario = if load {
                scenario.load("bob", [0.0, 0.0, 1.0], [0.0; 3], signal)
            } else {
                scenario.motor("bob", signal)
            };
            let (_, rows, summary) = simulated(&scenario);
            assert_eq!(summary.ending.status, Status::Failed);
            let why = summary.ending.why.expect("why");
            assert!(why.contains("the function \"wave\" gave up at t = 0.6"), "{why}");
            assert!(why.contains(words), "{why}");
            assert!(rows.values.iter().chain(&summary.q).all(|x| x.is_finite()));
            assert!((0.3..=0.6).contains(&summary.ending.time), "{}", summary.ending.time);
            assert_eq!(rows.times.last().copied(), Some((summary.rows - 1) as f64 * 0.01));
        }
    }
    // at the start, or where a joint is to follow it, it is refused before anything runs
    let refused = Scenario::new(arm(), 1.0)
        .motor("bob", Signal::function(Wave::until(-1.0, true)))
        .build()
        .err()
        .expect("refused")
        .to_string();
    assert!(refused.starts_with("input[0]") && refused.contains("battery"), "{refused}");
    let moved = Link::new("bob").joint(Joint::revolute([0.0, 1.0, 0.0])).prescribed();
    let arm = Builder::new("pendulum").link(moved.payload(2.0, [0.5, 0.0, 0.0]));
    let given = pliant::simulate::PrescribedQuantity::Acceleration;
    let late = Scenario::new(arm, 1.0)
        .prescribe("bob", given, Signal::function(Wave::until(0.6, true)))
        .build();
    let told = match late {
        Err(error) => error.to_string(),
        Ok(late) => match late.run(&mut Rows::new(), &mut ()).expect_err("refused") {
            RunError::Diagram(error) => error.to_string(),
            other => other.to_string(),
        },
    };
    assert!(told.contains("battery"), "{told}");
}

/// `0.4 (1 − cos t)`, whose derivatives are found from its values.
#[derive(Debug)]
struct Slow;

impl SignalFunction for Slow {
    fn name(&self) -> &'static str {
        "slow"
    }

    fn value(&self, t: f64, _: bool) -> Told<f64> {
        assert!(t >= 0.0);
        Ok(0.4 * (1.0 - t.cos()))
    }
}

#[test]
fn joints_follow_functions_of_time() {
    let expression = pliant::simulate::Expression::of_time("0.4 * (1 - cos(t))").expect("one");
    let servo = || PlanFollower::new(GravityPdDescription::new(80.0, 12.0)).full_state();
    let followed = |signal: Signal| {
        let follower = ControllerDescription::follow("servo", servo()).every(1e-3);
        let plan = PlanDescription::signals([signal]);
        simulated(&Scenario::new(arm(), 2.0).plan(plan).controller(follower))
    };
    let (simulation, own, _) = followed(Signal::function(Slow));
    let (_, built_in, _) = followed(expression.into());
    assert_eq!(simulation.plan.as_ref().map(|plan| plan.end), Some(2.0));
    for (own, built_in) in own.values.iter().zip(&built_in.values) {
        assert!((own - built_in).abs() < 1e-7, "{own} {built_in}");
    }
    let two = PlanDescription::signals([Signal::Constant(0.0), Signal::Constant(0.0)]);
    let refused = Scenario::new(arm(), 1.0).plan(two).build().err().expect("refused").to_string();
    assert!(refused.starts_with("plan.signals") && refused.contains("bob"), "{refused}");
}

/// Zero where the pendulum hangs at an angle.
#[derive(Debug)]
struct At(f64, bool);

impl WitnessFunction for At {
    fn value(&self, t: f64, q: &[f64], u: &[f64]) -> Told<f64> {
        assert_eq!((q.len(), u.len()), (1, 1));
        if self.1 && t > 0.3 { Err(Empty.into()) } else { Ok(q[0] - self.0) }
    }
}

fn event(quantity: EventQuantity) -> Event {
    let (direction, action) = (Direction::Either, EventAction::Stop);
    Event { name: "there".to_owned(), quantity, direction, action }
}

#[test]
fn a_function_of_the_state_is_an_event_like_an_expression() {
    let falls =
        |quantity: EventQuantity| simulated(&Scenario::new(arm(), 2.0).event(event(quantity))).2;
    let own = falls(EventQuantity::Function(Arc::new(At(0.7, false))));
    let built_in = falls("bob - 0.7".into());
    assert_eq!((own.ending.status, own.events.len()), (Status::Stopped, 1));
    assert_eq!(own.events, built_in.events);
    let given_up = falls(EventQuantity::Function(Arc::new(At(7.0, true))));
    assert_eq!(given_up.ending.status, Status::Failed);
    let why = given_up.ending.why.expect("why");
    assert!(why.contains("the function \"there\" gave up") && why.contains("battery"), "{why}");
}

/// Takes what encoders show for what is, and the change since the last tick for the rate.
#[derive(Clone, Debug, Default)]
struct Differences {
    last: Option<Vec<f64>>,
    /// After this many ticks it gives up.
    ticks: f64,
}

impl Estimator for Differences {
    fn start(&mut self) {
        *self = Self::default();
    }

    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        state.option(&mut self.last, || vec![0.0], |state, last| state.numbers(last));
        state.number(&mut self.ticks);
    }

    fn observe(
        &mut self,
        now: &EstimatorContext<'_>,
        model: &mut Model,
    ) -> Result<(), ControlError> {
        self.ticks += 1.0;
        if self.ticks > 1500.0 {
            let message = "the encoder is lost".to_owned();
            return Err(ControlError::Own { message, help: Some("look for it".to_owned()) });
        }
        let rate = |k: usize| match (&self.last, now.since) {
            (Some(last), Some(since)) => (now.measured[k] - last[k]) / since,
            _ => now.reference[k].rate,
        };
        let rates: Vec<f64> = (0..now.measured.len()).map(rate).collect();
        model.set_estimate(now.measured, &rates);
        self.last = Some(now.measured.to_vec());
        Ok(())
    }
}

#[test]
fn an_estimator_of_ones_own_is_resumed_and_may_give_up() {
    let scenario = |duration: f64, follower: PlanFollower| {
        let encoder = SensorDescription::encoder("shaft", "bob", 1e-3).quantised(1e-4);
        Scenario::new(arm(), duration)
            .sensor(encoder)
            .plan(PlanDescription::joints([[0.0], [0.8]], [0.7]))
            .controller(ControllerDescription::follow("servo", follower).every(1e-3))
    };
    let law = || PlanFollower::new(GravityPdDescription::new(60.0, 9.0));
    let own = || law().estimating_by(["shaft"], Differences::default());
    let (simulation, rows, summary) = simulated(&scenario(1.0, own()));
    let (_, built_in, _) = simulated(&scenario(1.0, law().sensors(["shaft"])));
    assert_eq!(rows.column("bob"), built_in.column("bob"));
    // from the middle
    let mut state = None;
    let mut first = Rows::new();
    let mut stop = |progress: &Progress| {
        if progress.time > 0.4 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let outcome = simulation.run(&mut first, &mut stop).expect("a run");
    state.replace(outcome.summary.state);
    let mut second = Rows::new();
    let state = state.expect("a state");
    let outcome = simulation.resume(&state, &mut second, &mut ()).expect("a run");
    assert_eq!([first.values, second.values].concat(), rows.values);
    assert_eq!(outcome.summary.q, summary.q);
    let (_, _, summary) = simulated(&scenario(2.0, own()));
    let why = summary.ending.why.expect("why");
    assert!(why.contains("\"servo\" gave up: the encoder is lost; look for it"), "{why}");
}

/// A law that remembers what is no number.
#[derive(Clone, Debug)]
struct Opaque {
    words: Option<Vec<u8>>,
}

impl ControlLaw for Opaque {
    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        state.bytes(&mut self.words);
    }

    fn forces(
        &mut self,
        now: &ControlContext<'_>,
        _: Option<&mut Model>,
        forces: &mut [f64],
    ) -> Result<(), ControlError> {
        if let Some(words) = &mut self.words {
            words.push(forces.len() as u8);
        }
        forces[0] = 40.0 * (now.reference[0].value - now.q[0]) - 6.0 * now.u[0];
        Ok(())
    }
}

#[test]
fn bytes_are_a_state_and_what_is_not_told_is_none() {
    let simulation = |words: Option<Vec<u8>>| {
        let servo = PlanFollower::new(Opaque { words }).full_state();
        Scenario::new(arm(), 1.0)
            .plan(PlanDescription::joints([[0.0], [0.8]], [0.7]))
            .controller(ControllerDescription::follow("servo", servo).every(1e-2))
            .build()
            .expect("a simulation")
    };
    let told = simulation(Some(vec![1, 2, 3, 4, 5]));
    assert_eq!(told.untold(), None);
    let looped = told.closed_loop(0.0, &[], &[]).expect_err("nobody knows its slopes").to_string();
    assert!(looped.contains("does not tell as numbers"), "{looped}");
    let mut stop = |progress: &Progress| {
        if progress.time > 0.4 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let (mut first, mut second, mut whole) = (Rows::new(), Rows::new(), Rows::new());
    let state = told.run(&mut first, &mut stop).expect("a run").summary.state;
    let end = told.resume(&state, &mut second, &mut ()).expect("a run").summary.state;
    assert_eq!(told.run(&mut whole, &mut ()).expect("a run").summary.state, end);
    assert_eq!([first.values, second.values].concat(), whole.values);
    let untold = simulation(None);
    assert_eq!(untold.untold(), Some("servo"));
    let state = untold.run(&mut Rows::new(), &mut stop).expect("a run").summary.state;
    let refused = untold.resume(&state, &mut Rows::new(), &mut ()).expect_err("no state");
    assert!(matches!(refused, RunError::State(StateError::Untold)), "{refused}");
    // any length, and none that is longer than what is there
    for length in 0..9 {
        let mut bytes = Held(Some((0..length).map(|k| 31 * k).collect()));
        let mut other = Held(Some(vec![9; 4]));
        other.set_state(&bytes.state()).expect("bytes");
        assert_eq!(other.0, bytes.0);
    }
    let refused = Held(None).set_state(&[1.0, 0.0, 4e9]);
    assert!(matches!(refused, Err(StateError::Length { .. })), "{refused:?}");
}

struct Held(Option<Vec<u8>>);

impl Stateful for Held {
    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        state.bytes(&mut self.0);
    }
}
