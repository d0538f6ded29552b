//! What sensors show.

use super::{column, everything, finish, pendulum, rotor, slide};
use pliant::arm::{Builder, Joint, Link};
use pliant::beam::{Basis, Beam, Section, Ways};
use pliant::simulate::{Clock, Delay, Diagram, Noise, Sensor, SensorQuantity};
use pliant::spatial::{Pose, Vec3, euler_xyz};
use std::f64::consts::TAU;

/// A wheel that turns by 1 rad/s.
fn turning(arm: &pliant::arm::Arm) -> Diagram {
    let mut scenario = Diagram::new(arm, 1.0, 0.001);
    scenario.selection = everything();
    scenario.u = vec![1.0];
    scenario
}

#[test]
fn an_encoder_counts_and_is_late() {
    let arm = rotor(0.0);
    let mut scenario = turning(&arm);
    let clock = Clock::hertz(100.0).expect("good");
    for (name, delay) in
        [("prompt", Delay::None), ("ticks", Delay::Ticks(3)), ("seconds", Delay::Seconds(0.0255))]
    {
        let encoder = Sensor::encoder(name, 0, 500, clock);
        scenario.sensors.push(Sensor { delay, ..encoder });
    }
    let (_, rows) = finish(&mut scenario, 1e-12);
    let names = ["prompt", "ticks", "seconds"];
    let columns = names.map(|name| column(&rows, name));
    let step = TAU / 500.0;
    for (k, &t) in rows.times.iter().enumerate() {
        // in milliseconds: the tick that is seen
        for (column, late) in columns.iter().zip([0.0, 30.0, 25.5]) {
            let since = k as f64 - late;
            let tick = (since / 10.0).floor() * 0.01;
            let want = if since < 0.0 { 0.0 } else { (tick / step).round() * step };
            assert_eq!(column[k], want, "at {t}, {late} ms late");
        }
    }
}

#[test]
fn noise_follows_from_the_seed() {
    let arm = rotor(0.0);
    let clock = Clock::hertz(1000.0).expect("good");
    let noisy = |seed: u64| {
        let mut scenario = Diagram::new(&arm, 10.0, 0.001);
        scenario.seed = seed;
        for name in ["a", "b"] {
            let sensor = Sensor::new(name, SensorQuantity::Coordinate(0), clock);
            scenario.sensors.push(Sensor { noise: 0.3, ..sensor });
        }
        let (_, rows) = finish(&mut scenario, 1e-9);
        [column(&rows, "a"), column(&rows, "b")]
    };
    let [a, b] = noisy(5);
    let bits = |values: &[f64]| values.iter().map(|v| v.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&a), bits(&noisy(5)[0]));
    assert_ne!(bits(&a), bits(&noisy(6)[0]));
    let n = a.len() as f64;
    let mean = a.iter().sum::<f64>() / n;
    let variance = a.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n;
    let together = a.iter().zip(&b).map(|(a, b)| a * b).sum::<f64>() / n;
    // four deviations of what 10,000 numbers leave
    assert!(mean.abs() < 4.0 * 0.3 / n.sqrt(), "{mean}");
    assert!((variance / 0.09 - 1.0).abs() < 4.0 * (2.0 / n).sqrt(), "{variance}");
    assert!(together.abs() < 4.0 * 0.09 / n.sqrt(), "{together}");
}

#[test]
fn the_tails_of_the_noise_are_gaussian() {
    let mut noise = Noise::new(1, 0);
    let beyond = |limit: f64, noise: &mut Noise| {
        (0..200_000).filter(|_| noise.gaussian().abs() > limit).count() as f64 / 200_000.0
    };
    // of a Gaussian 31.73 % lie beyond one deviation, 4.55 % beyond two, 0.27 % beyond three
    for (limit, share) in [(1.0, 0.3173), (2.0, 0.0455), (3.0, 0.0027)] {
        let got = beyond(limit, &mut noise);
        assert!((got - share).abs() < 5.0 * (share / 200_000.0).sqrt(), "{limit}: {got}");
    }
}

#[test]
fn an_accelerometer_feels_its_support() {
    // at rest it is pushed up; in free fall it feels nothing
    let clock = Clock::every(0.1).expect("good");
    let tilt = Pose::new(euler_xyz(0.4, 0.0, 0.0), Vec3::ZERO);
    let table = Builder::new("table")
        .gravity([0.0, 0.0, -9.81])
        .link(
            Link::new("plate")
                .joint(Joint::prismatic([0.0, 0.0, 1.0]))
                .prescribed()
                .payload(1.0, [0.0; 3])
                .frame("tilted", tilt),
        )
        .build()
        .expect("a good arm");
    for (arm, felt) in [(table, 9.81), (slide(), 0.0)] {
        let frame = arm.frames().len() - 1;
        let mut scenario = Diagram::new(&arm, 0.5, 0.1);
        scenario.sensors.push(Sensor::new("feel", SensorQuantity::SpecificForce { frame }, clock));
        scenario.sensors.push(Sensor::new("place", SensorQuantity::Position { frame }, clock));
        scenario.selection = everything();
        let (_, rows) = finish(&mut scenario, 1e-10);
        let tilt = if felt > 0.0 { 0.4_f64 } else { 0.0 };
        for (axis, want) in [("x", 0.0), ("y", felt * tilt.sin()), ("z", felt * tilt.cos())] {
            for got in column(&rows, &format!("feel.{axis}")) {
                assert!((got - want).abs() < 1e-12, "{axis}: {got} {want}");
            }
        }
        let name = arm.frames()[frame].name();
        let truth = column(&rows, &format!("{name}.position.z"));
        assert_eq!(column(&rows, "place.z"), truth);
    }
}

#[test]
fn an_accelerometer_feels_the_swing() {
    // a pendulum of a point mass feels only the force along its rod
    let arm = pendulum();
    let frame = arm.frame("bob").expect("there");
    let clock = Clock::every(0.05).expect("good");
    let mut scenario = Diagram::new(&arm, 1.0, 0.05);
    scenario.sensors.push(Sensor::new("feel", SensorQuantity::SpecificForce { frame }, clock));
    scenario.selection = everything();
    let (_, rows) = finish(&mut scenario, 1e-11);
    let angles = column(&rows, "bob");
    for (k, got) in column(&rows, "feel.x").into_iter().enumerate() {
        // at the joint, which does not accelerate, gravity alone in turned axes
        assert!((got - 9.81 * angles[k].sin()).abs() < 1e-10);
    }
}

#[test]
fn a_gauge_shows_the_strain_of_the_shapes() {
    let section = Section {
        ea: 2.8e7,
        ei_z: 1.4e3,
        ei_y: 0.7e3,
        gj: 1e4,
        kga_y: None,
        kga_z: None,
        rho_a: 1.2,
        rho_i_z: 6e-4,
        rho_i_y: 6e-4,
    };
    let basis = Basis::Hermite { elements: 2, ways: Ways::new(true, true, false, true) };
    let arm = Builder::new("boom")
        .gravity([-2.0, -9.81, 3.0])
        .link(Link::new("boom").beam(Beam::new(2.0, section, basis)))
        .build()
        .expect("a good arm");
    let clock = Clock::every(0.01).expect("good");
    let place = [0.02, -0.03];
    let mut scenario = Diagram::new(&arm, 0.05, 0.01);
    scenario.q = vec![0.01, 0.02, -0.01, 0.03, 1e-4, 0.03, 0.01, 0.02, -0.02, 3e-4];
    let start = scenario.q.clone();
    // the roots of both elements
    for (name, distance) in [("root", 0.0), ("middle", 1.0)] {
        let quantity = SensorQuantity::Strain { link: 0, distance, place };
        scenario.sensors.push(Sensor::new(name, quantity, clock));
    }
    let (_, rows) = finish(&mut scenario, 1e-9);
    // θ_z = v' and θ_y = −w' of each node, and the second derivative of the cubic after it
    let node =
        |k: usize| if k == 0 { [0.0; 5] } else { std::array::from_fn(|c| start[5 * k - 5 + c]) };
    let bent = |[v, slope]: [f64; 2], [w, rise]: [f64; 2]| 6.0 * (w - v) - 4.0 * slope - 2.0 * rise;
    for (k, name) in ["root", "middle"].into_iter().enumerate() {
        let ([v, rz, w, ry, s], [v1, rz1, w1, ry1, s1]) = (node(k), node(k + 1));
        let (about_z, about_y) = (bent([v, rz], [v1, rz1]), -bent([w, -ry], [w1, -ry1]));
        let want = s1 - s + place[1] * about_y - place[0] * about_z;
        let got = column(&rows, name)[0];
        assert!((got - want).abs() < 1e-6 * want.abs(), "{name}: {got:e} {want:e}");
    }
}
