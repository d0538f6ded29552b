//! Three ways of following the wave numbers of a beam whose length changes.

use pliant::beam::WaveNumbers;

/// Points and bodies at the tip, light and heavy.
const BEAMS: [WaveNumbers; 3] = [
    WaveNumbers { rho_a: 0.331, mass: 0.0828, inertia: 0.0 },
    WaveNumbers { rho_a: 0.331, mass: 0.8, inertia: 1e-3 },
    WaveNumbers { rho_a: 0.331, mass: 0.0, inertia: 0.0 },
];

const STROKE: [f64; 2] = [0.3, 1.0];
const COUNT: usize = 4;

/// Root finding, Newton from the last length, the differential form out and back, and the table.
#[test]
fn three_ways_agree() {
    for beam in BEAMS {
        let table = beam.table(COUNT, STROKE);
        assert!(table.rest() < 1e-13, "{beam:?}: {:e}", table.rest());
        let mut near = beam.roots(COUNT, STROKE[0]);
        let mut integrated = near.clone();
        let steps = 70;
        let length = |k: i32| STROKE[0] + (STROKE[1] - STROKE[0]) * f64::from(k) / f64::from(steps);
        let out = 1..=steps;
        let back = (0..steps).rev();
        let mut before = STROKE[0];
        for length in out.chain(back).map(length) {
            beam.roots_near(&mut near, length);
            beam.advance(&mut integrated, [before, length], 10);
            before = length;
            let tabulated = table.at(length);
            for (k, root) in beam.roots(COUNT, length).into_iter().enumerate() {
                // bisection ends at the last digit
                assert!((near[k] / root - 1.0).abs() < 1e-14, "{beam:?} {k} at {length}");
                assert!((tabulated[k] / root - 1.0).abs() < 1e-13, "{beam:?} {k} at {length}");
                // fourth order, steps of a millimetre: (1e-3 / 0.3)⁴ of the change, and rounding
                assert!((integrated[k] / root - 1.0).abs() < 1e-9, "{beam:?} {k} at {length}");
            }
        }
    }
}

/// The error of the differential form falls with the fourth power of the step.
#[test]
fn the_differential_form_is_of_fourth_order() {
    let beam = BEAMS[1];
    let want = beam.roots(1, STROKE[1])[0];
    let error = |steps: u32| {
        let mut beta = beam.roots(1, STROKE[0]);
        beam.advance(&mut beta, STROKE, steps);
        (beta[0] - want).abs()
    };
    let order = (error(20) / error(40)).log2();
    assert!((order - 4.0).abs() < 0.3, "{order}");
}

/// The derivative by the length is that of the roots.
#[test]
fn rates_are_differences_of_roots() {
    for beam in BEAMS {
        let (length, nudge) = (0.6, 1e-5);
        let [low, high] = [-nudge, nudge].map(|way| beam.roots(COUNT, length + way));
        for (k, beta) in beam.roots(COUNT, length).into_iter().enumerate() {
            let want = (high[k] - low[k]) / (2.0 * nudge);
            let got = beam.rate(beta, length);
            assert!((got - want).abs() < 1e-8, "{beam:?} {k}: {got} {want}");
        }
    }
}
