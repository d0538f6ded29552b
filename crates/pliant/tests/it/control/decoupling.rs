//! King's decoupling joint controller.

use super::arms::king;
use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::beam::{Basis, Beam, Section, Ways};
use pliant::control::{Continuous, Controller, Decoupling, Model, StateSource};
use pliant::integrate::Dop853;
use pliant::simulate::{Block, Diagram, Rows, Selection, Signal, Tick, run};

/// King's gains and steps, 4.6: 10 degrees for each joint, poles at -10/s.
const POLE: f64 = 10.0;
const STEP: f64 = 10.0_f64.to_radians();

#[test]
fn joints_follow_the_critically_damped_form_while_tips_oscillate() {
    let arm = king(0.3);
    let joints: Vec<usize> = ["waist", "upper", "fore"].map(|name| velocity(&arm, name)).to_vec();
    let mut scenario = Diagram::new(&arm, 1.0, 0.01);
    scenario.selection = Selection::new(["coordinates"]);
    let model = Model::new(arm.clone(), &joints).expect("a model");
    let law = Decoupling::new(vec![POLE * POLE; 3], vec![2.0 * POLE; 3]);
    let trajectory = vec![Signal::Constant(STEP); 3];
    let controller = Controller::new(law, model, trajectory, StateSource::full_state(&arm, &arm))
        .expect("a controller");
    scenario.feedback = Some(Box::new(Continuous::new("follow", controller, joints)));
    let mut rows = Rows::new();
    let summary = run(&mut scenario, Dop853::new(1e-11), &mut rows, &mut ()).expect("a run");
    assert!((summary.ending.time - 1.0).abs() < 1e-12, "{:?}", summary.ending);
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

/// A model with more than the plant has: what is not there is at rest, and what is measured stays as it
/// is measured.
#[test]
fn what_is_measured_is_not_taken_at_rest() {
    let arm = one_link(1);
    let follows = |model: Arm| {
        let joints = vec![velocity(&arm, "link")];
        let mut scenario = Diagram::new(&arm, 0.5, 0.01);
        scenario.selection = Selection::new(["coordinates"]);
        let law = Decoupling::new(vec![POLE * POLE], vec![2.0 * POLE]);
        let source = StateSource::full_state(&arm, &model);
        let model = Model::new(model, &joints).expect("a model");
        let trajectory = vec![Signal::Constant(STEP)];
        let controller = Controller::new(law, model, trajectory, source).expect("a controller");
        scenario.feedback = Some(Box::new(Continuous::new("follow", controller, joints)));
        let mut rows = Rows::new();
        let _ = run(&mut scenario, Dop853::new(1e-10), &mut rows, &mut ()).expect("a run");
        let places = rows.column("link").expect("recorded");
        let off = rows.times.iter().zip(places).map(|(t, place)| {
            let error = STEP * (1.0 + POLE * t) * (-POLE * t).exp();
            (place - (STEP - error)).abs()
        });
        off.fold(0.0, f64::max)
    };
    let (right, more) = (follows(one_link(1)), follows(one_link(2)));
    assert!(right < 1e-8, "{right}");
    // the second mode of the model has a little inertia that the plant has not
    assert!(more < 2e-3, "{more}");
}

/// With encoders alone the links are believed to follow at rest: the joint then has the inertia of
/// the whole link, and not that of a link whose tip stays behind.
#[test]
fn unseen_links_weigh_with_all_their_inertia() {
    let arm = one_link(1);
    let trajectory = vec![Signal::Constant(STEP)];
    let model = Model::new(arm.clone(), &[0]).expect("a model");
    let law = Decoupling::new(vec![POLE * POLE], vec![2.0 * POLE]);
    let mut controller =
        Controller::new(law, model, trajectory, StateSource::Sensors).expect("a controller");
    let mut force = [0.0];
    let tick = Tick { count: 0, t: 0.0, inputs: &[0.0], state: None };
    controller.update(&tick, &mut force).expect("a law");
    let inertia = arm.mass_matrix(&arm.neutral()).expect("a matrix")[(0, 0)];
    assert_close!(
        "one link",
        force,
        [inertia * POLE * POLE * STEP],
        rel = 1e-10,
        "the first force"
    );
}

/// Without gravity: a bar that bends one way, with a payload.
fn one_link(modes: usize) -> Arm {
    let section = Section {
        ea: 7e6,
        ei_z: 14.6,
        ei_y: 233.0,
        gj: 15.0,
        kga_y: None,
        kga_z: None,
        rho_a: 0.27,
        rho_i_z: 0.0,
        rho_i_y: 0.0,
    };
    let beam = Beam::new(1.0, section, Basis::ClampedFree(Ways::new(modes, 0, 0, 0)));
    Builder::new("one link")
        .link(
            Link::new("link")
                .joint(Joint::revolute([0.0, 0.0, 1.0]))
                .armature(&[0.05])
                .beam(beam)
                .tip_body(0.2, [0.0; 3], [[0.0; 3]; 3]),
        )
        .build()
        .expect("a good arm")
}

#[test]
fn matrices_may_be_older_than_the_joints() {
    let arm = king(0.3);
    let joints: Vec<usize> = ["waist", "upper", "fore"].map(|name| velocity(&arm, name)).to_vec();
    let forces = |update: f64| {
        let model = Model::new(arm.clone(), &joints).expect("a model");
        let mut law = Decoupling::new(vec![POLE * POLE; 3], vec![2.0 * POLE; 3]);
        law.update = update;
        let trajectory = vec![Signal::Constant(STEP); 3];
        let mut controller =
            Controller::new(law, model, trajectory, StateSource::Sensors).expect("a controller");
        controller.start();
        let mut forces = Vec::new();
        for count in 0..8_u32 {
            let x = 0.01 * f64::from(count);
            let inputs = [x, 2.0 * x, -x];
            let tick = Tick { count: count.into(), t: x, inputs: &inputs, state: None };
            let mut now = [0.0; 3];
            controller.update(&tick, &mut now).expect("a law");
            forces.push(now);
        }
        forces
    };
    let (fresh, kept) = (forces(0.0), forces(0.04));
    for (tick, (fresh, kept)) in fresh.iter().zip(&kept).enumerate() {
        let same = fresh.iter().zip(kept).all(|(a, b)| (a - b).abs() <= 1e-12 * a.abs());
        assert_eq!(same, tick % 4 == 0, "tick {tick}: {fresh:?} {kept:?}");
    }
}

#[test]
fn a_wrong_payload_leaves_an_error() {
    // the same with a model that carries a little less: the joints sag
    let (arm, belief) = (king(0.3), king(0.29));
    let joints: Vec<usize> = ["waist", "upper", "fore"].map(|name| velocity(&arm, name)).to_vec();
    let mut scenario = Diagram::new(&arm, 0.5, 0.01);
    scenario.selection = Selection::new(["coordinates"]);
    let law = Decoupling::new(vec![POLE * POLE; 3], vec![2.0 * POLE; 3]);
    let model = Model::new(belief.clone(), &joints).expect("a model");
    let trajectory = vec![Signal::Constant(0.0); 3];
    let controller =
        Controller::new(law, model, trajectory, StateSource::full_state(&arm, &belief))
            .expect("a controller");
    scenario.feedback = Some(Box::new(Continuous::new("follow", controller, joints)));
    let mut rows = Rows::new();
    let _ = run(&mut scenario, Dop853::new(1e-8), &mut rows, &mut ()).expect("a run");
    let upper = rows.column("upper").expect("recorded");
    let most = upper.iter().fold(0.0_f64, |most, q| most.max(q.abs()));
    assert!(most > 1e-4 && most < 0.01, "{most}");
}
