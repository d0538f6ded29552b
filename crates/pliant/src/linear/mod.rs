//! Linear algebra of small dense matrices: what the modules below need and nalgebra does not give,
//! or does not give for every matrix.
//!
//! | what | file | whose | why |
//! |---|---|---|---|
//! | `A = L D Lᵀ` on slices | `ldl` | own | for any [`Scalar`](crate::scalar::Scalar), which cannot compare and has no root; allocates nothing |
//! | `P A = L U` in storage made once | `lu` | own | steps of integrators allocate nothing; real and complex alike |
//! | `A = L Lᵀ` | `cholesky` | own | says which row has no pivot: the coordinate of a message |
//! | `K x = ω² M x` | [`eigen`] | own, over `symmetric` | low frequencies keep their digits beside high ones |
//! | eigenvalues of symmetric matrices | `symmetric` | nalgebra, bounded, with a second look | not numbers for some finite matrices: nalgebra issues 379, 1025 |
//! | eigenvalues of general matrices, Lyapunov's and Stein's equations | `schur` | nalgebra's triangular form, balanced, bounded, with further looks | circles for ever for some matrices, nilpotent ones of three rows among them: nalgebra issues 611, 764; pairs that are not numbers |
//! | a vector of an eigenvalue | `eigenvector` | own, by inverse iteration | nalgebra has none of general matrices |
//! | singular values | `singular` | own, one-sided Jacobi | nalgebra's factors do not make some matrices of low rank again: nalgebra issue 1172 |
//! | solutions and inverses of matrices met once, `Q R`, principal moments of inertia (3 × 3) | | nalgebra, called where they are needed | |
//!
//! Where a fault of nalgebra is the reason, a test holds the smallest matrix that was found to show
//! it, and fails when nalgebra is mended: the detour can go then.

mod cholesky;
pub mod eigen;
mod eigenvector;
pub(crate) mod ldl;
mod lu;
mod schur;
mod singular;
mod symmetric;

pub(crate) use cholesky::cholesky;
pub(crate) use eigenvector::eigenvector;
pub(crate) use lu::Lu;
pub(crate) use schur::{C, Triangular, eigenvalues};
pub(crate) use singular::singular;
pub(crate) use symmetric::{symmetric, symmetric_eigen};
