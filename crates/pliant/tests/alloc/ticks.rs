//! Ticks of every law and estimator, on arms that bend.

use super::arms::{akmehmet, king};
use super::{Nowhere, allocations};
use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::beam::{Basis, Beam, CrossSection, Material, Matter, Ways};
use pliant::control::{
    Composite, CompositeWeights, ComputedTorque, Continuous, ControlLaw, Controller, Decoupling,
    EnergyTorque, EstimatorKind, EstimatorSensors, Gauge, GravityPd, Horizon, HorizonKind,
    HorizonTarget, Matrices, MatrixUpdate, Model, Pd, Pseudolinks, StateEstimator, StateSource,
};
use pliant::dynamics::kinematics::Axes;
use pliant::dynamics::loads::Load;
use pliant::integrate::Dop853;
use pliant::reproduce::akmehmet::{EnergyFeedback, Form};
use pliant::simulate::{
    Block, BlockInput, BlockOutput, Clock, Compile, Diagram, ForceInput, FullState, SampledBlock,
    Sensor, SensorQuantity, Signal, Status, Tick, run,
};
use pliant::spatial::{Force, Vec3};

const PERIOD: f64 = 0.005;
/// A trajectory has so many ticks, and then comes again.
const ROUND: u64 = 40;

fn joints(arm: &Arm) -> Vec<usize> {
    (0..arm.body_count()).flat_map(|link| arm.velocities_of(link)).collect()
}

/// Six joints and eight modes: products of matrices that are not small.
fn six() -> Arm {
    let material = Material::named("aluminium").expect("known");
    let outline = CrossSection::Round { diameter: 0.02 };
    let mut builder = Builder::new("six");
    for k in 0..6 {
        let axis = if k % 2 == 0 { [0.0, 0.0, 1.0] } else { [0.0, 1.0, 0.0] };
        let link = Link::new(format!("link {k}")).joint(Joint::revolute(axis));
        builder = builder.link(if k % 3 == 1 {
            let matter = Matter::Made { outline, material: material.clone() };
            let beam = Beam::new(0.6, matter, Basis::ClampedFree(Ways::new(2, 2, 0, 0)));
            link.beam(beam)
        } else {
            link.body(0.3, [0.1, 0.0, 0.0], [[1e-3, 0.0, 0.0], [0.0, 1e-3, 0.0], [0.0, 0.0, 1e-3]])
        });
    }
    builder.build().expect("an arm")
}

/// A model that knows of a weight in its hand.
fn model(arm: &Arm) -> Model {
    let wrench = Force::new(Vec3::new(0.0, 0.0, -0.5), Vec3::ZERO);
    let frame = arm.frames().len().checked_sub(1);
    let load = |frame| (Load { frame, wrench, axes: Axes::World }, Signal::Constant(1.0));
    let loads = frame.map(load).into_iter().collect();
    Model::new(arm.clone(), &joints(arm)).expect("a model").knowing(loads)
}

fn wave(k: usize) -> Signal {
    let frequency_hz = (ROUND as f64 * PERIOD).recip();
    let (amplitude, phase) = (0.05 + 0.01 * k as f64, k as f64);
    Signal::Sine { amplitude, frequency_hz, phase, offset: 0.2, start: 0.0 }
}

/// The allocations of the last of many ticks, near a trajectory that comes round.
fn count(arm: &Arm, mut controller: Controller, inputs: usize) -> usize {
    let count = joints(arm).len();
    controller.start();
    let mut outputs = vec![0.0; count + controller.telemetry().len()];
    let mut of = |tick: u64| {
        let t = tick as f64 * PERIOD;
        let (mut q, mut u) = (arm.neutral(), vec![0.0; arm.nv()]);
        let mut seen = vec![0.0; inputs];
        for (k, &v) in joints(arm).iter().enumerate() {
            let jet = wave(k).jet(t);
            q[arm.coordinate_of(v).expect("one")] = jet.value + 0.01;
            u[v] = jet.rate;
            if let Some(seen) = seen.get_mut(k) {
                *seen = jet.value + 0.01;
            }
        }
        let state = Some(FullState { q: &q, u: &u });
        let tick = Tick { count: tick, t, inputs: &seen, state };
        allocations(|| controller.update(&tick, &mut outputs).map_err(drop).expect("forces"))
    };
    let warm = 2 * ROUND + 1;
    for tick in 0..warm {
        of(tick);
    }
    (warm..warm + ROUND).map(&mut of).max().unwrap_or(0)
}

/// Every source of the state.
fn check(
    found: &mut Vec<String>,
    what: &str,
    arm: &Arm,
    law: &(impl ControlLaw + Clone + 'static),
) {
    let trajectory: Vec<Signal> = (0..joints(arm).len()).map(wave).collect();
    let make = |source| {
        let law: Box<dyn ControlLaw> = Box::new(law.clone());
        Controller::new(law, model(arm), trajectory.clone(), source).expect("a controller")
    };
    let full_state = || StateSource::full_state(arm, arm);
    let ticks = [
        ("sensors", count(arm, make(StateSource::Sensors), trajectory.len())),
        ("full state", count(arm, make(full_state()), 0)),
        ("at every instant", instants(arm, make(full_state()))),
    ];
    tell(found, what, arm, &ticks);
}

fn tell(found: &mut Vec<String>, what: &str, arm: &Arm, ticks: &[(&str, usize)]) {
    for (source, count) in ticks {
        if *count > 0 {
            found.push(format!("{what}, {}, {source}: {count} allocations", arm.name()));
        }
    }
}

/// The allocations of a law at every instant.
fn instants(arm: &Arm, controller: Controller) -> usize {
    let mut law = Continuous::new("law", controller, joints(arm));
    let (mut tau, mut ud) = (vec![0.0; arm.nv()], vec![0.0; arm.nv()]);
    let (mut q, mut u) = (arm.neutral(), vec![0.0; arm.nv()]);
    for &v in &joints(arm) {
        (q[arm.coordinate_of(v).expect("one")], u[v]) = (0.2, 0.1);
    }
    let mut of = |k: u32| {
        let t = 0.4 * PERIOD * f64::from(k);
        allocations(|| law.act(t, &q, &u, &mut tau, &mut ud).map_err(drop).expect("forces"))
    };
    for k in 0..4 {
        of(k);
    }
    (4..30).map(of).max().unwrap_or(0)
}

fn laws(found: &mut Vec<String>, arm: &Arm) {
    let n = joints(arm).len();
    let (stiffness, damping) = (vec![100.0; n], vec![20.0; n]);
    check(found, "pd", arm, &Pd { stiffness: stiffness.clone(), damping: damping.clone() });
    let law = GravityPd { stiffness: stiffness.clone(), damping: damping.clone() };
    check(found, "gravity-pd", arm, &law);
    // gains are computed anew at the first tick only
    let (kind, target) = (HorizonKind::Receding, HorizonTarget::Present);
    let slow = Horizon { length: 0.5, gains: 100.0, kind, target };
    let quick = Horizon { length: 0.06, gains: PERIOD, kind, target };
    for policy in [
        MatrixUpdate::Always,
        MatrixUpdate::Every(0.02),
        MatrixUpdate::Changed(0.01),
        MatrixUpdate::Strayed(0.02),
        MatrixUpdate::AlongTrajectory(0.02),
        MatrixUpdate::OverWorkspace(24),
    ] {
        let matrices = Matrices::new(policy);
        let law = ComputedTorque {
            stiffness: stiffness.clone(),
            damping: damping.clone(),
            matrices: matrices.clone(),
        };
        check(found, &format!("computed torque, {policy:?}"), arm, &law);
        let law = EnergyTorque::new(quick, matrices.clone());
        check(found, &format!("energy torque, {policy:?}"), arm, &law);
        let mut law = EnergyFeedback::new(quick, matrices, n);
        check(found, &format!("energy feedback, {policy:?}"), arm, &law);
        (law.form, law.horizon) = (Form::Syst3, slow);
        check(found, &format!("energy feedback, third form, {policy:?}"), arm, &law);
    }
    let mut law = Decoupling::new(stiffness.clone(), damping.clone());
    check(found, "decoupling", arm, &law);
    law.update = 0.02;
    check(found, "decoupling, kept", arm, &law);
    let weights = CompositeWeights { bending: 1e4, rate: 0.0, input: 1.0 };
    let composite = |links| {
        let law = Composite::new(stiffness.clone(), damping.clone(), links, weights, 100.0);
        law.guarded(f64::NEG_INFINITY)
    };
    check(found, "composite", arm, &composite(Pseudolinks::none(n)));
    if let Ok(hand) = arm.frame("hand") {
        let frames = (0..n).map(|k| (k + 1 == n).then_some(hand)).collect();
        check(found, "pseudolink", arm, &composite(Pseudolinks { frames }));
    }
}

#[test]
fn ticks_of_laws() {
    let mut found = Vec::new();
    for arm in [king(0.3), six(), akmehmet(3)] {
        laws(&mut found, &arm);
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// A run with an estimator allocates as much as a longer one; the extended filter is the stated
/// exception.
#[test]
fn ticks_of_estimators() {
    let arm = king(0.3);
    let gauge = |link, place| Gauge { link, distance: 0.05, place, noise: 1e-6 };
    let gauges = vec![gauge(1, [0.01, 0.0]), gauge(1, [0.0, 0.01]), gauge(2, [0.008, 0.0])];
    let senses = EstimatorSensors {
        encoders: vec![1e-5; 3],
        gauges: gauges.clone(),
        forces: vec![0.1; 3],
        bending: 0.1,
        period: PERIOD,
    };
    let model = model(&arm);
    let estimator = StateEstimator::new(&model, EstimatorKind::Kalman, &arm.neutral(), &senses);
    let source = StateSource::Estimator(Box::new(estimator.expect("an estimator")));
    let law = GravityPd { stiffness: vec![5.0; 3], damping: vec![0.2; 3] };
    let trajectory = vec![Signal::Constant(0.0); 3];
    let controller = Controller::new(law, model, trajectory, source).expect("a controller");
    let count = |ticks: u32| {
        let mut scenario = Diagram::new(&arm, f64::from(ticks) * PERIOD, 0.003);
        scenario.compile = Compile::Never;
        let clock = Clock::every(PERIOD).expect("a clock");
        for (k, &v) in joints(&arm).iter().enumerate() {
            let coordinate = arm.coordinate_of(v).expect("an angle");
            let encoder = Sensor::encoder(format!("encoder {k}"), coordinate, 1 << 16, clock);
            scenario.sensors.push(encoder);
        }
        for (k, &Gauge { link, distance, place, .. }) in gauges.iter().enumerate() {
            let quantity = SensorQuantity::Strain { link, distance, place };
            scenario.sensors.push(Sensor::new(format!("gauge {k}"), quantity, clock));
        }
        let inputs = (0..6).map(BlockInput::Sensor).collect();
        let motors = joints(&arm).into_iter().enumerate();
        let outputs = motors.map(|(k, v)| BlockOutput::motor(format!("torque {k}"), v));
        let outputs = outputs.collect();
        let block = SampledBlock::new("law", clock, inputs, outputs, controller.clone());
        scenario.blocks.push(block);
        allocations(|| {
            let method = Dop853::new(1e-6);
            let summary = run(&mut scenario, method, &mut Nowhere(0), &mut ()).expect("a run");
            assert_eq!(summary.ending.status, Status::Completed, "{:?}", summary.ending);
        })
    };
    let (short, long) = (count(20), count(60));
    assert_eq!(short, long, "a longer run allocates more");
}
