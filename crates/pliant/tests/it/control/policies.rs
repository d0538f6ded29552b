//! Update policies and other laws along Akmehmet's line.

use super::arms::{akmehmet, king};
use super::energy::table_row;
use pliant::analyse::Conditions;
use pliant::control::{
    ComputedTorque, Controller, EnergyTorque, GravityPd, Horizon, HorizonKind, HorizonTarget,
    Matrices, MatrixUpdate, Model, StateSource,
};
use pliant::dynamics::kinematics::Axes;
use pliant::dynamics::loads::Load;
use pliant::simulate::{Block, Signal, Tick};
use pliant::spatial::Force;

/// A natural frequency of 20 rad/s, damped critically.
fn computed_torque(policy: MatrixUpdate) -> ComputedTorque {
    let matrices = Matrices::new(policy);
    ComputedTorque { stiffness: vec![400.0; 3], damping: vec![40.0; 3], matrices }
}

#[test]
fn every_policy_follows_the_line_as_well_as_its_matrices_are_fresh() {
    let [fresh, ..] = table_row(computed_torque(MatrixUpdate::Always));
    assert!(fresh < 5e-3, "{fresh}");
    for (policy, bound) in [
        (MatrixUpdate::Changed(0.01), 2.0 * fresh),
        (MatrixUpdate::Every(0.04), 0.02),
        (MatrixUpdate::Strayed(0.02), 0.02),
        (MatrixUpdate::AlongTrajectory(0.01), 2.0 * fresh),
        (MatrixUpdate::OverWorkspace(90), 0.02),
    ] {
        let [most, ..] = table_row(computed_torque(policy));
        assert!(most < bound, "{policy:?}: {most} of {bound}");
        // what is old is worse, except where it is the same
        assert!(most > 0.5 * fresh, "{policy:?}: {most} after {fresh}");
    }
    // coarse cells are worse than fine ones
    let [coarse, ..] = table_row(computed_torque(MatrixUpdate::OverWorkspace(12)));
    let [fine, ..] = table_row(computed_torque(MatrixUpdate::OverWorkspace(90)));
    assert!(coarse > 2.0 * fine, "{coarse} {fine}");
}

#[test]
fn horizons_that_recede_follow_the_present() {
    for (length, kind, target) in [
        (0.04, HorizonKind::Receding, HorizonTarget::Present),
        (0.04, HorizonKind::Receding, HorizonTarget::End),
        (0.04, HorizonKind::Fixed, HorizonTarget::Present),
    ] {
        let horizon = Horizon { length, gains: 0.01, kind, target };
        let [torque, ..] =
            table_row(EnergyTorque::new(horizon, Matrices::new(MatrixUpdate::Always)));
        assert!(torque < 5e-3, "{kind:?}, {target:?}: {torque}");
    }
}

/// A double integrator whose force is held: with one tick for each window it grows fivefold, with
/// two fourfold, with three it is there after one window.
#[test]
fn horizons_of_few_ticks_grow() {
    let of = |ticks: f64, kind| {
        let horizon =
            Horizon { length: 0.01 * ticks, gains: 0.01, kind, target: HorizonTarget::End };
        horizon.growth(0.01)
    };
    assert_close!("one tick", [of(1.0, HorizonKind::Fixed)], [5.0], rel = 1e-9, "growth");
    assert_close!("two ticks", [of(2.0, HorizonKind::Fixed)], [4.0], rel = 1e-9, "growth");
    assert!(of(3.0, HorizonKind::Fixed) < 1e-6, "{}", of(3.0, HorizonKind::Fixed));
    for ticks in [4.0, 8.0, 16.0] {
        assert!(
            of(ticks, HorizonKind::Fixed) < 1.0,
            "{ticks} ticks: {}",
            of(ticks, HorizonKind::Fixed)
        );
    }
    // [[-2, -1], [-6, -3]], and for two ticks -1 is an eigenvalue
    assert_close!("one tick", [of(1.0, HorizonKind::Receding)], [5.0], rel = 1e-9, "growth");
    assert!(of(3.0, HorizonKind::Receding) < 1.0, "{}", of(3.0, HorizonKind::Receding));
    let kept = |ticks: f64| {
        let (length, kind) = (0.01 * ticks, HorizonKind::Fixed);
        Horizon { length, gains: 0.02, kind, target: HorizonTarget::End }.growth(0.01)
    };
    // gains for two ticks, [[1/4, 0], [-3/2, -1]] with -1 as eigenvalue again
    assert_close!("kept for both", [kept(2.0)], [1.0], rel = 1e-9, "growth");
    // windows of three ticks: the time to go is 3, 3, 2, 2 and 2, 2 ticks, never less than gains
    // last, so that two windows leave this
    let two = (2.0 / 3.0 / 256.0 + 0.195_312_5 / 3.0) / 3.0;
    assert_close!("kept over the end", [kept(3.0)], [f64::sqrt(two)], rel = 1e-9, "growth");
}

/// The hand is pushed by a load that grows: whoever knows of it stays where it should be.
#[test]
fn a_known_load_is_taken_by_the_model() {
    let arm = akmehmet(3);
    let q = [0.4, -0.9, 1.2];
    let trajectory: Vec<Signal> = q.iter().map(|&x| Signal::Constant(x)).collect();
    let load = Load {
        frame: arm.frame("link 3").expect("a frame"),
        wrench: Force::new([3.0, -2.0, 5.0].into(), [0.4, 1.1, -0.7].into()),
        axes: Axes::World,
    };
    let grows = Signal::Ramp { start: 0.0, duration: 1.0, from: 0.0, to: 2.0 };
    let model = Model::new(arm.clone(), &[0, 1, 2]).expect("a model");
    let model = model.knowing(vec![(load, grows.clone())]);
    let law = GravityPd { stiffness: vec![200.0; 3], damping: vec![5.0; 3] };
    let mut controller =
        Controller::new(law, model, trajectory, StateSource::Sensors).expect("a controller");
    for (count, t) in [(0, 0.0), (1, 0.5), (2, 0.9)] {
        let mut forces = [0.0; 3];
        let tick = Tick { count, t, inputs: &q, state: None };
        controller.update(&tick, &mut forces).expect("a law");
        let size = grows.value(t);
        let now = Load {
            wrench: Force::new(load.wrench.force * size, load.wrench.moment * size),
            ..load
        };
        let pushed = arm.load_forces(&q, &[now]).expect("forces");
        let want = arm.gravity_forces(&q).expect("forces") - pushed;
        assert_close!("akmehmet", forces, want.as_slice(), rel = 1e-12, "held against it");
    }
}

/// Links that nobody sees are believed to hang as gravity and the known load bend them.
#[test]
fn a_known_load_bends_the_links_of_the_model() {
    let arm = king(0.3);
    let joints: Vec<usize> = ["waist", "upper", "fore"]
        .map(|name| arm.velocity_names().iter().position(|known| known == name).expect("a joint"))
        .to_vec();
    let measured = [0.3, 0.5, -0.8];
    let wrench = Force::new([4.0, -3.0, -20.0].into(), [0.0; 3].into());
    let load = Load { frame: arm.frame("hand").expect("a frame"), wrench, axes: Axes::World };
    let model = Model::new(arm.clone(), &joints).expect("a model");
    let model = model.knowing(vec![(load, Signal::Constant(1.0))]);
    let law = GravityPd { stiffness: vec![200.0; 3], damping: vec![5.0; 3] };
    let trajectory = measured.iter().map(|&x| Signal::Constant(x)).collect();
    let mut controller =
        Controller::new(law, model, trajectory, StateSource::Sensors).expect("a controller");
    let mut forces = [0.0; 3];
    controller
        .update(&Tick { count: 0, t: 0.0, inputs: &measured, state: None }, &mut forces)
        .expect("a law");
    let mut q = arm.neutral();
    for (&v, &angle) in joints.iter().zip(&measured) {
        q[arm.coordinate_of(v).expect("an angle")] = angle;
    }
    let conditions = Conditions { loads: vec![load], ..Conditions::default() };
    let rest = arm.static_equilibrium_under(&q, &conditions).expect("a rest");
    let still = vec![0.0; arm.nv()];
    let whole = arm.inverse_dynamics(&rest.q, &still, &still).expect("forces")
        - arm.load_forces(&rest.q, &[load]).expect("forces");
    let want: Vec<f64> = joints.iter().map(|&v| whole[v]).collect();
    assert_close!("king", forces, want, rel = 1e-9, "held as it is bent");
}

#[test]
fn gravity_is_held() {
    let arm = akmehmet(3);
    let q = [0.4, -0.9, 1.2];
    let trajectory = q.iter().map(|&x| Signal::Constant(x)).collect();
    let model = Model::new(arm.clone(), &[0, 1, 2]).expect("a model");
    let law = GravityPd { stiffness: vec![200.0; 3], damping: vec![5.0; 3] };
    let mut controller =
        Controller::new(law, model, trajectory, StateSource::Sensors).expect("a controller");
    let mut forces = [0.0; 3];
    let mut tell = |count: u64, inputs: &[f64; 3]| {
        let tick = Tick { count, t: 0.01 * count as f64, inputs, state: None };
        controller.update(&tick, &mut forces).expect("a law");
        forces
    };
    let holding = arm.gravity_forces(&q).expect("forces");
    assert_close!("akmehmet", tell(0, &q), holding.as_slice(), rel = 1e-14, "no errors");
    // off by 0.02 rad after 10 ms: the spring pulls back, the damper against 2 rad/s
    let off = [0.42, -0.9, 1.2];
    let mut want = arm.gravity_forces(&off).expect("forces");
    want[0] -= 200.0 * 0.02 + 5.0 * 2.0;
    assert_close!("akmehmet", tell(1, &off), want.as_slice(), rel = 1e-12, "an error of one joint");
}
