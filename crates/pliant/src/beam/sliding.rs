//! The integrals of a beam that slides, as laws of the length outside.
//!
//! A point is known by its distance `σ = l − s` from the tip. Along it `η = s/l = 1 − σ/l` changes
//! with the length, and `D` is the derivative by the length: `Dq = ∂_l q + (1−η)/l ∂_η q`. The shapes
//! of the field are then those of [`Extension`](super::extended::Extension), and the integrals the
//! usual ones, taken at the present length; the part inside adds those of a rigid bar.

use super::basis::Basis;
use super::description::Beam;
use super::extended::Extension;
use super::flexible::{Flexible, Station, axial, dyad, nine, trace};
use super::law::{Law, Sampled, Samples};
use super::moving_shapes::{BODY, Shapes, pairs};
use super::normalised::{Waves, Way};
use super::runs::Runs;
use super::section::Section;
use super::slide::Velocity;
use crate::scalar::{Dual, Scalar};
use crate::spatial::{Mat3, Pose, RigidInertia, Vec3};

/// How the integrals of a beam that slides follow its length outside, and its stiffness.
#[derive(Clone, Debug)]
pub struct Sliding<S> {
    first: Law<S>,
    resting: Law<S>,
    second: Law<S>,
    spins: Law<S>,
    modal_mass: Law<S>,
    modal_runs: Law<S>,
    /// `K`, `n × n`.
    stiffness: Law<S>,
    /// `D`, `n × n`.
    damping: Law<S>,
    bending: usize,
    neutral: S,
    velocity: Velocity,
    /// What the series leave out, as a part of what they hold.
    rest: f64,
    samples: Samples,
}

/// What the series may leave out.
const SERIES_REST: f64 = 1e-13;

/// The shapes at a place that goes with a beam that slides.
#[derive(Clone, Debug)]
pub struct SlidingStation<S> {
    root: Pose<S>,
    /// `η`.
    place: S,
    displacement: Law<S>,
    rotation: Law<S>,
}

/// All numbers as they were sampled.
#[derive(Default)]
struct Numbers {
    first: Sampled,
    resting: Sampled,
    second: Sampled,
    spins: Sampled,
    modal_mass: Sampled,
    stiffness: Sampled,
    damping: Sampled,
}

impl Numbers {
    /// Adds `l^exponent M` to `P_KL` in one sample, as far as it is used: the shapes `D²φ` meet
    /// neither each other nor velocities.
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

    /// Adds a rigid body or, with powers of the length, the part inside.
    fn add_first(&mut self, sample: [usize; 2], k: usize, (exponent, v): (i32, Vec3<f64>)) {
        for (c, value) in v.to_array().into_iter().enumerate() {
            self.first.add(sample, 3 * k + c, (exponent, value));
        }
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

impl Sliding<f64> {
    /// The laws of a beam whose mouth is at the pose `root` in the body frame, with a rigid part
    /// that does not slide and a point at its tip (kg), and the integrals at its neutral length.
    pub(crate) fn new(
        beam: &Beam,
        neutral: f64,
        root: &Pose<f64>,
        rigid: &RigidInertia<f64>,
        payload: f64,
    ) -> (Self, Flexible<f64>) {
        let waves = Waves::new(beam, neutral);
        let map = Extension::new(beam.count(), pairs(beam, &waves), true);
        let follows = matches!(beam.basis, Basis::ClampedMass { .. });
        let choices: &[usize] = if follows { &[12, 18, 27, 40, 60, 90] } else { &[1] };
        let sampled = |count: usize| {
            let samples = match beam.slide {
                Some(slide) if follows => Samples::over(slide.stroke, count),
                _ => Samples::one(neutral),
            };
            Self::sampled(beam, neutral, root, (rigid, payload), (&map, samples))
        };
        // to the last digits, or to where rounding is all that is left
        let mut found = sampled(choices[0]);
        for &count in &choices[1..] {
            if found.0.rest < 3e-15 {
                break;
            }
            let next = sampled(count);
            let stays = found.0.is_sound() && next.0.rest > 0.1 * found.0.rest;
            if next.0.rest < found.0.rest {
                found = next;
            }
            if stays {
                break;
            }
        }
        found
    }

    fn sampled(
        beam: &Beam,
        neutral: f64,
        root: &Pose<f64>,
        (rigid, payload): (&RigidInertia<f64>, f64),
        (map, samples): (&Extension, Samples),
    ) -> (Self, Flexible<f64>) {
        let axes = root.rotation;
        let origin = axes.transpose_mul(root.position);
        let velocity = beam.slide.map_or(Velocity::Material, |slide| slide.velocity);
        let mut numbers = Numbers::default();
        for (sample, &length) in samples.lengths.iter().enumerate() {
            let shapes = Shapes { waves: Waves::new(beam, length), map, origin, velocity };
            let of = [sample, samples.count()];
            numbers.add_outside(&shapes, beam, of);
            if payload != 0.0 {
                numbers.add_payload(&shapes, payload, of);
            }
            numbers.add_inside(map, beam, origin, of);
            let second = rigid.second.rotated(&axes.transpose()).to_mat3();
            numbers.add(map, of, [0, 0], (0, &second));
            numbers.add_first(of, 0, (0, axes.transpose_mul(rigid.first)));
        }
        let mass = rigid.mass + payload + beam.profile.section_at(0.0).rho_a * beam.length;
        numbers.laws(map, mass, (axes, velocity), neutral, &samples)
    }
}

impl Numbers {
    fn add_outside(&mut self, shapes: &Shapes<'_>, beam: &Beam, sample: [usize; 2]) {
        let (map, powers, size) = (shapes.map, shapes.powers(), shapes.count());
        let n = map.bending();
        let all = shapes.integrals(&beam.profile.section_at(0.0));
        let own = |k: usize| k.saturating_sub(BODY - 1);
        for k in 0..size {
            self.add_first(sample, own(k), (powers[k][0] + 1, all.first[k]));
            for l in 0..size {
                for (part, second) in all.second.iter().enumerate() {
                    let exponent = powers[k][part] + powers[l][part] + 1;
                    let m = &second[k * size + l];
                    self.add(map, sample, [own(k), own(l)], (exponent, m));
                    let bends = BODY + 1..BODY + 1 + n;
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

    /// Adds a point at the tip, of which Theodore (24) says that it does not know how the shapes
    /// follow the length.
    fn add_payload(&mut self, shapes: &Shapes<'_>, mass: f64, sample: [usize; 2]) {
        let (map, powers) = (shapes.map, shapes.powers());
        let size = BODY + 1 + map.shapes();
        let waves = shapes.waves.at(1.0, shapes.waves.pieces() - 1);
        let field = shapes.field(1.0, 0.0, &waves, &[]);
        let own = |k: usize| k.saturating_sub(BODY - 1);
        for k in 0..size {
            self.add_first(sample, own(k), (powers[k][0], field[k].centre * mass));
            for l in 0..size {
                let m = dyad(field[k].centre * mass, field[l].centre);
                self.add(map, sample, [own(k), own(l)], (powers[k][0] + powers[l][0], &m));
            }
        }
    }

    fn add_inside(&mut self, map: &Extension, beam: &Beam, origin: Vec3<f64>, sample: [usize; 2]) {
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

    /// The laws, and integrals at a length.
    fn laws(
        &self,
        map: &Extension,
        mass: f64,
        (axes, velocity): (Mat3<f64>, Velocity),
        neutral: f64,
        samples: &Samples,
    ) -> (Sliding<f64>, Flexible<f64>) {
        let (nz, bending) = (map.size(), map.bending());
        let pattern = |rows: usize, numbers: &Sampled| {
            let mut there = vec![0.0; rows * nz];
            numbers.indices().for_each(|at| there[at] = 1.0);
            Runs::new(rows, nz, |row, column| there[row * nz + column])
        };
        let (second, spins) = (pattern(9 * (nz + 1), &self.second), pattern(3 * nz, &self.spins));
        let modal_runs = pattern(nz, &self.modal_mass);
        let rest = std::cell::Cell::new(0.0_f64);
        let law = |numbers: &Sampled| {
            let (law, own) = numbers.law(samples);
            rest.set(rest.get().max(own));
            law
        };
        let packed = |numbers: &Sampled, runs: &Runs<f64>| {
            law(&numbers.moved(|at| runs.position(at / nz, at % nz)))
        };
        let mut laws = Sliding {
            first: law(&self.first),
            resting: law(&self.resting),
            second: packed(&self.second, &second),
            spins: packed(&self.spins, &spins),
            modal_mass: law(&self.modal_mass),
            modal_runs: packed(&self.modal_mass, &modal_runs),
            stiffness: law(&self.stiffness),
            damping: law(&self.damping),
            bending,
            neutral,
            velocity,
            rest: 0.0,
            samples: samples.clone(),
        };
        laws.rest = rest.get();
        let mut flexible = Flexible {
            map: map.clone(),
            axes,
            mass,
            first: vec![Vec3::ZERO; nz + 1],
            resting: vec![0.0; 9 * (nz + 1)],
            second,
            spins,
            modal_mass: vec![0.0; nz * nz],
            modal_runs,
            stiffness: Vec::new(),
            damping: Vec::new(),
        };
        laws.write(neutral, &mut flexible);
        (laws, flexible)
    }
}

impl<S: Scalar> Sliding<S> {
    /// The length outside where nothing else is said (m).
    pub(crate) fn neutral(&self) -> S {
        self.neutral
    }

    /// Whether its velocity is that of Theodore (24).
    pub(crate) fn is_paper(&self) -> bool {
        self.velocity == Velocity::Paper
    }

    /// Whether the laws hold all digits over the stroke.
    pub(crate) fn is_sound(&self) -> bool {
        self.rest < SERIES_REST
    }

    /// Writes the integrals at a length.
    pub(crate) fn write(&self, length: S, to: &mut Flexible<S>) {
        write_vectors(&self.first, length, &mut to.first);
        self.resting.fill(length, &mut to.resting);
        self.second.fill(length, to.second.values_mut());
        self.spins.fill(length, to.spins.values_mut());
        self.modal_mass.fill(length, &mut to.modal_mass);
        self.modal_runs.fill(length, to.modal_runs.values_mut());
    }

    /// `½ δᵀKδ` at the coordinates `(l, δ)`.
    pub(crate) fn strain_energy(&self, d: &[S]) -> S {
        let (length, d, half) = (d[0], &d[1..], S::from_f64(0.5));
        let mut sum = S::ZERO;
        self.stiffness.each(
            length,
            |x| x,
            |at, c, factor| {
                sum += half * c * factor * d[at / self.bending] * d[at % self.bending];
            },
        );
        sum
    }

    /// Adds the forces that hold it bent: `½ δᵀK'δ` on the length, `Kδ` on the others.
    pub(crate) fn add_elastic(&self, d: &[S], out: &mut [S]) {
        let (length, d, half) = (Dual { re: d[0], du: [S::ONE] }, &d[1..], S::from_f64(0.5));
        self.stiffness.each(length, Dual::constant, |at, c, factor| {
            let (row, column) = (at / self.bending, at % self.bending);
            let pull = c * d[column];
            out[1 + row] += pull * factor.re;
            out[0] += half * d[row] * pull * factor.du[0];
        });
    }

    /// Adds the forces that drive its damping, none on the length.
    pub(crate) fn add_damping(&self, d: &[S], rate: &[S], out: &mut [S]) {
        self.damping.each(
            d[0],
            |x| x,
            |at, c, factor| {
                out[1 + at / self.bending] += c * factor * rate[1 + at % self.bending];
            },
        );
    }

    /// Takes off what [`Sliding::add_elastic`] and [`Sliding::add_damping`] add.
    pub(crate) fn subtract_passive(&self, d: &[S], rate: &[S], out: &mut [S]) {
        for out in &mut *out {
            *out = -*out;
        }
        self.add_elastic(d, out);
        self.add_damping(d, rate, out);
        for out in out {
            *out = -*out;
        }
    }

    /// The power that its damping takes (W).
    pub(crate) fn dissipation(&self, d: &[S], rate: &[S]) -> S {
        let (rate, mut sum) = (&rate[1..], S::ZERO);
        self.damping.each(
            d[0],
            |x| x,
            |at, c, factor| {
                sum += c * factor * rate[at / self.bending] * rate[at % self.bending];
            },
        );
        sum
    }

    /// The same laws in another arithmetic.
    pub(crate) fn cast_with<T: Scalar>(&self, convert: impl Fn(S) -> T + Copy) -> Sliding<T> {
        Sliding {
            first: self.first.cast_with(convert),
            resting: self.resting.cast_with(convert),
            second: self.second.cast_with(convert),
            spins: self.spins.cast_with(convert),
            modal_mass: self.modal_mass.cast_with(convert),
            modal_runs: self.modal_runs.cast_with(convert),
            stiffness: self.stiffness.cast_with(convert),
            damping: self.damping.cast_with(convert),
            bending: self.bending,
            neutral: convert(self.neutral),
            velocity: self.velocity,
            rest: self.rest,
            samples: self.samples.clone(),
        }
    }
}

impl SlidingStation<f64> {
    /// The section at the fraction `place` of the part outside, and the shapes there at a length.
    pub(crate) fn new(
        beam: &Beam,
        sliding: &Sliding<f64>,
        place: f64,
        root: &Pose<f64>,
    ) -> (Self, Station<f64>) {
        let waves = Waves::new(beam, sliding.neutral);
        let map = Extension::new(beam.count(), pairs(beam, &waves), true);
        let samples = &sliding.samples;
        let count = samples.count();
        let (mut displacement, mut rotation) = (Sampled::default(), Sampled::default());
        for (sample, &length) in samples.lengths.iter().enumerate() {
            let waves = Waves::new(beam, length);
            let velocity = Velocity::Material;
            let shapes = Shapes { waves, map: &map, origin: Vec3::ZERO, velocity };
            let pieces = shapes.waves.pieces();
            let border = |k: usize| k as f64 / pieces as f64;
            let last = (1..pieces).take_while(|&k| border(k) <= place).count();
            let mut shortened = vec![[0.0; 3]; map.pairs().len()];
            for piece in 0..last {
                shapes.add_shortening(piece, (border(piece), border(piece + 1)), &mut shortened);
            }
            shapes.add_shortening(last, (border(last), place), &mut shortened);
            let waves = shapes.waves.at(place, last);
            let mut field = shapes.field(place, 0.0, &waves, &shortened);
            // a fraction of the part outside goes along by that fraction
            field[BODY].centre = field[BODY].centre * place;
            let all = field.iter().zip(shapes.powers()).skip(BODY).enumerate();
            for (k, (field, powers)) in all {
                let (shift, turn) = (root.rotation * field.centre, root.rotation * field.theta);
                for c in 0..3 {
                    let (shift, turn) = (shift.to_array()[c], turn.to_array()[c]);
                    displacement.add([sample, count], 3 * k + c, (powers[0], shift));
                    rotation.add([sample, count], 3 * k + c, (powers[1], turn));
                }
            }
        }
        let laws = Self {
            root: *root,
            place,
            displacement: displacement.law(samples).0,
            rotation: rotation.law(samples).0,
        };
        let mut station = Station {
            rest: *root,
            displacement: vec![Vec3::ZERO; map.size()],
            rotation: vec![Vec3::ZERO; map.size()],
            turning: beam.rotation,
        };
        laws.write(sliding.neutral, &mut station);
        (laws, station)
    }
}

impl<S: Scalar> SlidingStation<S> {
    /// Writes the shapes at a length.
    pub(crate) fn write(&self, length: S, to: &mut Station<S>) {
        let along = self.root.rotation.columns[0] * (length * self.place);
        to.rest.position = self.root.position + along;
        write_vectors(&self.displacement, length, &mut to.displacement);
        write_vectors(&self.rotation, length, &mut to.rotation);
    }

    /// The same place in another arithmetic.
    pub(crate) fn cast_with<T: Scalar>(
        &self,
        convert: impl Fn(S) -> T + Copy,
    ) -> SlidingStation<T> {
        SlidingStation {
            root: self.root.cast(convert),
            place: convert(self.place),
            displacement: self.displacement.cast_with(convert),
            rotation: self.rotation.cast_with(convert),
        }
    }
}

/// Vectors at a length, by a law of their components.
fn write_vectors<S: Scalar>(law: &Law<S>, length: S, vectors: &mut [Vec3<S>]) {
    vectors.fill(Vec3::ZERO);
    law.each(
        length,
        |x| x,
        |at, c, factor| {
            let v = &mut vectors[at / 3];
            let component = [&mut v.x, &mut v.y, &mut v.z];
            for (k, component) in component.into_iter().enumerate() {
                if k == at % 3 {
                    *component += c * factor;
                }
            }
        },
    );
}
