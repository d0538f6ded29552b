//! Input shapers: by their conditions, and on an oscillator.

use super::channels::crane;
use pliant::Help;
use pliant::arm::{Actuator, Arm, Builder, Joint, Link};
use pliant::plan::{
    Path, Servo, ShapedMode, Shaper, ShaperError, ShaperKind, TimeScaling, vibrations,
};
use pliant::spatial::{Pose, Vec3};

const KINDS: [ShaperKind; 3] = [ShaperKind::Zv, ShaperKind::Zvd, ShaperKind::Ei { left: 0.05 }];

fn vibration(frequency: f64, ratio: f64) -> ShapedMode {
    ShapedMode { frequency, ratio, amplitude: 1.0 }
}

#[test]
fn what_is_left_of_a_vibration() {
    for ratio in [0.0, 0.02, 0.3] {
        let own = vibration(7.0, ratio);
        let shaper = |kind| Shaper::new(kind, &[own], None).expect("a shaper");
        let [zv, zvd, ei] = KINDS.map(shaper);
        for shaper in [&zv, &zvd, &ei] {
            let whole: f64 = shaper.impulses.iter().map(|impulse| impulse.1).sum();
            assert!((whole - 1.0).abs() < 1e-15 && shaper.impulses.iter().all(|i| i.1 > 0.0));
        }
        assert!(zv.left(&own) < 1e-15 && zvd.left(&own) < 1e-15);
        assert!((ei.left(&own) - 0.05).abs() < 1e-15, "{}", ei.left(&own));
        assert!((zvd.duration() / zv.duration() - 2.0).abs() < 1e-15);
        // 1 % off in frequency: first order for ZV, second for ZVD
        let off = |part: f64| vibration(7.0 * (1.0 + part), ratio);
        let (once, twice) = (zvd.left(&off(0.01)), zvd.left(&off(0.02)));
        assert!((twice / once - 4.0).abs() < 0.1, "{once} {twice}");
        let (once, twice) = (zv.left(&off(0.01)), zv.left(&off(0.02)));
        assert!((twice / once - 2.0).abs() < 0.1, "{once} {twice}");
        if ratio == 0.0 {
            // none is left on either side, cos(πx) = (1 − V)/(1 + V) with x the frequency in its own
            let side = ((1.0 - 0.05_f64) / 1.05).acos() / std::f64::consts::PI;
            assert!(ei.left(&off(side)) < 1e-12 && ei.left(&off(-side)) < 1e-12);
        }
    }
}

/// What EI promises, over all damping ratios at which it is one.
#[test]
fn extra_insensitive_with_damping() {
    for left in [0.01, 0.05, 0.2] {
        let mut refused = None;
        for step in 0..100 {
            let ratio = 0.01 * f64::from(step);
            let own = vibration(7.0, ratio);
            let made = Shaper::new(ShaperKind::Ei { left }, &[own], None);
            // what an unshaped command has left a damped period after it
            let period = std::f64::consts::TAU / (7.0 * (1.0 - ratio * ratio).sqrt());
            let unshaped = (-ratio * 7.0 * period).exp();
            match made {
                Ok(ei) => {
                    assert!(refused.is_none() && left < unshaped, "{left} {ratio}");
                    assert!(ei.impulses.iter().all(|impulse| impulse.1 > 0.0), "{ratio} {ei:?}");
                    assert!((ei.left(&own) / left - 1.0).abs() < 1e-13, "{ratio}");
                    if ratio > 0.3 {
                        continue;
                    }
                    // damping moves the top below the frequency, where it is a little higher
                    for off in [-0.05, -0.02, 0.02, 0.05] {
                        let beside = ei.left(&vibration(7.0 * (1.0 + off), ratio));
                        assert!(beside < left * (1.0 + 0.1 * ratio), "{left} {ratio} {beside}");
                    }
                }
                Err(ShaperError::Damped { mode: 1, ratio: named, .. }) => {
                    assert!(left >= unshaped && named == ratio, "{left} {ratio}");
                    refused = refused.or(Some(ratio));
                }
                Err(error) => panic!("{error}"),
            }
        }
        assert!(refused.is_some_and(|ratio| ratio > 0.2), "{refused:?}");
    }
    let kind = ShaperKind::Ei { left: 0.05 };
    let error = Shaper::new(kind, &[vibration(7.0, 0.6)], None).expect_err("dies down");
    assert_eq!(
        error.with_help(),
        "mode 1, at 1.1141 Hz with a damping ratio of 0.6000, dies down to 0.0090 within its period without a shaper, and 0.05 may be left; let less than 0.0090 be left, or take a ZVD shaper"
    );
}

#[test]
fn several_at_once() {
    // the faster first, whose impulses come between those of the other
    let modes = [vibration(23.0, 0.05), vibration(5.0, 0.01)];
    for kind in [ShaperKind::Zv, ShaperKind::Zvd] {
        let both = Shaper::new(kind, &modes, Some(100.0)).expect("a shaper");
        for mode in &modes {
            assert!(both.left(mode) < 1e-14, "{kind:?} {}", both.left(mode));
        }
        assert!(both.impulses.is_sorted_by(|a, b| a.0 <= b.0));
    }
}

/// An undamped oscillator pulled along a path: `ÿ = ω² (r − y)` by fine steps.
#[test]
fn a_shaped_path_leaves_an_oscillator_at_rest() {
    let omega = 4.0;
    let path = Path::corners(&[vec![0.0], vec![1.5]], &[1.0], TimeScaling::MinimumJerk, 0.2);
    let path = path.expect("a path");
    let shaper = Shaper::new(ShaperKind::Zvd, &[vibration(omega, 0.0)], None).expect("a shaper");
    let shaped = path.shaped(&shaper);
    assert!((shaped.end() - path.end() - shaper.duration()).abs() < 1e-15);
    assert_eq!(shaped.at(shaped.end())[0].value, 1.5);
    assert_eq!(shaped.breaks().len(), 2 * 3);
    let residual = |path: &Path| {
        let (mut y, mut rate, h) = (0.0, 0.0, 1e-4);
        let mut t: f64 = 0.0;
        while t < path.end() {
            // leapfrog
            rate += h * omega * omega * (path.at(t)[0].value - y);
            y += h * rate;
            t += h;
        }
        (y - 1.5_f64).hypot(rate / omega)
    };
    let (plain, left) = (residual(&path), residual(&shaped));
    assert!(plain > 0.1 && left < 1e-3 * plain, "{plain} {left}");
}

/// Shaped twice it is shaped by the convolution, with its own rates and with all of its jumps.
#[test]
fn a_shaped_path_is_a_path() {
    let corners = [vec![0.0, 1.0], vec![1.5, 0.5]];
    let path = Path::corners(&corners, &[1.0], TimeScaling::Trapezoid(0.3), 0.2).expect("a path");
    let shaper = |kind, frequency| Shaper::new(kind, &[vibration(frequency, 0.02)], None);
    let first = shaper(ShaperKind::Zv, 4.0).expect("a shaper");
    let second = shaper(ShaperKind::Zvd, 9.0).expect("a shaper");
    let whole = first.then(&second);
    let (once, twice) = (path.shaped(&whole), path.shaped(&first).shaped(&second));
    for &jump in path.breaks() {
        for (late, _) in &whole.impulses {
            let near = |break_: &&f64| (*break_ - jump - late).abs() < 1e-12;
            assert!(once.breaks().iter().any(|break_| near(&break_)), "{jump} {late}");
            assert!(twice.breaks().iter().any(|break_| near(&break_)), "{jump} {late}");
        }
    }
    let h = 1e-5;
    for k in 0..300 {
        let t = 0.1 + 0.01 * f64::from(k) + 0.003;
        if once.breaks().iter().any(|break_| (break_ - t).abs() < 2.0 * h) {
            continue;
        }
        let (before, now, after) = (once.at(t - h), once.at(t), once.at(t + h));
        for (component, again) in twice.at(t).iter().enumerate() {
            assert!((now[component].value - again.value).abs() < 1e-14, "at {t} s");
            let slope = (after[component].value - before[component].value) / (2.0 * h);
            assert!((slope - now[component].rate).abs() < 1e-8, "at {t} s");
            let slope = (after[component].rate - before[component].rate) / (2.0 * h);
            assert!((slope - now[component].acceleration).abs() < 1e-7, "at {t} s");
        }
    }
}

/// A body on a servo: `I θ̈ = k (r − θ) − d θ̇`.
fn wheel(actuator: Actuator) -> Arm {
    let bob =
        Link::new("bob").joint(Joint::revolute([0.0, 0.0, 1.0])).payload(2.0, [0.5, 0.0, 0.0]);
    let bob = bob.actuator(actuator);
    let bob = bob.frame("hand", Pose::at(0.8, 0.0, 0.0));
    Builder::new("wheel").gravity([0.0; 3]).link(bob).build().expect("an arm")
}

#[test]
fn the_servo_is_part_of_the_vibration() {
    let arm = wheel(Actuator::default());
    let frame = arm.frame("hand").expect("a hand");
    let servo = Servo { velocity: 0, stiffness: 50.0, damping: 1.5, reach: 1.0 };
    let found = vibrations(&arm, &[0.3], &[servo], frame).expect("vibrations");
    assert_eq!(found.len(), 1);
    let omega = (50.0_f64 / 0.5).sqrt();
    let ratio = 1.5 / (2.0 * (50.0_f64 * 0.5).sqrt());
    assert!((found[0].frequency / omega - 1.0).abs() < 1e-12);
    assert!((found[0].ratio / ratio - 1.0).abs() < 1e-12);
    // after a unit step it swings like e^(−ζωt)/√(1−ζ²), the hand 0.8 m from the axis
    let size = 0.8 / (1.0 - ratio * ratio).sqrt();
    assert!((found[0].amplitude / size - 1.0).abs() < 1e-9, "{}", found[0].amplitude);
}

/// A motor `J θ̈ = k (r − x) − K (θ − q)`, `x` the side that is measured, and the body
/// `I q̈ = K (θ − q)`: two frequencies in closed form.
#[test]
fn the_servo_of_an_elastic_joint_is_on_its_motor() {
    let (j, i, own, k) = (0.2, 0.5, 40.0, 30.0);
    let arm = wheel(Actuator { rotor_inertia: j, stiffness: Some(own), ..Actuator::default() });
    let frame = arm.frame("hand").expect("a hand");
    let motor = arm.motor_of(0);
    assert_ne!(motor, 0);
    // J I λ² − b λ + c = 0 for the squares
    let on_motor = (j * own + i * (k + own), k * own);
    let on_link = (own * (i + j), k * own);
    for (velocity, (b, c)) in [(motor, on_motor), (0, on_link)] {
        let servo = Servo { velocity, stiffness: k, damping: 0.0, reach: 1.0 };
        let found = vibrations(&arm, &[0.3, 0.3], &[servo], frame).expect("vibrations");
        let root = (b * b - 4.0 * j * i * c).sqrt();
        let squares = [(b - root) / (2.0 * j * i), (b + root) / (2.0 * j * i)];
        assert_eq!(found.len(), 2, "{found:?}");
        for (one, square) in found.iter().zip(squares) {
            assert!((one.frequency / square.sqrt() - 1.0).abs() < 1e-12, "{one:?} {square}");
            assert_eq!(one.ratio, 0.0, "undamped");
            // q = r c/(JI) (1 − …): the parts of a step of two oscillators in a row
            let other = squares[0] + squares[1] - square;
            let part = c / (j * i) / (square * (other - square)).abs();
            assert!((one.amplitude / (0.8 * part) - 1.0).abs() < 1e-9, "{one:?} {part}");
        }
    }
}

/// A carriage along x of 3 kg that carries one along y of 2 kg.
fn table() -> Arm {
    let carriage = |name: &str, axis, mass| {
        Link::new(name).joint(Joint::prismatic(axis)).payload(mass, [0.0; 3])
    };
    let hand = carriage("hand", [0.0, 1.0, 0.0], 2.0);
    let base = carriage("base", [1.0, 0.0, 0.0], 1.0);
    Builder::new("table").gravity([0.0; 3]).link(base).link(hand).build().expect("an arm")
}

/// The vibrations of the table with frequencies of 5 rad/s times these along x and y, and these
/// damping ratios.
fn of_table(times: [f64; 2], ratios: [f64; 2]) -> Vec<ShapedMode> {
    let arm = table();
    let servo = |velocity: usize| {
        let (mass, omega) = ([3.0, 2.0][velocity], 5.0 * times[velocity]);
        let damping = 2.0 * ratios[velocity] * omega * mass;
        Servo { velocity, stiffness: mass * omega * omega, damping, reach: [3.0, 4.0][velocity] }
    };
    let frame = arm.frame("hand").expect("a hand");
    vibrations(&arm, &[0.0; 2], &[servo(0), servo(1)], frame).expect("vibrations")
}

#[test]
fn equal_vibrations_are_one() {
    for apart in [0.0, 1e-12, 1e-7, 1e-4] {
        let found = of_table([1.0, 1.0 + apart], [0.0, 0.0]);
        assert_eq!(found.len(), 1, "{apart} {found:?}");
        let one = found[0];
        assert!((one.frequency / 5.0 - 1.0).abs() < 1e-4, "{one:?}");
        // 3 m along x and 4 m along y
        assert!((one.amplitude / 5.0 - 1.0).abs() < 1e-4, "{apart} {one:?}");
        assert_eq!(Shaper::new(ShaperKind::Zv, &found, None).expect("a shaper").impulses.len(), 2);
    }
    let found = of_table([1.0, 1.01], [0.0, 0.0]);
    let sizes: Vec<f64> = found.iter().map(|one| one.amplitude).collect();
    assert!(sizes.len() == 2 && (sizes[0] - 3.0).abs() < 1e-8 && (sizes[1] - 4.0).abs() < 1e-8);
}

#[test]
fn what_nearly_creeps_does_not_hide_what_vibrates() {
    let found = of_table([1.0, 3.0], [1.0 - 1e-8, 0.02]);
    let swings = found.iter().any(|one| (one.frequency / 15.0 - 1.0).abs() < 1e-9);
    assert!(swings, "{found:?}");
}

fn servo(velocity: usize, stiffness: f64, reach: f64) -> Servo {
    Servo { velocity, stiffness, damping: 0.0, reach }
}

/// Two slides across each other, which do not couple: 2 kg on the first, 1 kg on the second.
#[test]
fn what_the_command_hardly_stirs_is_left_out() {
    let slide = |name, axis| Link::new(name).joint(Joint::prismatic(axis)).payload(1.0, [0.0; 3]);
    let arm = Builder::new("gantry")
        .gravity([0.0; 3])
        .link(slide("x", [1.0, 0.0, 0.0]))
        .link(slide("y", [0.0, 1.0, 0.0]))
        .build()
        .expect("an arm");
    let frame = arm.frame("y").expect("a frame");
    let found = |reach| {
        let servos = [servo(0, 50.0, 1.0), servo(1, 50.0, reach)];
        vibrations(&arm, &[0.0, 0.0], &servos, frame).expect("vibrations")
    };
    assert_eq!(found(5e-4).len(), 1);
    let both = found(2e-3);
    assert_eq!(both.len(), 2);
    for (one, (omega, reach)) in both.iter().zip([(5.0, 1.0), (50.0_f64.sqrt(), 2e-3)]) {
        assert!((one.frequency / omega - 1.0).abs() < 1e-12, "{one:?}");
        assert!((one.amplitude / reach - 1.0).abs() < 1e-9, "{one:?}");
    }
}

/// Joints without a servo stand still; one with a spring of its own has both.
#[test]
fn springs_add_up_and_other_joints_are_locked() {
    let turn = |name| Link::new(name).joint(Joint::revolute([0.0, 0.0, 1.0]));
    let arm = Builder::new("two")
        .gravity([0.0; 3])
        .link(turn("upper").spring(&[30.0], &[0.0]).payload(1.0, [0.5, 0.0, 0.0]))
        .link(turn("fore").placed(Pose::at(0.5, 0.0, 0.0)).payload(1.0, [0.4, 0.0, 0.0]))
        .build()
        .expect("an arm");
    let frame = arm.frame("fore").expect("a frame");
    let q = [0.2, 0.7];
    let found = vibrations(&arm, &q, &[servo(0, 50.0, 1.0)], frame).expect("vibrations");
    let inertia = arm.mass_matrix(&q).expect("a mass matrix")[(0, 0)];
    assert!(found.len() == 1 && (found[0].frequency.powi(2) * inertia / 80.0 - 1.0).abs() < 1e-12);
    let damped = Servo { damping: 100.0, ..servo(0, 50.0, 1.0) };
    assert_eq!(vibrations(&arm, &q, &[damped], frame).expect("none"), []);
}

/// The links hang at rest, however they are given.
#[test]
fn bending_that_is_given_does_not_count() {
    let arm = crane().with_gravity(Vec3::new(0.0, -9.81, 0.0));
    let frame = arm.frame("tip").expect("a tip");
    let found = |bent: f64| {
        let mut q = arm.neutral();
        q[2] = bent;
        vibrations(&arm, &q, &[servo(1, 40.0, 1.0)], frame).expect("vibrations")
    };
    let (straight, bent) = (found(0.0), found(0.3));
    assert_eq!(straight.len(), bent.len());
    for (one, other) in straight.iter().zip(&bent) {
        assert!((one.frequency / other.frequency - 1.0).abs() < 1e-9, "{one:?} {other:?}");
    }
}

#[test]
fn what_cannot_be_shaped_is_named() {
    let modes = [vibration(5.0, 0.01), vibration(400.0, 0.0)];
    let error = Shaper::new(ShaperKind::Zvd, &modes, Some(100.0)).expect_err("too fast");
    assert_eq!(
        error.with_help(),
        "mode 2 vibrates at 63.6620 Hz, above half of the 100.0000 Hz at which the command is sampled; shape fewer modes or sample faster"
    );
    let error = Shaper::new(ShaperKind::Zv, &[vibration(5.0, 1.2)], None).expect_err("damped");
    assert!(matches!(error, ShaperError::NoVibration { mode: 1, .. }));
    for none in [vibration(5.0, -0.1), vibration(0.0, 0.1), vibration(f64::NAN, 0.1)] {
        let error = Shaper::new(ShaperKind::Zv, &[none], None).expect_err("no vibration");
        assert!(matches!(error, ShaperError::NoVibration { mode: 1, .. }), "{none:?}");
    }
    for left in [1.5, 1.0, 0.0, -0.1] {
        let kind = ShaperKind::Ei { left };
        let error = Shaper::new(kind, &modes[..1], None).expect_err("no part");
        assert!(error.with_help().contains(&format!("a part of {left} of")), "{error}");
    }
    // half of 100 ticks in a second
    let hertz = |hertz: f64| [vibration(std::f64::consts::TAU * hertz, 0.0)];
    assert!(Shaper::new(ShaperKind::Zv, &hertz(49.9), Some(100.0)).is_ok());
    assert!(Shaper::new(ShaperKind::Zv, &hertz(50.1), Some(100.0)).is_err());
}
