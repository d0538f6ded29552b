//! Arms without terms of each link's own bending and twist, and turns in other coordinates.

use super::section;
use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::beam::{Basis, Beam, Section, Ways};
use pliant::nalgebra::{DMatrix, DVector};
use pliant::reproduce::{Algorithm, Rotation, with_linear_inertia, without_section_spin};
use pliant::spatial::{Pose, Vec3, euler_xyz};

/// Two bars that bend both ways and do not shorten; the inner one twists.
fn bars() -> Arm {
    bars_of(section())
}

/// A section that spins.
fn round() -> Section {
    Section { rho_i_z: 2e-3, rho_i_y: 2e-3, ..section() }
}

fn bars_of(section: Section) -> Arm {
    let beam = |length, twists| Beam {
        foreshortening: false,
        ..Beam::new(length, section, Basis::ClampedFree(Ways::new(2, 2, twists, 0)))
    };
    let turned = Pose::new(euler_xyz(1.2, 0.3, -0.4), Vec3::ZERO);
    Builder::new("bars")
        .gravity([0.4, -9.81, 1.0])
        .link(Link::new("upper").joint(Joint::revolute([0.0, 0.0, 1.0])).beam(beam(1.2, 1)))
        .link(
            Link::new("fore")
                .joint(Joint::revolute([0.0, 0.0, 1.0]))
                .placed(turned)
                .at_section(1.2)
                .beam(beam(0.9, 0))
                .tip_body(0.4, [0.0; 3], [[0.0; 3]; 3]),
        )
        .build()
        .expect("a good arm")
}

fn state(arm: &Arm, size: f64) -> [Vec<f64>; 2] {
    let bend = |k: usize| size * (1.0 + 2.3 * k as f64).sin();
    let mut q: Vec<f64> = (0..arm.nq()).map(bend).collect();
    let mut u: Vec<f64> = (0..arm.nv()).map(|k| 5.0 * bend(k + 3)).collect();
    for joint in ["upper", "fore"] {
        let at = arm.velocity_names().iter().position(|name| name == joint).expect("a joint");
        (q[at], u[at]) = (0.6, -1.1);
    }
    [q, u]
}

fn mass(arm: &Arm, q: &[f64]) -> DMatrix<f64> {
    arm.mass_matrix(q).expect("a good state")
}

/// `h_k = Σ_ij (∂M_ki/∂q_j − ½ ∂M_ij/∂q_k) u_i u_j` by central differences: Lagrange's equations of
/// the energy of a mass matrix.
fn lagranges(mass: &dyn Fn(&[f64]) -> DMatrix<f64>, q: &[f64], u: &[f64]) -> DVector<f64> {
    let step = 1e-5;
    let slope = |k: usize| {
        let moved = |by: f64| {
            let mut q = q.to_vec();
            q[k] += by;
            mass(&q)
        };
        (moved(step) - moved(-step)) / (2.0 * step)
    };
    let slopes: Vec<DMatrix<f64>> = (0..u.len()).map(slope).collect();
    let u = DVector::from_column_slice(u);
    let rate = slopes
        .iter()
        .zip(u.iter())
        .fold(DMatrix::zeros(u.len(), u.len()), |all, (s, &u)| all + s * u);
    let bent =
        DVector::from_iterator(u.len(), slopes.iter().map(|slope| 0.5 * u.dot(&(slope * &u))));
    rate * &u - bent
}

/// The equations that are left are Lagrange's of the energy that is left.
#[test]
fn what_is_left_is_lagranges() {
    for arm in [with_linear_inertia(&bars()), without_section_spin(&bars_of(round()))] {
        let [q, u] = state(&arm, 0.03);
        let want = lagranges(&|q| mass(&arm, q), &q, &u);
        let own = arm.coriolis(&q, &u).expect("a good state");
        // steps of 1e-5 leave 1e-10 of the third slopes, and 1e-11 of rounding
        assert!((&own - &want).amax() < 1e-8 * want.amax(), "{own} {want}");
        // by Gibbs-Appell too
        let algorithm = Algorithm::GibbsAppell(Rotation::Exact);
        let rest = vec![0.0; arm.nv()];
        let bias = |u: &[f64]| algorithm.bias(&arm, &q, u).expect("a chain");
        let further = bias(&u) - bias(&rest);
        assert!((&own - further).amax() < 1e-11 * bias(&rest).amax().max(want.amax()));
    }
}

/// Turns one after the other with the angular velocity that is theirs: the equations of motion are
/// Lagrange's of their own mass matrix, whose weight has a potential, and where all turns of a link have
/// one axis they are the exact ones.
#[test]
fn turns_in_turn_have_an_energy() {
    let arm = bars();
    let [q, u] = state(&arm, 0.05);
    let (turns, exact) =
        (Algorithm::GibbsAppell(Rotation::Turns), Algorithm::GibbsAppell(Rotation::Exact));
    let mass = |q: &[f64]| turns.mass_matrix(&arm, q).expect("a chain");
    let want = lagranges(&mass, &q, &u);
    let rest = vec![0.0; arm.nv()];
    let bias = |q: &[f64], u: &[f64]| turns.bias(&arm, q, u).expect("a chain");
    let own = bias(&q, &u) - bias(&q, &rest);
    assert!((&own - &want).amax() < 1e-8 * want.amax(), "{own} {want}");
    // ∂g_i/∂q_k = ∂g_k/∂q_i
    let n = arm.nv();
    let slopes = DMatrix::from_fn(n, n, |i, k| {
        let moved = |by: f64| {
            let mut q = q.clone();
            q[k] += by;
            bias(&q, &rest)[i]
        };
        (moved(1e-5) - moved(-1e-5)) / 2e-5
    });
    assert!((&slopes - slopes.transpose()).amax() < 1e-7 * slopes.amax(), "{slopes}");
    let far = (mass(&q) - exact.mass_matrix(&arm, &q).expect("a chain")).amax();
    assert!(far > 1e-4 * mass(&q).amax(), "{far:e}");
    // bent in one plane, and moving in it
    let names = arm.velocity_names();
    let is_across = |name: &str| name.contains(".z") || name.contains(".x");
    let flat: Vec<f64> =
        names.iter().zip(&q).map(|(name, &q)| if is_across(name) { 0.0 } else { q }).collect();
    let within: Vec<usize> = (0..n).filter(|&k| !is_across(&names[k])).collect();
    let within = |all: DMatrix<f64>| all.select_rows(&within).select_columns(&within);
    let (own, want) =
        (within(mass(&flat)), within(exact.mass_matrix(&arm, &flat).expect("a chain")));
    assert!((&own - &want).amax() < 1e-13 * want.amax(), "{own} {want}");
}

/// What goes is `ρI_p ∫ ψ dx` between the spin of a twisting link about itself and its twist, and nothing
/// else: the fore bar, which does not twist, keeps all of its own.
#[test]
fn without_the_spin_of_sections_only_the_cross_term_goes() {
    let whole = bars_of(round());
    let changed = without_section_spin(&whole);
    let [q, _] = state(&whole, 0.0);
    let difference = mass(&whole, &q) - mass(&changed, &q);
    // the joint of the upper bar turns about z: no spin about the bar while it is straight
    assert!(difference.amax() < 1e-14 * mass(&whole, &q).amax(), "{difference}");
    let about_itself = |twists| {
        let beam = Beam {
            foreshortening: false,
            ..Beam::new(1.2, round(), Basis::ClampedFree(Ways::new(1, 1, twists, 0)))
        };
        let link = Link::new("bar").joint(Joint::revolute([1.0, 0.0, 0.0])).beam(beam);
        Builder::new("bar").link(link).build().expect("a good arm")
    };
    let arm = about_itself(1);
    let (whole, changed) = (mass(&arm, &[0.0; 4]), mass(&without_section_spin(&arm), &[0.0; 4]));
    let twist = arm.velocity_names().iter().position(|name| name == "bar.x1").expect("it twists");
    let difference = &whole - &changed;
    // ρI_p l ∫ sin(π s/2) ds = 2 ρI_p l/π, with the scale of the shape from its own modal mass, half of
    // ρI_p l times its square
    let polar = whole[(0, 0)];
    let scale = (whole[(twist, twist)] / (0.5 * polar)).sqrt();
    let want = scale * polar * std::f64::consts::FRAC_2_PI;
    assert!((difference[(0, twist)].abs() / want - 1.0).abs() < 1e-9, "{difference} {want}");
    let mut rest = difference.clone();
    (rest[(0, twist)], rest[(twist, 0)]) = (0.0, 0.0);
    assert!(rest.amax() < 1e-14 * whole.amax() && changed[(0, twist)] == 0.0, "{difference}");
}

/// Straight links lose nothing in the mass matrix. In the inertia of bent ones what goes is of second
/// order, and where a rate meets a coordinate of the same link of first.
#[test]
fn what_goes_is_of_the_order_it_says() {
    let (whole, linear) = (bars(), with_linear_inertia(&bars()));
    let difference = |size: f64| {
        let [q, _] = state(&whole, size);
        (mass(&whole, &q) - mass(&linear, &q)).abs()
    };
    assert!(difference(0.0).amax() < 1e-14);
    // so small that no section turns by more than a hundredth of a radian
    let [small, large] = [1e-5, 1e-4].map(difference);
    // the first joint carries the inertia of both links
    let (small_inertia, large_inertia) = (small[(0, 0)], large[(0, 0)]);
    assert!((large_inertia / small_inertia / 100.0 - 1.0).abs() < 0.1, "{large_inertia}");
    let (small_spin, large_spin) = (small.amax(), large.amax());
    assert!((large_spin / small_spin / 10.0 - 1.0).abs() < 0.1, "{large_spin}");
    // what the tips carry and gravity are as before
    let [q, _] = state(&whole, 0.03);
    let gravity = |arm: &Arm| arm.gravity_forces(&q).expect("a good state");
    assert_eq!(gravity(&whole), gravity(&linear));
}
