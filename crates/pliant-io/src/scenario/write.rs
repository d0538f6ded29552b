//! Scenarios back into files.

use super::Setup;
use crate::table::Table as _;
use crate::toml_out::document;

/// The text of a scenario file that says what the file of a setup says: the same keys with the same
/// values, numbers in SI units, without comments and without what is so anyway. Paths stay as they
/// are, from the folder of the file.
pub fn write_scenario(setup: &Setup) -> String {
    document(&setup.table.entries())
}

#[cfg(test)]
mod tests;
