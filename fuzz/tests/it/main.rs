//! The fuzzer itself, and what it found.

mod agree;
mod found;
mod mutate;
