//! Linear systems `ẋ = Ax + Bu`, `y = Cx + Du`.

use super::schur::{self, C};
use nalgebra::linalg::balancing::balance_parlett_reinsch;
use nalgebra::{DMatrix, DVector};

/// A direction counts as none below this part of the largest.
const RANK: f64 = 1e-10;

/// A number of a system, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// What it is.
    pub name: String,
    /// Its unit.
    pub unit: String,
}

impl Named {
    /// From both.
    pub fn new(name: impl Into<String>, unit: impl Into<String>) -> Self {
        Self { name: name.into(), unit: unit.into() }
    }
}

/// `ẋ = Ax + Bu`, `y = Cx + Du`, all in SI units.
#[derive(Clone, Debug, PartialEq)]
pub struct StateSpace {
    /// `A`.
    pub a: DMatrix<f64>,
    /// `B`.
    pub b: DMatrix<f64>,
    /// `C`.
    pub c: DMatrix<f64>,
    /// `D`.
    pub d: DMatrix<f64>,
    /// The states `x`.
    pub states: Vec<Named>,
    /// The inputs `u`.
    pub inputs: Vec<Named>,
    /// The outputs `y`.
    pub outputs: Vec<Named>,
}

impl StateSpace {
    /// The eigenvalues of `A` (1/s), ascending by size; empty where an entry is not finite.
    pub fn poles(&self) -> Vec<C> {
        schur::eigenvalues(&self.a).unwrap_or_default()
    }

    /// One input and one output of it, by index.
    ///
    /// # Panics
    /// When there is none of that index.
    #[must_use]
    pub fn channel(&self, input: usize, output: usize) -> Self {
        Self {
            a: self.a.clone(),
            b: self.b.columns(input, 1).into_owned(),
            c: self.c.rows(output, 1).into_owned(),
            d: self.d.view((output, input), (1, 1)).into_owned(),
            states: self.states.clone(),
            inputs: vec![self.inputs[input].clone()],
            outputs: vec![self.outputs[output].clone()],
        }
    }

    /// `G(iω) = C (iω − A)⁻¹ B + D` at a frequency (rad/s), outputs by inputs; infinite on an
    /// undamped pole.
    pub fn response(&self, frequency: f64) -> DMatrix<C> {
        let mut whole = self.a.map(|entry| C::from(-entry));
        for k in 0..whole.nrows() {
            whole[(k, k)] += C::new(0.0, frequency);
        }
        let b = self.b.map(C::from);
        match whole.lu().solve(&b) {
            Some(states) => self.c.map(C::from) * states + self.d.map(C::from),
            None => DMatrix::from_element(self.c.nrows(), b.ncols(), C::from(f64::INFINITY)),
        }
    }

    /// The frequencies (1/s) at which some input leaves all outputs at rest, those of modes that
    /// are not seen or not moved among them; ascending by size. `None` unless there are as many
    /// outputs as inputs, or where every frequency is one.
    ///
    /// States that the outputs pin down are taken away until the inputs act on what is left of the
    /// outputs at once (Emami-Naeini and Van Dooren 1982).
    pub fn zeros(&self) -> Option<Vec<C>> {
        let width = self.b.ncols();
        if self.c.nrows() != width {
            return None;
        }
        let (mut a, mut b, mut c, mut d) = self.balanced();
        let size = a.amax().max(f64::MIN_POSITIVE);
        while d.nrows() > 0 {
            // rows through which the inputs act at once, and the others
            let (turn, rank) = row_basis(&d, size);
            let (turned, through) = (turn.transpose() * &c, turn.transpose() * &d);
            let rest = turned.rows(rank, d.nrows() - rank).into_owned();
            if rest.nrows() == 0 {
                break;
            }
            // states that the others pin down, and what is free
            let (basis, pinned) = row_basis(&rest.transpose(), size);
            if pinned < rest.nrows() {
                return None;
            }
            let n = a.nrows();
            let (held, free) = (
                basis.columns(0, pinned).into_owned(),
                basis.columns(pinned, n - pinned).into_owned(),
            );
            let stack = |top: DMatrix<f64>, bottom: DMatrix<f64>| {
                let mut both = DMatrix::zeros(top.nrows() + bottom.nrows(), top.ncols());
                both.rows_mut(0, top.nrows()).copy_from(&top);
                both.rows_mut(top.nrows(), bottom.nrows()).copy_from(&bottom);
                both
            };
            c = stack(turned.rows(0, rank) * &free, held.transpose() * &a * &free);
            d = stack(through.rows(0, rank).into_owned(), held.transpose() * &b);
            (a, b) = (free.transpose() * &a * &free, free.transpose() * &b);
        }
        let back = d.lu().solve(&c)?;
        schur::eigenvalues(&(a - b * back))
    }

    /// In states of about one size, inputs and outputs as large as the states' rates.
    fn balanced(&self) -> (DMatrix<f64>, DMatrix<f64>, DMatrix<f64>, DMatrix<f64>) {
        let mut a = self.a.clone();
        let scale = balance_parlett_reinsch(&mut a);
        let size = a.amax().max(f64::MIN_POSITIVE);
        let (mut b, mut c, mut d) = (self.b.clone(), self.c.clone(), self.d.clone());
        for (k, &scale) in scale.iter().enumerate() {
            b.row_mut(k).scale_mut(scale.recip());
            c.column_mut(k).scale_mut(scale);
        }
        for k in 0..b.ncols() {
            let factor = size / b.column(k).amax().max(d.column(k).amax()).max(f64::MIN_POSITIVE);
            b.column_mut(k).scale_mut(factor);
            d.column_mut(k).scale_mut(factor);
        }
        for k in 0..c.nrows() {
            let factor = size / c.row(k).amax().max(d.row(k).amax()).max(f64::MIN_POSITIVE);
            c.row_mut(k).scale_mut(factor);
            d.row_mut(k).scale_mut(factor);
        }
        (a, b, c, d)
    }

    /// With inputs that are held for a step (s): `x⁺ = Ax + Bu`; `C` and `D` stay.
    #[must_use]
    pub fn held(&self, step: f64) -> Self {
        let (n, m) = self.b.shape();
        let mut whole = DMatrix::zeros(n + m, n + m);
        whole.view_mut((0, 0), (n, n)).copy_from(&(&self.a * step));
        whole.view_mut((0, n), (n, m)).copy_from(&(&self.b * step));
        let whole = whole.exp();
        Self {
            a: whole.view((0, 0), (n, n)).into_owned(),
            b: whole.view((0, n), (n, m)).into_owned(),
            ..self.clone()
        }
    }

    /// `ẋ` at a state for inputs.
    ///
    /// # Panics
    /// When the vectors do not have the lengths of the system.
    pub fn rate(&self, x: &DVector<f64>, u: &DVector<f64>) -> DVector<f64> {
        &self.a * x + &self.b * u
    }
}

/// Orthonormal columns, the first of which span those of a matrix, and how many do; `size` is what
/// is not small. The largest of what is left comes first, and nothing is iterated.
fn row_basis(matrix: &DMatrix<f64>, size: f64) -> (DMatrix<f64>, usize) {
    let n = matrix.nrows();
    let mut basis: Vec<DVector<f64>> = Vec::with_capacity(n);
    let columns = matrix.column_iter().map(nalgebra::Matrix::into_owned).collect();
    span(&mut basis, columns, RANK * size);
    let rank = basis.len();
    span(
        &mut basis,
        DMatrix::identity(n, n).column_iter().map(nalgebra::Matrix::into_owned).collect(),
        0.0,
    );
    (DMatrix::from_columns(&basis), rank)
}

/// Adds to orthonormal vectors what others have besides, as long as it is longer than `small`.
fn span(basis: &mut Vec<DVector<f64>>, mut others: Vec<DVector<f64>>, small: f64) {
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

#[cfg(test)]
mod tests {
    use super::*;
    use nalgebra::dmatrix;

    /// Nearly parallel columns: what is left of the second is a millionth, and must be turned away
    /// from the first to rounding all the same.
    #[test]
    fn bases_are_orthonormal_to_rounding() {
        let near =
            dmatrix![1.0, 1.0, 2.0; 0.3, 0.3 + 1e-6, 0.6; 0.7, 0.7, 1.4 + 3e-6; 0.1, 0.1, 0.2];
        for (matrix, rank) in [(near, 3), (dmatrix![1.0, 2.0; 0.1, 0.2; 0.3, 0.6], 1)] {
            let (basis, found) = row_basis(&matrix, 1.0);
            assert_eq!(found, rank);
            let n = matrix.nrows();
            let off = (basis.transpose() * &basis - DMatrix::identity(n, n)).amax();
            assert!(basis.shape() == (n, n) && off < 1e-15, "{off:e}");
            // the first span the columns
            let rest = basis.columns(rank, n - rank).transpose() * &matrix;
            assert!(rest.amax() < 1e-14, "{rest}");
        }
    }
}
