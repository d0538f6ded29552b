//! Straight-line programs over numbers, and what runs them.
//!
//! A [`Tape`] is a list of arithmetic operations without branches or loops: what a recursion of an
//! arm does, recorded once. [`MachineCode`] is a tape in the instructions of this processor,
//! a [`Batch`] computes many states with it or, where there is no machine code, without.

mod tape;
mod refused;
mod options;
mod steps;
mod ahead;
mod registers;
mod encode;
mod address;
mod emit;
mod turned;
mod aligned;
#[cfg(all(unix, target_arch = "x86_64"))]
mod pages;
#[cfg(not(all(unix, target_arch = "x86_64")))]
#[path = "no_pages.rs"]
mod pages;
mod machine;
mod interpret;
mod rows;

pub use machine::{Arena, MachineCode};
pub use options::{Instructions, Options, Width};
pub use refused::Refused;
pub use rows::{Batch, Columns, ColumnsMut, Room};
pub use tape::{Guard, Op, Tape, TapeError, Value};
