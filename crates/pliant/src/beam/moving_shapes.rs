//! The shapes of a beam that slides at one length, and the integrals over them.
//!
//! Sections turn at a rate that jumps at the mouth and at the borders of elements, and matter
//! passes these places. `D²Θ` has a Dirac term there, which meets the mean of the values on both
//! sides. Without it neither energy nor momentum would be kept.

use super::description::Beam;
use super::extended::Extension;
use super::normalised::{Table, Wave, Waves, Way, material};
use super::products::Columns;
use super::quadrature::Gauss;
use super::section::Section;
use crate::spatial::{Mat3, Vec3};

/// A shape at one place: displacement of the centreline, arms of the section.
#[derive(Clone, Copy)]
pub(super) struct Field {
    pub(super) centre: Vec3<f64>,
    pub(super) theta: Vec3<f64>,
    pub(super) arms: [Vec3<f64>; 2],
}

impl Field {
    const NOTHING: Self = Self { centre: Vec3::ZERO, theta: Vec3::ZERO, arms: [Vec3::ZERO; 2] };

    /// A shape that turns sections by `theta`.
    fn new(centre: Vec3<f64>, theta: Vec3<f64>) -> Self {
        let [_, y, z] = Vec3::AXES;
        Self { centre, theta, arms: [theta.cross(y), theta.cross(z)] }
    }
}

/// A shape and its derivatives by the length, `(φ, l Dφ, l² D²φ)`, across the beam: from the table of
/// its wave, at the place `η` and with the way `1 − η` that matter there has to the tip.
pub(crate) type Across = fn(&Table, f64, f64) -> [f64; 3];

/// Those of matter: `D = ∂_l + (1−η)/l ∂_η`.
pub(super) fn of_matter(table: &Table, _: f64, inward: f64) -> [f64; 3] {
    material(table, 0, 0, inward)
}

/// The undeformed body is two shapes here: where the mouth is, and the way along x.
pub(super) const BODY: usize = 2;

/// The shapes of a beam at one length.
pub(super) struct Shapes<'a> {
    pub(super) waves: &'a Waves,
    pub(super) map: &'a Extension,
    /// The mouth, beam axes.
    pub(super) origin: Vec3<f64>,
    pub(super) across: Across,
}

/// The integrals over all pairs of shapes at one length, without their powers of the length.
pub(super) struct Integrals {
    pub(super) first: Vec<Vec3<f64>>,
    /// `∫ φ_K φ_Lᵀ dm` of centrelines, and of the arms of sections along y and along z.
    centres: Pairs,
    arms: [Pairs; 2],
    pub(super) stiffness: Vec<f64>,
}

/// Integrals over all pairs of vectors, component by component.
struct Pairs {
    slots: Slots,
    sums: Vec<f64>,
}

/// The components that vectors of shapes have.
struct Slots {
    /// Of each shape, and where they begin.
    components: Vec<Vec<usize>>,
    first: Vec<usize>,
    count: usize,
    shapes: Vec<usize>,
}

impl Slots {
    /// From which components each shape has.
    fn new(has: impl Iterator<Item = Vec3<f64>>) -> Self {
        let (mut components, mut first, mut shapes) = (Vec::new(), Vec::new(), Vec::new());
        for (shape, vector) in has.enumerate() {
            let own: Vec<usize> = (0..3).filter(|&c| vector.to_array()[c] != 0.0).collect();
            first.push(shapes.len());
            shapes.extend(own.iter().map(|_| shape));
            components.push(own);
        }
        Self { components, first, count: shapes.len(), shapes }
    }

    /// The slots of a shape, with their components.
    fn of(&self, shape: usize) -> impl Iterator<Item = (usize, usize)> + '_ {
        let own = self.components[shape].iter();
        own.enumerate().map(move |(at, &component)| (self.first[shape] + at, component))
    }
}

/// What is integrated: vectors of shapes at all places, as they are and times the matter there.
struct Integrand {
    slots: Slots,
    plain: Columns,
    weighted: Columns,
}

impl Integrand {
    fn new(slots: Slots, places: usize) -> Self {
        let columns = || Columns::new(slots.count, places);
        let (plain, weighted) = (columns(), columns());
        Self { slots, plain, weighted }
    }

    /// Takes the vector of a shape at a place.
    fn set(&mut self, place: usize, shape: usize, vector: Vec3<f64>, matter: f64) {
        let (vector, own) = (vector.to_array(), (vector * matter).to_array());
        for (slot, component) in self.slots.of(shape) {
            self.plain.set(slot, place, vector[component]);
            self.weighted.set(slot, place, own[component]);
        }
    }

    /// The integrals over the pairs that are used.
    fn integrals(self, is_used: impl Fn(usize, usize) -> bool) -> Pairs {
        let Self { slots, plain, weighted } = self;
        let n = slots.count;
        let mut sums = vec![0.0; n * n];
        let wanted = |a: usize, b: usize| {
            let shapes = slots.shapes.get(a).zip(slots.shapes.get(b));
            shapes.is_some_and(|(&k, &l)| is_used(k, l))
        };
        weighted.products(&plain, wanted, |a, b, sum| sums[a * n + b] = sum);
        Pairs { slots, sums }
    }
}

impl Pairs {
    /// Adds the integral over a pair to a matrix.
    fn add_to(&self, [k, l]: [usize; 2], m: &mut [[f64; 3]; 3]) {
        for (a, row) in self.slots.of(k) {
            for (b, column) in self.slots.of(l) {
                m[column][row] += self.sums[a * self.slots.count + b];
            }
        }
    }

    /// Adds a dyad to the integral over a pair.
    fn add(&mut self, [k, l]: [usize; 2], left: Vec3<f64>, right: Vec3<f64>) {
        let (left, right, n) = (left.to_array(), right.to_array(), self.slots.count);
        for (a, row) in self.slots.of(k) {
            for (b, column) in self.slots.of(l) {
                self.sums[a * n + b] += left[row] * right[column];
            }
        }
    }
}

impl Shapes<'_> {
    /// How many shapes, the body's included.
    pub(super) fn count(&self) -> usize {
        BODY + self.map.size()
    }

    /// The powers of the length that a shape's displacement and its arms go with.
    pub(super) fn powers(&self) -> Vec<[i32; 2]> {
        let mut powers = vec![[0, 0], [1, 0], [0, 0]];
        let waves = self.waves.at(1.0, self.waves.pieces() - 1);
        for order in 0..3 {
            powers.extend(waves.iter().map(|wave| [-order, wave.rotation().1 - order]));
            powers.extend(self.map.pairs().iter().map(|_| [-1 - order, 0]));
        }
        powers
    }

    /// `(1, l∂_l, l²∂_l²)` of the integrand of each pair's shortening, `φ_a'φ_b'`, and its
    /// derivative by `η`.
    fn shortening(waves: &[Wave], (a, b): (usize, usize)) -> [[f64; 2]; 3] {
        let (a, b) = (&waves[a], &waves[b]);
        if a.way != b.way {
            return [[0.0; 2]; 3];
        }
        let (f, g) = (&a.table, &b.table);
        let product = |i: usize, j: usize| f[i][1] * g[j][1];
        [
            [product(0, 0), f[0][2] * g[0][1] + f[0][1] * g[0][2]],
            [product(1, 0) + product(0, 1), 0.0],
            [product(2, 0) + 2.0 * product(1, 1) + product(0, 2), 0.0],
        ]
    }

    /// Adds the integral of the shortening over a stretch of one piece.
    pub(super) fn add_shortening(
        &self,
        piece: usize,
        (from, to): (f64, f64),
        sum: &mut [[f64; 3]],
    ) {
        if sum.is_empty() {
            return;
        }
        for (eta, weight) in Gauss::usual().on(from, to) {
            let waves = self.waves.at(eta, piece);
            for (sum, &pair) in sum.iter_mut().zip(self.map.pairs()) {
                for (sum, [value, _]) in sum.iter_mut().zip(Self::shortening(&waves, pair)) {
                    *sum += weight * value;
                }
            }
        }
    }

    /// All shapes at a place, from its waves and the shortening up to there.
    pub(super) fn field(
        &self,
        eta: f64,
        inward: f64,
        waves: &[Wave],
        shortened: &[[f64; 3]],
    ) -> Vec<Field> {
        let [x, y, z] = Vec3::AXES;
        let mut groups: [Vec<Field>; 3] = Default::default();
        for wave in waves {
            let (shift, power) = wave.rotation();
            let centres = (self.across)(&wave.table, eta, inward);
            let turns = material(&wave.table, shift, power, inward);
            for (group, (centre, turn)) in groups.iter_mut().zip(centres.into_iter().zip(turns)) {
                group.push(Field::new(wave.displaced(centre), wave.turned(turn)));
            }
        }
        for (&pair, sum) in self.map.pairs().iter().zip(shortened) {
            let slopes = Self::shortening(waves, pair);
            let row = |i: usize| [sum[i], slopes[i][0], slopes[i][1], 0.0];
            let table: Table = [row(0), row(1), row(2)];
            for (group, g) in groups.iter_mut().zip(material(&table, 0, -1, inward)) {
                group.push(Field::new(x * -g, Vec3::ZERO));
            }
        }
        let body = [
            Field { centre: self.origin, ..Field::NOTHING },
            Field { centre: x * eta, arms: [y, z], ..Field::NOTHING },
            Field { centre: x, ..Field::NOTHING },
        ];
        body.into_iter().chain(groups.into_iter().flatten()).collect()
    }

    /// Which components the shapes have: of centrelines, and of arms along y and along z.
    fn components(&self) -> [Slots; 3] {
        let [_, y, z] = Vec3::AXES;
        let waves = self.waves.at(1.0, self.waves.pieces() - 1);
        let mut all = vec![
            Field { centre: self.origin, ..Field::NOTHING },
            Field { centre: Vec3::AXES[0], arms: [y, z], ..Field::NOTHING },
            Field { centre: Vec3::AXES[0], ..Field::NOTHING },
        ];
        for _ in 0..3 {
            all.extend(waves.iter().map(|wave| Field::new(wave.displaced(1.0), wave.turned(1.0))));
            let shortens = Field::new(Vec3::AXES[0], Vec3::ZERO);
            all.extend(self.map.pairs().iter().map(|_| shortens));
        }
        [
            Slots::new(all.iter().map(|field| field.centre)),
            Slots::new(all.iter().map(|field| field.arms[0])),
            Slots::new(all.iter().map(|field| field.arms[1])),
        ]
    }

    /// Integrates over the part outside, the pairs of shapes that are used.
    pub(super) fn integrals(
        &self,
        section: &Section,
        is_used: impl Fn(usize, usize) -> bool,
    ) -> Integrals {
        let (count, n) = (self.count(), self.map.bending());
        let (mut first, mut stiffness) = (vec![Vec3::ZERO; count], vec![0.0; n * n]);
        let (pieces, rule) = (self.waves.pieces(), Gauss::usual());
        let places = pieces * rule.on(0.0, 1.0).count();
        let [centres, along_y, along_z] = self.components();
        let mut centres = Integrand::new(centres, places);
        let mut arms = [along_y, along_z].map(|slots| Integrand::new(slots, places));
        let border = |k: usize| k as f64 / pieces as f64;
        let mut before = vec![[0.0; 3]; self.map.pairs().len()];
        let mut place = 0;
        for piece in 0..pieces {
            let (from, to) = (border(piece), border(piece + 1));
            for (eta, weight) in rule.on(from, to) {
                let mut shortened = before.clone();
                self.add_shortening(piece, (from, eta), &mut shortened);
                let waves = self.waves.at(eta, piece);
                let matter = [section.rho_a, section.rho_i_z, section.rho_i_y];
                let [mass, about_z, about_y] = matter.map(|matter| weight * matter);
                let field = self.field(eta, 1.0 - eta, &waves, &shortened);
                for (shape, field) in field.iter().enumerate() {
                    first[shape] += field.centre * mass;
                    centres.set(place, shape, field.centre, mass);
                    for (side, inertia) in [about_z, about_y].into_iter().enumerate() {
                        arms[side].set(place, shape, field.arms[side], inertia);
                    }
                }
                add_stiffness(&mut stiffness, &waves, section, weight);
                place += 1;
            }
            self.add_shortening(piece, (from, to), &mut before);
        }
        let centres = centres.integrals(&is_used);
        let arms = arms.map(|arms| arms.integrals(&is_used));
        let mut all = Integrals { first, centres, arms, stiffness };
        for piece in 0..self.waves.borders() {
            self.add_jump(border(piece), piece, section, &mut all.arms);
        }
        all
    }

    /// The Dirac term at the beginning of a piece.
    fn add_jump(&self, eta: f64, piece: usize, section: &Section, arms: &mut [Pairs; 2]) {
        let (count, n, shapes) = (self.count(), self.map.bending(), self.map.shapes());
        let inward = 1.0 - eta;
        // arms do not know of the shortening
        let nothing = vec![[0.0; 3]; self.map.pairs().len()];
        let outer_waves = self.waves.at(eta, piece);
        let outer = self.field(eta, inward, &outer_waves, &nothing);
        let inner_waves = piece.checked_sub(1).map(|inner| self.waves.at(eta, inner));
        let inner = if let Some(waves) = &inner_waves {
            self.field(eta, inward, waves, &nothing)
        } else {
            let mut inside = vec![Field::NOTHING; count];
            inside[1] = outer[1];
            inside
        };
        let weights = [section.rho_i_z, section.rho_i_y];
        let last = BODY + 1 + 2 * shapes;
        for k in 0..n {
            let slope = |wave: &Wave| wave.table[0][wave.rotation().0 + 1];
            let inside = inner_waves.as_ref().map_or(0.0, |waves| slope(&waves[k]));
            let jump = outer_waves[k].turned(slope(&outer_waves[k]) - inside);
            let steps = Field::new(Vec3::ZERO, jump).arms;
            for shape in 0..last {
                for (side, arms) in arms.iter_mut().enumerate() {
                    let both = outer[shape].arms[side] + inner[shape].arms[side];
                    let mean = both * (0.5 * weights[side] * inward * inward);
                    arms.add([shape, last + k], mean, steps[side]);
                    arms.add([last + k, shape], steps[side], mean);
                }
            }
        }
    }
}

impl Integrals {
    /// `∫ φ_K φ_Lᵀ dm` of centrelines and of sections.
    pub(super) fn second(&self, k: usize, l: usize) -> [Mat3<f64>; 2] {
        let (mut centres, mut arms) = ([[0.0; 3]; 3], [[0.0; 3]; 3]);
        self.centres.add_to([k, l], &mut centres);
        for side in &self.arms {
            side.add_to([k, l], &mut arms);
        }
        let vector = |[x, y, z]: [f64; 3]| Vec3::new(x, y, z);
        [centres, arms].map(|columns| Mat3 { columns: columns.map(vector) })
    }
}

/// Adds the stiffness of a slice.
fn add_stiffness(stiffness: &mut [f64], waves: &[Wave], section: &Section, weight: f64) {
    let n = waves.len();
    for (a, p) in waves.iter().enumerate() {
        for (b, q) in waves.iter().enumerate().filter(|(_, q)| q.way == p.way) {
            let (at, resistance) = match p.way {
                Way::AlongY => (2, section.ei_z),
                Way::AlongZ => (2, section.ei_y),
                Way::AboutX => (1, section.gj),
            };
            stiffness[a * n + b] += weight * resistance * p.table[0][at] * q.table[0][at];
        }
    }
}

/// The pairs of shapes whose slopes overlap somewhere.
pub(super) fn pairs(beam: &Beam, waves: &Waves) -> Vec<(usize, usize)> {
    if !beam.foreshortening {
        return Vec::new();
    }
    let n = beam.count();
    let mut overlap = vec![false; n * n];
    for piece in 0..waves.pieces() {
        let middle = (piece as f64 + 0.37) / waves.pieces() as f64;
        let at = waves.at(middle, piece);
        for a in 0..n {
            for b in a..n {
                let bends = at[a].way == at[b].way && at[a].way != Way::AboutX;
                overlap[a * n + b] |= bends && at[a].table[0][1] * at[b].table[0][1] != 0.0;
            }
        }
    }
    (0..n * n).filter(|&at| overlap[at]).map(|at| (at / n, at % n)).collect()
}
