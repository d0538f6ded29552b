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
        let mut stage = stage.into();
        if !output.has_notes() {
            return Self { stages: None, thread: None };
        }
        let (sender, stages) = channel();
        let thread = std::thread::spawn(move || {
            let start = Instant::now();
            let mut next = PATIENCE;
            loop {
                match stages.recv_timeout(next.saturating_sub(start.elapsed())) {
                    Ok(following) => stage = following,
                    Err(RecvTimeoutError::Disconnected) => return,
                    Err(RecvTimeoutError::Timeout) => {
                        let seconds = start.elapsed().as_secs();
                        let line = format!("… {stage}, {seconds} s so far\n");
                        crate::output::say(&pliant::name::shown_lines(&line));
                        next = start.elapsed() + PAUSE;
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
