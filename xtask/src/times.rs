//! How long each test takes, told from the outside: the standard harness of Rust does not say.
//!
//! The harness starts tests in the order of their names, as many at once as it has threads, and one
//! more whenever one ends. So the instants at which tests end also say when the others began.

use crate::Outcome;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::time::{Duration, Instant};

/// What the harness says of a test that is left out because it takes long.
const LONG: &str = "ignored, long:";

/// What `cargo test` was seen to do.
#[derive(Default)]
pub(crate) struct Seen {
    /// Every test and how long it took.
    pub(crate) tests: Vec<(Duration, String)>,
    /// Tests that were left out because they take long.
    pub(crate) long: usize,
    /// What tests said they had skipped, and why.
    pub(crate) skipped: Vec<String>,
}

impl Seen {
    /// The tests that took longest, so many at most.
    pub(crate) fn slowest(&self, count: usize) -> Vec<(Duration, &str)> {
        let mut tests: Vec<_> = self.tests.iter().map(|(time, name)| (*time, &**name)).collect();
        tests.sort_by_key(|(time, _)| std::cmp::Reverse(*time));
        tests.truncate(count);
        tests
    }
}

/// Runs `cargo test`, lets its words through, and looks at the clock.
pub(crate) fn watch(cargo: &mut Command, seen: &mut Seen) -> Outcome {
    let mut child = cargo
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|why| format!("cargo test could not be started: {why}"))?;
    let (sender, lines) = channel();
    let words = child.stdout.take().map(|pipe| follow(pipe, std::io::stdout(), sender.clone()));
    let status = child.stderr.take().map(|pipe| follow(pipe, std::io::stderr(), sender));
    let threads = std::env::var("RUST_TEST_THREADS").ok().and_then(|text| text.parse().ok());
    let threads = threads.or_else(|| std::thread::available_parallelism().ok().map(usize::from));
    let mut watcher = Watcher::new(threads.unwrap_or(1), seen);
    for (at, line) in lines {
        watcher.line(at, &line);
    }
    for reader in [words, status].into_iter().flatten() {
        let _ = reader.join();
    }
    match child.wait() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("cargo test failed ({status})")),
        Err(why) => Err(format!("cargo test was lost: {why}")),
    }
}

/// Copies lines, and tells each with its instant.
fn follow(
    from: impl Read + Send + 'static,
    mut to: impl Write + Send + 'static,
    tell: Sender<(Instant, String)>,
) -> std::thread::JoinHandle<()> {
    std::thread::spawn(move || {
        let mut from = BufReader::new(from);
        let mut bytes = Vec::new();
        while from.read_until(b'\n', &mut bytes).is_ok_and(|count| count > 0) {
            let at = Instant::now();
            // nobody may read any more; the tests go on
            let _ = to.write_all(&bytes).and_then(|()| to.flush());
            let _ = tell.send((at, String::from_utf8_lossy(&bytes).trim_end().to_owned()));
            bytes.clear();
        }
    })
}

/// Understands the lines of one test program after the other.
struct Watcher<'a> {
    seen: &'a mut Seen,
    /// How many tests a program runs at once.
    threads: usize,
    /// The program.
    program: String,
    /// When it began, and whether it told of the standard harness.
    begin: Option<Instant>,
    standard: bool,
    /// Its tests in the order in which they ended.
    ended: Vec<(Instant, String)>,
}

impl<'a> Watcher<'a> {
    fn new(threads: usize, seen: &'a mut Seen) -> Self {
        let (program, ended) = (String::new(), Vec::new());
        Self { seen, threads: threads.max(1), program, begin: None, standard: false, ended }
    }

    fn line(&mut self, at: Instant, line: &str) {
        let trimmed = line.trim_start();
        if let Some(program) = trimmed.strip_prefix("Running ") {
            self.start(at, &name_of(program));
        } else if let Some(package) = trimmed.strip_prefix("Doc-tests ") {
            self.start(at, &format!("documentation of {package}"));
        } else if line.starts_with("running ") && line.ends_with(['s', 't']) {
            (self.begin, self.standard) = (Some(at), true);
        } else if line.starts_with("test result:") {
            self.finish(at);
        } else if line.contains(": skipped: ") {
            self.seen.skipped.push(line.to_owned());
        } else if let Some((name, how)) =
            line.strip_prefix("test ").and_then(|test| test.rsplit_once(" ... "))
        {
            self.seen.long += usize::from(how.starts_with(LONG));
            self.ended.push((at, name.to_owned()));
        }
    }

    fn start(&mut self, at: Instant, program: &str) {
        program.clone_into(&mut self.program);
        (self.begin, self.standard) = (Some(at), false);
        self.ended.clear();
    }

    /// The program is done: its tests, or all of it where another harness tells nothing of instants.
    fn finish(&mut self, at: Instant) {
        let Some(begin) = self.begin.take() else { return };
        let ended = std::mem::take(&mut self.ended);
        if self.standard {
            for (time, test) in durations(begin, self.threads, &ended) {
                self.seen.tests.push((time, format!("{} {test}", self.program)));
            }
        } else {
            self.seen.tests.push((at - begin, self.program.clone()));
        }
    }
}

/// `tests/it/main.rs (target/…)` is `it`, and `unittests src/lib.rs (target/…/pliant-0f…)` `pliant`.
fn name_of(program: &str) -> String {
    let file = program.rsplit(['/', '\\']).next().unwrap_or_default().trim_end_matches(')');
    file.rsplit_once('-').map_or(file, |(name, _)| name).to_owned()
}

/// How long each of the tests took that ended at these instants, so many at once from `begin` on.
fn durations(
    begin: Instant,
    threads: usize,
    ended: &[(Instant, String)],
) -> Vec<(Duration, String)> {
    let mut order: Vec<&str> = ended.iter().map(|(_, name)| name.as_str()).collect();
    order.sort_unstable();
    // the first begin with the program, each further one as another ends
    let begins = std::iter::repeat_n(begin, threads).chain(ended.iter().map(|(at, _)| *at));
    let begins: std::collections::HashMap<&str, Instant> = order.into_iter().zip(begins).collect();
    ended
        .iter()
        .map(|(at, name)| (at.saturating_duration_since(begins[name.as_str()]), name.clone()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(threads: usize, lines: &[(u64, &str)]) -> Seen {
        let begin = Instant::now();
        let mut seen = Seen::default();
        let mut watcher = Watcher::new(threads, &mut seen);
        for (at, line) in lines {
            watcher.line(begin + Duration::from_secs(*at), line);
        }
        seen
    }

    fn seconds(seen: &Seen) -> Vec<(u64, &str)> {
        seen.slowest(10).into_iter().map(|(time, name)| (time.as_secs(), name)).collect()
    }

    #[test]
    fn a_test_begins_when_another_ends() {
        let seen = told(
            2,
            &[
                (0, "     Running tests/it/main.rs (target/release/deps/it-0123abcd)"),
                (1, "running 4 tests"),
                (3, "test b ... ok"),
                (4, "test c ... FAILED"),
                (9, "test a::x ... ok"),
                (10, "test d - should panic ... ok"),
                (10, "test result: FAILED. 3 passed; 1 failed; 0 ignored; finished in 9.00s"),
            ],
        );
        let wanted = [(8, "it a::x"), (6, "it d - should panic"), (2, "it b"), (1, "it c")];
        assert_eq!(seconds(&seen), wanted);
    }

    #[test]
    fn one_thread_runs_one_after_the_other() {
        let seen = told(
            1,
            &[
                (0, "     Running unittests src/lib.rs (target/release/deps/pliant-0123abcd)"),
                (0, "running 2 tests"),
                (3, "test a ... ok"),
                (4, "test b ... ok"),
                (4, "test result: ok. 2 passed"),
            ],
        );
        assert_eq!(seconds(&seen), [(3, "pliant a"), (1, "pliant b")]);
    }

    #[test]
    fn a_program_with_its_own_harness_is_one_test() {
        let seen = told(
            2,
            &[
                (5, "     Running tests/cases/main.rs (target/release/deps/cases-0123abcd)"),
                (9, "test king 1 ... ok"),
                (9, "test result: ok. 1 passed; 0 failed; 0 filtered out"),
            ],
        );
        assert_eq!(seconds(&seen), [(4, "cases")]);
    }

    #[test]
    fn what_is_left_out_is_counted() {
        let seen = told(
            2,
            &[
                (0, "     Running tests/it/main.rs (target/release/deps/it-0123abcd)"),
                (0, "running 2 tests"),
                (0, "test a ... ignored, long: cargo xtask test --long"),
                (0, "test b ... ignored, started by another"),
                (1, "scipy: skipped: no Python"),
                (1, "test result: ok. 0 passed; 0 failed; 2 ignored"),
            ],
        );
        assert_eq!((seen.long, seen.skipped), (1, vec!["scipy: skipped: no Python".to_owned()]));
    }
}
