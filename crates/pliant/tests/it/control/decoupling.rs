//! King's decoupling joint controller.

use super::arms::king;
use pliant::control::{Continuous, Decoupling, Eyes, Model, Pilot};
use pliant::integrate::Dop853;
use pliant::simulate::{Rows, Scenario, Selection, Signal, run};

/// King's gains and steps, 4.6: 10 degrees for each joint, poles at -10/s.
const POLE: f64 = 10.0;
const STEP: f64 = 10.0_f64.to_radians();

#[test]
fn joints_follow_the_critically_damped_form_while_tips_oscillate() {
    let arm = king(0.3);
    let joints: Vec<usize> = ["waist", "upper", "fore"].map(|name| velocity(&arm, name)).to_vec();
    let mut scenario = Scenario::new(&arm, 1.0, 0.01);
    scenario.selection = Selection::new(["coordinates"]);
    let model = Model::new(arm.clone(), &joints).expect("a model");
    let law = Decoupling { stiffness: vec![POLE * POLE; 3], damping: vec![2.0 * POLE; 3] };
    let task = vec![Signal::Constant(STEP); 3];
    let pilot = Pilot::new(law, model, task, Eyes::oracle(&arm, &arm)).expect("a pilot");
    scenario.feedback = Some(Box::new(Continuous::new(pilot, joints)));
    let mut rows = Rows::new();
    let summary = run(&mut scenario, Dop853::new(1e-11), &mut rows, &mut ()).expect("a run");
    assert!((summary.time - 1.0).abs() < 1e-12, "{:?}", summary.ending);
    for name in ["waist", "upper", "fore"] {
        let places = rows.column(name).expect("recorded");
        for (&t, place) in rows.times.iter().zip(places) {
            // ë + 20 ė + 100 e = 0 from rest
            let error = STEP * (1.0 + POLE * t) * (-POLE * t).exp();
            let off = (place - (STEP - error)).to_degrees().abs();
            assert!(off < 1e-6, "{name} is {off:e} degrees off at {t} s");
        }
    }
    for name in ["upper.y1", "fore.y1", "fore.z1"] {
        let bent = rows.column(name).expect("recorded");
        let late = &bent[60..];
        let (least, most) =
            late.iter().fold((f64::MAX, f64::MIN), |(l, m), &x| (l.min(x), m.max(x)));
        assert!(most - least > 1e-4, "{name} oscillates by {:e}", most - least);
    }
}

fn velocity(arm: &pliant::arm::Arm, name: &str) -> usize {
    arm.velocity_names().iter().position(|known| known == name).expect("a coordinate")
}

#[test]
fn a_wrong_payload_leaves_an_error() {
    // the same with a model that carries nothing: the joints sag
    let (arm, belief) = (king(0.3), king(0.0));
    let joints: Vec<usize> = ["waist", "upper", "fore"].map(|name| velocity(&arm, name)).to_vec();
    let mut scenario = Scenario::new(&arm, 0.5, 0.01);
    scenario.selection = Selection::new(["coordinates"]);
    let law = Decoupling { stiffness: vec![POLE * POLE; 3], damping: vec![2.0 * POLE; 3] };
    let model = Model::new(belief.clone(), &joints).expect("a model");
    let task = vec![Signal::Constant(0.0); 3];
    let pilot = Pilot::new(law, model, task, Eyes::oracle(&arm, &belief)).expect("a pilot");
    scenario.feedback = Some(Box::new(Continuous::new(pilot, joints)));
    let mut rows = Rows::new();
    let _ = run(&mut scenario, Dop853::new(1e-8), &mut rows, &mut ()).expect("a run");
    let upper = rows.column("upper").expect("recorded");
    assert!(upper.iter().any(|q| q.abs() > 1e-3));
}
