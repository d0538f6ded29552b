//! How far ahead laws of least energy look.

use crate::scenario::shapes::Lasting;
use crate::shapes::{Word, words};
use crate::table::table;
use pliant::control::{HorizonDescription, HorizonKind, HorizonTarget};

words! { HorizonKind: "fixed" => HorizonKind::Fixed, "receding" => HorizonKind::Receding }

words! { HorizonTarget: "end" => HorizonTarget::End, "present" => HorizonTarget::Present }

table! {
    /// How far ahead laws of least energy look.
    pub(crate) struct HorizonKeys = "a horizon", "write horizon = \"40 ms\"";
    keys {
        /// The prediction horizon.
        horizon: Lasting [required],
        /// The time between updates of the gains.
        gains_period: Lasting [or "the sampling period"],
        /// The time to go: "fixed", the rest of the current window of the horizon's length, or
        /// "receding", always the whole horizon.
        window: Word<HorizonKind> [= HorizonKind::Fixed],
        /// The target: "end", the reference at the end of the time to go, or "present", the current
        /// reference extrapolated with its acceleration.
        aim: Word<HorizonTarget> [= HorizonTarget::End],
    }
}

impl HorizonKeys {
    /// How far ahead it looks; a horizon that cannot be read is a long one.
    pub(super) fn read(&self) -> HorizonDescription {
        HorizonDescription {
            length: self.horizon.value.unwrap_or(1.0),
            gains_period: self.gains_period.value,
            window: self.window.value.unwrap_or(HorizonKind::Fixed),
            aim: self.aim.value.unwrap_or(HorizonTarget::End),
        }
    }

    pub(super) fn of(horizon: &HorizonDescription) -> Self {
        Self {
            horizon: horizon.length.into(),
            gains_period: horizon.gains_period.into(),
            window: horizon.window.into(),
            aim: horizon.aim.into(),
            ..Self::default()
        }
    }
}
