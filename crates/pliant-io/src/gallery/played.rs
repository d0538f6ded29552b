//! Scenarios of a row and their runs.

use super::measure::{Lack, Ran};
use super::vibrations::VibrationCourses;
use crate::problem::Report;
use crate::scenario::{self, RunFailure, Setup};
use pliant::Help as _;
use pliant::analyse::OutOfRange;
use pliant::scenario::{RangeLimit, RunWarning};
use pliant::simulate::{Progress, Status};
use std::cell::OnceCell;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A scenario of a row and, where it is asked for, its run.
pub(super) struct Played {
    pub(super) setup: Setup,
    /// Or in words why it cannot be run.
    ran: Option<Result<Ran, String>>,
    /// Found once they are asked for.
    vibrations: OnceCell<Result<VibrationCourses, Lack>>,
}

/// Runs with further values, by these.
pub(super) type Others = Vec<(Vec<String>, Played)>;

impl Played {
    /// Breaks where it was stopped.
    pub(super) fn new(setup: Setup, runs: bool, stopped: &AtomicBool) -> ControlFlow<(), Self> {
        let mut ran = None;
        if runs {
            let mut watch = |_: &Progress| {
                if stopped.load(Relaxed) {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
            };
            ran = Some(match scenario::record(&setup, &mut watch) {
                Ok(run) if run.summary.outcome.run.ending.status == Status::Interrupted => {
                    return ControlFlow::Break(());
                }
                Ok(run) => Ok(Ran::new(run)),
                Err(failure) => Err(in_words(&failure)),
            });
        }
        ControlFlow::Continue(Self { setup, ran, vibrations: OnceCell::new() })
    }

    /// A scenario that is not run.
    pub(super) fn unplayed(setup: Setup) -> Self {
        Self { setup, ran: None, vibrations: OnceCell::new() }
    }

    /// With its run, where there is one.
    pub(super) fn with_run(&self) -> Option<(&Self, &Ran)> {
        self.ran.as_ref().and_then(|ran| ran.as_ref().ok()).map(|ran| (self, ran))
    }

    /// Why it has no end.
    pub(super) fn failure(&self) -> Option<&str> {
        match self.ran.as_ref()? {
            Ok(ran) => ran.broke_down.as_deref(),
            Err(words) => Some(words),
        }
    }

    /// What its scenario and its run warned of: by what it is the same as another warning, and its words.
    pub(super) fn warnings(&self) -> impl Iterator<Item = (String, String)> {
        let doubts = self.setup.warnings.iter().flat_map(Report::problems);
        let doubts = doubts.map(|doubt| (doubt.code.name.to_owned(), doubt.message.clone()));
        let ran = self.ran.iter().flatten();
        let found = ran.flat_map(|ran| &ran.run.words.found);
        doubts.chain(found.map(|found| (kind(found), found.to_string())))
    }

    /// The vibrations along its run.
    pub(super) fn vibrations(&self, ran: &Ran) -> &Result<VibrationCourses, Lack> {
        self.vibrations.get_or_init(|| VibrationCourses::along(&self.setup, &ran.run.rows))
    }
}

fn in_words(failure: &RunFailure) -> String {
    let help = failure.help().map_or_else(String::new, |help| format!("; {help}"));
    format!("the scenario cannot be run: {failure}{help}")
}

/// What a warning is about: its numbers differ from run to run, its kind and its subject do not.
fn kind(warning: &RunWarning) -> String {
    let (what, subject) = match warning {
        RunWarning::Range(found) => {
            let what = match &found.most {
                RangeLimit::Turn(_) => "turn",
                RangeLimit::Options(OutOfRange::Slope { .. }) => "slope",
                RangeLimit::Options(OutOfRange::Spin { .. }) => "spin",
                RangeLimit::Options(OutOfRange::Axial { .. }) => "axial load",
                RangeLimit::Options(_) => "range",
            };
            (what, found.most.link())
        }
        RunWarning::TooFast { motor, .. } => ("too fast", motor.as_str()),
        RunWarning::Saturated { motor, .. } => ("saturated", motor.as_str()),
        RunWarning::Sliding(speed) => ("sliding", speed.coordinate.as_str()),
        RunWarning::Overstressed { link, .. } => ("overstressed", link.as_str()),
        RunWarning::EnergyDrift { .. } => ("energy", ""),
        RunWarning::OffPlan { joint, .. } => ("off plan", joint.as_str()),
        other => return other.to_string(),
    };
    format!("{what} {subject}")
}
