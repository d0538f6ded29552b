//! Arms in motion.
//!
//! An [`Arm`](crate::arm::Arm) with what drives it becomes a system for
//! [`integrate`](crate::integrate): as [`Motion`] for those who drive the loop themselves, or as a
//! [`Scenario`] that is [`run`](run()) to its end: signals on motors, loads and prescribed joints,
//! sensors and controllers on their own clocks, rows for a recorder, events, the balance of energy.

mod forward_dynamics;
mod motion;
mod expression;
mod parser;
mod table;
mod signal;
mod clock;
mod delay_line;
mod noise;
mod sensor;
mod sampled;
mod channels;
mod selection;
mod scenario;
mod scenario_error;
mod actuators;
mod plant;
mod observer;
mod balance;
mod bounds;
mod events;
mod discrete;
mod recorder;
mod summary;
mod run;
mod ending;
mod frequencies;
mod choice;
mod second_order;

pub use crate::integrate::Direction;
pub use crate::scalar::{Jet, Number};
pub use bounds::Excess;
pub use channels::{Catalogue, Channel, Group};
pub use choice::{Choice, Chosen, Demand};
pub use clock::{Clock, ClockError, Delay};
pub use events::{Event, Happened, Limit};
pub use expression::{Expression, ExpressionError, ExpressionFault, Function};
pub use forward_dynamics::{Articulated, ForwardDynamics};
pub use frequencies::natural_frequencies;
pub use motion::{Coasting, Drive, Motion};
pub use noise::Noise;
pub use plant::Plant;
pub use recorder::{Progress, Recorder, Rows, Watch};
pub use run::run;
pub use sampled::{Controller, Output, Sampled, Source, Tick, TrueState};
pub use scenario::{Action, Given, Motor, Prescribed, Push, Reference, Scenario};
pub use scenario_error::ScenarioError;
pub use second_order::ImplicitMotion;
pub use selection::{Selection, UnknownChannel, fits};
pub use sensor::{Quantity, Sensor};
pub use signal::{Break, Signal, SignalError};
pub use summary::{Breakdown, Drift, Ending, Extreme, Extremes, Reason, RunError, Summary};
pub use table::{Interpolation, Table};
