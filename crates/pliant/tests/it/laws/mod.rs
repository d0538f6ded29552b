//! What must not change a result, or must change it in a known way.

mod arithmetic;
mod armature;
mod axes;
mod base_frame;
mod fixed_joints;
mod order;
mod workspaces;

use crate::calls;
use crate::close::{largest, terms};
use crate::models::Model;
use pliant::arm::Arm;

/// Asserts that another arm has the mass matrix, the forces and the accelerations of a model's, up
/// to a rearrangement and signs of coordinates: coordinate `v` of the model is `sign` times
/// coordinate `w` of the other for `(w, sign) = map[v]`.
fn same_motion(model: &Model, other: &Arm, q: &[f64], map: &[(usize, f64)], law: &str) {
    let Model { arm, u, ud, tau, .. } = model;
    let n = arm.nv();
    assert_eq!(other.nv(), n, "{model}: {law}: coordinates");
    let there = |values: &[f64]| {
        let mut moved = vec![0.0; n];
        for (v, &(w, sign)) in map.iter().enumerate() {
            moved[w] = sign * values[v];
        }
        moved
    };
    let back = |values: &[f64]| -> Vec<f64> {
        let signed = |&(w, sign): &(usize, f64)| sign * values[w];
        map.iter().map(signed).collect()
    };
    let (other_u, other_ud, other_tau) = (there(u), there(ud), there(tau));

    let (mass, other_mass) = (calls::crba(arm, &model.q), calls::crba(other, q));
    let mut rearranged = vec![0.0; n * n];
    for (i, &(row, a)) in map.iter().enumerate() {
        for (j, &(column, b)) in map.iter().enumerate() {
            rearranged[i * n + j] = a * b * other_mass[row * n + column];
        }
    }
    assert_close!(model, rearranged, mass, rel = 1e-13, "{law}: M, to rounding");

    let bias = calls::rnea(arm, &model.q, u, &vec![0.0; n]);
    let other_bias = calls::rnea(other, q, &other_u, &vec![0.0; n]);
    let speed = largest(u);
    let size = largest(&bias).max(largest(&mass) * speed * speed);
    assert_close!(
        model,
        back(&other_bias),
        bias,
        rel = 1e-13,
        of = size,
        "{law}: bias, to rounding of terms of the size |M||u|²"
    );

    let (forces, own) = calls::aba(arm, &model.q, u, tau, ud);
    let (other_forces, answer) = calls::aba(other, q, &other_u, &other_tau, &other_ud);
    let difference: Vec<f64> = back(&answer).iter().zip(&own).map(|(a, b)| a - b).collect();
    assert_close!(
        model,
        calls::times(&mass, &difference),
        vec![0.0; n],
        rel = 1e-12,
        of = terms(&mass, &own, &bias),
        "{law}: u̇, by the force of its difference, to rounding of |M||u̇| + |bias|"
    );
    assert_close!(
        model,
        back(&other_forces),
        forces,
        rel = 1e-12,
        of = terms(&mass, &own, &bias),
        "{law}: reactions of prescribed joints, to rounding of |M||u̇| + |bias|"
    );
}

/// Every coordinate where it was.
fn unmoved(arm: &Arm) -> Vec<(usize, f64)> {
    (0..arm.nv()).map(|v| (v, 1.0)).collect()
}
