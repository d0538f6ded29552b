//! The machine that the benchmark runs on.

use std::path::PathBuf;
use std::process::{self, Command};
use std::{env, fs};

/// The processor's model name.
pub(crate) fn processor() -> String {
    field("/proc/cpuinfo", "model name").unwrap_or_else(|| format!("unknown {}", env::consts::ARCH))
}

/// Keeps this program, and those that it starts from now on, on one and the same core: engines that
/// take turns there share its noise. Returns whether the system could do it.
pub(crate) fn stay_on_one_core() -> bool {
    // A list such as 0-3,8: its last number is a core that we may use.
    let Some(allowed) = field("/proc/self/status", "Cpus_allowed_list") else {
        return false;
    };
    let core = allowed.rsplit([',', '-']).next().unwrap_or("0");
    let mut taskset = Command::new("taskset");
    taskset.args(["--pid", "--cpu-list", core, &process::id().to_string()]);
    taskset.output().is_ok_and(|output| output.status.success())
}

/// The value of the first line `name: value` of a file.
fn field(path: &str, name: &str) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}

/// Cargo's target folder: what is built for a benchmark is kept below it.
pub(crate) fn target_folder() -> PathBuf {
    match (env::var_os("CARGO_TARGET_DIR"), env::var_os("CARGO_MANIFEST_DIR")) {
        (Some(target), _) => PathBuf::from(target),
        (None, Some(manifest)) => PathBuf::from(manifest).join("../target"),
        (None, None) => PathBuf::from("target"),
    }
}
