//! Update policies and other laws along Akmehmet's line.

use super::arms::akmehmet;
use super::energy::table_row;
use pliant::control::{
    Aim, ComputedTorque, Effort, EnergyFeedback, EnergyTorque, Eyes, Form, GravityPd, Horizon,
    Matrices, Model, Pilot, Refresh, Window,
};
use pliant::simulate::{Controller, Signal, Tick};

/// A natural frequency of 20 rad/s, damped critically.
fn computed_torque(policy: Refresh) -> ComputedTorque {
    let matrices = Matrices::new(policy);
    ComputedTorque { stiffness: vec![400.0; 3], damping: vec![40.0; 3], matrices }
}

#[test]
fn every_policy_follows_the_line_as_well_as_its_matrices_are_fresh() {
    let [fresh, ..] = table_row(computed_torque(Refresh::Always));
    assert!(fresh < 5e-3, "{fresh}");
    for (policy, bound) in [
        (Refresh::Changed(0.01), 2.0 * fresh),
        (Refresh::Every(0.04), 0.02),
        (Refresh::Strayed(0.02), 0.02),
        (Refresh::AlongTask(0.01), 2.0 * fresh),
        (Refresh::OverWorkspace(90), 0.02),
    ] {
        let [most, ..] = table_row(computed_torque(policy));
        assert!(most < bound, "{policy:?}: {most} of {bound}");
        // what is old is worse, except where it is the same
        assert!(most > 0.5 * fresh, "{policy:?}: {most} after {fresh}");
    }
    // coarse cells are worse than fine ones
    let [coarse, ..] = table_row(computed_torque(Refresh::OverWorkspace(12)));
    let [fine, ..] = table_row(computed_torque(Refresh::OverWorkspace(90)));
    assert!(coarse > 2.0 * fine, "{coarse} {fine}");
}

#[test]
fn horizons_that_recede_follow_the_present() {
    for (length, window, aim) in [
        (0.04, Window::Receding, Aim::Present),
        (0.04, Window::Receding, Aim::End),
        (0.04, Window::Fixed, Aim::Present),
    ] {
        let horizon = Horizon { length, gains: 0.01, window, aim };
        let [torque, ..] = table_row(EnergyTorque::new(horizon, Matrices::new(Refresh::Always)));
        assert!(torque < 5e-3, "{window:?}, {aim:?}: {torque}");
    }
}

#[test]
fn the_form_with_coriolis_follows_too() {
    let horizon = Horizon { length: 0.04, gains: 0.01, window: Window::Fixed, aim: Aim::End };
    for effort in [Effort::Ideal, Effort::Whole] {
        let mut law = EnergyFeedback::new(horizon, Matrices::new(Refresh::Always), 3);
        (law.form, law.effort) = (Form::Syst3, effort);
        let [most, ..] = table_row(law);
        assert!(most < 1e-3, "{effort:?}: {most}");
    }
}

#[test]
fn gravity_is_held() {
    let arm = akmehmet(3);
    let q = [0.4, -0.9, 1.2];
    let task = q.iter().map(|&x| Signal::Constant(x)).collect();
    let model = Model::new(arm.clone(), &[0, 1, 2]).expect("a model");
    let law = GravityPd { stiffness: vec![200.0; 3], damping: vec![5.0; 3] };
    let mut pilot = Pilot::new(law, model, task, Eyes::Sensors).expect("a pilot");
    let mut forces = [0.0; 3];
    let mut tell = |count: u64, inputs: &[f64; 3]| {
        let tick = Tick { count, t: 0.01 * count as f64, inputs, state: None };
        pilot.update(&tick, &mut forces).expect("a law");
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
