//! The natural frequencies that a spectrum is held against.

use crate::scenario::Setup;
use pliant::analyse::{Conditions, Hold};
use serde_json::{Value, json};

/// Frequencies at the initial posture (Hz), with joints locked and with joints as they are, on their
/// springs or free; or why there are none.
pub(super) fn tell(setup: Option<&Setup>) -> Value {
    let Some(setup) = setup else {
        return json!({ "why": "the scenario in the folder cannot be read" });
    };
    let arm = &setup.arm;
    let bodies = 0..arm.body_count();
    if !bodies.clone().any(|link| !arm.deforming_of(link).is_empty() || arm.is_sprung(link)) {
        return json!({ "why": "no link of the arm bends, and no joint has a spring" });
    }
    let found = |conditions: &Conditions| {
        let modes = arm.modes_under(&setup.q, conditions).map_err(|error| error.to_string())?;
        let hertz = modes.modes.iter().map(pliant::analyse::Mode::hertz);
        Ok::<Vec<f64>, String>(hertz.filter(|hertz| *hertz > 0.0).collect())
    };
    let own = |link| if arm.is_sprung(link) { Hold::OnSpring } else { Hold::Free };
    let as_they_are = Conditions { holds: bodies.map(own).collect(), ..Conditions::default() };
    match (found(&Conditions::default()), found(&as_they_are)) {
        (Ok(locked), free) => json!({ "locked": locked, "free": free.unwrap_or_default() }),
        (Err(_), Ok(free)) => json!({ "locked": [], "free": free }),
        (Err(why), Err(_)) => json!({ "why": why }),
    }
}
