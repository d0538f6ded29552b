//! State estimators of one's own.

use super::law::ControlError;
use super::model::Model;
use crate::boxed::cloneable;
use crate::integrate::StateVisitor;
use crate::scalar::Jet;
use std::fmt::Debug;

/// A state estimator of one's own, for a controller that acts at ticks: from what sensors show and
/// what was commanded to the state of the controller's model.
///
/// It is data that can be cloned; what it remembers is in [`visit_state`](Self::visit_state).
pub trait Estimator: CloneEstimator + Debug + Send + Sync {
    /// A run begins: what is remembered of another one is forgotten.
    fn start(&mut self) {}

    /// Visits what it remembers from one tick to the next, so that a run can be resumed.
    fn visit_state(&mut self, state: &mut StateVisitor<'_>);

    /// Estimates the state of the model, by [`Model::set_estimate`]. An error ends the run with its
    /// words.
    fn observe(
        &mut self,
        now: &EstimatorContext<'_>,
        model: &mut Model,
    ) -> Result<(), ControlError>;
}

cloneable! {
    /// Copies estimators behind a `Box`; every one that is `Clone` has it.
    CloneEstimator, Estimator
}

impl<E: Estimator + 'static> From<E> for Box<dyn Estimator> {
    fn from(estimator: E) -> Self {
        Box::new(estimator)
    }
}

/// The inputs of an estimator at a tick.
#[derive(Clone, Copy, Debug)]
pub struct EstimatorContext<'a> {
    /// The time (s).
    pub t: f64,
    /// The time since the tick before (s); none at the first one.
    pub since: Option<f64>,
    /// What the sensors show, one after another in the order of the controller.
    pub measured: &'a [f64],
    /// The forces of the joints that were commanded at the tick before (N m, N); zeros at the first.
    pub forces: &'a [f64],
    /// The reference of the joints now, with its rate and acceleration.
    pub reference: &'a [Jet],
}
