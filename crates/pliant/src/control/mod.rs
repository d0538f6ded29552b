//! Laws that drive the motors of an arm from what is measured, one per file.
//!
//! [`JointPd`] needs no model. The others are [`Law`]s: forces for the joints of a [`Model`], which
//! may be another arm than the one that is driven. A [`Pilot`] gives a law its eyes and its task; it
//! is a [`Controller`](crate::simulate::Controller), to be put on a clock as a
//! [`Sampled`](crate::simulate::Sampled) part, or [`Continuous`] on the true state.

mod composite;
mod computed_torque;
mod decoupling;
mod energy_torque;
mod gravity_pd;
mod horizon;
mod minimum_energy;
mod model;
mod observer;
mod observer_error;
mod pd;
mod pilot;
mod pseudolink;
mod refresh;

pub use composite::{Composite, CompositeWeights, GUARD};
pub use computed_torque::ComputedTorque;
pub use decoupling::Decoupling;
pub use energy_torque::EnergyTorque;
pub use gravity_pd::GravityPd;
pub(crate) use horizon::Course;
pub use horizon::{Aim, Horizon, HorizonError, Window};
pub use minimum_energy::{MinimumEnergy, MinimumEnergyError, towards_moving, towards_point};
pub use model::{Model, ModelError};
pub use observer::{Filter, Gauge, Observer, Senses};
pub use observer_error::ObserverError;
pub use pd::{JointPd, PdJoint};
pub use pilot::{Continuous, Eyes, Law, LawError, Pilot, Situation};
pub use pseudolink::Pseudolinks;
pub use refresh::{Matrices, Refresh};
