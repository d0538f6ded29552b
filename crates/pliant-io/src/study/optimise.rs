//! The runs of an optimisation, on the threads of one machine.

use super::chunk::Rows;
use super::error::JournalError;
use super::row::Row;
use super::{Accepted, Study, StudyFolder};
use pliant::study::{Optimiser, Trial, TrialOutcome};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

/// At most what is computed in this time is lost by a kill.
const CHUNK: Duration = Duration::from_secs(1);

/// How often it is looked whether to stop.
const OFTEN: Duration = Duration::from_millis(100);

/// How far an optimisation is.
#[derive(Clone, Debug, PartialEq)]
pub struct OptimiseProgress {
    /// How many trials there are, those of before among them.
    pub done: u64,
    /// How many there may be.
    pub most: u64,
    /// How many there were before.
    pub before: u64,
    /// The best of each goal among trials that keep all constraints; nothing before there is one.
    pub best: Vec<f64>,
}

/// Does the trials that are missing in the folder of an optimisation: those that the search asks for,
/// one after the other. Other threads do what it will ask for if that is no better; what it does not
/// ask for is forgotten, so that the rows depend on the study alone. The monitor is called now and
/// then, and may stop it: all trials that are over are written down.
pub fn optimise(
    study: &Study,
    folder: &mut StudyFolder,
    threads: usize,
    watch: &mut dyn FnMut(&OptimiseProgress) -> ControlFlow<()>,
) -> Result<ControlFlow<()>, JournalError> {
    let Some(own) = study.optimisation() else { return Err(JournalError::Sweeps) };
    if folder.is_merged() {
        return Ok(ControlFlow::Continue(()));
    }
    let mut kept = folder.kept(study)?;
    let mut search = Optimiser::new(own.problem().clone())?;
    let (before, most) = (kept.len() as u64, study.count());
    let mut progress = OptimiseProgress { done: 0, most, before, best: Vec::new() };
    let mut ahead: Vec<Done> = Vec::new();
    let mut stops = false;
    let mut page = Page::new(study, 0);
    while let Some(point) = search.next_point() {
        let outcome = if let Some(trial) = kept.remove(&progress.done) {
            if trial.point != point {
                let (path, run) = (folder.path().to_owned(), progress.done);
                return Err(JournalError::OtherPoint { path, run });
            }
            page.close(study, folder, progress.done + 1)?;
            trial.outcome
        } else {
            if !ahead.iter().any(|done| done.row.drawn == point) {
                let points = match threads {
                    0 | 1 => vec![point.clone()],
                    many => search.foreseen(many),
                };
                (ahead, stops) = together(study, points, &mut || watch(&progress));
            }
            let Some(at) = ahead.iter().position(|done| done.row.drawn == point) else {
                page.close(study, folder, progress.done)?;
                return Ok(ControlFlow::Break(()));
            };
            let done = ahead.swap_remove(at);
            let outcome = study.outcome(&point, &done.row.figures, done.row.status);
            page.add(study, done);
            if page.begun.elapsed() >= CHUNK || page.rows.is_full() {
                page.close(study, folder, progress.done + 1)?;
            }
            outcome
        };
        progress.look(study, &Trial { point, outcome: outcome.clone() });
        search.tell(outcome)?;
        // points that are excluded are over without asking anybody
        if stops {
            page.close(study, folder, progress.done)?;
            return Ok(ControlFlow::Break(()));
        }
    }
    page.close(study, folder, progress.done)?;
    if let Some((&run, _)) = kept.first_key_value() {
        return Err(JournalError::OtherPoint { path: folder.path().to_owned(), run });
    }
    folder.end_at(progress.done);
    Ok(ControlFlow::Continue(()))
}

impl OptimiseProgress {
    /// One more trial.
    fn look(&mut self, study: &Study, trial: &Trial) {
        self.done += 1;
        let (TrialOutcome::Figures { values, .. }, Some(own)) =
            (&trial.outcome, study.optimisation())
        else {
            return;
        };
        if !trial.is_feasible() {
            return;
        }
        let told = own.goals().iter().zip(values);
        let told = told.map(|(goal, value)| if goal.is_maximised { -value } else { *value });
        let told: Vec<f64> = told.collect();
        if self.best.is_empty() {
            self.best = told;
            return;
        }
        for ((best, new), goal) in self.best.iter_mut().zip(told).zip(own.goals()) {
            *best = if goal.is_maximised { best.max(new) } else { best.min(new) };
        }
    }
}

/// A trial that is over.
struct Done {
    row: Row,
    seconds: f64,
}

/// Runs at these points at the same time: those that are over, and whether it was stopped.
fn together(
    study: &Study,
    points: Vec<Vec<f64>>,
    watch: &mut dyn FnMut() -> ControlFlow<()>,
) -> (Vec<Done>, bool) {
    let stops = AtomicBool::new(false);
    let mut done = Vec::with_capacity(points.len());
    std::thread::scope(|scope| {
        let (rows, arriving) = channel();
        for point in points {
            let (rows, stops) = (rows.clone(), &stops);
            scope.spawn(move || {
                let begun = Instant::now();
                let mut goes_on = || {
                    if stops.load(Relaxed) {
                        ControlFlow::Break(())
                    } else {
                        ControlFlow::Continue(())
                    }
                };
                if let Some(row) = study.row_at(point, &mut goes_on) {
                    // nobody listens where it was stopped
                    let _ = rows.send(Done { row, seconds: begun.elapsed().as_secs_f64() });
                }
            });
        }
        drop(rows);
        loop {
            match arriving.recv_timeout(OFTEN) {
                Ok(row) => done.push(row),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if watch().is_break() {
                stops.store(true, Relaxed);
            }
        }
    });
    (done, stops.into_inner())
}

/// Rows on their way into a chunk of the folder.
struct Page {
    rows: Rows,
    seconds: f64,
    begun: Instant,
}

impl Page {
    fn new(study: &Study, first: u64) -> Self {
        Self { rows: Rows::new(study, first), seconds: 0.0, begun: Instant::now() }
    }

    fn add(&mut self, study: &Study, done: Done) {
        self.rows.add(study, done.row);
        self.seconds += done.seconds;
    }

    /// Writes the rows down, and begins a page whose first run is this one.
    fn close(
        &mut self,
        study: &Study,
        folder: &mut StudyFolder,
        next: u64,
    ) -> Result<(), JournalError> {
        if let Some(chunk) = self.rows.chunk(study, self.seconds)? {
            let _: Accepted = folder.accept(study, &chunk)?;
        }
        *self = Self::new(study, next);
        Ok(())
    }
}
