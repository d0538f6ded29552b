//! Motions whose course is known.

/// Kepler's problem with unit mass: `r̈ = -r/|r|³`, as `(x, y, ẋ, ẏ)`.
pub(super) fn kepler(_: f64, y: &[f64], rate: &mut [f64]) {
    let cube = (y[0] * y[0] + y[1] * y[1]).powf(1.5);
    rate.copy_from_slice(&[y[2], y[3], -y[0] / cube, -y[1] / cube]);
}

/// The orbit of eccentricity 0.3 and period 2π, from Kepler's equation `E - e sin E = t`.
pub(super) fn ellipse(t: f64) -> [f64; 4] {
    let e = 0.3;
    let mut anomaly: f64 = t;
    for _ in 0..50 {
        anomaly -= (anomaly - e * anomaly.sin() - t) / (1.0 - e * anomaly.cos());
    }
    let (sin, cos) = anomaly.sin_cos();
    let (minor, rate) = ((1.0_f64 - e * e).sqrt(), 1.0 / (1.0 - e * cos));
    [cos - e, minor * sin, -sin * rate, minor * cos * rate]
}

/// The restricted problem of three bodies, moon and earth being 1 apart: Hairer, section II.0.
pub(super) fn arenstorf(_: f64, y: &[f64], rate: &mut [f64]) {
    let (moon, earth) = (0.012_277_471, 1.0 - 0.012_277_471);
    let near_earth = ((y[0] + moon).powi(2) + y[1] * y[1]).powf(1.5);
    let near_moon = ((y[0] - earth).powi(2) + y[1] * y[1]).powf(1.5);
    let ax =
        y[0] + 2.0 * y[3] - earth * (y[0] + moon) / near_earth - moon * (y[0] - earth) / near_moon;
    let ay = y[1] - 2.0 * y[2] - earth * y[1] / near_earth - moon * y[1] / near_moon;
    rate.copy_from_slice(&[y[2], y[3], ax, ay]);
}

/// Where Arenstorf's orbit starts, and returns to after a period.
pub(super) const ARENSTORF: [f64; 4] = [0.994, 0.0, 0.0, -2.001_585_106_379_082_5];

/// Its period.
pub(super) const PERIOD: f64 = 17.065_216_560_157_964;

/// The largest difference of two states.
pub(super) fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}
