//! The mathematics of pliant.
