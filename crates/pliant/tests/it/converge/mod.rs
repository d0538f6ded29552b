//! How fast numbers approach the true ones.

mod motions;
mod arms;
mod order;
mod adams;
mod orbits;
mod stepping;
mod failing;
mod tolerance;
mod wave_numbers;
mod alpha;
mod stiff;
mod events;
mod choice;
mod peer;
