//! The automatic integrator: which kind of steps it makes, by counts that are the same everywhere.

pub(crate) mod seeded;

use pliant::arm::{Builder, Joint, Link};
use pliant::integrate::{Dop853, Radau5, Statistics, Switching, solve};
use pliant::simulate::{Diagram, IntegrationMethod as By, Motor, Rows, Signal, Summary};
use pliant::spatial::Pose;
use seeded::{COUNT, Seeded, king_elements, seeded};

fn run(diagram: &Diagram, method: By) -> (Summary, Rows) {
    let (mut diagram, mut rows) = (diagram.clone(), Rows::new());
    diagram.method = method;
    let summary = diagram.run(&mut rows, &mut ()).expect("a run");
    assert_eq!(summary.ending.time, diagram.duration, "{:?}", summary.ending);
    (summary, rows)
}

/// A part of each seeded motion: by auto, and what both of its methods need alone.
fn counts(mut motion: Seeded, duration: f64) -> [Statistics; 3] {
    motion.diagram.duration = duration;
    let tolerance = 1e-9;
    let (auto, rows) = run(&motion.diagram, By::Auto { tolerance });
    let (explicit, its_rows) = run(&motion.diagram, By::Dop853 { tolerance });
    let (implicit, _) = run(&motion.diagram, By::Radau5 { tolerance });
    if auto.statistics.implicit_steps == 0 {
        let bits = |rows: &Rows| rows.values.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&rows), bits(&its_rows), "{}: lost trials leave no trace", motion.name);
        assert_eq!(auto.statistics.steps, explicit.statistics.steps, "{}", motion.name);
    }
    [auto, explicit, implicit].map(|summary| summary.statistics)
}

#[test]
fn it_needs_at_most_twice_what_the_better_method_needs() {
    for motion in (0..COUNT).map(seeded).chain([king_elements()]) {
        let name = motion.name.clone();
        let [auto, explicit, implicit] = counts(motion, 0.05);
        let least = explicit.evaluations.min(implicit.evaluations);
        assert!(
            auto.evaluations < 2 * least,
            "{name}: {auto:?}, explicit {explicit:?}, implicit {implicit:?}"
        );
    }
}

/// What was foreseen for it by its frequencies alone, implicit steps, takes far longer.
#[test]
fn kings_elements_stay_explicit() {
    let [auto, explicit, implicit] = counts(king_elements(), 0.05);
    assert_eq!(auto.implicit_steps, 0);
    assert!(implicit.evaluations > 3 * explicit.evaluations, "{implicit:?} {explicit:?}");
}

/// A pendulum on a spring that is stiff and damped, pushed from the middle of the run on.
fn stiff() -> Diagram {
    let small = [[0.01, 0.0, 0.0], [0.0, 0.01, 0.0], [0.0, 0.0, 0.01]];
    let hinge = || Joint::revolute([0.0, 0.0, 1.0]);
    let inner = Link::new("inner").joint(hinge()).body(1.0, [0.3, 0.0, 0.0], small);
    let outer = Link::new("outer").joint(hinge()).placed(Pose::at(0.5, 0.0, 0.0));
    let outer = outer.body(1.0, [0.3, 0.0, 0.0], small).spring(&[1e7], &[0.0]).damping(&[3e3]);
    let arm = Builder::new("stiff").gravity([0.0, -9.81, 0.0]).link(inner).link(outer);
    let mut diagram = Diagram::new(arm.build().expect("good"), 4.0, 0.01);
    let signal = Signal::Step { at: 2.0, before: 0.0, after: 5.0 };
    diagram.motors.push(Motor { velocity: 0, signal });
    diagram
}

#[test]
fn stiff_arms_are_left_to_implicit_steps() {
    let tolerance = 1e-8;
    let (auto, rows) = run(&stiff(), By::Auto { tolerance });
    let (alone, _) = run(&stiff(), By::Radau5 { tolerance });
    let (_, tight) = run(&stiff(), By::Radau5 { tolerance: 1e-12 });
    let Statistics { steps, implicit_steps, evaluations, .. } = auto.statistics;
    assert!(implicit_steps > steps / 4, "{:?}", auto.statistics);
    assert!(evaluations < 3 * alone.statistics.evaluations, "{:?}", auto.statistics);
    let apart = |rows: &Rows| {
        let column = |rows: &Rows| rows.column("inner").expect("recorded");
        let pairs = column(rows).into_iter().zip(column(&tight));
        pairs.fold(0.0_f64, |most, (a, b)| most.max((a - b).abs()))
    };
    assert!(apart(&rows) < 1e-6, "{:e}", apart(&rows));
}

/// Stiff for a while, then not: `y' = λ(t) (cos t - y)`, and a vibration beside it that grows.
#[test]
fn it_goes_back_to_explicit_steps() {
    let rates = |t: f64, y: &[f64], rates: &mut [f64]| {
        let (stiffness, size) = if t < 5.0 { (1e5, 0.0) } else { (1.0, 1.0) };
        rates[0] = stiffness * (t.cos() - y[0]);
        rates[1] = y[2];
        rates[2] = size - 100.0 * y[1];
    };
    let times = [0.0, 5.0, 100.0];
    let solution = solve(rates, Switching::new(1e-9, 20.0), &[1.0, 0.0, 0.0], &times);
    assert_eq!(solution.outcome, Ok(()));
    let both = solution.statistics;
    let alone = solve(rates, Dop853::new(1e-9), &[1.0, 0.0, 0.0], &times).statistics;
    let implicit = solve(rates, Radau5::new(1e-9), &[1.0, 0.0, 0.0], &times).statistics;
    assert!(both.implicit_steps > 10 && both.implicit_steps < both.steps / 2, "{both:?}");
    // each method alone is slow for a part of the time
    let least = alone.evaluations.min(implicit.evaluations);
    assert!(both.evaluations < least, "{both:?} {alone:?} {implicit:?}");
}
