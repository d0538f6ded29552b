//! Studies: which values the parameters of many runs take, and what the figures of these runs tell.
//!
//! A [`Design`] says what parameters every run has, by the index of the run: grids, lists, random and
//! quasi-random draws, and the scheme that [`sobol_indices`] needs. [`pareto_front`] finds the runs
//! that no other one beats. An [`Optimiser`] asks for one run after the other to find the smallest
//! figure under constraints, or the Pareto front of two. Nothing here knows what a run is: parameters and
//! figures are numbers.
//!
//! Every number is the same on every machine: random numbers are counted, not drawn in turn, and
//! logarithms, exponentials and error functions are those of `libm`, not of the system.

mod design;
mod direct_search;
mod direction_numbers;
mod error;
mod factor;
mod front;
mod normal;
mod optimiser;
mod pareto;
mod philox;
mod sensitivity;
mod sobol;
mod surrogate;
mod tried;

pub use design::{Design, Sampling};
pub use error::StudyError;
pub use factor::Factor;
pub use front::best_trials;
pub use optimiser::{DesignVariable, Optimisation, Optimiser, Trial, TrialOutcome, minimise};
pub use pareto::pareto_front;
pub use sensitivity::{Bootstrap, Estimate, SobolIndex, SobolIndices, sobol_indices};
