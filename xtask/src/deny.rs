//! `cargo xtask deny`: licences, duplicates and sources of what pliant depends on, by cargo-deny.

use crate::{Outcome, repo};

/// What is looked at without a network.
const OFFLINE: [&str; 3] = ["bans", "licenses", "sources"];

const INSTALL: &str = "cargo-deny is missing; `cargo install cargo-deny --locked` installs it";

/// Checks the policy of deny.toml; known faults of crates only where their list can be fetched.
pub(crate) fn run() -> Outcome {
    if repo::first_line("cargo-deny", &["--version"]).is_none() {
        return Err(INSTALL.to_owned());
    }
    repo::run("cargo deny", repo::cargo().args(["deny", "check"]).args(OFFLINE))?;
    let fetched = repo::run("the list", repo::cargo().args(["deny", "fetch", "db"]));
    if let Err(why) = fetched {
        println!("advisories were NOT looked at: {why}");
        return Ok(());
    }
    repo::run("cargo deny", repo::cargo().args(["deny", "check", "advisories"]))
}
