//! Scenarios: what happens to an arm, as plain data; ready to run; and the figures of their runs.
//!
//! A [`Scenario`] says by names what an arm does. [`Scenario::build`] checks it and gives a
//! [`Simulation`], which can be run many times and sent to other threads. Besides the
//! [`Summary`](crate::simulate::Summary) a run tells how well the controllers tracked their plan
//! ([`Tracking`]), which links left the range of their assumptions, and how fast links slid.

mod place;
mod fault_kind;
mod fault_words;
mod fault_help;
mod fault;
mod plan_description;
mod controller_description;
mod description;
mod simulation;
mod build;
mod closed_loop;
mod point;
mod link_peaks;
mod range;
mod row_state;
mod sliding;
mod stability;
mod tracking;
mod tracking_results;
mod figure;
mod run;

pub use closed_loop::{ClosedLoop, GrowingMode, LoopError};
pub use controller_description::{
    ControllerDescription, ControllerKind, EstimatorDescription, Measurements, PdJoint,
    PlanFollower, StrainJoint,
};
pub use description::{
    InputDescription, InputTarget, MeasuredQuantity, PrescribedDescription, Record, SETTLING_BAND,
    Scenario, SensorDescription, Start,
};
pub use fault::{ScenarioError, ScenarioFault};
pub use fault_kind::ScenarioFaultKind;
pub use figure::{FigureKind, RunFigure};
pub use link_peaks::{LinkPeaks, RunPeak};
pub use place::{FaultPlace, PlaceStep};
pub use plan_description::{Passing, PlanAttitude, PlanDescription, PlanKind, ShaperDescription};
pub use point::PointError;
pub use range::{RangeFinding, RangeLimit};
pub use run::{RunWarning, SimulationOutcome};
pub use simulation::{DrivenMotors, Plan, Simulation, Target};
pub use sliding::SlidingSpeed;
pub use stability::UnstableLoop;
pub use tracking::SATURATION;
pub use tracking_results::{JointTracking, MotorEffort, TipTracking, Tracking};
