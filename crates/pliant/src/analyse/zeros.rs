//! Zeros of linear systems.

use super::state_space::StateSpace;
use crate::linear::{C, eigenvalues, singular, span};
use nalgebra::{DMatrix, DVector};

/// A direction counts as none below this part of what it is the difference of.
const RANK: f64 = 1e-11;
/// By which part entries are changed to see what is rounding.
const NUDGE: f64 = 1e-13;
/// How often each state is scaled at most.
const SWEEPS: usize = 100;
/// Where it is looked whether outputs move at all, in parts of the fastest rate: nowhere special.
const PROBES: [C; 3] = [C::new(0.3, 0.7), C::new(0.01, 0.02), C::new(1e-4, 1e-4)];

/// The zeros of a system, ascending by size; `None` where the response has not full rank at any
/// frequency.
///
/// States that the outputs pin down are taken away until the inputs act on what is left of the
/// outputs at once; with more inputs than outputs then the same of the dual system, whose zeros are
/// the same (Emami-Naeini and Van Dooren 1982). What is left of a difference is held against
/// what was subtracted, not against the largest entry of all: joints and bending differ in size by
/// many orders.
pub(super) fn zeros(system: &StateSpace) -> Option<Vec<C>> {
    let [a, b, c, d] = balanced(system);
    if !d.is_empty() && is_silent(&a, &b, &c, &d) {
        return None;
    }
    let is_high = d.nrows() > d.ncols();
    let system = if is_high { dual([a, b, c, d]) } else { [a, b, c, d] };
    let mut reduced = reduce(system)?;
    if reduced[3].nrows() < reduced[3].ncols() {
        reduced = reduce(dual(reduced))?;
    }
    let [a, b, c, d] = reduced;
    if !d.is_square() || d.is_empty() || c.nrows() != d.nrows() {
        return None;
    }
    let back = d.lu().solve(&c)?;
    eigenvalues(&(a - b * back))
}

/// The system with inputs and outputs exchanged.
fn dual([a, b, c, d]: [DMatrix<f64>; 4]) -> [DMatrix<f64>; 4] {
    [a.transpose(), c.transpose(), b.transpose(), d.transpose()]
}

/// The system with the same zeros whose inputs act on every output at once; `None` for outputs that
/// follow from others although there are no more of them than inputs.
fn reduce([mut a, mut b, mut c, mut d]: [DMatrix<f64>; 4]) -> Option<[DMatrix<f64>; 4]> {
    let is_high = d.nrows() > d.ncols();
    let mut small = RANK * d.amax();
    while d.nrows() > 0 {
        // rows through which the inputs act at once, and the others
        let (turn, rank) = row_basis(&d, small);
        let (turned, through) = (turn.transpose() * &c, turn.transpose() * &d);
        let rest = turned.rows(rank, d.nrows() - rank).into_owned();
        if rest.nrows() == 0 {
            break;
        }
        // states that the others pin down, and what is free
        let size = if is_high { turned.amax() } else { rest.amax() };
        let (basis, pinned) = row_basis(&rest.transpose(), RANK * size);
        if pinned < rest.nrows() && !is_high {
            return None;
        }
        if pinned == 0 {
            (c, d) = (turned.rows(0, rank).into_owned(), through.rows(0, rank).into_owned());
            break;
        }
        let (held, free) = (basis.columns(0, pinned), basis.columns_range(pinned..));
        let moved = held.transpose() * &b;
        small = RANK * (held.abs().transpose() * b.abs()).amax().max(through.rows(0, rank).amax());
        c = stack(&(turned.rows(0, rank) * free), &(held.transpose() * &a * free));
        d = stack(&through.rows(0, rank).into_owned(), &moved);
        (a, b) = (free.transpose() * &a * free, free.transpose() * &b);
    }
    Some([a, b, c, d])
}

fn stack(top: &DMatrix<f64>, bottom: &DMatrix<f64>) -> DMatrix<f64> {
    let mut both = DMatrix::zeros(top.nrows() + bottom.nrows(), top.ncols());
    both.rows_mut(0, top.nrows()).copy_from(top);
    both.rows_mut(top.nrows(), bottom.nrows()).copy_from(bottom);
    both
}

/// Whether some input moves no output, or some output is moved by no input, by more than rounding:
/// what rounding makes is something else for entries that differ by a little.
fn is_silent(a: &DMatrix<f64>, b: &DMatrix<f64>, c: &DMatrix<f64>, d: &DMatrix<f64>) -> bool {
    let (n, fastest) = (a.nrows(), a.amax());
    let fastest = if fastest > 0.0 { fastest } else { 1.0 };
    let nudged = |matrix: &DMatrix<f64>| {
        DMatrix::from_fn(matrix.nrows(), matrix.ncols(), |i, j| {
            matrix[(i, j)] * (1.0 + NUDGE * ((1 + 3 * i + 7 * j) as f64).sin())
        })
    };
    let other = [a, b, c, d].map(nudged);
    let response = |[a, b, c, d]: [&DMatrix<f64>; 4], probe: C| {
        let whole = DMatrix::identity(n, n) * (probe * fastest) - a.map(C::from);
        let states = whole.lu().solve(&b.map(C::from))?;
        Some(c.map(C::from) * states + d.map(C::from))
    };
    let speaks = |probe: C| {
        let first = response([a, b, c, d], probe)?;
        let second = response(other.each_ref(), probe)?;
        let least = singular(&first)?.singular_values.iter().next_back().copied()?;
        Some(least > 10.0 * (first - second).norm())
    };
    !PROBES.iter().any(|&probe| speaks(probe) == Some(true))
}

/// In states whose rows and columns in `(A B; C 0)` are of about one size, inputs and outputs as large
/// as the fastest rate.
fn balanced(system: &StateSpace) -> [DMatrix<f64>; 4] {
    let StateSpace { a, b, c, d, .. } = system;
    let (mut a, mut b, mut c, mut d) = (a.clone(), b.clone(), c.clone(), d.clone());
    level(&a, &mut b, &mut c, &mut d);
    for _ in 0..SWEEPS {
        let mut is_done = true;
        for k in 0..a.nrows() {
            let own = a[(k, k)].abs();
            let into = a.row(k).lp_norm(1) - own + b.row(k).lp_norm(1);
            let out = a.column(k).lp_norm(1) - own + c.column(k).lp_norm(1);
            if !(into > 0.0 && out > 0.0) {
                continue;
            }
            // a power of two: nothing is rounded
            let factor = (0.5 * (into / out).log2()).round().exp2();
            if out * factor + into / factor < 0.95 * (into + out) {
                a.row_mut(k).scale_mut(factor.recip());
                b.row_mut(k).scale_mut(factor.recip());
                a.column_mut(k).scale_mut(factor);
                c.column_mut(k).scale_mut(factor);
                is_done = false;
            }
        }
        if is_done {
            break;
        }
    }
    level(&a, &mut b, &mut c, &mut d);
    [a, b, c, d]
}

/// Makes inputs and outputs as large as the fastest rate.
fn level(a: &DMatrix<f64>, b: &mut DMatrix<f64>, c: &mut DMatrix<f64>, d: &mut DMatrix<f64>) {
    let fastest = if a.amax() > 0.0 { a.amax() } else { 1.0 };
    let factor = |largest: f64| if largest > 0.0 { fastest / largest } else { 1.0 };
    for k in 0..b.ncols() {
        let factor = factor(b.column(k).amax().max(d.column(k).amax()));
        b.column_mut(k).scale_mut(factor);
        d.column_mut(k).scale_mut(factor);
    }
    for k in 0..c.nrows() {
        let factor = factor(c.row(k).amax().max(d.row(k).amax()));
        c.row_mut(k).scale_mut(factor);
        d.row_mut(k).scale_mut(factor);
    }
}

/// Orthonormal columns, the first of which span those of a matrix, and how many do. The largest of
/// what is left comes first, and nothing is iterated.
fn row_basis(matrix: &DMatrix<f64>, small: f64) -> (DMatrix<f64>, usize) {
    let n = matrix.nrows();
    let mut basis: Vec<DVector<f64>> = Vec::with_capacity(n);
    let columns = |matrix: &DMatrix<f64>| {
        matrix.column_iter().map(nalgebra::Matrix::into_owned).collect::<Vec<_>>()
    };
    span(&mut basis, columns(matrix), small);
    let rank = basis.len();
    span(&mut basis, columns(&DMatrix::identity(n, n)), 0.0);
    (DMatrix::from_fn(n, basis.len(), |i, j| basis[j][i]), rank)
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
            let (basis, found) = row_basis(&matrix, 1e-10);
            assert_eq!(found, rank);
            let n = matrix.nrows();
            let off = (basis.transpose() * &basis - DMatrix::identity(n, n)).amax();
            assert!(basis.shape() == (n, n) && off < 1e-15, "{off:e}");
            // the first span the columns
            let rest = basis.columns(rank, n - rank).transpose() * &matrix;
            assert!(rest.amax() < 1e-14, "{rest}");
        }
    }

    /// `(s + 2)/(s + 1)²` from one input, three times that or something else from another.
    #[test]
    fn channels_of_one_output_share_zeros_or_have_none() {
        let a = dmatrix![0.0, 1.0; -1.0, -2.0];
        let label = |n: usize| vec![super::super::Label::new("", ""); n];
        for (second, want) in [([0.0, 3.0], &[-2.0][..]), ([1.0, 0.0], &[])] {
            let b = dmatrix![0.0, second[0]; 1.0, second[1]];
            let wide = StateSpace {
                a: a.clone(),
                c: dmatrix![2.0, 1.0],
                d: DMatrix::zeros(1, 2),
                b,
                states: label(2),
                inputs: label(2),
                outputs: label(1),
            };
            let high = StateSpace {
                a: wide.a.transpose(),
                b: wide.c.transpose(),
                c: wide.b.transpose(),
                d: wide.d.transpose(),
                ..wide.clone()
            };
            for system in [wide, high] {
                let found = zeros(&system).expect("a response");
                assert_eq!(found.len(), want.len(), "{found:?}");
                assert!(found.iter().zip(want).all(|(a, b)| (a - b).norm() < 1e-12), "{found:?}");
            }
        }
    }
}
