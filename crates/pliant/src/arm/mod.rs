//! What an arm is: a tree of bodies on joints, checked when built and immutable afterwards.
//!
//! [`Builder`] collects [`Link`]s as a person describes them. [`Builder::build`] checks them, puts
//! parents before children, and turns every body frame so that a joint of one degree of freedom
//! moves about or along its own z axis; the recursions then work with that sparse form, and
//! nothing outside ever sees the turned frames.

mod actuator;
mod builder;
mod assemble;
mod faults;
mod checks;
mod beam_checks;
mod joint;
mod coordinate;
mod link;
mod passive;
mod hinges;
mod pieces;
mod stations;
mod flexible_body;
mod tree;
mod display;
mod frame;
mod denavit_hartenberg;
mod diagnostics;
mod frame_assignment;

pub use actuator::{Actuator, ActuatorFault, Coupling, Friction, NoMotor};
pub use builder::{Builder, BuilderParts};
pub use coordinate::{Coordinate, CoordinateRole};
pub use denavit_hartenberg::{DhConvention, DhError, DhJoint, DhRow, DhTable, DhVariable};
pub use diagnostics::Warning;
pub use faults::{BuildError, Fault, FaultKind};
pub(crate) use flexible_body::{FlexibleBody, Section};
pub use frame::{Frame, FrameRole, tip_name};
pub use joint::{Joint, JointHop, JointKind};
pub use link::{Limits, Link, LinkParts, Mass, Parent};
pub use passive::Spring;
pub(crate) use stations::{Edge, Over};
pub(crate) use tree::Run;
pub use tree::{Arm, Body, UnknownName};
