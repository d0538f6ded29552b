//! The integrals of a beam that slides, as laws of the length outside.
//!
//! A point is known by its distance `σ = l − s` from the tip. Along it `η = s/l = 1 − σ/l` changes
//! with the length, and `D` is the derivative by the length: `Dq = ∂_l q + (1−η)/l ∂_η q`. The shapes
//! of the field are then those of [`Extension`](super::extended::Extension), and the integrals the
//! usual ones, taken at the present length; the part inside adds those of a rigid bar.

use super::basis::{Basis, ShapeLoad, Ways};
use super::description::Beam;
use super::extended::Extension;
use super::flexible::Flexible;
use super::law::{Law, Sampled, Samples};
use super::moving_shapes::{Across, Shapes, of_matter, pairs};
use super::normalised::Waves;
use super::runs::Runs;
use super::sliding_numbers::{Numbers, integrals};
use crate::scalar::{Dual, Scalar};
use crate::spatial::{Mat3, Pose, RigidInertia, Vec3};
use rayon::prelude::*;
use std::cmp::Ordering;

/// How the integrals of a beam that slides follow its length outside, and its stiffness.
#[derive(Clone, Debug)]
pub struct Sliding<S> {
    first: Law<S>,
    resting: Law<S>,
    second: Law<S>,
    spins: Law<S>,
    modal_mass: Law<S>,
    /// `K`, `n × n`.
    stiffness: Law<S>,
    /// `D`, `n × n`.
    damping: Law<S>,
    bending: usize,
    neutral: S,
    /// What the series leave out, as a part of what they hold.
    rest: f64,
    samples: Samples,
}

/// What the series may leave out.
const SERIES_REST: f64 = 1e-13;

/// What rounding leaves in integrals, for each piece that they are taken over.
const ROUNDING: f64 = 3e-16;

/// At how many lengths shapes that follow the length are looked at.
const SAMPLES: [usize; 6] = [12, 18, 27, 40, 60, 90];

/// How many of them at most wait to be put together.
const TOGETHER: usize = 8;

/// What the two lowest shapes each way may leave out for all to be looked at.
const WORTH_ALL: f64 = 1e-9;

/// Which numbers of samples are too few, found with the two lowest shapes each way: the load changes
/// them the most, and they take no time.
fn enough(beam: &Beam, neutral: f64) -> usize {
    let ways = beam.basis.ways();
    let low = |count: usize| count.min(2);
    let ways = Ways::new(low(ways.bend_y), low(ways.bend_z), low(ways.torsion), ways.axial);
    let basis = Basis::ClampedMass { ways, load: ShapeLoad::Given(beam.basis.given_load()) };
    let few = Beam { basis, foreshortening: false, ..beam.clone() };
    let map = Extension::new(few.count(), Vec::new(), true);
    let Some(slide) = beam.slide else { return 0 };
    let is_enough = |count: &usize| {
        let samples = Samples::over(slide.stroke, *count);
        let alone = (&RigidInertia::ZERO, of_matter as Across, 0.0);
        let (laws, _) =
            Sliding::sampled([&few; 2], neutral, &Pose::IDENTITY, alone, (&map, samples, None));
        laws.rest <= WORTH_ALL
    };
    // NaN is never enough, and seen at once
    SAMPLES.iter().position(is_enough).unwrap_or(0)
}

impl Sliding<f64> {
    /// The laws of a beam whose mouth is at the pose `root` in the body frame, with a rigid part
    /// that does not slide, and the integrals at its neutral length. It has the shapes of another one
    /// that it is like, and its laws the same terms.
    pub(crate) fn new(
        beam: &Beam,
        like: Option<(&Beam, &Self)>,
        root: &Pose<f64>,
        rigid: &RigidInertia<f64>,
    ) -> (Self, Flexible<f64>) {
        let neutral = beam.slide.map_or(beam.length, |slide| slide.neutral());
        let Some((shaped, like)) = like else {
            return Self::with(beam, neutral, root, rigid, (of_matter, 0.0));
        };
        let waves = Waves::new(shaped, neutral);
        let map = Extension::new(shaped.count(), pairs(shaped, &waves), true);
        let samples = (&map, like.samples.clone(), Some(like));
        Self::sampled([beam, shaped], neutral, root, (rigid, of_matter, 0.0), samples)
    }

    /// The same with other derivatives of the shapes by the length, and with a point at the tip (kg)
    /// to which the shapes do not follow the length.
    pub(crate) fn with(
        beam: &Beam,
        neutral: f64,
        root: &Pose<f64>,
        rigid: &RigidInertia<f64>,
        (across, payload): (Across, f64),
    ) -> (Self, Flexible<f64>) {
        let waves = Waves::new(beam, neutral);
        let map = Extension::new(beam.count(), pairs(beam, &waves), true);
        let follows = matches!(beam.basis, Basis::ClampedMass { .. });
        let choices = if follows { &SAMPLES[enough(beam, neutral)..] } else { &[1] };
        let sampled = |count: usize| {
            let samples = match beam.slide {
                Some(slide) if follows => Samples::over(slide.stroke, count),
                _ => Samples::one(neutral),
            };
            let samples = (&map, samples, None);
            Self::sampled([beam; 2], neutral, root, (rigid, across, payload), samples)
        };
        // to the last digits, or to where rounding is all that is left: sums over so many places
        let rounding = (ROUNDING * waves.pieces() as f64).max(3e-15);
        let mut found = sampled(choices[0]);
        for pair in choices.windows(2) {
            let [before, count] = [pair[0], pair[1]];
            let rest = found.0.rest;
            if rest < rounding {
                break;
            }
            let is_sound = found.0.is_sound();
            // not both at once: laws of many shapes are large
            drop(found);
            found = sampled(count);
            let next = found.0.rest;
            if next.partial_cmp(&rest) != Some(Ordering::Less) {
                found = sampled(before);
            }
            if is_sound && next > 0.1 * rest {
                break;
            }
        }
        found
    }

    fn sampled(
        [beam, shaped]: [&Beam; 2],
        neutral: f64,
        root: &Pose<f64>,
        (rigid, across, payload): (&RigidInertia<f64>, Across, f64),
        (map, samples, like): (&Extension, Samples, Option<&Self>),
    ) -> (Self, Flexible<f64>) {
        let axes = root.rotation;
        let origin = axes.transpose_mul(root.position);
        let all = |length: &f64| {
            let waves = Waves::new(shaped, *length);
            let integrals = integrals(&Shapes { waves: &waves, map, origin, across }, beam);
            (waves, integrals)
        };
        let mut numbers = Numbers::default();
        let mut sample = 0;
        for lengths in samples.lengths.chunks(rayon::current_num_threads().min(TOGETHER)) {
            let all: Vec<_> = lengths.par_iter().map(all).collect();
            for (waves, integrals) in &all {
                let shapes = Shapes { waves, map, origin, across };
                let of = [sample, samples.count()];
                numbers.add_outside(&shapes, integrals, beam, of);
                if payload != 0.0 {
                    numbers.add_payload(&shapes, payload, of);
                }
                numbers.add_inside(map, beam, origin, of);
                numbers.add_rigid(map, &axes, rigid, of);
                sample += 1;
            }
        }
        let mass = rigid.mass + payload + beam.profile.section_at(0.0).rho_a * beam.length;
        Self::laws(numbers, map, mass, axes, (neutral, &samples, like))
    }

    /// The laws, and integrals at a length.
    fn laws(
        numbers: Numbers,
        map: &Extension,
        mass: f64,
        axes: Mat3<f64>,
        (neutral, samples, like): (f64, &Samples, Option<&Self>),
    ) -> (Self, Flexible<f64>) {
        let (nz, bending) = (map.size(), map.bending());
        let pattern = |rows: usize, sampled: &Sampled| {
            let mut there = vec![0.0; rows * nz];
            sampled.indices().for_each(|at| there[at] = 1.0);
            Runs::new(rows, nz, |row, column| there[row * nz + column])
        };
        let (second, spins) =
            (pattern(9 * (nz + 1), &numbers.second), pattern(3 * nz, &numbers.spins));
        let modal_runs = pattern(nz, &numbers.modal_mass);
        let rest = std::cell::Cell::new(0.0_f64);
        // each is done with before the next: those of many shapes are large
        let law = |sampled: Sampled, like: Option<&Law<f64>>| {
            let (law, own) = sampled.law(samples, like);
            rest.set(rest.get().max(own));
            law
        };
        let position = |runs: &Runs<f64>, at: usize| runs.position(at / nz, at % nz).unwrap_or(0);
        let packed = |sampled: Sampled, runs: &Runs<f64>, like: Option<&Law<f64>>| {
            law(sampled.moved(|at| position(runs, at)), like)
        };
        let mut laws = Self {
            first: law(numbers.first, like.map(|like| &like.first)),
            resting: law(numbers.resting, like.map(|like| &like.resting)),
            second: packed(numbers.second, &second, like.map(|like| &like.second)),
            spins: packed(numbers.spins, &spins, like.map(|like| &like.spins)),
            modal_mass: law(numbers.modal_mass, like.map(|like| &like.modal_mass)),
            stiffness: law(numbers.stiffness, like.map(|like| &like.stiffness)),
            damping: law(numbers.damping, like.map(|like| &like.damping)),
            bending,
            neutral,
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

impl Sliding<f64> {
    /// Laws of the same terms with what these round like, from that of the integrals at the neutral length.
    pub(crate) fn magnitudes(&self, integrals: &Flexible<f64>) -> Self {
        let length = self.neutral;
        let matrix = |law: &Law<f64>| {
            let n = self.bending;
            let diagonal: Vec<f64> = (0..n).map(|k| law.size(k * n + k, length).sqrt()).collect();
            law.largest(length, |at| diagonal[at / n] * diagonal[at % n])
        };
        let of = |law: &Law<f64>, bounds: &[f64]| law.largest(length, |at| bounds[at]);
        Self {
            first: self.first.largest(length, |at| integrals.first[at / 3].x),
            resting: of(&self.resting, &integrals.resting),
            second: of(&self.second, integrals.second.values()),
            spins: of(&self.spins, integrals.spins.values()),
            modal_mass: of(&self.modal_mass, &integrals.modal_mass),
            stiffness: matrix(&self.stiffness),
            damping: matrix(&self.damping),
            ..self.clone()
        }
    }
}

impl<S: Scalar> Sliding<S> {
    /// The length outside where nothing else is said (m).
    pub(crate) fn neutral(&self) -> S {
        self.neutral
    }

    /// The lengths at which it was sampled.
    pub(super) fn samples(&self) -> &Samples {
        &self.samples
    }

    /// Whether the laws hold all digits over the stroke.
    pub(crate) fn is_sound(&self) -> bool {
        self.rest < SERIES_REST
    }

    /// Writes the integrals at a length.
    pub(crate) fn write(&self, length: S, to: &mut Flexible<S>) {
        self.first.fill_vectors(length, &mut to.first);
        self.resting.fill(length, &mut to.resting);
        self.second.fill(length, to.second.values_mut());
        self.spins.fill(length, to.spins.values_mut());
        self.modal_mass.fill(length, &mut to.modal_mass);
        to.modal_runs.copy_from(&to.modal_mass, to.map.size());
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
            stiffness: self.stiffness.cast_with(convert),
            damping: self.damping.cast_with(convert),
            bending: self.bending,
            neutral: convert(self.neutral),
            rest: self.rest,
            samples: self.samples.clone(),
        }
    }
}
