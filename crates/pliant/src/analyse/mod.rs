//! What an arm does without moving far: equilibria, natural frequencies and shapes.
//!
//! Everything here is linear algebra around the [`dynamics`](crate::dynamics): the balance of
//! forces at rest, `gravity + elastic − external = 0`, its exact slope, and the mass matrix.

pub mod eigen;

