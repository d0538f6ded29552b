//! Input shapers: by their conditions, and on an oscillator.

use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::plan::{Path, Profile, Servo, Shaper, ShaperError, ShaperKind, Vibration, vibrations};

const KINDS: [ShaperKind; 3] = [ShaperKind::Zv, ShaperKind::Zvd, ShaperKind::Ei { left: 0.05 }];

fn vibration(frequency: f64, ratio: f64) -> Vibration {
    Vibration { frequency, ratio, amplitude: 1.0 }
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

#[test]
fn several_at_once() {
    let modes = [vibration(5.0, 0.01), vibration(23.0, 0.05)];
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
    let path = Path::corners(&[vec![0.0], vec![1.5]], &[1.0], Profile::MinimumJerk, 0.2);
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

/// A body on a servo: `I θ̈ = k (r − θ) − d θ̇`.
fn wheel() -> Arm {
    let bob =
        Link::new("bob").joint(Joint::revolute([0.0, 0.0, 1.0])).payload(2.0, [0.5, 0.0, 0.0]);
    let bob = bob.frame(
        "hand",
        pliant::spatial::Pose::new(
            pliant::spatial::Mat3::IDENTITY,
            pliant::spatial::Vec3::new(0.8, 0.0, 0.0),
        ),
    );
    Builder::new("wheel").gravity([0.0; 3]).link(bob).build().expect("an arm")
}

#[test]
fn the_servo_is_part_of_the_vibration() {
    let arm = wheel();
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

#[test]
fn what_cannot_be_shaped_is_named() {
    let modes = [vibration(5.0, 0.01), vibration(400.0, 0.0)];
    let error = Shaper::new(ShaperKind::Zvd, &modes, Some(100.0)).expect_err("too fast");
    assert_eq!(
        error.to_string(),
        "mode 2 vibrates at 63.6620 Hz, above half of the 100.0000 Hz at which the command is sampled; shape fewer modes or sample faster"
    );
    let error = Shaper::new(ShaperKind::Zv, &[vibration(5.0, 1.2)], None).expect_err("damped");
    assert!(matches!(error, ShaperError::NoVibration { mode: 1, .. }));
    let kind = ShaperKind::Ei { left: 1.5 };
    let error = Shaper::new(kind, &modes[..1], None).expect_err("no part");
    assert!(error.to_string().contains("1.5"), "{error}");
}
