//! Compilers of C and C++, for generated sources.

use crate::repo;
use std::process::Command;

/// GCC, for both languages.
pub(crate) fn gcc() -> Result<String, String> {
    both("gcc", "g++")
}

/// Clang, for both languages.
pub(crate) fn clang() -> Result<String, String> {
    both("clang", "clang++")
}

fn both(c: &str, cpp: &str) -> Result<String, String> {
    let answer = |name: &str| {
        repo::first_line(name, &["--version"]).ok_or_else(|| format!("`{name}` does not answer"))
    };
    answer(cpp)?;
    answer(c)
}

/// Installs packages of Debian where nobody would mind: as root, under CI.
pub(crate) fn install(packages: &[&str]) {
    let is_root = repo::first_line("id", &["-u"]).is_some_and(|id| id == "0");
    if !repo::under_ci() || !is_root || repo::first_line("apt-get", &["--version"]).is_none() {
        return;
    }
    let apt = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        command.env("DEBIAN_FRONTEND", "noninteractive").args(["-qq"]).args(arguments);
        repo::run("apt-get", &mut command)
    };
    let usual = ["install", "--yes", "--no-install-recommends"];
    let installed = apt(&["update"]).and_then(|()| apt(&[&usual[..], packages].concat()));
    if let Err(why) = installed {
        println!("{why}");
    }
}
