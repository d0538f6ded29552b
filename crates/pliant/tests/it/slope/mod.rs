//! Every derivative against dual numbers run through the whole algorithm, and against central
//! differences along `q ⊞ h e_v`.

mod forward;
mod inverse;
mod manifold;

/// The step of central differences: its square times a third derivative, and rounding divided by
/// it, are both some 1e-9.
const STEP: f64 = 1e-4;

/// Central differences of the fourth order: `(8 (f₁ − f₋₁) − (f₂ − f₋₂)) / 12h`.
pub(crate) fn difference(f: impl Fn(f64) -> Vec<f64>) -> Vec<f64> {
    let [a, b, c, d] = [1.0, -1.0, 2.0, -2.0].map(|k| f(k * STEP));
    (0..a.len()).map(|i| (8.0 * (a[i] - b[i]) - (c[i] - d[i])) / (12.0 * STEP)).collect()
}

/// A vector with one entry changed.
pub(crate) fn nudged(values: &[f64], at: usize, step: f64) -> Vec<f64> {
    let mut nudged = values.to_vec();
    nudged[at] += step;
    nudged
}

/// `q ⊞ h e_v`.
pub(crate) fn displaced(arm: &pliant::arm::Arm, q: &[f64], v: usize, step: f64) -> Vec<f64> {
    let mut q = q.to_vec();
    arm.displace(&mut q, &nudged(&vec![0.0; arm.nv()], v, step));
    q
}

/// Puts columns side by side, row-major.
pub(crate) fn side_by_side(columns: &[Vec<f64>]) -> Vec<f64> {
    let rows = columns.first().map_or(0, Vec::len);
    (0..rows).flat_map(|row| columns.iter().map(move |column| column[row])).collect()
}
