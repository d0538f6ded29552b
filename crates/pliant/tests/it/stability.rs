//! Warnings of unstable loops against runs.

use crate::random::Random;
use pliant::arm::{Builder, Joint, Link};
use pliant::beam::{Basis, Beam, CrossSection, Material, Matter, Ways};
use pliant::control::{
    ComputedTorqueDescription, DecouplingDescription, EstimatorKind, GravityPdDescription,
    LawDescription, PerJoint,
};
use pliant::scenario::{
    ControllerDescription, ControllerKind, EstimatorDescription, Measurements, PlanDescription,
    PlanFollower, Scenario, ScenarioFault, ScenarioFaultKind, SensorDescription, Simulation,
};
use pliant::simulate::{Channel, IntegrationMethod, Recorder};
use std::fmt;

/// How far a posture is disturbed (rad).
const SMALL: f64 = 1e-6;

/// So many ticks are looked at.
const TICKS: f64 = 2000.0;

const NAMES: [&str; 3] = ["first", "second", "third"];

/// An arm of one to three joints, some links of which bend.
fn arm(random: &mut Random) -> (Builder, usize) {
    let count = 1 + random.below(3);
    let mut arm = Builder::new("arm").gravity([0.0, 0.0, -9.81]);
    for (k, name) in NAMES.iter().take(count).enumerate() {
        let axis = if random.once_in(3) { [0.0, 0.0, 1.0] } else { [0.0, 1.0, 0.0] };
        let length = random.between(0.3, 0.8);
        let mut link = Link::new(*name)
            .joint(Joint::revolute(axis))
            .armature(&[random.between(0.005, 0.1)])
            .payload(random.between(0.1, 1.0), [0.02, 0.03, 0.01]);
        if k > 0 {
            link = link.on(NAMES[k - 1]);
        }
        if random.once_in(2) {
            let material = Material::named("aluminium").expect("known");
            let diameter = random.between(0.012, 0.03);
            let matter = Matter::Made { outline: CrossSection::Round { diameter }, material };
            let ways = Ways::new(1, random.below(2), 0, 0);
            link = link.beam(Beam::new(length, matter, Basis::ClampedFree(ways)));
            link = link.tip_body(random.between(0.1, 1.5), [0.0; 3], [[0.0; 3]; 3]);
        } else {
            link = link.payload(random.between(0.1, 1.5), [length, 0.0, 0.0]);
        }
        arm = arm.link(link);
    }
    (arm, count)
}

/// A law that holds a posture, with gains from slack to far too stiff.
fn pair(seed: u64) -> Simulation {
    let mut random = Random::new(seed);
    let (arm, count) = arm(&mut random);
    let period = random.between(1e-3, 4e-3);
    let period = (period * 2e4).round() / 2e4;
    // radians per tick
    let quick = (random.between((0.02_f64).ln(), (1.4_f64).ln())).exp() / period;
    let ratio = random.between(0.3, 1.2);
    let built = arm.clone().build().expect("an arm");
    let mass = built.mass_matrix(&built.neutral()).expect("a matrix");
    let inertia = |k: usize| {
        let v = built.velocity_names().iter().position(|name| *name == NAMES[k]).expect("a joint");
        mass[(v, v)]
    };
    let gains = |k: usize| (inertia(k) * quick * quick, 2.0 * ratio * inertia(k) * quick);
    let by = |part: fn((f64, f64)) -> f64| {
        PerJoint::ByName((0..count).map(|k| (NAMES[k].to_owned(), part(gains(k)))).collect())
    };
    let law: Box<dyn LawDescription> = match random.below(3) {
        0 => GravityPdDescription::new(by(|g| g.0), by(|g| g.1)).into(),
        1 => ComputedTorqueDescription::new(quick * quick, 2.0 * ratio * quick).into(),
        _ => DecouplingDescription::new(quick * quick, 2.0 * ratio * quick).into(),
    };
    let posture: Vec<f64> = (0..count).map(|_| random.between(-1.0, 1.0)).collect();
    let mut scenario = Scenario::new(arm, TICKS * period)
        .from_static_equilibrium()
        .method(IntegrationMethod::Dop853 { tolerance: 1e-8 })
        .record(period, ["coordinates"])
        .plan(PlanDescription::joints([posture.clone(), posture.clone()], [0.1]));
    let mut follower = PlanFollower::new(law);
    if random.once_in(2) {
        let measured = [1.0, 1.0, 0.5, 0.75][random.below(4)] * period;
        for name in NAMES.iter().take(count) {
            let encoder = SensorDescription::encoder(format!("{name} encoder"), *name, measured);
            scenario = scenario.sensor(encoder);
        }
        let names = NAMES.iter().take(count).map(|name| format!("{name} encoder"));
        follower = if measured == period && random.once_in(2) {
            follower.estimating(names, EstimatorDescription::new(EstimatorKind::Kalman))
        } else {
            follower.sensors(names)
        };
    } else {
        follower = follower.full_state();
    }
    let delay = [0.0, 0.0, 0.0, 0.5, 1.0, 2.0][random.below(6)] * period;
    if delay > 0.0 {
        // until the first forces arrive it would fall
        scenario = scenario.gravity([0.0; 3]);
    }
    let controller = ControllerDescription::follow("law", follower).every(period).delayed(delay);
    scenario = scenario.controller(controller);
    for (name, angle) in NAMES.iter().zip(&posture) {
        let off = if random.once_in(2) { SMALL } else { -SMALL };
        scenario = scenario.initial(*name, angle + off);
    }
    scenario.build().unwrap_or_else(|error| panic!("{seed}: {error}"))
}

/// Stops a run when the disturbance has grown tenfold.
struct Growth {
    still: Vec<f64>,
    most: f64,
}

#[derive(Debug)]
struct Grown;

impl fmt::Display for Grown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it grows")
    }
}

impl std::error::Error for Grown {}

impl Recorder for Growth {
    type Error = Grown;

    fn start(&mut self, _: &[Channel]) -> Result<(), Grown> {
        Ok(())
    }

    fn row(&mut self, _: f64, values: &[f64]) -> Result<(), Grown> {
        let off = values.iter().zip(&self.still).map(|(x, still)| (x - still).abs());
        self.most = off.fold(self.most, f64::max);
        if self.most > 10.0 * SMALL { Err(Grown) } else { Ok(()) }
    }
}

fn grows(simulation: &Simulation) -> bool {
    let closed = simulation.closed_loop(0.0, &[], &[]).expect("a loop");
    let mut growth = Growth { still: closed.point.q, most: 0.0 };
    match simulation.run(&mut growth, &mut ()) {
        Ok(outcome) => !outcome.is_complete(),
        Err(_) => true,
    }
}

fn is_unstable(fault: &ScenarioFault) -> bool {
    matches!(fault.kind, ScenarioFaultKind::UnstableLoop(_))
}

/// The parts of a hundred pairs that must be there.
#[derive(Debug, Default)]
struct Parts {
    near: usize,
    unstable: usize,
    other_clocks: usize,
    estimators: usize,
    missed: Vec<f64>,
    false_alarms: Vec<f64>,
}

#[test]
fn warnings_agree_with_runs() {
    let mut parts = Parts::default();
    let looked = |seed: u64| {
        let simulation = pair(seed);
        let closed = simulation.closed_loop(0.0, &[], &[]).expect("a loop");
        (simulation, closed.spectral_radius().expect("ticks"))
    };
    let counted = (1..).map(looked).filter(|(_, radius)| (radius - 1.0).abs() > 1e-3).take(100);
    for (simulation, radius) in counted {
        let scenario = &simulation.scenario;
        let controller = &scenario.controllers[0];
        let is_other = |sensor: &SensorDescription| Some(sensor.period) != controller.period;
        let ControllerKind::Follow(follower) = &controller.kind else { panic!("a follower") };
        parts.other_clocks += usize::from(scenario.sensors.iter().any(is_other));
        parts.estimators += usize::from(matches!(follower.measures, Measurements::Estimator(..)));
        parts.near += usize::from((radius - 1.0).abs() < 0.1);
        let warned = simulation.loop_warnings().iter().any(is_unstable);
        let grows = grows(&simulation);
        parts.unstable += usize::from(grows);
        if grows && !warned {
            parts.missed.push(radius);
        }
        if warned && !grows {
            parts.false_alarms.push(radius);
        }
    }
    assert!(parts.near >= 40 && (30..=70).contains(&parts.unstable), "{parts:?}");
    assert!(parts.other_clocks >= 10 && parts.estimators >= 5, "{parts:?}");
    assert!(parts.missed.is_empty() && parts.false_alarms.len() <= 5, "{parts:?}");
}

/// Clocks that nearly agree come together after a thousand ticks, in which errors outgrow all floats.
#[test]
fn clocks_that_nearly_agree_are_looked_at() {
    let wheel = Link::new("wheel").joint(Joint::revolute([0.0, 0.0, 1.0])).armature(&[0.1]);
    for (stiffness, damping, grows) in [(2e3, 400.0, true), (20.0, 2.0, false)] {
        let law = GravityPdDescription::new(stiffness, damping);
        let follower = PlanFollower::new(law).sensors(["shaft"]);
        let simulation = Scenario::new(Builder::new("wheel").link(wheel.clone()), 1.0)
            .sensor(SensorDescription::encoder("shaft", "wheel", 1.001e-3))
            .plan(PlanDescription::joints([[0.0], [0.5]], [0.5]))
            .controller(ControllerDescription::follow("servo", follower).every(1e-3))
            .build()
            .expect("a scenario");
        let closed = simulation.closed_loop(0.0, &[], &[]).expect("a loop");
        let radius = closed.spectral_radius().expect("ticks");
        assert_eq!(radius > 1.0, grows, "{radius}");
        let warnings = simulation.loop_warnings();
        assert_eq!(warnings.iter().any(is_unstable), grows, "{warnings:?}");
    }
}
