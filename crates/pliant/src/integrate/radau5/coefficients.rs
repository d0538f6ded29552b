//! The numbers of Radau IIA with three stages.
#![allow(clippy::unreadable_literal, reason = "digits of a table")]

/// `√6`.
const ROOT_6: f64 = 2.449489742783178;

/// Where in the step the stages look, in steps: Wanner, table IV.5.6.
pub(super) const NODES: [f64; 3] = [(4.0 - ROOT_6) / 10.0, (4.0 + ROOT_6) / 10.0, 1.0];

/// The real eigenvalue of `A⁻¹`: Wanner, section IV.8.
pub(super) const REAL: f64 = 3.637834252744496;

/// The complex eigenvalue of `A⁻¹`, real part and imaginary part.
pub(super) const COMPLEX: [f64; 2] = [2.6810828736277523, 3.0504301992474105];

/// `T`, whose columns bring `A⁻¹` to the real eigenvalue and the block of the complex pair.
pub(super) const FORWARD: [[f64; 3]; 3] = [
    [0.09123239487089295, -0.1412552950209542, -0.030029194105147424],
    [0.241717932707107, 0.20412935229379994, 0.3829421127572619],
    [0.966048182615093, 1.0, 0.0],
];

/// `T⁻¹`.
pub(super) const BACKWARD: [[f64; 3]; 3] = [
    [4.325579890063155, 0.33919925181580984, 0.5417705399358749],
    [-4.178718591551905, -0.3276828207610624, 0.47662355450055044],
    [-0.5028726349457868, 2.571926949855605, -0.5960392048282249],
];

/// What the stages add to the error estimate, in rates: Wanner, section IV.8.
pub(super) const ERROR: [f64; 3] =
    [-(13.0 + 7.0 * ROOT_6) / 3.0, (-13.0 + 7.0 * ROOT_6) / 3.0, -1.0 / 3.0];

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::Matrix3;

    fn matrix(rows: [[f64; 3]; 3]) -> Matrix3<f64> {
        Matrix3::from_fn(|i, j| rows[i][j])
    }

    /// Radau IIA collocates: `Σⱼ aᵢⱼ cⱼᵏ⁻¹ = cᵢᵏ/k` for `k` up to 3.
    #[test]
    fn the_transformation_is_that_of_the_collocation() {
        let powers = Matrix3::from_fn(|j, k| NODES[j].powf(k as f64));
        let integrals = Matrix3::from_fn(|i, k| NODES[i].powf((k + 1) as f64) / (k + 1) as f64);
        let a = integrals * powers.try_inverse().expect("distinct nodes");
        let [alpha, beta] = COMPLEX;
        let block = Matrix3::new(REAL, 0.0, 0.0, 0.0, alpha, -beta, 0.0, beta, alpha);
        let (forward, backward) = (matrix(FORWARD), matrix(BACKWARD));
        assert!((forward * backward - Matrix3::identity()).amax() < 1e-14);
        assert!((forward * block * backward * a - Matrix3::identity()).amax() < 1e-13);
        // the weights, the last row, integrate up to order 5
        for order in 1..=5 {
            let sum: f64 = (0..3).map(|j| a[(2, j)] * NODES[j].powi(order - 1)).sum();
            assert!((sum - 1.0 / f64::from(order)).abs() < 1e-14, "order {order}");
        }
        // the estimate `f₀/γ₀ + Σ eᵢ zᵢ/γ₀` vanishes for motions up to the third power
        for power in 1..=4 {
            let stages: f64 = (0..3).map(|i| ERROR[i] * NODES[i].powi(power)).sum();
            let start = if power == 1 { 1.0 } else { 0.0 };
            assert_eq!((stages + start).abs() < 1e-13, power <= 3, "t^{power}");
        }
    }
}
