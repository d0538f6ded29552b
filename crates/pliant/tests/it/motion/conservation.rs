//! What motion keeps: energy, and momentum where nothing holds the arm.

use super::{clock, run, run_by};
use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::beam::{Basis, Beam, CrossSection, Material, Matter, Profile, ShapeLoad, Ways};
use pliant::integrate::Adams;
use pliant::simulate::Unforced;
use pliant::spatial::{Pose, Vec3, euler_xyz};

/// A bar of aluminium, round, tapered to two thirds.
fn bar(diameter: f64, basis: Basis) -> Beam {
    let matter = |diameter| Matter::Made {
        outline: CrossSection::Round { diameter },
        material: Material::named("aluminium").expect("known"),
    };
    let profile = Profile::along(vec![(0.0, matter(diameter)), (1.0, matter(diameter / 1.5))]);
    Beam::new(1.0, profile, basis)
}

/// Two bars that bend both ways and twist, a payload beyond the tip, the second joint across the
/// first.
pub(crate) fn two_bars(base: Joint, bases: [Basis; 2], foreshortening: bool) -> Arm {
    let [inner, outer] = bases;
    let [inner, outer] =
        [bar(0.012, inner), bar(0.01, outer)].map(|beam| Beam { foreshortening, ..beam });
    let across = Pose::new(euler_xyz(1.2, 0.0, 0.3), Vec3::ZERO);
    let small = [[1e-3, 0.0, 0.0], [0.0, 2e-3, 0.0], [0.0, 0.0, 2.5e-3]];
    Builder::new("two bars")
        .gravity(if base == Joint::Free { [0.0; 3] } else { [0.0, -9.81, 0.0] })
        .link(Link::new("hub").joint(base).body(
            1.5,
            [0.0, 0.02, 0.0],
            [[0.01, 0.0, 0.0], [0.0, 0.012, 0.0], [0.0, 0.0, 0.015]],
        ))
        .link(Link::new("inner").joint(Joint::revolute([0.0, 0.0, 1.0])).beam(inner))
        .link(
            Link::new("outer")
                .joint(Joint::revolute([0.0, 0.0, 1.0]))
                .at_section(1.0)
                .placed(across)
                .beam(outer)
                .tip_body(0.3, [0.02, 0.01, 0.0], small),
        )
        .build()
        .expect("a good arm")
}

/// The largest change of energy as a part of the largest kinetic energy, and of both momenta as a
/// part of their largest.
fn drift(arm: &Arm, states: &[Vec<f64>]) -> (f64, f64) {
    let parts = |y: &Vec<f64>| {
        let (q, u) = y.split_at(arm.nq());
        (arm.energies(q, u).expect("a good state"), arm.momenta(q, u).expect("a good state"))
    };
    let (first, momenta) = parts(&states[0]);
    let (mut energy, mut kinetic, mut momentum, mut size) = (0.0_f64, 0.0_f64, 0.0_f64, 0.0_f64);
    for state in states {
        let (energies, now) = parts(state);
        energy = energy.max((energies.total() - first.total()).abs());
        kinetic = kinetic.max(energies.kinetic);
        momentum = momentum.max((now.linear - momenta.linear).norm());
        momentum = momentum.max((now.angular - momenta.angular).norm());
        size = size.max(now.linear.norm()).max(now.angular.norm());
    }
    (energy / kinetic, momentum / size)
}

pub(crate) fn bases() -> Vec<[Basis; 2]> {
    let ways = Ways::new(1, 1, 1, 0);
    let elements = Ways::new(true, true, true, false);
    vec![
        [Basis::ClampedFree(ways), Basis::ClampedMass { ways, load: ShapeLoad::Outboard }],
        [
            Basis::Eigenmodes {
                elements: 4,
                ways,
                load: ShapeLoad::Outboard,
                hinge_y: Some(0.01),
                hinge_z: None,
            },
            Basis::RootPinned(ways),
        ],
        [Basis::Hermite { elements: 1, ways: elements }, Basis::ClampedFree(ways)],
    ]
}

#[test]
fn a_swing_in_space_keeps_its_energy() {
    for bases in bases() {
        let arm = two_bars(Joint::Fixed, bases, true);
        let mut start = [arm.neutral(), vec![0.0; arm.nv()]].concat();
        start[arm.nq()] = 1.0;
        let (energy, _) = drift(&arm, &run(&arm, Unforced, 1e-11, &start, &clock(1.0, 50)));
        // what order 8 leaves at this tolerance
        assert!(energy < 1e-10, "{energy:e}");
        let states = run_by(&arm, Unforced, Adams::new(1e-11), &start, &clock(1.0, 50));
        let (energy, _) = drift(&arm, &states);
        assert!(energy < 1e-9, "Adams: {energy:e}");
    }
}

#[test]
fn a_floating_arm_keeps_its_momenta() {
    for bases in bases() {
        let arm = two_bars(Joint::Free, bases, true);
        let mut start = [arm.neutral(), vec![0.0; arm.nv()]].concat();
        let spins = [0.2, -0.1, 0.3, 0.5, -0.4, 0.6, 1.0];
        start[arm.nq()..arm.nq() + spins.len()].copy_from_slice(&spins);
        let (energy, momenta) = drift(&arm, &run(&arm, Unforced, 1e-12, &start, &clock(1.0, 20)));
        assert!(energy < 1e-10 && momenta < 1e-11, "{energy:e} {momenta:e}");
        let states = run_by(&arm, Unforced, Adams::new(1e-12), &start, &clock(1.0, 20));
        let (energy, momenta) = drift(&arm, &states);
        assert!(energy < 1e-9 && momenta < 1e-10, "Adams: {energy:e} {momenta:e}");
    }
}
