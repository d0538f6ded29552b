//! Tests that watch their own process: the instant at which it is killed, the memory it used.

#[path = "../it/files.rs"]
mod files;

#[cfg(unix)]
mod results_broken;
mod urdf_bad;
