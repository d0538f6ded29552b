//! The integrals of a beam that slides, sampled at lengths outside.

use super::description::Beam;
use super::extended::Extension;
use super::flexible::{axial, dyad, nine, trace};
use super::law::Sampled;
use super::moving_shapes::{BODY, Integrals, Shapes};
use super::normalised::Way;
use super::section::Section;
use crate::spatial::{Mat3, RigidInertia, Vec3};

/// All numbers as they were sampled.
#[derive(Default)]
pub(super) struct Numbers {
    pub(super) first: Sampled,
    pub(super) resting: Sampled,
    pub(super) second: Sampled,
    pub(super) spins: Sampled,
    pub(super) modal_mass: Sampled,
    pub(super) stiffness: Sampled,
    pub(super) damping: Sampled,
}

/// The number of a shape where the two of the body are one.
fn own(k: usize) -> usize {
    k.saturating_sub(BODY - 1)
}

/// The integrals over the part outside that numbers need.
pub(super) fn integrals(shapes: &Shapes<'_>, beam: &Beam) -> Integrals {
    let is_used = |k: usize, l: usize| is_used(shapes.map, [own(k), own(l)]);
    shapes.integrals(&beam.profile.section_at(0.0), is_used)
}

/// Whether any number needs `P_KL`: the shapes `D²φ` meet neither each other nor velocities.
fn is_used(map: &Extension, [k, l]: [usize; 2]) -> bool {
    let shapes = map.shapes();
    let bends = (2..2 + shapes).contains(&l);
    l == 0 || bends || (k != 0 && k <= 1 + 2 * shapes)
}

impl Numbers {
    /// Adds `l^exponent M` to `P_KL` in one sample, as far as it is used.
    fn add(
        &mut self,
        map: &Extension,
        sample: [usize; 2],
        [k, l]: [usize; 2],
        (exponent, m): (i32, &Mat3<f64>),
    ) {
        let (nz, shapes) = (map.size(), map.shapes());
        let ends = |k: usize| k > 1 + 2 * shapes;
        let entries = (0..9).map(|at| (9 * k + at, nine(m, at)));
        if l == 0 {
            for (row, value) in entries {
                self.resting.add(sample, row, (exponent, value));
            }
        } else if (2..2 + shapes).contains(&l) {
            for (row, value) in entries {
                self.second.add(sample, row * nz + l - 1, (exponent, value));
            }
        }
        if k == 0 || l == 0 || ends(k) {
            return;
        }
        self.modal_mass.add(sample, (k - 1) * nz + l - 1, (exponent, trace(m)));
        if !ends(l) {
            for (c, value) in axial(m).to_array().into_iter().enumerate() {
                self.spins.add(sample, (3 * (k - 1) + c) * nz + l - 1, (exponent, value));
            }
        }
    }

    /// Adds `l^exponent v` to `p_K` in one sample.
    fn add_first(&mut self, sample: [usize; 2], k: usize, (exponent, v): (i32, Vec3<f64>)) {
        for (c, value) in v.to_array().into_iter().enumerate() {
            self.first.add(sample, 3 * k + c, (exponent, value));
        }
    }

    /// Adds the part outside with its integrals, and its stiffness and damping.
    pub(super) fn add_outside(
        &mut self,
        shapes: &Shapes<'_>,
        all: &Integrals,
        beam: &Beam,
        sample: [usize; 2],
    ) {
        let (map, powers, size) = (shapes.map, shapes.powers(), shapes.count());
        let n = map.bending();
        let bends = BODY + 1..BODY + 1 + n;
        for k in 0..size {
            self.add_first(sample, own(k), (powers[k][0] + 1, all.first[k]));
            for l in (0..size).filter(|&l| is_used(map, [own(k), own(l)])) {
                for (part, m) in all.second(k, l).iter().enumerate() {
                    let exponent = powers[k][part] + powers[l][part] + 1;
                    self.add(map, sample, [own(k), own(l)], (exponent, m));
                    if bends.contains(&k) && bends.contains(&l) {
                        let at = (k - bends.start) * n + l - bends.start;
                        let value = beam.damping.mass * trace(m);
                        self.damping.add(sample, at, (exponent, value));
                    }
                }
            }
        }
        let waves = shapes.waves.at(1.0, shapes.waves.pieces() - 1);
        for (at, value) in all.stiffness.iter().enumerate() {
            let exponent = if waves[at / n].way == Way::AboutX { -1 } else { -3 };
            self.stiffness.add(sample, at, (exponent, *value));
            self.damping.add(sample, at, (exponent, beam.damping.stiffness * value));
        }
    }

    /// Adds a point at the tip to which the shapes do not follow the length: theirs alone count, and
    /// none of their derivatives.
    pub(super) fn add_payload(&mut self, shapes: &Shapes<'_>, mass: f64, sample: [usize; 2]) {
        let (map, powers) = (shapes.map, shapes.powers());
        let size = BODY + 1 + map.shapes();
        let waves = shapes.waves.at(1.0, shapes.waves.pieces() - 1);
        let field = shapes.field(1.0, 0.0, &waves, &[]);
        for k in 0..size {
            self.add_first(sample, own(k), (powers[k][0], field[k].centre * mass));
            for l in 0..size {
                let m = dyad(field[k].centre * mass, field[l].centre);
                self.add(map, sample, [own(k), own(l)], (powers[k][0] + powers[l][0], &m));
            }
        }
    }

    /// Adds the part inside.
    pub(super) fn add_inside(
        &mut self,
        map: &Extension,
        beam: &Beam,
        origin: Vec3<f64>,
        sample: [usize; 2],
    ) {
        let Section { rho_a, rho_i_z, rho_i_y, .. } = beam.profile.section_at(0.0);
        let [x, y, z] = Vec3::AXES;
        let [mass, first, second] = inside(beam.length, rho_a);
        for (exponent, m) in mass {
            self.add_first(sample, 0, (exponent, origin * m));
            self.add_first(sample, 1, (exponent, x * m));
            self.add(map, sample, [0, 0], (exponent, &dyad(origin * m, origin)));
            self.add(map, sample, [0, 1], (exponent, &dyad(origin * m, x)));
            self.add(map, sample, [1, 0], (exponent, &dyad(x * m, origin)));
            self.add(map, sample, [1, 1], (exponent, &dyad(x * m, x)));
        }
        for (exponent, m) in first {
            self.add_first(sample, 0, (exponent, x * m));
            let lever = dyad(origin * m, x) + dyad(x * m, origin);
            self.add(map, sample, [0, 0], (exponent, &lever));
            self.add(map, sample, [0, 1], (exponent, &dyad(x * m, x)));
            self.add(map, sample, [1, 0], (exponent, &dyad(x * m, x)));
        }
        for (exponent, m) in second {
            self.add(map, sample, [0, 0], (exponent, &dyad(x * m, x)));
        }
        let sections = dyad(y * rho_i_z, y) + dyad(z * rho_i_y, z);
        for (exponent, m) in [(0, beam.length), (1, -1.0)] {
            let part = Mat3 { columns: sections.columns.map(|column| column * m) };
            self.add(map, sample, [0, 0], (exponent, &part));
        }
    }

    /// Adds a rigid body that does not slide, in the axes of the beam.
    pub(super) fn add_rigid(
        &mut self,
        map: &Extension,
        axes: &Mat3<f64>,
        rigid: &RigidInertia<f64>,
        sample: [usize; 2],
    ) {
        let second = rigid.second.rotated(&axes.transpose()).to_mat3();
        self.add(map, sample, [0, 0], (0, &second));
        self.add_first(sample, 0, (0, axes.transpose_mul(rigid.first)));
    }
}

/// `∫ sʲ ρA ds` over the part inside, `j = 0, 1, 2`, as terms in powers of the length outside.
fn inside(length: f64, rho_a: f64) -> [Vec<(i32, f64)>; 3] {
    let l = length;
    [
        vec![(0, rho_a * l), (1, -rho_a)],
        vec![(0, -0.5 * rho_a * l * l), (1, rho_a * l), (2, -0.5 * rho_a)],
        vec![(0, rho_a * l * l * l / 3.0), (1, -rho_a * l * l), (2, rho_a * l), (3, -rho_a / 3.0)],
    ]
}
