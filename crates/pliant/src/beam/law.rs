//! Numbers that follow the length of a beam that slides.
//!
//! A number is a sum of powers of the length `l`, each times a series of Chebyshev polynomials in
//! `1/l` over the stroke. For shapes fixed in the normalised coordinate the powers are exact and
//! the series are constants. Shapes that change with the length depend on it through the ratios of
//! the load to the beam's own mass, which are powers of `1/l`: the series end soon.

use crate::scalar::Scalar;
use crate::spatial::Vec3;
use std::collections::BTreeMap;
use std::ops::Range;

/// Many numbers, by index.
#[derive(Clone, Debug)]
pub(super) struct Law<S> {
    /// `x = chart[0] / l + chart[1]`.
    chart: [S; 2],
    powers: Vec<Power>,
    /// Index and coefficient.
    terms: Vec<(usize, S)>,
}

/// The terms with one power of the length.
#[derive(Clone, Debug)]
struct Power {
    exponent: i32,
    /// For each degree of the polynomial.
    degrees: Vec<Range<usize>>,
}

/// The lengths at which shapes are looked at, to find their laws.
#[derive(Clone, Debug)]
pub(super) struct Samples {
    chart: [f64; 2],
    pub(super) lengths: Vec<f64>,
}

impl Samples {
    /// For shapes that do not change: any length will do.
    pub(super) fn one(length: f64) -> Self {
        Self { chart: [0.0, 0.0], lengths: vec![length] }
    }

    /// The Chebyshev points of the stroke.
    pub(super) fn over([smallest, largest]: [f64; 2], count: usize) -> Self {
        let (low, high) = (1.0 / largest, 1.0 / smallest);
        let chart = [2.0 / (high - low), -(high + low) / (high - low)];
        let point = |j: usize| {
            let x = angle(j, count).cos();
            chart[0] / (x - chart[1])
        };
        Self { chart, lengths: (0..count).map(point).collect() }
    }

    pub(super) fn count(&self) -> usize {
        self.lengths.len()
    }
}

fn angle(j: usize, count: usize) -> f64 {
    std::f64::consts::PI * (j as f64 + 0.5) / count as f64
}

/// Numbers as they were sampled, to become a [`Law`].
#[derive(Clone, Debug, Default)]
pub(super) struct Sampled {
    /// By power and index, one value for each sample.
    values: BTreeMap<(i32, usize), Vec<f64>>,
}

impl Sampled {
    /// Adds `value · l^exponent` to a number, in one sample of so many.
    pub(super) fn add(
        &mut self,
        [sample, samples]: [usize; 2],
        index: usize,
        (exponent, value): (i32, f64),
    ) {
        if value != 0.0 {
            let values = self.values.entry((exponent, index));
            values.or_insert_with(|| vec![0.0; samples])[sample] += value;
        }
    }

    /// The indices of the numbers that are not zero.
    pub(super) fn indices(&self) -> impl Iterator<Item = usize> + '_ {
        self.values.keys().map(|(_, index)| *index)
    }

    /// The same numbers under other indices, as often as they occur there.
    pub(super) fn moved(&self, place: impl Fn(usize) -> Option<usize>) -> Self {
        let values = self.values.iter();
        let values = values.filter_map(|(&(p, i), v)| Some(((p, place(i)?), v.clone())));
        Self { values: values.collect() }
    }

    /// The law, and the largest coefficient of the two last degrees as a part of the largest of all:
    /// what the series leave out.
    pub(super) fn law(&self, samples: &Samples) -> (Law<f64>, f64) {
        let count = samples.count();
        let mut powers: BTreeMap<i32, Vec<Vec<(usize, f64)>>> = BTreeMap::new();
        let (mut last, mut size) = (0.0_f64, f64::MIN_POSITIVE);
        for (&(exponent, index), values) in &self.values {
            let degrees = powers.entry(exponent).or_insert_with(|| vec![Vec::new(); count]);
            let coefficient = |k: usize| {
                let wave = |j: usize| (k as f64 * angle(j, count)).cos();
                let sum: f64 = values.iter().enumerate().map(|(j, v)| v * wave(j)).sum();
                sum * if k == 0 { 1.0 } else { 2.0 } / count as f64
            };
            let all: Vec<f64> = (0..count).map(coefficient).collect();
            let largest = all.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
            if count > 2 {
                last = last.max(all[count - 2].abs()).max(all[count - 1].abs());
                size = size.max(largest);
            }
            for (k, c) in all.into_iter().enumerate().filter(|(_, c)| c.abs() > 1e-15 * largest) {
                degrees[k].push((index, c));
            }
        }
        let mut terms = Vec::new();
        let powers = powers.into_iter().map(|(exponent, degrees)| {
            let used = degrees.iter().rposition(|own| !own.is_empty()).map_or(0, |k| k + 1);
            let degrees = degrees.into_iter().take(used).map(|own| {
                let start = terms.len();
                terms.extend(own);
                start..terms.len()
            });
            Power { exponent, degrees: degrees.collect() }
        });
        let powers = powers.collect();
        (Law { chart: samples.chart, powers, terms }, last / size)
    }
}

impl<S: Scalar> Law<S> {
    /// Visits all terms at a length: index, coefficient, and what the coefficient is multiplied by.
    pub(super) fn each<F: Scalar>(
        &self,
        length: F,
        lift: impl Fn(S) -> F,
        mut visit: impl FnMut(usize, S, F),
    ) {
        let inverse = length.recip();
        let x = lift(self.chart[0]) * inverse + lift(self.chart[1]);
        for Power { exponent, degrees } in &self.powers {
            let base = if *exponent < 0 { inverse } else { length };
            let power = (0..exponent.unsigned_abs()).fold(F::ONE, |power, _| power * base);
            // T_{−1} = T_1
            let (mut before, mut now) = (x, F::ONE);
            for degree in degrees {
                let factor = power * now;
                for &(index, coefficient) in &self.terms[degree.clone()] {
                    visit(index, coefficient, factor);
                }
                let twice = x * now;
                (before, now) = (now, twice + twice - before);
            }
        }
    }

    /// The numbers at a length, added to those of `out`.
    pub(super) fn add_to(&self, length: S, out: &mut [S]) {
        self.each(length, |x| x, |index, c, factor| out[index] = c.mul_add(factor, out[index]));
    }

    /// The numbers at a length.
    pub(super) fn fill(&self, length: S, out: &mut [S]) {
        out.fill(S::ZERO);
        self.add_to(length, out);
    }

    /// Vectors at a length; the numbers are their components, one after the other.
    pub(super) fn fill_vectors(&self, length: S, vectors: &mut [Vec3<S>]) {
        vectors.fill(Vec3::ZERO);
        self.each(
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

    /// The same law in another arithmetic.
    pub(super) fn cast_with<T: Scalar>(&self, convert: impl Fn(S) -> T + Copy) -> Law<T> {
        Law {
            chart: self.chart.map(convert),
            powers: self.powers.clone(),
            terms: self.terms.iter().map(|&(index, c)| (index, convert(c))).collect(),
        }
    }
}
