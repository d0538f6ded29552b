//! Minimum-energy computed torque.

use super::horizon::HorizonKeys;
use super::updates::Updates;
use super::{LawKeys, WithModel, shared_keys};
use crate::reader::Reader;
use crate::scenario::controller::Ticks;
use crate::scenario::text::Surroundings;
use crate::shapes::{Flag, Flat};
use crate::table::table;
use pliant::control::EnergyTorqueDescription;

table! {
    /// Minimum-energy computed torque: Akmehmet (3.11).
    pub(crate) struct EnergyTorqueKeys = "energy-torque", "write horizon = \"40 ms\"";
    keys {
        /// When it acts.
        ticks: Flat<Ticks> [flat],
        /// Its measurements and its model.
        model: Flat<WithModel> [flat],
        /// The prediction horizon.
        horizon: Flat<HorizonKeys> [flat],
        /// When matrices are computed anew.
        updates: Flat<Updates> [flat],
        /// Whether the end of a window replaces the present in (3.11), as in Table 5.2.
        as_printed: Flag [= false],
    }
}

impl LawKeys for EnergyTorqueKeys {
    type Law = EnergyTorqueDescription;
    shared_keys!();

    fn law(&self, reader: &mut Reader, _: &Surroundings<'_>) -> EnergyTorqueDescription {
        EnergyTorqueDescription {
            horizon: self.horizon.read(),
            update: self.updates.read(reader),
            as_printed: self.as_printed.value.unwrap_or(false),
        }
    }

    fn of(law: &EnergyTorqueDescription, period: Option<f64>, model: WithModel) -> Option<Self> {
        Some(Self {
            ticks: Ticks::of(period),
            model,
            horizon: HorizonKeys::of(&law.horizon),
            updates: Updates::of(law.update),
            as_printed: law.as_printed.into(),
            ..Self::default()
        })
    }
}
