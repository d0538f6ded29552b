//! Loops.
#![allow(dead_code, unused_macros, unused_imports)]
#[macro_use]
#[path = "it/close.rs"]
mod close;
#[path = "it/random.rs"]
mod random;
#[path = "it/scenario.rs"]
mod scenario;
#[path = "it/closed_loop.rs"]
mod closed_loop;
#[path = "it/stability.rs"]
mod stability;
