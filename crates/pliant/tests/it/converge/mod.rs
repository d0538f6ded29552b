//! How fast numbers approach the true ones.

mod motions;
mod order;
mod orbits;
mod stepping;
mod failing;
