//! The arms of the documents.

use pliant::arm::{Arm, Builder, DhConvention, DhRow, DhVariable, Joint, Link};
use pliant::beam::{Basis, Beam, Section, Ways};
use pliant::spatial::{Pose, Vec3, axis_rotation};
use std::f64::consts::{FRAC_PI_2, PI};

/// Akmehmet's arm of three or six joints, Tables D.1 and 5.1, without friction.
pub(crate) fn akmehmet(joints: usize) -> Arm {
    let alpha = [-FRAC_PI_2, 0.0, 0.0, FRAC_PI_2, FRAC_PI_2, FRAC_PI_2];
    let (a, d) = ([0.0, 0.6, 0.5, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0, 0.24, 0.0]);
    let mass = [4.0, 2.5, 1.5, 0.5, 0.5, 0.5];
    let centre = [
        [0.0, 0.1, 0.0],
        [-0.3, 0.0, 0.0],
        [-0.25, 0.0, 0.0],
        [0.0, 0.0, 0.06],
        [0.0, -0.06, 0.0],
        [0.0; 3],
    ];
    let inertia = [
        [0.0167, 0.0167, 0.0067],
        [0.0042, 0.0771, 0.0771],
        [0.0025, 0.0325, 0.0325],
        [0.0009, 0.0004, 0.0008],
        [0.0008, 0.0009, 0.0004],
        [0.0003, 0.0005, 0.0003],
    ];
    let mut builder = Builder::new("Akmehmet").gravity([0.0, 0.0, -9.81]);
    for i in 0..joints {
        let row = DhRow { theta: 0.0, d: d[i], a: a[i], alpha: alpha[i] };
        let [x, y, z] = inertia[i];
        let tensor = [[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]];
        builder = builder.link(
            Link::new(format!("link {}", i + 1))
                .dh(DhConvention::Standard, row, DhVariable::Theta)
                .body(mass[i], centre[i], tensor),
        );
    }
    builder.build().expect("a good arm")
}

/// King's arm of Table 4.1 with the payload of 0.3 kg: a rigid waist and two round aluminium bars
/// that bend both ways and twist, one mode each.
pub(crate) fn king(payload: f64) -> Arm {
    let (waist, length, young, shear) = (0.1, 1.22, 69e9, 26e9);
    let bar = |mass: f64, radius: f64| {
        let area = PI * radius * radius;
        let (second, rho) = (0.25 * area * radius * radius, mass / (area * length));
        let section = Section {
            ea: young * area,
            ei_z: young * second,
            ei_y: young * second,
            gj: shear * 2.0 * second,
            kga_y: None,
            kga_z: None,
            rho_a: rho * area,
            rho_i_z: rho * second,
            rho_i_y: rho * second,
        };
        Beam::new(length, section, Basis::ClampedFree(Ways::new(1, 1, 1, 0)))
    };
    let z = [0.0, 0.0, 1.0];
    let turn = axis_rotation(Vec3::new(1.0, 0.0, 0.0), 1.0, 0.0);
    Builder::new("King, Table 4.1")
        .gravity([0.0, 0.0, -9.81])
        .link(Link::new("waist").joint(Joint::revolute(z)).body(
            0.79,
            [0.0, 0.0, 0.5 * waist],
            [[8e-4, 0.0, 0.0], [0.0, 8e-4, 0.0], [0.0, 0.0, 3.6e-4]],
        ))
        .link(
            Link::new("upper")
                .placed(Pose::new(turn, Vec3::new(0.0, 0.0, waist)))
                .joint(Joint::revolute(z))
                .beam(bar(1.07, 0.010)),
        )
        .link(
            Link::new("fore")
                .at_section(length)
                .joint(Joint::revolute(z))
                .beam(bar(0.69, 0.008))
                .tip_body(payload, [0.0; 3], [[0.0; 3]; 3])
                .section_frame("hand", length, Pose::IDENTITY),
        )
        .build()
        .expect("a good arm")
}
