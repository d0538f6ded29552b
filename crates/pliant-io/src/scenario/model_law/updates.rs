//! When a law computes the matrices of its model anew.

use super::Job;
use crate::reader::Reader;
use crate::scenario::refusal::CONTROLLER;
use crate::scenario::shapes::{Lasting, NotNegative};
use crate::shapes::{Count, Flat};
use crate::table::table;
use pliant::control::{Matrices, MatrixUpdate};
use pliant::scenario::Timing;

table! {
    /// After which time the model is asked again.
    pub(crate) struct UpdatePeriod = "updates by time", "write update_period = \"10 ms\"";
    keys {
        /// Time between updates of the model matrices.
        update_period: Lasting [or "at every sample"],
    }
}

table! {
    /// When the matrices of the model are computed anew: at every tick if none of these keys is
    /// given.
    pub(crate) struct Updates = "updates", "write update_period = \"10 ms\"";
    keys {
        /// By time.
        period: Flat<UpdatePeriod> [flat],
        /// Or the relative change that triggers an update.
        update_change: NotNegative [or "at every sample"],
        /// Or the distance of a joint from its target, or from its position at the last update,
        /// that triggers one [rad, m].
        update_distance: NotNegative [or "at every sample"],
        /// Or the time between entries of a table along the plan.
        update_along_plan: Lasting [or "at every sample"],
        /// Or the number of entries per joint of a table over the workspace.
        update_cells: Count<1, 1000> [or "at every sample"],
    }
}

/// After which time matrices are computed anew, 0 for every tick.
pub(super) fn update_period(
    reader: &mut Reader,
    keys: &UpdatePeriod,
    job: &Job<'_>,
) -> Option<f64> {
    let period = keys.update_period.or(0.0)?;
    if keys.update_period.is_given() {
        needs_clock(reader, job)?;
    }
    Some(period)
}

/// When matrices are computed anew.
pub(super) fn updates(reader: &mut Reader, keys: &Updates, job: &Job<'_>) -> Option<Matrices> {
    let Updates { update_change, update_distance, update_along_plan, update_cells, .. } = keys;
    let update_period = &keys.period.update_period;
    let policies = [
        update_period.given(),
        update_change.given(),
        update_distance.given(),
        update_along_plan.given(),
        update_cells.given(),
    ];
    if reader.exclude(&policies, "each is a policy of its own").is_none() {
        return Some(Matrices::new(MatrixUpdate::Always));
    }
    let policy = if update_period.is_given() {
        MatrixUpdate::Every(update_period.value?)
    } else if update_change.is_given() {
        MatrixUpdate::Changed(update_change.value?)
    } else if update_distance.is_given() {
        MatrixUpdate::Strayed(update_distance.value?)
    } else if update_along_plan.is_given() {
        MatrixUpdate::AlongTrajectory(update_along_plan.value?)
    } else {
        MatrixUpdate::OverWorkspace(update_cells.value?)
    };
    needs_clock(reader, job)?;
    Some(Matrices::new(policy))
}

fn needs_clock(reader: &mut Reader, job: &Job<'_>) -> Option<()> {
    match job.timing {
        Timing::Ticks { .. } => Some(()),
        Timing::Always => {
            let message = "what it remembers of its matrices needs a clock";
            CONTROLLER.refuse(reader, job.kind.clone(), message, "add period = \"1 ms\"");
            None
        }
    }
}
