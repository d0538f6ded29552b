//! `cargo xtask test [--quick]`: the one command that must pass.

use crate::{Outcome, check, python, repo, setup, web};
use std::fs;
use std::process::Command;
use std::time::Instant;

/// How much of the test command is run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Everything, as on a machine that judges a change.
    Whole,
    /// What a writer waits for between two edits.
    Quick,
}

struct Stage {
    name: &'static str,
    /// What the heading says beside the name.
    what: &'static str,
    /// Runs under `--quick` too.
    quick: bool,
    run: fn() -> Outcome,
}

const STAGES: &[Stage] = &[
    Stage { name: "setup", what: "what the tests need", quick: false, run: setup::run },
    Stage { name: "format", what: "cargo fmt --all --check", quick: true, run: check::format },
    Stage { name: "check", what: "cargo xtask check", quick: true, run: check::run },
    Stage {
        name: "lints",
        what: "cargo clippy --workspace --all-targets --release -- -D warnings",
        quick: false,
        run: lints,
    },
    Stage { name: "tests", what: "cargo test --workspace --release", quick: true, run: tests },
    Stage {
        name: "documentation",
        what: "cargo doc --workspace --no-deps --release",
        quick: false,
        run: documentation,
    },
    Stage { name: "page", what: "npm run build, compared", quick: false, run: web::template },
    Stage { name: "browser", what: "pages in Chromium", quick: false, run: web::browse },
    Stage { name: "README", what: "the commands it shows", quick: false, run: readme },
];

/// Runs the stages in order up to the first failure.
pub(crate) fn run(extent: Extent) -> Outcome {
    let stages: Vec<&Stage> =
        STAGES.iter().filter(|stage| extent == Extent::Whole || stage.quick).collect();
    let start = Instant::now();
    for (done, stage) in stages.iter().enumerate() {
        println!("\n== {}/{} {}: {}", done + 1, stages.len(), stage.name, stage.what);
        let stage_start = Instant::now();
        let outcome = (stage.run)();
        let seconds = stage_start.elapsed().as_secs_f64();
        if let Err(why) = outcome {
            println!("== {} failed after {seconds:.1} s", stage.name);
            return Err(format!(
                "{why}\nxtask: {done} stages passed, 1 failed ({}), {} not run, {:.1} s",
                stage.name,
                stages.len() - done - 1,
                start.elapsed().as_secs_f64()
            ));
        }
        println!("== {} passed in {seconds:.1} s", stage.name);
    }
    println!(
        "\nxtask: {} stages passed, 0 failed, {:.1} s",
        stages.len(),
        start.elapsed().as_secs_f64()
    );
    if extent == Extent::Quick {
        println!("xtask: this was the quick run; `cargo xtask test` is the whole one");
    }
    Ok(())
}

fn cargo(what: &str, args: &[&str]) -> Outcome {
    repo::run(what, repo::cargo().args(args))
}

fn tests() -> Outcome {
    let mut cargo = repo::cargo();
    cargo.args(["test", "--locked", "--workspace", "--release"]);
    repo::run("cargo test", python::tell(&mut cargo))
}

fn lints() -> Outcome {
    cargo(
        "cargo clippy",
        &[
            "clippy",
            "--locked",
            "--workspace",
            "--all-targets",
            "--release",
            "--",
            "-D",
            "warnings",
        ],
    )
}

fn documentation() -> Outcome {
    repo::run(
        "cargo doc",
        repo::cargo()
            .args(["doc", "--locked", "--workspace", "--no-deps", "--release"])
            .env("RUSTDOCFLAGS", "-D warnings"),
    )
}

/// Runs every command of the README that is marked as runnable.
fn readme() -> Outcome {
    let text = fs::read_to_string(repo::root().join("README.md"))
        .map_err(|why| format!("README.md cannot be read: {why}"))?;
    let blocks = runnable(&text)?;
    for block in &blocks {
        println!("$ {}", block.trim_end().replace('\n', "\n$ "));
        let output = Command::new("sh")
            .args(["-eu", "-c", block])
            .current_dir(repo::root())
            .output()
            .map_err(|why| format!("sh could not be started: {why}"))?;
        if !output.status.success() {
            println!("{}", String::from_utf8_lossy(&output.stdout));
            println!("{}", String::from_utf8_lossy(&output.stderr));
            return Err(format!("a command of README.md failed ({})", output.status));
        }
    }
    println!("{} runnable blocks", blocks.len());
    Ok(())
}

/// The line that marks the fenced block below it as one that runs from the root.
const MARK: &str = "<!-- run -->";

/// The marked `sh` blocks of a Markdown text.
fn runnable(markdown: &str) -> Result<Vec<String>, String> {
    let mut blocks = Vec::new();
    let mut lines = markdown.lines().enumerate();
    while let Some((index, line)) = lines.next() {
        if line.trim() != MARK {
            continue;
        }
        if lines.next().is_none_or(|(_, fence)| fence.trim() != "```sh") {
            return Err(format!(
                "README.md:{}: {MARK} stands right above a ```sh block",
                index + 1
            ));
        }
        let block: Vec<&str> =
            lines.by_ref().map(|(_, line)| line).take_while(|line| line.trim() != "```").collect();
        if block.iter().any(|line| line.contains("xtask test")) {
            return Err(format!("README.md:{}: the test command cannot run itself", index + 1));
        }
        blocks.push(block.join("\n"));
    }
    if blocks.is_empty() {
        return Err(format!("README.md marks no block with {MARK}, so nothing was run"));
    }
    Ok(blocks)
}

#[cfg(test)]
mod tests {
    use super::runnable;

    #[test]
    fn only_marked_blocks_run() {
        let text = "# T\n\n```sh\ncargo xtask test\n```\n\n<!-- run -->\n```sh\na b\nc\n```\nend\n";
        assert_eq!(runnable(text).unwrap(), ["a b\nc"]);
    }

    #[test]
    fn a_mark_without_its_block_is_refused() {
        assert!(runnable("<!-- run -->\n\n```sh\na\n```\n").unwrap_err().contains("README.md:1"));
        assert!(runnable("<!-- run -->\n```toml\na\n```\n").is_err());
    }

    #[test]
    fn nothing_to_run_is_refused() {
        assert!(runnable("```sh\na\n```\n").unwrap_err().contains("nothing was run"));
    }

    #[test]
    fn the_test_command_does_not_call_itself() {
        assert!(runnable("<!-- run -->\n```sh\ncargo xtask test\n```\n").is_err());
    }
}
