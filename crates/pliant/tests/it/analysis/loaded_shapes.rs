//! Modes of the loaded beam against many finite elements, and what is said of shapes that know no
//! load.

use super::{built, section};
use pliant::Help;
use pliant::analyse::Mode;
use pliant::arm::{Builder, Link, Warning};
use pliant::beam::{Basis, Beam, Damping, Matter, Profile, Section, ShapeLoad, Ways};

const LENGTH: f64 = 1.5;

const TURNED: [[f64; 3]; 3] = [[0.02, 0.0, 0.0], [0.0, 0.03, 0.0], [0.0, 0.0, 0.03]];

/// A tapered beam that carries a drive in its middle and a long tool on its tip, both beside the axis.
fn carrying(basis: Basis, damping: Damping) -> Builder {
    let place = |s: f64, ei: f64, rho_a: f64| {
        let round = Section { rho_i_y: 1e-4, rho_i_z: 1e-4, gj: 100.0, ..section(ei, rho_a) };
        (s, Matter::Given(round))
    };
    let profile = Profile::along(vec![place(0.0, 400.0, 1.0), place(LENGTH, 150.0, 0.6)]);
    let beam = Beam { damping, ..Beam::new(LENGTH, profile, basis) };
    Builder::new("carrying")
        .gravity([0.0; 3])
        .link(Link::new("beam").beam(beam))
        .link(Link::new("drive").at_section(0.6).body(1.5, [0.0, 0.0, 0.1], TURNED))
        .link(Link::new("tool").on("beam").at_section(LENGTH).body(0.8, [0.3, 0.0, 0.1], TURNED))
}

fn modes(builder: Builder) -> Vec<Mode> {
    let arm = built(builder);
    arm.modes(&arm.neutral()).expect("modes").modes
}

fn frequencies(basis: Basis) -> Vec<f64> {
    modes(carrying(basis, Damping::default())).iter().map(Mode::frequency).collect()
}

/// Everything counts: the taper, the drive part-way, the tool's length and inertia.
#[test]
fn modes_of_the_loaded_beam_know_everything_it_carries() {
    for (ways, on) in [
        (Ways::new(2, 0, 0, 0), Ways::new(true, false, false, false)),
        (Ways::new(0, 2, 0, 0), Ways::new(false, true, false, false)),
        (Ways::new(0, 0, 1, 0), Ways::new(false, false, true, false)),
        (Ways::new(0, 0, 0, 1), Ways::new(false, false, false, true)),
    ] {
        let exact = frequencies(Basis::Hermite { elements: 30, ways: on });
        let own = frequencies(Basis::loaded(ways));
        let (hinge_y, hinge_z) = (None, None);
        let (elements, load) = (20, ShapeLoad::Outboard);
        let tip_alone = Basis::Eigenmodes { elements, ways, load, hinge_y, hinge_z };
        let tip_alone = frequencies(tip_alone);
        for (k, own) in own.iter().enumerate() {
            let [error, without] = [own, &tip_alone[k]].map(|found| (found / exact[k] - 1.0).abs());
            // the drive hangs inside an element, which stretches and twists evenly
            let bar = if ways.bend_y + ways.bend_z > 0 { 1e-3 } else { 3e-3 };
            assert!(error < bar, "{ways:?}: {error:e}");
            assert!(error <= without + 1e-9, "{ways:?}: {error:e} {without:e}");
        }
    }
}

/// Damping ratios are those of the link with what it carries: so they come out where nothing else
/// moves.
#[test]
fn damping_ratios_are_those_of_the_loaded_modes() {
    let damping = Damping { ratios: vec![0.013], ..Damping::default() };
    for mode in modes(carrying(Basis::loaded(Ways::new(2, 0, 0, 0)), damping)) {
        assert!((mode.damping_ratio / 0.013 - 1.0).abs() < 1e-6, "{}", mode.damping_ratio);
    }
}

/// One shape more each way is found for the same load.
#[test]
fn refined_shapes_know_the_load_too() {
    let two = frequencies(Basis::loaded(Ways::new(2, 0, 0, 0)));
    let three = frequencies(Basis::loaded(Ways::new(2, 0, 0, 0)).refined());
    assert_eq!((two.len(), three.len()), (2, 3));
    assert!((three[1] / two[1] - 1.0).abs() < 1e-4, "{two:?} {three:?}");
}

/// The warning tells the errors that the link alone has: here of its whole arm.
#[test]
fn shapes_of_a_free_tip_under_a_load_are_warned_of_by_their_errors() {
    let free = |n| Basis::ClampedFree(Ways::new(n, 0, 0, 0));
    let arm = built(carrying(free(2), Damping::default()));
    let [warning] = arm.warnings() else { panic!("{:?}", arm.warnings()) };
    let Warning::UnloadedShapes { link, frequency, sag } = warning else { panic!("{warning}") };
    assert!(link == "beam" && *frequency > 0.0 && *sag < 0.0, "{warning}");
    let on = Ways::new(true, false, false, false);
    let exact = frequencies(Basis::Hermite { elements: 30, ways: on })[0];
    let told = frequencies(free(2))[0] / exact - 1.0;
    assert!((frequency - told).abs() < 1e-5, "{frequency} {told}");
    assert!(warning.help().is_some_and(|help| help.contains("loaded")));
    for basis in [Basis::loaded(Ways::new(2, 0, 0, 0)), free(20)] {
        let arm = built(carrying(basis, Damping::default()));
        assert!(arm.warnings().is_empty(), "{:?}", arm.warnings());
    }
}

/// Shear is on by default where it matters, of modes of the loaded beam.
#[test]
fn thick_beams_shear_by_default() {
    let shears = |ratio: f64, basis: Basis| {
        let kga = Some(100.0 / (ratio * ratio * LENGTH * LENGTH));
        let thick = Section { kga_y: kga, kga_z: kga, ..section(100.0, 1.0) };
        Beam::new(LENGTH, thick, basis).shear
    };
    let ways = Ways::new(2, 2, 0, 0);
    assert!(shears(0.021, Basis::loaded(ways)) && !shears(0.019, Basis::loaded(ways)));
    assert!(!shears(0.1, Basis::ClampedFree(ways)));
    assert!(!Beam::new(LENGTH, section(100.0, 1.0), Basis::loaded(ways)).shear);
}
