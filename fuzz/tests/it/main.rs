//! The fuzzer itself.

mod agree;
mod mutate;
mod seeds;
