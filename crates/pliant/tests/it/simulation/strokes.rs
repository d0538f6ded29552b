//! Links that slide out of their stroke.

use super::finish;
use pliant::arm::{Arm, Builder, Link};
use pliant::beam::{Basis, Beam, Section, Slide, Ways};
use pliant::dynamics::EvaluationError;
use pliant::integrate::{Control, Dop853, Radau5, Rk4};
use pliant::simulate::{
    Diagram, DiagramError, EventAction, Expression, Limit, Motor, PrescribedMotion,
    PrescribedQuantity, Reason, Rows, RunError, Signal, Status, Summary, run,
};

/// A beam that slides out of a fixed hub, between two lengths.
fn beam(smallest: f64, prescribed: bool) -> Arm {
    let section = Section {
        ea: 0.0,
        ei_z: 50.0,
        ei_y: 50.0,
        gj: 40.0,
        kga_y: None,
        kga_z: None,
        rho_a: 0.4,
        rho_i_z: 0.0,
        rho_i_y: 0.0,
    };
    let basis = Basis::ClampedFree(Ways::new(2, 0, 0, 0));
    let slide = Slide { prescribed, ..Slide::between(smallest, 1.0) };
    let beam = Beam { slide: Some(slide), ..Beam::new(1.2, section, basis) };
    let hub = Link::new("beam").beam(beam).tip_body(0.2, [0.0; 3], [[0.0; 3]; 3]);
    Builder::new("slides").gravity([0.0; 3]).link(hub).build().expect("a good arm")
}

/// Pushed or pulled by a constant force from the middle, bent a little.
fn driven(arm: &Arm, force: f64) -> Diagram {
    let (at, length) = arm.length_of(0).expect("it slides");
    let mut scenario = Diagram::new(arm, 5.0, 0.01);
    scenario.q[at] = 0.6;
    scenario.q[at + 1] = 1e-3;
    scenario.motors.push(Motor { velocity: length, signal: force.into() });
    scenario
}

fn broken(summary: &Summary) -> (Reason, Option<&str>) {
    match &summary.ending.breakdown {
        Some(breakdown) => (breakdown.reason, breakdown.coordinate.as_deref()),
        None => panic!("{:?}", summary.ending),
    }
}

/// All numbers are finite and all lengths in the stroke.
fn sound(arm: &Arm, rows: &Rows) {
    assert!(!rows.times.is_empty() && rows.values.iter().all(|x| x.is_finite()));
    let [smallest, largest] = arm.sliding_of(0).and_then(|b| b.slide).expect("it slides").stroke;
    let lengths = rows.column("beam.l").expect("recorded");
    let inside = smallest - 1e-9..=largest + 1e-9;
    assert!(lengths.iter().all(|l| inside.contains(l)), "{lengths:?}");
}

#[test]
fn leaving_the_stroke_is_an_error_that_says_so() {
    let arm = beam(0.2, false);
    for force in [4.0, -4.0] {
        let (summary, rows) = finish(&mut driven(&arm, force), 1e-8);
        assert_eq!(broken(&summary), (Reason::OutOfStroke, Some("beam.l")));
        assert!(summary.ending.time < 2.0);
        sound(&arm, &rows);
    }
}

#[test]
fn a_stop_at_the_limits_ends_the_run_there() {
    let arm = beam(0.2, false);
    for (force, limit, length) in [(4.0, Limit::Upper, 1.0), (-4.0, Limit::Lower, 0.2)] {
        let mut scenario = driven(&arm, force);
        scenario.limits = Some(EventAction::Stop);
        let (summary, rows) = finish(&mut scenario, 1e-8);
        assert!(summary.ending.status == Status::Stopped, "{:?}", summary.ending);
        let met = summary.events.last().expect("a limit");
        assert_eq!((met.name.as_str(), met.limit), ("beam.l", Some(limit)));
        assert!((summary.q[arm.length_of(0).expect("slides").0] - length).abs() < 1e-9);
        sound(&arm, &rows);
    }
}

/// Steps that leap over the end of the stroke, and past length zero, where there is no equation.
#[test]
fn no_step_leaps_out_unseen() {
    let arm = beam(1e-3, false);
    let mut rows = Rows::new();
    for step in [0.02, 0.2] {
        let mut scenario = driven(&arm, -40.0);
        let summary = run(&mut scenario, Rk4::new(step), &mut rows, &mut ()).expect("it runs");
        let (reason, _) = broken(&summary);
        assert!(matches!(reason, Reason::OutOfStroke | Reason::NotFinite), "{reason:?}");
        sound(&arm, &rows);
    }
    let arm = beam(0.2, false);
    let mut scenario = driven(&arm, -40.0);
    let summary = run(&mut scenario, Radau5::new(1e-6), &mut rows, &mut ()).expect("it runs");
    assert_eq!(broken(&summary), (Reason::OutOfStroke, Some("beam.l")));
    sound(&arm, &rows);
}

/// Near length zero frequencies grow like l⁻² and steps are left behind: the run says so.
#[test]
fn stiffness_that_leaves_the_steps_behind_ends_the_run() {
    let arm = beam(1e-6, true);
    let (at, length) = arm.length_of(0).expect("it slides");
    let mut scenario = Diagram::new(&arm, 1.0, 0.01);
    scenario.q[at] = 0.6;
    scenario.q[at + 1] = 1e-3;
    // to a tenth of a millimetre
    scenario.u[length] = -0.5999;
    let mut rows = Rows::new();
    let few = Control::new(1e-6).max_steps(3000);
    let summary = run(&mut scenario, Dop853::new(few), &mut rows, &mut ()).expect("it runs");
    assert_eq!(broken(&summary).0, Reason::Stiff);
    sound(&arm, &rows);
}

#[test]
fn a_prescribed_length_must_begin_and_stay_in_the_stroke() {
    let arm = beam(0.2, true);
    let (_, velocity) = arm.length_of(0).expect("it slides");
    let mut scenario = Diagram::new(&arm, 1.0, 0.01);
    let told =
        |signal: Signal| PrescribedMotion { velocity, given: PrescribedQuantity::Position, signal };
    scenario.prescribed = vec![told(1.1.into())];
    let refused = run(&mut scenario, Dop853::new(1e-6), &mut Rows::new(), &mut ());
    let Err(RunError::Diagram(DiagramError::State(fault))) = refused else { panic!("{refused:?}") };
    assert!(matches!(fault, EvaluationError::OutOfStroke { length, .. } if length == 1.1));
    for slope in [2.0, -2.0] {
        let ramp =
            Expression::parse(&format!("0.5 + {slope} * t"), |name| (name == "t").then_some(0));
        scenario.prescribed = vec![told(ramp.expect("an expression").into())];
        let mut rows = Rows::new();
        let summary = run(&mut scenario, Dop853::new(1e-6), &mut rows, &mut ()).expect("it runs");
        assert_eq!(broken(&summary), (Reason::OutOfStroke, Some("beam.l")));
        sound(&arm, &rows);
    }
}
