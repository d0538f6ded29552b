//! Control laws, one per file: motor forces from measurements.
//!
//! A [`ControlLaw`] computes joint forces. [`Pd`] needs no model; the others use a [`Model`], which
//! may differ from the plant. A [`Controller`] connects a law to its [`StateSource`] and its
//! trajectory. It is a [`Block`](crate::simulate::Block) and runs as a
//! [`SampledBlock`](crate::simulate::SampledBlock), or as [`Continuous`] on the full state.

mod composite;
mod composite_description;
mod composite_telemetry;
mod computed_torque;
mod decoupling;
mod description;
mod energy_torque;
mod fixed_composite;
mod gravity_pd;
mod horizon;
mod minimum_energy;
mod model;
mod state_estimator;
mod estimator;
mod estimator_error;
mod law;
mod parts;
mod span;
mod pd;
mod pid;
mod controller;
mod pseudolink;
mod matrix_update;
mod vibration_damping;

pub use composite::{Composite, GUARD};
pub use composite_description::{CompositeDescription, PseudolinkRows};
pub use computed_torque::{ComputedTorque, ComputedTorqueDescription};
pub use controller::{Continuous, Controller, StateSource};
pub use decoupling::{Decoupling, DecouplingDescription};
pub use description::{CloneLawDescription, LawDescription, LawError, LawFault, LawSite, PerJoint};
pub use energy_torque::{EnergyTorque, EnergyTorqueDescription};
pub use estimator::{CloneEstimator, Estimator, EstimatorContext};
pub use estimator_error::EstimatorError;
pub(crate) use fixed_composite::FixedComposite;
pub use gravity_pd::{GravityPd, GravityPdDescription};
pub(crate) use horizon::Course;
pub use horizon::{Horizon, HorizonDescription, HorizonError, HorizonKind, HorizonTarget};
pub use law::{CloneLaw, ControlContext, ControlError, ControlLaw};
pub(crate) use matrix_update::common_multiple;
pub use matrix_update::{Matrices, MatrixUpdate};
pub use minimum_energy::{MinimumEnergy, MinimumEnergyError, towards_moving, towards_point};
pub use model::{Model, ModelError};
pub use pd::Pd;
pub use pid::{Pid, PidDescription};
pub use pseudolink::Pseudolinks;
pub(crate) use state_estimator::SteadyFilter;
pub use state_estimator::{EstimatorKind, EstimatorSensors, Gauge, StateEstimator};
pub use vibration_damping::{CompositeWeights, VibrationDamping};
