//! Arm files, scenario files and what runs of them leave, in one program: every test program holds
//! a copy of all that it calls, and is linked anew.
//!
//! What watches its own process has another, `apart`.

mod drawn;
mod files;
mod reach;

mod actuators;
mod arm_file;
mod bad;
mod bad_scenarios;
mod bad_studies;
mod beams;
mod bent;
mod codegen;
mod compiled;
mod following;
mod in_rust;
mod former;
mod gallery;
mod gallery_checks;
mod gallery_counts;
mod gallery_king;
mod gallery_motions;
mod gallery_no_numbers;
mod gallery_closed_forms;
mod gallery_runs;
mod inverse_kinematics;
mod linear;
mod loaded_shapes;
mod loops;
mod needs;
mod optimise;
mod escaped;
mod estimators;
mod parameters;
mod plans;
mod program;
mod pseudolink;
mod report;
mod results;
mod results_elsewhere;
mod results_safe;
mod resumed;
mod robots;
mod robust;
mod scenarios;
mod schema;
mod sense;
mod settings;
mod shapers;
mod studies;
mod study_series;
mod study_figures;
mod study_folders;
mod study_pages;
mod study_shapes;
mod swing;
mod telemetry;
mod tracking;
mod urdf;
mod write;
mod written;
