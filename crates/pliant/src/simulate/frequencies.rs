//! How fast the springs of an arm can vibrate.

use crate::arm::Arm;
use crate::dynamics::EvaluationError;
use crate::spatial::Vec3;
use nalgebra::Cholesky;

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
    let (mut stiffness, mass) = (of_free(&stiffness), of_free(&arm.mass_matrix(q)?));
    // a built arm has no freedom without inertia
    let Some(root) = Cholesky::new(mass) else {
        return Ok(vec![f64::NAN; free.len()]);
    };
    // L⁻¹ K L⁻ᵀ
    let lower = root.l();
    lower.solve_lower_triangular_mut(&mut stiffness);
    stiffness.transpose_mut();
    lower.solve_lower_triangular_mut(&mut stiffness);
    let squares = (&stiffness + stiffness.transpose()) * 0.5;
    let mut frequencies: Vec<f64> =
        squares.symmetric_eigenvalues().iter().map(|square| square.max(0.0).sqrt()).collect();
    frequencies.sort_by(f64::total_cmp);
    Ok(frequencies)
}
