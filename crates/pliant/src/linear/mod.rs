//! Linear algebra of small dense matrices: what the modules below need and nalgebra lacks, or does
//! not solve reliably for every matrix.
//!
//! | what | file | whose | why |
//! |---|---|---|---|
//! | `A = L D Lᵀ` on slices | `ldl` | own | for any [`Scalar`](crate::scalar::Scalar), which cannot compare and has no root; allocates nothing |
//! | `P A = L U` in storage made once | `lu` | own | steps of integrators allocate nothing; real and complex alike |
//! | the same with nalgebra's numbers | `pivoted` | own | ticks of control laws allocate nothing |
//! | `A B` in storage made once | `product` | own | the same; nalgebra's product of large matrices allocates, and its rounding depends on the processor |
//! | `A = L Lᵀ` | `cholesky` | own | reports the row without a pivot, which names the coordinate in an error |
//! | `K x = ω² M x` | [`eigen`] | own, over `symmetric` | low frequencies keep their digits beside high ones |
//! | eigenvalues of symmetric matrices | `symmetric` | nalgebra, bounded, with a second attempt | NaN for some finite matrices: nalgebra issues 379, 1025 |
//! | rows and columns of one size | `balance` | own | nalgebra's never ends where squares of entries are infinite |
//! | eigenvalues of general matrices, Lyapunov's and Stein's equations | `schur` | nalgebra's triangular form, balanced, bounded, with further attempts | never ends for some matrices, such as nilpotent ones of three rows: nalgebra issues 611, 764; NaN pairs |
//! | an eigenvector | `eigenvector` | own, by inverse iteration | nalgebra has none for general matrices |
//! | singular values | `singular` | own, one-sided Jacobi | the product of nalgebra's factors is wrong for some matrices of low rank: nalgebra issue 1172 |
//! | `e^A` | `exponential` | nalgebra, for what it ends with | takes `A^10` and squares as often as its size says: for ever where that is infinite |
//! | orthonormal vectors that span others | `span` | own, the largest first | the rank is decided by a size that the caller knows |
//! | solutions and inverses of matrices met once, `Q R` | | nalgebra, called where they are needed: they take as many steps as there are rows | |
//!
//! Whatever iterates has a largest number of rounds, and `is_finite` is asked before: with NaN no
//! iteration comes to rest.
//!
//! Where a bug of nalgebra is the reason, a test keeps the smallest known matrix that triggers it,
//! and fails once nalgebra is fixed: the workaround can then be removed.

mod balance;
mod cholesky;
pub mod eigen;
mod eigenvector;
mod exponential;
pub(crate) mod ldl;
mod lu;
mod pivoted;
mod product;
mod schur;
mod singular;
mod span;
mod symmetric;

use nalgebra::{ComplexField, DMatrix};

pub(crate) use cholesky::{cholesky, cholesky_in_place};
pub(crate) use eigenvector::eigenvector;
pub(crate) use exponential::exponential;
pub(crate) use lu::Lu;
pub(crate) use pivoted::Pivoted;
pub(crate) use product::{multiply, multiply_vector, reshape, reshape_vector};
pub(crate) use schur::{C, Triangular, eigenvalues};
pub(crate) use singular::singular;
pub(crate) use span::span;
pub(crate) use symmetric::{make_symmetric, symmetric, symmetric_eigen};

/// Whether all entries of a matrix are finite numbers.
pub(crate) fn is_finite<T: ComplexField>(matrix: &DMatrix<T>) -> bool {
    matrix.iter().all(T::is_finite)
}
