//! The native half of the Python package `pliant`; the other half is in `python/pliant`.
//!
//! A module per area, each with its `register`, which adds its classes and functions.
#![allow(clippy::doc_markdown, reason = "the docs are docstrings of Python")]
#![allow(clippy::needless_pass_by_value, reason = "arguments are made for one call")]
#![allow(clippy::trivially_copy_pass_by_ref, reason = "methods of Python take self by reference")]

mod error;
mod settings;
mod threads;
mod views;
mod work;
mod compiled;
mod broadcast;
mod bending;
mod arm;
mod names;
mod arguments;
mod arrays;
mod kinematics;
mod dynamics;
mod conditions;
mod analysis;
mod links;
mod modes_page;
mod reach;
mod denavit_hartenberg;
mod vibrations;
mod build;
mod callables;
mod scenario;
mod run;
mod closed_loop;
mod result;
mod study;
mod ode;

use pyo3::prelude::*;

/// The native half of the package pliant.
#[pymodule]
fn _pliant(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    arm::register(module)?;
    build::register(module)?;
    run::register(module)?;
    closed_loop::register(module)?;
    result::register(module)?;
    study::register(module)?;
    ode::register(module)
}
