//! Numbers that follow the length of a beam that slides.
//!
//! A number is a sum of powers of the length `l`, each times a series of Chebyshev polynomials in
//! `1/l` over the stroke. For shapes fixed in the normalised coordinate the powers are exact and
//! the series are constants. Shapes that change with the length depend on it through the ratios of
//! the load to the beam's own mass, which are powers of `1/l`: the series end soon.

use super::products::Columns;
use crate::scalar::Scalar;
use crate::spatial::Vec3;
use std::collections::{BTreeMap, HashMap};
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

/// Series are over at least this part of the largest length: their slopes by the length, of which
/// accelerations take two, round like the reciprocal of that part.
const LEAST_STROKE: f64 = 0.1;

impl Samples {
    /// For shapes that do not change: any length will do.
    pub(super) fn one(length: f64) -> Self {
        Self { chart: [0.0, 0.0], lengths: vec![length] }
    }

    /// The Chebyshev points of the stroke, which short ones exceed towards smaller lengths.
    pub(super) fn over([smallest, largest]: [f64; 2], count: usize) -> Self {
        let smallest = smallest.min((1.0 - LEAST_STROKE) * largest);
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
    /// Power and index of each number.
    keys: Vec<(i32, usize)>,
    places: HashMap<(i32, usize), usize>,
    /// Of each sample, as far as it has been added to.
    values: Vec<Vec<f64>>,
    /// The numbers that the first sample adds to, one after the other: the others do mostly the same.
    order: Vec<usize>,
    /// The present sample, and how far it is in that order.
    sample: usize,
    at: usize,
}

/// How many numbers become series together.
const TOGETHER: usize = 64;

/// How many numbers may be left out before they are looked up.
const LEFT_OUT: usize = 4;

impl Sampled {
    /// Adds `value · l^exponent` to a number, in one sample of so many.
    pub(super) fn add(
        &mut self,
        [sample, samples]: [usize; 2],
        index: usize,
        (exponent, value): (i32, f64),
    ) {
        if value != 0.0 {
            let place = self.place(sample, (exponent, index));
            self.values.resize_with(samples, Vec::new);
            let values = &mut self.values[sample];
            if values.len() <= place {
                values.resize(self.keys.len(), 0.0);
            }
            values[place] += value;
        }
    }

    /// Where a number of a sample is.
    fn place(&mut self, sample: usize, key: (i32, usize)) -> usize {
        if sample != self.sample {
            (self.sample, self.at) = (sample, 0);
        }
        let mut next = self.order.iter().enumerate().skip(self.at).take(LEFT_OUT);
        if let Some((at, &place)) = next.find(|(_, place)| self.keys[**place] == key) {
            self.at = at + 1;
            return place;
        }
        let place = *self.places.entry(key).or_insert_with(|| {
            self.keys.push(key);
            self.keys.len() - 1
        });
        if sample == 0 {
            self.order.push(place);
            self.at = self.order.len();
        }
        place
    }

    /// The same numbers under other indices.
    pub(super) fn moved(mut self, place: impl Fn(usize) -> usize) -> Self {
        for (_, index) in &mut self.keys {
            *index = place(*index);
        }
        self
    }

    /// The indices of the numbers that are not zero.
    pub(super) fn indices(&self) -> impl Iterator<Item = usize> + '_ {
        self.keys.iter().map(|(_, index)| *index)
    }

    /// The law, and the largest coefficient of the two last degrees as a part of the largest of all:
    /// what the series leave out. It has the terms of a law that it is like, if there is one, and
    /// what is more than rounding beside them.
    pub(super) fn law(self, samples: &Samples, like: Option<&Law<f64>>) -> (Law<f64>, f64) {
        let count = samples.count();
        let mut cosines = Columns::new(count, count);
        for (k, j) in (0..count).flat_map(|k| (0..count).map(move |j| (k, j))) {
            cosines.set(k, j, (k as f64 * angle(j, count)).cos());
        }
        let like = like.map(|law| (law, law.terms.iter().fold(0.0_f64, |a, b| a.max(b.1.abs()))));
        let mut powers: BTreeMap<i32, Vec<Vec<(usize, f64)>>> = BTreeMap::new();
        let (mut last, mut size) = (0.0_f64, f64::MIN_POSITIVE);
        let mut order: Vec<usize> = (0..self.keys.len()).collect();
        order.sort_unstable_by_key(|&place| self.keys[place]);
        for places in order.chunks(TOGETHER) {
            let mut values = Columns::new(places.len(), count);
            for (column, &place) in places.iter().enumerate() {
                for (row, sample) in self.values.iter().enumerate() {
                    values.set(column, row, sample.get(place).copied().unwrap_or(0.0));
                }
            }
            let mut all = vec![0.0; places.len() * count];
            let wanted = |column: usize, k: usize| column < places.len() && k < count;
            values.products(&cosines, wanted, |column, k, sum| {
                let factor = if k == 0 { 1.0 } else { 2.0 };
                all[column * count + k] = sum * factor / count as f64;
            });
            for (&place, all) in places.iter().zip(all.chunks_exact(count)) {
                let (exponent, index) = self.keys[place];
                let degrees = powers.entry(exponent).or_insert_with(|| vec![Vec::new(); count]);
                let largest = all.iter().fold(0.0_f64, |a, b| a.max(b.abs()));
                if count > 2 {
                    last = last.max(all[count - 2].abs()).max(all[count - 1].abs());
                    size = size.max(largest);
                }
                let is_kept = |(k, c): &(usize, &f64)| match like {
                    None => c.abs() > 1e-15 * largest,
                    Some((law, all)) => law.has(exponent, *k, index) || c.abs() > 1e-13 * all,
                };
                for (k, &c) in all.iter().enumerate().filter(is_kept) {
                    degrees[k].push((index, c));
                }
            }
        }
        drop(self);
        let kept = powers.values().flatten().map(Vec::len).sum();
        let mut terms = Vec::with_capacity(kept);
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

impl Law<f64> {
    /// The power of the length that each term has.
    fn exponents(&self) -> impl Iterator<Item = i32> {
        self.powers.iter().flat_map(|power| {
            let count: usize = power.degrees.iter().map(ExactSizeIterator::len).sum();
            std::iter::repeat_n(power.exponent, count)
        })
    }

    /// What the number of an index is at most, by its largest term at a length.
    pub(super) fn size(&self, index: usize, length: f64) -> f64 {
        let own = self.exponents().zip(&self.terms).filter(|(_, term)| term.0 == index);
        own.fold(0.0, |size, (exponent, term)| size.max(term.1.abs() * length.powi(exponent)))
    }

    /// The same terms, each with the largest coefficient of its number's series, which it rounds like, or
    /// with what bounds its number at a length.
    pub(super) fn largest(&self, length: f64, bound: impl Fn(usize) -> f64) -> Self {
        let mut largest: HashMap<(i32, usize), f64> = HashMap::new();
        for (exponent, (index, c)) in self.exponents().zip(&self.terms) {
            let usual = || bound(*index) / length.powi(exponent);
            let own = largest.entry((exponent, *index)).or_insert_with(usual);
            *own = own.max(c.abs());
        }
        let terms = self.exponents().zip(&self.terms);
        let terms = terms.map(|(e, (index, _))| (*index, largest[&(e, *index)])).collect();
        Self { chart: self.chart, powers: self.powers.clone(), terms }
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

    /// Whether it has the term of a power, a degree and an index.
    fn has(&self, exponent: i32, degree: usize, index: usize) -> bool {
        let power = self.powers.iter().find(|power| power.exponent == exponent);
        let terms = power.and_then(|power| power.degrees.get(degree)).cloned();
        terms.is_some_and(|own| self.terms[own].iter().any(|term| term.0 == index))
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

#[cfg(test)]
mod tests {
    use super::{Law, Sampled, Samples};
    use crate::scalar::Dual;

    type Slope = Dual<Dual<f64, 1>, 1>;

    /// The law of `l⁻³` over a stroke, and its two slopes at the largest length.
    fn slopes([smallest, largest]: [f64; 2]) -> [f64; 3] {
        let samples = Samples::over([smallest, largest], 12);
        let mut sampled = Sampled::default();
        for (sample, length) in samples.lengths.iter().enumerate() {
            sampled.add([sample, samples.count()], 0, (0, length.powi(-3)));
        }
        let (law, _) = sampled.law(&samples, None);
        let constant =
            |re: f64| Dual { re: Dual { re, du: [0.0] }, du: [Dual { re: 0.0, du: [0.0] }] };
        let law: Law<Slope> = law.cast_with(constant);
        let mut length = constant(largest);
        (length.re.du[0], length.du[0].re) = (1.0, 1.0);
        let mut found = [constant(0.0)];
        law.fill(length, &mut found);
        let [Dual { re, du: [slope] }] = found;
        [re.re, slope.re, slope.du[0]]
    }

    #[test]
    fn slopes_are_those_of_the_number_however_short_the_stroke() {
        // d/dl l⁻³ = −3 l⁻⁴, d²/dl² l⁻³ = 12 l⁻⁵; degrees up to 12 magnify rounding by their squares
        for smallest in [0.3, 0.95, 1.0 - 1e-6, 1.0 - 1e-12] {
            let [value, first, second] = slopes([smallest, 1.0]);
            assert!((value - 1.0).abs() < 1e-14, "{smallest}: {value}");
            assert!((first + 3.0).abs() < 3e-12, "{smallest}: {first}");
            assert!((second - 12.0).abs() < 12e-9, "{smallest}: {second}");
        }
    }
}
