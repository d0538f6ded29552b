//! Reads and writes arms, scenarios and results, with errors that point at the line and suggest a fix.
//!
//! ```no_run
//! let arm = pliant_io::load("arm.toml")?.arm;
//! let mass = arm.mass_matrix(&arm.neutral())?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`urdf`] reads robots of the Robot Operating System, and [`write_arm`] writes them as arm files.
//!
//! The problems of a file are a [`Report`] of [`Problem`]s, each with a [`Code`] that has its own
//! explanation. All errors are reported at once; what is suspicious but usable is a warning.

#[macro_use]
pub mod codes;
pub mod files;
mod problem;
mod source;
pub mod escape;
mod nearest;
mod node;
mod units;
mod brackets;
mod toml_faults;
mod toml_text;
mod json_text;
mod spec;
mod table;
mod shapes;
mod shared;
mod toml_out;
mod reader;
mod setting;
mod numbers;
mod coordinates;
mod arm_file;
mod foreign;
mod linear_names;
mod load;
mod parameters;
mod room;
mod pose_text;
pub mod file_help;
mod state;
pub mod scenario;
mod schema;
mod key_page;
pub mod urdf;
mod write;
mod write_help;
pub mod results;
pub mod study;
pub mod gallery;
pub mod report;

pub use arm_file::{BeamText, BendText, BendTextError, BentLink};
pub use codes::Code;
pub use key_page::{key_page, key_sections};
pub use linear_names::{LinearNameError, linear_inputs, linear_outputs, rename_outputs};
pub use load::{Loaded, load, load_with, load_with_text, parse_arm, read_source};
pub use nearest::nearest;
pub use parameters::load_with_parameters;
pub use pose_text::PoseText;
pub use problem::{Located, Problem, Report, Severity};
pub use schema::{arm_schema, entry_schema, scenario_schema, state_schema, study_schema};
pub use setting::Setting;
pub use source::{Place, Source};
pub use state::{State, load_state, parse_state, write_state};
pub use toml_out::{bare_or_quoted, quoted};
pub use units::{metres, seconds};
pub use write::{name_of_ground_link, write_arm, write_arm_with};
pub use write_help::write_help;
