//! What the regulator of vibrations in King's composite controllers aims at.

use super::parts::Parts;
use crate::linear::eigen;
use nalgebra::DMatrix;

/// The coupling below which a vibration is not damped at the wished ratio, but less in proportion:
/// the joints would have to move too far for it.
const WEAK: f64 = 0.3;

/// How many times slower than the slowest vibration joints are led at most.
const SLOWER: f64 = 2.0;

/// How vibrations are damped.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum VibrationDamping {
    /// A damping ratio `ζ` of every vibration that the joints move well. The weights follow from the
    /// arm where it is. With `K φ = ω² H₂₂ φ` for locked joints, `φᵀ H₂₂ φ = 1`, and the coupling
    /// `c² = φᵀ H₂₁ H₁₁⁻¹ H₁₂ φ < 1`, which is the part of the vibration's inertia that the joints
    /// can move, the cost is `Σ (2ζω/c)² (φᵀ H₂₂ δ̇)² + ν_fᵀ H₁₁ ν_f`. The regulator of a single
    /// vibration then has the poles of `s² + 2ζω s + ω²`. The joints are led as asked for, but at
    /// most half as fast as the slowest of these vibrations.
    Ratio(f64),
    /// The weights of the regulator, King (4-18).
    Weights(CompositeWeights),
}

/// What the regulator minimises.
pub(super) struct Cost {
    /// Of `δ` and of `δ̇`.
    pub(super) bending: DMatrix<f64>,
    pub(super) rates: DMatrix<f64>,
    /// Of `ν`.
    pub(super) input: DMatrix<f64>,
    /// The frequency (rad/s) of the slowest vibration that the joints move well.
    slowest: f64,
}

impl Cost {
    /// The factor by which a joint of some `K_p` (1/s²) is led more slowly than that asks for.
    pub(super) fn slowed(&self, stiffness: f64) -> f64 {
        (self.slowest / SLOWER / stiffness.sqrt()).min(1.0)
    }
}

impl VibrationDamping {
    /// The ratio of files that say nothing.
    pub const RATIO: f64 = 0.5;

    /// The cost where the arm is; ratios are asked of vibrations up to the `fastest` (rad/s). None
    /// where what bends has no inertia.
    pub(super) fn cost(
        &self,
        parts: &Parts,
        stiffness: &DMatrix<f64>,
        fastest: f64,
    ) -> Option<Cost> {
        let (m, n) = parts.h12.shape();
        match *self {
            Self::Weights(CompositeWeights { bending, rate, input }) => Some(Cost {
                bending: DMatrix::identity(n, n) * bending,
                rates: DMatrix::identity(n, n) * rate,
                input: DMatrix::identity(m, m) * input,
                slowest: f64::INFINITY,
            }),
            Self::Ratio(ratio) => {
                let modes = eigen::solve(stiffness, &parts.h22).ok()?;
                let momenta = &parts.h22 * &modes.vectors;
                let pushed = &parts.h12 * &modes.vectors;
                let turned = parts.h11.clone().cholesky()?.solve(&pushed);
                let mut rates = DMatrix::zeros(n, n);
                let mut slowest = f64::INFINITY;
                for k in 0..n {
                    let coupling = pushed.column(k).dot(&turned.column(k)).max(0.0).sqrt();
                    let frequency = modes.frequency(k);
                    if coupling >= WEAK && frequency > 0.0 {
                        slowest = frequency.min(slowest);
                    }
                    let weight = 2.0 * ratio * frequency.min(fastest) / coupling.max(WEAK);
                    let momentum = momenta.column(k);
                    rates.ger(weight * weight, &momentum, &momentum, 1.0);
                }
                let (bending, input) = (DMatrix::zeros(n, n), parts.h11.clone());
                Some(Cost { bending, rates, input, slowest })
            }
        }
    }
}

impl Default for VibrationDamping {
    fn default() -> Self {
        Self::Ratio(Self::RATIO)
    }
}

impl From<CompositeWeights> for VibrationDamping {
    fn from(weights: CompositeWeights) -> Self {
        Self::Weights(weights)
    }
}

/// The weights of the vibration regulator.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CompositeWeights {
    /// Of the squares of bending (1/m², 1/rad²).
    pub bending: f64,
    /// Of the squares of its rates (s²/m², s²/rad²).
    pub rate: f64,
    /// Of the squares of accelerations (s⁴/rad², s⁴/m²).
    pub input: f64,
}

impl Default for CompositeWeights {
    /// Those that a file with another weight leaves out.
    fn default() -> Self {
        Self { bending: 1e4, rate: 0.0, input: 1.0 }
    }
}
