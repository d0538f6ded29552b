//! A run that is stopped, and one that goes on from its state, make the rows of the whole run.

use super::arms::{akmehmet, king};
use crate::random::Random;
use crate::switching::seeded::seeded;
use pliant::arm::Arm;
use pliant::control::{
    Composite, CompositeWeights, ComputedTorque, ControlLaw, Controller, Decoupling, EnergyTorque,
    EstimatorKind, EstimatorSensors, Gauge, GravityPd, Horizon, HorizonKind, HorizonTarget,
    Matrices, MatrixUpdate, Model, Pd, Pid, Pseudolinks, StateEstimator, StateSource,
};
use pliant::integrate::{
    Adams, Direction, Dop853, Dopri5, GeneralisedAlpha, Method, Radau5, Rk4, StateError, Switching,
};
use pliant::reproduce::akmehmet::{EnergyFeedback, Form};
use pliant::simulate::{
    Block, BlockInput, BlockOutput, Clock, Delay, Diagram, Event, EventAction, Motor, Plant,
    Progress, ProgressMonitor, Rows, RunError, SampledBlock, Selection, Sensor, SensorQuantity,
    Signal, Status, resume, run,
};
use std::ops::ControlFlow;

const PERIOD: f64 = 0.005;
const DURATION: f64 = 0.25;

/// The gauge of the upper link of King's arm, and of its forearm.
fn gauges() -> Vec<Gauge> {
    let gauge = |link, place| Gauge { link, distance: 0.05, place, noise: 1e-6 };
    vec![
        gauge(1, [0.01, 0.0]),
        gauge(1, [0.0, 0.01]),
        gauge(2, [0.008, 0.0]),
        gauge(2, [0.0, 0.008]),
    ]
}

fn joints(arm: &Arm) -> Vec<usize> {
    (0..arm.body_count()).flat_map(|link| arm.velocities_of(link)).collect()
}

/// Encoders with noise that come late, gauges if asked, an event, a motor that jumps, and a block
/// whose forces come late too.
fn scenario(arm: &Arm, controller: impl Block + 'static, gauges: &[Gauge]) -> Diagram {
    let clock = Clock::every(PERIOD).expect("a clock");
    let mut scenario = Diagram::new(arm, DURATION, 0.003);
    scenario.selection = Selection::new(["*"]);
    scenario.seed = 7;
    // estimators know of no delay
    let late = match gauges {
        [] => (Delay::Seconds(0.004), Delay::Ticks(1)),
        _ => (Delay::None, Delay::None),
    };
    for (k, &v) in joints(arm).iter().enumerate() {
        let coordinate = arm.coordinate_of(v).expect("an angle");
        let encoder = Sensor::encoder(format!("encoder {k}"), coordinate, 1 << 16, clock);
        scenario.sensors.push(Sensor { noise: 1e-5, delay: late.0, ..encoder });
    }
    for (k, &Gauge { link, distance, place, noise }) in gauges.iter().enumerate() {
        let quantity = SensorQuantity::Strain { link, distance, place };
        let gauge = Sensor::new(format!("gauge {k}"), quantity, clock);
        scenario.sensors.push(Sensor { noise, ..gauge });
    }
    let inputs = (0..scenario.sensors.len()).map(BlockInput::Sensor).collect();
    let motors = joints(arm).into_iter().enumerate();
    let outputs = motors.map(|(k, v)| BlockOutput::motor(format!("torque {k}"), v)).collect();
    let block = SampledBlock::new("law", clock, inputs, outputs, controller);
    scenario.blocks.push(SampledBlock { delay: late.1, ..block });
    let signal = Signal::Step { at: 0.1234, before: 0.0, after: 2.0 };
    scenario.motors.push(Motor { velocity: joints(arm)[1], signal });
    scenario.events.push(Event {
        name: "half way".to_owned(),
        quantity: "energy.kinetic - 0.5".into(),
        direction: Direction::Either,
        action: EventAction::Report,
    });
    scenario
}

/// Takes the state after a step, and lets the run go on.
struct Checkpoint {
    step: usize,
    now: usize,
    state: Vec<f64>,
}

impl ProgressMonitor for Checkpoint {
    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        self.now = progress.steps;
        ControlFlow::Continue(())
    }

    fn checkpoint(&mut self, state: &mut dyn FnMut() -> Vec<f64>) -> ControlFlow<()> {
        if self.now == self.step {
            self.state = state();
        }
        ControlFlow::Continue(())
    }
}

/// Stops a run at a random step, goes on to a second and a third, and then to the end, each time with
/// a fresh scenario: rows and summary are those of the whole run.
fn resumes<M>(what: &str, make: impl Fn() -> Diagram, method: impl Fn() -> M)
where
    M: for<'s> Method<Plant<'s>>,
{
    let mut whole = Rows::new();
    let summary = run(&mut make(), method(), &mut whole, &mut ()).expect("a run");
    assert!(summary.ending.status == Status::Completed, "{what}: {:?}", summary.ending);
    let mut random = Random::new(summary.statistics.steps as u64);
    let mut stops: Vec<usize> =
        (0..3).map(|_| 1 + random.below(summary.statistics.steps - 1)).collect();
    stops.sort_unstable();
    stops.dedup();
    let mut state: Option<Vec<f64>> = None;
    let mut pieces = Vec::new();
    let mut go_on = |watch: &mut dyn FnMut(&Progress) -> ControlFlow<()>, state: Option<&[f64]>| {
        let (mut rows, mut scenario) = (Rows::new(), make());
        let mut watch = |progress: &Progress| watch(progress);
        let end = match state {
            None => run(&mut scenario, method(), &mut rows, &mut watch),
            Some(state) => resume(&mut scenario, method(), state, &mut rows, &mut watch),
        };
        pieces.push(rows);
        end.expect("a run")
    };
    for &stop in &stops {
        let mut watch = |progress: &Progress| {
            if progress.steps == stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let stopped = go_on(&mut watch, state.as_deref());
        assert!(stopped.ending.status == Status::Interrupted, "{what}: {:?}", stopped.ending);
        // to ask for it changes nothing
        let mut checkpoint = Checkpoint { step: stop, now: 0, state: Vec::new() };
        let again = run(&mut make(), method(), &mut Rows::new(), &mut checkpoint).expect("a run");
        assert!(format!("{again:?}") == format!("{summary:?}"), "{what}, step {stop}");
        let bits = |state: &[f64]| state.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&checkpoint.state), bits(&stopped.state), "{what}, step {stop}");
        state = Some(stopped.state);
    }
    let gone_on = go_on(&mut |_| ControlFlow::Continue(()), state.as_deref());
    // every number to its last digit
    let (gone_on, summary) = (format!("{gone_on:?}"), format!("{summary:?}"));
    assert!(gone_on == summary, "{what}, steps {stops:?}");
    let times: Vec<f64> = pieces.iter().flat_map(|rows| rows.times.clone()).collect();
    assert_eq!(times, whole.times, "{what}, steps {stops:?}");
    for channel in &whole.channels {
        let column = |rows: &Rows| rows.column(&channel.name).expect("recorded");
        let bits = |values: Vec<f64>| values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        let all = bits(pieces.iter().flat_map(column).collect());
        assert_eq!(all, bits(column(&whole)), "{what}, steps {stops:?}: {}", channel.name);
    }
    if let Some(state) = state {
        // a state is that of its scenario
        let short = &state[1..];
        let refused = resume(&mut make(), method(), short, &mut Rows::new(), &mut ());
        let refused = refused.expect_err("a number is missing");
        assert!(
            matches!(
                refused,
                RunError::State(StateError::Length { .. } | StateError::NoCount { .. })
            ),
            "{what}: {refused}"
        );
    }
}

fn move_to(to: f64) -> Signal {
    Signal::Ramp { start: 0.0, duration: 0.5, from: 0.0, to }
}

fn controller(law: impl Into<Box<dyn ControlLaw>>, arm: &Arm, source: StateSource) -> Controller {
    let model = Model::new(arm.clone(), &joints(arm)).expect("a model");
    let trajectory = vec![move_to(0.3), move_to(-0.4), move_to(0.6)];
    Controller::new(law, model, trajectory, source).expect("a controller").limited(&[80.0; 3])
}

fn horizon() -> Horizon {
    let (kind, target) = (HorizonKind::Receding, HorizonTarget::Present);
    Horizon { length: 0.06, gains: 0.02, kind, target }
}

fn composite(links: Pseudolinks) -> Composite {
    let weights = CompositeWeights { bending: 1e4, rate: 0.0, input: 1.0 };
    Composite::new(vec![100.0; 3], vec![20.0; 3], links, weights, 0.02).guarded(f64::NEG_INFINITY)
}

/// Joints on springs and dampers towards their targets.
fn pd(arm: &Arm, stiffness: f64) -> Diagram {
    let law = Pd { stiffness: vec![stiffness; 3], damping: vec![20.0; 3] };
    let targets = vec![move_to(0.3), move_to(-0.4), move_to(0.6)];
    let controller = Controller::new(law, None, targets, StateSource::Sensors);
    scenario(arm, controller.expect("a controller").limited(&[60.0; 3]), &[])
}

/// Every law with every policy, each with its arm.
fn laws() -> Vec<(String, Arm, Box<dyn ControlLaw>)> {
    let (rigid, bending) = (akmehmet(3), king(0.3));
    let mut laws: Vec<(String, Arm, Box<dyn ControlLaw>)> = Vec::new();
    let mut add = |what: &str, arm: &Arm, law: Box<dyn ControlLaw>| {
        laws.push((what.to_owned(), arm.clone(), law));
    };
    let (stiffness, damping) = (vec![200.0; 3], vec![20.0; 3]);
    add("gravity-pd", &rigid, Box::new(GravityPd { stiffness, damping }));
    let gains = || vec![200.0; 3];
    add("pid", &rigid, Box::new(Pid::new(gains(), vec![20.0; 3], gains())));
    for policy in [
        MatrixUpdate::Always,
        MatrixUpdate::Every(0.02),
        MatrixUpdate::Changed(0.05),
        MatrixUpdate::Strayed(0.02),
        MatrixUpdate::AlongTrajectory(0.02),
        MatrixUpdate::OverWorkspace(24),
    ] {
        let matrices = Matrices::new(policy);
        let torque = ComputedTorque { stiffness: vec![100.0; 3], damping: vec![20.0; 3], matrices };
        add(&format!("computed torque, {policy:?}"), &rigid, Box::new(torque));
    }
    let mut decoupling = Decoupling::new(vec![100.0; 3], vec![20.0; 3]);
    decoupling.update = 0.02;
    add("decoupling", &rigid, Box::new(decoupling));
    let matrices = || Matrices::new(MatrixUpdate::Every(0.01));
    add("energy torque", &rigid, Box::new(EnergyTorque::new(horizon(), matrices())));
    let mut feedback = EnergyFeedback::new(horizon(), matrices(), 3);
    add("energy feedback", &rigid, Box::new(feedback.clone()));
    feedback.form = Form::Syst3;
    add("energy feedback, third form", &rigid, Box::new(feedback.clone()));
    feedback.matrices = Matrices::new(MatrixUpdate::OverWorkspace(24));
    add("energy feedback, a table", &rigid, Box::new(feedback));
    let hand = bending.frame("hand").ok();
    add("composite", &bending, Box::new(composite(Pseudolinks::none(3))));
    let links = Pseudolinks { frames: vec![None, None, hand] };
    add("pseudolink", &bending, Box::new(composite(links)));
    laws
}

/// A run of King's arm with an estimator.
fn estimated(kind: EstimatorKind) -> Diagram {
    let arm = king(0.3);
    let model = Model::new(arm.clone(), &joints(&arm)).expect("a model");
    let senses = EstimatorSensors {
        encoders: vec![1e-5; 3],
        gauges: gauges(),
        forces: vec![0.1; 3],
        bending: 0.1,
        period: PERIOD,
    };
    let estimator = StateEstimator::new(&model, kind, &arm.neutral(), &senses);
    let source = StateSource::Estimator(Box::new(estimator.expect("an estimator")));
    scenario(&arm, controller(composite(Pseudolinks::none(3)), &arm, source), &gauges())
}

#[test]
fn runs_of_every_law_go_on_from_their_state() {
    for (what, arm, law) in laws() {
        let make = || scenario(&arm, controller(law.clone(), &arm, StateSource::Sensors), &[]);
        resumes(&what, make, || Dop853::new(1e-8));
    }
    resumes("pd", || pd(&akmehmet(3), 200.0), || Dop853::new(1e-8));
}

#[test]
fn runs_with_every_estimator_go_on_from_their_state() {
    for kind in [EstimatorKind::Kalman, EstimatorKind::Extended] {
        let fresh = estimated(kind);
        resumes(&format!("{kind:?}"), || fresh.clone(), || Dop853::new(1e-8));
    }
}

/// A state in which a number is another one ends in an answer or an error, and never in a panic.
#[test]
fn altered_states_never_panic() {
    let mut scenarios = vec![("pd".to_owned(), pd(&akmehmet(3), 200.0))];
    for (what, arm, law) in laws() {
        let controller = controller(law, &arm, StateSource::Sensors);
        scenarios.push((what, scenario(&arm, controller, &[])));
    }
    for kind in [EstimatorKind::Kalman, EstimatorKind::Extended] {
        scenarios.push((format!("{kind:?}"), estimated(kind)));
    }
    for (what, mut scenario) in scenarios {
        scenario.duration = 0.05;
        scenario.selection = Selection::new(["energy.kinetic"]);
        let method = || Dop853::new(1e-4);
        let mut last = |progress: &Progress| {
            let is_late = progress.time > progress.end - 1.5 * PERIOD;
            if is_late { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        };
        let stopped = run(&mut scenario, method(), &mut Rows::new(), &mut last).expect("a run");
        assert!(stopped.ending.status == Status::Interrupted, "{what}: {:?}", stopped.ending);
        let mut state = stopped.state;
        let mut refused = 0;
        for index in 0..state.len() {
            let own = state[index];
            let values = [0.0, 1.0, -1.0, 1e300, f64::NAN, own + 1.0];
            // what may be a count or a flag takes all of them, the others take turns
            let is_whole = own.fract() == 0.0;
            let values = if is_whole { &values[..] } else { &values[index % 6..][..1] };
            for &value in values {
                state[index] = value;
                let mut steps = 0;
                let mut few = |_: &Progress| {
                    steps += 1;
                    if steps > 20 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                };
                let end = resume(&mut scenario, method(), &state, &mut Rows::new(), &mut few);
                refused += usize::from(matches!(end, Err(RunError::State(_))));
            }
            state[index] = own;
        }
        assert!(refused > 0, "{what}");
    }
}

#[test]
fn runs_by_every_method_go_on_from_their_state() {
    let arm = king(0.3);
    let law = || GravityPd { stiffness: vec![5.0; 3], damping: vec![0.2; 3] };
    let make = || scenario(&arm, controller(law(), &arm, StateSource::Sensors), &[]);
    resumes("rk4", make, || Rk4::new(1e-4));
    resumes("dopri5", make, || Dopri5::new(1e-6));
    resumes("dop853", make, || Dop853::new(1e-6));
    resumes("adams", make, || Adams::new(1e-6));
    resumes("radau5", make, || Radau5::new(1e-6));
    resumes("generalised-alpha", make, || GeneralisedAlpha::new(1e-3).spectral_radius(0.9));
    // without ticks a method remembers from step to step and is never told to forget
    let swing = || {
        let mut scenario = Diagram::new(&arm, 2.0 * DURATION, 0.003);
        scenario.selection = Selection::new(["*"]);
        scenario
    };
    resumes("dopri5, a swing", swing, || Dopri5::new(1e-6));
    resumes("dop853, a swing", swing, || Dop853::new(1e-6));
    resumes("adams, a swing", swing, || Adams::new(1e-6));
    resumes("radau5, a swing", swing, || Radau5::new(1e-6));
    resumes("both kinds, a swing", swing, || Switching::new(1e-6, 1000.0));
    // it changes from one kind to the other
    let stiff = || Diagram { duration: 0.4, ..seeded(6).diagram };
    let (mut rows, mut scenario) = (Rows::new(), stiff());
    let summary = run(&mut scenario, Switching::new(1e-6, 1000.0), &mut rows, &mut ());
    let counts = summary.expect("a run").statistics;
    assert!(counts.implicit_steps > 50 && counts.implicit_steps < counts.steps, "{counts:?}");
    resumes("both kinds, stiff", stiff, || Switching::new(1e-6, 1000.0));
    resumes("generalised-alpha, a swing", swing, || GeneralisedAlpha::new(1e-3));
}

/// Sixteen runs of different scenarios on two threads are those of one after another.
#[test]
fn runs_on_two_threads_are_those_on_one() {
    let arm = akmehmet(3);
    let runs = || -> Vec<Diagram> {
        let of = |k: u8| pd(&arm, 50.0 + 10.0 * f64::from(k));
        (0..16).map(of).collect()
    };
    let rows = |mut scenario: Diagram| {
        let mut rows = Rows::new();
        let summary = run(&mut scenario, Dop853::new(1e-8), &mut rows, &mut ()).expect("a run");
        (rows, summary.state)
    };
    let one_by_one: Vec<_> = runs().into_iter().map(rows).collect();
    let mut first = runs();
    let second = first.split_off(8);
    let both = std::thread::scope(|threads| {
        let halves = [first, second]
            .map(|half| threads.spawn(move || half.into_iter().map(rows).collect::<Vec<_>>()));
        halves.map(|half| half.join().expect("no panic")).into_iter().flatten().collect::<Vec<_>>()
    });
    for (k, ((alone, state), (rows, other))) in one_by_one.iter().zip(&both).enumerate() {
        assert_eq!(state, other, "run {k}");
        for channel in &alone.channels {
            assert_eq!(alone.column(&channel.name), rows.column(&channel.name), "run {k}");
        }
    }
}
