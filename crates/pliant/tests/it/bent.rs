//! Rigid links that become flexible: the undeformed arm stays as it is.

use crate::random::Random;
use pliant::Help;
use pliant::analyse::Conditions;
use pliant::arm::{Arm, Attachment, BeamAxis, BendError, Builder, Joint, Link, Warning};
use pliant::beam::{Basis, Beam, CrossSection, Material, Matter, Profile, Ways};
use pliant::spatial::{Pose, RigidInertia, Vec3};

/// A link with the matter of a few points, and somewhere to hang the next on.
fn link(random: &mut Random, name: &str) -> Link {
    let axis = random.axis();
    let joint = match random.below(4) {
        0 => Joint::Prismatic { axis },
        1 => Joint::Universal { first: [1.0, 0.0, 0.0], second: [0.0, 0.3, 1.0] },
        _ => Joint::revolute(axis),
    };
    let link = Link::new(name).joint(joint).outboard(random.pose(0.1));
    let link = link.root_frame(format!("{name}.mark"), random.pose(0.5));
    let count = 4 + random.below(4);
    (0..count).fold(link, |link, _| {
        let place = Vec3::from(random.vector(0.4));
        let [a, b, c] = [(); 3].map(|()| random.between(0.001, 0.02));
        let tensor = [[b + c, 0.0, 0.0], [0.0, a + c, 0.0], [0.0, 0.0, a + b]];
        link.body(random.between(0.1, 2.0), place.to_array(), tensor)
    })
}

/// A rigid tree of links.
fn rigid(seed: u64) -> Builder {
    let mut random = Random::new(seed);
    // so weak that on its springs it has one equilibrium
    let mut arm = Builder::new(format!("seed {seed}")).gravity([0.2, 0.1, -0.5]);
    for k in 0..4 {
        let mut next = link(&mut random, &format!("l{k}")).placed(random.pose(0.6));
        // a branch now and then
        next = match random.below(4) {
            0 if k > 1 => next.on("l0"),
            _ => next,
        };
        let springs = vec![random.between(5.0, 50.0); next.parts().joint.nv()];
        next = next.spring(&springs, &[]);
        arm = arm.link(next);
    }
    arm
}

/// A tube of aluminium, so much stiffer.
fn tube(length: f64, stiffer: f64) -> Beam {
    let aluminium = Material::named("aluminium").expect("known");
    let (young, shear) = (stiffer * aluminium.young, stiffer * aluminium.shear);
    let material = Material { young, shear, ..aluminium };
    let outline = CrossSection::Tube { diameter: 0.05, wall: 0.002 };
    let matter = Matter::Made { outline, material };
    let basis = Basis::ClampedFree(Ways::new(2, 2, 1, 1));
    Beam::new(length, Profile::from(matter), basis)
}

/// Makes some links flexible.
fn bent(seed: u64, stiffer: f64) -> Builder {
    let mut random = Random::new(1000 + seed);
    let mut arm = rigid(seed);
    for name in ["l0", "l2", "l3"] {
        if name != "l2" && random.once_in(3) {
            continue;
        }
        let axis = BeamAxis {
            to: random.once_in(3).then(|| format!("{name}.mark")),
            along: random.once_in(3).then(|| random.axis()),
            length: random.once_in(3).then(|| random.between(0.2, 0.6)),
        };
        let (root, length) = arm.beam_along(name, &axis).expect("an axis");
        let [rigid_root, rigid_tip] = [0.1, 0.2].map(|part| length * part);
        let bends = length - rigid_root - rigid_tip;
        let beam = Beam { root, rigid_root, rigid_tip, ..tube(bends, stiffer) };
        let part = arm.density_that_fits(name, &beam).expect("a part");
        assert!(part > 0.0 && part <= 1.0, "{part}");
        arm = arm.bend(name, beam.with_density_scaled(0.9 * part)).expect("a beam");
    }
    arm
}

/// A configuration of the joints, in an arm that may have further coordinates.
fn posture(arm: &Arm, seed: u64) -> Vec<f64> {
    let mut q = arm.neutral();
    for (name, x) in arm.configuration_names().iter().zip(&mut q) {
        let own = name.bytes().fold(seed, |sum, byte| sum.wrapping_mul(31) + u64::from(byte));
        if !name.contains(".y")
            && !name.contains(".z")
            && !name.contains(".x")
            && !name.contains(".s")
        {
            *x = Random::new(own).between(-1.0, 1.0);
        }
    }
    q
}

#[test]
fn frames_masses_and_moments_stay() {
    for seed in 0..30 {
        let (rigid, bent) = (rigid(seed), bent(seed, 1.0));
        let [rigid, bent] = [rigid, bent].map(|arm| arm.build().unwrap_or_else(|e| panic!("{e}")));
        assert!(bent.nv() > rigid.nv());
        let [q, p] = [&rigid, &bent].map(|arm| posture(arm, seed));
        for frame in rigid.frames() {
            let [a, b] = [rigid.pose(&q, frame.name()), bent.pose(&p, frame.name())];
            let (a, b) = (a.expect("a pose"), b.expect("a pose"));
            let turned = a.rotation - b.rotation;
            let error = turned.columns.iter().map(|c| c.norm()).fold(0.0, f64::max);
            assert!((a.position - b.position).norm() + error < 1e-11, "{seed} {}", frame.name());
        }
        let (few, all) = (rigid.mass_matrix(&q).unwrap(), bent.mass_matrix(&p).unwrap());
        let (weight, sagging) =
            (rigid.gravity_forces(&q).unwrap(), bent.gravity_forces(&p).unwrap());
        let at = |name: &String| bent.velocity_names().iter().position(|other| other == name);
        let at: Vec<usize> = rigid.velocity_names().iter().map(|name| at(name).unwrap()).collect();
        for i in 0..rigid.nv() {
            for j in 0..rigid.nv() {
                let error = (few[(i, j)] - all[(at[i], at[j])]).abs();
                assert!(error < 1e-10 * few.amax(), "{seed}: {i}, {j}: {error:e}");
            }
            assert!((weight[i] - sagging[at[i]]).abs() < 1e-10 * weight.amax(), "{seed}: {i}");
        }
        // what is left is the matter of bodies
        let impossible = |one: &&Warning| {
            matches!(one, Warning::TriangleInequality { .. } | Warning::NegativeInertia { .. })
        };
        assert_eq!(bent.warnings().iter().find(impossible), None, "{seed}");
    }
}

/// On soft springs, a stiff arm sags and swings like the rigid one.
#[test]
fn a_stiff_arm_moves_like_the_rigid_one() {
    for seed in 0..6 {
        let swing = |arm: Builder| {
            let arm = arm.build().unwrap_or_else(|e| panic!("{e}"));
            let modes = arm.modes_under(&posture(&arm, seed), &Conditions::unlocked(&arm));
            let modes = modes.expect("modes");
            let place = |k: usize| arm.pose(&modes.q, &format!("l{k}.mark")).unwrap().position;
            (modes.frequencies(), [0, 1, 2, 3].map(place))
        };
        let (slow, places) = swing(rigid(seed));
        let errors = [1e3, 1e6].map(|stiffer| {
            let (fast, moved) = swing(bent(seed, stiffer));
            let both = slow.iter().zip(&fast).map(|(a, b)| (a - b).abs() / slow[slow.len() - 1]);
            let apart = places.iter().zip(&moved).map(|(a, b)| (*a - *b).norm());
            both.chain(apart).fold(0.0, f64::max)
        });
        assert!(errors[1] < 1e-6, "{seed}: {errors:?}");
        assert!(errors[1] < 2e-2 * errors[0], "{seed}: {errors:?}");
    }
}

/// A rod of 2 kg along z, at y = 0.1 m, from 0.05 m below its joint to 0.55 m above it.
fn rod() -> Builder {
    let across = 2.0 * 0.6 * 0.6 / 12.0;
    let tensor = [[across + 0.002, 0.0, 0.0], [0.0, across + 0.002, 0.0], [0.0, 0.0, 0.004]];
    Builder::new("rod")
        .link(Link::new("rod").joint(Joint::revolute([0.0, 1.0, 0.0])).body(
            2.0,
            [0.0, 0.1, 0.25],
            tensor,
        ))
        .link(Link::new("half").placed(Pose::at(0.0, 0.0, 0.2)))
        .link(Link::new("hand").on("rod").placed(Pose::at(0.0, 0.0, 0.5)))
        .link(Link::new("behind").on("rod").placed(Pose::at(0.0, 0.0, -0.1)))
}

#[test]
fn the_rest_stands_on_both_sides_of_the_middle() {
    let (root, length) = rod().beam_along("rod", &BeamAxis::default()).expect("an axis");
    assert_eq!(length, 0.5);
    assert_eq!(root.position.to_array(), [0.0, 0.1, 0.0]);
    assert_eq!(root.rotation.columns[0].to_array(), [0.0, 0.0, 1.0]);
    let beam = Beam { root, ..tube(length, 1.0) };
    let weight = beam.mass();
    let arm = rod().bend("rod", beam.clone()).expect("a beam");
    let parts = arm.parts();
    let own = parts.links[0].parts();
    let (root_mass, tip_mass) = (own.root_masses().next(), own.tip_masses().next());
    let (inner, outer) = (root_mass.expect("a body"), tip_mass.expect("a body"));
    assert!((inner.kilograms - (2.0 - weight) / 2.0).abs() < 1e-11);
    assert!((inner.kilograms - outer.kilograms).abs() < 1e-11);
    // the radius of gyration of what is left, about the middle
    let radius = ((2.0 * 0.6 * 0.6 - weight * 0.5 * 0.5) / 12.0 / (2.0 - weight)).sqrt();
    assert!((inner.centre.z - (0.25 - radius)).abs() < 1e-11, "{}", inner.centre.z);
    assert!((outer.centre.x - (radius - 0.25)).abs() < 1e-11, "{}", outer.centre.x);
    // what it carries stays where it is
    let on = |k: usize| parts.links[k].parts().attachment;
    assert_eq!(
        [on(1), on(2), on(3)],
        [Attachment::Section(0.2), Attachment::Tip, Attachment::Root]
    );
    assert_eq!(parts.links[2].parts().placement.position.to_array(), [0.0, -0.1, 0.0]);
}

#[test]
fn axes_are_chosen() {
    let along = |axis: BeamAxis| rod().beam_along("rod", &axis);
    let (_, half) = along(BeamAxis { to: Some("half".into()), ..BeamAxis::default() }).unwrap();
    assert_eq!(half, 0.2);
    let (down, length) =
        along(BeamAxis { to: Some("behind".into()), ..BeamAxis::default() }).unwrap();
    assert_eq!((down.rotation.columns[0].to_array(), length), ([0.0, 0.0, -1.0], 0.1));
    let tilted = BeamAxis { along: Some([0.0, -3.0, -4.0]), ..BeamAxis::default() };
    let (tilted, length) = along(tilted).unwrap();
    assert!((tilted.rotation.columns[0] - Vec3::new(0.0, 0.6, 0.8)).norm() < 1e-15);
    assert!((length - 0.4).abs() < 1e-15);
    let told = |error: BendError| (error.to_string(), error.help().unwrap_or_default());
    let (said, help) =
        told(along(BeamAxis { to: Some("foot".into()), ..BeamAxis::default() }).unwrap_err());
    assert_eq!(said, "link \"rod\" carries no link and no frame \"foot\"");
    assert_eq!(help, "it carries half, hand, behind");
    let (said, _) =
        told(along(BeamAxis { length: Some(-1.0), ..BeamAxis::default() }).unwrap_err());
    assert_eq!(said, "the beam of link \"rod\" would be -1 m long");
    // moments that no number holds
    let endless = rod().bend("rod", tube(1e250, 1.0)).unwrap_err();
    assert!(matches!(endless, BendError::NoLength { .. }), "{endless}");
    let (said, _) = told(rod().beam_along("hand", &BeamAxis::default()).unwrap_err());
    assert!(said.contains("carries nothing away from its joint"), "{said}");
    let (said, _) = told(rod().beam_along("leg", &BeamAxis::default()).unwrap_err());
    assert_eq!(said, "no link named \"leg\"");
}

#[test]
fn beams_that_do_not_fit_are_refused_with_numbers() {
    let (root, length) = rod().beam_along("rod", &BeamAxis::default()).expect("an axis");
    let beam = Beam { root, ..tube(length, 1.0) };
    let heavy = beam.clone().with_density_scaled(8.0);
    let error = rod().bend("rod", heavy.clone()).unwrap_err();
    let BendError::TooHeavy { mass, beam: weight, fits, .. } = error else { panic!("{error}") };
    assert_eq!(mass, 2.0);
    assert!((weight - heavy.mass()).abs() < 1e-12);
    // the largest that fits is found from either side
    let lighter = |part: f64| rod().bend("rod", heavy.clone().with_density_scaled(part));
    assert!(lighter(fits * 0.9999).is_ok() && lighter(fits * 1.0001).is_err());
    // lighter than the link, and with more inertia about its axis
    let wide = Matter::Made {
        outline: CrossSection::Tube { diameter: 0.3, wall: 0.001 },
        material: Material::named("aluminium").expect("known"),
    };
    let wide = Beam { profile: wide.into(), ..beam.clone() };
    let error = rod().bend("rod", wide).unwrap_err();
    assert!(matches!(error, BendError::Impossible { .. }), "{error}");
    assert!(error.to_string().contains("kg m², which no body has"), "{error}");
    assert!(error.help().unwrap().contains("% of its density"));
    let twice = rod().bend("rod", beam.clone()).unwrap().bend("rod", beam.clone());
    assert_eq!(twice.unwrap_err(), BendError::HasBeam { link: "rod".into() });
    let massless = rod().bend("hand", beam).unwrap_err();
    assert!(massless.help().unwrap().contains("give the link the mass"), "{massless}");
}

/// A mass that gets lost is warned of.
#[test]
fn a_total_mass_is_checked() {
    let warned = |mass: f64| {
        let arm = rod().total_mass(mass).build().expect("an arm");
        arm.warnings().iter().any(|one| matches!(one, Warning::TotalMass { .. }))
    };
    assert!(!warned(2.0) && warned(2.1) && warned(1.9));
    let (root, length) = rod().beam_along("rod", &BeamAxis::default()).expect("an axis");
    let beam = Beam { root, ..tube(length, 1.0) };
    let arm = rod().total_mass(2.0).bend("rod", beam).expect("a beam").build().expect("an arm");
    assert!(!arm.warnings().iter().any(|one| matches!(one, Warning::TotalMass { .. })));
    let whole = (0..arm.body_count()).fold(RigidInertia::ZERO, |sum: RigidInertia<f64>, body| {
        sum.plus(&RigidInertia::point(arm.inertia_of(body).mass, Vec3::ZERO))
    });
    assert!((whole.mass - 2.0).abs() < 1e-12);
}

/// The tip is on the outermost link, also where an inner one bends.
#[test]
fn the_tip_is_the_outermost_frame() {
    let tip = |arm: Builder| {
        let arm = arm.build().expect("an arm");
        arm.frames()[arm.tip().expect("a tip")].name().to_owned()
    };
    // three at the same depth
    assert_eq!(tip(rod()), "behind");
    let tool = Link::new("tool").on("hand").root_frame("point", Pose::at(0.1, 0.0, 0.0));
    assert_eq!(tip(rod().link(tool.clone()).link(Link::new("eye").on("half"))), "eye");
    let (root, length) = rod().beam_along("rod", &BeamAxis::default()).expect("an axis");
    let bent = rod().bend("rod", Beam { root, ..tube(length, 1.0) }).expect("a beam");
    let bent = bent.link(Link::new("camera").on_ground());
    assert_eq!(tip(bent.clone().link(tool)), "point");
    let last = Link::new("last").on("hand").beam(tube(0.3, 1.0)).frame("end", Pose::IDENTITY);
    assert_eq!(tip(bent.link(last.tip_frame("end"))), "end");
}
