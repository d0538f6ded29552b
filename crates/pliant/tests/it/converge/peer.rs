//! The crate `differential-equations`, whose integrators are written by others.

use super::arms::{Start, three};
use super::motions::distance;
use differential_equations::prelude::{ExplicitRungeKutta, IVP, ImplicitRungeKutta, ODE};
use pliant::integrate::{Adams, Dop853, Dopri5, Method, Radau5, System, solve};
use pliant::simulate::{ArmSystem, Unforced};
use std::cell::RefCell;

/// An arm as the peer wants it, which changes nothing when it is evaluated.
struct Shared<'a>(RefCell<ArmSystem<'a, Unforced>>);

impl ODE<f64, Vec<f64>> for Shared<'_> {
    fn diff(&self, t: f64, y: &Vec<f64>, rates: &mut Vec<f64>) {
        self.0.borrow_mut().rates(t, y, rates).expect("arms do not refuse");
    }
}

/// Where the arm is after half a second.
fn ours<'a, M: Method<ArmSystem<'a, Unforced>>>(start: &'a Start, method: M) -> Vec<f64> {
    let motion = ArmSystem::new(&start.arm, Unforced);
    let solution = solve(motion, method, &start.state, &[0.0, 0.5]);
    solution.outcome.expect("a run to its end");
    solution.states[1].clone()
}

#[test]
fn arms_move_alike() {
    for start in three() {
        let shared = Shared(RefCell::new(ArmSystem::new(&start.arm, Unforced)));
        let method = ExplicitRungeKutta::dop853().rtol(1e-12).atol(1e-12);
        let solution = IVP::ode(&shared, 0.0, 0.5, start.state.clone()).method(method).solve();
        let theirs = solution.expect("the peer reaches the end");
        let (_, theirs) = theirs.last().expect("an end");
        for (name, state, most) in [
            ("Dop853", ours(&start, Dop853::new(1e-12)), 1e-9),
            ("Dopri5", ours(&start, Dopri5::new(1e-10)), 1e-7),
            ("Adams", ours(&start, Adams::new(1e-11)), 1e-8),
            ("Radau5", ours(&start, Radau5::new(1e-10)), 1e-8),
        ] {
            let apart = distance(&state, theirs);
            assert!(apart < most, "{}, {name}: {apart:e}", start.name);
        }
    }
}

#[test]
fn stiff_systems_relax_alike() {
    struct VanDerPol;
    impl ODE<f64, [f64; 2]> for VanDerPol {
        fn diff(&self, _: f64, y: &[f64; 2], rates: &mut [f64; 2]) {
            *rates = [y[1], ((1.0 - y[0] * y[0]) * y[1] - y[0]) / 1e-3];
        }
    }
    let method = ImplicitRungeKutta::radau5().rtol(1e-8).atol(1e-8);
    let theirs = IVP::ode(&VanDerPol, 0.0, 2.0, [2.0, -0.66]).method(method).solve();
    let theirs = theirs.expect("the peer reaches the end");
    let (_, theirs) = theirs.last().expect("an end");
    let rates = |_: f64, y: &[f64], rates: &mut [f64]| {
        rates.copy_from_slice(&[y[1], ((1.0 - y[0] * y[0]) * y[1] - y[0]) / 1e-3]);
    };
    let ours = solve(rates, Radau5::new(1e-9), &[2.0, -0.66], &[0.0, 2.0]);
    assert_eq!(ours.outcome, Ok(()));
    let apart = distance(&ours.states[1], theirs);
    assert!(apart < 1e-4, "{apart:e}");
}
