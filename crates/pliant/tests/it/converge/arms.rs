//! Small arms to move.

use pliant::arm::{Arm, Builder, Joint, Link};
use pliant::beam::{Basis, Beam, Section, Ways};
use pliant::spatial::Pose;

const SMALL: [[f64; 3]; 3] = [[0.01, 0.0, 0.0], [0.0, 0.012, 0.0], [0.0, 0.0, 0.015]];

/// An arm and the state it starts from.
pub(super) struct Start {
    pub(super) name: &'static str,
    pub(super) arm: Arm,
    pub(super) state: Vec<f64>,
}

impl Start {
    fn new(name: &'static str, builder: Builder, q: &[(usize, f64)], u: &[(usize, f64)]) -> Self {
        let arm = builder.build().expect("a good arm");
        let mut state = [arm.neutral(), vec![0.0; arm.nv()]].concat();
        for &(i, value) in q {
            state[i] = value;
        }
        for &(i, value) in u {
            state[arm.nq() + i] = value;
        }
        Self { name, arm, state }
    }
}

fn beam(stiffness: f64, basis: Basis) -> Beam {
    let section = Section {
        ea: 1e3 * stiffness,
        ei_z: stiffness,
        ei_y: stiffness,
        gj: stiffness,
        kga_y: None,
        kga_z: None,
        rho_a: 1.0,
        rho_i_z: 1e-4,
        rho_i_y: 1e-4,
    };
    Beam::new(1.0, section, basis)
}

fn hinge() -> Joint {
    Joint::revolute([0.0, 0.0, 1.0])
}

/// Two rigid links in a plane.
pub(super) fn double_pendulum() -> Start {
    let link = |name: &str| Link::new(name).joint(hinge()).body(1.0, [0.4, 0.0, 0.0], SMALL);
    let outer = link("outer").placed(Pose::at(0.8, 0.0, 0.0));
    let builder =
        Builder::new("double pendulum").gravity([0.0, -9.81, 0.0]).link(link("inner")).link(outer);
    Start::new("double pendulum", builder, &[(0, 0.3), (1, -0.8)], &[(1, 1.0)])
}

/// One link with two modes each way, swinging.
pub(super) fn flexible() -> Start {
    let basis = Basis::ClampedFree(Ways::new(2, 1, 0, 0));
    let link = Link::new("rod").joint(hinge()).body(0.5, [0.0; 3], SMALL).beam(beam(30.0, basis));
    let builder = Builder::new("flexible link").gravity([0.0, -9.81, 0.0]).link(link);
    Start::new("flexible link", builder, &[(0, 0.4), (1, 0.02)], &[(0, 1.0), (3, 0.1)])
}

/// A body that floats and tumbles, with a link that bends.
pub(super) fn floating() -> Start {
    let basis = Basis::ClampedFree(Ways::new(1, 1, 0, 0));
    let hub = Link::new("hub").joint(Joint::Free).body(1.0, [0.0, 0.1, 0.0], SMALL);
    let rod = Link::new("rod").joint(hinge()).body(0.2, [0.0; 3], SMALL).beam(beam(30.0, basis));
    let builder = Builder::new("floating").gravity([0.0; 3]).link(hub).link(rod);
    let u = [(0, 0.2), (3, 1.5), (4, -2.0), (5, 1.0), (6, 1.0), (7, 0.1)];
    Start::new("floating arm", builder, &[(8, 0.02)], &u)
}

/// A top on a spherical joint, with a hinge further out.
pub(super) fn spherical() -> Start {
    let top = Link::new("top").joint(Joint::Spherical).body(1.0, [0.3, 0.1, 0.2], SMALL);
    let flap = Link::new("flap").joint(hinge()).body(0.5, [0.2, 0.0, 0.1], SMALL);
    let builder = Builder::new("spherical").gravity([0.0, -9.81, 0.0]).link(top).link(flap);
    Start::new("spherical pendulum", builder, &[], &[(0, 1.0), (1, -2.0), (2, 1.5), (3, 1.0)])
}

/// The same two links, the first of which is moved.
pub(super) fn driven() -> Start {
    let link = |name: &str| Link::new(name).joint(hinge()).body(1.0, [0.4, 0.0, 0.0], SMALL);
    let outer = link("outer").placed(Pose::at(0.8, 0.0, 0.0));
    let builder = Builder::new("driven pendulum")
        .gravity([0.0, -9.81, 0.0])
        .link(link("inner").prescribed())
        .link(outer);
    Start::new("driven pendulum", builder, &[(1, -0.8)], &[(1, 1.0)])
}

/// A beam of eight elements on a hinge, released level.
pub(super) fn elements() -> Start {
    let basis = Basis::Hermite { elements: 8, ways: Ways::new(true, false, false, false) };
    let beam = Beam { foreshortening: false, ..beam(300.0, basis) };
    let link = Link::new("beam")
        .joint(hinge())
        .body(0.2, [0.0; 3], SMALL)
        .beam(beam)
        .section_frame("tip", 1.0, Pose::IDENTITY);
    let builder = Builder::new("elements").gravity([0.0, -9.81, 0.0]).link(link);
    Start::new("eight elements", builder, &[], &[])
}

/// The three on which tolerances are tried.
pub(super) fn three() -> [Start; 3] {
    [double_pendulum(), flexible(), floating()]
}
