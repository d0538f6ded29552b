//! Stiff systems.

use super::motions::distance;
use pliant::Help;
use pliant::integrate::{Control, Dop853, Failure, Radau5, Switching, System, solve};
use std::convert::Infallible;

/// Van der Pol's equation with `μ = 1000`, time in units of `μ`: Wanner, section IV.10.
struct VanDerPol {
    knows_slopes: bool,
}

/// `1/μ²`.
const SMALL: f64 = 1e-6;

impl System for VanDerPol {
    type Error = Infallible;

    fn rates(&mut self, _: f64, y: &[f64], rates: &mut [f64]) -> Result<(), Infallible> {
        rates.copy_from_slice(&[y[1], ((1.0 - y[0] * y[0]) * y[1] - y[0]) / SMALL]);
        Ok(())
    }

    fn jacobian(&mut self, _: f64, y: &[f64], matrix: &mut [f64]) -> Result<bool, Infallible> {
        if self.knows_slopes {
            let below = [(-2.0 * y[0] * y[1] - 1.0) / SMALL, (1.0 - y[0] * y[0]) / SMALL];
            matrix.copy_from_slice(&[0.0, 1.0, below[0], below[1]]);
        }
        Ok(self.knows_slopes)
    }
}

/// At `t = 2` after a start at (2, 0), with 13 digits, from the test set of Hairer and Wanner.
const VAN_DER_POL: [f64; 2] = [1.706_167_732_170_469, -0.892_809_701_024_795_4];

#[test]
fn van_der_pol_relaxes() {
    for knows_slopes in [true, false] {
        for (tolerance, most) in [(1e-4, 350), (1e-8, 2000)] {
            let system = VanDerPol { knows_slopes };
            let solution = solve(system, Radau5::new(tolerance), &[2.0, 0.0], &[0.0, 2.0]);
            assert_eq!(solution.outcome, Ok(()));
            let error = distance(&solution.states[1], &VAN_DER_POL);
            assert!(error < 0.1 * tolerance, "{tolerance:e}: {error:e}");
            assert!(solution.statistics.steps < most, "{:?}", solution.statistics);
        }
    }
    // steps of both kinds, without knowing that it is stiff
    let method = Switching::new(1e-8, 10.0);
    let solution = solve(VanDerPol { knows_slopes: false }, method, &[2.0, 0.0], &[0.0, 2.0]);
    let error = distance(&solution.states[1], &VAN_DER_POL);
    assert!(error < 1e-8, "{error:e}");
    assert!(solution.statistics.implicit_steps > 100, "{:?}", solution.statistics);
    assert!(solution.statistics.steps < 4000, "{:?}", solution.statistics);
    // an explicit method gives up, and says what to take
    let method = Dop853::new(Control::new(1e-4).max_steps(3000));
    let failure = solve(VanDerPol { knows_slopes: true }, method, &[2.0, 0.0], &[0.0, 2.0]);
    let failure = failure.outcome.expect_err("too stiff");
    assert!(
        matches!(failure, Failure::TooManySteps { .. }) && failure.with_help().contains("stiff")
    );
}

/// Robertson's reaction: Wanner (IV.1.4).
struct Reaction;

impl System for Reaction {
    type Error = Infallible;

    fn rates(&mut self, _: f64, y: &[f64], rates: &mut [f64]) -> Result<(), Infallible> {
        let (slow, fast, very_fast) = (0.04 * y[0], 1e4 * y[1] * y[2], 3e7 * y[1] * y[1]);
        rates.copy_from_slice(&[fast - slow, slow - fast - very_fast, very_fast]);
        Ok(())
    }

    fn jacobian(&mut self, _: f64, y: &[f64], matrix: &mut [f64]) -> Result<bool, Infallible> {
        let (by_1, by_2, very_fast) = (1e4 * y[2], 1e4 * y[1], 6e7 * y[1]);
        matrix[..3].copy_from_slice(&[-0.04, by_1, by_2]);
        matrix[3..6].copy_from_slice(&[0.04, -by_1 - very_fast, -by_2]);
        matrix[6..].copy_from_slice(&[0.0, very_fast, 0.0]);
        Ok(true)
    }
}

#[test]
fn robertsons_reaction_runs_for_ages() {
    let control = Control::new(1e-7).absolute_each([1e-14, 1e-18, 1e-7]);
    let times = [0.0, 0.4, 40.0, 4e3, 1e11];
    let solution = solve(Reaction, Radau5::new(control), &[1.0, 0.0, 0.0], &times);
    assert_eq!(solution.outcome, Ok(()));
    // the last from the test set of Hairer and Wanner, the others with the digits of LSODE's manual
    let known = [
        (1, [9.851_7e-1, 3.386_4e-5, 1.479_4e-2], 1e-4),
        (2, [7.158_3e-1, 9.185_5e-6, 2.841_6e-1], 1e-4),
        (3, [1.832_0e-1, 8.942_3e-7, 8.168_0e-1], 1e-4),
        (4, [2.083_340_149_701_255e-8, 8.333_360_770_334_713e-14, 0.999_999_979_166_509_6], 1e-6),
    ];
    for (i, wanted, tolerance) in known {
        for (got, want) in solution.states[i].iter().zip(wanted) {
            assert!((got / want - 1.0).abs() < tolerance, "{i}: {got:e} {want:e}");
        }
        let sum: f64 = solution.states[i].iter().sum();
        assert!((sum - 1.0).abs() < 1e-10, "nothing is lost: {sum}");
    }
    assert!(solution.statistics.steps < 800, "{:?}", solution.statistics);
}
