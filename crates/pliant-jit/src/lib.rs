//! Straight-line programs over numbers, and what runs them.
//!
//! A [`Tape`] is a list of arithmetic operations without branches or loops: what a recursion of an
//! arm does, recorded once.

mod tape;

pub use tape::{Guard, Op, Tape, TapeError, Value};
