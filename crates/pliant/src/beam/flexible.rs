//! A deformable body, reduced to its shape integrals.

use super::basis::{Basis, Shape, Shapes};
use super::quadrature::Gauss;
use super::section::Section;
use crate::scalar::Scalar;
use crate::spatial::{Mat3, Pose, RigidInertia, Sym3, Vec3};
use nalgebra::DMatrix;

/// A beam as a person describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct Beam {
    /// Where it is clamped: its root frame in the link frame, x along the beam.
    pub root: Pose<f64>,
    /// Its length (m).
    pub length: f64,
    /// Its cross-section.
    pub section: Section,
    /// The shapes in which it may deform.
    pub basis: Basis,
    /// Combinations of these shapes to use instead, one per column.
    pub reduction: Option<DMatrix<f64>>,
    /// Whether bending shortens it.
    pub foreshortening: bool,
    /// Damping in proportion to the modal mass (1/s).
    pub damping_mass: f64,
    /// Damping in proportion to the stiffness (s).
    pub damping_stiffness: f64,
}

/// The integrals over a deformable body that replace all others, body frame.
///
/// The field is linear in extended coordinates `z`: the coordinates `δ`, then one product of two
/// of them for each pair that shortens the beam, `z(δ) = (δ, δ_aδ_b or ½δ_a²)`; `z_0 = 1` stands for
/// the undeformed body.
#[derive(Clone, Debug)]
pub struct Flexible<S> {
    /// How many coordinates.
    n: usize,
    /// The pairs `a ≤ b` of coordinates that shorten the beam.
    pairs: Vec<(usize, usize)>,
    mass: S,
    /// `∫ φ_K dm` (kg m), `K = 0 ..= nz`.
    first: Vec<Vec3<S>>,
    /// `P_KL = ∫ φ_K φ_Lᵀ dm` (kg m²), row by row.
    second: Vec<Mat3<S>>,
    /// `tr P_kl`, without the undeformed body.
    modal_mass: Vec<S>,
    /// Stiffness, `n × n`.
    stiffness: Vec<S>,
    /// Damping, `n × n`.
    damping: Vec<S>,
}

/// The shapes at one place where something is attached, body frame.
#[derive(Clone, Debug)]
pub struct Station<S> {
    /// The undeformed section: its axes are the beam's.
    pub(crate) rest: Pose<S>,
    /// Displacement per extended coordinate.
    pub(crate) displacement: Vec<Vec3<S>>,
    /// Rotation per coordinate.
    pub(crate) rotation: Vec<Vec3<S>>,
}

/// Shapes of extended coordinates at a place: `φ_K` and the section's arms `a^y_K`, `a^z_K`.
struct Field {
    centre: Vec<Vec3<f64>>,
    arm_y: Vec<Vec3<f64>>,
    arm_z: Vec<Vec3<f64>>,
}

impl Flexible<f64> {
    /// Integrates over a beam whose root has the pose `root` in the body frame, and adds a rigid
    /// part.
    pub(crate) fn new(beam: &Beam, root: &Pose<f64>, rigid: &RigidInertia<f64>) -> Self {
        let shapes = beam.shapes();
        let n = shapes.count();
        let pairs = beam.pairs(&shapes);
        let nz = n + pairs.len();
        let Section { ea, ei_z, ei_y, gj, kga_y, kga_z, rho_a, rho_i_z, rho_i_y } = beam.section;
        let stiffness_of = [ea, gj, ei_y, ei_z, kga_y.unwrap_or(0.0), kga_z.unwrap_or(0.0)];

        let mut mass = rigid.mass;
        let mut first = vec![Vec3::ZERO; nz + 1];
        let mut second = vec![Mat3::ZERO; (nz + 1) * (nz + 1)];
        let mut stiffness = vec![0.0; n * n];
        first[0] = rigid.first;
        second[0] = rigid.second.to_mat3();
        beam.integrate(&shapes, &pairs, |s, weight, shape, shortening| {
            let field = Field::new(s, shape, shortening, root);
            mass += weight * rho_a;
            for k in 0..=nz {
                first[k] += field.centre[k] * (weight * rho_a);
                for l in 0..=nz {
                    second[k * (nz + 1) + l] = second[k * (nz + 1) + l]
                        + dyad(field.centre[k], field.centre[l] * (weight * rho_a))
                        + dyad(field.arm_y[k], field.arm_y[l] * (weight * rho_i_z))
                        + dyad(field.arm_z[k], field.arm_z[l] * (weight * rho_i_y));
                }
            }
            for a in 0..n {
                for b in 0..n {
                    let strains = shape[a].strain.iter().zip(shape[b].strain).zip(stiffness_of);
                    stiffness[a * n + b] +=
                        weight * strains.map(|((a, b), k)| a * b * k).sum::<f64>();
                }
            }
        });
        let damping = (0..n * n)
            .map(|at| {
                let (a, b) = (at / n + 1, at % n + 1);
                let modal_mass = trace(&second[a * (nz + 1) + b]);
                beam.damping_mass * modal_mass + beam.damping_stiffness * stiffness[at]
            })
            .collect();
        let modal_mass =
            (0..nz * nz).map(|at| trace(&second[(at / nz + 1) * (nz + 1) + at % nz + 1])).collect();
        Self { n, pairs, mass, first, second, modal_mass, stiffness, damping }
    }
}

impl<S: Scalar> Flexible<S> {
    /// How many extended coordinates `z`.
    pub(crate) fn nz(&self) -> usize {
        self.n + self.pairs.len()
    }

    /// `z(δ)`.
    pub(crate) fn extend(&self, d: &[S], z: &mut [S]) {
        let half = S::from_f64(0.5);
        let (own, products) = z.split_at_mut(self.n);
        own.copy_from_slice(d);
        for (z, &(a, b)) in products.iter_mut().zip(&self.pairs) {
            *z = if a == b { half * d[a] * d[a] } else { d[a] * d[b] };
        }
    }

    /// `Z x`, for instance `ż` from `δ̇`.
    pub(crate) fn spread(&self, d: &[S], x: &[S], z: &mut [S]) {
        let (own, products) = z.split_at_mut(self.n);
        own.copy_from_slice(x);
        for (z, &(a, b)) in products.iter_mut().zip(&self.pairs) {
            *z = if a == b { d[a] * x[a] } else { d[a] * x[b] + d[b] * x[a] };
        }
    }

    /// `z += Ż x`, `Z` changing with `rate`; for `x = rate` the part of `z̈` that needs no `δ̈`.
    pub(crate) fn add_product_rates(&self, rate: &[S], x: &[S], z: &mut [S]) {
        for (z, &(a, b)) in z[self.n..].iter_mut().zip(&self.pairs) {
            let product = rate[a] * x[b];
            *z += if a == b { product } else { product + rate[b] * x[a] };
        }
    }

    /// `out += Zᵀ h`.
    pub(crate) fn fold(&self, d: &[S], h: &[S], out: &mut [S]) {
        for (out, &h) in out.iter_mut().zip(h) {
            *out += h;
        }
        for (&h, &(a, b)) in h[self.n..].iter().zip(&self.pairs) {
            out[a] += d[b] * h;
            if a != b {
                out[b] += d[a] * h;
            }
        }
    }

    /// `V Z` for a row of vectors `V`, one per extended coordinate.
    pub(crate) fn fold_vectors(&self, d: &[S], vectors: &[Vec3<S>], out: &mut [Vec3<S>]) {
        out.copy_from_slice(&vectors[..self.n]);
        for (&v, &(a, b)) in vectors[self.n..].iter().zip(&self.pairs) {
            out[a] += v * d[b];
            if a != b {
                out[b] += v * d[a];
            }
        }
    }

    /// `U_k = ∫ φ_k rᵀ dm` for every extended coordinate into `u`, and the moments of the body as
    /// it is bent: mass, `∫ r dm`, `∫ r rᵀ dm`.
    pub(crate) fn bent(&self, z: &[S], u: &mut [Mat3<S>]) -> RigidInertia<S> {
        let size = self.nz() + 1;
        let row = |k: usize| {
            let row = &self.second[k * size..(k + 1) * size];
            let mut sum = row[0];
            for (p, &z) in row[1..].iter().zip(z) {
                for (sum, p) in sum.columns.iter_mut().zip(p.columns) {
                    *sum = p.mul_add(z, *sum);
                }
            }
            sum
        };
        let mut w = row(0);
        let mut first = self.first[0];
        for (k, &z) in z.iter().enumerate() {
            u[k] = row(k + 1);
            for (w, u) in w.columns.iter_mut().zip(u[k].columns) {
                *w = u.mul_add(z, *w);
            }
            first = self.first[k + 1].mul_add(z, first);
        }
        RigidInertia { mass: self.mass, first, second: Sym3::from_lower(&w) }
    }

    /// The moments of the body where nothing is bent.
    pub(crate) fn undeformed(&self) -> RigidInertia<S> {
        let second = Sym3::from_lower(&self.second[0]);
        RigidInertia { mass: self.mass, first: self.first[0], second }
    }

    /// `∫ φ_k dm`.
    pub(crate) fn first(&self) -> &[Vec3<S>] {
        &self.first[1..]
    }

    /// `P_kl`, `k, l` counted from the first extended coordinate.
    pub(crate) fn second(&self, k: usize, l: usize) -> &Mat3<S> {
        &self.second[(k + 1) * (self.nz() + 1) + l + 1]
    }

    /// `tr P_kl`.
    pub(crate) fn modal_mass(&self, k: usize, l: usize) -> S {
        self.modal_mass[k * self.nz() + l]
    }

    /// Column `l` of `Zᵀ M_zz Z` into `out`; `scratch` has `nz` entries.
    pub(crate) fn modal_mass_column(&self, d: &[S], l: usize, scratch: &mut [S], out: &mut [S]) {
        let nz = self.nz();
        for (row, sum) in self.modal_mass.chunks_exact(nz).zip(scratch.iter_mut()) {
            *sum = row[l];
            for (&m, &(a, b)) in row[self.n..].iter().zip(&self.pairs) {
                if a == l {
                    *sum += m * d[b];
                } else if b == l {
                    *sum += m * d[a];
                }
            }
        }
        out.fill(S::ZERO);
        self.fold(d, scratch, out);
    }

    /// `out += K δ`.
    pub(crate) fn add_elastic(&self, d: &[S], out: &mut [S]) {
        add_product(&self.stiffness, d, out);
    }

    /// `out += D δ̇`.
    pub(crate) fn add_damping(&self, rate: &[S], out: &mut [S]) {
        add_product(&self.damping, rate, out);
    }

    /// `δ̇ᵀ D δ̇`.
    pub(crate) fn dissipation(&self, rate: &[S]) -> S {
        let rows = self.damping.chunks_exact(self.n.max(1)).zip(rate);
        rows.fold(S::ZERO, |sum, (row, &left)| {
            row.iter().zip(rate).fold(sum, |sum, (&d, &right)| sum + left * d * right)
        })
    }

    /// `out −= K δ + D δ̇`.
    pub(crate) fn subtract_passive(&self, d: &[S], rate: &[S], out: &mut [S]) {
        let rows = self.stiffness.chunks_exact(self.n).zip(self.damping.chunks_exact(self.n));
        for ((stiffness, damping), out) in rows.zip(out) {
            for k in 0..self.n {
                *out -= stiffness[k] * d[k] + damping[k] * rate[k];
            }
        }
    }

    /// The same body in another arithmetic.
    pub(crate) fn cast_with<T: Scalar>(&self, convert: impl Fn(S) -> T + Copy) -> Flexible<T> {
        Flexible {
            n: self.n,
            pairs: self.pairs.clone(),
            mass: convert(self.mass),
            first: self.first.iter().map(|v| v.cast(convert)).collect(),
            second: self.second.iter().map(|m| m.cast(convert)).collect(),
            modal_mass: self.modal_mass.iter().map(|&m| convert(m)).collect(),
            stiffness: self.stiffness.iter().map(|&k| convert(k)).collect(),
            damping: self.damping.iter().map(|&d| convert(d)).collect(),
        }
    }
}

impl<S: Scalar> Station<S> {
    /// The same place in another arithmetic.
    pub(crate) fn cast_with<T: Scalar>(&self, convert: impl Fn(S) -> T + Copy) -> Station<T> {
        Station {
            rest: self.rest.cast(convert),
            displacement: self.displacement.iter().map(|v| v.cast(convert)).collect(),
            rotation: self.rotation.iter().map(|v| v.cast(convert)).collect(),
        }
    }
}

/// `out += A x` for a square matrix, row by row.
fn add_product<S: Scalar>(matrix: &[S], x: &[S], out: &mut [S]) {
    for (row, out) in matrix.chunks_exact(x.len().max(1)).zip(out) {
        for (&a, &x) in row.iter().zip(x) {
            *out += a * x;
        }
    }
}

impl Beam {
    pub(crate) fn shapes(&self) -> Shapes {
        Shapes::new(self.length, self.section, self.basis.clone(), self.reduction.clone())
    }

    /// How many coordinates it has.
    pub fn count(&self) -> usize {
        self.reduction.as_ref().map_or_else(|| self.basis.count(), DMatrix::ncols)
    }

    /// The pairs of shapes whose slopes overlap somewhere.
    fn pairs(&self, shapes: &Shapes) -> Vec<(usize, usize)> {
        if !self.foreshortening {
            return Vec::new();
        }
        let n = shapes.count();
        let mut overlap = vec![false; n * n];
        self.integrate(shapes, &[], |_, _, shape, _| {
            for a in 0..n {
                for b in a..n {
                    overlap[a * n + b] |= slopes(&shape[a], &shape[b]) != 0.0;
                }
            }
        });
        (0..n)
            .flat_map(|a| (a..n).map(move |b| (a, b)))
            .filter(|(a, b)| overlap[a * n + b])
            .collect()
    }

    /// Visits the quadrature points: place, weight, shapes, and `G_ab = ∫₀ˢ (v_a'v_b' + w_a'w_b')`
    /// of each pair.
    fn integrate(
        &self,
        shapes: &Shapes,
        pairs: &[(usize, usize)],
        mut visit: impl FnMut(f64, f64, &[Shape], &[f64]),
    ) {
        let rule = Gauss::new(12);
        let panels = shapes.panels();
        let mut before = vec![0.0; pairs.len()];
        for panel in 0..panels {
            let border = |p: usize| self.length * p as f64 / panels as f64;
            let (from, to) = (border(panel), border(panel + 1));
            for (s, weight) in rule.on(from, to) {
                let mut shortening = before.clone();
                add_shortening(shapes, pairs, panel, (from, s), &rule, &mut shortening);
                visit(s, weight, &shapes.at(s, panel), &shortening);
            }
            add_shortening(shapes, pairs, panel, (from, to), &rule, &mut before);
        }
    }

    /// What is attached at `s` sees these shapes.
    pub(crate) fn station(&self, s: f64, root: &Pose<f64>) -> Station<f64> {
        let shapes = self.shapes();
        let pairs = self.pairs(&shapes);
        let panels = shapes.panels();
        let border = |p: usize| self.length * p as f64 / panels as f64;
        let panel = (1..panels).take_while(|&p| border(p) <= s).count();
        let rule = Gauss::new(12);
        let mut shortening = vec![0.0; pairs.len()];
        for whole in 0..panel {
            let piece = (border(whole), border(whole + 1));
            add_shortening(&shapes, &pairs, whole, piece, &rule, &mut shortening);
        }
        add_shortening(&shapes, &pairs, panel, (border(panel), s), &rule, &mut shortening);
        let shape = shapes.at(s, panel);
        let field = Field::new(s, &shape, &shortening, root);
        Station {
            rest: Pose::new(root.rotation, field.centre[0]),
            displacement: field.centre[1..].to_vec(),
            rotation: shape.iter().map(|s| root.rotation * s.rotation_vector()).collect(),
        }
    }
}

impl Field {
    fn new(s: f64, shape: &[Shape], shortening: &[f64], root: &Pose<f64>) -> Self {
        let r = &root.rotation;
        let [ex, ey, ez] = Vec3::AXES;
        let mut centre = vec![root.point(Vec3::new(s, 0.0, 0.0))];
        let (mut arm_y, mut arm_z) = (vec![*r * ey], vec![*r * ez]);
        for shape in shape {
            let theta = shape.rotation_vector();
            centre.push(*r * shape.displacement_vector());
            arm_y.push(*r * theta.cross(ey));
            arm_z.push(*r * theta.cross(ez));
        }
        for g in shortening {
            centre.push(*r * (ex * -g));
            arm_y.push(Vec3::ZERO);
            arm_z.push(Vec3::ZERO);
        }
        Self { centre, arm_y, arm_z }
    }
}

/// Adds `∫ (v_a'v_b' + w_a'w_b') ds` over a piece of one panel to the sum of each pair.
fn add_shortening(
    shapes: &Shapes,
    pairs: &[(usize, usize)],
    panel: usize,
    (from, to): (f64, f64),
    rule: &Gauss,
    sum: &mut [f64],
) {
    if pairs.is_empty() {
        return;
    }
    for (s, weight) in rule.on(from, to) {
        let shape = shapes.at(s, panel);
        for (sum, &(a, b)) in sum.iter_mut().zip(pairs) {
            *sum += weight * slopes(&shape[a], &shape[b]);
        }
    }
}

/// `v_a'v_b' + w_a'w_b'`.
fn slopes(a: &Shape, b: &Shape) -> f64 {
    a.slope[0] * b.slope[0] + a.slope[1] * b.slope[1]
}

fn dyad(a: Vec3<f64>, b: Vec3<f64>) -> Mat3<f64> {
    Mat3::from_columns(a * b.x, a * b.y, a * b.z)
}

/// The sum of the diagonal.
pub(crate) fn trace<S: Scalar>(m: &Mat3<S>) -> S {
    let [x, y, z] = m.columns;
    x.x + y.y + z.z
}
