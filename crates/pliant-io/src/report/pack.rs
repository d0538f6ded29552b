//! Rows of numbers as bytes that a page decodes.

use serde::{Serialize, Serializer};

/// The word that stands for what is no number.
const GAP: u16 = u16::MAX;

/// All bytes of a page.
#[derive(Clone, Debug, Default)]
pub(super) struct Pack {
    pub(super) bytes: Vec<u8>,
}

/// A row of numbers: `offset + scale · word`, or `offset` throughout where there are no words.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Packed {
    pub(super) offset: f64,
    pub(super) scale: f64,
    /// Where its words begin, in bytes.
    pub(super) at: Option<usize>,
}

impl Serialize for Packed {
    /// As three numbers without names: a page has thousands of them.
    fn serialize<S: Serializer>(&self, out: S) -> Result<S::Ok, S::Error> {
        (self.offset, self.scale, self.at).serialize(out)
    }
}

impl Pack {
    /// Sixteen bits per number, from the least to the greatest of them. Where they lie on both
    /// sides of zero, zero itself comes back as zero.
    pub(super) fn rough(&mut self, values: &[f64]) -> Packed {
        let finite = || values.iter().copied().filter(|value| value.is_finite());
        let least = finite().fold(f64::INFINITY, f64::min);
        let most = finite().fold(f64::NEG_INFINITY, f64::max);
        let all_finite = values.iter().all(|value| value.is_finite());
        if least >= most && all_finite {
            return Packed { offset: least, scale: 0.0, at: None };
        }
        let least = if least.is_finite() { least } else { 0.0 };
        // halves, since the difference of the largest numbers is none; two words are spared for
        // moving the steps onto zero
        let step = (most / 2.0 - least / 2.0) / f64::from(GAP - 3) * 2.0;
        let step = if step.is_finite() && step > 0.0 { step } else { 1.0 };
        let onto_zero = (least / step).floor() * step;
        let spans_zero = least < 0.0 && most >= 0.0 && onto_zero.is_finite();
        let least = if spans_zero { onto_zero } else { least };
        let at = self.bytes.len();
        for &value in values {
            let word = if value.is_finite() {
                let word = (value / step - least / step).round().clamp(0.0, f64::from(GAP - 1));
                #[allow(clippy::cast_sign_loss, reason = "clamped to what the word holds")]
                let word = word as u16;
                word
            } else {
                GAP
            };
            self.bytes.extend(word.to_le_bytes());
        }
        Packed { offset: least, scale: step, at: Some(at) }
    }

    /// All digits; gives where they begin, in bytes.
    pub(super) fn exact(&mut self, values: &[f64]) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(8), 0);
        let at = self.bytes.len();
        for value in values {
            self.bytes.extend(value.to_le_bytes());
        }
        at
    }
}

#[cfg(test)]
mod tests {
    use super::{GAP, Pack, Packed};

    fn words(pack: &Pack, packed: &Packed, count: usize) -> Vec<f64> {
        let Some(at) = packed.at else { return vec![packed.offset; count] };
        let word =
            |k: usize| u16::from_le_bytes([pack.bytes[at + 2 * k], pack.bytes[at + 2 * k + 1]]);
        (0..count)
            .map(|k| match word(k) {
                GAP => f64::NAN,
                word => packed.offset + packed.scale * f64::from(word),
            })
            .collect()
    }

    #[test]
    fn numbers_come_back_to_half_a_step() {
        let mut pack = Pack::default();
        pack.exact(&[1.5]);
        let values: Vec<f64> = (0..1000).map(|k| 3.0 - f64::from(k).sin() * 1e-3).collect();
        let packed = pack.rough(&values);
        for (found, value) in words(&pack, &packed, 1000).iter().zip(&values) {
            // the range is 2e-3 and has 65532 steps
            assert!((found - value).abs() <= 0.51 * 2e-3 / 65532.0, "{found} for {value}");
        }
    }

    #[test]
    fn zero_stays_zero() {
        let mut pack = Pack::default();
        for (least, most) in [(-1.0, 2.0), (-0.3, 1e-9), (-1e-9, 7.7), (-5.1, 0.0), (0.0, 0.7)] {
            let values = [least, 0.0, most, 0.5 * least + 0.5 * most];
            let packed = pack.rough(&values);
            let found = words(&pack, &packed, 4);
            assert_eq!(found[1], 0.0, "{least} to {most}");
            for (found, value) in found.iter().zip(values) {
                let step: f64 = (most - least) / 65532.0;
                assert!((found - value).abs() <= 0.51 * step, "{found} for {value}");
            }
        }
    }

    #[test]
    fn gaps_constants_and_the_largest_numbers() {
        let mut pack = Pack::default();
        assert_eq!(pack.rough(&[2.5; 4]), Packed { offset: 2.5, scale: 0.0, at: None });
        assert_eq!(pack.bytes.len(), 0);
        let packed = pack.rough(&[1.0, f64::NAN, 3.0]);
        let found = words(&pack, &packed, 3);
        assert!(found[0] == 1.0 && found[1].is_nan() && (found[2] - 3.0).abs() < 1e-12);
        let packed = pack.rough(&[f64::NAN, f64::INFINITY]);
        assert!(words(&pack, &packed, 2).iter().all(|x| x.is_nan()));
        let packed = pack.rough(&[-f64::MAX, f64::MAX]);
        let found = words(&pack, &packed, 2);
        assert!(found[0] == -f64::MAX && found[1] > 1e308, "{found:?}");
    }
}
