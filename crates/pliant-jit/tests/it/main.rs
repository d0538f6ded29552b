//! Tapes run by every means against a plain evaluator, bit for bit.

mod random;
mod plain;
mod machine;
mod edges;
mod rows;
