//! Arms without the terms of second order of each link's own bending.

use super::section;
use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::beam::{Basis, Beam, Ways};
use pliant::nalgebra::{DMatrix, DVector};
use pliant::reproduce::{Algorithm, Rotation, with_linear_inertia};
use pliant::spatial::{Pose, Vec3, euler_xyz};

/// Two bars that bend both ways and do not shorten; the inner one twists.
fn bars() -> Arm {
    let beam = |length, twists| Beam {
        foreshortening: false,
        ..Beam::new(length, section(), Basis::ClampedFree(Ways::new(2, 2, twists, 0)))
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

/// `h_k = Σ_ij (∂M_ki/∂q_j − ½ ∂M_ij/∂q_k) u_i u_j` by central differences: the equations that are
/// left are Lagrange's of the energy that is left.
#[test]
fn what_is_left_is_lagranges() {
    let arm = with_linear_inertia(&bars());
    let [q, u] = state(&arm, 0.03);
    let step = 1e-5;
    let slope = |k: usize| {
        let moved = |by: f64| {
            let mut q = q.clone();
            q[k] += by;
            mass(&arm, &q)
        };
        (moved(step) - moved(-step)) / (2.0 * step)
    };
    let slopes: Vec<DMatrix<f64>> = (0..arm.nv()).map(slope).collect();
    let u = DVector::from_column_slice(&u);
    let rate = slopes
        .iter()
        .zip(u.iter())
        .fold(DMatrix::zeros(u.len(), u.len()), |all, (s, &u)| all + s * u);
    let bent =
        DVector::from_iterator(u.len(), slopes.iter().map(|slope| 0.5 * u.dot(&(slope * &u))));
    let want = rate * &u - bent;
    let own = arm.coriolis(&q, u.as_slice()).expect("a good state");
    // steps of 1e-5 leave 1e-10 of the third slopes, and 1e-11 of rounding
    assert!((&own - &want).amax() < 1e-8 * want.amax(), "{own} {want}");
    // by Gibbs-Appell too
    let algorithm = Algorithm::GibbsAppell(Rotation::Exact);
    let rest = vec![0.0; arm.nv()];
    let bias = |u: &[f64]| algorithm.bias(&arm, &q, u).expect("a chain");
    let further = bias(u.as_slice()) - bias(&rest);
    assert!((&own - further).amax() < 1e-11 * bias(&rest).amax().max(want.amax()));
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
