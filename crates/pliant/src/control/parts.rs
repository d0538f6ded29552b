//! A mass matrix and a bias, parted.

use crate::linear::{reshape, reshape_vector};
use nalgebra::{DMatrix, DVector};

/// The mass matrix and the bias of a model, parted into its joints (1) and the rest (2).
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    pub(super) h11: DMatrix<f64>,
    pub(super) h12: DMatrix<f64>,
    pub(super) h21: DMatrix<f64>,
    pub(super) h22: DMatrix<f64>,
    pub(super) bias1: DVector<f64>,
    pub(super) bias2: DVector<f64>,
}

impl Parts {
    /// Takes its parts of a matrix, by rows, and of a vector.
    pub(super) fn gather(
        &mut self,
        mass: &[f64],
        bias: &[f64],
        joints: &[usize],
        others: &[usize],
    ) {
        let n = bias.len();
        gather(&mut self.h11, mass, n, joints, joints);
        gather(&mut self.h12, mass, n, joints, others);
        gather(&mut self.h22, mass, n, others, others);
        reshape(&mut self.h21, others.len(), joints.len());
        self.h12.transpose_to(&mut self.h21);
        gather_vector(&mut self.bias1, bias, joints);
        gather_vector(&mut self.bias2, bias, others);
    }
}

/// Some rows and columns of a matrix of `n` columns, by rows.
pub(super) fn gather(
    to: &mut DMatrix<f64>,
    from: &[f64],
    n: usize,
    rows: &[usize],
    columns: &[usize],
) {
    reshape(to, rows.len(), columns.len());
    for (j, &column) in columns.iter().enumerate() {
        for (i, &row) in rows.iter().enumerate() {
            to[(i, j)] = from[row * n + column];
        }
    }
}

/// Some entries of a vector.
pub(super) fn gather_vector(to: &mut DVector<f64>, from: &[f64], rows: &[usize]) {
    reshape_vector(to, rows.len());
    for (to, &row) in to.iter_mut().zip(rows) {
        *to = from[row];
    }
}
