//! Random numbers by counting.

/// Uniform numbers between 0 and 1 that are functions of what they are drawn for.
///
/// The generator Philox4x32-10 of Salmon (2011): ten rounds that mix a counter with a key.
#[derive(Clone, Copy, Debug)]
pub(super) struct Philox {
    key: [u32; 2],
}

impl Philox {
    pub(super) fn new(seed: u64) -> Self {
        Self { key: [seed as u32, (seed >> 32) as u32] }
    }

    /// 64 random bits of a run and a stream.
    pub(super) fn bits(self, index: u64, stream: u64) -> u64 {
        let halves = |n: u64| [n as u32, (n >> 32) as u32];
        let ([a, b], [c, d]) = (halves(index), halves(stream));
        let mixed = mix([a, b, c, d], self.key);
        u64::from(mixed[0]) | u64::from(mixed[1]) << 32
    }

    /// A number between 0 and 1, neither of them.
    pub(super) fn unit(self, index: u64, stream: u64) -> f64 {
        centred(self.bits(index, stream) >> (64 - UNIT_BITS))
    }

    /// A whole number below `n`.
    pub(super) fn below(self, n: usize, index: u64, stream: u64) -> usize {
        // ⌊bits n / 2⁶⁴⌋
        ((u128::from(self.bits(index, stream)) * n as u128) >> 64) as usize
    }
}

/// Bits of a uniform number; one less than a number has, so that the middles of all intervals can be
/// written.
pub(super) const UNIT_BITS: u32 = 52;

/// `(k + 1/2) / 2⁵²`.
pub(super) fn centred(k: u64) -> f64 {
    (k as f64 + 0.5) / (1_u64 << UNIT_BITS) as f64
}

/// Salmon, section 3.3.
fn mix(mut counter: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    for _ in 0..10 {
        let [a, b, c, d] = counter;
        let (p, q) = (u64::from(a) * 0xd251_1f53, u64::from(c) * 0xcd9e_8d57);
        counter =
            [(q >> 32) as u32 ^ b ^ key[0], q as u32, (p >> 32) as u32 ^ d ^ key[1], p as u32];
        key = [key[0].wrapping_add(0x9e37_79b9), key[1].wrapping_add(0xbb67_ae85)];
    }
    counter
}

#[cfg(test)]
mod tests {
    use super::{Philox, centred, mix};

    /// The numbers that come with the generator.
    #[test]
    fn published_numbers() {
        assert_eq!(mix([0; 4], [0; 2]), [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]);
        assert_eq!(
            mix([u32::MAX; 4], [u32::MAX; 2]),
            [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]
        );
        assert_eq!(
            mix([0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344], [0xa409_3822, 0x299f_31d0]),
            [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1]
        );
    }

    #[test]
    fn units_are_inside() {
        assert!(centred(0) > 0.0 && centred((1 << 52) - 1) < 1.0);
        let draws = Philox::new(3);
        assert!((0..1000).all(|k| draws.below(3, k, 0) < 3));
        let mean = (0..10_000).map(|k| draws.unit(k, 5)).sum::<f64>() / 1e4;
        // 1/2, to four standard deviations of 1/√(12 n)
        assert!((mean - 0.5).abs() < 4.0 / f64::sqrt(12e4), "{mean}");
    }
}
