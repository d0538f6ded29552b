//! Places that go with a beam that slides.

use super::description::Beam;
use super::extended::Extension;
use super::flexible::Station;
use super::law::{Law, Sampled};
use super::moving_shapes::{BODY, Shapes, of_matter, pairs};
use super::normalised::Waves;
use super::sliding::Sliding;
use crate::scalar::Scalar;
use crate::spatial::{Pose, Vec3};

/// The shapes at a place that goes with a beam that slides.
#[derive(Clone, Debug)]
pub struct SlidingStation<S> {
    root: Pose<S>,
    /// `η`.
    place: S,
    displacement: Law<S>,
    rotation: Law<S>,
}

impl SlidingStation<f64> {
    /// The section at the fraction `place` of the part outside, and the shapes there at a length.
    pub(crate) fn new(
        beam: &Beam,
        sliding: &Sliding<f64>,
        place: f64,
        root: &Pose<f64>,
    ) -> (Self, Station<f64>) {
        let waves = Waves::new(beam, sliding.neutral());
        let map = Extension::new(beam.count(), pairs(beam, &waves), true);
        let samples = sliding.samples();
        let count = samples.count();
        let (mut displacement, mut rotation) = (Sampled::default(), Sampled::default());
        for (sample, &length) in samples.lengths.iter().enumerate() {
            let waves = &Waves::new(beam, length);
            let shapes = Shapes { waves, map: &map, origin: Vec3::ZERO, across: of_matter };
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
            displacement: displacement.law(samples, None).0,
            rotation: rotation.law(samples, None).0,
        };
        let mut station = Station {
            rest: *root,
            displacement: vec![Vec3::ZERO; map.size()],
            rotation: vec![Vec3::ZERO; map.size()],
        };
        laws.write(sliding.neutral(), &mut station);
        (laws, station)
    }
}

impl<S: Scalar> SlidingStation<S> {
    /// Writes the shapes at a length.
    pub(crate) fn write(&self, length: S, to: &mut Station<S>) {
        let along = self.root.rotation.columns[0] * (length * self.place);
        to.rest.position = self.root.position + along;
        self.displacement.fill_vectors(length, &mut to.displacement);
        self.rotation.fill_vectors(length, &mut to.rotation);
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
