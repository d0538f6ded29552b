//! King's rotation of first order and the velocity of Theodore (24), on arms of the engine.

use super::algorithms::Recipe;
use super::section;
use crate::close::terms;
use crate::errors::Z;
use crate::models::Model;
use crate::motion::conservation::{bases, two_bars};
use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::beam::{Basis, Beam, Section, Slide, Ways};
use pliant::integrate::{Dop853, GeneralisedAlpha, SetupError};
use pliant::reproduce::{Algorithm, LargeTurn, Rotation, Unsupported, Variant, Variants};
use pliant::simulate::{Diagram, Progress, Rows, RunError, Selection, run};
use std::ops::ControlFlow;

/// What may differ, as a part of the largest entry.
const AGREE: f64 = 1e-11;

/// By recurrences and by Gibbs-Appell, which have only a link by itself in common.
#[test]
fn kings_rotation_in_two_ways() {
    for links in [2, 3, 6, 12] {
        let model = Recipe { links, coordinates: 6, furnished: true }.model(32);
        let Model { arm, q, u, ud, tau, .. } = &model;
        let mut king = Variant::first_order(arm, |_| true).expect("a chain");
        let further = Algorithm::GibbsAppell(Rotation::FirstOrder);
        let mass = further.mass_matrix(arm, q).expect("a chain");
        let own = king.mass_matrix(q).expect("a good state");
        assert_close!(model, own.as_slice(), mass.as_slice(), rel = AGREE, "M");
        let bias = further.bias(arm, q, u).expect("a chain");
        let own = king.bias(q, u).expect("a good state");
        assert_close!(model, own.as_slice(), bias.as_slice(), rel = AGREE, "bias");
        let want = further.inverse_dynamics(arm, q, u, ud).expect("a chain");
        let own = king.inverse_dynamics(q, u, ud).expect("a good state");
        let size = terms(mass.as_slice(), ud, bias.as_slice());
        assert_close!(model, own.as_slice(), want.as_slice(), rel = AGREE, of = size, "forces");
        let (force, motion) = king.hybrid_dynamics(q, u, tau, ud).expect("a good state");
        let needed = king.inverse_dynamics(q, u, motion.as_slice()).expect("finite");
        let size = terms(mass.as_slice(), motion.as_slice(), bias.as_slice());
        assert_close!(model, needed.as_slice(), force.as_slice(), rel = AGREE, of = size, "u̇");
        // bias in its parts
        let moved = king.coriolis(q, u).expect("good") + king.gravity_forces(q).expect("good");
        let held = arm.damping_forces(q, u).expect("good") + arm.elastic_forces(q).expect("good");
        let sum = moved + held;
        assert_close!(model, sum.as_slice(), bias.as_slice(), rel = AGREE, "parts");
    }
}

/// Links that are not chosen turn exactly.
#[test]
fn link_by_link() {
    let arm = two_bars(Joint::Fixed, bases().remove(0), false);
    let q: Vec<f64> = (0..arm.nq()).map(|k| 0.04 * (1.0 + k as f64).sin()).collect();
    let exact = arm.mass_matrix(&q).expect("a good state");
    let with = |chosen: fn(&str) -> bool| {
        let mut king = Variant::first_order(&arm, chosen).expect("a chain");
        let mass = king.mass_matrix(&q).expect("a good state");
        (mass - &exact).amax() / exact.amax()
    };
    assert!(with(|_| false) < AGREE);
    let [inner, outer, all] =
        [with(|link| link == "inner"), with(|link| link == "outer"), with(|_| true)];
    assert!(inner > 1e-6 && outer > 1e-6, "{inner:e} {outer:e}");
    assert!(all != inner && all != outer, "{all:e} {inner:e} {outer:e}");
}

/// The largest change of energy in a second, as a part of the largest kinetic energy.
fn drift(arm: &Arm, variant: Option<Variant>, u: &[f64]) -> f64 {
    let mut scenario = Diagram::new(arm, 1.0, 0.02);
    scenario.u[..u.len()].copy_from_slice(u);
    scenario.dynamics = variant.map(|variant| Box::new(variant) as _);
    scenario.selection = Selection::new(["energy.total", "energy.kinetic"]);
    let mut rows = Rows::new();
    let done = run(&mut scenario, Dop853::new(1e-10), &mut rows, &mut ());
    assert!(done.is_ok());
    let (mut change, mut kinetic) = (0.0_f64, 0.0_f64);
    for row in rows.values.chunks_exact(2) {
        change = change.max((row[0] - rows.values[0]).abs());
        kinetic = kinetic.max(row[1]);
    }
    change / kinetic
}

#[test]
fn first_order_rotation_loses_what_exact_rotation_keeps() {
    let arm = two_bars(Joint::Fixed, bases().remove(0), false);
    let king = Variant::first_order(&arm, |_| true).expect("a chain");
    assert!(drift(&arm, None, &[1.0]) < 1e-8);
    let lost = drift(&arm, Some(king), &[1.0]);
    assert!((1e-6..1.0).contains(&lost), "{lost:e}");
}

/// Where nothing hangs on a link its small angles turn nothing; else they lose energy, and the more
/// the further the sections turn.
#[test]
fn small_angles_lose_energy_where_something_hangs_on_the_link() {
    let alone = boom(|beam| beam.slide = None, |link| link).build().expect("a good arm");
    let small = |arm| Variant::small_angle(arm, |_| true).expect("a chain");
    let start = [1.0, 0.3, -0.2];
    assert!(drift(&alone, None, &start) < 1e-8);
    assert!(drift(&alone, Some(small(&alone)), &start) < 1e-8);
    let arm = two_bars(Joint::Fixed, bases().remove(0), false);
    let [slow, fast] = [0.5, 1.0].map(|rate| drift(&arm, Some(small(&arm)), &[rate]));
    assert!((1e-6..1.0).contains(&fast) && slow > 1e-7, "{slow:e} {fast:e}");
}

/// By Gibbs-Appell alone, link by link.
#[test]
fn small_angles_link_by_link() {
    let arm = two_bars(Joint::Fixed, bases().remove(0), false);
    let q: Vec<f64> = (0..arm.nq()).map(|k| 0.04 * (1.0 + k as f64).sin()).collect();
    let u: Vec<f64> = (0..arm.nv()).map(|k| (2.0 + k as f64).cos()).collect();
    let bias = |chosen: fn(&str) -> bool| {
        let mut small = Variant::small_angle(&arm, chosen).expect("a chain");
        small.bias(&q, &u).expect("a good state")
    };
    let exact = arm.bias(&q, &u).expect("a good state");
    let apart = |chosen| (bias(chosen) - &exact).amax() / exact.amax();
    assert!(apart(|_| false) < AGREE);
    let all = Algorithm::GibbsAppell(Rotation::Small).bias(&arm, &q, &u).expect("a chain");
    assert_eq!(bias(|_| true), all);
    let [inner, outer] = [apart(|link| link == "inner"), apart(|link| link == "outer")];
    assert!(inner > 1e-6 && outer > 1e-6 && inner != outer, "{inner:e} {outer:e}");
}

/// Energies of exact rotation do not balance with works of first order, and nobody is told that
/// they do.
#[test]
fn runs_of_first_order_have_no_balance_of_energy() {
    let arm = two_bars(Joint::Fixed, bases().remove(0), false);
    let sliding = boom(|_| {}, point).build().expect("a good arm");
    let king = Variant::first_order(&arm, |_| true).expect("a chain");
    let paper = Variant::theodore24(&sliding, |_| true).expect("a point");
    for (arm, variant, has_energies) in
        [(&arm, None, true), (&arm, Some(king), false), (&sliding, Some(paper), true)]
    {
        let mut scenario = Diagram::new(arm, 0.01, 0.01);
        scenario.dynamics = variant.map(|variant| Box::new(variant) as _);
        assert_eq!(scenario.catalogue().find("energy.drift").is_some(), has_energies);
        assert!(scenario.catalogue().find("energy.kinetic").is_some());
        let mut told = true;
        let mut watch = |progress: &Progress| {
            told &= progress.energy_drift.is_some() == has_energies;
            ControlFlow::Continue(())
        };
        let done = run(&mut scenario, Dop853::new(1e-8), &mut Rows::new(), &mut watch);
        assert_eq!(done.expect("a run").energy_drift.is_some(), has_energies);
        assert!(told);
    }
}

/// A boom that slides out of a hub that turns, with a point at its tip.
fn boom(change: impl FnOnce(&mut Beam), tip: impl FnOnce(Link) -> Link) -> Builder {
    let mut beam = Beam::new(1.2, section(), Basis::ClampedFree(Ways::new(2, 1, 0, 0)));
    (beam.foreshortening, beam.slide) = (false, Some(Slide::between(0.3, 1.1)));
    change(&mut beam);
    let about = [[0.02, 0.0, 0.0], [0.0, 0.03, 0.0], [0.0, 0.0, 0.04]];
    let link = Link::new("boom").joint(Joint::revolute(Z)).body(1.5, [-0.1, 0.0, 0.0], about);
    Builder::new("sliding").gravity([0.0, -9.81, 0.0]).link(tip(link.beam(beam)))
}

fn point(link: Link) -> Link {
    link.tip_body(0.4, [0.0; 3], [[0.0; 3]; 3])
}

fn thing(link: Link) -> Link {
    link.tip_body(0.4, [0.0; 3], [[0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 0.1]])
}

/// Lagrange's equations keep the energy they are made from, whatever it is.
#[test]
fn theodores_energy_is_kept_by_his_equations_alone() {
    let arm = boom(|_| {}, point).build().expect("a good arm");
    let printed = Variant::theodore24(&arm, |link| link == "boom").expect("a point");
    let u = [2.0, 0.3, 0.4, -0.2, 0.3];
    let kept = drift(&printed.arm().clone(), Some(printed.clone()), &u);
    assert!(kept < 1e-8, "{kept:e}");
    // the recursions on his integrals are not Lagrange's equations
    let lost = drift(printed.arm(), None, &u);
    assert!(lost > 1e-4, "{lost:e}");
}

/// At rest, and where nothing slides, (24) is the velocity of matter.
#[test]
fn theodore_differs_where_a_link_slides() {
    let arm = boom(|_| {}, point).build().expect("a good arm");
    let mut printed = Variant::theodore24(&arm, |_| true).expect("a point");
    let (q, ud) = ([0.4, 0.7, 0.03, -0.01, 0.02], [0.5, 0.0, 1.0, 2.0, -1.0]);
    let mut difference = |u: &[f64; 5]| {
        let want = arm.inverse_dynamics(&q, u, &ud).expect("a good state");
        let got = printed.inverse_dynamics(&q, u, &ud).expect("a good state");
        // the force along the boom knows how shapes follow the length in any case
        let others = [0, 2, 3, 4].map(|v| (got[v] - want[v]).abs());
        others.into_iter().fold(0.0, f64::max) / want.amax()
    };
    assert!(difference(&[0.0; 5]) < 1e-12);
    assert!(difference(&[1.0, 0.0, 0.3, -0.2, 0.1]) < 1e-12);
    assert!(difference(&[1.0, 0.5, 0.0, 0.0, 0.0]) > 1e-5);
}

#[test]
fn what_theodore_does_not_know() {
    let lack = |builder: Builder| {
        let variants = Variants { theodore24: vec!["boom".to_owned()], ..Variants::default() };
        let described: Vec<String> =
            variants.lacks(&builder).iter().map(ToString::to_string).collect();
        let built = builder.build().expect("a good arm");
        let error = variants.of(&built).map(|_| ()).expect_err("not for (24)");
        (described, error.to_string())
    };
    for (change, what) in [
        ((|beam: &mut Beam| beam.foreshortening = true) as fn(&mut Beam), "bending shortens it"),
        (|beam| beam.profile = Section { rho_i_z: 1e-3, ..section() }.into(), "rotary inertia"),
        (|beam| beam.basis = Basis::ClampedFree(Ways::new(1, 0, 1, 0)), "twist"),
    ] {
        let (described, error) = lack(boom(change, thing));
        assert!(error.contains(what), "{error}");
        assert_eq!(described, [error]);
    }
    for tip in [
        (|link: Link| link.tip_body(0.4, [0.1, 0.0, 0.0], [[0.0; 3]; 3])) as fn(Link) -> Link,
        thing,
    ] {
        let (described, error) = lack(boom(|_| {}, tip));
        assert!(error.contains("a load other than a point mass"), "{error}");
        assert!(described.is_empty());
    }
    let turning = boom(|_| {}, |link| link)
        .link(Link::new("hand").joint(Joint::revolute(Z)).at_section(1.2).payload(0.1, [0.0; 3]));
    assert!(lack(turning).1.contains("a load other than a point mass"));
}

#[test]
fn what_kings_first_order_is_not_for() {
    let variants = Variants { first_order: vec!["boom".to_owned()], ..Variants::default() };
    let sliding = boom(|_| {}, point);
    let lack = Unsupported::Slides { link: "boom".to_owned() };
    assert_eq!(variants.lacks(&sliding), std::slice::from_ref(&lack));
    let sliding = sliding.build().expect("a good arm");
    assert_eq!(variants.of(&sliding).map(|_| ()), Err(lack));
    let names = || vec!["boom".to_owned()];
    let both = Variants { theodore24: names(), ..variants.clone() };
    assert_eq!(both.of(&sliding).map(|_| ()), Err(Unsupported::Both));
    let both = Variants { small_angle: names(), ..variants.clone() };
    assert_eq!(both.of(&sliding).map(|_| ()), Err(Unsupported::Both));
    let small = Variants { small_angle: names(), ..Variants::default() };
    assert_eq!(
        small.lacks(&boom(|_| {}, point)),
        [Unsupported::Slides { link: "boom".to_owned() }]
    );
    assert!(Variants::default().of(&sliding).expect("nothing asked").is_none());
    let ways = Ways::new(true, true, false, false);
    let pieces = boom(
        |beam| {
            (beam.slide, beam.foreshortening) = (None, true);
            beam.basis = Basis::Pieces { pieces: 3, ways, pinned: false };
        },
        point,
    );
    assert_eq!(variants.lacks(&pieces), [Unsupported::Pieces { link: "boom".to_owned() }]);
}

/// A method that asks for residuals does not go back to the engine's equations.
#[test]
fn generalised_alpha_knows_no_other_equations() {
    let arm = two_bars(Joint::Fixed, bases().remove(0), false);
    let mut scenario = Diagram::new(&arm, 0.1, 0.02);
    assert!(run(&mut scenario, GeneralisedAlpha::new(1e-3), &mut Rows::new(), &mut ()).is_ok());
    let king = Variant::first_order(&arm, |_| true).expect("a chain");
    scenario.dynamics = Some(Box::new(king));
    let refused = run(&mut scenario, GeneralisedAlpha::new(1e-3), &mut Rows::new(), &mut ());
    assert!(matches!(refused, Err(RunError::Method(SetupError::NoResidual))), "{refused:?}");
}

#[test]
fn first_order_turns_are_for_one_plane() {
    let beam = Beam::new(1.0, section(), Basis::ClampedFree(Ways::new(1, 1, 0, 0)));
    let link = Link::new("bar").joint(Joint::revolute(Z)).beam(beam);
    let arm = Builder::new("one").link(link).build().expect("a good arm");
    let variants = Variants { first_order: vec!["bar".to_owned()], ..Variants::default() };
    let per_slope = 1.0 / 2.753;
    let turned = |y: f64, z: f64| variants.out_of_range(&arm, &[0.0, y * per_slope, z * per_slope]);
    assert_eq!(turned(0.2, 0.0), []);
    assert_eq!(turned(0.2, 0.015), []);
    let both = turned(0.2, 0.1);
    let [LargeTurn { link, value }] = both.as_slice() else { panic!("{both:?}") };
    assert!(link == "bar" && (value - 0.1).abs() < 1e-3, "{value}");
    assert_eq!(Variants::default().out_of_range(&arm, &[0.0, 0.1, 0.1]), []);
}
