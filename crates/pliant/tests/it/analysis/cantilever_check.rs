//! Shapes against the textbook: closed forms of what shapes give, and which are sufficient.

use super::{assert_each, beam, built, cantilever, section, shortening};
use pliant::Help;
use pliant::analyse::{
    Cantilever, CantileverCheck, CantileverComparison, CantileverQuantity, ClampedBeam, LoadedBeam,
    RebuildError,
};
use pliant::arm::{Builder, Joint, Link};
use pliant::beam::{
    Basis, Beam, CrossSection, Material, Matter, Section, ShapeLoad, Slide, TipLoad, Ways,
};
use std::f64::consts::PI;

const LENGTH: f64 = 1.2;
/// Roots of `cos β cosh β = −1`.
const ROOTS: [f64; 3] = [1.875_104_068_711_961, 4.694_091_132_974_175, 7.854_757_438_237_613];

fn stiff() -> Section {
    Section { ei_y: 80.0, gj: 30.0, rho_i_y: 1e-6, rho_i_z: 1e-6, ..section(50.0, 0.8) }
}

fn elements(count: usize) -> Basis {
    Basis::Hermite { elements: count, ways: Ways::new(true, true, true, true) }
}

/// Elements are exact at their nodes; frequencies and the buckling load converge.
#[test]
fn elements_have_closed_forms() {
    let own = shortening(beam(LENGTH, stiff(), elements(8)));
    let clamped = ClampedBeam::new(&own).expect("a beam");
    for (plane, ei) in [(0, 50.0), (1, 80.0)] {
        let known = |x: Option<f64>| x.expect("known");
        let (tip, sag) = (clamped.tip_flexibility(plane), clamped.sag(plane, 9.81));
        let want = [LENGTH.powi(3) / (3.0 * ei), 0.8 * 9.81 * LENGTH.powi(4) / (8.0 * ei)];
        assert_each(&[known(tip), known(sag)], &want, 1e-9, "L³/3EI and ρA g L⁴/8EI");
        let euler = PI * PI * ei / (4.0 * LENGTH * LENGTH);
        assert_each(&[known(clamped.buckling_load(plane))], &[euler], 1e-4, "Euler");
        let omega = ROOTS.map(|root| (root / LENGTH).powi(2) * (ei / 0.8_f64).sqrt());
        assert_each(&clamped.bending_frequencies(plane), &omega, 1e-3, "β² √(EI/ρA)");
    }
    let whole = [clamped.twist(), clamped.stretch()].map(|x| x.expect("known"));
    assert_each(&whole, &[LENGTH / 30.0, LENGTH / 1e6], 1e-9, "L/GJ and L/EA");
    let wave = PI / (2.0 * LENGTH) * (30.0 / 2e-6_f64).sqrt();
    assert_each(&[clamped.twist_frequency().expect("known")], &[wave], 2e-3, "a quarter wave");
    // nothing shortens, nothing buckles
    let straight = ClampedBeam::new(&beam(LENGTH, stiff(), elements(2))).expect("a beam");
    assert_eq!(straight.buckling_load(0), None);
}

/// The tip flexibility of `n` clamped-free modes is `Σ 12/β⁴` of the exact one.
#[test]
fn modes_are_refined_until_they_suffice() {
    let modes = |n| Basis::ClampedFree(Ways::new(n, 0, 0, 0));
    let check = |n| CantileverCheck::new(beam(LENGTH, stiff(), modes(n))).expect("a beam");
    let missing = |n: usize| ROOTS[..n].iter().map(|b| 12.0 / b.powi(4)).sum::<f64>() - 1.0;
    for n in [1, 2, 3] {
        let own = check(n);
        let tip = own.comparisons[0];
        assert_eq!(tip.quantity, CantileverQuantity::TipFlexibility { plane: 0 });
        let error = tip.error().expect("computed");
        assert!((error - missing(n)).abs() < 1e-9, "{error} {}", missing(n));
        let (worst, size) = own.worst().expect("judged");
        assert_eq!((worst.quantity, size), (tip.quantity, error.abs()));
    }
    let [first, second] = [1, 2].map(|n| missing(n).abs());
    for (tolerance, n) in [(1.01 * first, 1), (0.99 * first, 2), (0.99 * second, 3)] {
        assert_eq!(check(1).sufficient_basis(tolerance), Some(modes(n)), "{tolerance}");
        assert_eq!(check(1).is_sufficient(tolerance), n == 1);
    }
    // seven modes miss 2e-5; a single element has the tip, its frequency needs more
    let tight = check(1).sufficient_basis(1e-5).expect("elements");
    let Basis::Hermite { elements, .. } = tight else { panic!("{tight:?}") };
    let suffices = |elements| {
        let basis = Basis::Hermite { elements, ways: Ways::new(true, false, false, false) };
        let own = CantileverCheck::new(beam(LENGTH, stiff(), basis)).expect("a beam");
        own.is_sufficient(1e-5)
    };
    assert!(suffices(elements) && !suffices(elements - 1), "{elements}");
    assert_eq!(check(1).sufficient_basis(1e-13), None);
    // as many frequencies as the textbook is asked for, and no more than there are shapes
    let computed = check(1).comparisons.iter().filter(|one| one.computed.is_none()).count();
    assert_eq!((check(1).comparisons.len(), computed), (6, 2));
}

/// A heavy point on the tip: `β` of `1 + cos β cosh β = (m/ρAL) β (sin β cosh β − cos β sinh β)`
/// (Blevins), `ω = √(3EI/m L³)` where it outweighs the beam; with an offset and an inertia, and for
/// twist, against elements.
#[test]
fn the_textbook_knows_what_hangs_on_the_tip() {
    let plain =
        Section { ei_y: 80.0, gj: 30.0, rho_i_y: 1e-9, rho_i_z: 1e-9, ..section(50.0, 0.8) };
    let own = beam(LENGTH, plain, elements(24));
    let point = |mass| TipLoad { mass, ..TipLoad::default() };
    for (plane, ei) in [(0, 50.0), (1, 80.0)] {
        for ratio in [0.2, 1.0, 5.0] {
            let mass = ratio * 0.8 * LENGTH;
            let found = Cantilever::loaded(&own, point(mass)).bending_frequencies(plane, 3);
            assert_eq!(found.len(), 3);
            for omega in found {
                let beta = (omega * omega * 0.8 / ei).powf(0.25) * LENGTH;
                let left = 1.0 + beta.cos() * beta.cosh();
                let right = ratio * beta * (beta.sin() * beta.cosh() - beta.cos() * beta.sinh());
                assert!((left - right).abs() < 1e-6 * beta.cosh() * (1.0 + ratio * beta), "{beta}");
            }
        }
        let massive = Cantilever::loaded(&own, point(1e4)).bending_frequencies(plane, 1);
        let light = (3.0 * ei / (1e4 * LENGTH.powi(3))).sqrt();
        assert_each(&massive, &[light], 1e-4, "√(3EI/mL³)");
    }
    let load = TipLoad { mass: 1.5, offset: 0.2, inertia: [0.03, 0.09, 0.1] };
    let (book, clamped) =
        (Cantilever::loaded(&own, load), ClampedBeam::loaded(&own, &load).expect("a beam"));
    for (plane, ei) in [(0, 50.0), (1, 80.0)] {
        assert_each(
            &clamped.bending_frequencies(plane),
            &book.bending_frequencies(plane, 3),
            1e-4,
            "elements",
        );
        // m g (L + e) and the weight of the beam
        let moment = 9.81 * (1.5 * (LENGTH + 0.2) + 0.5 * 0.8 * LENGTH * LENGTH);
        assert_each(&[9.81 * book.root_moment()], &[moment], 1e-12, "by hand");
        let computed = clamped.root_moment(plane, 9.81).expect("known");
        assert_each(&[computed], &[moment], 1e-9, "by equilibrium");
        let sag = 9.81
            * (1.5 * LENGTH.powi(3) / 3.0
                + 1.5 * 0.2 * LENGTH.powi(2) / 2.0
                + 0.8 * LENGTH.powi(4) / 8.0)
            / ei;
        let computed = clamped.sag(plane, 9.81).expect("known");
        assert_each(&[9.81 * book.sag(plane), computed], &[sag; 2], 1e-9, "by hand");
    }
    let twist = clamped.twist_frequency().expect("known");
    assert_each(&[book.twist_frequency().expect("known")], &[twist], 1e-4, "twist");
    assert_each(&[twist], &[(30.0 / (LENGTH * 0.03_f64)).sqrt()], 1e-4, "√(GJ/L J)");
}

/// Clamped-free shapes under a load are found out, and shapes for it are not.
#[test]
fn shapes_are_judged_under_their_load() {
    let load = TipLoad { mass: 5.0, offset: 0.1, inertia: [0.01, 0.06, 0.06] };
    let gravity = [0.0, 0.0, -9.81].into();
    let check = |basis| {
        let beam = beam(LENGTH, stiff(), basis);
        CantileverCheck::new(LoadedBeam { beam, load, gravity }).expect("a beam")
    };
    let ways = Ways::new(0, 2, 0, 0);
    let free = check(Basis::ClampedFree(ways));
    assert!(!free.is_sufficient(0.005), "{:?}", free.worst());
    let of = |check: &CantileverCheck, quantity| {
        let found = check.comparisons.iter().find(|one| one.quantity == quantity);
        found.and_then(CantileverComparison::error).expect("computed")
    };
    let sag = CantileverQuantity::Sag { plane: 1 };
    assert!(of(&free, sag) < -0.005, "too stiff: {}", of(&free, sag));
    // its moment is that of equilibrium all the same
    assert!(of(&free, CantileverQuantity::RootMoment { plane: 1 }).abs() < 1e-12);
    // a point without an offset is what clamped-mass shapes are for
    let point = TipLoad { offset: 0.0, inertia: [0.0; 3], ..load };
    let beam = beam(LENGTH, stiff(), Basis::ClampedFree(ways));
    let heavy = CantileverCheck::new(LoadedBeam { beam, load: point, gravity }).expect("a beam");
    let made = Basis::ClampedMass { ways, load: ShapeLoad::Given(point) };
    assert_eq!(heavy.sufficient_basis(0.003), Some(made), "{:?}", heavy.worst());
    let [hinge_y, hinge_z] = [None; 2];
    let load = ShapeLoad::Given(load);
    let loaded = check(Basis::Eigenmodes { elements: 8, ways, load, hinge_y, hinge_z });
    assert!(loaded.is_sufficient(0.005), "{:?}", loaded.worst());
}

/// A link in an arm carries there what it carries here.
#[test]
fn links_are_taken_as_they_are_used() {
    let material = Material::named("steel").expect("known");
    let matter = Matter::Made { outline: CrossSection::Round { diameter: 0.02 }, material };
    let load = ShapeLoad::Outboard;
    let basis = Basis::ClampedMass { ways: Ways::new(2, 0, 0, 0), load };
    let described = Beam::new(LENGTH, matter.clone(), basis);
    let link = Link::new("rod").beam(described.clone()).tip_body(3.0, [0.0; 3], [[0.0; 3]; 3]);
    let arm = built(Builder::new("rod").link(link));
    assert_eq!(arm.tip_load_of(0).map(|load| load.mass), Some(3.0));
    let own = arm.as_cantilever("rod", &described);
    assert_eq!(own.beam.basis, arm.beam_of(0).expect("a beam").basis);
    assert_eq!(own.load, arm.tip_load_of(0).expect("a beam"));
    assert_eq!(own.gravity.to_array(), [0.0, 0.0, -9.81]);
    // gravity along z, and it bends along y: nothing sags
    let sags = |quantity| matches!(quantity, CantileverQuantity::Sag { .. });
    let check = CantileverCheck::new(own).expect("a beam");
    assert!(!check.comparisons.iter().any(|one| sags(one.quantity)));
    // made for their load, two shapes are sufficient
    let first = CantileverQuantity::BendingFrequency { plane: 0, number: 1 };
    let found = check.comparisons.iter().find(|one| one.quantity == first).expect("bends");
    assert!(found.judged && found.error().expect("computed").abs() < 1e-4, "{found:?}");
    // one that slides at its largest length
    let slide = Some(Slide::between(0.3, 0.9));
    let free = Basis::ClampedFree(Ways::new(2, 0, 0, 0));
    let slider = Beam { slide, ..Beam::new(LENGTH, matter, free) };
    let arm = built(Builder::new("boom").link(Link::new("boom").beam(slider.clone())));
    let longest = arm.as_cantilever("boom", &slider);
    let longest = longest.beam;
    assert!((longest.length - 0.9).abs() < 1e-12 && longest.slide.is_none());
    assert_eq!(slider.clamped_frequency(), Ok(None));
}

#[test]
fn a_pinned_root_is_no_cantilever() {
    let ways = Ways::new(true, false, false, false);
    let pieces = |pinned| Beam::new(LENGTH, stiff(), Basis::Pieces { pieces: 30, ways, pinned });
    let error = CantileverCheck::new(pieces(true)).expect_err("it is pinned");
    assert_eq!((&error, error.help()), (&RebuildError::PinnedRoot, None));
    assert_eq!(pieces(true).clamped_frequency(), Ok(None));
    let omega = (ROOTS[0] / LENGTH).powi(2) * (50.0 / 0.8_f64).sqrt();
    let alone = |beam: &Beam| beam.clamped_frequency().expect("an arm").expect("clamped");
    assert_each(&[alone(&pieces(false))], &[omega], 2e-3, "pieces");
    // with its rigid end, as the arm has it
    let long = Beam { rigid_tip: 0.3, ..beam(LENGTH, stiff(), elements(4)) };
    let arm = built(cantilever(Joint::Fixed, long.clone(), |l| l));
    let lowest = arm.modes(&arm.neutral()).expect("modes").modes[0].frequency();
    assert_each(&[alone(&long)], &[lowest], 1e-12, "rigid tip");
    let refused = Beam { length: -1.0, ..long }.clamped_frequency();
    assert!(matches!(refused, Err(RebuildError::Build(_))), "{refused:?}");
}

/// What a sliding link carries, with another one at its neutral length, from −0.8 m to 0.7 m about
/// its tip, and 2 kg on that.
#[test]
fn a_slider_carries_the_next_at_its_neutral_length() {
    let slider = |length, smallest, largest| {
        let modes = Basis::ClampedFree(Ways::new(1, 1, 0, 0));
        let slide = Some(Slide::between(smallest, largest));
        Beam { slide, ..Beam::new(length, section(50.0, 0.8), modes) }
    };
    let inner = Link::new("inner").beam(slider(1.5, 0.2, 1.2)).at_section(2.0);
    let inner = inner.tip_body(2.0, [0.0; 3], [[0.0; 3]; 3]);
    let outer = Link::new("outer").beam(slider(2.0, 0.4, 1.5));
    let arm = built(Builder::new("nested").link(outer).link(inner));
    let [outer, inner] = [0, 1].map(|link| arm.tip_load_of(link).expect("a beam"));
    assert_eq!((inner.mass, inner.inertia), (2.0, [0.0; 3]));
    let mass = 2.0 + 0.8 * 1.5;
    let first = 2.0 * 0.7 + 0.8 * (0.7_f64.powi(2) - 0.8_f64.powi(2)) / 2.0;
    let second = 2.0 * 0.49 + 0.8 * (0.7_f64.powi(3) + 0.8_f64.powi(3)) / 3.0;
    let got = [outer.mass, outer.offset, outer.inertia[1], outer.inertia[2]];
    assert_each(&got, &[mass, first / mass, second, second], 1e-9, "the inner link");
}
