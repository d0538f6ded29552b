//! A controller sees only its measurements and its own model.

use super::arms::{akmehmet, king};
use pliant::arm::Arm;
use pliant::control::{
    Composite, CompositeWeights, ComputedTorque, ControlLaw, Controller, Decoupling, EnergyTorque,
    GravityPd, Horizon, HorizonKind, HorizonTarget, Matrices, MatrixUpdate, Model, Pid,
    Pseudolinks, StateSource,
};
use pliant::integrate::Dop853;
use pliant::reproduce::akmehmet::{EnergyFeedback, Form};
use pliant::simulate::{
    Block, BlockInput, BlockOutput, Clock, Diagram, Rows, SampledBlock, Selection, Sensor, Signal,
    Tick, run,
};

const PERIOD: f64 = 0.005;

fn trajectory() -> Vec<Signal> {
    let move_to = |to| Signal::Ramp { start: 0.0, duration: 0.5, from: 0.0, to };
    vec![move_to(0.3), move_to(-0.4), move_to(0.6)]
}

/// The three joints of an arm, as velocity coordinates.
fn joints(arm: &Arm) -> Vec<usize> {
    (0..arm.body_count()).flat_map(|link| arm.velocities_of(link)).collect()
}

fn controller(law: impl ControlLaw + 'static, arm: &Arm) -> Controller {
    let model = Model::new(arm.clone(), &joints(arm)).expect("a model");
    Controller::new(law, model, trajectory(), StateSource::Sensors)
        .expect("a controller")
        .limited(&[80.0; 3])
}

/// Runs with encoders, then tells a fresh controller what they showed.
fn replay(law: impl ControlLaw + Clone + 'static) {
    replay_on(&akmehmet(3), law);
}

fn replay_on(arm: &Arm, law: impl ControlLaw + Clone + 'static) {
    let joints = joints(arm);
    let clock = Clock::every(PERIOD).expect("a clock");
    let mut scenario = Diagram::new(arm, 0.3, PERIOD);
    scenario.selection = Selection::new(["sensors", "outputs", "coordinates"]);
    for (k, &v) in joints.iter().enumerate() {
        let coordinate = arm.coordinate_of(v).expect("an angle");
        let encoder = Sensor::encoder(format!("encoder {k}"), coordinate, 1 << 16, clock);
        scenario.sensors.push(encoder);
    }
    let inputs = (0..3).map(BlockInput::Sensor).collect();
    let motors = joints.iter().enumerate();
    let outputs = motors.map(|(k, &v)| BlockOutput::motor(format!("torque {k}"), v)).collect();
    let fresh = law.clone();
    scenario.blocks.push(SampledBlock::new("law", clock, inputs, outputs, controller(law, arm)));
    let mut rows = Rows::new();
    let summary = run(&mut scenario, Dop853::new(1e-8), &mut rows, &mut ()).expect("a run");
    assert!((summary.ending.time - 0.3).abs() < 1e-12, "{:?}", summary.ending);
    let mut alone = controller(fresh, arm);
    alone.start();
    let columns =
        |of: &str| [0, 1, 2].map(|k| rows.column(&format!("{of} {k}")).expect("recorded"));
    let (measured, given) = (columns("encoder"), columns("law.torque"));
    let mut outputs = [0.0; 3];
    let mut moved = false;
    for i in 0..rows.times.len() {
        let inputs = [measured[0][i], measured[1][i], measured[2][i]];
        let tick = Tick { count: i as u64, t: rows.times[i], inputs: &inputs, state: None };
        alone.update(&tick, &mut outputs).expect("a law");
        for k in 0..3 {
            assert_eq!(outputs[k].to_bits(), given[k][i].to_bits(), "row {i}, joint {k}");
            moved |= outputs[k] != 0.0;
        }
    }
    assert!(moved);
}

fn horizon() -> Horizon {
    Horizon {
        length: 0.04,
        gains: 0.01,
        kind: HorizonKind::Receding,
        target: HorizonTarget::Present,
    }
}

#[test]
fn replaying_measurements_gives_the_same_torques_bit_for_bit() {
    replay(Pid::new(vec![200.0; 3], vec![20.0; 3], vec![50.0; 3]));
    replay(GravityPd { stiffness: vec![200.0; 3], damping: vec![20.0; 3] });
    for policy in [
        MatrixUpdate::Always,
        MatrixUpdate::Every(0.02),
        MatrixUpdate::Changed(0.05),
        MatrixUpdate::Strayed(0.02),
        MatrixUpdate::AlongTrajectory(0.02),
        MatrixUpdate::OverWorkspace(24),
    ] {
        let matrices = Matrices::new(policy);
        replay(ComputedTorque { stiffness: vec![100.0; 3], damping: vec![20.0; 3], matrices });
    }
    let mut decoupling = Decoupling::new(vec![100.0; 3], vec![20.0; 3]);
    replay(decoupling.clone());
    decoupling.update = 0.02;
    replay(decoupling);
    replay(EnergyTorque::new(horizon(), Matrices::new(MatrixUpdate::Every(0.01))));
    let mut law = EnergyFeedback::new(horizon(), Matrices::new(MatrixUpdate::Every(0.01)), 3);
    replay(law.clone());
    law.form = Form::Syst3;
    replay(law);
    // composite control of joints and of pseudolinks, rigid and bending
    let weights = CompositeWeights { bending: 1e4, rate: 0.0, input: 1.0 };
    let composite = |links| {
        Composite::new(vec![100.0; 3], vec![20.0; 3], links, weights, 0.02)
            .guarded(f64::NEG_INFINITY)
    };
    replay(composite(Pseudolinks::none(3)));
    let bending = king(0.3);
    replay_on(&bending, composite(Pseudolinks::none(3)));
    let hand = bending.frame("hand").ok();
    replay_on(&bending, composite(Pseudolinks { frames: vec![None, None, hand] }));
}
