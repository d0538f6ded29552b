//! Polynomials of fifth degree between two instants.

use crate::scalar::Jet;
use nalgebra::DMatrix;

/// `c0 + c1 s + … + c5 s⁵`, with the time `s` since its start.
pub(super) type Quintic = [f64; 6];

/// The polynomial of duration `h` (s) with a place, rate and acceleration at each end.
pub(super) fn between(from: Jet, to: Jet, h: f64) -> Quintic {
    let way = to.value - from.value;
    let (v0, v1) = (from.rate * h, to.rate * h);
    let (a0, a1) = (from.acceleration * h * h, to.acceleration * h * h);
    let h3 = 2.0 * h * h * h;
    [
        from.value,
        from.rate,
        0.5 * from.acceleration,
        (20.0 * way - 8.0 * v1 - 12.0 * v0 - 3.0 * a0 + a1) / h3,
        (-30.0 * way + 14.0 * v1 + 16.0 * v0 + 3.0 * a0 - 2.0 * a1) / (h3 * h),
        (12.0 * way - 6.0 * (v0 + v1) - a0 + a1) / (h3 * h * h),
    ]
}

/// Its value and derivatives.
pub(super) fn at(c: &Quintic, s: f64) -> Jet {
    Jet {
        value: c[0] + s * (c[1] + s * (c[2] + s * (c[3] + s * (c[4] + s * c[5])))),
        rate: c[1] + s * (2.0 * c[2] + s * (3.0 * c[3] + s * (4.0 * c[4] + s * 5.0 * c[5]))),
        acceleration: 2.0 * c[2] + s * (6.0 * c[3] + s * (12.0 * c[4] + s * 20.0 * c[5])),
    }
}

/// Its third and fourth derivative.
fn jerk_and_snap(c: &Quintic, s: f64) -> [f64; 2] {
    [6.0 * c[3] + s * (24.0 * c[4] + s * 60.0 * c[5]), 24.0 * c[4] + s * 120.0 * c[5]]
}

/// Rates and accelerations at points, rest at the first and the last, such that the integral of
/// the squared jerk is least: between them jerk and snap do not jump. `points[i][k]` is component
/// `k` of a point.
pub(super) fn least_jerk(points: &[Vec<f64>], durations: &[f64]) -> Option<Vec<Vec<Jet>>> {
    let (inner, width) = (points.len() - 2, points[0].len());
    let still = |value| Jet { value, ..Jet::default() };
    let mut knots: Vec<Vec<Jet>> =
        points.iter().map(|point| point.iter().map(|&x| still(x)).collect()).collect();
    if inner == 0 {
        return Some(knots);
    }
    // what the jerk and the snap jump by at inner point i + 1, by the ends of both stretches
    let jump = |i: usize, ends: [Jet; 3]| {
        let before = jerk_and_snap(&between(ends[0], ends[1], durations[i]), durations[i]);
        let after = jerk_and_snap(&between(ends[1], ends[2], durations[i + 1]), 0.0);
        [before[0] - after[0], before[1] - after[1]]
    };
    let mut matrix = DMatrix::zeros(2 * inner, 2 * inner);
    let mut right = DMatrix::zeros(2 * inner, width);
    for i in 0..inner {
        for near in 0..3 {
            let Some(column) = (i + near).checked_sub(1).filter(|&column| column < inner) else {
                continue;
            };
            for part in 0..2 {
                let mut ends = [Jet::default(); 3];
                match part {
                    0 => ends[near].rate = 1.0,
                    _ => ends[near].acceleration = 1.0,
                }
                let jumps = jump(i, ends);
                matrix[(2 * i, 2 * column + part)] = jumps[0];
                matrix[(2 * i + 1, 2 * column + part)] = jumps[1];
            }
        }
        for k in 0..width {
            let jumps = jump(i, [knots[i][k], knots[i + 1][k], knots[i + 2][k]]);
            right[(2 * i, k)] = -jumps[0];
            right[(2 * i + 1, k)] = -jumps[1];
        }
    }
    let solved = matrix.lu().solve(&right)?;
    for i in 0..inner {
        for k in 0..width {
            knots[i + 1][k].rate = solved[(2 * i, k)];
            knots[i + 1][k].acceleration = solved[(2 * i + 1, k)];
        }
    }
    Some(knots)
}
