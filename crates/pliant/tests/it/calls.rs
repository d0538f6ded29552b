//! The `_into` calls with the buffers they need, for any scalar.

use pliant::arm::Arm;
use pliant::dynamics::{aba, composite, coriolis, crba, rnea};
use pliant::scalar::{Dual, Scalar};

/// A value and its rate.
pub(crate) type Rate = Dual<f64, 1>;

pub(crate) fn rnea<S: Scalar>(arm: &Arm<S>, q: &[S], u: &[S], ud: &[S]) -> Vec<S> {
    let mut tau = vec![S::ZERO; arm.nv()];
    rnea::rnea_into(arm, &mut rnea::Workspace::new(arm), q, u, ud, &mut tau);
    tau
}

/// Both triangles.
pub(crate) fn crba<S: Scalar>(arm: &Arm<S>, q: &[S]) -> Vec<S> {
    let n = arm.nv();
    // what was there before must not matter
    let mut m = vec![S::from_f64(7.0); n * n];
    crba::crba_into(arm, &mut crba::Workspace::new(arm), q, &mut m);
    crba::mirror(&mut m, n);
    m
}

/// Complete forces and accelerations.
pub(crate) fn aba<S: Scalar>(
    arm: &Arm<S>,
    q: &[S],
    u: &[S],
    tau: &[S],
    ud: &[S],
) -> (Vec<S>, Vec<S>) {
    let (mut tau, mut ud) = (tau.to_vec(), ud.to_vec());
    aba::aba_into(arm, &mut aba::Workspace::new(arm), q, u, &mut tau, &mut ud);
    (tau, ud)
}

/// Complete forces and accelerations.
pub(crate) fn composite<S: Scalar>(
    arm: &Arm<S>,
    q: &[S],
    u: &[S],
    tau: &[S],
    ud: &[S],
) -> (Vec<S>, Vec<S>) {
    let (mut tau, mut ud) = (tau.to_vec(), ud.to_vec());
    let mut work = composite::Workspace::new(arm);
    composite::composite_into(arm, &mut work, q, u, &mut tau, &mut ud);
    (tau, ud)
}

pub(crate) fn coriolis_matrix<S: Scalar>(arm: &Arm<S>, q: &[S], u: &[S]) -> Vec<S> {
    let n = arm.nv();
    let mut c = vec![S::from_f64(7.0); n * n];
    coriolis::coriolis_matrix_into(arm, &mut coriolis::Workspace::new(arm), q, u, &mut c);
    c
}

/// `M x` of a row-major matrix.
pub(crate) fn times(m: &[f64], x: &[f64]) -> Vec<f64> {
    m.chunks(x.len().max(1)).map(|row| row.iter().zip(x).map(|(m, x)| m * x).sum()).collect()
}

/// `a·b`.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Numbers that change at the given rates.
pub(crate) fn changing(values: &[f64], rates: &[f64]) -> Vec<Rate> {
    let pairs = values.iter().zip(rates);
    pairs.map(|(&re, &rate)| Dual { re, du: [rate] }).collect()
}

/// Numbers that do not change.
pub(crate) fn constant(values: &[f64]) -> Vec<Rate> {
    values.iter().map(|&re| Dual::constant(re)).collect()
}

/// The configuration of an arm that moves with `u`.
pub(crate) fn moving(arm: &Arm, q: &[f64], u: &[f64]) -> Vec<Rate> {
    let mut rate = vec![0.0; arm.nq()];
    arm.rate_into(q, u, &mut rate);
    changing(q, &rate)
}

/// The rates alone.
pub(crate) fn rates(values: &[Rate]) -> Vec<f64> {
    values.iter().map(|x| x.du[0]).collect()
}
