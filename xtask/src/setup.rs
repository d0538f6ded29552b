//! `cargo xtask setup`: prepares what the tests need.
//!
//! A setup is a list of needs. A need can look whether it is met, and some can be met from here;
//! what cannot is reported together with the way to get it. Further needs are further entries of
//! [`NEEDS`], each with its condition in `applies`.

use crate::{Outcome, compilers, python, repo, web, wheel};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

struct Need {
    name: &'static str,
    /// What is skipped without it; nothing can be done without one that says nothing.
    spares: Option<&'static str>,
    /// False where nobody would miss it.
    applies: fn() -> bool,
    /// What is there, or what is wrong.
    look: fn() -> Result<String, String>,
    /// Tries to provide it; a second look tells whether that worked.
    provide: fn(),
    /// How a person gets it.
    remedy: &'static str,
}

const NEEDS: &[Need] = &[
    Need {
        name: "rustc",
        spares: None,
        applies: || true,
        look: rustc,
        provide: || (),
        remedy: "update Rust: `rustup update stable`, or see https://rustup.rs",
    },
    Need {
        name: "rustfmt",
        spares: None,
        applies: || true,
        look: || cargo_tool("fmt"),
        provide: || add_component("rustfmt"),
        remedy: "`rustup component add rustfmt`, or the package rustfmt of your system",
    },
    Need {
        name: "clippy",
        spares: None,
        applies: || true,
        look: || cargo_tool("clippy"),
        provide: || add_component("clippy"),
        remedy: "`rustup component add clippy`, or the package rust-clippy of your system",
    },
    Need {
        name: "crates",
        spares: None,
        applies: || true,
        look: crates,
        provide: || (),
        remedy: "`cargo fetch --locked` must reach a registry",
    },
    Need {
        name: "commit hook",
        spares: None,
        applies: || !repo::under_ci() && repo::root().join(".git").is_dir(),
        look: hook,
        provide: install_hook,
        remedy: "make the folder .git/hooks writable",
    },
    Need {
        name: "Node.js",
        spares: Some("building and testing the pages of reports"),
        applies: || true,
        look: web::node,
        provide: || (),
        remedy: "https://nodejs.org, or the packages nodejs and npm of your system",
    },
    Need {
        name: "npm packages",
        spares: Some("building and testing the pages of reports"),
        applies: || web::node().is_ok(),
        look: web::packages,
        provide: web::install,
        remedy: "`npm ci` in web/ must reach a registry",
    },
    Need {
        name: "Chromium",
        spares: Some("testing the pages of reports"),
        applies: || web::node().is_ok(),
        look: web::browser,
        provide: web::unpack_browser,
        remedy: "install Chromium, or name a browser in PLIANT_CHROMIUM",
    },
    Need {
        name: "GCC",
        spares: Some("compiling generated C and CUDA with GCC"),
        applies: || true,
        look: compilers::gcc,
        provide: || compilers::install(&["gcc", "g++"]),
        remedy: "the packages gcc and g++ of your system",
    },
    Need {
        name: "Clang",
        spares: Some("compiling generated C and CUDA with Clang"),
        applies: || true,
        look: compilers::clang,
        provide: || compilers::install(&["clang"]),
        remedy: "the package clang of your system",
    },
    Need {
        name: "Python",
        spares: Some("comparing Riccati equations, exported systems and results with Python's"),
        applies: || true,
        look: python::packages,
        provide: python::install_packages,
        remedy: "Python 3.10 or later whose venv and pip work, or name one with SciPy and pyarrow in PLIANT_PYTHON",
    },
    Need {
        name: "wheel",
        spares: Some("building and testing the Python package"),
        applies: || true,
        look: wheel::packages,
        provide: wheel::install_packages,
        remedy: "Python 3.10 or later whose venv and pip work and reach a registry",
    },
];

/// Walks through all needs, so that everything missing is reported in one go.
pub(crate) fn run() -> Outcome {
    let mut missing = Vec::new();
    for need in NEEDS.iter().filter(|need| (need.applies)()) {
        let found = (need.look)().or_else(|_| {
            (need.provide)();
            (need.look)()
        });
        match found {
            Ok(found) => println!("{:<12} {found}", need.name),
            Err(why) => {
                println!("{:<12} missing: {why}\n{:<12} help: {}", need.name, "", need.remedy);
                match need.spares {
                    Some(skipped) => println!("{:<12} without it is skipped: {skipped}", ""),
                    None => missing.push(need.name),
                }
            }
        }
    }
    if missing.is_empty() { Ok(()) } else { Err(format!("setup lacks {}", missing.join(", "))) }
}

fn rustc() -> Result<String, String> {
    let program = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let printed = repo::first_line(&program, &["--version"]).ok_or("rustc does not answer")?;
    let have = version(printed.split_whitespace().nth(1).unwrap_or_default())
        .ok_or_else(|| format!("`{printed}` holds no version"))?;
    let wanted = env!("CARGO_PKG_RUST_VERSION");
    if Some(have) >= version(wanted) {
        Ok(format!("{printed}, at least {wanted} is needed"))
    } else {
        Err(format!("{printed} is too old, at least {wanted} is needed"))
    }
}

/// Major and minor number of `1.90`, `1.90.0` or `1.91.0-nightly`.
fn version(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.split(['.', '-']).map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

fn cargo_tool(verb: &str) -> Result<String, String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    repo::first_line(&cargo, &[verb, "--version"])
        .ok_or_else(|| format!("`cargo {verb}` does not answer"))
}

/// Downloads what Cargo.lock names, so that the stages behind this one only compute.
fn crates() -> Result<String, String> {
    repo::run("cargo fetch", repo::cargo().args(["fetch", "--locked", "--quiet"]))?;
    Ok("those of Cargo.lock".to_owned())
}

fn add_component(name: &str) {
    if repo::first_line("rustup", &["--version"]).is_some() {
        let added = repo::run(
            "rustup component add",
            Command::new("rustup").args(["component", "add", name]).current_dir(repo::root()),
        );
        if let Err(why) = added {
            println!("{name:<12} {why}");
        }
    }
}

const HOOK: &str = "\
#!/bin/sh
# Installed by `cargo xtask setup`, which also renews it. Skip it once with `git commit --no-verify`.
exec cargo xtask check --fast
";

fn hook_path() -> PathBuf {
    repo::root().join(".git/hooks/pre-commit")
}

fn hook() -> Result<String, String> {
    judge_hook(fs::read_to_string(hook_path()).ok().as_deref())
}

/// A hook that somebody else wrote is theirs and stays.
fn judge_hook(present: Option<&str>) -> Result<String, String> {
    match present {
        Some(HOOK) => Ok("runs `cargo xtask check --fast`".to_owned()),
        Some(other) if !other.contains("cargo xtask setup") => {
            Ok("left alone, the one in .git/hooks is not ours".to_owned())
        }
        Some(_) => Err(".git/hooks/pre-commit is an old one".to_owned()),
        None => Err(".git/hooks/pre-commit does not exist".to_owned()),
    }
}

fn install_hook() {
    let path = hook_path();
    let written = fs::create_dir_all(path.parent().expect("the hook lies in a folder"))
        .and_then(|()| fs::write(&path, HOOK))
        .and_then(|()| repo::executable(&path));
    if let Err(why) = written {
        println!("{:<12} {why}", "commit hook");
    }
}

#[cfg(test)]
mod tests {
    use super::{HOOK, judge_hook, version};

    #[test]
    fn versions_compare_by_number() {
        assert!(version("1.100.0") > version("1.90"));
        assert!(version("1.89.0") < version("1.90"));
        assert_eq!(version("1.90.0-nightly"), version("1.90"));
        assert_eq!(version("stable"), None);
    }

    #[test]
    fn a_hook_of_somebody_else_stays() {
        assert!(judge_hook(None).is_err());
        assert!(judge_hook(Some("# by cargo xtask setup, last year")).is_err());
        assert!(judge_hook(Some(HOOK)).is_ok());
        assert!(judge_hook(Some("#!/bin/sh\nmake lint")).unwrap().contains("not ours"));
    }
}
