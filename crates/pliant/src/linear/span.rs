//! Orthonormal vectors that span others.

use nalgebra::DVector;

/// Adds to orthonormal vectors what others have besides, as long as it is longer than `small`.
pub(crate) fn span(basis: &mut Vec<DVector<f64>>, mut others: Vec<DVector<f64>>, small: f64) {
    for other in &mut others {
        // twice: once leaves rounding errors
        for known in basis.iter().chain(basis.iter()) {
            *other -= known * known.dot(other);
        }
    }
    while let Some(largest) = (0..others.len())
        .max_by(|&a, &b| others[a].norm().total_cmp(&others[b].norm()))
        .filter(|&k| others[k].norm() > small && basis.len() < others[k].len())
    {
        let next = others.swap_remove(largest).normalize();
        for other in &mut others {
            for _ in 0..2 {
                *other -= &next * next.dot(other);
            }
        }
        basis.push(next);
    }
}
