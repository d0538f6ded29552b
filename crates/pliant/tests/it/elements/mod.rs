//! Force elements of a user: a contact spring, a cable, drag, a compass, a thrust, a pair of joints.

mod analysis;
mod forces;
mod refused;
mod runs;
mod scalars;
