//! Rows of numbers as bytes that a page decodes.

use serde::{Serialize, Serializer};

/// The word that stands for what is no number.
const GAP: u16 = u16::MAX;

/// Numbers of a block.
const BLOCK: usize = 128;

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

/// The steps of words: a number is `offset + scale · word`.
#[derive(Clone, Copy, Debug)]
struct Steps {
    offset: f64,
    scale: f64,
}

impl Steps {
    /// From the least to the greatest of the numbers. Where they lie on both sides of zero, zero
    /// itself comes back as zero.
    fn over(values: &[f64]) -> Self {
        let finite = || values.iter().copied().filter(|value| value.is_finite());
        let least = finite().fold(f64::INFINITY, f64::min);
        let most = finite().fold(f64::NEG_INFINITY, f64::max);
        if least >= most {
            return Self { offset: least, scale: 0.0 };
        }
        let least = if least.is_finite() { least } else { 0.0 };
        // halves, since the difference of the largest numbers is none; two words are spared for
        // moving the steps onto zero
        let step = (most / 2.0 - least / 2.0) / f64::from(GAP - 3) * 2.0;
        let step = if step.is_finite() && step > 0.0 { step } else { 1.0 };
        let onto_zero = (least / step).floor() * step;
        let spans_zero = least < 0.0 && most >= 0.0 && onto_zero.is_finite();
        Self { offset: if spans_zero { onto_zero } else { least }, scale: step }
    }

    /// The word of a number.
    fn word(&self, value: f64) -> u16 {
        let Self { offset, scale } = *self;
        if !value.is_finite() {
            return GAP;
        }
        if scale == 0.0 {
            return 0;
        }
        let word = (value / scale - offset / scale).round().clamp(0.0, f64::from(GAP - 1));
        #[allow(clippy::cast_sign_loss, reason = "clamped to what the word holds")]
        let word = word as u16;
        word
    }
}

impl Pack {
    /// Sixteen bits per number, with one offset and scale.
    pub(super) fn rough(&mut self, values: &[f64]) -> Packed {
        let steps = Steps::over(values);
        if steps.scale == 0.0 && values.iter().all(|value| value.is_finite()) {
            return Packed { offset: steps.offset, scale: 0.0, at: None };
        }
        let at = self.bytes.len();
        self.words(values, steps);
        Packed { offset: steps.offset, scale: steps.scale, at: Some(at) }
    }

    /// Sixteen bits per number, with an offset and a scale for each block, all of which stand
    /// before the words: the small swings after a large motion are as smooth as the motion. The
    /// scale that is given back is the largest.
    pub(super) fn fine(&mut self, values: &[f64]) -> Packed {
        let steps = Steps::over(values);
        if steps.scale == 0.0 && values.iter().all(|value| value.is_finite()) {
            return Packed { offset: steps.offset, scale: 0.0, at: None };
        }
        let blocks: Vec<Steps> = values.chunks(BLOCK).map(Steps::over).collect();
        let at = self.bytes.len();
        for Steps { offset, scale } in &blocks {
            self.bytes.extend(offset.to_le_bytes());
            self.bytes.extend(scale.to_le_bytes());
        }
        for (block, steps) in values.chunks(BLOCK).zip(&blocks) {
            self.words(block, *steps);
        }
        let scale = blocks.iter().fold(0.0, |most: f64, block| most.max(block.scale));
        Packed { offset: steps.offset, scale, at: Some(at) }
    }

    fn words(&mut self, values: &[f64], steps: Steps) {
        self.bytes.extend(values.iter().flat_map(|&value| steps.word(value).to_le_bytes()));
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
    use super::{BLOCK, GAP, Pack, Packed};

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
    fn small_swings_after_a_large_motion_stay_smooth() {
        let mut pack = Pack::default();
        let swing = |k: i32| 1e-6 * (0.1 * f64::from(k)).sin();
        let values: Vec<f64> =
            (0..1000).map(|k| if k < 256 { f64::from(k) } else { swing(k) }).collect();
        let packed = pack.fine(&values);
        let at = packed.at.unwrap();
        let number = |at: usize| f64::from_le_bytes(pack.bytes[at..at + 8].try_into().unwrap());
        let blocks = values.len().div_ceil(BLOCK);
        assert_eq!(pack.bytes.len(), at + 16 * blocks + 2 * values.len());
        for (k, value) in values.iter().enumerate() {
            let (block, word) = (at + 16 * (k / BLOCK), at + 16 * blocks + 2 * k);
            let word = u16::from_le_bytes([pack.bytes[word], pack.bytes[word + 1]]);
            let found = number(block) + number(block + 8) * f64::from(word);
            // a block has 65532 steps; without blocks a step would be 255/65532, larger than the swing
            let range = if k < 256 { 127.0 } else { 2e-6 };
            assert!((found - value).abs() <= 0.51 * range / 65532.0, "{found} for {value} at {k}");
        }
        assert_eq!(packed.scale, 127.0 / 65532.0);
        assert_eq!(pack.fine(&[2.5; 300]), Packed { offset: 2.5, scale: 0.0, at: None });
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
