//! When a law computes the matrices of its model anew.

use crate::reader::Reader;
use crate::scenario::shapes::{Lasting, NotNegative};
use crate::shapes::{Count, Flat};
use crate::table::table;
use pliant::control::MatrixUpdate;

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

impl Updates {
    /// When matrices are computed anew; at every tick where that cannot be read.
    pub(super) fn read(&self, reader: &mut Reader) -> MatrixUpdate {
        let Self { update_change, update_distance, update_along_plan, update_cells, .. } = self;
        let update_period = &self.period.update_period;
        let policies = [
            update_period.given(),
            update_change.given(),
            update_distance.given(),
            update_along_plan.given(),
            update_cells.given(),
        ];
        reader.exclude(&policies, "each is a policy of its own");
        let update = update_period.value.map(MatrixUpdate::Every);
        let update = update.or(update_change.value.map(MatrixUpdate::Changed));
        let update = update.or(update_distance.value.map(MatrixUpdate::Strayed));
        let update = update.or(update_along_plan.value.map(MatrixUpdate::AlongTrajectory));
        let update = update.or(update_cells.value.map(MatrixUpdate::OverWorkspace));
        update.unwrap_or(MatrixUpdate::Always)
    }

    pub(super) fn of(update: MatrixUpdate) -> Self {
        let mut keys = Self::default();
        match update {
            MatrixUpdate::Always => {}
            MatrixUpdate::Every(period) => keys.period.update_period = period.into(),
            MatrixUpdate::Changed(change) => keys.update_change = change.into(),
            MatrixUpdate::Strayed(distance) => keys.update_distance = distance.into(),
            MatrixUpdate::AlongTrajectory(period) => keys.update_along_plan = period.into(),
            MatrixUpdate::OverWorkspace(cells) => keys.update_cells = cells.into(),
        }
        keys
    }
}
