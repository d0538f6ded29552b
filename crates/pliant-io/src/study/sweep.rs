//! The runs of a study on the threads of one machine.

use super::error::JournalError;
use super::{Accepted, Study, StudyChunk, StudyFolder, StudyStep};
use std::collections::VecDeque;
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long the runs of a chunk should take; at most this is lost by a kill, on each thread.
const CHUNK: f64 = 1.0;

/// A chunk ends after so long in any case, where a run does not last longer.
const LONGEST: Duration = Duration::from_secs(2);

/// A chunk has at most so many runs, which take a few megabytes.
const MOST_RUNS: u64 = 8192;

/// The first chunk of each thread has so many, before it is known how long they take.
const FIRST_RUNS: u64 = 4;

/// How often it is looked whether to stop.
const OFTEN: Duration = Duration::from_millis(100);

/// How far a study is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SweepProgress {
    /// How many runs are done, those of before among them.
    pub done: u64,
    /// How many there are.
    pub all: u64,
    /// How many were done before.
    pub before: u64,
}

/// Does the runs that are missing in a folder, on some threads. The monitor is called now and then,
/// and may stop it: runs that are not over are left, and all that is done is written down.
pub fn sweep(
    study: &Study,
    folder: &mut StudyFolder,
    threads: usize,
    watch: &mut dyn FnMut(&SweepProgress) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, JournalError> {
    let threads = threads.max(1);
    let before = folder.done();
    let all = study.count();
    let work = Work {
        study,
        missing: Mutex::new(folder.missing().into()),
        seconds_per_run: Mutex::new(None),
        left: AtomicU64::new(all - before),
        done: AtomicU64::new(before),
        stops: AtomicBool::new(false),
        threads: threads as u64,
    };
    std::thread::scope(|scope| {
        let (chunks, arriving) = sync_channel(threads);
        for _ in 0..threads {
            let (chunks, work) = (chunks.clone(), &work);
            scope.spawn(move || work.go_on(&chunks));
        }
        drop(chunks);
        let mut failed = None;
        loop {
            match arriving.recv_timeout(OFTEN) {
                Ok(chunk) if failed.is_none() => {
                    let stored = chunk.and_then(|chunk| folder.accept(study, &chunk));
                    if let Err(error) = stored.map(|_: Accepted| ()) {
                        work.stops.store(true, Relaxed);
                        failed = Some(error);
                    }
                }
                // what comes after a failure is done again
                Ok(_) | Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            let progress = SweepProgress { done: work.done.load(Relaxed), all, before };
            if watch(&progress).is_break() {
                work.stops.store(true, Relaxed);
            }
        }
        match failed {
            Some(error) => Err(error),
            None if folder.done() == all => Ok(ControlFlow::Continue(())),
            None => Ok(ControlFlow::Break(())),
        }
    })
}

/// What the threads share.
struct Work<'a> {
    study: &'a Study,
    missing: Mutex<VecDeque<Range<u64>>>,
    /// Of the runs so far, the latest weighing most.
    seconds_per_run: Mutex<Option<f64>>,
    /// How many runs nobody has taken.
    left: AtomicU64,
    done: AtomicU64,
    stops: AtomicBool,
    threads: u64,
}

impl Work<'_> {
    /// Does chunk after chunk.
    fn go_on(&self, chunks: &SyncSender<Result<StudyChunk, JournalError>>) {
        while let Some(runs) = self.next() {
            let begun = Instant::now();
            let mut monitor = |step: StudyStep| {
                let is_late = match step {
                    StudyStep::Within => false,
                    StudyStep::Done(_) => {
                        self.done.fetch_add(1, Relaxed);
                        begun.elapsed() >= LONGEST
                    }
                };
                if is_late || self.stops.load(Relaxed) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            };
            let chunk = self.study.run_chunk(runs.clone(), &mut monitor);
            let done = match &chunk {
                Ok(Some(chunk)) => chunk.runs.end,
                _ => runs.start,
            };
            self.measured(done - runs.start, begun.elapsed());
            if done < runs.end {
                self.left.fetch_add(runs.end - done, Relaxed);
                lock(&self.missing).push_front(done..runs.end);
            }
            let sent = chunk.transpose().map(|chunk| chunks.send(chunk));
            if matches!(sent, Some(Err(_))) {
                return;
            }
        }
    }

    /// The next runs: as many as should take a second, fewer towards the end, so that no thread waits
    /// long for another.
    fn next(&self) -> Option<Range<u64>> {
        if self.stops.load(Relaxed) {
            return None;
        }
        #[allow(clippy::cast_sign_loss, reason = "it is one or more")]
        let wished = match *lock(&self.seconds_per_run) {
            Some(seconds) if seconds > 0.0 => (CHUNK / seconds).clamp(1.0, MOST_RUNS as f64) as u64,
            Some(_) => MOST_RUNS,
            None => FIRST_RUNS,
        };
        let share = self.left.load(Relaxed).div_ceil(2 * self.threads);
        let wished = wished.min(share).max(1);
        let mut missing = lock(&self.missing);
        let stretch = missing.front_mut()?;
        let runs = stretch.start..stretch.end.min(stretch.start + wished);
        stretch.start = runs.end;
        if stretch.is_empty() {
            missing.pop_front();
        }
        self.left.fetch_sub(runs.end - runs.start, Relaxed);
        Some(runs)
    }

    fn measured(&self, runs: u64, took: Duration) {
        if runs == 0 {
            return;
        }
        let now = took.as_secs_f64() / runs as f64;
        let mut known = lock(&self.seconds_per_run);
        *known = Some(known.map_or(now, |known| 0.5 * (known + now)));
    }
}

/// No thread panics while it holds one of these.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
