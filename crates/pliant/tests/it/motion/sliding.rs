//! Links that slide while they bend.

use super::pushed::{
    PAYLOAD, Pushed, RHO_A, WHOLE, apart, clamped_mass, elements, history, section, slider,
};
use super::{clock, run};
use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::beam::{Basis, Beam, Scale, Slide, Ways};
use pliant::dynamics::rnea;
use pliant::integrate::Dop853;
use pliant::simulate::{BlockError, ForceInput};
use pliant::spatial::{Pose, Vec3, euler_xyz};

/// A hub with a sliding link that carries a payload and an elbow with a further link.
fn crane(base: Joint, basis: Basis, rho_i: f64, scale: Scale) -> Arm {
    let slide = Slide { scale, ..Slide::between(0.3, 1.3) };
    let root = Pose::new(euler_xyz(0.3, -0.2, 0.5), Vec3::from([0.05, 0.02, -0.03]));
    let beam = Beam { root, ..slider(basis, rho_i, slide) };
    let compact = [[0.02, 0.0, 0.0], [0.0, 0.03, 0.0], [0.0, 0.0, 0.025]];
    Builder::new("crane")
        .gravity(if base == Joint::Free { [0.0; 3] } else { [0.0, -9.81, 0.0] })
        .link(Link::new("hub").joint(base).body(2.0, [0.0, 0.05, 0.0], compact))
        .link(
            Link::new("boom")
                .joint(Joint::revolute([0.0, 0.0, 1.0]))
                .placed(Pose::at(0.1, 0.0, 0.05))
                .body(0.4, [0.0, 0.01, 0.0], [[1e-3, 0.0, 0.0], [0.0, 1e-3, 0.0], [0.0, 0.0, 1e-3]])
                .beam(beam)
                .tip_body(PAYLOAD, [0.0; 3], [[0.0; 3]; 3]),
        )
        .link(
            Link::new("hook")
                .on("boom")
                .joint(Joint::revolute([0.0, 1.0, 0.0]))
                .at_section(WHOLE)
                .body(
                    0.1,
                    [0.05, 0.0, 0.02],
                    [[1e-4, 0.0, 0.0], [0.0, 2e-4, 0.0], [0.0, 0.0, 2e-4]],
                ),
        )
        .build()
        .expect("a good arm")
}

/// A drive that pushes the beam out and pulls it back like a spring, so that its work is known.
#[derive(Clone, Copy)]
struct Pull {
    at: usize,
    length: usize,
}

const PULL: f64 = 80.0;
const CENTRE: f64 = 0.75;

impl ForceInput for Pull {
    fn act(
        &mut self,
        _: f64,
        q: &[f64],
        _: &[f64],
        tau: &mut [f64],
        _: &mut [f64],
    ) -> Result<(), BlockError> {
        tau[self.length] = PULL * (CENTRE - q[self.at]);
        Ok(())
    }
}

/// The work done from one length to another (J).
fn work(from: f64, to: f64) -> f64 {
    0.5 * PULL * ((CENTRE - from).powi(2) - (CENTRE - to).powi(2))
}

/// The crane swinging while its boom goes out and comes back, its first shape moving at the start.
fn swing(arm: &Arm, tolerance: f64, kick: f64) -> (usize, Vec<Vec<f64>>) {
    let (at, length) = arm.length_of(1).expect("it slides");
    let mut start = [arm.neutral(), vec![0.0; arm.nv()]].concat();
    start[at] = 0.5;
    start[arm.nq() + length - 1] = 0.8;
    start[arm.nq() + length + 1] = kick;
    (at, run(arm, Pull { at, length }, tolerance, &start, &clock(0.5, 40)))
}

/// What a swing keeps: energy less the work of the drive, and momenta, as parts of the largest
/// energy and momentum. It must go out and back.
fn kept(arm: &Arm) -> (f64, f64) {
    let (at, states) = swing(arm, 1e-12, 0.5);
    let parts = |y: &[f64]| {
        let (q, u) = y.split_at(arm.nq());
        (arm.energies(q, u).expect("in the stroke"), arm.momenta(q, u).expect("in the stroke"))
    };
    let (first, momenta) = parts(&states[0]);
    let (mut energy, mut size, mut drift, mut momentum) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
    for y in &states {
        let (now, moving) = parts(y);
        energy = energy.max((now.total() - first.total() - work(states[0][at], y[at])).abs());
        size = size.max(now.kinetic + now.elastic + now.potential.abs());
        drift = drift.max((moving.angular - momenta.angular).norm());
        drift = drift.max((moving.linear - momenta.linear).norm());
        momentum = momentum.max(moving.angular.norm()).max(moving.linear.norm());
    }
    let lengths = states.iter().map(|y| y[at]);
    let (furthest, last) = (lengths.fold(0.0, f64::max), states[states.len() - 1][at]);
    assert!(furthest > 0.8 && last < furthest - 0.1, "out to {furthest} m, back to {last} m");
    (energy / size, drift / momentum)
}

/// Shapes of every kind, in both planes and with torsion.
fn families() -> Vec<Basis> {
    vec![
        Basis::ClampedFree(Ways::new(2, 1, 1, 0)),
        clamped_mass(Ways::new(1, 2, 1, 0)),
        Basis::Hermite { elements: 1, ways: Ways::new(true, true, true, false) },
    ]
}

#[test]
fn energy_less_the_work_of_the_drive_is_kept() {
    for basis in families() {
        let arm = crane(Joint::Fixed, basis.clone(), 2e-3, Scale::One);
        let (energy, _) = kept(&arm);
        assert!(energy < 1e-9, "{basis:?}: {energy:e}");
    }
}

#[test]
fn a_floating_hub_keeps_its_momenta() {
    for basis in families() {
        let arm = crane(Joint::Free, basis.clone(), 2e-3, Scale::One);
        let (energy, momenta) = kept(&arm);
        assert!(energy < 1e-9 && momenta < 1e-10, "{basis:?}: {energy:e} {momenta:e}");
    }
}

#[test]
fn motions_do_not_know_the_scale_of_the_shapes() {
    let histories = [Scale::One, Scale::Tip].map(|scale| {
        let arm = crane(Joint::Fixed, clamped_mass(Ways::new(1, 1, 0, 0)), 2e-3, scale);
        let (_, states) = swing(&arm, 1e-13, 0.0);
        let tip = |y: &Vec<f64>| arm.pose(&y[..arm.nq()], "boom.tip").expect("there").position;
        states.iter().map(tip).collect::<Vec<_>>()
    });
    let [one, tip] = &histories;
    let pairs = one.iter().zip(tip);
    let difference = pairs.map(|(a, b)| (*a - *b).norm()).fold(0.0, f64::max);
    assert!(difference < 1e-10, "{difference:e} m");
}

/// With the length held a sliding link is an ordinary one with a bar behind it.
#[test]
fn a_length_that_stays_makes_an_ordinary_link() {
    let (length, rho_i) = (0.8, 2e-3);
    let ways = Ways::new(2, 1, 1, 0);
    let root = Pose::new(euler_xyz(0.3, -0.2, 0.5), Vec3::from([0.05, 0.02, -0.03]));
    let inside = WHOLE - length;
    let bar = |along: f64| {
        let across = RHO_A * inside.powi(3) / 12.0;
        let (iz, iy) = (rho_i * inside, 1.3 * rho_i * inside);
        let tensor = [[iz + iy, 0.0, 0.0], [0.0, across + iy, 0.0], [0.0, 0.0, across + iz]];
        (RHO_A * inside, [along, 0.0, 0.0], tensor)
    };
    let arm = |slides: bool| {
        let basis = Basis::ClampedFree(ways);
        let beam = if slides {
            slider(basis, rho_i, Slide::between(0.2, 1.2))
        } else {
            Beam::new(length, section(rho_i), basis)
        };
        let boom = Link::new("boom").joint(Joint::revolute([0.0, 1.0, 0.0]));
        let boom = boom.placed(root).beam(beam).tip_body(
            0.7,
            [0.02, 0.0, 0.03],
            [[2e-3, 0.0, 0.0], [0.0, 3e-3, 0.0], [0.0, 0.0, 4e-3]],
        );
        let boom = if slides {
            boom
        } else {
            let (mass, centre, tensor) = bar(-0.5 * inside);
            boom.body(mass, centre, tensor)
        };
        Builder::new("boom").link(Link::new("base").joint(Joint::Spherical)).link(boom).build()
    };
    let (slides, ordinary) = (arm(true).expect("good"), arm(false).expect("good"));
    let (at, moving) = slides.length_of(1).expect("it slides");
    let own = [0.9, 0.1, -0.3, 0.3, 0.4, 0.03, -0.01, 0.02, 0.05];
    let norm = own[..4].iter().map(|c| c * c).sum::<f64>().sqrt();
    let q: Vec<f64> =
        own.iter().enumerate().map(|(k, x)| if k < 4 { x / norm } else { *x }).collect();
    let u = [0.3, -0.6, 0.8, 1.1, 0.4, -0.3, 0.2, 0.5];
    let ud = [1.0, -2.0, 0.5, 3.0, -1.0, 2.0, 4.0, -2.0];
    let with = |values: &[f64], place: usize, value: f64| {
        [&values[..place], &[value], &values[place..]].concat()
    };
    let sliding = slides.inverse_dynamics(
        &with(&q, at, length),
        &with(&u, moving, 0.0),
        &with(&ud, moving, 0.0),
    );
    let sliding = sliding.expect("a good state");
    let fixed = ordinary.inverse_dynamics(&q, &u, &ud).expect("a good state");
    let rest: Vec<f64> =
        sliding.iter().enumerate().filter(|(v, _)| *v != moving).map(|(_, x)| *x).collect();
    let largest = fixed.amax();
    for (got, want) in rest.iter().zip(fixed.iter()) {
        assert!((got - want).abs() < 1e-13 * largest, "{got} {want}");
    }
}

/// Where nothing bends, a rigid bar on a prismatic joint is left.
#[test]
fn a_straight_beam_is_a_bar_on_a_prismatic_joint() {
    let rho_i = 2e-3;
    let tensor = {
        let across = RHO_A * WHOLE.powi(3) / 12.0;
        let (iz, iy) = (rho_i * WHOLE, 1.3 * rho_i * WHOLE);
        [[iz + iy, 0.0, 0.0], [0.0, across + iy, 0.0], [0.0, 0.0, across + iz]]
    };
    let hub = || {
        Link::new("hub").joint(Joint::Universal { first: [0.0, 0.0, 1.0], second: [0.0, 1.0, 0.0] })
    };
    let beam = slider(Basis::ClampedFree(Ways::new(2, 2, 1, 0)), rho_i, Slide::between(0.2, 1.2));
    let slides = Builder::new("slides")
        .link(hub().beam(beam).tip_body(0.5, [0.0; 3], [[0.0; 3]; 3]))
        .build()
        .expect("good");
    let bar = Builder::new("bar")
        .link(hub())
        .link(
            Link::new("bar")
                .joint(Joint::prismatic([1.0, 0.0, 0.0]))
                .body(RHO_A * WHOLE, [-0.5 * WHOLE, 0.0, 0.0], tensor)
                .payload(0.5, [0.0; 3]),
        )
        .build()
        .expect("good");
    let (q, u, ud) = ([0.4, -0.7, 0.9], [0.8, -0.5, 1.3], [2.0, -1.0, 3.0]);
    let wide = |values: &[f64]| [values, &[0.0; 5]].concat();
    let sliding = slides.inverse_dynamics(&wide(&q), &wide(&u), &wide(&ud)).expect("good");
    let rigid = bar.inverse_dynamics(&q, &u, &ud).expect("good");
    for k in 0..3 {
        assert!(
            (sliding[k] - rigid[k]).abs() < 1e-13 * rigid.amax(),
            "{} {}",
            sliding[k],
            rigid[k]
        );
    }
}

/// Six clamped-mass shapes and ten elements, from 0.3 m to 1 m at these speeds (m/s). `cargo xtask
/// bench sliding` does the same at lower speeds, where the elements' phase error has more time to
/// grow, and for fewer shapes.
fn shapes_and_elements_agree(speeds: &[f64]) {
    let [shapes, nodes] = [clamped_mass(Ways::new(6, 0, 0, 0)), elements(10)].map(Pushed::new);
    for &speed in speeds {
        let difference = apart(&history(&shapes, speed), &history(&nodes, speed));
        assert!(difference < 1e-4, "{speed} m/s: {difference:e}");
    }
}

#[test]
fn shapes_and_elements_converge_to_one_motion() {
    shapes_and_elements_agree(&[20.0]);
}

#[test]
#[ignore = "long: the same at speeds that leave time for many vibrations"]
fn shapes_and_elements_converge_to_one_motion_when_slow() {
    shapes_and_elements_agree(&[0.778, 5.0]);
}

#[test]
fn the_action_stays_while_a_link_grows() {
    the_action_stays(0.3, 1.0);
}

#[test]
fn the_action_stays_while_a_link_shrinks() {
    the_action_stays(1.0, -1.0);
}

/// `E/ω` of the first mode, averaged over a period of it, stays; the amplitude does not.
fn the_action_stays(from: f64, way: f64) {
    let speed = 0.778;
    let pushed = Pushed::new(clamped_mass(Ways::new(4, 0, 0, 0)));
    let (arm, duration) = (&pushed.arm, 0.7 / speed);
    let samples = 20_000;
    let states = pushed.run([from, from + 0.7 * way], way * speed, samples, Dop853::new(1e-10));
    let (at, moving) = arm.length_of(0).expect("it slides");
    // the energy of vibration: without what the beam has as a rigid bar
    let ratio = |y: &Vec<f64>| {
        let (q, u) = y.split_at(arm.nq());
        let mut bar = vec![0.0; arm.nq()];
        bar[at] = q[at];
        let mut slides = vec![0.0; arm.nv()];
        slides[moving] = u[moving];
        let (all, rigid) = (arm.energies(q, u), arm.energies(&bar, &slides));
        let energy = all.expect("good").total() - rigid.expect("good").total();
        let omega = arm.modes(&bar).expect("modes").modes[0].frequency();
        (energy / omega, omega)
    };
    let every = 20;
    let step = duration / f64::from(samples as u32) * f64::from(every as u32);
    let actions: Vec<(f64, f64)> = states.iter().step_by(every).map(ratio).collect();
    // over one period about a place, by its phase
    let average = |centre: usize| {
        let half = std::f64::consts::PI / actions[centre].1;
        let mut sum = 0.0;
        let mut weights = 0.0;
        for (k, (action, _)) in actions.iter().enumerate() {
            let off = (k as f64 - centre as f64) * step / half;
            if off.abs() < 1.0 {
                let weight = 1.0 + (std::f64::consts::PI * off).cos();
                sum += weight * action;
                weights += weight;
            }
        }
        sum / weights
    };
    let ends = [actions.len() / 20, actions.len() / 2, actions.len() * 19 / 20];
    let [first, middle, last] = ends.map(average);
    assert!((middle / first - 1.0).abs() < 1e-4, "{way}: {first:e} {middle:e}");
    assert!((last / first - 1.0).abs() < 1e-4, "{way}: {first:e} {last:e}");
    let tips = pushed.tips(&states);
    let amplitude = |part: &[f64]| part.iter().fold(0.0_f64, |m, x| m.max(x.abs()));
    let (early, late) = (amplitude(&tips[..samples / 10]), amplitude(&tips[samples * 9 / 10..]));
    if way > 0.0 {
        assert!(late > 1.5 * early, "the amplitude grows: {early} {late}");
    } else {
        assert!(late < early / 1.5, "the amplitude falls: {early} {late}");
    }
}

/// Inverse dynamics where an arm slides need no memory, like everything else.
#[test]
fn a_workspace_serves_many_lengths() {
    let arm = crane(Joint::Fixed, Basis::ClampedFree(Ways::new(1, 1, 1, 0)), 2e-3, Scale::One);
    let (at, _) = arm.length_of(1).expect("it slides");
    let mut work = rnea::Workspace::new(&arm);
    let (mut q, u) = (arm.neutral(), vec![0.3; arm.nv()]);
    for length in [0.4, 1.1, 0.7] {
        q[at] = length;
        let mut tau = vec![0.0; arm.nv()];
        rnea::rnea_into(&arm, &mut work, &q, &u, &u, &mut tau);
        let fresh = arm.inverse_dynamics(&q, &u, &u).expect("good");
        assert_eq!(tau, fresh.as_slice());
    }
}

/// The part outside is an ordinary beam with the same coordinates: the same strain energy, and what
/// it feels inside does its work.
#[test]
fn the_part_outside_can_be_looked_at_as_an_ordinary_beam() {
    let mut bases = families();
    bases.push(Basis::Hermite { elements: 3, ways: Ways::new(true, false, true, false) });
    for (basis, scale) in bases.into_iter().zip([Scale::One, Scale::Tip, Scale::One, Scale::One]) {
        let slide = Slide { scale, ..Slide::between(0.3, 1.3) };
        let arm = |beam: Beam| {
            let link = Link::new("boom").beam(beam).tip_body(PAYLOAD, [0.0; 3], [[0.0; 3]; 3]);
            Builder::new("boom").link(link).build().expect("a good arm")
        };
        let slides = arm(slider(basis.clone(), 2e-3, slide));
        let (at, v) = slides.length_of(0).expect("it slides");
        for length in [0.45, 1.1] {
            let mut q = slides.neutral();
            q[at] = length;
            for (k, value) in q[at + 1..].iter_mut().enumerate() {
                *value = 1e-3 * (1.0 + k as f64).sin();
            }
            let beam = slides.beam_at(0, &q).expect("a beam");
            assert_eq!((beam.length, beam.slide), (length, None));
            let ordinary = arm(beam);
            let (want, bent) = (slides.elastic_forces(&q).expect("good"), &q[at + 1..]);
            let got = ordinary.elastic_forces(bent).expect("good");
            for (got, want) in got.iter().zip(&want.as_slice()[v + 1..]) {
                assert!(
                    (got - want).abs() < 1e-9 * want.abs().max(1e-3),
                    "{basis:?}: {got} {want}"
                );
            }
            let [forces] = &slides.internal_forces(&q).expect("good")[..] else { panic!("one") };
            let own = &ordinary.internal_forces(bent).expect("good")[0];
            assert_eq!(forces.cuts.len(), own.cuts.len());
            for (got, want) in forces.cuts.iter().zip(&own.cuts) {
                let [got, want] = [got, want].map(|cut| {
                    let force = cut.force;
                    let [shear_y, shear_z] = cut.shear;
                    [force.axial, force.torque, force.moment_y, force.moment_z, shear_y, shear_z]
                });
                for (got, want) in got.iter().zip(want) {
                    assert!((got - want).abs() < 1e-10 * PAYLOAD * 9.81, "{basis:?}: {got} {want}");
                }
            }
            let sound = slides.out_of_range(&q, &vec![0.0; slides.nv()], &[]).expect("good");
            assert!(sound.is_empty(), "{sound:?}");
            q[at + 1] = 0.6;
            let steep = slides.out_of_range(&q, &vec![0.0; slides.nv()], &[]).expect("good");
            assert!(steep[0].help().contains("cannot be divided"), "{steep:?}");
        }
    }
}
