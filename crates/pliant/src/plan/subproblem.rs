//! Rotations about given axes that bring vectors where they should be, in closed form.
//!
//! With `p = p∥ + p⊥` along and across a unit axis `k`, `R(k, θ) p = p∥ + p⊥ cos θ + (k × p) sin θ`.
//! All angles are in rad. There are at most two; where any angle is right, there is no answer, and
//! where none is, an empty one.

use crate::scalar::Scalar;
use crate::spatial::{Mat3, Vec3, axis_rotation};

/// Below this part of the lengths given, a length is zero.
const ZERO: f64 = 1e-9;
/// By this much a cosine may exceed one by rounding.
const ROUNDING: f64 = 1e-12;

/// The rotation about a unit axis by an angle.
pub(super) fn rotation(axis: Vec3<f64>, angle: f64) -> Mat3<f64> {
    let (sin, cos) = Scalar::sin_cos(angle);
    axis_rotation(axis, sin, cos)
}

/// The angle about `k` that turns `p` into the direction of `q`, seen along `k`.
pub(super) fn turn(k: Vec3<f64>, p: Vec3<f64>, q: Vec3<f64>) -> Option<f64> {
    // tan θ = k · (p × q) / (p · q − (k · p)(k · q))
    let (sine, cosine) = (k.dot(p.cross(q)), p.dot(q) - k.dot(p) * k.dot(q));
    let sizes = p.norm() * q.norm();
    (sine.hypot(cosine) > ZERO * ZERO * sizes).then(|| sine.atan2(cosine))
}

/// The angles about `k` for which `h · R p = d`.
pub(super) fn along(k: Vec3<f64>, p: Vec3<f64>, h: Vec3<f64>, d: f64) -> Option<Vec<f64>> {
    // a cos θ + b sin θ = c
    let across = p - k * k.dot(p);
    let (a, b) = (h.dot(across), h.dot(k.cross(p)));
    let c = d - h.dot(k) * k.dot(p);
    let size = a.hypot(b);
    let least = ZERO * (h.norm() * p.norm()).max(d.abs());
    if size <= least {
        return (c.abs() > least).then(Vec::new);
    }
    let cosine = c / size;
    Some(both(b.atan2(a), cosine))
}

/// The angles about `k` for which `|R p − q| = d`.
pub(super) fn distant(k: Vec3<f64>, p: Vec3<f64>, q: Vec3<f64>, d: f64) -> Option<Vec<f64>> {
    // |p⊥|² + |q⊥|² − 2 |p⊥| |q⊥| cos(θ − θ₀) = d² − (k · (p − q))²
    let (p_across, q_across) = (p - k * k.dot(p), q - k * k.dot(q));
    let (first, second) = (p_across.norm(), q_across.norm());
    let size = first.max(second).max(d);
    let rise = k.dot(p - q);
    let rest = first * first + second * second - (d * d - rise * rise);
    if first.min(second) <= ZERO * size {
        return (rest.abs() > ZERO * size * size).then(Vec::new);
    }
    let cosine = rest / (2.0 * first * second);
    Some(both(turn(k, p_across, q_across)?, cosine))
}

/// The angles whose distance from a middle has a cosine.
fn both(middle: f64, cosine: f64) -> Vec<f64> {
    if cosine.abs() > 1.0 + ROUNDING {
        return Vec::new();
    }
    let aside = cosine.clamp(-1.0, 1.0).acos();
    if aside == 0.0 { vec![middle] } else { vec![middle - aside, middle + aside] }
}
