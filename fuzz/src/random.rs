//! Numbers from a seed.

/// Numbers that look random and are the same on every machine (Steele's `SplitMix`).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// Numbers from a seed.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// A whole number below `end`; zero where there is none.
    pub fn below(&mut self, end: usize) -> usize {
        (self.bits() >> 11) as usize % end.max(1)
    }

    /// True in so many of a hundred cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of some things, if there are any.
    pub fn pick<'a, T>(&mut self, things: &'a [T]) -> Option<&'a T> {
        things.get(self.below(things.len()))
    }

    /// A number between two others.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        let part = (self.bits() >> 11) as f64 / (1_u64 << 53) as f64;
        low + part * (high - low)
    }
}

/// A number that stands for a text (the hash of Fowler, Noll and Vo).
pub fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
