//! Random numbers from a seed.

use crate::integrate::{StateVisitor, Stateful};
use crate::scalar::Scalar;
use std::f64::consts::TAU;

/// Reproducible Gaussian noise: splitmix64 and the transform of Box and Muller.
#[derive(Clone, Debug)]
pub struct Noise {
    state: u64,
    /// The second number of a pair.
    spare: Option<f64>,
}

impl Stateful for Noise {
    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        state.count(&mut self.state);
        state.option(&mut self.spare, || 0.0, StateVisitor::number);
    }
}

impl Noise {
    /// The sequence of a seed; `stream` selects one of several independent ones.
    pub fn new(seed: u64, stream: u64) -> Self {
        let mut noise = Self { state: seed, spare: None };
        noise.state = noise.next() ^ stream.wrapping_mul(0xd134_2543_de82_ef95);
        noise.next();
        noise
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Above zero, at most one.
    fn unit(&mut self) -> f64 {
        ((self.next() >> 11) + 1) as f64 / (1_u64 << 53) as f64
    }

    /// The next number, of mean zero and standard deviation one.
    pub fn gaussian(&mut self) -> f64 {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        let radius = (-2.0 * self.unit().ln()).sqrt();
        let (sin, cos) = Scalar::sin_cos(TAU * self.unit());
        self.spare = Some(radius * sin);
        radius * cos
    }
}
