//! Signs of life, for what takes longer than two seconds.

use crate::output::Output;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// How long nothing is said.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long between one line and the next.
const PAUSE: Duration = Duration::from_secs(5);

/// Says what is being done, as long as it lives.
#[derive(Debug)]
pub(crate) struct Progress {
    stages: Option<Sender<String>>,
    thread: Option<JoinHandle<()>>,
}

impl Progress {
    /// Begins with the first stage.
    pub(crate) fn new(output: &Output, stage: impl Into<String>) -> Self {
        if !output.has_notes() {
            return Self { stages: None, thread: None };
        }
        let say = |line: &str| crate::output::say(&pliant::name::shown_lines(line));
        Self::saying([PATIENCE, PAUSE], stage.into(), say)
    }

    /// Says it after the first time, and again after each second.
    fn saying(
        [patience, pause]: [Duration; 2],
        mut stage: String,
        mut say: impl FnMut(&str) + Send + 'static,
    ) -> Self {
        let (sender, stages) = channel();
        let thread = std::thread::spawn(move || {
            let start = Instant::now();
            let mut next = patience;
            loop {
                match stages.recv_timeout(next.saturating_sub(start.elapsed())) {
                    Ok(following) => stage = following,
                    Err(RecvTimeoutError::Disconnected) => return,
                    Err(RecvTimeoutError::Timeout) => {
                        let seconds = start.elapsed().as_secs();
                        say(&format!("… {stage}, {seconds} s so far\n"));
                        next = start.elapsed() + pause;
                    }
                }
            }
        });
        Self { stages: Some(sender), thread: Some(thread) }
    }

    /// Goes on to another stage.
    pub(crate) fn stage(&self, stage: impl Into<String>) {
        if let Some(stages) = &self.stages {
            let _ = stages.send(stage.into());
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.stages = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The stage that lasts is told again and again, and nothing once it is over.
    #[test]
    fn lines_go_on_as_long_as_a_stage_lasts() {
        let (lines, said) = channel();
        let times = [Duration::from_millis(20), Duration::from_millis(10)];
        let progress = Progress::saying(times, "reading".to_owned(), move |line| {
            let _ = lines.send(line.to_owned());
        });
        progress.stage("writing result.parquet");
        for _ in 0..3 {
            let line = said.recv_timeout(Duration::from_secs(30)).expect("a line");
            assert_eq!(line, "… writing result.parquet, 0 s so far\n");
        }
        drop(progress);
        said.try_iter().for_each(drop);
        assert!(said.recv_timeout(Duration::from_millis(50)).is_err());
    }
}
