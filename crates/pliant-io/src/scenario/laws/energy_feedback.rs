//! Adaptive minimum-energy feedback.

use super::horizon::HorizonKeys;
use super::updates::Updates;
use super::{LawKeys, WithModel, shared_keys};
use crate::reader::Reader;
use crate::scenario::controller::Ticks;
use crate::scenario::gains::{of_joints, per_joint};
use crate::scenario::text::Surroundings;
use crate::shapes::{Flat, JointPlain, OfCoordinates, Word, words};
use crate::table::{Field, table};
use pliant::control::PerJoint;
use pliant::reproduce::akmehmet::{Effort, EnergyFeedbackDescription, Form};

/// Akmehmet's forms of the model by name; the first two give the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Syst {
    One,
    Two,
    Three,
}

words! { Syst: "syst1" => Syst::One, "syst2" => Syst::Two, "syst3" => Syst::Three }

words! { Effort: "ideal" => Effort::Ideal, "whole" => Effort::Whole }

table! {
    /// Adaptive minimum-energy feedback: Akmehmet (3.15) to (3.18).
    pub(crate) struct EnergyFeedbackKeys = "energy-feedback", "write horizon = \"40 ms\"";
    keys {
        /// When it acts.
        ticks: Flat<Ticks> [flat],
        /// Its measurements and its model.
        model: Flat<WithModel> [flat],
        /// The prediction horizon.
        horizon: Flat<HorizonKeys> [flat],
        /// When matrices are computed anew.
        updates: Flat<Updates> [flat],
        /// The form of the model.
        form: Word<Syst> [= Syst::Two],
        /// The penalised effort: "whole", the total force, or "ideal", the force minus that of the
        /// model at zero acceleration, which is added as of the last update of the model instead of
        /// the gains; updated together, both give the same forces.
        effort: Word<Effort> [= Effort::Ideal],
        /// The weight of the effort of each joint, for form = "syst3": one number, or one for each
        /// joint by name.
        penalty: OfCoordinates<JointPlain> [or "1"],
    }
}

/// The penalty of each joint if none is given.
const PENALTY: PerJoint = PerJoint::All(1.0);

impl LawKeys for EnergyFeedbackKeys {
    type Law = EnergyFeedbackDescription;
    shared_keys!();

    fn law(&self, reader: &mut Reader, around: &Surroundings<'_>) -> EnergyFeedbackDescription {
        let form = match self.form.value.unwrap_or(Syst::Two) {
            Syst::One | Syst::Two => Form::Syst2,
            Syst::Three => Form::Syst3,
        };
        EnergyFeedbackDescription {
            horizon: self.horizon.read(),
            update: self.updates.read(reader),
            form,
            effort: self.effort.value.unwrap_or(Effort::Ideal),
            penalty: per_joint(reader, around, &self.penalty).unwrap_or(PENALTY),
        }
    }

    fn of(law: &EnergyFeedbackDescription, period: Option<f64>, model: WithModel) -> Option<Self> {
        let form = match law.form {
            Form::Syst2 => Syst::Two,
            Form::Syst3 => Syst::Three,
        };
        let penalty = if law.penalty == PENALTY {
            Field::default()
        } else {
            of_joints::<JointPlain>(&law.penalty)
        };
        Some(Self {
            ticks: Ticks::of(period),
            model,
            horizon: HorizonKeys::of(&law.horizon),
            updates: Updates::of(law.update),
            form: form.into(),
            effort: law.effort.into(),
            penalty,
            ..Self::default()
        })
    }
}
