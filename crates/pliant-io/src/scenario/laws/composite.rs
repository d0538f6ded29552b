//! King's composite controllers in scenarios.

use super::{Gains, LawKeys, MayTick, WithModel, shared_keys};
use crate::reader::Reader;
use crate::scenario::refusal::CONTROLLER;
use crate::scenario::shapes::{Joints, Lasting, Listed, Names, NotNegative};
use crate::scenario::text::Surroundings;
use crate::shapes::Flat;
use crate::table::{Field, table};
use pliant::control::{
    CompositeDescription, CompositeWeights, GUARD, PseudolinkRows, VibrationDamping,
};

table! {
    /// The regulator of vibrations.
    pub(crate) struct Regulator = "a regulator", "write bending_weight = 1e4";
    keys {
        /// Weight of the squared modal coordinates [1/m^2, 1/rad^2]; in composite instead of
        /// damping_ratio.
        bending_weight: NotNegative [or "1e4; in composite with another weight"],
        /// Weight of their squared rates [s^2/m^2, s^2/rad^2]; in composite instead of damping_ratio.
        rate_weight: NotNegative [or "0; in composite with another weight"],
        /// Weight of the squared accelerations [s^4/rad^2, s^4/m^2]; in composite instead of
        /// damping_ratio.
        input_weight: NotNegative [or "1; in composite with another weight"],
        /// The time between updates of the gains.
        gains_period: Lasting [= 0.05],
        /// The smallest allowed determinant of H22 - H21 F, relative to its size in other
        /// configurations; below it the run ends.
        guard: NotNegative [= GUARD],
    }
}

table! {
    /// The joints track the plan while a linear quadratic regulator damps the vibrations: King
    /// (4-14) to (4-18). Modal coordinates come from full_state = true or an estimator; otherwise
    /// they are taken at rest.
    pub(crate) struct CompositeKeys = "composite", "write stiffness = 100 and damping = 20";
    keys {
        /// When it acts.
        ticks: Flat<MayTick> [flat],
        /// Its measurements and its model.
        model: Flat<WithModel> [flat],
        /// How it pulls.
        gains: Flat<Gains> [flat],
        /// The damping ratio that vibrations shall have, of those that the joints move well and that
        /// are slow enough for its ticks; its weights then follow from the arm.
        damping_ratio: NotNegative [or "0.5, unless a weight is given"],
        /// How it takes vibrations out.
        regulator: Flat<Regulator> [flat],
    }
}

table! {
    /// Composite control of the pseudolinks, the straight lines from joint to joint: King (4-19) to
    /// (4-32).
    pub(crate) struct PseudolinkKeys = "pseudolink",
        "write stiffness = 100, damping = 20 and rows = [\"upper\", \"fore\"]";
    keys {
        /// When it acts.
        ticks: Flat<MayTick> [flat],
        /// Its measurements and its model.
        model: Flat<WithModel> [flat],
        /// How it pulls.
        gains: Flat<Gains> [flat],
        /// How it takes vibrations out.
        regulator: Flat<Regulator> [flat],
        /// The joints whose pseudolinks track the plan. The other joints track it by their angles.
        rows: Names<Joints> [or "all"],
    }
}

impl LawKeys for CompositeKeys {
    type Law = CompositeDescription;
    shared_keys!();

    fn law(&self, reader: &mut Reader, around: &Surroundings<'_>) -> CompositeDescription {
        let (weights, law) = self.regulator.law(&self.gains, reader, around);
        let both = self.damping_ratio.given().filter(|_| weights.is_some());
        if let Some(place) = both {
            let message = "both damping_ratio and weights are given";
            let help = "remove damping_ratio, whose weights follow from the arm, or the weights";
            CONTROLLER.refuse(reader, place.value.clone(), message, help);
        }
        let ratio = self.damping_ratio.value.unwrap_or(VibrationDamping::RATIO);
        let vibrations = weights.map_or(VibrationDamping::Ratio(ratio), VibrationDamping::Weights);
        CompositeDescription { vibrations, ..law }
    }

    fn of(law: &CompositeDescription, period: Option<f64>, model: WithModel) -> Option<Self> {
        let ratio = match law.vibrations {
            VibrationDamping::Ratio(ratio) => Some(ratio),
            VibrationDamping::Weights(_) => None,
        };
        (law.rows == PseudolinkRows::None).then(|| Self {
            ticks: MayTick::of(period),
            model,
            damping_ratio: ratio.into(),
            gains: Gains::of(&law.stiffness, &law.damping),
            regulator: Regulator::of(law),
            ..Self::default()
        })
    }
}

impl LawKeys for PseudolinkKeys {
    type Law = CompositeDescription;
    shared_keys!();

    fn law(&self, reader: &mut Reader, around: &Surroundings<'_>) -> CompositeDescription {
        let name = |row: &Listed| row.name.clone();
        let rows = match self.rows.get() {
            None => PseudolinkRows::All,
            Some(rows) => PseudolinkRows::Joints(rows.iter().map(name).collect()),
        };
        let (weights, law) = self.regulator.law(&self.gains, reader, around);
        let vibrations = VibrationDamping::Weights(weights.unwrap_or_default());
        CompositeDescription { rows, vibrations, ..law }
    }

    fn of(law: &CompositeDescription, period: Option<f64>, model: WithModel) -> Option<Self> {
        let row = |name: &String| Listed { name: name.clone(), span: 0..0 };
        let rows = match &law.rows {
            PseudolinkRows::None => return None,
            PseudolinkRows::All => Field::default(),
            PseudolinkRows::Joints(names) => names.iter().map(row).collect::<Vec<_>>().into(),
        };
        Some(Self {
            ticks: MayTick::of(period),
            model,
            gains: Gains::of(&law.stiffness, &law.damping),
            regulator: Regulator::of(law),
            rows,
            ..Self::default()
        })
    }
}

impl Regulator {
    /// Its weights, if one is given, and a law with everything else; numbers that cannot be read are
    /// the usual ones.
    fn law(
        &self,
        gains: &Gains,
        reader: &mut Reader,
        around: &Surroundings<'_>,
    ) -> (Option<CompositeWeights>, CompositeDescription) {
        let (stiffness, damping) = gains.read(reader, around);
        let usual = CompositeDescription::new(stiffness, damping);
        let CompositeWeights { bending, rate, input } = CompositeWeights::default();
        let given = [&self.bending_weight, &self.rate_weight, &self.input_weight];
        let weights = given.iter().any(|weight| weight.is_given()).then(|| CompositeWeights {
            bending: self.bending_weight.value.unwrap_or(bending),
            rate: self.rate_weight.value.unwrap_or(rate),
            input: self.input_weight.value.unwrap_or(input),
        });
        let gains_period = self.gains_period.value.unwrap_or(usual.gains_period);
        let guard = self.guard.value.unwrap_or(GUARD);
        (weights, CompositeDescription { gains_period, guard, ..usual })
    }

    fn of(law: &CompositeDescription) -> Self {
        let weights = match law.vibrations {
            VibrationDamping::Ratio(_) => None,
            VibrationDamping::Weights(weights) => Some(weights),
        };
        Self {
            bending_weight: weights.map(|weights| weights.bending).into(),
            rate_weight: weights.map(|weights| weights.rate).into(),
            input_weight: weights.map(|weights| weights.input).into(),
            gains_period: law.gains_period.into(),
            guard: law.guard.into(),
            ..Self::default()
        }
    }
}
