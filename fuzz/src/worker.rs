//! A process that executes inputs, one after the other.

use crate::corpus::Corpus;
use crate::coverage::{self, Seen};
use crate::memory;
use crate::random::{Random, hash};
use crate::target::{Kind, Target, Verdict};
use crate::watch::{self, MOST_MEMORY, Trouble, Watch};
use cpu_time::ThreadTime;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// What a worker does.
#[derive(Clone, Debug)]
pub struct Work {
    /// The readers that get inputs.
    pub kinds: Vec<Kind>,
    /// When it ends at the latest.
    pub seconds: f64,
    /// How many inputs each reader gets at most, in the order of `kinds`.
    pub executions: Option<Vec<u64>>,
    /// How much processor time an execution may take (s).
    pub longest: f64,
    /// What the random numbers start from.
    pub seed: u64,
    /// Its number among the workers.
    pub number: u64,
    /// Where findings, counts and inputs are written.
    pub folder: PathBuf,
    /// Whether inputs of earlier campaigns are taken, and new ones kept for later ones.
    pub keeps_corpus: bool,
}

/// How long one reader gets inputs before the next one does.
const TURN: Duration = Duration::from_millis(200);

/// How often counts are written, and inputs of the other workers looked for.
const OFTEN: Duration = Duration::from_secs(1);
const SELDOM: Duration = Duration::from_secs(20);

/// What became of an input.
#[derive(Debug)]
pub struct Execution {
    /// The answer, or the panic.
    pub verdict: Result<Verdict, String>,
    /// Processor time (s).
    pub seconds: f64,
    /// Memory (bytes).
    pub memory: usize,
}

impl Execution {
    /// What it costs, in units of what an input may cost. What an ordinary build makes must not depend
    /// on times, so that there it is the memory, squared.
    pub fn cost(&self) -> f64 {
        if coverage::count() > 0 {
            self.seconds / 5e-4
        } else {
            (self.memory as f64 / 1.5e5).powi(2)
        }
    }
}

/// Executes an input. [`watch::keep_panics`] tells what panicked.
pub fn execute(target: &Target, input: &str) -> Execution {
    coverage::clear();
    let before = memory::begin();
    let time = ThreadTime::now();
    let verdict = catch_unwind(AssertUnwindSafe(|| target.run(input)));
    let seconds = time.elapsed().as_secs_f64();
    // what other threads of the process give back meanwhile is not of this execution
    let memory = memory::peak().saturating_sub(before);
    Execution { verdict: verdict.map_err(|_| watch::last_panic()), seconds, memory }
}

/// A reader with its inputs and counts.
struct Lane {
    target: Target,
    corpus: Corpus,
    random: Random,
    seen: Seen,
    /// The inputs of the folder of the corpus that are known.
    known: BTreeSet<PathBuf>,
    left: u64,
    executions: u64,
    accepted: u64,
    seconds: f64,
    memory: usize,
    slowest: f64,
}

impl Work {
    /// Works until the time or the inputs are used up.
    pub fn run(&self) -> Result<(), String> {
        let told = |why: std::io::Error| format!("{}: {why}", self.folder.display());
        watch::keep_panics();
        let mut watch = Watch::new(&self.folder, self.number, self.longest).map_err(told)?;
        let scratch = scratch(self.number);
        let start = Instant::now();
        let mut lanes = Vec::new();
        for (place, &kind) in self.kinds.iter().enumerate() {
            let left = self.executions.as_ref().map_or(u64::MAX, |all| all[place]);
            let mut lane = self.lane(kind, &scratch, left)?;
            for seed in lane.target.seeds()? {
                self.step(&mut lane, seed, &mut watch, true).map_err(told)?;
            }
            lanes.push(lane);
        }
        let (mut often, mut seldom) = (Instant::now(), None::<Instant>);
        let is_over = || start.elapsed().as_secs_f64() > self.seconds;
        while !is_over() && lanes.iter().any(|lane| lane.left > 0) {
            if seldom.is_none_or(|last| last.elapsed() > SELDOM) {
                for lane in &mut lanes {
                    self.meet_others(lane, &mut watch).map_err(told)?;
                    self.write_seen(lane).map_err(told)?;
                }
                seldom = Some(Instant::now());
            }
            for lane in &mut lanes {
                let turn = Instant::now();
                while lane.left > 0 && turn.elapsed() < TURN && !is_over() {
                    let Some(input) = lane.corpus.make(&lane.target, &mut lane.random) else {
                        continue;
                    };
                    lane.left -= 1;
                    self.step(lane, input, &mut watch, false).map_err(told)?;
                }
                lane.seconds += turn.elapsed().as_secs_f64();
            }
            if often.elapsed() > OFTEN {
                self.write_counts(&lanes).map_err(told)?;
                often = Instant::now();
            }
        }
        for lane in &lanes {
            self.write_seen(lane).map_err(told)?;
        }
        self.write_counts(&lanes).map_err(told)?;
        // what is left there is in nobody's way
        let _ = fs::remove_dir_all(scratch);
        Ok(())
    }

    fn lane(&self, kind: Kind, scratch: &Path, left: u64) -> Result<Lane, String> {
        Ok(Lane {
            target: Target::new(kind, scratch)?,
            corpus: Corpus::default(),
            random: Random::new(self.seed ^ hash(kind.name().as_bytes())),
            seen: Seen::default(),
            known: BTreeSet::new(),
            left,
            executions: 0,
            accepted: 0,
            seconds: 0.0,
            memory: 0,
            slowest: 0.0,
        })
    }

    /// Executes an input; one that took a new branch, or is a seed, will have others made from it.
    fn step(
        &self,
        lane: &mut Lane,
        input: String,
        watch: &mut Watch,
        is_seed: bool,
    ) -> std::io::Result<()> {
        let kind = lane.target.kind;
        watch.begin(kind, &input)?;
        let done = execute(&lane.target, &input);
        watch.end();
        let is_new = lane.seen.take();
        let accepted = done.verdict == Ok(Verdict::Accepted);
        lane.memory = lane.memory.max(done.memory);
        if done.seconds > lane.slowest {
            lane.slowest = done.seconds;
            let name = format!("slowest-{}-{}", kind.name(), self.number);
            fs::write(self.folder.join(name), &input)?;
        }
        if !is_seed {
            lane.executions += 1;
            lane.accepted += u64::from(accepted);
        }
        if done.memory > MOST_MEMORY {
            let why = format!("{} MB of memory", done.memory / 1_000_000);
            watch::save(&self.folder, kind, Trouble::Memory, &why, &input);
        }
        if let Err(why) = done.verdict {
            watch::save(&self.folder, kind, Trouble::Panic, &why, &input);
            return Ok(());
        }
        if is_seed || is_new {
            let cost = done.cost();
            if is_new && !is_seed && self.keeps_corpus {
                let path = self.corpus(kind).join(format!("{:016x}", hash(input.as_bytes())));
                lane.known.insert(path.clone());
                fs::write(path, &input)?;
            }
            lane.corpus.add(kind, input, accepted, cost);
        }
        Ok(())
    }

    fn corpus(&self, kind: Kind) -> PathBuf {
        self.folder.join("corpus").join(kind.name())
    }

    /// Takes inputs that other workers and earlier campaigns kept.
    fn meet_others(&self, lane: &mut Lane, watch: &mut Watch) -> std::io::Result<()> {
        if !self.keeps_corpus {
            return Ok(());
        }
        let folder = self.corpus(lane.target.kind);
        fs::create_dir_all(&folder)?;
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            if lane.known.insert(path.clone())
                && let Ok(input) = fs::read_to_string(&path)
            {
                self.step(lane, input, watch, true)?;
            }
        }
        Ok(())
    }

    fn write_seen(&self, lane: &Lane) -> std::io::Result<()> {
        let name = format!("seen-{}-{}", lane.target.kind.name(), self.number);
        fs::write(self.folder.join(name), lane.seen.classes())
    }

    fn write_counts(&self, lanes: &[Lane]) -> std::io::Result<()> {
        let counts: Vec<Value> = lanes
            .iter()
            .map(|lane| {
                json!({
                    "kind": lane.target.kind.name(), "executions": lane.executions,
                    "accepted": lane.accepted, "seconds": lane.seconds, "memory": lane.memory,
                    "slowest": lane.slowest, "corpus": lane.corpus.len(),
                    "branches": coverage::count(),
                })
            })
            .collect();
        // the other process never reads half of it
        let path = self.folder.join(format!("counts-{}", self.number));
        fs::write(path.with_extension("new"), Value::from(counts).to_string())?;
        fs::rename(path.with_extension("new"), path)
    }
}

/// A folder for what readers write, in memory where there is such a folder.
pub fn scratch(number: u64) -> PathBuf {
    let memory = Path::new("/dev/shm");
    let above = if memory.is_dir() { memory.to_owned() } else { std::env::temp_dir() };
    above.join(format!("pliant-fuzz-{}-{number}", std::process::id()))
}
