//! x
#[path = "it/control/mod.rs"]
mod control;
