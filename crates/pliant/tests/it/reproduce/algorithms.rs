//! All algorithms on the arms that all of them can express: serial chains of turning joints, exact
//! rotation, no foreshortening.

use super::section;
use crate::close::{largest, terms};
use crate::description::{Description, LinkData};
use crate::models::{Model, mass};
use crate::random::Random;
use pliant::arm::{Arm, Joint};
use pliant::beam::{Basis, Beam, Damping, Section, Ways};
use pliant::reproduce::recurrence::{self, Evaluation};
use pliant::reproduce::{Algorithm, Rotation, algorithm};
use pliant::spatial::Pose;

/// What may differ, as a part of the largest entry: sums over 32 links of terms that cancel.
const AGREE: f64 = 1e-11;

/// The algorithms that are not the engine's own.
const FURTHER: [Algorithm; 4] = [
    Algorithm::GibbsAppell(Rotation::Exact),
    Algorithm::Recurrence(Evaluation::InTurn),
    Algorithm::Recurrence(Evaluation::Doubling),
    Algorithm::Recurrence(Evaluation::Threads),
];

/// What a random chain is made of.
#[derive(Clone, Copy)]
pub(crate) struct Recipe {
    pub(crate) links: usize,
    /// The most coordinates of bending that a link has.
    pub(crate) coordinates: usize,
    /// Springs, dampers, armature, prescribed joints, section inertia, children off the tip,
    /// fixed joints.
    pub(crate) furnished: bool,
}

impl Recipe {
    pub(crate) fn model(self, seed: u64) -> Model {
        let Self { links: count, coordinates, furnished } = self;
        let random = &mut Random::new(seed ^ (count * 100 + coordinates) as u64);
        let mut links: Vec<LinkData> = Vec::new();
        for i in 0..count {
            let axis = random.axis();
            let joint = if furnished && i > 0 && random.once_in(5) {
                Joint::Fixed
            } else {
                Joint::Revolute { axis }
            };
            let mut link = LinkData::new(format!("link {i}"), i.checked_sub(1), joint);
            let before = links.last().and_then(|link| link.beam.as_ref());
            link.placement = random.pose(if before.is_some() && !furnished { 0.0 } else { 0.4 });
            link.section = before.map(|beam| {
                if furnished && random.once_in(3) {
                    random.between(0.2, 0.9) * beam.length
                } else {
                    beam.length
                }
            });
            let bends = random.below(coordinates + 1);
            link.masses.push(mass(random));
            if bends > 0 {
                // without section inertia, nothing would turn with the outermost link's torsion
                let twists = furnished || i + 1 < count;
                link.beam = Some(beam(random, bends, twists, furnished));
            }
            if furnished {
                let nv = joint.nv();
                link.outboard = random.pose(0.2);
                link.stiffness = random.positive(nv, 20.0);
                link.damping = random.positive(nv, 2.0);
                link.armature = random.positive(nv, 0.3);
                link.rest = random.numbers(nv, 1.0);
                link.prescribed = nv > 0 && random.once_in(4);
            }
            links.push(link);
        }
        let description = Description { gravity: random.vector(10.0), links };
        let label = format!("chain of {count}, {coordinates} coordinates, furnished {furnished}");
        Model::of(label, seed, description, random)
    }
}

/// A beam of one to six coordinates, bending first.
fn beam(random: &mut Random, coordinates: usize, twists: bool, furnished: bool) -> Beam {
    let ways = [[1, 0, 0], [1, 1, 0], [1, 1, 1], [2, 1, 1], [2, 2, 1], [3, 2, 1]];
    let [y, mut z, mut torsion] = ways[coordinates - 1];
    if !twists {
        (z, torsion) = (z + torsion, 0);
    }
    let inertia = if furnished { 2e-3 } else { 0.0 };
    let section = Section {
        ei_z: random.between(20.0, 100.0),
        ei_y: random.between(20.0, 100.0),
        gj: random.between(20.0, 100.0),
        rho_a: random.between(0.5, 2.0),
        rho_i_z: inertia,
        rho_i_y: inertia,
        ..section()
    };
    let basis = Basis::ClampedFree(Ways::new(y, z, torsion, 0));
    let mut beam = Beam::new(random.between(0.5, 1.2), section, basis);
    beam.foreshortening = false;
    if furnished {
        beam.root = random.pose(0.2);
        beam.damping = Damping { mass: 0.3, stiffness: 1e-3, ratios: Vec::new() };
    }
    beam
}

/// Chains of 1 to 32 links with up to 6 coordinates each.
fn chains(furnished: bool) -> Vec<Model> {
    let mut all = Vec::new();
    for links in [1, 2, 3, 4, 5, 7, 8, 12, 17, 32] {
        for coordinates in [0, 1, 2, 3, 6] {
            all.push(Recipe { links, coordinates, furnished }.model(31));
        }
    }
    all
}

fn check(model: &Model, algorithms: &[Algorithm]) {
    let Model { arm, q, u, ud, tau, .. } = model;
    let mass = arm.mass_matrix(q).expect("a good state");
    let bias = arm.bias(q, u).expect("a good state");
    let motion = arm.inverse_dynamics(q, u, ud).expect("a good state");
    for &algorithm in algorithms {
        let (n, mut work) = (arm.nv(), algorithm::Workspace::new(algorithm, arm).expect("a chain"));
        let (mut m, mut b) = (vec![f64::NAN; n * n], vec![f64::NAN; n]);
        work.mass_and_bias_into(arm, [q, u], &mut m, &mut b);
        assert_close!(model, m, mass.as_slice(), rel = AGREE, "M by {algorithm:?}");
        assert_close!(model, b, bias.as_slice(), rel = AGREE, "bias by {algorithm:?}");
        work.mass_matrix_into(arm, q, &mut m);
        assert_close!(model, m, mass.as_slice(), rel = AGREE, "M alone by {algorithm:?}");
        work.inverse_dynamics_into(arm, [q, u, ud], &mut b);
        let size = terms(mass.as_slice(), ud, bias.as_slice());
        assert_close!(
            model,
            b,
            motion.as_slice(),
            rel = AGREE,
            of = size,
            "forces by {algorithm:?}"
        );
        // accelerations, and forces of prescribed joints, by what they need
        let (mut force, mut motion) = (tau.clone(), ud.clone());
        work.forward_dynamics_into(arm, [q, u], &mut force, &mut motion);
        for v in arm.free_velocities() {
            assert_eq!(force[v], tau[v], "{model}: {algorithm:?} changed a given force");
        }
        let needed = arm.inverse_dynamics(q, u, &motion).expect("finite");
        let size = terms(mass.as_slice(), &motion, bias.as_slice());
        assert_close!(
            model,
            needed.as_slice(),
            force,
            rel = AGREE,
            of = size,
            "u̇ by {algorithm:?}"
        );
    }
}

#[test]
fn all_algorithms_on_the_common_model() {
    let own = [Algorithm::Recursive, Algorithm::Composite, Algorithm::Articulated];
    for model in chains(false) {
        check(&model, &[&own[..], &FURTHER].concat());
    }
}

#[test]
fn with_all_that_joints_and_beams_may_have() {
    for model in chains(true) {
        check(&model, &FURTHER);
    }
}

/// The small angles of the paper are another model, and by more than rounding.
#[test]
fn small_angles_differ() {
    let model = Recipe { links: 4, coordinates: 6, furnished: false }.model(33);
    let Model { arm, q, .. } = &model;
    let exact = arm.mass_matrix(q).expect("a good state");
    for rotation in [Rotation::Small, Rotation::Exponential] {
        let other = Algorithm::GibbsAppell(rotation).mass_matrix(arm, q).expect("a chain");
        let error = (&other - &exact).amax() / exact.amax();
        assert!((1e-6..0.5).contains(&error), "{rotation:?}: {error:e}");
        assert_eq!(other, other.transpose(), "{rotation:?}");
    }
}

/// The same formulation, in turn and by doubling.
#[test]
fn doubling_is_the_recurrence_in_turn() {
    for links in [1, 2, 3, 4, 5, 31, 32, 33, 100] {
        let model = Recipe { links, coordinates: 3, furnished: false }.model(34);
        let Model { arm, q, u, ud, .. } = &model;
        let n = arm.nv();
        let evaluate = |how: Evaluation| {
            let mut work = recurrence::Workspace::new(arm, how).expect("a chain");
            let (mut tau, mut m) = (vec![0.0; n], vec![0.0; n * n]);
            recurrence::inverse_dynamics_into(arm, &mut work, q, u, ud, &mut tau);
            let levels = work.levels();
            recurrence::mass_matrix_into(arm, &mut work, q, &mut m);
            assert_eq!(work.levels(), levels);
            (tau, m, levels)
        };
        let (tau, m, none) = evaluate(Evaluation::InTurn);
        assert_eq!(none, 0);
        let (by_doubling, m_by_doubling, levels) = evaluate(Evaluation::Doubling);
        assert_eq!(levels as f64, (links as f64).log2().ceil(), "{links} links");
        assert_close!(model, by_doubling, tau, rel = AGREE, "forces by doubling");
        assert_close!(model, m_by_doubling, m, rel = AGREE, "M by doubling");
        let (by_threads, m_by_threads, _) = evaluate(Evaluation::Threads);
        assert_close!(model, by_threads, tau, rel = AGREE, "forces by threads");
        assert_close!(model, m_by_threads, m, rel = AGREE, "M by threads");
        assert!(largest(&tau) > 0.0);
    }
}

#[test]
fn an_arm_of_nothing() {
    let arm: Arm = Description { gravity: [0.0; 3], links: Vec::new() }.arm();
    for algorithm in FURTHER {
        assert_eq!(algorithm.mass_matrix(&arm, &[]).expect("empty").len(), 0, "{algorithm:?}");
        assert!(algorithm.hybrid_dynamics(&arm, &[], &[], &[], &[]).is_ok(), "{algorithm:?}");
    }
}

/// A chain long enough that each thread has its run.
#[test]
fn threads_share_a_long_chain() {
    let links = (0..600_usize).map(|i| {
        let mut link =
            LinkData::new(format!("link {i}"), i.checked_sub(1), Joint::revolute([0.0, 0.0, 1.0]));
        link.placement = Pose::at(0.1, 0.0, 0.0);
        link.masses.push(mass(&mut Random::new(i as u64)));
        link
    });
    let description = Description { gravity: [0.0, -9.81, 0.0], links: links.collect() };
    let model = Model::of("long chain".to_owned(), 35, description, &mut Random::new(35));
    let Model { arm, q, u, ud, .. } = &model;
    let want = arm.inverse_dynamics(q, u, ud).expect("a good state");
    for how in [Evaluation::InTurn, Evaluation::Doubling, Evaluation::Threads] {
        let got = Algorithm::Recurrence(how).inverse_dynamics(arm, q, u, ud).expect("a chain");
        assert_close!(model, got.as_slice(), want.as_slice(), rel = AGREE, "forces by {how:?}");
    }
}
