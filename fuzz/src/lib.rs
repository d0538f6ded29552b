//! Files that nobody would write, for every reader of pliant.
//!
//! Inputs are made from the files of the repository by changing what they say ([`mutate`]), by the
//! schemas of the files ([`grammar`]), and executed in this process ([`target`]); in a build whose
//! branches are counted ([`coverage`]) those that take new ones are changed further ([`corpus`]).
//! An execution that panics, does not end, or takes too much memory is a finding ([`watch`]).

pub mod campaign;
pub mod compare;
pub mod corpus;
pub mod coverage;
pub mod grammar;
pub mod memory;
pub mod mutate;
pub mod random;
pub mod target;
pub mod tree;
pub mod watch;
pub mod worker;
