//! What physics keeps: energy, momentum, the work of springs.

mod momentum;
mod power;
mod springs;
