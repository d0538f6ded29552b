//! What the documents compute: their algorithms beside the engine's, their counts of operations,
//! their variants of the equations.

mod akmehmet;
mod algorithms;
mod operations;
mod refused;
mod variants;
