//! King's composite control in another way: what the arm does under its forces.

use super::arms::akmehmet;
use pliant::analyse::riccati::{TimeDomain, lqr};
use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::beam::{Basis, Beam, Damping, Section, Ways};
use pliant::control::{
    Composite, CompositeWeights, ComputedTorque, ControlContext, ControlError, ControlLaw,
    Matrices, MatrixUpdate, Model, Pseudolinks, VibrationDamping,
};
use pliant::nalgebra::{Complex, DMatrix, DVector};
use pliant::plan::{Path, TimeScaling};
use pliant::scalar::Jet;
use pliant::simulate::Signal;
use pliant::spatial::{Pose, Vec3};
use std::sync::Arc;

const WEIGHTS: CompositeWeights = CompositeWeights { bending: 1e4, rate: 3.0, input: 0.5 };
const STIFFNESS: [f64; 2] = [60.0, 90.0];
const DAMPING: [f64; 2] = [12.0, 18.0];

/// Two damped bars that bend twice each, upright.
fn flat() -> Arm {
    let bar = |ei: f64| {
        let section = Section {
            ea: 7e6,
            ei_z: ei,
            ei_y: ei,
            gj: 15.0,
            kga_y: None,
            kga_z: None,
            rho_a: 0.6,
            rho_i_z: 0.0,
            rho_i_y: 0.0,
        };
        let damping = Damping { ratios: vec![0.02], ..Damping::default() };
        Beam { damping, ..Beam::new(0.9, section, Basis::ClampedFree(Ways::new(2, 0, 0, 0))) }
    };
    let joint = |name| Link::new(name).joint(Joint::revolute([0.0, 0.0, 1.0])).armature(&[0.05]);
    Builder::new("flat")
        .gravity([0.0, -9.81, 0.0])
        .link(joint("upper").beam(bar(60.0)).section_frame("elbow", 0.9, Pose::IDENTITY))
        .link(
            joint("fore")
                .at_section(0.9)
                .beam(bar(30.0))
                .tip_body(0.2, [0.0; 3], [[0.0; 3]; 3])
                .section_frame("hand", 0.9, Pose::IDENTITY),
        )
        .build()
        .expect("an arm")
}

/// The joints, and what bends, as velocity coordinates.
fn parts(arm: &Arm) -> (Vec<usize>, Vec<usize>) {
    (0..arm.nv()).partition(|&v| ["upper", "fore"].contains(&arm.velocity_names()[v].as_str()))
}

fn pseudolinks(arm: &Arm) -> Pseudolinks {
    Pseudolinks { frames: ["elbow", "hand"].map(|name| arm.frame(name).ok()).to_vec() }
}

/// A state without symmetries: the joints, and the rest in parts of it.
fn state(arm: &Arm, elbow: f64, bent: f64) -> (Vec<f64>, Vec<f64>) {
    let (joints, flexible) = parts(arm);
    let (mut q, mut u) = (arm.neutral(), vec![0.0; arm.nv()]);
    (q[joints[0]], q[joints[1]]) = (0.4 - elbow, elbow);
    (u[joints[0]], u[joints[1]]) = (0.7, -1.1);
    for (k, &v) in flexible.iter().enumerate() {
        q[v] = bent * (1.0 + k as f64).sin();
        u[v] = 10.0 * bent * (2.0 + k as f64).cos();
    }
    (q, u)
}

fn reference() -> Vec<Jet> {
    let jet = |value, rate, acceleration| Jet { value, rate, acceleration };
    vec![jet(0.1, 0.5, 2.0), jet(0.9, -0.8, -3.0)]
}

/// A law at a state, and the forces that it gives.
fn forces(
    law: &mut dyn ControlLaw,
    arm: &Arm,
    joints: &[usize],
    (t, q, u, reference): (f64, &[f64], &[f64], &[Jet]),
) -> Result<Vec<f64>, ControlError> {
    let mut model = Model::new(arm.clone(), joints).expect("a model");
    model.set_estimate(q, u);
    let measured = |of: &[f64]| joints.iter().map(|&v| of[v]).collect::<Vec<f64>>();
    let mut forces = vec![0.0; joints.len()];
    let limits = &vec![f64::INFINITY; reference.len()];
    let (q, u) = (&measured(q), &measured(u));
    let now = ControlContext { t, since: None, q, u, reference, trajectory: &[], limits };
    law.forces(&now, Some(&mut model), &mut forces)?;
    Ok(forces)
}

/// `F`, `H₂₂ − H₂₁F` and `H₂₁` at a state.
fn matrices(arm: &Arm, links: &Pseudolinks, q: &[f64], u: &[f64]) -> [DMatrix<f64>; 3] {
    let (joints, flexible) = parts(arm);
    let mut model = Model::new(arm.clone(), &joints).expect("a model");
    model.set_estimate(q, u);
    let map = links.map(&mut model).expect("a map");
    let mass = arm.mass_matrix(q).expect("a mass matrix");
    let h21 = mass.select_rows(&flexible).select_columns(&joints);
    let effective = mass.select_rows(&flexible).select_columns(&flexible) - &h21 * &map;
    [map, effective, h21]
}

/// `K` and `D` of what bends, from the slopes of inverse dynamics without weight.
fn passive(arm: &Arm) -> [DMatrix<f64>; 2] {
    let flexible = parts(arm).1;
    let rest = vec![0.0; arm.nv()];
    let slopes = arm.clone().with_gravity(Vec3::ZERO);
    let slopes = slopes.inverse_derivatives(&arm.neutral(), &rest, &rest).expect("slopes");
    [slopes.by_q, slopes.by_u].map(|slope| slope.select_rows(&flexible).select_columns(&flexible))
}

/// The regulator of the vibrations.
fn regulator(arm: &Arm, [_, effective, h21]: &[DMatrix<f64>; 3]) -> DMatrix<f64> {
    let [stiffness, damping] = passive(arm);
    let (n, m) = h21.shape();
    let inverse = effective.clone().try_inverse().expect("regular");
    let mut a = DMatrix::zeros(2 * n, 2 * n);
    a.view_mut((0, n), (n, n)).fill_with_identity();
    a.view_mut((n, 0), (n, n)).copy_from(&-(&inverse * stiffness));
    a.view_mut((n, n), (n, n)).copy_from(&-(&inverse * damping));
    let mut b = DMatrix::zeros(2 * n, m);
    b.rows_mut(n, n).copy_from(&-(&inverse * h21));
    let weights = (0..2 * n).map(|k| if k < n { WEIGHTS.bending } else { WEIGHTS.rate });
    let q = DMatrix::from_diagonal(&DVector::from_iterator(2 * n, weights));
    let r = DMatrix::identity(m, m) * WEIGHTS.input;
    lqr(TimeDomain::Continuous, &a, &b, &q, &r).expect("a regulator").gain
}

/// King (4-25) to (4-32): `γ̈ = ν_r − G (δ − δ̄, δ̇)`, with gains that are as old as the clock allows.
#[test]
fn the_arm_does_what_the_law_wants() {
    let arm = flat();
    let (joints, flexible) = parts(&arm);
    let [stiffness, damping] = passive(&arm);
    let one_row = Pseudolinks { frames: vec![None, arm.frame("hand").ok()] };
    for links in [Pseudolinks::none(2), pseudolinks(&arm), one_row] {
        let (k, d) = (STIFFNESS.to_vec(), DAMPING.to_vec());
        let law = Composite::new(k, d, links.clone(), WEIGHTS, 0.05);
        let mut law = law.guarded(f64::NEG_INFINITY);
        law.start();
        let mut gain = DMatrix::zeros(0, 0);
        for (t, elbow, bent) in [(0.0, 0.8, 0.01), (0.03, 0.3, -0.02), (0.05, 0.5, 0.005)] {
            let (q, u) = state(&arm, elbow, bent);
            let found = matrices(&arm, &links, &q, &u);
            if t != 0.03 {
                gain = regulator(&arm, &found);
            }
            let [map, _, h21] = found;
            let reference = reference();
            let given = forces(&mut law, &arm, &joints, (t, &q, &u, &reference)).expect("forces");
            let mut tau = vec![0.0; arm.nv()];
            for (&v, force) in joints.iter().zip(given) {
                tau[v] = force;
            }
            let ud = arm.forward_dynamics(&q, &u, &tau).expect("accelerations");
            let of = |all: &[f64], chosen: &[usize]| {
                DVector::from_iterator(chosen.len(), chosen.iter().map(|&v| all[v]))
            };
            let (bent, rates) = (of(&q, &flexible), of(&u, &flexible));
            let moved = of(ud.as_slice(), &joints) + &map * of(ud.as_slice(), &flexible);
            let (angle, rate) = (of(&q, &joints) + &map * &bent, of(&u, &joints) + &map * &rates);
            let slow = DVector::from_fn(2, |i, _| {
                reference[i].acceleration
                    + STIFFNESS[i] * (reference[i].value - angle[i])
                    + DAMPING[i] * (reference[i].rate - rate[i])
            });
            let elastic = arm.elastic_forces(&q).expect("forces");
            let friction = arm.damping_forces(&q, &u).expect("forces");
            let bias = arm.bias(&q, &u).expect("a bias") - elastic - friction;
            let held = -(h21 * &slow + of(bias.as_slice(), &flexible));
            let held = stiffness.clone().try_inverse().expect("regular") * held;
            let n = flexible.len();
            let fast = gain.columns(0, n) * (bent - held) + gain.columns(n, n) * rates;
            assert!(fast.amax() > 1e-3 * slow.amax(), "nothing to see: {fast} {slow}");
            let want = slow - fast;
            assert_close!(
                format!("{links:?} at {t} s"),
                moved.as_slice(),
                want.as_slice(),
                rel = 1e-8,
                of = want.amax(),
                "the regulators agree to 1e-10"
            );
        }
    }
    // the damping counts
    assert!(damping.amax() > 0.0);
}

/// A row for each joint that is led, and it is that of straight links.
#[test]
fn the_map_has_its_rows_where_the_joints_are() {
    let arm = flat();
    let one = Pseudolinks { frames: vec![None, arm.frame("hand").ok()] };
    let map = |bent| {
        let (q, u) = state(&arm, 0.6, bent);
        matrices(&arm, &one, &q, &u)[0].clone()
    };
    assert_eq!(map(0.0).row(0).amax(), 0.0);
    // the tip of the second bar over its length
    assert!(map(0.0).row(1).amax() > 1.0, "{}", map(0.0));
    assert_eq!(map(0.0), map(0.05));
    let joints = parts(&arm).0;
    let still = Pseudolinks { frames: vec![arm.frame("upper").ok(), None] };
    let mut law = Composite::new(vec![1.0; 2], vec![1.0; 2], still, WEIGHTS, 0.05);
    let (q, u) = state(&arm, 0.6, 0.01);
    let error = forces(&mut law, &arm, &joints, (0.0, &q, &u, &reference())).expect_err("refused");
    assert!(matches!(error, ControlError::Unmoved { .. }), "{error}");
}

/// What a law tells first.
fn told(law: &Composite) -> f64 {
    let mut first = [f64::NAN];
    law.write_telemetry(&mut first);
    first[0]
}

#[test]
fn the_guard_is_relative_to_other_postures() {
    let arm = flat();
    let (joints, links) = (parts(&arm).0, pseudolinks(&arm));
    let states = [0.2, 1.4].map(|elbow| state(&arm, elbow, 0.01));
    let none = Pseudolinks::none(2);
    let size = |(q, u): &(Vec<f64>, Vec<f64>)| {
        let of = |links: &Pseudolinks| matrices(&arm, links, q, u)[1].determinant();
        of(&links) / of(&none)
    };
    let law = Composite::new(vec![60.0; 2], vec![12.0; 2], links.clone(), WEIGHTS, 0.05);
    let at = |law: &mut Composite, t: f64, (q, u): &(Vec<f64>, Vec<f64>)| {
        forces(law, &arm, &joints, (t, q, u, &reference()))
    };
    // whichever comes first
    let mut parts = [0.0; 2];
    for [first, second] in [[0, 1], [1, 0]] {
        let mut free = law.clone().guarded(0.0);
        free.start();
        at(&mut free, 0.0, &states[first]).expect("forces");
        parts[first] = told(&free);
        at(&mut free, 0.01, &states[second]).expect("forces");
        assert!(told(&free) > 0.0 && told(&free) < 3.0, "{}", told(&free));
        let (got, want) =
            (told(&free) / parts[first], size(&states[second]) / size(&states[first]));
        assert!((got / want - 1.0).abs() < 1e-9, "{got} {want}");
    }
    let (from, to) = if parts[1] < parts[0] { (0, 1) } else { (1, 0) };
    assert!(parts[to] < 0.95 * parts[from], "{parts:?}");
    let guard = 0.5 * (parts[to] + parts[from]);
    let mut strict = law.clone().guarded(guard);
    at(&mut strict, 0.0, &states[from]).expect("above the guard");
    let error = at(&mut strict, 0.01, &states[to]).expect_err("below the guard");
    let ControlError::NearSingular { time, determinant, guard: own } = error else {
        panic!("{error}")
    };
    assert!(time == 0.01 && own == guard && (determinant / parts[to] - 1.0).abs() < 1e-9);
    // also at the very start
    let error = at(&mut law.clone().guarded(guard), 0.0, &states[to]).expect_err("below it");
    assert!(matches!(error, ControlError::NearSingular { time: 0.0, .. }), "{error}");
    // a new run knows nothing of the one before
    strict.start();
    let again = at(&mut strict, 0.0, &states[from]).expect("a new run");
    assert_eq!(again, at(&mut law.clone(), 0.0, &states[from]).expect("forces"));
    let mut lost = states[from].clone();
    lost.0[1] = f64::NAN;
    let error = at(&mut law.clone(), 0.0, &lost).expect_err("no state");
    assert!(matches!(error, ControlError::NearSingular { .. }), "{error}");
}

/// Where nothing bends it is computed torque.
#[test]
fn rigid_arms_are_led_by_computed_torque() {
    let arm = akmehmet(3);
    let (q, u) = ([0.4, -0.9, 1.2], [0.3, 0.2, -0.5]);
    let reference: Vec<Jet> =
        q.iter().map(|q| Jet { value: q + 0.1, rate: 0.4, acceleration: 1.5 }).collect();
    let (stiffness, damping) = (vec![100.0, 150.0, 200.0], vec![20.0, 25.0, 30.0]);
    let matrices = Matrices::new(MatrixUpdate::Always);
    let joints = [0, 1, 2];
    let now = (0.0, &q[..], &u[..], &reference[..]);
    let mut rigid =
        ComputedTorque { stiffness: stiffness.clone(), damping: damping.clone(), matrices };
    let want = forces(&mut rigid, &arm, &joints, now).expect("forces");
    let hand = arm.frame("link 3").ok();
    for links in [Pseudolinks::none(3), Pseudolinks { frames: vec![hand, None, hand] }] {
        let mut law = Composite::new(stiffness.clone(), damping.clone(), links, WEIGHTS, 0.05);
        law.start();
        let given = forces(&mut law, &arm, &joints, now).expect("forces");
        assert_close!("akmehmet", given, want, rel = 1e-13, "the same products");
        assert_eq!(told(&law), 1.0);
    }
}

/// The poles of an arm without weight under a law that holds it where its joints are neutral.
fn poles(arm: &Arm, mut law: Composite) -> Vec<Complex<f64>> {
    let (n, joints) = (arm.nv(), parts(arm).0);
    let rest = vec![Jet::default(); joints.len()];
    let still = vec![0.0; n];
    law.start();
    // the gains are those of rest
    forces(&mut law, arm, &joints, (0.0, &arm.neutral(), &still, &rest)).expect("forces");
    let rates = |x: &[f64]| {
        let (q, u) = x.split_at(n);
        let given = forces(&mut law.clone(), arm, &joints, (0.0, q, u, &rest)).expect("forces");
        let mut tau = vec![0.0; n];
        for (&v, force) in joints.iter().zip(given) {
            tau[v] = force;
        }
        let accelerations = arm.forward_dynamics(q, u, &tau).expect("accelerations");
        u.iter().chain(accelerations.iter()).copied().collect::<Vec<f64>>()
    };
    let mut a = DMatrix::zeros(2 * n, 2 * n);
    for column in 0..2 * n {
        const APART: f64 = 1e-6;
        let [ahead, behind] = [APART, -APART].map(|by| {
            let mut x = vec![0.0; 2 * n];
            x[column] = by;
            rates(&x)
        });
        for row in 0..2 * n {
            a[(row, column)] = (ahead[row] - behind[row]) / (2.0 * APART);
        }
    }
    a.complex_eigenvalues().iter().copied().collect()
}

/// A bar that bends once, on a hub that moves it well.
fn single() -> Arm {
    let section = Section {
        ea: 7e6,
        ei_z: 60.0,
        ei_y: 60.0,
        gj: 15.0,
        kga_y: None,
        kga_z: None,
        rho_a: 0.6,
        rho_i_z: 0.0,
        rho_i_y: 0.0,
    };
    let beam = Beam::new(0.9, section, Basis::ClampedFree(Ways::new(1, 0, 0, 0)));
    let upper = Link::new("upper").joint(Joint::revolute([0.0, 0.0, 1.0])).armature(&[0.05]);
    Builder::new("single").gravity([0.0; 3]).link(upper.beam(beam)).build().expect("an arm")
}

/// The poles of a single vibration are those of `s² + 2ζω s + ω²` where the joint is led slowly, with
/// the frequency of the locked joint.
#[test]
fn a_single_vibration_gets_the_wished_damping_ratio() {
    let arm = single();
    let mass = arm.mass_matrix(&arm.neutral()).expect("a mass matrix");
    let frequency = (passive(&arm)[0][(0, 0)] / mass[(1, 1)]).sqrt();
    for ratio in [0.1, 0.4, 0.7] {
        let damping = VibrationDamping::Ratio(ratio);
        let law = Composite::new(vec![1e-4], vec![2e-2], Pseudolinks::none(1), damping, 0.05);
        let fast: Vec<_> =
            poles(&arm, law).into_iter().filter(|pole| pole.im > 0.1 * frequency).collect();
        let [pole] = fast[..] else { panic!("{fast:?}") };
        // the joint is led at a thousandth of the frequency
        assert!((pole.norm() / frequency - 1.0).abs() < 1e-3, "{pole} {frequency}");
        assert!((-pole.re / pole.norm() / ratio - 1.0).abs() < 1e-3, "{pole} {ratio}");
    }
}

/// However stiff the joints are led, and whatever ratio is wished: with the joints in the state no
/// pole is to the right.
#[test]
fn wished_ratios_are_stable_beside_any_lead() {
    let arm = flat().with_gravity(Vec3::ZERO);
    for (lead, ratio) in [(3.0, 0.5), (10.0, 0.1), (10.0, 0.5), (30.0, 1.0), (100.0, 0.5)] {
        let (k, d) = (vec![lead * lead; 2], vec![2.0 * lead; 2]);
        let damping = VibrationDamping::Ratio(ratio);
        let law = Composite::new(k, d, Pseudolinks::none(2), damping, 0.05);
        let found = poles(&arm, law);
        assert!(found.iter().all(|pole| pole.re < -1e-3 * lead), "{lead} {ratio} {found:?}");
    }
}

/// A reference whose acceleration jumps just after an instant has the jerk of either side there: the
/// gains are multiplied by it.
#[test]
fn jumps_of_the_plan_are_no_jerks() {
    let arm = single();
    let at_rest = (arm.neutral(), vec![0.0; arm.nv()]);
    let given = |t: f64| {
        let points = [vec![0.0], vec![1.0]];
        let path = Path::corners(&points, &[1.0], TimeScaling::Trapezoid(0.3), 0.0);
        let path = Arc::new(path.expect("a path"));
        let signal = Signal::Planned { path, component: 0 };
        let damping = VibrationDamping::default();
        let mut law = Composite::new(vec![100.0], vec![20.0], Pseudolinks::none(1), damping, 0.05);
        law.start();
        let mut model = Model::new(arm.clone(), &[0]).expect("a model");
        model.set_estimate(&at_rest.0, &at_rest.1);
        let (mut forces, reference) = ([0.0], [signal.jet(t)]);
        let trajectory = &[signal];
        let (q, u, limits) = (&[0.0], &[0.0], &[f64::INFINITY]);
        let now =
            ControlContext { t, since: None, q, u, reference: &reference, trajectory, limits };
        law.forces(&now, Some(&mut model), &mut forces).expect("forces");
        forces[0]
    };
    // acceleration ends at 0.3 s
    let (before, just) = (given(0.299), given(0.3 - 5e-5));
    assert!((just / before - 1.0).abs() < 0.05, "{just} {before}");
}
