//! Natural frequencies without gravity and velocities.

use crate::arm::Arm;
use crate::dynamics::EvaluationError;

/// The natural frequencies (rad/s) of small vibrations about a configuration, ascending: the roots
/// `ω` of `det(K - ω² M) = 0`, with `K` the stiffness of beams and springs and `M` the mass matrix
/// of the coordinates that are not prescribed. Joints without springs move freely and add zeros;
/// gravity, damping and velocities are neglected.
pub fn natural_frequencies(arm: &Arm, q: &[f64]) -> Result<Vec<f64>, EvaluationError> {
    let free = arm.free_velocities();
    let (spectrum, _) = arm.elastic_spectrum(q, &free)?;
    Ok((0..free.len()).map(|k| spectrum.frequency(k)).collect())
}
