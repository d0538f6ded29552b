//! How errors follow the tolerance, on arms.

use super::arms::{Start, spherical, three};
use super::motions::distance;
use pliant::integrate::{Adams, Dop853, Dopri5, Method, Radau5, Stepper, solve};
use pliant::simulate::{ArmSystem, Unforced};

type Free<'a> = ArmSystem<'a, Unforced>;

/// The ends of the steps of a run over one second.
type Run = Vec<(f64, Vec<f64>)>;

fn run<'a, M: Method<Free<'a>>>(start: &'a Start, method: M) -> Run {
    let motion = ArmSystem::new(&start.arm, Unforced);
    let mut stepper = Stepper::new(motion, method, 0.0, &start.state).expect("good settings");
    let mut ends = Run::new();
    while let Some(step) = stepper.step(1.0).expect("no failure") {
        ends.push((step.span().end, step.span().after.to_vec()));
    }
    ends
}

/// The largest error at the ends of the steps of each run, against one reference.
fn errors(start: &Start, runs: &[Run]) -> Vec<f64> {
    let mut times: Vec<f64> = runs.iter().flatten().map(|(t, _)| *t).chain([0.0]).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    let motion = ArmSystem::new(&start.arm, Unforced);
    let reference = solve(motion, Dop853::new(1e-13), &start.state, &times);
    reference.outcome.expect("a run to its end");
    let error = |(t, y): &(f64, Vec<f64>)| {
        let i = times.binary_search_by(|time| time.total_cmp(t)).expect("asked for");
        distance(y, &reference.states[i])
    };
    runs.iter().map(|run| run.iter().map(error).fold(0.0, f64::max)).collect()
}

/// The exponent of the errors over tolerances from 1e-4 to 1e-10, by least squares.
#[track_caller]
fn check(start: &Start, name: &str, run: impl Fn(f64) -> Run) {
    let digits = [4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0_f64];
    let errors = errors(start, &digits.map(|digits| run(0.1_f64.powf(digits))));
    let weight: f64 = digits.iter().map(|x| (x - 7.0).powi(2)).sum();
    let sum: f64 = digits.iter().zip(&errors).map(|(x, e)| (7.0 - x) * e.log10()).sum();
    let slope = sum / weight;
    let told = errors.iter().map(|e| format!("{e:.1e}")).collect::<Vec<_>>().join(" ");
    assert!((0.8..1.2).contains(&slope), "{}, {name}: {slope}, {told}", start.name);
}

#[test]
fn errors_follow_the_tolerance() {
    for start in three() {
        check(&start, "Dopri5", |tolerance| run(&start, Dopri5::new(tolerance)));
        check(&start, "Dop853", |tolerance| run(&start, Dop853::new(tolerance)));
        check(&start, "Adams", |tolerance| run(&start, Adams::new(tolerance)));
        check(&start, "Radau5", |tolerance| run(&start, Radau5::new(tolerance)));
    }
}

#[test]
fn quaternions_stay_unit() {
    fn check<'a, M: Method<Free<'a>>>(start: &'a Start, method: M) {
        let times: Vec<f64> = (0..=40).map(|i| 0.05 * f64::from(i)).collect();
        let solution = solve(ArmSystem::new(&start.arm, Unforced), method, &start.state, &times);
        solution.outcome.expect("a run to its end");
        for state in &solution.states {
            let length = state[..4].iter().map(|q| q * q).sum::<f64>();
            assert!((length - 1.0).abs() < 4.0 * f64::EPSILON, "{length}");
        }
    }
    let start = spherical();
    check(&start, Dopri5::new(1e-4));
    check(&start, Dop853::new(1e-4));
    check(&start, Adams::new(1e-4));
    check(&start, Radau5::new(1e-4));
}
