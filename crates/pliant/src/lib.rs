//! The mathematics of pliant.
pub mod arm;
pub mod dynamics;
pub mod scalar;
pub mod spatial;
