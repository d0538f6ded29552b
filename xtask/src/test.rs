//! `cargo xtask test [--quick | --long]`: the one command that must pass.

use crate::times::{self, Seen};
use crate::{Outcome, budget, check, fuzz, python, repo, setup, web, wheel};
use std::fs;
use std::process::Command;
use std::time::Instant;

/// How much of the test command is run.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Extent {
    /// Everything, as on a machine that judges a change.
    Whole,
    /// The same, and the tests that are left out because they take long.
    Long,
    /// What a writer waits for between two edits.
    Quick,
}

/// How many of the slowest tests are told.
const SLOWEST: usize = 10;

/// Tests of the benchmarks look at what they print, not at how fast they are.
const PLAIN_BENCHMARKS: &str = "profile.release.package.pliant-bench.opt-level=0";

/// What `--quick` tests: of the mathematics all but `cases` and `alloc`, and the files. It compiles
/// in small pieces, of which only those that changed are compiled again.
const QUICK: [&str; 7] = [
    "--release",
    "--package=pliant",
    "--package=pliant-io",
    "--test=it",
    "--test=apart",
    "--config=profile.release.package.pliant.codegen-units=64",
    "--config=profile.release.package.pliant-io.codegen-units=64",
];

struct Stage {
    name: &'static str,
    /// What the heading says beside the name.
    what: &'static str,
    /// Runs under `--quick` too.
    quick: bool,
    /// Its time is a part of the total; that of downloads is not.
    counted: bool,
    run: fn(Extent, &mut Seen) -> Outcome,
}

impl Stage {
    const fn whole(
        name: &'static str,
        what: &'static str,
        run: fn(Extent, &mut Seen) -> Outcome,
    ) -> Self {
        Self { name, what, quick: false, counted: true, run }
    }

    const fn always(
        name: &'static str,
        what: &'static str,
        run: fn(Extent, &mut Seen) -> Outcome,
    ) -> Self {
        Self { quick: true, ..Self::whole(name, what, run) }
    }
}

const STAGES: &[Stage] = &[
    Stage {
        counted: false,
        ..Stage::whole("setup", "what the tests need, downloads among it", |_, _| setup::run())
    },
    Stage::always("format", "cargo fmt --all --check", |_, _| check::format()),
    Stage::always("check", "cargo xtask check", |_, _| check::run()),
    Stage::whole("page", "npm run build, compared", |_, seen| skipping(web::templates(), seen)),
    Stage::whole(
        "lints",
        "cargo clippy --workspace --all-targets --release -- -D warnings",
        |_, _| lints(),
    ),
    Stage::always("tests", "cargo test", tests),
    Stage::whole("Python", "the wheel in a fresh environment", |_, seen| {
        skipping(wheel::test(), seen)
    }),
    Stage::whole("fuzz", "half a minute of files that nobody would write", |_, _| fuzz::briefly()),
    Stage::whole("documentation", "cargo doc --workspace --no-deps --release", |_, _| {
        documentation()
    }),
    Stage::whole("browser", "pages in Chromium", |_, seen| skipping(web::browse(), seen)),
    Stage::whole("README", "the commands it shows", |_, _| readme()),
];

/// Runs the stages in order up to the first failure, and tells what took how long.
pub(crate) fn run(extent: Extent) -> Outcome {
    let stages: Vec<&Stage> =
        STAGES.iter().filter(|stage| extent != Extent::Quick || stage.quick).collect();
    let budget = budget::read()?;
    let mut seen = Seen::default();
    let mut times = Vec::new();
    for (done, stage) in stages.iter().enumerate() {
        println!("\n== {}/{} {}: {}", done + 1, stages.len(), stage.name, stage.what);
        let start = Instant::now();
        let outcome = (stage.run)(extent, &mut seen);
        let seconds = start.elapsed().as_secs_f64();
        times.push((*stage, seconds));
        if let Err(why) = outcome {
            println!("== {} failed after {seconds:.1} s", stage.name);
            tell(&times, &seen);
            return Err(format!(
                "{why}\nxtask: {done} stages passed, 1 failed ({}), {} not run",
                stage.name,
                stages.len() - done - 1,
            ));
        }
        println!("== {} passed in {seconds:.1} s", stage.name);
    }
    let total = tell(&times, &seen);
    println!("xtask: {} stages passed, 0 failed, {total:.1} s", stages.len());
    match extent {
        Extent::Whole => println!("xtask: {}", budget.judge(total)),
        Extent::Long => println!("xtask: this was the long run, for which there is no budget"),
        Extent::Quick => {
            println!("xtask: this was the quick run; `cargo xtask test` is the whole one");
        }
    }
    Ok(())
}

/// What took how long and what was left out; returns the seconds that count.
fn tell(times: &[(&Stage, f64)], seen: &Seen) -> f64 {
    println!("\n== times");
    for (stage, seconds) in times {
        let apart = if stage.counted { "" } else { ", not counted" };
        println!("{seconds:8.1} s  {}{apart}", stage.name);
    }
    let slowest = seen.slowest(SLOWEST);
    if !slowest.is_empty() {
        println!("the slowest of {} tests:", seen.tests.len());
    }
    for (time, name) in slowest {
        println!("{:8.1} s  {name}", time.as_secs_f64());
    }
    for skipped in &seen.skipped {
        println!("{skipped}");
    }
    match seen.long {
        0 => {}
        1 => println!("1 long test was left out; `cargo xtask test --long` runs it"),
        n => println!("{n} long tests were left out; `cargo xtask test --long` runs them"),
    }
    times.iter().filter(|(stage, _)| stage.counted).map(|(_, seconds)| seconds).sum()
}

/// A stage that may have had a reason to do nothing.
fn skipping(outcome: Result<Option<String>, String>, seen: &mut Seen) -> Outcome {
    if let Some(why) = outcome? {
        println!("{why}");
        seen.skipped.push(why);
    }
    Ok(())
}

fn cargo(what: &str, args: &[&str]) -> Outcome {
    repo::run(what, repo::cargo().args(args))
}

/// Examples are not built, since their code runs in the test program of their crate.
fn tests(extent: Extent, seen: &mut Seen) -> Outcome {
    let targets: &[&str] = if extent == Extent::Quick { &["--lib"] } else { &["--tests", "--doc"] };
    for target in targets {
        let mut cargo = repo::cargo();
        python::tell(cargo.args(["test", "--locked", target]));
        let workspace = ["--workspace", "--release", "--config", PLAIN_BENCHMARKS];
        match extent {
            Extent::Whole => cargo.args(workspace),
            Extent::Long => cargo.args(workspace).args(["--", "--include-ignored"]),
            Extent::Quick => cargo.args(QUICK).env("CARGO_INCREMENTAL", "1"),
        };
        times::watch(&mut cargo, seen)?;
    }
    Ok(())
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
