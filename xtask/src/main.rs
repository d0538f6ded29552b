//! The project's own commands, run as `cargo xtask VERB`.
//!
//! One verb per file; what a verb does is Rust, not shell, so that it runs the same everywhere.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command talks to the terminal")]

mod bench;
mod book;
mod budget;
mod check;
mod compare_pinocchio;
mod compilers;
mod deny;
mod fuzz;
mod python;
mod repo;
mod setup;
mod test;
mod times;
mod web;
mod wheel;

use std::io::Write;
use std::process::ExitCode;

const HELP: &str = "\
The project's own commands.

Usage: cargo xtask VERB [OPTIONS]

Verbs:
  test [--quick | --long]
                        set up, then run every check and test, and tell what took how long;
                        --quick only format, check and the tests of pliant and pliant-io,
                        --long also the tests that take long
  setup                 prepare what the tests need, say what is missing and how to get it
  check [--fast]        layers, citations, file lengths, leftovers, ARCHITECTURE.md;
                        --fast is what the commit hook runs: format, layers, citations
  bench [NAME ARGS...]  run a benchmark, compiled for this processor; without NAME, list them
  book --figures [NAME] take the pictures of the README and the guide anew, into book/figures;
                        needs Node.js and Chromium
  fuzz --minutes N [--target T]...
                        files that nobody would write, for the readers of arms, URDF, scenarios,
                        studies, entries of galleries, states and results (arm, urdf, scenario, study,
                        gallery, state, results), with branches counted;
                        what they break is told and kept below target/fuzz
  fuzz --compare N      two algorithms and the balance of energy over N random arms
  deny                  licences, duplicates and sources of dependencies; needs cargo-deny
  wheel [--test]        build the Python package as a wheel, into target/wheels; installs maturin
                        below target. --test also runs its tests in a fresh environment
  compare-pinocchio [URDF...]
                        mass matrix, gravity, Coriolis and inverse dynamics of real robots beside
                        Pinocchio's; needs Python 3 and installs its packages below target

Examples:
  cargo xtask test               the one command that sets everything up and passes the tests
  cargo xtask test --quick       while writing: no lints, no documentation, no command, no README
  cargo xtask check              a second or two; prints file:line for every broken rule
  cargo xtask bench rigid        rigid chains, side by side with the peers
  cargo xtask bench load         how long an arm file of a hundred links takes to load
  cargo xtask bench kernels      instructions of rnea, crba and aba, to compare before and after
  cargo xtask bench flexible     forward dynamics of chains that bend: times and instructions
  cargo xtask bench wave-numbers three ways of following the shapes of a sliding link: instructions
  cargo xtask bench compiled     forward dynamics as machine code beside its recursion
  cargo xtask bench compiled --baseline d29fd4e
                                 the same beside the recursion of an earlier commit, with bars
  cargo xtask bench python       the Python package beside Rust and Pinocchio; ten seconds
  cargo xtask bench sliding      how shapes and elements of a sliding link converge: a minute

Exit: 0 done, 1 something failed, 2 the command was not understood.";

/// What a verb returns: nothing, or the sentence that says why it failed.
type Outcome = Result<(), String>;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let outcome = match args[..] {
        [] => {
            eprintln!("{HELP}");
            return ExitCode::from(2);
        }
        // a benchmark has its own --help
        ["bench", ref rest @ ..] => bench::run(rest),
        ref all if all.iter().any(|arg| matches!(*arg, "-h" | "--help" | "help")) => {
            // a reader that closes early, such as `head`, is no failure
            let _ = writeln!(std::io::stdout(), "{HELP}");
            Ok(())
        }
        ["compare-pinocchio", ref more @ ..] => compare_pinocchio::run(more),
        ["book", "--figures"] => book::figures(""),
        ["book", "--figures", name] => book::figures(name),
        ["fuzz", ref rest @ ..] => fuzz::run(rest),
        ["deny"] => deny::run(),
        ["wheel"] => wheel::run(),
        ["wheel", "--test"] => wheel::run_tests(),
        ["setup"] => setup::run(),
        ["check"] => check::run(),
        ["check", "--fast"] => check::run_fast(),
        ["test"] => test::run(test::Extent::Whole),
        ["test", "--quick"] => test::run(test::Extent::Quick),
        ["test", "--long"] => test::run(test::Extent::Long),
        _ => {
            eprintln!("error: `cargo xtask {}` is not a command\n", args.join(" "));
            eprintln!("{HELP}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("xtask: {why}");
            ExitCode::FAILURE
        }
    }
}
