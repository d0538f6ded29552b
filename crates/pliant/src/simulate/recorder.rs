//! Recorders of rows, and progress monitors.

use super::channels::Channel;
use crate::integrate::{StateVisitor, Stateful};
use std::convert::Infallible;
use std::error::Error;
use std::ops::ControlFlow;

/// Receives the rows of a run.
pub trait Recorder {
    /// Why a row cannot be taken.
    type Error: Error + 'static;

    /// What the numbers of the rows are, before the first.
    fn start(&mut self, channels: &[Channel]) -> Result<(), Self::Error>;

    /// One number for each channel, at a time (s). Times ascend.
    fn row(&mut self, t: f64, values: &[f64]) -> Result<(), Self::Error>;

    /// Visits what it needs to go on when a run is resumed, after its [`start`](Self::start); the
    /// rows themselves are no part of it.
    fn visit_state(&mut self, _: &mut StateVisitor<'_>) {}
}

/// Keeps the rows in memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Rows {
    /// What the numbers are.
    pub channels: Vec<Channel>,
    /// The times (s).
    pub times: Vec<f64>,
    /// The numbers, row after row.
    pub values: Vec<f64>,
}

impl Rows {
    /// Empty.
    pub fn new() -> Self {
        Self::default()
    }

    /// The numbers of a row, counted from 0, in the order of the channels; none behind the last.
    pub fn row_at(&self, row: usize) -> &[f64] {
        let width = self.channels.len();
        self.values.get(row * width..(row + 1) * width).unwrap_or_default()
    }

    /// The numbers of a channel by name, if it was recorded.
    pub fn column(&self, name: &str) -> Option<Vec<f64>> {
        let at = self.channels.iter().position(|channel| channel.name == name)?;
        Some(self.values.iter().skip(at).step_by(self.channels.len()).copied().collect())
    }
}

impl Recorder for Rows {
    type Error = Infallible;

    fn start(&mut self, channels: &[Channel]) -> Result<(), Infallible> {
        *self = Self { channels: channels.to_vec(), ..Self::default() };
        Ok(())
    }

    fn row(&mut self, t: f64, values: &[f64]) -> Result<(), Infallible> {
        self.times.push(t);
        self.values.extend_from_slice(values);
        Ok(())
    }
}

/// A run under way with what its recorder remembers.
pub(super) struct WithRecorder<'a, C, R>(pub(super) &'a mut C, pub(super) &'a mut R);

impl<C: Stateful, R: Recorder> Stateful for WithRecorder<'_, C, R> {
    fn visit_state(&mut self, state: &mut StateVisitor<'_>) {
        self.0.visit_state(state);
        self.1.visit_state(state);
    }
}

/// The progress of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// The time reached (s).
    pub time: f64,
    /// The time at which it ends (s).
    pub end: f64,
    /// Accepted steps so far.
    pub steps: usize,
    /// The balance of energy now (J), if there is one.
    pub energy_drift: Option<f64>,
}

/// Monitors a run, and may stop it.
pub trait ProgressMonitor {
    /// Called after every step, and within one after every 4096 rows.
    fn progress(&mut self, progress: &Progress) -> ControlFlow<()>;

    /// Called after every step that does not end the run. What it is given computes the state of the
    /// run there, from which it can be resumed; nothing is computed unless it is called.
    fn checkpoint(&mut self, _: &mut dyn FnMut() -> Vec<f64>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// No monitor.
impl ProgressMonitor for () {
    fn progress(&mut self, _: &Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

impl<F: FnMut(&Progress) -> ControlFlow<()>> ProgressMonitor for F {
    fn progress(&mut self, progress: &Progress) -> ControlFlow<()> {
        self(progress)
    }
}
