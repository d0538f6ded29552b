//! Computed torque.

use super::updates::Updates;
use super::{Gains, LawKeys, MayTick, WithModel, shared_keys};
use crate::reader::Reader;
use crate::scenario::text::Surroundings;
use crate::shapes::Flat;
use crate::table::table;
use pliant::control::ComputedTorqueDescription;

table! {
    /// Inverse dynamics of the model with feedback: Akmehmet (3.6), King (4-2).
    pub(crate) struct ComputedTorqueKeys = "computed-torque", "write stiffness = 100 and damping = 20";
    keys {
        /// When it acts.
        ticks: Flat<MayTick> [flat],
        /// Its measurements and its model.
        model: Flat<WithModel> [flat],
        /// How it pulls.
        gains: Flat<Gains> [flat],
        /// When matrices are computed anew.
        updates: Flat<Updates> [flat],
    }
}

impl LawKeys for ComputedTorqueKeys {
    type Law = ComputedTorqueDescription;
    shared_keys!();

    fn law(&self, reader: &mut Reader, around: &Surroundings<'_>) -> ComputedTorqueDescription {
        let (stiffness, damping) = self.gains.read(reader, around);
        ComputedTorqueDescription { stiffness, damping, update: self.updates.read(reader) }
    }

    fn of(law: &ComputedTorqueDescription, period: Option<f64>, model: WithModel) -> Option<Self> {
        Some(Self {
            ticks: MayTick::of(period),
            model,
            gains: Gains::of(&law.stiffness, &law.damping),
            updates: Updates::of(law.update),
            ..Self::default()
        })
    }
}
