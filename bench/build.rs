//! Records the compiler and its flags: a time means little without them.

use std::env;
use std::process::Command;

fn main() {
    let variable = |name| env::var(name).unwrap_or_default();
    let compiler = Command::new(variable("RUSTC"))
        .arg("--version")
        .output()
        .map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
        .unwrap_or_default();
    let flags = variable("CARGO_ENCODED_RUSTFLAGS").replace('\u{1f}', " ");
    let level = variable("OPT_LEVEL");
    println!("cargo::rustc-env=PLIANT_BENCH_COMPILER={compiler}");
    println!("cargo::rustc-env=PLIANT_BENCH_FLAGS={}", format!("-O{level} {flags}").trim());
    println!("cargo::rerun-if-changed=build.rs");
}
