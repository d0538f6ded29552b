//! A deformable body, reduced to its shape integrals.

use super::description::{Beam, Damping, add_shortening};
use super::eigenmodes::{Spectrum, load_mass};
use super::extended::Extension;
use super::runs::Runs;
use super::second_moments::{Place, second_moments};
use super::section::Section;
use super::shaper::Shaper;
use super::shapes::{Shape, Shapes};
use crate::scalar::Scalar;
use crate::spatial::{Mat3, Pose, RigidInertia, Sym3, Vec3};
use nalgebra::DMatrix;

/// The integrals over a deformable body that replace all others, about the origin of the body
/// frame, in the axes of the beam: there most of them vanish.
///
/// The field is linear in extended coordinates `z`; `z_0 = 1` stands for the undeformed body. Those
/// of a beam that slides are those of its present length: [`Sliding`](super::Sliding) writes them.
#[derive(Clone, Debug)]
pub struct Flexible<S> {
    /// From coordinates to extended ones.
    pub(super) map: Extension,
    /// The axes of the beam in the body frame.
    pub(super) axes: Mat3<S>,
    pub(super) mass: S,
    /// `∫ φ_K dm` (kg m), `K = 0 ..= nz`.
    pub(super) first: Vec<Vec3<S>>,
    /// `P_K0 = ∫ φ_K φ_0ᵀ dm` (kg m²), nine numbers each, by columns.
    pub(super) resting: Vec<S>,
    /// `P_KL = ∫ φ_K φ_Lᵀ dm` (kg m²) from `z` to nine numbers for each `K`.
    pub(super) second: Runs<S>,
    /// `ax(P_kl)` from `ż` to three numbers for each `k`.
    pub(super) spins: Runs<S>,
    /// `tr P_kl`, without the undeformed body.
    pub(super) modal_mass: Vec<S>,
    /// The same without its zeros.
    pub(super) modal_runs: Runs<S>,
    /// Stiffness, `n × n`; a beam that slides has laws instead.
    pub(super) stiffness: Vec<S>,
    /// Damping, `n × n`; a beam that slides has laws instead.
    pub(super) damping: Vec<S>,
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

/// Shapes of extended coordinates at a place, that of the undeformed body first: `φ_K` and the
/// section's arms `a^y_K`, `a^z_K`, beam axes.
pub(super) struct Field {
    pub(super) centre: Vec<Vec3<f64>>,
    pub(super) arm_y: Vec<Vec3<f64>>,
    pub(super) arm_z: Vec<Vec3<f64>>,
}

impl Flexible<f64> {
    /// Integrates over a beam whose part that bends begins at the pose `root` in the body frame,
    /// and adds a rigid part.
    pub(crate) fn new(
        beam: &Beam,
        root: &Pose<f64>,
        rigid: &RigidInertia<f64>,
        shaper: &Shaper<'_>,
    ) -> Self {
        let shapes = Shapes::new(shaper.beam);
        let n = shapes.count();
        let pairs = beam.pairs(&shapes);
        let nz = n + pairs.len();

        let axes = root.rotation;
        let mut mass = rigid.mass;
        let mut first = vec![Vec3::ZERO; nz + 1];
        let mut places: Vec<Place> = Vec::new();
        let mut stiffness = vec![0.0; n * n];
        first[0] = axes.transpose_mul(rigid.first);
        let mut undeformed = rigid.second.rotated(&axes.transpose()).to_mat3();
        let origin = axes.transpose_mul(root.position);
        Beam::integrate(&shapes, &pairs, |s, weight, shape, shortening| {
            let section = beam.profile.section_at(s);
            let Section { rho_a, rho_i_z, rho_i_y, .. } = section;
            let resistance = beam.resistance(&section);
            let field = Field::new(origin, s, shape, shortening);
            mass += weight * rho_a;
            let matter = [rho_a, rho_i_z, rho_i_y].map(|matter| weight * matter);
            for (first, centre) in first.iter_mut().zip(&field.centre) {
                *first += *centre * matter[0];
            }
            let body = [field.centre[0], field.arm_y[0], field.arm_z[0]];
            for (vector, matter) in body.into_iter().zip(matter) {
                undeformed = undeformed + dyad(vector, vector * matter);
            }
            places.push((field, matter));
            for a in 0..n {
                for b in 0..n {
                    let strains = shape[a].strain.iter().zip(shape[b].strain).zip(resistance);
                    stiffness[a * n + b] +=
                        weight * strains.map(|((a, b), k)| a * b * k).sum::<f64>();
                }
            }
        });
        let mut second = second_moments(&places, nz + 1);
        second[0] = undeformed;
        let own_mass = DMatrix::from_fn(n, n, |a, b| trace(&second[(a + 1) * (nz + 1) + b + 1]));
        let damping =
            damping(beam, shaper, &shapes, own_mass, DMatrix::from_row_slice(n, n, &stiffness));
        let entry = |k: usize, l: usize| &second[k * (nz + 1) + l];
        let modal_mass: Vec<f64> =
            (0..nz * nz).map(|at| trace(entry(at / nz + 1, at % nz + 1))).collect();
        Self {
            resting: (0..9 * (nz + 1)).map(|at| nine(entry(at / 9, 0), at % 9)).collect(),
            second: Runs::new(9 * (nz + 1), nz, |row, l| nine(entry(row / 9, l + 1), row % 9)),
            spins: Runs::new(3 * nz, nz, |row, l| {
                axial(entry(row / 3 + 1, l + 1)).to_array()[row % 3]
            }),
            modal_runs: Runs::new(nz, nz, |k, l| modal_mass[k * nz + l]),
            map: Extension::new(n, pairs, false),
            axes,
            mass,
            first,
            modal_mass,
            stiffness,
            damping,
        }
    }
}

impl Flexible<f64> {
    /// Leaves out what the rest of the body has to do with shapes that move no centre line, which twist:
    /// `P_K0` of the sections, in which `ρI_p ω_x θ̇` is.
    pub(crate) fn drop_section_spin(&mut self) {
        let resting = self.resting.chunks_exact_mut(9).zip(&self.first).skip(1);
        for (resting, _) in resting.filter(|(_, first)| first.norm() == 0.0) {
            resting.fill(0.0);
        }
    }

    /// Mass and stiffness of its own coordinates, `n × n`.
    pub(super) fn matrices(&self) -> [DMatrix<f64>; 2] {
        let (n, nz) = (self.map.bending(), self.nz());
        let mass = DMatrix::from_fn(n, n, |a, b| self.modal_mass[a * nz + b]);
        [mass, DMatrix::from_row_slice(n, n, &self.stiffness)]
    }

    /// Whether its own numbers are in range: finite, the stiffness positive.
    pub(crate) fn is_sound(&self) -> bool {
        let n = self.map.bending();
        let numbers = [&self.resting, &self.modal_mass, &self.stiffness, &self.damping];
        numbers.into_iter().flatten().all(|x| x.is_finite())
            && self.stiffness.iter().step_by(n + 1).all(|&k| k >= f64::MIN_POSITIVE)
    }
}

impl<S: Scalar> Flexible<S> {
    /// How many extended coordinates `z`.
    pub(crate) fn nz(&self) -> usize {
        self.map.size()
    }

    /// `z` at a deformation.
    pub(crate) fn extend(&self, d: &[S], z: &mut [S]) {
        self.map.extend(d, z);
    }

    /// `Z x`, for instance `ż` from the rates of the coordinates.
    pub(crate) fn extend_rates(&self, d: &[S], x: &[S], z: &mut [S]) {
        self.map.extend_rates(d, x, z);
    }

    /// `z += Ż x`, `Z` changing with `rate`; for `x = rate` the part of `z̈` that needs no
    /// accelerations.
    pub(crate) fn add_rates(&self, d: &[S], rate: &[S], x: &[S], z: &mut [S]) {
        self.map.add_rates(d, rate, x, z);
    }

    /// `out += Zᵀ h`.
    pub(crate) fn reduce(&self, d: &[S], h: &[S], out: &mut [S]) {
        self.map.reduce(d, h, out);
    }

    /// `V Z` for a row of vectors `V`, one per extended coordinate.
    pub(crate) fn reduce_vectors(&self, d: &[S], vectors: &[Vec3<S>], out: &mut [Vec3<S>]) {
        self.map.reduce_vectors(d, vectors, out);
    }

    /// The axes of the beam, in which the integrals are, in the body frame.
    pub(crate) fn axes(&self) -> &Mat3<S> {
        &self.axes
    }

    /// `U_K = ∫ φ_K rᵀ dm` for the undeformed body and every extended coordinate into `u`, beam
    /// axes, and the moments of the body as it is bent: mass, `∫ r dm`, `∫ r rᵀ dm`, body frame.
    pub(crate) fn bent(&self, z: &[S], u: &mut Moments<S>) -> RigidInertia<S> {
        let numbers = &mut u.numbers[..self.resting.len()];
        numbers.copy_from_slice(&self.resting);
        self.second.add_product(z, numbers);
        let mut w = u.at(0);
        let mut first = self.first[0];
        for (k, &z) in z.iter().enumerate() {
            let own = u.of(k);
            for (w, u) in w.columns.iter_mut().zip(own.columns) {
                *w = u.mul_add(z, *w);
            }
            first = self.first[k + 1].mul_add(z, first);
        }
        self.in_body(first, &Sym3::from_lower(&w))
    }

    /// The moments of the body where nothing is bent.
    pub(crate) fn undeformed(&self) -> RigidInertia<S> {
        let resting = Moments { numbers: self.resting[..9].to_vec() };
        self.in_body(self.first[0], &Sym3::from_lower(&resting.at(0)))
    }

    fn in_body(&self, first: Vec3<S>, second: &Sym3<S>) -> RigidInertia<S> {
        let (mass, axes) = (self.mass, &self.axes);
        RigidInertia { mass, first: *axes * first, second: second.rotated(axes) }
    }

    /// Leaves out what is of second order in the bending: `∫ r rᵀ dm` becomes linear in `z`, and
    /// `∫ ṙ × φ_k dm` zero. The modal mass, of order zero, stays.
    pub(crate) fn drop_second_order(&mut self) {
        self.second.keep_rows(|row| row < 9);
        self.spins.keep_rows(|_| false);
    }

    /// `∫ φ_k dm`, beam axes.
    pub(crate) fn first(&self) -> &[Vec3<S>] {
        &self.first[1..]
    }

    /// `out += M_zz x`, `M_zz = tr P_kl`.
    pub(crate) fn add_modal_mass(&self, x: &[S], out: &mut [S]) {
        self.modal_runs.add_product(x, out);
    }

    /// `Σ_l ax(P_kl) ż_l = ∫ ṙ × φ_k dm`, beam axes, three numbers for each `k`.
    pub(crate) fn spins(&self, rate: &[S], out: &mut [S]) {
        out.fill(S::ZERO);
        self.spins.add_product(rate, out);
    }

    /// `out_k += ω · Σ_l ax(P_kl) ż_l`, beam axes; `scratch` has `3 nz` entries.
    pub(crate) fn add_spin(&self, omega: Vec3<S>, rate: &[S], scratch: &mut [S], out: &mut [S]) {
        self.spins(rate, scratch);
        for (out, spin) in out.iter_mut().zip(scratch.chunks_exact(3)) {
            *out += omega.dot(Vec3::new(spin[0], spin[1], spin[2]));
        }
    }

    /// Column `l` of `Zᵀ M_zz Z` into `out`; `scratch` has `nz` entries.
    pub(crate) fn modal_mass_column(&self, d: &[S], l: usize, scratch: &mut [S], out: &mut [S]) {
        let nz = self.nz();
        let row = |k: usize| &self.modal_mass[k * nz..(k + 1) * nz];
        scratch.copy_from_slice(row(l));
        self.map.each_in_column(d, l, |k, factor| {
            for (sum, &m) in scratch.iter_mut().zip(row(k)) {
                *sum = m.mul_add(factor, *sum);
            }
        });
        out.fill(S::ZERO);
        self.reduce(d, scratch, out);
    }

    /// `tr P_kl` of two coordinates.
    pub(crate) fn modal_mass(&self, k: usize, l: usize) -> S {
        self.modal_mass[k * self.nz() + l]
    }

    /// `½ δᵀKδ`.
    pub(crate) fn strain_energy(&self, d: &[S]) -> S {
        let half = S::from_f64(0.5);
        let rows = self.stiffness.chunks_exact(d.len().max(1)).zip(d);
        rows.fold(S::ZERO, |sum, (row, &left)| {
            let pull = row.iter().zip(d).fold(S::ZERO, |pull, (&k, &right)| pull + k * right);
            sum + half * pull * left
        })
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
        let rows = self.damping.chunks_exact(self.map.bending().max(1)).zip(rate);
        rows.fold(S::ZERO, |sum, (row, &left)| {
            row.iter().zip(rate).fold(sum, |sum, (&d, &right)| sum + left * d * right)
        })
    }

    /// `out −= K δ + D δ̇`.
    pub(crate) fn subtract_passive(&self, d: &[S], rate: &[S], out: &mut [S]) {
        let n = self.map.bending();
        let rows = self.stiffness.chunks_exact(n).zip(self.damping.chunks_exact(n));
        for ((stiffness, damping), out) in rows.zip(out) {
            for k in 0..n {
                *out -= stiffness[k] * d[k] + damping[k] * rate[k];
            }
        }
    }

    /// The same body in another arithmetic.
    pub(crate) fn cast_with<T: Scalar>(&self, convert: impl Fn(S) -> T + Copy) -> Flexible<T> {
        let all = |numbers: &[S]| numbers.iter().map(|&x| convert(x)).collect();
        Flexible {
            map: self.map.clone(),
            axes: self.axes.cast(convert),
            mass: convert(self.mass),
            first: self.first.iter().map(|v| v.cast(convert)).collect(),
            resting: all(&self.resting),
            second: self.second.cast_with(convert),
            spins: self.spins.cast_with(convert),
            modal_mass: all(&self.modal_mass),
            modal_runs: self.modal_runs.cast_with(convert),
            stiffness: all(&self.stiffness),
            damping: all(&self.damping),
        }
    }
}

impl Flexible<f64> {
    /// Bounds of the terms of each integral: `|∫ a b dm|² ≤ ∫ a² dm ∫ b² dm`, and so of stiffness. Damping
    /// by ratios comes from modes, which round like that of the fastest.
    pub(crate) fn magnitudes(&self) -> Self {
        let nz = self.map.size();
        let n = if self.stiffness.is_empty() { 0 } else { self.map.bending() };
        let root = |number: f64| number.abs().sqrt();
        let undeformed = [0, 4, 8].map(|at| self.resting[at].abs()).iter().sum::<f64>().sqrt();
        let own = (0..nz).map(|k| root(self.modal_mass[k * nz + k]));
        // of the undeformed body, then of each extended coordinate
        let sizes: Vec<f64> = [undeformed].into_iter().chain(own).collect();
        let table = |roots: &[f64]| -> Vec<f64> {
            roots.iter().flat_map(|a| roots.iter().map(move |b| a * b)).collect()
        };
        let diagonal = |matrix: &[f64]| (0..n).map(|k| root(matrix[k * n + k])).collect::<Vec<_>>();
        let rates = diagonal(&self.damping);
        let fastest = rates.iter().zip(&sizes[1..]).map(|(rate, size)| rate / size);
        let fastest = fastest.filter(|rate| rate.is_finite()).fold(0.0, f64::max);
        let rates: Vec<f64> =
            rates.iter().zip(&sizes[1..]).map(|(rate, size)| rate.max(fastest * size)).collect();
        Self {
            first: sizes.iter().map(|size| Vec3::from([root(self.mass) * size; 3])).collect(),
            resting: sizes.iter().flat_map(|size| [size * undeformed; 9]).collect(),
            second: self.second.with_values(|row, l| sizes[row / 9] * sizes[l + 1]),
            spins: self.spins.with_values(|row, l| sizes[row / 3 + 1] * sizes[l + 1]),
            modal_mass: table(&sizes[1..]),
            modal_runs: self.modal_runs.with_values(|k, l| sizes[k + 1] * sizes[l + 1]),
            stiffness: table(&diagonal(&self.stiffness)),
            damping: table(&rates),
            ..self.clone()
        }
    }
}

/// `U_K`, nine numbers each, by columns, that of the undeformed body first.
#[derive(Clone, Debug)]
pub(crate) struct Moments<S> {
    numbers: Vec<S>,
}

impl<S: Scalar> Moments<S> {
    /// Room for so many extended coordinates.
    pub(crate) fn new(nz: usize) -> Self {
        Self { numbers: vec![S::ZERO; 9 * (nz + 1)] }
    }

    fn at(&self, index: usize) -> Mat3<S> {
        let column = |k: usize| {
            let c = &self.numbers[9 * index + 3 * k..9 * index + 3 * k + 3];
            Vec3::new(c[0], c[1], c[2])
        };
        Mat3::from_columns(column(0), column(1), column(2))
    }

    /// That of an extended coordinate.
    pub(crate) fn of(&self, k: usize) -> Mat3<S> {
        self.at(k + 1)
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
    /// What is attached at `s` of the part that bends sees these shapes.
    pub(crate) fn station(&self, s: f64, root: &Pose<f64>) -> Station<f64> {
        let shapes = Shapes::new(self);
        let pairs = self.pairs(&shapes);
        let last = shapes.piece_at(s);
        let mut shortening = vec![0.0; pairs.len()];
        for piece in &shapes.pieces()[..last] {
            let whole = (piece.from, piece.to);
            add_shortening(&shapes, &pairs, piece.element, whole, &mut shortening);
        }
        let piece = shapes.pieces()[last];
        add_shortening(&shapes, &pairs, piece.element, (piece.from, s), &mut shortening);
        let shape = shapes.at(s, piece.element);
        let field = Field::new(Vec3::ZERO, s, &shape, &shortening);
        Station {
            rest: Pose::new(root.rotation, root.point(field.centre[0])),
            displacement: field.centre[1..].iter().map(|&shift| root.rotation * shift).collect(),
            rotation: shape.iter().map(|s| root.rotation * s.rotation_vector()).collect(),
        }
    }
}

/// Rayleigh's damping and that of modal ratios, row by row; these are of the modes of the shaper.
fn damping(
    beam: &Beam,
    shaper: &Shaper<'_>,
    shapes: &Shapes,
    mass: DMatrix<f64>,
    stiffness: DMatrix<f64>,
) -> Vec<f64> {
    let Damping { mass: by_mass, stiffness: by_stiffness, ratios } = &beam.damping;
    let mut damping = &mass * *by_mass + &stiffness * *by_stiffness;
    if !ratios.is_empty() {
        let [mass, stiffness] = shaper.matrices(beam, [mass, stiffness]);
        let loaded = shaper.loads.iter().fold(mass, |sum, (s, load)| {
            let piece = shapes.pieces()[shapes.piece_at(*s)];
            sum + load_mass(&shapes.at(*s, piece.element), load)
        });
        if let Some(spectrum) = Spectrum::new(&loaded, stiffness) {
            damping += spectrum.damping(ratios);
        }
    }
    damping.transpose().as_slice().to_vec()
}

impl Field {
    pub(super) fn new(origin: Vec3<f64>, s: f64, shape: &[Shape], shortening: &[f64]) -> Self {
        let [ex, ey, ez] = Vec3::AXES;
        let mut centre = vec![origin + ex * s];
        let (mut arm_y, mut arm_z) = (vec![ey], vec![ez]);
        for shape in shape {
            let theta = shape.rotation_vector();
            centre.push(shape.displacement_vector());
            arm_y.push(theta.cross(ey));
            arm_z.push(theta.cross(ez));
        }
        for g in shortening {
            centre.push(ex * -g);
            arm_y.push(Vec3::ZERO);
            arm_z.push(Vec3::ZERO);
        }
        Self { centre, arm_y, arm_z }
    }
}

/// A number of a matrix, counted by columns.
pub(super) fn nine(m: &Mat3<f64>, at: usize) -> f64 {
    m.columns[at / 3].to_array()[at % 3]
}

pub(super) fn dyad(a: Vec3<f64>, b: Vec3<f64>) -> Mat3<f64> {
    Mat3::from_columns(a * b.x, a * b.y, a * b.z)
}

/// The sum of the diagonal.
pub(crate) fn trace<S: Scalar>(m: &Mat3<S>) -> S {
    let [x, y, z] = m.columns;
    x.x + y.y + z.z
}

/// `ax(φ rᵀ) = r × φ`.
pub(crate) fn axial<S: Scalar>(m: &Mat3<S>) -> Vec3<S> {
    let [x, y, z] = m.columns;
    Vec3::new(y.z - z.y, z.x - x.z, x.y - y.x)
}
