//! Eigenvalues of arms in motion.

use crate::motion::pushed::{Pushed, clamped_mass};
use pliant::analyse::Joints;
use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::beam::{Basis, Beam, CrossSection, Damping, Material, Matter, Ways};
use pliant::integrate::Dop853;

/// A bar on a revolute joint.
fn bar(damping: Damping, prescribed: bool) -> Arm {
    let material = Material::named("aluminium").expect("known");
    let matter = Matter::Made { outline: CrossSection::Round { diameter: 0.02 }, material };
    let basis = Basis::ClampedFree(Ways::new(2, 1, 0, 0));
    let beam = Beam { damping, ..Beam::new(1.2, matter, basis) };
    let link = Link::new("bar").joint(Joint::revolute([0.0, 0.0, 1.0])).beam(beam);
    let link = link.tip_body(0.4, [0.0; 3], [[0.0; 3]; 3]);
    let link = if prescribed { link.prescribed() } else { link };
    Builder::new("bar").gravity([0.0, -9.81, 0.0]).link(link).build().expect("a good arm")
}

/// At rest and without damping eigenvalues are the natural frequencies, with joints held or free.
#[test]
fn at_rest_they_are_the_natural_frequencies() {
    let arm = bar(Damping::default(), false).with_gravity([0.0; 3].into());
    let (q, rest) = (arm.neutral(), vec![0.0; arm.nv()]);
    let held = arm.modes(&q).expect("modes").frequencies();
    let all = pliant::simulate::natural_frequencies(&arm, &q).expect("frequencies");
    for (joints, want) in [(Joints::Prescribed, held), (Joints::Free, all)] {
        let found = arm.vibrations(&q, &rest, &rest, joints).expect("vibrations");
        assert_eq!(found.len(), want.len());
        for (vibration, want) in found.iter().zip(want) {
            let [one, other] = vibration.eigenvalues;
            let scale = want.max(1.0);
            assert!((one.im - want).abs() < 1e-9 * scale, "{one} {want}");
            assert!((vibration.frequency - want).abs() < 1e-9 * scale);
            assert!(one.re.abs() < 1e-9 * scale && (one + other).im.abs() < 1e-9 * scale);
            assert_eq!(vibration.energy, 0.0);
            assert_eq!(vibration.action.is_some(), want > 0.0);
        }
    }
}

/// Damping in proportion to stiffness: `λ² + β ω² λ + ω² = 0` for each mode.
#[test]
fn damping_moves_them_to_the_left() {
    let stiffness = 2e-4;
    let damped = bar(Damping { stiffness, ..Damping::default() }, true);
    let (q, rest) = (damped.neutral(), vec![0.0; damped.nv()]);
    let found = damped.vibrations(&q, &rest, &rest, Joints::Prescribed).expect("vibrations");
    for vibration in found {
        let [value, _] = vibration.eigenvalues;
        let omega = vibration.frequency;
        let left = value * value + value * (stiffness * omega * omega) + omega * omega;
        assert!(left.norm() < 1e-9 * omega * omega, "{value} {omega}");
        assert!(value.re < 0.0);
    }
}

/// The eigenvalues are the slopes of the accelerations: by differences through another algorithm.
#[test]
fn they_are_those_of_the_accelerations() {
    let arm = bar(Damping { mass: 0.3, ..Damping::default() }, true);
    let (mut q, mut u) = (arm.neutral(), vec![0.0; arm.nv()]);
    (q[0], q[1], q[2], q[3]) = (0.4, 0.01, -0.002, 0.004);
    (u[0], u[1], u[2], u[3]) = (2.0, 0.3, -0.1, 0.2);
    let mut told = vec![0.0; arm.nv()];
    told[0] = 1.5;
    let accelerations = |q: &[f64], u: &[f64]| {
        let answer = arm.hybrid_dynamics(q, u, &vec![0.0; arm.nv()], &told);
        answer.expect("a good state").1
    };
    let ud = accelerations(&q, &u);
    let found = arm.vibrations(&q, &u, ud.as_slice(), Joints::Prescribed).expect("vibrations");
    let (n, nudge) = (3, 1e-6);
    let system = pliant::nalgebra::DMatrix::from_fn(2 * n, 2 * n, |i, j| {
        if i < n {
            return f64::from(u8::from(j == i + n));
        }
        let moved = |way: f64| {
            let (mut q, mut u) = (q.clone(), u.clone());
            *(if j < n { &mut q[1 + j] } else { &mut u[1 + j - n] }) += way;
            accelerations(&q, &u)[1 + i - n]
        };
        (moved(nudge) - moved(-nudge)) / (2.0 * nudge)
    });
    let mut want: Vec<_> = system.complex_eigenvalues().iter().copied().collect();
    want.retain(|value| value.im > 0.0);
    want.sort_by(|a, b| a.norm().total_cmp(&b.norm()));
    assert_eq!(want.len(), n);
    for (vibration, want) in found.iter().zip(want) {
        let got = vibration.eigenvalues[0];
        assert!((got - want).norm() < 1e-6 * want.norm(), "{got} {want}");
    }
}

/// The modes' energies are the arm's, about the sag where there is weight.
#[test]
fn energies_add_up() {
    let arm = bar(Damping::default(), true);
    let rest = arm.static_equilibrium(&arm.neutral()).expect("it hangs").q;
    let zeros = vec![0.0; arm.nv()];
    let still = arm.vibrations(&rest, &zeros, &zeros, Joints::Prescribed).expect("vibrations");
    let (mut q, mut u) = (rest.clone(), zeros.clone());
    q[1] += 2e-3;
    q[2] -= 1e-3;
    (u[1], u[3]) = (0.5, -0.2);
    let ud = arm.hybrid_dynamics(&q, &u, &zeros, &zeros).expect("good").1;
    let found = arm.vibrations(&q, &u, ud.as_slice(), Joints::Prescribed).expect("vibrations");
    let sum: f64 = found.iter().map(|vibration| vibration.energy).sum();
    let energy = |q: &[f64], u: &[f64]| arm.energies(q, u).expect("good").total();
    let want = energy(&q, &u) - energy(&rest, &zeros);
    // the sag is taken as linear, which foreshortening is not
    assert!((sum / want - 1.0).abs() < 2e-3, "{sum} {want}");
    let left: f64 = still.iter().map(|vibration| vibration.energy).sum();
    assert!(left < 1e-4 * sum, "{left} {sum}");
    for vibration in found {
        let action = vibration.action.expect("an action");
        assert!((action * vibration.frequency / vibration.energy - 1.0).abs() < 1e-12);
    }
}

/// Pushed out, real parts are negative and the energy falls; pulled in, the opposite: the action of
/// the first mode stays in both, to the square of what the length changes within a period.
#[test]
fn the_action_stays_where_real_parts_change_sign() {
    let speed = 0.778;
    let pushed = Pushed::new(clamped_mass(Ways::new(3, 0, 0, 0)));
    for (from, way) in [(0.3, 1.0), (1.0, -1.0)] {
        let (arm, samples) = (&pushed.arm, 60);
        let states = pushed.run([from, from + 0.7 * way], way * speed, samples, Dop853::new(1e-9));
        let still = vec![0.0; arm.nv()];
        let look = |y: &Vec<f64>| {
            let (q, u) = y.split_at(arm.nq());
            let ud = arm.hybrid_dynamics(q, u, &still, &still).expect("good").1;
            let all = arm.vibrations(q, u, ud.as_slice(), Joints::Prescribed).expect("vibrations");
            let first = all[0].clone();
            assert!(way * first.eigenvalues[0].re < 0.0, "{:?}", first.eigenvalues);
            (first.energy, first.action.expect("an action"))
        };
        let all: Vec<(f64, f64)> = states.iter().map(look).collect();
        let [first, last] = [all[0], all[samples]];
        for (_, action) in &all {
            assert!((action / first.1 - 1.0).abs() < 2e-2, "{way}: {action} {}", first.1);
        }
        let growth = last.0 / first.0;
        assert!(if way > 0.0 { growth < 0.2 } else { growth > 5.0 }, "{growth}");
    }
}
