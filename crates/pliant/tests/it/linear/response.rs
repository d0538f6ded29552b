//! Frequency responses, poles and zeros of beams and of systems made by hand.

use pliant::analyse::{Conditions, Input, Label, OperatingPoint, Output, StateSpace};
use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::beam::{Basis, Beam, Section, Ways};
use pliant::dynamics::kinematics::Axes;
use pliant::nalgebra::{Complex, DMatrix, dmatrix};
use pliant::spatial::Pose;

const EI: f64 = 50.0;
const RHO_A: f64 = 0.8;
const LENGTH: f64 = 1.2;

/// A clamped beam with a frame at its tip, which bends along y in so many of its own shapes.
fn cantilever(shapes: usize) -> Arm {
    let section = Section {
        ea: 1e6,
        ei_z: EI,
        ei_y: EI,
        gj: 1.0,
        kga_y: None,
        kga_z: None,
        rho_a: RHO_A,
        rho_i_z: 0.0,
        rho_i_y: 0.0,
    };
    let basis = Basis::ClampedFree(Ways::new(shapes, 0, 0, 0));
    let beam = Beam { foreshortening: false, ..Beam::new(LENGTH, section, basis) };
    let link = Link::new("beam").joint(Joint::Fixed).beam(beam);
    let link = link.section_frame("tip", LENGTH, Pose::IDENTITY);
    Builder::new("cantilever").gravity([0.0; 3]).link(link).build().expect("a beam")
}

fn tip_to_tip(arm: &Arm) -> StateSpace {
    let frame = arm.frame("tip").expect("a tip");
    let force = Input::Wrench { frame, component: 1, axes: Axes::World };
    let place = Output::Position { frame, axis: 1 };
    let point = OperatingPoint::rest(arm, &arm.neutral());
    arm.linearise(&point, &Conditions::default(), &[force], &[place]).expect("a system")
}

/// `v(L)/F = L³/EI (sin β cosh β − cos β sinh β) / (β³ (1 + cos β cosh β))`, `β⁴ = ρA ω² L⁴/EI`.
fn exact(omega: f64) -> f64 {
    let beta = (RHO_A * omega * omega / EI).powf(0.25) * LENGTH;
    let (s, c, sh, ch) = (beta.sin(), beta.cos(), beta.sinh(), beta.cosh());
    LENGTH.powi(3) / EI * (s * ch - c * sh) / (beta.powi(3) * (1.0 + c * ch))
}

/// The frequency at which `β` has a value (rad/s).
fn frequency(beta: f64) -> f64 {
    (beta / LENGTH).powi(2) * (EI / RHO_A).sqrt()
}

#[test]
fn a_clamped_beam_answers_a_force_at_its_tip() {
    let system = tip_to_tip(&cantilever(20));
    // from far below the first resonance (β = 1.8751) to beyond the third (7.8548)
    let (low, high) = (frequency(0.5), frequency(9.0));
    let grid: Vec<f64> = (0..100).map(|k| low * (high / low).powf(f64::from(k) / 99.0)).collect();
    let pairs: Vec<(Complex<f64>, f64)> =
        grid.iter().map(|&omega| (system.response(omega)[0], exact(omega))).collect();
    let largest = pairs.iter().fold(0.0_f64, |size, (_, exact)| size.max(exact.abs()));
    for ((got, exact), omega) in pairs.iter().zip(&grid) {
        // what the shapes above the twentieth would add is 1.7e-6 L³/EI
        let error = (got - exact).norm() / largest;
        assert!(error < 1e-6, "at {omega} rad/s {got}, should be {exact}: {error:.1e}");
    }
}

/// Where the tip stands still under a force at the tip: the frequencies of a clamped and hinged
/// beam, `tan β = tanh β`.
#[test]
fn its_zeros_are_those_of_a_supported_tip() {
    let zeros = tip_to_tip(&cantilever(20)).zeros().expect("one input, one output");
    assert_eq!(zeros.len(), 38);
    for (k, beta) in [3.926_602_312_047_919, 7.068_582_745_628_732].into_iter().enumerate() {
        let exact = frequency(beta);
        let zero = zeros[2 * k];
        // the missing shapes move the first by 3e-5 and the second by 3e-4
        assert!((zero.im / exact - 1.0).abs() < 1e-3 && zero.re.abs() < 1e-6 * exact, "{zero}");
    }
}

#[test]
fn its_poles_are_its_frequencies() {
    let arm = cantilever(12);
    let modes = arm.modes(&arm.neutral()).expect("modes").frequencies();
    let poles = tip_to_tip(&arm).poles();
    let largest = modes[modes.len() - 1];
    assert_eq!(poles.len(), 2 * modes.len());
    for (pair, omega) in poles.chunks(2).zip(&modes) {
        let (upper, lower) = (Complex::new(0.0, *omega), Complex::new(0.0, -omega));
        assert!((pair[0] - upper).norm() < 1e-8 * largest, "{pair:?} {omega}");
        assert!((pair[1] - lower).norm() < 1e-8 * largest, "{pair:?} {omega}");
    }
}

pub(super) fn system(
    a: DMatrix<f64>,
    b: DMatrix<f64>,
    c: DMatrix<f64>,
    d: DMatrix<f64>,
) -> StateSpace {
    let named = |count: usize| (0..count).map(|k| Label::new(format!("{k}"), "1")).collect();
    let (states, inputs, outputs) = (named(a.nrows()), named(b.ncols()), named(c.nrows()));
    StateSpace { a, b, c, d, states, inputs, outputs }
}

/// `(s + 2)(s² + 9) / ((s + 1)(s² + 2s + 50)(s + 4))`, and the same with other ways through.
#[test]
fn zeros_of_transfer_functions() {
    let denominator = [200.0, 258.0, 64.0, 7.0];
    let a = DMatrix::from_fn(4, 4, |i, j| match (i, j) {
        (3, j) => -denominator[j],
        (i, j) => f64::from(u8::from(j == i + 1)),
    });
    let b = dmatrix![0.0; 0.0; 0.0; 1.0];
    let near = |got: &[Complex<f64>], want: &[(f64, f64)]| {
        assert_eq!(got.len(), want.len(), "{got:?}");
        for (re, im) in want {
            let off = |z: &Complex<f64>| (z - Complex::new(*re, *im)).norm();
            assert!(got.iter().any(|z| off(z) < 1e-9), "{got:?} lacks {re} {im}");
        }
    };
    let one = system(a.clone(), b.clone(), dmatrix![18.0, 9.0, 2.0, 1.0], dmatrix![0.0]);
    near(&one.zeros().expect("square"), &[(-2.0, 0.0), (0.0, 3.0), (0.0, -3.0)]);
    let two = system(a.clone(), b.clone(), dmatrix![5.0, 1.0, 0.0, 0.0], dmatrix![0.0]);
    near(&two.zeros().expect("square"), &[(-5.0, 0.0)]);
    let none = system(a.clone(), b.clone(), dmatrix![1.0, 0.0, 0.0, 0.0], dmatrix![0.0]);
    near(&none.zeros().expect("square"), &[]);
    // (s + 1)(s + 2)(s + 3)(s + 5) over the same: D = 1, C what is left
    let left: Vec<f64> =
        [30.0, 61.0, 41.0, 11.0].iter().zip(denominator).map(|(n, d)| n - d).collect();
    let direct = system(a.clone(), b.clone(), DMatrix::from_row_slice(1, 4, &left), dmatrix![1.0]);
    near(&direct.zeros().expect("square"), &[(-1.0, 0.0), (-2.0, 0.0), (-3.0, 0.0), (-5.0, 0.0)]);
    // both outputs are the same: every frequency is a zero
    let twice = system(
        a.clone(),
        DMatrix::from_fn(4, 2, |i, j| f64::from(u8::from(i == j + 2))),
        DMatrix::from_fn(2, 4, |_, j| j as f64),
        DMatrix::zeros(2, 2),
    );
    assert_eq!(twice.zeros(), None);
    let wide = system(a, b, DMatrix::zeros(2, 4), DMatrix::zeros(2, 1));
    assert_eq!(wide.zeros(), None);
}

#[test]
fn held_inputs_step_like_the_system() {
    let (omega, zeta, h) = (5.0_f64, 0.1_f64, 0.07_f64);
    let a = dmatrix![0.0, 1.0; -omega * omega, -2.0 * zeta * omega];
    let held = system(a, dmatrix![0.0; 1.0], dmatrix![1.0, 0.0], dmatrix![0.0]).discretised(h);
    // from rest under a unit force: 1/ω² (1 − e^{−ζωh} (cos ω_d h + ζ/√(1−ζ²) sin ω_d h))
    let root = (1.0 - zeta * zeta).sqrt();
    let (phase, decay) = (omega * root * h, (-zeta * omega * h).exp());
    let place = (1.0 - decay * (phase.cos() + zeta / root * phase.sin())) / (omega * omega);
    let rate = decay * phase.sin() / (omega * root);
    assert!((held.b[0] - place).abs() < 1e-15 && (held.b[1] - rate).abs() < 1e-15, "{}", held.b);
    assert!((held.a.determinant() - (-2.0 * zeta * omega * h).exp()).abs() < 1e-14);
}
