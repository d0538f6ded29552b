//! `pliant-fuzz`: a campaign over the readers of pliant.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command talks to the terminal")]

use clap::{Parser, Subcommand};
use pliant_fuzz::campaign::Campaign;
use pliant_fuzz::target::{Kind, Target};
use pliant_fuzz::watch::Watch;
use pliant_fuzz::worker::{Work, execute, scratch};
use pliant_fuzz::{compare, random, watch};
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

/// Gives files that nobody would write to every reader of pliant
#[derive(Parser)]
struct Command {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// Run a campaign
    Run {
        /// Where findings, counts and inputs are written
        folder: PathBuf,
        /// End after this time
        #[arg(long, default_value_t = 60.0)]
        seconds: f64,
        /// End after so many executions in all; the inputs are then the same every time
        #[arg(long)]
        executions: Option<u64>,
        /// An execution that takes more processor time (s) is a finding; default: 5, or 15 where branches
        /// are counted
        #[arg(long)]
        longest: Option<f64>,
        /// What the random numbers start from
        #[arg(long, default_value_t = 1)]
        seed: u64,
        /// Only this reader; several: repeat it
        #[arg(long = "target", value_enum)]
        kinds: Vec<Kind>,
        /// Take inputs of earlier campaigns, and keep those that take new branches
        #[arg(long)]
        keep_corpus: bool,
        /// How many processes work side by side
        #[arg(long, default_value_t = 2)]
        workers: u64,
    },
    /// Be one of the processes of a campaign
    #[command(hide = true)]
    Worker {
        folder: PathBuf,
        #[arg(long)]
        seconds: f64,
        #[arg(long)]
        executions: Option<u64>,
        #[arg(long)]
        longest: f64,
        #[arg(long)]
        seed: u64,
        #[arg(long = "target", value_enum)]
        kinds: Vec<Kind>,
        #[arg(long)]
        keep_corpus: bool,
        #[arg(long)]
        number: u64,
    },
    /// Execute inputs, and tell what becomes of them
    Try {
        /// The reader
        #[arg(value_enum)]
        kind: Kind,
        /// The inputs
        files: Vec<PathBuf>,
    },
    /// Compare two algorithms and the balance of energy over random accepted arms
    Compare {
        /// Where arms that disagree are written
        folder: PathBuf,
        /// How many arms
        #[arg(long, default_value_t = 10_000)]
        arms: usize,
        /// What the random numbers start from
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
}

fn main() -> ExitCode {
    match run(Command::parse().what) {
        Ok(words) => {
            if !words.is_empty() {
                println!("{words}");
            }
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn run(what: What) -> Result<String, String> {
    match what {
        What::Run { folder, seconds, executions, longest, seed, kinds, keep_corpus, workers } => {
            let kinds = if kinds.is_empty() { Kind::ALL.to_vec() } else { kinds };
            let keeps_corpus = keep_corpus;
            let longest = longest.unwrap_or_else(watch::longest);
            Campaign { kinds, seconds, executions, longest, seed, workers, folder, keeps_corpus }
                .run(&mut |words| println!("{words}"))
        }
        What::Worker { folder, seconds, executions, longest, seed, kinds, keep_corpus, number } => {
            let executions = executions.map(|sum| Kind::shares(&kinds, sum));
            let keeps_corpus = keep_corpus;
            Work { kinds, seconds, executions, longest, seed, number, folder, keeps_corpus }
                .run()?;
            Ok(String::new())
        }
        What::Try { kind, files } => attempt(kind, &files),
        What::Compare { folder, arms, seed } => {
            let scratch = scratch(0);
            let told = |why: std::io::Error| format!("{}: {why}", folder.display());
            fs::create_dir_all(&folder).map_err(told)?;
            let mut watch = Watch::new(&folder, 0, watch::longest()).map_err(told)?;
            let found = compare::compare(arms, seed, &scratch, &mut watch)?;
            let _ = fs::remove_dir_all(scratch);
            let mut words = found.to_string();
            for (text, agreement) in &found.beyond {
                let path = folder.join(format!("{:016x}.toml", random::hash(text.as_bytes())));
                fs::write(&path, text).map_err(|why| format!("{}: {why}", path.display()))?;
                let _ = write!(words, "\n{}: {agreement:?}", path.display());
            }
            if found.beyond.is_empty() { Ok(words) } else { Err(words) }
        }
    }
}

fn attempt(kind: Kind, files: &[PathBuf]) -> Result<String, String> {
    watch::keep_panics();
    let scratch = scratch(0);
    let target = Target::new(kind, &scratch)?.thorough();
    let (mut words, mut bad) = (Vec::new(), false);
    for path in files {
        let input = fs::read_to_string(path).map_err(|why| format!("{}: {why}", path.display()))?;
        let done = execute(&target, &input);
        let verdict = match &done.verdict {
            Ok(verdict) => format!("{verdict:?}"),
            Err(why) => why.clone(),
        };
        bad |= done.verdict.is_err() || done.memory > watch::MOST_MEMORY;
        words.push(format!(
            "{}: {:.4} s, {:.2} MB: {verdict}",
            path.display(),
            done.seconds,
            done.memory as f64 / 1e6
        ));
    }
    let _ = fs::remove_dir_all(scratch);
    if bad { Err(words.join("\n")) } else { Ok(words.join("\n")) }
}
