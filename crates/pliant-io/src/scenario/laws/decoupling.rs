//! Computed torque for flexible links.

use super::updates::UpdatePeriod;
use super::{Gains, LawKeys, MayTick, WithModel, shared_keys};
use crate::reader::Reader;
use crate::scenario::text::Surroundings;
use crate::shapes::Flat;
use crate::table::table;
use pliant::control::DecouplingDescription;

table! {
    /// Computed torque for flexible links: the joints move as if the links were rigid, King (4-6).
    /// Modal coordinates come from full_state = true or an estimator; otherwise they are taken at
    /// rest.
    pub(crate) struct DecouplingKeys = "decoupling", "write stiffness = 100 and damping = 20";
    keys {
        /// When it acts.
        ticks: Flat<MayTick> [flat],
        /// Its measurements and its model.
        model: Flat<WithModel> [flat],
        /// How it pulls.
        gains: Flat<Gains> [flat],
        /// When matrices are computed anew.
        updates: Flat<UpdatePeriod> [flat],
    }
}

impl LawKeys for DecouplingKeys {
    type Law = DecouplingDescription;
    shared_keys!();

    fn law(&self, reader: &mut Reader, around: &Surroundings<'_>) -> DecouplingDescription {
        let (stiffness, damping) = self.gains.read(reader, around);
        let update_period = self.updates.update_period.value;
        DecouplingDescription { stiffness, damping, update_period }
    }

    fn of(law: &DecouplingDescription, period: Option<f64>, model: WithModel) -> Option<Self> {
        let update_period = law.update_period.into();
        Some(Self {
            ticks: MayTick::of(period),
            model,
            gains: Gains::of(&law.stiffness, &law.damping),
            updates: UpdatePeriod { update_period, ..UpdatePeriod::default() },
            ..Self::default()
        })
    }
}
