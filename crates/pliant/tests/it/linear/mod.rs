//! Linear systems: Riccati equations, linearised arms, and what is made with them.

mod channels;
mod linearise;
mod estimators;
mod response;
mod riccati;
mod scipy;
mod shaping;

use crate::random::Random;
use pliant::beam::Section;
use pliant::nalgebra::DMatrix;

/// The section of bars that bend.
const BAR: Section = Section {
    ea: 1e6,
    ei_z: 50.0,
    ei_y: 50.0,
    gj: 1.0,
    kga_y: None,
    kga_z: None,
    rho_a: 0.8,
    rho_i_z: 0.0,
    rho_i_y: 0.0,
};

/// `ẋ = Ax + Bu` or `x⁺ = Ax + Bu` with weights.
struct System {
    a: DMatrix<f64>,
    b: DMatrix<f64>,
    q: DMatrix<f64>,
    r: DMatrix<f64>,
}

/// So many systems from a fixed seed, of orders 2 to 60 in equal steps. Entries of `A` are even
/// between ±3/√n, which puts about half of the eigenvalues on the right; `B` has one column for
/// every five states, between ±1. `Q = EᵀE` has a rank of at least half the order, `R = FFᵀ + 1/10`, both from
/// entries between ±1. States and inputs then get units that differ by up to a thousand.
fn systems(count: usize, seed: u64) -> Vec<System> {
    let mut random = Random::new(seed);
    let system = |k: usize| {
        let n = 2 + 58 * k / (count - 1);
        let mut matrix = |rows: usize, columns: usize, size: f64| {
            DMatrix::from_iterator(rows, columns, random.numbers(rows * columns, size))
        };
        let m = n.div_ceil(5);
        let (a, b) = (matrix(n, n, 3.0 / (n as f64).sqrt()), matrix(n, m, 1.0));
        let (e, f) = (matrix(n.div_ceil(2), n, 1.0), matrix(m, m, 1.0));
        let unit = |power: f64| 10.0_f64.powf(1.5 * power);
        let (states, inputs) = (matrix(n, 1, 1.0).map(unit), matrix(m, 1, 1.0).map(unit));
        let q = e.transpose() * e;
        let r = &f * f.transpose() + DMatrix::identity(m, m) * 0.1;
        System {
            a: DMatrix::from_fn(n, n, |i, j| a[(i, j)] * states[i] / states[j]),
            b: DMatrix::from_fn(n, m, |i, j| b[(i, j)] * states[i] / inputs[j]),
            q: DMatrix::from_fn(n, n, |i, j| q[(i, j)] / (states[i] * states[j])),
            r: DMatrix::from_fn(m, m, |i, j| r[(i, j)] / (inputs[i] * inputs[j])),
        }
    };
    (0..count).map(system).collect()
}
