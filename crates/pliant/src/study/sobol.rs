//! Quasi-random numbers.

use super::StudyError;
use super::direction_numbers::{DIRECTION_NUMBERS, MOST_DIMENSIONS};
use super::philox::{Philox, UNIT_BITS, centred};

const BITS: usize = UNIT_BITS as usize;

/// A Sobol sequence of 52 bits, scrambled.
///
/// The direction numbers are those of Joe and Kuo (2008). Every bit of a number is added to random
/// ones of the bits before it, and all numbers of a dimension are shifted by a random one, which
/// keeps the sequence as even as it is (Matoušek 1998).
#[derive(Clone, Debug)]
pub(super) struct SobolSequence {
    /// For each dimension.
    scrambled: Vec<[u64; BITS]>,
    shifts: Vec<u64>,
}

impl SobolSequence {
    /// A sequence for so many factors with so many dimensions each.
    pub(super) fn new(factors: usize, each: usize, seed: u64) -> Result<Self, StudyError> {
        if factors > MOST_DIMENSIONS / each {
            return Err(StudyError::TooManyFactors {
                given: factors,
                most: MOST_DIMENSIONS / each,
            });
        }
        let dimensions = 0..factors * each;
        let draws = Philox::new(seed);
        let scrambled =
            dimensions.clone().map(|j| scramble(&directions(j), draws, j as u64)).collect();
        let shifts =
            dimensions.map(|j| draws.bits(BITS as u64, j as u64) >> (64 - UNIT_BITS)).collect();
        Ok(Self { scrambled, shifts })
    }

    /// The number of a point in a dimension, between 0 and 1, neither of them.
    pub(super) fn unit(&self, index: u64, dimension: usize) -> f64 {
        let mut sum = self.shifts[dimension];
        let mut rest = index;
        while rest != 0 {
            sum ^= self.scrambled[dimension][rest.trailing_zeros() as usize];
            rest &= rest - 1;
        }
        centred(sum)
    }
}

/// The direction numbers of a dimension as they are published, the first bit highest.
fn directions(dimension: usize) -> [u64; BITS] {
    let mut v: [u64; BITS] = std::array::from_fn(|k| 1 << (BITS - 1 - k));
    let Some((polynomial, first)) = dimension.checked_sub(1).map(|j| DIRECTION_NUMBERS[j]) else {
        return v;
    };
    let degree = first.len();
    for (k, &m) in first.iter().enumerate() {
        v[k] *= u64::from(m);
    }
    for k in degree..BITS {
        // vₖ = a₁ vₖ₋₁ ⊕ … ⊕ aₛ₋₁ vₖ₋ₛ₊₁ ⊕ vₖ₋ₛ ⊕ vₖ₋ₛ / 2ˢ
        v[k] = v[k - degree] ^ v[k - degree] >> degree;
        for i in 1..degree {
            if polynomial >> (degree - 1 - i) & 1 == 1 {
                v[k] ^= v[k - i];
            }
        }
    }
    v
}

/// Each direction number times a random lower triangular matrix of bits with a diagonal of ones.
fn scramble(directions: &[u64; BITS], draws: Philox, dimension: u64) -> [u64; BITS] {
    let rows: [u64; BITS] = std::array::from_fn(|i| {
        let bit = 1_u64 << (BITS - 1 - i);
        let higher = ((1_u64 << BITS) - 1) & !(2 * bit - 1);
        draws.bits(i as u64, dimension) & higher | bit
    });
    directions.map(|v| {
        let parities = rows.iter().map(|row| u64::from((row & v).count_ones() & 1));
        parities.fold(0, |sum, parity| sum << 1 | parity)
    })
}

#[cfg(test)]
mod tests {
    use super::{BITS, DIRECTION_NUMBERS, directions};

    /// The first points that `scipy.stats.qmc.Sobol(7, scramble=False)` has, in the order of indices
    /// instead of the Gray code.
    #[test]
    fn the_first_points_are_those_of_others() {
        let points = [
            [0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5],
            [0.25, 0.75, 0.75, 0.75, 0.25, 0.25, 0.75],
            [0.75, 0.25, 0.25, 0.25, 0.75, 0.75, 0.25],
            [0.125, 0.625, 0.375, 0.125, 0.125, 0.375, 0.625],
        ];
        for (k, wanted) in points.iter().enumerate() {
            for (dimension, wanted) in wanted.iter().enumerate() {
                let v = directions(dimension);
                let sum = (0..3).filter(|bit| (k + 1) >> bit & 1 == 1).fold(0, |sum, b| sum ^ v[b]);
                let point = sum as f64 / (1_u64 << BITS) as f64;
                assert_eq!(point, *wanted, "{k} {dimension}");
            }
        }
    }

    /// A polynomial of degree `s` is primitive if its shift register has the period `2ˢ − 1`; none
    /// is there twice, and first numbers are odd and below `2ᵏ`.
    #[test]
    fn the_table_is_one_of_primitive_polynomials() {
        let mut seen = Vec::new();
        for &(inner, first) in &DIRECTION_NUMBERS {
            let degree = first.len();
            let polynomial = 1 << degree | inner << 1 | 1;
            let mut state = 1_u32;
            let period = 1
                + (0..1 << degree)
                    .take_while(|_| {
                        state <<= 1;
                        state ^= polynomial * (state >> degree & 1);
                        state != 1
                    })
                    .count();
            assert_eq!(period, (1 << degree) - 1, "{inner} {first:?}");
            assert!(!seen.contains(&polynomial), "{inner} {first:?}");
            seen.push(polynomial);
            for (k, &m) in first.iter().enumerate() {
                assert!(m % 2 == 1 && m < 2 << k, "{inner} {first:?}");
            }
        }
    }
}
