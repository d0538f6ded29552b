//! Riccati equations by their residual, by known solutions, and what is refused.

use super::{System, systems};
use pliant::Help;
use pliant::analyse::riccati::{
    RankDeficiency, Riccati, RiccatiError, TimeDomain, WeightFault, kalman, lqg, lqr, solve,
};
use pliant::nalgebra::{Complex, DMatrix, dmatrix};

const TIMES: [TimeDomain; 2] = [TimeDomain::Continuous, TimeDomain::Discrete];

/// What is left of the equation as it is printed, relative.
fn residual(time: TimeDomain, system: &System, x: &DMatrix<f64>) -> f64 {
    let System { a, b, q, r } = system;
    let inverse = |m: DMatrix<f64>| m.try_inverse().expect("definite");
    match time {
        TimeDomain::Continuous => {
            let spent = x * b * inverse(r.clone()) * b.transpose() * x;
            let left = a.transpose() * x + x * a - spent + q;
            left.norm() / (q.norm() + a.norm() * x.norm())
        }
        TimeDomain::Discrete => {
            let weight = inverse(r + b.transpose() * x * b);
            let spent = a.transpose() * x * b * weight * b.transpose() * x * a;
            let left = a.transpose() * x * a - x - spent + q;
            left.norm() / (q.norm() + a.norm().powi(2) * x.norm())
        }
    }
}

#[test]
fn fifty_systems_from_a_seed() {
    for time in TIMES {
        let mut sums = [0.0; 2];
        for (k, system) in systems(50, 10).iter().enumerate() {
            let System { a, b, q, r } = system;
            let found = solve(time, a, b, q, r).unwrap_or_else(|e| panic!("{time:?} {k}: {e}"));
            let left = residual(time, system, &found.x);
            assert!(left < 1e-12 && found.residual < 1e-12, "{time:?} {k}: {left:e}");
            // logarithms: units differ by thousands
            sums = [sums[0] + left.ln(), sums[1] + found.residual.ln()];
            assert!(found.poles.len() == a.nrows() && found.condition >= 1.0);
            let stable = |p: &Complex<f64>| match time {
                TimeDomain::Continuous => p.re < 0.0,
                TimeDomain::Discrete => p.norm() < 1.0,
            };
            assert!(found.poles.iter().all(stable), "{time:?} {k}: {:?}", found.poles);
            let least = found.x.clone().symmetric_eigenvalues().min();
            assert!(least >= -1e-12 * found.x.norm(), "{time:?} {k}: {least:e}");
        }
        // what is told is what is left, as far as rounding errors are alike
        let ratio = ((sums[0] - sums[1]) / 50.0).exp();
        assert!(ratio > 0.1 && ratio < 10.0, "{time:?}: {ratio}");
    }
}

/// `x² b²/r − 2ax − q = 0`, and for ticks `x b² + (r − a²r − b²q) − qr/x = 0`; with one state the
/// bound of the condition is `(q + 2|a|x + k²r)/(2|a − bk|x)`, for ticks
/// `(q + 2|a(a − bk)|x + k²r)/((1 − (a − bk)²)x)`.
#[test]
fn one_state_by_hand() {
    for (a, b, q, r) in [(2.0_f64, 0.5_f64, 3.0_f64, 0.7_f64), (-0.4, 2.0, 1.0, 10.0)] {
        let [ma, mb, mq, mr] = [a, b, q, r].map(|number| dmatrix![number]);
        let found = solve(TimeDomain::Continuous, &ma, &mb, &mq, &mr).expect("stabilisable");
        let (x, k) = (found.x[0], found.gain[0]);
        let exact = (a + (a * a + b * b * q / r).sqrt()) * r / (b * b);
        assert!((x / exact - 1.0).abs() < 1e-14, "{x} {exact}");
        let closed = a - b * k;
        let bound = (q + 2.0 * a.abs() * x + k * k * r) / (2.0 * closed.abs() * x);
        assert!((found.condition / bound - 1.0).abs() < 1e-13, "{} {bound}", found.condition);
        let found = solve(TimeDomain::Discrete, &ma, &mb, &mq, &mr).expect("stabilisable");
        let (x, k) = (found.x[0], found.gain[0]);
        let closed = a - b * k;
        let moved = 2.0 * (a * closed).abs() * x;
        let bound = (q + moved + k * k * r) / ((1.0 - closed * closed) * x);
        assert!((found.condition / bound - 1.0).abs() < 1e-13, "{} {bound}", found.condition);
        let half = 0.5 * (r - a * a * r - b * b * q) / (b * b);
        let exact = -half + (half * half + q * r / (b * b)).sqrt();
        assert!((x / exact - 1.0).abs() < 1e-14, "{x} {exact}");
    }
}

/// The bound on the change of the solution holds for a small change of `A`.
#[test]
fn the_condition_bounds_changes() {
    for time in TIMES {
        for System { a, b, q, r } in systems(50, 11).iter().take(20) {
            let found = solve(time, a, b, q, r).expect("stabilisable");
            let step = DMatrix::from_fn(a.nrows(), a.ncols(), |i, j| {
                1e-9 * a[(i, j)] * ((i + 2 * j) as f64).sin()
            });
            let moved = solve(time, &(a + &step), b, q, r).expect("stabilisable");
            // the condition is that of the states in equal units, so it is asked there
            let scale = DMatrix::from_diagonal(&found.x.diagonal().map(|x| x.sqrt().recip()));
            let change = (&scale * (&moved.x - &found.x) * &scale).norm();
            let size = (&scale * &found.x * &scale).norm();
            assert!(change / size <= 1e-8 * found.condition, "{}", change / size / found.condition);
        }
    }
}

#[test]
fn the_observer_is_the_dual() {
    for time in TIMES {
        for System { a, b, q, r } in systems(50, 12).iter().take(15) {
            let regulator = lqr(time, a, b, q, r).expect("stabilisable");
            let (at, c) = (a.transpose(), b.transpose());
            let observer = kalman(time, &at, &c, q, r).expect("detectable");
            assert_eq!(observer.gain, regulator.gain.transpose());
            let step = &at * &observer.correction;
            match time {
                TimeDomain::Continuous => assert_eq!(observer.correction, observer.gain),
                TimeDomain::Discrete => {
                    assert!((&step - &observer.gain).norm() < 1e-9 * step.norm());
                }
            }
        }
    }
}

/// The closed loop of the state and of what is believed has the poles of both.
#[test]
fn the_closed_loop_of_both_separates() {
    for time in TIMES {
        let System { a, b, q, r } = &systems(50, 13)[6];
        let n = a.nrows();
        let c = DMatrix::from_fn(2, n, |i, j| ((2 * i + 3 * j) as f64).cos());
        let d = DMatrix::from_fn(2, b.ncols(), |i, j| 0.1 * ((i + j) as f64).cos());
        let (w, v) = (DMatrix::identity(n, n), DMatrix::identity(2, 2));
        let both = lqg(time, [a, b, &c, &d], [q, r], [&w, &v]).expect("both");
        let (k, l) = (&both.regulator.gain, &both.observer.gain);
        let mut whole = DMatrix::zeros(2 * n, 2 * n);
        whole.view_mut((0, 0), (n, n)).copy_from(a);
        whole.view_mut((0, n), (n, n)).copy_from(&-(b * k));
        whole.view_mut((n, 0), (n, n)).copy_from(&(l * &c));
        // the measurement holds what passes through D
        whole.view_mut((n, n), (n, n)).copy_from(&(&both.dynamics - l * &d * k));
        let trace = |m: &DMatrix<f64>| [m.trace(), (m * m).trace()];
        let poles = both.poles();
        let sums = [poles.iter().sum::<Complex<f64>>(), poles.iter().map(|p| p * p).sum()];
        for (got, want) in sums.iter().zip(trace(&whole)) {
            assert!((got.re - want).abs() < 1e-8 * (1.0 + whole.norm().powi(2)), "{got} {want}");
        }
    }
}

#[test]
fn modes_out_of_reach_are_named() {
    let a = dmatrix![0.0, 1.0, 0.0; -4.0, 0.0, 0.0; 0.0, 0.0, -1.0];
    let one = DMatrix::identity(3, 3);
    let r = dmatrix![1.0];
    // only the third state is pushed, and the swing at 2 rad/s goes on
    let error = lqr(TimeDomain::Continuous, &a, &dmatrix![0.0; 0.0; 1.0], &one, &r).unwrap_err();
    let RiccatiError::Mode { mode, deficiency: RankDeficiency::Inputs, .. } = error else {
        panic!("{error}")
    };
    assert!((mode - Complex::new(0.0, 2.0)).norm() < 1e-12);
    assert_eq!(
        error.to_string(),
        "not stabilisable: no input moves the mode 0.0000 ± 2.0000i (0.3183 Hz), which does not die out by itself"
    );
    let b = dmatrix![0.0; 1.0; 1.0];
    let q = dmatrix![0.0, 0.0, 0.0; 0.0, 0.0, 0.0; 0.0, 0.0, 1.0];
    let error = lqr(TimeDomain::Continuous, &a, &b, &q, &r).unwrap_err();
    assert!(
        matches!(error, RiccatiError::Mode { deficiency: RankDeficiency::Weight, .. }),
        "{error}"
    );
    let error = kalman(TimeDomain::Continuous, &a, &dmatrix![0.0, 0.0, 1.0], &one, &r).unwrap_err();
    assert!(error.to_string().starts_with("not detectable: no output sees the mode"), "{error}");
    let error = kalman(TimeDomain::Continuous, &a, &b.transpose(), &q, &r).unwrap_err();
    assert!(
        matches!(error, RiccatiError::Mode { deficiency: RankDeficiency::Noise, .. }),
        "{error}"
    );
    // what dies out by itself needs no input
    assert!(lqr(TimeDomain::Continuous, &(&a - &one), &dmatrix![0.0; 0.0; 1.0], &one, &r).is_ok());
    let a = dmatrix![1.25, 1.0; 0.0, 0.5];
    let error = lqr(TimeDomain::Discrete, &a, &dmatrix![0.0; 0.0], &DMatrix::identity(2, 2), &r);
    let Err(RiccatiError::Mode { mode, .. }) = error else { panic!("{error:?}") };
    assert!((mode.re - 1.25).abs() < 1e-12);
    // at ticks a frequency is an angle
    let a = dmatrix![0.6, 0.8; -0.8, 0.6];
    let error = lqr(TimeDomain::Discrete, &a, &dmatrix![0.0; 0.0], &DMatrix::identity(2, 2), &r);
    let said = error.unwrap_err().to_string();
    assert!(said.contains("0.6000 ± 0.8000i (turning by 0.9273 rad per tick)"), "{said}");
    // its frequency is that without damping
    let a = dmatrix![0.3, 2.0; -2.0, 0.3];
    let one = DMatrix::identity(2, 2);
    let error = lqr(TimeDomain::Continuous, &a, &dmatrix![0.0; 0.0], &one, &r).unwrap_err();
    assert!(error.to_string().contains("0.3000 ± 2.0000i (0.3219 Hz)"), "{error}");
    // the weight sees how the mode looks, (1, 0), and not what stirs it, (1, 1)
    let a = dmatrix![0.0, 1.0; 0.0, -1.0];
    let q = dmatrix![0.0, 0.0; 0.0, 1.0];
    let error = lqr(TimeDomain::Continuous, &a, &dmatrix![0.0; 1.0], &q, &r).unwrap_err();
    assert!(
        matches!(error, RiccatiError::Mode { deficiency: RankDeficiency::Weight, .. }),
        "{error}"
    );
    // ticks on the border and a little outside
    for size in [1.0, 1.005] {
        let turn = dmatrix![0.6, 0.8; -0.8, 0.6] * size;
        let error = lqr(TimeDomain::Discrete, &turn, &dmatrix![0.0; 0.0], &one, &r).unwrap_err();
        assert!(
            matches!(error, RiccatiError::Mode { deficiency: RankDeficiency::Inputs, .. }),
            "{error}"
        );
    }
}

/// What is out of reach only to rounding is out of reach, in any unit; what is hardly reached is not.
#[test]
fn reach_does_not_depend_on_axes_and_units() {
    let (one, r) = (DMatrix::identity(3, 3), dmatrix![1.0]);
    let v = DMatrix::from_column_slice(3, 1, &[0.48, 0.6, 0.64]);
    let mirror = &one - &v * v.transpose() * 2.0;
    let a = dmatrix![0.5, 0.0, 0.0; 0.0, -1.0, 0.3; 0.0, 0.2, -2.0];
    let b = dmatrix![0.0; 1.0; 0.7];
    for size in [1e-6, 1.0, 1e13] {
        let (a, b) = (&mirror * &a * &mirror * size, &mirror * &b);
        let error = lqr(TimeDomain::Continuous, &a, &b, &one, &r).unwrap_err();
        let RiccatiError::Mode { mode, deficiency: RankDeficiency::Inputs, .. } = error else {
            panic!("{error}")
        };
        assert!((mode.re / (0.5 * size) - 1.0).abs() < 1e-9, "{mode}");
    }
    let (unit, small) = (1e-13, 1e-6);
    let (a, b) = (dmatrix![1.0, 0.0; 0.0, 2.0], dmatrix![small; 1.0] * unit);
    let weight = dmatrix![1.0, 0.0; 0.0, 1.0];
    let found =
        lqr(TimeDomain::Continuous, &a, &b, &weight, &dmatrix![unit * unit]).expect("in reach");
    assert!(found.poles.iter().all(|pole| pole.re < 0.0));
}

#[test]
fn weights_that_are_none_are_named() {
    let (a, b) = (dmatrix![0.0, 1.0; 0.0, 0.0], dmatrix![0.0, 1.0; 1.0, 1.0]);
    let one = DMatrix::identity(2, 2);
    let ask =
        |q: &DMatrix<f64>, r: &DMatrix<f64>| lqr(TimeDomain::Continuous, &a, &b, q, r).unwrap_err();
    let error = ask(&dmatrix![1.0, 0.0; 0.5, 1.0], &one);
    assert_eq!(
        error.to_string(),
        "the weight Q is not symmetric: entry (1, 0), counted from 0, is 0.5, its mirror image 0"
    );
    let error = ask(&one, &dmatrix![1.0, 1.0; 1.0, 1.0]);
    let RiccatiError::Weight { weight: "R", fault: WeightFault::Singular { .. } } = error else {
        panic!("{error}")
    };
    let error = ask(&dmatrix![1.0, 2.0; 2.0, 1.0], &one);
    assert!(matches!(
        error,
        RiccatiError::Weight { weight: "Q", fault: WeightFault::Indefinite { .. } }
    ));
    let error =
        kalman(TimeDomain::Discrete, &a, &one, &one, &dmatrix![1.0, 0.0; 0.0, 0.0]).unwrap_err();
    assert!(error.to_string().starts_with("the weight V is singular"), "{error}");
    let error = ask(&dmatrix![1.0], &one);
    assert_eq!(error.to_string(), "Q has 1 rows and 1 columns, must have 2 and 2");
    let error = ask(&dmatrix![1.0, 0.0; 0.0, f64::NAN], &one);
    assert!(error.to_string().starts_with("Q[1, 1], counted from 0, is NaN"), "{error}");
    // rounding, and directions of very different or nearly the same price, are no fault
    let fine =
        |q: &DMatrix<f64>, r: &DMatrix<f64>| lqr(TimeDomain::Continuous, &a, &b, q, r).is_ok();
    assert!(fine(&dmatrix![1.0, 0.1; 0.1 + 1e-15, 1.0], &one));
    assert!(fine(&one, &dmatrix![1e-15, 0.0; 0.0, 1.0]));
    assert!(fine(&one, &dmatrix![1.0, 0.99999; 0.99999, 1.0]));
}

#[test]
fn matrices_that_do_not_fit_are_named() {
    let (a, b) = (dmatrix![0.0, 1.0; 0.0, 0.0], dmatrix![0.0; 1.0]);
    let (one, r) = (DMatrix::identity(2, 2), dmatrix![1.0]);
    let hole = dmatrix![0.0, f64::NAN; 0.0, 0.0];
    let time = TimeDomain::Continuous;
    let said = |found: Result<Riccati, RiccatiError>| found.unwrap_err().with_help();
    let wide = DMatrix::zeros(2, 3);
    assert_eq!(
        said(solve(time, &wide, &b, &one, &r)),
        "A has 2 rows and 3 columns, must have 2 and 2"
    );
    let long = DMatrix::zeros(3, 1);
    assert_eq!(
        said(solve(time, &a, &long, &one, &r)),
        "B has 3 rows and 1 columns, must have 2 and 1"
    );
    let nan = "A[0, 1], counted from 0, is NaN; it must be a finite number";
    assert_eq!(said(solve(time, &hole, &b, &one, &r)), nan);
    // the observer solves for the transposed matrices, and tells of those that it got
    let c = b.transpose();
    assert_eq!(kalman(time, &hole, &c, &one, &r).unwrap_err().with_help(), nan);
    let error = kalman(time, &a, &DMatrix::zeros(1, 3), &one, &r).unwrap_err();
    assert_eq!(error.to_string(), "C has 1 rows and 3 columns, must have 1 and 2");
    let error = lqg(time, [&a, &b, &c, &DMatrix::zeros(2, 1)], [&one, &r], [&one, &r]).unwrap_err();
    assert_eq!(error.to_string(), "D has 2 rows and 1 columns, must have 1 and 1");
    let none = DMatrix::zeros(0, 0);
    let found = solve(time, &none, &DMatrix::zeros(0, 1), &none, &r).expect("nothing to do");
    assert!(found.x.is_empty() && found.gain.shape() == (1, 0) && found.poles.is_empty());
}

/// King's arm on pseudolinks in the middle of his trajectory: poles in pairs `±λ`, for which the plain
/// iterations of eigenvalues turn in circles.
#[allow(clippy::unreadable_literal, reason = "as they were met")]
#[test]
fn poles_on_both_sides_alike() {
    let stiff = dmatrix![
        26691.916631633852, -2576.308920317358, -52055.84571281368, 8088.903867688647;
        876.5406991576154, 7158.56456358791, -1705.8362628406219, -25229.681904932222;
        -527.4727075692501, 2095.9584094543784, 16997.252297086787, -6708.172905828657;
        -172.07642230969034, 1335.2604919053888, 334.60090728461506, 2012.3119278144763
    ];
    let pushed = dmatrix![
        -7.917992636605121, -24.80723018984606, -18.626427324730958;
        25.999486289676657, -0.8009463854799135, -0.6018106348663195;
        6.627265332367341, 26.512698443307894, 13.166163023015269;
        -6.088401066660927, 0.16584958085869886, 0.12007643338444694
    ];
    let mut a = DMatrix::zeros(8, 8);
    a.view_mut((0, 4), (4, 4)).fill_with_identity();
    a.view_mut((4, 0), (4, 4)).copy_from(&stiff);
    let mut b = DMatrix::zeros(8, 3);
    b.rows_mut(4, 4).copy_from(&pushed);
    let q = DMatrix::from_fn(8, 8, |i, j| if i == j && i < 4 { 1e4 } else { 0.0 });
    let found =
        solve(TimeDomain::Continuous, &a, &b, &q, &DMatrix::identity(3, 3)).expect("a solution");
    assert!(found.residual < 1e-14 && found.poles.iter().all(|pole| pole.re < -60.0));
}
