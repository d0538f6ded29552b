//! Runs with them: energy, momentum, the choice of the integrator.

use crate::models::elements::{Cable, Drag, Floor};
use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::integrate::{Dop853, GeneralisedAlpha, Radau5};
use pliant::simulate::{Diagram, MethodDemand, Rows, Selection, Summary, run};
use pliant::spatial::Pose;

/// Two links above a floor, that swing down on it.
fn falling(damping: f64, drag: Option<f64>) -> Arm {
    let turning = |name| Link::new(name).joint(Joint::revolute([0.0, 1.0, 0.0]));
    let rod = [[1e-3, 0.0, 0.0], [0.0, 0.02, 0.0], [0.0, 0.0, 0.02]];
    let upper = turning("upper").body(1.0, [0.25, 0.0, 0.0], rod);
    let fore = turning("fore").placed(Pose::at(0.5, 0.0, 0.0)).body(1.0, [0.25, 0.0, 0.0], rod);
    let fore = fore.frame("hand", Pose::at(0.5, 0.0, 0.0));
    let floor = Floor { frame: "hand".into(), height: -0.6, stiffness: 2e3, damping, width: 0.01 };
    let builder = Builder::new("falling").link(upper).link(fore).element("floor", &floor);
    let builder = match drag {
        Some(coefficient) => builder.element("drag", &Drag { frame: "hand".into(), coefficient }),
        None => builder,
    };
    builder.build().expect("an arm")
}

fn finish(arm: &Arm, seconds: f64) -> (Summary, Rows) {
    let mut scenario = Diagram::new(arm, seconds, 0.01);
    scenario.selection = Selection::new(["*"]);
    let mut rows = Rows::new();
    let summary = run(&mut scenario, Dop853::new(1e-11), &mut rows, &mut ()).expect("a run");
    (summary, rows)
}

fn last(rows: &Rows, name: &str) -> f64 {
    *rows.column(name).unwrap_or_else(|| panic!("no {name}")).last().expect("rows")
}

#[test]
fn energy_is_kept_by_a_floor_that_only_stores() {
    let (summary, rows) = finish(&falling(0.0, None), 2.0);
    let stored = rows.column("energy.elastic").expect("stored");
    assert!(stored.iter().any(|&energy| energy > 1.0), "it falls on the floor");
    assert_eq!(last(&rows, "work.dampers"), 0.0);
    let drift = summary.energy_drift.expect("a balance").relative.expect("it moves");
    assert!(drift < 1e-8, "{drift}");
}

#[test]
fn what_drag_and_floor_take_is_counted() {
    let (summary, rows) = finish(&falling(40.0, Some(0.3)), 2.0);
    assert!(last(&rows, "work.dampers") < -1.0, "{}", last(&rows, "work.dampers"));
    let drift = summary.energy_drift.expect("a balance").relative.expect("it moves");
    assert!(drift < 1e-8, "{drift}");
    let total = rows.column("energy.total").expect("energies");
    let lost = total.last().expect("rows") - total[0];
    assert!((lost - last(&rows, "work.dampers")).abs() < 1e-7, "{lost}");
}

/// Implicit methods have their slopes.
#[test]
fn every_integrator_finds_the_same_motion() {
    let arm = falling(40.0, Some(0.3));
    let (want, _) = finish(&arm, 0.7);
    let mut scenario = Diagram::new(&arm, 0.7, 0.01);
    let radau = run(&mut scenario, Radau5::new(1e-9), &mut Rows::new(), &mut ()).expect("a run");
    let alpha = GeneralisedAlpha::new(2e-4).spectral_radius(0.9);
    let alpha = run(&mut scenario, alpha, &mut Rows::new(), &mut ()).expect("a run");
    for k in 0..2 {
        assert!((radau.q[k] - want.q[k]).abs() < 1e-6, "{} {}", radau.q[k], want.q[k]);
        assert!((alpha.q[k] - want.q[k]).abs() < 2e-3, "{} {}", alpha.q[k], want.q[k]);
    }
}

/// A stiff floor under the arm is one frequency more, and the forecast knows it.
#[test]
fn the_forecast_of_the_steps_knows_their_stiffness() {
    let cable = |stiffness| {
        let block =
            Link::new("block").joint(Joint::prismatic([1.0, 0.0, 0.0])).payload(1.0, [0.0; 3]);
        let slow = Link::new("slow").joint(Joint::prismatic([0.0, 1.0, 0.0])).on_ground();
        let slow = slow.payload(1.0, [0.0; 3]).spring(&[1.0], &[]);
        let anchor = Link::new("anchor").on_ground().placed(Pose::at(-1.0, 0.0, 0.0));
        let cable = Cable { frames: ["anchor".into(), "block".into()], stiffness, length: 0.0 };
        let arm = Builder::new("two").link(block).link(slow).link(anchor).element("cable", &cable);
        let arm = arm.build().expect("an arm");
        MethodDemand::of(&arm, &[0.0, 0.0], 10.0, 1e-6).expect("frequencies")
    };
    let [soft, stiff] = [cable(1.0), cable(1e12)];
    assert!((soft.highest - 1.0).abs() < 1e-9 && (stiff.highest - 1e6).abs() < 1e-3, "{stiff:?}");
    assert!(soft.forecast().contains("the tolerance of 1e-6 needs steps"), "{}", soft.forecast());
    let stiff = MethodDemand { followed: 1.0, ..stiff }.forecast();
    assert!(stiff.contains("1.000e6 rad/s, limits explicit steps"), "{stiff}");
}

/// A cable within an arm that floats keeps its momenta, drag does not.
#[test]
fn momenta_are_kept_by_what_does_not_touch_the_world() {
    let hub = Link::new("hub").joint(Joint::Free).body(
        2.0,
        [0.0; 3],
        [[0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]],
    );
    let hub = hub.frame("eye", Pose::at(0.2, 0.3, 0.0));
    let boom =
        Link::new("boom").joint(Joint::revolute([0.0, 0.0, 1.0])).placed(Pose::at(0.5, 0.0, 0.0));
    let boom = boom.payload(1.0, [0.6, 0.0, 0.0]).frame("hook", Pose::at(0.6, 0.0, 0.0));
    let cable = Cable { frames: ["eye".into(), "hook".into()], stiffness: 50.0, length: 0.3 };
    let floating = Builder::new("floating").gravity([0.0; 3]).link(hub).link(boom);
    let floating = floating.element("cable", &cable);
    let drag = floating.clone().element("drag", &Drag { frame: "hook".into(), coefficient: 0.5 });
    let [adrift, dragged] = [floating, drag].map(|arm| {
        let arm = arm.build().expect("an arm");
        let mut scenario = Diagram::new(&arm, 2.0, 0.01);
        scenario.u = vec![0.1, 0.2, 0.0, 0.0, 0.0, 1.0, 0.5];
        run(&mut scenario, Dop853::new(1e-10), &mut Rows::new(), &mut ()).expect("a run")
    });
    let kept = adrift.momentum_drift.expect("momenta are kept");
    assert!(
        kept.linear.relative.expect("it moves") < 1e-7
            && kept.angular.relative.expect("it moves") < 1e-7,
        "{kept:?}"
    );
    assert!(dragged.momentum_drift.is_none());
}
