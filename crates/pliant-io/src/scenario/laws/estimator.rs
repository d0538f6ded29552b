//! State estimators of controllers.

use crate::reader::Reader;
use crate::scenario::gains::{of_joints, per_joint};
use crate::scenario::shapes::NotNegative;
use crate::scenario::text::Surroundings;
use crate::shapes::{JointForce, OfCoordinates, Word, words};
use crate::table::table;
use pliant::control::EstimatorKind;
use pliant::scenario::EstimatorDescription;

words! { EstimatorKind: "kalman" => EstimatorKind::Kalman, "extended" => EstimatorKind::Extended }

table! {
    /// Estimates joint and modal coordinates and their rates from encoders, strain gauges and the
    /// forces of the controller. The noise of a sensor is its own plus that of its quantisation, at
    /// least 1e-6 rad or m for an encoder and 1e-7 for a gauge.
    pub(crate) struct EstimatorTable = "an estimator", "write estimator = { kind = \"extended\" }";
    keys {
        /// A steady-state Kalman filter, linearised at the initial equilibrium, or an extended
        /// Kalman filter, linearised at the estimated state.
        kind: Word<EstimatorKind> [required],
        /// The standard deviation of unmodelled forces on each joint by name, independent at every
        /// sample.
        force_noise: OfCoordinates<JointForce>
            [or "the force that accelerates the joint by 1 rad/s^2 or m/s^2"],
        /// The same for modal coordinates, as the acceleration of each [m/s^2, rad/s^2].
        bending_noise: NotNegative [= EstimatorDescription::BENDING_NOISE],
    }
}

impl EstimatorTable {
    /// What a file says about an estimator; noises that cannot be read are the usual ones.
    pub(super) fn estimator(
        &self,
        reader: &mut Reader,
        around: &Surroundings<'_>,
    ) -> Option<EstimatorDescription> {
        let usual = EstimatorDescription::BENDING_NOISE;
        Some(EstimatorDescription {
            kind: self.kind.value?,
            force_noise: per_joint(reader, around, &self.force_noise),
            bending_noise: self.bending_noise.value.unwrap_or(usual),
        })
    }

    pub(super) fn of(estimator: &EstimatorDescription) -> Self {
        let noise = estimator.force_noise.as_ref();
        Self {
            kind: estimator.kind.into(),
            force_noise: noise.map(of_joints::<JointForce>).unwrap_or_default(),
            bending_noise: estimator.bending_noise.into(),
            ..Self::default()
        }
    }
}
