//! Laws with a model, and the paths they follow.

mod arms;
mod composite;
mod decoupling;
pub(crate) mod energy;
mod paths;
mod pid;
mod policies;
mod reach;
mod replay;
mod resume;
