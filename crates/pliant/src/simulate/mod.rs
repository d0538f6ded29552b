//! Simulation of arms.
//!
//! An [`Arm`](crate::arm::Arm) and its inputs become a system for [`integrate`](crate::integrate).
//! Use an [`ArmSystem`] to write your own loop, or [`run`](run()) a [`Diagram`]: signals for motors,
//! loads and prescribed joints, sampled sensors and controllers, a recorder, events, the energy
//! balance.

mod forward_dynamics;
mod arm_system;
mod expression;
mod range;
mod parser;
mod table;
mod signal;
mod function;
mod pulses;
mod smoothness;
mod clock;
mod delay_line;
mod noise;
mod sensor;
mod block;
mod channels;
mod target;
mod link_channels;
mod sliding_channels;
mod catalogue;
mod selection;
mod prescribed;
mod diagram;
mod diagram_error;
mod run_size;
mod actuators;
mod plant;
mod channel_evaluator;
mod balance;
mod bounds;
mod events;
mod discrete;
mod recorder;
pub mod number;
mod summary;
mod run;
mod ending;
mod frequencies;
mod choice;
mod compiling;
mod method;
mod second_order;

pub use crate::integrate::Direction;
pub use crate::scalar::{Jet, Number};
pub use arm_system::{ArmSystem, CloneFeedback, Feedback, ForceInput, Unforced};
pub use block::{
    Block, BlockError, BlockInput, BlockOutput, CloneBlock, FullState, SampledBlock, Tick,
};
pub use bounds::Excess;
pub use catalogue::Catalogue;
pub use channels::{Channel, ChannelGroup, ChannelRole, Telemetry};
pub use choice::MethodDemand;
pub use clock::{Clock, ClockError, Delay};
pub use compiling::Compile;
pub use diagram::{Diagram, EventAction, ExternalLoad, Motor, Reference};
pub use diagram_error::{DiagramError, JumpCause};
pub use events::{Event, EventQuantity, EventRecord, Limit};
pub use expression::{Expression, ExpressionError, ExpressionFault, Function};
pub use forward_dynamics::{Articulated, CloneDynamics, ForwardDynamics, OwnedDynamics};
pub use frequencies::natural_frequencies;
pub(crate) use function::Noted;
pub use function::{FunctionError, FunctionSignal, SignalFunction, WitnessFunction};
pub(crate) use link_channels::unbend;
pub use method::IntegrationMethod;
pub use noise::Noise;
pub use plant::Plant;
pub use prescribed::{PrescribedMotion, PrescribedQuantity};
pub use recorder::{Progress, ProgressMonitor, Recorder, Rows};
pub use run::{resume, run};
pub use run_size::RunSize;
pub use second_order::ImplicitArmSystem;
pub use selection::{Selection, UnknownChannel, fits};
pub use sensor::{Sensor, SensorQuantity};
pub use signal::{Break, Signal, SignalError};
pub use summary::{
    Breakdown, Drift, Ending, Extreme, Extremes, MomentumDrift, Reason, RunError, Status, Summary,
};
pub use table::{Interpolation, Table};
pub use target::TrackingTarget;
