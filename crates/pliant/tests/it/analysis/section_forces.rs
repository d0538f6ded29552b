//! What sections carry, by equilibrium: against the reactions of joints, against the curvature of
//! converged elements, and by hand.

use super::{assert_each, beam, built, cantilever, section};
use crate::random::Random;
use pliant::analyse::{AnalysisError, LinkForces, SectionLoads};
use pliant::arm::{Arm, Builder, ElementPosition, ForceElement, Joint, Link};
use pliant::beam::{
    Basis, Beam, CrossSection, Material, Matter, Profile, Section, ShapeLoad, Slide, Ways,
};
use pliant::dynamics::kinematics::Axes;
use pliant::dynamics::loads::Load;
use pliant::scalar::Scalar;
use pliant::spatial::{Force, Pose, Vec3};

const LENGTH: f64 = 0.9;

/// A spring between two frames.
struct Spring([&'static str; 2]);

impl ForceElement for Spring {
    fn frames(&self) -> Vec<String> {
        self.0.map(str::to_owned).to_vec()
    }

    fn energy<S: Scalar>(&self, at: &ElementPosition<S>) -> S {
        let way = at.frames[1].position - at.frames[0].position;
        S::from_f64(30.0) * way.dot(way)
    }
}

fn heavy(ei: f64) -> Section {
    Section { kga_y: Some(4e4), kga_z: Some(5e4), rho_i_y: 2e-3, rho_i_z: 3e-3, ..section(ei, 0.8) }
}

/// The tensor of a ball of 80 mm about its centre.
fn ball(mass: f64) -> [[f64; 3]; 3] {
    let own = 0.4 * mass * 0.04 * 0.04;
    [[own, 0.0, 0.0], [0.0, own, 0.0], [0.0, 0.0, own]]
}

fn bases() -> Vec<(Basis, bool)> {
    let ways = Ways::new(2, 1, 1, 1);
    let on = Ways::new(true, true, true, true);
    let load = ShapeLoad::Outboard;
    let [hinge_y, hinge_z] = [None; 2];
    vec![
        (Basis::ClampedFree(ways), false),
        (Basis::ClampedMass { ways, load }, false),
        (Basis::RootPinned(ways), false),
        (Basis::Hermite { elements: 2, ways: on }, true),
        (Basis::Eigenmodes { elements: 3, ways, load, hinge_y, hinge_z }, true),
    ]
}

/// Two links that bend, each on a joint with all freedoms, with bodies half-way and at the tip, an
/// armature and a spring.
fn tree(basis: &Basis, shear: bool, random: &mut Random) -> Arm {
    let mut link = |name: &str| {
        let tapers = matches!(basis, Basis::Hermite { .. } | Basis::Eigenmodes { .. });
        let profile = if tapers {
            let ends = [(0.0, 60.0), (0.4 * LENGTH, 40.0), (LENGTH, 20.0)];
            Profile::along(ends.map(|(s, ei)| (s, Matter::Given(heavy(ei)))).to_vec())
        } else {
            heavy(50.0).into()
        };
        let root = random.pose(0.3);
        let own = Beam { root, shear, ..Beam::new(LENGTH, profile, basis.clone()) };
        Link::new(name)
            .joint(Joint::Free)
            .beam(own)
            .tip_body(0.4, [0.05, 0.02, 0.0], ball(3.0))
            .section_frame(format!("{name} half"), 0.5 * LENGTH, random.pose(0.1))
            .section_frame(format!("{name} end"), LENGTH, random.pose(0.1))
    };
    let (upper, fore) = (link("upper"), link("fore").on("upper").at_section(0.7 * LENGTH));
    let camera = Link::new("camera").on("upper").at_section(0.31 * LENGTH);
    let camera = camera.joint(Joint::revolute([0.0, 1.0, 0.0])).payload(0.3, [0.1, 0.0, 0.2]);
    Builder::new("tree")
        .gravity([0.3, -1.0, -9.81])
        .link(upper)
        .link(fore)
        .link(camera.armature(&[0.2]).damping(&[0.1]))
        .element("rope", &Spring(["upper half", "fore end"]))
        .build()
        .unwrap_or_else(|faults| panic!("{faults}"))
}

/// A motion with everything in it, and loads on both links.
fn motion(arm: &Arm, random: &mut Random) -> ([Vec<f64>; 3], Vec<Load>) {
    let mut q = arm.neutral();
    for link in 0..arm.body_count() {
        let own = arm.configuration_of(link);
        if let Joint::Free = arm.joints()[link] {
            q[own.start..own.start + 3].copy_from_slice(&random.vector(0.3));
            q[own.start + 3..own.end].copy_from_slice(&random.quaternion());
        }
        let bending = arm.bending_of(link).0;
        let count = bending.len();
        q[bending].copy_from_slice(&random.numbers(count, 0.05));
    }
    let load = |frame: &str, axes: Axes, random: &mut Random| Load {
        frame: arm.frame(frame).expect("a frame"),
        wrench: Force::new(random.vector(3.0).into(), random.vector(1.0).into()),
        axes,
    };
    let loads = vec![
        load("upper half", Axes::World, random),
        load("upper end", Axes::Own, random),
        load("fore half", Axes::Own, random),
        load("fore end", Axes::World, random),
    ];
    ([q, random.numbers(arm.nv(), 1.5), random.numbers(arm.nv(), 4.0)], loads)
}

fn along(all: &[LinkForces], link: usize) -> &[SectionLoads] {
    &all.iter().find(|own| own.link == link).expect("it bends").cuts
}

/// What the outboard part exerts, section axes.
fn carried(cut: &SectionLoads) -> Force<f64> {
    let (own, [shear_y, shear_z]) = (cut.force, cut.shear);
    let force = Vec3::new(own.axial, shear_y, shear_z);
    Force::new(force, Vec3::new(own.torque, own.moment_y, own.moment_z))
}

#[track_caller]
fn assert_same(got: &Force<f64>, want: &Force<f64>, relative: f64, why: &str) {
    let size = |force: &Force<f64>| force.force.norm() + force.moment.norm();
    let error = size(&(*got - *want)) / size(want);
    assert!(error < relative, "{why}: {got:?}, not {want:?}; {error:.2e}");
}

/// The root carries what the joint gives, all six components: what inverse dynamics asks of a joint
/// with all freedoms.
#[test]
fn the_root_carries_the_reaction_of_the_joint() {
    let mut random = Random::new(2001);
    for (basis, shear) in bases() {
        let arm = tree(&basis, shear, &mut random);
        let ([q, u, ud], loads) = motion(&arm, &mut random);
        let tau = arm.inverse_dynamics(&q, &u, &ud).expect("forces");
        let tau = tau - arm.load_forces(&q, &loads).expect("loads");
        let all = arm.internal_forces_in_motion(&q, &u, &ud, &loads).expect("forces");
        for link in [0, 1] {
            let link = arm.link_names().iter().position(|name| *name == ["upper", "fore"][link]);
            let link = link.expect("a link");
            let root = &arm.beam_of(link).expect("a beam").root;
            let own: Vec<f64> = arm.velocities_of(link).map(|v| tau[v]).collect();
            let reaction =
                Force::new(Vec3::new(own[0], own[1], own[2]), Vec3::new(own[3], own[4], own[5]));
            let there = -root.force_to_outer(&carried(&along(&all, link)[0]));
            assert_same(&there, &reaction, 1e-10, &format!("{basis:?}, link {link}"));
        }
    }
}

/// With nothing on its tip a section there carries nothing; with a payload its weight.
#[test]
fn the_tip_carries_what_hangs_on_it() {
    let down = [0.0, 0.0, -9.81];
    let ways = Ways::new(1, 1, 0, 0);
    let own = beam(LENGTH, section(500.0, 0.8), Basis::ClampedFree(ways));
    let tip = |more: &dyn Fn(Link) -> Link| {
        let arm = built(cantilever(Joint::Fixed, own.clone(), more).gravity(down));
        let all = arm.internal_forces(&arm.neutral()).expect("forces");
        carried(along(&all, 0).last().expect("a tip"))
    };
    let bare = tip(&|link| link);
    assert_eq!(bare.to_array().map(f64::abs), [0.0; 6]);
    let loaded = tip(&|link| link.tip_body(2.0, [0.1, 0.0, 0.0], ball(2.0)));
    let want = Force::new(Vec3::new(0.0, 0.0, -19.62), Vec3::new(0.0, 1.962, 0.0));
    assert_same(&loaded, &want, 1e-14, "a payload of 2 kg");
}

/// With one shape the moments of weight are the exact ones, all along.
#[test]
fn moments_do_not_depend_on_the_shapes() {
    let (weight, g) = (0.8, 9.81e-4);
    for basis in
        [Basis::ClampedFree(Ways::new(0, 1, 0, 0)), Basis::RootPinned(Ways::new(0, 3, 0, 0))]
    {
        let own = beam(LENGTH, section(50.0, weight), basis);
        let arm = built(cantilever(Joint::Fixed, own, |l| l).gravity([0.0, 0.0, -g]));
        let rest = arm.static_equilibrium(&arm.neutral()).expect("rest");
        let all = arm.internal_forces(&rest.q).expect("forces");
        let root = along(&all, 0)[0];
        assert_eq!(root.place, 0.0, "the root is a station");
        for cut in along(&all, 0) {
            let lever = LENGTH - cut.place;
            let (shear, moment) = (-weight * g * lever, 0.5 * weight * g * lever * lever);
            let allowed = 1e-7 * weight * g;
            assert!((cut.shear[1] - shear).abs() < allowed, "shear at {}", cut.place);
            assert!((cut.force.moment_y - moment).abs() < allowed, "moment at {}", cut.place);
        }
    }
}

/// The bending moment of a vibrating beam, from the forces of inertia and from the curvature of many
/// elements: frames close to each other say how far a section has turned beside the next.
#[test]
fn converged_elements_agree_with_their_curvature() {
    let (ei, apart) = (50.0, 1e-4);
    let basis = Basis::Hermite { elements: 12, ways: Ways::new(true, false, false, false) };
    let plain = Section { rho_i_z: 1e-3, ..section(ei, 0.8) };
    let own = Beam::new(LENGTH, plain, basis);
    let places = [0.11, 0.33, 0.52].map(|s| s * LENGTH);
    let more = |mut link: Link| {
        for (k, s) in places.into_iter().enumerate() {
            for (side, shift) in [("in", -apart), ("out", apart)] {
                link = link.section_frame(format!("{side}{k}"), s + shift, Pose::IDENTITY);
            }
        }
        link.tip_body(0.5, [0.0; 3], ball(0.5))
    };
    let arm = built(cantilever(Joint::Fixed, own, more).gravity([0.0, -9.81, 0.0]));
    let modes = arm.modes(&arm.neutral()).expect("modes");
    // aside of its equilibrium in its first mode, and on its way
    let mode = &modes.modes[0].shape;
    let tip = mode[arm.nv() - 2];
    let q: Vec<f64> = modes.q.iter().zip(mode.iter()).map(|(q, x)| q + 0.02 * x / tip).collect();
    let u: Vec<f64> = mode.iter().map(|x| 0.1 * x / tip).collect();
    let ud = arm.forward_dynamics(&q, &u, &vec![0.0; arm.nv()]).expect("accelerations");
    let moving = arm.internal_forces_in_motion(&q, &u, ud.as_slice(), &[]).expect("forces");
    let still = arm.internal_forces(&q).expect("forces");
    let pose = |name: String| arm.pose(&q, &name).expect("a pose");
    for (k, s) in places.into_iter().enumerate() {
        let inner = pose(format!("in{k}")).rotation;
        let turned = inner.transpose_matmul(&pose(format!("out{k}")).rotation);
        let from_curvature = ei * turned.columns[0].y / (2.0 * apart);
        let moment = |all: &[LinkForces]| {
            let near = |cut: &&SectionLoads| (cut.place - s).abs() < 2.0 * apart;
            along(all, 0).iter().find(near).expect("a frame is a border").force.moment_z
        };
        assert_each(&[moment(&moving)], &[from_curvature], 2e-3, "in motion");
        let differs = (moment(&still) / from_curvature - 1.0).abs();
        assert!(differs > 0.1, "without the forces of inertia it is off by {differs}");
    }
}

/// The carbon-fibre arm straight out: 2 kg at each joint, 3 kg at the end, two tubes of 1.2 m.
#[test]
fn the_carbon_fibre_arm_is_held_by_what_it_weighs() {
    let material = Material::named("cfrp-tube").expect("known");
    let outline = CrossSection::Tube { diameter: 0.04, wall: 0.002 };
    let basis = Basis::ClampedFree(Ways::new(2, 2, 1, 0));
    let tube = Beam::new(1.2, Matter::Made { outline, material }, basis);
    let joint = || Joint::revolute([0.0, -1.0, 0.0]);
    let weight = tube.mass();
    let link =
        |name| Link::new(name).joint(joint()).beam(tube.clone()).body(2.0, [0.0; 3], ball(2.0));
    let fore = link("fore").at_section(1.2).tip_body(3.0, [0.0; 3], ball(3.0));
    let arm = built(Builder::new("two").link(link("upper")).link(fore));
    let rest = arm.static_equilibrium(&arm.neutral()).expect("rest");
    let all = arm.internal_forces(&rest.q).expect("forces");
    let peaks = arm.peak_loads(&all);
    let by_hand = 9.81 * (weight * (0.6 + 1.8) + 2.0 * 1.2 + 3.0 * 2.4);
    assert!((by_hand - 104.9).abs() < 0.2, "{by_hand}");
    assert_each(&[peaks[0].moment.value], &[by_hand], 2e-3, "the upper link, sagged");
    assert_eq!(peaks[0].moment.place, 0.0);
    // what the brakes hold is the same
    let torque = arm.gravity_forces(&rest.q).expect("forces")[0];
    assert_each(&[peaks[0].moment.value], &[torque.abs()], 1e-10, "the brake");
}

/// The mass of the hub of a sliding link (kg).
const HUB: f64 = 0.3;

fn telescope(basis: Basis) -> Arm {
    let slide = Slide::between(0.3, 0.8);
    let own = Beam { slide: Some(slide), ..Beam::new(LENGTH, section(50.0, 0.8), basis) };
    let link = Link::new("boom").joint(Joint::Free).beam(own).body(HUB, [0.0; 3], ball(HUB));
    let load = Link::new("load").at_section(LENGTH).body(0.5, [0.1, 0.0, 0.0], ball(0.5));
    built(Builder::new("telescope").gravity([0.2, -3.0, -9.81]).link(link).link(load))
}

/// The part outside carries what the joint gives, less what the hub and the part inside need, which
/// is a rigid bar.
#[test]
fn the_mouth_of_a_sliding_link_carries_the_reaction_less_the_part_inside() {
    let ways = Ways::new(2, 1, 0, 0);
    let on = Ways::new(true, true, false, false);
    let bases = [
        Basis::ClampedFree(ways),
        Basis::ClampedMass { ways, load: ShapeLoad::Outboard },
        Basis::Hermite { elements: 3, ways: on },
    ];
    let mut random = Random::new(2002);
    for basis in bases {
        let arm = telescope(basis.clone());
        let mut q = arm.neutral();
        q[arm.bending_of(0).0].iter_mut().for_each(|d| *d = random.between(-0.03, 0.03));
        let (at, v) = arm.length_of(0).expect("it slides");
        q[at] = 0.62;
        let (mut u, mut ud) = (random.numbers(arm.nv(), 0.5), random.numbers(arm.nv(), 2.0));
        // the hub stands still
        u[arm.velocities_of(0)].fill(0.0);
        ud[arm.velocities_of(0)].fill(0.0);
        let tau = arm.inverse_dynamics(&q, &u, &ud).expect("forces");
        let inside = 0.8 * (LENGTH - q[at]);
        let pull = (Vec3::new(ud[v], 0.0, 0.0) - arm.gravity()) * inside;
        let bar = Force::new(pull, Vec3::new(-0.5 * (LENGTH - q[at]), 0.0, 0.0).cross(pull));
        let hub = Force::new(arm.gravity() * -HUB, Vec3::ZERO);
        let reaction =
            Force::new(Vec3::new(tau[0], tau[1], tau[2]), Vec3::new(tau[3], tau[4], tau[5]));
        let all = arm.internal_forces_in_motion(&q, &u, &ud, &[]).expect("forces");
        let mouth = -carried(&along(&all, 0)[0]);
        assert_same(&mouth, &(reaction - bar - hub), 1e-9, &format!("{basis:?}"));
        let tip = along(&all, 0).last().expect("a tip").place;
        assert!((tip - q[at]).abs() < 1e-12, "the tip is at {tip} m");
    }
}

#[test]
fn numbers_that_are_no_motion_are_refused() {
    let own = beam(LENGTH, section(50.0, 0.8), Basis::ClampedFree(Ways::new(1, 0, 0, 0)));
    let arm = built(cantilever(Joint::Fixed, own, |l| l));
    let refused = |q: &[f64], u: &[f64], ud: &[f64], loads: &[Load]| {
        matches!(arm.internal_forces_in_motion(q, u, ud, loads), Err(AnalysisError::Evaluation(_)))
    };
    assert!(refused(&[], &[0.0], &[0.0], &[]));
    assert!(refused(&[0.0], &[0.0; 2], &[0.0], &[]));
    assert!(refused(&[0.0], &[0.0], &[f64::NAN], &[]));
    let load = Load { frame: 99, wrench: Force::ZERO, axes: Axes::World };
    assert!(refused(&[0.0], &[0.0], &[0.0], &[load]));
    assert!(!refused(&[0.0], &[0.0], &[0.0], &[]));
}
