//! Workers side by side, and what they found.

use crate::coverage::Seen;
use crate::target::Kind;
use crate::watch::{self, HUNG, Trouble};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

/// Of the inputs of a reader so many of a hundred should be accepted.
const LEAST_ACCEPTED: f64 = 20.0;

/// A share is judged from so many inputs on.
const ENOUGH: u64 = 500;

/// After so many workers that ended badly there is something to mend first.
const MOST_RESTARTS: u64 = 200;

/// What is to be done.
#[derive(Clone, Debug)]
pub struct Campaign {
    /// The readers that get inputs.
    pub kinds: Vec<Kind>,
    /// When it ends at the latest.
    pub seconds: f64,
    /// How many inputs there are in all, at most.
    pub executions: Option<u64>,
    /// How much processor time an execution may take (s).
    pub longest: f64,
    /// What the random numbers start from.
    pub seed: u64,
    /// How many processes work.
    pub workers: u64,
    /// Where everything is written.
    pub folder: PathBuf,
    /// Whether inputs of earlier campaigns are taken, and new ones kept for later ones.
    pub keeps_corpus: bool,
}

/// What became of a reader.
#[derive(Default)]
struct Count {
    executions: u64,
    accepted: u64,
    seconds: f64,
    memory: u64,
    slowest: f64,
    branches: u64,
    seen: Seen,
}

impl Campaign {
    /// Runs it; the words are a table of what was done. The error tells what was found.
    pub fn run(&self, tell: &mut dyn FnMut(&str)) -> Result<String, String> {
        let told = |why: std::io::Error| format!("{}: {why}", self.folder.display());
        self.clear().map_err(told)?;
        let start = Instant::now();
        let left = || (self.seconds - start.elapsed().as_secs_f64()).max(0.0);
        let mut workers = Vec::new();
        for number in 0..self.workers {
            workers.push((number, self.start(number, left()).map_err(told)?));
        }
        let (mut started, mut said) = (self.workers, Instant::now());
        while !workers.is_empty() {
            std::thread::sleep(Duration::from_millis(50));
            let mut going = Vec::new();
            for (number, mut child) in workers {
                let Some(status) = child.try_wait().map_err(told)? else {
                    going.push((number, child));
                    continue;
                };
                if status.success() {
                    continue;
                }
                if status.code() != Some(HUNG) {
                    let Some((kind, input)) = watch::last_input(&self.folder, number) else {
                        return Err(format!("a worker ended before it began: {status}"));
                    };
                    let why = format!("the process ended: {status}");
                    watch::save(&self.folder, kind, Trouble::Crash, &why, &input);
                }
                // inputs that are counted are not made twice
                if self.executions.is_none() && started < MOST_RESTARTS && left() > 0.0 {
                    going.push((started, self.start(started, left()).map_err(told)?));
                    started += 1;
                }
            }
            workers = going;
            if said.elapsed() > Duration::from_secs(30) {
                tell(&self.progress(started, start.elapsed()));
                said = Instant::now();
            }
        }
        self.judge(started, start.elapsed())
    }

    /// Removes what an earlier campaign counted; what it found stays.
    fn clear(&self) -> std::io::Result<()> {
        fs::create_dir_all(&self.folder)?;
        for entry in fs::read_dir(&self.folder)? {
            let path = entry?.path();
            if path.is_file() {
                fs::remove_file(path)?;
            }
        }
        Ok(())
    }

    fn start(&self, number: u64, seconds: f64) -> std::io::Result<Child> {
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("worker").arg(&self.folder);
        for kind in &self.kinds {
            command.args(["--target", kind.name()]);
        }
        for (option, value) in
            [("--number", number), ("--seed", self.seed.wrapping_add(number << 32))]
        {
            command.arg(option).arg(value.to_string());
        }
        for (option, value) in [("--seconds", seconds), ("--longest", self.longest)] {
            command.arg(option).arg(value.to_string());
        }
        if let Some(executions) = self.executions {
            command.arg("--executions").arg((executions / self.workers).to_string());
        }
        if self.keeps_corpus {
            command.arg("--keep-corpus");
        }
        command.spawn()
    }

    /// What all workers counted.
    fn counts(&self, workers: u64) -> Vec<(Kind, Count)> {
        let mut counts: Vec<(Kind, Count)> =
            self.kinds.iter().map(|&kind| (kind, Count::default())).collect();
        for worker in 0..workers {
            // a worker that ended at once has counted nothing
            let text = fs::read_to_string(self.folder.join(format!("counts-{worker}")));
            let Ok(Value::Array(all)) = serde_json::from_str(&text.unwrap_or_default()) else {
                continue;
            };
            for ((kind, sum), count) in counts.iter_mut().zip(&all) {
                let whole = |key: &str| count[key].as_u64().unwrap_or(0);
                let number = |key: &str| count[key].as_f64().unwrap_or(0.0);
                sum.executions += whole("executions");
                sum.accepted += whole("accepted");
                sum.seconds += number("seconds");
                sum.memory = sum.memory.max(whole("memory"));
                sum.slowest = sum.slowest.max(number("slowest"));
                sum.branches = sum.branches.max(whole("branches"));
                let seen = self.folder.join(format!("seen-{}-{worker}", kind.name()));
                sum.seen.add(&fs::read(seen).unwrap_or_default());
            }
        }
        counts
    }

    fn progress(&self, workers: u64, time: Duration) -> String {
        let counts = self.counts(workers);
        let sum: u64 = counts.iter().map(|(_, count)| count.executions).sum();
        let findings: usize =
            self.kinds.iter().map(|&kind| watch::findings(&self.folder, kind).len()).sum();
        format!("{:.0} s: {sum} executions, {findings} findings", time.as_secs_f64())
    }

    fn judge(&self, workers: u64, time: Duration) -> Result<String, String> {
        let counts = self.counts(workers);
        let mut table = format!(
            "{:<10}{:>11}{:>9}{:>10}{:>16}{:>8}{:>9}{:>10}\n",
            "target", "executions", "per s", "accepted", "branches", "MB", "slowest", "findings"
        );
        let (mut sum, mut all, mut faults) = (0, Seen::default(), String::new());
        for (kind, count) in &counts {
            let findings = watch::findings(&self.folder, *kind);
            let share = 100.0 * count.accepted as f64 / count.executions.max(1) as f64;
            let _ = writeln!(
                table,
                "{:<10}{:>11}{:>9.0}{:>8.1} %{:>16}{:>8.1}{:>7.2} s{:>10}",
                kind.name(),
                count.executions,
                count.executions as f64 / count.seconds.max(1e-9),
                share,
                branches(&count.seen, count.branches),
                count.memory as f64 / 1e6,
                count.slowest,
                findings.len(),
            );
            sum += count.executions;
            all.add(count.seen.classes());
            for (path, why) in findings {
                let _ = writeln!(faults, "{}: {why}", path.display());
            }
            if count.executions >= ENOUGH && share < LEAST_ACCEPTED {
                let _ = writeln!(
                    faults,
                    "{}: only {share:.1} % of the inputs are accepted; {LEAST_ACCEPTED} % should be",
                    kind.name()
                );
            }
        }
        let total = counts.iter().map(|(_, count)| count.branches).max().unwrap_or(0);
        let _ = write!(
            table,
            "{:<10}{sum:>11}{:>9.0}{:>10}{:>16}   in {:.0} s",
            "all",
            sum as f64 / time.as_secs_f64(),
            "",
            branches(&all, total),
            time.as_secs_f64(),
        );
        if faults.is_empty() { Ok(table) } else { Err(format!("{table}\n{faults}")) }
    }
}

/// How many branches were taken, of how many; `-` where they are not counted.
fn branches(seen: &Seen, of: u64) -> String {
    if of == 0 { "-".to_owned() } else { format!("{}/{of}", seen.edges()) }
}
