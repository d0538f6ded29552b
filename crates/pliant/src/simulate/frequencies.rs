//! How fast the springs of an arm can vibrate.

use crate::arm::Arm;
use crate::dynamics::EvaluationError;

/// The natural frequencies (rad/s) of small vibrations about a posture, ascending: the roots `ω` of
/// `det(K - ω² M) = 0`, with `K` the stiffness of beams and springs and `M` the mass matrix of the
/// coordinates that are not prescribed. Joints without springs turn freely and add zeros; gravity,
/// damping and speed are left out.
pub fn natural_frequencies(arm: &Arm, q: &[f64]) -> Result<Vec<f64>, EvaluationError> {
    let free = arm.free_velocities();
    let (spectrum, _) = arm.elastic_spectrum(q, &free)?;
    Ok((0..free.len()).map(|k| spectrum.frequency(k)).collect())
}
