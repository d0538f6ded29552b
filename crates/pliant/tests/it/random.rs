//! Random numbers that are the same on every machine.

use pliant::spatial::{Pose, Quaternion, Vec3};

/// Steele, Lea and Flood's splitmix64.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// From the half-open range.
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.next() >> 11) as f64 / (1u64 << 53) as f64)
    }

    /// A whole number below `n`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    /// True once in `n` times.
    pub(crate) fn once_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    /// So many numbers of at most this size.
    pub(crate) fn numbers(&mut self, n: usize, size: f64) -> Vec<f64> {
        (0..n).map(|_| self.between(-size, size)).collect()
    }

    /// So many numbers between zero and this size.
    pub(crate) fn positive(&mut self, n: usize, size: f64) -> Vec<f64> {
        (0..n).map(|_| self.between(0.0, size)).collect()
    }

    /// Three components of at most this size.
    pub(crate) fn vector(&mut self, size: f64) -> [f64; 3] {
        [(); 3].map(|()| self.between(-size, size))
    }

    /// A unit quaternion, any attitude alike.
    pub(crate) fn quaternion(&mut self) -> [f64; 4] {
        loop {
            let q = [(); 4].map(|()| self.between(-1.0, 1.0));
            let square: f64 = q.iter().map(|c| c * c).sum();
            if (0.01..1.0).contains(&square) {
                return q.map(|c| c / square.sqrt());
            }
        }
    }

    /// Any attitude, a place within a box of this half width.
    pub(crate) fn pose(&mut self, size: f64) -> Pose<f64> {
        let rotation = Quaternion::from_slice(&self.quaternion()).to_matrix();
        Pose::new(rotation, Vec3::from(self.vector(size)))
    }

    /// An axis of any direction and length, now and then along a coordinate.
    pub(crate) fn axis(&mut self) -> [f64; 3] {
        if self.once_in(4) {
            let mut axis = [0.0; 3];
            axis[self.below(3)] = if self.once_in(2) { 1.0 } else { -2.0 };
            return axis;
        }
        loop {
            let axis = self.vector(1.5);
            if axis.iter().map(|c| c * c).sum::<f64>() > 0.1 {
                return axis;
            }
        }
    }
}
