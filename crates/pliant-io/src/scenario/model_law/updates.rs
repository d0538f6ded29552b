//! When a law computes the matrices of its model anew.

use crate::reader::{Fields, Reader};
use crate::scenario::controller::Timing;
use crate::scenario::gains::positive;
use crate::scenario::refusal::CONTROLLER;
use crate::scenario::times::positive_time;
use pliant::control::{Matrices, Refresh};

/// What is said of laws that remember.
const NEEDS_CLOCK: &str = "what it remembers of its matrices needs a clock; add period = \"1 ms\"";

/// After which time matrices are computed anew, 0 for every tick.
pub(super) fn update_period(
    reader: &mut Reader,
    fields: &Fields<'_>,
    timing: &Timing,
) -> Option<f64> {
    let Some(node) = fields.get("update_period") else {
        return Some(0.0);
    };
    let period = positive_time(reader, "update_period", node)?;
    if matches!(timing, Timing::Always) {
        CONTROLLER.refuse(reader, fields, "kind", NEEDS_CLOCK);
        return None;
    }
    Some(period)
}

/// When matrices are computed anew.
pub(super) fn updates(
    reader: &mut Reader,
    fields: &Fields<'_>,
    timing: &Timing,
) -> Option<Matrices> {
    let keys =
        ["update_period", "update_change", "update_distance", "update_along_plan", "update_cells"];
    let key = reader.at_most_one(fields, &keys, "each is a policy of its own");
    let policy = match key {
        None => Refresh::Always,
        Some(key) => {
            let node = fields.get(key)?;
            match key {
                "update_period" => Refresh::Every(positive_time(reader, key, node)?),
                "update_along_plan" => Refresh::AlongTask(positive_time(reader, key, node)?),
                "update_change" => Refresh::Changed(positive(reader, fields, key)?),
                "update_distance" => Refresh::Strayed(positive(reader, fields, key)?),
                _ => Refresh::OverWorkspace(reader.count(key, node, (1, 1000))?),
            }
        }
    };
    if policy != Refresh::Always && matches!(timing, Timing::Always) {
        CONTROLLER.refuse(reader, fields, "kind", NEEDS_CLOCK);
        return None;
    }
    Some(Matrices::new(policy))
}
