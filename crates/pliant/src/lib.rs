//! The mathematics of pliant.
pub mod scalar;
pub mod spatial;
pub mod arm;
pub mod dynamics;
