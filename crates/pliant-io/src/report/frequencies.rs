//! The natural frequencies that a spectrum is held against.

use crate::scenario::Setup;
use pliant::analyse::{Conditions, Hold};
use serde_json::{Value, json};

/// Frequencies at the initial posture (Hz), with joints locked and with joints free, or why there
/// are none.
pub(super) fn tell(setup: Option<&Setup>) -> Value {
    let Some(setup) = setup else {
        return json!({ "why": "the scenario in the folder cannot be read" });
    };
    let arm = &setup.arm;
    let bends = (0..arm.body_count()).any(|link| !arm.bending_of(link).0.is_empty());
    if !bends {
        return json!({ "why": "no link of the arm bends" });
    }
    let found = |hold: Hold| {
        let modes = arm.modes_under(&setup.q, &Conditions::all(arm, hold));
        let modes = modes.map_err(|error| error.to_string())?;
        let hertz = modes.modes.iter().map(pliant::analyse::Mode::hertz);
        Ok::<Vec<f64>, String>(hertz.filter(|hertz| *hertz > 0.0).collect())
    };
    match (found(Hold::Locked), found(Hold::Free)) {
        (Ok(locked), free) => json!({ "locked": locked, "free": free.unwrap_or_default() }),
        (Err(_), Ok(free)) => json!({ "locked": [], "free": free }),
        (Err(why), Err(_)) => json!({ "why": why }),
    }
}
