//! How fast the springs of an arm can vibrate.

use crate::analyse::eigen;
use crate::arm::Arm;
use crate::dynamics::EvaluationError;
use crate::spatial::Vec3;

/// The natural frequencies (rad/s) of small vibrations about a posture, ascending: the roots `ω` of
/// `det(K - ω² M) = 0`, with `K` the stiffness of beams and springs and `M` the mass matrix of the
/// coordinates that are not prescribed. Joints without springs turn freely and add zeros; gravity,
/// damping and speed are left out.
pub fn natural_frequencies(arm: &Arm, q: &[f64]) -> Result<Vec<f64>, EvaluationError> {
    let rest = vec![0.0; arm.nv()];
    let weightless = arm.clone().with_gravity(Vec3::ZERO);
    let stiffness = weightless.inverse_derivatives(q, &rest, &rest)?.by_q;
    let free = arm.free_velocities();
    let of_free = |matrix: &nalgebra::DMatrix<f64>| matrix.select_rows(&free).select_columns(&free);
    let stiffness = of_free(&stiffness);
    let symmetric = (&stiffness + stiffness.transpose()) * 0.5;
    let spectrum =
        eigen::solve(&symmetric, &of_free(&arm.mass_matrix(q)?)).map_err(|singular| {
            let coordinate = arm.velocity_names()[free[singular.row]].clone();
            EvaluationError::SingularMassMatrix { coordinate }
        })?;
    let frequency = |&square: &f64| if square <= spectrum.noise { 0.0 } else { square.sqrt() };
    Ok(spectrum.values.iter().map(frequency).collect())
}
